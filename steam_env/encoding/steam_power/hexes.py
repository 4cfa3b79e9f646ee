"""What `grid` and `graph` share: the features of each hex, and the memory in which an observation is prepared.

The features of a hex are those of its terrain, of the city on it (`flat`'s, read from its vector), of the coins on
it, and its distance from cities. The track is not among them: `grid` and `graph` tell it in their own ways.
"""

import threading

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, PAIRS
from steam_env.core.jit import kernel
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.state import MAX_AUTOMAS, MAX_CITIES, MAX_HEXES, MAX_PATH, TERRAIN_NAMES
from steam_env.encoding.layout import Layout, Part
from steam_env.encoding.scales import clip_ratio
from steam_env.encoding.steam_power.flat import (
    CARDS,
    CARDS_END,
    COLUMN_SCALE,
    FLAT_SIZE,
    LAYOUT,
    ROW_SCALE,
    write_cards,
    write_table,
)

GRID_ROWS, GRID_COLUMNS = 20, 20  # of `grid`: the shipped maps have up to 14 and 18
NUM_CELLS = GRID_ROWS * GRID_COLUMNS  # more than a map has hexes
DISTANCE_SCALE = 16  # tiles to a city that still make a difference
INCOMPLETE = 0.5  # what tells an incomplete link's track from a complete one's, which is 1
EDGES_OF_PAIR = np.array(PAIRS, np.int64)  # (pair, 2)

SCRATCH = np.dtype(
    (
        np.record,
        [
            ("taken", "<i8", (NUM_CELLS,)),  # 1 for each cell of `grid` that has a hex
            ("place", "<i8", (MAX_HEXES,)),  # by hex: where its features stand in the observation
            ("distance", "<i8", (MAX_HEXES,)),  # by hex: tiles to the cities that are looked for, NONE = out of reach
            ("queue", "<i8", (MAX_HEXES,)),  # hexes in the order in which the search reaches them
            ("row", "<f4", (FLAT_SIZE,)),  # what `flat` tells but for the track
        ],
    )
)

_THREAD = threading.local()


def shared_scratch() -> np.record:
    """This thread's memory for one observation, a ``SCRATCH`` record: good up to the next observation."""
    scratch: np.record | None = getattr(_THREAD, "scratch", None)
    if scratch is None:
        scratch = _THREAD.scratch = np.zeros(1, SCRATCH)[0]
    return scratch


# --- layout -------------------------------------------------------------------------------------------


def list_parts(prefix: str, count: int, thing: str) -> tuple[list[Part], np.ndarray]:
    """The parts of `flat` that tell ``count`` things, as features of one thing, and where they are in `flat`.

    Returns:
        the parts, and (count, features) int64 indices of `flat`'s vector.
    """
    layout, sources = Layout(), []
    for part in LAYOUT:
        if part.name.startswith(prefix):
            length = part.length // count
            meaning = part.meaning.replace(f", by {thing}:", ":")
            meaning = meaning.replace(f"by {thing} and ", "by ")
            meaning = meaning.removeprefix(f"by {thing}: ").removeprefix(f"by {thing}, ")
            layout.add(part.name, length, meaning, part.scale, part.low)
            sources.append(part.start + np.arange(part.length).reshape(count, length))
    return list(layout.parts), np.concatenate(sources, axis=1)


CITY_PARTS, CITY_SOURCE = list_parts("city_", MAX_CITIES, "city")
NUM_CITY_FEATURES = CITY_SOURCE.shape[1]

_layout = Layout()
HEX_PRESENT = _layout.add("hex_present", 1, "there is a hex")
HEX_TERRAIN = _layout.add("hex_terrain", len(TERRAIN_NAMES), "plains, hills, mountains, water, city", "one-hot")
HEX_COLUMN = _layout.add("hex_column", 1, "column of the map", f"/ {COLUMN_SCALE}, clipped")
HEX_ROW = _layout.add("hex_row", 1, "row of the map", f"/ {ROW_SCALE}, clipped")
HEX_CITY = _layout.add("hex_city", 1, "number of its city, the first = 1", f"/ {MAX_CITIES}")
CITY_FEATURES = _layout.size
for _part in CITY_PARTS:
    _layout.add(_part.name, _part.length, _part.meaning, _part.scale, _part.low)
HEX_COINS = _layout.add(
    "hex_coins",
    MAX_AUTOMAS,
    "by Automa, the first in turn order after the observer first: the hex is on its coin path; the next hex = 1",
    f"1 - hexes before it / {MAX_PATH}",
)
HEX_TO_OTHERS = _layout.add(
    "hex_to_others",
    1,
    "derived: the fewer tiles from here to a city outside the own network, the more; 0 out of reach",
    f"1 - tiles / {DISTANCE_SCALE}, at most {DISTANCE_SCALE - 1} counted",
)
HEX_TO_OWN = _layout.add(
    "hex_to_own",
    1,
    "derived: the same to a city of the own network; without a complete link to any city",
    f"1 - tiles / {DISTANCE_SCALE}, at most {DISTANCE_SCALE - 1} counted",
)
HEX_PARTS = _layout.parts
NUM_HEX_FEATURES = _layout.size


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def prepare_row(
    game: np.record, board: np.record, decks: np.ndarray, observer: int, card_deck: int, scratch: np.record
) -> int:
    """Write all but the track to ``scratch.row``, whose cards are of ``card_deck``; returns whose they are now."""
    row = scratch.row
    deck = decks[game.deck_index]
    if card_deck != game.deck_index:
        row[CARDS:CARDS_END] = 0
        write_cards(deck, row)
    write_table(game, board, deck, observer, row)
    return int(game.deck_index)


@kernel
def write_hexes(game: np.record, board: np.record, observer: int, scratch: np.record, table: np.ndarray) -> None:
    """Write the features of each hex to ``table[place]`` (.., NUM_HEX_FEATURES), which is zero before.

    Reads ``scratch.row`` and ``scratch.place``.
    """
    for hex_index in range(board.num_hexes):
        place = scratch.place[hex_index]
        table[place, HEX_PRESENT] = 1
        table[place, HEX_TERRAIN + int(board.terrain[hex_index])] = 1
        table[place, HEX_COLUMN] = clip_ratio(board.col[hex_index], COLUMN_SCALE)
        table[place, HEX_ROW] = clip_ratio(board.row[hex_index], ROW_SCALE)
    for city in range(board.num_cities):
        place = scratch.place[board.city_hex[city]]
        table[place, HEX_CITY] = (city + 1) / MAX_CITIES
        for feature in range(NUM_CITY_FEATURES):
            table[place, CITY_FEATURES + feature] = scratch.row[CITY_SOURCE[city, feature]]
    if game.num_automas > 0:
        write_coins(game, observer, scratch, table)
    write_distances(game, board, observer, scratch, table)


@kernel
def write_coins(game: np.record, observer: int, scratch: np.record, table: np.ndarray) -> None:
    """Write the coin paths of the Automas, in turn order from the observer on."""
    feature = HEX_COINS
    for relative in range(game.num_seats):
        number = automa_number(game, (observer + relative) % int(game.num_seats))
        if number == NONE:
            continue
        for index in range(game.num_coins[number]):
            table[scratch.place[game.coins[number, index]], feature] = (MAX_PATH - index) / MAX_PATH
        feature += 1


@kernel
def write_distances(game: np.record, board: np.record, observer: int, scratch: np.record, table: np.ndarray) -> None:
    """Write how far each hex is from where a link may end, and from where one may start."""
    groups = 0
    for city in range(board.num_cities):
        groups |= bit(int(board.group[city]))
    own = int(game.network[observer])
    measure_tiles(game, board, groups & ~own, scratch)
    write_distance(board, HEX_TO_OTHERS, scratch, table)
    measure_tiles(game, board, own if own != 0 else groups, scratch)  # without a link any city will do (rule 4.3)
    write_distance(board, HEX_TO_OWN, scratch, table)


@kernel
def write_distance(board: np.record, feature: int, scratch: np.record, table: np.ndarray) -> None:
    """Write one feature from ``scratch.distance``."""
    for hex_index in range(board.num_hexes):
        tiles = int(scratch.distance[hex_index])
        if tiles != NONE:
            table[scratch.place[hex_index], feature] = 1 - min(tiles, DISTANCE_SCALE - 1) / DISTANCE_SCALE


@kernel
def measure_tiles(game: np.record, board: np.record, groups: int, scratch: np.record) -> None:
    """Write ``scratch.distance``: by hex the fewest tiles from it, its own included, to a city of the groups.

    Ways lead over land that holds less than two segments, whatever shapes fit there, and through no other city.
    """
    scratch.distance[:] = NONE
    size = 0
    for city in range(board.num_cities):
        if has(groups, board.group[city]):
            start = int(board.city_hex[city])
            scratch.distance[start] = 0
            scratch.queue[size] = start
            size += 1
    first = 0
    while first < size:
        here = scratch.queue[first]
        first += 1
        for edge in range(NUM_EDGES):
            beyond = int(board.neighbour[here, edge])
            if beyond == NONE or scratch.distance[beyond] != NONE:
                continue
            if board.hex_city[beyond] != NONE:
                scratch.distance[beyond] = scratch.distance[here]  # no tile lies there
            elif board.cost[beyond] != NONE and game.track[beyond, 1] == NONE:
                scratch.distance[beyond] = scratch.distance[here] + 1
                scratch.queue[size] = beyond
                size += 1
