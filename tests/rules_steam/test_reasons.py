"""Why an action is illegal: the rule that the kernels' reasons name."""

from typing import Any

import pytest

from tests.rules_steam.games import play, position
from tests.rules_steam.kernels import find_rule
from tests.rules_steam.test_2_tiles import without
from tests.rules_steam.test_9_goods import NETWORK

GROWS: dict[str, Any] = {"tile": [5, 1, 7], "to_do": {0: True}}
URBANIZES: dict[str, Any] = {"tile": [1, 5, 7], "to_do": {2: True}, "seat": 2}
ON_NETWORK: dict[str, Any] = {"links": NETWORK, "phase": "goods"}
PARALLEL = ("0: Birch G5 Elm", "1: Birch F4 F6 Elm", "1: Cedar E5 E3 F2 Birch")
POOR = {"money": {0: 0}, "income": {0: -10}, "vp": {0: 3}}

CASES: list[tuple[str, dict[str, Any], str, str]] = [  # rule, position, what is played, action
    ("6.1", {"phase": "take"}, "take 3", "take 3"),
    ("5", {"phase": "take"}, "take 3", "pass"),
    ("6.3", {"phase": "take"}, "", "take 5"),
    ("6.3", {"phase": "take", "supply": "1 R", "grown": ["Alder", "Dale", "Cedar", "Birch", "Elm"]}, "", "take 5"),
    ("6.4", {"phase": "take", "new_cities": {"Usk": "gray", "Toll": "red"}}, "", "take 7"),
    ("6.4", {"phase": "take", "new_cities": {"Usk": "gray", "Toll": "red"}}, "", "take 7 pass"),
    ("7.4", {"phase": "take", **POOR}, "", "take 6"),
    ("8.1", {"placements": 3, "supply": "1 R", **GROWS}, "", "build B4"),
    ("8.2", {}, "", "build A3"),
    ("8.3a", {}, "build F2", "tile SE-NW"),
    ("8.3b", {"links": ("0: Cedar E5 >NE",), "seat": 1}, "build F4", "tile NE-SW"),
    ("8.3c", {"links": ("0: Cedar D4 >SE",)}, "build E5", "tile SW-NW"),
    ("8.4", {}, "build D4", "tile NE-S+SE-SW"),
    ("2.3", {}, "build C5", "tile N-S"),
    ("2.5", {"tiles": without("K3")}, "build B4", "tile N-NW"),
    ("7.4", {"money": {0: 2}, "income": {0: -10}}, "", "build B4"),
    ("8.14", {"supply": "1 RG", **GROWS}, "grow Cedar  space 1", "grow Cedar"),
    ("8.14", {"supply": "1 RG", **GROWS}, "build B4  tile SE-NW", "pass"),
    ("8.15", {"supply": "1 RG", "grown": ["Cedar"], **GROWS}, "", "grow Cedar"),
    ("8.15", {"supply": "1 RG", "new_cities": {"Usk": "red"}, **GROWS}, "", "grow Usk"),
    ("8.16", {"new_cities": {"Toll": "red"}, **URBANIZES}, "urbanize Usk", "colour red"),
    ("8.20", {"supply": "2 RG, 5 GR", **GROWS}, "grow Alder", "space 1"),
    ("9.2", {"level": 6, "cubes": "Dale R", **ON_NETWORK}, "", "locomotive"),
    ("9.2", {"improved": {0: True}, "round": 2, "cubes": "Dale R", **ON_NETWORK}, "", "locomotive"),
    ("9.3", {"cubes": "Dale R", **ON_NETWORK}, "", "from Elm"),
    ("9.3", {"level": 3, "cubes": "Dale Y", **ON_NETWORK}, "from Dale  colour yellow  hop Alder", "hop Elm"),
    ("9.4", {"level": 3, "cubes": "Dale Y", **ON_NETWORK}, "from Dale  colour yellow  hop Alder", "hop Dale"),
    (
        *("9.10", {"links": PARALLEL, "phase": "goods", "seat": 1, "level": 2, "cubes": "Cedar G"}),
        *("from Cedar  colour gray  hop Birch  hop Elm", "over player_2"),
    ),
    (
        *("9.9", {"level": 2, "cubes": "Alder Y", "income": 10, **ON_NETWORK}),
        *("from Alder  colour yellow  hop Usk  hop Cedar", "income"),
    ),
    ("16", {}, "", "reserved 0"),
]


@pytest.mark.parametrize(("rule", "entries", "played", "action"), CASES)
def test_reasons__name_the_rule(rule: str, entries: dict[str, Any], played: str, action: str) -> None:
    told = dict(entries)
    game = play(position(*told.pop("links", ()), **told), played)
    reason = game.explain(action)
    assert reason is not None
    assert find_rule(reason) == rule
    with pytest.raises(ValueError, match="Legal now"):
        game.step(action)


def test_reasons__tell_what_it_costs_and_what_can_be_raised() -> None:
    money: dict[str, Any] = {"money": {0: 1}, "income": {0: -10}, "vp": {0: 3}, "level": {0: 5}}
    game = position(phase="take", **money)
    assert "costs $10; player_0 has $1 and can raise $5" in str(game.explain("take 6"))


def test_reasons__of_a_loose_town_spur() -> None:
    game = play(position("0: Alder B4 Usk", "0: Usk >N"), "build C5")
    assert "cannot be redirected" in str(game.explain("tile NE+NW"))


def test_reasons__of_the_end() -> None:
    broke: dict[str, Any] = {"phase": "goods", "round": 2, "level": 6, "money": 0, "income": -10, "number": 10}
    game = position(**broke)
    assert find_rule(str(game.explain("pass"))) == "11.2"
