"""Maps: what a map file may say, how one is read, and the messages for one that is wrong.

A map file is TOML: `name`, `title`, `cities`, optionally `tiles`, and either `rows` (a text block) or
`hexes` (a table). Line r, character c of `rows` is the hex of column c, row r (rule 1.1). Three words:
*parsing* checks the structure, which is all that a scenario's inline map needs; *checking* asks in
addition whether the map can be played, which is what a map file promises; *loading* does both.
"""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from unicodedata import category

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
from steam_env.kit.checks import compose
from steam_env.kit.show import describe, say_count, show_name
from steam_env.kit.text_files import locate_offset
from steam_env.kit.toml_file import list_shipped, parse_toml, read_named

ROW_CHARACTERS = ".hm~@"  # by terrain code; a space is void
VOID = " "
MAX_COLUMN = 702  # ZZ
MAX_ROW = 999
MAX_TILES = 999  # in a bag, far more than any map needs; the record counts those off the map in 16 bits
LEAST_LINES, LEAST_LENGTH = 6, 7  # of a rectangle: a smaller map with a bulge is a map
MIN_CITIES = 2  # of a map file: a lone city has nothing to be linked with

_ALLOWED_KEYS = ("name", "title", "cities", "tiles", "rows", "hexes")
_HEX_NAME = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})")
_LIKE_A_HEX = re.compile(r"[A-Za-z]{1,2}[0-9]+")
_CITY_SIGNS = " .'’-"  # of a city's name, beside letters of any script, their marks, and digits
_TOML_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<string>\"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\.|[^"\\\n])*" | '[^'\n]*')
      | (?P<opening>[\[{]) | (?P<closing>[\]}]) | (?P<newline>\n) | (?P<word>[A-Za-z0-9_+-]+)""",
    re.VERBOSE | re.DOTALL,
)


class MapError(ValueError):
    """A map that is wrong. The message begins with the source; for a file with line and column, where known."""


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


class _Fault(Exception):
    """What is wrong with which entry, before it is known where in a file the entry stands."""

    def __init__(self, entry: str, message: str, row: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.entry = entry  # a key of the table, "" if none is to blame
        self.row = row  # of the map, 0 if no cell is to blame
        self.column = column


# --- names of hexes -------------------------------------------------------------------------------
def hex_name(col: int, row: int) -> str:
    """The name of the hex at (col, row), as "A1" or "AA2" (rule 1.1). ValueError if there is no such hex."""
    _require_cell(col, row)
    letters = ""
    while col:
        col, letter = divmod(col - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def parse_hex(text: str) -> tuple[int, int]:
    """(column, row) of the hex with this name. ValueError if it is no hex name."""
    match = _HEX_NAME.fullmatch(text)
    if not match:
        raise ValueError(f"{text!r} is no hex: must be column letters and a row number, as 'B4' or 'AA2'")
    col = 0
    for letter in match[1]:
        col = 26 * col + ord(letter) - ord("A") + 1
    row = int(match[2])
    _require_cell(col, row)
    return col, row


def _require_cell(col: int, row: int) -> None:
    if not (1 <= col <= MAX_COLUMN and 1 <= row <= MAX_ROW):
        raise ValueError(f"column {col}, row {row} is no hex: columns are 1 to {MAX_COLUMN} (ZZ), rows 1 to {MAX_ROW}")
    if (col + row) % 2:
        raise ValueError(f"column {col}, row {row} is no hex: with A = 1, column + row must be even")


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
    except _Fault as fault:
        raise MapError(f"{source}{_locate_fault(text, fault)}: {fault}") from None
    return board


# --- parsing -----------------------------------------------------------------------------------------
def parse_map(table: Mapping[str, object], source: str = "map") -> Map:
    """The map that `table` describes, in the form of a map file; the structure alone is checked.

    1 to 33 cities, any bag of tiles, and cities that cannot be linked are fine here: a scenario may have
    them. `source` begins the message of the MapError that is raised for a table that is wrong.
    """
    try:
        return _build_map(table)
    except _Fault as fault:
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
        raise _Fault("", f"a map must be a table, not {describe(table)}")
    _check_keys(table)
    name = _read_label(table, "name")
    title = _read_label(table, "title") if "title" in table else name
    cities = _read_cities(table["cities"])
    tiles = _read_tiles(table.get("tiles", CITY_BAG))
    cells = _read_rows(table["rows"]) if "rows" in table else _read_hexes(table["hexes"])
    _check_counts(cells, cities)
    return Map(name, title, cities, cells, tiles)


def _check_keys(table: Mapping[object, object]) -> None:
    for key in table:
        if key not in _ALLOWED_KEYS:
            raise _Fault(str(key), f"{show_name(key)}: unknown key; allowed are {', '.join(_ALLOWED_KEYS)}")
    for key in ("name", "cities"):
        if key not in table:
            raise _Fault("", f"{key}: missing; a map needs name, cities, and rows or hexes")
    if "rows" not in table and "hexes" not in table:
        raise _Fault("", "rows: missing; a map needs rows (a text block) or hexes (a table)")
    if "rows" in table and "hexes" in table:
        raise _Fault("hexes", "hexes: a map has either rows or hexes, this one has both")


def _read_text(value: object, entry: str, what: str = "text") -> str:
    if not isinstance(value, str):
        raise _Fault(entry.partition("[")[0], f"{entry}: must be {what}, not {describe(value)}")
    return value


def _read_label(table: Mapping[str, object], key: str) -> str:
    text = _read_text(table[key], key)
    _check_blanks(text, key)
    return text


def _check_blanks(text: str, entry: str) -> None:
    """Refuse a name that cannot be printed in a line of text, or typed by people."""
    key = entry.partition("[")[0]
    if not text.strip():
        raise _Fault(key, f"{entry}: {text!r} is empty; must be text that can be seen")
    if text != text.strip():
        raise _Fault(key, f"{entry}: {text!r} begins or ends with a blank; must not")
    if not text.isprintable():
        raise _Fault(key, f"{entry}: {text!r} holds a control character; must be printable text in one line")


def _read_cities(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise _Fault("cities", f"cities: must be a list of names, not {describe(value)}")
    if not 1 <= len(value) <= MAX_CITIES:
        raise _Fault("cities", f"cities: {len(value)} names; must be 1 to {MAX_CITIES}")
    names = [_read_city(name, f"cities[{index}]") for index, name in enumerate(value)]
    known: dict[str, str] = {}
    for index, name in enumerate(names):
        same = known.setdefault(compose(name.casefold()), name)
        if len(known) <= index:
            how = "stands here twice" if same == name else f"differs from {same!r} in case only"
            raise _Fault("cities", f"cities[{index}]: {name!r} {how}; city names must differ")
    return tuple(names)


def _read_city(value: object, entry: str) -> str:
    name = compose(_read_text(value, entry))
    _check_blanks(name, entry)
    if _LIKE_A_HEX.fullmatch(name):
        raise _Fault("cities", f"{entry}: {name!r} looks like a hex; paths hold both, so a city may not")
    if not name[0].isalpha() or not all(map(_is_in_names, name)):
        raise _Fault(
            "cities",
            f"{entry}: {name!r} does not fit into action texts; must begin with a letter and hold only "
            "letters, digits, blanks, dots, apostrophes and hyphens, of any script",
        )
    if "  " in name:
        raise _Fault("cities", f"{entry}: {name!r} holds two blanks in a row; must not")
    return name


def _is_in_names(sign: str) -> bool:
    """Whether a city's name may hold it: some scripts write vowels as marks (category M) on other letters."""
    return sign.isalnum() or sign in _CITY_SIGNS or category(sign).startswith("M")


def _read_tiles(value: object) -> str:
    tiles = _read_text(value, "tiles", f"text of the letters {COLOR_LETTERS}")
    if len(tiles) > MAX_TILES:
        raise _Fault("tiles", f"tiles: {len(tiles)} tiles; must be at most {MAX_TILES}")
    for letter in tiles:
        if letter not in COLOR_LETTERS:
            raise _Fault("tiles", f"tiles: unknown letter {letter!r}; allowed are {', '.join(COLOR_LETTERS)}")
    return tiles


def _read_rows(value: object) -> tuple[tuple[int, int, int], ...]:
    text = _read_text(value, "rows", "a block of text")
    lines = text.split("\n")
    _check_lines(lines)
    found = [
        (column, row, _read_cell(character, column, row))
        for row, line in enumerate(lines, 1)
        for column, character in enumerate(line, 1)
        if character != VOID
    ]
    return tuple(sorted(found))


def _check_lines(lines: list[str]) -> None:
    """Refuse a line that alone sticks out of a rectangle, and would widen the map by mistake.

    In a rectangle all lines are filled, and every other one is of one length: they have their hexes in the same
    columns (rule 1.1). A map of another shape may have lines of any length.
    """
    lengths = list(map(len, "\n".join(lines).strip("\n").split("\n")))
    longest = max(lengths)
    place = lengths.index(longest)
    equals = {length for index, length in enumerate(lengths) if index % 2 == place % 2 and index != place}
    between = {length for index, length in enumerate(lengths) if index % 2 != place % 2}
    is_filled = len(lengths) >= LEAST_LINES and min(equals | between) >= LEAST_LENGTH
    if is_filled and len(equals) == len(between) == 1 and max(equals) < longest:
        row = next(index for index, line in enumerate(lines) if len(line) == longest)
        raise _Fault(
            "rows",
            f"rows: line {row + 1} has {say_count(longest, 'character')}, the others have at most {max(equals)}: "
            "must be as long as they are, or all filled up with blanks",
            row + 1,
            longest,
        )


def _read_cell(character: str, column: int, row: int) -> int:
    where = f"rows: line {row}, character {column}"
    if character not in ROW_CHARACTERS:
        names = ", ".join(f"'{letter}' {name}" for letter, name in zip(ROW_CHARACTERS, TERRAIN_NAMES, strict=True))
        message = f"{where}: unknown character {character!r}; allowed are {names}, and blanks for void"
        raise _Fault("rows", message, row, column)
    try:
        _require_cell(column, row)
    except ValueError as error:
        raise _Fault("rows", f"{where}: {character!r} stands where no hex is: {error}", row, column) from None
    return ROW_CHARACTERS.index(character)


def _read_hexes(value: object) -> tuple[tuple[int, int, int], ...]:
    if not isinstance(value, Mapping):
        raise _Fault("hexes", f'hexes: must be a table as {{ A1 = "city" }}, not {describe(value)}')
    return tuple(sorted(_read_hex(name, terrain) for name, terrain in value.items()))


def _read_hex(name: object, terrain: object) -> tuple[int, int, int]:
    try:
        col, row = parse_hex(_read_text(name, "hexes", "a table by hex name"))
    except ValueError as error:
        raise _Fault("hexes", f"hexes: {error}") from None
    if not isinstance(terrain, str) or terrain not in TERRAIN_NAMES:
        allowed = ", ".join(TERRAIN_NAMES)
        raise _Fault("hexes", f"hexes.{name}: must be one of {allowed}, not {describe(terrain)}")
    return col, row, TERRAIN_NAMES.index(terrain)


def _check_counts(cells: tuple[tuple[int, int, int], ...], cities: tuple[str, ...]) -> None:
    if len(cells) > MAX_HEXES:
        raise _Fault("rows", f"rows or hexes: {len(cells)} hexes; must be at most {MAX_HEXES}")
    found = sum(terrain == CITY for _, _, terrain in cells)
    if found != len(cities):
        names, places = say_count(len(cities), "name"), say_count(found, "city hex", "city hexes")
        raise _Fault("cities", f"cities: {names} for {places} ('@'); must be as many")


# --- checking ----------------------------------------------------------------------------------------
def check_map(board: Map) -> None:
    """Refuse a map that does not keep what a map file promises beyond its structure.

    2 to 33 cities, a bag with at least one tile for each city (rule 2.1), and every city can be linked,
    on an empty board, with a city of another group.
    """
    try:
        _check_playable(board)
    except _Fault as fault:
        raise MapError(f"{board.name}: {fault}") from None


def _check_playable(board: Map) -> None:
    if not MIN_CITIES <= len(board.cities) <= MAX_CITIES:
        names = say_count(len(board.cities), "name")
        raise _Fault("cities", f"cities: {names}; a map file needs {MIN_CITIES} to {MAX_CITIES}")
    if len(board.tiles) < len(board.cities):
        tiles, cities = say_count(len(board.tiles), "tile"), say_count(len(board.cities), "city", "cities")
        message = f"tiles: {tiles} for {cities}; must be at least one for each"
        raise _Fault("tiles", message)
    terrain = terrain_by_cell(board)
    groups = find_groups(board)
    cells = city_cells(board)
    for group in groups:
        if not _can_leave([cells[city] for city in group], terrain):
            col, row = cells[group[0]]
            city = f"city {board.cities[group[0]]!r} on {hex_name(col, row)}"
            message = f"{city} cannot be linked: no way over plains, hills and mountains to a city of another group"
            raise _Fault("rows", message, row, col)


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
def _locate_fault(text: str, fault: _Fault) -> str:
    """The position of what is to blame, as ":line:column"; empty where the file has no such place."""
    keys, values = _find_keys(text)
    if fault.row and "rows" in values:
        offset = _offset_of_cell(values["rows"], fault.row, fault.column)
        if offset is not None:
            return locate_offset(text, offset)
    entry = "hexes" if fault.entry == "rows" and "rows" not in keys else fault.entry
    return locate_offset(text, keys[entry]) if entry in keys else ""


def _find_keys(text: str) -> tuple[dict[str, int], dict[str, re.Match[str]]]:
    """By top-level key or table of a valid TOML text: where it stands, and the string it holds, if it does."""
    keys: dict[str, int] = {}
    values: dict[str, re.Match[str]] = {}
    depth, table, key = 0, False, ""
    fresh = True  # at the beginning of a statement
    for token in _meaningful_tokens(text):
        kind = token.lastgroup
        if kind == "newline":
            if depth == 0:
                fresh, key = True, ""
            continue
        if kind in ("opening", "closing"):
            table = table or (fresh and depth == 0)  # a header "[name]": what follows belongs to it
            depth += 1 if kind == "opening" else -1
            continue
        if fresh and (depth == 0) != table:
            key = token[0].strip("\"'")
            keys.setdefault(key, token.start())
        elif not fresh and key and depth == 0 and kind == "string" and not table:
            values.setdefault(key, token)
        fresh = False
    return keys, values


def _meaningful_tokens(text: str) -> Iterable[re.Match[str]]:
    return (token for token in _TOML_TOKEN.finditer(text) if token.lastgroup != "comment")


def _offset_of_cell(value: re.Match[str], row: int, column: int) -> int | None:
    """Where the character of (column, row) stands in the file; None if escapes hide it."""
    raw = value[0]
    if raw.startswith('"') and "\\" in raw:
        return None
    quotes = 3 if raw.startswith(('"""', "'''")) else 1
    if raw[quotes : quotes + 1] == "\n":
        quotes += 1  # TOML drops a newline right after the quotes
    lines = raw[quotes:].split("\n")
    return value.start() + quotes + sum(len(line) + 1 for line in lines[: row - 1]) + column - 1
