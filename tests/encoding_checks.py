"""Observations of any encoding: how they are made, and how a position is read back from one."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, other_edge, pair_of, uses
from steam_env.core.steam_power.state import (
    AMOUNT,
    FACTORIES,
    HEAD,
    MAX_AUTOMAS,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_NEEDS,
    MAX_PATH,
    MAX_SEATS,
    NUM_CORNERS,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    RESOURCES_PER_COLOR,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.encoding import Observations
from steam_env.encoding.cells import NUM_CELLS, place_cells
from steam_env.encoding.layout import Part
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import (
    COIN_BASE,
    LAYOUT,
    MONEY_EXACT,
    MOST_RESOURCES,
    NUM_LEVELS,
    NUM_OTHERS,
    NUM_TILES,
    OFF_MAP_HALF,
    ROUNDS_SCALE,
    TILE_NUMBER,
)
from steam_env.encoding.steam_power.graph import EDGE_PARTS, FEATURES, NUM_BORDERS
from steam_env.encoding.steam_power.grid import NUM_MAP_PLANES, NUM_PLANES, PLANES
from steam_env.encoding.steam_power.hexes import HEX_PARTS
from steam_env.encoding.steam_power.scratch import MEMORY
from tests.seen import is_unseen

# --- making them ------------------------------------------------------------------------------------------


def encode(name: str, setting: Setting, records: np.ndarray, seats: int | np.ndarray) -> Any:
    """The observations in memory that was full of other values."""
    encoding = ENCODINGS[name]
    out = encoding.allocate(len(records))
    for array in arrays_of(out):
        array[...] = 77
    observers = np.broadcast_to(np.asarray(seats, np.int64), (len(records),)).copy()
    encoding.encode(records, setting.boards, setting.decks, observers, out)
    return out


def arrays_of(observations: Any) -> list[np.ndarray]:
    return list(observations.values()) if isinstance(observations, dict) else [observations]


def join(observations: Observations) -> np.ndarray:
    """All values of each observation in one row (n, ...) float32, which holds every index of a node exactly."""
    rows = [array.reshape(len(array), -1).astype(np.float32) for array in arrays_of(observations)]
    return np.concatenate(rows, axis=1)


def values_of(values: np.ndarray, parts: tuple[Part, ...], name: str) -> np.ndarray:
    """The part of that name, along the last axis."""
    part = next(part for part in parts if part.name == name)
    return values[..., part.start : part.start + part.length]


def planes_of(grids: np.ndarray, name: str) -> np.ndarray:
    """(n, cells, planes of this part) of observations of `grid`."""
    return values_of(grids.reshape(len(grids), NUM_PLANES, NUM_CELLS).swapaxes(1, 2), PLANES, name)


def cells_of(setting: Setting) -> np.ndarray:
    """(hexes,) the cell of each hex in `grid`."""
    scratch = MEMORY.scratch[0]
    place_cells(setting.boards[0], scratch.place, scratch.taken)
    return scratch["place"][: setting.boards["num_hexes"][0]].copy()


# --- opening them -----------------------------------------------------------------------------------------

Segment = tuple[int, int, bool]  # edge pair, relative seat, whether its link is complete


class Opened(NamedTuple):
    """What an observation tells, whatever its arrays are."""

    parts: Mapping[str, np.ndarray]
    """Those of `flat` but the track, by name."""
    segments: Mapping[int, list[Segment]]
    """By hex, the one with the lower edge pair first."""
    coins: list[list[int]]
    """The coin paths of the Automas in turn order from the observer on."""


def open_observation(name: str, observation: Any, setting: Setting) -> Opened:
    return {"flat": open_flat, "grid": open_grid, "graph": open_graph}[name](observation, setting)


def open_flat(row: np.ndarray, setting: Setting) -> Opened:
    parts = {part.name: values_of(row, LAYOUT, part.name) for part in LAYOUT}
    tiles = np.round(parts["track_tile"].astype(np.float64) * NUM_TILES).astype(int)
    owners = parts["track_owner"].reshape(MAX_HEXES, -1)
    segments: dict[int, list[Segment]] = {}
    for hex_index in np.flatnonzero(tiles).tolist():
        pairs = [int(pair) - 1 for pair in np.argwhere(tiles[hex_index] == TILE_NUMBER)[0] if pair]
        segments[hex_index] = [(pair, *read_owner(owners[hex_index, slot])) for slot, pair in enumerate(pairs)]
    return Opened(parts, segments, read_digits(parts["track_coins"], int(parts["seat_automa"].sum())))


def read_owner(code: float) -> tuple[int, bool]:
    """Relative seat, and whether the link is complete."""
    if code > 0:
        return 0, code == 1
    number = round(-float(code) * 2 * NUM_OTHERS)
    return (number, False) if number <= NUM_OTHERS else (number - NUM_OTHERS, True)


def read_digits(coins: np.ndarray, automas: int) -> list[list[int]]:
    """The coin paths that `flat` tells by hex, with a digit for each Automa."""
    scaled = coins.astype(np.float64) * COIN_BASE**automas
    assert (scaled == np.round(scaled)).all()
    paths = []
    for number in range(automas):
        digits = scaled.astype(np.int64) // COIN_BASE ** (automas - 1 - number) % COIN_BASE
        paths.append([int(np.flatnonzero(digits == index)[0]) for index in range(1, digits.max() + 1)])
    return paths


def open_grid(picture: np.ndarray, setting: Setting) -> Opened:
    sheets, cells = picture[NUM_MAP_PLANES:].reshape(-1), cells_of(setting)
    parts = {part.name: values_of(sheets, LAYOUT, part.name) for part in LAYOUT if not part.name.startswith("track_")}
    owners = planes_of(picture[np.newaxis], "track")[0, cells].reshape(len(cells), MAX_SEATS, NUM_EDGES)
    coins = planes_of(picture[np.newaxis], "hex_coins")[0, cells]
    return Opened(parts, find_segments(owners), read_columns(coins, int(parts["seat_automa"].sum())))


def open_graph(graph: Mapping[str, np.ndarray], setting: Setting) -> Opened:
    cities = setting.boards["city_hex"][0, : setting.boards["num_cities"][0]]
    parts = {}
    for array, features in FEATURES.items():
        for part in features:
            values = values_of(graph[array], features, part.name)
            if part.name.startswith("city_"):
                absent = np.zeros((MAX_CITIES - len(cities), part.length), np.float32)
                values = np.concatenate([values[cities], absent])
            parts[part.name] = values.reshape(-1)
    owners = values_of(graph["edges"][:NUM_BORDERS], EDGE_PARTS, "edge_owner")
    owners = owners.reshape(MAX_HEXES, NUM_EDGES, MAX_SEATS).swapaxes(1, 2)
    coins = values_of(graph["nodes"], HEX_PARTS, "hex_coins")
    return Opened(parts, find_segments(owners), read_columns(coins, int(parts["seat_automa"].sum())))


def find_segments(owners: np.ndarray) -> dict[int, list[Segment]]:
    """By hex, from whose track uses each edge: (hexes, seats, 6), 1 complete, 0.5 incomplete, 0 none."""
    segments = {}
    for hex_index in np.flatnonzero(owners.any(axis=(1, 2))).tolist():
        used = sorted((int(edge), int(relative)) for relative, edge in np.argwhere(owners[hex_index]))
        found = []
        half = len(used) // 2
        for (edge, relative), (other, same) in zip(used[:half], used[half:], strict=True):
            assert relative == same
            found.append((int(pair_of(edge, other)), relative, bool(owners[hex_index, relative, edge] == 1)))
        segments[hex_index] = sorted(found)
    return segments


def read_columns(coins: np.ndarray, automas: int) -> list[list[int]]:
    """The coin paths, from (hexes, Automas) features."""
    assert coins.shape[1] <= MAX_AUTOMAS
    assert not coins[:, automas:].any()
    paths = []
    for column in coins.T[:automas]:
        there = np.flatnonzero(column)
        places = MAX_PATH - np.round(column[there].astype(np.float64) * MAX_PATH).astype(int)
        assert sorted(places) == list(range(len(there)))
        paths.append(there[np.argsort(places)].tolist())
    return paths


# --- reading a position back ------------------------------------------------------------------------------


def rebuild(opened: Opened, setting: Setting, observer: int) -> dict[str, Any]:
    """All that the observer may see of a position, as the fields of ``GAME`` hold it, from its observation."""
    board, deck = setting.boards[0], setting.decks[0]
    read = opened.parts.__getitem__

    def whole(name: str, scale: float) -> np.ndarray:
        values = read(name).astype(np.float64) * scale
        assert np.allclose(values, np.round(values), atol=1e-3), name
        return np.round(values).astype(np.int64)

    def code(name: str, missing: int = NONE) -> int:
        found = np.flatnonzero(read(name))
        return int(found[0]) if found.size else missing

    def saturated(name: str, half: int) -> np.ndarray:
        values = read(name).astype(np.float64)
        return np.round(half * values / (1 - values)).astype(np.int64)

    def by_seat(values: np.ndarray, missing: int = 0) -> np.ndarray:
        """From relative seats to seats."""
        seats = np.full((MAX_SEATS, *values.shape[1:]), missing)
        seats[order] = values[:num_seats]
        return seats

    def by_player(name: str, scale: float) -> np.ndarray:
        values = whole(name, scale)
        return np.array([values[0], *[0] * (MAX_SEATS - 1)]) if solo else by_seat(values)

    def seat_at(relative: int) -> int:
        return NONE if relative == NONE else int(order[relative])

    def coded_seats(name: str) -> np.ndarray:
        """By contract or city the relative seat that a code tells, NONE for none."""
        values = whole(name, MAX_SEATS)
        return np.where(values == 0, NONE, MAX_SEATS - values)

    num_seats = int(read("seat_present").sum())
    order = (observer + np.arange(num_seats)) % num_seats
    solo = bool(whole("mode", 1)[0])
    cities, contracts = int(board["num_cities"]), int(deck["num_contracts"])
    phase = code("phase")
    max_rounds = int(whole("round_limit", ROUNDS_SCALE)[0])
    last_round = min(max_rounds, SOLO_ROUNDS) if solo else max_rounds
    automas = read("seat_automa")[:num_seats] > 0
    automa_seats = np.sort(order[automas])
    paths = dict(zip((int(order[relative]) for relative in np.flatnonzero(automas)), opened.coins, strict=True))
    subject = code("city_subject")
    absent_city = np.arange(MAX_CITIES) >= cities

    def group_of(name: str) -> int:
        city = code(name)
        return NONE if city == NONE else int(board["group"][city])

    seen: dict[str, Any] = {
        "edition": whole("edition", 1)[0],
        "mode": int(solo),
        "routing": whole("routing", 1)[0],
        "num_seats": num_seats,
        "num_automas": int(whole("automas", 4)[0]),
        "automa_level": int(whole("automa_level", NUM_LEVELS)[0]) - 1,
        "max_rounds": max_rounds,
        "round_number": int(whole("rounds_played", last_round)[0]) + 1,
        "contracts_to_end": whole("end_trigger", MAX_CONTRACTS)[0],
        "truncated": whole("truncated", 1)[0],
        "deck_size": whole("deck_size", MAX_CONTRACTS)[0],
        "stock": whole("stock", RESOURCES_PER_COLOR),
        "corners": whole("corners", NUM_CORNERS) - 1,
        "off_map": saturated("off_map", OFF_MAP_HALF),
        "tiles": np.round(read("tiles").astype(np.float64) * TILE_STOCK),
        "phase": phase,
        "seat": seat_at(code("seat_to_move")),
        "first_player": 0 if solo else seat_at(code("seat_first")),
        "actions_left": whole("actions_left", 2)[0],
        "placements_left": whole("placements_left", 2)[0],
        "takes_left": whole("takes_left", 2)[0],
        "in_bonus": whole("in_bonus", 1)[0],
        "start_edge": code("start_edge"),
        "start_city": subject if phase == HEAD else NONE,
        "build_city": subject if phase == AMOUNT else NONE,
        "need": int(whole("need", MAX_NEEDS + 1)[0]) - 1,
        "contract": code("contract_pending"),
        "cargo_group": group_of("city_cargo"),
        "hop_group": group_of("city_hop"),
        "visited": sum({1 << int(board["group"][city]) for city in np.flatnonzero(read("city_visited"))}),
        "money": by_player("seat_money_exact", MONEY_EXACT),
        "hand_size": by_player("seat_hand", MAX_CONTRACTS),
        "num_fulfilled": by_player("seat_fulfilled", MAX_CONTRACTS),
        "trains": by_seat(whole("seat_trains", TRAINS_FINAL)),
        "factories": by_seat(whole("seat_factories", FACTORIES)),
        "tail_hex": by_seat(whole("seat_tail_hex", MAX_HEXES) - 1, NONE),
        "tail_entry": by_seat(whole("seat_tail_entry", NUM_EDGES) - 1, NONE),
        "has a tail": by_seat(whole("seat_tail", 1)),
        "set aside": whole("set_aside", SOLO_ROUNDS)[0],
        "bag": by_seat(whole("seat_bag", SOLO_TRAINS_IN_BAG)),
        "marker": whole("seat_marker", NUM_CORNERS)[[(seat - observer) % num_seats for seat in automa_seats]] - 1,
        "coins": [paths[seat] for seat in automa_seats.tolist()],
        "generation": np.where(np.arange(MAX_CONTRACTS) < contracts, saturated("contract_generation", 1), 0),
    }
    exits = read("seat_tail_exit").reshape(MAX_SEATS, NUM_EDGES)
    seen["tail_exit"] = by_seat(np.where(exits.any(axis=1), exits.argmax(axis=1), NONE), NONE)
    colors = read("city_color").reshape(MAX_CITIES, -1)
    seen["color"] = np.where(absent_city, NONE, colors.argmax(axis=1))
    owners = read("city_owner").reshape(MAX_CITIES, MAX_SEATS)
    seen["owner"] = np.where(owners.any(axis=1), (owners.argmax(axis=1) + observer) % num_seats, NONE)
    seen["resources"] = whole("city_resources", MOST_RESOURCES)
    member = read("city_network").reshape(MAX_CITIES, MAX_SEATS)
    linked = read("city_linked").reshape(MAX_CITIES, MAX_SEATS)
    network, ends = np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_CITIES, np.int64)
    for city, relative in np.argwhere(member):
        network[order[relative]] |= 1 << int(board["group"][city])
    for city, relative in np.argwhere(linked):
        ends[city] |= 1 << int(order[relative])
    seen["network"], seen["linked"] = network, ends
    place = np.full(MAX_CONTRACTS, PLACE_DECK)
    for name, first in (("contract_known", PLACE_HAND), ("contract_fulfilled", PLACE_FULFILLED)):
        relative = coded_seats(name)
        there = relative != NONE
        place[there] = first + (0 if solo else (relative[there] + observer) % num_seats)
    place[read("contract_own") > 0] = PLACE_HAND + (0 if solo else observer)
    place[read("contract_discarded") > 0] = PLACE_DISCARDED
    place[contracts:] = PLACE_ABSENT
    seen["place"] = place
    track, owner = np.full((MAX_HEXES, 2), NONE), np.full((MAX_HEXES, 2), NONE)
    for hex_index, found in opened.segments.items():
        for slot, (pair, relative, complete) in enumerate(found):
            track[hex_index, slot] = pair
            owner[hex_index, slot] = int(order[relative]) * 2 + complete
    seen["track"], seen["links of segments"] = track, owner
    seen["reach"] = follow_links(board, opened.segments)
    return seen


def follow_links(board: np.record, segments: Mapping[int, list[Segment]]) -> np.ndarray:
    """``reach``, from the tracks: whoever leaves a city by a complete link comes to another one."""
    reach = np.zeros(MAX_CITIES, np.int64)
    for city in range(int(board["num_cities"])):
        for edge in range(NUM_EDGES):
            here, out = int(board["city_hex"][city]), edge
            while True:
                here = int(board["neighbour"][here, out])
                entry = (out + 3) % NUM_EDGES
                if here == NONE or board["hex_city"][here] != NONE:
                    break
                ways = [pair for pair, _, complete in segments.get(here, []) if complete and uses(pair, entry)]
                if not ways:
                    here = NONE
                    break
                out = int(other_edge(ways[0], entry))
            start = int(board["group"][city])
            if here != NONE and here != int(board["neighbour"][board["city_hex"][city], edge]):
                reach[start] |= 1 << int(board["group"][board["hex_city"][here]])
    return reach


HIDDEN = ("rng", "deck_order", "slot", "known")  # of "known", ``is_unseen`` tells what the observer itself knows
FOLLOWS = ("met", "link_start", "link_edge", "num_links")  # from track, tails and map
WHICH = ("board_index", "deck_index", "spare")  # nothing of the game
OTHERWISE = ("tail_link", "link_owner", "link_end", "track_link", "bag_size", "num_coins")  # told in another form


def what_is_there(record: np.record, observer: int) -> dict[str, Any]:
    """The same from the record itself: all of its fields but those that are hidden or follow from others."""
    left_out = {*HIDDEN, *FOLLOWS, *WHICH, *OTHERWISE}
    seen = {name: record[name] for name in record.dtype.names if name not in left_out}
    seen["place"] = np.where(is_unseen(np.array([record]), observer)[0], PLACE_DECK, record["place"])
    seen["set aside"] = (record["place"] == PLACE_ASIDE).sum()
    bag = record["bag"][: record["bag_size"]]
    seen["bag"] = np.array([(bag == company).sum() for company in range(MAX_SEATS)])
    automas = int(record["num_automas"])
    seen["automa_level"] = record["automa_level"] if automas else np.int64(NONE)
    seen["marker"] = record["marker"][:automas]
    seen["coins"] = [record["coins"][number, : record["num_coins"][number]].tolist() for number in range(automas)]
    seen["has a tail"] = record["tail_link"] != NONE
    link = record["track_link"].astype(np.int64)
    owner = record["link_owner"][link] * 2 + (record["link_end"][link] != NONE)
    seen["links of segments"] = np.where(link == NONE, NONE, owner)
    return seen
