"""Rule 7: paying, and raising money for it."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.events import MONEY_RAISED, emit
from steam_env.core.steam.state import LOAN, LOAN_VP, MIN_INCOME


@kernel
def count_steps(game: np.record, seat: int) -> int:
    """How many times the seat can still raise $5 (rules 7.2, 7.3)."""
    return int(game.income[seat]) - MIN_INCOME + int(game.vp[seat]) // LOAN_VP


@kernel
def find_budget(game: np.record, seat: int) -> int:
    """Dollars that the seat can pay at most: what costs no more needs no more steps than there are (rules 7.3, 7.4)."""
    return int(game.money[seat]) + LOAN * count_steps(game, seat)


@kernel
def raise_money(game: np.record, work: np.record, seat: int, steps: int) -> None:
    """Raise $5 so many times: a step of income each, at the lowest income 2 VP (rule 7.2)."""
    from_income = min(steps, int(game.income[seat]) - MIN_INCOME)
    game.income[seat] -= from_income
    game.vp[seat] -= LOAN_VP * (steps - from_income)
    game.money[seat] += LOAN * steps
    emit(work, MONEY_RAISED, seat, steps, int(game.income[seat]), int(game.vp[seat]))


@kernel
def pay(game: np.record, work: np.record, seat: int, amount: int) -> None:
    """Pay a sum that the seat can pay: cash first, then $5 after $5; the change stays (rule 7.1)."""
    lacking = amount - int(game.money[seat])
    if lacking > 0:
        raise_money(game, work, seat, (lacking + LOAN - 1) // LOAN)
    game.money[seat] -= amount
