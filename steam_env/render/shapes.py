"""Geometry of the picture: hexes, track, and the small shapes that stand for resources, factories and trains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

Point = tuple[float, float]

KEPT = 2**14  # paths of a kind that are at hand, as most of a picture is as it was in the one before
APOTHEM = math.sqrt(3) / 2  # of a hex with sides of 1
COLUMN_STEP = 1.5
# By edge, from north clockwise: the unit vector out of the hex.
OUTWARD: tuple[Point, ...] = tuple(
    (math.sin(math.radians(60 * edge)), -math.cos(math.radians(60 * edge))) for edge in range(6)
)
CORNERS: tuple[Point, ...] = tuple((math.cos(math.radians(60 * k)), math.sin(math.radians(60 * k))) for k in range(6))
RADIUS_OF_CURVE = {1: 0.5, 2: 1.5}  # by edges apart, in sides


def number(value: float) -> str:
    """A coordinate as text, to a tenth of a pixel, in as few characters as possible."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def points_of(points: Sequence[Point]) -> str:
    """A closed path through the points."""
    return polyline(points) + "z"


def polyline(points: Sequence[Point]) -> str:
    """An open path through the points, in steps from each to the next."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in points]
    steps = [f"{_pair(x - last_x, y - last_y)}" for (last_x, last_y), (x, y) in pairwise(tenths)]
    x, y = tenths[0]
    return f"M{_pair(x, y)}l{' '.join(steps)}"


def _pair(x: int, y: int) -> str:
    """Two numbers given in tenths; a minus sign parts them as well as a blank."""
    second = number(y / 10)
    return f"{number(x / 10)}{'' if second.startswith('-') else ' '}{second}"


def move(points: Sequence[Point], x: float, y: float, scale: float = 1) -> list[Point]:
    """The points scaled, then moved."""
    return [(x + scale * px, y + scale * py) for px, py in points]


@lru_cache(KEPT)
def hexagon(x: float, y: float, side: float) -> str:
    """A flat-top hex as a path."""
    return points_of(move(CORNERS, x, y, side))


def edge_point(x: float, y: float, side: float, edge: int, part: float = 1) -> Point:
    """The middle of an edge, or the point at ``part`` of the way to it."""
    dx, dy = OUTWARD[edge]
    return x + part * APOTHEM * side * dx, y + part * APOTHEM * side * dy


@lru_cache(KEPT)
def sector(x: float, y: float, side: float, edge: int, outside: bool = False) -> str:
    """The sixth of a hex before an edge as a path; ``outside``: that of the neighbour beyond it."""
    right, down = OUTWARD[edge]
    middle_x, middle_y = edge_point(x, y, side, edge)
    half_right, half_down = -down * side / 2, right * side / 2
    tip = edge_point(x, y, side, edge, 2) if outside else (x, y)
    return points_of(
        [tip, (middle_x - half_right, middle_y - half_down), (middle_x + half_right, middle_y + half_down)]
    )


def rectangle(x: float, y: float, width: float, height: float) -> str:
    """A rectangle as a path."""
    return points_of([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def track_path(x: float, y: float, side: float, edges: tuple[int, int]) -> str:
    """The path of a segment between two edges: straight, or an arc at right angles to both."""
    low, high = sorted(edges)
    start, end = edge_point(x, y, side, low), edge_point(x, y, side, high)
    apart = min(high - low, 6 - (high - low))
    begin, stop = (f"{number(px)} {number(py)}" for px, py in (start, end))
    if apart == 3:
        return f"M{begin}L{stop}"
    radius = number(RADIUS_OF_CURVE[apart] * side)
    sweep = 0 if high - low == apart else 1
    return f"M{begin}A{radius} {radius} 0 0 {sweep} {stop}"


def track_middle(x: float, y: float, side: float, edges: tuple[int, int]) -> Point:
    """The point half-way along a segment."""
    low, high = sorted(edges)
    apart = min(high - low, 6 - (high - low))
    if apart == 3:
        return x, y
    dx = OUTWARD[low][0] + OUTWARD[high][0]
    dy = OUTWARD[low][1] + OUTWARD[high][1]
    # Both arcs have their centre on the line between the two edges: on the corner that they share, or beyond the
    # edge between them.
    reach = (0.5 if apart == 1 else math.sqrt(3) - RADIUS_OF_CURVE[2]) * side / math.hypot(dx, dy)
    return x + reach * dx, y + reach * dy


@lru_cache(KEPT)
def arrow(x: float, y: float, edge: int, size: float) -> str:
    """A triangle about (x, y) that points out over an edge."""
    dx, dy = OUTWARD[edge]
    across = (-dy, dx)
    tip = (x + size * dx, y + size * dy)
    left = (x - 0.6 * size * dx + 0.85 * size * across[0], y - 0.6 * size * dy + 0.85 * size * across[1])
    right = (x - 0.6 * size * dx - 0.85 * size * across[0], y - 0.6 * size * dy - 0.85 * size * across[1])
    return points_of([tip, left, right])


@lru_cache(KEPT)
def shape(kind: str, x: float, y: float, size: float) -> str:
    """The outline of a resource's shape about (x, y), of equal weight for the eye."""
    if kind == "circle":
        r = number(size)
        return (
            f"M{number(x - size)} {number(y)}a{r} {r} 0 1 0 {number(2 * size)} 0a{r} {r} 0 1 0 {number(-2 * size)} 0Z"
        )
    return points_of(move(_SHAPES[kind], x, y, size))


def _star() -> list[Point]:
    radii = [1.2, 0.56] * 5
    return [
        (r * math.sin(math.radians(36 * k)), -r * math.cos(math.radians(36 * k)) + 0.06) for k, r in enumerate(radii)
    ]


_SHAPES: dict[str, list[Point]] = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "triangle": [(0, -1.15), (1.15, 0.85), (-1.15, 0.85)],
    "diamond": [(0, -1.25), (1.05, 0), (0, 1.25), (-1.05, 0)],
    "star": _star(),
}
# A works hall with two saw teeth and a chimney, one wide.
FACTORY: tuple[Point, ...] = (
    (-0.5, 0.42),
    (-0.5, -0.2),
    (-0.14, -0.42),
    (-0.14, -0.2),
    (0.22, -0.42),
    (0.22, -0.2),
    (0.3, -0.2),
    (0.3, -0.55),
    (0.5, -0.55),
    (0.5, 0.42),
)
# An engine seen from the side, one wide.
ENGINE: tuple[Point, ...] = (
    (-0.5, 0.3),
    (-0.5, -0.42),
    (-0.1, -0.42),
    (-0.1, -0.25),
    (0.2, -0.25),
    (0.2, -0.45),
    (0.36, -0.45),
    (0.36, -0.25),
    (0.5, -0.1),
    (0.5, 0.3),
)
