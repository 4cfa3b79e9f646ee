"""How fast batches of Steam (2009) play, beside Catanatron and Steam Power, measured in turns in one run.

    pip install -c constraints.txt -e ".[tools,peers]"
    python -m benchmarks.steam

A decision is one action of one game. Players are random, or sensible ones (`thrifty`), whose choosing is timed, too;
one process, one thread; games that end are dealt anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.peer_play import CatanatronPlay
from benchmarks.peers import CATAN_SEATS, Comparison, Entry, Target, run_comparison
from benchmarks.play import SteadyPlay
from steam_env import GameBatch
from steam_env import Rules as SteamPowerRules
from steam_env.agents.thrifty import ThriftyAgent
from steam_env.kit.program import make_program
from steam_env.steam import Rules

DESCRIPTION = """Measure batches of Steam beside Catanatron, which the extra `peers` has, and Steam Power, in turns.

Examples:
  python -m benchmarks.steam --quick                 (does all work? no file)
  python -m benchmarks.steam                         (the figures of docs/performance.md)

Without Catanatron the ratios to it are left out. The machine should have nothing else to do."""

TABLES = {
    "mini, 3 seats": Rules(map="mini"),
    "great_lakes, 3 seats": Rules(),
    "great_lakes, 4 seats": Rules(num_players=4),
    "rhineland, 5 seats": Rules(num_players=5, map="rhineland"),
}
USUAL = "great_lakes, 3 seats"


def choose_sensibly(batch: GameBatch, rng: np.random.Generator) -> np.ndarray:
    """What `thrifty` plays."""
    agent = ThriftyAgent()
    agent.reset(int(rng.integers(2**31)))
    return agent.act(None, batch.mask, batch.views())


def open_play(rules: Rules | SteamPowerRules, *, sensible: bool = False, observed: bool = False) -> Any:
    """What makes the workload of a batch."""
    choose = choose_sensibly if sensible else GameBatch.sample_legal
    return lambda options: SteadyPlay(rules, options.games, options.seed, observed=observed, choose=choose)


ENTRIES = (
    *(Entry(f"{table}, random", f"Steam, {table}, random", open_play(rules)) for table, rules in TABLES.items()),
    *(
        Entry(f"{table}, thrifty", f"Steam, {table}, thrifty", open_play(rules, sensible=True))
        for table, rules in TABLES.items()
    ),
    Entry("observed", f"Steam, {USUAL}, random, observed", open_play(TABLES[USUAL], observed=True)),
    Entry("power observed", "Steam Power, 2 seats, random, observed", open_play(SteamPowerRules(), observed=True)),
    Entry("catanatron", f"Catanatron, {CATAN_SEATS} seats, play_tick", lambda o: CatanatronPlay(CATAN_SEATS, o.seed)),
    Entry("catanatron 3", "Catanatron, 3 seats, play_tick", lambda o: CatanatronPlay(3, o.seed)),
)
TARGETS = (
    Target(f"{USUAL}, random", "catanatron", "decisions", 15),
    Target(f"{USUAL}, thrifty", "catanatron", "decisions", 15),
    Target(f"{USUAL}, random", "catanatron 3", "decisions", 15),
    Target(f"{USUAL}, thrifty", "catanatron 3", "decisions", 15),
    Target("observed", "power observed", "decisions", 0.4),
)
COMPARISON = Comparison("steam", DESCRIPTION, ENTRIES, TARGETS, packages=("catanatron",))


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the JSON, show the tables; returns the exit code."""
    return run_comparison(COMPARISON, arguments)


if __name__ == "__main__":
    raise SystemExit(main())
