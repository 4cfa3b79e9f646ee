"""What an agent is."""

from typing import Protocol

import numpy as np

from steam_env.view import View


class Agent(Protocol):
    """A player of one seat in a batch of games. It sees observations, masks and its own views, never hidden state.

    Attributes:
        encoding: the encoding of the observations that it wants; ``None`` if it does not look at any.
    """

    encoding: str | None

    def reset(self, seed: int) -> None:
        """Begin new games; all chance of the agent comes from ``seed``."""
        ...

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """Choose an action for each of n games in which the agent's seat is to move.

        Args:
            observations: (n, size) float32 in the agent's encoding, or ``None`` if it has none.
            masks: (n, 372) bool, the legal actions.
            views: what the mover of each game sees: n records with all that is hidden blanked.

        Returns:
            (n,) int64 legal actions.
        """
        ...
