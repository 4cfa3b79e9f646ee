"""Map files: names of every script, and lines that are no rectangle."""

from pathlib import Path
from unicodedata import normalize

import pytest

from steam_env import Game, Rules
from steam_env.data.map_text import MapError
from steam_env.data.steam_power.maps import load_map, map_to_dict, parse_map

ROWS = """\
@ . . . .
 . . . .
. . @ . .
 . . . .
. . . . .
 . . . .
. . . . .
 . . . ."""
MINI = Rules(map="mini", contracts="mini")


def make(*cities: str, rows: str = ROWS) -> dict[str, object]:
    return {"name": "drawn", "cities": list(cities), "rows": rows}


@pytest.mark.parametrize("name", ["दिल्ली", "Łódź", "กรุงเทพ", "İstanbul", "Đà Nẵng", "القاهرة", "東京", "Q́uy"])
def test_a_city_has_a_name_of_any_script(name: str) -> None:
    for form in ("NFC", "NFD"):
        board = parse_map(make(normalize(form, name), "Boone"))
        assert board.cities[0] == normalize("NFC", name)
        assert parse_map(map_to_dict(board)) == board


def test_actions_scenarios_and_questions_find_a_city_in_either_form() -> None:
    name = normalize("NFD", "Łódź")
    table = Game(MINI, seed=1).to_scenario()
    board = map_to_dict(load_map("mini"))
    table["map"] = {**board, "cities": [name, *board["cities"][1:]]}
    game = Game.from_scenario(table, seed=1)
    assert game.city(name)["owner"] is None
    assert game.parse(f"build {name}") == game.parse(f"build {normalize('NFC', name)}")
    with pytest.raises(ValueError, match="no complete link touches the group of 'Łódź'"):
        Game.from_scenario({**table, "factories": [{"owner": 0, "city": name, "resources": 2}]}, seed=1)


@pytest.mark.parametrize(
    ("cities", "words"),
    [
        (("Chicago", "chicago"), r"cities\[1\]: 'chicago' differs from 'Chicago' in case only"),
        (("Straße", "STRASSE"), "in case only"),
        (("É", "E\N{COMBINING ACUTE ACCENT}"), "stands here twice"),
        (("\N{COMBINING ACUTE ACCENT}A", "B"), "hyphens, of any script"),
        (("A_B", "C"), "hyphens, of any script"),
    ],
)
def test_names_that_cannot_be_told_apart_or_typed_are_refused(cities: tuple[str, str], words: str) -> None:
    with pytest.raises(MapError, match=words):
        parse_map(make(*cities))


@pytest.mark.parametrize(
    ("line", "longer", "words"),
    [
        (1, "@ . . . . .", "line 1 has 11 characters"),
        (5, ". . . . . .", "line 5 has 11 characters"),
        (4, " . . . . .", "line 4 has 10 characters"),
        (3, ". . @ . . . .", "line 3 has 13 characters"),
    ],
)
def test_a_line_that_would_widen_the_map_is_named(line: int, longer: str, words: str) -> None:
    lines = ROWS.split("\n")
    lines[line - 1] = longer
    with pytest.raises(MapError, match=words):
        parse_map(make("A", "B", rows="\n".join(lines)))
    width = max(map(len, lines))
    filled = "\n".join(text.ljust(width) for text in lines)
    assert len(parse_map(make("A", "B", rows=filled)).hexes) > len(parse_map(make("A", "B")).hexes)


def test_a_wrong_count_of_one_thing_is_told_in_the_singular(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 name for 2 city hexes"):
        parse_map(make("A"))
    deck = tmp_path / "deck.toml"
    deck.write_text(
        'name = "one"\ncontracts = [{needs="W", money=0, vp=1, bonus="none", automa="track"}]', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"deck.toml' has 1 contract: 2 player seats need at least"):
        Game(Rules(map="mini", contracts=str(deck)))
