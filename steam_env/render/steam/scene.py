"""The scene: a position as data for drawing, with names in place of numbers. All of it is public."""

from typing import Any, NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam.growth import has_marker
from steam_env.core.steam.links import count_complete
from steam_env.core.steam.state import COLOR_NAMES, TILE_NAMES
from steam_env.core.steam.tiles import name_pattern
from steam_env.data.steam.maps import WATER
from steam_env.data.steam.setting import Setting
from steam_env.kit.simple import Decision
from steam_env.words.steam.deal import write_letters
from steam_env.words.steam.links import describe_link, trace_links
from steam_env.words.steam.reasons import PHASE_TEXTS


class Cell(NamedTuple):
    """A hex of the map; water is drawn although the rules do not know it."""

    name: str  # empty for water
    col: int
    row: int
    terrain: str  # the character of the map file
    river: bool
    tile: str  # the pattern that lies there, or empty
    owners: tuple[int, ...]  # of its segments, -1 nobody


class Stop(NamedTuple):
    """A city or town."""

    name: str
    hex: str
    color: str  # empty for a town
    cubes: str
    marker: bool
    new: bool  # a New City


class SeatSheet(NamedTuple):
    """What a seat has."""

    money: int
    income: int
    vp: int
    level: int
    tile: str
    passed: bool
    to_do: bool
    links: int
    bankrupt: int


class Scene(NamedTuple):
    """A position."""

    title: str
    round: int
    last_round: int
    decision: Decision
    order: tuple[int, ...]
    cells: tuple[Cell, ...]
    walls: tuple[tuple[str, str], ...]  # hex and edge
    stops: tuple[Stop, ...]
    links: tuple[dict[str, Any], ...]
    seats: tuple[SeatSheet, ...]
    supply: tuple[str, ...]
    new_cities: str  # letters of the tiles left
    markers: int


def make_scene(setting: Setting, records: np.ndarray, mask: np.ndarray, seat: int | None) -> Scene:
    """The scene of a position; every seat sees the same."""
    game, chosen = records[0], setting.map
    mover = int(game.seat)
    text = "the game is over" if mover == NONE else f"player_{mover} decides {PHASE_TEXTS[int(game.phase)]}"
    return Scene(
        title=chosen.title,
        round=int(game.round_number),
        last_round=setting.rules.num_turns,
        decision=Decision(mover, text),
        order=tuple(int(one) for one in game.order if one != NONE),
        cells=tuple(_list_cells(setting, game)),
        walls=tuple((_name_cell(setting, cell), EDGE_NAMES[edge]) for cell, edge in chosen.walls),
        stops=tuple(_show_stop(setting, game, stop) for stop in range(len(chosen.stops))),
        links=tuple(describe_link(link, setting) for link in trace_links(game, setting)),
        seats=tuple(_show_seat(game, one) for one in range(setting.num_seats)),
        supply=tuple(write_letters(group) for group in game.supply),
        new_cities=write_letters(game.new_cities),
        markers=int(game.markers),
    )


def _name_cell(setting: Setting, cell: tuple[int, int]) -> str:
    index = [(col, row) for col, row, _ in setting.map.hexes].index(cell)
    return setting.hex_names[index]


def _list_cells(setting: Setting, game: Any) -> list[Cell]:
    names = iter(setting.hex_names)
    rivers = set(setting.map.rivers)
    cells = []
    index = 0
    for col, row, sign in setting.map.cells:
        if sign == WATER:
            cells.append(Cell("", col, row, sign, False, "", ()))
            continue
        pattern = int(game.pattern[index])
        tile = "" if pattern == NONE else name_pattern(pattern)
        links = game.segment_link[index, : tile.count("+") + 1] if tile else ()
        owners = tuple(int(game.link_owner[link]) for link in links)
        cells.append(Cell(next(names), col, row, sign, (col, row) in rivers, tile, owners))
        index += 1
    return cells


def _show_stop(setting: Setting, game: Any, stop: int) -> Stop:
    board, color = setting.boards[0], int(game.city_color[stop])
    return Stop(
        name=setting.map.stops[stop],
        hex=setting.hex_names[board.stop_hex[stop]],
        color="" if color == NONE else COLOR_NAMES[color],
        cubes=write_letters(game.cubes[stop]),
        marker=bool(has_marker(game, board, stop)),
        new=color != NONE and board.stop_color[stop] == NONE,
    )


def _show_seat(game: Any, seat: int) -> SeatSheet:
    return SeatSheet(
        money=int(game.money[seat]),
        income=int(game.income[seat]),
        vp=int(game.vp[seat]),
        level=int(game.level[seat]),
        tile=TILE_NAMES[game.tile[seat]] if game.tile[seat] else "",
        passed=bool(game.passed[seat]),
        to_do=bool(game.to_do[seat]),
        links=int(count_complete(game, seat)),
        bankrupt=int(game.bankrupt[seat]),
    )
