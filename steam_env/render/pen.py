"""Lines of text for a terminal, with colour where that is wanted: what every game's board is written with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from steam_env.render.frame import Tile
from steam_env.render.theme import ANSI_SEATS

COLUMN_WIDTH = 4  # two columns share a line, so a hex has twice this width
LINE_WIDTH = 80
STRAIGHT_MARKS = "|/\\"  # N-S, NE-SW, SE-NW
STRAIGHT_APART, TIGHT_APART = 3, 1
ARROWS = "↑↗↘↓↙↖"  # by edge
CAN_ACT, CAN_ACT_STYLE = "!", "1;36"

Run = tuple[str, str]  # text, and the ANSI style that it is written in ("" = plain)


@dataclass(frozen=True)
class Pen:
    """Writes text in a style, or plain."""

    color: bool

    def paint(self, text: str, style: str) -> str:
        """The text, in the style if colour is wanted."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and style and text else text

    def seat(self, seat: int) -> str:
        """The style of a seat."""
        return f"1;38;5;{ANSI_SEATS[seat]}"

    def tile(self, colors: tuple[int, int]) -> str:
        """The style of a tile: 256-colour codes of its ground and ink."""
        ground, ink = colors
        return f"1;48;5;{ground};38;5;{ink}"

    def ground(self, color: int) -> str:
        """The style of a terrain, by its 256-colour code."""
        return f"38;5;{color}"


def wants_color() -> bool:
    """Whether texts have colour by default: on a terminal, if ``NO_COLOR`` is not set."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def abbreviate(names: Sequence[str]) -> list[str]:
    """Three letters for each name, all different."""
    taken: list[str] = []
    for name in names:
        letters = [letter for letter in name.upper() if letter.isalnum()]
        options = ["".join(letters[:3]).ljust(3)]
        options += ["".join((*letters[:2], letter)) for letter in letters[3:]]
        options += [f"{letters[0]}{number:02d}" for number in range(100)]
        taken.append(next(option for option in options if option not in taken))
    return taken


def code_names(names: Sequence[str]) -> dict[str, str]:
    """By name, how the map writes it."""
    return dict(zip(names, (code.strip() for code in abbreviate(names)), strict=True))


def write_rows(tiles: Sequence[Tile], pen: Pen, write_hex: Callable[[int], list[Run]]) -> Iterator[str]:
    """A map, one line for each row; hexes of a row stand two columns apart. ``write_hex``: what stands on a hex."""
    cells = {(tile.col, tile.row): index for index, tile in enumerate(tiles)}
    width = max(col for col, _ in cells)
    for row in range(min(row for _, row in cells), max(row for _, row in cells) + 1):
        line = " " * COLUMN_WIDTH * ((row + 1) % 2)
        for col in range(1 + (row + 1) % 2, width + 1, 2):
            index = cells.get((col, row))
            here = [] if index is None else write_hex(index)
            plain = sum(len(text) for text, _ in here)
            line += "".join(pen.paint(text, style) for text, style in here) + " " * (2 * COLUMN_WIDTH - plain)
        yield line


def mark_track(edges: tuple[int, int]) -> str:
    """The sign of a segment between two edges: as it runs if it is straight, else c for a curve, t for a tight one."""
    apart = min(edges[1] - edges[0], 6 - edges[1] + edges[0])
    if apart == STRAIGHT_APART:
        return STRAIGHT_MARKS[edges[0]]
    return "t" if apart == TIGHT_APART else "c"
