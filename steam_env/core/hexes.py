"""Hexes: their edges, and pairs of edges, which are the ways through a hex.

Edge pairs are numbered 0 to 14 in lexicographic order (rule 1.3).
"""

from functools import lru_cache
from itertools import combinations

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel

NUM_EDGES = 6
EDGE_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
KEPT_CELLS = 4096  # whose neighbours are at hand: those of several maps
EDGE_STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # (column, row), rule 1.1

PAIRS = tuple(combinations(range(NUM_EDGES), 2))
NUM_PAIRS = len(PAIRS)

STRAIGHT, CURVE, TIGHT = range(3)  # edges three, two, one apart


@lru_cache(KEPT_CELLS)
def neighbours(cell: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The six (column, row) around `cell`, in the order of the edges (rule 1.1); some may be off the map."""
    return tuple((cell[0] + columns, cell[1] + rows) for columns, rows in EDGE_STEPS)


def shape_of(pair: int) -> int:
    """The shape of an edge pair: STRAIGHT, CURVE or TIGHT (rule 1.3)."""
    low, high = PAIRS[pair]
    apart = min(high - low, NUM_EDGES - (high - low))
    return {3: STRAIGHT, 2: CURVE, 1: TIGHT}[apart]


def _pair_of_edges() -> np.ndarray:
    table = np.full((NUM_EDGES, NUM_EDGES), NONE, np.int64)
    for pair, (low, high) in enumerate(PAIRS):
        table[low, high] = table[high, low] = pair
    return table


def _other_edges() -> np.ndarray:
    table = np.full((NUM_PAIRS, NUM_EDGES), NONE, np.int64)
    for pair, (low, high) in enumerate(PAIRS):
        table[pair, low] = high
        table[pair, high] = low
    return table


PAIR_OF_EDGES = _pair_of_edges()  # (edge, edge) -> pair, NONE for the same edge twice
OTHER_EDGE = _other_edges()  # (pair, edge) -> the segment's other edge, NONE if it does not use this one


@kernel
def opposite(edge: int) -> int:
    """The edge of the neighbouring hex that is the same border."""
    return (edge + 3) % NUM_EDGES


@kernel
def pair_of(edge: int, other: int) -> int:
    """The edge pair that joins two edges, NONE if they are the same."""
    return PAIR_OF_EDGES[edge, other]


@kernel
def uses(pair: int, edge: int) -> bool:
    """Whether a segment (NONE: no segment) has this edge."""
    return pair != NONE and OTHER_EDGE[pair, edge] != NONE


@kernel
def other_edge(pair: int, edge: int) -> int:
    """The edge by which a segment is left that is entered by ``edge``."""
    return OTHER_EDGE[pair, edge]
