"""Rules 8.9 to 8.12: how an Automa lays track: coin paths, targets, paths, its first track."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import (
    CORNERS,
    automa_game,
    card,
    chain,
    coins,
    columns,
    laid,
    path,
    targets,
    told,
    white_at,
)
from tests.rules.automa_boards import act as lay
from tests.rules.boards import Cells, cell_of, links, play

LINK = "1: Ames A3 Boone"
PURPLE = {"Boone": "P", "Clinton": "P", "Dyson": "P", "Elgin": "P"}


# --- 8.9 ----------------------------------------------------------------------------------------------
def test_rule_8_9__with_a_coin_path_the_next_tiles_of_it_are_laid() -> None:
    """Whatever the contract's colours: white would head for Ames."""
    board = columns("A......B", "", "C")
    game, turn = lay(board, "1: Boone A13 > N", needs="WWW", coins="A11 A9 A7 A5 A3 Ames", colors={"Clinton": "P"})
    assert laid(turn) == ["A11", "A9"]
    assert targets(turn) == []
    assert coins(game) == ["A7", "A5", "A3", "Ames"]
    assert links(game, 1) == ["1: Boone A13 A11 A9 > N"]


def test_rule_8_9__a_coin_path_not_yet_begun_starts_from_its_city() -> None:
    game, turn = lay(columns("A.B...C"), LINK, coins="Boone A7 A9 A11 Clinton", needs="GG")
    assert laid(turn) == ["A7", "A9"]
    assert game.trains[1] == 19
    assert coins(game) == ["A11", "Clinton"]


def test_rule_8_9__without_one_it_chooses_a_target_and_puts_coins_on_the_rest() -> None:
    game, turn = lay(columns("A.B....C"), LINK, colors=PURPLE)
    assert targets(turn) == ["Clinton"]
    assert path(turn) == "Boone A7 A9 A11 A13 Clinton"
    assert laid(turn) == ["A7", "A9"]
    assert told(turn, "coins", "tiles") == [3, 2]
    assert coins(game) == ["A11", "A13", "Clinton"]
    assert game.trains[1] == 19


def test_rule_8_9__it_pays_as_anyone() -> None:
    """Hills $2, mountains $4."""
    game, turn = lay(columns("A.Bhm.C"), LINK, colors=PURPLE, money=[0, 7])
    assert told(turn, "place", "hex", "cost") == [("A7", 2), ("A9", 4)]
    assert game.money[1] == 1


def test_rule_8_9__a_path_is_chosen_without_looking_at_money_and_no_other_is_tried_if_it_cannot_be_paid() -> None:
    """The short way leads over a mountain; neither the free one over B6 nor orange's target, Dyson, is tried."""
    board = {**columns("A.BmC"), (2, 6): ".", (2, 8): ".", (2, 2): ".", (3, 3): "Dyson"}
    game, turn = lay(board, LINK, needs="BO", colors={"Clinton": "P"}, money=[0, 3])
    assert told(turn, "path", "tiles", "cost") == [(1, 4)]
    assert told(turn, "not_laid", "hex", "cost", "why") == [("A7", 4, "money")]
    assert (targets(turn), laid(turn), coins(game), links(game, 1)) == (["Clinton"], [], [], [LINK])
    assert game.trains[1] == 20
    assert told(turn, "build", "city") == ["Ames"]  # rule 8.8 goes on


def test_rule_8_9__an_old_path_whose_tile_cannot_be_paid_keeps_its_coins() -> None:
    """It does not try another way either: it never removes or replaces on its own (rule 8.13)."""
    game, turn = lay(columns("A.B.m.C"), LINK, "1: Boone A7 > S", coins="A9 A11 Clinton", money=[0, 3])
    assert told(turn, "not_laid", "hex") == ["A9"]
    assert coins(game) == ["A9", "A11", "Clinton"]
    assert targets(turn) == told(turn, "remove", "hex") == told(turn, "replace", "hex") == []
    assert links(game, 1) == [LINK, "1: Boone A7 > S"]


# Boone in the middle; one tile leads to Clinton (purple), one to Dyson (gray, unconnected).
STAR = {**columns("A.B.C"), (2, 6): ".", (3, 7): "Dyson"}
STAR_COLORS = {"Clinton": "P", "Dyson": "G"}


@pytest.mark.parametrize(
    ("needs", "colors", "chosen", "nothing"),
    [
        pytest.param("BO", STAR_COLORS, ["black Clinton", "orange Dyson"], [], id="by the next colour"),
        pytest.param("GBO", STAR_COLORS, ["black Clinton", "orange Dyson"], ["gray"], id="after the one that gave one"),
        pytest.param("BBO", STAR_COLORS, ["black Clinton", "orange Dyson"], [], id="a double does not hide the next"),
        pytest.param("BB", PURPLE, ["black Clinton"], [], id="each colour counts once"),
        pytest.param("BBB", PURPLE, ["black Clinton"], [], id="each colour counts once, of three"),
        pytest.param("OBOB", {}, ["orange Clinton"], ["black"], id="one that comes again is not asked again"),
        pytest.param("B", PURPLE, ["black Clinton"], [], id="with none left no second tile"),
    ],
)
def test_rule_8_9__a_second_target_by_the_next_of_the_contracts_colours(
    needs: str, colors: dict[str, str], chosen: list[str], nothing: list[str]
) -> None:
    game, turn = lay(STAR, LINK, needs=needs, colors=colors)
    assert [f"{color} {city}" for color, city in told(turn, "target", "color", "city")] == chosen
    assert told(turn, "no_target", "color") == nothing
    assert told(turn, "no_track", "why") == (["target" if nothing else "colors"] if len(chosen) < 2 else [])
    assert laid(turn) == ["A7", "B6"][: len(chosen)]
    assert coins(game) == []
    assert told(turn, "money", "amount") == []  # one tile is enough (rule 8.8)


def test_rule_8_9__after_the_end_of_an_older_coin_path_the_contracts_first_colour() -> None:
    """The first tile reaches Clinton; black, the first colour, then gives Dyson."""
    colors = {"Clinton": "W", "Dyson": "P"}
    _, turn = lay(STAR, LINK, needs="BO", coins="Boone A7 Clinton", colors=colors)
    assert laid(turn) == ["A7", "B6"]
    assert told(turn, "target", "color", "city") == [("black", "Dyson")]


def test_rule_8_9__a_stop_on_the_way_does_not_end_the_path() -> None:
    game, turn = lay(columns("A.B.C..D"), LINK, colors={"Dyson": "P"})
    assert targets(turn) == ["Dyson"]
    assert laid(turn) == ["A7", "A11"]
    assert coins(game) == ["A13", "Dyson"]
    assert links(game, 1) == [LINK, "1: Boone A7 Clinton", "1: Clinton A11 > S"]


# --- 8.10 ---------------------------------------------------------------------------------------------
SIDE: Cells = {(2, 2): ".", (3, 3): "Fargo"}  # one tile from Ames
LOW: Cells = {(2, 6): ".", (3, 7): "Galena"}  # one tile from Boone
BELOW: Cells = {(2, 6): ".", (2, 8): ".", (3, 9): "Dyson"}  # two tiles from Boone
GROUP: Cells = {(2, 10): "Elgin", (3, 11): ".", (4, 12): "Fargo"}  # Elgin beside Clinton
AEN = (columns("A.B.C") | SIDE | LOW, "0: Boone A7 Clinton", "WWWWW", "Ames B, Boone O, Galena G")
NEAR = "Ames B, Boone O, Clinton G, Dyson G, Fargo B"
# By what is shown: the board, links beside the Automa's, the contract, colours, factories; the target, and of how many.
TARGETS = {
    "white: of the least present colour, not the nearest": (
        *(columns("A.B.C.D.E") | SIDE, "1: Boone A7 Clinton", "WWWWW", NEAR),
        *("1: Ames 2, 0: Boone 3, 0: Clinton 4", "least_present Elgin", 1),
    ),
    "white: foreign cities of the AEN count": (*AEN, "1: Ames 4, 1: Boone 4, 0: Clinton 3", "least_present Galena", 1),
    "white: tied colours all count": (*AEN, "1: Ames 4, 1: Boone 4, 0: Clinton 0", "least_present Fargo", 2),
    "white: no purple city": (columns("A.B.C.D"), "", "W", "Clinton P, Dyson G", "", "least_present Dyson", 1),
    "white: any colour if none is there": (columns("A.B.C.D"), "", "W", "Clinton O", "", "least_present Clinton", 2),
    "white: an opponent's city": (columns("A.B.C.D"), "0: Clinton A11 Dyson", "W", "", "", "least_present Clinton", 2),
    "white: not where a factory is, though flipped": (
        *(columns("A.B.C.E") | BELOW, "0: Clinton A11 Elgin", "W", "", "0: Clinton 0", "least_present Dyson", 2),
    ),
    "black: a purple city": (columns("A.B.C.D"), "", "B", "Boone P, Dyson P", "", "purple Dyson", 1),
    "orange: a city of a group without links": (
        *(columns("A.B.C.D") | GROUP, "0: Elgin C11 Fargo", "O", "", "", "unconnected Dyson", 1),
    ),
    "orange: incomplete links do not count": (
        *(columns("A.B.C..D"), "0: Clinton A11 > S", "O", "", "", "unconnected Clinton", 2),
    ),
    "gray: a city of an opponent": (columns("A.B.C..D.E"), "0: Dyson A17 Elgin", "G", "", "", "opponent Dyson", 2),
}


@pytest.mark.parametrize("row", TARGETS.values(), ids=TARGETS)
def test_rule_8_10__each_colour_has_its_rule(row: tuple[Any, ...]) -> None:
    board, foreign, needs, colors, factories, target, candidates = row
    _, turn = lay(board, LINK, foreign, needs=needs, colors=colors, factories=factories)
    assert told(turn, "target", "rule", "city", "candidates") == [(*target.split(), candidates)]


def test_rule_8_10__gray_another_automa_is_an_opponent() -> None:
    board = columns("A.B.C..D.E")
    _, turn = lay(board, LINK, "2: Dyson A17 Elgin", needs="G", seats=3, automas=2)
    assert targets([event for event in turn if event["actor"] == 1]) == ["Dyson"]


def test_rule_8_10__the_first_colour_in_printed_order_that_yields_a_city() -> None:
    board = columns("A.B.C.D")
    colors = {"Dyson": "P"}
    assert targets(lay(board, LINK, needs="OB", colors=colors)[1])[0] == "Clinton"
    assert targets(lay(board, LINK, needs="BO", colors=colors)[1]) == ["Dyson"]
    _, turn = lay(board, LINK, needs="GBO", colors=colors)
    assert told(turn, "no_target", "color", "candidates") == [("gray", 0)]
    assert told(turn, "target", "color", "city") == [("black", "Dyson")]


@pytest.mark.parametrize("needs", ["W", "B", "O", "G"])
def test_rule_8_10__always_outside_its_own_network(needs: str) -> None:
    """Of the two cities one is purple, one white, and both are in an opponent's network too."""
    board = {**columns("A.B"), (2, 2): ".", (2, 4): "."}
    foreign = "0: Ames B2 B4 Boone"
    _, turn = lay(board, LINK, foreign, needs=needs, colors={"Boone": "P"})
    assert targets(turn) == []
    assert told(turn, "no_target", "candidates") == [0]


def test_rule_8_10__reachable_by_a_path() -> None:
    """Clinton is cut off by water, so the farther Dyson is the target; alone it is none."""
    board = {**columns("A.B~C"), (2, 2): ".", (3, 3): ".", (4, 4): ".", (5, 5): "Dyson"}
    _, turn = lay(board, LINK, colors=PURPLE)
    assert told(turn, "target", "city", "candidates", "why") == [("Dyson", 2, "only_in_reach")]
    _, turn = lay(columns("A.B~C"), LINK, colors=PURPLE)
    assert told(turn, "no_target", "candidates") == [1]


def test_rule_8_10__none_at_all_it_cannot_lay_track() -> None:
    _, turn = lay(columns("A.B"), LINK, needs="WBOG")
    assert told(turn, "no_target", "color") == ["white", "black", "orange", "gray"]
    assert told(turn, "no_track", "why") == ["target"]
    assert told(turn, "instead", "failed") == ["track"]


# --- 8.11 ---------------------------------------------------------------------------------------------
def test_rule_8_11__the_nearest_target_from_any_city_of_the_network() -> None:
    """From Ames Clinton is three tiles away, from Boone Dyson two."""
    _, turn = lay(columns("C...A.B..D"), "1: Ames A11 Boone", colors=PURPLE)
    assert told(turn, "target", "city", "why") == [("Dyson", "nearest")]
    assert path(turn) == "Boone A15 A17 Dyson"


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_11__of_equally_near_targets_the_first_by_marker(corner: str) -> None:
    _, turn = lay(columns("C..A.B..D"), "1: Ames A9 Boone", colors=PURPLE, corner=corner)
    assert told(turn, "target", "city", "why") == [("Clinton" if corner.startswith("top") else "Dyson", "marker")]


# Two ways of two tiles from Ames (top) to Boone (bottom): on the left, on the right; the right one may pass Clinton.
FORK = columns("", "", " ..", "A B", " ..")
STOP = columns("", "", " ..", "A B", " ..", " C")
BASE = {"Ames": "W", "Boone": "P", "Clinton": "G"}


def fork(cells: Cells, corner: str = "top left", **hexes: str) -> list[dict[str, Any]]:
    """The Automa's first track leads from Ames to purple Boone."""
    cells = {**cells, **{cell_of(name): mark for name, mark in hexes.items()}}
    colors = {name: color for name, color in BASE.items() if name in cells.values()}
    _, turn = lay(cells, needs="B", colors=colors, corner=corner, corner_colors=white_at(corner))
    return turn


DETOUR = columns("", "", " mmm", "A  B", " . .", " ..")  # over three mountains on the left, four plains on the right


@pytest.mark.parametrize(
    ("cells", "hexes", "way", "decided"),
    [
        pytest.param(FORK, {"C3": "h"}, "Ames E3 E5 Boone", (2, 0, 0, "lowest_cost"), id="the lowest cost"),
        pytest.param(DETOUR, {}, "Ames C3 C5 C7 Boone", (3, 12, 0, "only"), id="fewest tiles come before cost"),
        pytest.param(STOP, {}, "Ames E3 Clinton E5 Boone", (2, 0, 1, "most_stops"), id="then the most stops"),
        pytest.param(STOP, {"E3": "h"}, "Ames C3 C5 Boone", (2, 0, 0, "lowest_cost"), id="cost comes before stops"),
    ],
)
def test_rule_8_11__of_shortest_paths_the_cheapest_then_the_one_with_most_stops(
    cells: Cells, hexes: dict[str, str], way: str, decided: tuple[int, int, int, str]
) -> None:
    turn = fork(cells, **hexes)
    assert path(turn) == way
    assert told(turn, "path", "tiles", "cost", "stops", "why") == [decided]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_11__then_first_by_marker_hex_by_hex(corner: str) -> None:
    turn = fork(FORK, corner)
    column = "C" if corner.endswith("left") else "E"
    assert path(turn) == f"Ames {column}3 {column}5 Boone"
    assert told(turn, "path", "why") == ["marker"]


def test_rule_8_11__hexes_are_compared_in_the_order_passed() -> None:
    """The ways part at the second tile, and are alike before and after."""
    board = columns("~", "", "  ..", "A. B", "  ..")
    for corner, expected in (("top left", "Ames D4 C5 C7 Boone"), ("bottom right", "Ames D4 E5 E7 Boone")):
        _, turn = lay(board, needs="B", colors={"Boone": "P"}, corner=corner, corner_colors=white_at(corner))
        assert path(turn) == expected


def test_rule_8_11__the_start_city_is_compared_first() -> None:
    """Ames comes before Boone by the marker, though Ames's way leads to the right and Boone's to the left."""
    cells = columns("~", ".......", ".   ....", "A  D  B", " ...")
    link = "1: Ames C1 B2 B4 B6 B8 B10 B12 B14 C15 Boone"
    _, turn = lay(cells, link, needs="B", colors={"Dyson": "P"})
    assert path(turn) == "Ames E3 E5 E7 Dyson"
    assert told(turn, "path", "tiles", "cost", "why") == [(3, 0, "marker")]


def test_rule_8_11__cities_are_passed_at_no_tile() -> None:
    """Two tiles by way of Clinton reach Dyson; the way past Clinton would take three."""
    board = {**columns("A.B.C.D"), (2, 6): ".", (2, 8): ".", (2, 10): "."}
    _, turn = lay(board, LINK, colors={"Dyson": "P"})
    assert path(turn) == "Boone A7 Clinton A11 Dyson"
    assert told(turn, "path", "tiles", "stops") == [(2, 1)]


@pytest.mark.parametrize(
    ("column", "tail", "coins_left", "way"),
    [
        pytest.param("A.B..C", (2, 12), "Elgin C13 D14 Dyson", "Boone A7 A9 Clinton Elgin C13 D14 Dyson", id="entered"),
        pytest.param(
            *("A.B....C", (2, 16), "A11 A13 Clinton Elgin C17 D18 Dyson"),
            "Boone A7 A9 A11 A13 Clinton Elgin C17 D18 Dyson",
            id="still ahead",
        ),
    ],
)
def test_rule_8_11__a_group_may_be_left_by_another_city_and_both_are_in_the_coins(
    column: str, tail: tuple[int, int], coins_left: str, way: str
) -> None:
    """Clinton and Elgin are one group: the way comes in at Clinton and goes on from Elgin."""
    _, row = tail
    board = {**columns(column), tail: "Elgin", (3, row + 1): ".", (4, row + 2): ".", (5, row + 3): "Dyson"}
    game, turn = lay(board, LINK, colors={"Dyson": "P"})
    assert path(turn) == way
    assert coins(game) == coins_left.split()
    scenario = play(game, "money").to_scenario()
    assert scenario["automa"]["coins"] == [coins_left.split()]
    assert Game.from_scenario(scenario).record.tobytes() == game.record.tobytes()


def test_rule_8_11__entering_any_city_of_the_targets_group_reaches_it() -> None:
    """Dyson, the target, lies behind Clinton in one group."""
    game, turn = lay(columns("A.B..CD"), LINK, colors={"Dyson": "P"})
    assert targets(turn) == ["Dyson"]
    assert path(turn) == "Boone A7 A9 Clinton"
    assert told(turn, "complete", "to_city") == ["Clinton"]
    assert game.city("Dyson")["connected"] == [1]


def test_rule_8_11__crossings_are_placements_too_whatever_they_cost() -> None:
    """The only way to Clinton crosses a foreign track, for $2."""
    cells = columns("~", "   D", "A.B..C", "    E")
    _, turn = lay(cells, "1: Ames C3 Boone", "0: Dyson C9 Elgin", colors={"Clinton": "P"})
    assert told(turn, "path", "tiles", "cost") == [(2, 2)]
    assert told(turn, "place", "hex", "crossing", "cost") == [("C7", 0, 0), ("C9", 1, 2)]


@pytest.mark.parametrize(("owned", "possible"), [(19, True), (20, False)])
def test_rule_8_11__a_path_of_more_links_than_trains_left_is_no_path(owned: int, possible: bool) -> None:
    """Two links lead to the last city by way of the one before."""
    board, paths = chain(owned, tail=".Y.Z")
    last = "Zion"
    _, turn = lay(board, *paths, colors={last: "P"})
    assert targets(turn) == ([last] if possible else [])
    assert told(turn, "no_target", "candidates") == ([] if possible else [1])


def test_rule_8_11__with_one_train_a_longer_path_of_one_link_is_taken() -> None:
    board, paths = chain(20, tail=".Y.Z")
    row = max(row for _, row in board)
    board |= {(2, row - 7): ".", (2, row - 5): ".", (2, row - 3): ".", (2, row - 1): "."}
    _, turn = lay(board, *paths, colors={"Zion": "P"})
    assert told(turn, "path", "tiles", "stops") == [(4, 0)]


def knot(below: str) -> Cells:
    """Ames at D8, Boone at C5; between them D6, where foreign track from N to SE must be crossed.

    From Ames one can leave D6 only to the north-east, and come to Boone only from there: the shortest way turns
    round on E5, F4, F6 and uses D6 and E5 twice. The foreign tracks on D4 and E7 are tight curves, which nothing
    crosses.
    """
    cells: Cells = {(4, 8): "Ames", (3, 5): "Boone", (1, 1): "~"}
    cells |= dict.fromkeys([(4, 4), (4, 6), (5, 7), (5, 5), (6, 4), (6, 6)], ".")
    for step, mark in enumerate(below):
        cells[4, 10 + 2 * step] = "Elgin" if mark == "E" else mark
    return cells


FOREIGN_CURVE = "0: Boone D4 D6 E7 Ames"


def test_rule_8_11__only_paths_that_use_no_hex_twice() -> None:
    """Boone is six tiles away by a way that uses hexes twice, and so not reachable now: Elgin, at eight, is taken."""
    colors = {"Ames": "W", "Boone": "P", "Elgin": "P"}
    _, turn = lay(knot("........E"), FOREIGN_CURVE, colors=colors)
    assert told(turn, "unreachable", "city", "tiles") == [("Boone", 6)]
    assert told(turn, "target", "city", "candidates", "why") == [("Elgin", 2, "only_in_reach")]
    assert told(turn, "path", "tiles") == [8]


def test_rule_8_11__where_no_target_has_such_a_path_the_colour_gives_none() -> None:
    colors = {"Ames": "W", "Boone": "P"}
    _, turn = lay(knot(""), FOREIGN_CURVE, colors=colors)
    assert told(turn, "unreachable", "city") == ["Boone"]
    assert told(turn, "no_target", "candidates") == [1]


# --- 8.12 ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_12__first_track_from_the_first_city_of_the_corners_colour(corner: str) -> None:
    """In each corner's colour there are a city on the left and one on the right; others are nearer to the target."""
    board = columns("A.B..C..D.E")
    color = ("white", "black", "orange", "gray")[CORNERS.index(corner)]
    colors = {"Ames": color[0].upper(), "Elgin": color[0].upper(), "Clinton": "P"}
    others = "W" if color != "white" else "B"
    _, turn = lay(board, colors={"Boone": others, "Dyson": others, **colors}, corner=corner)
    first = "Ames" if corner.startswith("top") else "Elgin"
    assert told(turn, "base", "city", "candidates") == [(first, 2)]
    assert told(turn, "start", "city")[0] == first


def test_rule_8_12__the_path_leaves_that_very_city_and_no_other_of_its_group() -> None:
    """From Boone, in one group with Ames, it is one tile to Clinton; from Ames, which alone is white, three."""
    board = columns(".A..", ".B..", "....", "..C.")
    colors = {"Ames": "W", "Boone": "G", "Clinton": "P"}
    cards = [card("B")] * 4
    game = automa_game(board, cards=cards, colors=colors, money=5, turn={"actions_left": 2}, order=[0, 1, 2, 3])
    play(game, "money, money")
    assert links(game, 1) == ["1: Ames A5 B6 C5 Clinton"]
    assert (game.money[1], game.fulfilled(1)) == (5, [])
    text = "\n".join(game.log)
    assert "starts at Ames: the only city of its corner's colour" in text
    assert "starts a link from Ames S" in text


def test_rule_8_12__its_group_counts_as_its_network_for_targets() -> None:
    """Boone, in one group with Ames, is no target."""
    _, turn = lay(columns("AB..C", "...."), colors={"Boone": "P", "Clinton": "P"})
    assert told(turn, "target", "city", "candidates") == [("Clinton", 1)]
    assert path(turn) == "Ames B2 B4 A5 A7 Clinton"


@pytest.mark.parametrize("beside_ames", [".", "~"])
def test_rule_8_12__where_no_target_can_be_reached_from_that_city_it_cannot_lay_now(beside_ames: str) -> None:
    """Boone, in one group with Ames, is a tile from Clinton, but no path may lead into Boone or start there."""
    _, turn = lay(columns("AB.C", beside_ames), colors={"Clinton": "P"})
    assert told(turn, "no_target", "candidates") == [1]
    assert told(turn, "no_track", "why") == ["target"]
    assert laid(turn) == []


def test_rule_8_12__its_group_counts_for_what_is_present() -> None:
    """A foreign link leads from Ames to Boone, whose black resources count: not the nearer black Clinton but Dyson."""
    board: Cells = {**columns("C..A.B"), (2, 6): ".", (3, 5): ".", (4, 4): ".", (5, 3): "Dyson"}
    colors = {"Ames": "W", "Boone": "B", "Clinton": "B", "Dyson": "O"}
    _, turn = lay(board, "0: Ames A9 Boone", needs="W", colors=colors, factories=["0: Boone 3"])
    assert told(turn, "present", "black") == [3]
    assert targets(turn) == ["Dyson"]


def test_rule_8_12__with_no_track_left_it_starts_anew_from_the_corner() -> None:
    """Its only link, from Ames, was removed; the marker is at black now."""
    board = columns("A.B.....C")
    colors = {"Ames": "W", "Boone": "B", "Clinton": "P"}
    _, turn = lay(board, colors=colors, corner="top right", turn={"round": 5})
    assert told(turn, "base", "city") == ["Boone"]
    assert laid(turn) == ["A7", "A9"]


def test_rule_8_12__with_a_network_the_corner_does_not_matter() -> None:
    _, turn = lay(columns("A.B..C.D"), LINK, colors={"Dyson": "B", "Clinton": "P"}, corner="top right")
    assert told(turn, "base", "city") == []
    assert path(turn) == "Boone A7 A9 Clinton"


def test_rule_8_12__no_city_of_that_colour_it_cannot_lay_now() -> None:
    game, turn = lay(columns("A.B..C"), colors={"Clinton": "P"}, corner="top right")
    assert told(turn, "no_track", "why") == ["start"]
    assert laid(turn) == []
    assert game.money[1] == 7
