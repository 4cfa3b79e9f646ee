"""The lists of deliberate faults follow the source; ``python -m tests.verification.mutants`` tries each."""

from pathlib import Path

import pytest

from tests.verification.mutants.faults import FAULTS, SOURCES, Fault

ROOT = Path(__file__).parent.parent
LEAST_FAULTS = 60
SECTIONS = {"steam_power": range(1, 12), "steam": range(1, 16)}


@pytest.mark.parametrize("game", SECTIONS)
def test_every_section_of_the_rules_has_a_fault(game: str) -> None:
    assert {fault.section for fault in FAULTS[game]} == set(SECTIONS[game])
    assert len(FAULTS[game]) >= LEAST_FAULTS
    assert len({fault.name for fault in FAULTS[game]}) == len(FAULTS[game])


@pytest.mark.parametrize(
    "fault", [*FAULTS["steam_power"], *FAULTS["steam"]], ids=lambda fault: f"{fault.game} {fault.rule}: {fault.what}"
)
def test_a_fault_fits_the_source(fault: Fault) -> None:
    source = (SOURCES / fault.path).read_text(encoding="utf-8")
    changed = fault.apply(source)
    assert changed != source
    compile(changed, fault.place, "exec")
    assert all((ROOT / file).exists() for file in fault.test_files)


def test_a_fault_that_no_longer_fits_is_named() -> None:
    with pytest.raises(ValueError, match="the fault 'nothing' must follow the source"):
        Fault("steam_power", "1.1", "nothing", "core/tiles.py:opposite", "no such text", "").apply(
            "def opposite(edge):\n    return edge\n"
        )
