"""Section 4 of the rules: the tail of a link replaced or removed."""

import pytest

from steam_env import Game
from tests.rules.boards import (
    can,
    cannot,
    choices,
    cities_to_start,
    connected,
    flower,
    links,
    next_turn,
    play,
    position,
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
)


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
