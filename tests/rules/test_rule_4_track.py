"""Section 4 of the rules: laying track; ``test_rule_4_tail`` has replacing and removing it."""

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
from tests.rules.track_boards import (
    ALL,
    AMES_BOONE,
    AMES_CLINTON,
    BEFORE_D6,
    BOONE_DYSON,
    COAST,
    FIELD,
    LOOP,
    ON_D6,
    OPEN,
    OTHER,
    where,
)

# Seat 1's tight curve on D6 is in seat 0's way: from SE nothing crosses it.
BLOCKED = ("1: Ames D6 > NW", "0: Boone G5 F6 E7 > NW")

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
