"""Rule 15.2: the auction of the places on the first order track."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.events import BID_RAISED, BID_WITHDRAWN, PLACE_TAKEN, emit
from steam_env.core.steam.money import find_budget, pay
from steam_env.core.steam.reasons import BID_TOO_HIGH, OK
from steam_env.core.steam.state import BID


@kernel
def next_bid(game: np.record) -> int:
    """The next bid: $0 first, then one more than the highest."""
    return 0 if game.bid == NONE else int(game.bid) + 1


@kernel
def bid_problem(game: np.record, work: np.record, seat: int) -> int:
    """Why the seat may not bid, ``OK`` if it may: a bid must be payable."""
    work.cost = next_bid(game)
    return OK if work.cost <= find_budget(game, seat) else BID_TOO_HIGH


@kernel
def has_place(game: np.record, seat: int) -> bool:
    """Whether the seat has a place on the order track already."""
    for place in range(game.places_taken):
        if game.order[place] == seat:
            return True
    return False


@kernel
def open_auction(game: np.record, opener: int) -> None:
    """Begin the auction: nobody has money or a place."""
    game.order[:] = NONE
    game.opener = opener
    game.places_taken = 0
    game.phase = BID
    open_place(game)


@kernel
def open_place(game: np.record) -> None:
    """Put up the next place: all seats without one bid, in circle order from the opener on."""
    game.bid = NONE
    game.bidder = NONE
    for seat in range(game.num_seats):
        game.bidding[seat] = 0 if has_place(game, seat) else 1
    last = (int(game.opener) + int(game.num_seats) - 1) % int(game.num_seats)
    game.seat = find_next_bidder(game, last)


@kernel
def find_next_bidder(game: np.record, seat: int) -> int:
    """The next seat after this one, clockwise, that is in the bidding."""
    for steps in range(1, game.num_seats + 1):
        other = (seat + steps) % int(game.num_seats)
        if game.bidding[other]:
            return other
    return NONE


@kernel
def count_bidding(game: np.record) -> int:
    """How many seats are in the bidding for the place."""
    count = 0
    for seat in range(game.num_seats):
        count += int(game.bidding[seat])
    return count


@kernel
def raise_bid(game: np.record, work: np.record, seat: int) -> None:
    """Bid one dollar more than the highest bid, and ask the next seat."""
    game.bid = next_bid(game)
    game.bidder = seat
    emit(work, BID_RAISED, seat, int(game.bid))
    game.seat = find_next_bidder(game, seat)


@kernel
def withdraw(game: np.record, work: np.record, seat: int) -> bool:
    """Pass for this place; the last seat in the bidding takes it. True when all places are taken."""
    game.bidding[seat] = 0
    emit(work, BID_WITHDRAWN, seat)
    game.seat = find_next_bidder(game, seat)
    if count_bidding(game) > 1:
        return False
    take_place(game, work, int(game.seat))
    if game.places_taken < game.num_seats - 1:
        open_place(game)
        return False
    for last in range(game.num_seats):
        if not has_place(game, last):
            game.bid = NONE
            take_place(game, work, last)
            break
    close_auction(game)
    return True


@kernel
def take_place(game: np.record, work: np.record, seat: int) -> None:
    """Give the seat the next place: it pays its bid, nothing if it has not bid."""
    price = 0 if game.bid == NONE else int(game.bid)
    emit(work, PLACE_TAKEN, seat, int(game.places_taken) + 1, price)
    pay(game, work, seat, price)
    game.order[game.places_taken] = seat
    game.places_taken += 1


@kernel
def close_auction(game: np.record) -> None:
    """Forget the auction."""
    game.opener = NONE
    game.bid = NONE
    game.bidder = NONE
    game.places_taken = 0
    game.bidding[:] = 0
