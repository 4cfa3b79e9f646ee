"""The sheet that pictures of all games are drawn on: a head with a title, the map on the left, a panel on the right."""

from __future__ import annotations

from steam_env.render.canvas import BOLD, HEIGHT, WIDTH, Canvas
from steam_env.render.frame import Box

MARGIN = 16
HEADER = 44
TITLE_ROOM, TITLE_GAP = 400, 24
PANEL_X = 802
MAP_BOX: Box = (MARGIN, HEADER, PANEL_X - 2 * MARGIN, HEIGHT - HEADER - MARGIN)
PANEL_BOX: Box = (PANEL_X, MARGIN, WIDTH - PANEL_X - MARGIN, HEIGHT - 2 * MARGIN)


def open_sheet(name: str, title: str, details: str) -> Canvas:
    """An empty sheet with its head.

    Args:
        name: of the canvas.
        title: of the map.
        details: what else the head tells, at its right end.
    """
    canvas = Canvas(WIDTH, HEIGHT, name)
    canvas.box(0, 0, WIDTH, HEIGHT, "paper", radius=0)
    canvas.open("header")
    left, right = MARGIN + 4, PANEL_X - MARGIN  # the details end there: a wider font than ours has the gap to grow
    title_width = canvas.write(title, left, 30, 22, weight=BOLD, width=TITLE_ROOM)
    canvas.write(details, right, 30, 14, "muted", "end", width=right - left - title_width - TITLE_GAP)
    canvas.close()
    return canvas
