"""The shipped policies: their files, what is known of them, and that they play. Needs the extra `train`."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("sb3_contrib")

from steam_env import Rules
from steam_env.agents import load_policy
from steam_env.agents.trained import SHIPPED, find_policy
from steam_env.commands.steam_power.publish import MOST_BYTES, YARDSTICKS, main, make_match
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.pages.steam_power.policies import FOLDER, PAGE, PICTURES, read_policy
from steam_env.training.config import TrainConfig
from steam_env.training.run import CONFIG, HISTORY, POLICY

LEAST_GAMES = 2000


@pytest.fixture(autouse=True)
def stand_in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_is_the_file_that_was_measured(name: str) -> None:
    weights, known = find_policy(name).read_bytes(), read_policy(name)
    assert len(weights) == known["bytes"] <= MOST_BYTES
    assert hashlib.sha256(weights).hexdigest() == known["sha256"]
    last = known["runs"][-1]
    assert last["decisions"] == load_policy(name).about["decisions"]
    assert known["curve"][-1]["decisions"] == sum(run["decisions"] for run in known["runs"])
    for run in known["runs"]:
        assert run["config"]["tables"]
        assert run["software"]["git"]["commit"]
        assert not run["software"]["git"]["dirty"]


@pytest.mark.parametrize("name", SHIPPED)
def test_its_matches_are_as_many_games_as_they_say(name: str) -> None:
    for text, match in zip(YARDSTICKS[name], read_policy(name)["matches"], strict=True):
        config = make_match(name, text, LEAST_GAMES)
        assert match["against"] == text
        assert match["games"] >= config.num_games >= LEAST_GAMES
        assert match["win_rate"][1] < match["win_rate"][0] < match["win_rate"][2]
        assert match["chance"] == pytest.approx(1 / config.num_seats)


def test_duel_beats_the_normal_mautoma() -> None:
    result = play_match(MatchConfig("duel", ("automa:normal",), deals=60, seed=5))
    assert result.games.shares[:, :, 0].mean() > 0.5


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_table_plays_with_greedy_and_automas(seats: int) -> None:
    against = ("greedy",) * (seats - 2) + ("automa:hard",)
    result = play_match(MatchConfig("table", against, deals=4, seed=5))
    assert result.games.scores[:, :, 0, 0].mean() > 20


def test_policies_play_maps_and_rules_that_they_do_not_know() -> None:
    result = play_match(MatchConfig("duel", ("random",), deals=4, seed=5, map="mini", contracts="mini"))
    assert np.isfinite(result.games.scores).all()
    assert Rules().map == "midwest"


def write_run(folder: Path, start: str | None, decisions: tuple[int, ...]) -> Path:
    """The files of a run that has trained nothing: a shipped policy's weights."""
    folder.mkdir()
    config = TrainConfig(start=start, teacher="none", evaluate=("random",))
    (folder / CONFIG).write_text(json.dumps({"config": config.to_dict(), "software": {"git": None}}))
    entries = [
        {"decisions": number, "seconds": 30.0, "stage": "self-play", "evaluation": {"random": {"win_rate": 0.5}}}
        for number in decisions
    ]
    (folder / HISTORY).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    (folder / POLICY).write_bytes(find_policy("duel").read_bytes())
    return folder


def test_a_policy_is_published_with_all_runs_that_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(YARDSTICKS, "duel", ("random",))
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text("<!-- policy duel -->\n<!-- end -->\n", encoding="utf-8")
    write_run(Path("first"), None, (100, 200))
    write_run(Path("second"), "first/policy.safetensors", (50,))
    assert main(["duel", "--run", "first", "--run", "second", "--games", "4", "--quiet"]) == 0
    known = json.loads((FOLDER / "duel.json").read_text())
    assert [run["decisions"] for run in known["runs"]] == [200, 50]
    assert [point["decisions"] for point in known["curve"]] == [100, 200, 250]
    assert known["matches"][0]["games"] == 4
    assert (FOLDER / "duel.safetensors").read_bytes() == find_policy("duel").read_bytes()
    page = PAGE.read_text()
    assert "| decisions, from random weights | 250 |" in page
    assert "--start first/policy.safetensors --teacher none --evaluate random`: 50 decisions in 0 minutes" in page
    assert "</svg>" in (PICTURES / "duel.svg").read_text()

    assert main(["duel", "--run", "second", "--run", "first", "--quiet"]) == 2
    assert "it began with first/policy.safetensors, not random weights" in capsys.readouterr().err


def test_a_policy_is_published_from_a_run_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nobody", "--run", str(tmp_path)]) == 2
    assert main(["duel"]) == 2
    (tmp_path / CONFIG).write_text("{}")
    assert main(["duel", "--run", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "name='nobody'" in err
    assert "run=(): the folder of a run is needed" in err
    assert "policy.safetensors is needed" in err
