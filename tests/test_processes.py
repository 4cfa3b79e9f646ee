"""Threads, processes and memory, where nothing is compiled; ``tests.verification.processes`` has the rest."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from steam_env.core import cache, jit
from steam_env.kit import locks
from tests.verification import processes

pytestmark = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


def test_threads__two_batches_at_once_are_as_one_after_the_other() -> None:
    processes.check_threads(games=16)


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes__started_after_kernels_were_used_play_the_same_games(method: str) -> None:
    processes.check_start_method(method)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes__a_game_goes_on_where_it_is_sent() -> None:
    processes.check_pickles_between_processes("fork")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_memory__is_flat() -> None:
    processes.check_memory(games=600, first=200)


# --- the cache ------------------------------------------------------------------------------------------


def double(number: int) -> int:
    return 2 * number


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(jit, "find_folder", lambda _: tmp_path)
    monkeypatch.setattr(jit, "open_root", lambda: (tmp_path, ""))
    return tmp_path


def files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{ending}"))


def test_cache__a_kernel_is_loaded_from_what_another_saved(folder: Path) -> None:
    first, second = jit.kernel(double), jit.kernel(double)
    assert (first(4), second(4)) == (8, 8)
    assert sum(second.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]
    assert second(2.5) == 5.0
    assert [len(files(folder, ending)) for ending in ("nbi", "nbc")] == [1, 2]


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage", [processes._cut, processes._empty, processes._change], ids=["cut", "empty", "change"]
)
def test_cache__a_damaged_file_is_written_anew(folder: Path, ending: str, damage: processes.Callable) -> None:
    assert jit.kernel(double)(4) == 8
    (path,) = files(folder, ending)
    good = path.stat().st_size
    damage(path)
    again = jit.kernel(double)
    assert again(4) == 8
    assert sum(again.stats.cache_hits.values()) == 0  # type: ignore[attr-defined]
    assert path.stat().st_size >= good - 64
    loaded = jit.kernel(double)
    assert loaded(4) == 8
    assert sum(loaded.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]


def test_cache__signatures_that_are_saved_at_once_do_not_share_a_file(folder: Path) -> None:
    """Both processes have read an empty index; the slower one writes over the other's index, not over its code."""
    first, second = jit.kernel(double), jit.kernel(double)
    whole, real = first._cache._cache_file, second._cache._cache_file  # type: ignore[attr-defined]
    empty = dict[object, str]
    whole._load_index = real._load_index = empty  # type: ignore[method-assign]
    assert (first(4), second(2.5)) == (8, 5.0)
    assert len(files(folder, "nbc")) == 2
    assert (jit.kernel(double)(4), jit.kernel(double)(2.5)) == (8, 5.0)


def test_cache__a_folder_that_is_gone_is_done_without(folder: Path, tmp_path: Path) -> None:
    function = jit.kernel(double)
    for path in sorted(tmp_path.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    tmp_path.rmdir()
    tmp_path.write_text("in the way", encoding="utf-8")
    assert function(4) == 8


def test_cache__its_lock_is_waited_for(folder: Path) -> None:
    order = []

    def second() -> None:
        with jit._one_at_a_time():
            order.append("second")

    with jit._one_at_a_time():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(3 * locks.POLL_SECONDS)
        order.append("first")
    thread.join()
    assert order == (["second", "first"] if os.name == "nt" else ["first", "second"])


def test_cache__a_lock_that_is_never_given_back_is_not_waited_for_for_ever(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "LONGEST_WAIT", 0.1)
    with locks.hold(folder), jit._one_at_a_time("observation"):
        pass
    told = "another process compiles; waiting for it, for the observation"
    assert (told in capsys.readouterr().err) == (os.name != "nt")


def test_cache__without_any_place_it_is_a_folder_that_goes_with_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    code = "from steam_env.core import cache; print(cache.open_root()[0], cache.open_root()[0].is_dir())"
    variables = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file" / "below"), "TMPDIR": str(scratch)}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(scratch))
    assert done.stdout.endswith(" True\n")
    assert list(scratch.iterdir()) == []


def test_cache__a_user_without_a_home_has_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache.Path, "home", find_no_home)
    folder, why = cache._open_root()
    assert folder.is_dir()
    assert why == "Could not determine home directory."
