"""Shapes on the hex plane, as sets of cells: outlines, ranges, lakes, rivers, and equality under its symmetries.

A cell is (column, row) in doubled coordinates: column + row is even. Sets are walked in sorted order and all numbers
are whole, so that one seed gives one shape on every machine.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import chain, pairwise, product
from math import isqrt

from steam_env.core.hexes import EDGE_STEPS, KEPT_CELLS, NUM_EDGES, neighbours
from steam_env.data.generate import Stream

Cell = tuple[int, int]

PERCENT = 100
SLIMMEST, WIDEST = 80, 125  # width of an outline in percent of its height
ROW_WIDTHS = (8, 7)  # a column is 7/8 as wide as a cell is high (half the root of three)
NIBBLES = 3  # border cells that are looked at before one is taken away: more make rounder outlines
TURNS = 30  # percent of the steps of a walk that turn
LAND_OF_A_RANGE = 60  # hexes, about, for each range of heights
LEAST_LAKE, LARGEST_LAKE = 3, (3, 25)  # hexes; of the largest one, and one more for so many hexes of the map
NUM_SYMMETRIES = 2 * NUM_EDGES  # turns of the hex plane, each with and without a reflection


# --- geometry ----------------------------------------------------------------------------------------
def measure_distance(cell: Cell, other: Cell) -> int:
    """Steps from cell to cell."""
    columns, rows = abs(cell[0] - other[0]), abs(cell[1] - other[1])
    return columns if rows <= columns else (columns + rows) // 2


@lru_cache(KEPT_CELLS)
def list_ring(cell: Cell, steps: int) -> tuple[Cell, ...]:
    """The cells so many steps away, in sorted order."""
    column, row = cell
    box = product(range(column - steps, column + steps + 1), range(row - 2 * steps, row + 2 * steps + 1))
    return tuple(other for other in box if sum(other) % 2 == 0 and measure_distance(cell, other) == steps)


def count_runs(cell: Cell, cells: Collection[Cell]) -> int:
    """Runs of cells round a cell: how often one begins, going round it once. None begins where all six are there."""
    ring = [other in cells for other in neighbours(cell)]
    return sum(here and not before for before, here in pairwise([ring[-1], *ring]))


def can_spare(cell: Cell, cells: Collection[Cell]) -> bool:
    """Whether those round a cell hang together without it: then all do that hang together with it."""
    return count_runs(cell, cells) <= 1


def flood(start: Cell, cells: Collection[Cell]) -> set[Cell]:
    """The cells that hang together with this one, itself included."""
    return set(measure_steps([start], cells))


def measure_steps(sources: Collection[Cell], cells: Collection[Cell]) -> dict[Cell, int]:
    """Steps over the cells from the nearest of the sources, which count 0; cells out of reach are absent."""
    steps = dict.fromkeys(sources, 0)
    front = list(sources)
    while front:
        following = []
        for cell in front:
            for other in neighbours(cell):
                if other in cells and other not in steps:
                    steps[other] = steps[cell] + 1
                    following.append(other)
        front = following
    return steps


# --- shapes ------------------------------------------------------------------------------------------
def draw_outline(stream: Stream, size: int, ragged: int) -> set[Cell]:
    """A land of so many cells in one piece, from the first column and row on.

    It is a rectangle of ``ragged`` percent more cells, whose border is nibbled until the size is right.
    """
    area = size * (PERCENT + ragged) // PERCENT
    width = isqrt(area * ROW_WIDTHS[0] * stream.between(SLIMMEST, WIDEST) // (ROW_WIDTHS[1] * PERCENT))
    height = -(-area // width)
    land = {(1 + column, 1 + 2 * line + column % 2) for column in range(width) for line in range(height)}
    border = [cell for cell in sorted(land) if not all(other in land for other in neighbours(cell))]
    while len(land) > size:
        loose = [cell for cell in (stream.choose(border) for _ in range(NIBBLES)) if can_spare(cell, land)]
        if loose:
            taken = min(loose, key=lambda cell: sum(other in land for other in neighbours(cell)))
            land.remove(taken)
            border.remove(taken)
            border += [other for other in neighbours(taken) if other in land and other not in border]
    return _move_to_corner(land)


def _move_to_corner(cells: set[Cell]) -> set[Cell]:
    column = min(column for column, _ in cells) - 1
    row = min(row for _, row in cells) - 1
    row -= (column + row) % 2  # column + row stays even
    return {(cell[0] - column, cell[1] - row) for cell in cells}


def walk(stream: Stream, start: Cell, length: int, cells: Collection[Cell]) -> list[Cell]:
    """A winding line of so many cells from the start on; it ends early where it leaves the cells."""
    edge = stream.below(NUM_EDGES)
    line = [start]
    while len(line) < length:
        if stream.hits(TURNS):
            edge = (edge + stream.choose((1, NUM_EDGES - 1))) % NUM_EDGES
        columns, rows = EDGE_STEPS[edge]
        cell = (line[-1][0] + columns, line[-1][1] + rows)
        if cell not in cells:
            break
        line.append(cell)
    return line


def grow(stream: Stream, shape: Collection[Cell], size: int, cells: Collection[Cell], scatter: int = 0) -> list[Cell]:
    """So many of the cells round a shape, or as many as there are, in the order in which they are taken.

    ``scatter`` percent of them lie anywhere, and others then lie round these.
    """
    left = set(cells).difference(shape)
    front = sorted({other for cell in shape for other in neighbours(cell)} & left)
    taken: list[Cell] = []
    while left and len(taken) < size:
        cell = stream.choose(sorted(left) if not front or stream.hits(scatter) else front)
        taken.append(cell)
        left.remove(cell)
        if cell in front:
            front.remove(cell)
        front += [other for other in neighbours(cell) if other in left and other not in front]
    return taken


def find_way(stream: Stream, start: Cell, ends: Collection[Cell], cells: Collection[Cell], winding: int) -> list[Cell]:
    """A way over the cells from the start to the end that is met first, both included; empty if there is none.

    It winds: each cell hinders it by a random number of 1 to ``winding``, and it is the way with the least hindrance.
    """
    hindrance: dict[Cell, int] = {}
    before: dict[Cell, Cell] = {}
    waiting = [(0, start, start)]
    while waiting:
        total, cell, source = heapq.heappop(waiting)
        if cell in before:
            continue
        before[cell] = source
        if cell in ends:
            return _trace_back(cell, before)
        for other in neighbours(cell):
            if other not in before and (other in cells or other in ends):
                if other not in hindrance:
                    hindrance[other] = stream.between(1, winding)
                heapq.heappush(waiting, (total + hindrance[other], other, cell))
    return []


def _trace_back(end: Cell, before: Mapping[Cell, Cell]) -> list[Cell]:
    way = [end]
    while before[way[-1]] != way[-1]:
        way.append(before[way[-1]])
    return way[::-1]


# --- land and water -----------------------------------------------------------------------------------
def draw_ranges(stream: Stream, cells: Collection[Cell], size: int) -> list[Cell]:
    """The cells of winding ranges, so many or a few more, range by range."""
    places = sorted(cells)
    ranges: dict[Cell, None] = {}
    length = max(3, -(-size // max(1, len(places) // LAND_OF_A_RANGE)))
    while len(ranges) < size:
        ranges |= dict.fromkeys(walk(stream, stream.choose(places), length, cells))
    return list(ranges)


def dig_lakes(stream: Stream, solid: set[Cell], ranges: list[Cell], size: int) -> None:
    """Take lakes of so many hexes in all out of the land, each as round as it can be."""
    dry = frozenset(ranges)
    least, share = LARGEST_LAKE
    largest = least + len(solid) // share
    while size > 0:
        shores = [cell for cell in sorted(solid) if cell not in dry and can_spare(cell, solid)]
        if not shores:
            return
        lake = {stream.choose(shores)}
        solid -= lake
        size -= 1
        for _ in range(min(size, stream.between(LEAST_LAKE, largest) - 1)):
            shore = sorted({other for cell in lake for other in neighbours(cell) if other in solid} - dry)
            fit = [cell for cell in stream.shuffle(shore) if can_spare(cell, solid)]
            if not fit:
                break
            cell = max(fit, key=lambda cell: sum(other in lake for other in neighbours(cell)))
            lake.add(cell)
            solid.remove(cell)
            size -= 1


def is_shore(cell: Cell, solid: Collection[Cell], every: Collection[Cell]) -> bool:
    """Whether a hex of the map beside the cell is none of the solid ones."""
    return any(other in every and other not in solid for other in neighbours(cell))


def count_land(cell: Cell, solid: Collection[Cell], cities: Collection[Cell]) -> int:
    """Solid hexes beside a cell that are no cities."""
    return sum(other in solid and other not in cities for other in neighbours(cell))


# --- symmetries --------------------------------------------------------------------------------------
def list_images(cells: Mapping[Cell, int]) -> list[dict[Cell, int]]:
    """What the cells become under the 12 symmetries of the hex plane, each moved to the first column and row.

    Coordinates of the images are (x, y) along two edges that are 60 degrees apart, from 0 on.
    """
    # Columns to the south-east and north: any two of the three cube coordinates, which add up to 0, tell a cell.
    cubes = [(column, (-column - row) // 2, (row - column) // 2) for column, row in cells]
    images = []
    for turn in range(NUM_EDGES):
        sign, first = (1, -1)[turn % 2], turn % 3
        for second in ((first + 1) % 3, (first + 2) % 3):
            places = [(sign * cube[first], sign * cube[second]) for cube in cubes]
            left, low = min(x for x, _ in places), min(y for _, y in places)
            images.append({(x - left, y - low): code for (x, y), code in zip(places, cells.values(), strict=True)})
    return images


def find_canonical(cells: Mapping[Cell, int]) -> bytes:
    """The same bytes for cells with codes that are equal under the 12 symmetries and moves, and for no others."""
    return min(
        bytes(chain.from_iterable((*place, code) for place, code in sorted(image.items())))
        for image in list_images(cells)
    )
