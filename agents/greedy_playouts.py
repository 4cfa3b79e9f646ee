"""Greedy in playouts: how ``GameBatch.rollout`` and searches ask for its choices. ``greedy`` itself is frozen."""

from typing import Any

import numpy as np

from steam_env.agents.greedy import choose_all, compile_greedy
from steam_env.agents.greedy_memory import MEMORY
from steam_env.agents.greedy_plan import WEIGHTS
from steam_env.core.steam_power.state import SCRATCH


def choose_greedily(
    records: np.ndarray, setting: Any, masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray
) -> None:
    """Write greedy's choice in each game: a ``steam_env.table.rollout.Choice``, which needs no chance."""
    compile_greedy()
    boards, decks = setting.statics
    choose_all(records, boards, decks, SCRATCH.open()[0], MEMORY.plans, masks, WEIGHTS, actions)
