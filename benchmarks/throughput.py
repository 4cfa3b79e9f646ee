"""How fast this package plays by itself, and what that depends on.

    python -m benchmarks.throughput

One process, one thread unless it says otherwise. A decision is one action of one game: sampling it, playing it and
renewing the mask of the next decision.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.budget import measure_budgets
from benchmarks.play import (
    MAPS,
    Copies,
    InThreads,
    StagePlay,
    SteadyPlay,
    WholeGames,
    collect_positions,
    look_at,
    portray,
    spread,
    with_choices,
)
from benchmarks.results import (
    THREAD_SHARE,
    Options,
    describe_run,
    draw_table,
    prepare_file,
    print_targets,
    say_rate,
    write_result,
)
from benchmarks.timing import Plan, Tell, Workload, alternate, compare, round_off, show_time
from steam_env import Rules
from steam_env.core.steam_power.state import GAME
from steam_env.data.steam_power.setting import load_setting
from steam_env.kit.command_line import open_console, parse_options
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program

PROGRAM = "benchmarks.throughput"
SEATS = (2, 3, 4, 5)
SIZES = tuple(4**power for power in range(9))  # 1 to 65,536
QUICK_SIZES = SIZES[:4]
MOST_OBSERVED = 16_384  # observations of a larger batch fill the memory
STAGES = ((1, 2), (3, 5), (6, 10), (11, 20), (21, 40), (41, 60), (61, 80), (81, 100))  # rounds
GAMES_OF_A_STAGE = 512
THREADS = 2
MEMORY_GAMES = 100_000

WANTED_THREADS = 1.8
WANTED_FIVE_SEATS = 0.6
WANTED_SLOWEST_STAGE = 1 / 3
WANTED_RECORD_BYTES = 4 << 10
WANTED_MEMORY_BYTES = 1 << 30

DESCRIPTION = """Measure how fast random players play, by seats, batch size, map and stage of the game.

Examples:
  python -m benchmarks.throughput --quick            (does all work? a minute, no file)
  python -m benchmarks.throughput                    (the figures of docs/performance.md)
  python -m benchmarks.throughput --runs 9 --size 4096 --out /tmp

The machine should have nothing else to do. Figures are medians over runs that take turns; each result tells how much
of a processor it got (cpu share): well below 1 with one thread means that something else was running."""


@dataclass(frozen=True)
class Case:
    """One workload of a group.

    Attributes:
        labels: what sets it apart in its group.
        workload: what is timed.
        facts: what else is told of it.
    """

    labels: dict[str, Any]
    workload: Workload
    facts: dict[str, Any]


def steady_case(labels: dict[str, Any], rules: Rules, options: Options, *, observed: bool = False) -> Case:
    """Random play of one configuration with what its decisions are like."""
    play = SteadyPlay(rules, options.games, options.seed, observed=observed)
    facts = look_at(play)
    return Case(labels, with_choices(play, facts["choice_share"]), facts)


def vary_seats(options: Options) -> Iterable[Case]:
    """Workloads with each number of seats: bare, with observations, against Automas on all seats but one."""
    for seats in SEATS:
        yield steady_case({"kind": "bare", "seats": seats}, Rules(num_players=seats), options)
        yield steady_case({"kind": "observed", "seats": seats}, Rules(num_players=seats), options, observed=True)
        rules = Rules(num_players=seats, automas=seats - 1)
        yield steady_case({"kind": "automas", "seats": seats}, rules, options)


def vary_ends(options: Options) -> Iterable[Case]:
    """Workloads of games dealt anew as they end, of batches played until their last game is over, and of copies."""
    rules = Rules()
    play = SteadyPlay(rules, options.games, options.seed)
    yield Case({"kind": "dealt anew"}, play, {})
    yield Case({"kind": "to the last end"}, WholeGames(rules, options.games, options.seed), {})
    automas = Rules(automas=1)
    yield Case({"kind": "dealt anew, Automa"}, SteadyPlay(automas, options.games, options.seed), {})
    yield Case({"kind": "to the last end, Automa"}, WholeGames(automas, options.games, options.seed), {})
    yield Case({"kind": "clone(out=)"}, Copies(play), {})


def vary_threads(options: Options) -> Iterable[Case]:
    """Workloads of the same batch in one thread, and in each of two threads."""
    games = THREAD_SHARE * options.games
    plays = [SteadyPlay(Rules(), games, options.seed + number) for number in range(THREADS)]
    for threads in (1, THREADS):
        yield Case({"threads": threads}, InThreads(plays[:threads]), {})


def vary_sizes(options: Options) -> Iterable[Case]:
    """Workloads of batches of each size, of the same positions: bare, and with observations."""
    for observed, most in ((False, SIZES[-1]), (True, MOST_OBSERVED)):
        play = SteadyPlay(Rules(), options.games, options.seed, observed=observed)
        each = GAME.itemsize + play.batch.mask.itemsize * play.batch.mask.shape[1] + play.observation_bytes
        for size in QUICK_SIZES if options.quick else SIZES:
            if size <= most:
                labels = {"kind": "observed" if observed else "bare", "size": size}
                yield Case(labels, SteadyPlay.resized(play, size, options.seed), {"bytes": size * each})


def vary_maps(options: Options) -> Iterable[Case]:
    """Workloads on each map, two seats."""
    for name, rules in MAPS.items():
        board = load_setting(rules).map
        case = steady_case({"map": name}, rules, options)
        yield Case(case.labels, case.workload, {"hexes": len(board.hexes), "cities": len(board.cities), **case.facts})


def vary_stages(options: Options) -> Iterable[Case]:
    """Workloads on positions of each stage of the game, two seats, and of all stages."""
    positions = collect_positions(Rules(), options.seed)
    yield _stage_case("all", positions, 1.0, options)
    for first, last in STAGES:
        inside = positions[(positions["round_number"] >= first) & (positions["round_number"] <= last)]
        if len(inside):
            yield _stage_case(f"{first} to {last}", inside, len(inside) / len(positions), options)


def _stage_case(rounds: str, positions: np.ndarray, share: float, options: Options) -> Case:
    """As many positions as a stage is timed with, evenly from all of them."""
    play = StagePlay(spread(positions, GAMES_OF_A_STAGE), Rules(), options.seed)
    facts = {name: round(float(mean), 4) for name, mean in portray(play.start).items()}
    return Case({"rounds": rounds}, play, {"share": round(share, 4), **facts})


MAKERS: dict[str, Callable[[Options], Iterable[Case]]] = {
    "seats": vary_seats,
    "ends": vary_ends,
    "threads": vary_threads,
    "sizes": vary_sizes,
    "maps": vary_maps,
    "stages": vary_stages,
}


def measure_group(cases: Sequence[Case], plan: Plan, tell: Tell) -> list[dict[str, Any]]:
    """Time the cases in turns; returns labels, facts and rates of each."""
    measured = alternate([case.workload for case in cases], plan, tell)
    return [{**case.labels, **case.facts, **rates} for case, rates in zip(cases, measured, strict=True)]


# --- memory -----------------------------------------------------------------------------------------

# The greatest resident memory so far is VmHWM; what getrusage tells may be the parent's, inherited.
MEMORY_PROBE = f"""
import json, numpy as np
from pathlib import Path
from steam_env import GameBatch, Rules

def peak():
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return 1024 * int(line.split()[1])

rng = np.random.default_rng(1)
small = GameBatch(Rules(), 1, seed=1)
small.step(small.sample_legal(rng))
before = peak()
batch = GameBatch(Rules(), {MEMORY_GAMES}, seed=1)
for _ in range(3):
    batch.step(batch.sample_legal(rng))
batch.reset(np.arange(len(batch)) % 2 == 0, seed=1)
print(json.dumps({{"before": before, "peak": peak()}}))
"""


def measure_memory() -> dict[str, Any] | None:
    """The greatest resident memory of a process of its own that plays 100,000 games; None off Linux."""
    if sys.platform != "linux":
        return None
    done = subprocess.run([sys.executable, "-c", MEMORY_PROBE], capture_output=True, text=True, check=True)
    return {"games": MEMORY_GAMES, "record_bytes": GAME.itemsize, **json.loads(done.stdout)}


# --- targets ----------------------------------------------------------------------------------------


def check_targets(groups: dict[str, list[dict[str, Any]]], memory: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The targets for these figures, and whether each is met."""
    bare = {row["seats"]: row["decisions"] for row in groups["seats"] if row["kind"] == "bare"}
    threads = {row["threads"]: row["decisions"] for row in groups["threads"]}
    stages = {row["rounds"]: row["decisions"] for row in groups["stages"]}
    slowest = min((stage for stage in stages if stage != "all"), key=lambda stage: stages[stage]["median"])
    targets = [
        {
            "what": f"decisions/s, {THREADS} threads : 1 thread",
            **compare(threads[THREADS], threads[1], WANTED_THREADS),
        },
        {"what": "decisions/s, 5 seats : 2 seats", **compare(bare[5], bare[2], WANTED_FIVE_SEATS)},
        {
            "what": f"decisions/s, slowest stage (rounds {slowest}) : all stages",
            **compare(stages[slowest], stages["all"], round_off(WANTED_SLOWEST_STAGE)),
        },
    ]
    limits: list[dict[str, Any]] = [{"what": "bytes of a record", "is": GAME.itemsize, "most": WANTED_RECORD_BYTES}]
    if memory is not None:
        what = f"bytes of a process that plays {MEMORY_GAMES:,} games"
        limits.append({"what": what, "is": memory["peak"], "most": WANTED_MEMORY_BYTES})
    return targets + [{**limit, "met": limit["is"] <= limit["most"]} for limit in limits]


def measure(options: Options) -> dict[str, Any]:
    """Measure everything; returns the content of the result file."""
    begun = time.monotonic()
    cases = {name: list(make(options)) for name, make in MAKERS.items()}
    total = sum(options.plan.duration(len(group)) for group in cases.values())
    with show_time(total, quiet=options.quiet) as begin:
        groups = {name: measure_group(group, options.plan, begin(name)) for name, group in cases.items()}
    memory = measure_memory()
    return {
        **describe_run("throughput", options, begun),
        "targets": check_targets(groups, memory),
        "groups": groups,
        "memory": memory,
        "budget": measure_budgets(options.seed),
    }


# --- the command line -------------------------------------------------------------------------------

LABELS = ("kind", "seats", "threads", "size", "map", "rounds")
UNITS = ("decisions", "choices", "games", "copies")


def draw_group(name: str, rows: Sequence[dict[str, Any]]) -> Any:
    """A group as a table for the terminal."""
    labels = [label for label in LABELS if label in rows[0]]
    units = [unit for unit in UNITS if any(unit in row for row in rows)]
    columns = (*labels, *(f"{unit}/s" for unit in units), "cpu share")
    cells = [
        (
            *(str(row[label]) for label in labels),
            *(say_rate(row[unit]["median"]) if unit in row else "-" for unit in units),
            f"{row['cpu_share']:.2f}",
        )
        for row in rows
    ]
    return draw_table(name, columns, cells, words=len(labels))


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the JSON, show the tables; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        options.plan, options.games  # noqa: B018 - refuse bad values now
        path = prepare_file(options, "throughput")
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    try:
        content = measure(options)
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    write_result(path, content)
    show(content, path)
    return 0


def show(content: dict[str, Any], path: Path | None) -> None:
    """Show the result on the terminal."""
    console = open_console()
    for name, rows in content["groups"].items():
        console.print(draw_group(name, rows))
    print_targets(console, [target for target in content["targets"] if "ratio" in target])
    for limit in content["targets"]:
        if "most" in limit:
            console.print(
                f"{limit['what']}: {limit['is']:,}, at most {limit['most']:,}: {'yes' if limit['met'] else 'NO'}"
            )
    if path is not None:
        console.print(f"written: {path}")


if __name__ == "__main__":
    raise SystemExit(main())
