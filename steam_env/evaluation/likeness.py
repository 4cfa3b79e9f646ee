"""How much alike the maps of two sets are, under the 12 symmetries of the hex plane: does a split leak?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from steam_env.core.overlap import NO_CODE, find_most_alike
from steam_env.data.shapes import Cell, list_images

REACH = 2  # places that a map is moved to either side of where the middles of two maps meet


@dataclass(frozen=True)
class Pair:
    """The two maps of two sets that are most alike.

    Attributes:
        first, second: their numbers in the sets.
        equal: hexes that are equal where both maps lie on each other.
        larger: hexes of the larger map.
    """

    first: int
    second: int
    equal: int
    larger: int

    @property
    def share(self) -> float:
        """Share of equal hexes."""
        return self.equal / self.larger


def find_nearest(
    maps: Sequence[Mapping[Cell, int]],
    others: Sequence[Mapping[Cell, int]],
    report: Callable[[int], None] = lambda done: None,
) -> Pair:
    """The pair of a map and another that are most alike, the other one turned and reflected in all ways.

    Args:
        maps: codes by cell, one or more maps.
        others: likewise.
        report: called with 1 for each of ``others`` that was compared with all maps.
    """
    images = [list_images(other) for other in others]
    plain = [list_images(one)[0] for one in maps]
    most = max(max(place) for image in (*plain, *(one for all_ in images for one in all_)) for place in image) + 1
    margin = most + REACH
    grids = np.full((len(maps), most + 2 * margin, most + 2 * margin), NO_CODE, np.uint8)
    boxes = np.zeros((len(maps), 2), np.int64)
    for number, image in enumerate(plain):
        places, codes, boxes[number] = _lay_out(image, margin)
        grids[number, places[:, 0], places[:, 1]] = codes
    sizes = np.array([len(one) for one in maps], np.int64)
    best = Pair(0, 0, 0, 1)
    for second, turned in enumerate(images):
        found = np.array([best.first, best.equal, best.larger], np.int64)
        for image in turned:
            find_most_alike(grids, sizes, boxes, *_lay_out(image, 0), REACH, found)
        if found.tolist() != [best.first, best.equal, best.larger]:
            best = Pair(int(found[0]), second, int(found[1]), int(found[2]))
        report(1)
    return best


def _lay_out(image: Mapping[Cell, int], margin: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places (k, 2) int64 with a margin, codes (k,) uint8, and the sums of first and last place (2,)."""
    places = np.array(list(image), np.int64) + margin
    return places, np.array(list(image.values()), np.uint8), places.min(axis=0) + places.max(axis=0)
