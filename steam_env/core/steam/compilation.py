"""Compiling, or loading, the kernels that games need, before the first game begins."""

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import announce_compilation, call_kernels
from steam_env.core.steam.actions import NUM_ACTIONS, PASS
from steam_env.core.steam.one import step_game
from steam_env.core.steam.setup import FROM_RANDOM, deal_games
from steam_env.core.steam.state import GAME, SCRATCH
from steam_env.core.steam.step import settle_games, step_games

_ready: set[str] = set()  # the kernels that this process has compiled or loaded


def prepare(setting: Any) -> None:
    """Compile or load what games of this setting need, and say so on the terminal if it takes time."""
    if "rules" not in _ready:
        with announce_compilation("rules core"):
            _call_on_nothing(*setting.statics)
        _ready.add("rules")


def _call_on_nothing(boards: np.ndarray) -> None:
    """Call each kernel with no games: that compiles it."""
    records, masks = np.zeros(0, GAME), np.zeros((0, NUM_ACTIONS), np.bool_)
    none, nowhere = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    works = SCRATCH.open()
    call_kernels(
        [
            (step_games, (records, boards, works, none, none, masks)),
            (step_game, (records, boards, works, masks, PASS, 0)),
            (settle_games, (records, boards, works, none, masks)),
            (deal_games, (records, boards, works, NONE, FROM_RANDOM, none, nowhere)),
        ]
    )
