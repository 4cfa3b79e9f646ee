"""Timing workloads in turns, so that what disturbs the machine disturbs all of them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

# A workload works for about so many seconds and tells what it has done: {"decisions": 81920, "games": 101}.
Workload = Callable[[float], Mapping[str, float]]
Tell = Callable[[float], None]  # is told the seconds that have been spent

SECONDS = "seconds"  # a workload that counts this has timed itself: only what it is about
CPU_SHARE = "cpu_share"
WARM_UP_SHARE = 0.3  # of a run, once, before the first: caches are filled, kernels loaded
DIGITS = 5  # of a rate in the JSON


@dataclass(frozen=True)
class Plan:
    """How often and how long each workload runs.

    Attributes:
        runs: runs of each, in turns.
        seconds: length of a run.
    """

    runs: int
    seconds: float

    def duration(self, workloads: int) -> float:
        """Seconds that so many workloads take, about."""
        return workloads * self.seconds * (self.runs + WARM_UP_SHARE)


def alternate(workloads: Sequence[Workload], plan: Plan, tell: Tell = lambda spent: None) -> list[dict[str, Any]]:
    """Run the workloads in turns, each second round backwards; for each what ``summarise`` makes of its runs."""
    for workload in workloads:
        workload(WARM_UP_SHARE * plan.seconds)
        tell(WARM_UP_SHARE * plan.seconds)
    runs: list[list[dict[str, float]]] = [[] for _ in workloads]
    for number in range(plan.runs):
        order = range(len(workloads)) if number % 2 == 0 else reversed(range(len(workloads)))
        for index in order:
            runs[index].append(time_run(workloads[index], plan.seconds))
            tell(plan.seconds)
    return [summarise(own) for own in runs]


def time_run(workload: Workload, seconds: float) -> dict[str, float]:
    """Do one run; returns what was counted, its ``seconds`` and ``cpu_seconds``."""
    begun, begun_cpu = time.perf_counter(), time.process_time()
    counts = workload(seconds)
    spent, spent_cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    return {SECONDS: spent, CPU_SHARE: spent_cpu / spent, **counts}


def summarise(runs: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """By what was counted, the rate of each run and their median: per second, and per second of processor time.

    ``cpu_share`` is the median of processor seconds by seconds: a workload of one thread that has much less than 1 has
    been disturbed by other programs, or waited.
    """
    units = [unit for unit in runs[0] if unit not in (SECONDS, CPU_SHARE)]
    rates = {unit: _spread([(run[unit] / run[SECONDS], run[CPU_SHARE]) for run in runs]) for unit in units}
    return {**rates, CPU_SHARE: round_off(median(run[CPU_SHARE] for run in runs))}


def _spread(rates: Sequence[tuple[float, float]]) -> dict[str, Any]:
    by_cpu = [rate / share for rate, share in rates]
    return {
        "median": round_off(median(rate for rate, _ in rates)),
        "by_cpu": round_off(median(by_cpu)),
        "runs": [round_off(rate) for rate, _ in rates],
    }


def round_off(number: float) -> float:
    """The number with as many digits as a measurement deserves."""
    return float(f"{number:.{DIGITS}g}")


def compare(ours: Mapping[str, Any], other: Mapping[str, Any], target: float) -> dict[str, Any]:
    """The ratio of two rates taken in turns: that of their medians, the extremes run by run, that by processor time."""
    pairs = [mine / theirs for mine, theirs in zip(ours["runs"], other["runs"], strict=True)]
    ratio = ours["median"] / other["median"]
    return {
        "ours": ours["median"],
        "other": other["median"],
        "ratio": round_off(ratio),
        "lowest": round_off(min(pairs)),
        "highest": round_off(max(pairs)),
        "by_cpu": round_off(ours["by_cpu"] / other["by_cpu"]),
        "target": target,
        "met": ratio >= target,
    }


@contextmanager
def show_time(seconds: float, *, quiet: bool = False) -> Iterator[Callable[[str], Tell]]:
    """A progress bar on stderr; yields what names the part that is being measured and returns its ``Tell``."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal, transient=True) as progress:
        task = progress.add_task("", total=seconds)

        def begin(part: str) -> Tell:
            progress.update(task, description=part)
            return lambda spent: progress.update(task, advance=spent)

        yield begin
