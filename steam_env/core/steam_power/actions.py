"""The flat action space: 372 ids in fixed blocks, the same for every map, deck and seat count."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_SEATS
from steam_env.spec import Block

NUM_AMOUNTS = 3
NUM_OTHERS = MAX_SEATS - 1

MONEY = 0
CONTRACTS = 1
DONE = 2
REMOVE = 3
START = 4  # + city x 6 + edge
HEAD_TO = START + MAX_CITIES * NUM_EDGES  # + edge
REPLACE = HEAD_TO + NUM_EDGES  # + edge
BUILD = REPLACE + NUM_EDGES  # + city
AMOUNT_OF = BUILD + MAX_CITIES  # + 0, 1, 2 for one fewer, the usual number, one more
FULFIL = AMOUNT_OF + NUM_AMOUNTS  # + contract
SOURCE_FROM = FULFIL + MAX_CONTRACTS  # + city
HOP_TO = SOURCE_FROM + MAX_CITIES  # + first city of the group
PAY_TO = HOP_TO + MAX_CITIES  # + seats from the actor onwards, less one
TAKE = PAY_TO + NUM_OTHERS  # + seats from the actor onwards, less one
NUM_ACTIONS = TAKE + NUM_OTHERS


BLOCKS = (
    Block("money", MONEY, 1, "take $3"),
    Block("contracts", CONTRACTS, 1, "take contracts, as an action or as a bonus"),
    Block("done", DONE, 1, "end laying track after one placement; decline a bonus"),
    Block("remove", REMOVE, 1, "take back the tail"),
    Block("start", START, MAX_CITIES * NUM_EDGES, "begin a link from this city over this edge"),
    Block("head", HEAD_TO, NUM_EDGES, "the new tile's far edge: places the tile; also continues the incomplete link"),
    Block("replace", REPLACE, NUM_EDGES, "a new far edge for the tail"),
    Block("build", BUILD, MAX_CITIES, "build a factory here"),
    Block("amount", AMOUNT_OF, NUM_AMOUNTS, "resources of a bonus factory: one fewer than usual, as usual, one more"),
    Block("fulfil", FULFIL, MAX_CONTRACTS, "fulfil the contract with this number"),
    Block("source", SOURCE_FROM, MAX_CITIES, "take the next resource from here"),
    Block("hop", HOP_TO, MAX_CITIES, "carry it on to this group over a foreign link"),
    Block("pay", PAY_TO, NUM_OTHERS, "whose link was used, where several seats have one"),
    Block("take_from", TAKE, NUM_OTHERS, "whose hand, on a tie"),
)


def block_of(action: int) -> Block:
    """The block that an action id (0 to 371) belongs to."""
    return next(block for block in reversed(BLOCKS) if action >= block.start)


KINDS = ("money", "contracts", "track", "build", "fulfil")  # the five actions of rule 3.1
TRACK_BLOCKS = ("start", "head", "remove", "replace")


def _find_kinds() -> np.ndarray:
    """(action ids,) the number in ``KINDS`` of the action that each id begins; -1 where it begins none."""
    names = ["track" if block.name in TRACK_BLOCKS else block.name for block in BLOCKS for _ in range(block.length)]
    return np.array([KINDS.index(name) if name in KINDS else NONE for name in names], np.int64)


KIND_OF = _find_kinds()


def _find_openings() -> np.ndarray:
    """(action ids,) the city at which an action begins a link; NONE for all others."""
    openings = np.full(NUM_ACTIONS, NONE, np.int64)
    openings[START:HEAD_TO] = np.repeat(np.arange(MAX_CITIES), NUM_EDGES)
    return openings


OPENING_OF = _find_openings()
