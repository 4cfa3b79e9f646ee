"""Positions in which the core and the reference engine once differed: they agree now."""

from pathlib import Path

import pytest

from tests.verification.lockstep.compare import replay
from tests.verification.lockstep.minimise import FOUND, read_found

FILES = sorted(FOUND.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_found__both_engines_agree(path: Path) -> None:
    start, moves = read_found(path)
    difference = replay(start, moves).difference
    assert difference is None, f"{difference} after {moves} from the start in {path}"
