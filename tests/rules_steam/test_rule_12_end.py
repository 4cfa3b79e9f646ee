"""Rules 10 to 15: income, the order, the end, bankruptcy, options."""

from typing import Any

import pytest

from steam_env.steam import Game, Rules
from tests.rules_steam.games import FIVE_SEATS, describe, explain_rule, play, position, same_links

LAST = {"number": 10, "round": 2}


def pay(turn: dict[str, Any] | None = None, links: str = "", **options: Any) -> Game:
    """After the last goods round of a turn, in which nobody can do anything, income is paid."""
    table = {"level": [6] * options.get("seats", 3), **options}
    return position(links, phase="goods", turn={"round": 2, **(turn or {})}, **table)


# --- 10 income ------------------------------------------------------------------------------------------


def test_rule_10_1__income_is_collected_or_paid() -> None:
    """Example 100; rule 10.2: the level of 6 costs nothing."""
    assert pay(income=[4, 0, -3], money=[0, 7, 5]).money == [4, 7, 2]


def test_rule_10_1__the_sum_is_fixed_before_money_is_raised() -> None:
    """Example 101."""
    game = pay(income=[-3, 0, 0], money=[1, 0, 0])
    assert (game.money[0], game.income[0]) == (3, -4)


def test_rule_10_3__at_the_lowest_income_victory_points_pay() -> None:
    """Example 102."""
    game = pay(income=[-10, 0, 0], money=[0, 0, 0], vp=[4, 0, 0])
    assert (game.money[0], game.vp[0], game.state()["bankrupt"]) == (0, 0, [0, 0, 0])


BROKE: dict[str, Any] = {"income": [-10, 0, 0], "money": [0, 9, 9], "vp": [3, 0, 0]}


def test_rule_10_3__who_cannot_pay_is_bankrupt() -> None:
    """Example 103, with rule 13.1."""
    game = pay(links="0: Alder B4 Usk; 1: Usk Cedar", **BROKE)
    state = game.state()
    assert (state["bankrupt"], state["vp"][0], state["money"][0], state["income"][0]) == ([1, 0, 0], 0, 0, -10)
    assert same_links(game, "-: Alder B4 Usk; 1: Usk Cedar")


# --- 11 the order, 12 the end -----------------------------------------------------------------------------


def test_rule_11_1__the_new_order_is_that_of_the_tiles() -> None:
    game = pay(tile=[4, 7, 2])
    assert game.order == [2, 0, 1]
    assert (game.round, game.phase, game.seat) == (2, "take", 2)


def test_rule_11_2__all_tiles_go_back() -> None:
    state = pay(tile=[4, 7, 2]).state()
    assert state["tile"] == [0, 0, 0]
    assert state["passed"] == [False] * 3


@pytest.mark.parametrize(("seats", "last"), [(3, 10), (4, 8), (5, 7)])
def test_rule_11_2__the_last_turn_ends_the_game(seats: int, last: int) -> None:
    """Example 109."""
    game = pay({"number": last}, seats=seats, map=FIVE_SEATS)
    assert game.done
    assert game.state()["phase"] == "END"
    assert game.order == list(range(seats))  # there is no phase 5
    assert not pay({"number": last - 1}, seats=seats, map=FIVE_SEATS).done


FOUR = "0: Alder B4 Usk; 0: Usk Cedar; 0: Birch G5 Elm; 0: Alder A5 Dale; 0: Cedar D4 >NE"


@pytest.mark.parametrize(("income", "total"), [(5, 18), (-3, 10), (0, 16)])
def test_rule_12_1__the_score(income: int, total: int) -> None:
    """Example 106."""
    game = position(FOUR, vp=[12, 0, 0], income=[income, 0, 0])
    assert list(game.scores()[0].values()) == [total, 12, total - 16, 4, 0]


def test_rule_12_1__parallel_links_are_a_point_each() -> None:
    """Example 110, with rule 3.5."""
    assert position("0: Birch G5 Elm; 0: Birch F4 F6 Elm").scores()[0]["total"] == 2


def test_rule_12_2__ties_go_by_income_then_by_the_action_tile() -> None:
    """Example 107."""
    by_income = pay(LAST, vp=[16, 18, 0], income=[4, 0, 0], money=[0, 0, 0])
    assert [score["total"] for score in by_income.scores()] == [18, 18, 0]
    assert by_income.winners() == [0]
    by_tile = pay(LAST, vp=[16, 16, 0], income=[4, 4, 0], tile=[6, 3, 1])
    assert by_tile.winners() == [1]
    assert by_tile.state()["places"] == [2, 1, 3]


# --- 13 bankruptcy ------------------------------------------------------------------------------------------


def test_rule_13_1__a_bankrupt_seat_leaves_the_order_track() -> None:
    """Example 131."""
    game = pay({"order": [2, 1, 0], "seat": 2}, income=[0, -10, 0], money=[9, 0, 9], seat=2)
    assert game.order == [2, 0, 1]


def test_rule_13_2__its_links_can_be_used_and_never_owned() -> None:
    """Example 104."""
    game = pay(links="0: Alder B4 Usk; 0: Birch G5 >SW", **BROKE)
    assert same_links(game, "-: Alder B4 Usk; -: Birch G5 >SW")
    play(game, "take 4", "take 1")
    assert game.seat == 1
    assert "build G5" in game.legal_text()
    play(game, "build F6", "tile NE-SE")
    assert same_links(game, "-: Alder B4 Usk; 1: Birch G5 F6 Elm")


def test_rule_13_3__its_tile_counts_as_returned() -> None:
    game = pay(**BROKE)
    assert "take 1" in game.legal_text()
    assert game.state()["turns"] == 10


def test_rule_13_4__the_game_ends_when_one_seat_is_left() -> None:
    """Example 105."""
    game = pay({"number": 5}, income=[-10, -10, 0], money=[0, 0, 0])
    assert game.done
    assert game.winners() == [2]


def test_rule_13_5__a_bankrupt_seat_is_behind_all_others() -> None:
    """Example 108."""
    game = pay(LAST, income=[-10, -10, 0], money=[10, 0, 0])
    assert [score["total"] for score in game.scores()] == [-20, -21, 0]
    assert game.state()["places"] == [2, 3, 1]


def test_rule_13_5__of_bankrupt_seats_the_later_is_ahead() -> None:
    """Example 133."""
    options: dict[str, Any] = {
        "seats": 4,
        "bankrupt": [0, 0, 3, 0],
        "tile": [1, 5, 0, 7],
        "passed": [False, True, False, True],
    }
    turn = {"number": 5, "order": [0, 1, 3, 2]}
    game = pay(turn, income=[-10, -10, 0, 0], money=[0, 0, 0, 0], **options)
    assert game.done
    assert game.state()["places"] == [2, 2, 4, 1]
    three: dict[str, Any] = {"bankrupt": [0, 0, 3], "tile": [1, 5, 0]}
    shared = pay({"number": 5}, income=[-10, -10, 0], money=[0, 0, 0], **three)
    assert shared.winners() == [0, 1]


def test_rule_13_6__the_rest_may_be_forgiven() -> None:
    """Example 132."""
    rules = {"bankruptcy": "forgiven"}
    first = pay(rules=rules, income=[-10, 0, 0], money=[3, 0, 0], vp=[3, 0, 0])
    assert (first.vp[0], first.money[0], first.state()["bankrupt"][0]) == (1, 0, 0)
    second = pay(rules=rules, income=[-9, 0, 0], money=[0, 0, 0], vp=[1, 0, 0])
    assert (second.income[0], second.vp[0], second.money[0]) == (-10, 1, 0)


# --- 15 options -----------------------------------------------------------------------------------------------


def auction(seats: int = 4, **options: Any) -> Game:
    scenario = describe(seats=seats)
    rules = {"num_players": seats, "start": "auction", "first_player": 1, **options}
    return Game.from_scenario({"game": "steam", "map": scenario["map"], "rules": rules}, 0)


def test_rule_15_2__the_auction_of_places() -> None:
    """Example 134."""
    game = auction()
    assert game.state()["auction"]["circle"] == [1, 2, 3, 0]
    assert game.order == []
    play(game, "bid", "bid", "pass", "pass", "bid", "pass")
    assert (game.money[1], game.income[1]) == (3, -1)
    assert game.state()["auction"]["places"] == [1]
    play(game, "pass", "pass")
    assert game.state()["auction"]["places"] == [1, 0]
    assert game.seat == 2
    play(game, "bid", "pass")
    assert (game.phase, game.order, game.money) == ("take", [1, 0, 2, 3], [0, 3, 0, 0])


def test_rule_15_2__a_bid_must_be_payable() -> None:
    """Example 135."""
    game = auction()
    game.records["income"], game.records["money"] = -10, 2
    for _ in range(3):
        game.step("bid")  # 0, 1, 2
    assert game.legal_text() == ["pass"]
    assert explain_rule(game, "bid") == "15.2"


WRONG_RULES = {
    "num_players=2: 3 to 5 are allowed": {"num_players": 2},
    "tiles='many': allowed are 'box', 'unlimited'": {"tiles": "many"},
    "income_max=-1: a whole number from 0, or 'none' is allowed": {"income_max": -1},
    "first_player=3: 0 to 2 are allowed, or 'random'": {"first_player": 3},
    "towns_twice=1: True or False is allowed": {"towns_twice": 1},
    "turns=11: 1 to 10 are allowed": {"turns": 11},
    "bankruptcy='never': allowed are 'out', 'forgiven'": {"bankruptcy": "never"},
}


@pytest.mark.parametrize("message", WRONG_RULES)
def test_rule_15_1__options_say_what_is_allowed(message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**WRONG_RULES[message])


# --- a whole turn ---------------------------------------------------------------------------------------------

WHOLE_TURN = """
take 4|take 7|take 2
build B4|tile SE-NW|build C5|tile SE+NW|pass
urbanize Toll|colour blue|space 1|build D4|tile N-S|pass
build G5|tile N-S|pass
from Elm|colour red|hop Birch|income|locomotive|from Cedar|colour blue|hop Toll|income
locomotive|from Alder|colour yellow|hop Usk|hop Cedar|income|locomotive
"""


def test_examples__one_whole_turn() -> None:
    game = position(
        phase="take",
        money=[0, 1, 2],
        cubes={"Alder": "RY", "Dale": "G", "Cedar": "RB", "Birch": "YP", "Elm": "RB"},
    )
    for action in WHOLE_TURN.strip().replace("\n", "|").split("|"):
        game.step(action)
        if action == "colour blue" and game.phase == "build":
            assert explain_rule(game, "pass") == "8.14"
    assert (game.round, game.order) == (2, [2, 0, 1])
    assert (game.money, game.income, game.level) == ([4, 2, 1], [0, -1, 1], [2, 2, 2])
    assert game.state()["cubes"]["Toll"] == "RP"
    assert same_links(game, "0: Alder B4 Usk; 0: Usk Cedar; 1: Toll D4 Cedar; 2: Birch G5 Elm")
