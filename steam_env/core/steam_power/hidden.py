"""Rule 11: hiding what a seat does not see, and dealing it anew."""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.rng import seed_stream, shuffle
from steam_env.core.steam_power.hands import count_generations
from steam_env.core.steam_power.players import player_of
from steam_env.core.steam_power.state import (
    MAX_CONTRACTS,
    MAX_SEATS,
    NUM_STREAMS,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_HAND,
    PLACE_UNKNOWN,
)

# Streams of their own: one for the redeal, then the new ones, none of which a game of any seed starts with.
REDEAL_STREAM = NUM_STREAMS
NO_SEAT = NONE  # a spectator, who sees no hand


@kernel
def in_other_hand(game: np.record, seat: int, contract: int) -> bool:
    """Whether the contract is in a hand that is not the seat's."""
    place = game.place[contract]
    in_a_hand = PLACE_HAND <= place < PLACE_HAND + MAX_SEATS
    return in_a_hand and (seat == NO_SEAT or place != PLACE_HAND + player_of(game, seat))


@kernel
def is_hidden(game: np.record, seat: int, contract: int) -> bool:
    """Whether the seat does not know where the contract is (rules 11.2, 11.3)."""
    if contract == game.contract:
        return False  # being fulfilled: it lies open on the table
    if game.place[contract] in (PLACE_DECK, PLACE_ASIDE, PLACE_UNKNOWN):
        return True
    return in_other_hand(game, seat, contract) and (seat == NO_SEAT or not has(game.known[contract], seat))


@kernel
def blank_hidden(game: np.record, seat: int) -> None:
    """Blank all that the seat cannot see: places of unknown contracts, the deck's order, random streams.

    What is left of the places is how many contracts of each deck generation are in each (rule 11.4):
    ``slot`` lists them, by generation and then by place.
    """
    position = 0
    for generation in range(count_generations(game)):
        for place in range(PLACE_UNKNOWN):
            for contract in range(MAX_CONTRACTS):
                here = game.place[contract] == place and game.generation[contract] == generation
                if here and is_hidden(game, seat, contract):
                    game.slot[position] = place
                    position += 1
    for contract in range(MAX_CONTRACTS):
        if is_hidden(game, seat, contract):
            game.place[contract] = PLACE_UNKNOWN
            game.known[contract] = 0
        elif in_other_hand(game, seat, contract):
            game.known[contract] &= bit(seat) if seat != NO_SEAT else 0  # who else knows of it is hidden, too
    game.deck_order[:] = NONE
    sort_bag(game)
    game.rng[:] = 0


@kernel
def sort_bag(game: np.record) -> None:
    """Put the trains in the bag in the order of their companies. NumPy's ``sort`` takes longer to compile."""
    for last in range(1, int(game.bag_size)):
        train = game.bag[last]
        place = last
        while place > 0 and game.bag[place - 1] > train:
            game.bag[place] = game.bag[place - 1]
            place -= 1
        game.bag[place] = train


@kernel
def fill_hidden(game: np.record, seed: int) -> None:
    """Place the unknown contracts of a blanked record uniformly at random (rule 11.4); new random streams.

    Each goes to one of the places where contracts of its generation are.
    """
    stream = game.rng[0]
    seed_stream(stream, seed, REDEAL_STREAM)
    position = 0
    for generation in range(count_generations(game)):
        unknown = 0
        for contract in range(MAX_CONTRACTS):
            if game.place[contract] == PLACE_UNKNOWN and game.generation[contract] == generation:
                game.deck_order[unknown] = contract
                unknown += 1
        shuffle(game.deck_order, unknown, stream)
        for index in range(unknown):
            game.place[game.deck_order[index]] = game.slot[position]
            position += 1
    game.slot[:] = NONE
    stack_deck(game, stream)
    shuffle(game.bag, int(game.bag_size), stream)
    for index in range(NUM_STREAMS):
        seed_stream(game.rng[index], seed, REDEAL_STREAM + 1 + index)


@kernel
def stack_deck(game: np.record, stream: np.ndarray) -> None:
    """Put the contracts of the deck in a random order."""
    game.deck_order[:] = NONE
    size = 0
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_DECK:
            game.deck_order[size] = contract
            size += 1
    shuffle(game.deck_order, size, stream)


@kernel
def blank_games(games: np.ndarray, seats: np.ndarray) -> None:
    """Blank every game for one seat each."""
    for index in range(games.shape[0]):
        blank_hidden(games[index], seats[index])


@kernel
def fill_games(games: np.ndarray, seeds: np.ndarray) -> None:
    """Redeal every blanked game by a seed each."""
    for index in range(games.shape[0]):
        fill_hidden(games[index], seeds[index])
