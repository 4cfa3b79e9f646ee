"""Who plays the other player seats: agents, given as objects, as what makes them, or as functions."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from steam_env.data.steam_power.rules import MIN_SEATS, Rules
from steam_env.encoding import Observations, pick
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.options import to_integer
from steam_env.envs.table import Table
from steam_env.kit.checks import as_integer, look_up
from steam_env.kit.errors import IllegalActionError
from steam_env.table.view import View
from steam_env.words.seats import name_seat

if TYPE_CHECKING:
    from steam_env.agents.base import Agent

PolicyFunction: TypeAlias = Callable[[View, np.ndarray, np.random.Generator], int]
BatchPolicy: TypeAlias = Callable[[Any, np.ndarray], np.ndarray]  # Any: an array, or arrays by name
Opponent: TypeAlias = "Agent | Callable[[], Agent] | BatchPolicy | PolicyFunction"

DEFAULT_ENCODING = "flat"  # what a policy sees that does not say what it wants
ALLOWED = (
    "an agent (an object with act and reset), a class or function without arguments that makes one, "
    "a policy (observations, masks) -> actions, a function (view, mask, rng) -> action, or a list of these is allowed"
)


class PolicyAgent:
    """A policy ``(observations, masks) -> actions`` as an agent, without memory: one serves every seat.

    It gets observations, an array (n, ...) or a dict of such arrays, in the encoding that its attribute ``encoding``
    names, by default `flat`, and masks (n, 372) bool, and returns (n,) integers, legal actions.
    """

    encoding: str | None

    def __init__(self, policy: BatchPolicy) -> None:
        self.change(policy)

    def change(self, policy: BatchPolicy) -> None:
        """Let another policy choose from now on."""
        self.policy = policy
        self.encoding = getattr(policy, "encoding", None) or DEFAULT_ENCODING

    def reset(self, seed: int) -> None:
        """Nothing is remembered; a policy that draws has a generator of its own."""

    def act(self, observations: Observations | None, masks: np.ndarray, views: View | None) -> np.ndarray:
        """(n,) integers, the policy's choices; it is not told the views."""
        assert observations is not None  # as there is an encoding
        return np.asarray(self.policy(observations, masks))


class FunctionAgent:
    """A function ``(view, mask, rng) -> action`` as an agent.

    The function gets a ``View`` of one game, the mask (372,) bool, and a generator that is fixed by ``reset``.
    """

    encoding: str | None = None

    def __init__(self, function: PolicyFunction) -> None:
        self.function = function
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Choose anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(1,) int64, the function's choice in the only game."""
        return np.array([to_integer(self.function(views, masks[0], self._rng))], np.int64)


# --- how many --------------------------------------------------------------------------------------------


def count_named(opponents: object) -> int:
    """How many seats the option asks for at least: one for each of a list, else one; ``None`` for none."""
    if opponents is None:
        return 0
    return len(opponents) if isinstance(opponents, list | tuple) else 1


def seat_everybody(rule_fields: Mapping[str, Any], opponents: object) -> Rules:
    """The rules by fields, with what is left out of the seats: enough for all, and Automas where no agent is named.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """
    fields = dict(rule_fields)
    if fields.get("mode") == "solo":
        return Rules(**fields)
    if opponents is None and "automas" not in fields and fields.get("edition") != "preview":
        rules = Rules(**fields)
        return replace(rules, automas=rules.seats - 1)
    if fields.get("num_players") is None:
        automas = as_integer(fields.get("automas", 0), "automas")
        fields["num_players"] = max(MIN_SEATS, 1 + count_named(opponents) + automas)
    return Rules(**fields)


# --- who -------------------------------------------------------------------------------------------------


def make_opponents(opponents: object, seats: int) -> list[Agent]:
    """A fresh agent for each of so many seats: one for all of them, or a list with one for each.

    Raises:
        ValueError: for another number of them, or something that is no agent and makes none.
    """
    if opponents is None:
        if seats:
            raise ValueError(
                f"opponents=None: agents are needed for {seats} other player seats; automas= lets Automas play"
            )
        return []
    given = opponents if isinstance(opponents, list | tuple) else [opponents] * max(seats, 1)
    if len(given) != seats:
        raise ValueError(f"opponents={opponents!r}: there are {seats} other player seats")
    return [make_opponent(one) for one in given]


def make_opponent(given: Any) -> Agent:
    """A fresh agent.

    Raises:
        ValueError: for something that is no agent and makes none, or an agent that wants an unknown encoding.
    """
    agent: Agent = _make_agent(given)
    if not (callable(getattr(agent, "act", None)) and callable(getattr(agent, "reset", None))):
        raise ValueError(f"opponents={given!r}: {ALLOWED}")
    encoding = encoding_of(agent)
    if encoding is not None:
        look_up(ENCODINGS, f"encoding of {name_opponent(agent)}", encoding)
    return agent


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


def encoding_of(agent: Agent) -> str | None:
    """The encoding that the agent wants to see; ``None`` if it looks at views only."""
    return getattr(agent, "encoding", None)


def name_opponent(agent: Agent) -> str:
    """Its class, or the name of its function."""
    if isinstance(agent, FunctionAgent | PolicyAgent):
        function = agent.policy if isinstance(agent, PolicyAgent) else agent.function
        return getattr(function, "__name__", type(function).__name__)
    return type(agent).__name__


# --- what they do ----------------------------------------------------------------------------------------


def play_opponent(table: Table, agent: Agent) -> None:
    """Let the agent decide for the mover: it gets observation, mask and view of this seat, in arrays of its own.

    Raises:
        IllegalActionError: naming the opponent, if its answer is no legal action. The game is not changed.
    """
    seat = table.mover
    encoding = encoding_of(agent)
    observations = None if encoding is None else pick(table.observe(seat, encoding), np.newaxis)
    try:
        actions = agent.act(observations, table.game.mask[np.newaxis].copy(), table.game.view(seat))
        table.advance(_read_answer(actions))
    except IllegalActionError as error:
        raise IllegalActionError(f"opponent {name_opponent(agent)} on {name_seat(seat)}: {error}") from None


def _read_answer(actions: object) -> int:
    answers = np.asarray(actions)
    if answers.shape != (1,):
        raise IllegalActionError(f"act must return one action for one game, an array (1,), not {actions!r}")
    return to_integer(answers[0])
