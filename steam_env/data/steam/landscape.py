"""Maps drawn from a stream of random numbers: a coast, lakes, cities, towns, rivers, hills, thick edges.

The order matters. Water never parts the land, and cities stand apart, so that every city can be linked with every
other. Towns come after cities, for none may touch two of them; rivers and hills run over what is left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from steam_env.core.hexes import NUM_EDGES, neighbours, opposite
from steam_env.core.steam.state import GRAY, MAX_HEXES, SEAT_COUNTS
from steam_env.data.generate import Stream
from steam_env.data.place_names import draw_names
from steam_env.data.shapes import (
    PERCENT,
    Cell,
    count_land,
    dig_lakes,
    draw_outline,
    draw_ranges,
    find_way,
    grow,
    is_shore,
    measure_distance,
)
from steam_env.data.steam.map_checks import can_be_played
from steam_env.data.steam.maps import CITY, HILL_TOWN, HILLS, PLAIN, TOWN, WATER, City, Map, Wall

FOOTHILLS = 12  # percent of the hills that lie away from ranges
PLACES_TRIED = 5  # for a city or a town, of which the best is taken
FAR_CITY, FAR_STOP = 4, 3  # steps to the next city, or stop, which no place is better for exceeding
FIRST_WAYS = 3  # hexes of land beside a stop when it is founded: so many edges are open, but for walls
WINDING = 5  # of rivers, see `find_way`
RIVERS_TRIED = 40
CITY_COLORS = GRAY  # the colours before gray: gray cubes wait for a gray New City


def draw_map(stream: Stream, knobs: Mapping[str, int], name: str) -> Map | None:
    """A map with the knobs of ``MapSpec``, a number for each; ``None`` where it is no good."""
    solid = draw_outline(stream, knobs["hexes"], knobs["ragged"])
    every = frozenset(solid)
    ranges = draw_ranges(stream, every, len(every) * knobs["hills"] // PERCENT)
    dig_lakes(stream, solid, [], len(every) * knobs["lakes"] // PERCENT)
    cities = _found_cities(stream, solid, knobs["cities"])
    towns = _found_towns(stream, solid, cities, knobs["towns"])
    if len(cities) < knobs["cities"] or len(towns) < knobs["towns"]:
        return None
    land = solid.difference(cities)
    rivers = _draw_rivers(stream, land, _find_coast(solid, every), len(land) * knobs["rivers"] // PERCENT)
    hills = _raise_hills(stream, land, ranges, len(land) * knobs["hills"] // PERCENT)
    stops = sorted((*cities, *towns))
    names = dict(zip(stops, draw_names(stream, stops, every - solid, (), hills), strict=True))
    colors = _paint_cities(stream, cities)
    cubes = _spread_cubes(stream, cities, knobs["cubes"])
    board = Map(
        name=name,
        title=f"From {names[stops[0]]} to {names[stops[-1]]}",
        seats=tuple(SEAT_COUNTS),
        fewer_cubes_with_three=False,
        cities=tuple(City(names[city], colors[city], cubes[city]) for city in sorted(cities)),
        towns=tuple(names[town] for town in sorted(towns)),
        rivers=tuple(sorted(rivers)),
        walls=_raise_walls(stream, solid, every, stops, knobs["walls"]),
        supply=(),
        cells=tuple((*cell, _sign(cell, solid, cities, towns, hills)) for cell in sorted(every)),
    )
    return board if can_be_played(board) else None


def _sign(
    cell: Cell, solid: Collection[Cell], cities: Collection[Cell], towns: Collection[Cell], hills: Collection[Cell]
) -> str:
    """The character of a hex in a map file."""
    if cell not in solid:
        return WATER
    if cell in cities:
        return CITY
    if cell in towns:
        return HILL_TOWN if cell in hills else TOWN
    return HILLS if cell in hills else PLAIN


# --- cities and towns ------------------------------------------------------------------------------------
def _found_cities(stream: Stream, solid: Collection[Cell], number: int) -> list[Cell]:
    """Cities far from each other, none beside another; fewer where there is no place for more."""
    fit = [cell for cell in sorted(solid) if count_land(cell, solid, ()) >= FIRST_WAYS]
    cities: list[Cell] = []
    while len(cities) < number:
        free = [cell for cell in fit if _measure_nearest(cell, cities, FAR_CITY) > 1]
        if not free:
            break
        tried = [stream.choose(free) for _ in range(PLACES_TRIED)]
        cities.append(max(tried, key=lambda cell: _measure_nearest(cell, cities, FAR_CITY)))
    return cities


def _found_towns(stream: Stream, solid: Collection[Cell], cities: Sequence[Cell], number: int) -> list[Cell]:
    """Towns away from other stops, none beside two cities: one tile would join it to both. Perhaps fewer, likewise."""
    fit = [
        cell
        for cell in sorted(solid)
        if count_land(cell, solid, ()) >= FIRST_WAYS and sum(other in cities for other in neighbours(cell)) <= 1
    ]
    towns: list[Cell] = []
    while len(towns) < number:
        free = [cell for cell in fit if cell not in cities and cell not in towns]
        if not free:
            break
        stops = [*cities, *towns]
        tried = [stream.choose(free) for _ in range(PLACES_TRIED)]
        towns.append(max(tried, key=lambda cell: _measure_nearest(cell, stops, FAR_STOP)))
    return towns


def _measure_nearest(cell: Cell, others: Collection[Cell], most: int) -> int:
    """Steps to the nearest of others, or ``most`` if none is nearer."""
    return min(most, min((measure_distance(cell, other) for other in others), default=most))


def _paint_cities(stream: Stream, cities: Sequence[Cell]) -> dict[Cell, int]:
    """The colour of each city: about as many of each, those of one colour far apart, so that cubes travel."""
    order = stream.shuffle(range(CITY_COLORS))
    left = [order[number % CITY_COLORS] for number in range(len(cities))]
    colors: dict[Cell, int] = {}
    for city in stream.shuffle(sorted(cities)):
        alike = {
            color: [other for other, its in colors.items() if its == color] for color in dict.fromkeys(sorted(left))
        }
        colors[city] = max(
            alike, key=lambda color: (_measure_nearest(city, alike[color], MAX_HEXES), left.count(color))
        )
        left.remove(colors[city])
    return colors


def _spread_cubes(stream: Stream, cities: Sequence[Cell], number: int) -> dict[Cell, int]:
    """How many cubes each city begins with: one more in some, which are drawn."""
    each, more = divmod(number, len(cities))
    richer = stream.shuffle(sorted(cities))[:more]
    return {city: each + (city in richer) for city in cities}


# --- land --------------------------------------------------------------------------------------------------
def _find_coast(solid: Collection[Cell], every: Collection[Cell]) -> set[Cell]:
    """The hexes at the end of the map, or at a lake."""
    return {
        cell for cell in solid if is_shore(cell, solid, every) or not all(other in every for other in neighbours(cell))
    }


def _draw_rivers(stream: Stream, land: set[Cell], coast: set[Cell], size: int) -> set[Cell]:
    """So many hexes of land with a river, a few less where there is no way: each flows to the coast or into another."""
    rivers: set[Cell] = set()
    mouths = coast & land
    for _ in range(RIVERS_TRIED):
        springs = [cell for cell in sorted(land) if cell not in coast and cell not in rivers]
        if len(rivers) >= size or not springs:
            break
        spring = stream.choose(springs)
        way = find_way(stream, spring, mouths | rivers, land, WINDING)
        rivers |= set(way[::-1][: size - len(rivers)])  # from the mouth on
    return rivers


def _raise_hills(stream: Stream, land: Collection[Cell], ranges: Sequence[Cell], number: int) -> set[Cell]:
    """So many hexes of land with hills: on the ranges, round them, and some anywhere."""
    high = [cell for cell in ranges if cell in land][:number]
    return {*high, *grow(stream, high, number - len(high), land, FOOTHILLS)}


def _raise_walls(
    stream: Stream, solid: Collection[Cell], every: Collection[Cell], stops: Collection[Cell], number: int
) -> tuple[Wall, ...]:
    """So many thick edges, rather along a shore; a stop loses at most one."""
    sides = [
        (cell, edge)
        for cell in sorted(solid)
        for edge, other in enumerate(neighbours(cell)[: NUM_EDGES // 2])
        if other in solid
    ]
    mixed = stream.shuffle(sides)
    mixed.sort(key=lambda side: not all(is_shore(end, solid, every) for end in (side[0], neighbours(side[0])[side[1]])))
    walls: list[Wall] = []
    closed: set[Cell] = set()
    for cell, edge in mixed:
        other = neighbours(cell)[edge]
        if len(walls) < number and cell not in closed and other not in closed:
            closed |= {cell, other}.intersection(stops)
            walls.append(min((cell, edge), (other, opposite(edge))))
    return tuple(sorted(walls))
