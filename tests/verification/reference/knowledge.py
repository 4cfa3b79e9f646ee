"""Rule 11.2: what a seat knows of other hands."""

from tests.verification.reference.state import Table


def forget(table: Table, number: int) -> None:
    """The contract is on the table for all to see."""
    for known in table.known:
        known.discard(number)


def note_taking(table: Table, taker: int, number: int, loser: int) -> None:
    """The contract has moved between two hands: only those two know which, and what was known of the rest is stale.

    For all but the taker the contract that left could be any that they knew in the loser's hand.
    """
    for seat, known in enumerate(table.known):
        if seat != taker:
            known -= table.hands[loser] | {number}
    table.known[taker].discard(number)
    table.known[loser].add(number)
