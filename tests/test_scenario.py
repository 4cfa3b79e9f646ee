"""Scenarios: what is read and left out, that a game's scenario reads back to the game, and what is refused."""

import copy
import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import ACTIONS_PER_TURN, MAX_LINKS, PLACE_DECK, PLACE_HAND
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.maps import load_map, shipped_maps
from steam_env.data.steam_power.rules import Rules
from steam_env.words.scenario_file import dump_scenario
from tests.games import advance

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


def transcript_scenario(name: str) -> dict[str, Any]:
    text = (Path(__file__).parent / "transcripts" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)["scenario"]


def example_path(name: str) -> Path:
    return Path(str(resources.files("steam_env.data.steam_power") / "scenarios" / f"{name}.toml"))


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


def test_round_trip__every_entry_of_two_seats() -> None:
    game = read(tiny())
    assert game.rules == Rules(num_players=2, max_rounds=20, map="tiny", contracts="inline")
    written = write_again(game)
    for entry in ("cities", "off_map", "contracts", "links", "factories", "seats", "turn", "deck", "random"):
        assert written[entry] == tiny()[entry], entry
    assert json.loads(json.dumps(written)) == written


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_round_trip__between_actions_through_tables_and_files(name: str, tmp_path: Path) -> None:
    """The invariants look at many more positions, in all kinds of games."""
    scenario = transcript_scenario(name) | {"random": {}}
    scenario["rules"] |= {"contracts_to_end": 9, "max_rounds": 25}
    game, path = read(scenario, seed=2), tmp_path / "position.toml"
    for seed in range(6):
        while game.phase != "action":
            advance(game, 1, seed)
        write_again(game)
        scenario = game.to_scenario(path=path)
        assert tomllib.loads(path.read_text(encoding="utf-8")) == scenario
        assert_equal(read(str(path) if seed % 2 else path, seed=8), game)
        advance(game, 9, seed)


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
    assert advance(game).done


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
    assert (game.setting.deck, game.to_scenario()["contracts"]) == (load_deck("mini"), "mini")


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


def test_write__refused_inside_an_action_and_after_the_end() -> None:
    game = read(changed("rules.max_rounds", 4))
    game.step(next(text for text in game.legal_text() if text.startswith("head") or text.startswith("start")))
    with pytest.raises(ValueError, match=rf"inside an action \(phase '{game.phase}'\).*save\(\)"):
        game.to_scenario()
    while not game.done:
        game.step(game.legal()[-1])
    with pytest.raises(ValueError, match=r"the game is over.*save\(\)"):
        game.to_scenario()
