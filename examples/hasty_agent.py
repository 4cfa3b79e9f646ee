"""An agent of one's own, for the ladder: hasty, it fulfils whatever contract it can, and builds what it can.

It needs no place in this repository. ``python evaluate.py examples/hasty_agent.py:HastyAgent --against random`` plays
a match of it, and ``python evaluate.py ladder --add examples/hasty_agent.py:HastyAgent`` puts it on the ladder.
"""

import numpy as np

from steam_env import View
from steam_env.core.steam_power.actions import BLOCKS, NUM_ACTIONS

WEIGHTS = {"build": 30.0, "fulfil": 1000.0}  # all other actions: 1


class HastyAgent:
    """Chooses at random, but contracts that can be fulfilled before all else, and factories before the rest.

    Attributes:
        encoding: None, as it looks at no observation: the mask of legal actions is enough.
    """

    encoding: str | None = None

    def __init__(self) -> None:
        self.weights = np.ones(NUM_ACTIONS)
        for block in BLOCKS:
            self.weights[block.start : block.start + block.length] = WEIGHTS.get(block.name, 1.0)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin new games: all chance comes from this seed."""
        self.rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, a legal action for each of n games: the largest of weighted draws (Gumbel's trick)."""
        scores = np.log(self.weights) + self.rng.gumbel(size=masks.shape)
        return np.asarray(np.where(masks, scores, -np.inf).argmax(axis=1))
