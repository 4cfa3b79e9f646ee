"""Numbers that are not finite: training stops at the first, no file holds any, and readers refuse them."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules, SaveError
from steam_env.kit.errors import NotFiniteError
from steam_env.kit.json_text import dump_json, parse_json, read_json
from steam_env.kit.program import BAD_INPUT, NOT_FINITE, NOT_WRITTEN

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("safetensors")

from safetensors.torch import save_file  # noqa: E402

from steam_env.agents.network import NetworkConfig  # noqa: E402
from steam_env.agents.networks import USUAL  # noqa: E402
from steam_env.agents.policy_files import (  # noqa: E402
    FORMAT,
    NET,
    describe_fit,
    find_policy,
    load_policy,
    read_policy,
)
from steam_env.agents.policy_files import write_policy as write_any  # noqa: E402
from steam_env.commands import evaluate, train  # noqa: E402
from steam_env.spec import find_spec  # noqa: E402
from steam_env.training.config import TrainConfig  # noqa: E402
from steam_env.training.policy import LeanRolloutBuffer  # noqa: E402
from steam_env.training.run import CHECKPOINT, HISTORY, POLICY, Run  # noqa: E402

TINY = TrainConfig(
    tables=("automa:easy",),
    rules=(("map", "mini"), ("contracts", "mini")),
    decisions=4 * 8 * 8,
    games=8,
    steps=8,
    batch_size=16,
    evaluate_every=0,
    network=NetworkConfig(width=16, entity=4, map_units=4),
)
BAD = [float("nan"), float("inf"), -float("inf")]


# --- files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", BAD)
def test_json_holds_finite_numbers_alone(value: float, tmp_path: Path) -> None:
    with pytest.raises(NotFiniteError, match=re.escape(f"a.b[1]={value}")):
        dump_json({"a": {"b": [1.0, value]}})
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"a": [value]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"result.json: no result can be read: -?(NaN|Infinity) is no JSON"):
        read_json(path, "result")


def test_a_number_that_is_too_large_is_none() -> None:
    with pytest.raises(ValueError, match="1e309 is larger"):
        parse_json('{"a": 1e309}')
    assert parse_json("1e308") == 1e308


def test_game_files_and_notes_refuse_them(tmp_path: Path) -> None:
    game, path = Game(Rules(map="mini", contracts="mini"), seed=1), tmp_path / "game.json"
    game.step("money")
    with pytest.raises(ValueError, match="a finite number"):
        game.to_file(path, policy=[{"value": float("nan")}])
    game.to_file(path, policy=[{"value": 0.5}])
    path.write_text(path.read_text(encoding="utf-8").replace("0.5", "NaN"), encoding="utf-8")
    with pytest.raises(SaveError, match="NaN is no JSON"):
        Game.from_file(path)


@pytest.mark.parametrize("value", BAD)
def test_a_policy_with_one_such_weight_is_refused_on_writing_and_on_reading(
    value: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    about, weights = read_policy(find_policy("duel"))
    name = next(name for name in weights if name.endswith("judge_actions.bias"))
    weights[name] = weights[name].clone()
    weights[name][3] = value
    path, words = tmp_path / "bad.safetensors", re.escape(f"{name}: 1 of 372 values are not finite")
    with pytest.raises(NotFiniteError, match=words):
        write_any(path, about, weights, find_spec())
    assert not path.exists()
    told = {**about, "format": FORMAT, **describe_fit(find_spec(), about.get(NET, USUAL))}
    save_file(weights, path, {"about": json.dumps(told)})
    with pytest.raises(NotFiniteError, match=words):
        load_policy(path)
    assert evaluate.main([str(path), "--deals", "2", "--quiet"]) == BAD_INPUT
    assert f"bad.safetensors: {name}: 1 of 372" in capsys.readouterr().err


# --- training -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["learning-rate", "imitation-rate", "entropy", "win", "value-weight", "gamma"])
@pytest.mark.parametrize("value", ["nan", "inf", "1e309"])
def test_an_option_that_is_not_finite_is_refused(
    name: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train.main([f"--{name}", value, "--folder", str(tmp_path / "run")]) == BAD_INPUT
    line = capsys.readouterr().err
    assert re.search(rf"{name.replace('-', '_')}=(nan|inf): (at least 0.0, and finite,|0.0 to 1.0) is allowed", line)
    assert not (tmp_path / "run").exists()


def test_training_ends_at_the_first_loss_that_is_not_finite_and_keeps_the_last_good_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    run = Run.start(folder, TINY, "cpu")
    steps = run.play()
    next(steps)
    steps.close()
    good = {name: (folder / name).read_bytes() for name in (CHECKPOINT, POLICY, HISTORY)}
    monkeypatch.setattr(Run, "_set_progress", lambda self, **_: setattr(self.learner, "_rate", 1e9))
    assert train.main(["--resume", "--folder", str(folder), "--quiet"]) == NOT_FINITE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("train: iteration 2: ")
    assert "not finite" in line
    assert "the checkpoint and the policy of iteration 1; go on with --resume" in line
    assert {name: (folder / name).read_bytes() for name in good} == good
    assert [parse_json(text)["iteration"] for text in (folder / HISTORY).read_text().splitlines()] == [1]
    load_policy(folder / POLICY)


@pytest.mark.parametrize("data", [b"", b"cut", None], ids=["empty", "other", "cut"])
def test_a_damaged_checkpoint_is_named_in_one_line(
    data: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Run.start(tmp_path, TINY, "cpu").save()
    path = tmp_path / CHECKPOINT
    path.write_bytes(path.read_bytes()[:1000] if data is None else data)
    assert train.main(["--resume", "--folder", str(tmp_path), "--quiet"]) == BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{path}: no checkpoint can be read: " in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("name", [CHECKPOINT, POLICY])
def test_a_full_disk_is_told_with_what_is_kept(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run.start(tmp_path, TINY, "cpu")
    monkeypatch.setattr(train, "open_run", lambda options, stack: run)
    (tmp_path / name).symlink_to("/dev/full")
    assert train.main(["--folder", str(tmp_path), "--quiet"]) == NOT_WRITTEN
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"{name}: not written: No space left on device; {tmp_path} holds no checkpoint yet")


def test_a_loss_that_is_not_finite_leaves_finite_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.start(tmp_path, TINY, "cpu")
    finish = LeanRolloutBuffer.compute_returns_and_advantage

    def spoil(self: LeanRolloutBuffer, **given: Any) -> None:
        finish(self, **given)
        self.returns[0, 0] = np.nan

    monkeypatch.setattr(LeanRolloutBuffer, "compute_returns_and_advantage", spoil)
    with pytest.raises(NotFiniteError, match="iteration 1: the loss is not finite: gradients: "):
        next(run.play())
    assert all(torch.isfinite(weight).all() for weight in run.learner.policy.state_dict().values())
    assert not (tmp_path / CHECKPOINT).exists()


def test_no_part_of_a_rollout_is_one_row_alone() -> None:
    for total, size in ((21, 10), (3, 2), (2, 2), (20, 10), (5, None)):
        parts = list(cut(total, size))
        assert sum(parts) == total
        assert min(parts) > 1
    with pytest.raises(ValueError, match="batch_size=1: at least 2"):
        replace(TINY, batch_size=1)


def cut(total: int, size: int | None) -> list[int]:
    """How long the parts are."""
    buffer = object.__new__(LeanRolloutBuffer)
    buffer.buffer_size, buffer.n_envs, buffer.rng = total, 1, np.random.default_rng(1)
    buffer._take = len  # type: ignore[assignment, method-assign]
    return list(buffer.get(size))  # type: ignore[arg-type]
