"""Rules 5, 11 and 13.4: how a turn goes from phase to phase, and how the game ends."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.events import GAME_ENDED, GROWTH_LAPSED, TURN_BEGUN, emit
from steam_env.core.steam.growth import must_carry_out
from steam_env.core.steam.income import pay_incomes
from steam_env.core.steam.lapse import let_links_lapse
from steam_env.core.steam.order import count_active, order_by_tiles, seat_at
from steam_env.core.steam.state import (
    BUILD,
    END,
    ENGINEER,
    ENGINEER_PLACEMENTS,
    FIRST_BUILD,
    FIRST_MOVE,
    GOODS,
    GOODS_ROUNDS,
    PLACEMENTS,
    TAKE,
)


@kernel
def begin_turn(game: np.record, work: np.record, number: int) -> None:
    """Begin a turn: all action tiles are back (rule 11.2), and the first seat takes one."""
    game.round_number = number
    for seat in range(game.num_seats):
        game.tile[seat] = 0
        game.passed[seat] = 0
        game.to_do[seat] = 0
        game.improved[seat] = 0
    game.phase = TAKE
    game.place = 0
    game.seat = game.order[0]
    emit(work, TURN_BEGUN, NONE, number)


@kernel
def end_taking(game: np.record) -> None:
    """Go on to the next seat of phase 1, or to phase 2."""
    if game.place + 1 < count_active(game):
        game.place += 1
        game.seat = game.order[game.place]
    else:
        open_track_turn(game, 0)


@kernel
def open_track_turn(game: np.record, place: int) -> None:
    """Begin the track turn at this place of the sequence (rule 8.1)."""
    game.phase = BUILD
    game.place = place
    game.seat = seat_at(game, FIRST_BUILD, place)
    game.placements_left = ENGINEER_PLACEMENTS if game.tile[game.seat] == ENGINEER else PLACEMENTS


@kernel
def end_track_turn(game: np.record, board: np.record, work: np.record) -> None:
    """End a track turn: links lapse, what was paid and cannot be done is gone (rules 8.9, 8.15)."""
    seat = int(game.seat)
    if game.to_do[seat] and not must_carry_out(game, board, seat):
        emit(work, GROWTH_LAPSED, seat)
    game.to_do[seat] = 0
    let_links_lapse(game, work, seat)
    game.placements_left = 0
    if game.place + 1 < count_active(game):
        open_track_turn(game, int(game.place) + 1)
    else:
        open_goods_turn(game, 1, 0)


@kernel
def open_goods_turn(game: np.record, goods_round: int, place: int) -> None:
    """Begin the turn of a goods round at this place of the sequence (rule 9.1)."""
    game.phase = GOODS
    game.goods_round = goods_round
    game.place = place
    game.seat = seat_at(game, FIRST_MOVE, place)


@kernel
def end_goods_turn(game: np.record, work: np.record) -> None:
    """Go on to the next seat, the second round, or phases 4 to 6 (rule 9.1)."""
    if game.place + 1 < count_active(game):
        open_goods_turn(game, int(game.goods_round), int(game.place) + 1)
    elif game.goods_round < GOODS_ROUNDS:
        open_goods_turn(game, int(game.goods_round) + 1, 0)
    else:
        end_turn(game, work)


@kernel
def end_turn(game: np.record, work: np.record) -> None:
    """Do phases 4 to 6, then begin the next turn, or end the game (rules 10, 11, 13.4)."""
    game.goods_round = 0
    game.place = 0
    pay_incomes(game, work)
    if game.round_number >= game.num_turns or count_active(game) <= 1:
        game.phase = END
        game.seat = NONE
        emit(work, GAME_ENDED, NONE)
        return
    order_by_tiles(game)
    begin_turn(game, work, int(game.round_number) + 1)
