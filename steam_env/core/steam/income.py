"""Rules 10 and 13: income and expenses, and bankruptcy."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.events import DEBT_PAID, INCOME_COLLECTED, SEAT_BANKRUPT, emit
from steam_env.core.steam.money import count_steps, find_budget, pay, raise_money
from steam_env.core.steam.order import put_bankrupt_behind
from steam_env.core.steam.state import NOBODY


@kernel
def pay_incomes(game: np.record, work: np.record) -> None:
    """Do phase 4, along the order track (rule 10.1); who cannot pay is bankrupt (rule 10.3)."""
    order = game.order.copy()
    for index in range(game.num_seats):
        seat = int(order[index])
        if game.bankrupt[seat] == 0:
            settle_income(game, work, seat)
    put_bankrupt_behind(game)


@kernel
def settle_income(game: np.record, work: np.record, seat: int) -> None:
    """Collect income, or pay what is due before anything is raised (rule 10.1)."""
    income = int(game.income[seat])
    if income > 0:
        game.money[seat] += income
        emit(work, INCOME_COLLECTED, seat, income)
    elif income < 0:
        due = -income
        if due <= find_budget(game, seat):
            pay(game, work, seat, due)
            emit(work, DEBT_PAID, seat, due, due)
        elif game.forgiving:
            pay_what_is_there(game, work, seat, due)
        else:
            go_bankrupt(game, work, seat)


@kernel
def pay_what_is_there(game: np.record, work: np.record, seat: int, due: int) -> None:
    """Take every step that is left and pay all cash; the rest is dropped (rule 13.6)."""
    steps = count_steps(game, seat)
    if steps > 0:
        raise_money(game, work, seat, steps)
    emit(work, DEBT_PAID, seat, due, int(game.money[seat]))
    game.money[seat] = 0


@kernel
def go_bankrupt(game: np.record, work: np.record, seat: int) -> None:
    """Take a seat out of the game; its action tile goes back with the others (rules 13.1 to 13.3)."""
    game.bankrupt[seat] = game.round_number
    game.money[seat] = 0
    game.vp[seat] = 0
    game.served[seat] = 0
    for link in range(game.num_links):
        if game.link_owner[link] == seat:
            game.link_owner[link] = NOBODY
    emit(work, SEAT_BANKRUPT, seat)
