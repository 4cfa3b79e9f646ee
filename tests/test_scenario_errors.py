"""Scenarios that are refused: the entry at fault begins the message."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from steam_env.kit.errors import ScenarioError
from steam_env.words.scenario_file import dump_scenario
from tests.rules.boards import LEVELS, draw, quilt, read_link, table, use_up
from tests.test_scenario import DELETE, card, changed, read, tiny

FIRST = read_link("0: Ames B2 Boone")

BAD_LINKS: list[tuple[Any, str]] = [  # given as they are, or as texts
    ([5], "links[0]: must be a table of owner, path, open, not 5 (int)"),
    ([{"owner": 0}], "links[0].path: missing"),
    ([{"path": ["Ames", "B2", "Boone"]}], "links[0].owner: missing"),
    ([FIRST | {"colour": "red"}], "links[0].colour: unknown key; allowed are owner, path, open"),
    ("2: Ames B2 Boone", "links[0].owner: 2; must be a whole number from 0 to 1"),
    ([FIRST | {"path": "Ames"}], "links[0].path: must be a list"),
    ([FIRST | {"path": ["Ames"]}], "links[0].path: ['Ames'] is too short"),
    ([FIRST | {"path": ["Ames", 2, "Boone"]}], "links[0].path[1]: must be text, not 2 (int)"),
    ("0: A3 B2 Boone", "links[0].path[0]: 'A3' is no city"),
    ("0: Ames B2 Quincy", "links[0].path[2]: 'Quincy' is neither a city nor a hex of map 'tiny'"),
    ("0: Ames B2 B4", "links[0].path[2]: 'B4' is the hex of a city; its name 'Boone' must"),
    ("0: Ames Boone", "links[0].path[1]: 'Boone' is a city; the first hex of a link must be a tile"),
    ("0: Ames D2 Clinton", "links[0].path[1]: 'D2' is not beside 'Ames'"),
    ("0: Ames B2 Dyson", "links[0].path[2]: 'Dyson' is not beside 'B2'"),
    ("0: Ames B2 Boone C3 > N", "links[0].path[2]: 'Boone' is a city; a link ends"),
    ("0: Ames A3 B2 Ames", "links[0].path[3]: 'Ames' is where the link started"),
    ("0: Ames B2 C1 B2 Boone", "links[0].path[3]: the link turns back"),
    ("0: Ames B2 > NW", "links[0].open: 'NW' leads back into the city"),
    ("0: Ames A3 B2 > NW", "links[0].open: 'NW' leads back into the city"),
    ("0: Ames A3 B2 > SW", "links[0].open: the link turns back"),
    ("0: Boone A5 > N", "links[0].path[1]: 'A5' is water"),
    ("0: Ames A3 > NW", "links[0].open: 'NW' leads off the map"),
    ("0: Ames A3 > S", "links[0].open: 'S' leads into water"),
    ("0: Ames B2 > S", "links[0].open: 'S' leads into 'Boone', so the link is complete"),
    ("0: Ames B2", "links[0].open: missing; a path that ends in no city needs one of N, NE"),
    ([read_link("0: Ames B2 > N") | {"open": "E"}], "links[0].open: 'E'; must be one of N, NE, SE, S, SW, NW"),
    ([read_link("0: Ames B2 > SE") | {"open": 2}], "links[0].open: must be text, not 2 (int)"),
    ([FIRST | {"open": "N"}], "links[0].open: 'N', but a path that ends in a city"),
    ("0: Ames B2 Boone, 1: Boone B2 > NE", "links[1].path[1]: 'B2' has other track on the edge"),
    (
        "0: Ames B2 Boone, 1: Clinton D2 C1 B2 > SE",
        "links[1].path[3]: on 'B2' the segment from NE to SE does not cross",
    ),
    (
        "0: Ames B2 Boone, 1: Ames A3 B2 > NE, 0: Boone C3 B2 C1 > SE",
        "links[2].path[2]: 'B2' holds two segments already",
    ),
    ("0: Ames B2 > SE, 1: Boone C3 > NW", "links[1].open: 'NW' leads into track that uses the shared edge"),
    ("0: Ames B2 Boone, 0: Dyson D4 > N", "links[1].path[0]: 'Dyson' is not in the network of player_0"),
    ("0: Ames A3 > NE, 0: Clinton D2 > SW", "links[1].owner: player_0 has links[0] incomplete"),
]

BAD_FACTORIES = [
    ({"owner": 0}, "factories: must be a list, not {"),
    ([{"owner": 0, "city": "Ames"}], "factories[0].resources: missing"),
    ([{"owner": 7, "city": "Ames", "resources": 1}], "factories[0].owner: 7;"),
    ([{"owner": 0, "city": "B2", "resources": 1}], "factories[0].city: 'B2' is no city of map 'tiny'"),
    ([{"owner": 0, "city": None, "resources": 1}], "factories[0].city: must be text, not None"),
    ([{"owner": 0, "city": "Ames", "resources": 6}], "factories[0].resources: 6; must be a whole number from 0 to 5"),
    ([{"owner": 0, "city": "Ames", "resources": 2.0}], "factories[0].resources: must be a whole number from 0 to 5, "),
    ([{"owner": 0, "city": "Ames", "resources": 1, "x": 1}], "factories[0].x: unknown key"),
    ([{"owner": 0, "city": "Dyson", "resources": 1}], "factories[0].city: 'Dyson' is purple"),
    ([{"owner": 0, "city": "Clinton", "resources": 1}], "factories[0].city: no complete link touches the group"),
    (
        [{"owner": 0, "city": "Ames", "resources": 0}, {"owner": 1, "city": "Ames", "resources": 1}],
        "factories[1].city: 'Ames' has a factory already",
    ),
]

BAD_ENTRIES = [
    ("colour", 1, "colour: unknown key; allowed are rules, cities, off_map"),
    ("cities", DELETE, "cities: missing"),
    ("cities", "WBO", "cities: 'WBO' has 3 colours; map 'tiny' has 4 cities"),
    ("cities", "WBOX", "cities: 'X' is no colour; allowed are W, B, O, G, P"),
    ("cities", ["W", "B", "O", "P"], "cities: must be text, not ["),
    ("off_map", "WX", "off_map: 'X' is no colour"),
    ("off_map", "W" * 1000, "off_map: 1000 white tiles; at most 999"),
    ("automa", {"marker": [0]}, "automa: there are no Automa seats; rules.automas must be 1 to 4"),
    ("solo", {"trains": []}, "solo: rules.mode must be 'solo' for this table"),
    ("rules", 2, "rules: must be a table of num_players, automas"),
    ("rules", {"players": 2}, "rules.players: unknown key; allowed are num_players"),
    ("rules", {"map": "midwest"}, "rules.map: 'midwest' stands here; it is the scenario's own entry map"),
    ("rules", {"contracts": "mini"}, "rules.contracts: 'mini' stands here"),
    ("rules", {"num_players": 6}, "rules.num_players=6: 2 to 5 are allowed"),
    ("rules", {"num_players": 2.0}, "rules.num_players must be an integer"),
    ("rules", {"mode": "solo", "num_players": 2}, "rules.num_players=2: only 1 is allowed"),
    ("map", 5, "map: must be a shipped name or a map's table, not 5 (int)"),
    ("map", "atlantis", "map: 'atlantis' is not shipped"),
    ("map", "mapless/none.toml", "map: mapless/none.toml: a map file cannot be read"),
    ("map.cities", ["Ames"], "map: cities: 1 name for 4 city hexes"),
    ("contracts", 5, "contracts: must be a shipped name or a list of contracts, not 5 (int)"),
    ("contracts", "none", "contracts: 'none' is not shipped"),
    ("contracts", [], "contracts: 0 contracts; must be 1 to 48"),
    ("contracts", [card(), card("P")], "contracts[1].needs: must be 1 to 5 letters of WBOG"),
    ("contracts", {"contracts": []}, "contracts.name: missing"),
    ("seats", [], "seats: must be a table of money, hands, fulfilled, known, not []"),
    ("seats.cash", [5, 5], "seats.cash: unknown key"),
    ("seats.money", [5], "seats.money: [5] has 1 entry; must have 2"),
    ("seats.money", 5, "seats.money: must be a list, not 5 (int)"),
    ("seats.money", [5, -1], "seats.money[1]: -1; must be a whole number from 0"),
    ("seats.money", [5, 2.0], "seats.money[1]: must be a whole number from 0 to 1000000, not 2.0 (float)"),
    ("seats.money", [5, True], "seats.money[1]: must be a whole number from 0 to 1000000, not True (bool)"),
    ("seats.money", [5, 10**12], "seats.money[1]: 1000000000000;"),
    ("seats.hands", [[0, 3]], "seats.hands: [[0, 3]] has 1 entry; must have 2"),
    ("seats.hands", [[0, 3], 1], "seats.hands[1]: must be a list, not 1 (int)"),
    ("seats.hands", [[0, 8], [1]], "seats.hands[0][1]: 8; must be a whole number from 0 to 7"),
    ("seats.hands", [[0, 3], [3]], "seats.hands[1][0]: contract 3 is in seats.hands[0] already"),
    ("seats.fulfilled", [[2], [3]], "seats.fulfilled[1][0]: contract 3 is in seats.hands[0] already"),
    ("seats.fulfilled", [[2, 2], []], "seats.fulfilled[0][1]: contract 2 is in seats.fulfilled[0] already"),
    ("seats.fulfilled", [[], []], "deck.order: contract 2 is nowhere"),
    ("seats.hands", DELETE, "seats.hands: left out, so 5 contracts are dealt to each of 2 players; 10 are needed"),
    ("seats.known", [[1]], "seats.known: [[1]] has 1 entry; must have 2"),
    ("seats.known", [[0], []], "seats.known[0][0]: contract 0 must be in another seat's hand"),
    ("seats.known", [[], [2]], "seats.known[1][0]: contract 2 must be in another seat's hand"),
    ("seats.known", [[1, 1], []], "seats.known[0][1]: contract 1 stands here twice"),
    ("seats.known", [["1"], []], "seats.known[0][0]: must be a whole number from 0 to 7, not '1' (str)"),
    ("turn", 1, "turn: must be a table of seat, actions_left, first_player, round, not 1 (int)"),
    ("turn.player", 1, "turn.player: unknown key"),
    ("turn.seat", 2, "turn.seat: 2; must be a whole number from 0 to 1"),
    ("turn.first_player", -1, "turn.first_player: -1;"),
    ("turn.actions_left", 0, "turn.actions_left: 0; must be a whole number from 1 to 2"),
    ("turn.actions_left", 3, "turn.actions_left: 3; must be a whole number from 1 to 2"),
    ("turn.round", 0, "turn.round: 0; must be a whole number from 1 to 20"),
    ("turn.round", 21, "turn.round: 21; must be a whole number from 1 to 20"),
    ("rules", {"max_rounds": 20, "first_player": "player_0"}, "turn.first_player: 1; must be 0"),
    ("deck", [4], "deck: must be a table of order, generation, not [4]"),
    ("deck.cards", [4], "deck.cards: unknown key"),
    ("deck.order", [4, 7, 5], "deck.order: contract 6 is nowhere"),
    ("deck.order", [4, 7, 5, 6, 4], "deck.order[4]: contract 4 is in deck.order already"),
    ("deck.order", [4, 7, 5, 6, 0], "deck.order[4]: contract 0 is in seats.hands[0] already"),
    ("deck.order", [4, 7, 5, 9], "deck.order[3]: 9; must be a whole number from 0 to 7"),
    ("deck.generation", [0, 0], "deck.generation: [0, 0] has 2 entries; must have 8"),
    ("deck.generation", [0] * 7 + [-1], "deck.generation[7]: -1; must be a whole number from 0 to 16000"),
    ("deck.generation", [0] * 7 + [16_001], "deck.generation[7]: 16001;"),
    ("random", "00", "random: must be a table of state, not '00' (str)"),
    ("random.seed", 1, "random.seed: unknown key; allowed are state"),
    ("random.state", "00", "random.state: '00'; must be 64 hexadecimal digits, has 2"),
    ("random.state", "0g" * 32, "random.state: '0g0g"),
    ("random.state", 17, "random.state: must be text, not 17 (int)"),
]


@pytest.mark.parametrize(
    ("entry", "value", "start"),
    [
        *(("links", links, start) for links, start in BAD_LINKS),
        *(("factories", factories, start) for factories, start in BAD_FACTORIES),
        *BAD_ENTRIES,
    ],
)
def test_errors__entry_at_fault_begins_the_message(entry: str, value: object, start: str) -> None:
    if entry == "links" and isinstance(value, str):
        value = [read_link(text) for text in value.split(", ")]
    assert_refused(changed(entry, value, changed("factories", []) if entry == "links" else None), start)


def assert_refused(scenario: dict[str, Any], start: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(scenario, seed=0)
    assert str(caught.value).startswith(start)


def test_errors__known_without_hands() -> None:
    scenario = changed("contracts", "mini")
    scenario["seats"], scenario["deck"] = {"known": [[1], []]}, {}
    assert_refused(scenario, "seats.known: needs seats.hands")


def test_errors__more_of_a_colour_than_the_bag_has() -> None:
    scenario = changed("off_map", DELETE, changed("map.tiles", "WBBOG"))
    assert_refused(scenario, "cities: 1 purple cities; the map's bag of tiles has 0")


def crowd(links: int = 1, factories: Sequence[str] = (), **rules: Any) -> dict[str, Any]:
    """Four rows of eight white cities; so many links of seat 0 lead from one row to the next."""
    cells, paths = quilt(0)
    return table(cells, paths[:links], factories, rules=rules)


def use_tiles(number: int) -> dict[str, Any]:
    cells = dict(draw("A"))
    return table(cells, use_up(cells, "tight", number, owner=0))


ROWS_OF_CITIES = [f"{level}{column}" for level in LEVELS[:2] for column in range(1, 9)]
EMPTY = [f"0: {city} 0" for city in ROWS_OF_CITIES]
FULL = [  # the seventh is flipped: the stock is no matter to it
    f"{owner}: {city} {left}" for city, owner, left in zip(ROWS_OF_CITIES, "00000011", "55555501", strict=False)
]


@pytest.mark.parametrize(
    ("field", "make", "most", "start"),
    [
        ("trains", crowd, 21, "links[21].owner: player_0 has more than 21 links"),
        ("trains", partial(crowd, edition="preview"), 18, "links[18].owner: player_0 has more than 18 links"),
        ("tiles", use_tiles, 10, "links: 11 tiles of the kind 'tight curve or straight x "),
        ("factories", lambda n: crowd(1, EMPTY[:n]), 15, "factories[15].owner: player_0 has more than 15 fact"),
        ("stock", lambda n: crowd(1, FULL[:n]), 7, "factories[7].resources: 1 makes more than 30 white resources"),
    ],
)
def test_errors__more_than_there_is(field: str, make: Callable[[int], dict[str, Any]], most: int, start: str) -> None:
    assert read(make(most), seed=0).record[field][1 if field == "tiles" else 0] == 0
    assert_refused(make(most + 1), start)


@pytest.mark.parametrize(
    ("num_players", "edition", "most"), [(2, "final", 5), (3, "final", 6), (2, "preview", 6), (5, "preview", 6)]
)
def test_errors__resources_of_a_factory(num_players: int, edition: str, most: int) -> None:
    good, bad = (
        crowd(1, [f"0: Attic3 {left}"], num_players=num_players, edition=edition) | {"contracts": "standard"}
        for left in (most, most + 1)
    )
    assert read(good).city("Attic3")["resources"] == most
    assert_refused(bad, f"factories[0].resources: {most + 1}; must be")


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "7"])
def test_errors__seed(seed: object) -> None:
    with pytest.raises(ValueError, match=r"^seed"):
        read(tiny(), seed)  # type: ignore[arg-type]


def test_errors__files_name_entry_and_file(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    dump_scenario(changed("turn.seat", 9), path)
    with pytest.raises(ScenarioError, match=r"^turn\.seat: 9; .* \(in .*bad\.toml\)$"):
        read(path)
    path.write_text("cities = ", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"bad\.toml:1:10: not TOML"):
        read(path)
    with pytest.raises(ScenarioError, match=r"none\.toml: a scenario file cannot be read there: No such file"):
        read(tmp_path / "none.toml")
