"""What looking costs: observations of this checkout beside those of another, and threads beside processes.

    git worktree add --detach ../base COMMIT
    python -m benchmarks.looks --base ../base

Each checkout plays in processes of its own, which wait for each other: one works at a time, in turns, every second
round in the opposite order. ``per CPU second`` is what was done in a second of processor time, which other programs on
the machine disturb less than the clock. Threads and processes are compared by the clock: that is what they are about.
At the end batches of several sizes are copied: how fast that is depends on which cache holds both batches.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any

from benchmarks.play import Copies, SteadyPlay
from benchmarks.results import Options, describe_run, draw_table, prepare_file, say_rate, say_ratio, write_result
from benchmarks.timing import alternate
from steam_env import Rules
from steam_env.kit.command_line import open_console, parse_options
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program

PROGRAM = "benchmarks.looks"
DESCRIPTION = """Measure observations beside those of another checkout, and threads beside processes.

Examples:
  git worktree add --detach ../base HEAD~1
  python -m benchmarks.looks --base ../base --quick      (does all work? no file)
  python -m benchmarks.looks --base ../base --runs 9"""

# Played by each checkout, so it uses what both have. Work begins when a line comes in: kind, seconds.
WORKER = """
import json, sys, time
import numpy as np
kind, size, seed, threads = sys.argv[1], *map(int, sys.argv[2:5])
if kind == "chess":
    from benchmarks.peer_play import OpenSpielPlay, make_buffer_look
    work = OpenSpielPlay("chess", seed, make_buffer_look("chess"))
else:
    from benchmarks.play import SteadyPlay
    from steam_env import Rules
    play = SteadyPlay(Rules(), size, seed)
    batch = play.batch
    if threads > 1:
        batch.threads = threads
    out = None if kind == "bare" else batch.observe(kind)
    def work(seconds):
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            if out is not None:
                batch.observe(kind, out=out)
            play.step()
            steps += 1
        return {"decisions": steps * size}
work(0.2)
print("ready", flush=True)
for line in sys.stdin:
    begun, cpu = time.perf_counter(), time.process_time()
    counts = work(float(line))
    spent = {"seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - cpu}
    print(json.dumps({**counts, **spent}), flush=True)
"""


@dataclass(frozen=True)
class LookOptions(Options):
    """The options of this program.

    Attributes:
        base: Folder of the checkout to compare with.
    """

    base: Path = Path("../base")


@dataclass(frozen=True)
class Entry:
    """One workload: in which checkout, what is observed (an encoding, `bare` or `chess`), by how many threads."""

    name: str
    of_base: bool
    kind: str
    threads: int = 1
    processes: int = 1


ENTRIES = (
    Entry("base, flat", True, "flat"),
    Entry("base, no observation", True, "bare"),
    Entry("flat", False, "flat"),
    Entry("flat:compact", False, "flat:compact"),
    Entry("flat:tight", False, "flat:tight"),
    Entry("no observation", False, "bare"),
    Entry("OpenSpiel chess, into buffers", False, "chess"),
    Entry("flat:tight, 2 processes", False, "flat:tight", processes=2),
    Entry("flat:tight, 2 threads", False, "flat:tight", threads=2),
)
RATIOS = (  # ours, other, wanted, by the clock
    ("flat:tight", "base, flat", 2.5, False),
    ("flat:compact", "base, flat", 2.5, False),
    ("flat", "base, flat", 1.5, False),
    ("flat:tight", "OpenSpiel chess, into buffers", 3.5, False),
    ("flat:tight, 2 threads", "flat:tight, 2 processes", 0.95, True),
)

COPIED = (64, 256, 1024, 4096, 16384)  # games of a batch
COPIED_QUICKLY = COPIED[:2]


class Worker:
    """A process of a checkout that waits for work."""

    def __init__(self, entry: Entry, checkout: Path, options: Options) -> None:
        size = options.games * entry.threads
        words = [entry.kind, str(size), str(options.seed), str(entry.threads)]
        paths = [str(checkout), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKER, *words],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._inbox: IO[str] = self._process.stdin
        self._outbox: IO[str] = self._process.stdout
        self.is_ready = self._outbox.readline().strip() == "ready"

    def begin(self, seconds: float) -> None:
        """Let it work for so long."""
        self._inbox.write(f"{seconds}\n")
        self._inbox.flush()

    def finish(self) -> dict[str, float]:
        """What it has done."""
        told: dict[str, float] = json.loads(self._outbox.readline())
        return told

    def close(self) -> None:
        """End the process."""
        self._inbox.close()
        self._process.wait()
        self._outbox.close()


@contextmanager
def open_workers(options: LookOptions) -> Iterator[dict[Entry, list[Worker]]]:
    """The workers of all entries that can be opened."""
    here = Path(__file__).resolve().parents[1]
    with ExitStack() as opened:
        workers: dict[Entry, list[Worker]] = {}
        for entry in ENTRIES:
            checkout = options.base.resolve() if entry.of_base else here
            own = [Worker(entry, checkout, options) for _ in range(entry.processes)]
            for worker in own:
                opened.callback(worker.close)
            if all(worker.is_ready for worker in own):
                workers[entry] = own
        yield workers


def time_run(workers: Sequence[Worker], seconds: float) -> dict[str, float]:
    """Let the workers of an entry work at once; returns rates of all of them together."""
    for worker in workers:
        worker.begin(seconds)
    told = [worker.finish() for worker in workers]
    decisions = sum(one["decisions"] for one in told)
    return {
        "per second": sum(one["decisions"] / one["seconds"] for one in told),
        "per CPU second": decisions / sum(one["cpu_seconds"] for one in told),
    }


def measure_copies(options: Options) -> list[dict[str, float]]:
    """Copies a second of processor time by games of a batch, and the bytes that original and copy take together."""
    play = SteadyPlay(Rules(), COPIED[0], options.seed)
    works = [
        Copies(SteadyPlay.resized(play, size, options.seed)) for size in (COPIED_QUICKLY if options.quick else COPIED)
    ]
    rates = alternate(works, options.plan)
    return [
        {"games": work.games, "bytes": 2 * work.batch_bytes, "per CPU second": round(rate["copies"]["by_cpu"])}
        for work, rate in zip(works, rates, strict=True)
    ]


def measure(options: LookOptions) -> dict[str, Any]:
    """Measure everything; returns the content of the result file."""
    begun, plan = time.monotonic(), options.plan
    with open_workers(options) as workers:
        runs: dict[str, list[dict[str, float]]] = {entry.name: [] for entry in workers}
        for number in range(plan.runs):
            for entry in workers if number % 2 == 0 else reversed(workers):
                runs[entry.name].append(time_run(workers[entry], plan.seconds))
    return {
        **describe_run("looks", options, begun),
        "rows": [{"name": name, **_summarise(told)} for name, told in runs.items()],
        "ratios": [_compare(*ratio, runs) for ratio in RATIOS if ratio[0] in runs and ratio[1] in runs],
        "copies": measure_copies(options),
        "missing": [entry.name for entry in ENTRIES if entry.name not in runs],
    }


def _summarise(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {unit: round(median(run[unit] for run in runs)) for unit in runs[0]}


def _compare(
    ours: str, other: str, wanted: float, by_clock: bool, runs: Mapping[str, list[dict[str, float]]]
) -> dict[str, Any]:
    """The median of the ratios of neighbouring runs, with the least and the greatest."""
    unit = "per second" if by_clock else "per CPU second"
    pairs = [mine[unit] / theirs[unit] for mine, theirs in zip(runs[ours], runs[other], strict=True)]
    ratio = median(pairs)
    spread = {"ratio": round(ratio, 3), "lowest": round(min(pairs), 3), "highest": round(max(pairs), 3)}
    return {"ours": ours, "other": other, "unit": unit, **spread, "wanted": wanted, "met": ratio >= wanted}


def say_met(met: bool) -> str:
    """Whether a ratio is what was wanted."""
    return "yes" if met else "NO"


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the JSON, show the tables; returns the exit code."""
    try:
        options = parse_options(LookOptions, arguments, DESCRIPTION)
        options.plan, options.games  # noqa: B018 - refuse bad values now
        if not (options.base / "steam_env").is_dir():
            raise ValueError(f"--base {options.base}: the folder of a checkout is allowed")
        path = prepare_file(options, "looks")
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    try:
        content = measure(options)
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    write_result(path, content)
    console = open_console()
    rows = [(row["name"], say_rate(row["per second"]), say_rate(row["per CPU second"])) for row in content["rows"]]
    console.print(draw_table("Decisions", ("what", "per second", "per CPU second"), rows))
    numbers = ("ratio", "lowest", "highest", "wanted")
    ratios = [
        (f"{one['ours']} : {one['other']}", one["unit"], *(say_ratio(one[key]) for key in numbers), say_met(one["met"]))
        for one in content["ratios"]
    ]
    columns = ("ours : other", "unit", "ratio", "lowest", "highest", "wanted", "met")
    console.print(draw_table("Ratios", columns, ratios, words=2))
    copies = [(str(one["games"]), say_rate(one["bytes"]), say_rate(one["per CPU second"])) for one in content["copies"]]
    console.print(draw_table("Copies", ("games", "bytes of both batches", "per CPU second"), copies))
    for name in content["missing"]:
        console.print(f"left out: {name}")
    if path is not None:
        console.print(f"written: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
