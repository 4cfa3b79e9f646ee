"""What programs print fits every stream, and a stream that takes nothing ends them in one line."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from steam_env.commands import evaluate, train
from steam_env.commands.play import main as play
from steam_env.games.__main__ import main as list_games
from steam_env.kit.program import NOT_WRITTEN, fail, fit_streams, make_program

MINI = ["--map", "mini", "--contracts", "mini"]


@pytest.fixture(params=["ascii", "cp1252", "latin-1", "utf-8"])
def divert(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], io.BytesIO]:
    """Let both streams have another encoding; what comes out of them."""

    def open_streams() -> io.BytesIO:
        memory = io.BytesIO()
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, io.TextIOWrapper(memory, encoding=request.param, write_through=True))
        return memory

    return open_streams


def test_characters_that_a_stream_lacks_are_replaced(divert: Callable[[], io.BytesIO]) -> None:
    written = divert()
    fit_streams()
    print("Ames → Boone ≤ 3 Φ 東\udcff", end="")
    text = written.getvalue().decode(sys.stdout.encoding)
    assert text == ("Ames → Boone ≤ 3 Φ 東?" if sys.stdout.encoding == "utf-8" else "Ames -> Boone <= 3 ? ??")


def test_a_game_is_played_in_lines(
    divert: Callable[[], io.BytesIO], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = divert()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("map\nmoney\nnews\nlog\nquit\nn\n"))
    assert play([*MINI, "--against", "random", "--seed", "1", "--plain"]) == 0
    assert b"> " in written.getvalue()


def test_help_and_lists_are_printed(divert: Callable[[], io.BytesIO]) -> None:
    written = divert()
    for main in (evaluate.main, train.main, play):
        with pytest.raises(SystemExit) as stop:
            main(["--help"])
        assert stop.value.code in (0, None)
    assert list_games([]) == 0
    assert written.getvalue()


def test_a_match_is_told(divert: Callable[[], io.BytesIO]) -> None:
    written = divert()
    assert evaluate.main(["random", "--deals", "2", "--contracts-to-end", "1", "--quiet", *MINI]) == 0
    assert b"random against random" in written.getvalue()


def test_streams_may_be_missing_or_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (None, io.StringIO()):
        for name in ("stdout", "stderr", "stdin"):
            monkeypatch.setattr(sys, name, stream)
        fit_streams()
        assert fail("program", 2, "words") == 2
        assert make_program("program")(lambda arguments=None: 0)([]) == 0


def run(code: str, **streams: int) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", f"from steam_env.kit.program import make_program\n{code}"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    return subprocess.run(words, text=True, env=environment, stderr=subprocess.PIPE, check=False, **streams)  # type: ignore[call-overload, no-any-return]


PRINT = "raise SystemExit(make_program('look')(lambda arguments=None: print('words →' * 10000) or 0)())"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_told_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = run(PRINT, stdout=full.fileno())
    assert (done.returncode, done.stderr) == (
        NOT_WRITTEN,
        "look: standard output: not written: No space left on device\n",
    )


def test_a_pipe_that_nobody_reads_is_told_in_one_line() -> None:
    read, write = os.pipe()
    os.close(read)
    done = run(PRINT, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (NOT_WRITTEN, "look: standard output: not written: Broken pipe\n")


def test_main_functions_keep_their_signature() -> None:
    @make_program("look")
    def main(arguments: Sequence[str] | None = None) -> int:
        """Look."""
        raise KeyboardInterrupt

    assert (main.__doc__, main([])) == ("Look.", 130)
