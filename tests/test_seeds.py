"""Runs that differ in the seed: their results put together, and their curves in one picture."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.evaluation import seeds
from steam_env.evaluation.protocol import FORMAT
from steam_env.kit.json_text import read_json
from steam_env.kit.program import BAD_INPUT
from steam_env.training import plot

STORED = Path(__file__).parents[1] / "docs" / "training" / "standard"
RESULT: dict[str, Any] = {
    "format": FORMAT,
    "protocol": "v1",
    "frozen": {"deals": "1"},
    "agent": "runs/one",
    "matches": [{"opponent": "greedy", "results": {"agents": [{"win_rate": {"mean": 0.5}}]}}],
}


def write(path: Path, **changes: Any) -> str:
    path.write_text(json.dumps({**RESULT, **changes}), encoding="utf-8")
    return str(path)


def test_results_of_one_run_tell_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="1 results: at least 2 runs are needed"):
        seeds.compare_runs([Path(write(tmp_path / "one.json"))])


@pytest.mark.parametrize("key", ["protocol", "frozen"])
def test_results_of_other_protocols_are_refused(key: str, tmp_path: Path) -> None:
    paths = [Path(write(tmp_path / "one.json")), Path(write(tmp_path / "two.json", **{key: "another"}))]
    with pytest.raises(ValueError, match=rf"two\.json: its {key} is not that of .*one\.json"):
        seeds.compare_runs(paths)


def test_results_with_other_matches_are_refused(tmp_path: Path) -> None:
    paths = [Path(write(tmp_path / "one.json")), Path(write(tmp_path / "two.json", matches=[]))]
    with pytest.raises(ValueError, match=r"two\.json: its matches are not those of .*one\.json"):
        seeds.compare_runs(paths)


@pytest.mark.parametrize("text", ["[]", "{}", '{"format": "steam_env match"}'])
def test_files_of_something_else_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "else.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"else\.json: it is not the result of a protocol, .*'steam_env protocol'"):
        seeds.compare_runs([Path(write(tmp_path / "one.json")), path])


def test_a_program_without_rliable_says_how_to_install_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "NEEDED", "no_such_library")
    assert seeds.main([write(tmp_path / "one.json")]) == BAD_INPUT
    assert "pip install" in capsys.readouterr().err


def test_the_global_random_state_stays_as_it_was() -> None:
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    with seeds._global_seed(seeds.BOOTSTRAP_SEED):
        first = np.random.random()  # noqa: NPY002
    with seeds._global_seed(seeds.BOOTSTRAP_SEED):
        assert np.random.random() == first  # noqa: NPY002
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_what_is_stored_is_what_the_runs_came_to() -> None:
    """The interquartile mean is the mean without the lowest and the highest quarter, as SciPy has it."""
    from scipy.stats import trim_mean

    stored = read_json(STORED / "seeds.json", "summary of runs")
    results = [read_json(path, "result") for path in sorted(STORED.glob("*/protocol.json"))]
    assert len(results) == len(stored["runs"]) >= seeds.LEAST_RUNS
    for number, match in enumerate(stored["matches"]):
        rates = [one["matches"][number]["results"]["agents"][0]["win_rate"]["mean"] for one in results]
        assert match["win_rates"] == rates
        check(match, np.array(rates), trim_mean)
    check(stored["all"], np.array([match["win_rates"] for match in stored["matches"]]), trim_mean)


def check(told: dict[str, Any], rates: np.ndarray, trim_mean: Any) -> None:
    assert told["mean"]["mean"] == pytest.approx(rates.mean())
    assert told["iqm"]["mean"] == pytest.approx(trim_mean(rates, 0.25, axis=None))
    for one in (told["mean"], told["iqm"]):
        assert one["low"] <= one["mean"] <= one["high"]


# --- the picture ------------------------------------------------------------------------------------------


def make_history(*rates: float) -> list[dict[str, Any]]:
    return [
        {"decisions": 10 * number, "stage": "self-play", "evaluation": {"greedy": {"win_rate": rate}}}
        for number, rate in enumerate(rates, start=1)
    ]


def test_curves__hold_the_rates_of_all_runs() -> None:
    told = plot.list_evaluations([make_history(0.25, 0.5), make_history(0.75)])
    assert told == {"greedy": {10: [0.25, 0.75], 20: [0.5]}}


def test_curves__are_drawn(tmp_path: Path) -> None:
    for run, rates in {"a": (0.1, 0.5), "b": (0.3, 0.4)}.items():
        (tmp_path / run).mkdir()
        lines = (json.dumps(entry) + "\n" for entry in make_history(*rates))
        (tmp_path / run / "history.jsonl").write_text("".join(lines), encoding="utf-8")
    picture = tmp_path / "curve.svg"
    assert plot.main([str(tmp_path / "a"), str(tmp_path / "b"), "--picture", str(picture)]) == 0
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_curves__of_a_folder_without_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert plot.main([str(tmp_path)]) == BAD_INPUT
    assert "no history of a run lies there" in capsys.readouterr().err
