"""Seats and the turn of a scenario."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steam_env.core.steam.order import seat_at
from steam_env.core.steam.state import (
    BUILD,
    CITY_GROWTH,
    ENGINEER,
    ENGINEER_PLACEMENTS,
    FIRST_BUILD,
    FIRST_MOVE,
    GOODS,
    GOODS_ROUNDS,
    MAX_LEVEL,
    MIN_INCOME,
    NUM_TILES,
    PHASE_NAMES,
    PLACEMENTS,
    TAKE,
    URBANIZATION,
)
from steam_env.kit.errors import ScenarioError
from steam_env.words.seats import name_seat
from steam_env.words.steam.scenario_values import MAX_MONEY, MAX_VP, Draft, read_flags, read_numbers, refuse_seats
from steam_env.words.values import as_choice, as_int, as_list, as_table

PHASES = (TAKE, BUILD, GOODS)  # in which scenarios are written
SEQUENCES = {TAKE: 0, BUILD: FIRST_BUILD, GOODS: FIRST_MOVE}  # who is first in each
_FLAGS = ("passed", "to_do", "improved")
SEAT_KEYS = ("money", "income", "vp", "level", "bankrupt", "tile", *_FLAGS)
_OF_A_TURN = ("bankrupt", "tile", *_FLAGS)
TURN_KEYS = ("number", "phase", "order", "seat", "placements", "round")


def set_seats(draft: Draft, value: object, has_turn: bool) -> None:
    """Set what each seat has; without a turn what belongs to one is refused."""
    table = as_table(value, "seats", SEAT_KEYS)
    if not has_turn:
        for key in _OF_A_TURN:
            if key in table:
                raise ScenarioError(f"seats.{key}: needs the table turn; without it the game begins anew (rule 4)")
    game, rules = draft.game, draft.setting.rules
    ranges = {
        "money": (0, MAX_MONEY),
        "income": (MIN_INCOME, rules.highest_income),
        "vp": (0, MAX_VP),
        "level": (1, MAX_LEVEL),
        "bankrupt": (0, rules.num_turns - 1),
        "tile": (0, NUM_TILES),
    }
    for key, (low, high) in ranges.items():
        if key in table:
            game[key][: draft.seats] = read_numbers(draft, table[key], f"seats.{key}", low, high)
    for key in _FLAGS:
        if key in table:
            game[key][: draft.seats] = read_flags(draft, table[key], f"seats.{key}")
    _check_bankrupt(draft)


def _check_bankrupt(draft: Draft) -> None:
    """Refuse bankrupt seats that have something, or too many of them (rules 13.1, 13.4, 13.6)."""
    game = draft.game
    bankrupt = game.bankrupt[: draft.seats] != 0
    if game.forgiving:
        refuse_seats(bankrupt, "seats.bankrupt", "cannot be bankrupt with rules.bankruptcy = 'forgiven' (rule 13.6)")
    for key in ("money", "vp", "tile", *_FLAGS):
        has_some = bankrupt & (game[key][: draft.seats] != 0)
        refuse_seats(has_some, f"seats.{key}", "is bankrupt: it has neither money nor VP nor a tile (rule 13.1)")
    if draft.seats - bankrupt.sum() < 2:
        raise ScenarioError("seats.bankrupt: fewer than two seats play on; the game is over then (rule 13.4)")


def set_turn(draft: Draft, value: object) -> None:
    """Set whose decision of which phase it is, and check the action tiles against it."""
    table = as_table(value, "turn", TURN_KEYS)
    game = draft.game
    game.round_number = as_int(table.get("number", 1), "turn.number", 1, draft.setting.rules.num_turns)
    late = game.bankrupt[: draft.seats] >= game.round_number
    refuse_seats(late, "seats.bankrupt", "goes bankrupt in phase 4 of a turn before that of turn.number")
    names = [PHASE_NAMES[phase] for phase in PHASES]
    game.phase = PHASES[as_choice(table.get("phase", PHASE_NAMES[TAKE]), names, "turn.phase")]
    for key, phase in (("placements", BUILD), ("round", GOODS)):
        if key in table and game.phase != phase:
            raise ScenarioError(f"turn.{key}: is there in phase {PHASE_NAMES[phase]!r} only")
    _set_order(draft, table)
    if game.phase == TAKE:
        _set_place(draft, table)
        _check_taken(draft)
    else:
        _check_tiles(draft)
        _set_place(draft, table)
    _set_progress(draft, table)
    _check_flags(draft)


def _set_order(draft: Draft, table: Mapping[str, Any]) -> None:
    """Set the order track: bankrupt seats stand behind all others, in seat order (rule 13.1)."""
    bankrupt = [seat for seat in range(draft.seats) if draft.game.bankrupt[seat]]
    others = [seat for seat in range(draft.seats) if seat not in bankrupt]
    order: Sequence[int] = [*others, *bankrupt]
    if "order" in table:
        entries = as_list(table["order"], "turn.order", draft.seats)
        order = [as_int(seat, f"turn.order[{place}]", 0, draft.seats - 1) for place, seat in enumerate(entries)]
        if len(set(order)) < draft.seats:
            raise ScenarioError(f"turn.order: {list(order)}; must name each seat once")
        if list(order[len(others) :]) != bankrupt:
            raise ScenarioError(f"turn.order: {list(order)}; bankrupt seats {bankrupt} must stand behind (rule 13.1)")
    draft.game.order[: draft.seats] = order


def _list_sequence(draft: Draft) -> list[int]:
    """The seats that play on, in the order in which they act in the phase (rules 6.1, 8.1, 9.1)."""
    active = int((draft.game.bankrupt[: draft.seats] == 0).sum())
    first_tile = SEQUENCES[int(draft.game.phase)]
    return [int(seat_at(draft.game, first_tile, place)) for place in range(active)]


def _set_place(draft: Draft, table: Mapping[str, Any]) -> None:
    sequence = _list_sequence(draft)
    seat = as_int(table.get("seat", sequence[0]), "turn.seat", 0, draft.seats - 1)
    if seat not in sequence:
        raise ScenarioError(f"turn.seat: {name_seat(seat)} is bankrupt and decides nothing (rule 13.1)")
    draft.game.seat, draft.game.place = seat, sequence.index(seat)


def _check_taken(draft: Draft) -> None:
    """Refuse tiles out of the sequence of phase 1: those before the mover have one, no other seat has (rule 6.1)."""
    sequence = _list_sequence(draft)
    for place, seat in enumerate(sequence):
        has_one, should = bool(draft.game.tile[seat]), place < draft.game.place
        if has_one != should:
            why = "comes before the seat to decide and must have one" if should else "has not come yet and has none"
            raise ScenarioError(f"seats.tile[{seat}]: {name_seat(seat)} {why} (rule 6.1)")
    _check_different(draft)


def _check_tiles(draft: Draft) -> None:
    """Refuse seats without an action tile after phase 1 (rule 6.1)."""
    without = (draft.game.tile[: draft.seats] == 0) & (draft.game.bankrupt[: draft.seats] == 0)
    refuse_seats(without, "seats.tile", "has no action tile after phase 1 (rule 6.1)")
    _check_different(draft)


def _check_different(draft: Draft) -> None:
    tiles = draft.game.tile[: draft.seats]
    for seat in range(draft.seats):
        if tiles[seat] and tiles[seat] in tiles[:seat]:
            raise ScenarioError(
                f"seats.tile[{seat}]: {tiles[seat]} is taken already; two seats never share one (rule 6.1)"
            )


def _set_progress(draft: Draft, table: Mapping[str, Any]) -> None:
    """Set what is left of the track turn, or the goods round."""
    game = draft.game
    if game.phase == BUILD:
        most = ENGINEER_PLACEMENTS if game.tile[game.seat] == ENGINEER else PLACEMENTS
        game.placements_left = most - as_int(table.get("placements", 0), "turn.placements", 0, most)
    elif game.phase == GOODS:
        game.goods_round = as_int(table.get("round", 1), "turn.round", 1, GOODS_ROUNDS)


def _check_flags(draft: Draft) -> None:
    """Refuse passes, paid actions and improved locomotives that cannot be by then (rules 6.2, 8.14, 9.2)."""
    game, seats = draft.game, draft.seats
    tiles, passed, to_do = game.tile[:seats], game.passed[:seats] != 0, game.to_do[:seats] != 0
    can_pass = (tiles == CITY_GROWTH) | (tiles == URBANIZATION)
    refuse_seats(passed & ~can_pass, "seats.passed", f"has not taken {CITY_GROWTH} or {URBANIZATION} (rule 6.2)")
    refuse_seats(to_do & (~can_pass | passed), "seats.to_do", "has not paid for City Growth or Urbanization (rule 6.1)")
    done = np.zeros(seats, np.bool_)
    if game.phase == BUILD:
        done[_list_sequence(draft)[: game.place]] = True
    refuse_seats(to_do & (done | (game.phase == GOODS)), "seats.to_do", "is done with its track turn (rule 8.15)")
    moved = np.zeros(seats, np.bool_)
    if game.phase == GOODS:
        moved[_list_sequence(draft)[: None if game.goods_round > 1 else game.place]] = True
    refuse_seats((game.improved[:seats] != 0) & ~moved, "seats.improved", "has not come in phase 3 yet (rule 9.2)")
