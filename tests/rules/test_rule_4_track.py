"""Section 4 of the rules: laying track."""

import random

import pytest

from steam_env import Game
from tests.rules.boards import (
    EDGES,
    Cells,
    can,
    cannot,
    choices,
    cities_to_start,
    connected,
    flower,
    legal,
    links,
    next_turn,
    play,
    position,
    quilt,
)
from tests.verification.lockstep.compare import Twins
from tests.verification.lockstep.scenarios import draw_scenario

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
ALL = {"Ames", "Boone", "Clinton", "Dyson"}
AMES_CLINTON = "Ames D6 Clinton"
AMES_BOONE = "Ames E5 F4 G5 Boone"
BOONE_DYSON = "Boone H6 Dyson"
# Seat 1's straight track on D6 from N to S, and seat 0 about to come into D6 by NE, or there already.
OTHER, BEFORE_D6, ON_D6 = f"1: {AMES_CLINTON}", "0: Boone G5 F4 E5 > SW", "0: Boone G5 F4 E5 D6 > SW"
# Seat 1's tight curve on D6 is in seat 0's way: from SE nothing crosses it.
BLOCKED = ("1: Ames D6 > NW", "0: Boone G5 F6 E7 > NW")

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
LOOP = "0: Ames C5 C7 D6 C5 > SW"  # crosses itself on C5

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


def where(game: Game) -> tuple[str, int]:
    """What is decided now, and the actions left, this one included."""
    return game.phase, game.actions_left


# --- 4.1 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("terrain", "cost"), [(".", 0), ("h", 2), ("m", 4)])
def test_rule_4_1__a_new_tile_costs_what_its_terrain_says(terrain: str, cost: int) -> None:
    assert play(position(flower("A", {"NE": terrain})), "start Ames NE, head S").money == [5 - cost, 5]
    second = play(position(flower("A", {"SE": terrain})), "start Ames NE, head S")
    assert second.money == [5, 5]
    assert play(second, "head SW").money == [5 - cost, 5]


def test_rule_4_1__nothing_is_paid_or_placed_before_the_far_edge_is_chosen() -> None:
    game = play(position(flower("A", {"NE": "h"})), "start Ames NE")
    assert (game.money, game.trains, links(game)) == ([5, 5], [21, 21], [])
    assert legal(game) == {"head S", "head NW"}


@pytest.mark.parametrize("terrain", [".", "h", "m"])
def test_rule_4_1__a_crossing_costs_two_dollars_on_any_terrain(terrain: str) -> None:
    board = flower(terrain, petals={"N": "B", "SW": "A"})
    assert play(position(board, "1: Boone D4 > S"), "start Ames NE, head NE").money == [3, 5]
    for money in (0, 1):
        cannot(position(board, "1: Boone D4 > S", money=money), "start Ames NE", "4.10")


def test_rule_4_1__a_crossing_keeps_the_segment_and_the_link_that_it_belongs_to() -> None:
    game = play(position(FIELD, OTHER, BEFORE_D6), "head SW")
    assert links(game) == [OTHER, ON_D6]
    assert (connected(game, 1), connected(game, 0)) == ({"Ames", "Clinton"}, set())


def test_rule_4_1__the_seats_own_track_may_be_crossed() -> None:
    game = play(position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > NW"), "head NW")
    assert (game.money, links(game)) == ([3, 5], [f"0: {AMES_CLINTON}", "0: Clinton E7 D6 > NW"])


def test_rule_4_1__a_link_may_cross_itself() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 > NW")
    assert choices(game, "head") == {"NW", "SW"}  # over C5, which the link itself passes from N to S
    cannot(game, "head N, head NE, head S", "1.4")
    cannot(game, "head SE", "1.3")
    play(game, "head SW")
    assert (game.money, links(game)) == ([3, 5], [LOOP])
    assert links(play(game, "head SW")) == ["0: Ames C5 C7 D6 C5 B6 > SW"]


def test_rule_4_1__a_hex_with_two_segments_takes_no_third() -> None:
    assert choices(position(FIELD, OTHER, BEFORE_D6), "head") == {"SW", "NW"}
    full = position(FIELD, OTHER, "2: Dyson G7 F6 E7 D6 > NW", BEFORE_D6, seats=3)
    cannot(full, "head SW, head NW, head N, head SE, head S", "4.1 or 1.4")


def test_rule_4_1__removal_and_replacement_are_free() -> None:
    game = position(flower("A", {"NE": "m"}), money=4)
    for actions in ("start Ames NE, head S", "replace NW", "replace S, remove"):
        assert play(game, actions).money == [0, 4]  # nothing is paid back either
    crossing = play(position(OPEN, LOOP, money=0), "replace NW, remove")
    assert (crossing.money, links(crossing)) == ([0, 0], ["0: Ames C5 C7 D6 > NW"])


def test_rule_4_1__one_placement_is_enough() -> None:
    game = play(position(FIELD), "start Ames S, head SE, done")
    assert (where(game), links(game)) == (("action", 1), ["0: Ames D6 > SE"])


@pytest.mark.parametrize("first", ["head SE", "remove", "replace SW"])
@pytest.mark.parametrize("second", ["head SE", "remove", "replace S"])
def test_rule_4_1__two_placements_of_any_kind_and_no_more(first: str, second: str) -> None:
    game = play(position(OPEN, "0: Ames C5 D6 > SE"), first)
    assert where(game) == ("track", 2)
    assert where(play(game, second)) == ("action", 1)
    cannot(game, "done", "3.1")


# --- 4.2 ----------------------------------------------------------------------------------------------
def test_rule_4_2__an_incomplete_link_must_be_continued_before_another_is_started() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > NE")
    assert choices(game, "start") == set()
    cannot(game, "start Ames NW, start Clinton S, start Boone N, start Clinton NE", "4.2")
    can(game, "head N, head NE, head SE")
    can(game, "money, contracts, build Ames")  # it forbids no other action


def test_rule_4_2__the_second_placement_must_continue_it_too() -> None:
    game = play(position(FIELD), "start Ames S, head SE")
    cannot(game, "start Ames NW, start Boone S", "4.2")
    assert legal(game) == {
        *("done", "remove"),
        *("head N", "head NE", "head SE", "head S", "head SW"),
        *("replace NE", "replace S", "replace SW", "replace NW"),
    }


@pytest.mark.parametrize(("edge", "tile", "entry"), [("NE", "E5", "SW"), ("SE", "E7", "NW"), ("SW", "C7", "NE")])
def test_rule_4_2__it_goes_on_across_the_open_edge_and_comes_in_by_it(edge: str, tile: str, entry: str) -> None:
    game = position(FIELD, f"0: Ames D6 > {edge}")
    cannot(game, f"head {entry}", "1.3")
    assert links(play(game, "head S")) == [f"0: Ames D6 {tile} > S"]


@pytest.mark.parametrize("others", [[], [f"0: {AMES_CLINTON}", "1: Boone G5 > SW"]])
def test_rule_4_2__without_an_incomplete_link_there_is_nothing_to_continue_replace_or_remove(others: list[str]) -> None:
    game = position(FIELD, *others)
    cannot(game, ", ".join(f"head {edge}" for edge in EDGES), "4.2")
    cannot(game, ", ".join(f"replace {edge}" for edge in EDGES), "4.1 or 4.7")
    cannot(game, "remove", "4.1 or 4.8")


def test_rule_4_2__incomplete_links_bind_only_their_owner() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "1: Boone G5 > SW", seats=3)
    can(game, "start Ames SE, start Clinton NW")
    cannot(next_turn(game), "start Boone S", "4.2")
    can(next_turn(game), "start Boone S, start Ames N, start Dyson SW")


def test_rule_4_2__gone_or_complete_it_binds_no_longer() -> None:
    can(play(position(FIELD, "0: Ames D6 > SE"), "remove"), "start Ames N, start Boone S")
    can(play(position(FIELD, "0: Ames D6 > SE"), "replace S"), "start Ames N, start Clinton S")


def test_rule_4_2__a_tile_may_not_be_entered_by_an_edge_that_other_track_uses() -> None:
    for owner in (0, 1):
        game = position(FIELD, f"{owner}: {AMES_CLINTON}")
        cannot(game, "start Ames S, start Clinton N", "4.2")
        can(game, "start Ames SE, start Clinton NE")
    incomplete = position(FIELD, "1: Ames D6 > SE")
    cannot(incomplete, "start Ames S", "4.2")
    can(incomplete, "start Clinton N")


def test_rule_4_2__a_blocked_link_can_only_be_redirected_or_taken_back() -> None:
    game = position(FIELD, *BLOCKED)
    assert choices(game, "head") == set()
    cannot(game, "head N, head NE, head S, head SW, head NW", "1.4")
    cannot(game, "start Boone S, start Boone SW", "4.2")
    can(game, "remove, replace S, replace N, money")
    assert links(play(game, "replace SW"), 0) == ["0: Boone G5 F6 E7 Clinton"]  # for example


def test_rule_4_2__the_rulebooks_redirection_replace_then_go_on() -> None:
    game = play(position(FIELD, *BLOCKED), "replace N, head SW")
    assert (links(game, 0), where(game)) == (["0: Boone G5 F6 E7 E5 > SW"], ("action", 1))


def test_rule_4_2__two_links_may_wait_for_the_same_hex_and_the_first_comes_first() -> None:
    game = play(position(FIELD, "0: Ames E5 > SE", "1: Boone G5 > SW"), "head SE, done, money")
    assert choices(game, "head") == {"SW", "S"}  # from NE across the straight from NW to SE
    play(game, "head SW")
    assert (links(game), game.money) == (["0: Ames E5 F6 > SE", "1: Boone G5 F6 > SW"], [8, 3])


# --- 4.3 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "cities", "refused"),
    [
        ([OTHER, f"1: {AMES_BOONE}"], ALL, []),  # no track of its own
        ([f"0: {AMES_CLINTON}"], {"Ames", "Clinton"}, ["start Boone N, start Dyson S, start Dyson NE"]),
        ([f"0: {AMES_CLINTON}", f"1: {AMES_BOONE}", f"1: {BOONE_DYSON}"], {"Ames", "Clinton"}, ["start Boone N"]),
    ],
)
def test_rule_4_3__a_seat_without_track_starts_from_any_city_another_from_its_own_network(
    before: list[str], cities: set[str], refused: list[str]
) -> None:
    game = position(FIELD, *before)
    assert cities_to_start(game) == cities
    for actions in refused:
        cannot(game, actions, "4.3")


def test_rule_4_3__from_any_city_of_a_group_in_the_network() -> None:
    game = position(GROUPS, "0: Boone B4 A5 Clinton")
    assert cities_to_start(game) == {"Ames", "Boone", "Clinton", "Dyson", "Elgin"}
    cannot(game, "start Fargo NW", "4.3")
    assert links(play(game, "start Elgin NE, head NE"))[1] == "0: Elgin D8 > NE"


def test_rule_4_3__starting_needs_a_train_which_is_placed_at_once() -> None:
    game = position(FIELD)
    for actions, trains in (("start Ames S", 21), ("head SE", 20), ("head NE", 20), ("head NE, head SE", 20)):
        assert play(game, actions).trains == [trains, 21]  # going on takes none
    assert links(game) == ["0: Ames D6 E7 F6 G5 > SE"]


def test_rule_4_3__completing_takes_no_train() -> None:
    game = position(FIELD, "0: Ames D6 > SE")
    assert play(game, "replace S").trains == [20, 21]
    assert play(game, "start Clinton S, head NE").trains == [19, 21]


def last_train(open_link: str) -> Game:
    """Seat 0 has twenty complete links and this one, which takes its last train."""
    board, paths = quilt(owner=0)
    lane: Cells = {(1, 15): ".", (1, 17): ".", (1, 19): "Depot", (2, 16): ".", (2, 18): ".", (2, 20): "."}
    game = position({**board, **lane}, *paths[:20], open_link)
    assert game.trains[0] == 0
    return game


def test_rule_4_3__without_a_train_no_link_can_be_started() -> None:
    game = last_train("0: Cellar1 A15 A17 Depot")
    assert choices(game, "start") == set()
    cannot(game, "start Cellar2 S, start Depot NE, start Lower5 S", "4.3")


def test_rule_4_3__without_a_train_a_link_can_be_finished() -> None:
    game = last_train("0: Cellar1 A15 > S")
    can(game, "head SE, head S, replace SE, remove")
    play(game, "head S")
    assert (links(game)[-1], game.trains[0]) == ("0: Cellar1 A15 A17 Depot", 0)
    assert where(game) == ("action", 1)  # rule 4.5: done would have been the only choice


def test_rule_4_3__the_train_of_a_link_taken_back_starts_another() -> None:
    game = play(last_train("0: Cellar1 A15 > S"), "remove")
    assert game.trains[0] == 1
    assert play(game, "start Cellar2 S, head S").trains[0] == 0


# --- 4.4 ----------------------------------------------------------------------------------------------
COAST = {cell: what for cell, what in flower(petals={"N": "A", "NE": "~", "SE": "~"}).items() if cell != (4, 6)}
COAST |= {(4, 8): ".", (1, 1): "."}  # D6, to the south of D4, is a void within the map
FACED = {
    "hills that cost too much": (flower(petals={"N": "A", "S": "h"}), [], "start Ames S, head S", "Ames D4 > S"),
    "mountains": (flower(petals={"N": "A", "S": "m"}), [], "start Ames S, head S", "Ames D4 > S"),
    "a city": (flower(petals={"N": "A", "SE": "B"}), [], "start Ames S, head SE", "Ames D4 Boone"),
    "a city linked already": (
        FIELD,
        [f"0: {AMES_CLINTON}", "0: Clinton E7 E5 > N"],
        "head SW",
        "Clinton E7 E5 E3 Ames",
    ),
    "another city of the group": (GROUPS, [], "start Ames S, head NE", "Ames A3 Boone"),
    "the group's city that the link left": (GROUPS, ["0: Boone B4 > NW"], "head N", "Boone B4 A3 Ames"),
    "other track from the side": (FIELD, [OTHER, "0: Boone G5 F4 > SW"], "head SW", "Boone G5 F4 E5 > SW"),
    "a tail from the side": (FIELD, ["1: Boone G5 F6 > NW"], "start Dyson NW, head N", "Dyson G7 > N"),
    "a full hex": (
        FIELD,
        [OTHER, "2: Boone G5 F4 E5 D6 > SW", "0: Dyson G7 F6 > SW"],
        "head NW",
        "Dyson G7 F6 E7 > NW",
    ),
    "its own track from the side": (OPEN, ["0: Ames C5 C7 > NE"], "head NW", "Ames C5 C7 D6 > NW"),
}


@pytest.mark.parametrize(("board", "before", "actions", "after"), FACED.values(), ids=FACED)
def test_rule_4_4__the_far_edge_may_lead_into(board: str | Cells, before: list[str], actions: str, after: str) -> None:
    assert links(play(position(board, *before, seats=3, money=0), actions), 0)[-1] == f"0: {after}"


def test_rule_4_4__the_far_edge_may_not_lead_into_water_or_off_the_map() -> None:
    game = play(position(COAST), "start Ames S")
    assert choices(game, "head") == {"SW", "NW"}
    cannot(game, "head NE, head SE, head S", "4.4")


def test_rule_4_4__the_far_edge_may_not_lead_back_into_the_city_it_started_from() -> None:
    game = play(position(FIELD), "start Ames SE, head N")
    cannot(game, "head SW", "4.4")  # from E3 into Ames
    cannot(play(game, "head NW"), "head S", "4.4")  # from D2
    can(game, "head SW, head NW, head NE")
    longer = position(FIELD, "0: Ames E5 E7 D6 > NW", f"1: {BOONE_DYSON}")
    cannot(longer, "replace N", "4.4")
    can(longer, "replace SW, replace S, replace NE")
    cannot(position(GROUPS, "0: Boone B4 > NW"), "head NE", "4.4")  # into Boone; Ames of its group may be entered


def test_rule_4_4__two_linked_cities_of_one_group_are_in_the_network() -> None:
    game = play(position(GROUPS), "start Ames S, head NE")
    assert (connected(game, 0), game.trains) == ({"Ames", "Boone"}, [20, 21])


def test_rule_4_4__the_far_edge_may_not_join_the_tail_of_another_link() -> None:
    game = play(position(FIELD, "1: Boone G5 F6 > NW"), "start Ames SE")  # F6 waits to come into E5
    cannot(game, "head SE", "4.4")
    can(game, "head N, head NE, head S, head SW")


def test_rule_4_4__a_start_needs_a_far_edge() -> None:
    game = position("""
        A . .
         ~ .
        . . .
         ~ .
    """)
    cannot(game, "start Ames S", "4.4")
    assert choices(game, "start") == set()


# --- 4.5 ----------------------------------------------------------------------------------------------
def test_rule_4_5__a_far_edge_into_a_city_completes_the_link() -> None:
    game = play(position(FIELD), "start Ames S")
    assert connected(game, 0) == set()
    play(game, "head S")
    assert game.links() == [{"owner": 0, "path": ["Ames", "D6", "Clinton"], "complete": True, "open": None}]
    assert (connected(game, 0), connected(game, 1)) == ({"Ames", "Clinton"}, set())


def test_rule_4_5__an_incomplete_link_connects_neither_end() -> None:
    game = position(FIELD, "0: Ames E5 F4 > SE")
    assert connected(game, 0) == set()
    assert connected(play(game, "head NE"), 0) == {"Ames", "Boone"}


def test_rule_4_5__the_groups_of_both_ends_belong_to_the_network() -> None:
    game = play(position(GROUPS, "0: Boone B4 > SW"), "head S")
    assert links(game) == ["0: Boone B4 A5 Clinton"]
    assert connected(game, 0) == {"Ames", "Boone", "Clinton", "Dyson", "Elgin"}


def test_rule_4_5__with_the_second_placement_a_new_link_may_be_started() -> None:
    game = play(position(FIELD), "start Ames S, head S")
    assert (where(game), cities_to_start(game)) == (("track", 2), {"Ames", "Clinton"})
    cannot(game, "start Boone S", "4.3")
    assert {text.split()[0] for text in legal(game)} == {"start", "done"}
    assert where(play(game.clone(), "done")) == ("action", 1)
    play(game, "start Clinton S, head NE")
    assert (links(game), where(game)) == ([f"0: {AMES_CLINTON}", "0: Clinton D10 > NE"], ("action", 1))


def test_rule_4_5__two_links_may_be_completed_in_one_action() -> None:
    game = position("""
        A B C
         . .
        . . .
    """)
    play(game, "start Ames SE, head NE, start Boone SE, head NE")
    assert links(game) == ["0: Ames B2 Boone", "0: Boone D2 Clinton"]
    assert (game.trains, where(game)) == ([19, 21], ("action", 1))


def test_rule_4_5__after_the_second_placement_completes_it_the_action_is_over() -> None:
    game = play(position(FIELD, "0: Ames E5 F4 > NE"), "replace SE, head NE")
    assert (links(game), where(game)) == ([f"0: {AMES_BOONE}"], ("action", 1))


@pytest.mark.parametrize(
    ("below", "money", "after"),
    [("~", 5, ["money"]), ("h", 1, ["money"]), ("h", 2, ["done", "start Boone S"])],
    ids=["no place", "no money", "both"],
)
def test_rule_4_5__where_no_other_can_be_started_the_action_ends_with_the_link(
    below: str, money: int, after: list[str]
) -> None:
    column = {(1, 1): "Ames", (1, 3): ".", (1, 5): "Boone", (1, 7): below, (1, 9): "."}
    game = play(position(column, contracts=1, fulfilled=[[0], []], money=money), "start Ames S, head S")
    assert where(game) == (("track", 2) if "done" in after else ("action", 1))
    assert legal(game) - {"build Ames", "build Boone"} == set(after)


# --- 4.6 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("owner", [0, 1])
def test_rule_4_6__parallel_links_of_the_same_seat_and_of_another(owner: int) -> None:
    game = play(position(FIELD, f"{owner}: {AMES_CLINTON}"), "start Ames SE, head S, head SW")
    assert links(game) == [f"{owner}: {AMES_CLINTON}", "0: Ames E5 E7 Clinton"]
    assert game.trains == ([19, 21] if owner == 0 else [20, 20])
    assert game.city("Ames")["connected"] == sorted({owner, 0})
    assert links(play(game, "start Clinton NW, head N, head NE"))[-1] == "0: Clinton C7 C5 Ames"


# --- 4.7 ----------------------------------------------------------------------------------------------
def test_rule_4_7__another_far_edge_with_the_same_entry_edge() -> None:
    game = position(FIELD, "0: Ames E5 > SE")  # enters E5 by NW
    assert choices(game, "replace") == {"N", "NE", "S", "SW"}
    cannot(game, "replace NW", "1.3 or 4.7")
    cannot(game, "replace SE", "4.7")
    for far in ("N", "NE", "S", "SW"):
        laid = play(game.clone(), f"replace {far}")
        assert (links(laid), laid.trains) == ([f"0: Ames E5 > {far}"], [20, 21])


REPLACED = {
    "only the last tile": (FIELD, ["0: Ames E5 F6 > SE"], "replace S", "Ames E5 F6 > S"),
    "a tile just laid": (FIELD, [], "start Ames S, head SE, replace SW", "Ames D6 > SW"),
    "the same tile twice": (FIELD, ["0: Ames D6 > SE"], "replace SW, replace SE", "Ames D6 > SE"),
}


@pytest.mark.parametrize(("board", "before", "actions", "after"), REPLACED.values(), ids=REPLACED)
def test_rule_4_7__replaced_is(board: str, before: list[str], actions: str, after: str) -> None:
    game = play(position(board, *before), actions)
    assert links(game) == [f"0: {after}"]


def test_rule_4_7__a_replaced_tile_obeys_the_rules_for_far_edges() -> None:
    game = position(COAST, "0: Ames D4 > SW", money=0)
    assert choices(game, "replace") == {"NW"}
    cannot(game, "replace NE, replace SE, replace S", "4.4")
    joining = position(FIELD, "1: Boone G5 F6 > NW", "0: Ames E5 > S")
    cannot(joining, "replace SE", "4.4")
    can(joining, "replace N, replace NE, replace SW")


def crossed_tail() -> Game:
    """Seat 0's tail on C5 goes from N to S; seat 1 has crossed it from SE to NW."""
    game = position(OPEN, "0: Ames C5 > S", "1: Boone E9 E7 D6 > NW", turn={"seat": 1, "first_player": 1}, money=2)
    play(game, "head NW, done, money")
    assert links(game) == ["0: Ames C5 > S", "1: Boone E9 E7 D6 C5 > NW"]
    assert (game.seat, game.money) == (0, [2, 3])
    return game


def test_rule_4_7__on_a_shared_hex_it_must_still_cross() -> None:
    game = position(FIELD, OTHER, ON_D6)
    assert choices(game, "replace") == {"NW"}
    cannot(game, "replace SE", "1.4")
    cannot(game, "replace N, replace S", "1.4 or 4.2 or 4.4")
    assert links(play(game, "replace NW")) == [OTHER, ON_D6.replace("> SW", "> NW")]


def test_rule_4_7__it_must_cross_a_segment_that_was_laid_later_too_and_the_links_own() -> None:
    for game, edge in ((crossed_tail(), "SW"), (position(OPEN, LOOP), "NW")):
        before = links(game, 0)[0]
        assert choices(game, "replace") == {edge}
        cannot(game, "replace NE", "1.4")
        assert links(play(game, f"replace {edge}"), 0) == [f"{before.partition('>')[0]}> {edge}"]


def test_rule_4_7__it_may_complete_the_link() -> None:
    game = play(position(FIELD, "0: Ames D6 > SE"), "replace S")
    assert (links(game), game.trains) == ([f"0: {AMES_CLINTON}"], [20, 21])
    assert connected(game, 0) == {"Ames", "Clinton"}
    can(game, "start Clinton S, start Ames N, done")  # the second placement


# --- 4.8 ----------------------------------------------------------------------------------------------
def test_rule_4_8__the_tile_before_becomes_the_tail() -> None:
    game = play(position(OPEN, "0: Ames C5 D6 E7 > SE"), "remove")
    assert links(game) == ["0: Ames C5 D6 > SE"]
    assert choices(game, "replace") == {"N", "NE", "S", "SW"}  # D6 is entered by NW
    assert (links(play(game, "remove")), game.trains) == (["0: Ames C5 > SE"], [20, 21])


def test_rule_4_8__the_hex_is_empty_again() -> None:
    game = position(OPEN, "0: Ames C5 > SE", "1: Boone E9 D8 > N", money=0, turn={"actions_left": 1})
    play(game, "head SE, remove")  # D6, and away with it
    assert game.seat == 1
    assert choices(game, "head") == {"N", "NE", "SE", "SW"}  # all but NW, where seat 0's tail comes out
    assert links(play(game, "head N, done, money")) == ["0: Ames C5 > SE", "1: Boone E9 D8 D6 > N"]


def test_rule_4_8__a_hex_laid_anew_is_paid_anew() -> None:
    game = play(position(flower("A", {"NE": "h"}), money=4), "start Ames NE, head S, remove")
    assert game.money == [2, 4]
    assert play(game, "start Ames NE, head S").money == [0, 4]


def test_rule_4_8__the_last_placed_crossing_leaves_the_other_segment() -> None:
    game = play(position(FIELD, OTHER, ON_D6), "remove")
    assert links(game) == [OTHER, BEFORE_D6]
    assert connected(game, 1) == {"Ames", "Clinton"}
    cannot(game, "head SE", "1.4")  # the segment is still there
    play(game, "head NW")
    assert (game.money, links(game)[1]) == ([3, 5], ON_D6.replace("> SW", "> NW"))


def test_rule_4_8__a_segment_that_was_crossed_leaves_the_crossing_one() -> None:
    game = play(crossed_tail(), "remove")
    assert links(game) == ["1: Boone E9 E7 D6 C5 > NW"]
    play(game, "start Ames S")
    assert choices(game, "head") == {"S", "SW"}  # across seat 1's, which is alone now
    play(game, "head SW")
    assert (game.money, links(game)) == ([0, 3], ["1: Boone E9 E7 D6 C5 > NW", "0: Ames C5 > SW"])


def test_rule_4_8__what_remains_can_be_continued_by_its_owner() -> None:
    game = play(crossed_tail(), "remove, done, money, head N, remove, remove")
    assert links(game) == ["1: Boone E9 E7 D6 > NW"]
    assert choices(game, "head") == set(EDGES) - {"SE"}  # C5 is empty now


def test_rule_4_8__a_link_that_crosses_itself_is_taken_back_tile_by_tile() -> None:
    game = position(OPEN, "0: Ames C5 C7 D6 C5 B6 > SW")
    for left in ("Ames C5 C7 D6 C5 > SW", "Ames C5 C7 D6 > NW", "Ames C5 C7 > NE", "Ames C5 > S"):
        play(game, "remove")
        assert (links(game, 0), game.trains) == ([f"0: {left}"], [20, 21])
        if game.seat == 1:
            next_turn(game)
    play(game, "remove")
    assert (links(game), game.trains) == ([], [21, 21])


def test_rule_4_8__removing_the_only_tile_removes_the_link_and_returns_its_train() -> None:
    game = position(FIELD, f"0: {AMES_CLINTON}", "0: Clinton E7 > N")
    assert game.trains == [19, 21]
    play(game, "remove")
    assert (links(game), game.trains) == ([f"0: {AMES_CLINTON}"], [20, 21])
    cannot(game, "remove, replace N", "4.1 or 4.8")
    assert cities_to_start(game) == {"Ames", "Clinton"}  # not anywhere as by rule 4.9
    cannot(game, "start Boone S", "4.3")


def test_rule_4_8__removing_a_link_leaves_those_begun_later_alone() -> None:
    after = [f"1: {AMES_BOONE}", "2: Dyson G9 > NW", "1: Boone H6 > SW"]
    game = play(position(FIELD, OTHER, "0: Boone G3 > N", *after, seats=3), "remove, done, money")
    assert links(game) == [OTHER, *after]
    assert Game.from_scenario(game.to_scenario()).records == game.records  # whose each segment is, too
    play(game, "replace S, done, money")  # seat 1 goes on with its own link
    assert links(game) == [OTHER, *after[:2], f"1: {BOONE_DYSON}"]
    assert links(play(game, "head SW"), 2) == ["2: Dyson G9 F8 > SW"]


def test_rule_4_8__complete_links_are_never_broken() -> None:
    cannot(position(FIELD, f"0: {AMES_CLINTON}"), "remove", "4.1 or 4.8")
    just_completed = play(position(FIELD, "0: Ames E5 F4 > SE"), "head NE")
    cannot(just_completed, "remove, replace N", "4.1 or 4.8")


# --- 4.9 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("actions", ["remove", "remove, done"])  # in a later action too
def test_rule_4_9__a_seat_that_removed_its_only_link_starts_anywhere(actions: str) -> None:
    game = play(position(FIELD, "0: Ames D6 > SE"), actions)
    assert cities_to_start(game) == ALL
    assert links(play(game, "start Dyson N, head NW")) == ["0: Dyson H6 > NW"]


# --- 4.10 ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("terrain", "cost"), [("h", 2), ("m", 4)])
def test_rule_4_10__what_cannot_be_paid_is_illegal(terrain: str, cost: int) -> None:
    board = flower("A", {"NE": terrain, "SE": terrain})
    exact = play(position(board, money=cost), "start Ames NE, head S")
    assert (exact.money, choices(exact, "head")) == ([0, cost], set())  # the second one cannot be paid
    cannot(exact, "head NE, head S", "4.10")
    poor = position(board, money=cost - 1)
    cannot(poor, "start Ames NE", "4.10")
    can(poor, "start Ames N")
    stuck = position(board, "0: Ames D2 > SE", money=cost - 1)  # on the way it must be paid too
    cannot(stuck, "head S", "4.10")
    can(stuck, "remove, replace SW")


def test_rule_4_10__a_crossing_must_be_paid() -> None:
    cannot(position(FIELD, OTHER, BEFORE_D6, money=1), "head SW, head NW", "4.10")
    can(position(FIELD, OTHER, BEFORE_D6, money=2), "head SW, head NW")


def test_rule_4_10__without_money_there_are_still_plains() -> None:
    assert play(position(FIELD, money=0), "start Ames S, head SE, head NE").money == [0, 0]


# --- all of section 4 at once -------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(8))
def test_rule_4_1__random_track_agrees_with_the_reference_engine(seed: int) -> None:
    dice = random.Random(seed)
    twins = Twins({"scenario": draw_scenario(seed, kind="players", mid_game=False)})
    game = twins.game
    for _ in range(250):
        assert twins.difference is None
        if game.done:
            break
        if dice.random() < 0.04:  # the reasons agree with what is legal
            assert [number for number in range(372) if game.explain(number) is None] == game.legal()
        track = sorted(text for text in legal(game) if text.split()[0] in ("start", "head", "replace", "remove"))
        idle = sorted(legal(game) & {"money", "done"})
        twins.step(dice.choice(track if track and (not idle or dice.random() < 0.9) else idle or sorted(legal(game))))
