"""Section 4 of the rules: laying track."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from steam_env.table.game import Game
from tests.rules.boards import (
    CITY_OF,
    EDGES,
    NAMES,
    STEPS,
    Cell,
    Cells,
    alternate,
    apart,
    can,
    cannot,
    choices,
    cities_to_start,
    connected,
    flower,
    links,
    name_of,
    next_turn,
    opposite,
    play,
    position,
    quilt,
)

# Ames D4, Boone H4, Clinton D8, Dyson H8: every hex between them is plains.
FIELD = """
    . . . . .
     . . . .
    . . . . .
     . A . B
    . . . . .
     . . . .
    . . . . .
     . C . D
    . . . . .
     . . . .
"""
AMES_CLINTON = "Ames D6 Clinton"
AMES_BOONE = "Ames E5 F4 G5 Boone"
CLINTON_DYSON = "Clinton E9 F8 G9 Dyson"
BOONE_DYSON = "Boone H6 Dyson"

# Ames C3 alone in open country, with Boone far away.
OPEN = """
    . . . . .
     . . . .
    . A . . .
     . . . .
    . . . . .
     . . . .
    . . . . .
     . . . .
    . . . . .
     . . . .
    . . B . .
"""


# --- 4.1 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("terrain", "cost"), [(".", 0), ("h", 2), ("m", 4)])
def test_rule_4_1__a_new_tile_costs_what_its_terrain_says(terrain: str, cost: int) -> None:
    first = position(flower("A", {"NE": terrain}))
    play(first, "start Ames NE, head S")
    assert first.money == [5 - cost, 5]
    second = position(flower("A", {"SE": terrain}))
    play(second, "start Ames NE, head S")
    assert second.money == [5, 5]
    play(second, "head SW")
    assert second.money == [5 - cost, 5]


def test_rule_4_1__nothing_is_paid_or_placed_before_the_far_edge_is_chosen() -> None:
    game = position(flower("A", {"NE": "h"}))
    play(game, "start Ames NE")
    assert (game.money, game.trains, links(game)) == ([5, 5], [21, 21], [])
    assert set(game.legal_text()) == {"head S", "head NW"}


@pytest.mark.parametrize("mark", ["~", " ", "B"])
def test_rule_4_1__no_tile_on_water_off_the_map_or_on_a_city(mark: str) -> None:
    cells = flower("A", {"NE": mark})
    if mark == " ":
        cells = {cell: what for cell, what in cells.items() if what != " "}
    game = position({**cells, (6, 2): ".", (6, 4): "."})
    cannot(game, "start Ames NE", "4.1")
    can(game, "start Ames S")


@pytest.mark.parametrize("terrain", [".", "h", "m"])
def test_rule_4_1__a_crossing_costs_two_dollars_on_any_terrain(terrain: str) -> None:
    board = flower(terrain, petals={"N": "B", "SW": "A"})
    game = position(board, "1: Boone D4 > S")
    play(game, "start Ames NE, head NE")
    assert game.money == [3, 5]
    poor = position(board, "1: Boone D4 > S", money=1)
    cannot(poor, "start Ames NE", "4.10")


def test_rule_4_1__a_crossing_keeps_the_segment_and_the_link_that_it_belongs_to() -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}", "0: Boone G5 F6 E5 > SW")
    play(game, "head SW")
    assert links(game) == [f"1: {AMES_CLINTON}", "0: Boone G5 F6 E5 D6 > SW"]
    assert connected(game, 1) == {"Ames", "Clinton"}
    assert connected(game, 0) == set()


def test_rule_4_1__the_seats_own_track_may_be_crossed() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > NW")
    play(game, "head NW")
    assert game.money == [3, 5]
    assert links(game) == [f"0: {AMES_CLINTON}", "0: Clinton E7 D6 > NW"]


def test_rule_4_1__a_link_may_cross_itself() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 > NW")
    assert choices(game, "head") == {"NW", "SW"}  # over C5, which the link itself passes from N to S
    cannot(game, "head N, head NE, head S", "1.4")
    cannot(game, "head SE", "1.3")
    play(game, "head SW")
    assert game.money == [3, 5]
    assert links(game) == ["0: Ames C5 C7 D6 C5 > SW"]
    play(game, "head SW")
    assert links(game) == ["0: Ames C5 C7 D6 C5 B6 > SW"]


def test_rule_4_1__a_hex_with_two_segments_takes_no_third() -> None:
    first, second = f"1: {AMES_CLINTON}", "2: Dyson G7 F6 E7 D6 > NW"
    ready = "0: Boone G5 F4 E5 > SW"
    one = position(FIELD, first, ready, seats=3)
    assert choices(one, "head") == {"SW", "NW"}
    two = position(FIELD, first, second, ready, seats=3)
    cannot(two, "head SW, head NW, head N, head SE, head S", "4.1 or 1.4")


def test_rule_4_1__removal_and_replacement_are_free() -> None:
    game = position(flower("A", {"NE": "m"}), money=4)
    play(game, "start Ames NE, head S")
    assert game.money == [0, 4]
    play(game, "replace NW")
    assert game.money == [0, 4]
    play(game, "replace S, remove")
    assert game.money == [0, 4]  # nothing is paid back either


def test_rule_4_1__replacing_and_removing_a_crossing_are_free() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 C5 > SW", money=0)
    play(game, "replace NW, remove")
    assert game.money == [0, 0]
    assert links(game) == ["0: Ames C5 C7 D6 > NW"]


def test_rule_4_1__one_placement_is_enough() -> None:
    game = position(FIELD)
    play(game, "start Ames S, head SE, done")
    assert (game.actions_left, game.phase) == (1, "action")
    assert links(game) == ["0: Ames D6 > SE"]


@pytest.mark.parametrize("first", ["head SE", "remove", "replace SW"])
@pytest.mark.parametrize("second", ["head SE", "remove", "replace S"])
def test_rule_4_1__two_placements_of_any_kind(first: str, second: str) -> None:
    game = position(OPEN, "0: Ames C5 D6 > SE")
    play(game, first)
    assert (game.phase, game.actions_left) == ("track", 2)
    play(game, second)
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_4_1__the_action_is_over_after_two_placements() -> None:
    game = position(OPEN, "0: Ames C5 > S")
    play(game, "head S")
    can(game, "head S, remove, replace SE, done")
    play(game, "head S")
    assert (game.phase, game.actions_left) == ("action", 1)
    cannot(game, "done", "3.1")


# --- 4.2 ----------------------------------------------------------------------------------------------
def test_rule_4_2__an_incomplete_link_must_be_continued_before_another_is_started() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > NE")
    assert choices(game, "start") == set()
    cannot(game, "start Ames NW, start Clinton S, start Boone N, start Clinton NE", "4.2")
    can(game, "head N, head NE, head SE")
    can(game, "money, contracts, build Ames")  # it forbids no other action


def test_rule_4_2__the_second_placement_must_continue_it_too() -> None:
    game = position(FIELD)
    play(game, "start Ames S, head SE")
    cannot(game, "start Ames NW, start Boone S", "4.2")
    assert set(game.legal_text()) == {
        *("done", "remove"),
        *("head N", "head NE", "head SE", "head S", "head SW"),
        *("replace NE", "replace S", "replace SW", "replace NW"),
    }


@pytest.mark.parametrize(("edge", "tile", "entry"), [("NE", "E5", "SW"), ("SE", "E7", "NW"), ("SW", "C7", "NE")])
def test_rule_4_2__it_goes_on_across_the_open_edge_and_comes_in_by_it(edge: str, tile: str, entry: str) -> None:
    game = position(FIELD, f"0: Ames D6 > {edge}")
    cannot(game, f"head {entry}", "1.3")
    play(game, "head S")
    assert links(game) == [f"0: Ames D6 {tile} > S"]


def test_rule_4_2__without_an_incomplete_link_there_is_nothing_to_continue() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "1: Boone G5 > SW")
    for edge in EDGES:
        cannot(game, f"head {edge}", "4.2")


def test_rule_4_2__incomplete_links_bind_only_their_owner() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "1: Boone G5 > SW", seats=3)
    can(game, "start Ames SE, start Clinton NW")
    next_turn(game)
    cannot(game, "start Boone S", "4.2")
    next_turn(game)
    can(game, "start Boone S, start Ames N, start Dyson SW")


def test_rule_4_2__gone_or_complete_it_binds_no_longer() -> None:
    gone = position(FIELD, "0: Ames D6 > SE")
    play(gone, "remove")
    can(gone, "start Ames N, start Boone S")
    complete = position(FIELD, "0: Ames D6 > SE")
    play(complete, "replace S")
    can(complete, "start Ames N, start Clinton S")


def test_rule_4_2__a_tile_may_not_be_entered_by_an_edge_that_other_track_uses() -> None:
    for owner in (0, 1):
        game = position(FIELD, f"{owner}: {AMES_CLINTON}")
        cannot(game, "start Ames S, start Clinton N", "4.2")
        can(game, "start Ames SE, start Clinton NE")
    incomplete = position(FIELD, "1: Ames D6 > SE")
    cannot(incomplete, "start Ames S", "4.2")
    can(incomplete, "start Clinton N")


def test_rule_4_2__a_blocked_link_can_only_be_redirected_or_taken_back() -> None:
    # Seat 1's tight curve on D6 from N to NW is in the way: from SE nothing crosses it.
    game = position(FIELD, "1: Ames D6 > NW", "0: Boone G5 F6 E7 > NW")
    assert choices(game, "head") == set()
    cannot(game, "head N, head NE, head S, head SW, head NW", "1.4")
    cannot(game, "start Boone S, start Boone SW", "4.2")
    can(game, "remove, replace S, replace N, replace SW, money")
    play(game, "replace SW")  # for example into Clinton
    assert links(game, 0) == ["0: Boone G5 F6 E7 Clinton"]


def test_rule_4_2__a_full_hex_blocks_a_link() -> None:
    game = position(FIELD, "1: Ames D6 Clinton", "2: Boone G5 F4 E5 D6 > SW", "0: Dyson G7 F6 E7 > NW", seats=3)
    cannot(game, "head NW, head SW, head N", "4.1 or 1.4")
    assert choices(game, "head") == set()
    play(game, "replace SW")
    assert links(game, 0) == ["0: Dyson G7 F6 E7 Clinton"]


def test_rule_4_2__the_rulebooks_redirection_replace_then_go_on() -> None:
    game = position(FIELD, "1: Ames D6 > NW", "0: Boone G5 F6 E7 > NW")
    play(game, "replace N, head SW")
    assert links(game, 0) == ["0: Boone G5 F6 E7 E5 > SW"]
    assert game.actions_left == 1


def test_rule_4_2__two_links_may_wait_for_the_same_hex_and_the_first_comes_first() -> None:
    game = position(FIELD, "0: Ames E5 > SE", "1: Boone G5 > SW", seats=2)
    play(game, "head SE")  # F6 from NW to SE
    assert links(game, 0) == ["0: Ames E5 F6 > SE"]
    play(game, "done, money")
    assert choices(game, "head") == {"SW", "S"}  # from NE across the straight from NW to SE
    play(game, "head SW")
    assert links(game, 1) == ["1: Boone G5 F6 > SW"]
    assert game.money == [8, 3]


# --- 4.3 ----------------------------------------------------------------------------------------------
def test_rule_4_3__a_seat_without_track_starts_from_any_city() -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}", f"1: {AMES_BOONE}")
    assert cities_to_start(game) == {"Ames", "Boone", "Clinton", "Dyson"}


def test_rule_4_3__a_seat_with_a_network_starts_from_its_cities_only() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", f"1: {BOONE_DYSON}")
    assert cities_to_start(game) == {"Ames", "Clinton"}
    cannot(game, "start Boone N, start Dyson S, start Dyson NE", "4.3")


def test_rule_4_3__others_links_do_not_extend_the_network() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", f"1: {AMES_BOONE}", f"1: {BOONE_DYSON}")
    assert cities_to_start(game) == {"Ames", "Clinton"}
    cannot(game, "start Boone N, start Dyson S", "4.3")


# Ames A1 and Boone B2 are a group, so are Clinton A7, Dyson B8 and Elgin C9.
GROUPS = """
    A . . . .
     B . . .
    . . . . .
     . . . .
    . . . . .
     . . . .
    C . . . .
     D . . F
    . E . . .
     . . . .
"""


def test_rule_4_3__from_any_city_of_a_group_in_the_network() -> None:
    game = position(GROUPS, "0: Boone B4 A5 Clinton")
    assert cities_to_start(game) == {"Ames", "Boone", "Clinton", "Dyson", "Elgin"}
    cannot(game, "start Fargo NW", "4.3")
    play(game, "start Elgin NE, head NE")
    assert links(game) == ["0: Boone B4 A5 Clinton", "0: Elgin D8 > NE"]


def test_rule_4_3__starting_needs_a_train_which_is_placed_at_once() -> None:
    game = position(FIELD)
    play(game, "start Ames S")
    assert game.trains == [21, 21]
    play(game, "head SE")
    assert game.trains == [20, 21]
    play(game, "head NE")  # going on takes none
    assert game.trains == [20, 21]
    play(game, "head NE, head SE")
    assert game.trains == [20, 21]
    assert links(game) == ["0: Ames D6 E7 F6 G5 > SE"]


def test_rule_4_3__completing_takes_no_train() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    assert game.trains == [20, 21]
    play(game, "replace S, start Clinton S, head NE")
    assert game.trains == [19, 21]


def last_train(open_link: str) -> Game:
    """Seat 0 has twenty complete links and this one, which takes its last train."""
    board, paths = quilt(owner=0)
    lane: Cells = {(1, 15): ".", (1, 17): ".", (1, 19): "Depot", (2, 16): ".", (2, 18): ".", (2, 20): "."}
    return position({**board, **lane}, *paths[:20], open_link)


def test_rule_4_3__without_a_train_no_link_can_be_started() -> None:
    game = last_train("0: Cellar1 A15 A17 Depot")
    assert game.trains[0] == 0
    assert choices(game, "start") == set()
    cannot(game, "start Cellar2 S, start Depot NE, start Lower5 S", "4.3")


def test_rule_4_3__without_a_train_a_link_can_be_finished() -> None:
    game = last_train("0: Cellar1 A15 > S")
    assert game.trains[0] == 0
    can(game, "head SE, head S, replace SE, remove")
    play(game, "head S")
    assert links(game)[-1] == "0: Cellar1 A15 A17 Depot"
    assert game.trains[0] == 0


def test_rule_4_3__the_train_of_a_link_taken_back_starts_another() -> None:
    game = last_train("0: Cellar1 A15 > S")
    play(game, "remove")
    assert game.trains[0] == 1
    play(game, "start Cellar2 S, head S")
    assert game.trains[0] == 0


# --- 4.4 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("terrain", [".", "h", "m"])
def test_rule_4_4__the_far_edge_may_lead_into_empty_land_whatever_it_will_cost(terrain: str) -> None:
    game = position(flower(petals={"N": "A", "SE": terrain}), money=0)
    play(game, "start Ames S, head SE")
    assert links(game) == ["0: Ames D4 > SE"]


def test_rule_4_4__the_far_edge_may_lead_into_a_city() -> None:
    game = position(flower(petals={"N": "A", "SE": "B"}))
    play(game, "start Ames S, head SE")
    assert links(game) == ["0: Ames D4 Boone"]


def test_rule_4_4__the_far_edge_may_not_lead_into_water() -> None:
    game = position(flower(petals={"N": "A", "S": "~", "SW": "~"}))
    play(game, "start Ames S")
    assert choices(game, "head") == {"NE", "SE", "NW"}
    cannot(game, "head S, head SW", "4.4")


def test_rule_4_4__the_far_edge_may_not_lead_off_the_map() -> None:
    cells = flower(petals={"N": "A"})
    del cells[4, 6], cells[3, 5]  # to the south, to the south-west
    game = position({**cells, (4, 8): ".", (1, 1): "."})  # a void within the map is off it too
    play(game, "start Ames S")
    assert choices(game, "head") == {"NE", "SE", "NW"}
    cannot(game, "head S, head SW", "4.4")


def test_rule_4_4__the_far_edge_may_not_lead_back_into_the_city_it_started_from() -> None:
    game = position(FIELD)
    play(game, "start Ames SE, head N")
    cannot(game, "head SW", "4.4")  # from E3 into Ames
    play(game, "head NW")
    cannot(game, "head S", "4.4")  # from D2
    can(game, "head SW, head NW, head NE")
    longer = position(FIELD, "0: Ames E5 E7 D6 > NW", f"1: {BOONE_DYSON}")
    cannot(longer, "replace N", "4.4")
    can(longer, "replace SW, replace S, replace NE")


def test_rule_4_4__a_city_linked_already_is_no_start_and_may_be_entered() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 E5 > N")
    play(game, "head SW")  # into Ames, where the seat's first link began
    assert links(game, 0) == [f"0: {AMES_CLINTON}", "0: Clinton E7 E5 E3 Ames"]


def test_rule_4_4__two_cities_of_one_group_may_be_linked() -> None:
    game = position(GROUPS)
    play(game, "start Ames S, head NE")  # round the corner into Boone
    assert links(game) == ["0: Ames A3 Boone"]
    assert connected(game, 0) == {"Ames", "Boone"}
    assert game.trains == [20, 21]


def test_rule_4_4__the_city_it_started_from_is_one_tile_and_not_its_group() -> None:
    game = position(GROUPS, "0: Boone B4 > NW")  # before A3, which touches Ames in the north, Boone in the north-east
    cannot(game, "head NE", "4.4")
    play(game, "head N")
    assert links(game) == ["0: Boone B4 A3 Ames"]


def test_rule_4_4__the_far_edge_may_not_join_the_tail_of_another_link() -> None:
    # Seat 1's link on F6 waits to come into E5.
    game = position(FIELD, "1: Boone G5 F6 > NW")
    play(game, "start Ames SE")
    cannot(game, "head SE", "4.4")
    can(game, "head N, head NE, head S, head SW")


def test_rule_4_4__a_hex_whose_track_does_not_use_the_shared_edge_may_be_faced() -> None:
    other = position(FIELD, f"1: {AMES_CLINTON}")
    play(other, "start Boone SW, head SW, head NW")
    assert links(other, 0) == ["0: Boone G5 F6 > NW"]
    play(other, "head SW")
    assert links(other, 0) == ["0: Boone G5 F6 E5 > SW"]  # faces D6


def test_rule_4_4__even_the_tail_of_another_link_may_be_faced_from_the_side() -> None:
    game = position(FIELD, "1: Boone G5 F6 > NW")
    play(game, "start Dyson NW, head N")  # G7 ahead of G5, whose track goes from NE to SW
    assert links(game, 0) == ["0: Dyson G7 > N"]
    play(game, "head N")
    assert links(game, 0) == ["0: Dyson G7 G5 > N"]


def test_rule_4_4__even_a_full_hex_may_be_faced() -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}", "2: Boone G5 F4 E5 D6 > SW", "0: Dyson G7 F6 > SW", seats=3)
    play(game, "head NW")  # E7 towards D6
    assert links(game, 0) == ["0: Dyson G7 F6 E7 > NW"]
    assert choices(game, "head") == set()


def test_rule_4_4__a_link_may_face_its_own_track_from_the_side() -> None:
    game = position(OPEN, "0: Ames C5 C7 > NE")
    play(game, "head NW")
    assert links(game) == ["0: Ames C5 C7 D6 > NW"]


def test_rule_4_4__a_start_needs_a_far_edge() -> None:
    dead_end = """
        A . .
         ~ .
        . . .
         ~ .
    """
    game = position(dead_end)
    cannot(game, "start Ames S", "4.4")
    assert choices(game, "start") == set()


# --- 4.5 ----------------------------------------------------------------------------------------------
def test_rule_4_5__a_far_edge_into_a_city_completes_the_link() -> None:
    game = position(FIELD)
    assert connected(game, 0) == set()
    play(game, "start Ames S")
    assert connected(game, 0) == set()
    play(game, "head S")
    assert game.links() == [
        {"owner": 0, "path": ["Ames", "D6", "Clinton"], "complete": True, "open": None},
    ]
    assert connected(game, 0) == {"Ames", "Clinton"}
    assert connected(game, 1) == set()


def test_rule_4_5__an_incomplete_link_connects_neither_end() -> None:
    game = position(FIELD, "0: Ames E5 F4 > SE")
    assert connected(game, 0) == set()
    play(game, "head NE")
    assert connected(game, 0) == {"Ames", "Boone"}


def test_rule_4_5__the_groups_of_both_ends_belong_to_the_network() -> None:
    game = position(GROUPS, "0: Boone B4 > SW")
    play(game, "head S")
    assert links(game) == ["0: Boone B4 A5 Clinton"]
    assert connected(game, 0) == {"Ames", "Boone", "Clinton", "Dyson", "Elgin"}


def test_rule_4_5__with_the_second_placement_a_new_link_may_be_started() -> None:
    game = position(FIELD)
    play(game, "start Ames S, head S")
    assert (game.phase, game.actions_left) == ("track", 2)
    assert cities_to_start(game) == {"Ames", "Clinton"}
    cannot(game, "start Boone S", "4.3")
    assert not {"remove"} & set(game.legal_text())
    assert choices(game, "replace") == choices(game, "head") == set()
    play(game, "start Clinton S, head NE")
    assert links(game) == [f"0: {AMES_CLINTON}", "0: Clinton D10 > NE"]
    assert game.actions_left == 1


def test_rule_4_5__two_links_may_be_completed_in_one_action() -> None:
    game = position("""
        A B C
         . .
        . . .
    """)
    play(game, "start Ames SE, head NE, start Boone SE, head NE")
    assert links(game) == ["0: Ames B2 Boone", "0: Boone D2 Clinton"]
    assert game.trains == [19, 21]
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_4_5__after_the_second_placement_completes_it_the_action_is_over() -> None:
    game = position(FIELD, "0: Ames E5 F4 > NE")
    play(game, "replace SE, head NE")
    assert links(game) == [f"0: {AMES_BOONE}"]
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_4_5__without_a_train_the_action_ends_with_the_link() -> None:
    game = last_train("0: Cellar1 A15 > S")
    play(game, "head S")
    assert (game.phase, game.actions_left) == ("action", 1)  # done would have been the only choice
    assert "done" not in game.legal_text()


def test_rule_4_5__without_a_place_to_start_the_action_ends_with_the_link() -> None:
    game = position("""
        A ~
         ~
        . ~
         ~
        B ~
    """)
    play(game, "start Ames S, head S")
    assert links(game) == ["0: Ames A3 Boone"]
    assert (game.phase, game.actions_left) == ("action", 1)


def test_rule_4_5__without_money_for_the_start_the_action_ends_with_the_link() -> None:
    board = """
        A ~
         ~
        . ~
         ~
        B ~
         ~
        h ~
         ~
        . ~
    """
    poor = position(board, money=1)
    play(poor, "start Ames S, head S")
    assert (poor.phase, poor.actions_left) == ("action", 1)
    rich = position(board, money=2)
    play(rich, "start Ames S, head S")
    assert rich.legal_text() == ["done", "start Boone S"]


def test_rule_4_5__done_is_offered_where_something_else_is_possible() -> None:
    game = position(FIELD)
    play(game, "start Ames S, head S")
    can(game, "done")
    play(game, "done")
    assert (game.phase, game.actions_left) == ("action", 1)


# --- 4.6 ----------------------------------------------------------------------------------------------
def test_rule_4_6__a_seat_may_lay_parallel_links() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}")
    play(game, "start Ames SE, head S, head SW")
    assert links(game) == [f"0: {AMES_CLINTON}", "0: Ames E5 E7 Clinton"]
    assert game.trains == [19, 21]
    play(game, "start Clinton NW, head N, head NE")
    assert links(game)[-1] == "0: Clinton C7 C5 Ames"
    assert game.trains == [18, 21]


def test_rule_4_6__another_seat_may_too() -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}")
    play(game, "start Ames SE, head S, head SW")
    assert links(game) == [f"1: {AMES_CLINTON}", "0: Ames E5 E7 Clinton"]
    assert game.city("Ames")["connected"] == [0, 1]


# --- 4.7 ----------------------------------------------------------------------------------------------
def test_rule_4_7__another_far_edge_with_the_same_entry_edge() -> None:
    game = position(FIELD, "0: Ames E5 > SE")  # enters E5 by NW
    assert choices(game, "replace") == {"N", "NE", "S", "SW"}
    cannot(game, "replace NW", "1.3 or 4.7")
    cannot(game, "replace SE", "4.7")
    for far in ("N", "NE", "S", "SW"):
        laid = game.clone()
        play(laid, f"replace {far}")
        assert links(laid) == [f"0: Ames E5 > {far}"]
        assert laid.trains == [20, 21]


def test_rule_4_7__only_the_last_tile_is_replaced() -> None:
    game = position(FIELD, "0: Ames E5 F6 > SE")
    play(game, "replace S")
    assert links(game) == ["0: Ames E5 F6 > S"]


def test_rule_4_7__there_must_be_an_incomplete_link() -> None:
    for game in (position(FIELD), position(FIELD, f"0: {AMES_CLINTON}", "1: Boone G5 > SW")):
        for edge in EDGES:
            cannot(game, f"replace {edge}", "4.1 or 4.7")


def test_rule_4_7__a_replaced_tile_obeys_the_rules_for_far_edges() -> None:
    coast = flower(petals={"N": "A", "NE": "~", "SW": "h"})
    del coast[4, 6]  # to the south
    game = position({**coast, (4, 8): "."}, "0: Ames D4 > SE", money=0)
    assert choices(game, "replace") == {"SW", "NW"}
    cannot(game, "replace NE, replace S", "4.4")
    joining = position(FIELD, "1: Boone G5 F6 > NW", "0: Ames E5 > S")
    cannot(joining, "replace SE", "4.4")
    can(joining, "replace N, replace NE, replace SW")


def test_rule_4_7__on_a_shared_hex_it_must_still_cross() -> None:
    # D6 has seat 1's straight from N to S; seat 0 comes in by NE.
    game = position(FIELD, f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 D6 > SW")
    assert choices(game, "replace") == {"NW"}
    cannot(game, "replace SE", "1.4")
    cannot(game, "replace N, replace S", "1.4 or 4.2 or 4.4")
    play(game, "replace NW")
    assert links(game) == [f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 D6 > NW"]


def crossed_tail() -> Game:
    """Seat 0's tail on C5 goes from N to S; seat 1 has crossed it from SE to NW."""
    game = position(OPEN, "0: Ames C5 > S", "1: Boone E9 E7 D6 > NW", turn={"seat": 1, "first_player": 1}, money=2)
    play(game, "head NW, done, money")
    assert links(game) == ["0: Ames C5 > S", "1: Boone E9 E7 D6 C5 > NW"]
    assert (game.seat, game.money) == (0, [2, 3])
    return game


def test_rule_4_7__it_must_cross_a_segment_that_was_laid_later_too() -> None:
    game = crossed_tail()
    assert choices(game, "replace") == {"SW"}
    cannot(game, "replace NE", "1.4")
    play(game, "replace SW")
    assert links(game) == ["0: Ames C5 > SW", "1: Boone E9 E7 D6 C5 > NW"]


def test_rule_4_7__it_must_cross_the_links_own_segment_too() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 C5 > SW")
    assert choices(game, "replace") == {"NW"}
    cannot(game, "replace NE", "1.4")


def test_rule_4_7__it_may_complete_the_link() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    play(game, "replace S")
    assert links(game) == [f"0: {AMES_CLINTON}"]
    assert connected(game, 0) == {"Ames", "Clinton"}
    assert game.trains == [20, 21]
    can(game, "start Clinton S, start Ames N, done")  # the second placement


def test_rule_4_7__a_tile_just_laid_may_be_replaced() -> None:
    game = position(FIELD)
    play(game, "start Ames S, head SE, replace SW")
    assert links(game) == ["0: Ames D6 > SW"]
    assert game.actions_left == 1


def test_rule_4_7__the_same_tile_twice() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    play(game, "replace SW, replace SE")
    assert links(game) == ["0: Ames D6 > SE"]
    assert game.actions_left == 1


# --- 4.8 ----------------------------------------------------------------------------------------------
def test_rule_4_8__the_tile_before_becomes_the_tail() -> None:
    game = position(OPEN, "0: Ames C5 D6 E7 > SE")
    play(game, "remove")
    assert links(game) == ["0: Ames C5 D6 > SE"]
    assert choices(game, "replace") == {"N", "NE", "S", "SW"}  # D6 is entered by NW
    play(game, "remove")
    assert links(game) == ["0: Ames C5 > SE"]
    assert game.trains == [20, 21]


def test_rule_4_8__the_hex_is_empty_again() -> None:
    game = position(OPEN, "0: Ames C5 > SE", "1: Boone E9 D8 > N", money=0, turn={"actions_left": 1})
    play(game, "head SE, remove")  # D6, and away with it
    assert game.seat == 1
    assert choices(game, "head") == {"N", "NE", "SE", "SW"}  # all but NW, where seat 0's tail comes out
    play(game, "head N, done, money")
    assert links(game) == ["0: Ames C5 > SE", "1: Boone E9 D8 D6 > N"]


def test_rule_4_8__a_hex_laid_anew_is_paid_anew() -> None:
    game = position(flower("A", {"NE": "h"}), money=4)
    play(game, "start Ames NE, head S, remove")
    assert game.money == [2, 4]
    play(game, "start Ames NE, head S")
    assert game.money == [0, 4]


def test_rule_4_8__the_last_placed_crossing_leaves_the_other_segment() -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 D6 > SW")
    play(game, "remove")
    assert links(game) == [f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 > SW"]
    assert connected(game, 1) == {"Ames", "Clinton"}
    cannot(game, "head SE", "1.4")  # the segment is still there
    play(game, "head NW")
    assert game.money == [3, 5]
    assert links(game) == [f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 D6 > NW"]


def test_rule_4_8__a_segment_that_was_crossed_leaves_the_crossing_one() -> None:
    game = crossed_tail()
    play(game, "remove")
    assert links(game) == ["1: Boone E9 E7 D6 C5 > NW"]
    play(game, "start Ames S")
    assert choices(game, "head") == {"S", "SW"}  # across seat 1's, which is alone now
    play(game, "head SW")
    assert game.money == [0, 3]
    assert links(game) == ["1: Boone E9 E7 D6 C5 > NW", "0: Ames C5 > SW"]


def test_rule_4_8__what_remains_can_be_continued_by_its_owner() -> None:
    game = crossed_tail()
    play(game, "remove, done, money")
    assert game.seat == 1
    play(game, "head N, remove, remove")
    assert links(game) == ["1: Boone E9 E7 D6 > NW"]
    assert choices(game, "head") == set(EDGES) - {"SE"}  # C5 is empty now


def test_rule_4_8__a_link_that_crosses_itself_is_taken_back_tile_by_tile() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 C5 B6 > SW")
    left = ["Ames C5 C7 D6 C5 > SW", "Ames C5 C7 D6 > NW", "Ames C5 C7 > NE", "Ames C5 > S"]
    for path in left:
        play(game, "remove")
        assert links(game, 0) == [f"0: {path}"]
        assert game.trains == [20, 21]
        if game.seat == 1:
            next_turn(game)
    play(game, "remove")
    assert links(game) == []
    assert game.trains == [21, 21]


def test_rule_4_8__removing_the_only_tile_removes_the_link_and_returns_its_train() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > N")
    assert game.trains == [19, 21]
    play(game, "remove")
    assert links(game) == [f"0: {AMES_CLINTON}"]
    assert game.trains == [20, 21]
    cannot(game, "remove, replace N", "4.1 or 4.8")


def test_rule_4_8__removing_a_link_leaves_those_begun_later_alone() -> None:
    before = [f"1: {AMES_CLINTON}", "0: Boone G3 > N"]
    after = [f"1: {AMES_BOONE}", "2: Dyson G9 > NW", "1: Boone H6 > SW"]
    game = position(FIELD, *before, *after, seats=3)
    play(game, "remove, done, money")
    assert links(game) == [before[0], *after]
    assert Game.from_scenario(game.to_scenario()).records == game.records  # whose each segment is, too
    assert game.seat == 1
    play(game, "replace S, done, money")  # seat 1 goes on with its own link
    assert links(game) == [before[0], *after[:2], f"1: {BOONE_DYSON}"]
    assert game.seat == 2
    play(game, "head SW")
    assert links(game, 2) == ["2: Dyson G9 F8 > SW"]


def test_rule_4_8__complete_links_are_never_broken() -> None:
    for others in ([], [f"0: {AMES_CLINTON}"], [f"0: {AMES_CLINTON}", "1: Boone G5 > SW"]):
        game = position(FIELD, *others)
        cannot(game, "remove", "4.1 or 4.8")
    just_completed = position(FIELD, "0: Ames E5 F4 > SE")
    play(just_completed, "head NE")
    cannot(just_completed, "remove, replace N", "4.1 or 4.8")


# --- 4.9 ----------------------------------------------------------------------------------------------
def test_rule_4_9__a_seat_that_removed_its_only_link_starts_anywhere() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    play(game, "remove")
    assert cities_to_start(game) == {"Ames", "Boone", "Clinton", "Dyson"}
    play(game, "start Dyson N, head NW")
    assert links(game) == ["0: Dyson H6 > NW"]


def test_rule_4_9__in_a_later_action_too() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    play(game, "remove, done")
    assert cities_to_start(game) == {"Ames", "Boone", "Clinton", "Dyson"}


def test_rule_4_9__with_a_complete_link_it_starts_in_its_network() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > N")
    play(game, "remove")
    assert cities_to_start(game) == {"Ames", "Clinton"}
    cannot(game, "start Boone S", "4.3")


# --- 4.10 ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("terrain", "cost"), [("h", 2), ("m", 4)])
def test_rule_4_10__what_cannot_be_paid_is_illegal(terrain: str, cost: int) -> None:
    board = flower("A", {"NE": terrain, "SE": terrain})
    exact = position(board, money=cost)
    play(exact, "start Ames NE, head S")
    assert exact.money == [0, cost]
    assert choices(exact, "head") == set()  # the second one cannot be paid
    cannot(exact, "head NE, head S", "4.10")
    poor = position(board, money=cost - 1)
    cannot(poor, "start Ames NE", "4.10")
    can(poor, "start Ames N")


def test_rule_4_10__a_tile_on_the_way_must_be_paid_too() -> None:
    board = flower("A", {"NE": "m"})
    ready = "0: Ames D2 > SE"  # before E3, the mountain
    play(position(board, ready, money=4), "head S")
    poor = position(board, ready, money=3)
    cannot(poor, "head S", "4.10")
    assert choices(poor, "head") == set()
    can(poor, "remove, replace SW")


@pytest.mark.parametrize("money", [0, 1])
def test_rule_4_10__a_crossing_must_be_paid(money: int) -> None:
    game = position(FIELD, f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 > SW", money=money)
    cannot(game, "head SW, head NW", "4.10")
    can(position(FIELD, f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 > SW", money=2), "head SW, head NW")


def test_rule_4_10__without_money_there_are_still_plains() -> None:
    game = position(FIELD, money=0)
    play(game, "start Ames S, head SE, head NE")
    assert game.money == [0, 0]


def test_rule_4_10__the_banks_money_is_unlimited() -> None:
    game = position(FIELD, money=[10_000, 5])
    play(game, "money")
    assert game.money == [10_003, 5]


# --- all of section 4 at once -------------------------------------------------------------------------
# A second reading of the rules, in plain words and without speed, plays beside the game.
Tile = tuple[Cell, str, str]  # hex, entry edge, far edge
STOCK = {"simple": 80, "tight or straights": 10, "curved": 10}
PRICE = {".": 0, "h": 2, "m": 4}


@dataclass
class Way:
    """A link: its owner, the City hex where it starts, its tiles, and the City hex where it ends."""

    owner: int
    start: Cell
    tiles: list[Tile]
    end: Cell | None = None


class Reading:
    """What sections 1 and 4 say about a board."""

    def __init__(self, cells: Cells, seats: int, money: int) -> None:
        self.cells = cells
        self.money = [money] * seats
        self.trains = [21] * seats
        self.ways: list[Way] = []

    def is_city(self, cell: Cell) -> bool:
        return len(self.cells.get(cell, "")) > 1

    def segments(self, cell: Cell) -> list[set[str]]:
        return [{entry, far} for way in self.ways for at, entry, far in way.tiles if at == cell]

    def stock(self) -> Counter[str]:
        left = Counter(STOCK)
        left.subtract(kind_of(self.segments(cell)) for cell in self.cells if self.segments(cell))
        return left

    def open_way(self, seat: int) -> Way | None:
        return next((way for way in self.ways if way.owner == seat and way.end is None), None)

    def group(self, city: Cell) -> set[Cell]:
        found, front = {city}, [city]
        while front:
            here = front.pop()
            for edge in EDGES:
                there = across(here, edge)
                if self.is_city(there) and there not in found:
                    found.add(there)
                    front.append(there)
        return found

    def network(self, seat: int) -> set[Cell]:
        ends = [end for way in self.ways if way.owner == seat and way.end for end in (way.start, way.end)]
        return set().union(*map(self.group, ends)) if ends else set()

    def fits(self, cell: Cell, staying: list[set[str]], entry: str, far: str, start: Cell) -> bool:
        """Whether a segment may lie there beside the one that stays, the tile that is there given back first."""
        kind = kind_of([*staying, {entry, far}]) if entry != far else None
        if kind is None:
            return False
        stock = self.stock()
        if self.segments(cell):
            stock[kind_of(self.segments(cell))] += 1
        beyond = across(cell, far)
        return (
            stock[kind] > 0
            and beyond != start
            and self.cells.get(beyond, "~") != "~"
            and not any(opposite(far) in segment for segment in self.segments(beyond))
        )

    def price(self, cell: Cell) -> int:
        return 2 if self.segments(cell) else PRICE[self.cells[cell]]

    def far_edges(self, seat: int, cell: Cell, entry: str, start: Cell) -> set[str]:
        """Far edges of a tile that the seat may lay on the hex, coming in by the entry edge."""
        there = self.segments(cell)
        if self.cells.get(cell, "~") not in PRICE or len(there) > 1 or any(entry in segment for segment in there):
            return set()
        if self.price(cell) > self.money[seat]:
            return set()
        return {far for far in EDGES if self.fits(cell, there, entry, far, start)}

    def placements(self, seat: int) -> set[str]:
        way = self.open_way(seat)
        if way is not None:
            return self.placements_on(seat, way)
        if self.trains[seat] == 0:
            return set()
        cities = self.network(seat) or {cell for cell in self.cells if self.is_city(cell)}
        return {
            f"start {self.cells[city]} {edge}"
            for city in cities
            for edge in EDGES
            if self.far_edges(seat, across(city, edge), opposite(edge), city)
        }

    def placements_on(self, seat: int, way: Way) -> set[str]:
        cell, entry, far = way.tiles[-1]
        heads = self.far_edges(seat, across(cell, far), opposite(far), way.start)
        staying = [segment for segment in self.segments(cell) if segment != {entry, far}]
        others = {edge for edge in EDGES if edge != far and self.fits(cell, staying, entry, edge, way.start)}
        removable = not staying or self.stock()["simple"] > 0
        texts = {f"head {edge}" for edge in heads} | {f"replace {edge}" for edge in others}
        return texts | {"remove"} if removable else texts

    def heads_after(self, seat: int, start: str) -> set[str]:
        city, edge = self.start_of(start)
        return {f"head {far}" for far in self.far_edges(seat, across(city, edge), opposite(edge), city)}

    def start_of(self, start: str) -> tuple[Cell, str]:
        _, name, edge = start.split()
        return next(cell for cell, mark in self.cells.items() if mark == name), edge

    def place(self, seat: int, action: str, start: str) -> None:
        word, _, edge = action.partition(" ")
        way = self.open_way(seat)
        if way is None:
            city, out = self.start_of(start)
            way = Way(seat, city, [])
            self.trains[seat] -= 1
            where = (across(city, out), opposite(out))
        elif word == "head":
            where = (across(way.tiles[-1][0], way.tiles[-1][2]), opposite(way.tiles[-1][2]))
        else:
            where = way.tiles.pop()[:2]
        if word == "head":
            self.money[seat] -= self.price(where[0])
        if way not in self.ways and word != "remove":
            self.ways.append(way)
        if word != "remove":
            way.tiles.append((*where, edge))
            beyond = across(where[0], edge)
            way.end = beyond if self.is_city(beyond) else None
        elif not way.tiles:
            self.ways = [other for other in self.ways if other is not way]
            self.trains[seat] += 1

    def texts(self) -> list[str]:
        texts = []
        for way in self.ways:
            path = [self.cells[way.start], *(name_of(cell) for cell, _, _ in way.tiles)]
            end = f" {self.cells[way.end]}" if way.end else f" > {way.tiles[-1][2]}"
            texts.append(f"{way.owner}: {' '.join(path)}{end}")
        return texts


def across(cell: Cell, edge: str) -> Cell:
    return cell[0] + STEPS[edge][0], cell[1] + STEPS[edge][1]


def kind_of(segments: list[set[str]]) -> str | None:
    """The stock of the tile with these segments; None if there is no such tile."""
    if len(segments) == 1:
        return "tight or straights" if apart(*segments[0]) == 1 else "simple"
    if not alternate(*map(tuple, segments)):
        return None
    return "tight or straights" if all(apart(*segment) == 3 for segment in segments) else "curved"


def random_board(dice: random.Random) -> Cells:
    """Some 45 hexes with nine cities, water, holes."""
    places = [(col, row) for col in range(1, 8) for row in range(1, 14) if (col + row) % 2 == 0]
    cells = {place: dice.choices(".hm~ ", [12, 3, 2, 1, 1])[0] for place in places}
    cells = {place: mark for place, mark in cells.items() if mark != " "} | {(1, 1): "."}
    for name, place in zip(CITY_OF.values(), dice.sample(sorted(cells), 9), strict=False):
        cells[place] = name
    return cells


@pytest.mark.parametrize("seed", range(8))
def test_rule_4_1__random_play_agrees_with_a_second_reading(seed: int) -> None:
    dice = random.Random(seed)
    cells = random_board(dice)
    seats = 2 + seed % 3
    names = iter(NAMES)  # in map order, whatever was drawn
    cells |= {cell: next(names) for cell in sorted(cells) if len(cells[cell]) > 1}
    game = position(cells, seats=seats, money=9, rules={"max_rounds": 45})
    reading = Reading(cells, seats, 9)
    start = ""
    while not game.done:
        seat = game.seat
        legal = set(game.legal_text())
        track = {text for text in legal if text.split()[0] in ("start", "head", "replace", "remove")}
        expected = reading.heads_after(seat, start) if game.phase == "head" else reading.placements(seat)
        assert track == expected, f"{reading.texts()}, {game!r}, money {game.money}"
        if dice.random() < 0.04:  # the reasons agree with what is legal
            assert [number for number in range(372) if game.explain(number) is None] == game.legal()
        idle = sorted(legal & {"money", "done"})
        action = dice.choice(sorted(track) if track and (not idle or dice.random() < 0.9) else idle)
        game.step(action)
        if action.startswith("start"):
            start = action
        elif action in track:
            reading.place(seat, action, start)
        elif action == "money":
            reading.money[seat] += 3
        assert links(game) == reading.texts()
        assert game.trains == reading.trains
        assert game.money == reading.money
