"""Whether the tests notice deliberate faults: ``python -m tests.verification.mutants``.

Each fault of ``tests.verification.mutants.faults`` is put into a copy of the sources, and the tests of the rule that
it breaks are run on the copy, as plain Python (``NUMBA_DISABLE_JIT=1``): no compiled kernel of an earlier
source can stand in for a changed one, because none is compiled. A fault is caught if a test fails, or
if the tests do not end.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue
from typing import Any

from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.checks import look_up
from steam_env.kit.command_line import open_console, parse_options, show_progress
from steam_env.kit.files import write_whole
from tests.verification.lockstep.report import tell_commit
from tests.verification.mutants.faults import FAULTS, SUITES, Fault, Suite

ROOT = Path(__file__).parents[3]
COPIED = ("steam_env", "agents", "tests", "benchmarks", "docs")
COPIED_FILES = ("README.md", "RULES.md", "STEAM_RULES.md", "CHANGELOG.md", "pyproject.toml")
PASSED, FAILED, LASTED = 0, 1, "time"  # how pytest ends: its exit codes, or not at all
ENDED_BY_LIMIT = (-signal.SIGXCPU, -signal.SIGKILL)
VERDICTS = {PASSED: "survived", FAILED: "caught", LASTED: "caught: the tests do not end"}
NOT_RUN = "the tests could not be run"


@dataclass
class Options:
    """What is to be run."""

    game: str = next(iter(FAULTS))
    """Whose rules."""
    only: str = ""
    """Faults whose rule begins so, as 8 or 4.7; all if empty."""
    processes: int = 2
    """Copies of the sources that are tested at the same time."""
    output: Path | None = None
    """Where the result is written, as JSON, and renewed after each fault: ``--again`` takes up a run that was ended."""
    again: bool = False
    """Only what the result that is there lacks or did not see caught; its other rows are kept."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the faults; the exit code is 1 if one survives."""
    try:
        options = parse_options(Options, arguments, str(__doc__))
        wanted = look_up(FAULTS, "game", options.game)
    except ValueError as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    faults = [fault for fault in wanted if fault.is_of(options.only)]
    known = read_caught(options.output) if options.again and options.output else {}
    for row in run_faults([fault for fault in faults if fault.name not in known], options.processes):
        known[_name(row)] = row
        if options.output is not None:
            write_rows(options.output, [known[fault.name] for fault in faults if fault.name in known])
    return _show([known[fault.name] for fault in faults])


def write_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the result so far."""
    report = {"software": describe_software(), "machine": describe_machine(), "faults": rows}
    write_whole(path, json.dumps(report, indent=1, ensure_ascii=False) + "\n")


def read_caught(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of an earlier result whose faults were caught, by the fault's name."""
    rows = json.loads(path.read_text(encoding="utf-8"))["faults"] if path.exists() else []
    return {_name(row): row for row in rows if row["verdict"].startswith("caught")}


def _name(row: dict[str, Any]) -> str:
    return str(row["place"] + row["old"] + row["new"])


def run_faults(faults: Sequence[Fault], processes: int) -> Iterator[dict[str, Any]]:
    """One row for each fault: rule, place, what it is, verdict, the test that noticed it."""
    if not faults:
        return
    with copy_sources(processes) as copies, show_progress(len(faults), what="faults") as tell:
        free: Queue[Path] = Queue()
        for copy in copies:
            free.put(copy)

        def run(fault: Fault) -> dict[str, Any]:
            copy = free.get()
            try:
                return run_fault(copy, fault)
            finally:
                free.put(copy)
                tell(1)

        with ThreadPoolExecutor(processes) as pool:
            yield from pool.map(run, faults)


@contextmanager
def copy_sources(copies: int) -> Iterator[list[Path]]:
    """So many copies of what the tests need, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="mutants_") as folder:
        made = []
        for number in range(copies):
            copy = Path(folder) / str(number)
            copy.mkdir()
            for name in COPIED:
                shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
            for name in COPIED_FILES:
                shutil.copy(ROOT / name, copy / name)
            made.append(copy)
        yield made


def run_fault(copy: Path, fault: Fault) -> dict[str, Any]:
    """Put the fault into the copy, run its tests, take it out again."""
    suite = SUITES[fault.game]
    require_passing(copy, fault.test_files, suite)
    path = copy / "steam_env" / fault.path
    source = path.read_text(encoding="utf-8")
    path.write_text(fault.apply(source), encoding="utf-8")
    began = time.monotonic()
    try:
        ended, noticed = run_tests(copy, fault.test_files, suite)
    finally:
        path.write_text(source, encoding="utf-8")
    return {
        "rule": fault.rule,
        "place": fault.place,
        "what": fault.what,
        "old": fault.old,
        "new": fault.new,
        "commit": tell_commit(describe_software()),
        "verdict": VERDICTS.get(ended, NOT_RUN),
        "noticed_by": noticed,
        "seconds": round(time.monotonic() - began, 1),
    }


@cache
def require_passing(copy: Path, files: tuple[str, ...], suite: Suite) -> None:
    """Without a fault the tests pass, which is tried once for each copy: else their failing would show nothing."""
    ended, noticed = run_tests(copy, files, suite)
    if ended != PASSED:
        raise SystemExit(f"mutants: without any fault the tests do not pass: {noticed or ended}")


def run_tests(copy: Path, files: Sequence[str], suite: Suite) -> tuple[int | str, str]:
    """How pytest ends, and the first test that fails; tests that are not of the kernels are left out."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", *files]
    command += ["-k", f"not {suite.without}"] if suite.without else []
    limited = ["sh", "-c", f'ulimit -t {suite.most_seconds}; exec "$@"', "sh", *command]
    done = subprocess.run(limited, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    if done.returncode in ENDED_BY_LIMIT:
        return LASTED, ""
    failures = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return done.returncode, failures[0].split(" - ")[0].split(" ", 1)[1] if failures else ""


def _show(rows: Sequence[dict[str, Any]]) -> int:
    """Print what was not caught, and the count."""
    console = open_console()
    missed = [row for row in rows if not row["verdict"].startswith("caught")]
    for row in missed:
        console.print(f"{row['verdict']}: rule {row['rule']}, {row['place']}: {row['what']}")
    console.print(f"{len(rows) - len(missed)} of {len(rows)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
