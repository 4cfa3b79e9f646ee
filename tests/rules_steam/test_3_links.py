"""Rule 3: links."""

from typing import Any

import pytest

from tests.rules_steam.boards import MOOR, TINY, after_phase_4, links, place, play, position, refused
from tests.rules_steam.engines import Engine
from tests.rules_steam.placements import Row, check_row, rows


@rows(15, 21)
def test_3_1_a_link_runs_from_a_stop_to_a_stop_or_to_an_open_edge(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_3_1_crossing_track_stays_apart(engine: type[Engine]) -> None:
    game = position(engine, "0: Alder B4 Usk", "1: Dale B6 B4 >N")
    assert game.state()["tiles"]["B4"] == "N-S+SE-NW"
    assert links(game) == {"0: Alder B4 Usk", "1: Dale B6 B4 >N"}


@rows(57, 58)
def test_3_2_a_town_is_reached_by_its_spur_alone(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_3_2_track_before_a_town_without_a_tile_is_open(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Cedar D4 >NW"), "D4 S-SW")
    assert links(game) == {"0: Cedar D4 >SW"}
    assert game.state()["complete_links"] == [0, 0, 0]


def test_3_3_all_of_a_link_has_one_owner(engine: type[Engine]) -> None:
    """Unowned track that is extended becomes own as a whole; two owners on one link cannot be."""
    game = place(position(engine, "-: Birch G5 >SW", seat=1), "F6 N-NE")
    assert links(game) == {"1: Birch G5 F6 >N"}
    assert [link["owner"] for link in game.state()["links"]] == [1]
    with refused():
        position(engine, "0: Cedar E5 >NE", "1: Birch F4 >SW")


@pytest.mark.parametrize(
    "track",
    [
        ("0: Cedar D4 >SW", "0: Cedar C5"),  # no link at all
        ("0: Cedar D4 E5 Cedar",),  # to its own stop
        ("0: Cedar D4 C5 Cedar",),  # through a town
        ("0: Usk C3 D4 >SW",),  # a head at its own root (8.3 c)
        ("0: Alder B4 >SW", "0: Alder B4 >SE"),  # branching
        ("0: Alder B2 C1 >SE",),  # over a thick edge
        ("0: Alder B2 >N",),  # off the map
        ("0: D4 >N",),  # without a stop
        ("0: Alder B4 >SE", "1: Usk >NW"),  # one link, told as two
        ("3: Alder B4 >SE",),  # of a seat that there is not
    ],
)
def test_3_4_positions_that_cannot_be(engine: type[Engine], track: tuple[str, ...]) -> None:
    with refused():
        position(engine, *track)


def test_3_4_each_spur_is_a_link_of_its_own(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Alder B4 >SE"), "C5 N+SE+NW")
    assert links(game) == {"0: Alder B4 Usk", "0: Usk Cedar", "0: Usk >N"}


@rows(56)
def test_3_5_parallel_links_are_allowed(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)


def test_3_5_parallel_links_of_one_seat_are_allowed(engine: type[Engine]) -> None:
    game = place(position(engine, "0: Birch G5 Elm", "0: Birch F4 >S"), "F6 N-SE")
    assert game.state()["complete_links"] == [2, 0, 0]


def test_3_6_a_complete_link_stays_its_owners(engine: type[Engine]) -> None:
    """Its owner does nothing for a turn; and nobody can take it."""
    game = position(engine, "0: Alder B4 Usk", "-: Cedar D4 >NE", tile=[1, 6, 5])
    play(game, "pass", "pass", "pass")
    assert links(game) == {"0: Alder B4 Usk", "-: Cedar D4 >NE"}
    assert "0: Alder B4 Usk" in links(after_phase_4(engine, "0: Alder B4 Usk"))


def test_3_7_links_have_no_history(engine: type[Engine]) -> None:
    """The same track in any order: the same list, by the first hex and edge of each link."""
    track = ["D4 N-S", "G5 N-S", "A5 N-S", "B4 SE-NW"]
    states = []
    for order in (track, track[::-1]):
        game = position(engine, tile=[3, 6, 5])
        for placement in order:
            place(game, placement)
        states.append(game.state())
    assert states[0]["links"] == states[1]["links"]
    assert [link["path"] for link in states[0]["links"]] == [
        ["Alder", "A5", "Dale"],
        ["Alder", "B4"],
        ["Cedar", "D4"],
        ["Birch", "G5", "Elm"],
    ]


def test_3_7_links_of_one_hex_are_in_the_order_of_their_edges(engine: type[Engine]) -> None:
    game = position(engine, "0: Usk >SW", "1: Usk Cedar", "2: Usk >N")
    assert [link["owner"] for link in game.state()["links"]] == [2, 1, 0]


def test_3_7_a_complete_link_is_told_from_its_first_stop(engine: type[Engine]) -> None:
    told: dict[str, Any] = {"map": MOOR}
    game = position(engine, "0: Usk Moor", "0: Birch F4 E5 Cedar", **told)
    assert [link["path"] for link in game.state()["links"]] == [["Moor", "Usk"], ["Cedar", "E5", "F4", "Birch"]]
    assert game.to_scenario(TINY)["links"] == game.state()["links"]
