"""A map of hexes in a picture: how large a hex is, where each lies, the letters and numbers at its edges, relief."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

from steam_env.render import shapes
from steam_env.render.canvas import Canvas
from steam_env.render.shapes import APOTHEM, COLUMN_STEP, Point

Box = tuple[float, float, float, float]  # x, y, width, height

MAX_SIDE = 80.0
AXIS = 14.0  # room for the letters of columns and the numbers of rows
RELIEF_PEN = 0.045  # in sides of a hex
RELIEF_COLORS = {"hills": "relief", "mountains": "peak", "water": "wave"}
ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


class Tile(Protocol):
    """A hex of a scene: its name ("B4"), column and row."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see the class
    @property
    def col(self) -> int: ...  # noqa: D102
    @property
    def row(self) -> int: ...  # noqa: D102


class MapFrame:
    """Places a map of hexes in the middle of a box, as large as it fits.

    Args:
        tiles: the hexes.
        box: of the map, its axes included.
        room: kept free above and below for what lies beside the map.

    Attributes:
        side: of a hex.
        left, top, right, bottom: of the hexes, without the axes.
    """

    def __init__(self, tiles: Sequence[Tile], box: Box, room: float = 0.0) -> None:
        self.tiles = tiles
        cols, rows = [tile.col for tile in tiles], [tile.row for tile in tiles]
        x, y, width, height = box
        wide = COLUMN_STEP * (max(cols) - min(cols)) + 2
        high = APOTHEM * (max(rows) - min(rows) + 2)
        self.room = room
        self.side = min((width - AXIS) / wide, (height - AXIS - 2 * room) / high, MAX_SIDE)
        self.first_col, self.first_row = min(cols), min(rows)
        self.left = x + AXIS + (width - AXIS - self.side * wide) / 2
        self.top = y + AXIS + room + (height - AXIS - 2 * room - self.side * high) / 2
        self.right, self.bottom = self.left + self.side * wide, self.top + self.side * high

    @property
    def box(self) -> Box:
        """The part of the picture that the map takes up, axes and room included."""
        left, top = self.left - AXIS, self.top - AXIS - self.room
        return left, top, self.right - left, self.bottom + self.room - top

    def place(self, tile: int) -> Point:
        """The middle of a hex, by its index."""
        return self.locate(self.tiles[tile].col, self.tiles[tile].row)

    def locate(self, col: float, row: float) -> Point:
        """The middle of the hex at a column and a row."""
        x = self.left + self.side * (1 + COLUMN_STEP * (col - self.first_col))
        y = self.top + self.side * APOTHEM * (1 + row - self.first_row)
        return x, y

    def draw_axes(self, canvas: Canvas) -> None:
        """Draw the layer `axes`: the letters and numbers of which hex names are made (rule 1.1)."""
        canvas.open("axes")
        size = min(11.0, max(8.0, 0.34 * self.side))
        cols = sorted({tile.col: tile.name.rstrip("0123456789") for tile in self.tiles}.items())
        for col, letters in cols:
            x, _ = self.locate(col, self.first_row)
            canvas.write(letters, x, self.top - 4, size, "muted", "middle")
        step = math.ceil(size / (APOTHEM * self.side))  # rows may be narrower than their numbers
        for row in sorted({tile.row for tile in self.tiles})[::step]:
            _, y = self.locate(self.first_col, row)
            canvas.write(str(row), self.left - 5, y + 0.35 * size, size, "muted", "end")
        canvas.close()

    def draw_land(self, canvas: Canvas, terrains: Iterable[str]) -> None:
        """The hexes in the colours of their terrains, by index, and the relief on them."""
        grounds: dict[str, list[str]] = {}
        reliefs: dict[str, list[str]] = {}
        for index, terrain in enumerate(terrains):
            x, y = self.place(index)
            grounds.setdefault(terrain, []).append(shapes.hexagon(x, y, self.side))
            if terrain in RELIEF_COLORS:
                reliefs.setdefault(terrain, []).append(draw_relief(terrain, x, y, self.side))
        for terrain, paths in grounds.items():
            canvas.draw("".join(paths), terrain, "grid", 1.6)
        pen = max(1.0, RELIEF_PEN * self.side)
        for terrain, color in RELIEF_COLORS.items():
            canvas.draw("".join(reliefs.get(terrain, ())), None, color, pen, more=ROUND)


def draw_relief(terrain: str, x: float, y: float, side: float) -> str:
    """A few strokes, where they stay clear of most track, as a path."""
    s, n = side, shapes.number
    if terrain == "hills":
        r = n(0.17 * s)
        return "".join(
            f"M{n(x + dx * s)} {n(y + dy * s)}a{r} {r} 0 0 1 {n(0.32 * s)} 0"
            for dx, dy in ((-0.42, -0.34), (0.08, -0.42), (-0.16, 0.52))
        )
    if terrain == "mountains":
        return "".join(
            shapes.polyline(
                [(x + (dx - w) * s, y + dy * s), (x + dx * s, y + (dy - h) * s), (x + (dx + w) * s, y + dy * s)]
            )
            for dx, dy, w, h in ((-0.2, -0.28, 0.2, 0.34), (0.16, -0.28, 0.15, 0.24), (0.06, 0.66, 0.18, 0.3))
        )
    r = n(0.1 * s)
    return "".join(
        f"M{n(x + dx * s)} {n(y + dy * s)}q{r} {n(-0.12 * s)} {n(0.2 * s)} 0t{n(0.2 * s)} 0"
        for dx, dy in ((-0.45, -0.2), (0.05, 0.08), (-0.3, 0.36))
    )
