import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from steam_env.core.actions import NUM_ACTIONS
from steam_env.core.board import make_board, make_deck
from steam_env.core.setup import blank_game, deal_games
from steam_env.core.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_NAMES,
    CITY,
    COLOR_LETTERS,
    EDGE_STEPS,
    GAME_FIELDS,
    HEAD,
    HILLS,
    HOP,
    ICON_NAMES,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_SEATS,
    MOUNTAINS,
    NONE,
    NUM_COLORS,
    NUM_EDGES,
    NUM_PHASES,
    NUM_RESOURCES,
    OVER,
    PAY,
    PLACE_DECK,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    PLAINS,
    SOURCE,
    TAKE_FROM,
    TRACK,
    WATER,
    new_work,
)
from steam_env.core.step import settle_games, step_games
from steam_env.core.tiles import NUM_PAIRS
from steam_env.encoding import ENCODINGS
from steam_env.encoding.board_features import BOARD_FEATURES, make_board_features
from steam_env.encoding.flat import (
    FLAT_HIGH,
    FLAT_LOW,
    FLAT_SIZE,
    LAYOUT,
    NUM_LEVELS,
    ROUNDS_SCALE,
    describe_layout,
    encode_flat_games,
)
from steam_env.rules import AUTOMA_LEVELS, MAX_ROUNDS_ALLOWED

ROOT = Path(__file__).parent.parent
MAX_LENGTH = 3072
SEAT_COUNTS = (2, 3, 4, 5)
DECISIONS = 240
GAMES = 48


# --- positions to look at ---------------------------------------------------------------------------


class Table(NamedTuple):
    """Boards and decks (one each), and records (n,) of positions on the way through random games."""

    boards: np.ndarray
    decks: np.ndarray
    records: np.ndarray


def make_map(columns: int, rows: int, num_cities: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    cells = [(col, row) for col in range(1, columns + 1) for row in range(2 - col % 2, 2 * rows + 1, 2)]
    terrain = rng.choice([PLAINS, HILLS, MOUNTAINS, WATER], len(cells), p=[0.7, 0.15, 0.05, 0.1])
    terrain[rng.choice(len(cells), num_cities, replace=False)] = CITY
    return make_board([(col, row, int(kind)) for (col, row), kind in zip(cells, terrain, strict=True)])


def make_cards(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    letters = list(COLOR_LETTERS[:NUM_RESOURCES])
    return make_deck(
        [
            (
                "".join(rng.choice(letters, rng.integers(1, 4))),
                int(rng.integers(0, 8)),
                int(rng.integers(0, 9)),
                str(rng.choice(BONUS_NAMES)),
                str(rng.choice(ICON_NAMES)),
            )
            for _ in range(count)
        ]
    )


def play_at_random(games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    """The records before each decision, all games in step; the same array each time."""
    work = new_work()[0]
    masks = np.zeros((len(games), NUM_ACTIONS), bool)
    bag = np.array([COLOR_LETTERS.index(letter) for letter in "WBOGP" * 7])
    everywhere = np.ones(len(games), bool)
    rng = np.random.default_rng(seed)
    deal_games(games, boards, decks, bag, NONE, np.arange(len(games)) + 1000 * seed, everywhere)
    settle_games(games, boards, decks, work, masks, everywhere)
    eagerness = np.ones(NUM_ACTIONS)
    eagerness[0] = 0.3
    for _ in range(DECISIONS):
        yield games
        actions = (masks * eagerness * rng.random(masks.shape)).argmax(1)
        step_games(games, boards, decks, work, actions, masks)
    yield games


@cache
def play_table(num_seats: int, edition: str = "final") -> Table:
    boards = make_map(6, 5, 9, seed=num_seats)
    decks = make_cards(5 * num_seats + 6, seed=num_seats)
    games = np.repeat(blank_game(num_seats, edition, "multiplayer", "any", 6, 60), GAMES)
    records = np.concatenate([now.copy() for now in play_at_random(games, boards, decks, seed=num_seats)])
    return Table(boards, decks, records)


def find_record(num_seats: int, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """An array of the one latest record of random games for which ``wanted`` holds."""
    records = play_table(num_seats).records
    found = np.flatnonzero(wanted(records))
    assert found.size, "no such position in the random games"
    return records[found[-1:]].copy()


def in_phase(phase: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda records: records["phase"] == phase


def is_rich(records: np.ndarray) -> np.ndarray:
    """Much is on the table: tails, a second segment, factories, fulfilled contracts, a deck."""
    fulfilled = (records["place"] >= PLACE_FULFILLED) & (records["place"] < PLACE_UNKNOWN)
    return (
        (records["phase"] == ACTION)
        & (records["deck_size"] > 1)
        & fulfilled.any(axis=1)
        & (records["tail_hex"] != NONE).any(axis=1)
        & (records["track"][:, :, 1] != NONE).any(axis=1)
        & (records["resources"] > 0).any(axis=1)
        & (records["network"] != 0).any(axis=1)
    )


def encode(table: Table, records: np.ndarray, seats: int | np.ndarray) -> np.ndarray:
    out = np.full((len(records), FLAT_SIZE), np.nan, np.float32)
    observers = np.broadcast_to(np.asarray(seats, np.int64), (len(records),)).copy()
    encode_flat_games(records, table.boards, table.decks, observers, out)
    return out


def encode_one(num_seats: int, record: np.ndarray, seat: int) -> np.ndarray:
    return encode(play_table(num_seats), record, seat)[0]


# --- layout -----------------------------------------------------------------------------------------


def test_layout__parts_are_contiguous_and_fill_the_vector() -> None:
    starts = [part.start for part in LAYOUT]
    ends = [part.start + part.length for part in LAYOUT]
    assert starts == [0, *ends[:-1]]
    assert ends[-1] == FLAT_SIZE <= MAX_LENGTH
    assert all(part.length > 0 for part in LAYOUT)
    assert len({part.name for part in LAYOUT}) == len(LAYOUT)


def test_layout__table_names_every_part() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", describe_layout(), re.MULTILINE)
    assert [(int(start), int(length), name) for start, length, name in rows] == [
        (part.start, part.length, part.name) for part in LAYOUT
    ]


def test_layout__is_printed_by_the_module() -> None:
    command = [sys.executable, "-W", "error", "-m", "steam_env.encoding.flat"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == describe_layout()
    assert printed.stderr == ""


def test_layout__scales_fit_the_rules() -> None:
    assert ROUNDS_SCALE == MAX_ROUNDS_ALLOWED
    assert len(AUTOMA_LEVELS) == NUM_LEVELS


def test_registry__describes_the_space() -> None:
    encoding = ENCODINGS["flat"]
    out = encoding.allocate(3)
    assert encoding.name == "flat"
    assert (out.shape, out.dtype) == ((3, FLAT_SIZE), np.float32)
    assert (encoding.low, encoding.high) == (min(part.low for part in LAYOUT), FLAT_HIGH)
    assert encoding.describe() == describe_layout()
    table = play_table(2)
    encoding.encode(table.records[:3], table.boards, table.decks, np.zeros(3, np.int64), out)
    assert np.array_equal(out, encode(table, table.records[:3], 0))


def test_encode__refuses_rows_of_another_length() -> None:
    table = play_table(2)
    for shape in ((1, FLAT_SIZE), (2, FLAT_SIZE - 1)):
        with pytest.raises(ValueError, match="FLAT_SIZE"):
            encode_flat_games(
                table.records[:2], table.boards, table.decks, np.zeros(2, np.int64), np.zeros(shape, np.float32)
            )


def test_encode__refuses_an_observer_who_is_not_at_the_table() -> None:
    table = play_table(2)
    for seat in (-2, 2):
        with pytest.raises(ValueError, match="observer"):
            encode(table, table.records[:1], seat)


def test_encode__writes_zeros_for_no_observer() -> None:
    table = play_table(2)
    rows = encode(table, table.records[:2], np.array([NONE, 0]))
    assert not rows[0].any()
    assert np.array_equal(rows[1:], encode(table, table.records[1:2], 0))


# --- values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_seats", SEAT_COUNTS)
def test_random_games__reach_every_phase(num_seats: int) -> None:
    phases = set(play_table(num_seats).records["phase"].tolist())
    assert phases >= set(range(NUM_PHASES)) - ({PAY, TAKE_FROM} if num_seats == 2 else set())


@pytest.mark.parametrize("num_seats", SEAT_COUNTS)
def test_values__are_finite_and_within_the_bounds_of_their_part(num_seats: int) -> None:
    table = play_table(num_seats)
    low = np.concatenate([np.full(part.length, part.low) for part in LAYOUT])
    for seat in range(num_seats):
        rows = encode(table, table.records, seat)
        assert np.isfinite(rows).all()
        assert (rows >= low).all()
        assert (rows <= FLAT_HIGH).all()


def test_values__stay_in_bounds_on_the_largest_map() -> None:
    boards = make_map(16, 16, MAX_CITIES, seed=0)
    assert boards["num_hexes"][0] == MAX_HEXES
    decks = make_cards(MAX_CONTRACTS, seed=0)
    games = np.repeat(blank_game(5, "preview", "multiplayer", "cheapest", MAX_CONTRACTS, MAX_ROUNDS_ALLOWED), 4)
    for _ in play_at_random(games, boards, decks, seed=0):
        pass
    games["money"] = np.iinfo(np.int32).max
    games["tiles"] = -9
    games["off_map"] = np.iinfo(np.int16).max
    games["generation"] = np.iinfo(np.int8).max
    rows = encode(Table(boards, decks, games), games, 4)
    assert FLAT_LOW <= rows.min() < 0
    assert rows.max() == FLAT_HIGH


SELDOM = {"seat_automa", "contract_generation", "contract_known", "city_hop"}  # may be zero in random games of two


def test_values__absent_seats_cities_hexes_and_contracts_are_zero() -> None:
    table = play_table(2)
    rows = encode(table, table.records, 1)
    sizes = {"seat_": (MAX_SEATS, 2), "city_": (MAX_CITIES, table.boards["num_cities"][0])}
    sizes |= {"contract_": (MAX_CONTRACTS, table.decks["num_contracts"][0])}
    sizes |= {"track_": (MAX_HEXES, table.boards["num_hexes"][0])}
    for prefix, (capacity, present) in sizes.items():
        for part in LAYOUT:
            if part.name.startswith(prefix):
                values = rows[:, part.start : part.start + part.length].reshape(len(rows), capacity, -1)
                assert not values[:, present:].any(), part.name
                assert values[:, :present].any() or part.name in SELDOM, part.name


def test_encoding__changes_no_byte_of_the_records() -> None:
    table = play_table(3)
    before = [array.tobytes() for array in table]
    encode(table, table.records, 2)
    assert [array.tobytes() for array in table] == before


def test_encoding__clears_what_the_row_held_before() -> None:
    table = play_table(4)
    first, second = table.records[:1], table.records[-1:]
    row = encode(table, first, 1)
    encode_flat_games(second, table.boards, table.decks, np.ones(1, np.int64), row)
    assert np.array_equal(row, encode(table, second, 1))


# --- who looks --------------------------------------------------------------------------------------------


def rotate_mask(masks: np.ndarray, shift: int, num_seats: int) -> np.ndarray:
    """Sets of seats with every seat moved ``shift`` places on."""
    rotated = np.zeros_like(masks)
    for seat in range(num_seats):
        rotated |= ((masks >> seat) & 1) << ((seat + shift) % num_seats)
    return rotated


def rotate_seats(records: np.ndarray, shift: int) -> np.ndarray:
    """The same positions with every seat moved ``shift`` places on; all have equally many seats."""
    rotated = records.copy()
    num_seats = int(records["num_seats"][0])
    for name in BY_SEAT:
        rotated[name][:, :num_seats] = np.roll(records[name][:, :num_seats], shift, axis=1)
    for name in ("seat", "first_player", "owner", "link_owner"):
        rotated[name] = np.where(records[name] == NONE, NONE, (records[name] + shift) % num_seats)
    for name in ("linked", "known"):
        rotated[name] = rotate_mask(records[name], shift, num_seats)
    place = records["place"]
    for first in (PLACE_HAND, PLACE_FULFILLED):
        here = (place >= first) & (place < first + MAX_SEATS)
        rotated["place"][here] = first + (place[here] - first + shift) % num_seats
    return rotated


BY_SEAT = (
    *("network", "money", "trains", "factories", "hand_size", "num_fulfilled"),
    *("tail_link", "tail_hex", "tail_entry", "tail_exit"),
)


@pytest.mark.parametrize("num_seats", SEAT_COUNTS)
def test_own_seat__comes_first_wherever_it_sits(num_seats: int) -> None:
    table = play_table(num_seats)
    records = table.records[::7]
    for shift in range(1, num_seats):
        for seat in range(num_seats):
            moved = encode(table, rotate_seats(records, shift), (seat + shift) % num_seats)
            assert np.array_equal(moved, encode(table, records, seat))


# --- what is hidden ---------------------------------------------------------------------------------------


def swap(values: np.ndarray, first: int, second: int) -> None:
    values[[first, second]] = values[[second, first]]


def hide(records: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The positions with all that the seat may not know dealt anew (rule 11.3)."""
    dealt = records.copy()
    for record in dealt:
        place = record["place"]
        in_other_hand = (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != PLACE_HAND + seat)
        in_other_hand &= (record["known"] >> seat) & 1 == 0
        in_other_hand[record["contract"]] &= record["contract"] == NONE
        unknown = np.flatnonzero(in_other_hand | (place == PLACE_DECK))
        record["place"][unknown] = place[rng.permutation(unknown)]
        record["known"] = record["known"] & (1 << seat)
        deck = np.flatnonzero(record["place"] == PLACE_DECK)
        record["deck_order"][: len(deck)] = rng.permutation(deck)
        record["rng"] = rng.integers(1 << 32, size=record["rng"].shape)
    return dealt


@pytest.mark.parametrize("num_seats", SEAT_COUNTS)
def test_hidden__other_hands_deck_order_and_chance_leave_no_trace(num_seats: int) -> None:
    table = play_table(num_seats)
    records = table.records[::11]
    rng = np.random.default_rng(0)
    for seat in range(num_seats):
        dealt = hide(records, seat, rng)
        assert (dealt["place"] != records["place"]).any()
        assert np.array_equal(encode(table, dealt, seat), encode(table, records, seat))


def test_hidden__a_swap_between_deck_and_another_hand_is_seen_by_that_hand_alone() -> None:
    record = find_record(3, lambda records: (records["deck_size"] > 0) & (records["hand_size"][:, 1] > 0))
    changed = record.copy()
    changed["known"] = record["known"] = 0
    place = changed["place"][0]
    swap(place, np.flatnonzero(place == PLACE_DECK)[0], np.flatnonzero(place == PLACE_HAND + 1)[0])
    for seat in (0, 2):
        assert np.array_equal(encode_one(3, changed, seat), encode_one(3, record, seat))
    assert not np.array_equal(encode_one(3, changed, 1), encode_one(3, record, 1))


def test_known_contract__is_seen_by_who_knows_it_and_in_which_hand() -> None:
    record = find_record(3, lambda records: (records["hand_size"][:, 1:3] > 0).all(axis=1) & in_phase(ACTION)(records))
    record["known"] = 0
    contract = np.flatnonzero(record["place"][0] == PLACE_HAND + 1)[0]
    known = record.copy()
    known["known"][0, contract] = 1 << 0
    assert not np.array_equal(encode_one(3, known, 0), encode_one(3, record, 0))
    for seat in (1, 2):
        assert np.array_equal(encode_one(3, known, seat), encode_one(3, record, seat))
    elsewhere = known.copy()
    swap(elsewhere["place"][0], contract, np.flatnonzero(record["place"][0] == PLACE_HAND + 2)[0])
    assert not np.array_equal(encode_one(3, elsewhere, 0), encode_one(3, known, 0))


def test_pending_contract__lies_open_for_all() -> None:
    record = find_record(3, in_phase(SOURCE))
    seat, contract = int(record["seat"][0]), int(record["contract"][0])
    part = next(part for part in LAYOUT if part.name == "contract_known")
    for relative in (1, 2):
        observer = (seat - relative) % 3
        row = encode_one(3, record, observer)
        assert row[part.start + contract] == np.float32((MAX_SEATS - relative) / MAX_SEATS)


def blank_view(record: np.ndarray, seat: int) -> np.ndarray:
    """The record with everything hidden from the seat blanked."""
    view = record.copy()
    place, known = view["place"][0], view["known"][0]
    unseen = (place == PLACE_DECK) | (
        (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != PLACE_HAND + seat) & ((known >> seat) & 1 == 0)
    )
    place[unseen] = PLACE_UNKNOWN
    known[unseen] = 0
    view["deck_order"] = NONE
    view["rng"] = 0
    return view


@pytest.mark.parametrize("phase", range(NUM_PHASES))
def test_view__has_the_encoding_of_the_record(phase: int) -> None:
    record = find_record(4, in_phase(phase))
    for seat in range(4):
        assert np.array_equal(encode_one(4, blank_view(record, seat), seat), encode_one(4, record, seat))


# --- what is visible --------------------------------------------------------------------------------------

HIDDEN = {"rng", "deck_order"}
PARTLY_HIDDEN = {"known"}  # see test_known_contract; of "place", the changes below are those that all see
# Not read: it follows from the track, the tails and the map, or says which map and deck these are.
FOLLOWS = {"link_start", "link_edge", "num_links", "board_index", "deck_index"}

Change = tuple[int | tuple[int, ...] | None, int]  # where in the field (None: a scalar), the new value
Changes = Callable[[np.record, str, Table], Iterator[Change]]  # of a field of a record


def count_present(record: np.record, table: Table, things: str) -> int:
    """How many "seats", "cities" or "contracts" there are."""
    counts = {"cities": table.boards["num_cities"][0], "contracts": table.decks["num_contracts"][0]}
    return int(counts.get(things, record["num_seats"]))


def list_groups(table: Table) -> list[int]:
    return sorted(set(table.boards["group"][0, : table.boards["num_cities"][0]].tolist()))


def shift_by(amount: int, things: str | None = None) -> Changes:
    """Every present element plus ``amount``."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        if values.ndim == 0:
            yield None, int(values) + amount
            return
        for index in range(count_present(record, table, things) if things else len(values)):
            yield index, int(values[index]) + amount

    return changes


def other_codes(count: int, lowest: int = 0, things: str | None = None) -> Changes:
    """Every present element with every other code from ``lowest`` to ``count`` - 1."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        places = range(count_present(record, table, things)) if things else [None]
        for place in places:
            now = int(values if place is None else values[place])
            yield from ((place, code) for code in range(lowest, count) if code != now)

    return changes


def flipped_bits(things: str) -> Changes:
    """Every present element with one bit flipped: of a seat for cities, of a group for seats and groups."""

    def changes(record: np.record, field: str, table: Table) -> Iterator[Change]:
        values = record[field]
        groups = list_groups(table)
        places = {"groups": groups, "scalar": [None]}
        for place in places.get(things) or range(count_present(record, table, things)):
            for index in range(record["num_seats"]) if things == "cities" else groups:
                yield place, int(values if place is None else values[place]) ^ (1 << index)

    return changes


def other_segments(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every first segment as another one, or gone."""
    for hex_index in range(table.boards["num_hexes"][0]):
        now = int(record["track"][hex_index, 0])
        for pair in range(NONE, NUM_PAIRS):
            if pair != now and NONE not in (now, record["track_link"][hex_index, 0]):
                yield (hex_index, 0), pair


def other_links(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every segment as part of a link of another owner."""
    owner = record["link_owner"]
    for hex_index, slot in np.argwhere(record["track_link"] != NONE):
        now = owner[record["track_link"][hex_index, slot]]
        others = np.flatnonzero((owner != now) & (owner != NONE))
        if others.size:
            yield (int(hex_index), int(slot)), int(others[0])


def used_links(record: np.record) -> np.ndarray:
    return np.intersect1d(record["track_link"], np.flatnonzero(record["link_owner"] != NONE))


def other_owners(record: np.record, field: str, table: Table) -> Iterator[Change]:
    for link in used_links(record):
        yield int(link), int((record["link_owner"][link] + 1) % record["num_seats"])


def other_ends(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Complete links as incomplete ones and the other way round."""
    for link in used_links(record):
        yield int(link), 0 if record["link_end"][link] == NONE else NONE


def other_tail_links(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """A tail that is gone, or there."""
    for seat in range(record["num_seats"]):
        yield seat, 0 if record["tail_link"][seat] == NONE else NONE


def public_places(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Fulfilled contracts as fulfilled by others, and in the deck."""
    place = record["place"]
    for contract in np.flatnonzero((place >= PLACE_FULFILLED) & (place < PLACE_UNKNOWN)):
        for seat in range(record["num_seats"]):
            if place[contract] != PLACE_FULFILLED + seat:
                yield int(contract), PLACE_FULFILLED + seat
        yield int(contract), PLACE_DECK


VISIBLE: dict[str, tuple[int | None, Changes]] = {  # by field: the phase to look at (None: a rich table), changes
    "reach": (None, flipped_bits("groups")),
    "network": (None, flipped_bits("seats")),
    "visited": (HOP, flipped_bits("scalar")),
    "money": (None, shift_by(1, "seats")),
    "trains": (None, shift_by(-1, "seats")),
    "factories": (None, shift_by(-1, "seats")),
    "hand_size": (None, shift_by(1, "seats")),
    "num_fulfilled": (None, shift_by(1, "seats")),
    "tail_link": (None, other_tail_links),
    "tail_hex": (None, other_codes(20, NONE, "seats")),
    "tail_entry": (None, other_codes(NUM_EDGES, NONE, "seats")),
    "tail_exit": (None, other_codes(NUM_EDGES, NONE, "seats")),
    "stock": (None, shift_by(-1)),
    "off_map": (None, shift_by(1)),
    "tiles": (None, shift_by(-1)),
    "seat": (None, other_codes(4, NONE)),
    "phase": (None, other_codes(NUM_PHASES)),
    "first_player": (None, other_codes(4)),
    "round_number": (None, shift_by(1)),
    "actions_left": (None, other_codes(3)),
    "placements_left": (TRACK, other_codes(3)),
    "takes_left": (TAKE_FROM, other_codes(3)),
    "in_bonus": (BONUS, other_codes(2)),
    "start_city": (HEAD, other_codes(9)),
    "start_edge": (HEAD, other_codes(NUM_EDGES)),
    "build_city": (AMOUNT, other_codes(9)),
    "contract": (BONUS, other_codes(20, NONE)),
    "need": (SOURCE, shift_by(1)),
    "cargo_group": (HOP, other_codes(1, NONE)),
    "hop_group": (PAY, other_codes(1, NONE)),
    "truncated": (OVER, other_codes(2)),
    "deck_size": (None, shift_by(-1)),
    "num_seats": (None, other_codes(6, 5)),
    "num_automas": (None, shift_by(1)),
    "automa_level": (None, other_codes(NUM_LEVELS)),
    "edition": (None, other_codes(2)),
    "mode": (None, other_codes(2)),
    "routing": (None, other_codes(2)),
    "contracts_to_end": (None, shift_by(1)),
    "max_rounds": (None, shift_by(1)),
    "color": (None, other_codes(NUM_COLORS, 0, "cities")),
    "owner": (None, other_codes(4, NONE, "cities")),
    "resources": (None, other_codes(7, 0, "cities")),
    "linked": (None, flipped_bits("cities")),
    "place": (None, public_places),
    "generation": (None, shift_by(1, "contracts")),
    "track": (None, other_segments),
    "track_link": (None, other_links),
    "link_owner": (None, other_owners),
    "link_end": (None, other_ends),
}


def test_fields__are_all_either_visible_or_hidden_or_follow_from_others() -> None:
    names = [*VISIBLE, *HIDDEN, *PARTLY_HIDDEN, *FOLLOWS]
    assert sorted(names) == sorted(field.name for field in GAME_FIELDS)


@pytest.mark.parametrize("field", VISIBLE)
def test_visible_field__shows_every_change_to_every_seat(field: str) -> None:
    phase, find_changes = VISIBLE[field]
    table = play_table(4)
    record = find_record(4, is_rich if phase is None else in_phase(phase))
    changes = list(find_changes(record[0], field, table))
    assert changes
    changed = np.repeat(record, len(changes))
    for index, (place, value) in enumerate(changes):
        if place is None:
            changed[field][index] = value
        else:
            changed[field][(index, *(place if isinstance(place, tuple) else (place,)))] = value
    for seat in range(4):
        rows = encode(table, np.concatenate([record, changed]), seat)
        same = [change for change, row in zip(changes, rows[1:], strict=True) if np.array_equal(row, rows[0])]
        assert not same, f"seat {seat} does not see these changes of {field}: {same}"


def test_own_hand__every_exchanged_contract_shows() -> None:
    record = find_record(4, is_rich)
    place = record["place"][0]
    for seat in range(4):
        for own in np.flatnonzero(place == PLACE_HAND + seat):
            for other in np.flatnonzero(place == PLACE_DECK):
                changed = record.copy()
                swap(changed["place"][0], own, other)
                assert not np.array_equal(encode_one(4, changed, seat), encode_one(4, record, seat))


@pytest.mark.parametrize("amount", [0, 19, 20, 199, 200, 5000, 34777, 1 << 24])
def test_money__is_told_apart_however_much_it_is(amount: int) -> None:
    record = find_record(2, is_rich)
    less = record.copy()
    record["money"][0, 1] = amount
    less["money"][0, 1] = amount - 1 if amount else amount + 1
    assert not np.array_equal(encode_one(2, record, 0), encode_one(2, less, 0))


def see(records: np.ndarray, seat: int) -> list[bytes]:
    """All that the seat may see of each position, by another road: the record less what is not for it."""
    seen = records.copy()
    for name in (*HIDDEN, *FOLLOWS, "tail_link"):
        seen[name] = 0
    place = seen["place"]
    own_known = (seen["known"] >> seat) & 1
    pending = np.arange(MAX_CONTRACTS) == records["contract"][:, np.newaxis]
    unseen = (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != PLACE_HAND + seat)
    place[unseen & (own_known == 0) & ~pending] = PLACE_DECK
    seen["known"] = 0
    index = np.arange(len(records))[:, np.newaxis, np.newaxis]
    link = records["track_link"]
    owner = np.where(link == NONE, NONE, records["link_owner"][index, link])
    complete = (link != NONE) & (records["link_end"][index, link] != NONE)
    seen["track_link"] = owner * 2 + complete
    seen["link_owner"] = seen["link_end"] = 0
    return [record.tobytes() for record in seen]


@pytest.mark.parametrize("num_seats", SEAT_COUNTS)
def test_positions__have_equal_rows_exactly_if_they_look_equal(num_seats: int) -> None:
    table = play_table(num_seats)
    for seat in range(num_seats):
        rows = [row.tobytes() for row in encode(table, table.records, seat)]
        pairs = set(zip(rows, see(table.records, seat), strict=True))
        assert len(pairs) == len({row for row, _ in pairs}) == len({seen for _, seen in pairs})
        assert len(pairs) > 100


# --- plain Python -----------------------------------------------------------------------------------------


def test_encoding__is_the_same_in_plain_python(tmp_path: Path) -> None:
    tables = [play_table(2), play_table(5)]
    for number, table in enumerate(tables):
        chosen = np.concatenate([table.records[table.records["phase"] == phase][-2:] for phase in range(NUM_PHASES)])
        for name, array in (("boards", table.boards), ("decks", table.decks), ("records", chosen)):
            (tmp_path / f"{name}{number}").write_bytes(array.tobytes())
        (tmp_path / f"rows{number}").write_bytes(encode(table, chosen, 1).tobytes())
    script = """
import sys
from pathlib import Path
import numpy as np
from steam_env.core.jit import JIT_DISABLED
from steam_env.core.state import BOARD, DECK, GAME
from steam_env.encoding.flat import FLAT_SIZE, encode_flat_games
assert JIT_DISABLED
for number in range(2):
    load = lambda name, dtype: np.frombuffer((Path(sys.argv[1]) / f"{name}{number}").read_bytes(), dtype)
    records = load("records", GAME)
    out = np.full((len(records), FLAT_SIZE), np.nan, np.float32)
    seats = np.ones(len(records), np.int64)
    encode_flat_games(records, load("boards", BOARD), load("decks", DECK), seats, out)
    assert out.tobytes() == load("rows", np.uint8).tobytes(), number
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-W", "error", "-c", script, str(tmp_path)], cwd=ROOT, env=environment, check=True)


# --- static features ----------------------------------------------------------------------------------------


def test_board_features__are_fresh_arrays_as_described() -> None:
    table = play_table(3)
    board, deck = table.boards[0], table.decks[0]
    features, again = make_board_features(board, deck), make_board_features(board, deck)
    assert list(features) == list(BOARD_FEATURES)
    for name, values in features.items():
        described = f"{values.shape} {values.dtype}:"
        assert BOARD_FEATURES[name].startswith(described), name
        assert values.flags.writeable
        assert np.array_equal(values, again[name])
        for other in (again[name], table.boards, table.decks):
            assert not np.shares_memory(values, other)


def test_board_features__tell_map_and_deck() -> None:
    table = play_table(3)
    board, deck = table.boards[0], table.decks[0]
    features = make_board_features(board, deck)
    hexes, cities, contracts = int(board["num_hexes"]), int(board["num_cities"]), int(deck["num_contracts"])
    assert np.array_equal(features["hex_terrain"][:hexes].argmax(1), board["terrain"][:hexes])
    assert not features["hex_terrain"][hexes:].any()
    assert np.array_equal(features["hex_city"][features["city_hex"][:cities]], np.arange(cities))
    for edge, step in enumerate(EDGE_STEPS):
        near = np.flatnonzero(features["hex_neighbour"][:hexes, edge] != NONE)
        far = features["hex_neighbour"][near, edge]
        moves = features["hex_position"][far] - features["hex_position"][near]
        assert (moves == step).all()
    assert np.array_equal(features["contract_counts"].sum(1), deck["num_needs"])
    assert features["contract_bonus"].sum() == contracts
    assert (features["contract_icon"][contracts:] == NONE).all()
