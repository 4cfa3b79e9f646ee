"""What more than one game lays on its table: rails, badges of seats, tokens; and the signs of what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steam_env.core.fields import NONE
from steam_env.render import shapes
from steam_env.render.canvas import BOLD, Canvas
from steam_env.render.theme import ON_SEAT, PATTERNS

TRACK, OUTLINE, BRIDGE = 0.2, 0.28, 0.42  # widths of lines, in sides of a hex
TRACK_LAYER = "track"  # of the picture, in which rails lie


class Look(NamedTuple):
    """How the things of one colour look: they are told apart by shape and letter as well."""

    color: str  # of the palette
    shape: str  # see ``shapes.shape``
    letter: str
    ink: str  # of the letter


def draw_rail(canvas: Canvas, seat: int, path: str, width: float) -> None:
    """Draw a line of track in the seat's colour and pattern."""
    canvas.draw(path, None, f"seat{seat}", width)
    pattern = PATTERNS[seat]
    if pattern is not None:
        dash, gap, thickness, cap = pattern
        more = f'stroke-linecap="{cap}"'
        if gap:
            more += f' stroke-dasharray="{dash * width:.2f} {gap * width:.2f}"'
        canvas.draw(path, None, ON_SEAT[seat], thickness * width, more=more)


def draw_track(canvas: Canvas, owner: int, path: str, side: float) -> None:
    """Draw track on hexes of that side: in the owner's colour and pattern; of nobody (NONE) gray and broken."""
    canvas.draw(path, None, "outline", OUTLINE * side)
    if owner == NONE:
        canvas.draw(path, None, "gray", TRACK * side)
        canvas.draw(path, None, "outline", TRACK * side, more=f'stroke-dasharray="{0.04 * side:.2f} {0.16 * side:.2f}"')
    else:
        draw_rail(canvas, owner, path, TRACK * side)


def draw_tracks(canvas: Canvas, paths: Mapping[int, Sequence[str]], side: float, *, bridge: bool = False) -> None:
    """Draw the paths of each owner, on bridges where they cross others."""
    if bridge:
        every = "".join(path for owner in sorted(paths) for path in paths[owner])
        canvas.draw(every, None, "parapet", (BRIDGE + 0.08) * side)
        canvas.draw(every, None, "halo", BRIDGE * side)
    for owner in sorted(paths):
        draw_track(canvas, owner, "".join(paths[owner]), side)


def draw_badge(canvas: Canvas, seat: int, x: float, y: float, size: float) -> None:
    """Draw a seat's number on its colour."""
    canvas.box(x - size / 2, y - size / 2, size, size, f"seat{seat}", "outline", size / 4, 1)
    canvas.write(str(seat), x, y + 0.25 * size, 0.72 * size, ON_SEAT[seat], "middle", weight=BOLD)


def draw_sample(canvas: Canvas, seat: int, x: float, y: float) -> None:
    """Draw how the seat's track and number look: the legend of the map."""
    line = shapes.polyline([(x, y), (x + 34, y)])
    canvas.draw(line, None, "outline", 9)
    draw_rail(canvas, seat, line, 6.6)
    draw_badge(canvas, seat, x + 47, y, 18)


def draw_token(canvas: Canvas, look: Look, x: float, y: float, size: float) -> None:
    """Draw a token: its shape, its colour, its letter."""
    canvas.draw(shapes.shape(look.shape, x, y, size), look.color, "rim", max(0.7, 0.12 * size))
    down = 0.42 if look.shape == "triangle" else 0.36
    canvas.write(look.letter, x, y + down * size, 1.1 * size, look.ink, "middle", weight=BOLD)


# --- signs of legal actions --------------------------------------------------------------------------------


def draw_arrow(
    canvas: Canvas, x: float, y: float, edge: int, size: float, text: str = "", hollow: bool = False
) -> None:
    """Draw an arrow out over an edge, full or hollow."""
    fill, stroke = ("halo", "accent") if hollow else ("accent", "halo")
    canvas.draw(shapes.arrow(x, y, edge, size), fill, stroke, 0.24 * size, text)


def draw_ring(canvas: Canvas, kind: str, x: float, y: float, side: float, text: str = "") -> None:
    """Draw a ring round a city: dashed for `build`, plain for `source`, double for `hop`."""
    pen = 0.13 * side
    dashes = f'stroke-dasharray="{shapes.number(0.27 * side)} {shapes.number(0.2 * side)}"' if kind == "build" else ""
    canvas.draw(shapes.hexagon(x, y, side), None, "accent", pen, text, more=dashes)
    if kind == "hop":
        canvas.draw(shapes.hexagon(x, y, side + 2 * pen), None, "accent", pen)
