"""Rule 1: the map."""

from typing import Any

import pytest

from tests.rules_steam.boards import MOOR, RICH, TINY, example, is_refused, links, place, position, refused, words
from tests.rules_steam.engines import Engine
from tests.rules_steam.placements import Row, check_row, rows

LONELY: dict[str, Any] = {  # a town in hills on a river, a plain hex on a river, two cities side by side
    "name": "lonely",
    "cities": [{"name": "Ash", "color": "red"}, {"name": "Bay", "color": "blue"}],
    "towns": ["Ern"],
    "rivers": ["B4", "B6"],
    "rows": "@ .\n @ \n. .\n O \n. .\n . ",
}


@pytest.mark.parametrize(
    ("edge", "beyond", "pattern"),
    [("N", "D2", "S"), ("NE", "E3", "NE-SW"), ("SE", "E5", "NW-SE"), ("SW", "C5", "NE"), ("NW", "C3", "N-SE")],
)
def test_1_1_the_hex_behind_an_edge(engine: type[Engine], edge: str, beyond: str, pattern: str) -> None:
    """Around D4, whose south is Cedar: the next tile goes on behind the edge that the first one points at."""
    game = place(position(engine, f"0: Cedar D4 >{edge}"), f"{beyond} {pattern}")
    assert len(links(game)) == 1
    assert {"D4", {"D2": "Toll", "C5": "Usk"}.get(beyond, beyond)} < set(game.state()["links"][0]["path"])


def test_1_1_map_order_is_by_columns(engine: type[Engine]) -> None:
    game = position(engine)
    hexes = [
        "A1",
        "A3",
        "A5",
        "A7",
        "B2",
        "B4",
        "B6",
        "C1",
        "C3",
        "C5",
        "C7",
        "D2",
        "D4",
        "D6",
        "E3",
        "E5",
        "E7",
        "F2",
        "F4",
        "F6",
        "G1",
        "G3",
        "G5",
        "G7",
    ]
    first = game.number_of("build A1")
    assert [game.number_of(f"build {name}") - first for name in hexes] == list(range(24))


def test_1_2_hills_river_and_town_on_one_hex(engine: type[Engine]) -> None:
    """All three are paid for, and are nothing else: the same tile on a plain town costs its exits and the town."""
    game = place(position(engine, map=LONELY), "B4 N")
    assert game.state()["money"][0] == RICH - (1 + 1 + 1 + 2)


def test_1_2_nothing_else_that_is_printed_means_anything(engine: type[Engine]) -> None:
    """Another sign on the map is refused."""
    for sign in "mfx":
        with refused():
            position(engine, map={**TINY, "rows": TINY["rows"].replace("h", sign, 1)})


@rows(19)
def test_1_3_water_is_void(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)
    assert is_refused(position(engine), "build E1")


def test_1_3_what_is_not_on_the_map_is_void(engine: type[Engine]) -> None:
    assert position(engine).explain_placement("A1", "N-S") == "8.3a"
    assert position(engine).explain_placement("A1", "SE-S") is None


@rows(18, 125)
def test_1_4_a_thick_edge_is_closed_from_both_sides(engine: type[Engine], row: Row) -> None:
    check_row(engine, row)
    assert position(engine, *row.before, map=TINY).explain_placement(*row.placement.split()) == "8.3a"
    open_map = {**TINY, "walls": []}
    assert position(engine, *row.before, map=open_map).explain_placement(*row.placement.split()) != "8.3a"


@example(81)
def test_1_5_a_city_takes_its_own_colour(engine: type[Engine]) -> None:
    """A red cube ends in a red New City; a yellow one does not."""
    track = ("0: Cedar D4 Toll",)
    game = position(engine, *track, new_cities={"Toll": "red"}, cubes="Cedar RYB", phase="goods")
    game.apply("from Cedar")
    assert words(game, "colour") == {"red"}


def test_1_5_a_town_has_neither_colour_nor_cubes(engine: type[Engine]) -> None:
    game = position(engine, "0: Cedar D4 Toll", cubes="Cedar RYPBG", phase="goods")
    assert not words(game, "from")
    assert "Toll" not in game.state()["cubes"]
    with refused():
        position(engine, cubes="Toll R")


@pytest.mark.parametrize(
    "placement", ["D4 S-NW", "E5 SW-SE", "E7 N-NW", "C7 N-NE", "C5 SE", "F2 NE-SE", "F4 NE-S", "G5 N-NW", "G1 S-SW"]
)
def test_1_6_every_open_edge_of_a_city_is_a_connection_point(engine: type[Engine], placement: str) -> None:
    assert position(engine).explain_placement(*placement.split()) is None


def test_1_6_neighbouring_cities_are_not_connected(engine: type[Engine]) -> None:
    game = position(engine, map=LONELY, cubes="Ash B, Bay R", phase="goods")
    assert not words(game, "from")


def test_1_6_neighbouring_stops_are_not_connected(engine: type[Engine]) -> None:
    """Moor and Usk are neighbours: a cube needs track between them."""
    ways = ("0: Alder B2 Moor", "0: Usk Cedar")
    apart = position(engine, *ways, map=MOOR, cubes="Alder Y", level=3, phase="goods")
    joined = position(engine, *ways, "0: Moor Usk", map=MOOR, cubes="Alder Y", level=3, phase="goods")
    assert (words(apart, "from"), words(joined, "from")) == (set(), {"Alder"})


@example(82)
def test_1_7_a_city_carries_one_growth_marker_and_a_new_city_has_one(engine: type[Engine]) -> None:
    entries: dict[str, Any] = {"tile": {2: 7, 0: 5}, "to_do": {0: True}, "supply": "1 R, 2 Y"}
    game = position(engine, new_cities={"Usk": "red"}, grown=["Cedar"], **entries)
    assert words(game, "grow") == {"Alder", "Dale", "Birch", "Elm"}
    assert is_refused(game, "grow Usk")
    assert is_refused(game, "grow Cedar")
