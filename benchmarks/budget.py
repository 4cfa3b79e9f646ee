"""Where a decision's time goes: nanoseconds of each part, and whether instructions or memory bound it.

Method. Positions are drawn evenly from all decisions of random games, with the action that random play takes there.
One part at a time runs over them inside one compiled loop, whose empty form is subtracted; the median of several
passes counts, in processor time of the thread. It is done twice: over a *few* positions again and again, which the
second-level cache holds, and over *many*, as a large batch does, whose records come from the outer caches or from
memory. The first figure is what the instructions take, what the second has more is what waiting for memory takes. A
part that changes the game works on a copy in the cache, and the time of the copying is subtracted.

``floor`` is measured in the same loop: for the mask that its row is cleared, for sampling that its row is read once,
for the observation that its row is cleared, for applying an action the cheapest of them, taking $3.
"""

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple

import numba
import numpy as np

from steam_env.core.sampling import BLOCKS, count_block, pick_one
from steam_env.core.steam_power.actions import MONEY
from steam_env.core.steam_power.automa import play_automa_turn
from steam_env.core.steam_power.carriage import survey
from steam_env.core.steam_power.legal import write_mask
from steam_env.core.steam_power.state import ACTION, new_work
from steam_env.core.steam_power.step import apply_action
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.setting import load_setting
from steam_env.encoding.steam_power.board_kernels import write_cards
from steam_env.encoding.steam_power.flat_kernels import write_row
from steam_env.encoding.steam_power.scratch import FLAT_DIGITS, FLAT_PLACES, SCRATCH
from steam_env.table.batch import GameBatch

FEW = 32  # records, masks and rows of so many positions fit in the second-level cache
MANY = 8192
PASSES = 7
VISITS = 40_000  # of positions in one pass
GAMES = 256  # that positions are drawn from


class Positions(NamedTuple):
    """The positions that the parts are measured on."""

    games: np.ndarray
    masks: np.ndarray
    actions: np.ndarray


def draw_positions(rules: Rules, count: int, seed: int) -> Positions:
    """``count`` positions, drawn evenly from all decisions of random games, with their masks and random actions."""
    batch = GameBatch(rules, GAMES, seed=seed)
    rng = np.random.default_rng(seed)
    games, masks, actions = [], [], []
    while not batch.done.all():
        chosen = batch.sample_legal(rng)
        here = np.flatnonzero(~batch.done & (rng.random(GAMES) < 1 / 8))
        games.append(batch.records[here])
        masks.append(batch.mask[here])
        actions.append(chosen[here])
        batch.step(chosen)
    every = Positions(np.concatenate(games), np.concatenate(masks), np.concatenate(actions))
    drawn = rng.choice(len(every.games), count, replace=len(every.games) < count)
    return Positions(*(array[drawn] for array in every))


# --- the parts: each goes ``passes`` times over all positions ----------------------------------------


class Bench(NamedTuple):
    """The arrays that the loops below work on."""

    games: np.ndarray
    boards: np.ndarray
    decks: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    fractions: np.ndarray
    words: np.ndarray  # the masks, four flags in one
    rows: np.ndarray  # observations, as digits
    room: np.ndarray  # for the copy of one game
    work: np.record
    places: np.ndarray  # of the digits
    scratches: np.ndarray  # their memory


@numba.njit
def visit(bench: Bench, passes: int) -> None:
    """Do nothing but loop over the records."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.work.cost += bench.games[index].phase


@numba.njit
def copy(bench: Bench, passes: int) -> None:
    """Copy the record."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.room[0] = bench.games[index]
            bench.work.cost += bench.room[0].phase


@numba.njit
def apply(bench: Bench, passes: int) -> None:
    """Carry out the action on a copy."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.room[0] = bench.games[index]
            apply_action(bench.room[0], bench.boards[0], bench.decks[0], bench.work, bench.actions[index])


@numba.njit
def apply_cheapest(bench: Bench, passes: int) -> None:
    """Take $3 on a copy."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.room[0] = bench.games[index]
            bench.room[0].phase = ACTION
            apply_action(bench.room[0], bench.boards[0], bench.decks[0], bench.work, MONEY)


@numba.njit
def mask(bench: Bench, passes: int) -> None:
    """Write the mask."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            write_mask(bench.games[index], bench.boards[0], bench.decks[0], bench.work, bench.masks[index])


@numba.njit
def clear_mask(bench: Bench, passes: int) -> None:
    """Write a mask of one action."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            row = bench.masks[index]
            row[:] = False
            row[bench.games[index].phase] = True


@numba.njit
def distances(bench: Bench, passes: int) -> None:
    """Measure how far groups are from the mover's network, and what resources cost."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            game = bench.games[index]
            survey(game, bench.boards[0], bench.work, int(game.seat))


@numba.njit
def sample(bench: Bench, passes: int) -> None:
    """Pick a legal action."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.work.cost += pick_one(bench.masks[index], bench.words[index], bench.fractions[index])


@numba.njit
def read_mask(bench: Bench, passes: int) -> None:
    """Count the legal actions."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            length = bench.words.shape[1] // BLOCKS
            for block in range(BLOCKS):
                bench.work.cost += count_block(bench.words[index], block * length, length)


@numba.njit
def observe(bench: Bench, passes: int) -> None:
    """Write the mover's observation."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            game = bench.games[index]
            write_row(
                game,
                bench.boards[0],
                bench.decks[0],
                int(game.seat),
                bench.places[0],
                bench.scratches[0],
                bench.rows[index],
            )


@numba.njit
def clear_row(bench: Bench, passes: int) -> None:
    """Write an observation of one value."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            row = bench.rows[index]
            row[:] = 0
            row[bench.games[index].phase] = 1


@numba.njit
def play_turn(bench: Bench, passes: int) -> None:
    """Play a turn of the last seat, an Automa, on a copy."""
    for _ in range(passes):
        for index in range(bench.games.shape[0]):
            bench.room[0] = bench.games[index]
            game = bench.room[0]
            game.seat = game.num_seats - 1
            play_automa_turn(game, bench.boards[0], bench.decks[0], bench.work)


class Part(NamedTuple):
    """A part of a decision: its loop, the loop to subtract, and its floor's loop if there is one."""

    kernel: Callable[[Bench, int], None]
    less: Callable[[Bench, int], None]
    floor: Callable[[Bench, int], None] | None = None


PARTS = {
    "apply": Part(apply, copy, apply_cheapest),
    "mask": Part(mask, visit, clear_mask),
    "route distances (in the mask)": Part(distances, visit),
    "sampling": Part(sample, visit, read_mask),
    "observation": Part(observe, visit, clear_row),
    "copy of a record": Part(copy, visit),
}
AUTOMA_PARTS = {"Automa turn": Part(play_turn, copy)}
TABLES = {"two players": Rules(), "a player and an Automa": Rules(automas=1)}


def lay_out(positions: Positions, count: int, rules: Rules, seed: int) -> Bench:
    """A bench with the first ``count`` positions in memory of its own, and room for what is written."""
    setting = load_setting(rules)
    games, masks, actions = (array[:count].copy() for array in positions)
    fractions = np.random.default_rng(seed).random(count)
    rows = np.zeros((count, FLAT_DIGITS.size), np.uint8)
    room, work = games[:1].copy(), new_work()[0]
    words = masks.view(np.uint32)
    places, scratches = FLAT_PLACES, np.zeros(1, SCRATCH)
    write_cards(setting.decks[0], places[0], scratches[0], rows[0])
    return Bench(
        games, setting.boards, setting.decks, masks, actions, fractions, words, rows, room, work, places, scratches
    )


def time_kernel(kernel: Callable[[Bench, int], None], bench: Bench) -> float:
    """Nanoseconds for each position, the median over passes."""
    count = len(bench.games)

    def run(passes: int) -> float:
        begun = time.thread_time_ns()
        kernel(bench, passes)
        return (time.thread_time_ns() - begun) / (passes * count)

    run(1)  # compiled now
    return median(run(max(1, VISITS // count)) for _ in range(PASSES))


def measure_budget(rules: Rules, seed: int = 1) -> dict[str, dict[str, float]]:
    """By part: nanoseconds over few and over many positions, and the floor over few (see above)."""
    positions = draw_positions(rules, MANY, seed)
    tables = {"few": lay_out(positions, FEW, rules, seed), "many": lay_out(positions, MANY, rules, seed)}
    budget: dict[str, dict[str, float]] = {}
    for name, part in (PARTS | (AUTOMA_PARTS if rules.automas else {})).items():
        entry = {
            size: time_kernel(part.kernel, bench) - time_kernel(part.less, bench) for size, bench in tables.items()
        }
        if part.floor is not None:
            entry["floor"] = time_kernel(part.floor, tables["few"]) - time_kernel(part.less, tables["few"])
        budget[name] = {what: round(nanoseconds, 1) for what, nanoseconds in entry.items()}
    return budget


def measure_budgets(seed: int = 1) -> dict[str, dict[str, dict[str, float]]]:
    """The budgets of all configurations in ``TABLES``."""
    return {name: measure_budget(rules, seed) for name, rules in TABLES.items()}


if __name__ == "__main__":
    for title, budget in measure_budgets().items():
        print(title)
        for name, entry in budget.items():
            print(f"  {name:30s}", "  ".join(f"{what} {value:8.1f} ns" for what, value in entry.items()))
