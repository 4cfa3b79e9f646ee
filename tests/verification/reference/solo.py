"""Rule 9: the basic solo game."""

from collections import Counter

from tests.verification.reference.edition import SOLO_ROUNDS
from tests.verification.reference.state import NOBODY, Table

TRAINS_IN_BAG = 2  # of each company


def draw_train(table: Table) -> None:
    """Rule 9.2: the company of the next train acts once."""
    table.seat = table.bag.pop(0)
    table.actions_left = 1
    table.tell("train", table.seat)


def finish_round(table: Table) -> bool:
    """Rule 9.2: a contract is set aside; whether this was the last round."""
    if table.deck:
        number = table.deck.pop(0)
        table.set_aside.add(number)
        table.tell("aside", NOBODY, contract=number)
    return table.round >= SOLO_ROUNDS


def refill_bag(table: Table) -> None:
    """Chance says in which order the trains will be drawn."""
    count = TRAINS_IN_BAG * len(table.seats)
    table.bag = [table.next_outcome() for _ in range(count)]
    assert Counter(table.bag) == dict.fromkeys(table.seats, TRAINS_IN_BAG), "rule 9.1: not two of each"
    for company in table.bag:
        table.tell("bag", NOBODY, company=company)
