"""What searches of many games at once teach: how often each action was tried, and how likely each is afterwards.

A ``SearchAgent`` tells everything about each decision, and keeps its tree for the next one. A learner wants two rows of
numbers for each of thousands of decisions: they are read from all trees by one kernel, and no tree is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from steam_env.agents.search_budget import Budget, Clock
from steam_env.agents.search_forest import Forest, Trust, weigh_edges
from steam_env.agents.search_judges import Judge
from steam_env.agents.search_run import Search
from steam_env.core.jit import kernel
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.table.view import View


class Found(NamedTuple):
    """What was found about n decisions.

    Attributes:
        visits: (n, actions) int32, simulations that began with each action.
        improved: (n, actions) float32, probabilities after the search: the priors, changed by what was found.
        best: (n,) int64, the action that the search would play.
        spent: (n,) int64, evaluations.
    """

    visits: np.ndarray
    improved: np.ndarray
    best: IntArray
    spent: IntArray


def search_together(
    views: View, masks: BoolArray, judge: Judge, seeds: np.ndarray, evaluations: int, heed: float = 1.0
) -> Found:
    """Search n decisions together, each of which has a choice; what is found about one does not depend on the others.

    Args:
        views: (n,) what the movers see.
        masks: (n, actions) bool, their legal actions.
        judge: judges positions.
        seeds: (n,) uint64, from which the redeals are drawn.
        evaluations: that may be spent on each.
        heed: how much what was found changes the priors in ``improved``, beside how much it does in the search.
    """
    search = Search(views, masks, judge, seeds)
    search.run(Budget(evaluations), Clock())
    visits, improved = np.zeros(masks.shape, np.int32), np.zeros(masks.shape, np.float32)
    trust = judge.trust._replace(scale=judge.trust.scale * heed)
    write_roots(search.forest, search.roots, trust, search.scores, visits, improved)
    best = search.forest.action[search.choose()].astype(np.int64)
    return Found(visits, improved, best, search.spent)


@kernel
def write_roots(
    forest: Forest, roots: np.ndarray, trust: Trust, scores: np.ndarray, visits: np.ndarray, improved: np.ndarray
) -> None:
    """Write visits and improved probabilities (n, actions) of the edges of each root."""
    for game in range(roots.shape[0]):
        best = weigh_edges(forest, roots[game], trust, scores)
        first, length = forest.first[roots[game]], forest.length[roots[game]]
        total = 0.0
        for place in range(length):
            scores[place] = np.exp(scores[place] - best)
            total += scores[place]
        for place in range(length):
            action = forest.action[first + place]
            visits[game, action] = forest.tries[first + place]
            improved[game, action] = scores[place] / total
