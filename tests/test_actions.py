"""The action space: 372 ids in fixed blocks, each with one text (interfaces, section 5)."""

import copy
from functools import cache
from itertools import accumulate
from typing import Any

import pytest

from steam_env import Game, IllegalActionError, Rules
from steam_env.core.steam_power.actions import BLOCKS, NUM_ACTIONS

TABLE = {
    "money": 1,
    "contracts": 1,
    "done": 1,
    "remove": 1,
    "start": 33 * 6,
    "head": 6,
    "replace": 6,
    "build": 33,
    "amount": 3,
    "fulfil": 48,
    "source": 33,
    "hop": 33,
    "pay": 4,
    "take_from": 4,
}
FIRST = dict(zip(TABLE, accumulate([0, *TABLE.values()]), strict=False))
EDGES = ("N", "NE", "SE", "S", "SW", "NW")

# Three towns in a column are one group; a fourth one and a fifth beyond are linked to it by seats 1 and 2.
GROUPED: dict[str, Any] = {
    "rules": {"num_players": 3},
    "map": {
        "name": "grouped",
        "cities": ["Saint Paul", "New Ulm", "Elk River", "Ames", "Far End"],
        "hexes": {
            **{"A1": "city", "A3": "city", "A5": "city", "A7": "plains", "A9": "city", "A11": "plains", "A13": "city"},
            **{"B6": "plains", "B8": "plains"},
        },
    },
    "cities": "WBOWG",
    "off_map": "",
    "contracts": [{"needs": "W", "money": 0, "vp": 1, "bonus": "none", "automa": "track"}],
    "links": [
        {"owner": 0, "path": ["Ames", "A11", "Far End"]},
        {"owner": 1, "path": ["Elk River", "A7", "Ames"]},
        {"owner": 2, "path": ["Elk River", "B6", "B8", "Ames"]},
    ],
    "factories": [{"owner": 1, "city": "Saint Paul", "resources": 2}],
    "seats": {"money": [9, 9, 9], "hands": [[0], [], []]},
    "deck": {"order": []},
}


@cache
def positions() -> list[Game]:
    """Positions with different maps, movers and seat counts, some inside an action."""
    games = [
        Game(Rules(num_players=seats, edition=edition), seed=seats)
        for seats in (2, 5)
        for edition in ("final", "preview")
    ]
    games += [Game(Rules(num_players=3, map=name, contracts="mini"), seed=3) for name in ("mini", "midwest")]
    grouped = Game.from_scenario(GROUPED)
    for action in (None, "fulfil 0", "source Saint Paul", "hop Ames"):
        if action:
            grouped.step(action)
        games.append(grouped.clone())
    over = Game(Rules(map="mini", contracts="mini", max_rounds=1), seed=1)
    while not over.done:
        over.step("money")
    return [*games, over]


each_position = pytest.mark.parametrize("number", range(11))


def test_actions__the_positions_of_these_tests_are_of_many_kinds() -> None:
    assert len(positions()) == 11
    assert {game.phase for game in positions()} == {"action", "source", "hop", "pay", "over"}


def test_actions__are_372_in_the_blocks_of_the_table() -> None:
    assert NUM_ACTIONS == sum(TABLE.values()) == positions()[0].mask.shape[0] == 372
    assert [(block.name, block.start, block.length) for block in BLOCKS] == [
        (name, FIRST[name], length) for name, length in TABLE.items()
    ]


@each_position
def test_actions__every_id_has_a_text_of_its_own_that_reads_back(number: int) -> None:
    game = positions()[number]
    texts = [game.text(action) for action in range(372)]
    assert len(set(texts)) == 372
    for block, first in FIRST.items():
        assert all(text.split()[0] == block for text in texts[first : first + TABLE[block]])
    hops = range(FIRST["hop"], FIRST["hop"] + TABLE["hop"])
    for action, text in enumerate(texts):
        assert game.parse(text) == action or action in hops


@each_position
def test_actions__ids_follow_the_map_order_and_the_edges(number: int) -> None:
    game = positions()[number]
    cities = game.setting.map.cities
    for index, city in enumerate(cities):
        for edge, name in enumerate(EDGES):
            assert game.parse(f"start {city} {name}") == FIRST["start"] + 6 * index + edge
        assert game.parse(f"build {city}") == FIRST["build"] + index
        assert game.parse(f"source {city}") == FIRST["source"] + index
        assert game.parse(f"hop {city}") == FIRST["hop"] + cities.index(game.city(city)["group"][0])
    for edge, name in enumerate(EDGES):
        assert game.parse(f"head {name}") == FIRST["head"] + edge
        assert game.parse(f"replace {name}") == FIRST["replace"] + edge
    for contract in range(48):
        assert game.parse(f"fulfil {contract}") == FIRST["fulfil"] + contract
    assert [game.parse(word) for word in ("money", "contracts", "done", "remove")] == [0, 1, 2, 3]


@each_position
def test_actions__seats_count_from_the_actor_onwards(number: int) -> None:
    game = positions()[number]
    actor = max(game.seat, 0)
    for step in range(1, game.seats):
        other = (actor + step) % game.seats
        assert game.parse(f"pay player_{other}") == FIRST["pay"] + step - 1
        assert game.parse(f"take_from player_{other}") == FIRST["take_from"] + step - 1
        assert game.text(FIRST["pay"] + step - 1) == f"pay player_{other}"
    for nobody in (f"player_{actor}", f"player_{game.seats}", "player_x", "1"):
        with pytest.raises(IllegalActionError):
            game.parse(f"pay {nobody}")


@pytest.mark.parametrize(
    ("seats", "edition", "base"),
    [(2, "final", 4), (3, "final", 5), (5, "final", 5), (2, "preview", 5), (4, "preview", 5)],
)
def test_actions__amounts_are_base_less_one_base_and_base_and_one(seats: int, edition: str, base: int) -> None:
    game = Game(Rules(num_players=seats, edition=edition), seed=1)  # type: ignore[arg-type]
    for offset, amount in enumerate((base - 1, base, base + 1)):
        assert game.parse(f"amount {amount}") == FIRST["amount"] + offset
        assert game.text(FIRST["amount"] + offset) == f"amount {amount}"


def test_actions__names_with_spaces_and_any_city_of_a_group_for_a_hop() -> None:
    game = Game.from_scenario(GROUPED)
    assert game.parse("build New Ulm") == FIRST["build"] + 1
    assert game.parse("start Saint Paul SE") == FIRST["start"] + 2
    assert game.text(FIRST["start"] + 2) == "start Saint Paul SE"
    assert {game.parse(f"hop {city}") for city in ("Saint Paul", "New Ulm", "Elk River")} == {FIRST["hop"]}


@pytest.mark.parametrize("city", ["Saint Paul", "New Ulm", "Elk River"])
def test_actions__the_mask_offers_a_group_under_its_first_city(city: str) -> None:
    scenario = copy.deepcopy(GROUPED)
    scenario["map"]["hexes"] |= {"B2": "plains", "B4": "plains", "C3": "city"}
    scenario["map"]["cities"] = ["Saint Paul", "New Ulm", "Elk River", "Ames", "Far End", "Golden"]
    scenario["cities"] = "BBOWGG"
    scenario["links"] = [
        {"owner": 0, "path": ["Saint Paul", "B2", "Golden"]},
        {"owner": 1, "path": ["Elk River", "A7", "Ames"]},
    ]
    scenario["factories"] = [{"owner": 0, "city": "Ames", "resources": 2}]
    game = Game.from_scenario(scenario)
    game.step("fulfil 0")
    game.step("source Ames")
    assert game.legal() == [FIRST["hop"]]
    assert game.legal_text() == ["hop Saint Paul"]
    assert game.explain(f"hop {city}") is None
    game.step(f"hop {city}")
    assert game.fulfilled(0) == [0]
