"""One step: apply an action that the mask allows, go on to the next decision, renew the mask."""

import numpy as np

from steam_env.core.ahead import fetch
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    MONEY,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
)
from steam_env.core.steam_power.automa import play_automa_turn
from steam_env.core.steam_power.carriage import (
    begin_contract,
    carry_over,
    choose_hop,
    complete_contract,
    take_resource,
)
from steam_env.core.steam_power.coins import clear_blocked_paths
from steam_env.core.steam_power.events import BONUS_DECLINED, MONEY_TAKEN, emit
from steam_env.core.steam_power.factory import build_factory, usual_resources
from steam_env.core.steam_power.hands import begin_taking, continue_taking, take_random
from steam_env.core.steam_power.legal import bonus_amount, find_problem, only_done, seat_after, write_mask
from steam_env.core.steam_power.players import is_automa, player_of
from steam_env.core.steam_power.state import AMOUNT, BONUS, HEAD, OVER, PLACEMENTS_PER_ACTION, TAKE_MONEY, TRACK
from steam_env.core.steam_power.track import lay_head, remove_tail, replace_tail
from steam_env.core.steam_power.turn import end_action, end_turn, offer_bonus


@kernel
def apply_action(game: np.record, board: np.record, deck: np.record, work: np.record, action: int) -> None:
    """Carry out a legal action up to the next decision, which may turn out to be none (see ``settle``)."""
    seat = int(game.seat)
    if action == MONEY:
        game.money[player_of(game, seat)] += TAKE_MONEY
        emit(work, MONEY_TAKEN, seat, TAKE_MONEY)
        end_action(game, work)
    elif action == CONTRACTS:
        if begin_taking(game, work, seat):
            end_action(game, work)
    elif action == DONE:
        if game.phase == BONUS:
            emit(work, BONUS_DECLINED, seat, game.contract)
        end_action(game, work)
    elif action < BUILD:
        apply_track(game, board, work, seat, action)
    elif action < AMOUNT_OF:
        apply_build(game, work, seat, action - BUILD)
    elif action < FULFIL:
        city = int(game.build_city)
        game.build_city = NONE
        build_factory(game, work, seat, city, bonus_amount(game, action - AMOUNT_OF))
        end_action(game, work)
    elif action < TAKE:
        if apply_carriage(game, board, deck, work, seat, action):
            complete_contract(game, deck, work, seat)
            offer_bonus(game, deck, work)
    else:
        take_random(game, work, seat, seat_after(game, action - TAKE + 1))
        if continue_taking(game, work, seat):
            end_action(game, work)


@kernel
def apply_track(game: np.record, board: np.record, work: np.record, seat: int, action: int) -> None:
    """Do a track action (rule 4): a start waits for its heading; a placement may be followed by a second."""
    if game.placements_left == 0:
        game.placements_left = PLACEMENTS_PER_ACTION
    if START <= action < HEAD_TO:
        game.start_city = (action - START) // NUM_EDGES
        game.start_edge = (action - START) % NUM_EDGES
        game.phase = HEAD
        return
    if action == REMOVE:
        remove_tail(game, board, work, seat)
    elif action < REPLACE:
        lay_head(game, board, work, seat, action - HEAD_TO)
        game.start_city = NONE
        game.start_edge = NONE
    else:
        replace_tail(game, board, work, seat, action - REPLACE)
    clear_blocked_paths(game, board, work, seat)
    game.placements_left -= 1
    if game.placements_left == 0:
        end_action(game, work)
    else:
        game.phase = TRACK


@kernel
def apply_build(game: np.record, work: np.record, seat: int, city: int) -> None:
    """Build a factory (rule 5): with the usual resources; a bonus asks how many, if there is a choice."""
    game.build_city = city
    if game.in_bonus and game.stock[game.color[city]] >= bonus_amount(game, 0):
        game.phase = AMOUNT
        return
    game.build_city = NONE
    build_factory(game, work, seat, city, usual_resources(game))
    end_action(game, work)


@kernel
def apply_carriage(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, action: int) -> bool:
    """Do one choice of a contract (rule 6); True when all its resources are there."""
    if action < SOURCE_FROM:
        return begin_contract(game, board, deck, work, seat, action - FULFIL)
    if action < HOP_TO:
        return take_resource(game, board, deck, work, seat, action - SOURCE_FROM)
    if action < PAY_TO:
        return choose_hop(game, board, deck, work, seat, action - HOP_TO)
    return carry_over(game, board, deck, work, seat, seat_after(game, action - PAY_TO + 1))


@kernel
def settle(game: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray) -> None:
    """Write the mask of the next decision; where only `done` is left there is none and play moves on.

    If an Automa is to move, nothing is legal for anybody: see ``play_automas``.
    """
    write_mask(game, board, deck, work, mask)
    while only_done(game, mask):
        end_action(game, work)
        write_mask(game, board, deck, work, mask)


@kernel
def step_games(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    works: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    masks: np.ndarray,
) -> None:
    """Step game ``rows[k]`` by ``actions[k]``, which must be legal; a finished game ignores it.

    Scratch memory comes as an array of one: see ``steam_env.core.steam_power.one``.
    """
    work = works[0]
    last = rows.shape[0] - 1
    for k in range(rows.shape[0]):
        index = rows[k]
        following = rows[min(k + 1, last)]
        fetch(games, following)
        fetch(masks, following)
        game = games[index]
        if game.phase == OVER:
            continue
        board = boards[game.board_index]
        deck = decks[game.deck_index]
        apply_action(game, board, deck, work, int(actions[k]))
        settle(game, board, deck, work, masks[index])


@kernel
def settle_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, works: np.ndarray, rows: np.ndarray, masks: np.ndarray
) -> None:
    """Write the masks of the games ``rows``, as after set-up."""
    work = works[0]
    for index in rows:
        game = games[index]
        settle(game, boards[game.board_index], decks[game.deck_index], work, masks[index])


@kernel
def play_automas(games: np.ndarray, boards: np.ndarray, decks: np.ndarray, works: np.ndarray, rows: np.ndarray) -> None:
    """Let Automas play in the games ``rows``, up to the next player's action (rule 8.4).

    A kernel of its own, so that games without Automas need not wait for its compilation.
    """
    work = works[0]
    for index in rows:
        game = games[index]
        board = boards[game.board_index]
        deck = decks[game.deck_index]
        while game.phase != OVER and is_automa(game, int(game.seat)):
            play_automa_turn(game, board, deck, work)
            end_turn(game, work)


@kernel
def find_problem_of(games: np.ndarray, boards: np.ndarray, decks: np.ndarray, work: np.record, action: int) -> int:
    """The reason code of one action in the first game."""
    game = games[0]
    return find_problem(game, boards[game.board_index], decks[game.deck_index], work, action)
