"""The flat action space: 660 ids in fixed blocks, the same for every map and seat count."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.state import (
    CITY_GROWTH,
    MAX_HEXES,
    MAX_SEATS,
    MAX_STOPS,
    NUM_COLORS,
    NUM_SPACES,
    NUM_TILES,
    URBANIZATION,
)
from steam_env.core.steam.tiles import NUM_PATTERNS
from steam_env.spec import Block

PASSED_TILES = (CITY_GROWTH, URBANIZATION)  # those that may be taken with pass (rule 6.2)
NUM_OVER = MAX_SEATS + 2  # own, the seats after the mover, one that is free, unowned
OWN_OFFSET, UNOWNED_OFFSET = 0, NUM_OVER - 1
NUM_RESERVED = 3  # for the standard game (rule 16); never legal

TAKE_TILE = 0  # + number - 1
TAKE_PASS = TAKE_TILE + NUM_TILES  # + index in PASSED_TILES
PASS = TAKE_PASS + len(PASSED_TILES)
IMPROVE = PASS + 1
TO_INCOME = IMPROVE + 1
TO_VP = TO_INCOME + 1
BUILD_ON = TO_VP + 1  # + hex
LAY = BUILD_ON + MAX_HEXES  # + pattern
GROW = LAY + NUM_PATTERNS  # + stop
URBANIZE = GROW + MAX_STOPS  # + stop
COLOUR_OF = URBANIZE + MAX_STOPS  # + colour
SPACE_OF = COLOUR_OF + NUM_COLORS  # + space, from 0
FROM = SPACE_OF + NUM_SPACES  # + stop
HOP_TO = FROM + MAX_STOPS  # + stop
OVER_LINK = HOP_TO + MAX_STOPS  # + seats from the mover onwards, or UNOWNED_OFFSET
RAISE_BID = OVER_LINK + NUM_OVER
RESERVED = RAISE_BID + 1
NUM_ACTIONS = RESERVED + NUM_RESERVED

BLOCKS = (
    Block("take", TAKE_TILE, NUM_TILES, "take this action tile; 5, 6 and 7 with their payment"),
    Block("take_pass", TAKE_PASS, len(PASSED_TILES), "take 5 or 7, pay nothing, do nothing"),
    Block("pass", PASS, 1, "be done with the track turn; do nothing in a goods round; bid no more"),
    Block("locomotive", IMPROVE, 1, "improve it, in a goods round"),
    Block("income", TO_INCOME, 1, "put the points of this move on income"),
    Block("vp", TO_VP, 1, "put the points of this move on victory points"),
    Block("build", BUILD_ON, MAX_HEXES, "a placement on this hex"),
    Block("tile", LAY, NUM_PATTERNS, "the pattern that lies there afterwards: makes the placement"),
    Block("grow", GROW, MAX_STOPS, "City Growth in this city"),
    Block("urbanize", URBANIZE, MAX_STOPS, "Urbanization of this town"),
    Block("colour", COLOUR_OF, NUM_COLORS, "of the New City, or of the cube that is moved"),
    Block("space", SPACE_OF, NUM_SPACES, "whose group of cubes comes"),
    Block("from", FROM, MAX_STOPS, "move a cube that is in this city"),
    Block("hop", HOP_TO, MAX_STOPS, "over a complete link to this stop"),
    Block("over", OVER_LINK, NUM_OVER, "whose link, where it matters"),
    Block("bid", RAISE_BID, 1, "one dollar more than the highest bid"),
    Block("reserved", RESERVED, NUM_RESERVED, "never legal"),
)


def block_of(action: int) -> Block:
    """The block that an action id (0 to 659) belongs to."""
    return next(block for block in reversed(BLOCKS) if action >= block.start)


KINDS = ("move", "locomotive", "pass")  # what statistics count: what is done in a goods round (rule 9.1)
_KIND_OF_BLOCK = {"from": "move", "locomotive": "locomotive", "pass": "pass"}


def _find_kinds() -> np.ndarray:
    """(action ids,) the number in ``KINDS`` of what each id begins; -1 where it begins none."""
    names = [_KIND_OF_BLOCK.get(block.name) for block in BLOCKS for _ in range(block.length)]
    return np.array([NONE if name is None else KINDS.index(name) for name in names], np.int64)


KIND_OF = _find_kinds()
