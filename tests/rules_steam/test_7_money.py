"""Rule 7: money."""

from typing import Any

import pytest

from tests.rules_steam.boards import after_phase_4, example, is_refused, links, place, play, position, seat, words
from tests.rules_steam.engines import Engine


def take(engine: type[Engine], action: str, **entries: Any) -> tuple[Any, ...]:
    """Money, income and VP of seat 0 after a payment."""
    game = play(position(engine, phase="take", supply="1 RP", **entries), action)
    return seat(game, 0, "money", "income", "vp")


@example(8)
@pytest.mark.parametrize(("money", "after"), [(6, (0, 0, 0)), (5, (4, -1, 0)), (0, (4, -2, 0)), (1, (0, -1, 0))])
def test_7_1_cash_first_then_steps_until_it_suffices(
    engine: type[Engine], money: int, after: tuple[int, int, int]
) -> None:
    assert take(engine, "take 7", money=money) == after


@example(66)
def test_7_1_the_change_stays_with_the_seat(engine: type[Engine]) -> None:
    game = place(position(engine, money=1), "F4 NE-SW")
    assert seat(game, 0, "money", "income") == (1, -1)


def test_7_1_nobody_raises_without_a_payment_due(engine: type[Engine]) -> None:
    """No action does: whoever is poor and pays nothing keeps income and VP."""
    game = play(position(engine, phase="take", money=0, vp=5), "take 1", "take 3", "take 2", *["pass"] * 9)
    assert [game.state()[name] for name in ("money", "income", "vp")] == [[0] * 3, [0] * 3, [5] * 3]


@example(5)
def test_7_2_at_the_least_income_a_step_costs_two_vp(engine: type[Engine]) -> None:
    assert take(engine, "take 7", money=1, income=-10, vp=5) == (0, -10, 3)


def test_7_2_vp_are_kept_while_income_can_fall(engine: type[Engine]) -> None:
    assert take(engine, "take 7", money=1, income=0, vp=5) == (0, -1, 5)
    assert take(engine, "take 7", money=1, income=-9, vp=5) == (0, -10, 5)


def bid_up(engine: type[Engine], until: int, **entries: Any) -> Engine:
    """An auction in which seats 0 and 1 outbid each other; seat 0 has bid the even sum ``until``."""
    rules = {"start": "auction", "first_player": 0}
    game = position(engine, phase=None, rules=rules, **entries)
    play(game, "bid", "bid", "pass", *["bid"] * (until - 1))
    assert game.state()["auction"]["bid"] == until
    return game


@example(7)
def test_7_2_income_first_then_vp(engine: type[Engine]) -> None:
    """$12, which only a place at auction may cost: three steps."""
    game = play(bid_up(engine, 12, money=[0, 50, 0], income=[-9, 0, 0], vp=[4, 0, 0]), "pass")
    assert seat(game, 0, "money", "income", "vp") == (3, -10, 0)


def test_7_2_with_one_vp_at_the_least_income_nothing_is_raised(engine: type[Engine]) -> None:
    game = position(engine, phase="take", supply="1 RP", money=1, income=-10, vp=1)
    assert is_refused(game, "take 5")
    assert take(engine, "take 5", money=1, income=-10, vp=2) == (4, -10, 0)


@pytest.mark.parametrize(
    ("money", "income", "vp", "fine"),
    [(0, -9, 0, False), (1, -9, 0, True), (0, -9, 1, False), (0, -9, 2, True), (0, -8, 0, True), (6, -10, 1, True)],
)
def test_7_3_steps_that_are_left_and_needed(engine: type[Engine], money: int, income: int, vp: int, fine: bool) -> None:
    """Urbanization costs $6."""
    game = position(engine, phase="take", money=money, income=income, vp=vp)
    assert ("take 7" in game.legal()) == fine


@example(6)
def test_7_4_what_needs_more_steps_than_there_are_is_illegal(engine: type[Engine]) -> None:
    """$1 and two steps: $10 can be bid and paid, $12 cannot."""
    game = bid_up(engine, 10, money=[1, 50, 0], income=[-10, 0, 0], vp=[5, 0, 0])
    game.apply("bid")
    assert game.legal() == ["pass"]
    assert is_refused(game, "bid")


def test_7_4_among_patterns_only_those_that_can_be_paid(engine: type[Engine]) -> None:
    game = position(engine, money=3, income=-10, vp=1)
    assert game.explain_placement("F4", "NE-SW") == "7.4"
    assert game.explain_placement("C5", "SE+NW") is None
    game.apply("build C5")
    assert words(game, "tile") == {"SE", "N+SE", "NE+SE", "SE+S", "SE+SW", "SE+NW"}


@example(65)
def test_7_4_a_seat_that_can_pay_nothing_is_not_asked(engine: type[Engine]) -> None:
    game = position(engine, money={0: 0}, income={0: -10}, vp={0: 1})
    assert (game.state()["phase"], game.state()["mover"]) == ("BUILD", 1)


def test_7_5_cash_is_worth_nothing_and_has_no_limit(engine: type[Engine]) -> None:
    game = after_phase_4(engine, money=[5000, 0, 0], income=[10, 0, 0], number=10)
    assert game.state()["money"] == [5010, 0, 0]
    assert game.state()["scores"] == [5, 0, 0]
    assert links(game) == set()
