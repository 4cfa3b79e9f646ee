"""Showing whole games: a page for a browser, and an animation.

``write_replay`` writes the page, ``draw_replay`` returns it, ``animate`` makes the animation.
"""

from steam_env.replay.animation import animate
from steam_env.replay.page import draw_replay, write_replay

__all__ = ["animate", "draw_replay", "write_replay"]
