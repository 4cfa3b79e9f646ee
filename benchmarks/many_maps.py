"""How fast batches of many maps are beside one of a single map: ``python -m benchmarks.many_maps``.

All batches take turns, a short while each, so that whatever else the machine does slows all of them alike; the share is
that of the fastest turns.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steam_env import GameBatch, Rules
from steam_env.kit.command_line import parse_options, show_progress
from steam_env.kit.program import BAD_INPUT, fail, make_program

PROGRAM = "many_maps"
FAMILY = "gen-v1:train"
MAPS = (1, 16, 1024)  # in a batch
SEATS = 4
DESCRIPTION = "Measure how fast games are played at random in batches of one map and of many."


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        games: Games in a batch.
        turns: Turns of each batch.
        steps: Steps of all games in a turn.
        quiet: No progress bar.
    """

    games: int = 1024
    turns: int = 20
    steps: int = 100
    quiet: bool = False


def open_batch(maps: int, games: int) -> GameBatch:
    """A batch whose games have so many maps of the training set, with their decks."""
    names = [f"{FAMILY}:{number}" for number in range(maps)]
    return GameBatch([Rules(map=name, contracts=name, num_players=SEATS) for name in names], games, seed=1)


def take_turn(batch: GameBatch, steps: int, rng: np.random.Generator) -> float:
    """Steps of all games together per second of the processor; games that are over are dealt anew."""
    begun = time.process_time()
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
        if batch.done.any():
            batch.reset(batch.done)
    return len(batch) * steps / (time.process_time() - begun)


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    batches = {maps: open_batch(maps, options.games) for maps in MAPS}
    best = dict.fromkeys(batches, 0.0)
    rng = np.random.default_rng(1)
    with show_progress(options.turns * len(batches), what="turns", quiet=options.quiet) as report:
        for _ in range(options.turns):
            for maps, batch in batches.items():
                best[maps] = max(best[maps], take_turn(batch, options.steps, rng))
                report(1)
    for maps, speed in best.items():
        print(f"{maps:5} maps: {speed:12,.0f} steps/s of the processor, {speed / best[MAPS[0]]:4.0%} of one map")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
