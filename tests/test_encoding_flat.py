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
from steam_env.core.hidden import blank_games
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
    NUM_CORNERS,
    NUM_EDGES,
    NUM_PHASES,
    NUM_RESOURCES,
    OVER,
    PAY,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    PLAINS,
    SOLO,
    SOURCE,
    TAKE_FROM,
    TRACK,
    WATER,
    shared_work,
)
from steam_env.core.step import play_automas, settle_games, step_games
from steam_env.core.tiles import NUM_PAIRS, tile_kind
from steam_env.encoding import ENCODINGS
from steam_env.encoding.board_features import BOARD_FEATURES, make_board_features
from steam_env.encoding.flat import (
    COIN_BASE,
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
GAMES = 32


class Kind(NamedTuple):
    """What a table plays."""

    seats: int
    automas: int = 0
    edition: str = "final"
    mode: str = "multiplayer"


PLAYERS = [Kind(seats) for seats in SEAT_COUNTS]
AUTOMAS = [Kind(2, 1), Kind(3, 2), Kind(4, 2), Kind(4, 3), Kind(5, 4)]
SOLO_KIND = Kind(5, mode="solo")
KINDS = [*PLAYERS, Kind(3, edition="preview"), *AUTOMAS, SOLO_KIND]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))


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
    work = shared_work()
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
        waiting = games["seat"] >= games["num_seats"] - games["num_automas"]
        play_automas(games, boards, decks, work, waiting)
        settle_games(games, boards, decks, work, masks, waiting)
    yield games


@cache
def play_table(kind: Kind) -> Table:
    boards = make_map(6, 5, 9, seed=kind.seats)
    decks = make_cards(5 * kind.seats + 6, seed=kind.seats)
    to_end = 0 if kind.mode == "solo" else 6
    blank = blank_game(kind.seats, kind.edition, kind.mode, "any", to_end, 60, kind.automas, 2 if kind.automas else 0)
    games = np.repeat(blank, GAMES)
    records = np.concatenate([now.copy() for now in play_at_random(games, boards, decks, seed=kind.seats)])
    return Table(boards, decks, records)


def find_record(kind: Kind, wanted: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """An array of the one latest record of random games for which ``wanted`` holds."""
    records = play_table(kind).records
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


def encode_one(kind: Kind, record: np.ndarray, seat: int) -> np.ndarray:
    return encode(play_table(kind), record, seat)[0]


def values_of(rows: np.ndarray, name: str) -> np.ndarray:
    """The part of that name, of one row or of many."""
    part = next(part for part in LAYOUT if part.name == name)
    return rows[..., part.start : part.start + part.length]


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
    table = play_table(Kind(2))
    encoding.encode(table.records[:3], table.boards, table.decks, np.zeros(3, np.int64), out)
    assert np.array_equal(out, encode(table, table.records[:3], 0))


def test_encode__refuses_rows_of_another_length() -> None:
    table = play_table(Kind(2))
    for shape in ((1, FLAT_SIZE), (2, FLAT_SIZE - 1)):
        with pytest.raises(ValueError, match="FLAT_SIZE"):
            encode_flat_games(
                table.records[:2], table.boards, table.decks, np.zeros(2, np.int64), np.zeros(shape, np.float32)
            )


def test_encode__refuses_an_observer_who_is_not_at_the_table() -> None:
    table = play_table(Kind(2))
    for seat in (-2, 2):
        with pytest.raises(ValueError, match="observer"):
            encode(table, table.records[:1], seat)


def test_encode__writes_zeros_for_no_observer() -> None:
    table = play_table(Kind(2))
    rows = encode(table, table.records[:2], np.array([NONE, 0]))
    assert not rows[0].any()
    assert np.array_equal(rows[1:], encode(table, table.records[1:2], 0))


# --- values -------------------------------------------------------------------------------------------


@each_kind
def test_random_games__reach_every_phase(kind: Kind) -> None:
    phases = set(play_table(kind).records["phase"].tolist())
    seldom = {PAY, AMOUNT, TAKE_FROM, OVER} if kind.automas or kind.seats == 2 or kind.mode == "solo" else set()
    assert phases >= set(range(NUM_PHASES)) - seldom


@each_kind
def test_values__are_finite_and_within_the_bounds_of_their_part(kind: Kind) -> None:
    table = play_table(kind)
    low = np.concatenate([np.full(part.length, part.low) for part in LAYOUT])
    for seat in range(kind.seats):
        rows = encode(table, table.records[seat % 3 :: 3], seat)
        assert np.isfinite(rows).all()
        assert (rows >= low).all()
        assert (rows <= FLAT_HIGH).all()


@pytest.mark.parametrize(
    "kind", [Kind(5, edition="preview"), Kind(5, 4), SOLO_KIND], ids=("preview", "automas", "solo")
)
def test_values__stay_in_bounds_on_the_largest_map(kind: Kind) -> None:
    boards = make_map(16, 16, MAX_CITIES, seed=0)
    assert boards["num_hexes"][0] == MAX_HEXES
    decks = make_cards(MAX_CONTRACTS, seed=0)
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
    rows = encode(Table(boards, decks, games), games, 4)
    assert FLAT_LOW <= rows.min() < 0
    assert rows.max() == FLAT_HIGH


def test_values__absent_seats_cities_hexes_and_contracts_are_zero() -> None:
    filled = set()
    for kind in (Kind(2), Kind(2, 1), Kind(4), Kind(4, 2), SOLO_KIND):
        table = play_table(kind)
        rows = encode(table, table.records, 1)
        sizes = {"seat_": (MAX_SEATS, kind.seats), "city_": (MAX_CITIES, table.boards["num_cities"][0])}
        sizes |= {"contract_": (MAX_CONTRACTS, table.decks["num_contracts"][0])}
        sizes |= {"track_": (MAX_HEXES, table.boards["num_hexes"][0])}
        for prefix, (capacity, present) in sizes.items():
            for part in LAYOUT:
                if part.name.startswith(prefix):
                    values = rows[:, part.start : part.start + part.length].reshape(len(rows), capacity, -1)
                    assert not values[:, present:].any(), part.name
        filled |= {part.name for part in LAYOUT if rows[:, part.start : part.start + part.length].any()}
    assert {part.name for part in LAYOUT} - filled == {"edition", "routing", "truncated"}


def test_encoding__changes_no_byte_of_the_records() -> None:
    table = play_table(Kind(3))
    before = [array.tobytes() for array in table]
    encode(table, table.records, 2)
    assert [array.tobytes() for array in table] == before


def test_encoding__clears_what_the_row_held_before() -> None:
    table = play_table(Kind(4))
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
    """The same positions with every seat moved ``shift`` places on; in solo every company."""
    rotated = records.copy()
    num_seats = int(records["num_seats"][0])
    solo = records["mode"][0] == SOLO
    for name in OF_COMPANIES if solo else (*OF_COMPANIES, *OF_PLAYERS):
        rotated[name][:, :num_seats] = np.roll(records[name][:, :num_seats], shift, axis=1)
    for name in ("seat", "owner", "link_owner", "bag", *(() if solo else ("first_player",))):
        rotated[name] = np.where(records[name] == NONE, NONE, (records[name] + shift) % num_seats)
    for name in ("linked", "known"):
        rotated[name] = rotate_mask(records[name], shift, num_seats)
    if solo:
        return rotated
    place = records["place"]
    for first in (PLACE_HAND, PLACE_FULFILLED):
        here = (place >= first) & (place < first + MAX_SEATS)
        rotated["place"][here] = first + (place[here] - first + shift) % num_seats
    return rotated


OF_COMPANIES = ("network", "trains", "factories", "tail_link", "tail_hex", "tail_entry", "tail_exit")
OF_PLAYERS = ("money", "hand_size", "num_fulfilled")


@pytest.mark.parametrize("kind", [*PLAYERS, SOLO_KIND])
def test_own_seat__comes_first_wherever_it_sits(kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[::7]
    for shift in range(1, kind.seats):
        for seat in range(kind.seats):
            moved = encode(table, rotate_seats(records, shift), (seat + shift) % kind.seats)
            assert np.array_equal(moved, encode(table, records, seat))


# --- Automas ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", AUTOMAS)
def test_automas__corners_markers_and_discards_are_there(kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[::5]
    for seat in range(kind.seats):
        rows = encode(table, records, seat)
        assert np.array_equal(values_of(rows, "corners") * NUM_CORNERS, records["corners"] + 1)
        markers = np.zeros((len(records), MAX_SEATS))
        for number in range(kind.automas):
            relative = (kind.seats - kind.automas + number - seat) % kind.seats
            markers[:, relative] = (records["marker"][:, number] + 1) / NUM_CORNERS
        assert np.array_equal(values_of(rows, "seat_marker"), markers)
        assert np.array_equal(values_of(rows, "seat_automa"), markers > 0)
        assert np.array_equal(values_of(rows, "contract_discarded"), records["place"] == PLACE_DISCARDED)
    assert (records["place"] == PLACE_DISCARDED).any()


def read_coins(row: np.ndarray, automas: int) -> list[list[int]]:
    """The coin paths that a row tells, of the Automas in turn order from the observer."""
    scaled = values_of(row, "track_coins").astype(np.float64) * COIN_BASE**automas
    assert (scaled == np.round(scaled)).all()
    paths = []
    for number in range(automas):
        digits = scaled.astype(np.int64) // COIN_BASE ** (automas - 1 - number) % COIN_BASE
        paths.append([int(np.flatnonzero(digits == index)[0]) for index in range(1, digits.max() + 1)])
    return paths


@pytest.mark.parametrize("kind", AUTOMAS)
def test_automas__coin_paths_can_be_read_with_their_order(kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[table.records["num_coins"].any(axis=1)][::9]
    assert len(records) > 20
    for seat in range(kind.seats):
        for record, row in zip(records, encode(table, records, seat), strict=True):
            paths = {}
            for number in range(kind.automas):
                relative = (kind.seats - kind.automas + number - seat) % kind.seats
                paths[relative] = record["coins"][number, : record["num_coins"][number]].tolist()
            assert read_coins(row, kind.automas) == [paths[relative] for relative in sorted(paths)]


def test_automas__four_long_coin_paths_over_the_same_hexes_stay_exact() -> None:
    kind = Kind(5, 4)
    record = play_table(kind).records[:1].copy()
    hexes = int(play_table(kind).boards["num_hexes"][0])
    rng = np.random.default_rng(0)
    paths = [rng.permutation(hexes)[: min(hexes, COIN_BASE - 1)].tolist() for _ in range(4)]
    for number, path in enumerate(paths):
        record["coins"][0, number] = 0
        record["coins"][0, number, : len(path)] = path
        record["num_coins"][0, number] = len(path)
    assert read_coins(encode_one(kind, record, 0), 4) == paths


def test_automas__the_level_counts_only_where_there_are_some() -> None:
    for kind, shown in ((Kind(3), 0), (Kind(3, 2), np.float32(3 / NUM_LEVELS))):
        row = encode_one(kind, play_table(kind).records[:1], 0)
        assert values_of(row, "automa_level") == shown


# --- solo -------------------------------------------------------------------------------------------------


def test_solo__purse_hand_and_contracts_stand_at_the_company_that_looks() -> None:
    table = play_table(SOLO_KIND)
    records = table.records[::7]
    for seat in range(5):
        rows = encode(table, records, seat)
        assert np.array_equal(values_of(rows, "contract_own"), records["place"] == PLACE_HAND)
        assert np.array_equal(values_of(rows, "contract_fulfilled"), records["place"] == PLACE_FULFILLED)
        for name, field in (("seat_hand", "hand_size"), ("seat_fulfilled", "num_fulfilled")):
            expected = np.zeros((len(records), MAX_SEATS), np.float32)
            expected[:, 0] = records[field][:, 0] / MAX_CONTRACTS
            assert np.array_equal(values_of(rows, name), expected)
        assert np.array_equal(values_of(rows, "seat_money_near")[:, 0] > 0, records["money"][:, 0] > 0)
        for name in ("seat_money_near", "seat_money_far", "seat_money_exact", "seat_score"):
            assert not values_of(rows, name)[:, 1:].any()
        assert not values_of(rows, "seat_to_end").any()
        assert not values_of(rows, "seat_first").any()


def test_solo__the_bag_is_counted_by_company_and_the_contracts_set_aside() -> None:
    table = play_table(SOLO_KIND)
    records = table.records[::7]
    for seat in range(5):
        rows = encode(table, records, seat)
        counts = [(records["bag"] == (seat + step) % 5).sum(axis=1) for step in range(5)]
        assert np.array_equal(values_of(rows, "seat_bag"), np.stack(counts, axis=1) / 2)
        aside = (records["place"] == PLACE_ASIDE).sum(axis=1)
        assert np.array_equal(values_of(rows, "set_aside")[:, 0], (aside / 8).astype(np.float32))
    assert (records["place"] == PLACE_ASIDE).any()


def test_solo__the_eighth_round_is_the_last() -> None:
    record = play_table(SOLO_KIND).records[:1].copy()
    for number in range(1, 9):
        record["round_number"] = number
        row = encode_one(SOLO_KIND, record, 0)
        assert values_of(row, "rounds_played") == np.float32((number - 1) / 8)
        assert values_of(row, "rounds_left") == np.float32((8 - number) / 20)
        assert values_of(row, "end_triggered") == (number == 8)


# --- what is hidden ---------------------------------------------------------------------------------------


def swap(values: np.ndarray, first: int, second: int) -> None:
    values[[first, second]] = values[[second, first]]


def is_unseen(records: np.ndarray, seat: int) -> np.ndarray:
    """(n, contracts) whether the seat does not know where the contract is (rules 11.1 to 11.3)."""
    place, solo = records["place"], records["mode"][:, np.newaxis] == SOLO
    own = PLACE_HAND + np.where(solo, 0, seat)
    in_other_hand = (place >= PLACE_HAND) & (place < PLACE_FULFILLED) & (place != own)
    in_other_hand &= (records["known"] >> seat) & 1 == 0
    in_other_hand &= np.arange(MAX_CONTRACTS) != records["contract"][:, np.newaxis]
    return in_other_hand | (place == PLACE_DECK) | (place == PLACE_ASIDE)


def hide(records: np.ndarray, seat: int, rng: np.random.Generator) -> np.ndarray:
    """The positions with all that the seat may not know dealt anew (rules 11.3, 11.4)."""
    dealt = records.copy()
    for record, unseen in zip(dealt, is_unseen(records, seat), strict=True):
        for generation in np.unique(record["generation"]):
            unknown = np.flatnonzero(unseen & (record["generation"] == generation))
            record["place"][unknown] = record["place"][rng.permutation(unknown)]
        record["known"] = record["known"] & (1 << seat)
        deck = np.flatnonzero(record["place"] == PLACE_DECK)
        record["deck_order"][: len(deck)] = rng.permutation(deck)
        record["bag"][: record["bag_size"]] = rng.permutation(record["bag"][: record["bag_size"]])
        record["rng"] = rng.integers(1 << 32, size=record["rng"].shape)
    return dealt


@each_kind
def test_hidden__other_hands_deck_order_and_chance_leave_no_trace(kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[::11]
    rng = np.random.default_rng(0)
    for seat in range(kind.seats):
        dealt = hide(records, seat, rng)
        assert (dealt["place"] != records["place"]).any() or kind.seats - kind.automas == 1  # nobody else has a hand
        assert (dealt["deck_order"] != records["deck_order"]).any()
        assert np.array_equal(encode(table, dealt, seat), encode(table, records, seat))


def test_hidden__a_swap_between_deck_and_another_hand_is_seen_by_that_hand_alone() -> None:
    record = find_record(Kind(3), lambda records: (records["deck_size"] > 0) & (records["hand_size"][:, 1] > 0))
    changed = record.copy()
    changed["known"] = record["known"] = 0
    place = changed["place"][0]
    swap(place, np.flatnonzero(place == PLACE_DECK)[0], np.flatnonzero(place == PLACE_HAND + 1)[0])
    for seat in (0, 2):
        assert np.array_equal(encode_one(Kind(3), changed, seat), encode_one(Kind(3), record, seat))
    assert not np.array_equal(encode_one(Kind(3), changed, 1), encode_one(Kind(3), record, 1))


def test_known_contract__is_seen_by_who_knows_it_and_in_which_hand() -> None:
    record = find_record(
        Kind(3), lambda records: (records["hand_size"][:, 1:3] > 0).all(axis=1) & in_phase(ACTION)(records)
    )
    record["known"] = 0
    contract = np.flatnonzero(record["place"][0] == PLACE_HAND + 1)[0]
    known = record.copy()
    known["known"][0, contract] = 1 << 0
    assert not np.array_equal(encode_one(Kind(3), known, 0), encode_one(Kind(3), record, 0))
    for seat in (1, 2):
        assert np.array_equal(encode_one(Kind(3), known, seat), encode_one(Kind(3), record, seat))
    elsewhere = known.copy()
    swap(elsewhere["place"][0], contract, np.flatnonzero(record["place"][0] == PLACE_HAND + 2)[0])
    assert not np.array_equal(encode_one(Kind(3), elsewhere, 0), encode_one(Kind(3), known, 0))


def test_pending_contract__lies_open_for_all() -> None:
    record = find_record(Kind(3), in_phase(SOURCE))
    seat, contract = int(record["seat"][0]), int(record["contract"][0])
    part = next(part for part in LAYOUT if part.name == "contract_known")
    for relative in (1, 2):
        observer = (seat - relative) % 3
        row = encode_one(Kind(3), record, observer)
        assert row[part.start + contract] == np.float32((MAX_SEATS - relative) / MAX_SEATS)


@each_kind
def test_view__has_the_encoding_of_the_record(kind: Kind) -> None:
    table = play_table(kind)
    records = table.records[::17]
    for seat in range(kind.seats):
        views = records.copy()
        blank_games(views, np.full(len(views), seat))
        assert np.array_equal(encode(table, views, seat), encode(table, records, seat))
        assert (views["place"] == PLACE_UNKNOWN).any()


# --- what is visible --------------------------------------------------------------------------------------

HIDDEN = {"rng", "deck_order", "slot"}
PARTLY_HIDDEN = {"known"}  # see test_known_contract; of "place", the changes below are those that all see
# Not read: it follows from the track, the tails and the map, or says which map and deck these are.
FOLLOWS = {"met", "link_start", "link_edge", "num_links", "board_index", "deck_index"}
COUNTED = {"bag_size": "bag", "num_coins": "coins"}  # how much of the other field there is

Change = tuple[int | tuple[int, ...] | None, int]  # where in the field (None: a scalar), the new value
Changes = Callable[[np.record, str, Table], Iterator[Change]]  # of a field of a record


def count_present(record: np.record, table: Table, things: str) -> int:
    """How many "seats", "cities" or "contracts" there are."""
    counts = {"cities": table.boards["num_cities"][0], "contracts": table.decks["num_contracts"][0]}
    counts |= {"purses": 1, "corners": NUM_CORNERS}
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
    """Every tile as another one with as many segments: each segment as any that fits the other one."""
    for hex_index in np.flatnonzero(record["track"][:, 0] != NONE):
        now = [int(pair) for pair in record["track"][hex_index]]
        for slot in range(2 if now[1] != NONE else 1):
            for pair in range(NUM_PAIRS):
                first, second = (pair, now[1]) if slot == 0 else (now[0], pair)
                fits = tile_kind(first, second) != NONE and (second == NONE or first < second)
                if fits and pair != now[slot]:
                    yield (int(hex_index), slot), pair


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


def other_coins(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every hex of a coin path as another one."""
    for number in range(record["num_automas"]):
        path = record["coins"][number, : record["num_coins"][number]].tolist()
        for index in range(len(path)):
            for other in set(range(table.boards["num_hexes"][0])) - set(path):
                yield (number, index), other


def other_corners(record: np.record, field: str, table: Table) -> Iterator[Change]:
    for number in range(record["num_automas"]):
        for corner in range(NUM_CORNERS):
            if corner != record["marker"][number]:
                yield number, corner


def other_trains(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Every train in the bag as one of another company."""
    for index in range(record["bag_size"]):
        for company in range(5):
            if company != record["bag"][index]:
                yield index, company


def public_places(record: np.record, field: str, table: Table) -> Iterator[Change]:
    """Fulfilled and discarded contracts as fulfilled by others, discarded, and in the deck."""
    place = record["place"]
    seats = 1 if record["mode"] == SOLO else int(record["num_seats"])
    public = [*range(PLACE_FULFILLED, PLACE_FULFILLED + seats)]
    public += [PLACE_DISCARDED] if record["num_automas"] else []
    for contract in np.flatnonzero(np.isin(place, public)):
        yield from ((int(contract), other) for other in (*public, PLACE_DECK) if other != place[contract])


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


WITH_AUTOMAS: dict[str, tuple[int | None, Changes]] = {
    **{name: entry for name, entry in VISIBLE.items() if entry[0] is None},
    "num_seats": (None, other_codes(6, 5)),
    "corners": (None, other_codes(NUM_RESOURCES, 0, "corners")),
    "marker": (None, other_corners),
    "coins": (None, other_coins),
}
IN_SOLO: dict[str, tuple[int | None, Changes]] = {
    **{name: entry for name, entry in VISIBLE.items() if entry[0] not in (PAY, TAKE_FROM, OVER)},
    "money": (None, shift_by(1, "purses")),
    "hand_size": (None, shift_by(1, "purses")),
    "num_fulfilled": (None, shift_by(1, "purses")),
    "bag": (None, other_trains),
}
for name in ("first_player", "num_seats", "num_automas", "automa_level"):
    del IN_SOLO[name]  # not a thing of this mode
del VISIBLE["automa_level"]  # where there are none


def test_fields__are_all_either_visible_or_hidden_or_follow_from_others() -> None:
    visible = {*VISIBLE, *WITH_AUTOMAS, *IN_SOLO}
    names = [*visible, *HIDDEN, *PARTLY_HIDDEN, *FOLLOWS, *COUNTED]
    assert sorted(names) == sorted(field.name for field in GAME_FIELDS)


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        *((Kind(4), field) for field in VISIBLE),
        *((Kind(4, 2), field) for field in WITH_AUTOMAS),
        *((SOLO_KIND, field) for field in IN_SOLO),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value)),
)
def test_visible_field__shows_every_change_to_every_seat(kind: Kind, field: str) -> None:
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
        rows = encode(table, np.concatenate([record, changed]), seat)
        same = [change for change, row in zip(changes, rows[1:], strict=True) if np.array_equal(row, rows[0])]
        assert not same, f"seat {seat} does not see these changes of {field}: {same}"


def test_coins__every_exchanged_place_of_a_path_shows() -> None:
    kind = Kind(4, 2)
    record = find_record(kind, lambda records: (records["num_coins"] > 2).any(axis=1))
    for number in range(2):
        for index in range(1, record["num_coins"][0, number]):
            changed = record.copy()
            swap(changed["coins"][0, number], index - 1, index)
            for seat in range(4):
                assert not np.array_equal(encode_one(kind, changed, seat), encode_one(kind, record, seat))


@pytest.mark.parametrize("kind", [Kind(4), Kind(4, 2), SOLO_KIND], ids=("players", "automas", "solo"))
def test_own_hand__every_exchanged_contract_shows(kind: Kind) -> None:
    record = find_record(kind, is_rich)
    place = record["place"][0]
    for seat in range(kind.seats - kind.automas):
        for own in np.flatnonzero(place == PLACE_HAND + (0 if kind == SOLO_KIND else seat)):
            for other in np.flatnonzero((place == PLACE_DECK) | (place == PLACE_ASIDE)):
                changed = record.copy()
                swap(changed["place"][0], own, other)
                assert not np.array_equal(encode_one(kind, changed, seat), encode_one(kind, record, seat))


@pytest.mark.parametrize("amount", [0, 19, 20, 199, 200, 5000, 34777, 1 << 24])
def test_money__is_told_apart_however_much_it_is(amount: int) -> None:
    record = find_record(Kind(2), is_rich)
    less = record.copy()
    record["money"][0, 1] = amount
    less["money"][0, 1] = amount - 1 if amount else amount + 1
    assert not np.array_equal(encode_one(Kind(2), record, 0), encode_one(Kind(2), less, 0))


def see(records: np.ndarray, seat: int) -> list[bytes]:
    """All that the seat may see of each position, by another road: the record less what is not for it."""
    seen = records.copy()
    for name in (*HIDDEN, *FOLLOWS, "tail_link"):
        seen[name] = 0
    place = seen["place"]
    place[is_unseen(records, seat)] = PLACE_DECK
    seen["slot"][:, 0] = (records["place"] == PLACE_ASIDE).sum(axis=1)
    seen["bag"].sort(axis=1)
    seen["known"] = 0
    index = np.arange(len(records))[:, np.newaxis, np.newaxis]
    link = records["track_link"]
    owner = np.where(link == NONE, NONE, records["link_owner"][index, link])
    complete = (link != NONE) & (records["link_end"][index, link] != NONE)
    seen["track_link"] = owner * 2 + complete
    seen["link_owner"] = seen["link_end"] = 0
    return [record.tobytes() for record in seen]


@each_kind
def test_positions__have_equal_rows_exactly_if_they_look_equal(kind: Kind) -> None:
    table = play_table(kind)
    for seat in range(kind.seats):
        rows = [row.tobytes() for row in encode(table, table.records, seat)]
        pairs = set(zip(rows, see(table.records, seat), strict=True))
        assert len(pairs) == len({row for row, _ in pairs}) == len({seen for _, seen in pairs})
        assert len(pairs) > 100


# --- plain Python -----------------------------------------------------------------------------------------


def test_encoding__is_the_same_in_plain_python(tmp_path: Path) -> None:
    tables = [play_table(kind) for kind in (Kind(2), Kind(5), Kind(5, 4), SOLO_KIND)]
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
for number in range(4):
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
    table = play_table(Kind(3))
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
    table = play_table(Kind(3))
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
    assert np.array_equal(features["target_rule"], deck["target_rule"])
