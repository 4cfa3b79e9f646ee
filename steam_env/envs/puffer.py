"""``SteamPufferEnv``: many games as one native environment of PufferLib, which must be installed.

import pufferlib.vector
from steam_env.envs.puffer import SteamPufferEnv

games = pufferlib.vector.make(SteamPufferEnv, num_envs=1, env_kwargs={"num_games": 1024, "encoding": "flat:tight"})
"""

from __future__ import annotations

from typing import Any

import numpy as np
from pufferlib import PufferEnv

from steam_env.envs.buffers import SteamBuffers, Told


class SteamPufferEnv(PufferEnv):  # type: ignore[misc, unused-ignore]  # a checkout need not have it
    """Many games of ``SteamBuffers`` in the arrays that PufferLib hands out.

    Args:
        num_games: how many; PufferLib counts them as agents.
        buf, seed: given by PufferLib.
        options: those of ``SteamBuffers``.

    Attributes:
        games: the games; ``games.action_masks`` (n, actions) bool are the legal actions, also in ``action_masks``.
    """

    def __init__(self, num_games: int = 1, buf: Any = None, seed: int | None = None, **options: Any) -> None:
        self.games = SteamBuffers(num_games, seed=seed, **options)
        self.single_observation_space = self.games.single_observation_space
        self.single_action_space = self.games.single_action_space
        self.num_agents = self.games.num_agents
        super().__init__(buf)
        for name in ("observations", "rewards", "terminals", "truncations", "masks"):  # what PufferLib has made
            setattr(self.games, name, getattr(self, name))
        self.action_masks = self.games.action_masks

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, Any]]]:
        """Begin all games, see ``SteamBuffers.reset``."""
        return self.games.reset(seed)

    def step(self, actions: np.ndarray) -> Told:
        """Play the learners' actions, see ``SteamBuffers.step``."""
        return self.games.step(actions)

    def close(self) -> None:
        """Do nothing: nothing is open."""
