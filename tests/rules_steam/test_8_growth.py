"""Rules 8.14 to 8.20: City Growth and Urbanization."""

from typing import Any

import pytest

from tests.rules_steam.boards import MOOR, TINY, as_told, example, is_refused, links, place, play, position, words
from tests.rules_steam.engines import Engine

GROWTH, URBANIZATION = 5, 7


def growing(engine: type[Engine], *track: str, **entries: Any) -> Engine:
    """Seat 0 has paid for City Growth."""
    told = {"tile": [GROWTH, 6, 1], "to_do": {0: True}, "cubes": "Cedar Y", "supply": "3 RG, 5 B"}
    return position(engine, *track, **{**told, **entries})


def building(engine: type[Engine], *track: str, **entries: Any) -> Engine:
    """Seat 2 has paid for Urbanization and is to build."""
    told = {"tile": [1, 6, URBANIZATION], "to_do": {2: True}, "seat": 2, "supply": "2 RP"}
    return position(engine, *track, **{**told, **entries})


def urbanize(engine: type[Engine], *track: str, town: str = "Usk", **entries: Any) -> Engine:
    return play(building(engine, *track, **entries), f"urbanize {town}", "colour gray", "space 2")


# --- 8.14 -----------------------------------------------------------------------------------------
@example(74)
def test_8_14_what_was_paid_must_be_carried_out(engine: type[Engine]) -> None:
    for game in (growing(engine), building(engine)):
        assert is_refused(game, "pass")
    after = play(growing(engine), "grow Cedar", "space 3")
    assert "pass" in after.legal()
    assert not words(after, "grow")


def test_8_14_before_between_or_after_placements_and_as_none(engine: type[Engine]) -> None:
    game = growing(engine)
    place(game, "B4 SE-NW")
    play(game, "grow Cedar", "space 3")
    assert game.state()["placements"] == 2
    place(place(game, "C5 SE+NW"), "G5 N-S")
    assert game.state()["mover"] == 1
    last = growing(engine, placements=3)
    assert set(last.legal()) == {f"grow {city['name']}" for city in TINY["cities"]}
    assert play(last, "grow Elm", "space 5").state()["mover"] == 1


def test_8_14_nothing_happens_before_the_last_choice(engine: type[Engine]) -> None:
    game = growing(engine)
    before = game.state()
    after = play(game, "grow Cedar").state()
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {"phase", "chain"}
    assert after["chain"] == {"grow": "Cedar"}


def test_8_14_a_passed_tile_is_never_carried_out(engine: type[Engine]) -> None:
    for tile in (GROWTH, URBANIZATION):
        game = position(engine, tile=[tile, 6, 1], supply="1 R")
        assert not words(game, "grow") | words(game, "urbanize")
        assert "pass" in game.legal()


@example(128)
def test_8_14_what_is_not_possible_any_more_need_not_be_done(engine: type[Engine]) -> None:
    game = growing(engine, supply="")
    assert game.state()["to_do"] == [True, False, False]
    assert "pass" in game.legal()
    assert game.state()["to_do"][0]
    assert play(game, "pass").state()["to_do"] == [False] * 3


# --- 8.15 -----------------------------------------------------------------------------------------
@example(73)
def test_8_15_all_cubes_of_the_group_go_to_the_city(engine: type[Engine]) -> None:
    game = play(growing(engine), "grow Cedar", "space 3")
    state = game.state()
    assert state["cubes"]["Cedar"] == "RYG"
    assert (state["grown"], state["markers_left"], state["to_do"][0]) == (["Cedar"], 9, False)
    assert state["supply"][2] == ""
    again = growing(engine, grown=["Cedar"])
    assert words(again, "grow") == {"Alder", "Dale", "Birch", "Elm"}


@example(79)
def test_8_15_city_growth_lapses_if_the_cubes_are_gone(engine: type[Engine]) -> None:
    """Seat 1 builds first, and must take the only group for its New City."""
    entries: dict[str, Any] = {"tile": [GROWTH, URBANIZATION, 1], "to_do": {0: True, 1: True}, "supply": "4 R"}
    game = position(engine, order=[1, 0, 2], seat=1, money=20, **entries)
    assert is_refused(game, "pass")
    play(game, "urbanize Usk", "colour red")
    assert words(game, "space") == {"4"}
    play(game, "space 4", "pass")
    assert (game.state()["mover"], game.state()["to_do"][0]) == (0, True)
    assert not words(game, "grow")
    state = play(game, "pass").state()
    assert (state["to_do"][0], state["money"][0], state["grown"], state["markers_left"]) == (False, 20, [], 10)


# --- 8.16 -----------------------------------------------------------------------------------------
def test_8_16_a_town_becomes_a_city(engine: type[Engine]) -> None:
    game = building(engine, cubes="Cedar Y")
    assert words(game, "urbanize") == {"Usk", "Toll"}
    play(game, "urbanize Toll")
    assert words(game, "colour") == {"red", "yellow", "purple", "blue", "gray"}
    play(game, "colour purple")
    assert game.state()["chain"] == {"urbanize": "Toll", "colour": "purple"}
    state = play(game, "space 2").state()
    assert (state["new_cities"], state["new_left"]["purple"]) == ({"Toll": "purple"}, 0)
    assert (state["cubes"]["Toll"], state["supply"][1], state["markers_left"]) == ("RP", "", 10)
    assert not state["to_do"][2]


def test_8_16_only_colours_that_are_left(engine: type[Engine]) -> None:
    game = play(building(engine, new_cities={"Usk": "red"}), "urbanize Toll")
    assert words(game, "colour") == {"yellow", "purple", "blue", "gray"}


def test_8_16_all_its_open_edges_are_connection_points(engine: type[Engine]) -> None:
    game = urbanize(engine, town="Toll")
    for placement, verdict in (("D4 N-SE", None), ("C3 NE-SW", None), ("E3 NW-SW", None), ("C1 SE-S", "8.3a")):
        assert game.explain_placement(*placement.split()) == verdict


@example(80)
def test_8_16_without_cubes_in_the_supply_it_comes_empty(engine: type[Engine]) -> None:
    game = play(building(engine, supply=""), "urbanize Usk", "colour gray")
    state = game.state()
    assert (state["phase"], state["cubes"]["Usk"], state["new_cities"]) == ("BUILD", "", {"Usk": "gray"})


# --- 8.16 to 8.19: track --------------------------------------------------------------------------
@example(75)
def test_8_16_the_towns_tile_returns_to_stock(engine: type[Engine]) -> None:
    track = ("0: Alder B4 Usk", "0: Usk Cedar", "0: Usk >N")
    assert building(engine, *track).state()["stock"]["K9"] == 3
    game = urbanize(engine, *track)
    assert game.state()["stock"]["K9"] == 4
    assert links(game) == {"0: Alder B4 Usk"}
    assert game.state()["complete_links"] == [1, 0, 0]


@example(78)
def test_8_17_links_that_went_on_end_in_the_city(engine: type[Engine]) -> None:
    game = urbanize(engine, "0: Alder B4 Usk", "0: Usk C3 >NE")
    assert links(game) == {"0: Alder B4 Usk", "0: Usk C3 >NE"}
    play(game, "pass")
    fresh = position(engine, "0: Alder B4 Usk", "0: Usk C3 >NE", new_cities={"Usk": "gray"}, seat=1)
    assert fresh.explain_placement("D4", "NE-SW") is None


@example(76, 77)
@pytest.mark.parametrize(("owner", "after"), [("0", "0"), ("1", "1"), ("2", "2"), ("-", "2")])
def test_8_18_a_link_that_points_at_the_city_is_complete(engine: type[Engine], owner: str, after: str) -> None:
    """Foreign ones keep their owner, an unowned one becomes the acting seat's."""
    game = urbanize(engine, f"{owner}: Cedar D4 >SW")
    assert links(game) == as_told(f"{after}: Cedar D4 Usk")
    assert links(play(game, "pass")) == as_told(f"{after}: Cedar D4 Usk")


def test_8_18_an_unowned_link_that_stays_incomplete_stays_unowned(engine: type[Engine]) -> None:
    assert links(urbanize(engine, "0: Alder B4 Usk", "-: Usk C3 >NE")) == {"0: Alder B4 Usk", "-: Usk C3 >NE"}


def test_8_18_a_complete_link_of_nobody_stays_so(engine: type[Engine]) -> None:
    game = urbanize(engine, "-: Alder B4 Usk", bankrupt=[1, 0, 0], number=3, seat=2, tile=[0, 6, 7], order=[1, 2, 0])
    assert links(game) == {"-: Alder B4 Usk"}


@example(127)
@pytest.mark.parametrize(("owner", "after"), [("1", "1"), ("-", "2")])
def test_8_19_a_neighbours_loose_spur_becomes_complete(engine: type[Engine], owner: str, after: str) -> None:
    game = urbanize(engine, "1: Alder B2 Moor", f"{owner}: Moor >S", map=MOOR)
    assert links(game) == {"1: Alder B2 Moor", f"{after}: Moor Usk"}


def test_8_19_links_of_one_spur_are_gone(engine: type[Engine]) -> None:
    """Complete or loose; nobody is paid."""
    game = building(engine, "0: Usk Cedar", "1: Usk >N", "2: Usk >NE", money=20)
    play(game, "urbanize Usk", "colour gray", "space 2")
    state = game.state()
    assert (state["links"], state["tiles"], state["money"]) == ([], {}, [20] * 3)


def test_8_19_of_two_spurs_between_towns_the_other_one_is_the_link(engine: type[Engine]) -> None:
    game = urbanize(engine, "1: Moor Usk", map=MOOR)
    assert links(game) == {"1: Moor Usk"}
    assert game.state()["tiles"] == {"C3": "S"}


# --- 8.20 -----------------------------------------------------------------------------------------
@example(129)
def test_8_20_equal_groups_are_the_same_choice(engine: type[Engine]) -> None:
    """The lowest space is offered; another one may be named and is the one that is emptied."""
    game = play(growing(engine, supply="2 RG, 5 RG, 7 GR, 9 B"), "grow Cedar")
    assert game.legal() == ["space 2", "space 9"]
    assert is_refused(game, "space 3")
    state = play(game, "space 5").state()
    assert [space for space, group in enumerate(state["supply"], 1) if group] == [2, 7, 9]


def test_8_20_an_emptied_space_stays_empty_and_a_city_has_no_limit(engine: type[Engine]) -> None:
    game = play(growing(engine, cubes="Cedar YYYYYYYYYYYYY"), "grow Cedar", "space 3", "pass", "pass", "pass")
    assert game.state()["cubes"]["Cedar"] == "R" + "Y" * 13 + "G"
    while game.state()["turn"] == 1:
        game.apply("pass")
    assert game.state()["supply"][2] == ""
