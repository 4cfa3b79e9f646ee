"""Rules 8.9 to 8.13: how an Automa lays track: coin paths, targets, paths, its first track, what blocks a path."""

from typing import Any

import pytest

from steam_env import Game
from steam_env.core.steam_power.state import TILE_PLAIN, TILE_TIGHT
from tests.rules.automa_boards import (
    CORNERS,
    automa_game,
    card,
    chain,
    coins,
    columns,
    laid,
    path,
    take_turn,
    targets,
    told,
)
from tests.rules.boards import Cells, cell_of, links, play, use_up

LINK = "1: Ames A3 Boone"
PURPLE = {"Boone": "P", "Clinton": "P", "Dyson": "P", "Elgin": "P"}


def lay(cells: Cells, *more_links: str, needs: str = "BB", **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa cannot pay for the contract and uses it to lay track."""
    options = {"money": [0, 4], **entries}
    game = automa_game(cells, *more_links, cards=options.pop("cards", [card(needs)]), **options)
    return game, take_turn(game)


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
    """Hills $2, mountains $4, a crossing $2."""
    game, turn = lay(columns("A.Bhm.C"), LINK, colors=PURPLE, money=[0, 7])
    assert told(turn, "place", "hex", "cost") == [("A7", 2), ("A9", 4)]
    assert game.money[1] == 1


def test_rule_8_9__a_path_is_chosen_without_looking_at_money() -> None:
    """The short way leads over a mountain; the longer free one, B6 and B8, is not tried."""
    board = {**columns("A.BmC"), (2, 6): ".", (2, 8): "."}
    _, turn = lay(board, LINK, colors=PURPLE, money=[0, 3])
    assert told(turn, "path", "tiles", "cost") == [(1, 4)]
    assert laid(turn) == []
    assert told(turn, "not_laid", "hex", "cost", "why") == [("A7", 4, "money")]
    assert len(targets(turn)) == 1


def test_rule_8_9__a_new_path_whose_first_tile_cannot_be_paid_leaves_no_coins() -> None:
    game, turn = lay(columns("A.Bm.C"), LINK, colors=PURPLE, money=[0, 3])
    assert told(turn, "not_laid", "hex") == ["A7"]
    assert coins(game) == []
    assert game.trains[1] == 20
    assert links(game, 1) == [LINK]
    assert told(turn, "build", "city") == ["Ames"]  # rule 8.8 goes on


def test_rule_8_9__an_old_path_whose_tile_cannot_be_paid_keeps_its_coins() -> None:
    game, turn = lay(columns("A.B.m.C"), LINK, "1: Boone A7 > S", coins="A9 A11 Clinton", money=[0, 3])
    assert told(turn, "not_laid", "hex") == ["A9"]
    assert coins(game) == ["A9", "A11", "Clinton"]
    assert targets(turn) == []
    assert links(game, 1) == [LINK, "1: Boone A7 > S"]


def test_rule_8_9__no_other_target_is_tried_when_a_tile_cannot_be_paid() -> None:
    """Orange would give Dyson over plains."""
    board = {**columns("A.BmC"), (2, 2): ".", (3, 3): "Dyson"}
    game, turn = lay(board, LINK, needs="BO", colors={"Clinton": "P"}, money=[0, 3])
    assert targets(turn) == ["Clinton"]
    assert laid(turn) == []
    assert told(turn, "instead", "failed") == ["track"]
    assert coins(game) == []


# Boone in the middle; one tile leads to Clinton (purple), one to Dyson (gray, unconnected).
STAR = {**columns("A.B.C"), (2, 6): ".", (3, 7): "Dyson"}
STAR_COLORS = {"Clinton": "P", "Dyson": "G"}


def test_rule_8_9__a_second_target_by_the_next_colour() -> None:
    game, turn = lay(STAR, LINK, needs="BO", colors=STAR_COLORS)
    assert told(turn, "target", "color", "city") == [("black", "Clinton"), ("orange", "Dyson")]
    assert laid(turn) == ["A7", "B6"]
    assert coins(game) == []


def test_rule_8_9__the_next_colour_comes_after_the_one_that_gave_the_first_target() -> None:
    """Gray gives nothing and is not asked again; black gave the first; orange is next."""
    _, turn = lay(STAR, LINK, needs="GBO", colors=STAR_COLORS)
    assert told(turn, "no_target", "color") == ["gray"]
    assert told(turn, "target", "color") == ["black", "orange"]


@pytest.mark.parametrize("needs", ["BB", "BBB"])
def test_rule_8_9__each_colour_counts_once(needs: str) -> None:
    """With two purple cities at one tile, black gives only one of them."""
    _, turn = lay(STAR, LINK, needs=needs, colors={"Clinton": "P", "Dyson": "P"})
    assert told(turn, "target", "color") == ["black"]
    assert told(turn, "no_track", "why") == ["colors"]
    assert len(laid(turn)) == 1


def test_rule_8_9__a_colour_that_comes_again_later_is_not_asked_again() -> None:
    """Orange gave Clinton; black gives nothing; Dyson is unconnected, but orange had its turn."""
    _, turn = lay(STAR, LINK, needs="OBOB")
    assert told(turn, "target", "color") == ["orange"]
    assert told(turn, "no_target", "color") == ["black"]
    assert len(laid(turn)) == 1


def test_rule_8_9__a_colour_that_stands_twice_does_not_hide_the_next() -> None:
    _, turn = lay(STAR, LINK, needs="BBO", colors=STAR_COLORS)
    assert told(turn, "target", "color") == ["black", "orange"]


def test_rule_8_9__with_no_colour_left_there_is_no_second_tile() -> None:
    _, turn = lay(STAR, LINK, needs="B", colors={"Clinton": "P", "Dyson": "P"}, money=[0, 4])
    assert laid(turn) == ["A7"]
    assert told(turn, "no_track", "why") == ["colors"]
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
def test_rule_8_10__white_a_city_without_factory_of_the_least_present_colour() -> None:
    """Gray, orange and black are present, white is not: Elgin, not the nearer Fargo, which is black."""
    board = {**columns("A.B.C.D.E"), (2, 2): ".", (3, 3): "Fargo"}
    colors = {"Ames": "B", "Boone": "O", "Clinton": "G", "Dyson": "G", "Elgin": "W", "Fargo": "B"}
    factories = ["1: Ames 2", "0: Boone 3", "0: Clinton 4"]
    links_ = (LINK, "1: Boone A7 Clinton")
    _, turn = lay(board, *links_, needs="WWWWW", colors=colors, factories=factories)
    assert told(turn, "present", "white", "black", "orange", "gray") == [(0, 2, 3, 4)]
    assert told(turn, "target", "rule", "city", "why") == [("least_present", "Elgin", "only")]


@pytest.mark.parametrize(("resources", "expected"), [(3, ["Elgin"]), (0, ["Dyson"])])
def test_rule_8_10__white_fewest_over_the_whole_aen(resources: int, expected: list[str]) -> None:
    """With white resources at a foreign city of the AEN gray is least; without them white ties and is first."""
    board = {**columns("A.B.C"), (2, 2): ".", (3, 3): "Dyson", (2, 6): ".", (3, 7): "Elgin"}
    colors = {"Ames": "B", "Boone": "O", "Clinton": "W", "Dyson": "W", "Elgin": "G"}
    factories = ["1: Ames 4", "1: Boone 4", f"0: Clinton {resources}"]
    links_ = (LINK, "0: Boone A7 Clinton")
    _, turn = lay(board, *links_, needs="WWWWW", colors=colors, factories=factories)
    assert targets(turn) == expected


def test_rule_8_10__white_tied_colours_all_count() -> None:
    """All four have none: the nearest city of any colour but purple."""
    board = columns("A.B.C.D")
    _, turn = lay(board, LINK, needs="W", colors={"Clinton": "P", "Dyson": "G"})
    assert told(turn, "target", "city", "candidates") == [("Dyson", 1)]
    _, turn = lay(board, LINK, needs="W", colors={"Clinton": "O", "Dyson": "G"})
    assert told(turn, "target", "city", "candidates") == [("Clinton", 2)]


def test_rule_8_10__white_a_city_that_had_a_factory_is_none_though_flipped() -> None:
    board = {**columns("A.B.C.E"), (2, 6): ".", (2, 8): ".", (3, 9): "Dyson"}
    _, turn = lay(board, LINK, "0: Clinton A11 Elgin", needs="W", factories=["0: Clinton 0"])
    assert told(turn, "target", "city") == ["Dyson"]
    _, turn = lay(board, LINK, "0: Clinton A11 Elgin", needs="W")
    assert told(turn, "target", "city") == ["Clinton"]


def test_rule_8_10__white_an_opponents_city_may_be_it() -> None:
    _, turn = lay(columns("A.B.C.D"), LINK, "0: Clinton A11 Dyson", needs="W")
    assert told(turn, "target", "city") == ["Clinton"]


def test_rule_8_10__black_a_purple_city() -> None:
    _, turn = lay(columns("A.B.C.D"), LINK, needs="B", colors={"Boone": "P", "Dyson": "P"})
    assert told(turn, "target", "rule", "city", "candidates") == [("purple", "Dyson", 1)]


def test_rule_8_10__orange_a_city_of_a_group_without_complete_links() -> None:
    """Clinton's neighbour Elgin has a link, so neither counts."""
    board = {**columns("A.B.C.D"), (2, 10): "Elgin", (3, 11): ".", (4, 12): "Fargo"}
    _, turn = lay(board, LINK, "0: Elgin C11 Fargo", needs="O")
    assert told(turn, "target", "rule", "city", "candidates") == [("unconnected", "Dyson", 1)]


def test_rule_8_10__orange_an_incomplete_link_leaves_a_city_unconnected() -> None:
    board = columns("A.B.C..D")
    _, turn = lay(board, LINK, "0: Clinton A11 > S", needs="O")
    assert targets(turn) == ["Clinton"]


def test_rule_8_10__gray_a_city_of_an_opponents_network() -> None:
    """Clinton is nearer but nobody's."""
    board = columns("A.B.C..D.E")
    _, turn = lay(board, LINK, "0: Dyson A17 Elgin", needs="G")
    assert told(turn, "target", "rule", "city", "candidates") == [("opponent", "Dyson", 2)]


def test_rule_8_10__gray_another_automa_is_an_opponent() -> None:
    board = columns("A.B.C..D.E")
    game = automa_game(board, LINK, "2: Dyson A17 Elgin", cards=[card("G")], seats=3, automas=2)
    turn = [event for event in take_turn(game) if event["actor"] == 1]
    assert targets(turn) == ["Dyson"]


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
    _, turn = lay(board, LINK, foreign, needs=needs, colors={"Boone": "P"}, money=[0, 4])
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


@pytest.mark.parametrize(
    ("corner", "first"),
    [("top left", "Clinton"), ("top right", "Clinton"), ("bottom right", "Dyson"), ("bottom left", "Dyson")],
)
def test_rule_8_11__of_equally_near_targets_the_first_by_marker(corner: str, first: str) -> None:
    board = columns("C..A.B..D")
    _, turn = lay(board, "1: Ames A9 Boone", colors=PURPLE, corner=corner)
    assert told(turn, "target", "city", "why") == [(first, "marker")]


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


def white_at(corner: str) -> list[str]:
    """Corner colours with white in this corner."""
    others = iter(("black", "orange", "gray"))
    return ["white" if name == corner else next(others) for name in CORNERS]


def test_rule_8_11__of_shortest_paths_the_lowest_cost() -> None:
    turn = fork(FORK, C3="h")
    assert path(turn) == "Ames E3 E5 Boone"
    assert told(turn, "path", "tiles", "cost", "why") == [(2, 0, "lowest_cost")]


def test_rule_8_11__fewest_tiles_come_before_cost() -> None:
    """Two tiles on mountains, not three on plains."""
    board = columns("", "", " .. ", "A B", " ..", " .")
    turn = fork(board, C3="m", C5="m", E3="m", E5="m")
    assert told(turn, "path", "tiles", "cost") == [(2, 8)]


def test_rule_8_11__of_equally_cheap_ones_the_most_stops() -> None:
    turn = fork(STOP)
    assert path(turn) == "Ames E3 Clinton E5 Boone"
    assert told(turn, "path", "tiles", "cost", "stops", "why") == [(2, 0, 1, "most_stops")]


def test_rule_8_11__cost_comes_before_stops() -> None:
    turn = fork(STOP, E3="h")
    assert path(turn) == "Ames C3 C5 Boone"
    assert told(turn, "path", "cost", "stops", "why") == [(0, 0, "lowest_cost")]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_11__then_first_by_marker_hex_by_hex(corner: str) -> None:
    turn = fork(FORK, corner)
    column = "C" if corner.endswith("left") else "E"
    assert path(turn) == f"Ames {column}3 {column}5 Boone"
    assert told(turn, "path", "why") == ["marker"]


def test_rule_8_11__hexes_are_compared_in_the_order_passed() -> None:
    """The ways part at the second tile, and are alike before and after."""
    board: Cells = {(4, 2): "Ames", (4, 8): "Boone", (1, 1): "~"}
    board |= dict.fromkeys([(4, 4), (3, 5), (5, 5), (3, 7), (5, 7)], ".")
    for corner, expected in (("top left", "Ames D4 C5 C7 Boone"), ("bottom right", "Ames D4 E5 E7 Boone")):
        _, turn = lay(board, needs="B", colors={"Boone": "P"}, corner=corner, corner_colors=white_at(corner))
        assert path(turn) == expected


def test_rule_8_11__the_start_city_is_compared_first() -> None:
    """Ames comes before Boone by the marker, though Ames's way leads to the right and Boone's to the left."""
    cells: Cells = {(4, 2): "Ames", (4, 8): "Dyson", (4, 14): "Boone", (1, 1): "~"}
    cells |= dict.fromkeys([(5, 3), (5, 5), (5, 7), (3, 9), (3, 11), (3, 13)], ".")
    cells |= dict.fromkeys([(3, 1), (2, 2), (2, 4), (2, 6), (2, 8), (2, 10), (2, 12), (2, 14), (3, 15)], ".")
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


def test_rule_8_11__a_group_may_be_left_by_another_city_and_both_are_in_the_coins() -> None:
    """Clinton and Elgin are one group: the way comes in at Clinton and goes on from Elgin."""
    board: Cells = {**columns("A.B..C"), (2, 12): "Elgin", (3, 13): ".", (4, 14): ".", (5, 15): "Dyson"}
    game, turn = lay(board, LINK, colors={"Dyson": "P"})
    assert path(turn) == "Boone A7 A9 Clinton Elgin C13 D14 Dyson"
    assert coins(game) == ["Elgin", "C13", "D14", "Dyson"]
    assert links(game, 1) == [LINK, "1: Boone A7 A9 Clinton"]
    play(game, "money")
    scenario = game.to_scenario()
    assert scenario["automa"]["coins"] == [["Elgin", "C13", "D14", "Dyson"]]
    assert Game.from_scenario(scenario).record.tobytes() == game.record.tobytes()


def test_rule_8_11__both_cities_stand_in_the_coins_while_the_group_is_ahead() -> None:
    board: Cells = {**columns("A.B....C"), (2, 16): "Elgin", (3, 17): ".", (4, 18): ".", (5, 19): "Dyson"}
    game, _ = lay(board, LINK, colors={"Dyson": "P"})
    assert coins(game) == ["A11", "A13", "Clinton", "Elgin", "C17", "D18", "Dyson"]


def test_rule_8_11__entering_any_city_of_the_targets_group_reaches_it() -> None:
    """Dyson, the target, lies behind Clinton in one group."""
    game, turn = lay(columns("A.B..CD"), LINK, colors={"Dyson": "P"})
    assert targets(turn) == ["Dyson"]
    assert path(turn) == "Boone A7 A9 Clinton"
    assert told(turn, "complete", "to_city") == ["Clinton"]
    assert game.city("Dyson")["connected"] == [1]


def test_rule_8_11__crossings_are_placements_too_whatever_they_cost() -> None:
    """The only way to Clinton crosses a foreign track, for $2."""
    cells: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (3, 9): ".", (3, 11): "Clinton"}
    cells |= {(2, 8): "Dyson", (4, 10): "Elgin", (1, 1): "~"}
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


def test_rule_8_12__its_group_counts_as_its_network() -> None:
    """Boone, in one group with Ames, is no target, and the way may start there."""
    board = columns("AB..C.D")
    colors = {"Boone": "P", "Clinton": "P", "Dyson": "G"}
    _, turn = lay(board, colors=colors)
    assert told(turn, "base", "city") == ["Ames"]
    assert told(turn, "target", "city", "candidates") == [("Clinton", 1)]
    assert path(turn) == "Boone A5 A7 Clinton"


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


# --- 8.13 ---------------------------------------------------------------------------------------------
# The Automa's coins lead down column C from Boone to Clinton; the player has a network at Dyson - Elgin.
BLOCK: Cells = {
    **{(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 17): "Clinton", (1, 1): "~"},
    **dict.fromkeys([(3, 7), (3, 9), (3, 11), (3, 13), (3, 15)], "."),
    **{(1, 11): "Dyson", (2, 10): ".", (4, 12): ".", (5, 13): "Elgin", (2, 12): ".", (4, 10): "."},
    **{(1, 15): "Fargo", (1, 13): "."},
}
AUTOMA_TRACK = ("1: Ames C3 Boone", "1: Boone C7 > S")
AUTOMA_COINS = "C9 C11 C13 C15 Clinton"
PLAYER_TRACK = "0: Dyson A13 Fargo"


def blocked(*actions: str, more: tuple[str, ...] = (), **entries: Any) -> Game:
    """The player acts while the Automa's coin path lies across column C."""
    options = {"colors": {"Clinton": "P"}, "coins": AUTOMA_COINS, "money": [9, 0], **entries}
    options.setdefault("turn", {"actions_left": 2})
    game = automa_game(BLOCK, *AUTOMA_TRACK, PLAYER_TRACK, *more, cards=options.pop("cards", [card("GG")]), **options)
    play(game, ", ".join(actions))
    return game


def cleared(game: Game) -> list[tuple[int, int]]:
    """The Automas that lost their coin path, and by whose placement."""
    return [(event.actor, event.values["mover"]) for event in game.events if event.kind == "clear_coins"]


def test_rule_8_13__a_placement_that_blocks_a_tile_removes_path_and_incomplete_link() -> None:
    """On C11 the player turns north-west to north: the edge that the coins need."""
    game = blocked("start Dyson NE", "head SE", "head N")
    assert cleared(game) == [(1, 0)]
    assert coins(game) == []
    assert links(game, 1) == ["1: Ames C3 Boone"]


def test_rule_8_13__the_train_and_tiles_return_but_no_money() -> None:
    game = blocked("start Dyson NE", "head SE", "head N")
    assert game.trains[1] == 20
    assert game.money == [9, 0]
    assert game.record.tiles.tolist() == [77, 9, 10]  # C3, A13 and B10 lie there, and a tight curve on C11


def test_rule_8_13__it_happens_at_once_before_the_second_placement() -> None:
    game = blocked("start Dyson NE", "head SE")
    assert cleared(game) == []
    play(game, "head N")
    assert cleared(game) == [(1, 0)]
    assert game.seat == 0


def test_rule_8_13__a_path_that_can_still_be_followed_stays() -> None:
    """The player's straight track across C11 can be crossed."""
    game = blocked("start Dyson NE", "head SE", "head SE")
    assert cleared(game) == []
    assert coins(game) == AUTOMA_COINS.split()


def test_rule_8_13__by_a_replacement() -> None:
    game = blocked("replace N", more=("0: Dyson B10 C11 > SE",))
    assert cleared(game) == [(1, 0)]
    assert links(game, 1) == ["1: Ames C3 Boone"]


def test_rule_8_13__a_replacement_that_leaves_it_possible_does_not() -> None:
    game = blocked("replace NE", more=("0: Dyson B10 C11 > SE",))
    assert cleared(game) == []


def test_rule_8_13__by_a_removal() -> None:
    """A crossing goes, and what stays on its hex takes the last straight tile, which the coins need."""
    board: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (3, 9): ".", (3, 11): "Clinton"}
    board |= {(7, 1): "Galena", (7, 3): ".", (7, 5): "Hibbing", (6, 4): "Ironton", (8, 2): ".", (1, 1): "~"}
    paths = ["4: Ames C3 Boone", "4: Boone C7 > S", "2: Galena G3 Hibbing", "1: Ironton G3 > NE"]
    paths += use_up(board, "simple", 77, 3)
    game = automa_game(
        board, *paths, cards=[card("GG")], seats=5, coins="C9 Clinton", turn={"seat": 1, "actions_left": 2}
    )
    assert game.record.tiles[TILE_PLAIN] == 1
    play(game, "remove")
    assert cleared(game) == [(4, 1)]
    assert game.record.tiles[TILE_PLAIN] == 1  # none after the removal; C7 has come back


def test_rule_8_13__in_want_of_a_straight_tile_the_stock_stands_below_zero() -> None:
    """The Automa's only tile, a crossing, goes; the track under it takes a straight one: none is left."""
    board: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (3, 9): ".", (3, 11): "Clinton"}
    board |= {(2, 6): "Dyson", (4, 8): "Elgin", (4, 10): ".", (5, 9): ".", (1, 1): "~"}
    paths = ["0: Dyson C7 Elgin", "4: Ames C3 Boone", "4: Boone C7 > S", *use_up(board, "simple", 79, 3)]
    game = automa_game(board, *paths, cards=[card("GG")], seats=5, coins="C9 Clinton", turn={"actions_left": 2})
    assert game.record.tiles.tolist() == [0, 9, 10]
    play(game, "start Elgin S, head NE")
    assert cleared(game) == [(4, 0)]
    assert links(game, 4) == ["4: Ames C3 Boone"]
    assert game.record.tiles.tolist() == [-1, 9, 10]
    play(game, "done")
    assert Game.from_scenario(game.to_scenario()).record.tobytes() == game.record.tobytes()


@pytest.mark.parametrize("first_blocked", [3, 4])
def test_rule_8_13__several_automas_are_checked_in_seat_order(first_blocked: int) -> None:
    """The player's tight curve, the last one, blocks one path on E9; another path needs a tight curve on I9.

    The tight curve on C7 comes back with the first path. If that Automa comes first, the other keeps its path.
    """
    one, other = first_blocked, 7 - first_blocked
    board: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (4, 6): ".", (5, 13): "Clinton"}
    board |= dict.fromkeys([(5, 7), (5, 9), (5, 11), (3, 11)], ".") | {(4, 10): "Dyson", (2, 12): "Fargo"}
    board |= {(9, 1): "Galena", (9, 3): ".", (9, 5): "Hibbing", (9, 7): ".", (9, 9): ".", (10, 8): "."}
    board |= {(11, 9): "Ironton", (1, 1): "~"}
    paths = ["0: Dyson C11 Fargo", f"{one}: Ames C3 Boone", f"{one}: Boone C7 > NE"]
    paths += [f"{other}: Galena I3 Hibbing", f"{other}: Hibbing I7 > S", *use_up(board, "tight", 8, 2)]
    coin_paths = {one: "D6 E7 E9 E11 Clinton", other: "I9 J8 Ironton"}
    game = automa_game(
        board,
        *paths,
        cards=[card("GG")],
        seats=5,
        automas=2,
        coins=[coin_paths[3], coin_paths[4]],
        turn={"actions_left": 2},
    )
    assert game.record.tiles[TILE_TIGHT] == 1
    play(game, "start Dyson NE, head S")
    assert cleared(game) == ([(3, 0)] if first_blocked == 3 else [(3, 0), (4, 0)])
    assert coins(game, 1) == (["I9", "J8", "Ironton"] if first_blocked == 3 else [])


def test_rule_8_13__by_another_automas_placement() -> None:
    """Player_2 lays C11 from north-west to south, where player_1 has to go from north to south."""
    cells = {**BLOCK, (4, 14): "."}
    game = automa_game(
        cells,
        *AUTOMA_TRACK,
        *("2: Dyson A13 Fargo", "2: Dyson B10 > SE"),
        cards=[card("GGG")] * 4,
        seats=3,
        automas=2,
        coins=["C9 C11 C13 C15 Clinton", "C11 C13 D14 Elgin"],
        turn={"seat": 2, "actions_left": 2},
        order=[0, 1, 2, 3],
    )
    assert "2: Dyson B10 C11 C13 D14 Elgin" in links(game, 2)
    assert coins(game, 0) == []
    assert links(game, 1) == ["1: Ames C3 Boone"]
    assert game.trains[1] == 20


def test_rule_8_13__no_hex_of_the_path_is_judged_by_its_cost() -> None:
    """The player's track makes C11 a crossing for $2, which the Automa could not pay: the path stays."""
    game = blocked("start Dyson NE", "head SE", "head SE")
    assert game.money[1] == 0
    assert cleared(game) == []


def test_rule_8_13__it_never_removes_or_replaces_on_its_own() -> None:
    """It cannot pay for the mountain: it does not try another way."""
    game, turn = lay(columns("A.B.m.C"), LINK, "1: Boone A7 > S", coins="A9 A11 Clinton", money=[0, 0])
    assert told(turn, "remove", "hex") == []
    assert told(turn, "replace", "hex") == []
    assert links(game, 1) == [LINK, "1: Boone A7 > S"]


def test_rule_8_13__a_stock_that_others_used_up_blocks_a_path() -> None:
    """The coins need a tight curve: the player takes the last one."""
    game = tight_game(9)
    play(game, "start Fargo N, head SE")
    assert game.record.tiles[TILE_TIGHT] == 0
    assert cleared(game) == [(4, 0)]


def tight_game(used: int) -> Game:
    """The Automa, seat 4, is to lay a tight curve on C9; so many lie elsewhere."""
    cells: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (3, 9): ".", (4, 8): ".", (4, 6): "."}
    cells |= {(5, 5): "Clinton", (1, 1): "~", (1, 11): "Fargo", (1, 9): ".", (2, 10): ".", (1, 13): "."}
    cells |= {(1, 15): "Galena"}
    paths = ["4: Ames C3 Boone", "4: Boone C7 > S", "0: Fargo A13 Galena", *use_up(cells, "tight", used, 3)]
    return automa_game(cells, *paths, cards=[card("GG")], seats=5, coins="C9 D8 D6 Clinton", turn={"actions_left": 2})


def test_rule_8_13__a_path_whose_tile_it_used_up_itself_stays_until_another_places() -> None:
    """C9 and D8 both need a tight curve, one is left: each was legal alone."""
    cells: Cells = {(3, 1): "Ames", (3, 3): ".", (3, 5): "Boone", (3, 7): ".", (3, 9): ".", (4, 8): ".", (4, 10): "."}
    cells |= {(1, 1): "~", (5, 11): "Clinton", (1, 11): "Fargo", (1, 13): ".", (1, 15): "Galena", (1, 9): "."}
    cells |= {(1, 7): "."}
    paths = ["4: Ames C3 Boone", "4: Boone C7 > S", "0: Fargo A13 Galena", *use_up(cells, "tight", 9, 3)]
    game = automa_game(
        cells, *paths, cards=[card("GG")], seats=5, coins="C9 D8 D10 Clinton", turn={"seat": 3, "actions_left": 1}
    )
    turn = take_turn(game)
    assert laid(turn) == ["C9"]
    assert game.record.tiles[TILE_TIGHT] == 0
    assert told(turn, "not_laid", "hex", "why") == [("D8", "illegal")]
    assert coins(game) == ["D8", "D10", "Clinton"]
    play(game, "start Fargo N, head N")
    assert cleared(game) == [(4, 0)]
    assert coins(game) == []
    assert game.record.tiles[TILE_TIGHT] == 1
