"""The league: the latest policy and past ones, as opponents in the learner's games."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from steam_env.agents.trained import draw_actions, judge
from steam_env.encoding import Observations
from steam_env.envs.pool import Pool

LATEST = "latest"


class NetworkOpponent:
    """A net as a policy ``(observations, masks) -> actions`` that draws its actions.

    Attributes:
        network: the net that judges; to be set before the policy is asked.
    """

    network: Any

    def __init__(self, seed: int, encoding: str) -> None:
        self.encoding = encoding
        self._rng = np.random.default_rng(seed)

    def __call__(self, observations: Observations, masks: np.ndarray) -> np.ndarray:
        """(n,) int64 legal actions."""
        return draw_actions(judge(self.network, observations, masks)[0], masks, self._rng)


class League:
    """A pool whose member `latest` is the learner itself, and whose other members are past states of it.

    Args:
        most: past policies at most; the oldest but the first leaves.
        latest: how often the latest is drawn, against all past ones together.
        seed: what they draw follows from it.
        encoding: what they look at.

    Attributes:
        latest: the learner as it is now, as an opponent.
        pool: all of them.
    """

    def __init__(self, most: int, latest: float, seed: int, encoding: str) -> None:
        self._encoding = encoding
        self._most, self._latest_share = most, latest
        self._seeds = np.random.default_rng(seed)
        self._names: list[str] = []
        self.latest = NetworkOpponent(int(self._seeds.integers(2**32)), self._encoding)
        self.pool = Pool({LATEST: self.latest})

    def follow(self, network: Any) -> None:
        """Let this be the learner's net, which changes while it learns."""
        self.latest.network = network

    @property
    def past(self) -> list[str]:
        """The names of the past policies, the oldest first."""
        return list(self._names)

    def remember(self, name: str) -> None:
        """Add a copy of the learner as it is now to the past policies."""
        past = NetworkOpponent(int(self._seeds.integers(2**32)), self._encoding)
        past.network = copy.deepcopy(self.latest.network).requires_grad_(False)
        self.pool.add(name, past)
        self._names.append(name)
        if len(self._names) > self._most:
            self.pool.remove(self._names.pop(1 if len(self._names) > 1 else 0))
        share = (1.0 - self._latest_share) / len(self._names)
        self.pool.reweight({LATEST: self._latest_share, **dict.fromkeys(self._names, share)})
