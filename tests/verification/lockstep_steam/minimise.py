"""Makes a difference of Steam small."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from tests.verification.invariants_steam import SCENARIO_PHASES
from tests.verification.lockstep.played import Found
from tests.verification.lockstep.shrinking import (
    FOUND,
    Position,
    Scenario,
    Shrinking,
    Stays,
    drop_items,
    make_plainer,
    minimise_with,
)
from tests.verification.lockstep_steam.scenarios import find_sites
from tests.verification.lockstep_steam.twins import Begin, Start, begin_kernels, begin_reference, replay

FOUND_STEAM = FOUND / "steam"
OPTIONAL = ("tiles", "fewer_cubes_with_three", "extended")
OPTIONS = ("tiles", "income_max", "towns_twice", "first_player", "start", "bankruptcy")  # of the rules
LISTS = ("links", "grown", "new_cities")
LISTS_OF_MAP = ("rivers", "walls")
PLAIN_LAND, NO_LAND = ".", " "


def minimise(found: Found, begin: Begin = begin_reference) -> Found:
    """The same kind of difference in a smaller scenario after fewer moves."""
    return minimise_with(Shrinking(partial(replay, begin=begin), list_positions, shrink), found)


def list_positions(start: Start, moves: Sequence[str]) -> list[Position]:
    """Positions between the turns of seats, each with the rest of the moves."""
    try:
        kernels = begin_kernels(start)
    except ValueError:
        return [(dict(start["scenario"]), list(moves))]
    board = start["scenario"]["map"] if "scenario" in start else start["map"]
    positions: list[Position] = [(dict(start["scenario"]), list(moves))] if "scenario" in start else []
    for number in range(len(moves) + 1):
        if not kernels.game.done and kernels.game.phase.upper() in SCENARIO_PHASES:
            positions.append((kernels.to_scenario(board), list(moves[number:])))
        if number < len(moves):
            kernels.apply(moves[number])
    return positions


def shrink(scenario: Scenario, moves: list[str], stays: Stays) -> Position:
    """The scenario with fewer links, markers, stops and hexes, and everything else plain."""
    for name in LISTS:
        scenario = _shorten(scenario, scenario, name, moves, stays)
    for name in LISTS_OF_MAP:
        scenario = _shorten(scenario, scenario["map"], name, moves, stays)
    for stop in _list_stops(scenario):
        smaller = _without_stop(scenario, stop)
        scenario = smaller if stays(smaller, moves) else scenario
    scenario = _keep_land(scenario, drop_items(_list_land(scenario), lambda k: stays(_keep_land(scenario, k), moves)))
    for option in OPTIONS:
        smaller = {**scenario, "rules": {name: value for name, value in scenario["rules"].items() if name != option}}
        scenario = smaller if stays(smaller, moves) else scenario
    return make_plainer(scenario, moves, stays, OPTIONAL), moves


def _shorten(scenario: Scenario, table: Scenario, name: str, moves: list[str], stays: Stays) -> Scenario:
    """The scenario with fewer items in a list of it, or of its map."""

    def keep(items: list[Any]) -> Scenario:
        return {**scenario, name: items} if table is scenario else _with_map(scenario, {name: items})

    items = table.get(name, [])
    return keep(drop_items(items, lambda kept: stays(keep(kept), moves))) if items else scenario


# --- the map ----------------------------------------------------------------------------------------------
def _with_map(scenario: Scenario, entries: dict[str, Any]) -> Scenario:
    return {**scenario, "map": {**scenario["map"], **entries}}


def _list_stops(scenario: Scenario) -> list[str]:
    board = scenario["map"]
    return [*(city["name"] for city in board["cities"]), *board["towns"]]


def _write_signs(scenario: Scenario, signs: dict[tuple[int, int], str]) -> Scenario:
    """The map with other signs at some places, given by column and row."""
    rows = [list(line) for line in scenario["map"]["rows"].split("\n")]
    for (column, row), sign in signs.items():
        rows[row - 1][column - 1] = sign
    return _with_map(scenario, {"rows": "\n".join(map("".join, rows))})


def _without_stop(scenario: Scenario, stop: str) -> Scenario:
    """Plain land in the place of a city or town, whose cubes are gone; refused where a link or marker is at it."""
    board = scenario["map"]
    at = next(at for at, name in find_sites(board).items() if name == stop)
    smaller = _write_signs(scenario, {at: PLAIN_LAND})
    cities = [city for city in board["cities"] if city["name"] != stop]
    smaller = _with_map(smaller, {"cities": cities, "towns": [name for name in board["towns"] if name != stop]})
    return {**smaller, "cubes": {name: cubes for name, cubes in scenario.get("cubes", {}).items() if name != stop}}


def _list_land(scenario: Scenario) -> list[tuple[int, int]]:
    """By column and row the land without stops."""
    stops = _list_stops(scenario)
    return [at for at, name in find_sites(scenario["map"]).items() if name not in stops]


def _keep_land(scenario: Scenario, kept: list[tuple[int, int]]) -> Scenario:
    """This land alone, and all stops."""
    return _write_signs(scenario, {at: NO_LAND for at in _list_land(scenario) if at not in kept})
