"""Compiling, or loading, the kernels that games need, before the first game begins."""

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import announce_compilation, call_kernels
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.one import step_game
from steam_env.core.steam_power.setup import deal_games
from steam_env.core.steam_power.state import GAME, SCRATCH
from steam_env.core.steam_power.step import play_automas, settle_games, step_games

_ready: set[str] = set()  # the kernels that this process has compiled or loaded


def prepare(setting: Any) -> None:
    """Compile or load what games of this setting need, and say so on the terminal if it takes time."""
    if "rules" not in _ready:
        with announce_compilation("rules core"):
            _call_on_nothing(*setting.statics)
        _ready.add("rules")
    if setting.rules.automas and "automas" not in _ready:
        with announce_compilation("Automa"):
            boards, decks = setting.statics
            play_automas(np.zeros(0, GAME), boards, decks, SCRATCH.open(), np.zeros(0, np.int64))
        _ready.add("automas")


def _call_on_nothing(boards: np.ndarray, decks: np.ndarray) -> None:
    """Call each kernel with no games: that compiles it."""
    records, masks = np.zeros(0, GAME), np.zeros((0, NUM_ACTIONS), np.bool_)
    none, nowhere = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    bag = np.zeros(0, np.int64)
    bag.setflags(write=False)  # as that of a setting is, which is another type to the compiler
    works = SCRATCH.open()
    games = (records, boards, decks)
    call_kernels(
        [
            (step_games, (*games, works, none, none, masks)),
            (step_game, (*games, works, masks, MONEY, 0)),
            (settle_games, (*games, works, none, masks)),
            (deal_games, (*games, bag, NONE, none, nowhere)),
        ]
    )
