"""Teachers: agents, whose choices the learner imitates, and the learner's own search, which it imitates, too.

The search judges by the learner's present net, priors and values, so that both get better by turns (Anthony et al.
2017, expert iteration; Silver et al. 2018). Numbers of seats, Automas and maps may differ among the games that are
searched together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from steam_env.agents import make_agent
from steam_env.agents.base import Agent
from steam_env.agents.masking import draw_legal
from steam_env.agents.search_judges import NetworkJudge
from steam_env.agents.search_lessons import Found, search_together
from steam_env.agents.search_run import hash_views
from steam_env.agents.trained import TrainedAgent
from steam_env.envs.tables import Tables
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.spec import Setting
from steam_env.table.asking import ask, blame
from steam_env.table.engine import load_settings
from steam_env.table.mixture import as_mixture
from steam_env.table.view import View, view_records
from steam_env.training.config import NOBODY, VISITS, TrainConfig


class Lesson(NamedTuple):
    """What a teacher tells about a decision of each of n games.

    Attributes:
        targets: (n, actions) float16, the probabilities that the learner is to have; 0 for what is illegal.
        best: (n,) int64, what the teacher holds to be best.
        played: (n,) int64, what it plays where it leads.
    """

    targets: np.ndarray
    best: IntArray
    played: IntArray


class Teacher(Protocol):
    """Teaches a learner.

    Attributes:
        epochs: how often an update goes through what it teaches.
    """

    epochs: int

    def teach(self, groups: Sequence[Tables], masks: BoolArray) -> Lesson:
        """What it tells about the learners' decisions in the games of all groups, of masks (n, actions) bool."""
        ...

    def take_figures(self) -> dict[str, float]:
        """Figures of what it has taught since the last call, by name."""
        ...


def make_teacher(config: TrainConfig, network: Any) -> Teacher | None:
    """The teacher of a run whose learner is this net; ``None`` for none."""
    if config.teacher == NOBODY:
        return None
    if config.evaluations is None:
        return AgentTeacher(make_agent(config.teacher, config.game), config.teacher)
    return SearchTeacher(config, network)


class AgentTeacher:
    """An agent: the learner is to play what it would. It sees the learners' views.

    Args:
        agent: the agent.
        name: how errors call it.
    """

    epochs = 1  # for it tells as much more as is asked for

    def __init__(self, agent: Agent, name: str) -> None:
        self.agent, self.name = agent, name

    def teach(self, groups: Sequence[Tables], masks: BoolArray) -> Lesson:
        """See ``Teacher.teach``.

        Raises:
            AgentError: naming the teacher.
        """
        parts, start = [], 0
        for tables in groups:
            part, batch = slice(start, start + len(tables)), tables.batch
            with blame(f"teacher {self.name}"):
                seats = batch.seats.astype(np.int64)
                parts.append(ask(self.agent, batch.records, seats, masks[part], batch.setting))
            start = part.stop
        right = np.concatenate(parts)
        return Lesson(point_out(right, masks), right, right)

    def take_figures(self) -> dict[str, float]:
        """See ``Teacher.take_figures``: there are none."""
        return {}


def point_out(actions: IntArray, masks: BoolArray) -> np.ndarray:
    """(n, actions) float16, probability 1 for these actions (n,), of masks (n, actions)."""
    targets = np.zeros(masks.shape, np.float16)
    targets[np.arange(len(actions)), actions] = 1.0
    return targets


class SearchTeacher:
    """A search by the learner's own net: the learner is to hold likely what was found.

    It begins each search anew, redeals hidden cards and chance, and remembers nothing: what is found follows from the
    net, the run's seed and what the mover sees. Where it leads it draws its action from the targets, by torch's
    generator.

    Args:
        config: the run.
        network: the learner's net, which changes while it learns.
    """

    def __init__(self, config: TrainConfig, network: Any) -> None:
        assert config.evaluations is not None
        encoding = config.kind.find_encoding(config.spec)
        learner = TrainedAgent(network, encoding.name, about={"config": config.to_dict()})
        self.judge = NetworkJudge(learner, encoding)
        self.epochs, self.evaluations, self.heed = config.epochs, config.evaluations, config.heed
        self._teaches_visits = config.lessons == VISITS
        self._seed = np.random.SeedSequence(config.seed).generate_state(1, np.uint64)[0]
        self._bundles: list[Bundle] | None = None
        self._searched = self._spent = 0
        self._doubt = 0.0

    def teach(self, groups: Sequence[Tables], masks: BoolArray) -> Lesson:
        """See ``Teacher.teach``; a decision with a single legal action is not searched."""
        if self._bundles is None:
            self._bundles = bundle(groups)
        best = masks.argmax(axis=1)
        targets = point_out(best, masks)
        for one in self._bundles:
            rows = one.rows[masks[one.rows].sum(axis=1) > 1]
            if len(rows):
                found = self._search(one, groups, rows, masks[rows])
                targets[rows], best[rows] = self._tell(found), found.best
        played: Tensor = draw_legal(torch.from_numpy(targets).float().log(), torch.from_numpy(masks))
        return Lesson(targets, best, played.numpy())

    def _search(self, one: Bundle, groups: Sequence[Tables], rows: IntArray, masks: BoolArray) -> Found:
        views, keys = one.look(groups, rows)
        found = search_together(views, masks, self.judge, keys ^ self._seed, self.evaluations, self.heed)
        self._searched += len(rows)
        self._spent += int(found.spent.sum())
        return found

    def _tell(self, found: Found) -> np.ndarray:
        """(k, actions) float32, what is taught of what was found."""
        targets = found.improved
        if self._teaches_visits:
            total = found.visits.sum(axis=1, keepdims=True)  # none where the budget ended before a simulation did
            targets = np.where(total > 0, found.visits / np.maximum(total, 1), targets).astype(np.float32)
        self._doubt -= float((targets * np.log(np.where(targets > 0, targets, 1.0))).sum())
        return targets

    def take_figures(self) -> dict[str, float]:
        """Searched decisions, evaluations, and the mean entropy of the targets: no loss is lower."""
        told = {
            "searched_decisions": self._searched,
            "evaluations": self._spent,
            "target_entropy": self._doubt / max(1, self._searched),
        }
        self._searched = self._spent = 0
        self._doubt = 0.0
        return told


class Bundle(NamedTuple):
    """Games of a learner that are searched together, though their rules may differ.

    Attributes:
        setting: of all of them.
        groups: the numbers of the groups of tables that they are of.
        rows: (k,) int64, their numbers among the games of all groups, ascending.
        parts: (k,) int64, the part of the setting that each has; all 0 where it is no mixture of these.
        is_mixed: whether the setting is such a mixture.
    """

    setting: Setting
    groups: list[int]
    rows: IntArray
    parts: IntArray
    is_mixed: bool

    def look(self, groups: Sequence[Tables], rows: IntArray) -> tuple[View, np.ndarray]:
        """What the learners see in the games ``rows`` (m,), and (m,) uint64, keys of that, whatever the bundle."""
        batches = [groups[number].batch for number in self.groups]
        places = np.searchsorted(self.rows, rows)
        records = np.concatenate([batch.records for batch in batches])[places]
        seats = np.concatenate([batch.seats for batch in batches])[places].astype(np.int64)
        views = view_records(records, seats, self.setting)
        keys = hash_views(views.records)
        mixture = as_mixture(self.setting)
        if self.is_mixed and mixture is not None:
            for name in mixture.part_fields:
                views.records[name] = self.parts[places]
        return views, keys


def bundle(groups: Sequence[Tables]) -> list[Bundle]:
    """Groups of tables in as few bundles as their game allows: all in one, or those with the same rules."""
    stops = np.cumsum([len(tables) for tables in groups])
    rows = [np.arange(stop - len(tables), stop) for tables, stop in zip(groups, stops, strict=True)]
    rules = [tables.setting.rules for tables in groups]
    try:
        return [_join(list(range(len(groups))), groups, rows)]
    except ValueError:  # a game without mixtures, or rules each of which is a mixture
        same = {one: [number for number, other in enumerate(rules) if other == one] for one in rules}
        return [_join(numbers, groups, rows) for numbers in same.values()]


def _join(numbers: list[int], groups: Sequence[Tables], rows: Sequence[IntArray]) -> Bundle:
    """The bundle of the groups with these numbers."""
    setting, parts = load_settings([groups[number].setting.rules for number in numbers])
    lengths = [len(rows[number]) for number in numbers]
    together = np.concatenate([rows[number] for number in numbers])
    return Bundle(setting, numbers, together, np.repeat(parts, lengths), bool(parts.any()))
