"""Pools: mixtures of opponents, one of which is drawn for each other seat of each game."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.envs.opponents import FunctionAgent, Opponent, PolicyAgent, check_encoding, make_opponent
from steam_env.kit.arrays import FloatArray, IntArray
from steam_env.spec import GameSpec

if TYPE_CHECKING:
    from steam_env.agents.base import Agent


@dataclass
class Member:
    """An opponent of a pool.

    Attributes:
        name: what the pool calls it.
        given: what it is made from for each seat.
        policy: the agent that plays all its seats, if it is a policy; else each seat has an agent of its own.
        weight: how often it is drawn, beside those of the others.
        sample: an agent that plays nowhere, to see what it wants.
    """

    name: str
    given: Any
    policy: PolicyAgent | None
    weight: float
    sample: Agent


class Pool:
    """A mixture of opponents: for each other seat of each game one is drawn, by weight, when the game begins.

    It may change at any time: games that begin later draw from what is there then. One that is removed plays its
    games to the end. A policy that is replaced plays on as the new one at once, in games under way too: so the
    latest policy is a member that is replaced after each update.

    Args:
        opponents: by name: agents, what makes them, or policies `(observations, masks) -> actions`.
        weights: by name; those left out are 1. One of weight 0 is not drawn.

    Raises:
        ValueError: for a bad name, opponent or weight, naming it and what is allowed.

    Example:
        >>> from steam_env.agents import GreedyAgent, RandomAgent
        >>> pool = Pool({"random": RandomAgent, "greedy": GreedyAgent}, weights={"random": 3})
        >>> pool.reweight({"random": 0})
        >>> pool.weights
        {'random': 0.0, 'greedy': 1.0}
    """

    def __init__(self, opponents: Mapping[str, Opponent], weights: Mapping[str, float] | None = None) -> None:
        self._members: list[Member | None] = []  # by number; those removed leave a gap
        self._give_habit: Callable[[Agent], Agent] | None = None
        for name, opponent in opponents.items():
            self.add(name, opponent)
        self.reweight(weights or {})

    # --- members ---------------------------------------------------------------------------------------

    @property
    def numbers(self) -> dict[str, int]:
        """The members' numbers by name: in the order in which they were added, none is given twice."""
        return {one.name: number for number, one in self._list()}

    @property
    def weights(self) -> dict[str, float]:
        """The members' weights by name."""
        return {one.name: one.weight for _, one in self._list()}

    def _list(self) -> Iterator[tuple[int, Member]]:
        return ((number, one) for number, one in enumerate(self._members) if one is not None)

    def _find(self, name: object) -> int:
        if not isinstance(name, str) or name not in self.numbers:
            raise ValueError(f"{name!r} is not in the pool: there are {', '.join(map(repr, self.numbers)) or 'none'}")
        return self.numbers[name]

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, name: object) -> bool:
        return name in self.numbers

    def __repr__(self) -> str:
        return f"Pool({', '.join(f'{name}: {weight:g}' for name, weight in self.weights.items())})"

    # --- changes -----------------------------------------------------------------------------------------

    def add(self, name: str, opponent: Opponent, weight: float = 1.0) -> int:
        """Add an opponent.

        Returns:
            its number, which infos name it by.

        Raises:
            ValueError: if the name is taken, or for a bad opponent or weight.
        """
        if not isinstance(name, str) or name in self:
            taken = ", ".join(map(repr, self.numbers)) or "none"
            raise ValueError(f"name={name!r}: a text that is not taken is allowed; taken are {taken}")
        agent = make_opponent(opponent)
        if isinstance(agent, FunctionAgent):
            raise ValueError(
                f"opponents={opponent!r}: a function (view, mask, rng) answers for one game at a time; "
                "among many games a policy (observations, masks) -> actions or an agent is allowed"
            )
        policy = agent if isinstance(agent, PolicyAgent) else None
        self._members.append(Member(name, opponent, policy, _check_weight(name, weight), agent))
        return len(self._members) - 1

    def replace(self, name: str, policy: Opponent) -> None:
        """Let another policy play as this member from now on.

        Raises:
            ValueError: if there is no such member, or it or the new one is no policy.
        """
        member = self._members[self._find(name)]
        fresh = make_opponent(policy)
        if member is None or member.policy is None or not isinstance(fresh, PolicyAgent):
            raise ValueError(f"{name!r}={policy!r}: only a policy may take the place of a policy")
        member.policy.change(fresh.policy)

    def remove(self, name: str) -> None:
        """Remove a member: it is drawn no more, and plays its games to the end.

        Raises:
            ValueError: if there is no such member.
        """
        self._members[self._find(name)] = None

    def reweight(self, weights: Mapping[str, float]) -> None:
        """Set the weights of some members.

        Raises:
            ValueError: if there is no such member, or for a weight that is no finite number of at least 0.
        """
        checked = [(self._find(name), _check_weight(name, weight)) for name, weight in weights.items()]
        for number, weight in checked:
            self.get(number).weight = weight

    def vary(self, give_habit: Callable[[Agent], Agent]) -> Pool:
        """A pool with the members of this one, now and later, each of which plays with a habit.

        Args:
            give_habit: makes of an agent one that has the habit.
        """
        varied = copy.copy(self)  # the list of the members is shared
        varied._give_habit = give_habit
        return varied

    def check_encodings(self, spec: GameSpec) -> None:
        """Refuse members that want an encoding which the game has not.

        Raises:
            ValueError: naming the first of them, and the encodings that there are.
        """
        for _, member in self._list():
            check_encoding(member.sample, spec)

    # --- draws -------------------------------------------------------------------------------------------

    def get(self, number: int) -> Member:
        """The member with this number.

        Raises:
            ValueError: if it has been removed.
        """
        member = self._members[number]
        if member is None:
            raise ValueError(f"number {number} is not in the pool: there are {self.numbers}")
        return member

    def make(self, number: int) -> Agent:
        """The agent that plays a seat, or all seats, as the member with this number.

        Raises:
            ValueError: if it has been removed.
        """
        member = self.get(number)
        agent = member.policy or make_opponent(member.given)
        return agent if self._give_habit is None else self._give_habit(agent)

    def has(self, number: int) -> bool:
        """Whether the member with this number has not been removed."""
        return self._members[number] is not None

    def draw(self, fractions: FloatArray) -> IntArray:
        """(n,) numbers of members, for fractions (n,) from 0 to below 1.

        Raises:
            ValueError: if there is nobody to draw.
        """
        drawable = [(number, one.weight) for number, one in self._list() if one.weight > 0]
        if not drawable:
            raise ValueError(f"{self!r} has nobody to draw: one member at least needs a weight above 0")
        numbers = np.array([number for number, _ in drawable])
        bounds = np.cumsum([weight for _, weight in drawable])
        places = np.searchsorted(bounds, fractions * bounds[-1], side="right")
        drawn: IntArray = numbers[np.minimum(places, len(numbers) - 1)]
        return drawn


def _check_weight(name: str, weight: object) -> float:
    fine = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
    if not fine or not math.isfinite(weight) or weight < 0:  # type: ignore[arg-type, operator]
        raise ValueError(f"weight {weight!r} of {name!r}: a finite number of at least 0 is allowed")
    return float(weight)  # type: ignore[arg-type]
