"""Rules that say what is not there, and edge cases: 2, 3, 7, 9, 10, 12 and 14."""

from typing import Any

import pytest

from steam_env.core.steam.money import count_steps, find_budget
from steam_env.core.steam.state import ENGINEER
from steam_env.core.steam.tiles import CENTRE, NUM_EXITS, PATTERNS, name_pattern
from steam_env.steam import Game
from tests.rules_steam.games import NETWORK, explain_rule, play, position, same_links


def test_rule_2_1__a_segment_joins_two_edges_or_an_edge_and_the_town() -> None:
    for segments in PATTERNS:
        ends = [end for segment in segments for end in segment if end != CENTRE]
        assert len(set(ends)) == len(ends)
        assert all(first != second for first, second in segments)


def test_rule_2_4__exits_are_the_edges_that_a_pattern_uses() -> None:
    for pattern, exits in enumerate(NUM_EXITS):
        assert exits == len(name_pattern(pattern).replace("+", "-").split("-"))


def test_rule_2_6__markers_are_unlimited() -> None:
    game = position(NETWORK, money=[900_000, 0, 0])
    assert game.money[0] == 900_000


def test_rule_3_3__a_link_has_one_owner_or_none() -> None:
    game = play(position("0: Alder B4 >SE; 0: Usk Cedar"), "build C5", "tile SE+NW")
    assert [link["owner"] for link in game.links()] == [0, 0]
    assert same_links(game, "0: Alder B4 Usk; 0: Usk Cedar")


def test_rule_3_6__complete_links_are_not_touched_by_an_improvement() -> None:
    game = position("1: Alder B4 Usk; 0: Dale B6 >N")
    assert same_links(play(game, "build B4", "tile N-S+SE-NW"), "1: Alder B4 Usk; 0: Dale B6 B4 >N")


@pytest.mark.parametrize(
    ("income", "vp", "cash", "steps", "budget"), [(-10, 1, 4, 0, 4), (-9, 4, 0, 3, 15), (3, 5, 2, 15, 77)]
)
def test_rule_7_3__steps_that_are_left(income: int, vp: int, cash: int, steps: int, budget: int) -> None:
    record = position(income=[income, 0, 0], vp=[vp, 0, 0], money=[cash, 9, 9]).record
    assert (count_steps(record, 0), find_budget(record, 0)) == (steps, budget)


def test_rule_7_5__cash_has_no_value_at_the_end() -> None:
    assert position(money=[50, 0, 0]).scores()[0]["total"] == 0


def test_rule_9_5__a_cube_may_leave_a_city_of_its_own_colour() -> None:
    game = position(
        "0: Alder B4 Usk; 0: Usk Cedar; 0: Cedar E5 F4 Birch", phase="goods", level=[3] * 3, cubes={"Alder": "R"}
    )
    play(game, "from Alder", "colour red", "hop Usk")
    assert explain_rule(game, "hop Alder") == "9.4"
    assert play(game, "hop Cedar", "hop Birch").state()["chain"]["points"] == [3, 0, 0]


def test_rule_10_2__the_locomotive_costs_nothing() -> None:
    game = position(phase="goods", level=[6] * 3, turn={"round": 2}, money=[7, 8, 9])
    assert (game.round, game.money) == (2, [7, 8, 9])


def test_rule_12_3__there_is_one_winner_unless_all_are_bankrupt() -> None:
    game = position(phase="goods", level=[6] * 3, turn={"number": 10, "round": 2}, tile=[4, 5, 2])
    assert game.winners() == [2]  # equal scores and income: the lowest action tile
    broke: dict[str, Any] = {"income": [-10] * 3, "money": [0] * 3}
    ruined = position(phase="goods", level=[6] * 3, turn={"number": 10, "round": 2}, **broke)
    assert ruined.winners() == [0, 1, 2]


def test_rule_14_2__turn_order_is_its_number_alone() -> None:
    game = position(phase="take")
    play(game, "take 2", "take 3", "take 1")
    assert game.state()["tile"] == [2, ENGINEER, 1]
    assert game.seat == 0


def test_rule_14_3__a_tile_just_laid_may_be_improved_and_is_paid_again() -> None:
    game = play(position(), "build G5", "tile N-SW", "build G5", "tile N-SW+S-NW")
    assert game.money[0] == 99 - 2 - 4
    assert same_links(game, "0: Birch G5 >SW; 0: Elm G5 >NW")


def test_rule_14_5__terrain_is_paid_once() -> None:
    first = play(position(), "build F4", "tile NE-SW")
    assert first.money[0] == 99 - 5
    assert play(first, "build F4", "tile NE-S").money[0] == 99 - 5 - 2


def test_rule_14_7__a_network_need_not_hang_together() -> None:
    game = play(position("0: Alder B4 Usk"), "build G5", "tile N-S")
    assert same_links(game, "0: Alder B4 Usk; 0: Birch G5 Elm")


def test_rule_14_8__what_leaves_a_stop_is_another_link() -> None:
    game = play(position("0: Alder B4 Usk"), "build C5", "tile NW+NE")
    assert same_links(game, "0: Alder B4 Usk; 0: Usk >NE")


def test_rule_16__ids_for_the_standard_game_are_never_legal() -> None:
    game = position()
    assert explain_rule(game, "reserved 0") == "16"


def test_explain__says_why_a_loose_town_spur_cannot_be_turned() -> None:
    game: Game = play(position("0: Alder B4 Usk; 0: Usk >N"), "build C5")
    assert "cannot be redirected" in str(game.explain("tile NE+NW"))
