"""Tables of tiles: which segments cross, and which kind of tile carries them.

A segment joins two edges of a hex (rule 1.3), see ``steam_env.core.hexes``.
"""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, NUM_PAIRS, PAIR_OF_EDGES, PAIRS, STRAIGHT, TIGHT, shape_of
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import NUM_TILE_KINDS, TILE_CURVED, TILE_PLAIN, TILE_TIGHT


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
def tile_kind(first: int, second: int) -> int:
    """The kind of tile for two segments, either of which may be NONE; NONE if there is no such tile."""
    return TILE_KIND[first + 1, second + 1]
