"""The rulebook's own examples of the Mautoma, on maps of ours that have the situation which its text describes."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import automa_game, card, coins, columns, laid, path, take_turn, told
from tests.rules.boards import Cells, links, play


def payment(money: int) -> tuple[Game, list[dict[str, Any]]]:
    """Red, the Automa, links Ames, Boone and Clinton; Green has a link from Clinton to Dyson.

    Black: own factories in Ames (2 left) and Boone (3). Gray: Green's in Clinton, in the Automa's network. Orange:
    Green's in Dyson and Elgin, both a Green link away.
    """
    cells = {**columns("A.B.C.D"), (2, 10): ".", (3, 9): ".", (4, 8): "Elgin"}
    colors = {"Ames": "B", "Boone": "B", "Clinton": "G", "Dyson": "O", "Elgin": "O"}
    game = automa_game(
        cells,
        *("1: Ames A3 Boone", "1: Boone A7 Clinton", "0: Clinton A11 Dyson", "0: Clinton B10 C9 Elgin"),
        cards=[card("BGOO", money=3, vp=4, bonus="contracts")],
        colors=colors,
        factories=["1: Ames 2", "1: Boone 3", "0: Clinton 4", "0: Dyson 3", "0: Elgin 4"],
        money=[0, money],
    )
    return game, take_turn(game)


def test_rule_8_examples__fulfilling_a_contract() -> None:
    """$5 to Green in all; orange from the city with most, black from the own one with fewest; $3 and $5 in return."""
    game, turn = payment(money=5)
    assert told(turn, "source", "city") == ["Ames", "Clinton", "Elgin", "Dyson"]
    assert told(turn, "choose_source", "city", "cost", "why") == [
        *(("Ames", 0, "fewest_left"), ("Clinton", 1, "only"), ("Elgin", 2, "most_left"), ("Dyson", 2, "marker"))
    ]
    assert told(turn, "assess", "least_cost", "money") == [(5, 5)]
    assert game.money == [3 + 5, 3 + 5]
    assert told(turn, "compensation", "amount", "why") == [(5, "contracts")]
    assert game.fulfilled(1) == [0]


def test_rule_8_examples__fulfilling_a_contract_needs_the_five_dollars() -> None:
    game, _ = payment(money=4)
    assert game.fulfilled(1) == []


def test_rule_8_examples__lay_track_a() -> None:
    """The purple city on the right is three tiles away, the one on the left four: it is the right one, by stops."""
    cells: Cells = {(9, 1): "Ames", (9, 3): ".", (9, 5): "Boone"}
    cells |= {(8, 6): ".", (7, 7): ".", (6, 8): ".", (5, 9): ".", (4, 10): "Clinton", (1, 1): "~"}
    cells |= {(10, 6): ".", (11, 7): ".", (12, 8): ".", (13, 9): "Dyson"}
    cells |= {(12, 4): ".", (11, 5): "Elgin", (10, 4): "~"}
    colors = {"Clinton": "P", "Dyson": "P", "Elgin": "G"}
    for corner in ("top left", "top right"):
        game = automa_game(cells, "1: Ames I3 Boone", cards=[card("B")], colors=colors, corner=corner)
        turn = take_turn(game)
        assert told(turn, "target", "city", "candidates", "why") == [("Dyson", 2, "nearest")]
        assert told(turn, "path", "tiles", "stops", "why") == [(3, 1, "most_stops")]
        assert path(turn) == "Boone J6 Elgin K7 L8 Dyson"
        assert coins(game) == ["L8", "Dyson"]


# Ames, Elgin and Fargo are linked; below Ames a city can be reached by two hexes on the left or on the right.
PRESENT = ("1: Fargo D4 Elgin", "1: Elgin D8 Ames")
BELOW: Cells = {(4, 2): "Fargo", (4, 4): ".", (4, 6): "Elgin", (4, 8): ".", (4, 10): "Ames", (1, 1): "~"}
PRESENT_COLORS = {"Ames": "W", "Elgin": "O"}


def test_rule_8_examples__lay_track_b() -> None:
    """To the black city, marker at the top right: the track is laid so as to connect the gray city beside it too."""
    cells = {**BELOW, **dict.fromkeys([(3, 11), (3, 13), (5, 11), (5, 13)], ".")}
    cells |= {(4, 14): "Boone", (2, 12): "Clinton"}
    game = automa_game(
        cells,
        *PRESENT,
        cards=[card("WWWWW")],
        colors={**PRESENT_COLORS, "Fargo": "G", "Boone": "B", "Clinton": "G"},
        factories=["1: Ames 1", "1: Elgin 1", "1: Fargo 1"],
        corner="top right",
    )
    turn = take_turn(game)
    assert told(turn, "target", "rule", "city") == [("least_present", "Boone")]
    assert told(turn, "path", "tiles", "stops", "why") == [(2, 1, "most_stops")]
    assert links(game, 1)[2:] == ["1: Ames C11 Clinton", "1: Clinton C13 Boone"]


# Examples C and D: the Automa's coins lie on C9 to C15; Green has a city on either side.
CROSSED: Cells = {
    **{(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 17): "Clinton", (1, 1): "~"},
    **dict.fromkeys([(3, 7), (3, 9), (3, 11), (3, 13), (3, 15)], "."),
    **{(1, 11): "Dyson", (2, 12): ".", (4, 14): ".", (5, 15): "Elgin", (1, 13): ".", (1, 15): "Fargo"},
}


def crossed(*actions: str) -> Game:
    """Green starts at Dyson while the Automa's path of coins leads down column C."""
    game = automa_game(
        CROSSED,
        *("1: Ames C3 Boone", "1: Boone C7 > S", "0: Dyson A13 Fargo"),
        cards=[card("W")] * 2,
        coins="C9 C11 C13 C15 Clinton",
        colors={"Clinton": "P"},
        turn={"actions_left": 2},
        money=9,
    )
    play(game, ", ".join(actions))
    return game


def test_rule_8_examples__lay_track_c() -> None:
    """Green's track crosses the coin path at C13, but it can still be followed: it remains."""
    game = crossed("start Dyson SE", "head SE", "head SE")
    assert links(game, 0)[-1] == "0: Dyson B12 C13 > SE"
    assert coins(game) == ["C9", "C11", "C13", "C15", "Clinton"]
    assert links(game, 1)[-1] == "1: Boone C7 > S"


def test_rule_8_examples__lay_track_d() -> None:
    """Green turns north on C13, where the coins come from: the path is removed with the incomplete link."""
    game = crossed("start Dyson SE", "head SE", "head N")
    assert coins(game) == []
    assert links(game, 1) == ["1: Ames C3 Boone"]
    assert game.trains[1] == 20


@pytest.mark.parametrize(
    ("corner", "way"),
    [("top left", "C"), ("bottom left", "C"), ("top right", "E"), ("bottom right", "E")],
)
def test_rule_8_examples__lay_track_e(corner: str, way: str) -> None:
    """Gray is least present, so the closest gray city, Boone; of two equal ways left or right by the marker."""
    cells = {**BELOW, **dict.fromkeys([(3, 11), (3, 13), (3, 15), (5, 11), (5, 13), (5, 15)], ".")}
    cells |= {(4, 16): "Boone", (4, 18): ".", (4, 20): "Clinton"}
    game = automa_game(
        cells,
        *PRESENT,
        cards=[card("WWWWW")],
        colors={**PRESENT_COLORS, "Fargo": "B", "Boone": "G", "Clinton": "G"},
        factories=["1: Ames 1", "1: Elgin 1", "1: Fargo 1"],
        corner=corner,
    )
    turn = take_turn(game)
    assert told(turn, "present", "white", "black", "orange", "gray") == [(1, 1, 1, 0)]
    assert told(turn, "target", "rule", "city", "candidates", "why") == [("least_present", "Boone", 2, "nearest")]
    assert path(turn) == f"Ames {way}11 {way}13 {way}15 Boone"
    assert told(turn, "path", "why") == ["marker"]
    assert laid(turn) == [f"{way}11", f"{way}13"]


def factory_example(corner: str) -> list[dict[str, Any]]:
    """Gray and black are least present. Gray stands to the left and right of the network, black farther away."""
    cells: Cells = {(5, 1): "Ames", (5, 3): ".", (5, 5): "Boone", (4, 6): ".", (3, 7): "Clinton", (6, 6): "."}
    cells |= {(7, 7): "Dyson", (5, 7): ".", (5, 9): ".", (5, 11): "Elgin", (1, 1): "~"}
    colors = {"Ames": "W", "Boone": "O", "Clinton": "G", "Dyson": "G", "Elgin": "B"}
    foreign = ("0: Boone D6 Clinton", "0: Boone F6 Dyson", "0: Boone E7 E9 Elgin")
    game = automa_game(
        cells,
        *("1: Ames E3 Boone", *foreign),
        cards=[card("GGG", "factory")],
        colors=colors,
        factories=["1: Ames 1", "1: Boone 1"],
        corner=corner,
    )
    return take_turn(game)


@pytest.mark.parametrize(("corner", "city"), [("top left", "Clinton"), ("bottom right", "Dyson")])
def test_rule_8_examples__factory_building(corner: str, city: str) -> None:
    """Two gray and one black are possible; black is farther; of the gray ones the left or the right by the marker."""
    turn = factory_example(corner)
    assert told(turn, "present", "white", "black", "orange", "gray") == [(1, 0, 1, 0)]
    assert told(turn, "choose_city", "city", "present", "distance", "why") == [(city, 0, 2, "marker")]
    assert told(turn, "build", "city", "resources") == [(city, 4)]
