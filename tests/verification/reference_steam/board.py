"""Rule 1: the map, as map files write it. Nothing here changes in a game."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.verification.reference_steam.geometry import EDGE_NAMES, EDGES, Hex, beside, name_hex, opposite, read_hex

COLORS = "RYPBG"  # canonical order
COLOR_WORDS = {"R": "red", "Y": "yellow", "P": "purple", "B": "blue", "G": "gray"}
LETTER_OF = {word: letter for letter, word in COLOR_WORDS.items()}

MOST_HEXES, MOST_STOPS, MOST_CUBES_OF_CITY, SPACES = 256, 64, 6, 12
PLAIN, HILLS, TOWN, TOWN_IN_HILLS, CITY, WATER, VOID = ".", "h", "o", "O", "@", "~", " "
ENTRIES = {"name", "title", "seats", "fewer_cubes_with_three", "cities", "towns", "rivers", "walls", "rows", "supply"}
LIKE_A_HEX = re.compile(r"[A-Za-z]{1,2}[0-9]+")  # no name of a stop
CITY_ENTRIES = {"name", "color", "cubes"}


@dataclass(frozen=True)
class City:
    """A printed city (rule 1.5)."""

    name: str
    color: str
    cubes: int | str  # how many are drawn, or which ones the map gives


@dataclass(frozen=True)
class Board:
    """A map. Void is what is in neither ``land`` nor ``cities`` (rule 1.3)."""

    name: str
    land: frozenset[Hex]
    hills: frozenset[Hex]
    rivers: frozenset[Hex]
    towns: dict[Hex, str]  # the names of the printed towns
    cities: dict[Hex, City]
    walls: frozenset[frozenset[Hex]]  # thick edges, each as the two hexes beside it
    seats: tuple[int, ...]  # the counts it is made for
    fewer_cubes_with_three: bool
    supply: tuple[str, ...] | None  # the groups, where the map gives them

    @cached_property
    def hexes(self) -> list[Hex]:
        """Land and cities in map order: their ids are their places in it."""
        return sorted([*self.land, *self.cities])

    @cached_property
    def stops(self) -> list[Hex]:
        """Cities and towns together, likewise."""
        return sorted([*self.towns, *self.cities])

    @cached_property
    def hex_ids(self) -> dict[Hex, int]:
        return {at: place for place, at in enumerate(self.hexes)}

    @cached_property
    def stop_ids(self) -> dict[Hex, int]:
        return {at: place for place, at in enumerate(self.stops)}

    @cached_property
    def closed(self) -> dict[Hex, frozenset[int]]:
        """By land hex its closed edges (rule 1.4)."""
        return {at: frozenset(edge for edge in EDGES if self.is_closed(at, edge)) for at in self.land}

    @cached_property
    def open(self) -> dict[Hex, frozenset[int]]:
        """By land hex the others."""
        return {at: frozenset(EDGES) - edges for at, edges in self.closed.items()}

    @cached_property
    def names(self) -> dict[Hex, str]:
        return self.towns | {at: city.name for at, city in self.cities.items()}

    @cached_property
    def hex_of(self) -> dict[str, Hex]:
        """By name, cities and towns included."""
        return {name_hex(at): at for at in self.hexes}

    @cached_property
    def stop_of(self) -> dict[str, Hex]:
        """Likewise of cities and towns, by their own names."""
        return {name: at for at, name in self.names.items()}

    def place_of(self, name: str) -> Hex:
        """A stop or a land hex without one, as the paths of links have them."""
        if name in self.stop_of:
            return self.stop_of[name]
        require(name in self.hex_of and self.hex_of[name] not in self.names, f"{name!r} is no hex or stop of the map")
        return self.hex_of[name]

    def is_closed(self, at: Hex, edge: int) -> bool:
        """Rule 1.4: void behind it, or a thick edge."""
        other = beside(at, edge)
        return (other not in self.land and other not in self.cities) or frozenset((at, other)) in self.walls


# --- reading --------------------------------------------------------------------------------------
def read_board(source: Mapping[str, Any] | Path) -> Board:
    """The map of a table, or of a TOML file; a ValueError names what is wrong."""
    table = tomllib.loads(source.read_text(encoding="utf-8")) if isinstance(source, Path) else source
    name = str(table.get("name", "map"))
    require(set(table) <= ENTRIES, f"map {name}: unknown entries {sorted(set(table) - ENTRIES)}")
    cells = read_rows(name, str(table["rows"]))
    cities = name_in_order(name, cells, CITY, [read_city(name, entry) for entry in table.get("cities", ())])
    towns = name_in_order(name, cells, TOWN + TOWN_IN_HILLS, list(table.get("towns", ())))
    land = frozenset(at for at, sign in cells.items() if sign != CITY)
    rivers = [read_hex(text) for text in table.get("rivers", ())]
    require(set(rivers) <= land, f"map {name}: rivers run on land hexes of the map")
    supply = tuple(table["supply"]) if "supply" in table else None
    board = Board(
        name=name,
        land=land,
        hills=frozenset(at for at, sign in cells.items() if sign in (HILLS, TOWN_IN_HILLS)),
        rivers=frozenset(rivers),
        towns=towns,
        cities=cities,
        walls=frozenset(read_walls(name, cells, table.get("walls", ()))),
        seats=tuple(table.get("seats", (3, 4, 5))),
        fewer_cubes_with_three=bool(table.get("fewer_cubes_with_three", False)),
        supply=supply,
    )
    check_board(board)
    return board


def require(fine: bool, message: str) -> None:
    if not fine:
        raise ValueError(message)


def read_rows(name: str, rows: str) -> dict[Hex, str]:
    """By hex the sign of land or city; water and blanks are void."""
    cells: dict[Hex, str] = {}
    for row, line in enumerate(rows.split("\n"), 1):
        for column, sign in enumerate(line, 1):
            if sign == VOID:
                continue
            known = PLAIN + HILLS + TOWN + TOWN_IN_HILLS + CITY + WATER
            require(sign in known, f"map {name}: line {row}, column {column}: {sign!r}")
            require((column + row) % 2 == 0, f"map {name}: line {row}, column {column} is no hex")
            if sign != WATER:
                cells[column, row] = sign
    return cells


def name_in_order(name: str, cells: Mapping[Hex, str], signs: str, entries: Sequence[Any]) -> dict[Hex, Any]:
    """One entry for each hex with these signs, in map order."""
    found = sorted(at for at, sign in cells.items() if sign in signs)
    require(len(found) == len(entries), f"map {name}: {len(found)} hexes {signs}, {len(entries)} entries for them")
    return dict(zip(found, entries, strict=True))


def read_city(name: str, entry: Mapping[str, Any]) -> City:
    require(set(entry) <= CITY_ENTRIES, f"map {name}: unknown entries {sorted(set(entry) - CITY_ENTRIES)} of a city")
    require(entry["color"] in LETTER_OF, f"map {name}: color {entry['color']!r}")
    return City(entry["name"], LETTER_OF[entry["color"]], entry.get("cubes", 0))


def read_walls(name: str, cells: Mapping[Hex, str], walls: Iterable[str]) -> list[frozenset[Hex]]:
    found = []
    for text in walls:
        hex_name, edge_name = text.split()
        at, edge = read_hex(hex_name), EDGE_NAMES.index(edge_name)
        other = beside(at, edge)
        require(at in cells and other in cells, f"map {name}: the wall {text} is not between two hexes of the map")
        again = f"{name_hex(other)} {EDGE_NAMES[opposite(edge)]}"
        require(frozenset((at, other)) not in found, f"map {name}: the wall {text} ({again}) is named twice")
        found.append(frozenset((at, other)))
    return found


def check_board(board: Board) -> None:
    """What any map must be like, drawn by hand or shipped."""
    name, names = board.name, list(board.names.values())
    require(len(board.hexes) <= MOST_HEXES, f"map {name}: more than {MOST_HEXES} hexes")
    require(len(names) <= MOST_STOPS, f"map {name}: more than {MOST_STOPS} cities and towns")
    require(len(set(names)) == len(names), f"map {name}: a name twice")
    like_hexes = [text for text in names if LIKE_A_HEX.fullmatch(text)]
    require(not like_hexes, f"map {name}: {like_hexes} look like hexes")
    require(set(board.seats) <= {3, 4, 5} and bool(board.seats), f"map {name}: seats {board.seats}: of 3, 4 and 5")
    cubes = [len(city.cubes) if isinstance(city.cubes, str) else city.cubes for city in board.cities.values()]
    require(all(0 <= count <= MOST_CUBES_OF_CITY for count in cubes), f"map {name}: 0 to 6 cubes a city")
    require(sum(cubes) + 3 * SPACES <= 96, f"map {name}: more than 96 cubes")
    require(board.supply is None or len(board.supply) == SPACES, f"map {name}: a supply of {SPACES} spaces")
