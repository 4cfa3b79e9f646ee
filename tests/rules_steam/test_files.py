"""Files and options of Steam: what is refused, with the entry's name, and what is the same once more."""

import re
from pathlib import Path

import numpy as np
import pytest

from steam_env.core.steam.state import GAME
from steam_env.data.steam.maps import MapError, load_map, map_to_dict, parse_map, shipped_maps
from steam_env.data.steam.tiles import TilesError, load_tiles, parse_tiles, tiles_to_list
from steam_env.kit.errors import ScenarioError
from steam_env.steam import Rules
from tests.rules_steam.boards import TINY
from tests.rules_steam.games import position

# --- maps ----------------------------------------------------------------------------------------------------
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


def test_maps__a_fault_in_a_file_is_told_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text('name = "bad"\ncities = [{ name = "A", color = "red" }]\nrows = """\n@ .\n x\n"""\n')
    with pytest.raises(MapError, match=r"bad.toml:5:2: rows: line 2, character 2: unknown character 'x'"):
        load_map(path)


@pytest.mark.parametrize("name", shipped_maps())
def test_maps__as_plain_data_are_the_same(name: str) -> None:
    assert parse_map(map_to_dict(load_map(name))) == load_map(name)


def test_maps__say_for_how_many_seats_they_are_made() -> None:
    with pytest.raises(ScenarioError, match="map 'tiny' is made for num_players=3 or num_players=4"):
        position(seats=5)


# --- tiles, options, the record ------------------------------------------------------------------------------
def test_tiles__say_what_is_wrong() -> None:
    table = tiles_to_list(load_tiles())
    with pytest.raises(TilesError, match=r"pattern N-NE\+SE-SW is in no kind"):
        parse_tiles(table[:-1])
    with pytest.raises(TilesError, match=r"tiles\[1\].faces\[0\]: '0-3' shows N-S, which is in kind 'K1' already"):
        parse_tiles([table[0], {**table[1], "faces": ["0-3"]}])
    with pytest.raises(TilesError, match=r"tiles\[0\].faces\[0\]: '0-0' is no face"):
        parse_tiles([{**table[0], "faces": ["0-0"]}])


def test_tiles__as_plain_data_are_the_same() -> None:
    assert parse_tiles(tiles_to_list(load_tiles())) == load_tiles()


def test_record__record_holds_256_links_in_4_kibibytes() -> None:
    assert GAME.itemsize <= 4096
    assert GAME["link_owner"].shape == (256,)


WRONG_RULES = {
    "num_players=2: 3 to 5 are allowed": {"num_players": 2},
    "tiles='many': allowed are 'box', 'unlimited'": {"tiles": "many"},
    "income_max=-1: 0 to 2147483647 are allowed, or 'none'": {"income_max": -1},
    "first_player=3: 0 to 2 are allowed, or 'random'": {"first_player": 3},
    "towns_twice=1: True or False is allowed": {"towns_twice": 1},
    "turns=11: 1 to 10 are allowed": {"turns": 11},
    "bankruptcy='never': allowed are 'out', 'forgiven'": {"bankruptcy": "never"},
}


@pytest.mark.parametrize("message", WRONG_RULES)
def test_options__say_what_is_allowed(message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**WRONG_RULES[message])


@pytest.mark.parametrize("value", [None, True, 1.0, np.float64(1), "1", b"none", ["none"], {}, np.array([1])], ids=repr)
@pytest.mark.parametrize("field", ["income_max", "first_player", "num_players"])
def test_options__of_odd_types_are_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"^{field} must be an integer, not .* of type .*allowed"):
        Rules(**{field: value})  # type: ignore[arg-type]


def test_options__that_are_numbers_of_numpy_or_words_are_kept_as_plain_values() -> None:
    rules = Rules(income_max=np.int64(7), first_player=np.uint8(1), num_players=np.int32(4))  # type: ignore[arg-type]
    assert {type(value) for value in (rules.income_max, rules.first_player, rules.num_players)} == {int}
    assert Rules(income_max="none", first_player="random").income_max == "none"
