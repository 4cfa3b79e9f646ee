"""Rules 5, 8.1, 9.1 and 11.1: who comes after whom."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.state import NUM_TILES


@kernel
def count_active(game: np.record) -> int:
    """How many seats are not bankrupt: the first ones of the order track (rule 13.1)."""
    active = 0
    for seat in range(game.num_seats):
        active += 1 if game.bankrupt[seat] == 0 else 0
    return active


@kernel
def find_holder(game: np.record, tile: int) -> int:
    """The seat that has taken the action tile, or NONE."""
    for seat in range(game.num_seats):
        if game.tile[seat] == tile:
            return seat
    return NONE


@kernel
def seat_at(game: np.record, first_tile: int, place: int) -> int:
    """The seat at a place of a phase's sequence: the holder of a tile, then the others along the order track.

    ``first_tile``: First Build in phase 2 (rule 8.1), First Move in phase 3 (rule 9.1), 0 for the order track alone.
    """
    holder = NONE if first_tile == 0 else find_holder(game, first_tile)
    if holder != NONE and place == 0:
        return holder
    at = place if holder == NONE else place - 1
    for index in range(game.num_seats):
        seat = int(game.order[index])
        if seat == holder:
            continue
        if at == 0:
            return seat
        at -= 1
    return NONE


def find_first_places(records: np.ndarray, num_seats: int) -> np.ndarray:
    """(n, seats) int64, place on the order track, or in the auction's circle, of games just dealt: 0 = first."""
    seats = np.arange(num_seats)
    tracks = np.argmax(records["order"][:, None, :num_seats] == seats[:, None], axis=2)
    circles = (seats - records["opener"][:, None]) % num_seats
    return np.where(records["opener"][:, None] == NONE, tracks, circles).astype(np.int64)


@kernel
def put_bankrupt_behind(game: np.record) -> None:
    """Keep the order of the others; bankrupt seats stand behind them, in seat order (rule 13.1)."""
    placed = 0
    for index in range(game.num_seats):
        seat = game.order[index]
        if game.bankrupt[seat] == 0:
            game.order[placed] = seat
            placed += 1
    for seat in range(game.num_seats):
        if game.bankrupt[seat] != 0:
            game.order[placed] = seat
            placed += 1


@kernel
def order_by_tiles(game: np.record) -> None:
    """Make the new order track by the numbers of the action tiles, lowest first (rules 11.1, 13.1)."""
    placed = 0
    for tile in range(1, NUM_TILES + 1):
        seat = find_holder(game, tile)
        if seat != NONE and game.bankrupt[seat] == 0:
            game.order[placed] = seat
            placed += 1
