"""Speed as ratios of our own paths, never as a time.

Costs are processor time, medians of runs that take turns, and told in copies of a record's bytes: how long the machine
takes for one of those is what all costs are compared with. Bounds are twice what the costs were when they were
set: what fails here is a path that has become much slower, as by a Python loop over games.
"""

import numpy as np
import pytest

from benchmarks import throughput, training
from benchmarks.play import MAPS, Copies, SingleSteps, SteadyPlay, WholeGames
from benchmarks.results import Options
from benchmarks.timing import SECONDS, Plan, alternate, compare
from steam_env import Rules
from steam_env.core.steam_power.state import MAX_CITIES, MAX_HEXES
from steam_env.data.steam_power.setting import load_setting

PLAN = Plan(runs=5, seconds=0.1)
SMALL, LARGE = 64, 4096
COPIES_IN_A_ROW = 8


def copy_bytes(play: SteadyPlay) -> dict[str, float]:
    """The yardstick: the records' bytes, copied by NumPy."""
    records, out = play.batch.records.view(np.uint8), play.batch.records.copy().view(np.uint8)
    for _ in range(COPIES_IN_A_ROW):
        np.copyto(out, records)
    return {"decisions": COPIES_IN_A_ROW * len(play.batch)}


@pytest.fixture(scope="module")
def costs() -> dict[str, float]:
    """What a decision, an observation or a copy costs, in copies of a record's bytes."""
    small, observed = SteadyPlay(Rules(), SMALL, seed=1), SteadyPlay(Rules(), SMALL, seed=1, observed=True)
    large = SteadyPlay.resized(small, LARGE, seed=1)
    workloads = {
        "bytes": lambda seconds: copy_bytes(large),
        "small batch": small,
        "batch": large,
        "observed": SteadyPlay.resized(observed, LARGE, seed=1),
        "five seats": SteadyPlay.resized(SteadyPlay(Rules(num_players=5), SMALL, seed=1), LARGE, seed=1),
        "one game": SingleSteps(Rules(), seed=1),
        "clone": Copies(large),
    }
    rates = dict(zip(workloads, alternate(list(workloads.values()), PLAN), strict=True))
    speeds = {name: rate.get("decisions", rate.get("copies"))["by_cpu"] for name, rate in rates.items()}
    costs = {name: speeds["bytes"] / speed for name, speed in speeds.items()}
    return {**costs, "observation": costs["observed"] - costs["batch"]}


@pytest.mark.parametrize(
    ("what", "base", "most"),
    [
        ("batch", "bytes", 20),
        ("observation", "bytes", 40),
        ("one game", "bytes", 200),
        ("clone", "bytes", 8),
        ("batch", "small batch", 2.5),  # its records lie outside the second cache: that alone is a factor
        ("five seats", "batch", 1.7),
    ],
)
def test_speed__a_path_costs_so_much_of_another(costs: dict[str, float], what: str, base: str, most: float) -> None:
    assert costs[what] <= most * costs[base], f"{what} costs {costs[what] / costs[base]:.2f} times {base}"


# --- the programs ---------------------------------------------------------------------------------------
def test_throughput__measures_all_groups_and_memory_is_within_its_limits() -> None:
    content = throughput.measure(Options(quick=True, runs=1, seconds=0.01, size=8, quiet=True))
    assert list(content["groups"]) == list(throughput.MAKERS)
    for rows in content["groups"].values():
        for row in rows:
            assert all(row[unit]["median"] >= 0 for unit in throughput.UNITS if unit in row), row
    limits = [target for target in content["targets"] if "most" in target]
    assert limits
    assert all(limit["met"] for limit in limits), limits


def test_alternate__turns_and_rates() -> None:
    calls: list[str] = []

    def workload(name: str, decisions: float) -> dict[str, float]:
        calls.append(name)
        return {"decisions": decisions, SECONDS: 2.0}

    first, second = alternate(
        [lambda seconds: workload("first", 100), lambda seconds: workload("second", 50)], Plan(runs=2, seconds=0.001)
    )
    assert calls == ["first", "second", "first", "second", "second", "first"]  # warm-up, there, and back
    assert first["decisions"]["runs"] == [50, 50]
    compared = compare(first["decisions"], second["decisions"], target=3)
    assert compared["ratio"] == compared["lowest"] == compared["highest"] == 2
    assert not compared["met"]


def test_steady_play__as_many_games_end_from_the_first_step_on_as_in_whole_games() -> None:
    whole = WholeGames(MAPS["mini"], 256, seed=2)(0)
    play = SteadyPlay(MAPS["mini"], 1024, seed=1)
    steps = 50
    ended = sum(play.step() for _ in range(steps))
    expected = steps * 1024 * whole["games"] / whole["decisions"]
    assert expected > 100
    assert ended == pytest.approx(expected, rel=0.25)
    assert not play.batch.done.any()


def test_largest_map__fills_a_record() -> None:
    board = load_setting(MAPS["largest"]).map
    assert (len(board.hexes), len(board.cities)) == (MAX_HEXES, MAX_CITIES)


@pytest.mark.parametrize("arguments", [["--runs", "0"], ["--seconds", "0"], ["--size", "1"]])
def test_throughput__bad_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert throughput.main(arguments) == 2
    assert arguments[0] in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--runs", "0"], ["--size", "1"], ["--base", "no/such/folder"]])
def test_training__bad_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert training.main([*arguments, "--quick"]) == 2
    assert arguments[0] in capsys.readouterr().err


def test_count_differing__goes_game_by_game() -> None:
    one = {"starts": [0, 3, 5], "actions": [1, 2, 3, 4, 5]}
    assert training.count_differing(one, one) == 0
    assert training.count_differing(one, {"starts": [0, 3, 5], "actions": [1, 9, 3, 4, 5]}) == 1
    assert training.count_differing(one, {"starts": [0, 2, 4], "actions": [1, 2, 4, 5]}) == 1  # one is missing


def test_training__measures_matches_beside_the_base(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setattr(training, "KINDS", {"matches": 2.0})
    options = training.TrainingOptions(base=training.HERE, quick=True, runs=1, seconds=0.01, size=8)
    content = training.measure(options)
    names = ["here", "here, bfloat16"] if training.can_round() else ["here"]
    assert [row["name"] for row in content["rows"]] == [f"matches, {name}" for name in ("base", *names)]
    assert [ratio["what"] for ratio in content["ratios"]] == [f"matches, {name} : base" for name in names]
    assert list(content["decisions"]) == names
    assert content["decisions"]["here"]["differing"] == 0 < content["decisions"]["here"]["all"]
