"""Rules 5, 6 and 7: the phases, action tiles and money."""

import pytest

from steam_env.steam import Game
from tests.rules_steam.games import end_turn, explain_rule, play, position

NO_CUBES = [""] * 12


def test_rule_5__six_phases_one_after_the_other() -> None:
    game = position(phase="take")
    seen = []
    while game.round == 1:
        if game.phase not in seen:
            seen.append(game.phase)
        game.step("pass" if "pass" in game.legal_text() else game.legal_text()[0])
    assert seen == ["take", "build", "goods"]
    assert game.order == [0, 1, 2]  # phase 5, by the tiles 1, 2, 3


def test_rule_6_1__a_tile_is_taken_once_and_nobody_goes_without() -> None:
    game = play(position(phase="take"), "take 3")
    assert explain_rule(game, "take 3") == "6.1"
    assert explain_rule(game, "pass") == "5"
    assert game.seat == 1


def test_rule_6_1__the_locomotive_costs_4_and_the_new_level() -> None:
    """Example 4."""
    game = position(phase="take", level=[4, 1, 1], money=[3, 0, 0], income=[2, 0, 0])
    play(game, "take 6")
    assert (game.money[0], game.income[0], game.level[0]) == (4, 0, 5)


def test_rule_6_1__the_order_of_phases_2_and_3() -> None:
    """Example 14."""
    game = position(phase="take", cubes={})
    play(game, "take 1", "take 4", "take 2")
    track = [game.seat, play(game, "pass").seat, play(game, "pass").seat]
    play(game, "pass")
    rounds = [game.seat, play(game, "pass").seat, play(game, "pass").seat, play(game, "pass").seat]
    assert (track, rounds) == ([1, 0, 2], [2, 0, 1, 2])


def test_rule_6_1__without_first_build_the_order_track_holds() -> None:
    game = play(position(phase="take"), "take 1", "take 4", "take 3")
    play(game, "pass", "pass", "pass")
    assert (game.phase, game.seat) == ("goods", 0)


def test_rule_6_2__pass_is_chosen_when_the_tile_is_taken() -> None:
    game = play(position(phase="take"), "take 5 pass", "take 7 pass", "take 1")
    assert game.money == [99, 99, 99]
    assert game.state()["passed"] == [True, True, False]
    assert not any(text.startswith(("grow", "urbanize")) for text in game.legal_text())
    with pytest.raises(ValueError, match=r"only 'take 5 pass' and 'take 7 pass' have a third word \(rule 6.2\)"):
        game.parse("take 6 pass")


def test_rule_6_2__a_passed_number_counts_for_the_order() -> None:
    """Example 9, with rule 11.1."""
    game = position(phase="take")
    play(game, "take 5 pass", "take 6", "take 2")
    assert end_turn(game).order == [2, 0, 1]


def test_rule_6_3__city_growth_needs_something_to_do() -> None:
    """Example 10."""
    game = position(phase="take", supply=NO_CUBES)
    assert explain_rule(game, "take 5") == "6.3"
    assert game.explain("take 5 pass") is None
    grown = position(phase="take", grown=["Alder", "Dale", "Cedar", "Birch", "Elm"])
    assert explain_rule(grown, "take 5") == "6.3"


def test_rule_6_4__urbanization_needs_a_town_and_a_tile() -> None:
    """Example 11."""
    both = [{"stop": "Usk", "color": "gray"}, {"stop": "Toll", "color": "red"}]
    game = position(phase="take", new_cities=both)
    assert explain_rule(game, "take 7") == explain_rule(game, "take 7 pass") == "6.4"
    assert position(phase="take", supply=NO_CUBES).explain("take 7") is None


def test_rule_6_4__a_town_with_track_is_still_a_town() -> None:
    assert position("0: Usk Cedar", phase="take").explain("take 7") is None


def test_rule_6_5__the_locomotive_at_level_6_costs_nothing() -> None:
    """Example 12."""
    game = position(phase="take", level=[6, 1, 1], money=[0, 0, 0], income=[-10, 0, 0])
    play(game, "take 6")
    assert (game.level[0], game.money[0], game.income[0]) == (6, 0, -10)


def test_rule_6_5__below_level_6_it_must_be_paid() -> None:
    """Example 13."""
    game = position(phase="take", money=[0, 0, 0], income=[-10, 0, 0], vp=[3, 0, 0])
    assert explain_rule(game, "take 6") == "7.4"


def test_rule_6_6__a_legal_choice_always_exists() -> None:
    game = position(phase="take", seats=4, money=[0] * 4, income=[-10] * 4)
    play(game, "take 1", "take 2", "take 3")
    assert game.legal_text() == ["take 4", "take 5 pass", "take 7 pass"]


# --- 7 money -----------------------------------------------------------------------------------------------


def takes(**seat: int) -> Game:
    """Seat 0 takes a tile with this money, income, level and so on."""
    others = {"level": 1}
    return position(phase="take", **{name: [value, *[others.get(name, 0)] * 2] for name, value in seat.items()})


@pytest.mark.parametrize(
    ("seat", "after"),
    [
        ({"money": 1, "income": -10, "vp": 5}, (0, -10, 3)),  # example 5
        ({"money": 6}, (0, 0, 0)),  # example 8
        ({"money": 5}, (4, -1, 0)),  # example 8
    ],
)
def test_rule_7_2__raising_money_for_6_dollars(seat: dict[str, int], after: tuple[int, int, int]) -> None:
    game = play(takes(**seat), "take 7")
    assert (game.money[0], game.income[0], game.vp[0]) == after


def test_rule_7_2__income_first_then_victory_points() -> None:
    """Example 7, with $10 for a level of 6: two steps, and then $3 more would be a third."""
    game = play(takes(money=0, income=-9, vp=4, level=5), "take 6")
    assert (game.money[0], game.income[0], game.vp[0]) == (0, -10, 2)


def test_rule_7_4__what_needs_too_many_steps_is_illegal() -> None:
    """Example 6: $10 need 2 steps, and 3 VP give one."""
    game = takes(money=1, income=-10, vp=3, level=5)
    assert explain_rule(game, "take 6") == "7.4"
    assert "costs $10; player_0 has $1 and can raise $5" in str(game.explain("take 6"))


def test_rule_7_1__nobody_raises_money_without_need() -> None:
    game = play(position(phase="take", money=[6, 0, 0]), "take 7")
    assert not any(event.kind == "raise" for event in game.events)
