"""Drawing: a position becomes a scene, and the scene becomes a picture, text, pixels or a window.

``make_scene`` makes the scene, for one seat or for all; ``draw_svg``, ``draw_text`` and ``draw_pixels`` draw it.
What needs packages beyond the core's is imported when it is used: the extra ``render``.
"""

from __future__ import annotations

import numpy as np

from steam_env.render.pixels import draw_pixels
from steam_env.render.steam_power.scene import Scene, make_scene
from steam_env.render.steam_power.svg import draw_svg
from steam_env.render.steam_power.text import draw_text
from steam_env.render.theme import AUTO, LIGHT, THEMES, check_theme
from steam_env.render.window import close_window, is_dismissed, show_pixels

MODES = ("ansi", "svg", "rgb_array", "human")


def render_scene(
    scene: Scene, mode: str = "ansi", theme: str = LIGHT, fps: float | None = None
) -> str | np.ndarray | None:
    """The scene in one of ``MODES``: text, SVG, (height, width, 3) uint8, or shown in a window, unless it was closed.

    Raises:
        ValueError: for another mode or theme.
    """
    if mode not in MODES:
        raise ValueError(f"mode={mode!r}: allowed are {', '.join(map(repr, MODES))}")
    check_theme(theme)
    if mode == "ansi":
        return draw_text(scene)
    if mode == "human" and is_dismissed():
        return None
    svg = draw_svg(scene, theme)
    if mode == "svg":
        return svg
    pixels = draw_pixels(svg)
    if mode == "rgb_array":
        return pixels
    show_pixels(pixels, fps)
    return None


__all__ = [
    "AUTO",
    "LIGHT",
    "MODES",
    "THEMES",
    "Scene",
    "close_window",
    "draw_pixels",
    "draw_svg",
    "draw_text",
    "make_scene",
    "render_scene",
]
