"""Files and folders that several processes share: one holds them, and nothing is lost."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from steam_env.kit import locks
from steam_env.kit.locks import InUseError, hold

HOLDER = """
import sys, time
from pathlib import Path
from steam_env.kit.locks import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    path = tmp_path / "ladder.json"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield path, process
        process.kill()


def test_what_another_process_holds_is_refused_with_its_name(held: tuple[Path, subprocess.Popen[str]]) -> None:
    path, process = held
    with pytest.raises(InUseError, match=rf"ladder.json: is in use by process {process.pid} on "), hold(path):
        pass


def test_a_killed_process_holds_nothing(held: tuple[Path, subprocess.Popen[str]]) -> None:
    path, process = held
    process.send_signal(signal.SIGKILL)
    process.wait()
    with hold(path):
        pass
    assert not list(path.parent.iterdir())


def test_who_waits_goes_on_when_it_is_free(held: tuple[Path, subprocess.Popen[str]]) -> None:
    path, process = held
    process.terminate()
    with hold(path, wait_seconds=30):
        pass


def test_one_of_many_threads_holds_a_folder_at_a_time(tmp_path: Path) -> None:
    with hold(tmp_path), pytest.raises(InUseError), hold(tmp_path):
        pass
    with hold(tmp_path):
        pass


@pytest.mark.parametrize("fault", [OSError(38, "Function not implemented"), OSError(37, "No locks available")])
def test_without_locks_all_goes_on(fault: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lock(file: int) -> None:
        raise fault

    monkeypatch.setattr(locks, "_lock", lock)
    with hold(tmp_path / "a"), hold(tmp_path / "a"):
        pass


def test_where_nothing_can_be_written_all_goes_on(tmp_path: Path) -> None:
    with hold(tmp_path / "missing" / "a"), hold(Path(os.devnull)):
        pass
    assert not list(tmp_path.iterdir())


# --- programs -----------------------------------------------------------------------------------------


def test_a_second_ladder_or_training_or_recording_in_the_same_place_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sb3_contrib")
    from steam_env.commands import evaluate, ladder, train

    small = ["--map", "mini", "--contracts", "mini", "--quiet"]
    (tmp_path / "run").mkdir()
    (tmp_path / "board").mkdir()
    (tmp_path / "data").mkdir()
    only = ["--only", "random", "--only", "automa:easy", "--anchor", "automa:easy", "--out", str(tmp_path / "board")]
    recorded = ["random", "--deals", "1", "--record", str(tmp_path / "data"), "--record-name", "a-v0", *small]
    with hold(tmp_path / "run"), hold(tmp_path / "board" / "ladder.json"), hold(tmp_path / "data" / "a-v0"):
        assert train.main(["--folder", str(tmp_path / "run"), *small]) == 2
        assert ladder.main([*only, "--deals", "2", *small]) == 2
        assert ladder.main([*only, "--page-only"]) == 2
        if find_spec("minari") is not None:
            assert evaluate.main(recorded) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 3
    assert all(f"is in use by process {os.getpid()}" in line for line in lines)


def test_two_people_who_go_on_with_one_file_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from steam_env import Game, Rules
    from steam_env.playing.played_game import PlayedGame
    from steam_env.playing.session import Session

    monkeypatch.chdir(tmp_path)
    path = Path("game.save")
    PlayedGame(Game(Rules(map="mini", contracts="mini"), seed=1), ("human", "human")).save(path)
    sessions = [Session(PlayedGame.load(path), path) for _ in range(2)]
    for session, action in zip(sessions, ("money", "contracts"), strict=True):
        session.handle("")
        session.handle(action)
    assert "game.save" in sessions[0].keep()
    assert "steam-play-1.save" in sessions[1].keep()
    assert PlayedGame.load(path).game.num_steps == PlayedGame.load(Path("steam-play-1.save")).game.num_steps == 1
