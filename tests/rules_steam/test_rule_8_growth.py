"""Rules 8.14 to 8.20: City Growth and Urbanization."""

from typing import Any

import pytest

from steam_env.steam import Game
from tests.rules_steam.games import MOOR, explain_rule, play, position, same_links

SPACES = ["RG", *[""] * 11]


def grows(links: str = "", **options: Any) -> Game:
    """Seat 0 has paid for City Growth."""
    return position(links, **{"tile": [5, 1, 7], "to_do": [True, False, False], **options})


def urbanizes(links: str = "", **options: Any) -> Game:
    """Seat 2 has paid for Urbanization; it builds first."""
    return position(links, seat=2, **{"tile": [1, 5, 7], "to_do": [False, False, True], **options})


def test_rule_8_15__the_cubes_of_a_group_come_and_a_marker() -> None:
    """Example 73."""
    game = play(grows(cubes={"Cedar": "Y"}, supply=SPACES), "grow Cedar", "space 1")
    state = game.state()
    assert (state["cubes"]["Cedar"], state["supply"][0], state["grown"]) == ("RYG", "", ["Cedar"])
    assert state["markers_left"] == 9
    assert explain_rule(game, "grow Cedar") == "8.14"  # nothing is to do any more
    assert explain_rule(grows(grown=["Cedar"]), "grow Cedar") == "8.15"


def test_rule_8_14__it_must_be_carried_out() -> None:
    """Example 74."""
    game = grows(supply=SPACES)
    assert explain_rule(game, "pass") == "8.14"
    play(game, "build B4", "tile SE-NW")
    assert explain_rule(game, "pass") == "8.14"
    play(game, "grow Alder", "space 1")
    assert game.state()["placements"] == 2  # it counts as no placement
    assert game.explain("pass") is None


def test_rule_8_14__with_no_placement_left_it_alone_is_asked() -> None:
    game = grows(supply=SPACES, turn={"placements": 3})
    assert {text.split()[0] for text in game.legal_text()} == {"grow"}


def test_rule_8_16__the_tile_goes_back_and_a_city_comes() -> None:
    """Example 75, with rules 8.17 and 8.19."""
    game = urbanizes("0: Alder B4 Usk; 0: Usk Cedar; 0: Usk >N", supply=SPACES)
    before = game.state()["stock"]["K9"]
    play(game, "urbanize Usk", "colour gray", "space 1")
    state = game.state()
    assert same_links(game, "0: Alder B4 Usk")
    assert (state["stock"]["K9"], state["complete_links"]) == (before + 1, [1, 0, 0])
    assert (state["cubes"]["Usk"], state["new_cities"], state["new_left"]["gray"]) == ("RG", {"Usk": "gray"}, 3)
    removed = [event.values for event in game.events if event.kind == "remove_link"]
    stops = game.setting.map.stops
    assert [(stops[one["stop"]], one["owner"]) for one in removed] == [("Usk", 0), ("Usk", 0)]


def test_rule_8_17__a_link_that_went_on_ends_in_the_city() -> None:
    """Example 78."""
    game = play(urbanizes("0: Alder B4 Usk; 0: Usk C3 >NE", supply=SPACES), "urbanize Usk", "colour gray", "space 1")
    assert same_links(game, "0: Alder B4 Usk; 0: Usk C3 >NE")
    play(game, "build D4", "tile N-SW")  # a link may start at the city
    assert same_links(game, "0: Alder B4 Usk; 0: Usk C3 >NE; 2: Usk D4 >N")


@pytest.mark.parametrize(
    ("before", "after"),
    [("1: Cedar D4 >SW", "1: Cedar D4 Usk"), ("-: Cedar D4 >SW", "2: Cedar D4 Usk")],  # examples 76 and 77
)
def test_rule_8_18__a_head_that_points_at_the_city_completes_the_link(before: str, after: str) -> None:
    assert same_links(play(urbanizes(before, supply=SPACES), "urbanize Usk", "colour gray", "space 1"), after)


@pytest.mark.parametrize("owner", ["1", "-"])
def test_rule_8_19__the_spur_of_a_neighbouring_town_becomes_complete(owner: str) -> None:
    """Example 127."""
    game = urbanizes(f"1: Alder B2 Moor; {owner}: Moor >S", map=MOOR, supply=SPACES)
    play(game, "urbanize Usk", "colour gray", "space 1")
    assert same_links(game, f"1: Alder B2 Moor; {owner.replace('-', '2')}: Moor Usk")


def test_rule_8_19__of_two_spurs_that_meet_the_other_stays() -> None:
    game = urbanizes("1: Alder B2 Moor; 1: Moor Usk", map=MOOR, supply=SPACES)
    play(game, "urbanize Usk", "colour gray", "space 1")
    assert same_links(game, "1: Alder B2 Moor; 1: Moor Usk")
    assert "C5" not in game.state()["tiles"]


def test_rule_8_15__what_is_not_possible_any_more_lapses() -> None:
    """Example 128."""
    game = grows(supply=[""] * 12)
    assert game.explain("pass") is None
    play(game, "pass")
    assert game.state()["to_do"] == [False, False, False]
    assert "cannot carry out City Growth" in " ".join(game.log)


def test_rule_8_20__equal_groups_are_one_choice() -> None:
    """Example 129."""
    supply = ["", "RG", "", "", "GR", *[""] * 7]
    game = play(grows(supply=supply), "grow Alder")
    assert game.legal_text() == ["space 2"]
    assert explain_rule(game, "space 5") == "8.20"
    assert explain_rule(game, "space 1") == "8.20"
    other = play(game.clone(), "space 5")
    assert other.state()["supply"][4] == ""
    assert other.state()["supply"][1] == "RG"
    assert type(game).load(other.save()).state() == other.state()


def test_rule_8_16__the_last_group_goes_to_who_comes_first() -> None:
    """Example 79."""
    options = {"tile": [5, 7, 1], "to_do": [True, True, False]}
    game = position(seat=1, supply=SPACES, money=[9, 9, 9], **options)  # type: ignore[arg-type]
    play(game, "urbanize Usk", "colour gray")
    assert game.legal_text() == ["space 1"]
    play(game, "space 1", "pass", "pass")  # seats 1 and 2
    assert game.seat == 0
    play(game, "pass")
    assert (game.state()["markers_left"], game.money[0]) == (10, 9)


def test_rule_8_16__without_cubes_the_city_comes_empty() -> None:
    """Example 80."""
    game = play(urbanizes(supply=[""] * 12), "urbanize Usk", "colour gray")
    assert game.phase == "build"
    assert game.state()["cubes"]["Usk"] == ""
    assert game.state()["new_cities"] == {"Usk": "gray"}


def test_rule_8_16__only_colours_that_are_left() -> None:
    game = play(urbanizes(new_cities=[{"stop": "Toll", "color": "red"}]), "urbanize Usk")
    assert explain_rule(game, "colour red") == "8.16"
    assert game.legal_text() == ["colour yellow", "colour purple", "colour blue", "colour gray"]


def test_rule_1_7__a_new_city_is_never_grown() -> None:
    """Example 82."""
    game = grows(new_cities=[{"stop": "Usk", "color": "red"}])
    assert explain_rule(game, "grow Usk") == "8.15"


def test_rule_1_5__cubes_of_its_colour_end_in_a_new_city() -> None:
    """Example 81."""
    links = "0: Dale B6 Usk"
    game = position(links, phase="goods", cubes={"Dale": "R"}, new_cities=[{"stop": "Usk", "color": "red"}])
    play(game, "from Dale", "colour red", "hop Usk")
    assert game.phase == "score"
