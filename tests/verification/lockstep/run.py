"""Runs of random games in two engines: how long, in how many processes, and what is kept of them."""

import json
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

import tyro

from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.command_line import show_progress
from steam_env.kit.files import write_whole
from tests.verification.lockstep.played import Played, PlayGame, play_games, seed_of
from tests.verification.lockstep.report import find_rare, tell_commit, tell_runs

GAMES_PER_TASK = 5
SECONDS_PER_MINUTE = 60
SECONDS_PER_SAVE = 30  # so much work is lost at most if a run is killed


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
    """Decisions to play, those of a run that is taken up included."""
    scenarios: int | None = None
    """Games to play, each from a scenario or deal of its own."""
    first: int = 0
    """Number of the first game: a run can be taken up where another one ended."""
    processes: Annotated[int, tyro.conf.arg(metavar="1|2|...")] = 1
    """Games played at the same time."""
    differences: int = 3
    """So many differences end the run, too."""
    output: Path | None = None
    """JSON file for the summary. A run with the same seed that is there already is taken up, and added to."""


@dataclass
class Run:
    """A run under way."""

    options: Options
    least: Mapping[str, float]
    total: Played
    seconds: float = 0  # of the runs that were taken up, too
    commits: Mapping[str, int] = field(default_factory=dict)  # of those, with the decisions played at each

    @classmethod
    def begin(cls, options: Options, least: Mapping[str, float]) -> "Run":
        """A new run, or the one in the output file.

        Args:
            options: of the command line.
            least: how often what must be met in 10,000 decisions.

        Raises:
            SystemExit: if the file has a run with another seed, or one that found differences.
        """
        path = options.output
        if path is None or not path.exists():
            return cls(options, least, Played())
        before = json.loads(path.read_text(encoding="utf-8"))
        if before["seed"] != options.seed or before["differences"]:
            raise SystemExit(
                f"{path}: has a run with seed {before['seed']} and {len(before['differences'])} differences; "
                f"only one with seed {options.seed} and none is taken up: move it away"
            )
        total = Played(games=before["games"], deals=before["deals"], met=Counter(before["met"]))
        return cls(replace(options, first=before["first"]), least, total, before["seconds"], before["commits"])

    def play(self, play_game: PlayGame) -> None:
        """Play until a limit is reached; the output file is renewed now and then."""
        options, begun, before, percent = self.options, time.monotonic(), self.seconds, 0
        saved = begun
        tasks = _list_tasks(options, options.first + self.total.games)
        with show_progress(100, what="percent") as tell, closing(_play_all(options, play_game, tasks)) as games:
            for played in games:
                now = time.monotonic()
                self.total.add(played)
                self.seconds = before + now - begun
                last, percent = percent, min(100, int(100 * share_done(options, self.total, now - begun)))
                tell(percent - last)
                if percent == 100:
                    break
                if now - saved > SECONDS_PER_SAVE:
                    self.save()
                    saved = now
        self.save()

    def save(self) -> None:
        if self.options.output:
            self.options.output.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.options.output, json.dumps(self.summarise(), indent=1) + "\n")

    def summarise(self) -> dict[str, Any]:
        """All that is worth keeping."""
        total, options, software = self.total, self.options, describe_software()
        here, played = tell_commit(software), total.decisions - sum(self.commits.values())
        return {
            "decisions": total.decisions,
            "games": total.games,
            "scenarios": total.games - total.deals,
            "deals": total.deals,
            "differences": [str(found.difference) for found in total.found],
            "seed": options.seed,
            "first": options.first,
            "seconds": round(self.seconds, 1),
            "decisions_per_second": round(total.decisions / max(self.seconds, 1)),
            "processes": options.processes,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "commits": {**self.commits, here: self.commits.get(here, 0) + played},
            "software": software,
            "machine": describe_machine(),
            "met": {what: times for what, times in sorted(total.met.items()) if times},
            "rare": find_rare(total.met, self.least),
        }


def share_done(options: Options, total: Played, seconds: float) -> float:
    """How much of what was asked for, a minute if nothing was; 1 or more: the end."""
    counts = (total.decisions, total.games, len(total.found))
    limits = (options.decisions, options.scenarios, options.differences)
    minutes = options.minutes or (None if options.decisions or options.scenarios else 1)
    shares = [count / limit for count, limit in zip(counts, limits, strict=True) if limit]
    return max([*shares, seconds / SECONDS_PER_MINUTE / minutes if minutes else 0])


def _play_all(options: Options, play_game: PlayGame, tasks: Iterator[list[int]]) -> Iterator[Played]:
    """The games one task after the other, or in several processes; in order, so that none is left out."""
    if options.processes == 1:
        yield from (play_games(play_game, seeds) for seeds in tasks)
        return
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        pending: deque[Future[Played]] = deque()
        try:
            pending += [pool.submit(play_games, play_game, seeds) for seeds in islice(tasks, 2 * options.processes)]
            while pending:
                yield pending.popleft().result()
                pending += [pool.submit(play_games, play_game, seeds) for seeds in islice(tasks, 1)]
        finally:
            pool.shutdown(cancel_futures=True)


def _list_tasks(options: Options, first: int) -> Iterator[list[int]]:
    """Seeds of games, a few at a time, from the first that is not yet played."""
    numbers: Iterator[int] = count(first)
    if options.scenarios is not None:
        numbers = iter(range(first, options.first + options.scenarios))
    while some := list(islice(numbers, GAMES_PER_TASK)):
        yield [seed_of(options.seed, number) for number in some]


def run_command(play_game: PlayGame, least: Mapping[str, float], description: str | None) -> Played:
    """Run as the command line says, and print what came of it."""
    run = Run.begin(tyro.cli(Options, description=description), least)
    run.play(play_game)
    summary = run.summarise()
    print(tell_runs([summary]))
    if summary["rare"]:
        print(f"met too seldom (times, wanted): {summary['rare']}")
    return run.total
