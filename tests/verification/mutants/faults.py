"""Deliberate faults: one small wrong change to the source for each thing that a rule says.

A fault names the rule that it breaks, the kernel that it is in, and what is replaced by what there. The
test suite must fail with each of them; ``python -m tests.verification.mutants`` shows that it does.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("faults.toml")
SOURCES = Path(__file__).parents[3] / "steam_env"

# Where the tests of a rule section are; a fault may name others.
TESTS_OF_SECTION = {
    1: ("test_rule_1_geometry", "test_rule_4_track"),
    2: ("test_rule_2_setup",),
    3: ("test_rule_3_turn",),
    4: ("test_rule_4_track",),
    5: ("test_rule_5_factory",),
    6: ("test_rule_6_contract",),
    7: ("test_rule_7_take",),
    8: (
        *("test_rule_8_setup", "test_rule_8_contracts", "test_rule_8_factory", "test_rule_8_track"),
        *("test_rule_8_page", "test_rule_8_examples", "test_rule_8_brute_force"),
    ),
    9: ("test_rule_9_solo",),
    10: ("test_rule_10_preview",),
    11: ("test_rule_11_information",),
}


@dataclass(frozen=True)
class Fault:
    """One deliberate fault.

    Attributes:
        rule: the rule that it breaks.
        what: the fault in a few words.
        place: file and kernel, as ``core/track.py:tile_problem``; without a kernel the top of the file.
        old: source text; the first occurrence at or after the kernel's ``def`` is replaced.
        new: what it is replaced by.
        tests: test modules under ``tests/`` that are run; empty: those of the rule's section.
    """

    rule: str
    what: str
    place: str
    old: str
    new: str
    tests: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return self.place + self.old + self.new

    @property
    def path(self) -> Path:
        """The source file, relative to the package."""
        return Path(self.place.partition(":")[0])

    @property
    def section(self) -> int:
        """The rules section, 1 to 11."""
        return int(self.rule.partition(".")[0])

    @property
    def test_files(self) -> list[str]:
        """The test files that must fail."""
        names = self.tests or tuple(f"rules/{name}" for name in TESTS_OF_SECTION[self.section])
        return [f"tests/{name}.py" for name in names]

    def apply(self, source: str) -> str:
        """The file's text with the fault in it; ``ValueError`` if the fault no longer fits the source."""
        kernel = self.place.partition(":")[2]
        start = source.find(f"def {kernel}(") if kernel else 0
        end = source.find("\n\n\n", start) if kernel else len(source)
        at = source.find(self.old, start, end if end > start else len(source))
        if start < 0 or at < 0:
            raise ValueError(f"{self.place} has no {self.old!r}: the fault {self.what!r} must follow the source")
        return source[:at] + self.new + source[at + len(self.old) :]


def read_faults() -> tuple[Fault, ...]:
    """All faults of ``faults.toml``."""
    with LIST.open("rb") as file:
        rows = tomllib.load(file)["fault"]
    return tuple(Fault(**{**row, "tests": tuple(row.get("tests", ()))}) for row in rows)


FAULTS = read_faults()
