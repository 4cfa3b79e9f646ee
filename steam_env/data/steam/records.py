"""Checks of records: Numba does not check bounds, so nothing unchecked may reach a kernel."""

from collections.abc import Iterator

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam.state import (
    BAG,
    END,
    ENGINEER_PLACEMENTS,
    GAME,
    GOODS_ROUNDS,
    GROWTH_MARKERS,
    MAX_LEVEL,
    MAX_LINKS,
    MAX_ROUTE,
    MAX_SEATS,
    MIN_INCOME,
    NEW_CITIES,
    NUM_COLORS,
    NUM_PHASES,
    NUM_TILES,
)
from steam_env.core.steam.tiles import NUM_PATTERNS, NUM_SEGMENTS, SLOT_AT
from steam_env.data.record_checks import check_agreements, check_ranges, check_shape, exactly, hold_all
from steam_env.data.steam.setting import Setting

MAX_PURSE = 2**30  # dollars, more than any game pays; room in 32 bits for what is still to come


def check_records(records: object, setting: Setting) -> np.ndarray:
    """Refuse ``records`` that kernels could not play on this setting without leaving an array; returns them.

    This keeps the interpreter safe from records made by hand; it does not prove that play can lead there.

    Raises:
        ValueError: naming the field, the value and the range.
    """
    checked = check_shape(records, GAME, "steam_env.core.steam.state.GAME")
    check_ranges(checked, _ranges(setting))
    check_agreements(_agreements(checked, setting))
    return checked


def _agreements(records: np.ndarray, setting: Setting) -> Iterator[tuple[str, np.ndarray, str]]:
    """(field, (n,) whether it agrees with the others, with what), as far as loops and array ends depend on it."""
    nobody = np.asarray(records["seat"] == NONE)
    yield "seat", nobody == (records["phase"] == END), "there is one to move until the game is over"
    links = np.arange(MAX_LINKS) < records["num_links"][:, None]
    yield "link_from", hold_all((records["link_from"] != NONE) == links), "there must be one for each link"
    open_links = links & (records["link_to"] == NONE)
    yield "link_head", hold_all((records["link_head"] != NONE) == open_links), "each incomplete link has one"
    lying = records["pattern"]
    heads = np.take_along_axis(lying, records["link_hex"].astype(np.int64), 1)
    reached = SLOT_AT[np.maximum(heads, 0), np.maximum(records["link_head"], 0)] != NONE
    yield "link_hex", hold_all(~open_links | ((heads != NONE) & reached)), "the last tile must use the open edge"
    slots = np.arange(records["segment_link"].shape[2]) < NUM_SEGMENTS[np.maximum(lying, 0)][:, :, None]
    used = slots & (lying != NONE)[:, :, None]
    in_range = np.where(used, records["segment_link"] < records["num_links"][:, None, None], True)
    yield "segment_link", hold_all(in_range.reshape(len(records), -1)), "each segment is in a link"
    board = setting.boards[0]
    on_land = (np.arange(lying.shape[1]) < board.num_hexes) | (lying == NONE)
    yield "pattern", hold_all(on_land), "there is no such hex"
    stops = np.arange(records["city_color"].shape[1])
    printed = (board.stop_color != NONE) & (stops < board.num_stops)
    yield "city_color", hold_all((records["city_color"] != NONE) >= printed), "printed cities have a colour"
    yield "city_color", hold_all((records["city_color"] == NONE) | (stops < board.num_stops)), "there is no such stop"
    active = ((records["bankrupt"] == 0) & (np.arange(MAX_SEATS) < setting.num_seats)).sum(1)
    yield "place", np.asarray(records["place"] < np.maximum(active, 1)), "there are not so many seats that play on"
    seats = np.where(np.arange(MAX_SEATS) < setting.num_seats, records["order"], np.arange(MAX_SEATS))
    ordered = (np.sort(seats, 1) == np.arange(MAX_SEATS)).all(1)
    yield "order", np.asarray(ordered | (records["opener"] != NONE)), "it must name each seat once"


def _ranges(setting: Setting) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of every field that indexes something or counts a loop."""
    rules, seats, board = setting.rules, setting.num_seats, setting.boards[0]
    stop, seat, edge = (NONE, int(board.num_stops) - 1), (NONE, seats - 1), (NONE, NUM_EDGES - 1)
    color, flag = (NONE, NUM_COLORS - 1), (0, 1)

    return {
        "num_seats": exactly(seats),
        "num_turns": exactly(rules.num_turns),
        "income_max": exactly(rules.highest_income),
        "unlimited": exactly(int(rules.tiles == "unlimited")),
        "towns_twice": exactly(int(rules.towns_twice)),
        "forgiving": exactly(int(rules.bankruptcy == "forgiven")),
        "truncated": exactly(0),
        "rng": exactly(0),
        "round_number": (1, rules.num_turns),
        "money": (0, MAX_PURSE),
        "vp": (0, MAX_PURSE),
        "income": (min(MIN_INCOME, 0), rules.highest_income),
        "level": (0, MAX_LEVEL),
        "tile": (0, NUM_TILES),
        **dict.fromkeys(("passed", "to_do", "improved", "bidding", "grown", "link_mark"), flag),
        "bankrupt": (0, rules.num_turns),
        "seat": seat,
        "phase": (0, NUM_PHASES - 1),
        "place": (0, seats - 1),
        "placements_left": (0, ENGINEER_PLACEMENTS),
        "goods_round": (0, GOODS_ROUNDS),
        "hex": (NONE, int(board.num_hexes) - 1),
        **dict.fromkeys(("stop", "next_stop", "route_stop", "link_from", "link_to"), stop),
        **dict.fromkeys(("color", "city_color"), color),
        "hops": (0, MAX_ROUTE - 1),
        **dict.fromkeys(("opener", "bidder", "order", "route_owner", "link_owner"), seat),
        "bid": (NONE, MAX_PURSE),
        "places_taken": (0, seats),
        "points": (0, MAX_ROUTE - 1),
        "stock": (0, int(board.tiles.max())),
        "markers": (0, GROWTH_MARKERS),
        "new_cities": (0, max(NEW_CITIES)),
        **dict.fromkeys(("cubes", "supply", "bag"), (0, max(BAG))),
        "num_links": (0, MAX_LINKS),
        "pattern": (NONE, NUM_PATTERNS - 1),
        "link_head": edge,
        "link_hex": (0, int(board.num_hexes) - 1),
    }
