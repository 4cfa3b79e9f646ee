"""Every rule has a test that is named after it, and every worked example has one."""

import re
from pathlib import Path

from tests.rules_steam.boards import COVERED
from tests.rules_steam.placements import ROWS

RULES = {1: 7, 2: 7, 3: 7, 4: 5, 5: 0, 6: 6, 7: 5, 8: 20, 9: 10, 10: 3, 11: 2, 12: 3, 13: 6, 14: 8, 15: 2}
NO_RULES = {"14_4"}
PARTS_OF_8_3 = ("8_3a", "8_3b", "8_3c", "8_3d")
EXAMPLES = range(1, 136)
NAME = re.compile(r"def test_(\d+(?:_\d+[a-d]?)?)_")


def test_every_rule_has_a_test_of_its_name() -> None:
    named = {name for path in Path(__file__).parent.glob("test_*.py") for name in NAME.findall(path.read_text("utf-8"))}
    rules = {f"{chapter}_{number}" for chapter, count in RULES.items() for number in range(1, count + 1)}
    rules |= {"5", *PARTS_OF_8_3}
    assert rules - {"8_3"} - NO_RULES - named == set()
    assert named - rules == {"16_6"}


def test_every_worked_example_has_a_test() -> None:
    """The modules with the tests have been imported to be run."""
    assert set(ROWS) <= set(EXAMPLES)
    for path in Path(__file__).parent.glob("test_*.py"):
        __import__(f"tests.rules_steam.{path.stem}")
    assert set(EXAMPLES) - COVERED == set()
