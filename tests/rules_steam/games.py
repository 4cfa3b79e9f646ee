"""Positions as ``Game``, for tests of what only the kernels have: reasons, events, files, encodings."""

from typing import Any

from steam_env.steam import Game
from tests.rules_steam import boards
from tests.rules_steam.kernels import Kernels


def position(*links: str, **entries: Any) -> Game:
    """The game at a position that is told as ``boards.scenario`` has it."""
    return Kernels.from_scenario(boards.scenario(*links, **entries)).game


def play(game: Game, *texts: str) -> Game:
    """Play the actions of a line, two spaces apart, or one by one."""
    boards.play(Kernels(game), *texts)
    return game
