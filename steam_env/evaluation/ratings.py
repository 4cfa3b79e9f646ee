"""Ratings of a round robin: the Bradley-Terry model on the scale of Elo's ratings, with intervals over deals.

Bradley-Terry and not a rating that is updated game by game (Elo, Glicko, TrueSkill, OpenSkill): agents do not change
while they play, so all games count alike, their order means nothing, and the likeliest strengths are one well-defined
answer. Opponents need not all have met. ``choix`` finds it (Maystre and Grossglauser 2015, iterative Luce spectral
ranking). Needs the extra ``ladder``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steam_env.evaluation.intervals import LEVEL

FloatArray = NDArray[np.float64]

SCALE = 400 / math.log(10)  # Elo's: 400 points are odds of ten to one
ADDED = 1.0  # drawn games added to each pair
RESAMPLES = 1000
RESAMPLE_KEY = 2  # beside the families of seeds of a match
METHOD = (
    "Bradley-Terry by choix.ilsr_pairwise_dense; a shared win counts half to each; 400 points are odds of ten to one. "
    "To each pair that met, one drawn game is added: without it an agent that never wins would be rated minus infinity "
    "(regularisation)"
)
BROKEN_UP = (
    ". With more than two seats each seat of the one is compared with each of the other: who has the better place is "
    "ahead. So a ranking is broken up into pairs (Azari Soufiani et al. 2013)"
)
INTERVAL_METHOD = (
    f"95 % percentile bootstrap over deals, {RESAMPLES:,} resamples: a deal is drawn with all of its games, in every "
    "rotation and in every match, as all matches play the same deals. Of the difference to the anchor"
)


@dataclass(frozen=True)
class Pairing:
    """The results of two participants against each other.

    Attributes:
        first, second: their numbers.
        games: of each deal.
        shares: (deals,) float64, how often in the games of a deal the first is ahead of the second, 0 to 1.
    """

    first: int
    second: int
    games: int
    shares: FloatArray


@dataclass(frozen=True)
class Ratings:
    """The ratings of n participants, with intervals.

    Attributes:
        values: (n,) float64.
        low, high: (n,) float64, 95 % intervals of the difference to the anchor.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray

    def expect(self, first: int, second: int) -> float:
        """How often one participant is ahead of another by the ratings."""
        return 1 / (1 + math.exp((self.values[second] - self.values[first]) / SCALE))


def tell_method(seats: int) -> str:
    """How ratings of games with so many seats are made."""
    return METHOD if seats == 2 else METHOD + BROKEN_UP


def rate(pairings: Sequence[Pairing], count: int, anchor: int, anchor_rating: float, seed: int) -> Ratings:
    """Rate participants from their results against each other.

    Args:
        pairings: who played whom, all of them the same deals; every participant must be linked to every other
            through opponents.
        count: participants.
        anchor: the number of the one whose rating is fixed.
        anchor_rating: to this.
        seed: of the bootstrap.
    """
    deals = len(pairings[0].shares)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(RESAMPLE_KEY,)))
    drawn = rng.multinomial(deals, np.full(deals, 1 / deals), RESAMPLES).astype(np.float64)
    shares = np.array([pairing.shares * pairing.games for pairing in pairings])
    strengths = _fit(pairings, shares.sum(axis=1), deals, count, None)
    sampled = np.array([_fit(pairings, wins, deals, count, strengths) for wins in drawn @ shares.T])
    tails = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    low, high = anchor_rating + np.quantile(SCALE * (sampled - sampled[:, [anchor]]), tails, axis=0)
    return Ratings(anchor_rating + SCALE * (strengths - strengths[anchor]), low, high)


def _fit(pairings: Sequence[Pairing], wins: FloatArray, deals: int, count: int, start: FloatArray | None) -> FloatArray:
    """(count,) strengths from the wins of each pairing's first participant: log-odds, up to a constant."""
    import choix

    table = np.zeros((count, count))
    for pairing, won in zip(pairings, wins, strict=True):
        table[pairing.first, pairing.second] = won + ADDED / 2
        table[pairing.second, pairing.first] = deals * pairing.games - won + ADDED / 2
    return np.asarray(choix.ilsr_pairwise_dense(table, initial_params=start), np.float64)
