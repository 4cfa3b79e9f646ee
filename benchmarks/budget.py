"""Where a decision's time goes: nanoseconds of each part, and whether instructions or memory bound it.

Method. Positions are drawn evenly from all decisions of random games, with the action that random play takes there. One
part at a time runs over them inside one compiled loop, whose empty form is subtracted; the median of several passes
counts, in processor time of the thread. It is done twice: over a *few* positions again and again, which the first-level
cache holds, and over *many*, as a large batch does, whose records come from the outer caches or from memory. The first
figure is what the instructions take, what the second has more is what waiting for memory takes. A part that changes
the game works on a copy in the cache, and the time of the copying is subtracted.

``floor`` is measured in the same loop: for the mask that its row is cleared, for sampling that its row is read once,
for the observation that its row is cleared, for applying an action the cheapest of them, taking $3.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

import numba
import numpy as np

from steam_env.advance import prepare_kernels
from steam_env.batch import GameBatch
from steam_env.core.actions import MONEY, NUM_ACTIONS
from steam_env.core.automa import play_automa_turn
from steam_env.core.carriage import survey
from steam_env.core.legal import write_mask
from steam_env.core.players import is_automa
from steam_env.core.sampling import BLOCK_WORDS, count_block, pick_one
from steam_env.core.state import ACTION, GAME, new_work
from steam_env.core.step import apply_action, find_refused
from steam_env.encoding.flat import FLAT_SIZE, encode_flat
from steam_env.rules import Rules
from steam_env.setting import Setting

FEW = 8  # records, masks and rows of so many positions fit in the first-level cache
MANY = 8192
PASSES = 7
VISITS = 40_000  # of positions in one pass
GAMES = 256  # that positions are drawn from


class Positions(NamedTuple):
    """What a part is measured on."""

    setting: Setting
    games: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    fractions: np.ndarray

    def first(self, count: int) -> Positions:
        """The first ``count`` positions, in memory of their own."""
        return Positions(self.setting, *(array[:count].copy() for array in self[1:]))


def draw_positions(rules: Rules, count: int, seed: int = 1) -> Positions:
    """``count`` positions, drawn evenly from all decisions of random games."""
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
    every = np.concatenate(games), np.concatenate(masks), np.concatenate(actions)
    drawn = rng.choice(len(every[0]), count, replace=len(every[0]) < count)
    return Positions(batch.setting, *(array[drawn] for array in every), rng.random(count))


# --- the parts: each goes ``passes`` times over all positions ----------------------------------------


@numba.njit
def visit(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            actions[index] += games[index].phase * 0


@numba.njit
def check(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        work.cost += find_refused(games, masks, actions)


@numba.njit
def copy(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    room = np.empty_like(games[:1])
    for _ in range(passes):
        for index in range(games.shape[0]):
            room[0] = games[index]
            work.cost += room[0].phase


@numba.njit
def apply(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    room = np.empty_like(games[:1])
    for _ in range(passes):
        for index in range(games.shape[0]):
            room[0] = games[index]
            game = room[0]
            apply_action(game, boards[game.board_index], decks[game.deck_index], work, actions[index])


@numba.njit
def apply_cheapest(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    room = np.empty_like(games[:1])
    for _ in range(passes):
        for index in range(games.shape[0]):
            room[0] = games[index]
            game = room[0]
            game.phase = ACTION
            apply_action(game, boards[game.board_index], decks[game.deck_index], work, MONEY)


@numba.njit
def mask(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            game = games[index]
            write_mask(game, boards[game.board_index], decks[game.deck_index], work, masks[index])


@numba.njit
def clear_mask(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            row = masks[index]
            row[:] = False
            row[games[index].phase] = True


@numba.njit
def distances(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            game = games[index]
            survey(game, boards[game.board_index], work, int(game.seat))


@numba.njit
def sample(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    words = masks.view(np.uint32)
    for _ in range(passes):
        for index in range(games.shape[0]):
            work.cost += pick_one(masks[index], words[index], fractions[index])


@numba.njit
def read_mask(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    words = masks.view(np.uint32)
    for _ in range(passes):
        for index in range(games.shape[0]):
            for block in range(3):
                work.cost += count_block(words[index], block * BLOCK_WORDS)


@numba.njit
def observe(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            game = games[index]
            encode_flat(game, boards[game.board_index], decks[game.deck_index], int(game.seat), rows[index])


@numba.njit
def clear_row(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    for _ in range(passes):
        for index in range(games.shape[0]):
            row = rows[index]
            row[:] = 0
            row[games[index].phase] = 1


@numba.njit
def play_turn(games, boards, decks, work, masks, actions, fractions, rows, passes):  # type: ignore[no-untyped-def]
    room = np.empty_like(games[:1])
    for _ in range(passes):
        for index in range(games.shape[0]):
            room[0] = games[index]
            game = room[0]
            game.seat = game.num_seats - 1
            if is_automa(game, int(game.seat)):
                play_automa_turn(game, boards[game.board_index], decks[game.deck_index], work)


class Part(NamedTuple):
    """A part of a decision, what is subtracted from it, and the floor with what is subtracted from that."""

    kernel: Callable[..., None]
    less: Callable[..., None]
    floor: Callable[..., None] | None = None


PARTS = {
    "check": Part(check, visit),
    "apply": Part(apply, copy, apply_cheapest),
    "mask": Part(mask, visit, clear_mask),
    "route distances (in the mask)": Part(distances, visit),
    "sampling": Part(sample, visit, read_mask),
    "observation": Part(observe, visit, clear_row),
    "copy of a record": Part(copy, visit),
}
AUTOMA_PARTS = {"Automa turn": Part(play_turn, copy)}


def time_kernel(kernel: Callable[..., None], positions: Positions, rows: np.ndarray) -> float:
    """Nanoseconds for each position, the median over passes."""
    setting, work = positions.setting, new_work()[0]
    passes = max(1, VISITS // len(positions.games))

    def run(times: int) -> float:
        begun = time.thread_time_ns()
        kernel(positions.games, setting.boards, setting.decks, work, *positions[2:], rows, times)
        return (time.thread_time_ns() - begun) / (times * len(positions.games))

    run(1)  # compiled now
    return median(run(passes) for _ in range(PASSES))


def measure_budget(rules: Rules, seed: int = 1) -> dict[str, dict[str, float]]:
    """By part: nanoseconds over few and over many positions, and the floor over few (see above)."""
    prepare_kernels(GameBatch(rules, 1).setting)
    many = draw_positions(rules, MANY, seed)
    few = many.first(FEW)
    rows = np.zeros((MANY, FLAT_SIZE), np.float32)
    assert many.masks.shape[1] == NUM_ACTIONS and many.games.dtype == GAME
    budget: dict[str, dict[str, Any]] = {}
    for name, part in (PARTS | (AUTOMA_PARTS if rules.automas else {})).items():
        entry = {
            "few": time_kernel(part.kernel, few, rows) - time_kernel(part.less, few, rows),
            "many": time_kernel(part.kernel, many, rows) - time_kernel(part.less, many, rows),
        }
        if part.floor is not None:
            entry["floor"] = time_kernel(part.floor, few, rows) - time_kernel(part.less, few, rows)
        budget[name] = {what: round(nanoseconds, 1) for what, nanoseconds in entry.items()}
    return budget


if __name__ == "__main__":
    for title, rules in {"2 seats": Rules(), "1 player, 1 Automa": Rules(automas=1)}.items():
        print(title)
        for name, entry in measure_budget(rules).items():
            print(f"  {name:30s}", "  ".join(f"{what} {value:8.1f} ns" for what, value in entry.items()))
