"""The `grid` encoding: what one seat sees, as planes (planes, rows, columns) float32 for a convolutional net.

``python -m steam_env.encoding.steam.grid`` prints the planes. The first ``NUM_FEATURES`` are a picture of the map:
each hex has a cell, each plane one feature of it. The last ``NUM_SHEETS`` are *sheets*: what `flat` tells of no hex and
no stop, from the first cell of the first sheet on, row by row:

    picture, sheets = observation[:, :NUM_FEATURES], observation[:, NUM_FEATURES:].flatten(1)

Columns of the map are columns of the grid, two of its rows are one row of the grid; in every other column hexes lie
half a hex lower. Hexes beyond the grid take the cells that are left, row by row, in map order.
"""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.state import MAX_HEXES
from steam_env.encoding.cells import GRID_COLUMNS, GRID_ROWS, NUM_CELLS, place_cells
from steam_env.encoding.layout import describe_parts
from steam_env.encoding.steam.flat import FLAT_HIGH, FLAT_LOW, FLAT_SIZE, LAYOUT, check_observer, write_flat
from steam_env.encoding.steam.hexes import HEX_PARTS, NUM_FEATURES, TABLE_SIZE, write_hexes
from steam_env.kit.program import fit_streams

GRID_LOW, GRID_HIGH = FLAT_LOW, FLAT_HIGH
NUM_SHEETS = -(-TABLE_SIZE // NUM_CELLS)
NUM_PLANES = NUM_FEATURES + NUM_SHEETS
GRID_SHAPE = (NUM_PLANES, GRID_ROWS, GRID_COLUMNS)


def describe_layout() -> str:
    """The layout as two Markdown tables: planes of the picture, and values of the sheets."""
    return "\n".join(
        [
            f"`grid`: {NUM_PLANES} planes of {GRID_ROWS} rows and {GRID_COLUMNS} columns, float32",
            "",
            f"The planes 0 to {NUM_FEATURES - 1}, by hex:",
            "",
            *describe_parts(HEX_PARTS),
            "",
            f"The planes from {NUM_FEATURES} on, one value in each cell: the first {TABLE_SIZE} values of `flat`.",
        ]
    )


@kernel
def encode_grid_games(games: np.ndarray, boards: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Write ``out[i]`` of ``out`` (n, *GRID_SHAPE) float32: what ``seats[i]`` sees of ``games[i]``; NONE: zeros."""
    if out.shape[0] < games.shape[0] or out.shape[1:] != GRID_SHAPE:
        raise ValueError("out must have planes of GRID_SHAPE for each game")
    row = np.empty(FLAT_SIZE, np.float32)
    place, taken = np.empty(MAX_HEXES, np.int64), np.empty(NUM_CELLS, np.int64)
    place_cells(boards[0], place, taken)
    for index in range(games.shape[0]):
        game, observer = games[index], int(seats[index])
        cells = out[index].reshape(NUM_PLANES, NUM_CELLS)
        cells[:] = 0
        if observer == NONE:
            continue
        check_observer(game, observer)
        write_flat(game, boards[0], observer, row)
        write_hexes(game, boards[0], row, place, cells.T)
        cells[NUM_FEATURES:].reshape(NUM_SHEETS * NUM_CELLS)[:TABLE_SIZE] = row[:TABLE_SIZE]


PARTS = (*HEX_PARTS, *(part for part in LAYOUT if part.start < TABLE_SIZE))

if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
