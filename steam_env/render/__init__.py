"""Drawing: what every game's scenes are drawn with, as picture, text, pixels or in a window.

What needs packages beyond the core's is imported when it is used: the extra ``render``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env.render.pixels import draw_pixels
from steam_env.render.theme import AUTO, LIGHT, THEMES, check_theme
from steam_env.render.window import close_window, is_dismissed, show_pixels
from steam_env.spec import Sight

MODES = ("ansi", "svg", "rgb_array", "human")


def draw_svg(scene: Any, sight: Sight, theme: str = LIGHT) -> str:
    """The picture of a scene as text.

    Args:
        scene: what to draw.
        sight: how its game draws.
        theme: ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system prefers.

    Raises:
        ValueError: for another theme, or a game without pictures.
    """
    check_theme(theme)
    if sight.draw_canvas is None:
        raise ValueError("this game has no pictures: 'ansi' is allowed")
    svg: str = sight.draw_canvas(scene).to_svg(theme, sight.describe(scene))
    return svg


def render_scene(
    scene: Any, sight: Sight, mode: str = "ansi", theme: str = LIGHT, fps: float | None = None
) -> str | np.ndarray | None:
    """The scene in one of ``MODES``: text, SVG, (height, width, 3) uint8, or shown in a window, unless it was closed.

    Raises:
        ValueError: for another mode or theme.
    """
    if mode not in MODES:
        raise ValueError(f"mode={mode!r}: allowed are {', '.join(map(repr, MODES))}")
    check_theme(theme)
    if mode == "ansi":
        return sight.draw_text(scene)
    if mode == "human" and is_dismissed():
        return None
    svg = draw_svg(scene, sight, theme)
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
    "check_theme",
    "close_window",
    "draw_pixels",
    "draw_svg",
    "is_dismissed",
    "render_scene",
    "show_pixels",
]
