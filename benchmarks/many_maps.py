"""How fast batches of many maps are beside batches of a single map: ``python -m benchmarks.many_maps``.

All batches take turns, a short while each, so that whatever else the machine does slows all of them alike. Some maps
are slower than others, whatever they share a batch with: so there are ``ALONE`` batches of a single map, a different
one each, and their mean time for a step is what the others are measured by.
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
ALONE = 16  # batches of a single map
MIXED = (16, 1024)  # maps of the other batches
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


def open_batch(numbers: Sequence[int], games: int) -> GameBatch:
    """A batch whose games have these maps of the training set in turn, with their decks."""
    names = [f"{FAMILY}:{number}" for number in numbers]
    return GameBatch([Rules(map=name, contracts=name, num_players=SEATS) for name in names], games, seed=1)


def take_turn(batch: GameBatch, steps: int, rng: np.random.Generator) -> float:
    """Seconds of the processor for a step of all games; games that are over are dealt anew."""
    begun = time.process_time()
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
        if batch.done.any():
            batch.reset(batch.done)
    return (time.process_time() - begun) / steps


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    alone = [open_batch([number], options.games) for number in range(ALONE)]
    batches = [*alone, *(open_batch(range(maps), options.games) for maps in MIXED)]
    spent = np.zeros(len(batches))
    rng = np.random.default_rng(1)
    with show_progress(options.turns * len(batches), what="turns", quiet=options.quiet) as report:
        for _ in range(options.turns):
            for index, batch in enumerate(batches):
                spent[index] += take_turn(batch, options.steps, rng) / options.turns
                report(1)
    usual = spent[:ALONE].mean()
    for maps, seconds in zip((1, *MIXED), (usual, *spent[ALONE:]), strict=True):
        print(f"{maps:5} maps: {options.games / seconds:12,.0f} steps/s of the processor, {usual / seconds:4.0%}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
