"""Maps drawn from a stream of random numbers: a coast, ranges, rivers, lakes, cities, passages, hills.

The order matters. Ranges come first, as rivers rise there and neither lakes nor cities lie on them. Water never parts
the land: a hex becomes water only where those round it hang together without it, so that rivers keep fords, and every
city can be linked with every other. Terrain gets its heights last, so that hills and mountains are as many as asked.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import CITY, COLOR_LETTERS, HILLS, MOUNTAINS, NUM_RESOURCES, PLAINS, WATER
from steam_env.data.generate import Stream
from steam_env.data.place_names import draw_names
from steam_env.data.shapes import (
    PERCENT,
    Cell,
    can_spare,
    count_land,
    count_runs,
    dig_lakes,
    draw_outline,
    draw_ranges,
    find_way,
    grow,
    is_shore,
    list_ring,
    measure_distance,
    measure_steps,
)
from steam_env.data.steam_power.maps import Map

FOOTHILLS = 12  # percent of the hills that lie away from ranges
DEPTH_OF_SOURCES = 2  # steps from the coast at which rivers may rise
LENGTH, WINDING = 5, 5  # of rivers: steps from the spring to the mouth at least, and see `find_way`
STRETCH = (2, 3)  # hexes of water between two fords
PLACES_TRIED = 5  # for a city, of which the best is taken
FAR = 4  # steps to the next city, which no place is better for exceeding
GROUP_SIZE = 3  # cities of a group at most
FIRST_WAYS, WAYS = 3, 2  # hexes of land beside a city: when it is founded, and in the end
SPARE_TILES = 2  # of the bag, which lie beside the map


def draw_map(stream: Stream, knobs: Mapping[str, int], name: str) -> Map | None:
    """A map with the knobs of ``MapSpec``, a number for each; ``None`` where no place is left for a city."""
    solid = draw_outline(stream, knobs["hexes"], knobs["ragged"])
    every = frozenset(solid)
    ranges = draw_ranges(stream, every, _guess_land(knobs) * knobs["mountains"] // PERCENT)
    _dig_rivers(stream, solid, ranges, knobs["rivers"])
    dig_lakes(stream, solid, ranges, len(every) * knobs["lakes"] // PERCENT)
    groups = _found_cities(
        stream, solid, every, set(ranges), knobs["cities"], knobs["cities"] * knobs["groups"] // PERCENT
    )
    if groups is None:
        return None
    cities = {city for group in groups for city in group}
    _narrow(stream, solid, every, cities, len(every) * knobs["passages"] // PERCENT)
    terrain = dict.fromkeys(every, WATER) | dict.fromkeys(solid, PLAINS) | dict.fromkeys(cities, CITY)
    _raise_heights(stream, terrain, ranges, knobs)
    water, mountains, hills = ({cell for cell in every if terrain[cell] == code} for code in (WATER, MOUNTAINS, HILLS))
    names = draw_names(stream, cities, water, mountains, hills)
    title = f"From {names[0]} to {names[-1]}"
    hexes = tuple((column, row, terrain[column, row]) for column, row in sorted(every))
    return Map(name, title, tuple(names), hexes, _fill_bag(stream, knobs))


def _guess_land(knobs: Mapping[str, int]) -> int:
    """Hexes of land that a map has, about, before it is drawn."""
    return knobs["hexes"] * (PERCENT - knobs["lakes"]) // PERCENT - knobs["cities"]


# --- ranges and heights ----------------------------------------------------------------------------------
def _raise_heights(stream: Stream, terrain: dict[Cell, int], ranges: list[Cell], knobs: Mapping[str, int]) -> None:
    """Make plains mountains and hills: mountains on the ranges, hills round them, and some anywhere."""
    plains = {cell for cell, code in terrain.items() if code == PLAINS}
    number = len(plains)
    high = [cell for cell in ranges if cell in plains][: number * knobs["mountains"] // PERCENT]
    high += grow(stream, high, number * knobs["mountains"] // PERCENT - len(high), plains)
    hills = grow(stream, high, number * knobs["hills"] // PERCENT, plains, FOOTHILLS)
    terrain |= dict.fromkeys(high, MOUNTAINS) | dict.fromkeys(hills, HILLS)


# --- water -----------------------------------------------------------------------------------------------
def _dig_rivers(stream: Stream, solid: set[Cell], ranges: list[Cell], number: int) -> None:
    """Take rivers out of the land: each from a range, where there is one, to the coast or into other water."""
    for _ in range(number):
        coast = {cell for cell in solid if not all(other in solid for other in neighbours(cell))}
        depth = measure_steps(coast, solid)
        inland = [cell for cell in sorted(solid) if depth[cell] >= DEPTH_OF_SOURCES]
        springs = [cell for cell in ranges if depth.get(cell, 0) >= DEPTH_OF_SOURCES] or inland
        if not springs:
            return
        spring = stream.choose(springs)
        mouths = {cell for cell in coast if measure_distance(cell, spring) >= LENGTH} or coast
        way = find_way(stream, spring, mouths, solid - coast, WINDING)[::-1]
        ford = stream.between(*STRETCH)
        for place, cell in enumerate(way[:-1]):  # from the mouth on; the spring itself is dry
            if place == ford:
                ford += 1 + stream.between(*STRETCH)
            elif can_spare(cell, solid):
                solid.remove(cell)


def _narrow(stream: Stream, solid: set[Cell], every: Collection[Cell], cities: set[Cell], wanted: int) -> None:
    """Make land water, or water land, until there are about so many passages one hex wide."""
    missing = wanted - sum(_is_passage(cell, solid, cities) for cell in solid)
    sign = 1 if missing > 0 else -1
    order = stream.shuffle(sorted(every))
    order.sort(key=lambda cell: not is_shore(cell, solid, every))  # rather a larger lake than one more
    for cell in order:
        if missing * sign <= 0:
            return
        if (cell in solid) == (sign > 0) and cell not in cities and can_spare(cell, solid):
            around = (cell, *neighbours(cell))
            gain = -sum(_is_passage(place, solid, cities) for place in around)
            solid ^= {cell}
            gain += sum(_is_passage(place, solid, cities) for place in around)
            if gain * sign > 0 and all(count_land(city, solid, cities) >= WAYS for city in around if city in cities):
                missing -= gain
            else:
                solid ^= {cell}


def _is_passage(cell: Cell, solid: Collection[Cell], cities: Collection[Cell]) -> bool:
    """Whether the land is one hex wide there, as ``map_stats`` counts it."""
    return cell in solid and cell not in cities and count_runs(cell, solid) > 1


# --- cities ------------------------------------------------------------------------------------------------
def _found_cities(
    stream: Stream, solid: set[Cell], every: Collection[Cell], ranges: set[Cell], number: int, joined: int
) -> list[list[Cell]] | None:
    """Groups of cities: lone ones far from each other, and so many that join one of them; ``None`` for want of room."""
    fit = [cell for cell in sorted(solid) if count_land(cell, solid, ()) >= FIRST_WAYS]
    nearest = dict.fromkeys(fit, FAR)  # steps to the next city
    groups: list[list[Cell]] = []
    while len(groups) < number - joined:
        free = [cell for cell, steps in nearest.items() if steps > 1]
        places = [cell for cell in free if cell not in ranges] or free
        if not places:
            return None
        tried = [stream.choose(places) for _ in range(PLACES_TRIED)]
        city = max(tried, key=lambda cell: 2 * nearest[cell] + is_shore(cell, solid, every))
        groups.append([city])
        for steps in range(FAR):
            for cell in list_ring(city, steps):
                if cell in nearest:
                    nearest[cell] = min(steps, nearest[cell])
    for _ in range(joined):
        if not _join_city(stream, groups, solid - ranges):
            return None
    return groups


def _join_city(stream: Stream, groups: list[list[Cell]], places: set[Cell]) -> bool:
    """Let a city on one of the places join a group, but never two; whether there was a place."""
    group_at = {city: group for group in groups for city in group}
    for group in stream.shuffle([group for group in groups if len(group) < GROUP_SIZE]):
        beside = {other for city in group for other in neighbours(city) if other in places and other not in group_at}
        fit = [
            cell
            for cell in sorted(beside)
            if all(group_at.get(other, group) is group for other in neighbours(cell))
            and count_land(cell, places, group_at) >= FIRST_WAYS
        ]
        if fit:
            group.append(stream.choose(fit))
            return True
    return False


# --- tiles ---------------------------------------------------------------------------------------------
def _fill_bag(stream: Stream, knobs: Mapping[str, int]) -> str:
    """The City tiles of a map: purple ones as asked, the others of equal colours but for those that were exchanged."""
    number = knobs["cities"] + SPARE_TILES
    purple = number * knobs["purple"] // PERCENT
    order = stream.shuffle(range(NUM_RESOURCES))
    colors = [order[index % NUM_RESOURCES] for index in range(number - purple)]
    for _ in range(knobs["colours"]):
        colors[stream.below(len(colors))] = order[0]
    colors += [NUM_RESOURCES] * purple
    return "".join(COLOR_LETTERS[color] for color in sorted(colors))
