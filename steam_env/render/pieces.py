"""What more than one game lays on its table: rails, badges of seats, tokens; and the signs of what may be done."""

from __future__ import annotations

from typing import NamedTuple

from steam_env.render import shapes
from steam_env.render.canvas import BOLD, Canvas
from steam_env.render.theme import ON_SEAT, PATTERNS

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
