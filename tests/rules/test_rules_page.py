"""RULES.md and the tests speak of the same rules."""

import re
from pathlib import Path

from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_NEEDS
from steam_env.data.hexes import MAX_COLUMN, MAX_ROW, hex_name
from steam_env.data.steam_power.maps import MIN_CITIES
from tests.rules_page import join_lines, list_rules, read_page, sort_rules

PAGE = "RULES.md"
TEST = re.compile(r"^def test_rule_(\d+)(?:_(\d+))?__\w+", re.MULTILINE)


def rules_of_the_tests() -> set[str]:
    sources = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_rule_*.py")]
    return {".".join(filter(None, found)) for source in sources for found in TEST.findall(source)}


def test_rules_page__names_each_rule_once_in_order() -> None:
    rules = list_rules(PAGE)
    assert rules == sort_rules(rules)


def test_rules_page__names_the_limits_of_files() -> None:
    text = join_lines(read_page(PAGE))
    last_column = hex_name(MAX_COLUMN, MAX_COLUMN).rstrip("0123456789")
    assert f"up to {MAX_HEXES} hexes, in columns up to {last_column} and rows up to {MAX_ROW}" in text
    assert f"{MIN_CITIES} to {MAX_CITIES} cities" in text
    assert f"up to {MAX_CONTRACTS} contracts of 1 to {MAX_NEEDS} resources" in text


def test_rules_page__every_rule_has_a_test_named_after_it() -> None:
    assert set(list_rules(PAGE)) - rules_of_the_tests() == set()


def test_rules_page__every_test_names_a_rule_of_the_page() -> None:
    assert rules_of_the_tests() - set(list_rules(PAGE)) == set()
