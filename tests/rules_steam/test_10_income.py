"""Rules 10 and 11: income, expenses, the next order."""

from typing import Any

import pytest

from tests.rules_steam.boards import after_phase_4, example, play, position, refused, seat
from tests.rules_steam.engines import Engine


def settle(engine: type[Engine], **entries: Any) -> tuple[Any, ...]:
    """Money, income and VP of seat 0 after phase 4, and the turn of its bankruptcy."""
    told = {name: {0: value} for name, value in entries.items()}
    game = after_phase_4(engine, **{"money": {0: 0}, **told, "number": 2})
    assert (game.state()["turn"], game.state()["phase"]) == (3, "TAKE")
    return seat(game, 0, "money", "income", "vp", "bankrupt")


@example(100)
@pytest.mark.parametrize(("money", "income", "after"), [(1, 4, 5), (3, 0, 3), (5, -3, 2), (0, 10, 10), (10, -10, 0)])
def test_10_1_income_is_got_and_expenses_are_paid(engine: type[Engine], money: int, income: int, after: int) -> None:
    assert settle(engine, money=money, income=income) == (after, income, 0, 0)


@example(101)
def test_10_1_the_sum_due_is_fixed_before_anything_is_raised(engine: type[Engine]) -> None:
    assert settle(engine, money=1, income=-3) == (3, -4, 0, 0)


def test_10_1_along_the_order_track(engine: type[Engine]) -> None:
    """Each seat by itself: who is first makes no difference."""
    for order in ([0, 1, 2], [2, 1, 0]):
        game = after_phase_4(engine, order=order, income=[3, -2, 0], money=[0, 5, 1], number=2)
        assert game.state()["money"] == [3, 3, 1]


def test_10_2_the_locomotive_costs_nothing(engine: type[Engine]) -> None:
    """All are at level 6 here."""
    assert settle(engine, money=7) == (7, 0, 0, 0)


@example(102, 103)
@pytest.mark.parametrize(
    ("entries", "after"),
    [
        ({"income": -10, "vp": 4}, (0, -10, 0, 0)),
        ({"income": -10, "vp": 5}, (0, -10, 1, 0)),
        ({"income": -10, "vp": 3}, (0, -10, 0, 2)),
        ({"income": -10, "vp": 1, "money": 9}, (0, -10, 0, 2)),
        ({"income": -9}, (0, -9, 0, 2)),
        ({"income": -9, "money": 4}, (0, -10, 0, 0)),
        ({"income": -8}, (2, -10, 0, 0)),
    ],
)
def test_10_3_who_cannot_raise_enough_is_bankrupt(
    engine: type[Engine], entries: dict[str, int], after: tuple[int, ...]
) -> None:
    """It is checked first: nothing is raised in part."""
    assert settle(engine, **entries) == after


def test_11_1_the_next_order_is_by_action_tiles(engine: type[Engine]) -> None:
    """Passed ones count."""
    game = after_phase_4(engine, tile=[7, 5, 6])
    assert game.state()["order"] == [1, 2, 0]
    assert game.state()["mover"] == 1


def test_11_2_all_action_tiles_go_back(engine: type[Engine]) -> None:
    state = after_phase_4(engine, improved=[True, False, True], level=[2, 6, 2]).state()
    assert (state["turn"], state["phase"]) == (2, "TAKE")
    assert [state[name] for name in ("tile", "passed", "improved", "to_do")] == [[0] * 3, *[[False] * 3] * 3]
    assert (state["round"], state["placements"]) == (0, 0)


@example(109)
@pytest.mark.parametrize(("seats", "last"), [(3, 10), (4, 8)])
def test_11_2_after_phase_4_of_the_last_turn_the_game_ends(engine: type[Engine], seats: int, last: int) -> None:
    """Without a new order."""
    assert not after_phase_4(engine, seats=seats, number=last - 1).state()["done"]
    state = after_phase_4(engine, seats=seats, number=last, income={0: 3}).state()
    assert (state["done"], state["phase"], state["mover"], state["turn"]) == (True, "END", None, last)
    assert state["money"][0] == 3
    assert state["order"] == list(range(seats))
    assert state["tile"] == [1, 6, 5, 7][:seats]


def test_11_2_nothing_is_legal_after_the_end(engine: type[Engine]) -> None:
    game = after_phase_4(engine, number=10)
    assert game.legal() == []
    with refused():
        play(game, "pass")


def test_11_2_a_game_of_one_turn(engine: type[Engine]) -> None:
    assert after_phase_4(engine, rules={"turns": 1}).state()["done"]
    assert not position(engine, rules={"turns": 1}).state()["done"]
