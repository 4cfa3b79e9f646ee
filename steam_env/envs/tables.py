"""Many games with their players, in step: what the vector environments share, whatever interface they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from steam_env.core.fields import NONE
from steam_env.core.movers import keep_waiting, note_movers
from steam_env.encoding import Observations
from steam_env.envs.cast import Cast, Opponents, draw_fractions
from steam_env.envs.midgame import Midgame
from steam_env.envs.observed import make_resting_mask
from steam_env.envs.options import ANY_SEAT, GameOptions, Terms, check_seat
from steam_env.envs.reserve import Reserve
from steam_env.envs.table import MAX_DEALS
from steam_env.kit.arrays import BoolArray, FloatArray, IntArray
from steam_env.kit.checks import SEED_BOUND
from steam_env.kit.errors import IllegalActionError
from steam_env.spec import Setting
from steam_env.table.asking import find_illegal
from steam_env.table.batch import GameBatch
from steam_env.table.engine import find_engine
from steam_env.table.mixture import find_named_parts
from steam_env.table.records import take_games
from steam_env.table.rewards import forfeit_reward
from steam_env.words.seats import name_seat

SEAT_STREAM = 0  # what is drawn from a game's seed beside its deal


class Tables:
    """Many games with one learner each, and the opponents who sit at them.

    A game that has ended stays as it is until it is begun anew. What follows from a game's seed: its deal and all
    chance in play, the learner's seat, and who is drawn from a pool as it then is. Agents draw from streams of
    their own, one for all the games that an agent plays.

    Args:
        options: with the rules of all games.
        num_games: how many games.
        opponents, seat, threads: see ``SteamVectorEnv``.
        midgame: which learners and their opponents join their games later, and who plays before; ``None``: none do.
        reserve: from which games without a seed or a map of their own are taken; ``None``: they are begun here.

    Attributes:
        terms: the options, checked.
        cast: who plays the other player seats.
        reserve: games that were begun ahead; ``None``: there are none.
        learners: (n,) int64, the learner's seat; in solo 0.
        forfeited: (n,) bool, which games the learner has ended by an illegal action.
        rng: draws seeds of games that are begun without one, and of agents.
        is_ready: whether each game's mover is its learner, or the game has ended.

    Raises:
        ValueError: for a bad value, naming it and what is allowed.
    """

    def __init__(
        self,
        options: GameOptions,
        num_games: int,
        *,
        opponents: Opponents = None,
        seat: str | int = ANY_SEAT,
        threads: int = 1,
        midgame: Midgame | None = None,
        reserve: Reserve | None = None,
    ) -> None:
        self.terms = Terms.check(options)
        self._num_players = self.terms.setting.num_players
        self._fixed_seat = check_seat(seat, self._num_players)
        self._batch = GameBatch(
            options.rules, num_games, seed=0, threads=threads
        )  # dealt anew when the games are begun
        count = len(self._batch)
        self._midgame, self.reserve = midgame, reserve
        stand_in = None if midgame is None else midgame.stand_in
        self.cast = Cast(opponents, self._num_players - 1, count, self.terms.spec, stand_in)
        self.learners = np.zeros(count, np.int64)
        self.forfeited = np.zeros(count, np.bool_)
        self.rng = np.random.default_rng()
        self.is_ready = False
        self._asked = self.learners.copy()  # the seats whose decisions are the learner's; NONE before it joins
        self._joins = np.zeros(count, np.int64)  # the round in which it does
        self._movers = np.full(count, NONE, np.int64)  # as players; NONE when the game is over
        self._forced = np.full(count, NONE, np.int64)  # the only legal action of a decision that is skipped
        self._potential = np.zeros(count)  # Φ of the learner's seat at its last decision

    # --- what there is -----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._batch)

    @property
    def setting(self) -> Setting:
        """The setting of all games."""
        return self._batch.setting

    @property
    def batch(self) -> GameBatch:
        """The games, to look at: step them through ``play`` only."""
        return self._batch

    @property
    def is_solo(self) -> bool:
        """Whether one player has all the companies."""
        return self.setting.is_solo

    @property
    def over(self) -> BoolArray:
        """(n,) bool, a fresh array: which games have ended, by their rules or by a forfeit."""
        over: BoolArray = (self._movers == NONE) | self.forfeited
        return over

    @property
    def round_limits(self) -> BoolArray:
        """(n,) bool, a fresh array: which games the round limit alone has ended; a forfeit ends none by its rules."""
        return self._batch.truncated

    @property
    def is_shaped(self) -> bool:
        """Whether rewards are shaped."""
        return self.terms.payment.shaping is not None

    # --- beginning ---------------------------------------------------------------------------------------

    def begin_all(
        self, rng: np.random.Generator, seeds: IntArray | None = None, maps: np.ndarray | None = None
    ) -> None:
        """Begin every game with fresh agents; ``rng`` is what all later draws come from."""
        self.follow(rng)
        self.begin(np.ones(len(self), np.bool_), seeds, maps)

    def follow(self, rng: np.random.Generator) -> None:
        """Dismiss all agents, and draw from this generator from now on."""
        self.rng = rng
        self.cast.clear()
        if self.reserve is not None:
            self.reserve.empty(rng)

    def begin(self, where: BoolArray, seeds: IntArray | None = None, maps: np.ndarray | None = None) -> None:
        """Begin games, up to the learner's first decision.

        A game that is over before it is no episode: it is begun again with another seed.

        Args:
            where: (n,) bool, which games.
            seeds: (n,) seeds; ``None`` draws them.
            maps: (n,) names, see ``GameBatch.reset`` and ``check_maps``.

        Raises:
            IllegalActionError: naming an opponent whose answer is no legal action.
            RuntimeError: if a learner has nothing to decide however often its game is begun.
        """
        self.is_ready = False
        rows = np.flatnonzero(where)
        if self.reserve is None or seeds is not None or maps is not None:
            self._deal_all(where, seeds, maps)
        else:
            for part, theirs in self.reserve.take(rows):
                self._adopt(part, self.reserve.tables, theirs)
        if self.is_shaped:
            self._potential[rows] = self._count_potential(rows)
        self.is_ready = True

    def _deal_all(self, where: BoolArray, seeds: IntArray | None, maps: np.ndarray | None) -> None:
        missing = where
        for _ in range(MAX_DEALS):
            self._deal(np.flatnonzero(missing), seeds, maps)
            missing = where & self.over
            if not missing.any():
                return
            seeds = None
        first = int(np.flatnonzero(missing)[0])
        who = f"game {first}: {name_seat(self.learners[first])}"
        raise RuntimeError(f"{who} has nothing to decide: {MAX_DEALS} games were over before")

    def _adopt(self, rows: IntArray, others: Tables, theirs: IntArray) -> None:
        """Go on with the games ``theirs`` (k,) of others, as the games ``rows`` (k,); opponents are seated anew."""
        self._batch.adopt(rows, others.batch, theirs)
        for mine, other in (
            (self.learners, others.learners),
            (self._asked, others._asked),
            (self._joins, others._joins),
            (self._movers, others._movers),
            (self._forced, others._forced),
            (self.forfeited, others.forfeited),
        ):
            mine[rows] = other[theirs]
        self.cast.draw(rows, self._batch.seeds[rows], self.rng)

    def check_maps(self, where: BoolArray, maps: np.ndarray | None) -> None:
        """Refuse maps before games ``where`` (n,) begin on them.

        Raises:
            ValueError: naming a map that these games cannot have.
        """
        if maps is not None:
            find_named_parts(self.setting, maps[where].tolist())

    def _deal(self, rows: IntArray, seeds: IntArray | None, maps: np.ndarray | None) -> None:
        given = self._batch.seeds if seeds is None else seeds
        if seeds is None:
            given[rows] = self.rng.integers(0, SEED_BOUND, len(rows), dtype=np.int64)
        where = np.zeros(len(self), np.bool_)
        where[rows] = True
        self._batch.reset(where, given, maps)
        self.forfeited[rows] = False
        self._seat(rows, given[rows])
        self._note(rows)
        self._play_others(rows)

    def _seat(self, rows: IntArray, seeds: IntArray) -> None:
        """Draw the learner's seat and its opponents."""
        if self._fixed_seat is None:
            self.learners[rows] = draw_fractions(seeds, SEAT_STREAM) * self._num_players
        else:
            self.learners[rows] = self._fixed_seat
        self._asked[rows] = self.learners[rows]
        if self._midgame is not None:
            late = self._midgame.draw_rounds(seeds)
            self._joins[rows] = self._batch.records["round_number"][rows] + late
            self._asked[rows[late > 0]] = NONE
        self.cast.draw(rows, seeds, self.rng)

    # --- play --------------------------------------------------------------------------------------------

    def play(self, actions: IntArray, illegal: BoolArray, where: BoolArray) -> FloatArray:
        """Play the learners' actions, then their opponents' up to the learners' next decisions or the end.

        Args:
            actions: (n,) ids, as ``check`` returns them.
            illegal: (n,) bool, likewise: which of them are not played but forfeit.
            where: (n,) bool, games that are not over.

        Returns:
            (n,) float64, what each learner is paid for it; 0 in other games.

        Raises:
            IllegalActionError: naming an opponent whose answer is no legal action: all games must be begun anew.
        """
        self.is_ready = False
        self.forfeited |= illegal
        rows = np.flatnonzero(where & ~illegal)
        self._advance(rows, actions[rows])
        self._play_others(rows)
        self.is_ready = True
        return self._pay(where)

    def check(self, actions: object, where: BoolArray) -> tuple[IntArray, BoolArray]:
        """Check the learners' actions before ``play``: which are to be played, and which forfeit.

        Args:
            actions: (n,) integers; those of other games are ignored.
            where: (n,) bool, games that are not over.

        Returns:
            (n,) int64 ids, and (n,) bool which of them are illegal and forfeit.

        Raises:
            IllegalActionError: for an illegal action where it does not forfeit, naming the first game.
        """
        ids = self._batch._check_integers(actions, "actions", IllegalActionError).astype(np.int64)
        illegal = where & find_illegal(ids, self._batch.mask)
        if illegal.any() and not self.terms.forfeits:
            wrong = int(np.flatnonzero(illegal)[0])
            self._batch._refuse(wrong, int(ids[wrong]))
        return ids, illegal

    def check_ready(self) -> None:
        """Refuse a step before the games have begun.

        Raises:
            gymnasium.error.ResetNeeded: if they have not, or a move of an opponent has failed.
        """
        if not self.is_ready:
            raise ResetNeeded("the learners have nothing to decide: call reset()")

    def _play_others(self, rows: IntArray) -> None:
        """Play the games on to their learners' decisions: in each sweep those whose mover is not the learner."""
        waiting = rows.copy()
        while True:
            waiting = waiting[: keep_waiting(waiting, self._movers, self._forced, self._asked)]
            if not len(waiting):
                return
            self._advance(waiting, self._choose(waiting))

    def _choose(self, rows: IntArray) -> IntArray:
        """(k,) the actions that no learner chooses: the only legal one, or an opponent's choice."""
        actions: IntArray = self._forced[rows]
        where = np.flatnonzero(actions == NONE)
        if len(where):
            asked = rows[where]
            movers = self._movers[asked]
            places = (movers - self.learners[asked] - 1) % self._num_players
            places[self._asked[asked] == NONE] = self.cast.stand_in_place
            actions[where] = self.cast.choose(self._batch, asked, places, movers)
        return actions

    def _advance(self, rows: IntArray, actions: IntArray) -> None:
        """Step the games ``rows`` by legal actions (k,)."""
        batch, engine = self._batch, find_engine(self.setting.rules.game)
        engine.step(batch.records, self.setting, rows, actions, batch.mask, batch.threads)
        self._note(rows)

    def _note(self, rows: IntArray) -> None:
        """Note the movers, and which learners join their games now."""
        batch = self._batch
        skips = self.terms.skips_forced
        note_movers(batch.records, batch.mask, rows, self.is_solo, skips, self._movers, self._forced)
        if self._midgame is not None:
            away = rows[self._asked[rows] == NONE]
            joining = away[batch.records["round_number"][away] >= self._joins[away]]
            self._asked[joining] = self.learners[joining]

    # --- what learners are paid --------------------------------------------------------------------------

    def _pay(self, where: BoolArray) -> FloatArray:
        """(n,) what is due now: at the end the reward and −Φ, before it the shaping since the last decision."""
        paid = np.zeros(len(self))
        over = self.over
        ended = np.flatnonzero(where & over)
        if len(ended):
            paid[ended] = self._count_reward(ended) - self._potential[ended]
        if self.is_shaped:
            asked = np.flatnonzero(where & ~over)
            now = self._count_potential(asked)
            paid[asked] = self.terms.payment.gamma * now - self._potential[asked]
            self._potential[asked] = now
        return paid

    def _count_reward(self, rows: IntArray) -> FloatArray:
        """(k,) rewards of learners whose games are over."""
        reward = np.full(len(rows), forfeit_reward(self.setting.num_seats, 0)[0])
        ruled = np.flatnonzero(~self.forfeited[rows])
        if len(ruled):
            ended = rows[ruled]
            final = self.terms.payment.count_final(take_games(self._batch.records, ended), self.setting)
            reward[ruled] = final[np.arange(len(ended)), self.learners[ended]]
        return reward

    def _count_potential(self, rows: IntArray) -> FloatArray:
        """(k,) Φ of learners whose games go on."""
        if not len(rows):
            return np.zeros(0)
        potential = self.terms.payment.count_potential(take_games(self._batch.records, rows), self.setting)
        own: FloatArray = potential[np.arange(len(rows)), self.learners[rows]]
        return own

    # --- what learners see and are told ------------------------------------------------------------------

    def _find_observers(self) -> IntArray:
        """(n,) the seats as which learners observe: in solo the active company's, at the end the first."""
        return np.maximum(self._batch.seats, 0).astype(np.int64) if self.is_solo else self.learners

    def allocate(self, count: int) -> Observations:
        """Fresh arrays (count, ...) for observations."""
        return self.terms.find_encoding().allocate(count)

    def observe(self, out: Observations) -> Observations:
        """Write what the learners see into the arrays ``out`` (n, ...), which are returned."""
        self._batch.observe(self.terms.encoding, out, self._find_observers())
        return out

    def observe_some(self, rows: IntArray) -> Observations:
        """What the learners of some games see, fresh arrays (k, ...)."""
        chosen, setting = self.terms.find_encoding(), self.setting
        out = chosen.allocate(len(rows))
        games = take_games(self._batch.records, rows)
        chosen.encode(games, *setting.statics, self._find_observers()[rows], out)
        return out

    def write_masks(self, out: np.ndarray) -> np.ndarray:
        """Write the learners' legal actions into ``out`` (n, actions) bool; at the end the resting action alone."""
        out[:] = self._batch.mask
        if self.terms.forfeits:
            out[self.forfeited] = make_resting_mask(self.terms.spec.facts)
        return out

    def tell_end(self, rows: IntArray) -> Mapping[str, Any]:
        """The infos of some games that have ended, by name: arrays (k, ...), see ``SteamVectorEnv``."""
        games, setting = take_games(self._batch.records, rows), self.setting
        scores, winners = find_engine(setting.rules.game).score(games, setting)
        seats, forfeited = setting.num_seats, self.forfeited[rows]
        winners[forfeited] = np.arange(seats) != self.learners[rows][forfeited, np.newaxis]
        told = {
            "seat": self.learners[rows],
            "round_limit": self.round_limits[rows],
            "scores": scores,
            "winners": winners,
            "opponents": self.cast.numbers[rows, : self._num_players - 1],
            **{what: names[rows] for what, names in self._batch.names.items()},
        }
        return told | {"forfeit": forfeited} if self.terms.forfeits else told
