"""Scenarios of Steam: what is refused, with the entry's name, and what a file holds."""

from pathlib import Path
from typing import Any

import pytest

from steam_env.kit.errors import ScenarioError
from steam_env.steam import Game
from tests.rules_steam.boards import TINY, scenario
from tests.rules_steam.games import position
from tests.rules_steam.test_9_goods import NETWORK

# ruff: noqa: E501

CASES: list[tuple[str, dict[str, Any]]] = [
    (r"links\[0\].path\[1\]: 'D4' is not beside 'Alder' over an open edge", {"links": ["0: Alder D4 >N"]}),
    (r"links\[0\].path\[2\]: the link turns back", {"links": ["0: Alder B2 C3 >NW"]}),
    (r"links\[0\].open: 'NW' is closed", {"links": ["0: Birch F2 >NW"]}),
    (r"links\[0\].open: 'NW' leads into a city", {"links": ["0: Usk B4 >NW"]}),
    (r"links\[0\].path: .* has no track; neighbouring cities are not connected", {"links": ["0: Usk Cedar"], "new_cities": {"Usk": "red"}}),
    (r"links\[1\].path: the same track is in links\[0\]", {"links": ["0: Alder B4 Usk", "1: Alder B4 Usk"]}),
    (r"links\[1\].path: the track on G5 is no pattern", {"links": ["0: Birch G5 >NW", "1: Elm G5 >SW"]}),
    (r"links\[0\].path: is not one whole link", {"links": ["0: Alder B4 >SE", "0: Usk >NW"]}),
    (r"links\[0\].owner: 3; must be a whole number from -1 to 2", {"links": ["3: Alder B4 Usk"]}),
    (r"links\[0\].extended: only an incomplete link of the seat to decide", {"links": ["1: Alder B4 >SE *"]}),
    (r"cubes.Usk: 'Usk' is a town", {"cubes": "Usk R"}),
    (r"cubes.Ulm: unknown key", {"cubes": "Ulm R"}),
    (r"supply: more red cubes than there are; there are 20", {"cubes": f"Alder {'R' * 20}", "supply": "1 R"}),
    (r"cubes: more red cubes than there are|supply: more red", {"cubes": f"Alder {'R' * 21}"}),
    (r"grown\[0\]: 'Usk' is no printed city", {"grown": ["Usk"]}),
    (r"new_cities\[1\].color: more red New Cities than tiles", {"new_cities": {"Usk": "red", "Toll": "red"}}),
    (r"seats.tile\[1\]: 1 is taken already", {"tile": [1, 1, 2]}),
    (r"seats.tile\[2\]: player_2 has not come yet and has none", {"phase": "take", "seat": 1, "tile": [1, 0, 2]}),
    (r"seats.to_do\[0\]: player_0 has not paid", {"to_do": {0: True}}),
    (r"seats.income\[0\]: 11; must be a whole number from -10 to 10", {"income": {0: 11}}),
    (r"seats.level\[0\]: 0; must be", {"level": {0: 0}}),
    (r"seats.money\[0\]: player_0 is bankrupt", {"bankrupt": {0: 1}, "money": 9, "number": 2}),
    (r"turn.order: \[0, 0, 1\]; must name each seat once", {"order": [0, 0, 1]}),
    (r"turn.round: is there in phase 'goods' only", {"round": 1}),
    (r"turn.placements: 4; must be a whole number from 0 to 3", {"placements": 4}),
    (r"turn.number: 11; must be", {"number": 11}),
    (r"turn.phase: 'tile'; must be one of take, build, goods", {"phase": "tile"}),
    (r"rules.map: 'mini' stands here", {"rules": {"map": "mini"}}),
    (r"tiles: pattern .* is in no kind", {"tiles": []}),
]  # fmt: skip


@pytest.mark.parametrize(("message", "entries"), CASES, ids=[message[:40] for message, _ in CASES])
def test_scenarios__name_the_entry_that_is_wrong(message: str, entries: dict[str, Any]) -> None:
    told = dict(entries)
    with pytest.raises(ScenarioError, match=message):
        position(*told.pop("links", ()), **told)


def test_scenarios__have_twelve_groups() -> None:
    with pytest.raises(ScenarioError, match=r"supply: .*12"):
        Game.from_scenario({"game": "steam", **scenario(), "supply": ["R"]})


def test_scenarios__without_a_turn_begin_anew() -> None:
    table = {"game": "steam", "map": TINY, "seats": {"money": [5, 5, 5]}, "rules": {"first_player": 0}}
    assert Game.from_scenario(table, 1).money == [5, 6, 7]
    with pytest.raises(ScenarioError, match=r"seats.tile: needs the table turn"):
        Game.from_scenario({**table, "seats": {"tile": [1, 2, 3]}}, 1)


def test_scenarios__are_files_to_read_and_write(tmp_path: Path) -> None:
    game = position(*NETWORK, cubes="Alder RY")
    game.to_scenario(tmp_path / "one.toml")
    again = Game.from_scenario(tmp_path / "one.toml", 0)
    assert again.record.tobytes() == game.record.tobytes()
    assert "[[links]]" in (tmp_path / "one.toml").read_text()


def test_scenarios__are_written_between_choices_only() -> None:
    game = position()
    game.step("build B4")
    with pytest.raises(ValueError, match="phases take, build, goods"):
        game.to_scenario()


def test_scenarios__read_links_in_any_order_and_from_either_end() -> None:
    table: dict[str, Any] = {"game": "steam", **scenario(*NETWORK)}
    other = {**table, "links": [{**link, "path": link["path"][::-1]} for link in table["links"][::-1]]}
    assert Game.from_scenario(other, 0).record.tobytes() == Game.from_scenario(table, 0).record.tobytes()
