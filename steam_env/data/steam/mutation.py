"""Small changes of maps that leave them playable."""

from dataclasses import replace

from steam_env.core.hexes import neighbours
from steam_env.data.generate import TRIES, Stream
from steam_env.data.map_text import MapError
from steam_env.data.shapes import Cell
from steam_env.data.steam.map_checks import can_be_played
from steam_env.data.steam.maps import CITY, HILL_TOWN, HILLS, PLAIN, STOPS, TOWN, WATER, Map

OTHER_HEIGHT = {PLAIN: HILLS, HILLS: PLAIN, TOWN: HILL_TOWN, HILL_TOWN: TOWN}
STOP_MOVES = 40  # percent of the changes that move a city or a town to a hex beside it, which leaves plains behind
CHANGED = "+"  # ends the name of a map that was changed


def mutate_map(board: Map, stream: Stream) -> Map:
    """A map with a hill more or less, or with one city or town beside its old place, that can be played.

    Raises:
        MapError: where none was found, as in a map without land that could change.
    """
    for _ in range(TRIES):
        changed = _change(board, stream)
        if changed.cells != board.cells and can_be_played(changed):
            return changed
    raise MapError(f"{board.name}: no change in {TRIES} tries leaves a map that can be played")


def _change(board: Map, stream: Stream) -> Map:
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
        name=board.name if board.name.endswith(CHANGED) else board.name + CHANGED,
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
