"""Rule 11: what a seat sees, and redeals of what it does not."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.jit import kernel
from steam_env.core.rng import seed_stream, shuffle
from steam_env.core.state import (
    MAX_CONTRACTS,
    MAX_SEATS,
    NONE,
    NUM_STREAMS,
    PLACE_DECK,
    PLACE_HAND,
    PLACE_UNKNOWN,
)

REDEAL_STREAM = NUM_STREAMS  # a stream of its own, used for the redeal alone
NO_SEAT = NONE  # a spectator, who sees no hand


@kernel
def is_hidden(game: np.record, seat: int, contract: int) -> bool:
    """Whether the seat does not know where the contract is (rules 11.2, 11.3)."""
    if contract == game.contract:
        return False  # being fulfilled: it lies open on the table
    place = game.place[contract]
    if place in (PLACE_DECK, PLACE_UNKNOWN):
        return True
    in_a_hand = PLACE_HAND <= place < PLACE_HAND + MAX_SEATS
    if not in_a_hand or place == PLACE_HAND + seat:
        return False
    return seat == NO_SEAT or not has(game.known[contract], seat)


@kernel
def blank_hidden(game: np.record, seat: int) -> None:
    """Blank all that the seat cannot see: places of unknown contracts, the deck's order, random streams."""
    for contract in range(MAX_CONTRACTS):
        if is_hidden(game, seat, contract):
            game.place[contract] = PLACE_UNKNOWN
            game.known[contract] = 0
    game.deck_order[:] = NONE
    game.rng[:] = 0


@kernel
def count_shown(game: np.record, seat: int) -> int:
    """Contracts of the seat's hand that the record shows."""
    shown = 0
    for contract in range(MAX_CONTRACTS):
        shown += 1 if game.place[contract] == PLACE_HAND + seat else 0
    return shown


@kernel
def fill_hidden(game: np.record, seed: int) -> None:
    """Place the unknown contracts of a blanked record uniformly at random (rule 11.4); new random streams."""
    unknown = 0
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_UNKNOWN:
            game.deck_order[unknown] = contract
            unknown += 1
    stream = game.rng[0]
    seed_stream(stream, seed, REDEAL_STREAM)
    shuffle(game.deck_order, unknown, stream)
    for seat in range(game.num_seats):
        for _ in range(game.hand_size[seat] - count_shown(game, seat)):
            unknown -= 1
            game.place[game.deck_order[unknown]] = PLACE_HAND + seat
            game.deck_order[unknown] = NONE
    for depth in range(unknown):
        game.place[game.deck_order[depth]] = PLACE_DECK
    for index in range(NUM_STREAMS):
        seed_stream(game.rng[index], seed, index)


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
