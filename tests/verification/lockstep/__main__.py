"""Random games in the core and in the reference engine, compared at every decision.

python -m tests.verification.lockstep --minutes 10 --seed 1
"""

import json
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import tyro

from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.command_line import show_progress
from tests.verification.lockstep.coverage import Coverage
from tests.verification.lockstep.minimise import minimise, write_found
from tests.verification.lockstep.play import Played, play_games, seed_of
from tests.verification.lockstep.report import tell_runs

GAMES_PER_TASK = 5
SECONDS_PER_MINUTE = 60


@dataclass(frozen=True)
class Options:
    """Random games in the core and in the reference engine, compared at every decision.

    The run ends with the first limit that is reached; without any it runs for a minute.
    """

    seed: int = 1
    """Fixes every game of the run."""
    minutes: float | None = None
    """Time to play."""
    decisions: int | None = None
    """Decisions to play."""
    scenarios: int | None = None
    """Games to play, each from a scenario or deal of its own."""
    first: int = 0
    """Number of the first game: a run can be taken up where another one ended."""
    processes: Annotated[int, tyro.conf.arg(metavar="1|2|...")] = 1
    """Games played at the same time."""
    differences: int = 3
    """So many differences end the run, too."""
    output: Path | None = None
    """JSON file for the summary."""


def share_done(options: Options, total: Played, seconds: float) -> float:
    """How much of what was asked for, a minute if nothing was; 1 or more: the end."""
    counts = (total.decisions, total.games, len(total.found))
    limits = (options.decisions, options.scenarios, options.differences)
    minutes = options.minutes or (None if options.decisions or options.scenarios else 1)
    shares = [count / limit for count, limit in zip(counts, limits, strict=True) if limit]
    return max([*shares, seconds / SECONDS_PER_MINUTE / minutes if minutes else 0])


def run(options: Options) -> tuple[Played, float]:
    """Play until a limit is reached; what was met, and the seconds it took."""
    begun, total, percent = time.monotonic(), Played(), 0
    with show_progress(100, what="percent") as tell, closing(_play_all(options)) as games:
        for played in games:
            total.add(played)
            before, percent = percent, min(100, int(100 * share_done(options, total, time.monotonic() - begun)))
            tell(percent - before)
            if percent == 100:
                break
    return total, time.monotonic() - begun


def _play_all(options: Options) -> Iterator[Played]:
    """The games one task after the other, or in several processes; what is under way in the end is not counted."""
    tasks = _list_tasks(options)
    if options.processes == 1:
        yield from map(play_games, tasks)
        return
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        pending = {pool.submit(play_games, seeds) for seeds in islice(tasks, 2 * options.processes)}
        try:
            while pending:
                ready, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= {pool.submit(play_games, seeds) for seeds in islice(tasks, len(ready))}
                yield from (future.result() for future in ready)
        finally:
            pool.shutdown(cancel_futures=True)


def _list_tasks(options: Options) -> Iterator[list[int]]:
    """Seeds of games, a few at a time."""
    numbers: Iterator[int] = count(options.first)
    if options.scenarios is not None:
        numbers = islice(numbers, options.scenarios)
    while some := list(islice(numbers, GAMES_PER_TASK)):
        yield [seed_of(options.seed, number) for number in some]


def summarise(options: Options, total: Played, seconds: float) -> dict[str, Any]:
    """All that is worth keeping of a run."""
    coverage = Coverage()
    coverage.met = total.met
    return {
        "decisions": total.decisions,
        "games": total.games,
        "scenarios": total.games - total.deals,
        "deals": total.deals,
        "differences": [str(found.difference) for found in total.found],
        "seed": options.seed,
        "first": options.first,
        "seconds": round(seconds, 1),
        "decisions_per_second": round(total.decisions / seconds),
        "processes": options.processes,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "software": describe_software(),
        "machine": describe_machine(),
        "met": {what: times for what, times in sorted(total.met.items()) if times},
        "rare": coverage.find_rare(),
    }


def report_differences(total: Played) -> None:
    """Each difference made small and written as a file."""
    for found in total.found:
        print(f"difference {found.difference}")
        small = minimise(found)
        path = write_found(small)
        print(f"  after {list(small.moves)} from the position in {path}: {small.difference}")


def main() -> int:
    """Run as the command line says; 1 if the engines differ."""
    options = tyro.cli(Options, description=__doc__)
    total, seconds = run(options)
    summary = summarise(options, total, seconds)
    print(tell_runs([summary]))
    if summary["rare"]:
        print(f"met too seldom (times, wanted): {summary['rare']}")
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    report_differences(total)
    return int(bool(total.found))


if __name__ == "__main__":
    raise SystemExit(main())
