"""What a game is played with: its rules, the map that they name and the table of tiles, as a record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.board import Cubes, Hex, make_board
from steam_env.core.steam.setup import blank_game, deal_games
from steam_env.core.steam.state import COLOR_LETTERS, NUM_SPACES, SCRATCH, SPACE_CUBES
from steam_env.data.hexes import hex_name
from steam_env.data.steam.maps import (
    CITY,
    HILL_TOWN,
    HILLS,
    STOPS,
    City,
    Map,
    map_to_dict,
    parse_map,
    shipped_maps,
)
from steam_env.data.steam.rules import Rules
from steam_env.data.steam.sets import find_map
from steam_env.data.steam.tiles import TileKind, load_tiles, parse_face, read_tiles, tiles_to_dict
from steam_env.kit.arrays import KeepsReadOnly
from steam_env.kit.show import show


class Ways(NamedTuple):
    """Parts of a ``BOARD`` as plain lists, which Python reads many times faster than arrays."""

    beyond: list[list[int]]
    """By hex and edge: the next hex, NONE over a closed edge."""
    hex_stop: list[int]
    """By hex: its city or town, or NONE."""
    stop_hex: list[int]
    """By stop: its hex."""


@dataclass(frozen=True)
class Setting(KeepsReadOnly):
    """Rules with their map and the table of tiles loaded.

    Attributes:
        rules: the configuration.
        map: the map's names and hexes.
        tiles: the table of tiles.
        boards: (1,) ``BOARD``, read-only.
    """

    rules: Rules
    map: Map
    tiles: tuple[TileKind, ...]
    boards: np.ndarray

    is_solo = False

    @cached_property
    def hex_names(self) -> tuple[str, ...]:
        """Names of land and city hexes in map order."""
        return tuple(hex_name(col, row) for col, row, _ in self.map.hexes)

    @cached_property
    def ways(self) -> Ways:
        """What lies where on the map, to be followed in Python."""
        board = self.boards[0]
        return Ways(board.beyond.tolist(), board.hex_stop.tolist(), board.stop_hex.tolist())

    @cached_property
    def statics(self) -> tuple[np.ndarray]:
        """Boards, which kernels take as argument after the games."""
        return (self.boards,)

    @property
    def title(self) -> str:
        """What messages call it: the map's name."""
        return self.map.name

    @property
    def num_seats(self) -> int:
        """Number of seats, each with a player."""
        return self.rules.num_players

    @property
    def num_players(self) -> int:
        """Number of seats that players hold: all."""
        return self.rules.num_players

    @property
    def num_companies(self) -> int:
        """Number of seats that act: each acts for itself."""
        return self.rules.num_players

    @property
    def settled(self) -> dict[str, Any]:
        """The number of turns that holds (rule 4.5)."""
        return {"turns": self.rules.num_turns}

    @property
    def contents(self) -> dict[str, Any]:
        """Map and table of tiles as plain data."""
        return {"map": map_to_dict(self.map), "tiles": tiles_to_dict(self.tiles)}

    @property
    def names(self) -> dict[str, Any]:
        """What the map is called."""
        return {"map": self.map.name}

    @cached_property
    def blank(self) -> np.ndarray:
        """(1,) ``GAME``, read-only: an empty table, to be copied and dealt."""
        rules = self.rules
        records = blank_game(self.boards[0], rules.num_players, rules.num_turns, rules.highest_income)
        records["towns_twice"] = rules.towns_twice
        records["forgiving"] = rules.bankruptcy == "forgiven"
        if rules.tiles == "unlimited":
            records["unlimited"] = 1
            records["stock"] = 0
        records.setflags(write=False)
        return records

    def check_deal(self) -> None:
        """Do nothing: every game that can be loaded can be dealt."""


def make_setting(rules: Rules, map: Map, tiles: Sequence[TileKind]) -> Setting:  # noqa: A002 - the game's own word
    """A setting from a map and a table of tiles at hand.

    Raises:
        ValueError: if the map is not made for so many seats (rule 4.2).
    """
    if rules.num_players not in map.seats:
        allowed = " or ".join(f"num_players={count}" for count in map.seats)
        raise ValueError(f"num_players={rules.num_players}: map {map.name!r} is made for {allowed} (rule 4.2)")
    rivers, walls = set(map.rivers), map.walls
    colors = iter(map.cities)
    hexes = [
        Hex(
            col,
            row,
            hills=sign in (HILLS, HILL_TOWN),
            river=(col, row) in rivers,
            is_stop=sign in STOPS,
            color=next(colors).color if sign == CITY else NONE,
        )
        for col, row, sign in map.hexes
    ]
    index_of = {(one.col, one.row): index for index, one in enumerate(hexes)}
    boards = make_board(
        hexes,
        [(index_of[cell], edge) for cell, edge in walls],
        list(_list_cubes(rules, map)),
        _list_spaces(rules, map),
        [(kind.number, [parse_face(face) for face in kind.faces]) for kind in tiles],
    )
    boards.setflags(write=False)
    return Setting(rules, map, tuple(tiles), boards)


def count_letters(letters: str) -> tuple[int, ...]:
    """Cubes by colour."""
    return tuple(letters.count(letter) for letter in COLOR_LETTERS)


def _list_cubes(rules: Rules, map: Map) -> list[Cubes]:  # noqa: A002
    """The cubes of each stop in map order; towns have none (rules 1.5, 4.2)."""
    cities = {city.name: city for city in map.cities}
    return [_cubes_of(rules, map, cities[name]) if name in cities else Cubes(0) for name in map.stops]


def _cubes_of(rules: Rules, map: Map, city: City) -> Cubes:  # noqa: A002
    if isinstance(city.cubes, str):
        return Cubes(0, count_letters(city.cubes))
    fewer = map.fewer_cubes_with_three and rules.num_players == min(SPACE_CUBES)
    return Cubes(max(city.cubes - fewer, 0))


def _list_spaces(rules: Rules, map: Map) -> list[Cubes]:  # noqa: A002
    if map.supply:
        return [Cubes(0, count_letters(letters)) for letters in map.supply]
    return [Cubes(SPACE_CUBES[rules.num_players])] * NUM_SPACES


def load_setting(rules: Rules, *, map: Map | None = None, tiles: Sequence[TileKind] | None = None) -> Setting:  # noqa: A002
    """The setting with the map that the rules name.

    Args:
        rules: the configuration.
        map: stands in for the map that the rules name, such as an inline map of a scenario.
        tiles: likewise for the table of tiles of the box.

    Raises:
        ValueError: for an unknown name, a broken file, or a map that is not made for so many seats.
        TypeError: for what are no rules.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules={show(rules)}: an object of steam_env.steam.Rules is allowed")
    chosen = find_map(rules.map) if map is None else map
    return make_setting(rules, chosen, load_tiles() if tiles is None else tiles)


def read_contents(content: Mapping[str, Any]) -> dict[str, Any]:
    """Map and table of tiles for ``load_setting``, from the plain data of ``Setting.contents``."""
    return {"map": parse_map(content["map"]), "tiles": read_tiles(content["tiles"])}


def deal_records(records: np.ndarray, setting: Setting, seeds: np.ndarray, where: np.ndarray) -> None:
    """Deal the blank games (n,) ``GAME`` flagged in ``where`` (n,) bool, each by its seed (rule 4)."""
    rules = setting.rules
    deal_games(records, *setting.statics, SCRATCH.open(), rules.fixed_first_seat, rules.start_code, seeds, where)


def list_shipped() -> dict[str, tuple[str, ...]]:
    """Names of the shipped maps."""
    return {"maps": shipped_maps()}
