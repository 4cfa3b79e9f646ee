"""Every worked example has a test."""

from pathlib import Path

from tests.rules_steam.boards import COVERED
from tests.rules_steam.placements import ROWS

EXAMPLES = range(1, 136)


def test_every_worked_example_has_a_test() -> None:
    """The modules with the tests have been imported to be run."""
    assert set(ROWS) <= set(EXAMPLES)
    for path in Path(__file__).parent.glob("test_*.py"):
        __import__(f"tests.rules_steam.{path.stem}")
    assert set(EXAMPLES) - COVERED == set()
