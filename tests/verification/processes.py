"""What processes, threads, caches and long runs do to the environment: ``python -m tests.verification.processes``.

Each check plays games in fresh processes, with caches that are cold, cut, flipped, not to be written, or being
written by a process that is killed, and compares what comes out with a game of this process. The quick
ones are tests as well; the cold ones compile, so they take minutes. ``--only "cold start"`` measures how long
first commands compile.
"""

import contextlib
import dataclasses
import gc
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tyro
from rich.console import Console

from steam_env import Game, GameBatch, Rules, steam_power_v0
from steam_env.evaluation.provenance import describe_machine, describe_software

MINI = Rules(map="mini", contracts="mini", num_players=3)
WITH_AUTOMA = Rules(map="mini", contracts="mini", automas=1)
STEPS = 60
STARTED_AT_ONCE = 8
KILLED_AFTER = (1.0, 3.0, 6.0, 10.0, 15.0, 20.0)  # seconds, while it compiles
DAMAGED = 6  # cache files, in each way
UNKNOWN_USER = 65533
ROOT = Path(__file__).parents[2]
GAMES = 10_000
MEASURED_FROM = 1_000
MEMORY_ALLOWED_MIB = 8.0  # between those
RANDOM_GAME = """
import numpy as np
from steam_env import steam_power_v0

env = steam_power_v0.env(num_players=3, map="mini", contracts="standard")
env.reset(seed=1)
rng = np.random.default_rng(1)
for _ in env.agent_iter():
    observation, _, ended, cut, _ = env.last()
    env.step(None if ended or cut else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
"""
FIRST_COMMANDS = {  # words for the interpreter, and the processor seconds that it may compile on an empty cache
    "evaluate.py greedy --against automa:normal": (["evaluate.py", "greedy", "--against", "automa:normal"], 40.0),
    "a random game through PettingZoo": (["-c", RANDOM_GAME], 20.0),
}
RESULT = Path("docs/trust/processes.json")
COMMAND = "python -m tests.verification.processes"
CHILD = "from tests.verification.processes import print_future; print_future()"


# --- the same future ----------------------------------------------------------------------------------------


def play_games(rules: Rules = MINI, games: int = 4, seed: int = 1, steps: int = STEPS) -> str:
    """A hash of how a batch of random games goes."""
    batch = GameBatch(rules, games, seed=seed)
    rng, digest = np.random.default_rng(seed), hashlib.sha256()
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
        digest.update(batch.records.tobytes() + batch.mask.tobytes())
    digest.update(batch.observe().tobytes())
    return digest.hexdigest()


def print_future() -> None:
    """What a child process does."""
    print(play_games())


def run_child(environment: dict[str, str | None] | None = None, within: Sequence[str] = ()) -> subprocess.Popen[str]:
    """A fresh interpreter that plays the games, started by the words ``within``; a variable None is left out."""
    command = [*within, sys.executable, "-c", CHILD]
    variables = list_variables(environment or {})
    return subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def list_variables(changed: dict[str, str | None]) -> dict[str, str]:
    """The environment of a child, which finds this package; a variable None is left out."""
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]), **changed}
    return {name: value for name, value in variables.items() if value is not None}


def read_child(child: subprocess.Popen[str]) -> str:
    """The hash that the child prints.

    Raises:
        AssertionError: with what it says, if it ends in any other way.
    """
    out, error = child.communicate(timeout=1200)
    assert child.returncode == 0, f"exit status {child.returncode}:\n{error[-3000:]}"
    return out.strip()


@contextlib.contextmanager
def open_cache() -> Iterator[Path]:
    """An empty cache folder."""
    with tempfile.TemporaryDirectory(prefix="steam_env_cache_") as folder:
        yield Path(folder)


# --- threads and copies of this process -----------------------------------------------------------------------


def check_threads(games: int = 64) -> None:
    """Batches stepped in two threads give the same as one after the other."""
    jobs = [(rules, games, seed) for rules in (MINI, WITH_AUTOMA) for seed in (1, 2)]
    expected = [play_games(*job) for job in jobs]
    found: dict[int, str] = {}

    def work(numbers: range) -> None:
        for number in numbers:
            found[number] = play_games(*jobs[number])

    threads = [threading.Thread(target=work, args=(range(first, len(jobs), 2),)) for first in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.get(number) for number in range(len(jobs))] == expected


def check_start_method(method: str) -> None:
    """Processes of ``multiprocessing``, begun after kernels were used here, play the same games."""
    expected = [play_games(rules) for rules in (MINI, WITH_AUTOMA)]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map(play_games, [MINI, WITH_AUTOMA]) == expected
    assert [play_games(rules) for rules in (MINI, WITH_AUTOMA)] == expected


def check_pickles_between_processes(method: str = "spawn") -> None:
    """A game that is sent to another process goes on there as it does here."""
    game = Game(MINI, seed=3)
    for _ in range(10):
        game.step(game.legal()[-1])
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert pool.apply(finish_game, (game,)) == finish_game(game)


def finish_game(game: Game) -> bytes:
    """The record at the end of a game in which the highest id is always played, or after many steps."""
    game = game.clone()
    for _ in range(500):
        if game.done:
            break
        game.step(game.legal()[-1])
    return game.records.tobytes()


# --- memory -------------------------------------------------------------------------------------------------


def measure_memory() -> float:
    """MiB of this process that are in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def check_memory(games: int = GAMES, first: int = MEASURED_FROM) -> dict[str, float]:
    """Game objects with saves and clones, batches, and episodes: memory after many is that after few."""
    grown = {}
    for name, play in (("games", _play_one), ("batches", _play_batch()), ("episodes", _play_episode())):
        for number in range(first):
            play(number)
        before = measure_memory()
        for number in range(first, games):
            play(number)
        grown[name] = round(measure_memory() - before, 2)
        assert grown[name] <= MEMORY_ALLOWED_MIB, f"{name}: {grown[name]} MiB more after {games} than after {first}"
    return grown


def _play_one(number: int) -> None:
    game = Game(MINI, seed=number)
    for _ in range(3):
        game.step(game.legal()[-1])
    twin = Game.load(game.clone().save())
    assert twin.records.tobytes() == game.records.tobytes()
    _ = twin.observe(0), twin.events, twin.log, twin.scores()


def _play_batch() -> Callable[[int], None]:
    """New batches, and one that is reset."""
    kept = GameBatch(MINI, 8, seed=1)
    rng = np.random.default_rng(1)

    def play(number: int) -> None:
        if number % 8:
            return
        batch = GameBatch(MINI, 8, seed=number)
        for one in (batch, kept, batch.tile(2), batch.clone(), batch.redeal(batch.seats, batch.seeds)):
            one.step(one.sample_legal(rng))
            one.observe()
        kept.reset()

    return play


def _play_episode() -> Callable[[int], None]:
    env = steam_power_v0.raw_env(map="mini", contracts="mini", automas=1, num_players=2)
    rng = np.random.default_rng(1)

    def play(number: int) -> None:
        env.reset(seed=number)
        for _ in range(5):
            env.step(env.sample_legal(rng))
            env.last()

    return play


# --- caches -------------------------------------------------------------------------------------------------


def check_cold_start() -> dict[str, dict[str, float]]:
    """How long first commands compile: what they take on an empty cache more than once it is filled."""
    told = {}
    for name, (words, most) in FIRST_COMMANDS.items():
        with open_cache() as cache:
            cold, warm = time_command(words, cache), time_command(words, cache)
        told[name] = {kind: round(cold[kind] - warm[kind], 1) for kind in cold}
        assert told[name]["processor seconds"] <= most, f"{name}: {told[name]}, {most} are allowed"
    return told


def time_command(words: Sequence[str], cache: Path) -> dict[str, float]:
    """Seconds that the interpreter takes for these words."""
    variables = list_variables({"NUMBA_CACHE_DIR": str(cache)})
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([sys.executable, *words], cwd=ROOT, env=variables, capture_output=True, check=True)
    passed, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"seconds": passed, "processor seconds": used}


def check_cold_start_at_once(expected: str, processes: int = STARTED_AT_ONCE) -> None:
    """Processes that start at once on an empty cache all come to the right result."""
    with open_cache() as cache:
        children = [run_child({"NUMBA_CACHE_DIR": str(cache)}) for _ in range(processes)]
        assert [read_child(child) for child in children] == [expected] * processes


def check_no_place_for_a_cache(expected: str) -> None:
    """A cache folder that cannot be: below a file. The process compiles for itself, and leaves nothing behind."""
    with open_cache() as folder, tempfile.NamedTemporaryFile() as file:
        scratch = folder / "scratch"
        scratch.mkdir()
        child = run_child({"NUMBA_CACHE_DIR": f"{file.name}/below", "TMPDIR": str(scratch)})
        assert read_child(child) == expected
        assert list(scratch.iterdir()) == []


def check_read_only(expected: str) -> None:
    """Install folder and home are mounted read-only, which binds a superuser too."""
    mount = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift'
    words = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        f'set -e; {mount}; {mount}; exec "$@"',
        "sh",
        str(ROOT),
        str(Path.home()),
    ]
    _check_elsewhere(expected, words, {"XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None})


def check_user_without_a_home(expected: str) -> None:
    """A user who is not in the list of users, without a home."""
    words = ["unshare", "--user", f"--map-user={UNKNOWN_USER}"]
    _check_elsewhere(expected, words, dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")))


def _check_elsewhere(expected: str, within: list[str], environment: dict[str, str | None]) -> None:
    """The child compiles for itself, and leaves nothing behind."""
    if (
        shutil.which(within[0]) is None
        or subprocess.run([*within, "true"], capture_output=True, check=False).returncode
    ):
        raise Skipped(f"not allowed here: {' '.join(within)}")
    with open_cache() as scratch:
        child = run_child({**environment, "TMPDIR": str(scratch)}, within)
        assert read_child(child) == expected
        assert list(scratch.iterdir()) == []


def check_killed_while_compiling(expected: str, moments: tuple[float, ...] = KILLED_AFTER) -> None:
    """A process that is killed while it compiles, at one moment after the other, leaves a cache that can be used."""
    with open_cache() as cache:
        for seconds in moments:
            child = run_child({"NUMBA_CACHE_DIR": str(cache)})
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(seconds)
            child.send_signal(signal.SIGKILL)
            child.communicate()
        assert read_child(run_child({"NUMBA_CACHE_DIR": str(cache)})) == expected


def check_damaged_cache(expected: str) -> None:
    """Cache files that were cut, emptied or changed are compiled anew where they are needed."""
    with open_cache() as cache:
        variables: dict[str, str | None] = {"NUMBA_CACHE_DIR": str(cache)}
        assert read_child(run_child(variables)) == expected
        files = sorted(path for ending in ("nbi", "nbc") for path in cache.rglob(f"*.{ending}"))
        assert len(files) > 3 * DAMAGED
        for damage in (_cut, _empty, _change):
            for path in files[:: max(len(files) // DAMAGED, 1)]:
                damage(path)
            assert read_child(run_child(variables)) == expected, damage.__name__


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _change(path: Path) -> None:
    data = bytearray(path.read_bytes())
    if data:  # one that nobody needed to write anew may still be empty
        data[len(data) // 2] ^= 1
    path.write_bytes(data)


# --- the command ----------------------------------------------------------------------------------------------


class Skipped(Exception):
    """A check that cannot be made here."""


CHECKS: dict[str, Callable[[str], Any]] = {
    "two threads": lambda _: check_threads(),
    "spawn": lambda _: check_start_method("spawn"),
    "fork": lambda _: check_start_method("fork"),
    "a game sent to another process": lambda _: check_pickles_between_processes(),
    f"{GAMES} games: MiB grown": lambda _: check_memory(),
    "cold start": lambda _: check_cold_start(),
    f"{STARTED_AT_ONCE} processes at once on a cold cache": check_cold_start_at_once,
    "no place for a cache": check_no_place_for_a_cache,
    "install folder and home read-only": check_read_only,
    "a user without a home": check_user_without_a_home,
    "killed while compiling": check_killed_while_compiling,
    "damaged cache files": check_damaged_cache,
}


@dataclasses.dataclass(frozen=True)
class Options:
    """What is checked."""

    only: str = ""
    """Checks whose name holds this."""
    out: Path | None = None
    """The result. Left out: docs/trust/processes.json, if all is checked."""


def main(options: Options) -> int:
    """Make the checks one after the other; 1 if one fails."""
    expected = play_games()
    rows: dict[str, dict[str, Any]] = {}
    for name, check in CHECKS.items():
        if options.only in name:
            rows[name] = _make(check, expected)
            Console().print(f"{name}: {rows[name]}")
    out = options.out or (None if options.only else RESULT)
    if out is not None:
        software, machine = describe_software(), describe_machine()
        result = {"command": COMMAND, "software": software, "machine": machine, "checks": rows}
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(any(row["result"] == "failed" for row in rows.values()))


def _make(check: Callable[[str], Any], expected: str) -> dict[str, Any]:
    begun = time.monotonic()
    try:
        told, result = check(expected), "passed"
    except Skipped as reason:
        told, result = str(reason), "skipped"
    except Exception as error:
        told, result = f"{type(error).__name__}: {error}", "failed"
    row = {"result": result, "seconds": round(time.monotonic() - begun, 1)}
    return row if told is None else {**row, "told": told}


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Options, description=__doc__)))
