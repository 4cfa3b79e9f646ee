"""Refusing records that cannot be positions of the game, as a save from elsewhere may hold.

A record is taken apart and built up again. What is under way is taken off first; the rest is written as a scenario and
read back, and has to come out the same byte by byte. What was under way is then chosen anew, by legal actions alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    NUM_ACTIONS,
    OVER_LINK,
    UNOWNED_OFFSET,
    URBANIZE,
)
from steam_env.core.steam.auction import has_place
from steam_env.core.steam.order import count_active, seat_at
from steam_env.core.steam.setup import FROM_AUCTION
from steam_env.core.steam.state import (
    BID,
    BUILD,
    COLOUR,
    CUBE,
    END,
    FIRST_MOVE,
    GAME,
    GOODS,
    GOODS_ROUNDS,
    HOP,
    MAX_LEVEL,
    NOBODY,
    OVER,
    PHASE_NAMES,
    SCORE,
    SCRATCH,
    SPACE,
    TAKE,
    TILE,
    URBANIZATION,
)
from steam_env.core.steam.step import settle_games, step_games
from steam_env.data.steam.records import check_records
from steam_env.data.steam.setting import Setting
from steam_env.spec import Position
from steam_env.words.steam.scenario import read_scenario
from steam_env.words.steam.scenario_writing import write_scenario

ONLY = np.zeros(1, np.int64)  # the number of the only game
# What belongs to a decision inside a chain or an auction, with its value outside one.
_BLANK = {
    **dict.fromkeys(
        ("hex", "stop", "color", "next_stop", "opener", "bid", "bidder", "route_stop", "route_owner"), NONE
    ),
    **dict.fromkeys(("hops", "places_taken", "bidding", "points"), 0),
}
_IN_TRACK, _IN_MOVE = (TILE, COLOUR, SPACE), (CUBE, HOP, OVER)


def check_position(records: np.ndarray, setting: Setting) -> None:
    """Refuse the record of one game if it could not be a position of the setting, at a decision or after the end.

    Raises:
        ValueError: naming what could not be.
    """
    game = check_records(records, setting)[0]
    if game.phase == BID:
        _check_auction(records, setting)
        return
    between = _take_off(records)
    _check_table(between, setting)
    if game.phase == END:
        _check_end(game, setting)
    elif game.phase == SCORE:
        _check_points(game)
    else:
        _check_same(records, _choose_anew(between, game, setting), "chosen anew")


def _refuse(game: Any, name: str) -> None:
    raise ValueError(f"record[{name!r}] is {game[name]}, which cannot be in phase {PHASE_NAMES[game.phase]!r}")


def _check_same(records: np.ndarray, other: np.ndarray, how: str) -> None:
    for name in GAME.names or ():
        if records[name].tobytes() != other[name].tobytes():
            raise ValueError(f"record[{name!r}] does not agree with the rest of the record, {how}")


def _take_off(records: np.ndarray) -> np.ndarray:
    """The position without what is under way: at the decision with which that began."""
    between = records.copy()
    game = between[0]
    for name, blank in _BLANK.items():
        between[name] = blank
    if game.phase in _IN_TRACK:
        game.phase = BUILD
    elif game.phase in _IN_MOVE or game.phase == SCORE:
        game.phase = GOODS
        game.seat = seat_at(game, FIRST_MOVE, int(game.place))
    elif game.phase == END:  # as if it went on in phase 3
        game.phase, game.goods_round = GOODS, GOODS_ROUNDS
        game.place = max(count_active(game) - 1, 0)
        game.seat = seat_at(game, FIRST_MOVE, int(game.place))
    return between


def _check_table(between: np.ndarray, setting: Setting) -> None:
    """Refuse a record that is not the same when all that lies on the table is built up again from a scenario."""
    if count_active(between[0]) < 2:  # only after the end: a scenario has two seats that play on
        return
    bankrupt_now = between["bankrupt"] == between["round_number"]
    if bankrupt_now.any():  # likewise: that is in phase 4
        return
    scenario = write_scenario(Position(setting, between))
    _check_same(between, read_scenario(scenario, 0).records, "built up anew")


def _check_end(game: Any, setting: Setting) -> None:
    """Refuse an end before the last turn while two seats play on (rules 11.2, 13.4)."""
    if game.round_number < setting.rules.num_turns and count_active(game) > 1:
        _refuse(game, "round_number")


def _check_points(game: Any) -> None:
    """Refuse points that no move can bring, or a seat to ask that has none (rule 9.8)."""
    mover = seat_at(game, FIRST_MOVE, int(game.place))
    points = game.points.astype(np.int64)
    most = max(MAX_LEVEL, int(game.level[mover]))
    if points.min() < 0 or points.sum() > most or points[mover] < max(points.max(), 1):
        _refuse(game, "points")
    if game.points[game.seat] == 0 or game.bankrupt[game.seat]:
        _refuse(game, "seat")


def _check_auction(records: np.ndarray, setting: Setting) -> None:
    """Refuse an auction that could not be under way (rule 15.2)."""
    game = records[0]
    taken = [int(seat) for seat in game.order if seat != NONE]
    if setting.rules.start_code != FROM_AUCTION or game.opener == NONE:
        _refuse(game, "opener")
    if len(taken) != game.places_taken or len(set(taken)) < len(taken) or len(taken) > setting.num_seats - 2:
        _refuse(game, "places_taken")
    bidding = [seat for seat in range(setting.num_seats) if game.bidding[seat]]
    if len(bidding) < 2 or game.seat not in bidding or any(has_place(game, seat) for seat in bidding):
        _refuse(game, "bidding")
    if (game.bid == NONE) != (game.bidder == NONE) or (game.bidder != NONE and game.bidder not in bidding):
        _refuse(game, "bidder")
    if game.num_links or (game.pattern != NONE).any() or (game.tile != 0).any():
        _refuse(game, "num_links")


def _choose_anew(between: np.ndarray, game: Any, setting: Setting) -> np.ndarray:
    """The position after what is under way was chosen again, out of legal actions."""
    masks = np.zeros((1, NUM_ACTIONS), np.bool_)
    works = SCRATCH.open()
    settle_games(between, *setting.statics, works, ONLY, masks)
    for action in _list_choices(game):
        if action >= OVER_LINK and between[0].phase != OVER:  # the only owner was not asked for
            continue
        if not 0 <= action < NUM_ACTIONS or not masks[0, action]:
            raise ValueError(f"the choices of the record's phase {PHASE_NAMES[game.phase]!r} are not legal")
        step_games(between, *setting.statics, works, ONLY, np.array([action], np.int64), masks)
    return between


def _list_choices(game: Any) -> list[int]:
    """The actions of the chain under way."""
    if game.phase in (TAKE, BUILD, GOODS):
        return []
    if game.phase == TILE:
        return [BUILD_ON + int(game.hex)]
    if game.phase in (COLOUR, SPACE):
        if game.tile[game.seat] != URBANIZATION:
            return [GROW + int(game.stop)]
        return [URBANIZE + int(game.stop), *([COLOUR_OF + int(game.color)] if game.phase == SPACE else [])]
    choices = [FROM + int(game.route_stop[0])]
    if game.phase != CUBE:
        choices.append(COLOUR_OF + int(game.color))
    return [*choices, *_list_hops(game)]


def _list_hops(game: Any) -> list[int]:
    """The hops of the cube under way, each with the owner of its link."""
    hops: list[int] = []
    for at in range(game.hops):
        hops += [HOP_TO + int(game.route_stop[at + 1]), _offset_of(game, int(game.route_owner[at]))]
    return [*hops, *([HOP_TO + int(game.next_stop)] if game.phase == OVER else [])]


def _offset_of(game: Any, owner: int) -> int:
    steps = UNOWNED_OFFSET if owner == NOBODY else (owner - int(game.seat)) % int(game.num_seats)
    return OVER_LINK + steps
