"""The scenario of a position: plain lists, texts and numbers."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import (
    ACTION,
    COLOR_LETTERS,
    COLOR_NAMES,
    OVER,
    PHASE_NAMES,
    PLACE_ASIDE,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    SOLO,
)
from steam_env.data.steam_power.decks import deck_to_dict, parse_deck
from steam_env.data.steam_power.maps import map_to_dict
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.sets import tells_deck, tells_map
from steam_env.data.steam_power.setting import Setting
from steam_env.spec import Position
from steam_env.words.steam_power.links import describe_link, name_place, trace_links

OWN_ENTRIES = ("map", "contracts")  # fields of Rules that a scenario gives as entries of its own
RULES_KEYS = tuple(rule.name for rule in fields(Rules) if rule.name not in OWN_ENTRIES)


def write_scenario(position: Position) -> dict[str, Any]:
    """The scenario of a position: plain lists, texts and numbers. Reading it back gives an equal record.

    Raises:
        ValueError: inside an action, or after the end.
    """
    game = position.records[0]
    _require_between_actions(game)
    return {
        "rules": position.setting.rules.to_table(RULES_KEYS),
        "cities": "".join(COLOR_LETTERS[color] for color in game.color[: len(position.setting.map.cities)]),
        "off_map": "".join(letter * int(count) for letter, count in zip(COLOR_LETTERS, game.off_map, strict=True)),
        "contracts": _write_contracts(position),
        "map": _write_map(position),
        "links": list(_write_links(position)),
        "factories": list(_write_factories(position)),
        "seats": _write_seats(position),
        "turn": {
            "seat": int(game.seat),
            "actions_left": int(game.actions_left),
            "first_player": int(game.first_player),
            "round": int(game.round_number),
        },
        "deck": _write_deck(position),
        **_write_automa(position),
        **_write_solo(position),
        "random": {"state": game.rng.astype(">u4").tobytes().hex()},
    }


def _require_between_actions(game: Any) -> None:
    if game.phase == OVER:
        raise ValueError("the game is over: a scenario is a position in which an action is to be chosen; use save()")
    if game.phase != ACTION:
        phase = PHASE_NAMES[game.phase]
        raise ValueError(f"inside an action (phase {phase!r}): a scenario is a position between actions; use save()")


def _write_map(position: Position) -> str | dict[str, object]:
    """The name of a shipped map, or one in a set; any other is written out: its file may not be where this is read."""
    setting: Setting = position.setting
    name = setting.rules.map
    if tells_map(name, setting.map):
        return name
    return map_to_dict(setting.map)


def _write_contracts(position: Position) -> Any:
    """The name of such a deck, else its contracts; a deck with a name or an end of its own is a table."""
    name = position.setting.rules.contracts
    if tells_deck(name, position.setting.deck):
        return name
    table = deck_to_dict(position.setting.deck)
    contracts = table["contracts"]
    return contracts if parse_deck({"name": "inline", "contracts": contracts}) == position.setting.deck else table


def _write_links(position: Position) -> Iterator[dict[str, Any]]:
    board = position.setting.boards[0]
    for link in trace_links(position.records[0], board):
        described = describe_link(link, board, position.setting.map)
        entry = {"owner": described["owner"], "path": described["path"]}
        if not described["complete"]:
            entry["open"] = described["open"]
        yield entry


def _write_factories(position: Position) -> Iterator[dict[str, Any]]:
    game = position.records[0]
    for city, name in enumerate(position.setting.map.cities):
        if game.owner[city] != NONE:
            yield {"owner": int(game.owner[city]), "city": name, "resources": int(game.resources[city])}


def _write_seats(position: Position) -> dict[str, Any]:
    game, seats = position.records[0], range(position.setting.rules.seats)  # in solo one
    table = {
        "money": [int(game.money[seat]) for seat in seats],
        "hands": [_list_contracts(game.place == PLACE_HAND + seat) for seat in seats],
        "fulfilled": [_list_contracts(game.place == PLACE_FULFILLED + seat) for seat in seats],
    }
    if game.known.any():
        table["known"] = [_list_contracts(game.known & (1 << seat) != 0) for seat in seats]
    return table


def _write_automa(position: Position) -> dict[str, Any]:
    game, automas = position.records[0], position.setting.rules.automas
    if not automas:
        return {}
    return {
        "automa": {
            "corners": [COLOR_NAMES[color] for color in game.corners],
            "marker": [int(corner) for corner in game.marker[:automas]],
            "coins": [_write_coins(position, number) for number in range(automas)],
            "discards": _list_contracts(game.place == PLACE_DISCARDED),
        }
    }


def _write_solo(position: Position) -> dict[str, Any]:
    game = position.records[0]
    if game.mode != SOLO:
        return {}
    trains = [int(company) for company in game.bag[: game.bag_size][::-1]]
    return {"solo": {"trains": trains, "set_aside": int(np.count_nonzero(game.place == PLACE_ASIDE))}}


def _write_coins(position: Position, number: int) -> list[str]:
    game, board = position.records[0], position.setting.boards[0]
    path = [int(hex_index) for hex_index in game.coins[number, : game.num_coins[number]]]
    return [name_place(board, position.setting.map, hex_index) for hex_index in path]


def _list_contracts(flags: np.ndarray) -> list[int]:
    return [int(contract) for contract in np.flatnonzero(flags)]


def _write_deck(position: Position) -> dict[str, Any]:
    game = position.records[0]
    table = {"order": [int(contract) for contract in game.deck_order[: game.deck_size][::-1]]}
    if game.generation.any():
        table["generation"] = [int(count) for count in game.generation[: len(position.setting.deck.contracts)]]
    return table
