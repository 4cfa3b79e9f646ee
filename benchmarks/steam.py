"""How fast batches of Steam (2009) play, by map, for random and for sensible players.

    python -m benchmarks.steam [SECONDS]

A decision is one action of one game. *step* is playing it and renewing the mask; *all* is choosing it, too. One
process, one thread; games that end are dealt anew. The machine should have nothing else to do.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from steam_env.agents.thrifty import ThriftyAgent
from steam_env.steam import GameBatch, Rules

GAMES = 1000
SECONDS = 5.0  # of each row
TABLES = (Rules(map="mini"), Rules(), Rules(num_players=4), Rules(num_players=5, map="rhineland"))


def choose_randomly(batch: GameBatch, rng: np.random.Generator) -> np.ndarray:
    """Any legal action."""
    return batch.sample_legal(rng)


def choose_sensibly(batch: GameBatch, rng: np.random.Generator) -> np.ndarray:
    """What `thrifty` plays."""
    agent = ThriftyAgent()
    agent.reset(int(rng.integers(2**31)))
    return agent.act(None, batch.mask, batch.views())


PLAYERS: dict[str, Callable[[GameBatch, np.random.Generator], np.ndarray]] = {
    "random": choose_randomly,
    "thrifty": choose_sensibly,
}


def measure(rules: Rules, player: str, seconds: float) -> tuple[float, float]:
    """Decisions a second, in steps alone and with choosing; the first step, which may compile, is not timed."""
    batch, rng = GameBatch(rules, GAMES, seed=1), np.random.default_rng(1)
    batch.step(PLAYERS[player](batch, rng))
    decisions, stepping, spent = 0, 0.0, 0.0
    while spent < seconds:
        begun = time.perf_counter()
        actions = PLAYERS[player](batch, rng)
        chosen = time.perf_counter()
        batch.step(actions)
        played = time.perf_counter()
        decisions, stepping, spent = decisions + GAMES, stepping + played - chosen, spent + played - begun
        if batch.done.any():
            batch.reset(batch.done)
    return decisions / stepping, decisions / spent


def main() -> int:
    """Print a row for each map and player."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    for rules in TABLES:
        for player in PLAYERS:
            step, everything = measure(rules, player, seconds)
            print(f"{rules.map}, {rules.num_players} seats, {player}: step {step:,.0f}/s, all {everything:,.0f}/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
