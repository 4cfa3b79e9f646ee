"""Rules 7, 10 and 13: payments, income and expenses, bankruptcy."""

from tests.verification.reference_steam.links import list_links, owner_of, set_owner
from tests.verification.reference_steam.state import LEAST_INCOME, NOBODY, Seat, Table

STEP = 5  # dollars
VP_OF_STEP = 2  # at the least income


# --- raising and paying (rule 7) ------------------------------------------------------------------
def steps_left(seat: Seat) -> int:
    """Rule 7.3: steps of $5 that the seat can still take."""
    return seat.income - LEAST_INCOME + seat.vp // VP_OF_STEP


def steps_for(seat: Seat, cost: int) -> int:
    """Rule 7.3: steps that a payment needs."""
    return max(0, -((seat.money - cost) // STEP))


def can_pay(seat: Seat, cost: int) -> bool:
    """Rule 7.4."""
    return steps_for(seat, cost) <= steps_left(seat)


def raise_money(seat: Seat) -> None:
    """One step (rule 7.2)."""
    if seat.income > LEAST_INCOME:
        seat.income -= 1
    else:
        assert seat.vp >= VP_OF_STEP, "rule 7.2: nothing is left to raise money with"
        seat.vp -= VP_OF_STEP
    seat.money += STEP


def pay(seat: Seat, cost: int) -> None:
    """Rule 7.1: cash first; while it does not suffice, $5 more."""
    while seat.money < cost:
        raise_money(seat)
    seat.money -= cost


# --- phase 4 (rule 10) ----------------------------------------------------------------------------
def settle_income(table: Table) -> None:
    """Rule 10.1, along the order track; whoever is bankrupt leaves it (rule 13.1)."""
    for number in list(table.order):
        seat = table.seats[number]
        if seat.income >= 0:
            seat.money += seat.income
            continue
        due = -seat.income  # fixed before anything is raised
        if can_pay(seat, due):
            pay(seat, due)
        elif table.rules.bankruptcy == "forgiven":
            pay_what_there_is(seat)
        else:
            go_bankrupt(table, number)


def pay_what_there_is(seat: Seat) -> None:
    """Rule 13.6: every step, all cash, and the rest is dropped."""
    while steps_left(seat):
        raise_money(seat)
    seat.money = 0


def go_bankrupt(table: Table, number: int) -> None:
    """Rule 13.1."""
    seat = table.seats[number]
    seat.money, seat.vp, seat.bankrupt = 0, 0, table.turn
    table.order.remove(number)
    for link in list_links(table):
        if owner_of(table.track, link) == number:
            set_owner(table, link, NOBODY)
