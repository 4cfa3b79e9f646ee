"""How much maps are alike: cells of one that have the same code at the same place of another, however it is moved."""

import numpy as np

from steam_env.core.jit import kernel

NO_CODE = 255  # of a place without a cell


@kernel
def find_most_alike(
    grids: np.ndarray,
    sizes: np.ndarray,
    boxes: np.ndarray,
    places: np.ndarray,
    codes: np.ndarray,
    box: np.ndarray,
    reach: int,
    found: np.ndarray,
) -> None:
    """The grid that an image of a map is most alike, if it is more alike than what was found before.

    The middles of their boxes are laid on each other, and moved by up to ``reach`` in both directions. Alike is the
    number of equal cells, as a share of the cells of the larger of the two.

    Args:
        grids: (n, side, side) uint8, codes by place, NO_CODE where no cell is; a margin is empty all round.
        sizes: (n,) int64, cells of each grid.
        boxes: (n, 2) int64, the sums of the first and the last place that is filled, in both directions.
        places: (k, 2) int64, the cells of the image.
        codes: (k,) uint8, theirs.
        box: (2,) int64, of the image, likewise.
        reach: of the moves.
        found: (3,) int64, written: number of the grid, equal cells, cells of the larger map.
    """
    cells = places.shape[0]
    for number in range(grids.shape[0]):
        larger = max(cells, sizes[number])
        for shift_x in range(-reach, reach + 1):
            for shift_y in range(-reach, reach + 1):
                left = (boxes[number, 0] - box[0]) // 2 + shift_x
                low = (boxes[number, 1] - box[1]) // 2 + shift_y
                equal, index = 0, 0
                # More than found[1] / found[2] is wanted; so few cells that are left cannot make up for it.
                while index < cells and (equal + cells - index) * found[2] > found[1] * larger:
                    if grids[number, places[index, 0] + left, places[index, 1] + low] == codes[index]:
                        equal += 1
                    index += 1
                if index == cells and equal * found[2] > found[1] * larger:
                    found[0], found[1], found[2] = number, equal, larger
