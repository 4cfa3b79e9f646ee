"""Scenarios: any position of the game between two actions, as a table that a person can write and send.

A scenario is TOML or the same as a dict. *Reading* one lays its tracks and builds its factories with the
core's own functions, so that the record equals what play gives, and refuses what could not exist.
*Writing* is the inverse: reading what was written gives an equal record, deck order and random state
included. What a scenario leaves out is as set-up gives it, or by chance from a seed.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.setup import fill_stocks, seed_streams
from steam_env.core.steam_power.state import (
    ACTION,
    ACTIONS_PER_TURN,
    COLOR_LETTERS,
    COLOR_NAMES,
    NUM_STREAMS,
    RNG_WORDS,
    SOLO,
)
from steam_env.data.hexes import hex_name
from steam_env.data.steam_power.decks import Deck, parse_deck
from steam_env.data.steam_power.maps import parse_map
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.sets import find_deck, find_map
from steam_env.data.steam_power.setting import make_setting
from steam_env.kit.checks import check_seed
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import describe, say_count, show
from steam_env.kit.toml_file import as_name
from steam_env.spec import Position
from steam_env.words.scenario_setting import read_map, read_rules
from steam_env.words.steam_power.scenario_others import open_automa_table, open_solo_table, set_automa, set_bag
from steam_env.words.steam_power.scenario_seats import place_contracts, set_generation, set_known, set_money
from steam_env.words.steam_power.scenario_track import lay_links, place_factories
from steam_env.words.steam_power.scenario_values import Draft, as_colors, as_seat
from steam_env.words.steam_power.scenario_writing import RULES_KEYS
from steam_env.words.values import as_int, as_table, as_text, begin_with

MAX_OFF_MAP = 999  # City tiles of one colour beside the map
_KEYS = (
    *("rules", "cities", "off_map", "contracts", "map", "links", "factories"),
    *("seats", "turn", "deck", "automa", "solo", "random"),
)
_STATE_DIGITS = NUM_STREAMS * RNG_WORDS * 8
_STATE = re.compile(rf"[0-9a-fA-F]{{{_STATE_DIGITS}}}")


def read_scenario(table: Mapping[str, Any], seed: int | None = None) -> Position:
    """The position that a scenario describes.

    Args:
        table: the scenario as a dict.
        seed: for what chance decides because the scenario leaves it out: contracts dealt, the deck's
            order, the random streams. The result is a function of it; ``None`` = fresh entropy.

    Raises:
        ScenarioError: if it is no possible position; the message begins with the entry at fault, as in
            ``links[2].path[3]: ...``, and tells its value and what is allowed.
        ValueError: for a seed that is none.
    """
    return _build_position(table, check_seed(seed))


def _build_position(table: Mapping[str, Any], seed: int) -> Position:
    as_table(table, "", _KEYS, required=("cities",))
    draft = _open_draft(table, seed)
    _set_cities(draft, table["cities"])
    _set_off_map(draft, table)
    lay_links(draft, table.get("links", []))
    place_factories(draft, table.get("factories", []))
    seats = as_table(table.get("seats", {}), "seats", ("money", "hands", "fulfilled", "known"))
    deck = as_table(table.get("deck", {}), "deck", ("order", "generation"))
    automa = open_automa_table(draft, table)
    solo = open_solo_table(draft, table)
    set_money(draft, seats)
    place_contracts(draft, seats, deck, automa, solo)
    set_known(draft, seats)
    set_generation(draft, deck)
    set_automa(draft, automa)
    _set_turn(draft, table.get("turn", {}))
    set_bag(draft, solo)
    _set_random(draft, table.get("random", {}))
    return draft.position


def _open_draft(table: Mapping[str, Any], seed: int) -> Draft:
    """An empty table as set-up gives it, with the random streams of the seed."""
    map_name, board = read_map(table.get("map", Rules.map), find_map, parse_map)
    deck_name, deck = _read_deck(table.get("contracts", Rules.contracts))
    rules = read_rules(table.get("rules", {}), Rules, RULES_KEYS, {"map": map_name, "contracts": deck_name})
    setting = make_setting(rules, board, deck)
    records = setting.blank.copy()
    fill_stocks(records[0])
    seed_streams(records[0], seed)
    return Draft(
        Position(setting, records),
        cities={name: city for city, name in enumerate(board.cities)},
        hexes={hex_name(col, row): index for index, (col, row, _) in enumerate(board.hexes)},
    )


def _read_deck(value: object) -> tuple[str, Deck]:
    """The name that ``Rules.contracts`` gets, and the deck; besides a list a whole deck file's table is read."""
    value = as_name(value)
    if not isinstance(value, str | Mapping | list | tuple):
        raise ScenarioError(f"contracts: must be a shipped name or a list of contracts, not {describe(value)}")
    try:
        deck = find_deck(value) if isinstance(value, str) else parse_deck(value, "contracts")
    except ValueError as error:
        text = str(error)
        raise ScenarioError(
            f"contracts.{text}" if isinstance(value, Mapping) else begin_with("contracts", text)
        ) from None
    return value if isinstance(value, str) else deck.name, deck


def _set_cities(draft: Draft, value: object) -> None:
    colors = as_colors(value, "cities")
    if len(colors) != len(draft.cities):
        name, cities = draft.setting.map.name, say_count(len(draft.cities), "city", "cities")
        raise ScenarioError(
            f"cities: {value!r} has {say_count(len(colors), 'colour')}; map {name!r} has {cities}, "
            "one colour is needed for each"
        )
    draft.game.color[: len(colors)] = colors


def _set_off_map(draft: Draft, table: Mapping[str, Any]) -> None:
    """Taken as written; left out, the map's bag of tiles less those on the map (rule 2.1)."""
    if "off_map" in table:
        counts = _count_colors(as_colors(table["off_map"], "off_map"))
    else:
        counts = _count_colors(as_colors(draft.setting.map.tiles, "map.tiles"))
        for color, shown in enumerate(_count_colors(as_colors(table["cities"], "cities"))):
            if shown > counts[color]:
                raise ScenarioError(
                    f"cities: {shown} {COLOR_NAMES[color]} cities; the map's bag of tiles has {counts[color]}, "
                    "so more are only allowed with off_map given"
                )
            counts[color] -= shown
    for color, count in enumerate(counts):
        if count > MAX_OFF_MAP:
            raise ScenarioError(
                f"off_map: {count} {COLOR_NAMES[color]} tiles; at most {MAX_OFF_MAP} of a colour are allowed"
            )
    draft.game.off_map[:] = counts


def _count_colors(colors: Sequence[int]) -> list[int]:
    return [colors.count(color) for color in range(len(COLOR_LETTERS))]


def _set_turn(draft: Draft, value: object) -> None:
    table = as_table(value, "turn", ("seat", "actions_left", "first_player", "round"))
    game, rules = draft.game, draft.setting.rules
    if "seat" in table or game.mode != SOLO:
        game.seat = as_seat(draft, table.get("seat", 0), "turn.seat")
    else:
        game.seat = NONE  # the next train tells
    most = draft.seats - 1 - rules.automas  # rule 8.1
    game.first_player = as_int(table.get("first_player", 0), "turn.first_player", 0, most)
    if rules.first_player == "player_0" and game.first_player != 0:
        raise ScenarioError(f"turn.first_player: {game.first_player}; must be 0 with rules.first_player = 'player_0'")
    most = 1 if game.mode == SOLO else ACTIONS_PER_TURN
    game.actions_left = as_int(table.get("actions_left", most), "turn.actions_left", 1, most)
    game.round_number = as_int(table.get("round", 1), "turn.round", 1, rules.last_round)
    game.phase = ACTION


def _set_random(draft: Draft, value: object) -> None:
    """The state of the random streams, as it is after everything else was placed."""
    table = as_table(value, "random", ("state",))
    if "state" not in table:
        return
    text = as_text(table["state"], "random.state")
    if not _STATE.fullmatch(text):
        raise ScenarioError(f"random.state: {show(text)}; must be {_STATE_DIGITS} hexadecimal digits, has {len(text)}")
    words = np.frombuffer(bytes.fromhex(text), ">u4")
    draft.game.rng[:] = words.reshape(NUM_STREAMS, RNG_WORDS)
