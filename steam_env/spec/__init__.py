"""What a game brings, as types for every room to import, and how a game is found by its id.

A game is one ``GameSpec``: a frozen dataclass of plain functions and arrays. Shared rooms ask it for whatever differs
between games. What has a default is right for a simple game. ``docs/add_a_game.md`` walks through one.
"""

from steam_env.spec.game_spec import GameSpec, find_known, find_spec, list_games, load_named
from steam_env.spec.parts import Block, Deviations, Facts, Kernels, Openings, Players, Sight, Texts, Words
from steam_env.spec.setting import Position, Rules, Setting

__all__ = [
    "Block",
    "Deviations",
    "Facts",
    "GameSpec",
    "Kernels",
    "Openings",
    "Players",
    "Position",
    "Rules",
    "Setting",
    "Sight",
    "Texts",
    "Words",
    "find_known",
    "find_spec",
    "list_games",
    "load_named",
]
