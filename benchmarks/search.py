"""What an evaluation of a search costs, part by part, and how fast greedy playouts are.

    pip install -c constraints.txt -e ".[tools,train,peers]"
    git worktree add --detach ../base COMMIT
    python -m benchmarks.search --base ../base

The functions that a search calls are replaced by ones that time themselves, in processor time of the thread, so other
programs on the machine disturb little. *The rest* is what is left of the whole: Python and NumPy around the parts.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.budget import draw_positions
from benchmarks.peer_play import BY_POINTS, CatanatronPlay
from benchmarks.results import Options, describe_run, draw_table, find_version, prepare_file, write_result
from benchmarks.search_tables import WHOLE, list_parts, list_playouts
from benchmarks.workers import Worker, check_checkout
from steam_env import GameBatch, Rules
from steam_env.agents import SearchAgent, make_agent, search_judges, search_run
from steam_env.agents.search_judges import NetworkJudge
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.evaluation.provenance import find_commit
from steam_env.kit.command_line import open_console, parse_options, show_progress
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program
from steam_env.table.engine import find_engine

PROGRAM = "benchmarks.search"
DESCRIPTION = """Measure what an evaluation of a search costs, part by part, and how fast greedy playouts are.

Examples:
  python -m benchmarks.search --quick --size 32       (does all work? no file)
  python -m benchmarks.search --runs 5 --size 256
  git worktree add --detach ../base HEAD~1
  python -m benchmarks.search --base ../base          (compares playouts with matches of that checkout)"""

AGENT = "search:duel@64"
NETWORK, REST = "network", "the rest"
RUN_PARTS = {  # by function of the module ``search_run``, what it belongs to
    "take_games": "clone",
    "note_movers": "step",
    "hash_views": "view and key",
    **dict.fromkeys(("begin_walks", "choose_actions", "note_turns", "enter_nodes", "pass_gates"), "tree"),
    **dict.fromkeys(("settle_fates", "expand_nodes", "back_up", "give_up", "make_room", "copy_tree"), "tree"),
}
JUDGE_PARTS = {"take_games": "clone", "judge": NETWORK}  # of the module ``search_judges``
KERNEL_PARTS = {"fill": "redeal", "blank": "view and key"}
MOST = 15.0  # microseconds that all but the network may cost
WANTED_RATIO = 3.0  # playouts by greedy, to the games of a greedy match of the base
WANTED_PEER_RATIO = 40.0  # playouts by greedy, to the games of Catanatron's players that look one action ahead
PLAYOUT_GAMES, PEER_SEATS = 256, 2
BASE = """
import json, sys, time
from steam_env.evaluation.match import MatchConfig, play_match
play_match(MatchConfig("greedy", "greedy", deals=1))
print("ready", flush=True)
for line in sys.stdin:
    seed, deals = map(int, line.split())
    begun = time.process_time()
    result = play_match(MatchConfig("greedy", "greedy", deals=deals, seed=seed))
    print(json.dumps({"rate": result.games.rounds.size / (time.process_time() - begun)}), flush=True)
"""  # plays greedy's matches in another checkout, see ``Worker``

Spent = defaultdict[str, float]


@dataclass(frozen=True)
class SearchOptions(Options):
    """The options of this program.

    Attributes:
        base: Folder of a checkout whose greedy matches playouts are compared with. Left out: those of this one.
    """

    base: Path | None = None


def time_calls(function: Callable[..., Any], part: str, spent: Spent) -> Callable[..., Any]:
    """The function, which adds the seconds of each call to its part."""

    def timed(*arguments: Any, **named: Any) -> Any:
        begun = time.thread_time()
        try:
            return function(*arguments, **named)
        finally:
            spent[part] += time.thread_time() - begun

    return timed


@contextmanager
def watch(agent: SearchAgent, spent: Spent) -> Iterator[None]:
    """Time the parts of what the agent does."""
    engine, judge = find_engine(Rules().game), agent.judge
    assert isinstance(judge, NetworkJudge)
    kernels = engine.spec.kernels
    timed = {name: time_calls(getattr(kernels, name), part, spent) for name, part in KERNEL_PARTS.items()}
    spec = replace(engine.spec, kernels=replace(kernels, **timed))
    encoding = replace(judge.encoding, encode=time_calls(judge.encoding.encode, "observe", spent))
    with ExitStack() as stack:
        for module, parts in ((search_run, RUN_PARTS), (search_judges, JUDGE_PARTS)):
            for name, part in parts.items():
                stack.enter_context(patch.object(module, name, time_calls(getattr(module, name), part, spent)))
        stack.enter_context(patch.object(engine, "step", time_calls(engine.step, "step", spent)))
        stack.enter_context(patch.object(engine, "spec", spec))
        stack.enter_context(patch.object(judge, "encoding", encoding))
        yield


def measure_parts(options: Options, report: Callable[[int], None]) -> dict[str, float]:
    """Microseconds of an evaluation by part, medians over the runs."""
    positions = draw_positions(Rules(), options.games, options.seed)
    batch = GameBatch.from_records(positions.games, Rules())
    agent = make_agent(AGENT)
    assert isinstance(agent, SearchAgent)
    runs = []
    agent.think(batch.mask[:1], batch.game(0).view(int(batch.seats[0])))  # all is compiled now
    for number in range(options.plan.runs):
        agent.reset(options.seed + number)
        spent: Spent = defaultdict(float)
        with watch(agent, spent):
            begun = time.thread_time()
            thoughts = agent.think(batch.mask, batch.views())
            whole = time.thread_time() - begun
        count = sum(thought.evaluations for thought in thoughts if thought is not None)
        spent[REST] = whole - sum(spent.values())
        spent[WHOLE] = whole - spent[NETWORK]
        runs.append({part: 1e6 * seconds / count for part, seconds in spent.items()})
        report(1)
    return {part: median(run[part] for run in runs) for part in runs[0]}


def measure_playouts(options: SearchOptions, report: Callable[[int], None]) -> dict[str, float]:
    """Games that greedy plays in a second of the processor; medians over the runs.

    By ``match`` and ``playouts``; where there is a base, ``base``: its matches; where Catanatron is installed,
    ``peer``: its games by players that look one action ahead.
    """
    rates: dict[str, list[float]] = defaultdict(list)
    play_match(MatchConfig("greedy", "greedy", deals=1))
    peer = open_peer(options)
    with ExitStack() as opened:
        worker = open_base(options, opened)
        for number in range(options.plan.runs):
            if worker is not None:
                worker.begin(f"{number} {PLAYOUT_GAMES // 2}")
                rates["base"].append(worker.finish()["rate"])
            begun = time.process_time()
            result = play_match(MatchConfig("greedy", "greedy", deals=PLAYOUT_GAMES // 2, seed=number))
            rates["match"].append(result.games.rounds.size / (time.process_time() - begun))
            batch = GameBatch(Rules(), PLAYOUT_GAMES, seed=number)
            begun = time.process_time()
            batch.rollout("greedy")
            rates["playouts"].append(PLAYOUT_GAMES / (time.process_time() - begun))
            if peer is not None:
                begun = time.process_time()
                games = peer(options.plan.seconds)["games"]
                rates["peer"].append(games / (time.process_time() - begun))
            report(1)
    return {what: median(values) for what, values in rates.items()}


def open_base(options: SearchOptions, opened: ExitStack) -> Worker | None:
    """A process of the base, if there is one, that plays greedy's matches.

    Raises:
        ValueError: if they cannot be played there.
    """
    if options.base is None:
        return None
    worker = Worker(BASE, [], check_checkout(options.base))
    opened.callback(worker.close)
    if not worker.is_ready:
        raise ValueError(f"--base {options.base}: greedy's matches cannot be played there")
    return worker


def open_peer(options: SearchOptions) -> CatanatronPlay | None:
    """Catanatron's games, if it is installed.

    Of its own players that look ahead the package has only the one that counts points after each of its actions.
    """
    with suppress(ImportError):
        return CatanatronPlay(PEER_SEATS, options.seed, BY_POINTS)
    return None


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; returns the exit code."""
    begun = time.monotonic()
    try:
        options = parse_options(SearchOptions, arguments, DESCRIPTION)
        _ = options.plan, options.games, None if options.base is None else check_checkout(options.base)
        path = prepare_file(options, "search")
        with show_progress(2 * options.plan.runs, what="runs", quiet=options.quiet) as report:
            playouts, parts = measure_playouts(options, report), measure_parts(options, report)
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    content = {**describe_run("search", options, begun), "agent": AGENT, "parts": parts, "playouts": playouts}
    content |= {"most": MOST, "wanted_ratio": WANTED_RATIO, "wanted_peer_ratio": WANTED_PEER_RATIO}
    content["peer"] = find_version("catanatron")
    if options.base is not None:
        content["base"] = find_commit(options.base.resolve() / "steam_env")
    write_result(path, content)
    console = open_console()
    console.print(draw_table(f"{AGENT}: an evaluation", ("part", "microseconds"), list_parts(content)))
    console.print(draw_table("Games of greedy a second", ("how", "games/s"), list_playouts(content)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
