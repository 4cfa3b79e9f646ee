"""The position as plain data, for programs in any language: all that one seat sees and knows, by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    CORNER_NAMES,
    NUM_RESOURCES,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    SOLO,
)
from steam_env.data.hexes import hex_name
from steam_env.data.steam_power.decks import Contract
from steam_env.data.steam_power.setting import Setting
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.links import describe_link, name_place, trace_links

TILE_KINDS = ("plain", "tight_or_straight_crossing", "other_crossing")  # rule 1.5


def tell_position(setting: Setting, record: np.record) -> dict[str, Any]:
    """A blanked record as plain numbers, texts, lists and dicts, ``None`` for nothing.

    Contracts are told by their numbers, of which ``contracts`` tells those that the seat sees; colours, edges, cities
    and hexes by name.

    Args:
        setting: rules, map and deck of this one game.
        record: what the seat sees, all else blank.
    """
    return {
        "actions_left": int(record.actions_left),
        "placements_left": int(record.placements_left),
        "takes_left": int(record.takes_left),
        "under_way": _tell_under_way(setting, record),
        "first_player": int(record.first_player),
        "contracts_to_end": int(record.contracts_to_end),
        "last_round": int(record.max_rounds),
        "cities": _tell_cities(setting, record),
        "links": [
            describe_link(link, setting.boards[0], setting.map) for link in trace_links(record, setting.boards[0])
        ],
        "owners": _tell_owners(record),
        "companies": _tell_companies(record),
        "contracts": _tell_contracts(setting, record),
        "deck": int(record.deck_size),
        "unknown": _tell_unknown(record),
        "discards": _list_contracts(record, PLACE_DISCARDED),
        "tiles_beside_map": _by_name(COLOR_NAMES, record.off_map),
        "resources_left": _by_name(COLOR_NAMES[:NUM_RESOURCES], record.stock),
        "track_tiles": _by_name(TILE_KINDS, record.tiles),
        "bag": sorted(record.bag[: record.bag_size].tolist()),
        "corners": _tell_corners(record),
        "automas": _tell_automas(setting, record),
    }


def _by_name(names: Iterable[str], counts: np.ndarray) -> dict[str, int]:
    return dict(zip(names, counts.tolist(), strict=True))


def _list_contracts(record: np.record, place: int) -> list[int]:
    contracts: list[int] = np.flatnonzero(record.place == place).tolist()
    return contracts


# --- the map --------------------------------------------------------------------------------------------


def _tell_cities(setting: Setting, record: np.record) -> list[dict[str, Any]]:
    """By city in map order: its tile, its factory, the seats whose complete links touch its group, and end on it."""
    board, names = setting.boards[0], setting.map.cities
    seats = range(int(record.num_seats))
    groups, hexes = board.group.tolist(), board.city_hex.tolist()
    colors, owners = record.color.tolist(), record.owner.tolist()
    resources, linked, networks = record.resources.tolist(), record.linked.tolist(), record.network.tolist()
    return [
        {
            "name": name,
            "hex": hex_name(int(board.col[hexes[city]]), int(board.row[hexes[city]])),
            "group": names[groups[city]],
            "color": COLOR_NAMES[colors[city]],
            "owner": None if owners[city] == NONE else owners[city],
            "resources": resources[city],
            "flipped": owners[city] != NONE and resources[city] == 0,
            "connected": [seat for seat in seats if networks[seat] >> groups[city] & 1],
            "linked": [seat for seat in seats if linked[city] >> seat & 1],
        }
        for city, name in enumerate(names)
    ]


def _tell_corners(record: np.record) -> dict[str, str]:
    """By corner of the map, the colour of the resource there (rule 8.1)."""
    named = zip(CORNER_NAMES, record.corners.tolist(), strict=True)
    return {corner: COLOR_NAMES[color] for corner, color in named if color != NONE}


def _tell_automas(setting: Setting, record: np.record) -> list[dict[str, Any]]:
    """By Automa: its seat, the corner of its marker, and its coin path to come (rules 8.1, 8.9)."""
    first = int(record.num_seats) - int(record.num_automas)
    return [
        {
            "seat": first + number,
            "marker": CORNER_NAMES[record.marker[number]],
            "coins": [
                name_place(setting.boards[0], setting.map, here)
                for here in record.coins[number, : record.num_coins[number]].tolist()
            ],
        }
        for number in range(int(record.num_automas))
    ]


# --- seats ----------------------------------------------------------------------------------------------


def _tell_owners(record: np.record) -> list[dict[str, Any]]:
    """Who has a purse and a hand: every seat, in solo the one player (rule 9.1)."""
    count = 1 if record.mode == SOLO else int(record.num_seats)
    return [
        {
            "money": int(record.money[owner]),
            "hand_size": int(record.hand_size[owner]),
            "hand": _list_contracts(record, PLACE_HAND + owner),  # those of them that the seat knows
            "fulfilled": _list_contracts(record, PLACE_FULFILLED + owner),
        }
        for owner in range(count)
    ]


def _tell_companies(record: np.record) -> list[dict[str, Any]]:
    """By seat, in solo by company, what it has left to build with."""
    seats = int(record.num_seats)
    trains, factories = record.trains.tolist(), record.factories.tolist()
    return [{"trains": trains[seat], "factories": factories[seat]} for seat in range(seats)]


# --- contracts ------------------------------------------------------------------------------------------


def _tell_contracts(setting: Setting, record: np.record) -> list[dict[str, Any]]:
    """What stands on every contract whose place the seat knows."""
    return [
        _tell_contract(number, contract)
        for number, contract in enumerate(setting.deck.contracts)
        if record.place[number] < PLACE_UNKNOWN
    ]


def _tell_contract(number: int, contract: Contract) -> dict[str, Any]:
    return {
        "number": number,
        "needs": [COLOR_NAMES[COLOR_LETTERS.index(letter)] for letter in contract.needs],
        "money": contract.money,
        "vp": contract.vp,
        "bonus": contract.bonus,
        "icon": contract.automa,
    }


def _tell_unknown(record: np.record) -> list[dict[str, Any]]:
    """The contracts of which the seat does not know where they are, by deck generation (rule 11.4).

    Each of ``contracts`` is equally likely in each of the places, of which ``places`` tells how many there are.
    """
    unknown = record.place == PLACE_UNKNOWN
    slots = record.slot[record.slot != NONE].tolist()  # places, by generation and then by place
    told = []
    for generation in np.unique(record.generation[unknown]).tolist():
        contracts = np.flatnonzero(unknown & (record.generation == generation)).tolist()
        places, slots = slots[: len(contracts)], slots[len(contracts) :]
        counts = {_name_place(place): places.count(place) for place in dict.fromkeys(places)}
        told.append({"contracts": contracts, "places": counts})
    return told


def _name_place(place: int) -> str:
    """What a hidden place is called: the deck, set aside, or the seat in whose hand it is."""
    return {PLACE_DECK: "deck", PLACE_ASIDE: "aside"}.get(place) or name_seat(place - PLACE_HAND)


# --- the decision under way -----------------------------------------------------------------------------


def _tell_under_way(setting: Setting, record: np.record) -> dict[str, Any]:
    """What was chosen so far of the action under way; entries that mean nothing now are ``None``."""
    cities, contract = setting.map.cities, int(record.contract)
    return {
        "contract": None if contract == NONE else contract,
        "need": None if contract == NONE else int(record.need),  # index in its ``needs``
        "in_bonus": bool(record.in_bonus),
        "start_city": _pick(cities, record.start_city),
        "start_edge": _pick(EDGE_NAMES, record.start_edge),
        "cargo_at": _pick(cities, record.cargo_group),
        "cargo_to": _pick(cities, record.hop_group),
        "visited": [city for group, city in enumerate(cities) if int(record.visited) >> group & 1],
        "building_in": _pick(cities, record.build_city),
    }


def _pick(names: Sequence[str], number: int) -> str | None:
    return None if number == NONE else names[number]
