"""Scenes of Steam Power, and how they are drawn as pictures and as text."""

from steam_env.render.steam_power.scene import make_scene
from steam_env.render.steam_power.svg import draw_canvas
from steam_env.render.steam_power.text import draw_text
from steam_env.render.steam_power.things import Scene

__all__ = ["Scene", "draw_canvas", "draw_text", "make_scene"]
