"""Checks of records: Numba does not check bounds, so nothing unchecked may reach a kernel."""

from collections.abc import Iterator

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, NUM_PAIRS
from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    BAG_SIZE,
    COMPENSATION,
    CONTRACTS_PER_TAKE,
    EDITION_NAMES,
    FACTORIES,
    FACTORY_RESOURCES,
    GAME,
    MAX_CONTRACTS,
    MAX_GENERATION,
    MAX_HEXES,
    MAX_LINKS,
    MAX_NEEDS,
    MAX_PATH,
    MAX_SEATS,
    MODE_NAMES,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_PHASES,
    NUM_RESOURCES,
    OVER,
    PLACE_ABSENT,
    PLACE_DECK,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_UNKNOWN,
    PLACEMENTS_PER_ACTION,
    RESOURCES_PER_COLOR,
    ROUTING_NAMES,
    SOLO_COMPANIES,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.data.record_checks import check_agreements, check_ranges, check_shape, exactly, hold_all
from steam_env.data.steam_power.maps import MAX_TILES
from steam_env.data.steam_power.setting import Setting

MAX_PURSE = 2**30  # dollars, more than any game pays; room in 32 bits for what is still to come


def check_records(records: object, setting: Setting) -> np.ndarray:
    """Refuse ``records`` that kernels could not play on this setting without leaving an array; returns them.

    This keeps the interpreter safe from records made by hand; it does not prove that play can lead there.

    Raises:
        ValueError: naming the field, the value and the range.
    """
    checked = check_shape(records, GAME, "steam_env.core.steam_power.state.GAME")
    check_ranges(checked, _ranges(setting))
    check_agreements(_agreements(checked))
    return checked


def _agreements(records: np.ndarray) -> Iterator[tuple[str, np.ndarray, str]]:
    """(field, (n,) whether it agrees with the others, with what), as far as loops and array ends depend on it."""
    place, order = records["place"], records["deck_order"]
    for name, first in (("hand_size", PLACE_HAND), ("num_fulfilled", PLACE_FULFILLED)):
        piles = (place[:, None, :] == first + np.arange(MAX_SEATS)[:, None]).sum(2)
        yield name, (records[name] == piles).all(1), "it must count the contracts in `place`"
    in_deck = place == PLACE_DECK
    yield "deck_size", records["deck_size"] == in_deck.sum(1), "it must count the contracts in `place`"
    stacked = np.where(in_deck, np.arange(MAX_CONTRACTS), MAX_CONTRACTS)
    given = np.where(order == NONE, MAX_CONTRACTS, order)
    filled = (order != NONE) == (np.arange(MAX_CONTRACTS) < records["deck_size"][:, None])
    same = (np.sort(stacked, 1) == np.sort(given, 1)).all(1)
    yield "deck_order", same & filled.all(1), "it must hold the contracts of the deck, once each"
    nobody = np.asarray(records["seat"] == NONE)
    yield "seat", nobody == (records["phase"] == OVER), "there is one to move until the game is over"
    links = np.arange(MAX_LINKS) < records["num_links"][:, None]
    for name in ("link_owner", "link_start", "link_edge"):
        yield name, ((records[name] != NONE) == links).all(1), "there must be one for each link"
    laid = (records["link_owner"][:, None, :] == np.arange(MAX_SEATS)[:, None]).sum(2)
    trains = np.where(np.arange(MAX_SEATS) < records["num_seats"][:, None], records["trains"] + laid, 0)
    yield "trains", hold_all(trains <= TRAINS_FINAL), f"with those on links there are at most {TRAINS_FINAL}"
    tail = records["tail_link"]
    owner = np.take_along_axis(records["link_owner"], np.maximum(tail, 0).astype(np.int64), 1)
    end = np.take_along_axis(records["link_end"], np.maximum(tail, 0).astype(np.int64), 1)
    open_links = (tail == NONE) | ((owner == np.arange(MAX_SEATS)) & (end == NONE))
    yield "tail_link", hold_all(open_links), "it must be an incomplete link of the seat"
    for name in ("tail_hex", "tail_entry", "tail_exit"):
        yield name, ((records[name] == NONE) == (tail == NONE)).all(1), "it must tell of the seat's incomplete link"
    company = np.arange(BAG_SIZE) < records["bag_size"][:, None]
    yield "bag", ((records["bag"] != NONE) == company).all(1), "it must hold `bag_size` trains"


def _ranges(setting: Setting) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of every field that indexes something or counts a loop."""
    rules, seats = setting.rules, setting.rules.companies
    hexes, cities = len(setting.map.hexes), len(setting.map.cities)
    contracts = len(setting.deck.contracts)
    city, seat, edge, link = (NONE, cities - 1), (NONE, seats - 1), (NONE, NUM_EDGES - 1), (NONE, MAX_LINKS - 1)
    groups = (0, 2**cities - 1)

    return {
        "num_seats": exactly(seats),
        "num_automas": exactly(rules.automas),
        "automa_level": (0, len(COMPENSATION) - 1),
        "edition": exactly(EDITION_NAMES.index(rules.edition)),
        "mode": exactly(MODE_NAMES.index(rules.mode)),
        "routing": exactly(ROUTING_NAMES.index(rules.routing)),
        "contracts_to_end": exactly(setting.contracts_to_end),
        "max_rounds": exactly(rules.max_rounds),
        "round_number": (1, rules.last_round),
        "money": (0, MAX_PURSE),
        "trains": (0, TRAINS_FINAL),
        "factories": (0, FACTORIES),
        "num_fulfilled": (0, contracts),
        "stock": (0, RESOURCES_PER_COLOR),
        "off_map": (0, MAX_TILES),
        "tiles": (-MAX_HEXES, max(TILE_STOCK)),
        "in_bonus": (0, 1),
        "truncated": (0, 1),
        "generation": (0, 2 * MAX_GENERATION),
        "num_coins": (0, MAX_PATH),
        "coins": (0, hexes - 1),
        "corners": (NONE, NUM_RESOURCES - 1),
        "marker": (NONE, NUM_CORNERS - 1),
        "slot": (NONE, PLACE_UNKNOWN - 1),
        "bag": (NONE, SOLO_COMPANIES - 1),
        "bag_size": (0, BAG_SIZE),
        "seat": seat,
        "first_player": (0, seats - 1 - rules.automas),  # rule 8.1
        "phase": (0, NUM_PHASES - 1),
        "actions_left": (0, ACTIONS_PER_TURN),
        "placements_left": (0, PLACEMENTS_PER_ACTION),
        "takes_left": (0, CONTRACTS_PER_TAKE),
        "reach": groups,
        "network": groups,
        "visited": groups,
        "hand_size": (0, MAX_CONTRACTS),
        "tail_link": link,
        "tail_hex": (NONE, hexes - 1),
        "tail_entry": edge,
        "tail_exit": edge,
        "start_city": city,
        "start_edge": edge,
        "build_city": city,
        "contract": (NONE, contracts - 1),
        "need": (NONE, MAX_NEEDS),
        "cargo_group": city,
        "hop_group": city,
        "num_links": (0, MAX_LINKS),
        "deck_size": (0, contracts),
        "board_index": exactly(0),
        "deck_index": exactly(0),
        "color": (NONE, NUM_COLORS - 1),
        "owner": seat,
        "resources": (0, FACTORY_RESOURCES + 1),
        "linked": (0, 2**MAX_SEATS - 1),
        "place": (0, PLACE_ABSENT),
        "known": (0, 2**MAX_SEATS - 1),
        "deck_order": (NONE, contracts - 1),
        "track": (NONE, NUM_PAIRS - 1),
        "track_link": link,
        "met": (0, 2**NUM_EDGES - 1),
        "link_owner": seat,
        "link_start": city,
        "link_edge": edge,
        "link_end": city,
    }
