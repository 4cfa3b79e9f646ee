"""Playouts: whole games by a compiled policy, for search and benchmarks."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.sampling import pick_legal
from steam_env.kit.arrays import IntArray
from steam_env.spec import Setting
from steam_env.table.engine import find_engine
from steam_env.table.records import take_games
from steam_env.table.sharing import share

BITS = 53  # of a random number from 0 to below 1


class Choice(Protocol):
    """How a compiled policy plays: a function over arrays. It must not look at what its movers do not know."""

    def __call__(
        self, records: np.ndarray, setting: Any, masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray
    ) -> None:
        """Write a legal action for the mover of each of n games.

        Args:
            records: (n,) games.
            setting: theirs.
            masks: (n, actions) bool, legal actions.
            fractions: (n,) float64, random numbers from 0 to below 1.
            actions: (n,) int64.
        """
        ...


def choose_randomly(
    records: np.ndarray, setting: Any, masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray
) -> None:
    """Write uniformly random legal actions: a ``Choice``."""
    pick_legal(masks, fractions, actions)


def roll_out(
    records: np.ndarray, setting: Setting, masks: np.ndarray, choice: Choice, seeds: IntArray, threads: int = 1
) -> int:
    """Play games on to their ends, in place; returns the number of decisions with more than one legal action.

    Args:
        records: (n,) games.
        setting: theirs.
        masks: (n, actions) bool, their legal actions, renewed in place.
        choice: who plays for all seats.
        seeds: (n,) int64, from 0: what chance gives the policy. Each game's playout depends on its own seed alone.
        threads: how many share the games.
    """
    counts: list[int] = []

    def play(part: slice) -> None:
        counts.append(_roll_out(records[part], setting, masks[part], choice, seeds[part]))

    share(play, len(records), threads)
    return sum(counts)


def _roll_out(records: np.ndarray, setting: Setting, masks: np.ndarray, choice: Choice, seeds: IntArray) -> int:
    engine = find_engine(setting.rules.game)
    bases, decisions, turn = seeds.astype(np.uint64), 0, 0
    rows = np.flatnonzero(records["seat"] != NONE)
    while len(rows):
        legal = masks[rows]
        actions = legal.argmax(axis=1)
        open_ = np.flatnonzero(legal.sum(axis=1) > 1)
        if len(open_):
            chosen = np.empty(len(open_), np.int64)
            asked = rows[open_]
            fractions = (mix_seeds(bases[asked], np.full(len(asked), turn)) >> (63 - BITS)) / 2.0**BITS
            choice(take_games(records, asked), setting, legal[open_], fractions, chosen)
            actions[open_] = chosen
            decisions += len(open_)
        engine.step(records, setting, rows, actions, masks)
        rows = rows[records["seat"][rows] != NONE]
        turn += 1
    return decisions


def mix_seeds(bases: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """(n,) int64 from 0, well mixed seeds from bases (n,) uint64 and numbers (n,) (Steele et al. 2014, SplitMix)."""
    mixed = bases + (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    seeds: np.ndarray = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(1)).astype(np.int64)
    return seeds
