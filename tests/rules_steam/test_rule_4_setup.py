"""Rules 1, 2 and 4: the map, the tiles and the set-up."""

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.steam.state import BAG, GAME
from steam_env.core.steam.tiles import FIRST_TOWN, NUM_EXITS, NUM_SEGMENTS, PATTERNS
from steam_env.data.steam.maps import MapError, load_map, map_to_dict, parse_map, shipped_maps
from steam_env.data.steam.tiles import TilesError, load_tiles, parse_tiles, tiles_to_list
from steam_env.kit.errors import ScenarioError
from steam_env.steam import Game, Rules
from tests.rules_steam.games import FIVE_SEATS, TINY, explain_rule, play, position


def deal(count: int = 3, /, seed: int = 0, rules: dict[str, Any] | None = None, **changes: Any) -> Game:
    """A game on `tiny` with other entries of the map."""
    scenario = {"game": "steam", "map": {**TINY, **changes}, "rules": {"num_players": count, **(rules or {})}}
    return Game.from_scenario(scenario, seed=seed)


def count_cubes(game: Game) -> tuple[int, int, int]:
    """Cubes in cities, in the supply, in the bag."""
    state = game.state()
    return sum(map(len, state["cubes"].values())), sum(map(len, state["supply"])), sum(state["bag"].values())


# --- 1 the map, 2 tiles ----------------------------------------------------------------------------------


def test_rule_1_1__hexes_are_named_by_column_and_row() -> None:
    game = position()
    assert [text for text in game.legal_text() if text.startswith("build A")] == ["build A1", "build A5"]


def test_rule_1_2__hills_rivers_and_towns_in_any_combination() -> None:
    table = {**TINY, "rows": TINY["rows"].replace("o", "O"), "rivers": ["C5", "B4"]}
    game = Game.from_scenario({"game": "steam", "map": table}, 0)
    board = game.setting.boards[0]
    usk = board.stop_hex[game.setting.map.stops.index("Usk")]
    assert (board.hills[usk], board.river[usk], board.terrain_cost[usk]) == (1, 1, 3)


def test_rule_1_3__water_and_what_is_off_the_map_are_void() -> None:
    game = play(position(), "build F2")  # E1 lies at its NW
    assert all("NW" not in text for text in game.legal_text())
    assert explain_rule(game, "tile SE-NW") == "8.3 a"
    assert "E1" not in game.setting.hex_names


def test_rule_1_4__a_thick_edge_is_closed_from_both_sides() -> None:
    board = position().setting.boards[0]
    names = [f"{chr(64 + col)}{row}" for col, row, _ in position().setting.map.hexes]
    assert board.beyond[names.index("C1"), 2] == board.beyond[names.index("D2"), 5] == NONE
    assert board.beyond[names.index("C3"), 1] == names.index("D2")


def test_rule_1_6__neighbouring_stops_are_not_connected() -> None:
    """Usk and Cedar are neighbours: no cube goes without track."""
    game = position("0: Alder B4 Usk", phase="goods", cubes={"Cedar": "R"})
    assert "from Cedar" not in game.legal_text()


def test_rule_2_2__there_are_107_patterns() -> None:
    assert len(PATTERNS) == 107
    assert Counter(NUM_SEGMENTS[:FIRST_TOWN].tolist()) == {1: 15, 2: 36}
    assert Counter(NUM_EXITS[FIRST_TOWN:].tolist()) == {1: 6, 2: 15, 3: 20, 4: 15}


def test_rule_2_5__each_pattern_is_of_one_kind() -> None:
    kinds = load_tiles()
    assert sum(kind.number for kind in kinds) == 130
    assert parse_tiles(tiles_to_list(kinds)) == kinds
    counts = Counter(position().setting.boards[0].kind.tolist())
    assert [counts[kind] for kind in range(10)] == [9, 9, 12, 9, 5, 12, 12, 12, 15, 12]


def test_rule_2_5__a_table_of_tiles_that_is_wrong() -> None:
    table = tiles_to_list(load_tiles())
    with pytest.raises(TilesError, match=r"pattern N-NE\+SE-SW is in no kind"):
        parse_tiles(table[:-1])
    with pytest.raises(TilesError, match=r"tiles\[1\].faces\[0\]: '0-3' shows N-S, which is in kind 'K1' already"):
        parse_tiles([table[0], {**table[1], "faces": ["0-3"]}])
    with pytest.raises(TilesError, match=r"tiles\[0\].faces\[0\]: '0-0' is no face"):
        parse_tiles([{**table[0], "faces": ["0-0"]}])


def test_rule_2_7__the_record_holds_256_links_in_4_kibibytes() -> None:
    assert GAME.itemsize <= 4096
    assert GAME["link_owner"].shape == (256,)


# --- maps --------------------------------------------------------------------------------------------------

WRONG_MAPS = {
    "seats: 2; must be among": {"seats": [2]},
    "cities: 5 names for 6": {"rows": TINY["rows"].replace("h", "@", 1)},
    "towns: 2 names for 3": {"rows": TINY["rows"].replace("h", "o", 1)},
    "rivers[0]: E1 is no land": {"rivers": ["E1"]},
    "walls[1]: 'D2 NW' stands here twice": {"walls": ["C1 SE", "D2 NW"]},
    "walls[0]: 'A1 N' does not lie between": {"walls": ["A1 N"]},
    "cities[0].color: 'green'": {"cities": [{"name": "Alder", "color": "green"}, *TINY["cities"][1:]]},
    "cities[0].cubes: 7": {"cities": [{"name": "Alder", "color": "red", "cubes": 7}, *TINY["cities"][1:]]},
    "towns[0]: 'Alder' stands here twice": {"towns": ["Alder", "Toll"]},
    "towns[0]: 'B4' looks like a hex": {"towns": ["B4", "Toll"]},
    "supply: 1 space; must be 12": {"supply": ["R"]},
    "supply: 24 yellow cubes": {"supply": ["YY"] * 12},
    "size: unknown key": {"size": 3},
}


@pytest.mark.parametrize("message", WRONG_MAPS)
def test_maps__say_what_is_wrong(message: str) -> None:
    with pytest.raises(MapError, match=re.escape(message)):
        parse_map({**TINY, **WRONG_MAPS[message]})


def test_maps__a_fault_in_a_file_is_told_with_its_place(tmp_path: Any) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "bad"\ncities = [{ name = "A", color = "red" }]\nrows = """\n@ .\n x\n"""\n')
    with pytest.raises(MapError, match=r"bad.toml:5:2: rows: line 2, character 2: unknown character 'x'"):
        load_map(path)


@pytest.mark.parametrize("name", shipped_maps())
def test_maps__as_plain_data_are_the_same(name: str) -> None:
    assert parse_map(map_to_dict(load_map(name))) == load_map(name)


# --- 4 set-up --------------------------------------------------------------------------------------------


def test_rule_4_1__what_every_seat_begins_with() -> None:
    state = deal().state()
    assert state["income"] == state["vp"] == [0, 0, 0]
    assert state["level"] == [1, 1, 1]
    assert sorted(state["money"]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("seats", "fewer", "counts"), [(3, False, (9, 24, 63)), (4, False, (9, 36, 51)), (3, True, (4, 24, 68))]
)
def test_rule_4_2__cubes_in_cities_supply_and_bag(seats: int, fewer: bool, counts: tuple[int, int, int]) -> None:
    """Example 1."""
    game = deal(seats, fewer_cubes_with_three=fewer)
    assert count_cubes(game) == counts
    assert len(game.state()["cubes"]["Dale"]) == (0 if fewer else 1)


def test_rule_4_2__what_the_map_gives_stays() -> None:
    """Example 117."""
    cities = [{**city} for city in TINY["cities"]]
    cities[0]["cubes"], cities[1]["cubes"] = "RRY", 0
    game = deal(cities=cities, fewer_cubes_with_three=True)
    assert game.state()["cubes"]["Alder"] == "RRY"
    assert game.state()["cubes"]["Dale"] == ""


def test_rule_4_2__a_map_may_give_the_supply() -> None:
    supply = ["RYB", "G", *["P"] * 10]
    assert deal(supply=supply).state()["supply"] == supply


def test_rule_4_2__seats_that_the_map_is_not_made_for_are_refused() -> None:
    """Example 118."""
    with pytest.raises(ScenarioError, match="map 'tiny' is made for num_players=3 or num_players=4"):
        deal(5)
    for seats in (2, 6):
        with pytest.raises(ValueError, match=f"num_players={seats}: 3 to 5 are allowed"):
            Rules(num_players=seats)


def test_rule_4_2__every_cube_is_as_likely_as_the_bag_has_of_it() -> None:
    counts = np.zeros(5)
    for seed in range(300):
        state = deal(seed=seed).state()
        counts += ["".join(state["supply"]).count(letter) for letter in "RYPBG"]
    shares = counts / counts.sum()
    assert np.abs(shares - np.array(BAG) / sum(BAG)).max() < 0.02  # 7200 draws: four standard deviations


def test_rule_4_3__what_lies_beside_the_map() -> None:
    state = deal().state()
    assert state["new_left"] == {"red": 1, "yellow": 1, "purple": 1, "blue": 1, "gray": 4}
    assert (state["markers_left"], state["stock"]["K1"]) == (10, 86)


def test_rule_4_4__the_first_seat_and_the_money_of_the_others() -> None:
    """Example 2."""
    game = deal(rules={"first_player": 2})
    assert game.order == [2, 0, 1]
    assert game.money == [1, 2, 0]
    assert {deal(seed=seed).seat for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize(("seats", "turns"), [(3, 10), (4, 8), (5, 7)])
def test_rule_4_5__turns_of_the_game(seats: int, turns: int) -> None:
    """Example 3."""
    assert deal(seats, seats=FIVE_SEATS["seats"]).state()["turns"] == turns
    assert deal(seats, seats=FIVE_SEATS["seats"], rules={"turns": 2}).state()["turns"] == 2
