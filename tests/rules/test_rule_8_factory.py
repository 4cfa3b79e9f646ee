"""Rule 8.14: where an Automa builds a factory."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import CORNERS, act, card, chain, columns, told
from tests.rules.boards import Cells

LINK = "1: Ames A3 Boone"


def build(cells: Cells, *links: str, **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    return act(cells, *links, needs="WWWWW", icon="factory", **entries)


APART = columns("A.B.C", "", "D.E")
THREE: dict[str, Any] = {"seats": 3, "turn": {"seat": 1}}
FOREIGN = ("2: Ames A3 Boone", "0: Boone A7 Clinton", "1: Dyson C3 Elgin")  # of the Automa, and of others


@pytest.mark.parametrize(("color", "city", "in_aen"), [("W", "Clinton", 1), ("P", "Elgin", 0)])
def test_rule_8_14__in_the_aen_before_an_opponents_network(color: str, city: str, in_aen: int) -> None:
    """Dyson and Elgin, of a colour as little present, are apart from the AEN."""
    colors = f"Ames P, Boone P, Clinton {color}, Dyson B, Elgin B"
    _, turn = build(APART, *FOREIGN, colors=colors, corner="bottom right", **THREE)
    assert told(turn, "choose_city", "city", "in_aen") == [(city, in_aen)]


def test_rule_8_14__never_in_a_city_that_nobody_links() -> None:
    game, turn = build(columns("A.B.C"), LINK, colors="Ames P, Boone P")
    assert told(turn, "no_city", "why") == ["city"]
    assert game.city("Clinton")["owner"] is None


DOWN = (LINK, "1: Boone A7 Clinton", "1: Clinton A11 Dyson")


@pytest.mark.parametrize(
    ("cells", "links", "colors", "factories", "chosen"),
    [
        pytest.param(
            *(columns("A.B.C"), (LINK, "0: Boone A7 Clinton"), "Clinton B", "1: Boone 1", ("Clinton", 0, 1)),
            id="one white against no black, at the far end",
        ),
        pytest.param(
            *(columns("A.B.C.D"), DOWN, "Boone B, Dyson B", "1: Ames 3, 1: Boone 2", ("Dyson", 2, 1)),
            id="of the colours that can be had: gray is absent",
        ),
        pytest.param(
            *(columns("A.B", "", "C.D"), (LINK, "0: Clinton C3 Dyson"), "Dyson B", "1: Ames 1, 1: Boone 1"),
            ("Dyson", 0, 0),
            id="in an opponent's network by what the AEN has",
        ),
    ],
)
def test_rule_8_14__the_colour_least_present_in_the_aen(
    cells: Cells, links: tuple[str, ...], colors: str, factories: str, chosen: tuple[str, int, int]
) -> None:
    _, turn = build(cells, *links, colors=colors, factories=factories)
    assert told(turn, "choose_city", "city", "present", "in_aen", "why") == [(*chosen, "least_present")]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_14__then_the_city_nearest_to_its_network(corner: str) -> None:
    """Clinton is four hexes away, Dyson eight."""
    board = columns("A.B.C.D", "", "E")
    colors = {"Ames": "P", "Boone": "P", "Clinton": "W", "Dyson": "B"}
    links = (LINK, "0: Boone A7 Clinton", "0: Clinton A11 Dyson")
    _, turn = build(board, *links, colors=colors, corner=corner)
    assert told(turn, "choose_city", "city", "distance", "why") == [("Clinton", 2, "nearest")]


@pytest.mark.parametrize(
    ("cells", "foreign", "nearest"),
    [
        pytest.param(
            columns("A.B..C", "   ..", "   D"),
            ("0: Boone A7 A9 Clinton", "0: Clinton B10 B8 Dyson"),
            ("Dyson", 2),
            id="by hexes, not by links",
        ),
        pytest.param(
            columns("A.B....D", "  .", "   .", "   .", "   C"),
            ("0: Boone B6 C7 D8 Clinton", "0: Boone A7 A9 A11 A13 Dyson"),
            ("Clinton", 4),
            id="four columns over and two rows down are four, ten rows down five",
        ),
    ],
)
def test_rule_8_14__distance_counts_hexes_of_the_honeycomb(
    cells: Cells, foreign: tuple[str, str], nearest: tuple[str, int]
) -> None:
    _, turn = build(cells, LINK, *foreign, colors="Ames P, Boone P, Dyson B")
    assert told(turn, "choose_city", "city", "distance", "why") == [(*nearest, "nearest")]


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_14__then_first_by_marker(corner: str, owner: int) -> None:
    """Without a network of its own all are equally near."""
    _, turn = build(columns("A.B", "", "C"), f"{owner}: Ames A3 Boone", corner=corner)
    first = "Ames" if corner.startswith("top") else "Boone"
    assert told(turn, "choose_city", "city", "distance", "in_aen", "why") == [(first, 0, owner, "marker")]


@pytest.mark.parametrize(("seats", "resources"), [(2, 4), (3, 5), (5, 5)])
@pytest.mark.parametrize("bonus", [False, True])
def test_rule_8_14__four_resources_with_two_seats_else_five_never_varied(
    seats: int, resources: int, bonus: bool
) -> None:
    last = seats - 1
    cards = [card("W", bonus="factory") if bonus else card("WWWWW", "factory")]
    turn_of = {"seat": seats - 2, "actions_left": 1}
    options: dict[str, Any] = {"seats": seats, "cards": cards, "turn": turn_of, "factories": f"{last}: Ames 2"}
    track = (f"{last}: Ames A3 Boone", f"{last}: Boone A7 Clinton")
    _, turn = build(columns("A.B.C"), *track, colors="Boone O, Clinton P", **options)
    assert told(turn, "build", "city", "resources") == [("Boone", resources)]


def test_rule_8_14__the_general_rules_of_building_hold() -> None:
    """Built cities are never chosen, and a colour without stock, as white's 30 are here, is not either (rule 5)."""
    board, links = chain(9)
    names = [board[cell] for cell in sorted(board) if len(board[cell]) > 1]
    full = [f"1: {name} 4" for name in names[:7]] + [f"1: {names[7]} 1", "0: Joliet 0"]
    _, turn = build(board, *links, colors="Joliet B", factories=full, cards=[card("BBBBB", "factory")])
    assert told(turn, "no_city", "why") == ["city"]
