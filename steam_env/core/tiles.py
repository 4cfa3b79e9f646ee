"""Track segments and tiles as tables: which edge pairs there are, which cross, which tile carries them.

A segment joins two edges of a hex (rule 1.3). Edge pairs are numbered 0 to 14 in lexicographic order.
"""

from itertools import combinations

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.state import NONE, NUM_EDGES, NUM_TILE_KINDS, TILE_CURVED, TILE_PLAIN, TILE_TIGHT

PAIRS = tuple(combinations(range(NUM_EDGES), 2))
NUM_PAIRS = len(PAIRS)

STRAIGHT, CURVE, TIGHT = range(3)  # edges three, two, one apart


def shape_of(pair: int) -> int:
    """STRAIGHT, CURVE or TIGHT (rule 1.3)."""
    low, high = PAIRS[pair]
    apart = min(high - low, NUM_EDGES - (high - low))
    return {3: STRAIGHT, 2: CURVE, 1: TIGHT}[apart]


def _cross(first: int, second: int) -> bool:
    """Whether the two segments' four edges alternate round the hex (rule 1.4)."""
    low, high = PAIRS[first]
    if set(PAIRS[first]) & set(PAIRS[second]):
        return False
    return len([edge for edge in PAIRS[second] if low < edge < high]) == 1


def _tile_kind(first: int, second: int) -> int:
    """The stock that holds the tile with these segments (rule 1.5), NONE if there is no such tile."""
    if first == NONE and second == NONE:
        return NONE
    if first == NONE or second == NONE:
        return TILE_TIGHT if shape_of(max(first, second)) == TIGHT else TILE_PLAIN
    if not _cross(first, second):
        return NONE
    return TILE_TIGHT if shape_of(first) == shape_of(second) == STRAIGHT else TILE_CURVED


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
# (pair + 1, pair + 1) -> stock of the tile with these segments; index 0 stands for "no segment"
TILE_KIND = np.array(
    [[_tile_kind(first, second) for second in range(NONE, NUM_PAIRS)] for first in range(NONE, NUM_PAIRS)], np.int64
)


def _far_edges() -> np.ndarray:
    table = np.zeros((1 << NUM_TILE_KINDS, NUM_PAIRS + 1, NUM_EDGES), np.int64)
    for kinds, staying, entry, far in np.ndindex(*table.shape, NUM_EDGES):
        kind = NONE if entry == far else TILE_KIND[staying, PAIR_OF_EDGES[entry, far] + 1]
        if kind != NONE and kinds >> kind & 1:
            table[kinds, staying, entry] |= 1 << far
    return table


# (bits of the kinds at hand, pair that stays + 1, entry edge) -> bits of the far edges for which there is a tile
FAR_EDGES = _far_edges()


@kernel
def opposite(edge: int) -> int:
    """The same border seen from the other hex."""
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
    """Where a segment leads that is entered by ``edge``."""
    return OTHER_EDGE[pair, edge]


@kernel
def tile_kind(first: int, second: int) -> int:
    """The kind of tile for two segments, either of which may be NONE; NONE if there is no such tile."""
    return TILE_KIND[first + 1, second + 1]
