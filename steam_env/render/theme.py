"""Colours, shapes and line patterns, once for all outputs.

Seats have the colours of Okabe and Ito, which people with any colour vision can tell apart, and differ by a line
pattern and a number as well; resources differ by shape and letter.
"""

from __future__ import annotations

LIGHT, DARK, AUTO = "light", "dark", "auto"
THEMES = (LIGHT, DARK, AUTO)

# Colour by its name: (light, dark).
PALETTE = {
    "paper": ("#f6f4ee", "#14181d"),
    "panel": ("#ffffff", "#1e242b"),
    "line": ("#d9d4c7", "#39424d"),
    "ink": ("#1f2328", "#e9e6df"),
    "muted": ("#6a6f76", "#9aa3ad"),
    "accent": ("#c4126e", "#ff5fae"),
    "tint": ("#fbe6f0", "#43203a"),
    "good": ("#2b6a3f", "#7ed197"),
    "plains": ("#dfe8c9", "#2b3a2d"),
    "hills": ("#e6d6a9", "#4a432c"),
    "mountains": ("#c9bdb1", "#4d4a4d"),
    "water": ("#bcdcec", "#1c3c52"),
    "city": ("#f4efe4", "#272d34"),
    "grid": ("#f9f7f1", "#171c22"),
    "relief": ("#a8936a", "#8f8260"),
    "peak": ("#86776a", "#8b8589"),
    "wave": ("#7fb3d0", "#3f7395"),
    "halo": ("#fbfaf5", "#14181d"),
    "outline": ("#22262b", "#0a0d10"),
    "parapet": ("#22262b", "#8a95a1"),
    "white": ("#ffffff", "#ffffff"),
    "black": ("#26282b", "#050607"),
    "orange": ("#f39c12", "#f39c12"),
    "gray": ("#a3a8ad", "#a3a8ad"),
    "purple": ("#6f3fa3", "#7d49b8"),
    "red": ("#c93a2e", "#cf4436"),
    "yellow": ("#f2c230", "#f2c230"),
    "blue": ("#3567d6", "#3f72e0"),
    "wall": ("#7a3b1d", "#d08a56"),
    "rim": ("#3b3f45", "#c9c5bc"),
    "coin": ("#f2c230", "#f2c230"),
    "seat0": ("#0072b2", "#2a8fd0"),
    "seat1": ("#d55e00", "#e06a10"),
    "seat2": ("#009e73", "#12b285"),
    "seat3": ("#f0e442", "#f0e442"),
    "seat4": ("#cc79a7", "#d98bb6"),
    "on_light": ("#1f2328", "#1f2328"),
    "on_dark": ("#ffffff", "#ffffff"),
}
ON_SEAT = ("on_dark", "on_dark", "on_dark", "on_light", "on_light")

# By seat, what is drawn upon the line of its track: dashes and widths in parts of the line's width; None is plain.
PATTERNS: tuple[tuple[float, float, float, str] | None, ...] = (
    None,
    (1.3, 0.9, 0.34, "butt"),  # dash, gap, width, cap
    (0.01, 1.25, 0.55, "round"),
    (1.0, 0.0, 0.3, "butt"),
    (0.34, 0.8, 1.0, "butt"),
)

# Terminal: 256-colour codes.
ANSI_SEATS = (33, 208, 36, 227, 212)


def check_theme(theme: object) -> str:
    """Refuse an unknown theme; returns its name.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if not isinstance(theme, str) or theme not in THEMES:
        raise ValueError(f"theme={theme!r}: allowed are {', '.join(map(repr, THEMES))}")
    return theme
