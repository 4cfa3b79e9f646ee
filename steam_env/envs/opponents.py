"""Opponents of a learner: agents, given as objects, as what makes them, or as functions that choose."""

from __future__ import annotations

import copy
from collections.abc import Callable
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from steam_env.encoding import Observations
from steam_env.kit.forms import split_form
from steam_env.spec import GameSpec
from steam_env.table.asking import FIRST_ENCODING, encoding_of
from steam_env.table.view import View

if TYPE_CHECKING:
    from steam_env.agents.base import Agent

PolicyFunction: TypeAlias = Callable[[View, np.ndarray, np.random.Generator], int]
BatchPolicy: TypeAlias = Callable[[Any, np.ndarray], np.ndarray]  # Any: an array, or arrays by name
Opponent: TypeAlias = "Agent | Callable[[], Agent] | BatchPolicy | PolicyFunction"

ALLOWED = (
    "an agent (an object with act and reset), a class or function without arguments that makes one, "
    "a policy (observations, masks) -> actions, a function (view, mask, rng) -> action, or a list of these is allowed"
)


class PolicyAgent:
    """A policy ``(observations, masks) -> actions`` as an agent, without memory: one serves every seat.

    It gets observations, an array (n, ...) or a dict of such arrays, in the encoding that its attribute ``encoding``
    names, by default the game's first, and masks (n, actions) bool, and returns (n,) integers, legal actions.
    """

    encoding: str | None
    needs_views = False  # they take time to make

    def __init__(self, policy: BatchPolicy) -> None:
        self.change(policy)

    def change(self, policy: BatchPolicy) -> None:
        """Let another policy choose from now on."""
        self.policy = policy
        self.encoding = getattr(policy, "encoding", None) or FIRST_ENCODING

    def reset(self, seed: int) -> None:
        """Do nothing: a policy remembers nothing, and one that draws has a generator of its own."""

    def act(self, observations: Observations | None, masks: np.ndarray, views: View | None) -> np.ndarray:
        """(n,) integers, the policy's choices; it is not told the views."""
        assert observations is not None  # as there is an encoding
        return np.asarray(self.policy(observations, masks))


class FunctionAgent:
    """A function ``(view, mask, rng) -> action`` as an agent.

    The function gets a ``View`` of one game, the mask (actions,) bool, and a generator that is fixed by ``reset``.
    """

    encoding: str | None = None

    def __init__(self, function: PolicyFunction) -> None:
        self.function = function
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Choose anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(1,) the function's choice in the only game."""
        return np.asarray([self.function(views, masks[0], self._rng)])


# --- making agents ---------------------------------------------------------------------------------------


def make_opponents(opponents: object, seats: int) -> list[Agent]:
    """A fresh agent for each of so many seats, from one opponent for all of them or a list with one for each.

    Raises:
        ValueError: for another number of them, or something that is no agent and makes none.
    """
    if opponents is None:
        if seats:
            raise ValueError(
                f"opponents=None: agents are needed for {seats} other player seats; "
                "they may be left to scripted opponents where the rules know any"
            )
        return []
    given = opponents if isinstance(opponents, list | tuple) else [opponents] * max(seats, 1)
    if len(given) != seats:
        raise ValueError(f"opponents={opponents!r}: there are {seats} other player seats")
    return [make_opponent(one) for one in given]


def make_opponent(given: Any) -> Agent:
    """A fresh agent.

    Raises:
        ValueError: for something that is no agent and makes none.
    """
    agent: Agent = _make_agent(given)
    if not (callable(getattr(agent, "act", None)) and callable(getattr(agent, "reset", None))):
        raise ValueError(f"opponents={given!r}: {ALLOWED}")
    return agent


def check_encoding(agent: Agent, spec: GameSpec) -> None:
    """Refuse an agent that wants an encoding which the game has not.

    Raises:
        ValueError: naming agent and encoding, and the encodings that there are.
    """
    encoding = encoding_of(agent)
    if encoding not in (None, FIRST_ENCODING):
        split_form(spec.sight.encodings, encoding, f"encoding of {name_opponent(agent)}")


def _make_agent(given: Any) -> Any:
    """A fresh one: made, wrapped, or copied, so that no two seats share an object."""
    if isinstance(given, type):
        return given()
    if callable(getattr(given, "act", None)):
        return copy.deepcopy(given)
    if not callable(given):
        return None
    if _takes(given, 0):
        return given()
    if _takes(given, 2):
        return PolicyAgent(given)
    return FunctionAgent(given) if _takes(given, 3) else None


def _takes(function: Callable[..., Any], count: int) -> bool:
    """Whether it can be called with so many arguments."""
    try:
        signature(function).bind(*[None] * count)
    except (TypeError, ValueError):  # it cannot, or it is written in C and tells nothing
        return False
    return True


def name_opponent(agent: Agent) -> str:
    """The name of an opponent in messages: its class, or its function."""
    if isinstance(agent, FunctionAgent | PolicyAgent):
        function = agent.policy if isinstance(agent, PolicyAgent) else agent.function
        return getattr(function, "__name__", type(function).__name__)
    return type(agent).__name__
