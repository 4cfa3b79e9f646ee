"""The outcome of a deal as data: what a ``deal`` event holds, and a game's set-up from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.setup import lay_out_given
from steam_env.core.steam_power.state import (
    BAG_SIZE,
    CITY_BAG,
    COLOR_LETTERS,
    COLOR_NAMES,
    HAND_DEALT,
    NUM_CORNERS,
    SOLO_TRAINS_IN_BAG,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.show import show


@dataclass(frozen=True)
class Deal:
    """The outcome of a deal, checked.

    Attributes:
        tiles: colours of the City tiles: of the cities in map order, then those off the map.
        order: every contract once: the hands' by seat, then the deck, next draw first.
        first_player: seat.
        corners: colours from the top left corner clockwise; empty without Automas (rule 8.1).
        trains: companies in the order of the solo bag, first drawn first; empty but in solo (rule 9.2).
    """

    tiles: str
    order: tuple[int, ...]
    first_player: int
    corners: tuple[int, ...]
    trains: tuple[int, ...]


def check_deal(setting: Setting, values: Mapping[str, Any]) -> Deal:
    """The deal that ``values`` describe: cities, off_map, hands, deck, first_player.

    Raises:
        ValueError: naming the entry that is no outcome of a deal with these rules.
    """
    if not isinstance(values, Mapping):
        raise ValueError(f"deal: must be a table of cities, off_map, hands, deck and first_player, not {show(values)}")
    for name in ("cities", "off_map", "hands", "deck", "first_player"):
        if name not in values:
            raise ValueError(f"deal: {name!r} is missing")
    tiles = _check_tiles(setting, values["cities"], values["off_map"])
    order = _check_order(setting, values["hands"], values["deck"])
    first = values["first_player"]
    if isinstance(first, bool) or not isinstance(first, int) or not 0 <= first < setting.rules.players:
        raise ValueError(f"deal: first_player={show(first)}: 0 to {setting.rules.players - 1} are allowed")
    if setting.fixed_first_player not in (NONE, first):
        raise ValueError(f"deal: first_player={first}: rules.first_player is {setting.rules.first_player!r}")
    return Deal(
        tiles,
        order,
        first,
        _check_corners(setting, values.get("corners")),
        _check_trains(setting, values.get("trains")),
    )


def _check_tiles(setting: Setting, cities: object, off_map: object) -> str:
    if not isinstance(cities, str) or not isinstance(off_map, str):
        raise ValueError(f"deal: cities and off_map must be strings of {COLOR_LETTERS}")
    if len(cities) != len(setting.map.cities):
        raise ValueError(
            f"deal: cities={show(cities)} names {len(cities)} tiles: the map has {len(setting.map.cities)}"
        )
    bag = setting.map.tiles or CITY_BAG
    if sorted(cities + off_map) != sorted(bag):
        raise ValueError(f"deal: cities={show(cities)} and off_map={show(off_map)} are not the map's bag {show(bag)}")
    return cities + off_map


def _check_order(setting: Setting, hands: object, deck: object) -> tuple[int, ...]:
    players, contracts = setting.rules.players, len(setting.deck.contracts)
    if not isinstance(hands, list) or not isinstance(deck, list):
        raise ValueError("deal: hands and deck must be lists of contract numbers")
    if len(hands) != players or any(not isinstance(hand, list) or len(hand) != HAND_DEALT for hand in hands):
        raise ValueError(
            f"deal: hands={show(hands)}: {HAND_DEALT} contracts for each of {players} players are needed (rule 2.2)"
        )
    order = [contract for hand in hands for contract in hand] + deck
    if any(isinstance(contract, bool) or not isinstance(contract, int) for contract in order):
        raise ValueError("deal: contract numbers must be integers")
    if sorted(order) != list(range(contracts)):
        raise ValueError(f"deal: hands and deck must hold each contract from 0 to {contracts - 1} once")
    return tuple(order)


def _check_corners(setting: Setting, corners: object) -> tuple[int, ...]:
    if not setting.rules.automas:
        return ()
    names = COLOR_NAMES[:NUM_CORNERS]
    if (
        not isinstance(corners, list)
        or any(not isinstance(name, str) for name in corners)
        or sorted(corners) != sorted(names)
    ):
        raise ValueError(f"deal: corners={show(corners)}: each of {', '.join(names)} once is needed (rule 8.1)")
    return tuple(names.index(name) for name in corners)


def _check_trains(setting: Setting, trains: object) -> tuple[int, ...]:
    if setting.rules.mode != "solo":
        return ()
    bag = [index // SOLO_TRAINS_IN_BAG for index in range(BAG_SIZE)]
    if not isinstance(trains, list) or any(type(company) is not int for company in trains) or sorted(trains) != bag:
        raise ValueError(f"deal: trains={show(trains)}: each of {bag} is needed (rule 9.1)")
    return tuple(trains)


def lay_out_deal(records: np.ndarray, setting: Setting, values: Mapping[str, Any], seed: int) -> None:
    """Set up the only game, a blank one, from the values of a ``deal`` event; its play stream comes from ``seed``.

    Raises:
        ValueError: naming the entry that is no outcome of a deal with these rules.
    """
    outcome = check_deal(setting, values)
    bag = np.array([COLOR_LETTERS.index(letter) for letter in outcome.tiles], np.int64)
    order = np.array(outcome.order, np.int64)
    corners, trains = np.array(outcome.corners, np.int64), np.array(outcome.trains, np.int64)
    lay_out_given(records, setting.boards, setting.decks, bag, order, outcome.first_player, corners, trains, seed)
