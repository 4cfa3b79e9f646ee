"""Steam (2009), the second game: its ``Game``, ``Rules`` and, for many games in step, ``GameBatch``."""

from steam_env.data.steam.rules import Rules
from steam_env.table.batch import GameBatch
from steam_env.table.steam.game import Game

__all__ = ["Game", "GameBatch", "Rules"]
