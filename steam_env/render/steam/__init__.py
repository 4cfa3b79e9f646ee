"""Positions of Steam (2009) to look at: scenes, and how they are drawn as pictures and as text."""

from steam_env.render.steam.scene import make_scene
from steam_env.render.steam.svg import draw_canvas
from steam_env.render.steam.text import draw_text
from steam_env.render.steam.things import Scene

__all__ = ["Scene", "draw_canvas", "draw_text", "make_scene"]
