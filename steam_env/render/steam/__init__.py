"""Positions of Steam (2009) to look at: scenes, and boards as text."""

from steam_env.render.steam.scene import make_scene
from steam_env.render.steam.text import draw_text

__all__ = ["draw_text", "make_scene"]
