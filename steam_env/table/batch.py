"""``GameBatch``: thousands of games in step, without a Python loop over games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.movers import find_refused, note_ended
from steam_env.core.sampling import pick_legal
from steam_env.encoding import Encoding, Observations, pick
from steam_env.kit.checks import MAX_GAMES, SEED_BOUND, as_integer, check_count, check_seed, look_up
from steam_env.kit.errors import IllegalActionError
from steam_env.kit.show import describe, show
from steam_env.spec import Setting, find_spec, load_named
from steam_env.table.engine import Engine, find_engine, load_settings
from steam_env.table.game import Game, game_class_of
from steam_env.table.mixture import (
    as_mixture,
    check_records,
    find_named_parts,
    lay_tables,
    load_parts,
    name_parts,
    order_by_part,
)
from steam_env.table.payment import Payment
from steam_env.table.records import put_games, take_games
from steam_env.table.rewards import RewardFunction, choose_reward
from steam_env.table.rollout import Choice, roll_out
from steam_env.table.sharing import MOST_THREADS, share
from steam_env.table.view import View, view_records


class GameBatch:
    """Many games stepped together, with the same rules or with different ones of one kind.

    A finished game keeps its position, ignores its action and pays 0; its mask row has only the resting
    action set.

    Args:
        rules: the configuration of every game, of any kind; or several, which the games have in turn: game i has
            ``rules[i % len(rules)]``. Maps, decks and numbers of seats may differ; seats that a game has not are paid
            nothing. Rules that name a set of maps deal each game on the one that its seed draws.
        num_games: how many games.
        seed: game i is ``Game(rules, seed=seed + i)``; or an array of n seeds; ``None`` draws them.
        reward: ``"win"``, ``"margin"``, ``"score"`` or a function ``(records, rules) -> (n, seats)``;
            ``None`` is ``"win"``, in solo ``"score"``.
        threads: how many threads share the games of each call; what is played and seen does not depend on it.

    Attributes:
        records: (n,) records of the game.
        mask: (n, actions) bool, legal actions of each mover, kept current: the same array each time.
        rewards: (n, seats) float64, what the last step paid; the same array each time.
        threads: as given; it may be changed.

    Raises:
        ValueError: naming the argument, the value and what is allowed.

    Example:
        >>> from steam_env import Rules
        >>> batch = GameBatch(Rules(map="mini", contracts="mini"), 4, seed=1)
        >>> batch.step(batch.sample_legal(np.random.default_rng(0)))
        >>> batch.seats.shape, batch.mask.shape
        ((4,), (4, 372))
    """

    records: np.ndarray
    mask: np.ndarray
    rewards: np.ndarray
    threads: int

    def __init__(
        self,
        rules: Any,
        num_games: int,
        seed: int | Sequence[int] | np.ndarray | None = None,
        *,
        reward: str | RewardFunction | None = None,
        threads: int = 1,
    ) -> None:
        count = check_count(num_games, "num_games")
        num_threads = check_count(threads, "threads", most=MOST_THREADS)
        setting, parts = load_settings(rules if isinstance(rules, Sequence) else [rules])
        setting.check_deal()
        numbers, mixture = np.resize(parts, count), as_mixture(setting)
        tables = np.repeat(setting.blank, count) if mixture is None else mixture.lay_tables(numbers)
        self._take_up(setting, tables, reward, num_threads)
        everywhere = np.ones(count, np.bool_)
        self._seed_master(seed)
        self._deal(everywhere, self._spread_seeds(seed, everywhere))

    def _seed_master(self, seed: int | Sequence[int] | np.ndarray | None) -> None:
        """The stream from which ``reset`` without a seed draws: a function of the seed or seeds given."""
        if isinstance(seed, Sequence | np.ndarray):
            self._master = np.random.default_rng(self._check_seeds(seed))
        else:
            self._master = np.random.default_rng(check_seed(seed))

    def _check_seeds(self, seeds: Sequence[int] | np.ndarray, what: str = "seed") -> np.ndarray:
        given = self._check_integers(seeds, what)
        if (given < 0).any() or (given >= SEED_BOUND).any():
            raise ValueError(f"{what} must be {len(self)} integers from 0 to 2**63 - 1, not {show(seeds)}")
        return given.astype(np.int64)

    def _check_integers(
        self, values: object, what: str, fault: type[ValueError] = ValueError, kind: type = np.integer
    ) -> np.ndarray:
        """(n,) integers, or what else ``kind`` names."""
        try:
            given = np.asarray(values)
        except ValueError:  # lists of different lengths
            raise fault(f"{what} must be {len(self)} values, not {describe(values)}") from None
        if given.shape != (len(self),) or not np.issubdtype(given.dtype, kind):
            word = "integers" if kind is np.integer else "bools"
            raise fault(
                f"{what} must be {len(self)} {word}, not an array of shape {given.shape} and type {given.dtype}"
            )
        return given

    def _take_up(
        self, setting: Setting, records: np.ndarray, reward: str | RewardFunction | None, threads: int = 1
    ) -> None:
        self._setting = setting
        self._engine: Engine = find_engine(setting.rules.game)
        self._reward = choose_reward(reward, setting)
        self._payment = Payment(self._reward)
        self.threads = threads
        self.records = self._own(records)
        self.mask = np.zeros((len(records), self._engine.spec.facts.num_actions), np.bool_)
        self.rewards = np.zeros((len(records), setting.num_seats))
        self._seeds = np.full(len(records), -1, np.int64)
        self._rows = np.arange(len(records))
        self._order = order_by_part(records, setting)
        self._over = np.zeros(len(records), np.bool_)
        self._ended = np.zeros(len(records), np.bool_)

    def _own(self, records: np.ndarray) -> np.ndarray:
        """The same records with the game's own dtype object: equal ones cost each call of a kernel a millisecond."""
        return records.view(self._engine.spec.kernels.record)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.records = self._own(self.records)
        load_parts(self.records, self._setting)

    # --- other ways to a batch ---------------------------------------------------------------------

    @classmethod
    def _around(
        cls, records: np.ndarray, setting: Setting, reward: str | RewardFunction | None = None, threads: int = 1
    ) -> GameBatch:
        batch = cls.__new__(cls)
        batch._take_up(setting, records, reward, threads)
        batch._master = np.random.default_rng()
        batch._engine.prepare(setting)
        batch._settle(batch._rows)
        return batch

    @classmethod
    def from_records(cls, records: np.ndarray, rules: Any, **contents: Any) -> GameBatch:
        """A batch from any positions, for search.

        Args:
            records: (n,) records, copied.
            rules: their rules, or those of several kinds that a batch was made with.
            contents: what stands in for things that the rules name, such as ``map=`` and ``deck=`` of a scenario
                that has its own; ``None`` for what they name.

        Raises:
            ValueError: if a record could not be played on this setting.
        """
        given = {name: value for name, value in contents.items() if value is not None}
        if given:
            setting = find_spec(rules.game).load(rules, **given)
        else:
            setting, _ = load_settings(rules if isinstance(rules, Sequence) else [rules])
        checked = check_records(records, setting)
        return cls._around(checked.copy(), setting)

    def tile(self, k: int) -> GameBatch:
        """A batch with each game ``k`` times in a row, each with the same future."""
        count = check_count(k, "k", most=MAX_GAMES // len(self))
        return self._around(np.repeat(self.records, count), self._setting, self._reward, self.threads)

    def clone(self, out: GameBatch | None = None) -> GameBatch:
        """An independent batch with the same positions and futures; into ``out`` if given, without allocation.

        Raises:
            ValueError: if ``out`` has another number of games or another setting.
        """
        if out is None:
            out = self.__class__.__new__(self.__class__)
            out._take_up(self._setting, np.empty_like(self.records), self._reward, self.threads)
            out._master = np.random.Generator(np.random.PCG64(0))
        elif not isinstance(out, GameBatch) or len(out) != len(self) or out._setting is not self._setting:
            raise ValueError(f"out must be a clone of this batch of {len(self)} games, not {show(out)}")
        out.records.view(np.uint8)[:] = self.records.view(np.uint8)  # NumPy copies records field by field
        out.mask[:] = self.mask
        out._over[:] = self._over
        out._order = self._order
        out.rewards[:] = self.rewards
        out._seeds[:] = self._seeds
        out._master.bit_generator.state = self._master.bit_generator.state
        return out

    def game(self, index: int) -> Game:
        """Game ``index`` alone, an independent copy without a past."""
        number = as_integer(index, "index")
        if not 0 <= number < len(self):
            raise ValueError(f"index={number}: 0 to {len(self) - 1} are allowed")
        return game_class_of(self._setting)._at(self._setting, self.records[number : number + 1].copy())

    def __copy__(self) -> GameBatch:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        return self.clone()

    # --- the positions -----------------------------------------------------------------------------

    @property
    def rules(self) -> Any:
        """The configuration of every game; of those with different ones, the first."""
        return self._setting.rules

    @property
    def setting(self) -> Setting:
        """The rules, and what they name, loaded."""
        return self._setting

    @property
    def names(self) -> dict[str, np.ndarray]:
        """What the rules of each game name, such as its map: by what it is (n,) texts."""
        return name_parts(self.records, self._setting)

    @property
    def seeds(self) -> np.ndarray:
        """(n,) int64, the seed that each game was dealt with; -1 for positions from elsewhere."""
        return self._seeds.copy()

    @property
    def seats(self) -> np.ndarray:
        """(n,) int16, whose decision it is; -1 where the game is over."""
        seats: np.ndarray = self.records["seat"]
        return seats

    @property
    def done(self) -> np.ndarray:
        """(n,) bool, which games are over."""
        return np.asarray(self.records["seat"] == NONE)

    @property
    def truncated(self) -> np.ndarray:
        """(n,) bool, which games the round limit alone has ended."""
        return np.asarray(self.records["truncated"] == 1)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"<GameBatch of {len(self)} games on {self._setting.title}, {self._setting.num_seats} seats>"

    def scores(self) -> tuple[np.ndarray, np.ndarray]:
        """Scores as the positions stand: (n, seats, parts) int64, see ``Facts.score_parts``, and (n, seats) winners."""
        return self._engine.score(self.records, self._setting)

    # --- stepping --------------------------------------------------------------------------------------

    def step(self, actions: Sequence[int] | np.ndarray) -> None:
        """Play one action in each game; ``records``, ``mask`` and ``rewards`` are renewed in place.

        Args:
            actions: (n,) integers; those of finished games are ignored.

        Raises:
            IllegalActionError: naming the first game whose action is illegal, and why. Nothing is changed.
        """
        ids = self._check_actions(actions)
        rows, chosen = (self._rows, ids) if self._order is None else (self._order, ids[self._order])
        counts: list[int] = []

        def note(part: slice) -> None:  # by the thread that has played these games: their records are in its caches
            counts.append(note_ended(self.records, rows[part], self._over, self._ended))

        self._engine.step(self.records, self._setting, rows, chosen, self.mask, self.threads, note)
        self._pay(sum(counts))

    def _pay(self, num_ended: int) -> None:
        """Renew ``rewards``: games that have just ended pay."""
        self.rewards[:] = 0.0
        if num_ended > 0:
            ended = self._ended
            finished = take_games(self.records, np.flatnonzero(ended))
            self.rewards[ended] = self._payment.count_final(finished, self._setting)

    def _check_actions(self, actions: Sequence[int] | np.ndarray) -> np.ndarray:
        given = self._check_integers(actions, "actions", IllegalActionError)
        ids = given.astype(np.int64, copy=False)
        wrong = find_refused(self.records, self.mask, ids)
        if wrong != NONE:
            self._refuse(wrong, int(given[wrong]))
        return ids

    def _refuse(self, index: int, action: int) -> None:
        try:
            self.game(index).step(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"game {index}: {error}") from None

    def sample_legal(self, rng: np.random.Generator) -> np.ndarray:
        """(n,) int64, a uniformly random legal action of each game (the resting one where it is over)."""
        actions = np.empty(len(self), np.int64)
        fractions = rng.random(len(self))
        share(lambda part: pick_legal(self.mask[part], fractions[part], actions[part]), len(self), self.threads)
        return actions

    def rollout(self, policy: str | Choice = "random", seed: int | Sequence[int] | np.ndarray | None = None) -> int:
        """Play all games to their ends by a compiled policy; positions and ``rewards`` are renewed in place.

        Args:
            policy: a name of the game's ``Players.playouts``, or a function of that kind.
            seed: what chance gives the policy in game i follows from ``seed + i``, or from its own of n seeds; ``None``
                draws seeds from the batch's master stream. The games' own chance goes on as it would.

        Returns:
            The number of decisions with more than one legal action.

        Raises:
            ValueError: for an unknown policy, naming those that there are.

        Example:
            >>> from steam_env import Rules
            >>> batch = GameBatch(Rules(map="mini", contracts="mini"), 4, seed=1)
            >>> batch.rollout("greedy") > 0, batch.done.all()
            (True, True)
        """
        choices = self._engine.spec.players.playouts
        choice = load_named(look_up(choices, "policy", policy)) if isinstance(policy, str) else policy
        seeds = self._spread_seeds(seed, np.ones(len(self), np.bool_))
        decisions = roll_out(self.records, self._setting, self.mask, choice, seeds, self.threads)
        self._pay(note_ended(self.records, self._rows, self._over, self._ended))
        return decisions

    # --- dealing ----------------------------------------------------------------------------------------

    def reset(
        self,
        where: np.ndarray | Sequence[bool] | None = None,
        seed: int | Sequence[int] | np.ndarray | None = None,
        maps: Sequence[str] | np.ndarray | None = None,
    ) -> None:
        """Deal new games.

        Args:
            where: (n,) bool, which games; ``None`` = all.
            seed: game i gets ``seed + i``, or its own of n seeds; ``None`` draws seeds from the batch's master stream.
            maps: n names, each game's map, of those that the batch's rules have, such as ``gen-v1:train:17`` of a set;
                those of other games are ignored. ``None``: drawn by the seed from a set, else the map that it has.

        Raises:
            ValueError: naming a map that games of the batch cannot have.
        """
        everywhere = np.ones(len(self), np.bool_)
        chosen = everywhere if where is None else self._check_integers(where, "where", kind=np.bool_)
        rows = np.flatnonzero(chosen)
        parts = None if maps is None else find_named_parts(self._setting, [maps[row] for row in rows.tolist()])
        seeds = self._spread_seeds(seed, chosen)
        self.rewards[chosen] = 0.0
        self._deal(chosen, seeds, parts)

    def _spread_seeds(self, seed: int | Sequence[int] | np.ndarray | None, where: np.ndarray) -> np.ndarray:
        """(n,) seeds; those of games not in ``where`` stay what they are."""
        seeds = self._seeds.copy()
        if seed is None:
            seeds[where] = self._master.integers(0, SEED_BOUND, int(where.sum()), dtype=np.int64)
        elif isinstance(seed, Sequence | np.ndarray):
            seeds[where] = self._check_seeds(seed)[where]
        else:
            first = check_seed(seed)
            check_seed(first + len(self) - 1)
            seeds[where] = first + self._rows[where]
        return seeds

    def _deal(self, where: np.ndarray, seeds: np.ndarray, parts: np.ndarray | None = None) -> None:
        self._seeds = seeds
        self._engine.prepare(self._setting)
        rows = np.flatnonzero(where)
        put_games(self.records, rows, lay_tables(self.records, self._setting, rows, seeds[rows], parts))
        self._engine.spec.kernels.deal(self.records, self._setting, seeds, where)
        self._settle(rows)

    def adopt(self, rows: np.ndarray, other: GameBatch, theirs: np.ndarray) -> None:
        """Copy the games ``theirs`` (k,) of another batch by the same rules, as the games ``rows`` (k,)."""
        put_games(self.records, rows, take_games(other.records, theirs))
        self.mask[rows], self._seeds[rows] = other.mask[theirs], other._seeds[theirs]
        self.rewards[rows] = 0.0
        note_ended(self.records, rows, self._over, self._ended)

    def _settle(self, rows: np.ndarray) -> None:
        self._engine.settle(self.records, self._setting, rows, self.mask)
        note_ended(self.records, rows, self._over, self._ended)

    # --- what seats see ----------------------------------------------------------------------------------

    def observe(self, encoding: str | None = None, out: Any = None, seats: np.ndarray | None = None) -> Any:
        """Observations (n, ...) of one seat in each game, by default the mover; rows of finished games are zero.

        Args:
            encoding: a name of the game's ``Sight.encodings``, or its digits, such as ``"flat:tight"``: see
                ``steam_env.kit.forms``; ``None``: the first.
            out: an array to write into, or a dict of them where the encoding has more than one; it is also returned.
            seats: (n,) which seat looks; ``None`` = the mover.
        """
        chosen = self._engine.spec.sight.find_encoding(encoding, setting=self._setting)
        if out is None:
            out = chosen.allocate(len(self))
        chosen.check(out, len(self))
        self._observe(chosen, None if seats is None else self._check_seats(seats), out)
        return out

    def _observe(self, encoding: Encoding, observers: np.ndarray | None, out: Observations) -> None:
        """Write what observers see, or movers."""

        def look(part: slice) -> None:
            records = self.records[part]
            seats = records["seat"].astype(np.int64) if observers is None else observers[part]
            encoding.encode(records, *self._setting.statics, seats, pick(out, part))

        share(look, len(self), self.threads)

    def views(self, seats: np.ndarray | None = None) -> View:
        """What one seat in each game sees and knows, by default the mover."""
        return view_records(
            self.records, self._check_seats(self.records["seat"] if seats is None else seats), self._setting
        )

    def _check_seats(self, seats: np.ndarray | Sequence[int]) -> np.ndarray:
        observers = self._check_integers(seats, "seats")
        if observers.min() < -1 or observers.max() >= self._setting.num_companies:
            raise ValueError(f"seats must be -1 to {self._setting.num_companies - 1}")
        return observers.astype(np.int64)

    def redeal(self, seats: np.ndarray | Sequence[int], seeds: np.ndarray | Sequence[int]) -> GameBatch:
        """A batch that looks the same to one seat of each game, with all that it does not know dealt anew.

        Args:
            seats: (n,) the seat that must not notice.
            seeds: (n,) seeds of the redeals.
        """
        view = view_records(self.records, self._check_seats(seats), self._setting)
        self._engine.spec.kernels.fill(view.records, self._check_seeds(seeds, "seeds"))
        return self._around(view.records, self._setting, self._reward, self.threads)
