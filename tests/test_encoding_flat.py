import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS
from steam_env.core.steam_power.hidden import blank_games
from steam_env.core.steam_power.setup import blank_game
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    GAME_FIELDS,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_SEATS,
    NUM_CORNERS,
    NUM_PHASES,
    OVER,
    PAY,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    SOURCE,
    TAKE_FROM,
)
from steam_env.data.steam_power.rules import AUTOMA_LEVELS, MAX_ROUNDS_ALLOWED
from steam_env.encoding import Observations
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.board_features import BOARD_FEATURES, make_board_features
from steam_env.encoding.steam_power.flat import (
    COIN_BASE,
    FLAT_HIGH,
    FLAT_LOW,
    FLAT_SIZE,
    LAYOUT,
    NUM_LEVELS,
    NUM_OTHERS,
    NUM_TILES,
    ROUNDS_SCALE,
    TILE_NUMBER,
    describe_layout,
    encode_flat_games,
)
from tests.encoding_checks import Read, Segment, check_rebuilt
from tests.seen import (
    AUTOMAS,
    COUNTED,
    FOLLOWS,
    HIDDEN,
    IN_SOLO,
    PARTLY_HIDDEN,
    PLAYERS,
    SOLO_KIND,
    VISIBLE,
    WITH_AUTOMAS,
    Kind,
    Table,
    each_kind,
    find_record,
    hide,
    in_phase,
    is_rich,
    make_cards,
    make_map,
    play_at_random,
    play_table,
    rotate_seats,
    see,
    swap,
)

ROOT = Path(__file__).parent.parent
MAX_LENGTH = 3072


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
    command = [sys.executable, "-W", "error", "-m", "steam_env.encoding.steam_power.flat"]
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
    assert encoding.spec == ((FLAT_SIZE,), min(part.low for part in LAYOUT), FLAT_HIGH, np.float32)
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


@each_kind
def test_positions__have_equal_rows_exactly_if_they_look_equal(kind: Kind) -> None:
    table = play_table(kind)
    for seat in range(kind.seats):
        rows = [row.tobytes() for row in encode(table, table.records, seat)]
        pairs = set(zip(rows, see(table.records, seat), strict=True))
        assert len(pairs) == len({row for row, _ in pairs}) == len({seen for _, seen in pairs})
        assert len(pairs) > 100


def open_flat(
    observations: Observations, index: int, table: Table
) -> tuple[Read, Mapping[int, list[Segment]], list[list[int]]]:
    """What an observation tells, for ``rebuild``."""
    rows: Any = observations
    row = rows[index]
    tiles = np.round(values_of(row, "track_tile").astype(np.float64) * NUM_TILES).astype(int)
    owners = values_of(row, "track_owner").reshape(MAX_HEXES, -1)
    segments: dict[int, list[Segment]] = {}
    for hex_index in np.flatnonzero(tiles).tolist():
        pairs = [int(pair) - 1 for pair in np.argwhere(tiles[hex_index] == TILE_NUMBER)[0] if pair]
        segments[hex_index] = [(pair, *read_owner(owners[hex_index, slot])) for slot, pair in enumerate(pairs)]
    automas = int(values_of(row, "seat_automa").sum())
    return lambda name: values_of(row, name), segments, read_coins(row, automas)


def read_owner(code: float) -> tuple[int, bool]:
    """Relative seat, and whether the link is complete."""
    if code > 0:
        return 0, code == 1
    number = round(-float(code) * 2 * NUM_OTHERS)
    return (number, False) if number <= NUM_OTHERS else (number - NUM_OTHERS, True)


@each_kind
def test_position__all_that_is_visible_can_be_read_back(kind: Kind) -> None:
    check_rebuilt(kind, "flat", open_flat, step=13)


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
from collections.abc import Mapping
from pathlib import Path
from typing import Any
import numpy as np
from steam_env.core.jit import JIT_DISABLED
from steam_env.core.steam_power.state import BOARD, DECK, GAME
from steam_env.encoding.steam_power.flat import FLAT_SIZE, encode_flat_games
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
