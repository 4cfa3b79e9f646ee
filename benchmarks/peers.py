"""This package's speed beside that of other environments, measured in turns in one run.

    pip install -c constraints.txt -e ".[tools,peers]"
    python -m benchmarks.peers

All play uniformly random legal actions, game after game, in one process and one thread. What of a peer is timed, and
why, stands at its workload in ``benchmarks/peer_play.py``.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.peer_play import (
    PGX_GAMES,
    CatanatronCopies,
    CatanatronPlay,
    FastCatanCopies,
    FastCatanPlay,
    OpenSpielPlay,
    PgxPlay,
    RLCardPlay,
    look_at_arrays,
    look_at_lists,
    make_buffer_look,
    open_aec,
)
from benchmarks.play import (
    AECPlay,
    Copies,
    SingleSteps,
    SteadyPlay,
    WholeGames,
    look_at,
    open_own_aec,
    with_choices,
)
from benchmarks.results import (
    Options,
    describe_run,
    draw_table,
    find_version,
    prepare_file,
    print_targets,
    say_rate,
    write_result,
)
from benchmarks.timing import Workload, alternate, compare, show_time
from steam_env import Rules
from steam_env.kit.command_line import open_console, parse_options
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program

CATAN_SEATS = 2
PACKAGES = ("catanatron", "fastcatan", "open-spiel", "pettingzoo", "rlcard", "pgx", "jax")

DESCRIPTION = """Measure random play beside other environments, in turns; needs the extra `peers`.

Examples:
  pip install -c constraints.txt -e ".[tools,peers]"
  python -m benchmarks.peers --quick                 (does all work? no file)
  python -m benchmarks.peers                         (the figures of docs/performance.md)

A peer that is not installed is left out, and so are the ratios to it; the result says so. The machine should have
nothing else to do."""


@dataclass(frozen=True)
class Entry:
    """One workload.

    Attributes:
        name: what targets call it.
        what: what is timed, in words.
        open: makes the workload; ImportError where its package is missing.
    """

    name: str
    what: str
    open: Callable[[Options], Workload]

    @property
    def own(self) -> bool:
        """Whether the workload is this package's own."""
        return self.name in OWN


def open_batch(options: Options, seats: int = 2) -> Workload:
    """Random play of a batch, decisions with more than one legal action told beside."""
    play = SteadyPlay(Rules(num_players=seats), options.games, options.seed)
    return with_choices(play, look_at(play)["choice_share"])


OWN = ("batch", "batch 4", "batch automa", "batch to the end", "clone", "batch observed", "aec", "game")
ENTRIES = (
    Entry("batch", "GameBatch, midwest, 2 seats", open_batch),
    Entry("catanatron", f"Catanatron, {CATAN_SEATS} seats, play_tick", lambda o: CatanatronPlay(CATAN_SEATS, o.seed)),
    Entry(
        "batch automa",
        "GameBatch, a random player against the Mautoma",
        lambda o: SteadyPlay(Rules(automas=1), o.games, o.seed),
    ),
    Entry("batch to the end", "GameBatch, until its last game is over", lambda o: WholeGames(Rules(), o.games, o.seed)),
    Entry("clone", "GameBatch.clone(out=)", lambda o: Copies(SteadyPlay(Rules(), o.games, o.seed))),
    Entry("catanatron copy", "Catanatron, Game.copy", lambda o: CatanatronCopies(CATAN_SEATS, o.seed)),
    Entry(
        "batch observed",
        "GameBatch with the mover's flat observation",
        lambda o: SteadyPlay(Rules(), o.games, o.seed, observed=True),
    ),
    Entry(
        "openspiel arrays",
        "OpenSpiel chess, tensor and mask as arrays",
        lambda o: OpenSpielPlay("chess", o.seed, look_at_arrays),
    ),
    Entry(
        "openspiel lists",
        "OpenSpiel chess, tensor and mask as lists",
        lambda o: OpenSpielPlay("chess", o.seed, look_at_lists),
    ),
    Entry(
        "openspiel buffers",
        "OpenSpiel chess, tensor and mask into buffers",
        lambda o: OpenSpielPlay("chess", o.seed, make_buffer_look("chess")),
    ),
    Entry("openspiel", "OpenSpiel chess, bare", lambda o: OpenSpielPlay("chess", o.seed)),
    Entry("aec", "Game through steam_power_v0.env", lambda o: AECPlay(open_own_aec(Rules()), o.seed)),
    Entry("connect_four", "PettingZoo connect_four_v3.env", lambda o: open_aec("connect_four_v3", o.seed)),
    Entry("game", "Game.step alone", lambda o: SingleSteps(Rules(), o.seed)),
    Entry("chess", "PettingZoo chess_v6.env", lambda o: open_aec("chess_v6", o.seed)),
    Entry("catanatron 4", "Catanatron, 4 seats, play_tick", lambda o: CatanatronPlay(4, o.seed)),
    Entry("fastcatan", "fastcatan, 4 seats, a batch in C++", lambda o: FastCatanPlay(o.games, o.seed)),
    Entry("fastcatan copy", "fastcatan, save_snapshots", lambda o: FastCatanCopies(o.games, o.seed)),
    Entry("batch 4", "GameBatch, midwest, 4 seats", lambda o: open_batch(o, seats=4)),
    Entry("rlcard uno", "RLCard uno", lambda o: RLCardPlay("uno", o.seed)),
    Entry("rlcard gin-rummy", "RLCard gin-rummy", lambda o: RLCardPlay("gin-rummy", o.seed)),
    Entry("rlcard limit-holdem", "RLCard limit-holdem", lambda o: RLCardPlay("limit-holdem", o.seed)),
    Entry("pgx", f"Pgx chess, {PGX_GAMES} games, JAX on the processor", lambda o: PgxPlay("chess", o.seed)),
)


@dataclass(frozen=True)
class Target:
    """A ratio of our rate to another's, in ``unit`` per second, that has to be reached; 0 = only told."""

    ours: str
    other: str
    unit: str
    wanted: float


TARGETS = (
    Target("batch", "catanatron", "decisions", 11),
    Target("batch", "catanatron", "choices", 11),
    Target("batch", "catanatron", "games", 30),
    Target("batch observed", "openspiel arrays", "decisions", 25),
    Target("batch automa", "catanatron", "games", 30),
    Target("clone", "catanatron copy", "copies", 50),
    Target("aec", "connect_four", "decisions", 1),
    Target("game", "connect_four", "decisions", 10),
    Target("game", "aec", "decisions", 10),
)
ALSO = (  # told beside them: other ways to take the same ratios
    Target("batch to the end", "catanatron", "decisions", 11),
    Target("batch to the end", "catanatron", "games", 30),
    Target("batch", "catanatron 4", "decisions", 11),
    Target("batch", "catanatron 4", "games", 30),
    Target("batch 4", "fastcatan", "decisions", 1),
    Target("batch 4", "fastcatan", "choices", 1),
    Target("batch 4", "fastcatan", "games", 1),
    Target("clone", "fastcatan copy", "copies", 1),
    Target("batch observed", "openspiel lists", "decisions", 25),
    Target("batch observed", "openspiel buffers", "decisions", 25),
)


@dataclass(frozen=True)
class Comparison:
    """What a program measures in turns.

    Attributes:
        name: of the program and of its result file.
        description: of the program.
        entries: the workloads.
        targets: ratios of their rates.
        also: ratios that are told beside them.
        packages: those whose versions matter.
    """

    name: str
    description: str
    entries: Sequence[Entry]
    targets: Sequence[Target]
    also: Sequence[Target] = ()
    packages: Sequence[str] = PACKAGES


PEERS = Comparison("peers", DESCRIPTION, ENTRIES, TARGETS, ALSO)


def open_entries(options: Options, entries: Sequence[Entry]) -> tuple[dict[Entry, Workload], dict[str, str]]:
    """The workloads that can be opened; of the others, by name, why not."""
    opened: dict[Entry, Workload] = {}
    missing: dict[str, str] = {}
    for entry in entries:
        try:
            opened[entry] = entry.open(options)
        except ImportError as error:
            missing[entry.name] = str(error)
    return opened, missing


def measure(options: Options, comparison: Comparison = PEERS) -> dict[str, Any]:
    """Measure everything; returns the content of the result file."""
    begun, name, entries = time.monotonic(), comparison.name, comparison.entries
    opened, missing = open_entries(options, entries)
    with show_time(options.plan.duration(len(opened)), quiet=options.quiet) as begin:
        measured = alternate(list(opened.values()), options.plan, begin(name))
    rates = {entry.name: rate for entry, rate in zip(opened, measured, strict=True)}
    return {
        **describe_run(name, options, begun),
        "peers": {package: find_version(package) for package in comparison.packages},
        "missing": missing,
        "targets": list(take_ratios(comparison.targets, rates, entries)),
        "also": list(take_ratios(comparison.also, rates, entries)),
        "rows": [{"name": entry.name, "what": entry.what, "own": entry.own, **rates[entry.name]} for entry in opened],
    }


def take_ratios(targets: Sequence[Target], rates: dict[str, dict[str, Any]], entries: Sequence[Entry]) -> Any:
    """The ratios of targets whose two workloads were measured."""
    names = {entry.name: entry.what for entry in entries}
    for target in targets:
        if target.ours in rates and target.other in rates:
            what = f"{target.unit}/s, {names[target.ours]} : {names[target.other]}"
            ratio = compare(rates[target.ours][target.unit], rates[target.other][target.unit], target.wanted)
            yield {"what": what, "unit": target.unit, "ours_name": target.ours, "other_name": target.other, **ratio}


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the JSON, show the tables; returns the exit code."""
    return run_comparison(PEERS, arguments)


def run_comparison(comparison: Comparison, arguments: Sequence[str] | None) -> int:
    """Likewise of any comparison."""
    program = f"benchmarks.{comparison.name}"
    try:
        options = parse_options(Options, arguments, comparison.description)
        options.plan, options.games  # noqa: B018 - refuse bad values now
        path = prepare_file(options, comparison.name)
    except (ValueError, OSError) as error:
        return fail(program, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the peers' own
            content = measure(options, comparison)
    except KeyboardInterrupt:
        return fail(program, INTERRUPTED, "interrupted; nothing was written")
    write_result(path, content)
    console = open_console()
    units = ("decisions", "choices", "games", "copies")
    rows = [
        (
            row["what"],
            *(say_rate(row[unit]["median"]) if unit in row else "-" for unit in units),
            f"{row['cpu_share']:.2f}",
        )
        for row in content["rows"]
    ]
    console.print(draw_table("Rates", ("what", *(f"{unit}/s" for unit in units), "cpu share"), rows))
    print_targets(console, content["targets"])
    if content["also"]:
        print_targets(console, content["also"], "The same, taken otherwise")
    for name, why in content["missing"].items():
        console.print(f"left out: {name}: {why}")
    if path is not None:
        console.print(f"written: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
