"""Rule 7: taking contracts from the deck or from hands, and what seats know of hands (rule 11.2)."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.rng import draw_below, shuffle
from steam_env.core.steam_power.events import CONTRACT_DRAWN, CONTRACT_STACKED, CONTRACT_TAKEN, DECK_RESHUFFLED, emit
from steam_env.core.steam_power.players import player_of
from steam_env.core.steam_power.reasons import DECK_EMPTY, NO_SUCH_SEAT, NOT_TIED, NOTHING_TO_TAKE, OK
from steam_env.core.steam_power.state import (
    CONTRACTS_PER_TAKE,
    MAX_CONTRACTS,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_HAND,
    PLAY_STREAM,
    PREVIEW,
    TAKE_FROM,
)


@kernel
def largest_hand(game: np.record) -> int:
    """The most contracts that any seat has in hand."""
    most = 0
    for seat in range(game.num_seats):
        most = max(most, int(game.hand_size[seat]))
    return most


@kernel
def count_tied(game: np.record) -> int:
    """How many seats have the most contracts in hand."""
    most = largest_hand(game)
    tied = 0
    for seat in range(game.num_seats):
        tied += 1 if game.hand_size[seat] == most else 0
    return tied


@kernel
def can_take_from_hands(game: np.record, seat: int) -> bool:
    """Whether another hand can be taken from: it has, or shares, the most (rule 7.2)."""
    most = largest_hand(game)
    return most > 0 and (game.hand_size[player_of(game, seat)] < most or count_tied(game) > 1)


@kernel
def draws_from_deck_only(game: np.record) -> bool:
    """Whether contracts are drawn from the deck only, as by the preview edition's bonus (rule 10)."""
    return game.in_bonus != 0 and game.edition == PREVIEW


@kernel
def contracts_problem(game: np.record, seat: int) -> int:
    """Why the seat may not take contracts, ``OK`` if at least one would be gained (rule 7.2)."""
    if game.deck_size > 0 or count_discards(game) > 0:
        return OK
    if draws_from_deck_only(game):
        return DECK_EMPTY
    return OK if can_take_from_hands(game, seat) else NOTHING_TO_TAKE


@kernel
def take_from_problem(game: np.record, seat: int, other: int) -> int:
    """Why the taker may not choose this hand, ``OK`` if it is among the tied (rule 7.1)."""
    if other == seat or other >= game.num_seats:
        return NO_SUCH_SEAT
    return OK if game.hand_size[other] == largest_hand(game) else NOT_TIED


@kernel
def begin_taking(game: np.record, work: np.record, seat: int) -> bool:
    """Do the action `contracts`: take two, one after the other; True when there is nothing more to decide."""
    game.takes_left = CONTRACTS_PER_TAKE
    return continue_taking(game, work, seat)


@kernel
def continue_taking(game: np.record, work: np.record, seat: int) -> bool:
    """Take what is left to take, up to a tie that the taker must decide; True when done."""
    while game.takes_left > 0:
        refill_deck(game, work)
        if game.deck_size > 0:
            draw_contract(game, work, seat)
        elif draws_from_deck_only(game) or not can_take_from_hands(game, seat):
            game.takes_left = 0
        elif count_tied(game) > 1:
            game.phase = TAKE_FROM
            return False
        else:
            take_random(game, work, seat, fullest_seat(game))
    return True


@kernel
def count_discards(game: np.record) -> int:
    """How many contracts Automas have discarded, all together."""
    count = 0
    for contract in range(MAX_CONTRACTS):
        count += 1 if game.place[contract] == PLACE_DISCARDED else 0
    return count


@kernel
def refill_deck(game: np.record, work: np.record) -> None:
    """Make an empty deck that is drawn from anew, from the Automas' discards (rule 8.5)."""
    if game.deck_size > 0 or game.num_automas == 0:
        return
    generation = count_generations(game)
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_DISCARDED:
            game.place[contract] = PLACE_DECK
            game.generation[contract] = generation
            game.deck_order[game.deck_size] = contract
            game.deck_size += 1
    if game.deck_size == 0:
        return
    if work.next_outcome < work.num_outcomes:
        stack_given(game, work)
    else:
        shuffle(game.deck_order, int(game.deck_size), game.rng[PLAY_STREAM])
    emit(work, DECK_RESHUFFLED, NONE, int(game.deck_size))
    for depth in range(game.deck_size - 1, -1, -1):
        emit(work, CONTRACT_STACKED, NONE, int(game.deck_order[depth]))


@kernel
def count_generations(game: np.record) -> int:
    """How often the deck was made, by the contracts that were in it last. NumPy's ``max`` takes longer to compile."""
    last = 0
    for contract in range(MAX_CONTRACTS):
        last = max(last, int(game.generation[contract]))
    return last + 1


@kernel
def stack_given(game: np.record, work: np.record) -> None:
    """Put the new deck in the order that the caller has given, next draw first."""
    size = int(game.deck_size)
    game.deck_order[:size] = NONE
    for index in range(size):
        given = int(work.outcomes[work.next_outcome]) if work.next_outcome < work.num_outcomes else NONE
        work.next_outcome += 1
        fits = 0 <= given < MAX_CONTRACTS and game.place[given] == PLACE_DECK
        for earlier in range(size - index, size):
            fits = fits and game.deck_order[earlier] != given
        if not fits:
            work.bad_outcome = 1
            return
        game.deck_order[size - 1 - index] = given


@kernel
def fullest_seat(game: np.record) -> int:
    """The first seat with the most contracts in hand."""
    most = largest_hand(game)
    for seat in range(game.num_seats):
        if game.hand_size[seat] == most:
            return seat
    return NONE


@kernel
def pop_deck(game: np.record, place: int) -> int:
    """Take the next contract off the deck, which holds one, and put it where ``place`` says."""
    game.deck_size -= 1
    contract = int(game.deck_order[game.deck_size])
    game.deck_order[game.deck_size] = NONE
    game.place[contract] = place
    return contract


@kernel
def draw_contract(game: np.record, work: np.record, seat: int) -> None:
    """Draw the deck's next contract."""
    player = player_of(game, seat)
    contract = pop_deck(game, PLACE_HAND + player)
    game.hand_size[player] += 1
    game.takes_left -= 1
    emit(work, CONTRACT_DRAWN, seat, contract)


@kernel
def choose_at_random(game: np.record, work: np.record, loser: int) -> int:
    """A uniformly random contract of the hand, or the outcome that the caller has given."""
    if work.next_outcome < work.num_outcomes:
        given = work.outcomes[work.next_outcome]
        work.next_outcome += 1
        if 0 <= given < MAX_CONTRACTS and game.place[given] == PLACE_HAND + loser:
            return given
        work.bad_outcome = 1
    index = draw_below(game.rng[PLAY_STREAM], int(game.hand_size[loser]))
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_HAND + loser:
            if index == 0:
                return contract
            index -= 1
    return NONE


@kernel
def take_random(game: np.record, work: np.record, taker: int, loser: int) -> None:
    """Take a random contract from a hand (rule 7.1)."""
    contract = choose_at_random(game, work, loser)
    game.place[contract] = PLACE_HAND + taker
    game.hand_size[loser] -= 1
    game.hand_size[taker] += 1
    game.takes_left -= 1
    note_what_is_known(game, taker, loser, contract)
    emit(work, CONTRACT_TAKEN, taker, contract, loser)


@kernel
def note_what_is_known(game: np.record, taker: int, loser: int, contract: int) -> None:
    """Note that the loser knows what went where, and others no longer know the hand taken from (rule 11.2)."""
    for other in range(MAX_CONTRACTS):
        if game.place[other] == PLACE_HAND + loser:
            game.known[other] = (1 << taker) if has(game.known[other], taker) else 0
    game.known[contract] = 1 << loser
