"""Maps: what a map file may say, how one is read, and the messages for one that is wrong.

A map file is TOML: `name`, `title`, `cities`, optionally `tiles`, and either `rows` (a text block) or
`hexes` (a table). Line r, character c of `rows` is the hex of column c, row r (rule 1.1). Three words:
*parsing* checks the structure, which is all that a scenario's inline map needs; *checking* asks in
addition whether the map can be played, which is what a map file promises; *loading* does both.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import (
    CITY,
    CITY_BAG,
    COLOR_LETTERS,
    MAX_CITIES,
    MAX_HEXES,
    TERRAIN_COST,
    TERRAIN_NAMES,
)
from steam_env.data.hexes import hex_name, parse_hex
from steam_env.data.map_text import (
    Fault,
    MapError,
    check_names_differ,
    locate_fault,
    read_label,
    read_place_name,
    read_rows,
    read_text_entry,
)
from steam_env.kit.show import describe, say_count, show_name
from steam_env.kit.toml_file import list_shipped, parse_toml, read_named

ROW_CHARACTERS = ".hm~@"  # by terrain code; a space is void
MAX_TILES = 999  # in a bag, far more than any map needs; the record counts those off the map in 16 bits
MIN_CITIES = 2  # of a map file: a lone city has nothing to be linked with

_ALLOWED_KEYS = ("name", "title", "cities", "tiles", "rows", "hexes")


@dataclass(frozen=True)
class Map:
    """A map: its hexes and the names of its cities. Made by `load_map` or `parse_map`, which check it."""

    name: str
    title: str
    cities: tuple[str, ...]
    """City names in map order: columns left to right, each top to bottom."""
    hexes: tuple[tuple[int, int, int], ...]
    """(column, row, terrain code of `core.state`) in map order; void hexes are absent."""
    tiles: str = CITY_BAG
    """The bag of City tiles (rule 2.1), one colour letter for each."""


# --- loading ----------------------------------------------------------------------------------------
def shipped_maps() -> tuple[str, ...]:
    """The names of the maps that come with steam_env, sorted."""
    return list_shipped(__package__, "maps")


def load_map(name_or_path: str | os.PathLike[str]) -> Map:
    """Read, parse and check a map file.

    `name_or_path` is a shipped name, or a path: anything with a path separator or ending in ".toml".
    Raises ValueError for an unknown name, and its subclass MapError for a file that is wrong.
    """
    text, source = read_named(name_or_path, __package__, "maps", "map", MapError)
    table = parse_toml(text, source, MapError)
    try:
        board = _build_map(table)
        _check_playable(board)
    except Fault as fault:
        raise MapError(f"{source}{locate_fault(text, fault)}: {fault}") from None
    return board


# --- parsing -----------------------------------------------------------------------------------------
def parse_map(table: Mapping[str, object], source: str = "map") -> Map:
    """The map that `table` describes, in the form of a map file; the structure alone is checked.

    1 to 33 cities, any bag of tiles, and cities that cannot be linked are fine here: a scenario may have
    them. `source` begins the message of the MapError that is raised for a table that is wrong.
    """
    try:
        return _build_map(table)
    except Fault as fault:
        raise MapError(f"{source}: {fault}") from None


def map_to_dict(board: Map) -> dict[str, object]:
    """The table of `board`, in the `hexes` form: `parse_map` of it is equal to `board`."""
    return {
        "name": board.name,
        "title": board.title,
        "cities": list(board.cities),
        "tiles": board.tiles,
        "hexes": {hex_name(col, row): TERRAIN_NAMES[terrain] for col, row, terrain in board.hexes},
    }


def _build_map(table: object) -> Map:
    if not isinstance(table, Mapping):
        raise Fault("", f"a map must be a table, not {describe(table)}")
    _check_keys(table)
    name = read_label(table, "name")
    title = read_label(table, "title") if "title" in table else name
    cities = _read_cities(table["cities"])
    tiles = _read_tiles(table.get("tiles", CITY_BAG))
    cells = _read_cells(table["rows"]) if "rows" in table else _read_hexes(table["hexes"])
    _check_counts(cells, cities)
    return Map(name, title, cities, cells, tiles)


def _check_keys(table: Mapping[object, object]) -> None:
    for key in table:
        if key not in _ALLOWED_KEYS:
            raise Fault(str(key), f"{show_name(key)}: unknown key; allowed are {', '.join(_ALLOWED_KEYS)}")
    for key in ("name", "cities"):
        if key not in table:
            raise Fault("", f"{key}: missing; a map needs name, cities, and rows or hexes")
    if "rows" not in table and "hexes" not in table:
        raise Fault("", "rows: missing; a map needs rows (a text block) or hexes (a table)")
    if "rows" in table and "hexes" in table:
        raise Fault("hexes", "hexes: a map has either rows or hexes, this one has both")


def _read_cities(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise Fault("cities", f"cities: must be a list of names, not {describe(value)}")
    if not 1 <= len(value) <= MAX_CITIES:
        raise Fault("cities", f"cities: {len(value)} names; must be 1 to {MAX_CITIES}")
    names = {f"cities[{index}]": read_place_name(name, f"cities[{index}]") for index, name in enumerate(value)}
    check_names_differ(names)
    return tuple(names.values())


def _read_tiles(value: object) -> str:
    tiles = read_text_entry(value, "tiles", f"text of the letters {COLOR_LETTERS}")
    if len(tiles) > MAX_TILES:
        raise Fault("tiles", f"tiles: {len(tiles)} tiles; must be at most {MAX_TILES}")
    for letter in tiles:
        if letter not in COLOR_LETTERS:
            raise Fault("tiles", f"tiles: unknown letter {letter!r}; allowed are {', '.join(COLOR_LETTERS)}")
    return tiles


def _read_cells(value: object) -> tuple[tuple[int, int, int], ...]:
    meanings = dict(zip(ROW_CHARACTERS, TERRAIN_NAMES, strict=True))
    return tuple((column, row, ROW_CHARACTERS.index(sign)) for column, row, sign in read_rows(value, meanings))


def _read_hexes(value: object) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(value, Mapping):
        raise Fault("hexes", f'hexes: must be a table as {{ A1 = "city" }}, not {describe(value)}')
    return tuple(sorted(_read_hex(name, terrain) for name, terrain in value.items()))


def _read_hex(name: object, terrain: object) -> tuple[int, int, int]:
    try:
        col, row = parse_hex(read_text_entry(name, "hexes", "a table by hex name"))
    except ValueError as error:
        raise Fault("hexes", f"hexes: {error}") from None
    if not isinstance(terrain, str) or terrain not in TERRAIN_NAMES:
        allowed = ", ".join(TERRAIN_NAMES)
        raise Fault("hexes", f"hexes.{name}: must be one of {allowed}, not {describe(terrain)}")
    return col, row, TERRAIN_NAMES.index(terrain)


def _check_counts(cells: tuple[tuple[int, int, int], ...], cities: tuple[str, ...]) -> None:
    if len(cells) > MAX_HEXES:
        raise Fault("rows", f"rows or hexes: {len(cells)} hexes; must be at most {MAX_HEXES}")
    found = sum(terrain == CITY for _, _, terrain in cells)
    if found != len(cities):
        names, places = say_count(len(cities), "name"), say_count(found, "city hex", "city hexes")
        raise Fault("cities", f"cities: {names} for {places} ('@'); must be as many")


# --- checking ----------------------------------------------------------------------------------------
def check_map(board: Map) -> None:
    """Refuse a map that does not keep what a map file promises beyond its structure.

    2 to 33 cities, a bag with at least one tile for each city (rule 2.1), and every city can be linked,
    on an empty board, with a city of another group.
    """
    try:
        _check_playable(board)
    except Fault as fault:
        raise MapError(f"{board.name}: {fault}") from None


def _check_playable(board: Map) -> None:
    if not MIN_CITIES <= len(board.cities) <= MAX_CITIES:
        names = say_count(len(board.cities), "name")
        raise Fault("cities", f"cities: {names}; a map file needs {MIN_CITIES} to {MAX_CITIES}")
    if len(board.tiles) < len(board.cities):
        tiles, cities = say_count(len(board.tiles), "tile"), say_count(len(board.cities), "city", "cities")
        message = f"tiles: {tiles} for {cities}; must be at least one for each"
        raise Fault("tiles", message)
    terrain = terrain_by_cell(board)
    groups = find_groups(board)
    cells = city_cells(board)
    for group in groups:
        if not _can_leave([cells[city] for city in group], terrain):
            col, row = cells[group[0]]
            city = f"city {board.cities[group[0]]!r} on {hex_name(col, row)}"
            message = f"{city} cannot be linked: no way over plains, hills and mountains to a city of another group"
            raise Fault("rows", message, row, col)


def _can_leave(group: list[tuple[int, int]], terrain: Mapping[tuple[int, int], int]) -> bool:
    """Whether a link can join this group to another one.

    A flood over land decides it: a shortest chain of land hexes between two groups uses no hex twice, so
    each hex is left by another edge than it is entered by (rule 1.3), and it passes no other city.
    """
    reached = set(group)
    front = list(group)
    while front:
        cell = front.pop()
        for other in neighbours(cell):
            if other in reached or other not in terrain:
                continue
            if terrain[other] == CITY:
                return True
            if is_land(terrain[other]):
                reached.add(other)
                front.append(other)
    return False


# --- geometry ----------------------------------------------------------------------------------------
def is_land(terrain: int) -> bool:
    """Whether a track tile may lie on this terrain (rule 4.1)."""
    return TERRAIN_COST[terrain] >= 0


def terrain_by_cell(board: Map) -> dict[tuple[int, int], int]:
    """The terrain code by (column, row)."""
    return {(col, row): terrain for col, row, terrain in board.hexes}


def city_cells(board: Map) -> list[tuple[int, int]]:
    """(column, row) of each city, in map order."""
    return [(col, row) for col, row, terrain in board.hexes if terrain == CITY]


def find_groups(board: Map) -> tuple[tuple[int, ...], ...]:
    """The groups of adjacent cities: indices of cities in map order, groups in the order of their first city."""
    index = {cell: city for city, cell in enumerate(city_cells(board))}
    groups: list[tuple[int, ...]] = []
    seen: set[int] = set()
    for cell, city in index.items():
        if city not in seen:
            group = _flood_cities(cell, index)
            seen.update(group)
            groups.append(tuple(sorted(group)))
    return tuple(groups)


def _flood_cities(cell: tuple[int, int], index: Mapping[tuple[int, int], int]) -> set[int]:
    reached = {index[cell]}
    front = [cell]
    while front:
        for other in neighbours(front.pop()):
            if other in index and index[other] not in reached:
                reached.add(index[other])
                front.append(other)
    return reached


# --- positions in a file -----------------------------------------------------------------------------
