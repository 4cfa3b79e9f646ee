"""How agents open their games, and how much each varies it: a policy that always opens alike is seen at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steam_env.core.fields import NONE
from steam_env.kit.arrays import IntArray
from steam_env.spec import Facts


@dataclass(frozen=True)
class OpeningSpread:
    """The openings of an agent.

    Attributes:
        games: games in which it opened at all.
        distinct: how many different openings it played.
        effective: their effective number: of so many that are equally frequent the entropy is the same.
        most: the name of the most frequent one; empty if there is none.
        share: the share of the games that were opened so.
        counts: games by opening, from the most frequent one down.
    """

    games: int
    distinct: int
    effective: float
    most: str
    share: float
    counts: dict[str, int]


def measure_openings(openings: IntArray, names: Sequence[str]) -> OpeningSpread:
    """The spread of openings, numbers of ``names`` or ``NONE``, an array of any shape."""
    played = openings[openings != NONE].ravel()
    counts = np.bincount(played, minlength=len(names))
    order = [index for index in np.argsort(-counts, kind="stable").tolist() if counts[index]]
    shares = counts[order] / max(played.size, 1)
    return OpeningSpread(
        games=int(played.size),
        distinct=len(order),
        effective=math.exp(-float((shares * np.log(shares)).sum())) if order else 0.0,
        most=names[order[0]] if order else "",
        share=float(shares[0]) if order else 0.0,
        counts={names[index]: int(counts[index]) for index in order},
    )


class OpeningBook:
    """Notes the first opening of each seat while games are played.

    Attributes:
        played: (games, seats) int64, by ``Facts.openings``; ``NONE`` as long as there is none.
    """

    def __init__(self, facts: Facts, games: int, seats: int) -> None:
        self._of = None if facts.openings is None else facts.openings.of
        self.played = np.full((games, seats), NONE, np.int64)

    def note(self, rows: IntArray, seats: IntArray, actions: IntArray) -> None:
        """Note actions (k,) that seats (k,) are about to play in the games ``rows`` (k,)."""
        if self._of is not None:
            begun = self._of[actions]
            first = (begun != NONE) & (self.played[rows, seats] == NONE)
            self.played[rows[first], seats[first]] = begun[first]
