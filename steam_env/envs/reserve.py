"""Games that are begun ahead, many together: so what is played before learners join comes in large batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from steam_env.kit.arrays import IntArray

if TYPE_CHECKING:
    from steam_env.envs.tables import Tables

FEWEST, PARTS = 16, 2  # games of a reserve: at least so many, and this part of the games that it is for


def size_reserve(num_games: int) -> int:
    """How many games are begun ahead for so many that are played."""
    return max(FEWEST, num_games // PARTS)


class Reserve:
    """Games up to their learners' first decisions, of which each is taken once.

    Args:
        tables: where they are begun, with the rules, opponents and starts of those that they are for.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._taken = len(tables)

    def empty(self, rng: np.random.Generator) -> None:
        """Forget all games and agents: the next ones are begun by this generator."""
        self.tables.follow(rng)
        self._taken = len(self.tables)

    def take(self, rows: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
        """For games ``rows`` (k,) that are wanted: in parts, some of them, and as many games of the reserve.

        Raises:
            IllegalActionError, RuntimeError: see ``Tables.begin``; the reserve is empty then.
        """
        while len(rows):
            if self._taken == len(self.tables):
                self.tables.begin(np.ones(len(self.tables), np.bool_))
                self._taken = 0
            first = self._taken
            self._taken = min(first + len(rows), len(self.tables))
            count = self._taken - first
            yield rows[:count], np.arange(first, self._taken)
            rows = rows[count:]
