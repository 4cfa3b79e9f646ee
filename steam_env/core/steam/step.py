"""One step: apply an action that the mask allows, go on to the next decision, renew the mask."""

import numpy as np

from steam_env.core.ahead import fetch
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.action_tiles import take_tile
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    IMPROVE,
    LAY,
    OVER_LINK,
    PASS,
    PASSED_TILES,
    RAISE_BID,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
    UNOWNED_OFFSET,
    URBANIZE,
)
from steam_env.core.steam.auction import raise_bid, withdraw
from steam_env.core.steam.events import ROUND_PASSED, TRACK_DONE, emit
from steam_env.core.steam.goods import (
    begin_move,
    carry_over,
    choose_cube,
    choose_hop,
    deliver,
    improve_engine,
    next_scorer,
    put_points,
)
from steam_env.core.steam.growth import grow_city, has_group, urbanize_town
from steam_env.core.steam.legal import find_problem, only_pass, write_mask
from steam_env.core.steam.order import seat_at
from steam_env.core.steam.routes import class_after
from steam_env.core.steam.state import (
    BID,
    BUILD,
    CITY_GROWTH,
    COLOUR,
    END,
    FIRST_MOVE,
    SPACE,
    TILE,
    UNOWNED_CLASS,
)
from steam_env.core.steam.track import place_tile
from steam_env.core.steam.turn import begin_turn, end_goods_turn, end_taking, end_track_turn


@kernel
def apply_action(game: np.record, board: np.record, work: np.record, action: int) -> None:
    """Carry out a legal action up to the next decision, which may turn out to be none (see ``settle``)."""
    seat = int(game.seat)
    if action < TAKE_PASS:
        take_tile(game, work, seat, action - TAKE_TILE + 1, False)
        end_taking(game)
    elif action < PASS:
        take_tile(game, work, seat, PASSED_TILES[action - TAKE_PASS], True)
        end_taking(game)
    elif action == PASS:
        apply_pass(game, board, work, seat)
    elif action == IMPROVE:
        improve_engine(game, work, seat)
        end_goods_turn(game, work)
    elif action in (TO_INCOME, TO_VP):
        apply_points(game, work, seat, action == TO_INCOME)
    elif action == RAISE_BID:
        raise_bid(game, work, seat)
    elif action < COLOUR_OF or SPACE_OF <= action < FROM:
        apply_track(game, board, work, seat, action)
    else:
        apply_move(game, board, work, seat, action)


@kernel
def apply_pass(game: np.record, board: np.record, work: np.record, seat: int) -> None:
    """Be done with the track turn, do nothing in a goods round, or bid no more."""
    if game.phase == BID:
        if withdraw(game, work, seat):
            begin_turn(game, work, 1)
    elif game.phase == BUILD:
        emit(work, TRACK_DONE, seat)
        end_track_turn(game, board, work)
    else:
        emit(work, ROUND_PASSED, seat)
        end_goods_turn(game, work)


@kernel
def apply_track(game: np.record, board: np.record, work: np.record, seat: int, action: int) -> None:
    """Do a choice of a track turn (rule 8); nothing happens before the last of a chain."""
    if action < LAY:
        game.hex = action - BUILD_ON
        game.phase = TILE
    elif action < GROW:
        place_tile(game, board, work, seat, int(game.hex), action - LAY)
        game.hex = NONE
        game.phase = BUILD
    elif action < URBANIZE:
        game.stop = action - GROW
        game.phase = SPACE
    elif action < COLOUR_OF:
        game.stop = action - URBANIZE
        game.phase = COLOUR
    else:
        carry_out(game, board, work, seat, action - SPACE_OF)


@kernel
def carry_out(game: np.record, board: np.record, work: np.record, seat: int, space: int) -> None:
    """Do the City Growth or the Urbanization that was chosen, with this group; NONE: there is none."""
    stop, color = int(game.stop), int(game.color)
    game.stop = NONE
    game.color = NONE
    game.phase = BUILD
    if game.tile[seat] == CITY_GROWTH:
        grow_city(game, work, seat, stop, space)
    else:
        urbanize_town(game, board, work, seat, stop, color, space)


@kernel
def apply_move(game: np.record, board: np.record, work: np.record, seat: int, action: int) -> None:
    """Do a choice of a move (rule 9.3), or choose the colour of a New City (rule 8.16)."""
    if action < SPACE_OF:
        if game.phase == COLOUR:
            game.color = action - COLOUR_OF
            game.phase = SPACE
            if not has_group(game):
                carry_out(game, board, work, seat, NONE)
        else:
            choose_cube(game, work, action - COLOUR_OF)
        return
    if action < HOP_TO:
        begin_move(game, action - FROM)
        return
    if action < OVER_LINK:
        ended = choose_hop(game, board, work, seat, action - HOP_TO)
    else:
        steps = action - OVER_LINK
        owner = UNOWNED_CLASS if steps == UNOWNED_OFFSET else class_after(game, seat, steps)
        ended = carry_over(game, work, seat, int(game.next_stop), owner)
    if ended:
        deliver(game, work, seat)


@kernel
def apply_points(game: np.record, work: np.record, seat: int, on_income: bool) -> None:
    """Put points down, then ask the next seat that has some, or end the mover's turn (rule 9.8)."""
    put_points(game, work, seat, on_income)
    following = next_scorer(game)
    if following != NONE:
        game.seat = following
        return
    game.points[:] = 0
    game.seat = seat_at(game, FIRST_MOVE, int(game.place))
    end_goods_turn(game, work)


@kernel
def settle(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Write the mask of the next decision; where only `pass` is left there is none and play moves on (rule 14.1)."""
    write_mask(game, board, work, mask)
    while only_pass(game, mask):
        if game.phase == BUILD:
            end_track_turn(game, board, work)
        else:
            end_goods_turn(game, work)
        write_mask(game, board, work, mask)


@kernel
def step_games(
    games: np.ndarray,
    boards: np.ndarray,
    works: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Step game ``rows[k]`` by ``actions[k]``, which must be legal; a finished game ignores it.

    Scratch memory comes as an array of one: see ``steam_env.core.steam.one``.
    """
    last = rows.shape[0] - 1
    for k in range(rows.shape[0]):
        index = rows[k]
        following = rows[min(k + 1, last)]
        fetch(games, following)
        fetch(masks, following)
        game = games[index]
        if game.phase != END:
            apply_action(game, boards[0], works[0], int(actions[k]))
            settle(game, boards[0], works[0], masks[index])


@kernel
def settle_games(games: np.ndarray, boards: np.ndarray, works: np.ndarray, rows: np.ndarray, masks: np.ndarray) -> None:
    """Go on to the first decision of the games ``rows``, as after set-up, and write their masks."""
    for index in rows:
        settle(games[index], boards[0], works[0], masks[index])


@kernel
def find_problem_of(games: np.ndarray, boards: np.ndarray, work: np.record, action: int) -> int:
    """The reason code of one action in the first game."""
    return find_problem(games[0], boards[0], work, action)
