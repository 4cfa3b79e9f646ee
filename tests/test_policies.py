"""The shipped policies: their files, what is known of them, and that they play. Needs the extra `train`."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("safetensors")
pytest.importorskip("sb3_contrib")

from steam_env import Rules
from steam_env.agents import load_policy
from steam_env.agents.trained import SHIPPED, find_policy
from steam_env.programs.match import MatchConfig, play_match
from steam_env.programs.publish import MOST_BYTES, PAGE, YARDSTICKS, main, make_match, read_shipped, write_page
from steam_env.training.run import CONFIG

LEAST_GAMES = 200
ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_policy_is_the_file_that_was_measured(name: str) -> None:
    weights, known = find_policy(name).read_bytes(), read_shipped(name)
    assert len(weights) == known["bytes"] <= MOST_BYTES
    assert hashlib.sha256(weights).hexdigest() == known["sha256"]
    assert known["decisions"] == load_policy(name).about["decisions"]
    assert known["trained"]["config"]["tables"]
    assert known["trained"]["software"]["git"]["commit"]
    assert known["curve"]


@pytest.mark.parametrize("name", SHIPPED)
def test_its_matches_are_as_many_games_as_they_say(name: str) -> None:
    for text, match in zip(YARDSTICKS[name], read_shipped(name)["matches"], strict=True):
        config = make_match(name, text, LEAST_GAMES)
        assert match["against"] == text
        assert match["games"] >= config.num_games >= LEAST_GAMES
        assert match["win_rate"][1] < match["win_rate"][0] < match["win_rate"][2]
        assert match["chance"] == pytest.approx(1 / config.num_seats)


def test_the_page_is_written_from_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert PAGE.read_text(encoding="utf-8") == write_page()


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


def test_a_policy_is_published_from_a_run_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nobody", "--run", str(tmp_path)]) == 2
    assert main(["duel", "--run", str(tmp_path)]) == 2
    (tmp_path / CONFIG).write_text("{}")
    assert main(["duel", "--run", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "name='nobody'" in err
    assert "policy.safetensors is needed" in err
