"""Refusals say what is wrong with what was given: it is not there, is a folder, holds no class, or is broken."""

import json
import os
from pathlib import Path

import pytest

from steam_env.agents import make_agent
from steam_env.agents.policy_files import load_policy
from steam_env.commands import evaluate, ladder, replay
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.kit.files import write_whole
from steam_env.kit.program import BAD_INPUT, NOT_WRITTEN

OPTIONS = ["--map", "mini", "--contracts", "mini", "--contracts-to-end", "1", "--quiet"]
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.safetensors").mkdir()
    (tmp_path / "cut.safetensors").write_bytes(b"\x10\0\0\0\0\0\0\0{")
    (tmp_path / "runs").mkdir()
    (tmp_path / "empty.py").write_text("", encoding="utf-8")
    (tmp_path / "broken.py").write_text("x = 1\nclass A(:\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("class A: ...\nclass B: ...\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/policy.safetensors", "there is no such file"),
        ("folder.safetensors", "is a folder"),
        ("cut.safetensors", "cut.safetensors: no policy can be read"),
    ],
)
def test_a_policy(name: str, words: str) -> None:
    for load in (load_policy, make_agent, make_any_agent):
        with pytest.raises(ValueError, match=words):
            load(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/agent", "'no/agent': there is no such file; allowed are"),
        ("runs", "'runs': is a folder; allowed are"),
        ("two.py", r"which class\? two.py holds A, B; two.py:ClassName names one"),
        ("empty.py:A", "it has no class A: empty.py holds no class"),
        ("two.py:C", "it has no class C: two.py holds A, B"),
        ("two.py:A", "it has no encoding, reset, act"),
        ("no.py:A", "there is no such file"),
        ("broken.py:A", r"broken.py'.*SyntaxError: .*line 2"),
        ("greedi", "'greedi': allowed are"),
    ],
)
def test_an_agent(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_any_agent(name)


@needs_full
@pytest.mark.parametrize("option", ["--json", "--markdown"])
def test_evaluate_on_a_full_disk(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["random", "--deals", "1", option, str(FULL), *OPTIONS]) == NOT_WRITTEN
    assert capsys.readouterr().err == "evaluate: /dev/full: not written: No space left on device\n"


@needs_full
def test_an_older_file_stays_if_the_disk_is_full(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "result.json").write_text("older", encoding="utf-8")

    def fail(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left") as told:
        write_whole(folder / "result.json", "newer")
    assert told.value.filename == str(folder / "result.json")
    assert (folder / "result.json").read_text(encoding="utf-8") == "older"
    assert not [path for path in folder.iterdir() if path.suffix == ".part"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": "steam_env ladder", "schema": 1}', '{"a": NaN}'])
def test_a_ladder_of_a_damaged_file(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "board").mkdir()
    (folder / "board" / "ladder.json").write_text(text, encoding="utf-8")
    words = ["--only", "random", "--only", "automa:easy", "--anchor", "automa:easy", "--deals", "2", "--out", "board"]
    assert ladder.main([*words, *OPTIONS]) == BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert "board/ladder.json" in line
    assert (folder / "board" / "ladder.json").read_text(encoding="utf-8") == text


def test_a_replay_of_what_is_no_game_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "game.json").write_text(json.dumps({"format": "other"}), encoding="utf-8")
    for name in ("game.json", "no.json", "runs", os.devnull):
        assert replay.main([name, "--output", "page.html"]) == BAD_INPUT
        (line,) = capsys.readouterr().err.splitlines()
        assert name in line
