"""What an agent is, and what it may tell about itself."""

from typing import Any, Protocol, runtime_checkable

import numpy as np

from steam_env.table.view import View


class Agent(Protocol):
    """A player of one seat in a batch of games. It sees observations, masks and its own views, never hidden state.

    Attributes:
        encoding: the encoding of the observations that it wants; ``None`` if it does not look at any.
    """

    encoding: str | None

    def reset(self, seed: int) -> None:
        """Begin new games; all chance of the agent comes from ``seed``."""
        ...

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        """Choose an action for each of n games in which the agent's seat is to move.

        Args:
            observations: (n, ...) float32 in the agent's encoding, a dict of arrays where the encoding has more than
                one, or ``None`` if the agent has none.
            masks: (n, actions) bool, the legal actions.
            views: what the mover of each game sees: n records with all that is hidden blanked.

        Returns:
            (n,) int64 legal actions.
        """
        ...


@runtime_checkable
class ExplainingAgent(Agent, Protocol):
    """An agent that also tells what it thinks: replays show its probabilities as bars, and its value.

    Optional: having the method ``explain`` is enough. ``evaluate.py --replays N`` and ``--record`` ask it in the games
    that they write, right before ``act``; nobody asks in other games.

    Example:
        >>> from steam_env.agents import GreedyAgent, RandomAgent
        >>> class Sure(GreedyAgent):
        ...     def explain(self, observations, masks, views):
        ...         return np.eye(masks.shape[1])[self.act(observations, masks, views)], None  # greedy draws nothing
        >>> [isinstance(agent, ExplainingAgent) for agent in (RandomAgent(), GreedyAgent(), Sure())]
        [True, False, True]
    """

    def explain(self, observations: Any, masks: np.ndarray, views: View) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The thoughts behind what ``act`` is about to choose; asking changes nothing that ``act`` answers.

        Args:
            observations: as for ``act``, but of those games alone that are recorded.
            masks: the same.
            views: the same.

        Returns:
            (n, actions) float probabilities of the actions, of which those of legal ones are shown: 0 to 1, together at
            most 1; and (n,) float values that the movers expect, finite, in the agent's own unit. None for what it
            has not.
        """
        ...
