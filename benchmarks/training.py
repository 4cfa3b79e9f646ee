"""What training and matches of a policy cost, beside another checkout.

    git worktree add --detach ../base COMMIT
    python -m benchmarks.training --base ../base

Each checkout works in processes of its own, which wait for each other: one works at a time, in turns, every second
round in the opposite order. What is compared is done in a second of processor time, of one thread. Where the processor
multiplies numbers of 16 bits, this checkout is also timed with its nets' products made of bfloat16.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.results import Options, describe_run, draw_table, prepare_file, say_rate, say_ratio, write_result
from benchmarks.workers import HERE, Worker, check_checkout, compare_pairs, list_ratio, summarise_runs
from steam_env.kit.command_line import open_console, parse_options
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program

PROGRAM = "benchmarks.training"
NAME = "training"
DESCRIPTION = """Measure training and matches of a policy beside those of another checkout.

A run of imitation or of self-play does whole iterations for SECONDS, with SIZE games; one of matches plays 2 x SIZE
games of the base's duel against automa:very_hard until SECONDS are over. At last 200 games are compared, decision by
decision.

Examples:
  git worktree add --detach ../base HEAD~1
  python -m benchmarks.training --base ../base --quick      (does all work? no file)
  python -m benchmarks.training --base ../base --runs 5 --seconds 20"""

# Run by each checkout, so it uses what both have. Work begins when a line comes in: seconds, or the number of games
# that are to be told decision by decision.
WORKER = """
import json, sys, time
import numpy as np
import torch
torch.set_num_threads(1)
kind, size, seed, precision, policy = sys.argv[1], *map(int, sys.argv[2:4]), *sys.argv[4:6]
def match(deals, keep=None):
    from steam_env.evaluation.match import MatchConfig, play_match
    result = play_match(MatchConfig(policy, ("automa:very_hard",), deals=deals, seed=seed), keep=keep)
    return int(result.games.decisions.sum())
def open_learner():
    from dataclasses import replace
    from steam_env.training.clock import Clock
    from steam_env.training.league import League
    from steam_env.training.learner import Learner, open_games
    from steam_env.training.steam_power.presets import PRESETS
    try:
        from steam_env.training.teachers import make_teacher
    except ImportError:  # before searches could teach
        from steam_env.agents import make_agent
        make_teacher = lambda config, network: make_agent(config.teacher)
    config = replace(PRESETS["standard"], games=size, steps=16)
    clock, league = Clock(), League(config.past_most, config.latest, seed, "flat")
    torch.manual_seed(seed)
    learner = Learner(config, open_games(config, league, clock), clock, "cpu")
    league.follow(learner.policy.network)
    for number in range(4):
        league.remember(f"past {number}")
    learner.begin(seed)
    learner.set_progress(0.0, imitates=kind == "imitation")
    teacher = make_teacher(config, learner.network)
    def iterate():
        learner.imitate(teacher) if kind == "imitation" else learner.improve()
        return config.games * config.steps
    return iterate
if precision == "bfloat16":
    from steam_env.agents import dense
    whole = dense._multiply
    def multiply(*factors):
        return whole(*(one if one is None else one.bfloat16() for one in factors)).float()
    dense._multiply = multiply
iterate = (lambda: match(2 * size)) if kind == "matches" else open_learner()
match(8) if kind == "matches" else iterate()
print("ready", flush=True)
for line in sys.stdin:
    if line.startswith("tell"):
        plays = []
        match(int(line.split()[1]), plays.append)
        told = {"starts": plays[0].starts.tolist(), "actions": plays[0].actions.tolist()}
        print(json.dumps(told), flush=True)
        continue
    done, begun, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() < begun + float(line):
        done += iterate()
    spent, spent_cpu = time.perf_counter() - begun, time.process_time() - cpu
    print(json.dumps({"per CPU second": done / spent_cpu, "per second": done / spent}), flush=True)
"""
KINDS = {"imitation": 1.0, "self-play": 1.0, "matches": 2.0}  # with the ratio that is wanted
ROUNDED_KINDS = {**KINDS, "matches": 3.0}  # where the net's products are rounded
WHOLE, ROUNDED = "float32", "bfloat16"  # what the numbers that products are made of are
POLICY = Path("agents") / "policies" / "duel.safetensors"  # of the base: all play its matches by the same weights
BASE, OURS, OURS_ROUNDED = "base", "here", "here, bfloat16"
TOLD_GAMES, QUICK_TOLD_GAMES = 200, 16
UNIT = "per CPU second"


@dataclass(frozen=True)
class TrainingOptions(Options):
    """The options of this program.

    Attributes:
        base: Folder of the checkout to compare with.
    """

    base: Path = Path("../base")


def measure(options: TrainingOptions) -> dict[str, Any]:
    """Measure everything; returns the content of the result file."""
    begun, plan = time.monotonic(), options.plan
    rows, ratios = [], []
    differing: dict[str, dict[str, int]] = {}
    base = check_checkout(options.base)
    setups = {BASE: (base, WHOLE), OURS: (HERE, WHOLE)}
    if can_round():
        setups[OURS_ROUNDED] = (HERE, ROUNDED)
    for kind in KINDS:
        with ExitStack() as opened:
            workers = {}
            for name, (checkout, precision) in setups.items():
                words = [kind, str(options.games), str(options.seed), precision, str(base / POLICY)]
                workers[name] = Worker(WORKER, words, checkout)
                opened.callback(workers[name].close)
                if not workers[name].is_ready:
                    raise ValueError(f"{kind} cannot be done in {checkout}")
            runs: dict[str, list[dict[str, float]]] = {name: [] for name in workers}
            for number in range(plan.runs):
                for name in list(workers)[:: 1 if number % 2 == 0 else -1]:
                    workers[name].begin(f"{plan.seconds}")
                    runs[name].append(workers[name].finish())
            if kind == "matches":
                differing = _count_told(workers, QUICK_TOLD_GAMES if options.quick else TOLD_GAMES)
        rows += [{"name": f"{kind}, {name}", **summarise_runs(told)} for name, told in runs.items()]
        rates = {name: [run[UNIT] for run in told] for name, told in runs.items()}
        for name, wanted in ((OURS, KINDS[kind]), (OURS_ROUNDED, ROUNDED_KINDS[kind])):
            if name in rates:
                compared = compare_pairs(rates[name], rates[BASE], wanted)
                ratios.append({"what": f"{kind}, {name} : {BASE}", **compared})
    return {**describe_run(NAME, options, begun), "rows": rows, "ratios": ratios, "decisions": differing}


def can_round() -> bool:
    """Whether the processor multiplies numbers of 16 bits faster than those of 32."""
    import torch

    told: bool = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return told


def _count_told(workers: Mapping[str, Worker], games: int) -> dict[str, dict[str, int]]:
    """By name of those that are compared with the base: of so many games, how many decisions both tell differ."""
    told = {}
    for name, worker in workers.items():
        worker.begin(f"tell {games}")
        told[name] = worker.finish()
    base = told.pop(BASE)
    return {
        name: {"games": games, "all": len(base["actions"]), "differing": count_differing(one, base)}
        for name, one in told.items()
    }


def count_differing(one: Mapping[str, Sequence[int]], other: Mapping[str, Sequence[int]]) -> int:
    """How many decisions of the same games differ, those that only one has included.

    Each has ``starts`` (games + 1,), where a game's decisions begin among its ``actions`` (decisions,).
    """
    count = 0
    split = [np.split(np.asarray(told["actions"]), told["starts"][1:-1]) for told in (one, other)]
    for mine, theirs in zip(*split, strict=True):
        both = min(len(mine), len(theirs))
        count += int((mine[:both] != theirs[:both]).sum()) + max(len(mine), len(theirs)) - both
    return count


def say_differing(told: Mapping[str, Mapping[str, int]]) -> str:
    """How many decisions differ from those of the base, in words."""
    said = [
        f"{name}: {one['differing']:,} of {one['all']:,} decisions differ in {one['games']} games, played by base too"
        for name, one in told.items()
    ]
    return "; ".join(said)


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the JSON, show the tables; returns the exit code."""
    try:
        options = parse_options(TrainingOptions, arguments, DESCRIPTION)
        options.plan, options.games  # noqa: B018 - refuse bad values now
        check_checkout(options.base)
        path = prepare_file(options, NAME)
        content = measure(options)
    except (ValueError, OSError) as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted; nothing was written")
    write_result(path, content)
    console = open_console()
    rows = [(row["name"], say_rate(row[UNIT]), say_rate(row["per second"])) for row in content["rows"]]
    console.print(draw_table("Decisions", ("what", UNIT, "per second"), rows))
    ratios = [(one["what"], *list_ratio(one, say_ratio)) for one in content["ratios"]]
    console.print(draw_table("Ratios", ("ours : other", "ratio", "lowest", "highest", "wanted", "met"), ratios))
    console.print(say_differing(content["decisions"]))
    if path is not None:
        console.print(f"written: {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
