"""The `grid` encoding: what one seat sees, as planes (planes, rows, columns) float32 for a convolutional net.

``python -m steam_env.encoding.steam_power.grid`` prints the planes. The first ``NUM_MAP_PLANES`` are a
picture of the map: each hex has a cell, each plane one feature of it, and equal steps on the map are equal steps on the
grid. The last ``NUM_SHEETS`` are *sheets*: what `flat` tells but for the track, from the first cell of the first sheet
on, row by row. A net convolves the picture and takes the sheets into its dense layers:

    picture, sheets = observation[:, :NUM_MAP_PLANES], observation[:, NUM_MAP_PLANES:].flatten(1)

Sheets take up five planes, where a plane of equal values for each of these numbers would make two thousand.

Columns of the map are columns of the grid, two of its rows are one row of the grid (offset coordinates), and the
picture begins in the top left corner: the map's first column is the grid's, whatever its name, and in the second
column, the fourth, ... hexes lie half a hex lower. A map may be longer than the grid is, and still has no more hexes
than it has cells: hexes beyond the grid take the cells that are left, row by row, in map order. They are told in full,
but their neighbours are then not beside them; ``MAX_GRID_COLUMNS`` and ``MAX_GRID_ROWS`` say where that begins.

Observer, absent things, what is in and what is not are as in `flat`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.encoding.cells import GRID_COLUMNS, GRID_ROWS, NUM_CELLS, place_cells
from steam_env.encoding.digits import Digits
from steam_env.encoding.layout import Code, Layout, describe_parts
from steam_env.encoding.steam_power.flat import FLAT_HIGH, FLAT_LOW, LAYOUT, SEATS, TABLE_SIZE
from steam_env.encoding.steam_power.flat_kernels import check_room
from steam_env.encoding.steam_power.hexes import (
    EDGES_OF_PAIR,
    HALVES,
    HEX_PARTS,
    INCOMPLETE,
    Table,
    lay_out_table,
    prepare_row,
    write_hexes,
)
from steam_env.encoding.steam_power.scratch import MEMORY, lay_out_flat
from steam_env.encoding.steam_power.seat_kernels import code_seat, relative_seat
from steam_env.kit.program import fit_streams

MAX_GRID_COLUMNS, MAX_GRID_ROWS = GRID_COLUMNS, 2 * GRID_ROWS - 1  # of the map: so many always fit
GRID_LOW, GRID_HIGH = FLAT_LOW, FLAT_HIGH

_layout = Layout(HEX_PARTS)
TRACK = _layout.add(
    "track",
    (SEATS, NUM_EDGES),
    "by relative seat and edge N NE SE S SW NW: a track of the seat uses the edge; segments that share a hex cross",
    f"1, on an incomplete link {INCOMPLETE}",
    code=Code(HALVES),
)
OPEN_EDGE = _layout.add(
    "open_edge",
    NUM_EDGES,
    "by edge: over it an incomplete link leads on, or leaves its city as the decision under way has it; whose it is",
    f"({MAX_SEATS} - relative seat) / {MAX_SEATS}",
    code=Code(MAX_SEATS),
)
PLANES = _layout.parts  # the sheets come after them
NUM_MAP_PLANES = _layout.size
NUM_SHEETS = -(-TABLE_SIZE // NUM_CELLS)
NUM_PLANES = NUM_MAP_PLANES + NUM_SHEETS
GRID_SHAPE = (NUM_PLANES, GRID_ROWS, GRID_COLUMNS)


def describe_layout() -> str:
    """The layout as two Markdown tables: planes of the picture, and values of the sheets."""
    return "\n".join(
        [
            f"`grid`: {NUM_PLANES} planes of {GRID_ROWS} rows and {GRID_COLUMNS} columns, float32",
            "",
            f"The planes 0 to {NUM_MAP_PLANES - 1}, by hex:",
            "",
            *describe_parts(PLANES),
            "",
            f"The planes from {NUM_MAP_PLANES} on, one value in each cell:",
            "",
            *describe_parts(part for part in LAYOUT if part.start < TABLE_SIZE),
        ]
    )


class GridPlaces:
    """Where the digits of `grid` stand: planes of digits of the picture, then sheets with those of `flat`'s table.

    Args:
        sizes: by name of an axis, how many things have digits; ``None``: as many as a record has room for.

    Attributes:
        flat, table: where the digits of `flat` and of the hexes stand.
        places: (1,) PLACES, of `flat`.
        table_size: digits of `flat` that are in the sheets.
        shape: of the digits.
        digits: those of all planes.
    """

    def __init__(self, sizes: Mapping[str, int] | None = None) -> None:
        self.flat, self.places = lay_out_flat(sizes)
        self.table: Table = lay_out_table(PLANES, self.flat, sizes)
        self.table_size = int(self.places["at"][0, TABLE_SIZE])
        num_planes = self.table.digits.size + -(-self.table_size // NUM_CELLS)
        self.shape = (num_planes, GRID_ROWS, GRID_COLUMNS)
        self.digits = self._spread()

    def _spread(self) -> Digits:
        """Each plane's digits cell by cell, then those of the sheets."""
        planes, sheets = self.table.digits, self.flat
        cells = np.arange(NUM_CELLS)
        first = planes.size * NUM_CELLS
        rest = NUM_SHEETS * NUM_CELLS - TABLE_SIZE  # cells after the last value

        def join(of_plane: np.ndarray, of_sheet: np.ndarray, absent: int) -> np.ndarray:
            empty = np.full((*of_sheet.shape[:-1], rest), absent, of_sheet.dtype)
            return np.concatenate([np.repeat(of_plane, NUM_CELLS, -1), of_sheet[..., :TABLE_SIZE], empty], -1)

        def move(of_plane: np.ndarray, of_sheet: np.ndarray) -> np.ndarray:
            in_cells = np.where(of_plane[..., None] == NONE, NONE, of_plane[..., None] * NUM_CELLS + cells)
            in_sheet = np.where(of_sheet == NONE, NONE, of_sheet + first)
            joined = join(of_plane, in_sheet, NONE)
            joined[..., : in_cells.shape[-2] * NUM_CELLS] = in_cells.reshape(*in_cells.shape[:-2], -1)
            return joined

        tables = np.where(sheets.table == NONE, NONE, sheets.table + len(planes.tables))
        return replace(
            planes,
            size=int(np.prod(self.shape)),
            source=move(planes.source, sheets.source),
            weight=join(planes.weight, sheets.weight, 0),
            divisor=join(planes.divisor, sheets.divisor, 1),
            saturates=join(planes.saturates, sheets.saturates, 0),
            table=join(planes.table, tables, NONE),
            tables=np.concatenate([planes.tables, sheets.tables]),
            over=move(planes.over, sheets.over),
            over_weight=join(planes.over_weight, sheets.over_weight, 0),
        )

    def encode(
        self, games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
    ) -> None:
        """Write ``out[i]`` of ``out`` (n, *shape) uint8: what ``seats[i]`` sees of game i; NONE: zeros."""
        if len(out) < len(games) or out.shape[1:] != self.shape:
            raise ValueError("out must have planes of GRID_SHAPE for each game")
        table, sizes = self.table, np.array([self.table_size, self.table.digits.size], np.int64)
        memory: Any = MEMORY
        where = (table.at, table.coin_step, table.city_from, table.city_to, sizes)
        encode_grids(games, boards, decks, seats, out, memory.scratch, self.places, *where)


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def write_track(
    game: np.record, board: np.record, observer: int, scratch: np.record, at: np.ndarray, table: np.ndarray
) -> None:
    """Write whose segments lie on each hex, and over which edges they lead."""
    for hex_index in range(board.num_hexes):
        place = scratch.place[hex_index]
        for slot in range(game.track.shape[1]):
            pair = int(game.track[hex_index, slot])
            if pair == NONE:
                continue
            link = int(game.track_link[hex_index, slot])
            first = TRACK + relative_seat(game, observer, game.link_owner[link]) * NUM_EDGES
            halves = 1 if game.link_end[link] == NONE else HALVES
            table[place, at[first + EDGES_OF_PAIR[pair, 0]]] = halves
            table[place, at[first + EDGES_OF_PAIR[pair, 1]]] = halves


@kernel
def write_open_edges(
    game: np.record, board: np.record, observer: int, scratch: np.record, at: np.ndarray, table: np.ndarray
) -> None:
    """Write where incomplete links lead on, and where a new one is about to."""
    first = at[OPEN_EDGE]
    for seat in range(game.num_seats):
        if game.tail_hex[seat] != NONE and game.tail_exit[seat] != NONE:
            place = scratch.place[game.tail_hex[seat]]
            table[place, first + game.tail_exit[seat]] = code_seat(relative_seat(game, observer, seat))
    if game.start_city != NONE and game.start_edge != NONE and game.seat != NONE:
        place = scratch.place[board.city_hex[game.start_city]]
        table[place, first + game.start_edge] = code_seat(relative_seat(game, observer, game.seat))


@kernel
def encode_grids(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    out: np.ndarray,
    scratches: np.ndarray,
    layouts: np.ndarray,
    at: np.ndarray,
    coin_step: int,
    city_from: np.ndarray,
    city_to: np.ndarray,
    sizes: np.ndarray,
) -> None:
    """Do what ``GridPlaces.encode`` does; ``sizes``: digits of the table, planes of the picture."""
    scratch, places = scratches[0], layouts[0]
    placed_board = card_deck = NONE  # whose hexes and cards the scratch memory holds
    table_size, num_planes = sizes
    for index in range(games.shape[0]):
        game, observer = games[index], int(seats[index])
        cells = out[index].reshape(out.shape[1], NUM_CELLS)
        cells[:] = 0
        if observer == NONE:
            continue
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        if placed_board != game.board_index:
            place_cells(board, scratch.place, scratch.taken)
            placed_board = int(game.board_index)
        card_deck = prepare_row(game, board, deck, observer, card_deck, places, scratch)
        sheets = cells[num_planes:].reshape((out.shape[1] - num_planes) * NUM_CELLS)
        sheets[:table_size] = scratch.row[:table_size]
        table = cells.T
        write_hexes(game, board, observer, scratch, at, coin_step, city_from, city_to, table)
        write_track(game, board, observer, scratch, at, table)
        write_open_edges(game, board, observer, scratch, at, table)


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
