"""The example of prioritised level replay: which maps are drawn, and a short run of all of it."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

FILE = Path(__file__).parents[1] / "examples" / "level_replay.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("level_replay", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["level_replay"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_levels__new_ones_come_first_then_those_of_high_score_and_those_of_long_ago(example: ModuleType) -> None:
    levels = example.Levels(8, prioritised=True, seed=1)
    while (levels.last == 0).any():
        levels.draw(1)
    for number in range(8):
        levels.note(number, 8.0 - number)
    weights = levels.weigh()
    assert weights.sum() == pytest.approx(1)
    assert weights[0] > 0.85  # rank 1 of a steep order, less the share of staleness
    others = weights[2:]
    assert np.argmax(others) + 2 == np.argmin(np.where(np.arange(8) < 2, np.inf, levels.last))
    drawn = levels.draw(200)
    assert (drawn == 0).mean() > 0.7
    assert len(set(drawn.tolist())) > 2
    even = example.Levels(8, prioritised=False, seed=1).draw(800)
    assert np.bincount(even).min() > 60


def test_example__writes_both_curves_and_a_picture(example: ModuleType, tmp_path: Path) -> None:
    words = "--levels 4 --decisions 32 --games 4 --steps 4 --evaluations 1 --test-games 2 --rounds 2"
    curves = example.main(["--out", str(tmp_path), *words.split()])
    stored = json.loads((tmp_path / "level_replay.json").read_text())
    assert stored["curves"] == curves
    assert [curve["way"] for curve in curves] == ["uniform", "prioritised"]
    for curve in curves:
        assert [point["decisions"] for point in curve["curve"]] == [0, 32]
        assert curve["curve"][0] == curves[0]["curve"][0]  # from the same weights
        assert 1 <= curve["maps"] <= 4
    assert (tmp_path / "level_replay.svg").read_text().startswith("<?xml")
