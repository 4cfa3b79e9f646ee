"""Starts in the middle of a game: stand-ins play all player seats before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from steam_env.envs.cast import draw_fractions
from steam_env.envs.opponents import Opponent
from steam_env.envs.pool import Pool
from steam_env.kit.arrays import IntArray

JOIN_STREAM, ROUND_STREAM = 33, 34  # what is drawn from a game's seed, see ``cast``


@dataclass(frozen=True)
class Midgame:
    """Games that learners join in the middle: of these nothing is learnt before.

    Attributes:
        share: of the games.
        rounds: at most so many rounds are played before. Few are drawn more often than many: half of the learners
            join in the first quarter.
        stand_in: who plays until then, all player seats in a game: an opponent, or a pool of which one is drawn. The
            learner's opponents take their seats with it: asking them all in the few games that begin at a time takes
            longer than what follows.
    """

    share: float
    rounds: int
    stand_in: Opponent | Pool

    def draw_rounds(self, seeds: IntArray) -> IntArray:
        """(n,) int64, how many rounds are played without the learner, by the games' seeds (n,); 0: it begins."""
        joins = draw_fractions(seeds, JOIN_STREAM) < self.share
        rounds = 1 + (self.rounds * draw_fractions(seeds, ROUND_STREAM) ** 2).astype(np.int64)
        drawn: IntArray = np.where(joins, rounds, 0)
        return drawn
