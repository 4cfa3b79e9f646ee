"""Scenarios: any position of the game at an action tile, in a track turn or in a goods round, as a table.

A scenario is TOML or the same as a dict. Reading one lays the track of its links and counts everything else, so that
the record equals what play gives, and refuses what could not exist. Writing is the inverse. What a scenario leaves out
is as set-up gives it, or by chance from a seed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.links import is_city
from steam_env.core.steam.setup import draw_first_seat, draw_left_out, end_dealing, open_given
from steam_env.core.steam.state import BAG, COLOR_NAMES, GROWTH_MARKERS, NUM_SPACES, SCRATCH
from steam_env.data.steam.maps import parse_map
from steam_env.data.steam.rules import Rules
from steam_env.data.steam.sets import find_map
from steam_env.data.steam.setting import Setting, load_setting
from steam_env.data.steam.tiles import TileKind, parse_tiles
from steam_env.kit.checks import check_seed
from steam_env.kit.errors import ScenarioError
from steam_env.spec import Position
from steam_env.words.scenario_setting import read_map, read_rules
from steam_env.words.steam.scenario_seats import set_seats, set_turn
from steam_env.words.steam.scenario_track import lay_links, place_new_cities
from steam_env.words.steam.scenario_values import Draft, as_cubes, as_stop
from steam_env.words.steam.scenario_writing import RULES_KEYS
from steam_env.words.values import as_list, as_table

_KEYS = ("rules", "supply", "grown", "map", "turn", "seats", "cubes", "new_cities", "links", "tiles")


def read_scenario(table: Mapping[str, Any], seed: int | None = None) -> Position:
    """The position that a scenario describes.

    Args:
        table: the scenario as a dict.
        seed: for what chance decides because the scenario leaves it out: cubes drawn and the first seat. The result is
            a function of it; ``None`` = fresh entropy.

    Raises:
        ScenarioError: if it is no possible position; the message begins with the entry at fault, as in
            ``links[2].path[3]: ...``, and tells its value and what is allowed.
        ValueError: for a seed that is none.
    """
    number = check_seed(seed)
    as_table(table, "", _KEYS)
    setting = _read_setting(table)
    draft = Draft(Position(setting, setting.blank.copy()))
    place_new_cities(draft, table.get("new_cities", []))
    set_seats(draft, table.get("seats", {}), "turn" in table)
    if "turn" in table:
        set_turn(draft, table["turn"])
    game = draft.game
    lay_links(draft, table.get("links", []), int(game.phase), int(game.seat), game.bankrupt != 0)
    _set_grown(draft, table.get("grown", []))
    _set_goods(draft, table)
    _draw(draft, table, number)
    return draft.position


def _read_setting(table: Mapping[str, Any]) -> Setting:
    name, chosen = read_map(table.get("map", Rules.map), find_map, parse_map)
    rules = read_rules(table.get("rules", {}), Rules, RULES_KEYS, {"map": name})
    try:
        return load_setting(rules, map=chosen, tiles=_read_tiles(table))
    except ValueError as error:
        raise ScenarioError(f"map: {error}") from None


def _read_tiles(table: Mapping[str, Any]) -> tuple[TileKind, ...] | None:
    try:
        return parse_tiles(table["tiles"]) if "tiles" in table else None
    except ValueError as error:
        raise ScenarioError(str(error)) from None


def _set_grown(draft: Draft, value: object) -> None:
    """Lay growth markers (rule 8.15); New Cities have theirs printed on them."""
    for number, name in enumerate(as_list(value, "grown")):
        entry = f"grown[{number}]"
        stop = as_stop(draft, name, entry)
        if draft.board.stop_color[stop] == NONE:
            raise ScenarioError(f"{entry}: {name!r} is no printed city; only those get a growth marker (rule 1.7)")
        if draft.game.grown[stop]:
            raise ScenarioError(f"{entry}: {name!r} stands here twice; a city gets one marker (rule 1.7)")
        if draft.game.markers == 0:
            raise ScenarioError(f"{entry}: more markers than there are; there are {GROWTH_MARKERS} (rule 4.3)")
        draft.game.grown[stop] = 1
        draft.game.markers -= 1


def _set_goods(draft: Draft, table: Mapping[str, Any]) -> None:
    """Put the cubes that are given into cities and supply; the rest is in the bag (rule 4.2)."""
    game = draft.game
    if "cubes" in table:
        game.cubes[:] = 0
        for name, letters in as_table(table["cubes"], "cubes", list(draft.stops)).items():
            stop = draft.stops[name]
            if not is_city(game, stop):
                raise ScenarioError(f"cubes.{name}: {name!r} is a town; cubes are in cities (rule 1.5)")
            game.cubes[stop] = as_cubes(letters, f"cubes.{name}")
    if "supply" in table:
        for space, letters in enumerate(as_list(table["supply"], "supply", NUM_SPACES)):
            game.supply[space] = as_cubes(letters, f"supply[{space}]")
    bag = np.array(BAG) - game.cubes.sum(0) - game.supply.sum(0)
    if bag.min() < 0:
        color = int(bag.argmin())
        entry = "supply" if "supply" in table else "cubes"
        raise ScenarioError(
            f"{entry}: more {COLOR_NAMES[color]} cubes than there are; there are {BAG[color]} (rule 4.2)"
        )
    game.bag[:] = bag


def _draw(draft: Draft, table: Mapping[str, Any], seed: int) -> None:
    """Draw the cubes that are left out, and without a turn the first seat (rules 4.2, 4.4)."""
    records, rules = draft.position.records, draft.setting.rules
    needed = draft.board.drawn.sum() * ("cubes" not in table) + draft.board.space_drawn.sum() * ("supply" not in table)
    if needed > draft.game.bag.sum():
        raise ScenarioError(f"cubes: {draft.game.bag.sum()} cubes are left in the bag, and {needed} are to be drawn")
    draw_left_out(records, draft.setting.boards, SCRATCH.open(), "cubes" not in table, "supply" not in table, seed)
    first = draw_first_seat(records)
    if "turn" in table:
        end_dealing(records[0])
    else:
        fixed = rules.fixed_first_seat
        open_given(records, SCRATCH.open(), first if fixed == NONE else fixed, rules.start_code)
