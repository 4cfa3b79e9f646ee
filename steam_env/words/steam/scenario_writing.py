"""The scenario of a position: plain lists, texts and numbers."""

from dataclasses import fields
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.state import (
    BUILD,
    COLOR_NAMES,
    END,
    ENGINEER,
    ENGINEER_PLACEMENTS,
    GOODS,
    PHASE_NAMES,
    PLACEMENTS,
)
from steam_env.data.steam.maps import map_to_dict
from steam_env.data.steam.rules import Rules
from steam_env.data.steam.sets import tells_map
from steam_env.data.steam.setting import Setting
from steam_env.data.steam.tiles import load_tiles, tiles_to_list
from steam_env.spec import Position
from steam_env.words.steam.deal import write_letters
from steam_env.words.steam.links import describe_link, trace_links
from steam_env.words.steam.scenario_seats import PHASES, SEAT_KEYS

OWN_ENTRIES = ("map",)  # fields of Rules that a scenario gives as entries of its own
RULES_KEYS = tuple(rule.name for rule in fields(Rules) if rule.name not in OWN_ENTRIES)
_FLAGS = ("passed", "to_do", "improved")


def write_scenario(position: Position) -> dict[str, Any]:
    """The scenario of a position: plain lists, texts and numbers. Reading it back gives an equal record.

    Raises:
        ValueError: inside a chain of choices, in an auction, or after the end.
    """
    game, setting = position.records[0], position.setting
    if game.phase not in PHASES:
        allowed = ", ".join(PHASE_NAMES[phase] for phase in PHASES)
        where = "the game is over" if game.phase == END else f"this is phase {PHASE_NAMES[game.phase]!r}"
        raise ValueError(f"{where}: a scenario is a position in one of the phases {allowed}; use save()")
    return {
        "rules": setting.rules.to_table(RULES_KEYS),
        "map": _write_map(setting),
        "supply": [write_letters(group) for group in game.supply],
        "grown": list_grown(game, setting),
        "turn": _write_turn(game),
        "seats": {key: _list_by_seat(game, key) for key in SEAT_KEYS},
        "cubes": write_cubes(game, setting, with_empty=False),
        "new_cities": [{"stop": stop, "color": color} for stop, color in list_new_cities(game, setting).items()],
        "links": [describe_link(link, setting) for link in trace_links(game, setting)],
        **({} if setting.tiles == load_tiles() else {"tiles": tiles_to_list(setting.tiles)}),
    }


def _write_map(setting: Setting) -> str | dict[str, object]:
    """The name of a map, if it tells it everywhere; else the map, for its file may not be where this is read."""
    name = setting.rules.map
    return name if tells_map(name, setting.map) else map_to_dict(setting.map)


def _write_turn(game: Any) -> dict[str, Any]:
    turn = {
        "number": int(game.round_number),
        "phase": PHASE_NAMES[game.phase],
        "order": [int(seat) for seat in game.order[: game.num_seats]],
        "seat": int(game.seat),
    }
    if game.phase == BUILD:
        most = ENGINEER_PLACEMENTS if game.tile[game.seat] == ENGINEER else PLACEMENTS
        turn["placements"] = most - int(game.placements_left)
    elif game.phase == GOODS:
        turn["round"] = int(game.goods_round)
    return turn


def _list_by_seat(game: Any, key: str) -> list[Any]:
    values: list[Any] = game[key][: game.num_seats].tolist()
    return [bool(value) for value in values] if key in _FLAGS else values


def list_grown(game: Any, setting: Setting) -> list[str]:
    """Cities with a growth marker that City Growth laid, in map order."""
    return [setting.map.stops[stop] for stop in np.flatnonzero(game.grown)]


def list_new_cities(game: Any, setting: Setting) -> dict[str, str]:
    """The colours of New Cities by name, in map order."""
    new = np.flatnonzero((game.city_color != NONE) & (setting.boards[0].stop_color == NONE))
    return {setting.map.stops[stop]: COLOR_NAMES[game.city_color[stop]] for stop in new}


def write_cubes(game: Any, setting: Setting, *, with_empty: bool) -> dict[str, str]:
    """The cubes of each city as letters, in map order."""
    cities, cubes = np.flatnonzero(game.city_color != NONE), game.cubes.tolist()
    letters = {setting.map.stops[stop]: write_letters(cubes[stop]) for stop in cities}
    return {name: cubes for name, cubes in letters.items() if cubes or with_empty}
