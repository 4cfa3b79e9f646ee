"""docs/training.md tells what the files of the run of `standard` hold, and these what was wanted."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from steam_env.pages.steam_power import training as page
from steam_env.training.run import read_config, read_history
from steam_env.training.steam_power.presets import PRESETS

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def stand_in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_the_page_is_written_from_the_files() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.renew(text) == text
    assert page.BLOCK.search(text)


def test_the_run_is_that_of_the_preset() -> None:
    assert read_config(page.FOLDER) == PRESETS["standard"]
    assert read_history(page.FOLDER)[-1]["decisions"] >= PRESETS["standard"].decisions


@pytest.mark.parametrize("opponent", ["greedy", "automa:normal"])
def test_standard_beats_greedy_and_the_normal_mautoma(opponent: str) -> None:
    content = json.loads((page.FOLDER / page.MATCHES).read_text(encoding="utf-8"))
    (match,) = (match for match in content["matches"] if match["opponent"] == opponent)
    rate = match["results"]["agents"][0]["win_rate"]
    assert content["protocol"] == "v0"
    assert content["is_frozen"]
    assert rate["mean"] >= 0.70
    assert rate["low"] > 0.65


def test_the_environment_takes_less_than_a_twentieth_of_self_play() -> None:
    entries = [entry for entry in read_history(page.FOLDER) if entry["stage"] == "self-play"]
    assert page.weigh_share(entries, "environment") < 0.05


def test_a_folder_without_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert page.main(["--run", str(tmp_path)]) == 2
    assert "there is no run" in capsys.readouterr().err
