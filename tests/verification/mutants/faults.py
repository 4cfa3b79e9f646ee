"""Deliberate faults: one small wrong change to the source for each thing that a rule says; a file for each game.

A fault names the rule that it breaks, the kernel that it is in, and what is replaced by what there. The
test suite must fail with each of them; ``python -m tests.verification.mutants`` shows that it does.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TESTS = Path(__file__).parents[2]
SOURCES = Path(__file__).parents[3] / "steam_env"


@dataclass(frozen=True)
class Suite:
    """The tests of a game's rules."""

    modules: str  # those of a section, whose number belongs into the braces
    most_seconds: int  # of computing, not of waiting for a machine that has other work, too; then they do not end
    without: str = ""  # tests with this in their names are not of the kernels


SUITES = {
    "steam_power": Suite("rules/test_rule_{}_*.py", most_seconds=400),
    "steam": Suite("rules_steam/test_{}_*.py", most_seconds=60, without="[reference"),
}


@dataclass(frozen=True)
class Fault:
    """One deliberate fault.

    Attributes:
        game: the game's id.
        rule: the rule that it breaks.
        what: the fault in a few words.
        place: file and kernel, as ``core/track.py:tile_problem``; without a kernel the top of the file.
        old: source text; the first occurrence at or after the kernel's ``def`` is replaced.
        new: what it is replaced by.
        tests: test modules under ``tests/`` that are run; empty: those of the rule's section.
    """

    game: str
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
        """The section of the rules."""
        return int(self.rule.partition(".")[0])

    def is_of(self, part: str) -> bool:
        """Whether its rule is this one, or in this section; of "" each is."""
        return not part or self.rule == part or self.rule.startswith((f"{part}.", f"{part} "))

    @property
    def test_files(self) -> tuple[str, ...]:
        """The test files that must fail."""
        of_section = sorted(TESTS.glob(SUITES[self.game].modules.format(self.section)))
        named = [TESTS / f"{name}.py" for name in self.tests]
        return tuple(path.relative_to(TESTS.parent).as_posix() for path in named or of_section)

    def apply(self, source: str) -> str:
        """The file's text with the fault in it; ``ValueError`` if the fault no longer fits the source."""
        kernel = self.place.partition(":")[2]
        start = source.find(f"def {kernel}(") if kernel else 0
        end = source.find("\n\n\n", start) if kernel else len(source)
        at = source.find(self.old, start, end if end > start else len(source))
        if start < 0 or at < 0:
            raise ValueError(f"{self.place} has no {self.old!r}: the fault {self.what!r} must follow the source")
        return source[:at] + self.new + source[at + len(self.old) :]


def read_faults(game: str) -> tuple[Fault, ...]:
    """All faults of a game."""
    with (HERE / f"{game}.toml").open("rb") as file:
        rows = tomllib.load(file)["fault"]
    return tuple(Fault(**{**row, "game": game, "tests": tuple(row.get("tests", ()))}) for row in rows)


FAULTS = {game: read_faults(game) for game in SUITES}
