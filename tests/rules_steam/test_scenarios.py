"""Positions that could not exist are refused; what is read is what was written."""

from typing import Any

import pytest

from tests.rules_steam.boards import TINY, position, refused, scenario
from tests.rules_steam.engines import Engine
from tests.rules_steam.test_2_tiles import without
from tests.rules_steam.test_9_goods import NETWORK

MANY_CITIES: dict[str, Any] = {
    "name": "many",
    "cities": [{"name": f"Ash{letter}", "color": "red"} for letter in "abcdefghijk"],
    "rows": "@ " * 11,
}


@pytest.mark.parametrize(
    "entries",
    [
        {"bankrupt": [0, 2, 0], "number": 2},  # in this turn
        {"bankrupt": [0, 1, 0], "number": 2, "tile": [1, 6, 5]},
        {"bankrupt": [0, 1, 1], "number": 2},
        {"bankrupt": [0, 1, 0], "number": 2, "vp": [0, 1, 0]},
        {"bankrupt": [0, 1, 0], "number": 2, "money": [0, 1, 0]},
        {"bankrupt": [0, 1, 0], "number": 2, "rules": {"bankruptcy": "forgiven"}},  # rule 13.6
        {"number": 0},
        {"number": 11},
        {"tile": [1, 1, 5]},
        {"tile": [1, 8, 5]},
        {"phase": "take", "tile": [1, 0, 0]},
        {"phase": "take", "seat": 1},
        {"phase": "take", "seat": 1, "tile": [1, 0, 2]},
        {"phase": "take", "seat": 1, "tile": [1, 0, 0], "improved": [True, False, False]},
        {"phase": "bid"},
        {"phase": "goods", "tile": [5, 6, 1], "to_do": {0: True}},
        {"phase": "goods", "round": 3},
        {"phase": "goods", "round": 0},
        {"phase": "goods", "placements": 1},
        {"round": 1},
        {"placements": 4},
        {"improved": [True, False, False]},
        {"to_do": {0: True}},
        {"seat": 3},
        {"order": [0, 1]},
        {"order": [0, 1, 1]},
        {"order": [1, 0, 2], "bankrupt": [0, 1, 0], "number": 2},
        {"cubes": "Usk R"},
        {"cubes": "Rome R"},
        {"cubes": f"Alder {'G' * 17}"},
        {"cubes": f"Alder {'G' * 9}", "supply": f"1 {'G' * 8}"},
        {"grown": ["Usk"]},
        {"grown": ["Usk"], "new_cities": {"Usk": "red"}},
        {"grown": [city["name"] for city in MANY_CITIES["cities"]], "map": MANY_CITIES},
        {"new_cities": {"Alder": "red"}},
        {"new_cities": {"Usk": "red", "Toll": "red"}},
    ],
    ids=str,
)
def test_a_position_that_could_not_exist(engine: type[Engine], entries: dict[str, Any]) -> None:
    with refused():
        position(engine, **entries)


@pytest.mark.parametrize(
    "track",
    [
        ("0: Alder B4 >SE", "0: Usk >NW"),  # one link in two pieces
        ("0: Birch G5 >S",),  # a head that leads into Elm
        ("0: Alder B4 Usk", "1: Alder B4 Usk"),
        ("0: Alder A3",),
        ("0: Usk",),
        ("0: Alder",),
        ("0: Alder C5 Cedar",),
    ],
)
def test_paths_that_are_no_links(engine: type[Engine], track: tuple[str, ...]) -> None:
    with refused():
        position(engine, *track)


def test_no_link_of_a_bankrupt_seat(engine: type[Engine]) -> None:
    with refused():
        position(engine, "1: Alder B4 Usk", bankrupt=[0, 1, 0], number=2)


def test_more_tiles_than_there_are(engine: type[Engine]) -> None:
    """Five spurs of K4, of which there are four; not with unlimited tiles."""
    towns = [f"Ern-{number}" for number in range(5)]
    board = {"name": "towns", "towns": towns, "rows": "o o o o o\n . . . .", "cities": []}
    spurs = [f"0: {town} >SE" for town in towns[:4]] + ["0: Ern-4 >SW"]
    with refused():
        position(engine, *spurs, map=board)
    assert len(position(engine, *spurs, map=board, rules={"tiles": "unlimited"}).state()["links"]) == 5


@pytest.mark.parametrize("name", ["bankrupt", "tile", "passed", "to_do", "improved"])
def test_what_only_a_turn_has(engine: type[Engine], name: str) -> None:
    with refused():
        position(engine, phase=None, **{name: 0})


def test_marks_only_in_a_turn(engine: type[Engine]) -> None:
    with refused():
        position(engine, "0: Alder B4 >SE *", phase=None)


@pytest.mark.parametrize("table", ["", "turn", "seats"])
def test_unknown_entries(engine: type[Engine], table: str) -> None:
    told = scenario()
    (told[table] if table else told)["weather"] = 1
    with refused():
        engine.from_scenario(told)


def test_defaults_of_a_turn(engine: type[Engine]) -> None:
    """Seat order, the first of the sequence, no placements made; round 1."""
    told = {**scenario(tile=[5, 4, 6]), "turn": {"phase": "build"}}
    state = engine.from_scenario(told).state()
    assert (state["turn"], state["order"], state["mover"], state["placements"]) == (1, [0, 1, 2], 1, 3)
    assert engine.from_scenario({**told, "turn": {"phase": "goods"}}).state()["round"] == 1
    bare = {"map": TINY, "turn": {}}
    assert engine.from_scenario(bare).state()["phase"] == "TAKE"


def test_what_is_written_is_read(engine: type[Engine]) -> None:
    game = position(
        engine,
        *NETWORK[:3],
        "-: Cedar D4 >NE",
        "0: Birch F4 >S *",
        **{"tile": [7, 2, 4], "to_do": {0: True}, "placements": 1, "number": 4, "order": [2, 0, 1], "seat": 0},
        **{"cubes": "Alder RY, Toll G", "supply": "3 RR", "new_cities": {"Toll": "gray"}, "grown": ["Elm"]},
    )
    told = game.to_scenario(TINY)
    again = engine.from_scenario(told)
    assert again.state() == game.state()
    assert again.to_scenario(TINY) == told
    assert {tuple(link["path"]): link.get("extended") for link in told["links"] if "open" in link} == {
        ("Cedar", "D4"): None,
        ("Birch", "F4"): True,
    }


def test_another_stock_is_written(engine: type[Engine]) -> None:
    told = position(engine, tiles=without("K3")).to_scenario(TINY)
    assert engine.from_scenario(told).state()["stock"]["K3"] == 0
    assert "tiles" not in position(engine).to_scenario(TINY)


@pytest.mark.parametrize("text", ["build B4", "urbanize Usk"])
def test_no_scenario_inside_a_chain(engine: type[Engine], text: str) -> None:
    game = position(engine, tile=[7, 6, 5], to_do={0: True}, supply="1 R")
    game.apply(text)
    with refused():
        game.to_scenario(TINY)
