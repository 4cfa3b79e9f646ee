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

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.encoding.layout import Layout, describe_parts
from steam_env.encoding.steam_power.flat import FLAT_HIGH, FLAT_LOW, LAYOUT, TABLE_SIZE, code_seat, relative_seat
from steam_env.encoding.steam_power.hexes import (
    EDGES_OF_PAIR,
    GRID_COLUMNS,
    GRID_ROWS,
    HEX_PARTS,
    INCOMPLETE,
    NUM_CELLS,
    prepare_row,
    shared_scratch,
    write_hexes,
)
from steam_env.kit.program import fit_streams

MAX_GRID_COLUMNS, MAX_GRID_ROWS = GRID_COLUMNS, 2 * GRID_ROWS - 1  # of the map: so many always fit
GRID_LOW, GRID_HIGH = FLAT_LOW, FLAT_HIGH

_layout = Layout(HEX_PARTS)
TRACK = _layout.add(
    "track",
    MAX_SEATS * NUM_EDGES,
    "by relative seat and edge N NE SE S SW NW: a track of the seat uses the edge; segments that share a hex cross",
    f"1, on an incomplete link {INCOMPLETE}",
)
OPEN_EDGE = _layout.add(
    "open_edge",
    NUM_EDGES,
    "by edge: over it an incomplete link leads on, or leaves its city as the decision under way has it; whose it is",
    f"({MAX_SEATS} - relative seat) / {MAX_SEATS}",
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


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def place_hexes(board: np.record, scratch: np.record) -> None:
    """Write ``scratch.place``: the cell of each hex."""
    left, top = int(board.col[0]), int(board.row[0])
    for hex_index in range(board.num_hexes):
        left = min(left, int(board.col[hex_index]))
        top = min(top, int(board.row[hex_index]))
    top -= (left + top) % 2  # so that the first column begins with a whole hex, as on every other map
    scratch.place[:] = NONE
    taken = scratch.taken
    taken[:] = 0
    for hex_index in range(board.num_hexes):
        column, row = int(board.col[hex_index]) - left, (int(board.row[hex_index]) - top) // 2
        if column < GRID_COLUMNS and row < GRID_ROWS:
            cell = row * GRID_COLUMNS + column
            scratch.place[hex_index] = cell
            taken[cell] = 1
    free = 0
    for hex_index in range(board.num_hexes):
        if scratch.place[hex_index] == NONE:
            while taken[free]:
                free += 1
            scratch.place[hex_index] = free
            taken[free] = 1


@kernel
def write_track(game: np.record, board: np.record, observer: int, scratch: np.record, table: np.ndarray) -> None:
    """Write whose segments lie on each hex, and over which edges they lead."""
    for hex_index in range(board.num_hexes):
        place = scratch.place[hex_index]
        for slot in range(game.track.shape[1]):
            pair = int(game.track[hex_index, slot])
            if pair == NONE:
                continue
            link = int(game.track_link[hex_index, slot])
            first = TRACK + relative_seat(game, observer, game.link_owner[link]) * NUM_EDGES
            value = INCOMPLETE if game.link_end[link] == NONE else 1.0
            table[place, first + EDGES_OF_PAIR[pair, 0]] = value
            table[place, first + EDGES_OF_PAIR[pair, 1]] = value


@kernel
def write_open_edges(game: np.record, board: np.record, observer: int, scratch: np.record, table: np.ndarray) -> None:
    """Write where incomplete links lead on, and where a new one is about to."""
    for seat in range(game.num_seats):
        if game.tail_hex[seat] != NONE and game.tail_exit[seat] != NONE:
            place = scratch.place[game.tail_hex[seat]]
            table[place, OPEN_EDGE + game.tail_exit[seat]] = code_seat(relative_seat(game, observer, seat))
    if game.start_city != NONE and game.start_edge != NONE and game.seat != NONE:
        place = scratch.place[board.city_hex[game.start_city]]
        table[place, OPEN_EDGE + game.start_edge] = code_seat(relative_seat(game, observer, game.seat))


@kernel
def encode_grids(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray, scratch: np.record
) -> None:
    """Do what ``encode_grid_games`` does, with ``scratch`` as its memory."""
    if out.shape[0] < games.shape[0] or out.shape[1:] != GRID_SHAPE:
        raise ValueError("out must have planes of GRID_SHAPE for each game")
    placed_board = card_deck = NONE  # whose hexes and cards the scratch memory holds
    for index in range(games.shape[0]):
        game, observer = games[index], int(seats[index])
        cells = out[index].reshape(NUM_PLANES, NUM_CELLS)
        cells[:] = 0
        if observer == NONE:
            continue
        if observer < 0 or observer >= game.num_seats:
            raise ValueError("an observer must be a seat of its game, or NONE")
        board = boards[game.board_index]
        if placed_board != game.board_index:
            place_hexes(board, scratch)
            placed_board = int(game.board_index)
        card_deck = prepare_row(game, board, decks, observer, card_deck, scratch)
        cells[NUM_MAP_PLANES:].reshape(NUM_SHEETS * NUM_CELLS)[:TABLE_SIZE] = scratch.row[:TABLE_SIZE]
        table = cells.T
        write_hexes(game, board, observer, scratch, table)
        write_track(game, board, observer, scratch, table)
        write_open_edges(game, board, observer, scratch, table)


def encode_grid_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write ``out[i]`` of ``out`` (n, *GRID_SHAPE) float32: what ``seats[i]`` sees of game i.

    ``seats`` (n,) holds seats of the ``games`` (n,) GAME, or NONE for zeros. ``boards`` and ``decks`` are the arrays
    that the games' ``board_index`` and ``deck_index`` point into. Nothing else is written and nothing allocated.
    """
    encode_grids(games, boards, decks, seats, out, shared_scratch())


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
