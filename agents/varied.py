"""Agents that play each game with another habit: ``greedy+any``, ``greedy+first``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from steam_env.agents.base import Agent
from steam_env.kit.arrays import IntArray
from steam_env.spec import Deviations
from steam_env.table.view import View

ANY = "any"  # all habits of a game
FAMILY = ":"  # ends the first word of a habit's name, by which all with this word are named


class VariedAgent:
    """An agent with a habit in each game, all of a family alike often.

    All its games are asked for together, of the agent behind it in one call. Which habit a game has follows from what
    ``vary`` tells, or where nobody tells it, all games have one that follows from the seed.

    Args:
        agent: whose habits they are.
        family: their first word, such as ``first``, or ``any`` for all habits.
        deviations: the game's habits.
    """

    def __init__(self, agent: Agent, family: str, deviations: Deviations) -> None:
        self.agent, self.family, self.deviations = agent, family, deviations
        self._names: tuple[str, ...] = ()
        self._habits: dict[int, Any] = {}  # by number of the name, made when it is first drawn
        self._title: object = None  # of the setting that the names are of
        self.reset(0)

    @property
    def encoding(self) -> str | None:
        """The agent's."""
        return self.agent.encoding

    def reset(self, seed: int) -> None:
        """Begin new games."""
        self.agent.reset(seed)
        self._chances = np.random.default_rng(seed).random(1)

    def vary(self, chances: np.ndarray) -> None:
        """Be told for each game of the next ``act`` a number (n,) from 0 to below 1: its habit."""
        self._chances = chances

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, what the agent answers, corrected by the habits."""
        parts = [(habit, rows, views.take(rows)) for habit, rows in self._split(len(masks), views.setting)]
        narrowed = masks.copy()
        for habit, rows, seen in parts:
            narrowed[rows] = habit.narrow(masks[rows], seen)
        actions = np.array(self.agent.act(observations, narrowed, views))
        for habit, rows, seen in parts:
            actions[rows] = habit.correct(actions[rows], masks[rows], seen)
        return actions

    def _split(self, count: int, setting: Any) -> Iterator[tuple[Any, IntArray]]:
        """Each habit that some games have, with the numbers of these games."""
        if self._title != setting.title:
            self._names, self._habits = find_family(self.family, self.deviations, setting), {}
            self._title = setting.title
        numbers = (np.broadcast_to(self._chances, count) * len(self._names)).astype(np.int64)
        for number in np.unique(numbers).tolist():
            if number not in self._habits:
                give = self.deviations.make(self._names[number])
                assert give is not None  # as it is the name of a habit
                self._habits[number] = give(self.agent)
            yield self._habits[number], np.flatnonzero(numbers == number)


def is_family(word: str, deviations: Deviations) -> bool:
    """Whether a word names several habits of a game."""
    firsts = {form.partition(FAMILY)[0] for form in deviations.meanings if FAMILY in form}
    return word == ANY or word in firsts


def find_family(word: str, deviations: Deviations, setting: Any) -> tuple[str, ...]:
    """The names of all habits with this first word that make sense in a setting; ``any``: of all habits.

    Raises:
        ValueError: if there are none.
    """
    names = tuple(name for name in deviations.names(setting) if word in (ANY, name.partition(FAMILY)[0]))
    if not names:
        raise ValueError(f"habits {word!r}: {setting.title} has none of these")
    return names
