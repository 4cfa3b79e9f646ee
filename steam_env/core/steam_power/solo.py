"""Rule 9: the basic solo game, one player with five companies."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.rng import shuffle
from steam_env.core.steam_power.events import CONTRACT_SET_ASIDE, TRAIN_BAGGED, TRAIN_DRAWN, emit
from steam_env.core.steam_power.hands import pop_deck
from steam_env.core.steam_power.state import BAG_SIZE, PLACE_ASIDE, SOLO_TRAINS_IN_BAG


@kernel
def fill_bag(game: np.record, stream: np.ndarray) -> None:
    """Fill the bag with two trains of each company, in random order (rules 9.1, 9.2)."""
    for index in range(BAG_SIZE):
        game.bag[index] = index // SOLO_TRAINS_IN_BAG
    shuffle(game.bag, BAG_SIZE, stream)
    game.bag_size = BAG_SIZE


@kernel
def refill_bag(game: np.record, work: np.record, stream: np.ndarray) -> None:
    """Put the ten trains back into the bag, in the order that the caller has given, else by chance."""
    fill_bag(game, stream)
    if work.next_outcome < work.num_outcomes:
        bag_given(game, work)
    for depth in range(BAG_SIZE - 1, -1, -1):
        emit(work, TRAIN_BAGGED, NONE, int(game.bag[depth]))


@kernel
def bag_given(game: np.record, work: np.record) -> None:
    """Order the bag by given outcomes; each company must be given twice."""
    for depth in range(BAG_SIZE - 1, -1, -1):
        given = int(work.outcomes[work.next_outcome]) if work.next_outcome < work.num_outcomes else NONE
        work.next_outcome += 1
        if not 0 <= given < BAG_SIZE // SOLO_TRAINS_IN_BAG:
            work.bad_outcome = 1
            return
        game.bag[depth] = given
    for company in range(BAG_SIZE // SOLO_TRAINS_IN_BAG):
        count = 0
        for index in range(BAG_SIZE):
            count += 1 if game.bag[index] == company else 0
        if count != SOLO_TRAINS_IN_BAG:
            work.bad_outcome = 1


@kernel
def pop_train(game: np.record) -> int:
    """Take the next train out of the bag: its company is active for one action (rule 9.2)."""
    game.bag_size -= 1
    company = int(game.bag[game.bag_size])
    game.bag[game.bag_size] = NONE
    game.seat = company
    game.actions_left = 1
    return company


@kernel
def draw_train(game: np.record, work: np.record) -> None:
    """Draw a train in play, which is an event."""
    emit(work, TRAIN_DRAWN, pop_train(game))


@kernel
def set_contract_aside(game: np.record, work: np.record) -> None:
    """Put one contract of the deck aside, face down, at the end of a round; an empty deck changes nothing."""
    if game.deck_size == 0:
        return
    emit(work, CONTRACT_SET_ASIDE, NONE, pop_deck(game, PLACE_ASIDE))
