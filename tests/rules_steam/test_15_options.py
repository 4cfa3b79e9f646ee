"""Rules 15 and 16: options, the auction of the start, and room for the standard game."""

import random
from typing import Any

import pytest

from tests.rules_steam.boards import TINY, example, play, position, refused, words
from tests.rules_steam.engines import Engine
from tests.verification.reference_steam import Rules

AUCTION: dict[str, Any] = {"start": "auction", "first_player": 1}


def auction(engine: type[Engine], seats: int = 4, **entries: Any) -> Engine:
    return position(engine, phase=None, seats=seats, rules=dict(AUCTION), **entries)


def test_15_1_defaults(engine: type[Engine]) -> None:
    """Three seats, the box's tiles, ten turns, no auction."""
    state = engine.from_chance(Rules(), TINY, random.Random(1)).state()
    assert (len(state["money"]), state["stock"]["K1"], state["turns"], state["auction"]) == (3, 86, 10, None)
    assert sorted(state["money"]) == [0, 1, 2]


@pytest.mark.parametrize(
    "rules",
    [
        {"num_players": 2},
        {"num_players": 6},
        {"tiles": "none"},
        {"income_max": -1},
        {"income_max": "no"},
        {"start": "first"},
        {"turns": 0},
        {"turns": 11},
        {"bankruptcy": "no"},
        {"first_player": 3},
        {"first_player": -1},
        {"colour": "red"},
    ],
)
def test_15_1_what_is_no_option(engine: type[Engine], rules: dict[str, Any]) -> None:
    with refused():
        position(engine, rules=rules)


@example(134)
def test_15_2_an_auction_of_the_places(engine: type[Engine]) -> None:
    """Nobody has money: $2 are one step."""
    game = auction(engine)
    state = game.state()
    assert (state["phase"], state["mover"], state["money"]) == ("BID", 1, [0] * 4)
    movers = []
    for text in ("bid", "bid", "pass", "pass", "bid", "pass"):
        movers.append(game.state()["mover"])
        assert game.legal() == ["pass", "bid"]
        game.apply(text)
    assert movers == [1, 2, 3, 0, 1, 2]
    state = game.state()
    assert (state["money"], state["income"]) == ([0, 3, 0, 0], [0, -1, 0, 0])
    assert (state["auction"]["places"], state["mover"], state["auction"]["next_bid"]) == ([1], 2, 0)
    play(game, "pass", "pass")
    assert game.state()["auction"]["places"] == [1, 0]
    assert game.state()["mover"] == 2
    play(game, "bid", "pass")
    state = game.state()
    assert (state["phase"], state["mover"], state["order"]) == ("TAKE", 1, [1, 0, 2, 3])
    assert (state["money"], state["auction"]) == ([0, 3, 0, 0], None)


@example(135)
def test_15_2_who_cannot_pay_the_next_bid_can_only_pass(engine: type[Engine]) -> None:
    money, income = [50, 50, 2, 50], [0, 0, -10, 0]
    game = play(auction(engine, money=money, income=income), "bid", "bid", "bid", "pass", "pass")
    assert (game.state()["auction"]["bid"], game.state()["mover"]) == (2, 2)
    assert game.legal() == ["pass"]


def test_15_2_nothing_is_paid_before_a_place_is_taken(engine: type[Engine]) -> None:
    game = play(auction(engine, money=[9, 9, 9, 9]), "bid", "bid", "bid")
    assert game.state()["money"] == [9] * 4
    assert game.state()["auction"] == {
        **{"circle": [1, 2, 3, 0], "places": [], "bid": 2, "bidder": 3, "in": [1, 2, 3, 0]},
        **{"next": 0, "next_bid": 3},
    }
    play(game, "pass", "pass", "pass")
    assert game.state()["money"] == [9, 9, 9, 7]


def test_15_2_who_passes_is_out_for_this_place_alone(engine: type[Engine]) -> None:
    game = play(auction(engine), "pass", "bid", "pass", "pass")
    assert (game.state()["auction"]["places"], game.state()["mover"]) == ([2], 1)
    assert game.state()["auction"]["in"] == [1, 3, 0]


def test_15_2_any_seat_may_open(engine: type[Engine]) -> None:
    rules = Rules(start="auction")
    openers = {engine.from_chance(rules, TINY, random.Random(seed)).state()["mover"] for seed in range(30)}
    assert openers == {0, 1, 2}


def test_15_2_no_order_track_before_the_last_place(engine: type[Engine]) -> None:
    game = auction(engine, seats=3)
    assert game.state()["order"] == []
    play(game, "pass", "pass")
    assert game.state()["order"] == []
    assert play(game, "pass").state()["order"] == [0, 2, 1]


def test_16_6_reserved_actions_are_no_actions(engine: type[Engine]) -> None:
    game = position(engine)
    assert game.number_of("bid") == 656
    for number in (657, 658, 659):
        assert number not in game.legal_actions()
        with refused():
            game.apply(number)
    assert not words(game, "capital")
