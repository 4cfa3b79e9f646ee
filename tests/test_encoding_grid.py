import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.board import make_board
from steam_env.core.steam_power.state import CITY, MAX_HEXES, MAX_SEATS, PLAINS
from steam_env.data.steam_power.maps import load_map, shipped_maps
from steam_env.encoding import Observations
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import LAYOUT, TABLE_SIZE
from steam_env.encoding.steam_power.grid import (
    GRID_COLUMNS,
    GRID_HIGH,
    GRID_LOW,
    GRID_ROWS,
    GRID_SHAPE,
    MAX_GRID_COLUMNS,
    MAX_GRID_ROWS,
    NUM_CELLS,
    NUM_MAP_PLANES,
    NUM_PLANES,
    NUM_SHEETS,
    PLANES,
    describe_layout,
    encode_grid_games,
    place_hexes,
)
from steam_env.encoding.steam_power.hexes import DISTANCE_SCALE, shared_scratch
from tests import encoding_checks
from tests.encoding_checks import CHANGES, Read, Segment, encode, encode_rows, read_coins, segments_of_edges, values_of
from tests.seen import PLAYERS, SOLO_KIND, Kind, Table, each_kind, find_record, is_rich, play_table

some_kinds = pytest.mark.parametrize("kind", [Kind(3), Kind(4, 2), SOLO_KIND], ids=("players", "automas", "solo"))


def planes_of(observations: np.ndarray, name: str) -> np.ndarray:
    """(n, planes of this part, cells)"""
    return values_of(observations.reshape(len(observations), NUM_PLANES, NUM_CELLS).swapaxes(1, 2), PLANES, name)


def cells_of(table: Table) -> np.ndarray:
    """(hexes,) the cell of each hex."""
    scratch = shared_scratch()
    place_hexes(table.boards[0], scratch)
    return scratch["place"][: table.boards["num_hexes"][0]].copy()


# --- layout -----------------------------------------------------------------------------------------------


def test_layout__planes_are_contiguous_and_the_sheets_hold_the_rest() -> None:
    ends = [part.start + part.length for part in PLANES]
    assert [part.start for part in PLANES] == [0, *ends[:-1]]
    assert ends[-1] == NUM_MAP_PLANES == NUM_PLANES - NUM_SHEETS
    assert (NUM_SHEETS - 1) * NUM_CELLS < TABLE_SIZE <= NUM_SHEETS * NUM_CELLS
    assert len({part.name for part in PLANES}) == len(PLANES)


def test_layout__table_names_every_plane_and_every_value_of_the_sheets() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", describe_layout(), re.MULTILINE)
    sheets = [part for part in LAYOUT if not part.name.startswith("track_")]
    assert [(int(start), int(length), name) for start, length, name in rows] == [
        (part.start, part.length, part.name) for part in (*PLANES, *sheets)
    ]


def test_layout__is_printed_by_the_module() -> None:
    encoding_checks.check_printed("grid")


def test_registry__describes_the_space() -> None:
    encoding = ENCODINGS["grid"]
    assert encoding.name == "grid"
    assert encoding.spec == ((NUM_PLANES, GRID_ROWS, GRID_COLUMNS), GRID_LOW, GRID_HIGH, np.float32)
    assert min(part.low for part in (*PLANES, *LAYOUT)) == GRID_LOW


def test_encode__refuses_planes_of_another_shape() -> None:
    table = play_table(Kind(2))
    for shape in ((1, *GRID_SHAPE), (2, NUM_PLANES, GRID_ROWS, GRID_COLUMNS - 1)):
        with pytest.raises(ValueError, match="GRID_SHAPE"):
            encode_grid_games(
                table.records[:2], table.boards, table.decks, np.zeros(2, np.int64), np.zeros(shape, np.float32)
            )


def test_encode__refuses_an_observer_who_is_not_at_the_table() -> None:
    table = play_table(Kind(2))
    for seat in (-2, 2):
        with pytest.raises(ValueError, match="observer"):
            encode("grid", table, table.records[:1], seat)


def test_encode__writes_zeros_for_no_observer() -> None:
    encoding_checks.check_nobody("grid")


# --- values -------------------------------------------------------------------------------------------------


@each_kind
def test_values__are_finite_and_in_the_space(kind: Kind) -> None:
    encoding_checks.check_space("grid", kind)


@pytest.mark.parametrize(
    "kind", [Kind(5, edition="preview"), Kind(5, 4), SOLO_KIND], ids=("preview", "automas", "solo")
)
def test_values__stay_in_the_space_on_the_largest_map(kind: Kind) -> None:
    encoding_checks.check_largest_map("grid", kind)


def test_values__are_the_same_alone_and_in_a_batch_of_other_maps_and_decks() -> None:
    encoding_checks.check_batch("grid")


def test_values__absent_hexes_and_seats_are_zero() -> None:
    filled = set()
    for kind in (Kind(2), Kind(2, 1), Kind(4, 2), SOLO_KIND):
        table = play_table(kind)
        grids = encode("grid", table, table.records[::5], 1)
        pictures = grids.reshape(len(grids), NUM_PLANES, NUM_CELLS)[:, :NUM_MAP_PLANES]
        absent = np.setdiff1d(np.arange(NUM_CELLS), cells_of(table))
        assert not pictures[:, :, absent].any()
        for name in ("city_owner", "city_network", "city_linked", "track"):
            by_seat = planes_of(grids, name).reshape(len(grids), NUM_CELLS, MAX_SEATS, -1)
            assert not by_seat[:, :, kind.seats :].any()
        sheets = grids[:, NUM_MAP_PLANES:].reshape(len(grids), -1)
        assert not sheets[:, TABLE_SIZE:].any()
        filled |= {part.name for part in PLANES if planes_of(grids, part.name).any()}
    assert filled == {part.name for part in PLANES}


# --- where hexes are ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_maps())
def test_cells__neighbours_on_the_map_lie_alike_on_the_grid(name: str) -> None:
    check_steps(make_board(load_map(name).hexes)[0])


def check_steps(board: np.record) -> None:
    """The six steps are the same from all hexes of the grid's even columns, and from all of the odd ones."""
    scratch = shared_scratch()
    place_hexes(board, scratch)
    steps: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for hex_index in range(board["num_hexes"]):
        row, column = divmod(int(scratch["place"][hex_index]), GRID_COLUMNS)
        for edge in range(NUM_EDGES):
            beyond = board["neighbour"][hex_index, edge]
            if beyond != NONE:
                there = divmod(int(scratch["place"][beyond]), GRID_COLUMNS)
                steps.setdefault((column % 2, edge), set()).add((there[0] - row, there[1] - column))
    offsets = {(0, 0): (-1, 0), (0, 3): (1, 0), (1, 0): (-1, 0), (1, 3): (1, 0)}
    offsets |= {(0, 1): (-1, 1), (0, 2): (0, 1), (0, 4): (0, -1), (0, 5): (-1, -1)}
    offsets |= {(1, 1): (0, 1), (1, 2): (1, 1), (1, 4): (1, -1), (1, 5): (0, -1)}
    assert steps == {key: {offsets[key]} for key in steps}
    assert len(steps) == 2 * NUM_EDGES


@pytest.mark.parametrize("corner", [(1, 1), (2, 2), (1, 3), (600, 900), (601, 901)])
def test_cells__a_map_as_large_as_the_grid_fits_wherever_it_begins(corner: tuple[int, int]) -> None:
    left, top = corner
    columns, rows = MAX_GRID_COLUMNS, MAX_GRID_ROWS
    cells = [(left + x, top + y) for x in range(columns) for y in range(rows) if (left + x + top + y) % 2 == 0]
    border = [cell for cell in cells if cell[0] < left + 4 or cell[1] > top + rows - 5]
    board = make_board([(column, row, PLAINS) for column, row in sorted(border)])[0]
    assert board["num_hexes"] <= MAX_HEXES
    check_steps(board)


@pytest.mark.parametrize("step", [(0, 2), (1, 1), (2, 0)], ids=("column", "diagonal", "row"))
def test_cells__hexes_of_a_longer_map_take_the_cells_that_are_left(step: tuple[int, int]) -> None:
    hexes = sorted((1 + step[0] * number, 1 + step[1] * number, PLAINS) for number in range(MAX_HEXES))
    hexes[7] = (*hexes[7][:2], CITY)
    scratch = shared_scratch()
    place_hexes(make_board(hexes)[0], scratch)
    places = scratch["place"].tolist()
    assert len(set(places)) == MAX_HEXES
    assert min(places) >= 0
    assert max(places) < NUM_CELLS
    assert places[7] == {(0, 2): 7 * GRID_COLUMNS, (1, 1): 3 * GRID_COLUMNS + 7, (2, 0): 14}[step]


def test_terrain_and_cities__stand_on_their_cells() -> None:
    table = play_table(Kind(3))
    board = table.boards[0]
    grids = encode("grid", table, table.records[:1], 0)
    cells = cells_of(table)
    assert np.array_equal(planes_of(grids, "hex_terrain")[0, cells].argmax(axis=1), board["terrain"][: len(cells)])
    assert np.array_equal(np.flatnonzero(planes_of(grids, "hex_present")[0]), np.sort(cells))
    cities = [int(cells[place]) for place in board["city_hex"][: board["num_cities"]]]
    numbers = np.round(planes_of(grids, "hex_city")[0, cities, 0] * 33)
    assert numbers.tolist() == list(range(1, len(cities) + 1))
    colors = planes_of(grids, "city_color")[0, cities]
    assert np.array_equal(colors.argmax(axis=1), table.records["color"][0, : len(cities)])


# --- derived ------------------------------------------------------------------------------------------------


def slow_distance(board: np.record, record: np.record, targets: set[int]) -> dict[int, int]:
    """Tiles from each hex to a city of the groups, by relaxation until nothing changes."""
    city_of = {int(board["city_hex"][city]): city for city in range(board["num_cities"])}
    tiles = {place: 0 for place, city in city_of.items() if int(board["group"][city]) in targets}
    sources = set(tiles)
    for _ in range(MAX_HEXES):
        for here in range(board["num_hexes"]):
            if here in sources:
                continue
            land = board["cost"][here] != NONE and record["track"][here, 1] == NONE
            if not land and here not in city_of:
                continue
            near = [int(place) for place in board["neighbour"][here] if place != NONE]
            ways = [tiles[place] for place in near if place in tiles and (place in sources or place not in city_of)]
            if ways:
                tiles[here] = min(ways) + (1 if land else 0)
    return tiles


def test_distances__are_counted_in_tiles() -> None:
    table = play_table(Kind(3))
    board, cells = table.boards[0], cells_of(table)
    groups = {int(group) for group in board["group"][: board["num_cities"]]}
    records = np.concatenate([table.records[:1], find_record(Kind(3), is_rich)])
    for seat in range(3):
        for record, grid in zip(records, encode("grid", table, records, seat), strict=True):
            own = {group for group in groups if int(record["network"][seat]) >> group & 1}
            for name, targets in (("hex_to_others", groups - own), ("hex_to_own", own or groups)):
                expected = np.zeros(len(cells), np.float32)
                for place, tiles in slow_distance(board, record, targets).items():
                    expected[place] = 1 - min(tiles, DISTANCE_SCALE - 1) / DISTANCE_SCALE
                assert np.array_equal(planes_of(grid[np.newaxis], name)[0, cells, 0], expected)


# --- who looks, what is hidden, what is visible ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [*PLAYERS, SOLO_KIND])
def test_own_seat__comes_first_wherever_it_sits(kind: Kind) -> None:
    encoding_checks.check_own_seat_first("grid", kind)


@each_kind
def test_hidden__other_hands_deck_order_and_chance_leave_no_trace(kind: Kind) -> None:
    encoding_checks.check_hidden("grid", kind)


def test_known_contract__is_seen_by_who_knows_it() -> None:
    encoding_checks.check_known_contract("grid")


@pytest.mark.parametrize(
    ("kind", "field"), CHANGES, ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value))
)
def test_visible_field__shows_every_change_to_every_seat(kind: Kind, field: str) -> None:
    encoding_checks.check_change_shows("grid", kind, field)


@some_kinds
def test_own_hand__every_exchanged_contract_shows(kind: Kind) -> None:
    encoding_checks.check_own_hand_shows("grid", kind)


@some_kinds
def test_positions__have_equal_planes_exactly_if_they_look_equal(kind: Kind) -> None:
    encoding_checks.check_equal_exactly_if_they_look_equal("grid", kind)


def test_encoding__is_the_same_in_plain_python(tmp_path: Path) -> None:
    encoding_checks.check_plain_python("grid", tmp_path)


def open_grid(
    observations: Observations, index: int, table: Table
) -> tuple[Read, Mapping[int, list[Segment]], list[list[int]]]:
    """What an observation tells, for ``rebuild``."""
    grids: Any = observations
    sheets = grids[index, NUM_MAP_PLANES:].reshape(-1)
    picture = grids[index : index + 1]
    cells = cells_of(table)
    owners = planes_of(picture, "track")[0, cells].reshape(len(cells), MAX_SEATS, NUM_EDGES)
    segments = {place: segments_of_edges(owners[place]) for place in np.flatnonzero(owners.any(axis=(1, 2))).tolist()}
    coins = planes_of(picture, "hex_coins")[0, cells]
    automas = int(values_of(sheets, LAYOUT, "seat_automa").sum())
    assert not coins[:, automas:].any()
    return lambda name: values_of(sheets, LAYOUT, name), segments, read_coins(coins[:, :automas])


@each_kind
def test_position__all_that_is_visible_can_be_read_back(kind: Kind) -> None:
    encoding_checks.check_rebuilt(kind, "grid", open_grid)


def test_sheets__hold_flat_without_the_track() -> None:
    table = play_table(Kind(4, 2))
    records = table.records[::11]
    sheets = encode("grid", table, records, 2)[:, NUM_MAP_PLANES:].reshape(len(records), -1)
    assert np.array_equal(sheets[:, :TABLE_SIZE], encode_rows("flat", table, records, 2)[:, :TABLE_SIZE])
