"""Search: agents that think before they play. ``docs/search.md`` explains how.

``search:duel@256`` looks at 256 positions a decision through the net of the policy ``duel``, ``search:greedy@64`` plays
64 games to their ends by greedy, ``search:duel@0.5s`` takes half a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.agents.base import Explanation, Plan
from steam_env.agents.grounds import EVERYWHERE, find_ground
from steam_env.agents.policy_files import SUFFIX, find_policy, load_policy
from steam_env.agents.search_budget import Budget, Clock, read_budget
from steam_env.agents.search_forest import Kept, keep_trees, list_children, weigh_edges
from steam_env.agents.search_judges import Judge, NetworkJudge, PlayoutJudge
from steam_env.agents.search_run import Search, hash_views
from steam_env.core.fields import NONE
from steam_env.kit.arrays import BoolArray, FloatArray, IntArray
from steam_env.spec import GameSpec, Setting, load_named
from steam_env.table.mixture import as_mixture, list_parts
from steam_env.table.records import take_games
from steam_env.table.view import View

PREFIX, AT = "search:", "@"
ANYWHERE = ":anywhere"  # behind a policy's name: it is asked where it was not trained, too
USUAL = Budget(evaluations=256)
LATE = 1.1  # part of the time from which on a decision took too long
LIFE = 64  # calls after which what nobody came back to is forgotten


@dataclass(frozen=True)
class Thought:
    """What a search found about one decision.

    Attributes:
        action: what it plays.
        actions: (k,) int64, the legal actions.
        priors: (k,) float64, their probabilities before the search.
        probabilities: (k,) float64, their probabilities after it.
        visits: (k,) int64, simulations that began with them.
        values: (k,) float64, what they came to for the mover, in the judge's unit; NaN without a simulation.
        value: what the mover expects.
        line: the principal line: the action, and what most of the simulations went on with, while one is to be seen.
        evaluations: that were spent.
    """

    action: int
    actions: IntArray
    priors: FloatArray
    probabilities: FloatArray
    visits: IntArray
    values: FloatArray
    value: float
    line: tuple[int, ...]
    evaluations: int

    @property
    def plan(self) -> Plan:
        """What replays show of it, beside the probabilities and the value."""
        tried = np.flatnonzero(self.visits)
        actions = self.actions[tried].tolist()
        visits = dict(zip(actions, self.visits[tried].tolist()))
        return Plan(visits, dict(zip(actions, self.values[tried].tolist())), self.line)


class SearchAgent:
    """An agent that searches before each decision in which it has a choice.

    What it plays follows from its seed and what the mover sees, whatever else is decided in the same call. Of a
    decision's tree it keeps what may follow in the same turn.

    Args:
        judge: judges positions.
        budget: what a decision may cost.

    Attributes:
        timed: decisions for which there was a limit in seconds.
        late: those of them that took more than a tenth longer.
    """

    encoding: str | None = None

    def __init__(self, judge: Judge, budget: Budget = USUAL) -> None:
        self.judge, self.budget = judge, budget
        self.timed = self.late = 0
        self.source, self.files = judge.source, judge.files
        self._known_part: Setting | None = None  # that was found to be fit last
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw redeals anew from this seed, and forget all trees."""
        self._seed = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
        self._kept: dict[int, tuple[Kept, int]] = {}  # by key of a view: its tree, and the call that it is of
        self._thoughts: dict[int, tuple[Thought, int]] = {}  # likewise, of decisions that were explained
        self._calls = 0

    def check_setting(self, setting: Setting) -> None:
        """Refuse games for which what it searches by was not made; a mixture of them is looked at when it is asked.

        Raises:
            UnfitError: saying where it was trained, and where it is asked.
        """
        if as_mixture(setting) is None:
            self.judge.check_setting(setting)

    def act(self, observations: Any, masks: BoolArray, views: View) -> IntArray:
        """(n,) int64, what is best by the search; a decision without a choice costs nothing."""
        self._calls += 1
        actions: IntArray = masks.argmax(axis=1)
        rows = np.flatnonzero(masks.sum(axis=1) > 1)
        for row, thought in zip(rows, self._think(rows, masks, views)):
            actions[row] = thought.action
        self._forget()
        return actions

    def explain(self, observations: Any, masks: BoolArray, views: View) -> Explanation:
        """Probabilities after the search, values in the unit of the judge; and visits, values, principal lines."""
        probabilities, values = masks.astype(np.float64), np.zeros(len(masks))
        thoughts = self.think(masks, views)
        for row, thought in enumerate(thoughts):
            if thought is not None:
                probabilities[row, thought.actions], values[row] = thought.probabilities, thought.value
        return Explanation(probabilities, values, [None if thought is None else thought.plan for thought in thoughts])

    def think(self, masks: BoolArray, views: View) -> list[Thought | None]:
        """All that the search finds about n decisions; None about one without a choice.

        ``act`` then plays by it: what was thought once is not thought again.
        """
        thoughts: list[Thought | None] = [None] * len(masks)
        rows = np.flatnonzero(masks.sum(axis=1) > 1)
        keys = hash_views(take_games(views.records, rows)).tolist()
        for row, key, thought in zip(rows.tolist(), keys, self._think(rows, masks, views)):
            thoughts[row] = thought
            self._thoughts[key] = thought, self._calls
        return thoughts

    def _think(self, rows: IntArray, masks: BoolArray, views: View) -> list[Thought]:
        """What is found about the decisions ``rows`` (k,), each of which has a choice."""
        keys = hash_views(take_games(views.records, rows)).tolist()
        known = {key: self._thoughts.pop(key)[0] for key in dict.fromkeys(keys) if key in self._thoughts}
        new = np.array([row for row, key in zip(rows, keys) if key not in known], np.int64)
        together = [new] if self.budget.seconds is None else [new[place : place + 1] for place in range(len(new))]
        found = [thought for part in together if len(part) for thought in self._search(part, masks, views)]
        fresh = iter(found)
        return [known[key] if key in known else next(fresh) for key in keys]

    def _search(self, rows: IntArray, masks: BoolArray, views: View) -> list[Thought]:
        clock = Clock(self.budget.seconds)
        seen = View(take_games(views.records, rows), views.seats[rows], views.setting)
        for _, part, _ in list_parts(seen.records, seen.setting):
            if part is not self._known_part:
                self.judge.check_setting(part)
                self._known_part = part
        keys = hash_views(seen.records)
        kept = [self._kept[key][0] if key in self._kept else None for key in keys.tolist()]
        search = Search(seen, masks[rows], self.judge, keys ^ self._seed, kept)
        search.run(self.budget, clock)
        thoughts = read_thoughts(search)
        self._keep(search)
        if self.budget.seconds is not None:
            self.timed += len(rows)
            self.late += clock.progress > LATE
        return thoughts

    def _keep(self, search: Search) -> None:
        """Keep the trees of the decisions that may come next in the same turn."""
        edges = search.choose().tolist()
        nodes = [node for edge in edges for node in list_children(search.forest, edge) if is_decision(search, node)]
        for node, tree in zip(nodes, keep_trees(search.forest, nodes)):
            self._kept[int(search.forest.key[node])] = tree, self._calls

    def _forget(self) -> None:
        """Forget what nobody came back to."""
        oldest = self._calls - LIFE
        self._kept = {key: kept for key, kept in self._kept.items() if kept[1] > oldest}
        self._thoughts = {key: thought for key, thought in self._thoughts.items() if thought[1] > oldest}


def is_decision(search: Search, node: int) -> bool:
    """Whether a node is a decision whose actions are known: no gate, and nothing where a walk was given up."""
    first = search.forest.first[node]
    return bool(first != NONE and search.forest.action[first] != NONE)


def read_thoughts(search: Search) -> list[Thought]:
    """What a search has found, game by game."""
    chosen = search.choose().tolist()
    return [_read_thought(search, game, edge) for game, edge in enumerate(chosen)]


def _read_thought(search: Search, game: int, chosen: int) -> Thought:
    forest, root = search.forest, int(search.roots[game])
    player = int(forest.player[root])
    edges = slice(forest.first[root], forest.first[root] + forest.length[root])
    scores = np.zeros(forest.length[root])
    scores -= weigh_edges(forest, root, search.judge.trust, scores)
    shares = np.exp(scores)
    tries = forest.tries[edges].astype(np.int64)
    values = np.full(len(tries), np.nan)
    np.divide(forest.total[edges, player], tries, out=values, where=tries > 0)
    met = values[tries > 0]
    value = values[chosen - edges.start] if tries[chosen - edges.start] else met.max(initial=0.0)
    return Thought(
        action=int(forest.action[chosen]),
        actions=forest.action[edges].astype(np.int64),
        priors=np.exp(forest.logit[edges]),
        probabilities=shares / shares.sum(),
        visits=tries,
        values=values,
        value=float(value),
        line=_read_line(search, chosen),
        evaluations=int(search.spent[game]),
    )


def _read_line(search: Search, edge: int) -> tuple[int, ...]:
    """The action of an edge, and what was most often tried after it, up to the end of the turn."""
    forest, line = search.forest, [int(search.forest.action[edge])]
    while True:
        nodes = [node for node in list_children(forest, edge) if is_decision(search, node)]
        if not nodes:
            return tuple(line)
        tries = [int(forest.tries[forest.first[node] :][: forest.length[node]].sum()) for node in nodes]
        node = nodes[int(np.argmax(tries))]
        place = int(np.argmax(forest.tries[forest.first[node] :][: forest.length[node]]))
        edge = int(forest.first[node]) + place
        if not forest.tries[edge]:
            return tuple(line)
        line.append(int(forest.action[edge]))


# --- by name -------------------------------------------------------------------------------------------


def make_search(name: str, spec: GameSpec) -> SearchAgent:
    """The agent with a name such as ``search:duel@256``, ``search:greedy`` or ``search:path.safetensors@0.5s``.

    A policy is asked on the map and with the numbers of seats that it was trained for; ``search:duel:anywhere`` asks it
    everywhere.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    words = name.removeprefix(PREFIX)
    base, at, text = words.rpartition(AT)
    if not at or text.removesuffix(ANYWHERE).endswith(SUFFIX):  # a path may have an @
        base, text = words, ""
    try:
        return SearchAgent(make_judge(base, spec), read_budget(text) if base != words else USUAL)
    except ValueError as error:
        raise ValueError(f"agent {name!r}: {error}") from None


def list_judges(spec: GameSpec) -> Sequence[str]:
    """Names of what may judge positions in a game."""
    return (*spec.players.playouts, *spec.players.policies)


def make_judge(name: str, spec: GameSpec) -> Judge:
    """The judge with this name: that of a policy, or of an agent that plays playouts.

    Raises:
        ValueError: naming what is allowed, or what is wrong with a policy.
    """
    if name in spec.players.playouts:
        return PlayoutJudge(load_named(spec.players.playouts[name]))
    policy_name = name.removesuffix(ANYWHERE)
    if policy_name in spec.players.policies or policy_name.endswith(SUFFIX):
        policy = load_policy(policy_name)
        if policy.about["game"] != spec.game:
            raise ValueError(f"it was trained for game={policy.about['game']!r}, not {spec.game!r}")
        ground = EVERYWHERE if name != policy_name else find_ground(policy)
        encoding = spec.sight.find_encoding(policy.encoding)
        return NetworkJudge(policy, encoding, (find_policy(policy_name),), PREFIX + name, ground)
    allowed = ", ".join(map(repr, list_judges(spec)))
    raise ValueError(f"nothing searches by {name!r}; allowed are {allowed}, or the path of a policy, *{SUFFIX}")
