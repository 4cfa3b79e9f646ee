"""``MapSpec``: the knobs of maps and decks that are made from seeds, each a range from which the seed draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES
from steam_env.data.generate import Range, Stream, read_range
from steam_env.data.steam_power.decks import Deck
from steam_env.data.steam_power.drawn_decks import draw_deck
from steam_env.data.steam_power.landscape import draw_map
from steam_env.data.steam_power.maps import Map

LEAST_HEXES, LEAST_CITIES = 60, 10
LEAST_SPACING = 5  # hexes of a map for each city
LEAST_CONTRACTS = 36  # of a deck: with so many one of five seats has fulfilled eight, or all are gone (rule 3.2)
BOUNDS: Mapping[str, Range] = {  # what each knob may be set to
    "hexes": (LEAST_HEXES, MAX_HEXES),
    "spacing": (10 * LEAST_SPACING, 260),
    "cities": (LEAST_CITIES, MAX_CITIES),
    "groups": (0, 40),
    "hills": (0, 50),
    "mountains": (0, 40),
    "lakes": (0, 30),
    "rivers": (0, 6),
    "passages": (0, 15),
    "ragged": (0, 40),
    "purple": (0, 30),
    "colours": (0, 6),
    "contracts": (LEAST_CONTRACTS, MAX_CONTRACTS),
    "needs": (20, 45),
}
DECK_KNOBS = ("contracts", "needs")  # of the deck, all others are of the map
HARDER = ("spacing", "hills", "mountains", "lakes", "rivers", "passages", "needs")  # the more, the harder to deliver
HARDEST = 1000  # what a knob at the end of its range adds to the hardness of a world


@dataclass(frozen=True)
class MapSpec:
    """What maps and decks are made like. A knob is a range (low, high) from which each seed draws, or a number.

    The usual ranges give maps like ``midwest`` and ``alps``, and decks like ``standard``.

    Attributes:
        hexes: of the map.
        spacing: tenths of hexes for each city, which tell the number of cities.
        cities: at least and at most so many, whatever the spacing.
        groups: percent of the cities that join another one: together they are a group.
        hills: percent of the land.
        mountains: percent of the land, in ranges.
        lakes: percent of the hexes that are lakes or bays.
        rivers: number; each runs from a range to the coast or into other water, and has fords.
        passages: choke points, where the land is one hex wide, for each hundred hexes, about.
        ragged: percent of the hexes that the coast leaves out of a rectangle.
        purple: percent of the City tiles.
        colours: City tiles of which the colour is another than an even spread has.
        contracts: of the deck; a number that four does not divide is rounded down.
        needs: tenths of resources of a contract, on average.

    Raises:
        ValueError: naming the knob, its value and what is allowed.

    Example:
        >>> from steam_env.data.generate import generate_map
        >>> len(generate_map(17, MapSpec(hexes=120, mountains=(20, 30))).hexes)
        120
    """

    hexes: Range | int = (195, 225)
    spacing: Range | int = (62, 74)
    cities: Range | int = (28, 33)
    groups: Range | int = (15, 30)
    hills: Range | int = (27, 38)
    mountains: Range | int = (8, 16)
    lakes: Range | int = (4, 8)
    rivers: Range | int = (1, 3)
    passages: Range | int = (6, 12)
    ragged: Range | int = (4, 16)
    purple: Range | int = (13, 17)
    colours: Range | int = (0, 1)
    contracts: Range | int = (48, 48)
    needs: Range | int = (30, 32)

    def __post_init__(self) -> None:
        for name, bounds in BOUNDS.items():
            object.__setattr__(self, name, read_range(name, getattr(self, name), bounds))
        cities, hexes = self.list_ranges()["cities"], self.list_ranges()["hexes"]
        if cities[0] * LEAST_SPACING > hexes[0]:
            raise ValueError(
                f"cities={cities}: hexes={hexes} has room for {hexes[0] // LEAST_SPACING} at least, {LEAST_SPACING} "
                "hexes for each"
            )

    def list_ranges(self) -> dict[str, Range]:
        """Every knob as a range, by name."""
        return {name: getattr(self, name) for name in BOUNDS}

    def _draw(self, stream: Stream) -> dict[str, int]:
        """A number for each knob; those of the cities follow from their spacing, and the range of cities."""
        ranges = self.list_ranges()
        numbers = {name: stream.between(*range_) for name, range_ in ranges.items() if name != "cities"}
        low, high = ranges["cities"]
        spaced = 10 * numbers["hexes"] // numbers["spacing"]
        return {**numbers, "cities": max(low, min(high, spaced, numbers["hexes"] // LEAST_SPACING))}

    def tell(self, of_map: Stream, of_deck: Stream) -> Mapping[str, int]:
        """The numbers that the streams of a map and of its deck draw; of cities, how many there are to be."""
        deck = self._draw(of_deck)
        return {**self._draw(of_map), **{name: deck[name] for name in DECK_KNOBS}}

    def measure_hardness(self, numbers: Mapping[str, int]) -> int:
        """How hard a world is, from 0: the places of ``HARDER`` in their ranges, ``HARDEST`` each, added up."""
        ranges = self.list_ranges()
        return sum(
            HARDEST * (numbers[name] - ranges[name][0]) // max(1, ranges[name][1] - ranges[name][0]) for name in HARDER
        )

    def draw_map(self, stream: Stream, name: str) -> Map | None:
        """A map, or ``None`` where there is no room for its cities."""
        return draw_map(stream, self._draw(stream), name)

    def draw_deck(self, stream: Stream, board: Map, name: str) -> Deck:
        """A deck for this map."""
        return draw_deck(stream, self._draw(stream), board, name)
