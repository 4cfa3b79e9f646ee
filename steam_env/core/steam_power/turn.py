"""Rule 3: turns, rounds, the end; and how an action or a bonus comes to its end."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import GAME_ENDED, ROUND_BEGUN, emit
from steam_env.core.steam_power.solo import draw_train, refill_bag, set_contract_aside
from steam_env.core.steam_power.state import (
    ACTION,
    ACTIONS_PER_TURN,
    BONUS,
    BONUS_NONE,
    OVER,
    PLAY_STREAM,
    SOLO,
    SOLO_ROUNDS,
)


@kernel
def end_is_triggered(game: np.record) -> bool:
    """Whether a seat has fulfilled enough contracts (rule 3.2); in solo contracts never end the game (rule 9.2)."""
    if game.mode == SOLO:
        return game.round_number >= SOLO_ROUNDS
    for seat in range(game.num_seats):
        if game.num_fulfilled[seat] >= game.contracts_to_end:
            return True
    return False


@kernel
def end_action(game: np.record, work: np.record) -> None:
    """End the action under way, its bonus included: go on to the next action, turn or round."""
    game.in_bonus = 0
    game.contract = NONE
    game.need = NONE
    game.placements_left = 0
    game.takes_left = 0
    game.phase = ACTION
    game.actions_left -= 1
    if game.actions_left == 0:
        end_turn(game, work)


@kernel
def end_turn(game: np.record, work: np.record) -> None:
    """Go on to the next seat; where that is the first player, end the round (rules 2.3, 3.2).

    In solo the next train says who moves, and the round ends when the bag is empty (rule 9.2).
    """
    if game.mode == SOLO:
        if game.bag_size == 0:
            set_contract_aside(game, work)
            end_round(game, work)
        if game.phase != OVER:
            draw_train(game, work)
        return
    game.seat = (game.seat + 1) % game.num_seats
    game.actions_left = ACTIONS_PER_TURN
    if game.seat == game.first_player:
        end_round(game, work)


@kernel
def end_round(game: np.record, work: np.record) -> None:
    """End the game if the end was triggered or the last round is over, else open the next round."""
    triggered = end_is_triggered(game)
    if triggered or game.round_number >= game.max_rounds:
        truncated = 0 if triggered else 1
        game.truncated = truncated
        game.seat = NONE
        game.actions_left = 0
        game.phase = OVER
        emit(work, GAME_ENDED, NONE, truncated)
        return
    number = int(game.round_number) + 1
    game.round_number = number
    emit(work, ROUND_BEGUN, NONE, number)
    if game.mode == SOLO:
        refill_bag(game, work, game.rng[PLAY_STREAM])


@kernel
def offer_bonus(game: np.record, deck: np.record, work: np.record) -> None:
    """Offer the bonus of a fulfilled contract, or end the action if it has none (rule 6.7)."""
    if deck.bonus[game.contract] == BONUS_NONE:
        end_action(game, work)
        return
    game.in_bonus = 1
    game.need = NONE
    game.phase = BONUS


def find_first_places(records: np.ndarray, num_seats: int) -> np.ndarray:
    """(n, seats) int64, place in the order of a round, which is the same in all: 0 = first player (rule 2.3)."""
    places: np.ndarray = (np.arange(num_seats) - records["first_player"][:, None]) % num_seats
    return places.astype(np.int64)
