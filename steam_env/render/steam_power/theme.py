"""Colours and shapes of the game's own things, beside the shared ones."""

from steam_env.core.steam_power.state import COLOR_LETTERS, COLOR_NAMES
from steam_env.render.pieces import Look

ON_COLOR = {"white": "on_light", "black": "on_dark", "orange": "on_light", "gray": "on_light", "purple": "on_dark"}

# The shape of each colour's resource; purple cities have none, their tile has a star.
SHAPES = {"white": "circle", "black": "square", "orange": "triangle", "gray": "diamond", "purple": "star"}
LETTERS = dict(zip(COLOR_NAMES, COLOR_LETTERS, strict=True))
LOOKS = {color: Look(color, SHAPES[color], LETTERS[color], ON_COLOR[color]) for color in COLOR_NAMES}

# Terminal: 256-colour codes.
ANSI_COLORS = {"white": (231, 16), "black": (236, 231), "orange": (214, 16), "gray": (248, 16), "purple": (97, 231)}
ANSI_TERRAIN = {"plains": 108, "hills": 179, "mountains": 138, "water": 74, "city": 250}
