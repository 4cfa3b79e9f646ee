"""Rule 15.2: the auction of the places on the first order track."""

from tests.verification.reference_steam.money import can_pay, pay
from tests.verification.reference_steam.state import BID, Auction, Table


def begin(table: Table, opener: int) -> None:
    """The circle is the seats clockwise from the one that opens."""
    count = len(table.seats)
    circle = [(opener + step) % count for step in range(count)]
    table.auction = Auction(circle, [], list(circle))
    table.phase, table.mover = BID, opener


def can_bid(table: Table, number: int) -> bool:
    """The next bid must be payable (rule 7.4)."""
    assert table.auction is not None
    return can_pay(table.seats[number], table.auction.next_bid)


def bid(table: Table) -> None:
    auction, number = table.auction, table.mover
    assert auction is not None
    assert number is not None
    auction.bid, auction.bidder = auction.next_bid, number
    table.mover = next_bidder(auction, number)


def drop_out(table: Table) -> bool:
    """A pass; whether it has ended the auction."""
    auction, number = table.auction, table.mover
    assert auction is not None
    assert number is not None
    table.mover = next_bidder(auction, number)
    auction.bidding.remove(number)
    if len(auction.bidding) > 1:
        return False
    return take_place(table, auction)


def next_bidder(auction: Auction, number: int) -> int:
    place = auction.bidding.index(number)
    return auction.bidding[(place + 1) % len(auction.bidding)]


def take_place(table: Table, auction: Auction) -> bool:
    """The seat that is left takes the place; whether this was the last one that is auctioned."""
    winner = auction.bidding[0]
    pay(table.seats[winner], auction.bid or 0)  # not having bid, it takes the place for $0
    auction.places.append(winner)
    waiting = [number for number in auction.circle if number not in auction.places]
    if len(waiting) == 1:
        table.order = [*auction.places, *waiting]
        table.auction = None
        return True
    auction.bidding, auction.bid, auction.bidder = waiting, None, None
    table.mover = waiting[0]
    return False
