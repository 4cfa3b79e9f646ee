"""Maps: the properties that the shipped ones promise, reading and writing, and the messages for wrong ones."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from steam_env.core.hexes import neighbours
from steam_env.core.steam_power.state import (
    CITY,
    CITY_BAG,
    COLOR_LETTERS,
    HILLS,
    MAX_CITIES,
    MAX_HEXES,
    MOUNTAINS,
    PLAINS,
    TERRAIN_NAMES,
    WATER,
)
from steam_env.data.hexes import hex_name, parse_hex
from steam_env.data.map_text import MapError
from steam_env.data.steam_power.map_stats import NeighbourLink, format_stats, main, measure_map
from steam_env.data.steam_power.maps import (
    Map,
    check_map,
    city_cells,
    find_groups,
    load_map,
    map_to_dict,
    parse_map,
    shipped_maps,
)

GOOD = '''name = "bad"
title = "A bad map"
cities = ["Ames", "Boone"]
rows = """
@ .
 .
. @
"""
'''
BIG = "\n".join((". " * 17, " ." * 17)[row % 2] for row in range(16))  # 272 hexes


def make_table(**entries: object) -> dict[str, object]:
    """The table of a small good map; entries given replace its own, those that are None are left out."""
    table: dict[str, object] = {"name": "bad", "cities": ["Ames", "Boone"], "rows": "@ .\n .\n. @"}
    table.update(entries)
    return {key: value for key, value in table.items() if value is not None}


def name_groups(board: Map) -> list[set[str]]:
    """The groups of several cities, by name."""
    return [{board.cities[city] for city in group} for group in find_groups(board) if len(group) > 1]


# --- the shipped maps ------------------------------------------------------------------------------
def test_shipped_maps__are_the_three_that_the_documentation_names() -> None:
    assert shipped_maps() == ("alps", "midwest", "mini")


@pytest.mark.parametrize("name", shipped_maps())
def test_shipped_map__is_a_checked_map_under_its_file_name_that_says_whose_layout_it_is(name: str) -> None:
    board = load_map(name)
    check_map(board)
    assert board.name == name
    assert list(board.hexes) == sorted(board.hexes)
    assert len(board.hexes) == len({(col, row) for col, row, _ in board.hexes}) <= MAX_HEXES
    file = Path(__file__).parents[1] / "steam_env" / "data" / "steam_power" / "maps" / f"{name}.toml"
    comments = " ".join(line.strip("# ") for line in file.read_text("utf-8").splitlines() if line.startswith("#"))
    assert "layout of the steam_env authors" in comments
    assert "not a map of the published game" in comments


@pytest.mark.parametrize(
    ("name", "cities", "hexes", "groups_of_several"),
    [("midwest", range(31, 34), range(190, 221), 5), ("alps", range(31, 34), range(190, 231), 5)],
)
def test_big_map__has_the_promised_size(name: str, cities: range, hexes: range, groups_of_several: int) -> None:
    board = load_map(name)
    assert len(board.cities) in cities
    assert len(board.hexes) in hexes
    assert len(name_groups(board)) >= groups_of_several
    assert board.tiles == CITY_BAG


def test_mini_map__is_small_and_leaves_two_tiles_of_an_even_bag() -> None:
    board = load_map("mini")
    assert 9 <= len(board.cities) <= 12
    assert 45 <= len(board.hexes) <= 70
    assert len(board.tiles) - len(board.cities) == 2
    white, black, orange, gray, purple = (board.tiles.count(letter) for letter in COLOR_LETTERS)
    assert max(white, black, orange, gray) - min(white, black, orange, gray) <= 1
    assert 1 <= purple <= 2


def test_midwest_map__joins_the_twin_cities_and_places_cities_as_geography_does() -> None:
    board = load_map("midwest")
    assert {"Minneapolis", "Saint Paul"} in name_groups(board)
    place = dict(zip(board.cities, city_cells(board), strict=True))
    for west, east in (("Omaha", "Des Moines"), ("Des Moines", "Chicago"), ("Chicago", "Detroit")):
        assert place[west][0] < place[east][0]
    for north, south in (("Duluth", "Minneapolis"), ("Milwaukee", "Chicago"), ("Chicago", "Saint Louis")):
        assert place[north][1] < place[south][1]


@pytest.mark.parametrize(("name", "mountains"), [("midwest", 0.05), ("alps", 0.15), ("mini", 0.05)])
def test_shipped_map__is_a_good_railway_map_with_terrain_of_each_kind(name: str, mountains: float) -> None:
    stats = measure_map(load_map(name))
    assert stats.terrain[PLAINS] > 0.45 * stats.land
    assert 0.15 <= stats.terrain[HILLS] / stats.land <= 0.45
    assert stats.terrain[MOUNTAINS] / stats.land >= mountains
    assert stats.terrain[WATER] / stats.hexes >= 0.05
    assert stats.components == 1  # any group can be joined with any other
    assert stats.share_within(4) >= 0.8
    assert 2 <= stats.mean_tiles <= 2.1
    assert 0.2 <= stats.paying_share <= 0.85
    assert stats.detour_share >= 0.1
    assert min(stats.starts) >= 2  # no city with a single way out
    assert stats.one_tile_groups <= 3


@pytest.mark.parametrize("name", ["midwest", "alps"])
def test_big_map__is_dense_with_short_links_narrow_passages_and_many_hills(name: str) -> None:
    stats = measure_map(load_map(name))
    assert 4.5 <= stats.land_per_city <= 5.5
    assert sum(link.tiles == 1 for link in stats.links) >= 5
    assert stats.passages >= 8
    assert stats.terrain[HILLS] / stats.land >= 0.3


@pytest.mark.parametrize(
    ("rows", "passages"),
    [
        ("@\n\n.\n\n@", 1),  # land north and south, nothing else
        ("~\n\n.\n\n@", 0),
        (". .\n @\n. .\n .", 0),  # round a city is no narrower
        ("@ .\n .\n. @", 1),
    ],
)
def test_measure_map__counts_passages_one_hex_wide(rows: str, passages: int) -> None:
    names = ["Ames", "Boone", "Clinton"][: rows.count("@")]
    assert measure_map(parse_map({"name": "narrow", "cities": names, "rows": rows})).passages == passages


# --- names of hexes ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "cell"),
    [("A1", (1, 1)), ("B4", (2, 4)), ("Z26", (26, 26)), ("AA1", (27, 1)), ("AB2", (28, 2)), ("ZZ998", (702, 998))],
)
def test_hex_name__and_parse_hex_are_inverse(name: str, cell: tuple[int, int]) -> None:
    assert hex_name(*cell) == name
    assert parse_hex(name) == cell


@pytest.mark.parametrize("text", ["", "B", "4", "b4", "B04", "B-4", "B4 ", "BBB2", "B3", "A2", "A0", "B٤", "Ames"])
def test_parse_hex__rejects_what_is_no_hex(text: str) -> None:
    with pytest.raises(ValueError, match="is no hex"):
        parse_hex(text)


@pytest.mark.parametrize("cell", [(1, 2), (0, 2), (2, 0), (-1, 1), (703, 1), (1, 1001)])
def test_hex_name__rejects_cells_off_the_grid(cell: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is no hex"):
        hex_name(*cell)


def test_neighbours__follow_the_edges() -> None:
    names = [hex_name(*cell) for cell in neighbours(parse_hex("D6"))]
    assert names == ["D4", "E5", "E7", "D8", "C7", "C5"]


# --- parsing -----------------------------------------------------------------------------------------
def test_parse_map__reads_rows_in_map_order() -> None:
    board = parse_map({"name": "tiny", "cities": ["Ames", "Boone", "Elgin"], "rows": "@ h ~\n m @\n@ .\n\n"})
    named = {"A1": "city", "A3": "city", "B2": "mountains", "C1": "hills", "C3": "plains", "D2": "city", "E1": "water"}
    assert [(hex_name(col, row), TERRAIN_NAMES[code]) for col, row, code in board.hexes] == list(named.items())
    assert city_cells(board) == [(1, 1), (1, 3), (4, 2)]
    assert (board.name, board.title, board.tiles) == ("tiny", "tiny", CITY_BAG)


def test_parse_map__reads_hexes_in_any_order_as_it_reads_rows() -> None:
    hexes = {"C3": "city", "B2": "plains", "A1": "city", "C1": "plains", "A3": "plains"}
    assert parse_map(make_table(rows=None, hexes=hexes)) == parse_map(make_table())


@pytest.mark.parametrize("name", shipped_maps())
def test_map_to_dict__is_read_back_as_an_equal_map(name: str) -> None:
    board = load_map(name)
    assert parse_map(map_to_dict(board)) == board
    odd = replace(board, tiles="PPW", title="O'Brien’s №1")
    assert parse_map(map_to_dict(odd)) == odd


def test_parse_map__takes_a_map_that_cannot_be_played() -> None:
    lone = parse_map({"name": "lone", "cities": ["Ames"], "tiles": "", "hexes": {"B4": "city"}})
    assert lone.hexes == ((2, 4, CITY),)
    with pytest.raises(MapError, match=r"^lone: cities: 1 name; a map file needs 2 to 33"):
        check_map(lone)


def test_parse_map__takes_as_many_cities_and_hexes_as_there_is_room_for() -> None:
    rows = "\n".join(line[:32] for line in BIG.split("\n"))
    rows = rows.replace(".", "@", MAX_CITIES)
    names = [f"City{chr(ord('a') + index // 10)}{index}x" for index in range(MAX_CITIES)]
    board = parse_map({"name": "full", "cities": names, "rows": rows})
    assert (len(board.hexes), len(board.cities)) == (MAX_HEXES, MAX_CITIES)
    assert parse_map(map_to_dict(board)) == board


@pytest.mark.parametrize(
    "name", ["Ames", "St. Louis", "Coeur d'Alene", "L’Aquila", "Winston-Salem", "Zürich", "Area 51"]
)
def test_parse_map__takes_city_names_of_several_words_and_signs(name: str) -> None:
    assert parse_map(make_table(cities=[name, "Boone"])).cities == (name, "Boone")


@pytest.mark.parametrize(
    ("entries", "parts"),
    [
        ({"rows": None}, ["rows: missing", "hexes"]),
        ({"hexes": {"A1": "city"}}, ["hexes", "has both"]),
        ({"name": ""}, ["name: '' is empty"]),
        ({"title": " x"}, ["title: ' x' begins or ends with a blank"]),
        ({"title": True}, ["title: must be text, not True (bool)"]),
        ({"cities": "Ames"}, ["cities: must be a list of names, not 'Ames' (str)"]),
        ({"cities": ["Ames", 3]}, ["cities[1]: must be text, not 3 (int)"]),
        ({"cities": []}, ["cities: 0 names; must be 1 to 33"]),
        ({"cities": [f"Town{'x' * n}" for n in range(34)]}, ["cities: 34 names; must be 1 to 33"]),
        ({"cities": ["Ames", ""]}, ["cities[1]: '' is empty"]),
        ({"cities": ["Ames", "Boone "]}, ["cities[1]: 'Boone ' begins or ends with a blank"]),
        ({"cities": ["Ames", "Bo\tone"]}, ["cities[1]: 'Bo\\tone' holds a control character"]),
        ({"cities": ["Ames", "player_0"]}, ["cities[1]: 'player_0' does not fit", "letters, digits, blanks"]),
        ({"cities": ["Ames", "Ames, IA"]}, ["cities[1]: 'Ames, IA' does not fit"]),
        ({"cities": ["Ames", "4th Street"]}, ["cities[1]: '4th Street' does not fit", "begin with a letter"]),
        ({"cities": ["Ames", "Saint  Paul"]}, ["cities[1]: 'Saint  Paul' holds two blanks"]),
        ({"tiles": ["W"]}, ["tiles: must be text of the letters WBOGP, not ['W'] (list)"]),
        ({"tiles": "WBX"}, ["tiles: unknown letter 'X'", "W, B, O, G, P"]),
        ({"rows": 5}, ["rows: must be a block of text, not 5 (int)"]),
        ({"rows": "@ .\n x\n. @"}, ["rows: line 2, character 2", "unknown character 'x'", "'.' plains", "'@' city"]),
        ({"rows": "@.\n@"}, ["rows: line 1, character 2", "'.' stands where no hex is", "must be even"]),
        ({"rows": "\n" * 1000 + " @"}, ["rows: line 1001, character 2", "rows 1 to 999"]),
        ({"rows": "", "cities": ["Ames"]}, ["cities: 1 name for 0 city hexes"]),
        ({"rows": None, "hexes": [1]}, ["hexes: must be a table", "not [1] (list)"]),
        ({"rows": None, "hexes": {"A2": "city"}}, ["hexes: column 1, row 2 is no hex", "must be even"]),
        ({"rows": None, "hexes": {"a1": "city"}}, ["hexes: 'a1' is no hex"]),
        ({"rows": None, "hexes": {3: "city"}}, ["hexes: must be a table by hex name, not 3 (int)"]),
        ({"rows": None, "hexes": {"A1": "lava"}}, ["hexes.A1: must be one of plains, hills", "not 'lava' (str)"]),
        ({"rows": None, "hexes": {"A1": ["city"]}}, ["hexes.A1: must be one of", "(list)"]),
    ],
)
def test_parse_map__names_entry_value_and_what_is_allowed(entries: dict[str, object], parts: list[str]) -> None:
    with pytest.raises(MapError) as caught:
        parse_map(make_table(**entries), "here")
    assert str(caught.value).startswith("here: ")
    for part in parts:
        assert part in str(caught.value)


# --- loading -----------------------------------------------------------------------------------------


def test_load_map__takes_a_path_as_text_or_object_or_a_file_name_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.toml"
    path.write_text(GOOD, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_map(path) == load_map(str(path)) == load_map("my.toml") == parse_map(tomllib.loads(GOOD))


def test_load_map__unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(ValueError, match=r"'atlantis' is not shipped; must be one of alps, midwest, mini"):
        load_map("atlantis")


def change(old: str, new: str) -> str:
    """GOOD with `old` replaced."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)


NO_ROWS = GOOD.split("rows")[0]
WRONG_FILES = {
    "letter": (change(" .\n. @", " x\n. @"), "6:2", "line 2, character 2: unknown character 'x'; allowed are '.' p"),
    "tab": (change(". @", ". @\n  \t"), "8:3", "unknown character '\\t'"),
    "odd cell": (change(" .\n. @", "..\n. @"), "6:1", "'.' stands where no hex is"),
    "no line break before the rows": (change('"""\n@ .', '"""@?.'), "4:12", "unknown character '?'"),
    "rows in one line": (NO_ROWS + "rows = '@.'", "4:10", "'.' stands where no hex is"),
    "escapes in the rows": (change('"""\n@ .\n .', '"""\\u0040 .\n x'), "4:1", "unknown character 'x'"),
    "rows in single quotes": (change(" .\n. @", " x\n. @").replace('"""', "'''"), "6:2", "unknown character 'x'"),
    "quoted key": (change("rows", '"rows"').replace(" .\n. @", " x\n. @"), "6:2", "unknown character 'x'"),
    "a key inside a text": (change('"A bad map"', '"""\\\nrows = 5"""').replace("@ .", "@ ?"), "6:3", "'?'"),
    "a key inside a comment": ('# rows = """\n' + change("@ .", "@ ?"), "6:3", "'?'"),
    "rows of a table": (GOOD + '[colour]\nrows = "x"\n', "9:2", "colour: unknown key"),
    "brackets and lines in a list": (change('"Boone"', '\n "Bo]ne", # ]\n'), "3:1", "'Bo]ne' does not fit"),
    "key after a list": (change('"Boone"]', '\n"Boone"\n]\ntiles = 3'), "6:1", "tiles: must be text of the letters"),
    "name twice": (change('"Boone"', '"Ames"'), "3:1", "cities[1]: 'Ames' stands here twice"),
    "name like a hex": (change('"Boone"', '"B4"'), "3:1", "cities[1]: 'B4' looks like a hex"),
    "too few names": (change(', "Boone"', ""), "3:1", "cities: 1 name for 2 city hexes"),
    "wrong type": (change('name = "bad"', "name = true"), "1:1", "name: must be text, not True (bool)"),
    "too few tiles": (change("cities", 'tiles = "W"\ncities'), "3:1", "tiles: 1 tile for 2 cities"),
    "wrong tile": (change("cities", 'tiles = "WX"\ncities'), "3:1", "tiles: unknown letter 'X'"),
    "unknown key": (
        GOOD + "colour = 1\n",
        "9:1",
        "colour: unknown key; allowed are name, title, cities, tiles, rows,",
    ),
    "missing key": (change('cities = ["Ames", "Boone"]\n', ""), "", "cities: missing"),
    "too many hexes": (change("@ .\n .\n. @", BIG), "4:1", "272 hexes; must be at most 256"),
    "island": (change("@ .\n .\n. @", "@ ~\n ~\n~ @"), "5:1", "city 'Ames' on A1 cannot be linked"),
    "island in a table": (NO_ROWS + '[hexes]\nA1 = "city"\nC3 = "city"\n', "4:2", "'Ames' on A1 cannot be linked"),
    "terrain": (NO_ROWS + 'hexes = { A1 = "city", B2 = "lava" }\n', "4:1", "hexes.B2: must be one of plains"),
    "syntax": (change("cities = [", "cities = Ames"), "3:10", "not TOML"),
    "unfinished": (GOOD[:-5], "7:4", "not TOML"),
    "brackets without end": ("a = " + "[" * 100_000, "", "not TOML"),
    "not UTF-8": (GOOD.replace("Boone", "Bö\xffne").encode("latin-1"), "3:21", "byte 0xf6 is not UTF-8"),
    "empty": ("", "", "name: missing"),
}


@pytest.mark.parametrize(("text", "position", "part"), WRONG_FILES.values(), ids=WRONG_FILES.keys())
@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_load_map__wrong_file_names_line_and_column(
    tmp_path: Path, text: str | bytes, position: str, part: str, line_end: str
) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(text.replace("\n", line_end).encode() if isinstance(text, str) else text)
    with pytest.raises(MapError) as caught:
        load_map(path)
    assert str(caught.value).startswith(f"{path}:{position}: " if position else f"{path}: ")
    assert part in str(caught.value)


@pytest.mark.parametrize("name", ["/absent.toml", "", "/\0.toml"], ids=["absent", "folder", "zero byte"])
def test_load_map__path_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(MapError, match=r"a map file cannot be read there: .") as caught:
        load_map(f"{tmp_path}{name}")
    assert str(caught.value).startswith(f"{tmp_path}{name}: ")


# --- checking ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        ("@ .\n .\n. @", True),
        ("@ .\n @\n. .", False),  # one group: no other to be linked with
        ("@ . @", False),  # the land touches neither
        ("@ h m @", False),  # columns 1, 3, 5, 7: no two of them are adjacent
        ("@\n .\n~ m\n   @", True),  # over plains and mountains
        ("@\n ~\n  .\n   @", False),  # the first has no land beside it
        ("@\n .\n  ~\n   @", False),  # land, but water on the way
        ("@\n .\n  .\n   @\n\n\n@", False),  # the third stands alone
        ("@\n@", False),
    ],
)
def test_check_map__asks_for_a_way_over_land_to_another_group(rows: str, fits: bool) -> None:
    rows = rows.replace("@\n@", "@\n\n@")
    names = ["Ames", "Boone", "Clinton"][: rows.count("@")]
    board = parse_map({"name": "way", "cities": names, "rows": rows})
    if fits:
        check_map(board)
    else:
        with pytest.raises(MapError, match=r"^way: city '\w+' on \w+ cannot be linked"):
            check_map(board)


def test_check_map__asks_for_a_tile_for_each_city() -> None:
    board = parse_map(make_table(tiles="WB"))
    check_map(board)
    with pytest.raises(MapError, match=r"^bad: tiles: 1 tile for 2 cities"):
        check_map(replace(board, tiles="W"))


# --- statistics --------------------------------------------------------------------------------------
def test_measure_map__counts_tiles_costs_detours_and_starts() -> None:
    # A straight way of one mountain, a way round it of two plains.
    table = {"name": "stats", "cities": ["Ames", "Boone"], "rows": "@\n .\nm .\n ~\n@"}
    stats = measure_map(parse_map(table))
    assert stats.links == (NeighbourLink((0, 1), tiles=1, cost=4, detour_cost=4),)
    assert stats.starts == (2, 1)
    assert stats.terrain == (2, 0, 1, 1, 2)
    round_it = measure_map(parse_map({**table, "rows": "@\n .\nm .\n .\n@"}))
    assert round_it.links == (NeighbourLink((0, 1), tiles=1, cost=4, detour_cost=0),)
    assert (round_it.paying_share, round_it.detour_share, round_it.one_tile_groups) == (1, 1, 2)


@pytest.mark.parametrize(
    ("column", "links", "components", "starts"),
    [
        ("@.@.@", [(0, 1), (1, 2)], 1, (1, 2, 1)),  # a group between two others parts them
        ("@.@~@.@", [(0, 1), (2, 3)], 2, (1, 1, 1, 1)),
    ],
)
def test_measure_map__tells_what_links_can_join(
    column: str, links: list[tuple[int, int]], components: int, starts: tuple[int, ...]
) -> None:
    cities = ["Ames", "Boone", "Clinton", "Dyson"][: column.count("@")]
    stats = measure_map(parse_map({"name": "column", "cities": cities, "rows": "\n\n".join(column)}))
    assert ([link.groups for link in stats.links], stats.components, stats.starts) == (links, components, starts)


def test_measure_map__is_defined_for_a_lone_city() -> None:
    stats = measure_map(parse_map({"name": "lone", "cities": ["Ames"], "hexes": {"A1": "city"}}))
    assert (stats.links, stats.starts, stats.mean_tiles, stats.components) == ((), (0,), 0.0, 1)
    assert "| lone" in format_stats([stats])


@pytest.mark.parametrize("names", [("midwest", "mini"), ()])
def test_map_stats__prints_a_markdown_table_of_these_or_all_shipped_maps(
    names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(names) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({line.count("|") for line in lines}) == len({len(line) for line in lines}) == 1
    assert tuple(cell.strip() for cell in lines[0].split("|")[2:-1]) == (names or shipped_maps())
    assert set(lines[1]) <= set("|-: ")


def test_map_stats__wrong_map_is_a_message_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["atlantis"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "'atlantis' is not shipped" in printed.err
