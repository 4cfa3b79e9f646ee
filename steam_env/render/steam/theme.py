"""Colours and shapes of the game's own things, beside the shared ones."""

from steam_env.core.steam.state import COLOR_LETTERS, COLOR_NAMES
from steam_env.render.pieces import Look

SHAPES = {"red": "square", "yellow": "circle", "purple": "star", "blue": "triangle", "gray": "diamond"}
ON_COLOR = {"red": "on_dark", "yellow": "on_light", "purple": "on_dark", "blue": "on_dark", "gray": "on_light"}
LOOKS = {
    color: Look(color, SHAPES[color], letter, ON_COLOR[color])
    for color, letter in zip(COLOR_NAMES, COLOR_LETTERS, strict=True)
}
LOOK_OF = {look.letter: look for look in LOOKS.values()}  # by the letter of a cube

# Terminal: 256-colour codes, ground and ink.
ANSI_COLORS = {"red": (160, 231), "yellow": (220, 16), "purple": (97, 231), "blue": (26, 231), "gray": (248, 16)}
ANSI_TERRAIN = {"plains": 108, "hills": 179, "water": 74, "city": 250}
