"""Rule 1: hexes, edges, segments of track, tile kinds, groups of cities."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

Hex = tuple[int, int]  # column and row in doubled coordinates (rule 1.1)
Segment = tuple[int, int]  # two edges of a hex

EDGE_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
EDGES = range(6)
TERRAIN = ("plains", "hills", "mountains", "water", "city")  # rule 1.2; a map's codes count these
TILE_KINDS = ("plain", "tight", "curved")  # rule 1.5
TILES_OF_KIND = {"plain": 80, "tight": 10, "curved": 10}
COLORS = "WBOGP"
RESOURCES = "WBOG"
COLOR_WORDS = {"W": "white", "B": "black", "O": "orange", "G": "gray", "P": "purple"}


class Tile(NamedTuple):
    """A segment on a hex, in the direction of its link."""

    at: Hex
    entry: int
    exit: int

    @property
    def segment(self) -> Segment:
        return self.entry, self.exit


# --- hexes and edges (rule 1.1) -------------------------------------------------------------------
def opposite(edge: int) -> int:
    return (edge + 3) % 6


@cache
def beside(at: Hex, edge: int) -> Hex:
    return at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]


def edge_towards(at: Hex, other: Hex) -> int:
    return STEPS.index((other[0] - at[0], other[1] - at[1]))


def distance(one: Hex, other: Hex) -> int:
    """Steps from hex to hex: a column to the side brings half a hex up or down for nothing."""
    columns, rows = abs(one[0] - other[0]), abs(one[1] - other[1])
    return columns + max(0, (rows - columns) // 2)


def name_hex(at: Hex) -> str:
    """``B4``; after column Z comes AA."""
    letters, column = "", at[0]
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{at[1]}"


# --- segments and tiles (rules 1.3 to 1.5) --------------------------------------------------------
def shape(segment: Segment) -> str:
    """Rule 1.3: neighbouring edges make a tight curve, opposite ones a straight, others a curve."""
    apart = (segment[0] - segment[1]) % 6
    return {1: "tight", 2: "curve", 3: "straight"}[min(apart, 6 - apart)]


@cache
def cross(one: Segment, other: Segment) -> bool:
    """Rule 1.4: the four edges alternate round the hex."""
    between = [edge for edge in other if min(one) < edge < max(one)]
    return not set(one) & set(other) and len(between) == 1


@cache
def tile_kind(*segments: Segment) -> str:
    """Rule 1.5: the stock that the tile with these one or two segments comes from."""
    shapes = [shape(segment) for segment in segments]
    if len(segments) == 1:
        return "tight" if shapes == ["tight"] else "plain"
    return "tight" if shapes == ["straight", "straight"] else "curved"


# --- the map --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Board:
    """What never changes in a game: the map and the contracts' cards."""

    terrain: dict[Hex, str]
    names: tuple[str, ...]  # of the cities, in map order
    contracts: tuple[Any, ...]

    @cached_property
    def hexes(self) -> list[Hex]:
        """In map order: columns left to right, each top to bottom."""
        return sorted(self.terrain)

    @cached_property
    def hex_number(self) -> dict[Hex, int]:
        return {at: number for number, at in enumerate(self.hexes)}

    @cached_property
    def cities(self) -> list[Hex]:
        """The cities' hexes in map order."""
        return [at for at in self.hexes if self.terrain[at] == "city"]

    @cached_property
    def city_at(self) -> dict[Hex, int]:
        return {at: city for city, at in enumerate(self.cities)}

    @cached_property
    def place_at(self) -> dict[str, Hex]:
        """The hexes by their names in scenarios: a city has its own."""
        places = {name_hex(at): at for at in self.hexes}
        return places | dict(zip(self.names, self.cities, strict=True))

    @cached_property
    def group(self) -> list[int]:
        """By city its group, named by the group's first city in map order."""
        groups = list(range(len(self.cities)))
        for _ in self.cities:
            for city, at in enumerate(self.cities):
                near = [groups[self.city_at[beside(at, edge)]] for edge in EDGES if beside(at, edge) in self.city_at]
                groups[city] = min([groups[city], *near])
        return groups

    @cached_property
    def cities_of(self) -> dict[int, list[int]]:
        """By group its cities."""
        return {group: [city for city, of in enumerate(self.group) if of == group] for group in set(self.group)}

    def members(self, groups: Iterable[int]) -> list[int]:
        """The cities of these groups, in map order."""
        return sorted(city for group in set(groups) for city in self.cities_of[group])

    def tiles_along(self, way: list[Hex]) -> list[Tile]:
        """The tiles of a way: on each hex between its ends that is no city."""
        return [
            Tile(here, edge_towards(here, before), edge_towards(here, after))
            for before, here, after in zip(way, way[1:], way[2:], strict=False)
            if here not in self.city_at
        ]

    def name_place(self, at: Hex) -> str:
        return self.names[self.city_at[at]] if at in self.city_at else name_hex(at)
