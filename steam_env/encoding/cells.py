"""Cells of a grid for the hexes of any map: columns of the map are columns, two of its rows are one row."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel

GRID_ROWS, GRID_COLUMNS = 20, 20  # the shipped maps have up to 14 and 18
NUM_CELLS = GRID_ROWS * GRID_COLUMNS  # more than a map has hexes


@kernel
def place_cells(board: np.record, place: np.ndarray, taken: np.ndarray) -> None:
    """Write ``place``, the cell of each hex; ``taken`` (NUM_CELLS,) is scratch memory.

    The picture begins in the top left corner. Hexes beyond the grid take the cells that are left, row by row.
    """
    left, top = int(board.col[0]), int(board.row[0])
    for hex_index in range(board.num_hexes):
        left = min(left, int(board.col[hex_index]))
        top = min(top, int(board.row[hex_index]))
    top -= (left + top) % 2  # so that the first column begins with a whole hex, as on every other map
    place[:] = NONE
    taken[:] = 0
    for hex_index in range(board.num_hexes):
        column, row = int(board.col[hex_index]) - left, (int(board.row[hex_index]) - top) // 2
        if column < GRID_COLUMNS and row < GRID_ROWS:
            cell = row * GRID_COLUMNS + column
            place[hex_index] = cell
            taken[cell] = 1
    free = 0
    for hex_index in range(board.num_hexes):
        if place[hex_index] == NONE:
            while taken[free]:
                free += 1
            place[hex_index] = free
            taken[free] = 1
