"""Rules 12 and 13: scores, winners, bankruptcy."""

from typing import Any

import pytest

from tests.rules_steam.boards import TINY, after_phase_4, example, links, place, play, position, words
from tests.rules_steam.engines import Engine
from tests.rules_steam.kernels import Kernels

FOUR_LINKS = ("0: Alder B4 Usk", "0: Usk Cedar", "0: Dale A5 Alder", "0: Birch G5 Elm", "0: Cedar D4 >NE")
BROKE: dict[str, Any] = {"income": {1: -10}, "vp": {1: 3}, "number": 5}  # seat 1 owes $10 and can raise $5


def finish(engine: type[Engine], *track: str, **entries: Any) -> dict[str, Any]:
    """The state at the end of the last turn; rich enough to pay all expenses."""
    return after_phase_4(engine, *track, **{"number": 10, "money": 50, **entries}).state()


# --- 12 -------------------------------------------------------------------------------------------
@example(106)
@pytest.mark.parametrize(("income", "score"), [(5, 18), (-3, 10), (0, 16), (10, 21), (1, 16)])
def test_12_1_score(engine: type[Engine], income: int, score: int) -> None:
    state = finish(engine, *FOUR_LINKS, vp={0: 12}, income={0: income})
    assert state["scores"] == [score, 0, 0]


@example(110)
def test_12_1_parallel_links_are_a_point_each(engine: type[Engine]) -> None:
    state = finish(engine, "0: Birch G5 Elm", "0: Birch F4 F6 Elm")
    assert (state["scores"], state["complete_links"]) == ([2, 0, 0], [2, 0, 0])


def test_12_1_it_may_be_negative_and_cash_scores_nothing(engine: type[Engine]) -> None:
    state = finish(engine, income={0: -10}, money=[500, 0, 0])
    assert state["scores"] == [-20, 0, 0]


def test_12_1_scores_as_they_stand(engine: type[Engine]) -> None:
    state = position(engine, *FOUR_LINKS, vp=[1, 2, 3]).state()
    assert (state["scores"], state["winners"], state["places"]) == ([5, 2, 3], None, None)


def test_12_2_the_highest_score_wins(engine: type[Engine]) -> None:
    state = finish(engine, vp=[3, 5, 4])
    assert (state["winners"], state["places"]) == ([1], [3, 1, 2])


@example(107)
def test_12_2_ties_by_income_then_by_the_lower_action_tile(engine: type[Engine]) -> None:
    assert finish(engine, vp=[16, 18, 0], income=[5, 0, 0], tile=[7, 4, 1])["winners"] == [0]
    assert finish(engine, vp=[16, 16, 0], income=[5, 5, 0], tile=[7, 4, 1])["places"] == [2, 1, 3]
    assert finish(engine, vp=[16, 16, 0], income=[5, 5, 0], tile=[4, 7, 1])["places"] == [1, 2, 3]


def test_12_3_one_winner_among_those_that_play_on(engine: type[Engine]) -> None:
    """Though a bankrupt seat's -21 were more."""
    state = finish(engine, bankrupt=[0, 2, 0], money=[200, 0, 200], income=[-10, 5, -9])
    assert state["scores"] == [-20, -21, -18]
    assert (state["winners"], state["places"]) == ([2], [2, 3, 1])


# --- 13 -------------------------------------------------------------------------------------------
@example(103)
def test_13_1_a_bankrupt_seat_loses_cash_vp_and_links(engine: type[Engine]) -> None:
    game = after_phase_4(engine, "1: Birch G5 Elm", "1: Cedar D4 >NE", "0: Alder B4 Usk", **BROKE)
    state = game.state()
    assert [state[name][1] for name in ("money", "vp", "income", "bankrupt", "level")] == [0, 0, -10, 5, 6]
    assert links(game) == {"-: Birch G5 Elm", "-: Cedar D4 >NE", "0: Alder B4 Usk"}
    assert state["complete_links"] == [1, 0, 0]


@example(131)
def test_13_1_it_leaves_the_order_track(engine: type[Engine]) -> None:
    """Where all are listed it is behind them."""
    game = after_phase_4(engine, order=[2, 1, 0], tile=[7, 1, 3], **BROKE)
    assert game.state()["order"] == [2, 0, 1]
    play(game, "take 1", "take 2")
    assert game.state()["phase"] == "BUILD"


def test_13_1_bankrupt_seats_are_listed_in_seat_order(engine: type[Engine]) -> None:
    game = after_phase_4(engine, seats=4, bankrupt=[3, 0, 0, 0], order=[2, 1, 3, 0], tile=[0, 7, 3, 1], **BROKE)
    assert game.state()["bankrupt"] == [3, 5, 0, 0]
    assert game.state()["order"] == [3, 2, 0, 1]


def test_13_1_the_income_stays_and_the_others_play_on(engine: type[Engine]) -> None:
    state = after_phase_4(engine, **BROKE).state()
    assert (state["done"], state["turn"], state["income"][1], state["tile"]) == (False, 6, -10, [0, 0, 0])


@example(104)
def test_13_2_its_complete_links_are_never_owned_again(engine: type[Engine]) -> None:
    """They can be used; and their hexes be improved."""
    entries: dict[str, Any] = {"bankrupt": [0, 2, 0], "number": 3}
    track = ("-: Alder B4 Usk", "0: Usk Cedar", "-: Cedar D4 >NE")
    game = place(position(engine, *track, **entries), "C5 N+SE+NW")
    assert links(game) == {"-: Alder B4 Usk", "0: Usk Cedar", "0: Usk >N", "-: Cedar D4 >NE"}
    goods = position(engine, *track, phase="goods", cubes="Alder Y", level=2, **entries)
    play(goods, "from Alder", "colour yellow", "hop Usk", "hop Cedar")
    assert goods.state()["chain"] == {"points": [1, 0, 0], "of": 0}


def test_13_2_the_record_keeps_nothing_of_its_links() -> None:
    """The same position, read from a scenario, is the same record: nothing is left that could support new track."""
    game = after_phase_4(Kernels, "1: Birch G5 Elm", **BROKE)
    again = Kernels.from_scenario(game.to_scenario(TINY))
    assert again.game.record.tobytes() == game.game.record.tobytes()


@example(104)
def test_13_2_its_incomplete_links_can_be_taken_up(engine: type[Engine]) -> None:
    entries: dict[str, Any] = {"bankrupt": [0, 2, 0], "number": 3, "seat": 2}
    game = place(position(engine, "-: Cedar D4 >NE", **entries), "E3 SW-NE")
    assert links(game) == {"2: Cedar D4 E3 >NE"}


def test_13_3_turns_and_tiles_are_those_of_the_starting_seats(engine: type[Engine]) -> None:
    game = after_phase_4(engine, seats=4, tile=[1, 2, 3, 4], supply="1 R", **BROKE)
    assert game.state()["turns"] == 8
    assert len(words(game, "take")) == 7 + 2


@example(105)
def test_13_4_the_game_ends_when_one_seat_is_left(engine: type[Engine]) -> None:
    """It wins whatever its score."""
    game = after_phase_4(engine, income=[-10, -10, -10], money=[0, 0, 10], bankrupt=[0, 0, 0], number=5)
    state = game.state()
    assert (state["done"], state["turn"], state["bankrupt"]) == (True, 5, [5, 5, 0])
    assert (state["winners"], state["scores"]) == ([2], [-21, -21, -20])


def test_13_4_two_that_are_left_play_on(engine: type[Engine]) -> None:
    assert not after_phase_4(engine, **BROKE).state()["done"]


@example(108)
def test_13_5_a_bankrupt_seat_is_behind_all_others(engine: type[Engine]) -> None:
    state = finish(engine, bankrupt=[0, 9, 0], income=[-10, 0, 0], money=[10, 0, 0], vp=[0, 0, 1])
    assert state["scores"] == [-20, -21, 1]
    assert state["places"] == [2, 3, 1]


@example(133)
def test_13_5_among_them_the_later_bankruptcy_is_higher(engine: type[Engine]) -> None:
    entries: dict[str, Any] = {"number": 5, "income": -10}
    four = after_phase_4(engine, seats=4, bankrupt=[0, 0, 3, 0], money=[0, 0, 0, 50], **entries).state()
    assert (four["places"], four["winners"]) == ([2, 2, 4, 1], [3])
    three = after_phase_4(engine, bankrupt=[0, 0, 3], money=0, **entries).state()
    assert (three["places"], three["winners"]) == ([1, 1, 3], [0, 1])


@example(132)
@pytest.mark.parametrize(
    ("money", "income", "vp", "after"),
    [(3, -10, 3, (0, -10, 1)), (0, -9, 1, (0, -10, 1)), (0, -10, 4, (0, -10, 0)), (0, -10, 0, (0, -10, 0))],
)
def test_13_6_bankruptcy_may_be_forgiven(
    engine: type[Engine], money: int, income: int, vp: int, after: tuple[int, int, int]
) -> None:
    rules = {"bankruptcy": "forgiven"}
    told = {"money": [money, 0, 0], "income": [income, 0, 0], "vp": [vp, 0, 0]}
    game = after_phase_4(engine, "0: Birch G5 Elm", rules=rules, number=2, **told)
    state = game.state()
    assert tuple(state[name][0] for name in told) == after
    assert (state["bankrupt"], links(game)) == ([0, 0, 0], {"0: Birch G5 Elm"})
    assert sorted(state["order"]) == [0, 1, 2]


def test_13_3_no_tile_is_returned_after_the_end(engine: type[Engine]) -> None:
    """There is no phase 6 then; bankrupt seats are behind the others all the same."""
    state = after_phase_4(engine, number=10, income={0: -10}, tile=[1, 6, 5]).state()
    assert (state["done"], state["bankrupt"], state["tile"], state["order"]) == (True, [10, 0, 0], [1, 6, 5], [1, 2, 0])


def test_13_3_a_tile_returned_in_phase_6_makes_no_place(engine: type[Engine]) -> None:
    """The bankrupt seat had the lowest number."""
    state = after_phase_4(engine, income={0: -10}, tile=[1, 6, 5]).state()
    assert (state["tile"], state["order"], state["mover"]) == ([0, 0, 0], [2, 1, 0], 2)
