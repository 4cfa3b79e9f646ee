"""Refusing records that cannot be positions of the game, as a save from elsewhere may hold.

A record is taken apart and built up again. What is under way (a heading, a carriage, a bonus) is taken off first;
the rest is written as a scenario and read back, which lays every tile and refuses what cannot be, and has to come
out the same byte by byte. The decision under way is then checked by what led to it: the same predicates as in play.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import BUILD, HOP_TO, NUM_ACTIONS, START
from steam_env.core.steam_power.reasons import OK
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BONUS,
    BONUS_CONTRACTS,
    BONUS_FACTORY,
    BONUS_NONE,
    BONUS_TRACK,
    GAME,
    HEAD,
    HOP,
    OVER,
    PAY,
    PHASE_NAMES,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    SCRATCH,
    SOLO,
    SOLO_ROUNDS,
    SOURCE,
    TAKE_FROM,
    TRACK,
)
from steam_env.core.steam_power.step import find_problem_of, settle_games
from steam_env.data.steam_power.records import check_records
from steam_env.data.steam_power.setting import Setting
from steam_env.spec import Position
from steam_env.words.steam_power.scenario import read_scenario
from steam_env.words.steam_power.scenario_writing import write_scenario

# What belongs to a decision inside an action, with its value outside one.
_BLANK = {
    **dict.fromkeys(("start_city", "start_edge", "build_city", "contract", "need", "cargo_group", "hop_group"), NONE),
    **dict.fromkeys(("visited", "placements_left", "takes_left", "in_bonus", "truncated"), 0),
}
_IN_BONUS = ("in_bonus", "contract")
_USED = {
    ACTION: (),
    HEAD: ("start_city", "start_edge", "placements_left", *_IN_BONUS),
    TRACK: ("placements_left", *_IN_BONUS),
    SOURCE: ("contract", "need"),
    HOP: ("contract", "need", "visited", "cargo_group"),
    PAY: ("contract", "need", "visited", "cargo_group", "hop_group"),
    BONUS: _IN_BONUS,
    AMOUNT: ("build_city", *_IN_BONUS),
    TAKE_FROM: ("takes_left", *_IN_BONUS),
    OVER: ("truncated",),
}
ONLY = np.zeros(1, np.int64)  # the number of the only game
_BONUS_OF = {HEAD: BONUS_TRACK, TRACK: BONUS_TRACK, AMOUNT: BONUS_FACTORY, TAKE_FROM: BONUS_CONTRACTS}


def check_position(records: np.ndarray, setting: Setting) -> None:
    """Refuse the record of one game if it could not be a position of the setting, at a decision or after the end.

    Raises:
        ValueError: naming what could not be.
    """
    game = check_records(records, setting)[0]
    _check_table(records, setting)
    for name, blank in _BLANK.items():
        if name not in _USED[int(game.phase)] and game[name] != blank:
            raise ValueError(f"record[{name!r}] is {game[name]} in phase {PHASE_NAMES[game.phase]!r}: must be {blank}")
    if game.phase == OVER:
        _check_end(game)
    elif game.phase != ACTION:
        _check_decision(records, setting)


def _check_table(records: np.ndarray, setting: Setting) -> None:
    """Refuse a record that is not the same when all that lies on the table is built up again from a scenario."""
    between = records.copy()
    for name, blank in _BLANK.items():
        between[name] = blank
    if between["phase"][0] == OVER:
        between["seat"] = 0
        between["actions_left"] = 1
    between["phase"] = ACTION
    purses = setting.rules.seats
    between["money"][:, :purses] = 0  # checked before; a game may pay more than a scenario gives
    rebuilt = read_scenario(write_scenario(Position(setting, between)), 0).records
    for name in GAME.names or ():
        if rebuilt[name].tobytes() != between[name].tobytes():
            raise ValueError(f"record[{name!r}] does not agree with the rest of the record")


def _check_end(game: Any) -> None:
    """Refuse an end that was not triggered, before the last round is over (rules 3.2, 9.2)."""
    if game.mode == SOLO:
        triggered = game.round_number >= SOLO_ROUNDS and game.bag_size == 0
    else:
        triggered = bool((game.num_fulfilled >= game.contracts_to_end).any())
    if not triggered and game.round_number < game.max_rounds:
        raise ValueError(f"record['phase'] is 'over' in round {game.round_number}: nothing has ended the game")
    if (game.seat, game.actions_left, game.truncated) != (NONE, 0, int(not triggered)):
        raise ValueError("record['seat'], ['actions_left'] and ['truncated'] do not agree with the record's end")


def _check_decision(records: np.ndarray, setting: Setting) -> None:
    """Refuse a decision inside an action but a player's, of something begun, with something to choose."""
    game = records[0]
    phase, player = int(game.phase), 0 if game.mode == SOLO else int(game.seat)
    if player >= setting.rules.players:
        raise ValueError(f"record['seat'] is {game.seat}, an Automa's: only players decide")
    if game.in_bonus:
        _require(game, "contract", game.contract != NONE and game.place[game.contract] == PLACE_FULFILLED + player)
        bonus = setting.decks[0].bonus[game.contract]
        _require(game, "contract", bonus == _BONUS_OF.get(phase, bonus) and bonus != BONUS_NONE)
    elif phase in (BONUS, AMOUNT):
        _require(game, "in_bonus", False)
    else:
        in_hand = game.contract != NONE and game.place[game.contract] == PLACE_HAND + player
        _require(game, "contract", in_hand if "need" in _USED[phase] else game.contract == NONE)
    _check_parts(records, setting)
    _check_choice(records, setting)


def _check_parts(records: np.ndarray, setting: Setting) -> None:
    """Refuse fields that the decision's phase cannot have, or that tell of a choice that was not legal."""
    game = records[0]
    phase = int(game.phase)
    if "need" in _USED[phase]:
        _require(game, "need", 0 <= game.need < setting.decks[0].num_needs[game.contract])
    if "visited" in _USED[phase]:
        passed = game.cargo_group != NONE and has(game.visited, game.cargo_group)
        _require(game, "visited", passed and not game.visited & game.network[game.seat])
        _require(game, "visited", all(has(game.visited, group) <= (of == group) for group, of in _groups(setting)))
    if "placements_left" in _USED[phase]:
        _require(game, "placements_left", 1 <= game.placements_left <= (PLACEMENTS_PER_ACTION if phase == HEAD else 1))
    if phase == TAKE_FROM:
        _require(game, "takes_left", game.takes_left > 0 and game.deck_size == 0)
    if phase == HEAD:
        first = game.placements_left == PLACEMENTS_PER_ACTION
        before = (BONUS if game.in_bonus else ACTION) if first else TRACK
        chosen = START + int(game.start_city) * NUM_EDGES + int(game.start_edge)
        _require_legal(records, setting, ("start_city", "start_edge"), before, chosen)
    elif phase == PAY:
        _require_legal(records, setting, ("hop_group",), HOP, HOP_TO + int(game.hop_group))
    elif phase == AMOUNT:
        _require_legal(records, setting, ("build_city",), BONUS, BUILD + int(game.build_city))


def _groups(setting: Setting) -> list[tuple[int, int]]:
    """Each city with the group that it belongs to."""
    return [(city, int(group)) for city, group in enumerate(setting.boards[0].group[: len(setting.map.cities)])]


def _require(game: Any, name: str, fine: Any) -> None:
    if not fine:
        raise ValueError(f"record[{name!r}] is {game[name]}, which cannot be in phase {PHASE_NAMES[game.phase]!r}")


def _require_legal(records: np.ndarray, setting: Setting, names: tuple[str, ...], phase: int, action: int) -> None:
    """Refuse the fields ``names`` if their choice was not legal in the decision before, which had this phase."""
    for name in names:
        _require(records[0], name, records[0][name] != NONE)
    before = records.copy()
    before["phase"] = phase
    for name in names:
        before[name] = NONE
    code = find_problem_of(before, setting.boards, setting.decks, SCRATCH.open()[0], action)
    _require(records[0], names[0], code == OK)


def _check_choice(records: np.ndarray, setting: Setting) -> None:
    """Refuse a decision in which nothing is legal, or `done` alone, where play would have moved on."""
    after, masks = records.copy(), np.zeros((1, NUM_ACTIONS), np.bool_)
    settle_games(after, setting.boards, setting.decks, SCRATCH.open(), ONLY, masks)
    if not masks.any() or after.tobytes() != records.tobytes():
        raise ValueError(f"there is nothing to choose in the record's phase {PHASE_NAMES[records[0].phase]!r}")
