"""Which actions of a root are tried, and how often: sequential halving."""

import numpy as np

from steam_env.agents.search_forest import Forest, Trust, weigh_edges
from steam_env.core.jit import kernel

LEAST, MOST = 4, 16  # actions that are tried at a root
PER_ARM = 8  # evaluations for each of them, more or less
FEWEST_TOGETHER = 8  # simulations of a game that walk together, where fewer actions are left


def count_arms(evaluations: int | None) -> int:
    """How many actions are tried at first with so many evaluations a decision; None: as many as time allows."""
    return MOST if evaluations is None else max(LEAST, min(MOST, evaluations // PER_ARM))


class Arms:
    """The actions at the root of each game that are still tried.

    All of them are tried alike, and share their redeals. After each of about equally long phases the worse half is
    dropped, so that the last phase is a comparison of two (Karnin et al. 2013, sequential halving).

    Attributes:
        edges: (n, most) int32, edges of each root.
        counts: (n,) int64, how many of them are left: the first ones.
        rounds: (n,) int64, simulations that each arm has had.
    """

    def __init__(self, forest: Forest, roots: np.ndarray, trust: Trust, most: int) -> None:
        self.counts = forest.length[roots].astype(np.int64)
        self.edges = forest.first[roots][:, None] + np.arange(int(self.counts.max(initial=1)), dtype=np.int32)
        self.rounds = np.zeros(len(roots), np.int64)
        self._roots, self._trust = roots, trust
        self._scores = np.zeros(self.edges.shape[1])
        self._first = np.minimum(self.counts, most)
        self._phases = np.maximum(np.ceil(np.log2(self._first)), 1)
        self._keep(forest, self._first)

    def halve(self, forest: Forest, progress: np.ndarray) -> None:
        """Keep as many as there shall be after a part (n,) of the budget, from 0 to 1."""
        passed = np.floor(np.minimum(progress, 1) * self._phases)
        self._keep(forest, np.maximum(np.ceil(self._first / 2**passed), 2).astype(np.int64))

    def choose(self, forest: Forest) -> np.ndarray:
        """(n,) int64, the best edge of each root, by prior and value."""
        self._keep(forest, np.ones(len(self._roots), np.int64))
        return self.edges[:, 0].astype(np.int64)

    def list_next(self, games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The simulations of some games that walk together next: (s,) game, edge, and number of its redeal."""
        repeats = np.maximum(FEWEST_TOGETHER // self.counts[games], 1)
        walks = self.counts[games] * repeats
        game = np.repeat(games, walks)
        number = np.arange(len(game)) - np.repeat(np.cumsum(walks) - walks, walks)
        redeal, arm = np.divmod(number, self.counts[game])
        redeal += self.rounds[game]
        self.rounds[games] += repeats
        return game, self.edges[game, arm], redeal

    def _keep(self, forest: Forest, targets: np.ndarray) -> None:
        keep_best(forest, self._roots, self.edges, self.counts, targets, self._trust, self._scores)


@kernel
def keep_best(
    forest: Forest,
    roots: np.ndarray,
    edges: np.ndarray,
    counts: np.ndarray,
    targets: np.ndarray,
    trust: Trust,
    scores: np.ndarray,
) -> None:
    """Put the ``targets`` (n,) best arms of each game first, the best one first, and forget the others.

    Of arms with equal scores the first one stays the first.
    """
    for game in range(roots.shape[0]):
        if counts[game] <= targets[game]:
            continue
        weigh_edges(forest, roots[game], trust, scores)
        first = forest.first[roots[game]]
        for place in range(targets[game]):
            best = place
            for other in range(place + 1, counts[game]):
                if scores[edges[game, other] - first] > scores[edges[game, best] - first]:
                    best = other
            held = edges[game, best]
            for other in range(best, place, -1):
                edges[game, other] = edges[game, other - 1]
            edges[game, place] = held
        counts[game] = targets[game]
