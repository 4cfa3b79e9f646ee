"""Rules 8.1 to 8.8: the worked examples of placements."""

import pytest

from steam_env.core.steam.state import TILE
from steam_env.data.steam.tiles import load_tiles, tiles_to_list
from steam_env.steam import Game
from tests.rules_steam.games import NETWORK, describe, explain_rule, play, position, same_links, write_links

# number, rule, links before, seat, hex, pattern, what it is, cost, links after
# ruff: noqa: E501
LEGAL = """
15 | 8.4 | | 0 | B4 SE-NW | new | 3 | 0: Alder B4 >SE
16 | 8.6 | | 0 | F4 NE-SW | new | 5 | 0: Birch F4 >SW
21 | 3.1 | 0: Alder B4 >SE | 0 | C5 NW | new | 2 | 0: Alder B4 Usk
22 | 8.6 | 0: Alder B4 >SE | 0 | C5 SE+NW | new | 3 | 0: Alder B4 Usk; 0: Usk Cedar
23 | 8.3 d | 0: Alder B4 >SE | 0 | C5 N+NE+SW+NW | new | 5 | 0: Alder B4 Usk; 0: Usk >N; 0: Usk >NE; 0: Usk >SW
25 | 8.8 | 0: Alder B4 >SE | 1 | C5 SE | new | 2 | 0: Alder B4 >SE; 1: Usk Cedar
26 | 8.2 | 0: Alder B4 >SE; 1: Usk Cedar | 0 | C5 SE+NW | improvement | 3 | 0: Alder B4 Usk; 1: Usk Cedar
28 | 8.3 d | 0: Alder B4 Usk | 1 | C5 N+SE+NW | improvement | 4 | 0: Alder B4 Usk; 1: Usk Cedar; 1: Usk >N
29 | 8.4 | 0: Alder B4 Usk | 0 | C5 N+NW | improvement | 3 | 0: Alder B4 Usk; 0: Usk >N
33 | 8.4 | 0: Alder B4 Usk; 0: Usk C3 >SE | 0 | D4 S-NW | new | 2 | 0: Alder B4 Usk; 0: Usk C3 D4 Cedar
34 | 8.2 | 0: Alder B4 >SE | 0 | B4 NE-NW | redirection | 2 | 0: Alder B4 >NE
37 | 8.5 | 0: Birch G5 >SW | 0 | G5 N-S | redirection | 2 | 0: Birch G5 Elm
38 | 8.13 | -: Birch G5 >SW | 1 | G5 N-S | redirection | 2 | 1: Birch G5 Elm
39 | 8.5 | -: Birch G5 >SW | 1 | G5 N-NW | redirection | 2 | -: Birch G5 >NW
40 | 8.5 | -: Birch G5 >SW | 1 | F6 NE-SE | new | 2 | 1: Birch G5 F6 Elm
41 | 8.4 | -: Birch G5 >SW | 1 | F6 N-NE | new | 2 | 1: Birch G5 F6 >N
43 | 8.4 | 0: Alder B4 Usk; -: Usk >NE | 1 | D4 S-SW | new | 2 | 0: Alder B4 Usk; 1: Usk D4 Cedar
44 | 8.4 | 0: Alder B4 Usk; -: Usk >NE | 0 | D4 NE-SW | new | 2 | 0: Alder B4 Usk; 0: Usk D4 >NE
45 | 8.6 | 0: Alder B4 Usk; 1: Dale B6 >N | 1 | B4 N-S+SE-NW | improvement | 4 | 0: Alder B4 Usk; 1: Dale B6 B4 >N
47 | 8.2 | 0: Alder B4 Usk; 1: Dale B6 B4 >N | 1 | B4 NE-S+SE-NW | redirection | 4 | 0: Alder B4 Usk; 1: Dale B6 B4 >NE
49 | 8.8 | 0: Cedar E5 >NE | 1 | F4 NE-S | new | 5 | 0: Cedar E5 >NE; 1: Birch F4 >S
51 | 8.2 | 0: Cedar E5 >NE; 1: Birch F4 >S | 0 | F4 N-SW+NE-S | improvement | 4 | 0: Cedar E5 F4 >N; 1: Birch F4 >S
52 | 2.2 | 0: Cedar E5 >NE; 1: Birch F4 >S | 0 | F4 NE-S+SE-SW | improvement | 4 | 0: Cedar E5 F4 >SE; 1: Birch F4 >S
53 | 14.6 | | 0 | G5 N-SW+S-NW | new | 4 | 0: Birch G5 >SW; 0: Elm G5 >NW
56 | 3.5 | 0: Birch G5 Elm; 1: Birch F4 >S | 1 | F6 N-SE | new | 2 | 0: Birch G5 Elm; 1: Birch F4 F6 Elm
57 | 3.2 | 0: Alder B2 C3 Toll; 0: Toll >S | 0 | D4 N-SW | new | 2 | 0: Alder B2 C3 Toll; 0: Toll D4 >SW
58 | 3.2 | 0: Alder B2 C3 Toll; 0: Toll D4 >SW | 0 | C5 NE | new | 2 | 0: Alder B2 C3 Toll; 0: Toll D4 Usk
60 | 8.6 | 0: Cedar D4 >NE | 0 | E3 NE-SW | new | 4 | 0: Cedar D4 E3 >NE
120 | 8.3 d | 0: Alder B2 C3 Toll; -: Toll D4 >SW | 1 | C5 NE+SE | new | 3 | 0: Alder B2 C3 Toll; 1: Usk Cedar; 1: Usk D4 Toll
122 | 8.5 | 0: Birch F4 >S; -: Cedar E5 >NE | 0 | F4 NE-SW | redirection | 2 | 0: Cedar E5 F4 Birch
124 | 8.2 | 0: Alder B4 Usk; -: Usk >NE | 0 | C5 N+NE+NW | improvement | 4 | 0: Alder B4 Usk; -: Usk >NE; 0: Usk >N
"""
# number, rule that forbids, links before, seat, hex and pattern
ILLEGAL = """
17 | 8.4 | | 0 | E3 NE-SW
18 | 8.3 a | 0: Alder B2 >NE | 0 | C1 SE-SW
19 | 8.3 a | 0: Alder B2 C3 >NE | 0 | D2 SW+NE
20 | 8.3 a | 0: Alder B2 C3 >NE | 0 | D2 SW+NW
24 | 8.3 b | 0: Alder B4 >SE | 1 | C5 NW
27 | 8.4 | 0: Alder B4 Usk | 1 | C5 N+NW
30 | 2.3 | 0: Alder B4 >SE | 0 | C5 NW-SE
31 | 8.3 c | 0: Cedar D4 >SE | 0 | E5 SW-NW
32 | 8.3 c | 0: Alder B4 Usk; 0: Usk C3 >SE | 0 | D4 SW-NW
35 | 8.2 | 0: Alder B4 >SE | 0 | B4 NE-SE
36 | 8.2 | 0: Alder B4 >SE | 1 | B4 NE-NW
42 | 8.4 | 0: Alder B4 Usk; -: Usk >NE | 1 | D4 NE-SW
46 | 8.3 b | 0: Alder B4 Usk; 1: Dale B6 >N | 2 | B4 N-S+SE-NW
48 | 8.2 | 0: Alder B4 Usk; 1: Dale B6 B4 >N | 0 | B4 N-S+NE-NW
50 | 8.3 b | 0: Cedar E5 >NE | 1 | F4 NE-SW
54 | 8.4 | | 0 | D4 NE-S+SE-SW
59 | 8.2 | 0: Alder B4 Usk; 0: Usk >N | 0 | C5 NE+NW
61 | 8.2 | 0: Birch G5 Elm | 0 | G5 N-SW
119 | 8.2 | 0: Alder B4 >SE | 0 | B4 N-S+NE-NW
121 | 8.4 | 0: Alder B2 C3 Toll; -: Toll D4 >SW | 1 | C5 NE
123 | 8.3 b | 0: Birch F4 >S; 1: Cedar E5 >NE | 0 | F4 NE-SW
125 | 8.3 a | 0: Alder B2 C3 Toll | 0 | D2 SW+NW
"""


def rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]


def name(row: list[str]) -> str:
    return f"example-{row[0]}-rule-{row[1].replace(' ', '')}"


@pytest.mark.parametrize("row", rows(LEGAL), ids=name)
def test_rule_8_placements__that_are_legal(row: list[str]) -> None:
    _, _, before, seat, placement, what, cost, after = row
    hex_name, pattern = placement.split()
    game = position(before, seat=int(seat))
    money = game.money[int(seat)]
    play(game, f"build {hex_name}", f"tile {pattern}")
    laid = next(event for event in game.events if event.kind == "lay")
    assert ("new", "improvement", "redirection")[laid.values["what"]] == what
    assert money - game.money[int(seat)] == laid.values["cost"] == int(cost)
    assert same_links(game, after), write_links(game)


@pytest.mark.parametrize("row", rows(ILLEGAL), ids=name)
def test_rule_8_placements__that_are_not(row: list[str]) -> None:
    _, rule, before, seat, placement = row
    game = position(before, seat=int(seat))
    assert explain_rule(look_at(game, placement.split()[0]), f"tile {placement.split()[1]}") == rule


def look_at(game: Game, hex_name: str) -> Game:
    """The game as if the hex were chosen, whether or not a tile may be laid there."""
    other = game.clone()
    other.records["phase"], other.records["hex"] = TILE, game.setting.hex_names.index(hex_name)
    return other


def test_rule_2_2__a_pattern_of_two_sharp_segments_is_none() -> None:
    """Example 55."""
    game = play(position(), "build G5")
    with pytest.raises(ValueError, match=r"no pattern of a tile \(rule 2.2\)"):
        game.parse("tile N-NW+S-SW")


# --- stock and money -------------------------------------------------------------------------------------


def stocked(count: int, links: str = "", **options: object) -> Game:
    """K3 has so many tiles."""
    scenario = describe(links, **options)  # type: ignore[arg-type]
    tiles = tiles_to_list(load_tiles())
    tiles[2]["count"] = count
    return Game.from_scenario({**scenario, "tiles": tiles}, 0)


def test_rule_2_5__an_empty_kind_cannot_be_laid() -> None:
    """Example 62."""
    game = play(stocked(0), "build B4")
    assert explain_rule(game, "tile N-NW") == "2.5"
    assert game.explain("tile NE-NW") is None


def test_rule_2_5__the_own_tile_is_back_first() -> None:
    """Example 63."""
    game = stocked(1, "0: Alder B4 >N")
    assert game.state()["stock"]["K3"] == 0
    play(game, "build B4", "tile SW-NW")
    assert game.state()["stock"]["K3"] == 0


def test_rule_2_5__unlimited_tiles_have_no_stock() -> None:
    game = position(rules={"tiles": "unlimited"})
    play(game, "build B4", "tile N-NW")
    assert game.state()["stock"] == {}


def test_rule_8_1__three_placements_and_four_with_the_engineer() -> None:
    """Example 64; a redirection counts as one."""
    for tile, most in ((1, 3), (3, 4)):
        game = position("0: Alder B4 >SE", tile=[tile, 5, 7])
        edges = ["NE", "N", "SE", "NE"]
        for number in range(most):
            assert game.state()["placements"] == most - number
            play(game, "build B4", f"tile {edges[number]}-NW")
        assert game.seat != 0


def test_rule_7_4__who_can_pay_nothing_is_not_asked() -> None:
    """Example 65."""
    game = position("0: Alder B4 >SE", money=[0, 50, 50], income=[-10, 0, 0], vp=[1, 0, 0])
    assert game.seat == 1
    assert game.phase == "build"


def test_rule_8_6__a_placement_is_paid_by_raising_money() -> None:
    """Example 66."""
    game = play(position(money=[1, 0, 0]), "build F4", "tile NE-SW")
    assert (game.money[0], game.income[0]) == (1, -1)


def test_rule_8_7__what_cannot_be_paid_is_illegal() -> None:
    game = position(money=[2, 0, 0], income=[-10, 0, 0])
    assert explain_rule(game, "build B4") == "7.4"
    assert game.explain("build G5") is None


# --- masks ------------------------------------------------------------------------------------------------

ALONE = {"A1": 1, "A5": 6, "B2": 4, "B4": 5, "B6": 4, "C5": 26, "C7": 2, "D4": 5, "E5": 5, "E7": 2, "F2": 3, "F4": 5}
ALONE |= {"F6": 4, "G1": 1, "G5": 6}


def count_patterns(game: Game) -> dict[str, int]:
    """By hex on which something may be built, how many patterns are legal there."""
    found = {}
    for text in game.legal_text():
        word, _, rest = text.partition(" ")
        if word == "build":
            found[rest] = len(play(game.clone(), text).legal())
    return found


def test_rule_8_7__mask_without_track() -> None:
    """Example 111."""
    assert count_patterns(position()) == ALONE
    assert sum(ALONE.values()) == 79


def test_rule_8_7__mask_of_a_hex() -> None:
    """Examples 112 and 113."""
    tiles = ["N-S", "N-SW", "N-NW", "S-SW", "S-NW", "N-SW+S-NW"]
    assert play(position(), "build G5").legal_text() == [f"tile {tile}" for tile in tiles]
    towns = play(position(), "build C5").legal_text()
    assert len(towns) == 26
    assert all("SE" in text.removeprefix("tile ").split("+") for text in towns)


@pytest.mark.parametrize("seat", range(3))
def test_rule_8_7__mask_of_a_network(seat: int) -> None:
    """Example 114."""
    expected = {"A1": 1, "B2": 4, "B6": 4, "C7": 2, "D4": 5, "E7": 2, "F2": 3, "F6": 4, "G1": 1}
    if seat != 2:
        expected["C5"] = 10
    assert count_patterns(position(NETWORK, seat=seat)) == expected
