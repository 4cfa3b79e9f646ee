"""The memory in which one observation is prepared, and where a layout of digits has its parts."""

import threading
from collections.abc import Mapping

import numpy as np

from steam_env.core.steam_power.state import (
    GAME,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_NEEDS,
    MAX_SEATS,
    NUM_COLORS,
    NUM_RESOURCES,
)
from steam_env.encoding.cells import NUM_CELLS
from steam_env.encoding.digits import Digits, lay_out
from steam_env.encoding.layout import BYTE_VALUES
from steam_env.encoding.steam_power.flat import (
    CITIES,
    COIN_PATHS,
    CONTRACTS,
    DIVISORS,
    FLAT_SIZE,
    HEXES,
    LAYOUT,
    NUM_COSTS,
    SEATS,
)

PLACES = np.dtype(
    (
        np.record,
        [
            ("at", "<u2", (FLAT_SIZE,)),  # by value of `flat`: its first digit, if the layout does not leave it out
            ("num_digits", "<u2"),  # in all
            ("last_round", "<u2"),  # the digits of a number that divides
            *((axis.name, "<u2") for axis in (HEXES, CITIES, CONTRACTS, SEATS, COIN_PATHS)),  # room for so many
        ],
    )
)


def lay_out_flat(sizes: Mapping[str, int] | None = None) -> tuple[Digits, np.ndarray]:
    """The digits of `flat`, and for kernels where they stand, (1,) PLACES.

    Args:
        sizes: by name of an axis, how many things have digits; ``None``: as many as a record has room for.
    """
    digits, starts = lay_out(LAYOUT, DIVISORS, sizes)
    places = np.zeros(1, PLACES)
    places["at"] = np.maximum(digits.source[0], 0)
    places["num_digits"], places["last_round"] = digits.size, starts["last_round"]
    for axis in (HEXES, CITIES, CONTRACTS, SEATS, COIN_PATHS):
        places[axis.name] = (sizes or {}).get(axis.name, axis.capacity)
    return digits, places


FLAT_DIGITS, FLAT_PLACES = lay_out_flat()

SCRATCH = np.dtype(
    (
        np.record,
        [
            ("taken", "<i8", (NUM_CELLS,)),  # 1 for each cell of `grid` that has a hex
            ("place", "<i8", (MAX_HEXES,)),  # by hex: where its features stand in the observation
            ("distance", "<i8", (MAX_HEXES,)),  # by hex: tiles to the cities that are looked for, NONE = out of reach
            ("queue", "<i8", (MAX_HEXES,)),  # hexes in the order in which the search reaches them
            ("factory_points", "<i8", (MAX_SEATS,)),  # by seat: points of flipped tiles
            ("purple_points", "<i8", (MAX_SEATS,)),  # by seat: points of purple cities
            ("shares", "<i8", (MAX_SEATS + 1,)),  # by how many seats share a purple city: what each gets
            ("access", "u1", (MAX_CITIES,)),  # by group: the digit that tells its links to the observer's network
            ("links", "<i8", (MAX_CITIES,)),  # by group: links to the observer's network, NONE = out of reach
            ("units", "<i8", (NUM_COLORS, NUM_COSTS + 1)),  # by colour and cost: resources, the last out of reach
            ("prices", "u1", (NUM_RESOURCES, MAX_NEEDS)),  # by colour and number: what one more costs
            ("wanted", "u1", (NUM_RESOURCES, MAX_CONTRACTS)),  # by colour and contract: resources, as printed
            ("vp", "<i2", (MAX_CONTRACTS,)),  # by contract: points, as printed
            ("link_code", "u1", (BYTE_VALUES,)),  # by link: the code of its segments; the last, for NONE, stays 0
            ("lane", "u1", (max(MAX_CITIES, MAX_CONTRACTS),)),  # by city or contract: digits before they are copied
            ("row", "u1", (FLAT_DIGITS.size,)),  # the digits of `flat`
        ],
    )
)


class Memory(threading.local):
    """Each thread's memory for one observation: good up to the next one.

    Attributes:
        scratch: (1,) SCRATCH.
        room: (1,) GAME, for a game at hand.
    """

    def __init__(self) -> None:
        self.scratch = np.zeros(1, SCRATCH)
        self.room = np.zeros(1, GAME)


MEMORY = Memory()
