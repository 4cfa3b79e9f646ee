"""What a shipped map must keep beyond what every map must: that it plays, and that it says whose layout it is."""

from collections.abc import Iterator, Mapping

from steam_env.core.hexes import neighbours
from steam_env.core.steam.state import COLOR_NAMES, GRAY
from steam_env.data.hexes import hex_name
from steam_env.data.steam.maps import CITY, STOPS, Cell, Map

OURS = "the layout is the project's own; it is not a map of the published game"  # in the first comment


def find_faults(map: Map, text: str) -> Iterator[str]:  # noqa: A002 - the game's own word
    """What a shipped map does not keep, each in a sentence; ``text``: of its file."""
    yield from _find_unsaid(text)
    yield from _find_wrong(map)


def can_be_played(map: Map) -> bool:  # noqa: A002
    """Whether a map keeps what a shipped one must, but for what its file says."""
    return not any(_find_wrong(map))


def _find_unsaid(text: str) -> Iterator[str]:
    comment = " ".join(line.removeprefix("#").strip() for line in text.partition("\nname")[0].splitlines())
    if not text.startswith("#") or OURS not in comment.lower():
        yield f"the first comment does not say that {OURS}"
    if "\nseats" not in text:
        yield "seats: not given"


def _find_wrong(map: Map) -> Iterator[str]:  # noqa: A002
    colors = [city.color for city in map.cities]
    for color, name in enumerate(COLOR_NAMES):
        if color == GRAY and color in colors:
            yield "cities: one is gray; gray cubes wait for a gray New City"
        if color != GRAY and color not in colors:
            yield f"cities: none is {name}"
    if not map.towns:
        yield "towns: there is none"
    signs = {(col, row): sign for col, row, sign in map.hexes}
    for cell, sign in signs.items():
        if sign in STOPS and not _list_beyond(map, signs, cell):
            yield f"rows: all edges of the stop on {hex_name(*cell)} are closed"
    cities = [cell for cell, sign in signs.items() if sign == CITY]
    for cell in sorted(set(cities) - _flood(map, signs, cities[0])):
        yield f"rows: no way over land joins the city on {hex_name(*cell)} with that on {hex_name(*cities[0])}"


def _list_beyond(map: Map, signs: Mapping[Cell, str], cell: Cell) -> list[Cell]:  # noqa: A002
    """The hexes over the open edges of one (rule 1.4)."""
    walls = {frozenset((side, neighbours(side)[edge])) for side, edge in map.walls}
    return [other for other in neighbours(cell) if other in signs and frozenset((cell, other)) not in walls]


def _flood(map: Map, signs: Mapping[Cell, str], start: Cell) -> set[Cell]:  # noqa: A002
    """All hexes that links can reach over open edges: none leads from a city straight into another (rule 1.6)."""
    reached, front = {start}, [start]
    while front:
        here = front.pop()
        for other in _list_beyond(map, signs, here):
            if other not in reached and not signs[here] == signs[other] == CITY:
                reached.add(other)
                front.append(other)
    return reached
