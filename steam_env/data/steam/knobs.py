"""``MapSpec``: the knobs of maps that are made from seeds, each a range from which the seed draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from steam_env.core.steam.state import BAG, GRAY, MAX_HEXES, NUM_SPACES
from steam_env.data.generate import Range, Stream, read_range
from steam_env.data.place_names import MOST_NAMES
from steam_env.data.steam.landscape import draw_map
from steam_env.data.steam.maps import MOST_CITY_CUBES, MOST_SPACE_CUBES, Map

LEAST_HEXES, LEAST_CITIES, MOST_CITIES = 40, GRAY, 20  # a city of each colour but gray at least
LEAST_SPACING = 3  # hexes of a map for each city or town
MOST_CUBES = sum(BAG) - NUM_SPACES * MOST_SPACE_CUBES  # in all cities (rule 4.2)
BOUNDS: Mapping[str, Range] = {  # what each knob may be set to
    "hexes": (LEAST_HEXES, MAX_HEXES),
    "cities": (LEAST_CITIES, MOST_CITIES),
    "towns": (1, MOST_NAMES - MOST_CITIES),
    "hills": (0, 50),
    "lakes": (0, 30),
    "rivers": (0, 40),
    "walls": (0, 12),
    "ragged": (0, 40),
    "cubes": (0, MOST_CUBES),
}


@dataclass(frozen=True)
class MapSpec:
    """What maps are made like. A knob is a range (low, high) from which each seed draws, or a number.

    The usual ranges give maps like ``great_lakes`` and ``rhineland``.

    Attributes:
        hexes: of the map, those of lakes included.
        cities: number; none touches another.
        towns: number; none touches two cities, as one tile would join it to both.
        hills: percent of the land, cities not counted.
        lakes: percent of the hexes.
        rivers: percent of the land that has a river.
        walls: thick edges, along the shore where there is one.
        ragged: percent of the hexes that the coast leaves out of a rectangle.
        cubes: of all cities together at the beginning, spread as evenly as can be.

    Raises:
        ValueError: naming the knob, its value and what is allowed.

    Example:
        >>> from steam_env.data.generate import generate_map
        >>> board = generate_map(17, MapSpec(cities=12, towns=18))
        >>> len(board.cities), len(board.towns)
        (12, 18)
    """

    hexes: Range | int = (102, 116)
    cities: Range | int = (12, 16)
    towns: Range | int = (14, 18)
    hills: Range | int = (16, 24)
    lakes: Range | int = (3, 12)
    rivers: Range | int = (11, 19)
    walls: Range | int = (1, 5)
    ragged: Range | int = (4, 16)
    cubes: Range | int = (28, 36)

    def __post_init__(self) -> None:
        for name, bounds in BOUNDS.items():
            object.__setattr__(self, name, read_range(name, getattr(self, name), bounds))
        ranges = self.list_ranges()
        stops, room = ranges["cities"][1] + ranges["towns"][1], ranges["hexes"][0] // LEAST_SPACING
        if stops > room:
            raise ValueError(
                f"cities={ranges['cities']}, towns={ranges['towns']}: hexes={ranges['hexes']} has room for {room} in "
                f"all at least, {LEAST_SPACING} hexes for each"
            )
        most = ranges["cities"][0] * MOST_CITY_CUBES
        if ranges["cubes"][1] > most:
            raise ValueError(f"cubes={ranges['cubes']}: cities={ranges['cities']} hold {most}, {MOST_CITY_CUBES} each")

    def list_ranges(self) -> dict[str, Range]:
        """Every knob as a range, by name."""
        return {name: getattr(self, name) for name in BOUNDS}

    def tell(self, of_map: Stream, of_deck: Stream) -> Mapping[str, int]:
        """The numbers that the stream of a map draws; there is no deck."""
        return {name: of_map.between(*range_) for name, range_ in self.list_ranges().items()}

    def draw_map(self, stream: Stream, name: str) -> Map | None:
        """A map, or ``None`` where there is no room for its cities and towns, or they cannot all be joined."""
        return draw_map(stream, self.tell(stream, stream), name)

    def draw_deck(self, stream: Stream, board: Any, name: str) -> NoReturn:
        """Refuse: the game has no decks."""
        raise ValueError("game 'steam' has no decks")
