"""Small changes of maps that leave them playable."""

from dataclasses import replace

from steam_env.core.hexes import neighbours
from steam_env.data.generate import Stream
from steam_env.data.shapes import Cell
from steam_env.data.steam.map_checks import can_be_played
from steam_env.data.steam.maps import CITY, HILL_TOWN, HILLS, PLAIN, STOPS, TOWN, WATER, Map

OTHER_HEIGHT = {PLAIN: HILLS, HILLS: PLAIN, TOWN: HILL_TOWN, HILL_TOWN: TOWN}
STOP_MOVES = 40  # percent of the changes that move a city or a town to a hex beside it, which leaves plains behind


def change_map(board: Map, stream: Stream) -> Map | None:
    """A map with a hill more or less, or a city or town beside its old place, that can be played; ``None``: not so."""
    changed = _draw_change(board, stream)
    return changed if changed.cells != board.cells and can_be_played(changed) else None


def _draw_change(board: Map, stream: Stream) -> Map:
    """The map with a change that may be none, or one that cannot be played."""
    signs = {(column, row): sign for column, row, sign in board.cells}
    names = dict(zip([cell for cell, sign in signs.items() if sign in STOPS], board.stops, strict=True))
    if stream.hits(STOP_MOVES):
        _move_stop(signs, names, stream)
    else:
        cell = stream.choose(list(signs))
        signs[cell] = OTHER_HEIGHT.get(signs[cell], signs[cell])
    known = {city.name: city for city in board.cities}
    stops = [names[cell] for cell in sorted(names)]  # map order
    return replace(
        board,
        cities=tuple(known[name] for name in stops if name in known),
        towns=tuple(name for name in stops if name not in known),
        rivers=tuple(cell for cell in board.rivers if signs[cell] != CITY),  # rivers run on land
        cells=tuple((*cell, sign) for cell, sign in signs.items()),
    )


def _move_stop(signs: dict[Cell, str], names: dict[Cell, str], stream: Stream) -> None:
    stop = stream.choose(list(names))
    beside = [cell for cell in neighbours(stop) if signs.get(cell, WATER) in (PLAIN, HILLS)]
    if beside:
        place = stream.choose(beside)
        signs[place], signs[stop] = signs[stop], PLAIN
        names[place] = names.pop(stop)
