"""Games of a match, move by move, with what the players thought: for replays and data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steam_env.agents import Agent, ExplainingAgent, Explanation, Plan
from steam_env.encoding import Observations, pick
from steam_env.kit.errors import AnswerError
from steam_env.kit.show import describe
from steam_env.spec import Setting
from steam_env.table.asking import call
from steam_env.table.game import Game, game_class_of
from steam_env.table.lines import tell_line
from steam_env.table.notes import LINE, PROBABILITIES, VALUE, VALUES, VISITS
from steam_env.table.view import View

TOLERANCE = 1e-3  # by which a probability may be above 1: rounding


@dataclass(frozen=True)
class Thought:
    """What a mover thought at a decision: probabilities by action id, the value that it expects, and what it plans."""

    probabilities: dict[int, float] | None
    value: float | None
    plan: Plan | None = None

    def write(self, game: Game) -> dict[str, Any]:
        """The thought in the form of ``steam_env.table.notes``, in the words of the game's position."""
        entry: dict[str, Any] = {}
        if self.probabilities is not None:
            entry[PROBABILITIES] = {game.text(action): share for action, share in self.probabilities.items()}
        if self.value is not None:
            entry[VALUE] = self.value
        if self.plan is not None:
            entry[VISITS] = {game.text(action): count for action, count in self.plan.visits.items()}
            entry[VALUES] = {game.text(action): value for action, value in self.plan.values.items()}
            entry[LINE] = tell_line(game, self.plan.line)
        return entry


@dataclass(frozen=True)
class RecordedGame:
    """A game of a match, move by move: with the rules and its seed it can be played again.

    Attributes:
        deal, rotation: which game of the match it is.
        seed: of the deal.
        players: by seat, who sat there.
        actions: ids, in order.
        thoughts: one for each action; None where the agent does not tell.
    """

    deal: int
    rotation: int
    seed: int
    players: tuple[str, ...]
    actions: list[int] = field(default_factory=list)
    thoughts: list[Thought | None] = field(default_factory=list)

    def play_again(self, setting: Setting) -> tuple[Game, list[dict[str, Any] | None]]:
        """Play the game again; returns it, and what its players thought in the form of ``steam_env.table.notes``."""
        game = game_class_of(setting)(setting.rules, self.seed)
        policy = []
        for action, thought in zip(self.actions, self.thoughts, strict=True):
            policy.append(None if thought is None else thought.write(game))
            game.step(action)
        return game, policy


class Recorder:
    """Fills the records of some of the games on a table; ``games`` holds them by their number there."""

    def __init__(self, games: dict[int, RecordedGame]) -> None:
        self.games = games

    def note_actions(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Note the actions that are about to be played in the games ``rows``."""
        for place, game in self._find(rows):
            game.actions.append(int(actions[place]))

    def note_thoughts(
        self,
        agent: Agent,
        observations: Observations | None,
        rows: NDArray[np.int64],
        masks: NDArray[np.bool_],
        view: View,
    ) -> None:
        """Note what the agent thinks in the games ``rows``, in which it is about to choose.

        Raises:
            AgentError: if an ``ExplainingAgent`` fails, or answers with what is no probability or value.
        """
        found = self._find(rows)
        if not found:
            return
        places = np.array([place for place, _ in found])
        told = Explanation(None, None)
        if isinstance(agent, ExplainingAgent):
            shown = None if observations is None else pick(observations, places)
            told = ask_thoughts(agent, shown, masks[places], view.take(places))
        for number, (place, game) in enumerate(found):
            game.thoughts.append(_make_thought(told, number, masks[place]))

    def _find(self, rows: NDArray[np.int64]) -> list[tuple[int, RecordedGame]]:
        """Those of the games that are recorded, each with its place among ``rows``."""
        if not self.games:
            return []
        return [(place, self.games[row]) for place, row in enumerate(rows.tolist()) if row in self.games]


@dataclass(frozen=True)
class Plays:
    """All games that were played on a table, with every decision.

    Attributes:
        seeds: (games,) int64, of the deals.
        deals, rotations: (games,) int64, which games of the match they are.
        players: (games, player seats) int64, by seat, the number of the agent in the match.
        starts: (games + 1,) int64, where each game's decisions begin in the arrays below; its last number is their end.
        actions: (decisions,) int64.
        probabilities: (decisions,) float64, with which the agent chose the action; NaN where it does not tell.
    """

    seeds: NDArray[np.int64]
    deals: NDArray[np.int64]
    rotations: NDArray[np.int64]
    players: NDArray[np.int64]
    starts: NDArray[np.int64]
    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64]


class Trace:
    """Notes every decision on a table, in a few bytes each."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.int32]] = []
        self._actions: list[NDArray[np.int16]] = []
        self._probabilities: list[NDArray[np.float32]] = []

    def ask(
        self, agent: Agent, observations: Observations | None, masks: NDArray[np.bool_], view: View
    ) -> np.ndarray | None:
        """(n, actions) with which probability the agent is about to choose each action; None if it does not tell.

        A policy that ``is_greedy`` weighs its actions by these, and then chooses the likeliest for certain: ``note``
        knows that.

        Raises:
            AgentError: if an ``ExplainingAgent`` fails, or answers with what is no probability or value.
        """
        if not isinstance(agent, ExplainingAgent):
            return None
        return ask_thoughts(agent, observations, masks, view).probabilities

    def note(self, agent: Agent, rows: NDArray[np.int64], actions: NDArray[np.int64], told: np.ndarray | None) -> None:
        """Note what the agent chose in the games ``rows``, and the probabilities that it told before.

        Raises:
            AnswerError: if it told of a probability that is none.
        """
        chosen = np.full(len(rows), np.nan) if told is None else told[np.arange(len(rows)), actions]
        if getattr(agent, "is_greedy", False):
            chosen = np.ones(len(rows))
        self._rows.append(rows.astype(np.int32))
        self._actions.append(actions.astype(np.int16))
        self._probabilities.append(np.minimum(chosen, 1).astype(np.float32))

    def close(
        self,
        seeds: NDArray[np.int64],
        deals: NDArray[np.int64],
        rotations: NDArray[np.int64],
        players: NDArray[np.int64],
    ) -> Plays:
        """End the trace; returns all that was noted, game by game."""
        rows = np.concatenate(self._rows)
        order = np.argsort(rows, kind="stable")  # within a game as they were played
        counts = np.bincount(rows, minlength=len(seeds))
        return Plays(
            seeds,
            deals,
            rotations,
            players,
            np.concatenate([[0], counts.cumsum()]),
            np.concatenate(self._actions)[order].astype(np.int64),
            np.concatenate(self._probabilities)[order].astype(np.float64),
        )


def ask_thoughts(
    agent: ExplainingAgent, observations: Observations | None, masks: NDArray[np.bool_], view: View
) -> Explanation:
    """What an agent tells of its thoughts: of the shapes that they must have, with finite numbers.

    Raises:
        AgentError: if it fails, or answers with what is no probability, value or plan.
    """
    probabilities, values, plans = call("explain", lambda: _explain(agent, observations, masks, view))
    if probabilities is not None:
        _check_shape(agent, "probabilities", probabilities, masks.shape)
        wrong = masks & ~((probabilities >= 0) & (probabilities <= 1 + TOLERANCE))
        _refuse(agent, "probability", probabilities[wrong], "of its action: 0 to 1 are allowed")
    if values is not None:
        _check_shape(agent, "values", values, (len(masks),))
        _refuse(agent, "value", values[~np.isfinite(values)], "of its position: finite numbers are allowed")
    if plans is not None:
        _check_plans(agent, plans, masks)
    return Explanation(probabilities, values, plans)


def _explain(
    agent: ExplainingAgent, observations: Observations | None, masks: NDArray[np.bool_], view: View
) -> Explanation:
    """The answer, with arrays of numbers."""
    probabilities, values, plans = Explanation(*agent.explain(observations, masks.copy(), view))
    shares, worths = (None if told is None else np.asarray(told, np.float64) for told in (probabilities, values))
    return Explanation(shares, worths, None if plans is None else [_copy_plan(agent, plan) for plan in plans])


def _copy_plan(agent: Agent, plan: object) -> Plan | None:
    """A plan of plain numbers."""
    if plan is None:
        return None
    if not isinstance(plan, Plan):
        raise AnswerError(f"{type(agent).__name__}.explain: each plan must be None or a Plan, not {describe(plan)}")
    counts = {int(action): int(count) for action, count in plan.visits.items()}
    values = {int(action): float(value) for action, value in plan.values.items()}
    return Plan(counts, values, tuple(map(int, plan.line)))


def _check_plans(agent: Agent, plans: Sequence[Plan | None], masks: NDArray[np.bool_]) -> None:
    """Refuse plans that are not one for each decision, or that hold other actions than legal ones."""
    if len(plans) != len(masks):
        raise AnswerError(f"{type(agent).__name__}.explain: {len(plans)} plans for {len(masks)} decisions")
    for plan, mask in zip(plans, masks, strict=True):
        if plan is None:
            continue
        legal = set(np.flatnonzero(mask).tolist())
        if not (plan.line and legal.issuperset([*plan.visits, *plan.values, plan.line[0]])):
            raise AnswerError(f"{type(agent).__name__}.explain: a plan begins with, and tells of, legal actions alone")
        worths = np.array(list(plan.values.values()), np.float64)
        _refuse(agent, "value", worths[~np.isfinite(worths)], "of an action: finite numbers are allowed")


def _check_shape(agent: Agent, name: str, answer: np.ndarray, needed: tuple[int, ...]) -> None:
    if answer.shape != needed:
        raise AnswerError(
            f"{type(agent).__name__}.explain: {name} of shape {answer.shape}: None or shape {needed} is allowed"
        )


def _refuse(agent: Agent, name: str, wrong: np.ndarray, words: str) -> None:
    """Refuse the first of the numbers that are wrong, if there are any."""
    if len(wrong):
        raise AnswerError(f"{type(agent).__name__}.explain: {name} {wrong[0]} {words}")


def _make_thought(told: Explanation, row: int, mask: NDArray[np.bool_]) -> Thought | None:
    """The thought behind one of the decisions; None if nothing was told of it."""
    shares, value = told.probabilities, told.values
    plan = None if told.plans is None else told.plans[row]
    if shares is None and value is None and plan is None:
        return None
    table = None if shares is None else {action: float(shares[row, action]) for action in np.flatnonzero(mask).tolist()}
    return Thought(table, None if value is None else float(value[row]), plan)
