import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.board import make_board
from steam_env.core.steam_power.state import CITY, MAX_HEXES, MAX_SEATS, PLAINS
from steam_env.data.steam_power.maps import load_map, shipped_maps
from steam_env.encoding.cells import GRID_COLUMNS, NUM_CELLS, place_cells
from steam_env.encoding.steam_power.flat import TABLE_SIZE
from steam_env.encoding.steam_power.grid import (
    MAX_GRID_COLUMNS,
    MAX_GRID_ROWS,
    NUM_MAP_PLANES,
    NUM_PLANES,
    NUM_SHEETS,
    PLANES,
)
from steam_env.encoding.steam_power.hexes import DISTANCE_SCALE
from steam_env.encoding.steam_power.scratch import MEMORY
from tests.encoding_checks import cells_of, encode, planes_of
from tests.seen import positions

# --- sheets -----------------------------------------------------------------------------------------------


def test_sheets__hold_flat_without_the_track() -> None:
    assert (NUM_SHEETS - 1) * NUM_CELLS < TABLE_SIZE <= NUM_SHEETS * NUM_CELLS
    batch = positions("two and two automas", 3)
    sheets = encode("grid", batch.setting, batch.records, 2)[:, NUM_MAP_PLANES:].reshape(len(batch), -1)
    rows = encode("flat", batch.setting, batch.records, 2)
    assert np.array_equal(sheets[:, :TABLE_SIZE], rows[:, :TABLE_SIZE])


def test_values__absent_hexes_and_seats_are_zero() -> None:
    filled = set()
    for kind in ("two", "one and automa", "two and two automas", "solo"):
        batch = positions(kind)
        grids = encode("grid", batch.setting, batch.records, 1)
        pictures = grids.reshape(len(grids), NUM_PLANES, NUM_CELLS)[:, :NUM_MAP_PLANES]
        absent = np.setdiff1d(np.arange(NUM_CELLS), cells_of(batch.setting))
        assert not pictures[:, :, absent].any()
        for name in ("city_owner", "city_network", "city_linked", "track"):
            by_seat = planes_of(grids, name).reshape(len(grids), NUM_CELLS, MAX_SEATS, -1)
            assert not by_seat[:, :, batch.rules.companies :].any()
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
    scratch = MEMORY.scratch[0]
    place_cells(board, scratch.place, scratch.taken)
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
    scratch = MEMORY.scratch[0]
    place_cells(make_board(hexes)[0], scratch.place, scratch.taken)
    places = scratch["place"].tolist()
    assert len(set(places)) == MAX_HEXES
    assert min(places) >= 0
    assert max(places) < NUM_CELLS
    assert places[7] == {(0, 2): 7 * GRID_COLUMNS, (1, 1): 3 * GRID_COLUMNS + 7, (2, 0): 14}[step]


def test_terrain_and_cities__stand_on_their_cells() -> None:
    batch = positions("two")
    board, cells = batch.setting.boards[0], cells_of(batch.setting)
    grids = encode("grid", batch.setting, batch.records[:1], 0)
    assert np.array_equal(planes_of(grids, "hex_terrain")[0, cells].argmax(axis=1), board["terrain"][: len(cells)])
    assert np.array_equal(np.flatnonzero(planes_of(grids, "hex_present")[0]), np.sort(cells))
    cities = [int(cells[place]) for place in board["city_hex"][: board["num_cities"]]]
    numbers = np.round(planes_of(grids, "hex_city")[0, cities, 0] * 33)
    assert numbers.tolist() == list(range(1, len(cities) + 1))
    colors = planes_of(grids, "city_color")[0, cities]
    assert np.array_equal(colors.argmax(axis=1), batch.records["color"][0, : len(cities)])


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
    batch = positions("four")
    board, cells = batch.setting.boards[0], cells_of(batch.setting)
    groups = {int(group) for group in board["group"][: board["num_cities"]]}
    full_hexes = (batch.records["track"][:, :, 1] != NONE).sum(axis=1)
    records = batch.records[[0, full_hexes.argmax()]]
    for seat in range(4):
        for record, grid in zip(records, encode("grid", batch.setting, records, seat), strict=True):
            own = {group for group in groups if int(record["network"][seat]) >> group & 1}
            for name, targets in (("hex_to_others", groups - own), ("hex_to_own", own or groups)):
                expected = np.zeros(len(cells), np.float32)
                for place, tiles in slow_distance(board, record, targets).items():
                    expected[place] = 1 - min(tiles, DISTANCE_SCALE - 1) / DISTANCE_SCALE
                assert np.array_equal(planes_of(grid[np.newaxis], name)[0, cells, 0], expected)
