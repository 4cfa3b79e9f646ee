"""Small changes of maps that leave them playable."""

from dataclasses import replace

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import CITY, HILLS, MOUNTAINS, PLAINS, WATER
from steam_env.data.generate import Stream
from steam_env.data.map_text import MapError
from steam_env.data.shapes import Cell
from steam_env.data.steam_power.maps import Map, check_map, terrain_by_cell

TERRAINS = (PLAINS, HILLS, MOUNTAINS, WATER)  # a hex changes from one into another
CITY_MOVES = 25  # percent of the changes that move a city to a hex beside it, which leaves plains behind


def change_map(board: Map, stream: Stream) -> Map | None:
    """A map that differs in the terrain of one hex, or the place of one city, and can be played; ``None``: not so."""
    changed = _draw_change(board, stream)
    try:
        check_map(changed)
    except MapError:
        return None
    return None if changed.hexes == board.hexes else changed


def _draw_change(board: Map, stream: Stream) -> Map:
    """The map with a change that may be none, or one that cannot be played."""
    terrain = terrain_by_cell(board)
    names = dict(zip((cell for cell, code in terrain.items() if code == CITY), board.cities, strict=True))
    if stream.hits(CITY_MOVES):
        _move_city(terrain, names, stream)
    else:
        cell = stream.choose([cell for cell, code in terrain.items() if code != CITY] or list(terrain))
        if terrain[cell] != CITY:
            terrain[cell] = stream.choose(TERRAINS)
    hexes = tuple((*cell, code) for cell, code in terrain.items())
    cities = tuple(names[cell] for cell in sorted(names))  # map order
    return replace(board, cities=cities, hexes=hexes)


def _move_city(terrain: dict[Cell, int], names: dict[Cell, str], stream: Stream) -> None:
    city = stream.choose(list(names))
    beside = [cell for cell in neighbours(city) if terrain.get(cell, CITY) != CITY]
    if beside:
        place = stream.choose(beside)
        terrain[place], terrain[city] = CITY, PLAINS
        names[place] = names.pop(city)
