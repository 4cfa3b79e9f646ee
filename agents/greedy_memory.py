"""What greedy keeps of the ways that it has found: on the same track, from the same start, they are the same ones.

A search through the map is nearly all of greedy's thinking, and much of it was done before: contracts and factories
change no way, planner and searches play on from one map many times, and all games begin on an empty one. So what was
found stays in the ``PLAN``, in one of several places, by a hash of all that it depends on. The place holds that itself,
too, and is trusted only where it is equal: choices are the same with a memory and without.
"""

import threading

import numpy as np

from steam_env.agents.greedy_plan import KEY_PARTS, PLAN, WAY_PARTS, Weights
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import REMOVE
from steam_env.core.steam_power.state import HEAD, MAX_HEXES

# What ways depend on. A place in which nothing is kept is all 0, so one part is not.
(
    KEY_TAKEN,
    KEY_MAP,
    KEY_TILES,
    KEY_TRAINS,
    KEY_PLACEMENT,
    KEY_LIMIT,
    KEY_NETWORK,
    KEY_START,
    KEY_CITY,
    KEY_HEX,
    KEY_ENTRY,
    KEY_EXIT,
) = range(KEY_PARTS)
FROM_NETWORK, FROM_CITY, FROM_TAIL, FROM_LAST_TAIL = range(4)  # where they start

FACTOR_BITS = 46  # so that no sum of products is above 63 bits
PART_SIZE = 1 << 12
TRACK_FACTORS = np.random.default_rng(1).integers(1 << FACTOR_BITS, size=(MAX_HEXES, 2))
KEY_FACTORS = np.random.default_rng(2).integers(1 << FACTOR_BITS, size=KEY_PARTS)
HEX_FACTORS = np.random.default_rng(3).integers(1 << FACTOR_BITS, size=(MAX_HEXES, 3))


class Memory(threading.local):
    """Each thread's scratch memory for greedy.

    Attributes:
        plans: (1,) ``PLAN``.
    """

    def __init__(self) -> None:
        self.plans = np.zeros(1, PLAN)


MEMORY = Memory()


@kernel
def mark_map(board: np.record) -> int:
    """A number that tells maps apart, from where their hexes are and what they are."""
    total = 0
    for hex_index in range(board.num_hexes):
        total += int(board.col[hex_index]) * HEX_FACTORS[hex_index, 0]
        total += int(board.row[hex_index]) * HEX_FACTORS[hex_index, 1]
        total += int(board.terrain[hex_index]) * HEX_FACTORS[hex_index, 2]
    return int(total)


@kernel
def begin_key(game: np.record, board: np.record, plan: np.record, limit: int, weights: Weights) -> None:
    """Write what ways from any city depend on, beside the track."""
    plan.key[:] = 0
    plan.key[KEY_TAKEN] = 1
    plan.key[KEY_MAP] = mark_map(board)
    plan.key[KEY_TILES] = plan.kinds
    plan.key[KEY_TRAINS] = min(2, int(game.trains[game.seat]))
    plan.key[KEY_PLACEMENT] = int(weights.placement)
    plan.key[KEY_LIMIT] = limit


@kernel
def add_start(game: np.record, plan: np.record, mask: np.ndarray) -> None:
    """Write what the mover's ways depend on beside that: its network, and the link under way."""
    seat = int(game.seat)
    plan.key[KEY_NETWORK] = game.network[seat]
    if game.phase == HEAD:
        plan.key[KEY_START] = FROM_CITY
        plan.key[KEY_CITY] = game.start_city
        plan.key[KEY_EXIT] = game.start_edge
    elif game.tail_link[seat] != NONE:
        plan.key[KEY_START] = FROM_TAIL if mask[REMOVE] else FROM_LAST_TAIL
        plan.key[KEY_CITY] = game.link_start[game.tail_link[seat]]
        plan.key[KEY_HEX] = game.tail_hex[seat]
        plan.key[KEY_ENTRY] = game.tail_entry[seat]
        plan.key[KEY_EXIT] = game.tail_exit[seat]


@kernel
def find_place(game: np.record, board: np.record, plan: np.record, places: int) -> int:
    """The place for what is found by the key on this track."""
    total = 0
    for part in range(KEY_PARTS):
        total += int(plan.key[part]) % PART_SIZE * KEY_FACTORS[part]
    for hex_index in range(board.num_hexes):
        total += int(game.track[hex_index, 0]) * TRACK_FACTORS[hex_index, 0]
        total += int(game.track[hex_index, 1]) * TRACK_FACTORS[hex_index, 1]
    return int((total >> (FACTOR_BITS // 2)) % places)


@kernel
def is_kept(game: np.record, board: np.record, plan: np.record, key: np.ndarray, track: np.ndarray) -> bool:
    """Whether a place, whose key and track these are, holds what is looked for."""
    differences = 0
    for part in range(KEY_PARTS):
        differences += key[part] != plan.key[part]
    if differences:
        return False
    for hex_index in range(board.num_hexes):
        differences += track[hex_index, 0] != game.track[hex_index, 0]
        differences += track[hex_index, 1] != game.track[hex_index, 1]
    return differences == 0


@kernel
def recall_ways(game: np.record, board: np.record, plan: np.record, place: int) -> bool:
    """Write the best ways to all groups as they are kept; whether they are."""
    if not is_kept(game, board, plan, plan.ways_key[place], plan.ways_track[place]):
        return False
    for part in range(WAY_PARTS):
        for group in range(board.num_cities):
            plan.group_ways[part, group] = plan.ways[place, part, group]
    return True


@kernel
def keep_ways(game: np.record, board: np.record, plan: np.record, place: int) -> None:
    """Keep the best ways to all groups."""
    plan.ways_key[place, :] = plan.key
    plan.ways_track[place, :] = game.track
    for part in range(WAY_PARTS):
        for group in range(board.num_cities):
            plan.ways[place, part, group] = plan.group_ways[part, group]


@kernel
def recall_pairs(game: np.record, board: np.record, plan: np.record, place: int) -> bool:
    """Write the best ways from all groups to all groups as they are kept; whether they are."""
    if not is_kept(game, board, plan, plan.pairs_key[place], plan.pairs_track[place]):
        return False
    for part in range(WAY_PARTS):
        for group in range(board.num_cities):
            for other in range(board.num_cities):
                plan.pair_ways[part, group, other] = plan.pairs[place, part, group, other]
    return True


@kernel
def keep_pairs(game: np.record, board: np.record, plan: np.record, place: int) -> None:
    """Keep the best ways from all groups to all groups."""
    plan.pairs_key[place, :] = plan.key
    plan.pairs_track[place, :] = game.track
    for part in range(WAY_PARTS):
        for group in range(board.num_cities):
            for other in range(board.num_cities):
                plan.pairs[place, part, group, other] = plan.pair_ways[part, group, other]
