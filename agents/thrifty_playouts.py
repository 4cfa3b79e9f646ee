"""Thrifty in playouts: how ``GameBatch.rollout`` and searches ask for its choices."""

from typing import Any

import numpy as np

from steam_env.agents.thrifty import choose_thrifty
from steam_env.agents.thrifty_ways import PLAN
from steam_env.core.steam.state import SCRATCH


def choose_thriftily(
    records: np.ndarray, setting: Any, masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray
) -> None:
    """Write thrifty's choice in each game: a ``steam_env.table.rollout.Choice``."""
    (boards,) = setting.statics
    choose_thrifty(records, boards, SCRATCH.works, np.zeros(1, PLAN), masks, fractions, actions)
