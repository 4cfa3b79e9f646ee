"""The position as plain data: everything public at any decision, inside a chain too."""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.auction import next_bid
from steam_env.core.steam.order import seat_at
from steam_env.core.steam.state import (
    BID,
    COLOR_LETTERS,
    COLOR_NAMES,
    COLOUR,
    CUBE,
    END,
    FIRST_MOVE,
    HOP,
    OVER,
    PHASE_NAMES,
    SCORE,
    SPACE,
    TILE,
    URBANIZATION,
)
from steam_env.core.steam.tiles import name_pattern
from steam_env.data.steam.setting import Setting
from steam_env.words.steam.deal import write_letters
from steam_env.words.steam.links import describe_link, trace_links
from steam_env.words.steam.scenario_writing import list_grown, list_new_cities, write_cubes

SEAT_NUMBERS = ("money", "income", "vp", "level", "bankrupt", "tile")
SEAT_FLAGS = ("passed", "to_do", "improved")


TOLD_OF_ALL = ("turn", "phase", "mover", "done")  # entries that a view of every game has


def tell_position(setting: Setting, game: Any) -> dict[str, Any]:
    """The position as plain data for a view: what ``describe_position`` has and views of other games have not."""
    return {name: value for name, value in describe_position(game, setting).items() if name not in TOLD_OF_ALL}


def describe_position(game: Any, setting: Setting) -> dict[str, Any]:
    """The position without what scoring adds: plain numbers, texts, lists and dicts, ``None`` for nothing."""
    seats = slice(setting.num_seats)
    links = trace_links(game, setting)
    owners = [link.owner for link in links if link.end != NONE]
    return {
        "turn": int(game.round_number),
        "turns": int(game.num_turns),
        "phase": "END" if game.phase == END else PHASE_NAMES[game.phase].upper(),
        "mover": None if game.seat == NONE else int(game.seat),
        "done": bool(game.phase == END),
        "order": [] if game.phase == BID else game.order[seats].tolist(),
        "round": int(game.goods_round),
        "placements": int(game.placements_left),
        **{name: game[name][seats].tolist() for name in SEAT_NUMBERS},
        **{name: game[name][seats].astype(bool).tolist() for name in SEAT_FLAGS},
        "complete_links": [owners.count(seat) for seat in range(setting.num_seats)],
        "cubes": write_cubes(game, setting, with_empty=True),
        "supply": [write_letters(group) for group in game.supply.tolist()],
        "bag": {letter: int(count) for letter, count in zip(COLOR_LETTERS, game.bag.tolist(), strict=True)},
        "grown": list_grown(game, setting),
        "markers_left": int(game.markers),
        "new_cities": list_new_cities(game, setting),
        "new_left": {name: int(count) for name, count in zip(COLOR_NAMES, game.new_cities, strict=True)},
        "tiles": _list_tiles(game, setting),
        "stock": _count_stock(game, setting),
        "links": [describe_link(link, setting) for link in links],
        "chain": _describe_chain(game, setting),
        "auction": _describe_auction(game) if game.phase == BID else None,
    }


def _list_tiles(game: Any, setting: Setting) -> dict[str, str]:
    names, pattern = setting.hex_names, game.pattern.tolist()
    return {names[here]: name_pattern(pattern[here]) for here in np.flatnonzero(game.pattern != NONE)}


def _count_stock(game: Any, setting: Setting) -> dict[str, int]:
    if game.unlimited:
        return {}
    stock = game.stock.tolist()
    return {kind.kind: stock[number] for number, kind in enumerate(setting.tiles)}


def _describe_chain(game: Any, setting: Setting) -> dict[str, Any] | None:
    """What was chosen so far of what is under way."""
    stops, phase = setting.map.stops, int(game.phase)
    if phase == TILE:
        return {"hex": setting.hex_names[game.hex]}
    if phase in (COLOUR, SPACE):
        if game.tile[game.seat] != URBANIZATION:
            return {"grow": stops[game.stop]}
        colour = {"colour": COLOR_NAMES[game.color]} if phase == SPACE else {}
        return {"urbanize": stops[game.stop], **colour}
    if phase in (CUBE, HOP, OVER):
        return {
            "stops": [stops[stop] for stop in game.route_stop[: game.hops + 1]],
            "classes": [int(owner) for owner in game.route_owner[: game.hops]],
            **({"cube": COLOR_LETTERS[game.color]} if phase != CUBE else {}),
            **({"to": stops[game.next_stop]} if phase == OVER else {}),
        }
    if phase == SCORE:
        points = [int(count) for count in game.points[: setting.num_seats]]
        return {"points": points, "of": int(seat_at(game, FIRST_MOVE, int(game.place)))}
    return None


def _describe_auction(game: Any) -> dict[str, Any]:
    circle = [(int(game.opener) + steps) % int(game.num_seats) for steps in range(game.num_seats)]
    return {
        "circle": circle,
        "places": [int(seat) for seat in game.order[: game.places_taken]],
        "bid": None if game.bid == NONE else int(game.bid),
        "bidder": None if game.bidder == NONE else int(game.bidder),
        "in": [seat for seat in circle if game.bidding[seat]],
        "next": int(game.seat),
        "next_bid": int(next_bid(game)),
    }
