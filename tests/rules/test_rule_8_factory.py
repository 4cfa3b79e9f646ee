"""Rule 8.14: where an Automa builds a factory."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import CORNERS, automa_game, card, columns, take_turn, told
from tests.rules.boards import Cells

LINK = "1: Ames A3 Boone"


def build(cells: Cells, *links: str, **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa cannot pay for the contract and uses it to build."""
    game = automa_game(cells, *links, **{"cards": [card("WWWWW", "factory")], **entries})
    return game, take_turn(game)


def chosen(turn: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return told(turn, "choose_city", "city", "why")


def test_rule_8_14__in_the_aen_before_an_opponents_network() -> None:
    """Dyson and Elgin, of a colour as little present, are apart from the AEN."""
    board = columns("A.B.C", "", "D.E")
    colors = {"Ames": "P", "Boone": "P", "Clinton": "W", "Dyson": "B", "Elgin": "B"}
    three: dict[str, Any] = {"seats": 3, "turn": {"seat": 1}, "corner": "bottom right"}
    links = ("2: Ames A3 Boone", "0: Boone A7 Clinton", "1: Dyson C3 Elgin")
    _, turn = build(board, *links, colors=colors, **three)
    assert told(turn, "choose_city", "city", "in_aen") == [("Clinton", 1)]
    _, turn = build(board, *links, colors={**colors, "Clinton": "P"}, **three)
    assert told(turn, "choose_city", "city", "in_aen") == [("Elgin", 0)]


def test_rule_8_14__never_in_a_city_that_nobody_links() -> None:
    game, turn = build(columns("A.B.C"), LINK, colors={"Ames": "P", "Boone": "P"})
    assert told(turn, "no_city", "why") == ["city"]
    assert game.city("Clinton")["owner"] is None


def test_rule_8_14__the_colour_least_present_in_the_aen() -> None:
    """One white against no black: Clinton at the far end, not Ames."""
    board = columns("A.B.C")
    colors = {"Ames": "W", "Boone": "W", "Clinton": "B"}
    _, turn = build(board, LINK, "0: Boone A7 Clinton", colors=colors, factories=["1: Boone 1"])
    assert told(turn, "present", "white", "black") == [(1, 0)]
    assert chosen(turn) == [("Clinton", "least_present")]


def test_rule_8_14__the_least_present_of_the_possible_colours_counts() -> None:
    """Gray and purple are absent but not to be had; of white and black black is less."""
    board = columns("A.B.C.D")
    colors = {"Ames": "W", "Boone": "B", "Clinton": "W", "Dyson": "B"}
    links = (LINK, "1: Boone A7 Clinton", "1: Clinton A11 Dyson")
    _, turn = build(board, *links, colors=colors, factories=["1: Ames 3", "1: Boone 2"])
    assert chosen(turn) == [("Dyson", "least_present")]


def test_rule_8_14__in_an_opponents_network_by_what_the_aen_has() -> None:
    board = columns("A.B", "", "C.D")
    colors = {"Ames": "W", "Boone": "W", "Clinton": "W", "Dyson": "B"}
    _, turn = build(board, LINK, "0: Clinton C3 Dyson", colors=colors, factories=["1: Ames 1", "1: Boone 1"])
    assert told(turn, "choose_city", "city", "present", "in_aen", "why") == [("Dyson", 0, 0, "least_present")]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_14__then_the_city_nearest_to_its_network(corner: str) -> None:
    """Clinton is four hexes away, Dyson eight."""
    board = columns("A.B.C.D", "", "E")
    colors = {"Ames": "P", "Boone": "P", "Clinton": "W", "Dyson": "B"}
    links = (LINK, "0: Boone A7 Clinton", "0: Clinton A11 Dyson")
    _, turn = build(board, *links, colors=colors, corner=corner)
    assert told(turn, "choose_city", "city", "distance", "why") == [("Clinton", 2, "nearest")]


def test_rule_8_14__distance_is_by_hexes_not_by_links() -> None:
    """Dyson is two links away but two hexes from Boone; Clinton is one link and three hexes away."""
    board: Cells = {(1, 1): "Ames", (1, 3): ".", (1, 5): "Boone", (1, 7): ".", (1, 9): ".", (1, 11): "Clinton"}
    board |= {(2, 10): ".", (2, 8): ".", (3, 7): "Dyson"}
    colors = {"Ames": "P", "Boone": "P", "Clinton": "W", "Dyson": "B"}
    links = (LINK, "0: Boone A7 A9 Clinton", "0: Clinton B10 B8 Dyson")
    _, turn = build(board, *links, colors=colors)
    assert told(turn, "choose_city", "city", "distance", "why") == [("Dyson", 2, "nearest")]


def test_rule_8_14__distance_counts_columns_and_rows_of_the_honeycomb() -> None:
    """Clinton: four columns over and two rows down, four hexes; Dyson: straight down ten rows, five hexes."""
    board: Cells = {(1, 1): "Ames", (1, 3): ".", (1, 5): "Boone"}
    board |= {(2, 6): ".", (3, 7): ".", (4, 8): ".", (5, 7): "Clinton"}
    board |= dict.fromkeys([(1, 7), (1, 9), (1, 11), (1, 13)], ".") | {(1, 15): "Dyson"}
    colors = {"Ames": "P", "Boone": "P", "Clinton": "W", "Dyson": "B"}
    links = (LINK, "0: Boone B6 C7 D8 Clinton", "0: Boone A7 A9 A11 A13 Dyson")
    _, turn = build(board, *links, colors=colors)
    assert told(turn, "choose_city", "city", "distance", "why") == [("Clinton", 4, "nearest")]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_14__then_first_by_marker(corner: str) -> None:
    _, turn = build(columns("A.B"), LINK, corner=corner)
    assert chosen(turn) == [("Ames" if corner.startswith("top") else "Boone", "marker")]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_14__without_a_network_all_are_equally_near(corner: str) -> None:
    board = columns("A.B", "", "C")
    _, turn = build(board, "0: Ames A3 Boone", corner=corner)
    assert told(turn, "choose_city", "distance", "in_aen") == [(0, 0)]
    assert chosen(turn) == [("Ames" if corner.startswith("top") else "Boone", "marker")]


@pytest.mark.parametrize(("seats", "resources"), [(2, 4), (3, 5), (5, 5)])
@pytest.mark.parametrize("bonus", [False, True])
def test_rule_8_14__four_resources_with_two_seats_else_five_never_varied(
    seats: int, resources: int, bonus: bool
) -> None:
    last = seats - 1
    cards = [card("W", bonus="factory") if bonus else card("WWWWW", "factory")]
    turn_of = {"seat": seats - 2, "actions_left": 1}
    _, turn = build(
        columns("A.B.C"),
        f"{last}: Ames A3 Boone",
        f"{last}: Boone A7 Clinton",
        seats=seats,
        cards=cards,
        turn=turn_of,
        colors={"Boone": "O", "Clinton": "P"},
        factories=[f"{last}: Ames 2"],
    )
    assert told(turn, "build", "city", "resources") == [("Boone", resources)]


def test_rule_8_14__the_general_rules_of_building_hold() -> None:
    """Purple, built and unlinked cities are never chosen, and a colour without stock is not either (rule 5)."""
    board = columns("A.B.C.D.E.F.G.H.I.J")
    cards = [card("BBBBB", "factory")]
    names = ("Ames", "Boone", "Clinton", "Dyson", "Elgin", "Fargo", "Galena", "Hibbing", "Ironton", "Joliet")
    links = [f"1: {names[i]} A{4 * i + 3} {names[i + 1]}" for i in range(9)]
    white = names[:8]
    colors = {**dict.fromkeys(white, "W"), "Ironton": "W", "Joliet": "B"}
    full = [f"1: {name} 4" for name in white[:7]] + ["1: Hibbing 1"]
    _, turn = build(board, *links, colors=colors, factories=[*full, "0: Joliet 0"], cards=cards)
    assert told(turn, "no_city", "why") == ["city"]
