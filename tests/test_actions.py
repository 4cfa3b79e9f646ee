"""The action space: 372 ids in fixed blocks, each with one text (interfaces, section 5)."""

from itertools import accumulate
from typing import Any

import pytest

from steam_env import Game, IllegalActionError, Rules
from steam_env.core.steam_power.actions import BLOCKS, NUM_ACTIONS
from tests.rules.boards import EDGES, PLAIN_CARD

TABLE = {
    **{"money": 1, "contracts": 1, "done": 1, "remove": 1, "start": 33 * 6, "head": 6, "replace": 6, "build": 33},
    **{"amount": 3, "fulfil": 48, "source": 33, "hop": 33, "pay": 4, "take_from": 4},
}
EDITIONS = ("final", "preview")
FIRST = dict(zip(TABLE, accumulate([0, *TABLE.values()]), strict=False))

# Three towns in a column are one group; a fourth one and a fifth beyond are linked to it by seats 1 and 2.
GROUPED: dict[str, Any] = {
    "rules": {"num_players": 3},
    "map": {
        "name": "grouped",
        "cities": ["Saint Paul", "New Ulm", "Elk River", "Ames", "Far End", "Golden"],
        "rows": "@\n .\n@\n .\n@\n .\n.\n .\n@\n\n.\n\n@ @",
    },
    "cities": "WBOWGG",
    "off_map": "",
    "contracts": [PLAIN_CARD],
    "links": [
        {"owner": 0, "path": ["Ames", "A11", "Far End"]},
        {"owner": 1, "path": ["Elk River", "A7", "Ames"]},
        {"owner": 2, "path": ["Elk River", "B6", "B8", "Ames"]},
    ],
    "factories": [{"owner": 1, "city": "Saint Paul", "resources": 2}],
    "seats": {"money": [9, 9, 9], "hands": [[0], [], []]},
    "deck": {"order": []},
}


@pytest.fixture(scope="module")
def positions() -> list[Game]:
    """Positions with different maps, movers and seat counts, some inside an action, one after the end."""
    games = [Game(Rules(num_players=seats, edition=edition), seed=seats) for seats in (2, 5) for edition in EDITIONS]
    games += [Game(Rules(num_players=3, map=name, contracts="mini"), seed=3) for name in ("mini", "midwest")]
    grouped = Game.from_scenario(GROUPED)
    games.append(grouped.clone())
    for action in ("fulfil 0", "source Saint Paul", "hop Ames"):
        grouped.step(action)
        games.append(grouped.clone())
    over = Game(Rules(map="mini", contracts="mini", max_rounds=1), seed=1)
    while not over.done:
        over.step("money")
    return [*games, over]


def test_actions__are_372_in_the_blocks_of_the_table() -> None:
    assert NUM_ACTIONS == sum(TABLE.values()) == Game(seed=1).mask.shape[0] == 372
    assert [(block.name, block.start, block.length) for block in BLOCKS] == [
        (name, FIRST[name], length) for name, length in TABLE.items()
    ]


def test_actions__every_id_has_a_text_of_its_own_that_reads_back(positions: list[Game]) -> None:
    assert {game.phase for game in positions} == {"action", "source", "hop", "pay", "over"}
    for game in positions:
        texts = [game.text(action) for action in range(372)]
        assert len(set(texts)) == 372
        for block, first in FIRST.items():
            assert all(text.split()[0] == block for text in texts[first : first + TABLE[block]])
        for action, text in enumerate(texts):  # any city of a group names it as the end of a hop
            assert game.parse(text) == action or text.startswith("hop")


def test_actions__ids_follow_the_map_order_the_edges_and_the_seats_from_the_actor_onwards(
    positions: list[Game],
) -> None:
    for game in positions:
        cities, actor = game.setting.map.cities, max(game.seat, 0)
        numbers = {"money": 0, "contracts": 1, "done": 2, "remove": 3}
        for index, city in enumerate(cities):
            numbers |= {f"start {city} {name}": FIRST["start"] + 6 * index + at for at, name in enumerate(EDGES)}
            numbers |= {f"{word} {city}": FIRST[word] + index for word in ("build", "source")}
            numbers[f"hop {city}"] = FIRST["hop"] + cities.index(game.city(city)["group"][0])
        numbers |= {f"{word} {name}": FIRST[word] + at for word in ("head", "replace") for at, name in enumerate(EDGES)}
        numbers |= {f"fulfil {contract}": FIRST["fulfil"] + contract for contract in range(48)}
        for step in range(1, game.seats):
            seat = f"player_{(actor + step) % game.seats}"
            numbers |= {f"{word} {seat}": FIRST[word] + step - 1 for word in ("pay", "take_from")}
        assert {text: game.parse(text) for text in numbers} == numbers
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


@pytest.mark.parametrize("city", ["Saint Paul", "New Ulm", "Elk River"])
def test_actions__the_mask_offers_a_group_under_its_first_city(city: str) -> None:
    links = [{"owner": 0, "path": ["Saint Paul", "B2", "New Ulm"]}, GROUPED["links"][1]]
    factories = [{"owner": 0, "city": "Ames", "resources": 2}]
    game = Game.from_scenario({**GROUPED, "links": links, "factories": factories})
    game.step("fulfil 0")
    game.step("source Ames")
    assert game.legal_text() == ["hop Saint Paul"]
    assert game.legal() == [game.parse(f"hop {city}")] == [FIRST["hop"]]
    assert game.explain(f"hop {city}") is None
    game.step(f"hop {city}")
    assert game.fulfilled(0) == [0]
