"""The rulebook's own examples of the Mautoma, on maps of ours; C and D of track are in ``test_rule_8_blocked``."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import act, automa_game, card, coins, columns, laid, path, take_turn, told
from tests.rules.boards import Cells, links


@pytest.mark.parametrize("money", [5, 4])
def test_rule_8_examples__fulfilling_a_contract(money: int) -> None:
    """$5 to Green in all; orange from the city with most, black from the own one with fewest; $3 and $5 in return.

    Red, the Automa, links Ames, Boone and Clinton; Green has links from Clinton to Dyson and to Elgin. Black: own
    factories in Ames (2 left) and Boone (3). Gray: Green's in Clinton, in the Automa's network. Orange: Green's in
    Dyson and Elgin, a Green link away each. With $4 it cannot pay.
    """
    game = automa_game(
        columns("A.B.C.D", "    .", "    .", "   E"),
        *("1: Ames A3 Boone", "1: Boone A7 Clinton", "0: Clinton A11 Dyson", "0: Clinton B10 C9 Elgin"),
        cards=[card("BGOO", money=3, vp=4, bonus="contracts")],
        colors="Ames B, Boone B, Clinton G, Dyson O, Elgin O",
        factories="1: Ames 2, 1: Boone 3, 0: Clinton 4, 0: Dyson 3, 0: Elgin 4",
        money=[0, money],
    )
    turn = take_turn(game)
    assert told(turn, "assess", "least_cost", "money") == [(5, money)]
    assert game.fulfilled(1) == ([0] if money == 5 else [])
    if money == 5:
        assert told(turn, "choose_source", "city", "cost", "why") == [
            *(("Ames", 0, "fewest_left"), ("Clinton", 1, "only"), ("Elgin", 2, "most_left"), ("Dyson", 2, "marker"))
        ]
        assert told(turn, "compensation", "amount", "why") == [(5, "contracts")]
        assert game.money == [3 + 5, 3 + 5]


def test_rule_8_examples__lay_track_a() -> None:
    """The purple city on the right is three tiles away, the one on the left four: it is the right one, by stops."""
    cells = columns("~", "", "", "    C", "    .", "   .", "   .", "  .", "A.B", " ~.", "  E.", " . .", "    D")
    for corner in ("top left", "top right"):
        colors = "Clinton P, Dyson P, Elgin G"
        game = automa_game(cells, "1: Ames I3 Boone", cards=[card("B")], colors=colors, corner=corner)
        turn = take_turn(game)
        assert told(turn, "target", "city", "candidates", "why") == [("Dyson", 2, "nearest")]
        assert told(turn, "path", "tiles", "stops", "why") == [(3, 1, "most_stops")]
        assert path(turn) == "Boone J6 Elgin K7 L8 Dyson"
        assert coins(game) == ["L8", "Dyson"]


def below(board: Cells, corner: str, colors: str) -> tuple[Game, list[dict[str, Any]]]:
    """Ames, Elgin and Fargo are linked, with a resource each; hexes lead down from Ames on the left and the right."""
    return act(
        *(board, "1: Fargo D4 Elgin", "1: Elgin D8 Ames"),
        needs="WWWWW",
        colors=f"Elgin O, {colors}",
        factories="1: Ames 1, 1: Elgin 1, 1: Fargo 1",
        corner=corner,
    )


def test_rule_8_examples__lay_track_b() -> None:
    """To the black city, marker at the top right: the track is laid so as to connect the gray city beside it too."""
    board = columns("~", "     C", "     ..", "F.E.A B", "     ..")
    game, turn = below(board, "top right", "Fargo G, Boone B, Clinton G")
    assert told(turn, "target", "rule", "city") == [("least_present", "Boone")]
    assert told(turn, "path", "tiles", "stops", "why") == [(2, 1, "most_stops")]
    assert links(game, 1)[2:] == ["1: Ames C11 Clinton", "1: Clinton C13 Boone"]


@pytest.mark.parametrize(
    ("corner", "way"),
    [("top left", "C"), ("bottom left", "C"), ("top right", "E"), ("bottom right", "E")],
)
def test_rule_8_examples__lay_track_e(corner: str, way: str) -> None:
    """Gray is least present, so the closest gray city, Boone; of two equal ways left or right by the marker."""
    board = columns("~", "", "     ...", "F.E.A  B.C", "     ...")
    _, turn = below(board, corner, "Fargo B, Boone G, Clinton G")
    assert told(turn, "present", "white", "black", "orange", "gray") == [(1, 1, 1, 0)]
    assert told(turn, "target", "rule", "city", "candidates", "why") == [("least_present", "Boone", 2, "nearest")]
    assert path(turn) == f"Ames {way}11 {way}13 {way}15 Boone"
    assert told(turn, "path", "why") == ["marker"]
    assert laid(turn) == [f"{way}11", f"{way}13"]


@pytest.mark.parametrize(("corner", "city"), [("top left", "Clinton"), ("bottom right", "Dyson")])
def test_rule_8_examples__factory_building(corner: str, city: str) -> None:
    """Two gray and one black are possible; black is farther; of the gray ones the left or the right by the marker."""
    board = columns("~", "", "   C", "  .", "A.B..E", "  .", "   D")
    track = ("1: Ames E3 Boone", "0: Boone D6 Clinton", "0: Boone F6 Dyson", "0: Boone E7 E9 Elgin")
    colors = "Boone O, Clinton G, Dyson G, Elgin B"
    _, turn = act(
        board, *track, needs="GGG", colors=colors, factories="1: Ames 1, 1: Boone 1", corner=corner, icon="factory"
    )
    assert told(turn, "present", "white", "black", "orange", "gray") == [(1, 0, 1, 0)]
    assert told(turn, "choose_city", "city", "present", "distance", "why") == [(city, 0, 2, "marker")]
    assert told(turn, "build", "city", "resources") == [(city, 4)]
