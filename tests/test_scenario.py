"""Scenarios: what is read and left out, that a game's scenario reads back to the game, and what is refused."""

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import block_of
from steam_env.core.steam_power.state import ACTIONS_PER_TURN, MAX_LINKS, PLACE_DECK, PLACE_HAND
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.maps import load_map, shipped_maps
from steam_env.data.steam_power.rules import Rules
from steam_env.kit.errors import ScenarioError
from steam_env.words.scenario_file import dump_scenario

TRANSCRIPTS = ("two-seats", "multi-any", "multi-cheapest", "preview")
EXAMPLES = ("first-track", "last-rounds")
DELETE = object()
read = Game.from_scenario

#  A1 Ames    C1    E1 Clinton
#     B2 plains  D2 hills
#  A3    C3 mountains    E3
#     B4 Boone   D4
#  A5 water   C5    E5 Dyson
ROWS = "@ . @\n . h\n. m .\n @ .\n~ . @"


def card(needs: str = "WB", bonus: str = "none") -> dict[str, Any]:
    return {"needs": needs, "money": 3, "vp": 2, "bonus": bonus, "automa": "track"}


def tiny() -> dict[str, Any]:
    """A scenario that holds every entry there is for two seats."""
    return {
        "rules": {"num_players": 2, "max_rounds": 20},
        "cities": "WBOP",
        "off_map": "BP",
        "contracts": [card(), card("B", "track"), card("OO", "factory"), *(card("G", "contracts") for _ in range(5))],
        "map": {"name": "tiny", "cities": ["Ames", "Boone", "Clinton", "Dyson"], "rows": ROWS},
        "links": [
            {"owner": 0, "path": ["Ames", "B2", "Boone"]},
            {"owner": 1, "path": ["Clinton", "D2"], "open": "SW"},
        ],
        "factories": [{"owner": 1, "city": "Ames", "resources": 3}],
        "seats": {"money": [5, 12], "hands": [[0, 3], [1]], "fulfilled": [[2], []], "known": [[1], []]},
        "turn": {"seat": 1, "actions_left": 1, "first_player": 1, "round": 4},
        "deck": {"order": [4, 7, 5, 6], "generation": [0, 0, 1, 0, 2, 0, 0, 0]},
        "random": {"state": "00112233445566778899aabbccddeeff" * 2},
    }


def changed(entry: str, value: object, scenario: dict[str, Any] | None = None) -> dict[str, Any]:
    """A copy of the scenario (default: the tiny one) with another value for ``"table.key"``."""
    result = tiny() if scenario is None else copy.deepcopy(scenario)
    *tables, key = entry.split(".")
    table = result
    for name in tables:
        table = table[name]
    if value is DELETE:
        del table[key]
    else:
        table[key] = value
    return result


def column_map(cities: int, between: str = "") -> dict[str, Any]:
    """Cities in column A, in one group; with ``between`` a plains hex lies between any two.

    Without it, each tile of column B touches two neighbouring cities.
    """
    names = [f"Town {chr(65 + number // 26)}{chr(65 + number % 26)}" for number in range(cities)]
    step = 4 if between else 2
    hexes = {f"A{1 + step * number}": "city" for number in range(cities)}
    for number in range(cities - 1):
        hexes[f"A{3 + step * number}" if between else f"B{2 + step * number}"] = "plains"
    return {"name": "column", "cities": names, "hexes": hexes}


def column_scenario(cities: int, links: int, between: str = "", edition: str = "final") -> dict[str, Any]:
    board = column_map(cities, between)
    names = board["cities"]
    tiles = [f"A{3 + 4 * number}" if between else f"B{2 + 2 * number}" for number in range(links)]
    return {
        "rules": {"edition": edition},
        "cities": "W" * cities,
        "off_map": "",
        "contracts": "mini",
        "map": board,
        "links": [{"owner": 0, "path": [names[n], tile, names[n + 1]]} for n, tile in enumerate(tiles)],
    }


def transcript_scenario(name: str) -> dict[str, Any]:
    text = (Path(__file__).parent / "transcripts" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)["scenario"]


def example_path(name: str) -> Path:
    return Path(str(resources.files("steam_env.data.steam_power") / "scenarios" / f"{name}.toml"))


def play_randomly(game: Game, seed: int) -> Iterator[None]:
    """Play legal actions in place; yields between actions. The kind of action is drawn first, then the action."""
    rng = np.random.default_rng(seed)
    while not game.done:
        if game.phase == "action":
            yield
        kinds: dict[str, list[int]] = {}
        for action in game.legal():
            kinds.setdefault(block_of(action).name, []).append(action)
        game.step(int(rng.choice(kinds[rng.choice(sorted(kinds))])))


def assert_equal(game: Game, other: Game) -> None:
    for name in game.records.dtype.names or ():
        assert np.array_equal(game.records[name], other.records[name]), name
    assert game.records.tobytes() == other.records.tobytes()
    one, two = game.setting, other.setting
    assert (one.boards.tobytes(), one.decks.tobytes()) == (two.boards.tobytes(), two.decks.tobytes())
    assert (one.rules, one.map, one.deck) == (two.rules, two.map, two.deck)


def write_again(game: Game) -> dict[str, Any]:
    """The game's scenario, which reads back to an equal game."""
    scenario = game.to_scenario()
    assert_equal(read(scenario), game)
    return scenario


# --- round trips ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TRANSCRIPTS)
@pytest.mark.parametrize("seed", [0, 1])
def test_round_trip__equal_record_between_all_actions_of_random_games(name: str, seed: int) -> None:
    scenario = transcript_scenario(name)
    scenario["rules"] |= {"contracts_to_end": 9, "max_rounds": 25}
    game = read(scenario, seed)
    seen = {"known": False, "incomplete": False, "flipped": False, "empty deck": False}
    for _ in play_randomly(game, seed):
        write_again(game)
        record = game.record
        seen["known"] |= bool(record.known.any())
        seen["incomplete"] |= bool((record.tail_link != NONE).any())
        seen["flipped"] |= bool(((record.owner != NONE) & (record.resources == 0)).any())
        seen["empty deck"] |= record.deck_size == 0
    assert all(seen.values()), seen


def test_round_trip__every_entry_of_two_seats() -> None:
    game = read(tiny())
    assert game.rules == Rules(num_players=2, max_rounds=20, map="tiny", contracts="inline")
    written = write_again(game)
    for entry in ("cities", "off_map", "contracts", "links", "factories", "seats", "turn", "deck", "random"):
        assert written[entry] == tiny()[entry], entry
    assert json.loads(json.dumps(written)) == written


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_toml__round_trip_through_a_file(name: str, tmp_path: Path) -> None:
    game = read(transcript_scenario(name) | {"random": {}}, seed=2)
    list(islice(play_randomly(game, 1), 12))
    path = tmp_path / "position.toml"
    scenario = game.to_scenario(path=path)
    assert tomllib.loads(path.read_text(encoding="utf-8")) == scenario
    assert_equal(read(path), game)
    assert_equal(read(str(path), seed=8), game)


def test_toml__one_contract_or_list_a_line(tmp_path: Path) -> None:
    path = tmp_path / "position.toml"
    dump_scenario(read(tiny()).to_scenario(), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert '    { needs = "OO", money = 3, vp = 2, bonus = "factory", automa = "track" },' in lines
    assert "order = [4, 7, 5, 6]" in lines
    assert "hands = [[0, 3], [1]]" in lines
    assert 'path = ["Ames", "B2", "Boone"]' in lines


def test_toml__long_lists_are_wrapped(tmp_path: Path) -> None:
    scenario = {"deck": {"order": list(range(48))}, "map": {"cities": [f"Saint Number {n}, or so" for n in range(9)]}}
    path = tmp_path / "long.toml"
    dump_scenario(scenario, path)
    text = path.read_text(encoding="utf-8")
    assert tomllib.loads(text) == scenario
    assert max(map(len, text.splitlines())) <= 110
    assert len(text.splitlines()) < 15


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples__load_and_can_be_played(name: str) -> None:
    game = read(example_path(name), seed=0)
    write_again(game)
    assert sum(1 for _ in play_randomly(game, 0)) > 1


# --- what is read ---------------------------------------------------------------------------------------
def test_record__is_as_play_leaves_it() -> None:
    record = read(tiny()).record
    assert record.num_links == 2
    assert list(record.link_owner[:3]) == [0, 1, NONE]
    assert list(record.link_start[:3]) == [0, 2, NONE]
    assert list(record.link_end[:3]) == [1, NONE, NONE]
    assert list(record.tail_link) == [NONE, 1, NONE, NONE, NONE]
    assert (list(record.network[:2]), list(record.trains[:2])) == ([0b11, 0], [20, 20])
    assert (list(record.tiles), list(record.money[:2])) == ([78, 10, 10], [5, 12])
    assert (list(record.factories[:2]), list(record.stock)) == ([15, 14], [27, 30, 30, 30])
    assert (list(record.deck_order[:5]), record.deck_size) == ([6, 5, 7, 4, NONE], 4)  # next draw last


def test_links__a_link_may_cross_itself() -> None:
    path = ["Ames", "A3", "B2", "C3", "D2", "C1", "B2"]
    scenario = changed("links", [{"owner": 1, "path": path, "open": "S"}])
    scenario["map"]["rows"] = ROWS.replace(" @ .", " . .", 1).replace("~ . @", "@ . @")
    scenario["map"]["cities"] = ["Ames", "Boone", "Clinton", "Dyson"]
    scenario["factories"] = []
    game = read(scenario)
    assert list(game.records["tiles"][0]) == [78, 8, 9]
    assert game.to_scenario()["links"] == scenario["links"]


def test_contracts__may_be_a_deck_table() -> None:
    game = read(changed("contracts", {"name": "own", "contracts_to_end": 3, "contracts": tiny()["contracts"]}))
    assert (game.record.contracts_to_end, game.rules.contracts) == (3, "own")
    write_again(game)


@pytest.mark.parametrize(
    ("contracts", "given", "expected"), [("mini", None, 6), ("mini", 2, 2), (None, None, 14), (None, 9, 9)]
)
def test_contracts_to_end__rules_then_deck_then_rule_3_2(contracts: str, given: int | None, expected: int) -> None:
    scenario = tiny() | {"contracts": contracts or [card()] * 10, "seats": {"fulfilled": [[], []]}, "deck": {}}
    if given is not None:
        scenario["rules"]["contracts_to_end"] = given
    assert read(scenario).records["contracts_to_end"][0] == expected


def test_contracts__shipped_names_stay_names() -> None:
    game = read(column_scenario(3, 1), seed=0)
    assert game.rules == Rules(map="column", contracts="mini")
    assert game.setting.deck == load_deck("mini")
    assert game.to_scenario()["contracts"] == "mini"


@pytest.mark.parametrize("name", shipped_maps())
def test_map__shipped_names_stay_names(name: str) -> None:
    board = load_map(name)
    game = read({"map": name, "cities": board.tiles[: len(board.cities)]}, seed=0)
    assert (game.rules, game.setting.map) == (Rules(map=name), board)
    assert write_again(game)["map"] == name


def test_map__inline_with_a_shipped_name_is_written_out() -> None:
    game = read(changed("map.name", "midwest"))
    assert game.rules.map == "midwest"
    assert write_again(game)["map"]["cities"] == ["Ames", "Boone", "Clinton", "Dyson"]


def test_source__is_not_changed() -> None:
    scenario = tiny()
    read(scenario)
    assert scenario == tiny()


def test_numbers__may_be_of_numpy() -> None:
    scenario = changed("seats.money", [np.int64(5), np.int32(12)])
    assert_equal(read(scenario), read(tiny()))


# --- what is left out -----------------------------------------------------------------------------------
def test_defaults__everything_but_cities_and_map() -> None:
    board = tiny()["map"] | {"tiles": "WWBBOOGGPP"}
    game = read({"map": board, "cities": "WBOP", "contracts": "mini"}, seed=4)
    record = game.record
    assert game.rules == Rules(map="tiny", contracts="mini")
    assert list(record.off_map) == [1, 1, 1, 2, 1]
    assert (record.num_links, list(record.money[:2]), list(record.factories[:2])) == (0, [5, 5], [15, 15])
    assert list(record.hand_size) == [5, 5, 0, 0, 0]
    assert (record.deck_size, record.num_fulfilled.sum()) == (6, 0)
    assert (record.seat, record.actions_left, record.first_player, record.round_number) == (0, ACTIONS_PER_TURN, 0, 1)
    assert (record.link_owner == NONE).all()
    assert len(record.link_owner) == MAX_LINKS


def test_defaults__rules_map_and_contracts_are_those_of_rules() -> None:
    board = load_map(Rules.map)
    game = read({"cities": board.tiles[: len(board.cities)]}, seed=0)
    assert (game.rules, game.setting.map, game.setting.deck) == (Rules(), board, load_deck("standard"))


@pytest.mark.parametrize(
    ("entry", "field", "expected"),
    [
        ("links", "num_links", 0),
        ("factories", "stock", [30, 30, 30, 30]),
        ("seats.money", "money", [5, 5, 0, 0, 0]),
        ("seats.known", "known", [0] * 48),
        ("turn.seat", "seat", 0),
        ("turn.actions_left", "actions_left", 2),
        ("turn.first_player", "first_player", 0),
        ("turn.round", "round_number", 1),
        ("deck.generation", "generation", [0] * 48),
    ],
)
def test_defaults__one_entry(entry: str, field: str, expected: object) -> None:
    scenario = changed("factories", []) if entry == "links" else tiny()
    changed_record = read(changed(entry, DELETE, scenario)).records
    assert np.array_equal(changed_record[field][0], np.array(expected))


def test_defaults__chance_is_a_function_of_the_seed() -> None:
    scenario = {"map": tiny()["map"], "cities": "WBOP", "contracts": "mini"}
    assert_equal(read(scenario, seed=7), read(scenario, seed=7))
    records = [read(scenario, seed=seed).records for seed in (7, 8, None, None)]
    for field in ("place", "deck_order", "rng"):
        assert len({record[field].tobytes() for record in records}) == 4, field


def test_defaults__deck_order_alone_is_shuffled() -> None:
    scenario = changed("deck", {}, changed("contracts", [card() for _ in range(30)]))
    records = [read(scenario, seed=seed).record for seed in range(3)]
    assert len({record.deck_order.tobytes() for record in records}) == 3
    for record in records:
        assert sorted(record.deck_order[:26]) == sorted(set(range(30)) - {0, 1, 2, 3})
        assert list(record.place[:4]) == [PLACE_HAND, PLACE_HAND + 1, 6, PLACE_HAND]
        assert np.count_nonzero(record.place == PLACE_DECK) == 26


def test_defaults__random_state_does_not_depend_on_what_was_drawn() -> None:
    scenario = changed("deck", {})
    assert np.array_equal(read(scenario, seed=1).records["rng"], read(tiny()).records["rng"])


def test_defaults__hands_are_dealt_beside_what_is_placed() -> None:
    scenario = changed("contracts", [card() for _ in range(12)])
    scenario["seats"] = {"fulfilled": [[11], []]}
    scenario["deck"] = {"order": [10]}
    record = read(scenario, seed=0).record
    assert list(record.hand_size[:2]) == [5, 5]
    assert record.place[10] == PLACE_DECK


# --- what is refused ---------------------------------------------------------------------------------------
def link(owner: int, *path: str, open_edge: str | None = None) -> dict[str, Any]:
    return {"owner": owner, "path": list(path)} | ({"open": open_edge} if open_edge else {})


FIRST = link(0, "Ames", "B2", "Boone")

BAD_LINKS = [
    ([5], "links[0]: must be a table of owner, path, open, not 5 (int)"),
    ([{"owner": 0}], "links[0].path: missing"),
    ([{"path": ["Ames", "B2", "Boone"]}], "links[0].owner: missing"),
    ([FIRST | {"colour": "red"}], "links[0].colour: unknown key; allowed are owner, path, open"),
    ([FIRST | {"owner": 2}], "links[0].owner: 2; must be a whole number from 0 to 1"),
    ([FIRST | {"owner": -1}], "links[0].owner: -1;"),
    ([FIRST | {"owner": True}], "links[0].owner: must be a whole number from 0 to 1, not True (bool)"),
    ([FIRST | {"path": "Ames"}], "links[0].path: must be a list"),
    ([link(0, "Ames")], "links[0].path: ['Ames'] is too short"),
    ([FIRST | {"path": ["Ames", 2, "Boone"]}], "links[0].path[1]: must be text, not 2 (int)"),
    ([link(0, "A3", "B2", "Boone")], "links[0].path[0]: 'A3' is no city"),
    ([link(0, "Ames", "B2", "Quincy")], "links[0].path[2]: 'Quincy' is neither a city nor a hex of map 'tiny'"),
    ([link(0, "Ames", "B2", "Z2")], "links[0].path[2]: 'Z2' is neither"),
    ([link(0, "Ames", "B2", "B4")], "links[0].path[2]: 'B4' is the hex of a city; its name 'Boone' must"),
    ([link(0, "Ames", "Boone")], "links[0].path[1]: 'Boone' is a city; the first hex of a link must be a tile"),
    ([link(0, "Ames", "D2", "Clinton")], "links[0].path[1]: 'D2' is not beside 'Ames'"),
    ([link(0, "Ames", "B2", "C1", "D4", open_edge="N")], "links[0].path[3]: 'D4' is not beside 'C1'"),
    ([link(0, "Ames", "B2", "Dyson")], "links[0].path[2]: 'Dyson' is not beside 'B2'"),
    ([link(0, "Ames", "B2", "Boone", "C3", open_edge="N")], "links[0].path[2]: 'Boone' is a city; a link ends"),
    ([link(0, "Ames", "A3", "B2", "Ames")], "links[0].path[3]: 'Ames' is where the link started"),
    ([link(0, "Ames", "B2", "C1", "B2", "Boone")], "links[0].path[3]: the link turns back"),
    ([link(0, "Ames", "B2", open_edge="NW")], "links[0].open: 'NW' leads back into the city"),
    ([link(0, "Ames", "A3", "B2", open_edge="NW")], "links[0].open: 'NW' leads back into the city"),
    ([link(0, "Ames", "A3", "B2", open_edge="SW")], "links[0].open: the link turns back"),
    ([link(0, "Boone", "A5", open_edge="N")], "links[0].path[1]: 'A5' is water"),
    ([link(0, "Ames", "A3", open_edge="NW")], "links[0].open: 'NW' leads off the map"),
    ([link(0, "Ames", "A3", open_edge="S")], "links[0].open: 'S' leads into water"),
    ([link(0, "Ames", "B2", open_edge="S")], "links[0].open: 'S' leads into 'Boone', so the link is complete"),
    ([link(0, "Ames", "B2")], "links[0].open: missing; a path that ends in no city needs one of N, NE"),
    ([link(0, "Ames", "B2", open_edge="E")], "links[0].open: 'E'; must be one of N, NE, SE, S, SW, NW"),
    ([link(0, "Ames", "B2", open_edge="SE") | {"open": 2}], "links[0].open: must be text, not 2 (int)"),
    ([FIRST | {"open": "N"}], "links[0].open: 'N', but a path that ends in a city"),
    ([FIRST, link(1, "Boone", "B2", open_edge="NE")], "links[1].path[1]: 'B2' has other track on the edge"),
    (
        [FIRST, link(1, "Clinton", "D2", "C1", "B2", open_edge="SE")],
        "links[1].path[3]: on 'B2' the segment from NE to SE does not cross",
    ),
    (
        [FIRST, link(1, "Ames", "A3", "B2", open_edge="NE"), link(0, "Boone", "C3", "B2", open_edge="N")],
        "links[2].open: 'N' leads off the map",
    ),
    (
        [FIRST, link(1, "Ames", "A3", "B2", open_edge="NE"), link(0, "Boone", "C3", "B2", "C1", open_edge="SE")],
        "links[2].path[2]: 'B2' holds two segments already",
    ),
    (
        [link(0, "Ames", "B2", open_edge="SE"), link(1, "Boone", "C3", open_edge="NW")],
        "links[1].open: 'NW' leads into track that uses the shared edge",
    ),
    ([FIRST, link(0, "Dyson", "D4", open_edge="N")], "links[1].path[0]: 'Dyson' is not in the network of player_0"),
    (
        [link(0, "Ames", "A3", open_edge="NE"), link(0, "Clinton", "D2", open_edge="SW")],
        "links[1].owner: player_0 has links[0] incomplete",
    ),
]

BAD_FACTORIES = [
    ({"owner": 0}, "factories: must be a list, not {"),
    ([{"owner": 0, "city": "Ames"}], "factories[0].resources: missing"),
    ([{"owner": 7, "city": "Ames", "resources": 1}], "factories[0].owner: 7;"),
    ([{"owner": 0, "city": "B2", "resources": 1}], "factories[0].city: 'B2' is no city of map 'tiny'"),
    ([{"owner": 0, "city": None, "resources": 1}], "factories[0].city: must be text, not None"),
    ([{"owner": 0, "city": "Ames", "resources": 6}], "factories[0].resources: 6; must be a whole number from 0 to 5"),
    ([{"owner": 0, "city": "Ames", "resources": -1}], "factories[0].resources: -1;"),
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
    ("off_map", 3, "off_map: must be text, not 3 (int)"),
    ("off_map", "W" * 1000, "off_map: 1000 white tiles; at most 999"),
    ("automa", {"marker": [0]}, "automa: there are no Automa seats; rules.automas must be 1 to 4"),
    ("solo", {"trains": []}, "solo: rules.mode must be 'solo' for this table"),
    ("rules", 2, "rules: must be a table of num_players, automas"),
    ("rules", {"players": 2}, "rules.players: unknown key; allowed are num_players"),
    ("rules", {"map": "midwest"}, "rules.map: 'midwest' stands here; it is the scenario's own entry map"),
    ("rules", {"contracts": "mini"}, "rules.contracts: 'mini' stands here"),
    ("rules", {"num_players": 6}, "rules.num_players=6: 2 to 5 are allowed"),
    ("rules", {"num_players": 2.0}, "rules.num_players must be an integer"),
    ("rules", {"automas": 2}, "rules.automas=2: 0 to 1 are allowed"),
    ("rules", {"mode": "solo", "num_players": 2}, "rules.num_players=2: only 1 is allowed"),
    ("rules", {"routing": "all"}, "rules.routing='all': allowed are 'any', 'cheapest'"),
    ("map", 5, "map: must be a shipped name or a map's table, not 5 (int)"),
    ("map", "atlantis", "map: 'atlantis' is not shipped"),
    ("map", "mapless/none.toml", "map: mapless/none.toml: a map file cannot be read"),
    ("map.cities", ["Ames"], "map: cities: 1 names for 4 city hexes"),
    ("contracts", 5, "contracts: must be a shipped name or a list of contracts, not 5 (int)"),
    ("contracts", "none", "contracts: 'none' is not shipped"),
    ("contracts", [], "contracts: 0 contracts; must be 1 to 48"),
    ("contracts", [card(), card("P")], "contracts[1].needs: must be 1 to 5 letters of WBOG"),
    ("contracts", {"contracts": []}, "contracts.name: missing"),
    ("seats", [], "seats: must be a table of money, hands, fulfilled, known, not []"),
    ("seats.cash", [5, 5], "seats.cash: unknown key"),
    ("seats.money", [5], "seats.money: [5] has 1 entries; must have 2"),
    ("seats.money", 5, "seats.money: must be a list, not 5 (int)"),
    ("seats.money", [5, -1], "seats.money[1]: -1; must be a whole number from 0"),
    ("seats.money", [5, 2.0], "seats.money[1]: must be a whole number from 0 to 1000000, not 2.0 (float)"),
    ("seats.money", [5, True], "seats.money[1]: must be a whole number from 0 to 1000000, not True (bool)"),
    ("seats.money", [5, 10**12], "seats.money[1]: 1000000000000;"),
    ("seats.hands", [[0, 3]], "seats.hands: [[0, 3]] has 1 entries; must have 2"),
    ("seats.hands", [[0, 3], 1], "seats.hands[1]: must be a list, not 1 (int)"),
    ("seats.hands", [[0, 8], [1]], "seats.hands[0][1]: 8; must be a whole number from 0 to 7"),
    ("seats.hands", [[0, 3], [3]], "seats.hands[1][0]: contract 3 is in seats.hands[0] already"),
    ("seats.fulfilled", [[2], [3]], "seats.fulfilled[1][0]: contract 3 is in seats.hands[0] already"),
    ("seats.fulfilled", [[2, 2], []], "seats.fulfilled[0][1]: contract 2 is in seats.fulfilled[0] already"),
    ("seats.fulfilled", [[], []], "deck.order: contract 2 is nowhere"),
    ("seats.hands", DELETE, "seats.hands: left out, so 5 contracts are dealt to each of 2 players; 10 are needed"),
    ("seats.known", [[1]], "seats.known: [[1]] has 1 entries; must have 2"),
    ("seats.known", [[0], []], "seats.known[0][0]: contract 0 must be in another seat's hand"),
    ("seats.known", [[], [4]], "seats.known[1][0]: contract 4 must be in another seat's hand"),
    ("seats.known", [[], [2]], "seats.known[1][0]: contract 2 must be in another seat's hand"),
    ("seats.known", [[1, 1], []], "seats.known[0][1]: contract 1 stands here twice"),
    ("seats.known", [["1"], []], "seats.known[0][0]: must be a whole number from 0 to 7, not '1' (str)"),
    ("turn", 1, "turn: must be a table of seat, actions_left, first_player, round, not 1 (int)"),
    ("turn.player", 1, "turn.player: unknown key"),
    ("turn.seat", 2, "turn.seat: 2; must be a whole number from 0 to 1"),
    ("turn.seat", None, "turn.seat: must be a whole number from 0 to 1, not None"),
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


def place_factories(number: int, of: list[tuple[int, int]]) -> dict[str, Any]:
    """The first so many factories of these owners and resources, each in a white city of its own."""
    scenario = column_scenario(16, 1)
    factories = zip(scenario["map"]["cities"], of[:number], strict=False)
    scenario["factories"] = [{"owner": owner, "city": city, "resources": left} for city, (owner, left) in factories]
    return scenario


EMPTY, FULL = [(0, 0)] * 16, [*[(0, 5)] * 6, (1, 0), (1, 1)]  # of those, one is flipped: the stock is no matter to it


@pytest.mark.parametrize(
    ("field", "make", "most", "start"),
    [
        ("trains", lambda n: column_scenario(33, n, "plains"), 21, "links[21].owner: player_0 has more than 21 links"),
        (
            "trains",
            lambda n: column_scenario(33, n, "plains", "preview"),
            18,
            "links[18].owner: player_0 has more than 18 links",
        ),
        ("tiles", lambda n: column_scenario(12, n), 10, "links: 11 tiles of the kind 'tight curve or straight x "),
        ("factories", lambda n: place_factories(n, EMPTY), 15, "factories[15].owner: player_0 has more than 15 fact"),
        (
            "stock",
            lambda n: place_factories(n, FULL),
            7,
            "factories[7].resources: 1 makes more than 30 white resources",
        ),
    ],
)
def test_errors__more_than_there_is(field: str, make: Callable[[int], dict[str, Any]], most: int, start: str) -> None:
    assert read(make(most), seed=0).record[field][1 if field == "tiles" else 0] == 0
    assert_refused(make(most + 1), start)


@pytest.mark.parametrize(
    ("num_players", "edition", "most"), [(2, "final", 5), (3, "final", 6), (2, "preview", 6), (5, "preview", 6)]
)
def test_errors__resources_of_a_factory(num_players: int, edition: str, most: int) -> None:
    scenario = column_scenario(3, 1, edition=edition)
    scenario["rules"]["num_players"] = num_players
    scenario |= {"seats": {"hands": [[] for _ in range(num_players)]}}
    factory = {"owner": 0, "city": scenario["map"]["cities"][2], "resources": most}
    assert read(scenario | {"factories": [factory]}).records["resources"][0, 2] == most
    too_many = [factory | {"resources": most + 1}]
    assert_refused(scenario | {"factories": too_many}, f"factories[0].resources: {most + 1}; must be")


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


def test_write__refused_inside_an_action_and_after_the_end() -> None:
    game = read(changed("rules.max_rounds", 4))
    game.step(next(text for text in game.legal_text() if text.startswith("head") or text.startswith("start")))
    with pytest.raises(ValueError, match=rf"inside an action \(phase '{game.phase}'\).*save\(\)"):
        game.to_scenario()
    while not game.done:
        game.step(game.legal()[-1])
    with pytest.raises(ValueError, match=r"the game is over.*save\(\)"):
        game.to_scenario()
