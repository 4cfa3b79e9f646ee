"""STEAM_RULES.md, the code and the tests speak of the same rules."""

import re
from ast import literal_eval
from dataclasses import fields
from pathlib import Path

from steam_env.core.steam.reasons import REASONS
from steam_env.core.steam.state import BAG, GROWTH_MARKERS, MAX_HEXES, MAX_LINKS, MAX_STOPS, NUM_SPACES, SEAT_COUNTS
from steam_env.core.steam.tiles import NUM_PATTERNS
from steam_env.data.hexes import MAX_COLUMN, MAX_ROW, hex_name
from steam_env.data.steam.maps import MOST_CITY_CUBES, MOST_SPACE_CUBES, shipped_maps
from steam_env.data.steam.rules import BANKRUPTCIES, STARTS, TILES, Rules
from steam_env.data.steam.tiles import MAX_COUNT, MAX_KINDS, load_tiles
from tests.rules_page import ROOT, find_cited, join_lines, list_chapters, list_rules, read_page, sort_rules, spell_rule

PAGE = "STEAM_RULES.md"
PACKAGE = ROOT / "steam_env"
KERNELS = PACKAGE / "core" / "steam"
HERE = Path(__file__).parent
ENGINE = ROOT / "tests" / "verification" / "reference_steam"
LOCKSTEP = ROOT / "tests" / "verification" / "lockstep_steam"
NAMED = re.compile(r"^def test_(?:rule_)?(\d+)(?:_(\d+)([a-d])?)?_", re.MULTILINE)
ENGINES_NAMED = re.compile(r"^def test_(\d+)(?:_(\d+)([a-d])?)?_", re.MULTILINE)  # tests that every engine is given to
REFUSED = re.compile(r'(?:"|illegal )(\d+\.\d+(?: ?[a-d])?)\b')  # a number that a refusal must have
OPTION = re.compile(r"^\| `(\w+)` \| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
NOT_BUILT = {f"16.{number}" for number in range(1, 6)}  # the standard game


def find_names(pattern: re.Pattern[str]) -> set[str]:
    """The rules that tests are named after; who tests 8.3 a tests 8.3."""
    found = [names for path in HERE.glob("test_*.py") for names in pattern.findall(path.read_text(encoding="utf-8"))]
    numbers = {".".join(filter(None, (chapter, number))) for chapter, number, _ in found}
    return numbers | {f"{chapter}.{number} {part}" for chapter, number, part in found if part}


def numbers_of_the_page() -> set[str]:
    return {*list_rules(PAGE), *list_chapters(PAGE)}


def test_rules_page__names_each_rule_once_in_order() -> None:
    rules = list_rules(PAGE)
    assert rules == sort_rules(rules)
    chapters = list_chapters(PAGE)
    assert chapters == [str(number) for number in range(1, len(chapters) + 1)]
    assert {rule.partition(".")[0] for rule in rules} == set(chapters)


def test_rules_page__has_what_kernels_and_reasons_cite() -> None:
    sources = [path for path in PACKAGE.rglob("*.py") if "steam" in path.relative_to(PACKAGE).parts]
    cited = find_cited(sources)
    assert len(cited) > len(list_chapters(PAGE))
    assert cited - numbers_of_the_page() == set()
    assert {reason.rule for reason in REASONS if reason.rule} - numbers_of_the_page() == set()


def test_rules_page__has_what_tests_cite() -> None:
    paths = [path for folder in (HERE, ENGINE, LOCKSTEP) for path in folder.rglob("*.py")]
    refused = {spell_rule(found) for path in paths for found in REFUSED.findall(path.read_text(encoding="utf-8"))}
    assert {"8.3 a", "9.4"} <= refused
    assert refused | find_cited(paths) | find_names(NAMED) <= numbers_of_the_page()


def test_rules_page__every_chapter_is_cited_by_a_kernel() -> None:
    cited = {number.partition(".")[0] for number in find_cited(KERNELS.glob("*.py"))}
    assert set(list_chapters(PAGE)) - cited == set()


def test_rules_page__every_rule_has_a_test_named_after_it() -> None:
    assert set(list_rules(PAGE)) - find_names(ENGINES_NAMED) == NOT_BUILT


def test_rules_page__names_the_limits_of_files() -> None:
    text = join_lines(read_page(PAGE))
    last_column = hex_name(MAX_COLUMN, MAX_COLUMN).rstrip("0123456789")
    for limit in (
        f"1 to {MAX_HEXES} land and city hexes, in columns up to {last_column} and rows up to {MAX_ROW}",
        f"at most {MAX_STOPS} cities and towns",
        f"{NUM_SPACES} spaces of the Goods Supply",
        f"0 to {MOST_CITY_CUBES} cubes that a city draws",
        f"at most {sum(BAG)} cubes on cities and spaces together, {MOST_SPACE_CUBES} counted",
        f"seat counts among {', '.join(map(str, SEAT_COUNTS))}",
        f"at most {MAX_LINKS} links",
        f"1 to {MAX_KINDS} kinds of 0 to {MAX_COUNT} tiles",
        f"There are {NUM_PATTERNS}",
        f"{sum(kind.number for kind in load_tiles())} tiles",
        f"{GROWTH_MARKERS} growth markers",
        *(f"`{name}`" for name in shipped_maps()),
    ):
        assert limit in text


def test_rules_page__names_the_options_with_their_defaults() -> None:
    options = OPTION.findall(read_page(PAGE))
    defaults = {option.name: option.default for option in fields(Rules)}
    assert {name: literal_eval(default) for name, default, _ in options} == defaults
    allowed = {name: words for name, _, words in options}
    for name, words in (("tiles", TILES), ("start", STARTS), ("bankruptcy", BANKRUPTCIES)):
        assert re.findall(r'"(\w+)"', allowed[name]) == list(words)
