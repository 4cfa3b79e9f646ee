"""What `grid` and `graph` share: the features of each hex, and the memory in which an observation is prepared.

The features of a hex are those of its terrain, of the city on it (`flat`'s, read from its vector), of the coins on
it, and its distance from cities. The track is not among them: `grid` and `graph` tell it in their own ways.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, PAIRS
from steam_env.core.jit import kernel
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.state import MAX_AUTOMAS, MAX_CITIES, MAX_PATH, TERRAIN_NAMES
from steam_env.encoding.digits import Digits, lay_out
from steam_env.encoding.layout import TWO_BYTES, Code, Layout, Part
from steam_env.encoding.steam_power.board_kernels import write_cards
from steam_env.encoding.steam_power.flat import (
    COIN_PATHS,
    COLUMN_SCALE,
    LAYOUT,
    ROW_SCALE,
)
from steam_env.encoding.steam_power.flat_kernels import write_table
from steam_env.encoding.steam_power.seat_kernels import clip, write_number

DISTANCE_SCALE = 16  # tiles to a city that still make a difference
INCOMPLETE = 0.5  # what tells an incomplete link's track from a complete one's, which is 1
HALVES = 2  # so many of them are a complete one
EDGES_OF_PAIR = np.array(PAIRS, np.int64)  # (pair, 2)


# --- layout -------------------------------------------------------------------------------------------


def list_parts(prefix: str, count: int, thing: str) -> tuple[list[Part], np.ndarray]:
    """The parts of `flat` that tell ``count`` things, as features of one thing, and where they are in `flat`.

    Returns:
        the parts, and (count, features) int64 indices of `flat`'s vector.
    """
    layout, sources = Layout(), []
    for part in LAYOUT:
        if part.name.startswith(prefix):
            length, shape = part.length // count, part.shape[1:] or (1,)
            meaning = part.meaning.replace(f", by {thing}:", ":")
            meaning = meaning.replace(f"by {thing} and ", "by ")
            meaning = meaning.removeprefix(f"by {thing}: ").removeprefix(f"by {thing}, ")
            layout.add(part.name, shape, meaning, part.scale, part.low, part.code)
            sources.append(part.start + np.arange(part.length).reshape(count, length))
    return list(layout.parts), np.concatenate(sources, axis=1)


CITY_PARTS, CITY_SOURCE = list_parts("city_", MAX_CITIES, "city")
NUM_CITY_FEATURES = CITY_SOURCE.shape[1]

_layout = Layout()
HEX_PRESENT = _layout.add("hex_present", 1, "there is a hex")
HEX_TERRAIN = _layout.add("hex_terrain", len(TERRAIN_NAMES), "plains, hills, mountains, water, city", "one-hot")
HEX_COLUMN = _layout.add("hex_column", 1, "column of the map", f"/ {COLUMN_SCALE}, clipped", code=Code(COLUMN_SCALE))
HEX_ROW = _layout.add("hex_row", 1, "row of the map", f"/ {ROW_SCALE}, clipped", code=Code(ROW_SCALE))
HEX_CITY = _layout.add("hex_city", 1, "number of its city, the first = 1", f"/ {MAX_CITIES}", code=Code(MAX_CITIES))
CITY_FEATURES = _layout.size
for _part in CITY_PARTS:
    _layout.add(_part.name, _part.shape, _part.meaning, _part.scale, _part.low, _part.code)
HEX_COINS = _layout.add(
    "hex_coins",
    (COIN_PATHS,),
    "by Automa, the first in turn order after the observer first: the hex is on its coin path; the next hex = 1",
    f"1 - hexes before it / {MAX_PATH}",
    code=Code(MAX_PATH, TWO_BYTES),
)
HEX_TO_OTHERS = _layout.add(
    "hex_to_others",
    1,
    "derived: the fewer tiles from here to a city outside the own network, the more; 0 out of reach",
    f"1 - tiles / {DISTANCE_SCALE}, at most {DISTANCE_SCALE - 1} counted",
    code=Code(DISTANCE_SCALE),
)
HEX_TO_OWN = _layout.add(
    "hex_to_own",
    1,
    "derived: the same to a city of the own network; without a complete link to any city",
    f"1 - tiles / {DISTANCE_SCALE}, at most {DISTANCE_SCALE - 1} counted",
    code=Code(DISTANCE_SCALE),
)
HEX_PARTS = _layout.parts
NUM_HEX_FEATURES = _layout.size


class Table(NamedTuple):
    """Where the digits of things stand in a table (things, digits), and whence those come that `flat` has, too."""

    digits: Digits
    at: np.ndarray  # (features,) int64: the column of each feature's first digit
    coin_step: int  # from the first digit of a hex's coins to the second
    city_from: np.ndarray  # (cities, k) int64: digits of `flat` that tell a city
    city_to: np.ndarray  # (k,) int64: their columns


def lay_out_table(parts: Iterable[Part], flat: Digits, sizes: Mapping[str, int] | None) -> Table:
    """The table of hexes whose features these parts are, beginning with ``HEX_PARTS``."""
    listed = tuple(parts)
    digits, _ = lay_out(listed, sizes=sizes)
    features = np.arange(CITY_FEATURES, CITY_FEATURES + NUM_CITY_FEATURES)
    source, columns = find_digits(flat, CITY_SOURCE, digits, features)
    coins = (sizes or {}).get(COIN_PATHS.name, MAX_AUTOMAS)
    return Table(digits, np.maximum(digits.source[0], 0), coins, source, columns)


def find_digits(flat: Digits, values: np.ndarray, table: Digits, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which digits of `flat` go to which columns of a table.

    Args:
        flat: the digits of `flat`.
        values: (things, k) int64, the values of `flat` that tell each thing.
        table: the digits of a row of the table, which tells one thing.
        features: (k,) int64, the values of the row that they are.

    Returns:
        (things, digits) int64 digits of `flat`, and (digits,) int64 columns.
    """
    taken = table.source[:, features]
    level, feature = np.nonzero(taken != NONE)
    return np.maximum(flat.source[level, values[:, feature]], 0), taken[level, feature]


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def prepare_row(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    card_deck: int,
    places: np.record,
    scratch: np.record,
) -> int:
    """Write ``scratch.row`` but for the track; its cards are those of ``card_deck``; returns whose they are now."""
    if card_deck != game.deck_index:
        write_cards(deck, places, scratch, scratch.row)
    write_table(game, board, deck, observer, places, scratch, scratch.row)
    return int(game.deck_index)


@kernel
def write_hexes(
    game: np.record,
    board: np.record,
    observer: int,
    scratch: np.record,
    at: np.ndarray,
    coin_step: int,
    city_from: np.ndarray,
    city_to: np.ndarray,
    table: np.ndarray,
) -> None:
    """Write the features of each hex to ``table[place]`` (.., digits), which is zero before; others: see ``Table``.

    Reads ``scratch.row`` and ``scratch.place``.
    """
    for hex_index in range(board.num_hexes):
        place = scratch.place[hex_index]
        table[place, at[HEX_PRESENT]] = 1
        table[place, at[HEX_TERRAIN + int(board.terrain[hex_index])]] = 1
        table[place, at[HEX_COLUMN]] = clip(board.col[hex_index], COLUMN_SCALE)
        table[place, at[HEX_ROW]] = clip(board.row[hex_index], ROW_SCALE)
    for city in range(board.num_cities):
        place = scratch.place[board.city_hex[city]]
        table[place, at[HEX_CITY]] = city + 1
        for digit in range(city_to.shape[0]):
            table[place, city_to[digit]] = scratch.row[city_from[city, digit]]
    if game.num_automas > 0:
        write_coins(game, observer, scratch, at, coin_step, table)
    write_distances(game, board, observer, scratch, at, table)


@kernel
def write_coins(
    game: np.record, observer: int, scratch: np.record, at: np.ndarray, coin_step: int, table: np.ndarray
) -> None:
    """Write the coin paths of the Automas, in turn order from the observer on."""
    column = at[HEX_COINS]
    for relative in range(game.num_seats):
        number = automa_number(game, (observer + relative) % int(game.num_seats))
        if number == NONE:
            continue
        for index in range(game.num_coins[number]):
            write_number(MAX_PATH - index, table[scratch.place[game.coins[number, index]]], column, coin_step)
        column += 1


@kernel
def write_distances(
    game: np.record, board: np.record, observer: int, scratch: np.record, at: np.ndarray, table: np.ndarray
) -> None:
    """Write how far each hex is from where a link may end, and from where one may start."""
    groups = 0
    for city in range(board.num_cities):
        groups |= bit(int(board.group[city]))
    own = int(game.network[observer])
    measure_tiles(game, board, groups & ~own, scratch)
    write_distance(board, at[HEX_TO_OTHERS], scratch, table)
    measure_tiles(game, board, own if own != 0 else groups, scratch)  # without a link any city will do (rule 4.3)
    write_distance(board, at[HEX_TO_OWN], scratch, table)


@kernel
def write_distance(board: np.record, column: int, scratch: np.record, table: np.ndarray) -> None:
    """Write one feature from ``scratch.distance``."""
    for hex_index in range(board.num_hexes):
        tiles = int(scratch.distance[hex_index])
        if tiles != NONE:
            table[scratch.place[hex_index], column] = DISTANCE_SCALE - min(tiles, DISTANCE_SCALE - 1)


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
