"""What `grid` and `graph` tell of a hex: a row of features, with those of its stop, and the track edge by edge.

Values that `flat` has are taken from its row, so that all encodings tell the same numbers.
"""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam.state import MAX_SEATS, NUM_COLORS
from steam_env.core.steam.tiles import MAX_SLOTS, NUM_ENDS, OTHER_END, SLOT_AT
from steam_env.encoding.layout import Layout
from steam_env.encoding.steam import flat

TABLE_SIZE = flat.STOP_PRESENT  # of `flat`, from its beginning: all that is about no stop and no hex
# Parts of `flat` by stop, each so many values long.
STOP_PARTS = (
    (flat.STOP_PRESENT, 1),
    (flat.STOP_COLOR, NUM_COLORS),
    (flat.STOP_MARKER, 1),
    (flat.STOP_CUBES, NUM_COLORS),
    (flat.STOP_CUBES_EXACT, NUM_COLORS),
    (flat.STOP_SERVED, MAX_SEATS),
    (flat.STOP_CHOSEN, 1),
    (flat.STOP_ROUTE, 1),
    (flat.STOP_NEXT, 1),
)
_STARTS = np.array([start for start, _ in STOP_PARTS], np.int64)
_LENGTHS = np.array([length for _, length in STOP_PARTS], np.int64)

_layout = Layout()
_add = _layout.add
PRESENT = _add("hex", 1, "there is a hex of land or a city")
HILLS = _add("hills", 1, "hills")
RIVER = _add("river", 1, "a river or canal")
OPEN_SIDE = _add("open_side", NUM_EDGES, "by edge N NE SE S SW NW: a hex lies behind it, and no thick edge between")
CHOSEN = _add("chosen", 1, "the hex of the placement under way")
PATTERN = _add("pattern", 1, "as `hex_pattern` of `flat`", "/ 107")
OWNER = _add("owner", NUM_EDGES, "by edge: whose the track is that uses it, as in `hex_owner`", "seat code", -1.0)
LEADS = _add("leads", NUM_EDGES, "by edge: where that track leads, edge + 1, the town in the middle 7", f"/ {NUM_ENDS}")
HEAD = _add("head", NUM_EDGES, "by edge: an incomplete link is open there; 1 with a mark, else 0.5")
STOP = _add("stop", 1, "a city or town")
for _part in flat.LAYOUT:
    if any(_part.start == start for start, _ in STOP_PARTS[1:]):
        _length = dict(STOP_PARTS)[_part.start]
        _add(_part.name, _length, f"as `{_part.name}` of `flat`", _part.scale, _part.low)

HEX_PARTS = _layout.parts
NUM_FEATURES = _layout.size


@kernel
def write_hexes(game: np.record, board: np.record, row: np.ndarray, place: np.ndarray, table: np.ndarray) -> None:
    """Write the features of hex h to ``table[place[h]]``, which is zero; ``row`` is what `flat` tells."""
    for hex_index in range(board.num_hexes):
        features = table[place[hex_index]]
        features[PRESENT] = 1
        features[HILLS] = board.hills[hex_index]
        features[RIVER] = board.river[hex_index]
        features[CHOSEN] = row[flat.HEX_CHOSEN + hex_index]
        features[PATTERN] = row[flat.HEX_PATTERN + hex_index]
        pattern = int(game.pattern[hex_index])
        for edge in range(NUM_EDGES):
            features[OPEN_SIDE + edge] = 1 if board.beyond[hex_index, edge] != NONE else 0
            if pattern != NONE and SLOT_AT[pattern, edge] != NONE:
                write_side(game, row, hex_index, pattern, edge, features)
        if board.hex_stop[hex_index] != NONE:
            write_stop(row, int(board.hex_stop[hex_index]), features)


@kernel
def write_side(game: np.record, row: np.ndarray, hex_index: int, pattern: int, edge: int, features: np.ndarray) -> None:
    """Write the track that uses an edge of the hex."""
    at = hex_index * MAX_SLOTS + SLOT_AT[pattern, edge]
    features[OWNER + edge] = row[flat.HEX_OWNER + at]
    features[LEADS + edge] = (OTHER_END[pattern, edge] + 1) / NUM_ENDS
    link = int(game.segment_link[hex_index, SLOT_AT[pattern, edge]])
    if game.link_head[link] == edge and game.link_hex[link] == hex_index and game.link_to[link] == NONE:
        features[HEAD + edge] = row[flat.HEX_OPEN + at]


@kernel
def write_stop(row: np.ndarray, stop: int, features: np.ndarray) -> None:
    """Copy what `flat` tells of a stop."""
    at = STOP
    for part in range(_STARTS.shape[0]):
        length = _LENGTHS[part]
        for value in range(length):
            features[at + value] = row[_STARTS[part] + stop * length + value]
        at += length
