"""A search of many games together: simulations walk through redeals up to the ends of turns, and are judged there.

All simulations of a wave take their steps together, so that kernels and the net work on many positions at once. What
is found about one game does not depend on the others.
"""

from __future__ import annotations

import numpy as np

from steam_env.agents.search_arms import Arms, count_arms
from steam_env.agents.search_budget import Budget, Clock
from steam_env.agents.search_forest import (
    EDGES,
    NODES,
    Kept,
    add_roots,
    copy_tree,
    expand_nodes,
    make_forest,
    make_room,
)
from steam_env.agents.search_judges import Judge, Questions
from steam_env.agents.search_walks import (
    ENDS,
    EXPANDS,
    GIVES_UP,
    GOES_ON,
    back_up,
    begin_walks,
    choose_actions,
    enter_nodes,
    give_up,
    make_walks,
    note_turns,
    pass_gates,
    settle_fates,
)
from steam_env.core.fields import NONE
from steam_env.core.movers import note_movers
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.spec import Setting
from steam_env.table.engine import find_engine
from steam_env.table.records import take_games
from steam_env.table.rollout import mix_seeds
from steam_env.table.view import View

KEY_SEED = 1  # of the factors by which views are hashed
ROOM = 64  # edges that a game's tree has room for at first, for each of its nodes
OTHERS = np.uint64(3)  # factor of the searching player's key where another one decides
ENDLESS = 1_000_000  # simulations after which a search ends whatever its budget: where no walk costs anything


def hash_views(records: np.ndarray) -> np.ndarray:
    """(n,) uint64, keys of what views (n,) show."""
    words = records.view(np.uint64).reshape(len(records), records.dtype.itemsize // 8)
    factors = _draw_factors(words.shape[1])
    keys: np.ndarray = words @ factors
    return keys


_factors: dict[int, np.ndarray] = {}  # by length of a record


def _draw_factors(length: int) -> np.ndarray:
    """Odd factors, the same in each process."""
    if length not in _factors:
        drawn = np.random.default_rng(KEY_SEED).integers(0, 2**64, length, np.uint64)
        _factors[length] = drawn | np.uint64(1)
    return _factors[length]


class Search:
    """A search of n games, each of which has a decision with two or more legal actions.

    Args:
        views: what the movers see.
        masks: (n, actions) bool, their legal actions.
        judge: judges positions.
        seeds: (n,) uint64, from which the redeals are drawn.
        kept: by game, what was found about the position before; None where nothing was.

    Attributes:
        forest: the trees.
        roots: (n,) int64, their roots.
        spent: (n,) int64, evaluations.
        walked: (n,) int64, simulations.
    """

    def __init__(
        self, views: View, masks: BoolArray, judge: Judge, seeds: np.ndarray, kept: list[Kept | None] | None = None
    ) -> None:
        self.setting: Setting = views.setting
        self.engine = find_engine(self.setting.rules.game)
        self.views, self.masks, self.judge, self.seeds = views, masks, judge, seeds
        count = len(views)
        self.players = self.find_players(views.records["seat"].astype(np.int64))
        self.spent, self.walked = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.scores = np.zeros(masks.shape[1])  # scratch memory
        self.roots = np.full(count, NONE, np.int64)
        self.forest = make_forest(self.setting.num_seats, 2 * count, ROOM * count)
        for game, tree in enumerate(kept or ()):
            if tree is not None:
                used = tree.forest.counts
                self.forest = make_room(self.forest, int(used[NODES]), int(used[EDGES]))
                self.roots[game] = copy_tree(tree.forest, tree.root, self.forest)
        self._plant()
        self.arms = Arms(self.forest, self.roots, judge.trust, 1)

    def _plant(self) -> None:
        """Make and expand the roots of games about which nothing is known yet."""
        new = np.flatnonzero(self.roots == NONE)
        self.forest = make_room(self.forest, len(new), 0)
        add_roots(self.forest, hash_views(self.views.records), self.players, self.roots)
        if len(new):
            masks, nobody = self.masks[new], np.zeros(0, np.int64)
            records = take_games(self.views.records, new)
            seeds = np.zeros(len(new), np.int64)
            questions = Questions(records, masks, self.setting, seeds, np.arange(len(new)), nobody, nobody)
            self.expand(self.roots[new], masks, self.judge.judge(questions)[0])
            self.spent[new] += self.judge.prior_cost

    def find_players(self, seats: IntArray) -> IntArray:
        """Who decides for seats: in solo one player for all of them. NONE where the game is over."""
        return np.minimum(seats, 0) if self.setting.is_solo else seats

    def expand(self, nodes: IntArray, masks: BoolArray, log_priors: np.ndarray) -> None:
        """Give nodes (k,) their edges."""
        self.forest = make_room(self.forest, 0, int(masks.sum()))
        expand_nodes(self.forest, nodes, masks, log_priors.astype(np.float64))

    def run(self, budget: Budget, clock: Clock) -> None:
        """Search until the budget of each game is spent, or the time is over."""
        most = budget.evaluations
        self.arms = Arms(self.forest, self.roots, self.judge.trust, count_arms(most))
        while not clock.is_over():
            spent = np.maximum(self.spent, self.walked)
            progress = spent / (most or ENDLESS) if most else np.maximum(spent / ENDLESS, clock.progress)
            games = np.flatnonzero(progress < 1)
            if not len(games):
                return
            self.arms.halve(self.forest, progress)
            _Wave(self, games).walk(most or NONE, clock)

    def choose(self) -> IntArray:
        """(n,) int64, the edge of each root to play."""
        return self.arms.choose(self.forest)


class _Wave:
    """Simulations that walk together: one or more for each action that is still tried."""

    def __init__(self, search: Search, games: IntArray) -> None:
        self.search, self.setting = search, search.setting
        self.game, self.edges, redeals = search.arms.list_next(games)
        self.records = take_games(search.views.records, self.game)
        self.kernels = search.engine.spec.kernels
        self.redeals = mix_seeds(search.seeds[self.game], redeals)
        self.kernels.fill(self.records, self.redeals)
        self.masks = search.masks[self.game]
        self.seats = search.views.seats[self.game]
        self.movers, self.forced = np.zeros(len(redeals), np.int64), np.zeros(len(redeals), np.int64)
        seats, rounds = self._read("seat"), self._read("round_number")
        self.walks = make_walks(self.game, search.players[self.game], seats, rounds)

    def _read(self, field: str, rows: IntArray | slice = slice(None)) -> IntArray:
        return self.records[field][rows].astype(np.int64)

    def walk(self, most: int, clock: Clock) -> None:
        """Walk until all have come to an end; ``most`` evaluations may be spent for a game."""
        search, trust = self.search, self.search.judge.trust
        live, actions = np.arange(len(self.game)), np.empty(len(self.game), np.int64)
        begin_walks(search.forest, self.walks, self.edges, actions)
        while True:
            self._play(live, actions)
            live = self._end_games(live)
            live = self._judge(live, self._enter(live), most)
            if not len(live):
                return
            if clock.is_over():
                give_up(search.forest, self.walks, live)
                return
            actions = np.empty(len(live), np.int64)
            choose_actions(search.forest, self.walks, live, trust, search.scores, actions)

    def _play(self, live: IntArray, actions: IntArray) -> None:
        """Play the actions, and then all decisions that leave no choice: they cost nothing."""
        step, solo = self.search.engine.step, self.setting.is_solo
        while len(live):
            step(self.records, self.setting, live, actions, self.masks)
            note_movers(self.records, self.masks, live, solo, True, self.movers, self.forced)
            live = live[self.forced[live] != NONE]
            actions = self.forced[live]

    def _end_games(self, live: IntArray) -> IntArray:
        """Back up those whose game is over; returns the others."""
        over = self.movers[live] == NONE
        ended = live[over]
        if len(ended):
            worth = self.search.judge.payment.count_final(take_games(self.records, ended), self.setting)
            self.walks.node[ended] = NONE
            self._back_up(ended, worth)
        return live[~over]

    def _back_up(self, ended: IntArray, worth: np.ndarray) -> None:
        back_up(self.search.forest, self.walks, ended, worth)
        self._count(ended)

    def _count(self, ended: IntArray) -> None:
        np.add.at(self.search.walked, self.game[ended], 1)

    def _enter(self, live: IntArray) -> BoolArray:
        """Enter the next nodes; (k,) bool, who stands at the end of a turn that was not seen before.

        There a node is known by what the searching player sees. Elsewhere it is known by what the mover sees, too.
        """
        search, walks = self.search, self.walks
        search.forest = make_room(search.forest, 2 * len(live), len(live))
        seats, players = self._read("seat", live), self.movers[live]
        ends = np.zeros(len(live), np.bool_)
        note_turns(walks, live, seats, self._read("round_number", live), players, ends)
        own_keys = np.zeros(len(live), np.uint64)
        others = players != walks.player[live]
        asked = np.flatnonzero(ends | others)
        own_keys[asked] = self._look(live[asked], seats[asked] if self.setting.is_solo else self.seats[live[asked]])
        gates = np.flatnonzero(ends)
        if len(gates):
            is_leaf = np.zeros(len(gates), np.bool_)
            enter_nodes(search.forest, walks, live[gates], own_keys[gates], walks.player[live[gates]])
            pass_gates(search.forest, walks, live[gates], is_leaf)
            ends[gates] = is_leaf
        on = np.flatnonzero(~ends)
        keys = self._look(live[on], seats[on]) + np.where(others[on], own_keys[on] * OTHERS, np.uint64(0))
        enter_nodes(search.forest, walks, live[on], keys, players[on])
        return ends

    def _look(self, rows: IntArray, seats: IntArray) -> np.ndarray:
        """(k,) uint64, keys of what seats see."""
        views = take_games(self.records, rows)
        self.kernels.blank(views, seats)
        return hash_views(views)

    def _judge(self, live: IntArray, ends: BoolArray, most: int) -> IntArray:
        """Expand new nodes, and back up what ends are worth, as far as the budget goes; returns who goes on."""
        search, judge, walks = self.search, self.search.judge, self.walks
        costs = np.where(ends, judge.count_costs(walks.players[live]), NONE)
        fates = np.empty(len(live), np.int64)
        settle_fates(search.forest, walks, live, costs, judge.prior_cost, most, search.spent, fates)
        leaves, new, stopped = live[fates == ENDS], live[fates == EXPANDS], live[fates == GIVES_UP]
        if len(leaves) or len(new):
            log_priors, worth = judge.judge(
                Questions(self.records, self.masks, self.setting, self.redeals, new, leaves, walks.players[leaves])
            )
            search.expand(walks.node[new], self.masks[new], log_priors)
            self._back_up(leaves, worth)
        if len(stopped):
            give_up(search.forest, walks, stopped)
            self._count(stopped)
        return live[(fates == GOES_ON) | (fates == EXPANDS)]
