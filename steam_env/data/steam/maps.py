"""Maps: what a map file may say, how one is read, and the messages for one that is wrong.

A map file is TOML. Line r, character c of `rows` is the hex of column c, row r (rule 1.1). *Parsing* checks what every
map must keep, those of scenarios too; what a shipped map must keep besides is in ``map_checks``.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from steam_env.core.hexes import EDGE_NAMES, neighbours, opposite
from steam_env.core.steam.state import BAG, COLOR_LETTERS, COLOR_NAMES, MAX_HEXES, MAX_STOPS, NUM_SPACES, SEAT_COUNTS
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
from steam_env.kit.checks import as_integer
from steam_env.kit.show import describe, say_count, show, show_name
from steam_env.kit.toml_file import list_shipped, parse_toml, read_named

Cell = tuple[int, int]  # column, row
Wall = tuple[Cell, int]  # a hex and its edge; of the two sides the first in map order

PLAIN, HILLS, TOWN, HILL_TOWN, CITY, WATER = ".hoO@~"
MEANINGS = {PLAIN: "plain", HILLS: "hills", TOWN: "town", HILL_TOWN: "town in hills", CITY: "city", WATER: "water"}
STOPS = (CITY, TOWN, HILL_TOWN)
MOST_SPACE_CUBES = 3  # of a space that is drawn
MOST_CITY_CUBES = 6  # of a city that draws

_KEYS = ("name", "title", "seats", "fewer_cubes_with_three", "cities", "towns", "rivers", "walls", "supply", "rows")
_CITY_KEYS = ("name", "color", "cubes")


class City(NamedTuple):
    """A printed city."""

    name: str
    color: int  # index in COLOR_NAMES
    cubes: int | str  # so many are drawn, or the letters of those that are given


@dataclass(frozen=True)
class Map:
    """A map. Made by ``load_map`` or ``parse_map``, which check it."""

    name: str
    title: str
    seats: tuple[int, ...]
    fewer_cubes_with_three: bool
    cities: tuple[City, ...]
    """In map order: columns left to right, each top to bottom."""
    towns: tuple[str, ...]
    """Names in map order."""
    rivers: tuple[Cell, ...]
    """Land with a river or canal, in map order."""
    walls: tuple[Wall, ...]
    """Thick edges, in map order."""
    supply: tuple[str, ...]
    """Letters of the cubes that the map gives each space; empty if they are drawn."""
    cells: tuple[tuple[int, int, str], ...]
    """(column, row, character of ``MEANINGS``) in map order; void hexes are absent."""

    @cached_property
    def hexes(self) -> tuple[tuple[int, int, str], ...]:
        """The cells that are land or a city: those of the rules (rule 1.3)."""
        return tuple(cell for cell in self.cells if cell[2] != WATER)

    @cached_property
    def stops(self) -> tuple[str, ...]:
        """Names of cities and towns together, in map order."""
        cities, towns = iter(self.cities), iter(self.towns)
        signs = [sign for _, _, sign in self.cells if sign in STOPS]
        return tuple(next(cities).name if sign == CITY else next(towns) for sign in signs)


# --- loading ----------------------------------------------------------------------------------------


def shipped_maps() -> tuple[str, ...]:
    """The names of the maps that come with the package, sorted."""
    return list_shipped(__package__, "maps")


def read_map_file(name_or_path: str | os.PathLike[str]) -> tuple[Map, str]:
    """The map of a file and the file's text, see ``load_map``."""
    text, source = read_named(name_or_path, __package__, "maps", "map", MapError)
    table = parse_toml(text, source, MapError)
    try:
        return _build_map(table), text
    except Fault as fault:
        raise MapError(f"{source}{locate_fault(text, fault)}: {fault}") from None


def load_map(name_or_path: str | os.PathLike[str]) -> Map:
    """Read a map file: a shipped name, or a path: anything with a path separator or ending in ".toml".

    Raises:
        ValueError: for an unknown name, and its subclass MapError for a file that is wrong.
    """
    return read_map_file(name_or_path)[0]


def parse_map(table: object, source: str = "map") -> Map:
    """The map that a table in the form of a map file describes; ``source`` begins the message of a ``MapError``."""
    try:
        return _build_map(table)
    except Fault as fault:
        raise MapError(f"{source}: {fault}") from None


def map_to_dict(map: Map) -> dict[str, Any]:  # noqa: A002 - the game's own word
    """The map as plain data, in the form of a map file: ``parse_map`` of it is equal."""
    return {
        "name": map.name,
        "title": map.title,
        "seats": list(map.seats),
        "fewer_cubes_with_three": map.fewer_cubes_with_three,
        "cities": [{"name": city.name, "color": COLOR_NAMES[city.color], "cubes": city.cubes} for city in map.cities],
        "towns": list(map.towns),
        "rivers": [hex_name(*cell) for cell in map.rivers],
        "walls": [f"{hex_name(*cell)} {EDGE_NAMES[edge]}" for cell, edge in map.walls],
        **({"supply": list(map.supply)} if map.supply else {}),
        "rows": _draw_rows(map.cells),
    }


def _draw_rows(cells: Sequence[tuple[int, int, str]]) -> str:
    signs = {(col, row): sign for col, row, sign in cells}
    columns, rows = max(col for col, _ in signs), max(row for _, row in signs)
    lines = ["".join(signs.get((col, row), " ") for col in range(1, columns + 1)) for row in range(1, rows + 1)]
    return "\n".join(lines)


# --- parsing ----------------------------------------------------------------------------------------


def _build_map(table: object) -> Map:
    if not isinstance(table, Mapping):
        raise Fault("", f"a map must be a table, not {describe(table)}")
    for key in table:
        if key not in _KEYS:
            raise Fault(str(key), f"{show_name(key)}: unknown key; allowed are {', '.join(_KEYS)}")
    for key in ("name", "rows"):
        if key not in table:
            raise Fault("", f"{key}: missing; a map needs name and rows")
    name = read_label(table, "name")
    cells = read_rows(table["rows"], MEANINGS)
    cities, towns = _read_cities(table.get("cities", [])), _read_towns(table.get("towns", []))
    _check_stops(cells, cities, towns)
    signs = {(col, row): sign for col, row, sign in cells}
    supply = _read_supply(table["supply"]) if "supply" in table else ()
    _check_cubes(cities, supply)
    return Map(
        name=name,
        title=read_label(table, "title") if "title" in table else name,
        seats=_read_seats(table.get("seats", list(SEAT_COUNTS))),
        fewer_cubes_with_three=_read_flag(table.get("fewer_cubes_with_three", False)),
        cities=cities,
        towns=towns,
        rivers=_read_rivers(table.get("rivers", []), signs),
        walls=_read_walls(table.get("walls", []), signs),
        supply=supply,
        cells=cells,
    )


def _read_list(value: object, entry: str, what: str) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise Fault(entry, f"{entry}: must be a list of {what}, not {describe(value)}")
    return value


def _read_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Fault("fewer_cubes_with_three", f"fewer_cubes_with_three: must be true or false, not {describe(value)}")
    return value


def _read_seats(value: object) -> tuple[int, ...]:
    seats = _read_list(value, "seats", "seat counts")
    for count in seats:
        if isinstance(count, bool) or count not in SEAT_COUNTS:
            allowed = ", ".join(map(str, SEAT_COUNTS))
            raise Fault("seats", f"seats: {show(count)}; must be among {allowed} (rule 4.2)")
    if not seats or len(set(seats)) < len(seats):
        raise Fault("seats", f"seats: {show(value)}; must name each count once, and one at least")
    return tuple(sorted(seats))


def _read_cities(value: object) -> tuple[City, ...]:
    entries = _read_list(value, "cities", "tables of name, color and cubes")
    return tuple(_read_city(entry, f"cities[{number}]") for number, entry in enumerate(entries))


def _read_city(value: object, entry: str) -> City:
    if not isinstance(value, Mapping):
        raise Fault("cities", f"{entry}: must be a table of {', '.join(_CITY_KEYS)}, not {describe(value)}")
    for key in value:
        if key not in _CITY_KEYS:
            raise Fault("cities", f"{entry}.{show_name(key)}: unknown key; allowed are {', '.join(_CITY_KEYS)}")
    for key in ("name", "color"):
        if key not in value:
            raise Fault("cities", f"{entry}.{key}: missing; a city has a name and a color")
    color = value["color"]
    if not isinstance(color, str) or color not in COLOR_NAMES:
        raise Fault("cities", f"{entry}.color: {show(color)}; must be one of {', '.join(COLOR_NAMES)}")
    name = read_place_name(value["name"], f"{entry}.name")
    return City(name, COLOR_NAMES.index(color), _read_cubes(value.get("cubes", 0), f"{entry}.cubes"))


def _read_cubes(value: object, entry: str) -> int | str:
    if isinstance(value, str):
        return _read_letters(value, entry)
    try:
        count = as_integer(value, entry)
    except ValueError:
        count = -1
    if not 0 <= count <= MOST_CITY_CUBES:
        allowed = f"must be 0 to {MOST_CITY_CUBES}, or letters of cubes as 'RRY'"
        raise Fault(entry.partition("[")[0], f"{entry}: {show(value)}; {allowed}")
    return count


def _read_letters(value: object, entry: str) -> str:
    """Cubes by their letters, in canonical order."""
    letters = read_text_entry(value, entry, f"text of the letters {COLOR_LETTERS}")
    for letter in letters:
        if letter not in COLOR_LETTERS:
            allowed = ", ".join(COLOR_LETTERS)
            raise Fault(entry.partition("[")[0], f"{entry}: unknown letter {letter!r}; allowed are {allowed}")
    return "".join(sorted(letters, key=COLOR_LETTERS.index))


def _read_towns(value: object) -> tuple[str, ...]:
    entries = _read_list(value, "towns", "names")
    return tuple(read_place_name(name, f"towns[{number}]", "town") for number, name in enumerate(entries))


def _check_stops(cells: Sequence[tuple[int, int, str]], cities: Sequence[City], towns: Sequence[str]) -> None:
    """Refuse too many hexes or stops, names that are not as many as their signs, and equal names."""
    count = sum(sign != WATER for _, _, sign in cells)
    if not 1 <= count <= MAX_HEXES:
        raise Fault("rows", f"rows: {count} land and city hexes; must be 1 to {MAX_HEXES}")
    for key, names, signs in (("cities", cities, (CITY,)), ("towns", towns, (TOWN, HILL_TOWN))):
        found = sum(sign in signs for _, _, sign in cells)
        if found != len(names):
            said, there = say_count(len(names), "name"), say_count(found, "hex", "hexes")
            raise Fault(key, f"{key}: {said} for {there} ({' or '.join(map(repr, signs))}); must be as many")
    if len(cities) + len(towns) > MAX_STOPS:
        raise Fault("rows", f"rows: {len(cities) + len(towns)} cities and towns; must be at most {MAX_STOPS}")
    entries = {f"cities[{number}].name": city.name for number, city in enumerate(cities)}
    check_names_differ({**entries, **{f"towns[{number}]": name for number, name in enumerate(towns)}}, "stop")


def _read_supply(value: object) -> tuple[str, ...]:
    entries = _read_list(value, "supply", f"{NUM_SPACES} texts of cubes")
    if len(entries) != NUM_SPACES:
        raise Fault("supply", f"supply: {say_count(len(entries), 'space')}; must be {NUM_SPACES} (rule 4.2)")
    return tuple(_read_letters(entry, f"supply[{number}]") for number, entry in enumerate(entries))


def _check_cubes(cities: Sequence[City], supply: Sequence[str]) -> None:
    """Refuse more cubes than the bag has, in all and of a colour (rule 4.2)."""
    given = [(city.cubes, "cities") for city in cities if isinstance(city.cubes, str)]
    given += [(letters, "supply") for letters in supply]
    for color, letter in enumerate(COLOR_LETTERS):
        count = sum(letters.count(letter) for letters, _ in given)
        if count > BAG[color]:
            key = next(key for letters, key in reversed(given) if letter in letters)
            raise Fault(key, f"{key}: {count} {COLOR_NAMES[color]} cubes are given; there are {BAG[color]} (rule 4.2)")
    here = sum(len(city.cubes) if isinstance(city.cubes, str) else city.cubes for city in cities)
    spaces = sum(map(len, supply)) if supply else NUM_SPACES * MOST_SPACE_CUBES
    if here + spaces > sum(BAG):
        raise Fault("cities", f"cities: {here} cubes, and {spaces} in the supply; there are {sum(BAG)} (rule 4.2)")


def _read_hex(value: object, entry: str) -> Cell:
    try:
        return parse_hex(read_text_entry(value, entry, "the name of a hex"))
    except ValueError as error:
        raise Fault(entry.partition("[")[0], f"{entry}: {error}") from None


def _read_rivers(value: object, signs: Mapping[Cell, str]) -> tuple[Cell, ...]:
    cells = [_read_hex(name, f"rivers[{number}]") for number, name in enumerate(_read_list(value, "rivers", "hexes"))]
    for number, cell in enumerate(cells):
        if signs.get(cell, WATER) in (WATER, CITY):
            raise Fault("rivers", f"rivers[{number}]: {hex_name(*cell)} is no land of the map; rivers run on land")
        if cell in cells[:number]:
            raise Fault("rivers", f"rivers[{number}]: {hex_name(*cell)} stands here twice; once is enough")
    return tuple(sorted(cells))


def _read_walls(value: object, signs: Mapping[Cell, str]) -> tuple[Wall, ...]:
    walls: list[Wall] = []
    for number, text in enumerate(_read_list(value, "walls", "hexes with an edge, as 'C1 SE'")):
        entry = f"walls[{number}]"
        name, _, edge_name = read_text_entry(text, entry, "a hex and an edge, as 'C1 SE'").partition(" ")
        cell = _read_hex(name, entry)
        if edge_name not in EDGE_NAMES:
            raise Fault("walls", f"{entry}: {show(edge_name)} is no edge; allowed are {', '.join(EDGE_NAMES)}")
        edge = EDGE_NAMES.index(edge_name)
        beyond = neighbours(cell)[edge]
        for side in (cell, beyond):
            if signs.get(side, WATER) == WATER:
                raise Fault("walls", f"{entry}: {text!r} does not lie between two land or city hexes of the map")
        wall = min((cell, edge), (beyond, opposite(edge)))
        if wall in walls:
            raise Fault("walls", f"{entry}: {text!r} stands here twice; name each thick edge once, from either side")
        walls.append(wall)
    return tuple(sorted(walls))
