"""A player that chooses uniformly at random among the legal actions."""

import numpy as np

from steam_env.core.sampling import pick_legal
from steam_env.table.view import View


class RandomAgent:
    """An agent to which every legal action is equally likely."""

    encoding: str | None = None

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Choose anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, a legal action of each game."""
        actions = np.empty(len(masks), np.int64)
        pick_legal(masks, self._rng.random(len(masks)), actions)
        return actions

    def explain(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> tuple[np.ndarray, None]:
        """(n, actions) float64, with which probability each action is chosen; it expects no value."""
        return masks / masks.sum(axis=1, keepdims=True), None
