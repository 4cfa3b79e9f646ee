"""What every encoding must keep, whatever its arrays are; and how a position is read back from an observation."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from gymnasium import spaces

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, other_edge, pair_of, uses
from steam_env.core.steam_power.hidden import blank_games
from steam_env.core.steam_power.setup import blank_game
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
    NUM_PHASES,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    RESOURCES_PER_COLOR,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.data.steam_power.rules import MAX_ROUNDS_ALLOWED
from steam_env.encoding import Observations
from steam_env.encoding.layout import Part
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import MONEY_EXACT, MOST_RESOURCES, NUM_LEVELS, OFF_MAP_HALF, ROUNDS_SCALE
from steam_env.envs.observed import make_observation_space
from tests.seen import (
    FOLLOWS,
    HIDDEN,
    IN_SOLO,
    PARTLY_HIDDEN,
    SOLO_KIND,
    VISIBLE,
    WITH_AUTOMAS,
    Kind,
    Table,
    find_record,
    hide,
    in_phase,
    is_rich,
    is_unseen,
    make_cards,
    make_map,
    play_at_random,
    play_table,
    rotate_seats,
    see,
    swap,
)

ROOT = Path(__file__).parent.parent
CHANGES = [
    *((Kind(4), field) for field in VISIBLE),
    *((Kind(4, 2), field) for field in WITH_AUTOMAS),
    *((SOLO_KIND, field) for field in IN_SOLO),
]


# --- encoding ---------------------------------------------------------------------------------------------


def encode(name: str, table: Table, records: np.ndarray, seats: int | np.ndarray) -> Observations:
    """The observations in memory that was full of other values."""
    encoding = ENCODINGS[name]
    out = encoding.allocate(len(records))
    for array in arrays_of(out).values():
        array[...] = 77
    observers = np.broadcast_to(np.asarray(seats, np.int64), (len(records),)).copy()
    encoding.encode(records, table.boards, table.decks, observers, out)
    return out


def arrays_of(observations: Observations) -> dict[str, np.ndarray]:
    return observations if isinstance(observations, dict) else {"": observations}


def join(observations: Observations) -> np.ndarray:
    """All values of each observation in one row (n, ...) float32, which holds every index of a node exactly."""
    arrays = arrays_of(observations).values()
    return np.concatenate([array.reshape(len(array), -1).astype(np.float32) for array in arrays], axis=1)


def encode_rows(name: str, table: Table, records: np.ndarray, seats: int | np.ndarray) -> np.ndarray:
    return join(encode(name, table, records, seats))


# --- space, values ----------------------------------------------------------------------------------------


def check_space(name: str, kind: Kind) -> None:
    """Every observation is in the space, which is the same for all kinds; all values are finite."""
    table, space = play_table(kind), make_observation_space(ENCODINGS[name])
    for seat in range(kind.seats):
        records = table.records[seat % 3 :: 29]
        observations = encode(name, table, records, seat)
        for index in range(len(records)):
            if isinstance(observations, dict):
                assert space.contains({key: values[index] for key, values in observations.items()})
            else:
                assert space.contains(observations[index])
        assert np.isfinite(join(observations)).all()


def play_largest(kind: Kind) -> Table:
    """Games on a map with as many hexes, cities and contracts as there can be, with extreme numbers."""
    boards, decks = make_map(16, 16, MAX_CITIES, seed=0), make_cards(MAX_CONTRACTS, seed=0)
    blank = blank_game(
        kind.seats, kind.edition, kind.mode, "cheapest", MAX_CONTRACTS, MAX_ROUNDS_ALLOWED, kind.automas, NUM_LEVELS - 1
    )
    games = np.repeat(blank, 4)
    for _ in play_at_random(games, boards, decks, seed=0):
        pass
    games["money"] = np.iinfo(np.int32).max
    games["tiles"] = -9
    games["off_map"] = np.iinfo(np.int16).max
    games["generation"] = np.iinfo(np.int8).max
    games["num_coins"][:, : kind.automas] = MAX_HEXES
    games["coins"][:, : kind.automas] = np.arange(MAX_HEXES)
    return Table(boards, decks, games)


def check_largest_map(name: str, kind: Kind) -> None:
    table = play_largest(kind)
    space = make_observation_space(ENCODINGS[name])
    observations = encode(name, table, table.records, 4)
    boxes = space.spaces if isinstance(space, spaces.Dict) else {"": space}
    for key, values in arrays_of(observations).items():
        assert all(boxes[key].contains(one) for one in values), key
    assert join(observations).min() < 0  # some bound is reached


def check_nobody(name: str) -> None:
    """Zeros for no observer, and what is right for the one after it."""
    table = play_table(Kind(2))
    rows = encode_rows(name, table, table.records[:2], np.array([NONE, 0]))
    assert not rows[0].any()
    assert np.array_equal(rows[1:], encode_rows(name, table, table.records[1:2], 0))


def check_batch(name: str) -> None:
    """Games of other boards and decks side by side have what each has alone; nothing else is changed."""
    tables = [play_table(kind) for kind in (Kind(2), Kind(3), Kind(5))]
    boards = np.concatenate([table.boards for table in tables])
    decks = np.concatenate([table.decks for table in tables])
    parts = [table.records[200 * number :: 700].copy() for number, table in enumerate(tables)]
    for number, part in enumerate(parts):
        part["board_index"], part["deck_index"] = number, number
    records = np.concatenate(parts)[np.random.default_rng(0).permutation(sum(map(len, parts)))]
    mixed = Table(boards, decks, records)
    before = [array.tobytes() for array in mixed]
    rows = encode_rows(name, mixed, records, 1)
    assert [array.tobytes() for array in mixed] == before
    for index in range(len(records)):
        assert np.array_equal(encode_rows(name, mixed, records[index : index + 1], 1)[0], rows[index])


def check_own_seat_first(name: str, kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[::23]
    for shift in range(1, kind.seats):
        for seat in range(kind.seats):
            moved = encode_rows(name, table, rotate_seats(records, shift), (seat + shift) % kind.seats)
            assert np.array_equal(moved, encode_rows(name, table, records, seat))


# --- what is hidden, what is visible ------------------------------------------------------------------------


def check_hidden(name: str, kind: Kind) -> None:
    """What a seat may not know leaves no trace, and its view has the same observation."""
    table = play_table(kind)
    records = table.records[::23]
    rng = np.random.default_rng(0)
    for seat in range(kind.seats):
        rows = encode_rows(name, table, records, seat)
        dealt = hide(records, seat, rng)
        assert (dealt["deck_order"] != records["deck_order"]).any()
        assert np.array_equal(encode_rows(name, table, dealt, seat), rows)
        views = records.copy()
        blank_games(views, np.full(len(views), seat))
        assert (views["place"] == PLACE_UNKNOWN).any()
        assert np.array_equal(encode_rows(name, table, views, seat), rows)


def check_known_contract(name: str) -> None:
    """A contract known to be in another's hand shows to who knows it alone (rule 11.2)."""
    table = play_table(Kind(3))
    record = find_record(Kind(3), lambda games: (games["hand_size"][:, 1] > 0) & in_phase(0)(games))
    record["known"] = 0
    known = record.copy()
    known["known"][0, np.flatnonzero(record["place"][0] == PLACE_HAND + 1)[0]] = 1
    for seat in range(3):
        same = np.array_equal(encode_rows(name, table, known, seat), encode_rows(name, table, record, seat))
        assert same == (seat != 0)


def check_change_shows(name: str, kind: Kind, field: str) -> None:
    """Every change of the field shows to every seat."""
    fields = IN_SOLO if kind == SOLO_KIND else WITH_AUTOMAS if kind.automas else VISIBLE
    phase, find_changes = fields[field]
    table = play_table(kind)
    record = find_record(kind, is_rich if phase is None else in_phase(phase))
    changes = list(find_changes(record[0], field, table))
    assert changes
    changed = np.repeat(record, len(changes))
    for index, (place, value) in enumerate(changes):
        if place is None:
            changed[field][index] = value
        else:
            changed[field][(index, *(place if isinstance(place, tuple) else (place,)))] = value
    for seat in range(kind.seats):
        before = encode_rows(name, table, record, seat)[0]
        for start in range(0, len(changed), 256):
            rows = encode_rows(name, table, changed[start : start + 256], seat)
            same = np.flatnonzero((rows == before).all(axis=1))
            assert not same.size, f"seat {seat} does not see {[changes[start + index] for index in same]} of {field}"


def check_own_hand_shows(name: str, kind: Kind) -> None:
    """Every exchanged contract of the own hand shows."""
    table, record = play_table(kind), find_record(kind, is_rich)
    place = record["place"][0]
    for seat in range(kind.seats - kind.automas):
        before = encode_rows(name, table, record, seat)
        for own in np.flatnonzero(place == PLACE_HAND + (0 if kind == SOLO_KIND else seat)):
            for other in np.flatnonzero((place == PLACE_DECK) | (place == PLACE_ASIDE)):
                changed = record.copy()
                swap(changed["place"][0], own, other)
                assert not np.array_equal(encode_rows(name, table, changed, seat), before)


def check_equal_exactly_if_they_look_equal(name: str, kind: Kind) -> None:
    """So nothing is told that is not seen, either: the order or the direction of links, or who knows what."""
    table = play_table(kind)
    for seat in range(kind.seats):
        pairs = set()
        for start in range(0, len(table.records), 768):
            records = table.records[start : start + 768 : 3]
            rows = [hash(row.tobytes()) for row in encode_rows(name, table, records, seat)]
            pairs |= set(zip(rows, see(records, seat), strict=True))
        assert len(pairs) == len({row for row, _ in pairs}) == len({seen for _, seen in pairs})
        assert len(pairs) > 100


def check_plain_python(name: str, folder: Path) -> None:
    """The kernels give the same as plain Python."""
    tables = [play_table(kind) for kind in (Kind(2), Kind(5, 4), SOLO_KIND)]
    for number, table in enumerate(tables):
        chosen = np.concatenate([table.records[table.records["phase"] == phase][-1:] for phase in range(NUM_PHASES)])
        for key, array in (("boards", table.boards), ("decks", table.decks), ("records", chosen)):
            (folder / f"{key}{number}").write_bytes(array.tobytes())
        (folder / f"rows{number}").write_bytes(encode_rows(name, table, chosen, 1).tobytes())
    script = """
import sys
from pathlib import Path
import numpy as np
from steam_env.core.jit import JIT_DISABLED
from steam_env.core.steam_power.state import BOARD, DECK, GAME
from tests.encoding_checks import encode_rows
from tests.seen import Table
assert JIT_DISABLED
for number in range(3):
    load = lambda key, dtype: np.frombuffer((Path(sys.argv[1]) / f"{key}{number}").read_bytes(), dtype)
    records = load("records", GAME)
    rows = encode_rows(sys.argv[2], Table(load("boards", BOARD), load("decks", DECK), records), records, 1)
    assert rows.tobytes() == load("rows", np.uint8).tobytes(), number
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "error", "-c", script, str(folder), name]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def check_printed(name: str) -> None:
    """``python -m`` prints the layout."""
    command = [sys.executable, "-W", "error", "-m", f"steam_env.encoding.{name}"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == ENCODINGS[name].describe()
    assert printed.stderr == ""


# --- reading a position back ----------------------------------------------------------------------------------

Segment = tuple[int, int, bool]  # edge pair, relative seat, whether its link is complete
Read = Callable[[str], np.ndarray]  # a part of `flat`, by name


def rebuild(
    read: Read, segments: Mapping[int, list[Segment]], coins: list[list[int]], table: Table, observer: int
) -> dict[str, np.ndarray]:
    """All that the observer may see of a position, as the fields of ``GAME`` hold it, from its observation.

    Args:
        read: gives `flat`'s parts.
        segments: by hex, the one with the lower edge pair first.
        coins: the coin paths of the Automas in turn order from the observer on.
        table: whose boards and decks hold the map and the deck of the game.
        observer: its seat.
    """
    board, deck = table.boards[0], table.decks[0]

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
    paths = dict(zip((int(order[relative]) for relative in np.flatnonzero(automas)), coins, strict=True))
    subject = code("city_subject")
    absent_city = np.arange(MAX_CITIES) >= cities

    def group_of(name: str) -> int:
        city = code(name)
        return NONE if city == NONE else int(board["group"][city])

    seen: dict[str, object] = {
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
        "set aside": whole("set_aside", SOLO_ROUNDS)[0],
        "bag": by_seat(whole("seat_bag", SOLO_TRAINS_IN_BAG)),
        "marker": whole("seat_marker", NUM_CORNERS)[[(seat - observer) % num_seats for seat in automa_seats]] - 1,
        "coins": [paths[int(seat)] for seat in automa_seats],
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
    for hex_index, found in segments.items():
        for slot, (pair, relative, complete) in enumerate(found):
            track[hex_index, slot] = pair
            owner[hex_index, slot] = int(order[relative]) * 2 + complete
    seen["track"], seen["links of segments"] = track, owner
    seen["reach"] = follow_links(board, segments)
    return {name: np.asarray(value, object if name == "coins" else np.int64) for name, value in seen.items()}


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


def what_is_there(record: np.record, observer: int) -> dict[str, np.ndarray]:
    """The same from the record itself."""
    seen = {name: record[name] for name in record.dtype.names}
    for name in (*HIDDEN, *FOLLOWS, *PARTLY_HIDDEN, "spare", "tail_link", "link_owner", "link_end", "track_link"):
        seen.pop(name, None)
    records = np.array([record])
    unseen = is_unseen(records, observer)[0]
    seen["place"] = np.where(unseen, PLACE_DECK, record["place"])
    seen["set aside"] = (record["place"] == PLACE_ASIDE).sum()
    bag = record["bag"][: record["bag_size"]]
    seen["bag"] = np.array([(bag == company).sum() for company in range(MAX_SEATS)])
    automas = int(record["num_automas"])
    if not automas:
        seen["automa_level"] = np.int64(NONE)
    seen["marker"] = record["marker"][:automas]
    seen["coins"] = np.empty(automas, object)
    seen["coins"] = [record["coins"][number, : record["num_coins"][number]].tolist() for number in range(automas)]
    link = record["track_link"].astype(np.int64)
    owner = record["link_owner"][link] * 2 + (record["link_end"][link] != NONE)
    seen["links of segments"] = np.where(link == NONE, NONE, owner)
    del seen["bag_size"], seen["num_coins"]
    return seen


def check_rebuilt(
    kind: Kind,
    name: str,
    open_observation: Callable[[Observations, int, Table], tuple[Read, Mapping[int, list[Segment]], list[list[int]]]],
    step: int = 37,
) -> None:
    """Every visible field can be read back, given map and deck.

    ``open_observation(observations, index, table)`` gives the first three arguments of ``rebuild``.
    """
    table = play_table(kind)
    records = table.records[::step]
    for seat in range(kind.seats):
        observations = encode(name, table, records, seat)
        for index, record in enumerate(records):
            there = what_is_there(record, seat)
            told = rebuild(*open_observation(observations, index, table), table, seat)
            assert told.keys() == there.keys()
            for field, values in there.items():
                if field == "coins":
                    assert [list(path) for path in told[field]] == values
                else:
                    assert np.array_equal(told[field], np.asarray(values)), (field, told[field], values)


def segments_of_edges(owners: np.ndarray) -> list[Segment]:
    """The segments of a hex, from whose track uses each edge: (seats, 6), 1 complete, 0.5 incomplete, 0 none."""
    used = [(int(edge), int(relative)) for relative, edge in np.argwhere(owners)]
    used.sort()
    half = len(used) // 2
    found = []
    for slot in range(half):
        (edge, relative), (other, same) = used[slot], used[slot + half]
        assert relative == same
        found.append((int(pair_of(edge, other)), relative, bool(owners[relative, edge] == 1)))
    return sorted(found)


def read_coins(coins: np.ndarray) -> list[list[int]]:
    """The coin paths, from (hexes, Automas) features."""
    assert coins.shape[1] <= MAX_AUTOMAS
    paths = []
    for column in coins.T:
        there = np.flatnonzero(column)
        places = MAX_PATH - np.round(column[there].astype(np.float64) * MAX_PATH).astype(int)
        assert sorted(places) == list(range(len(there)))
        paths.append(there[np.argsort(places)].tolist())
    return paths


def values_of(values: np.ndarray, parts: Iterable[Part], name: str) -> np.ndarray:
    """The part of that name, along the last axis."""
    part = next(part for part in parts if part.name == name)
    return values[..., part.start : part.start + part.length]
