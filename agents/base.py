"""What an agent is, and what it may tell about itself."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

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


class Plan(NamedTuple):
    """What an agent that thinks ahead has found out about one decision.

    Attributes:
        visits: by action id, how often it was tried; those that never were are left out.
        values: by action id, what that came to for the mover, in the agent's own unit.
        line: what the agent expects from here on, action ids in the order of play; decisions without a choice may be
            left out.
    """

    visits: Mapping[int, int]
    values: Mapping[int, float]
    line: Sequence[int]


class Explanation(NamedTuple):
    """The thoughts behind n decisions; None for what an agent has not.

    Attributes:
        probabilities: (n, actions) float, of the actions: 0 to 1, together at most 1. Those of legal ones are shown.
        values: (n,) float, what the movers expect, finite, in the agent's own unit.
        plans: n plans; None in place of one where nothing was planned.
    """

    probabilities: np.ndarray | None
    values: np.ndarray | None
    plans: Sequence[Plan | None] | None = None


@runtime_checkable
class ExplainingAgent(Agent, Protocol):
    """An agent that also tells what it thinks: replays show its probabilities as bars, its value, and its plan.

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

    def explain(
        self, observations: Any, masks: np.ndarray, views: View
    ) -> Explanation | tuple[np.ndarray | None, np.ndarray | None]:
        """The thoughts behind what ``act`` is about to choose; asking changes nothing that ``act`` answers.

        Args:
            observations: as for ``act``, but of those games alone that are recorded.
            masks: the same.
            views: the same.

        Returns:
            an ``Explanation``, or its probabilities and values alone.
        """
        ...


@runtime_checkable
class VaryingAgent(Agent, Protocol):
    """An agent that plays each game in a way of its own, such as with another habit.

    Optional: having the method is enough. Vector environments tell it, right before ``act``.
    """

    def vary(self, chances: np.ndarray) -> None:
        """Be told for each game of the next ``act`` a number, from which follows what the agent varies.

        Args:
            chances: (n,) float64, uniform from 0 to below 1, at each decision of a seat in a game the same. They tell
                nothing of what is hidden.
        """
        ...


@runtime_checkable
class SteadyAgent(Agent, Protocol):
    """An agent that answers each position by itself: it remembers nothing, draws nothing, and heeds no company.

    Optional: having the attribute is enough. Matches ask one of those that are twins for all of them together.

    Attributes:
        twin: equal for agents that answer alike, whoever of them is asked; ``None`` for one that is not steady.
    """

    twin: Hashable | None


class Fault(NamedTuple):
    """What an agent did wrong in a game, which it has lost by that."""

    game: int  # by the number that ``follow`` told
    message: str


@runtime_checkable
class FollowingAgent(Agent, Protocol):
    """An agent that is told which game is which, and may lose one by a fault of its own, such as a program's.

    Optional: having these methods is enough. Matches tell it, and after a fault it answers with legal actions, too, as
    the others play the game to its end. Where nobody tells it, each decision is a game of its own, and ``act`` raises.
    """

    def prepare(self) -> None:
        """Make sure that it can play.

        Raises:
            ValueError: saying why it cannot.
        """
        ...

    def follow(self, games: np.ndarray) -> None:
        """Be told the numbers (n,) of the games of the next ``act``, the same at each decision of a game."""
        ...

    def take_faults(self) -> list[Fault]:
        """The faults since the last time that they were asked for."""
        ...

    def end_games(self, games: np.ndarray, results: Sequence[Mapping[str, Any]]) -> None:
        """Be told how games (n,) ended: of each the points by seat, ``scores``, and the ``winners``."""
        ...

    def close(self) -> None:
        """End whatever runs for it: the games are over."""
        ...
