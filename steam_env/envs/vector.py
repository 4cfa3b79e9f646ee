"""The Gymnasium vector environment: many games in step, one learner in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from steam_env.core.sampling import pick_legal
from steam_env.encoding import Observations, pick
from steam_env.envs.cast import Opponents
from steam_env.envs.options import (
    ANY_SEAT,
    RENDER_FPS,
    check_flag,
    check_render_mode,
    check_word,
    read_learner_options,
    takes_game_options,
)
from steam_env.envs.tables import Tables
from steam_env.kit.arrays import BoolArray, FloatArray, IntArray
from steam_env.kit.checks import check_seed
from steam_env.kit.show import show
from steam_env.kit.threads import Background
from steam_env.table.batch import GameBatch
from steam_env.table.mixture import as_mixture
from steam_env.table.rewards import RewardFunction

RENDER_MODES = ("ansi", "rgb_array")  # what can be made of many games at once
RESET_OPTIONS = MASK, MAP = ("reset_mask", "map")

Told = tuple[Observations, dict[str, Any]]


class NotReset(ResetNeeded, AssertionError):
    """A step in a game that is over and not reset; also an ``AssertionError``, as ``SyncVectorEnv`` raises."""


@takes_game_options
class SteamVectorEnv(VectorEnv[Observations, np.ndarray, np.ndarray]):
    """A game for each of many learners, as a Gymnasium vector environment: all are played in step.

    Each game is that of ``LearnerEnv``: other seats are scripted or opponents, who play in batches inside
    ``reset`` and ``step``, which return when each game's mover is its learner, or the game has ended.

    Observation: (n, ...) float32, or digits, uint8: what learners see; with ``encoding="graph"`` a dict of such arrays.

    Action: (n,) ids of ``Discrete(actions)``. Legal ones are 1 in ``infos["action_mask"]`` (n, actions) int8 and True
    in ``action_masks()`` (n, actions) bool; of a game that is over the resting action alone is.

    Reward: (n,) float64, all that the learner's seat is paid from its decision to the next one or the end.

    Infos, each with the flags ``_name`` of the games it is of: ``action_mask``; ``seat``, the learner's;
    ``round_limit``, whether the round limit alone has ended the game; texts of what the rules name, such as ``map``
    and ``deck``. Of games that have just ended also ``scores`` (n, seats, parts), see the game's
    ``Facts.score_parts``; ``winners`` (n, seats) bool; ``opponents`` (n, places) who sat on the player seats after the
    learner's, as numbers of their ``Pool``; with ``illegal="forfeit"`` ``forfeit``, whether the learner has forfeited
    it. In the mode `SAME_STEP` ``final_info`` holds all these entries but the mask of the game that has ended, and
    ``final_obs`` its last observation, beside those of the new one.

    Args:
        num_envs: how many games.
        autoreset_mode: when a game that has ended begins anew, an ``AutoresetMode`` or its name: `"SAME_STEP"`, in the
            step that ends it, so that each step is a decision of every learner; `"NEXT_STEP"`, in the next step,
            which ignores its action; `"DISABLED"`, by `reset(options={"reset_mask": flags})`.
        opponents: who plays the other player seats: an agent, a class or function without arguments that makes one,
            a policy `(observations, masks) -> actions`, a ``Pool`` of these from which each game draws, or a list
            with one of all these for each seat, that after the learner's first. Each seat has an agent of its own,
            which plays in all games; a policy plays all seats.
        seat: the learner's seat: `"random"`, drawn among the player seats for each game, or a number.
        threads: how many threads share the games of each call; what is played, seen and paid does not depend on it.
        copy: whether each call returns fresh observations and masks; else two sets of arrays take turns, and
            what a call returned is overwritten by the call after the next.
        render_mode: `None`, `"ansi"` or `"rgb_array"`: ``render`` returns a picture of each game.
        options: those of ``GameOptions``, and any field of the game's rules by name, as in ``LearnerEnv``.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> envs = SteamVectorEnv(4, reward="margin")
        >>> observations, infos = envs.reset(seed=1)
        >>> observations, rewards, terminations, truncations, infos = envs.step(envs.sample_legal())
        >>> rewards, infos["seat"]
        (array([0., 0., 0., 0.]), array([0, 0, 0, 0]))
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = "SAME_STEP",
        opponents: Opponents = None,
        seat: str | int = ANY_SEAT,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        read = read_learner_options(SteamVectorEnv, options, opponents)
        self._mode = _read_mode(autoreset_mode)
        self._tables = Tables(read, num_envs, opponents=opponents, seat=seat, threads=threads)
        terms = self._tables.terms
        self.num_envs = len(self._tables)
        self.render_mode = check_render_mode(render_mode, RENDER_MODES)
        self.metadata = {
            "autoreset_mode": self._mode,
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "reward_timing": terms.reward_timing,
        }
        self.single_observation_space = terms.make_space()
        self.single_action_space = terms.make_action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._copies = check_flag("copy", copy)
        self._stepping = Background()
        self._spare: list[tuple[Observations, np.ndarray]] = []
        self._masks = np.zeros((self.num_envs, terms.spec.facts.num_actions), np.bool_)

    # --- the games ---------------------------------------------------------------------------------------

    @property
    def rules(self) -> Any:
        """The rules of all games."""
        return self._tables.setting.rules

    @property
    def games(self) -> GameBatch:
        """The games under way, to look at: step them through the environment only."""
        return self._tables.batch

    @property
    def seats(self) -> IntArray:
        """(n,) int64, the learner's seat in each game; in solo 0."""
        return self._tables.learners.copy()

    @property
    def seeds(self) -> IntArray:
        """(n,) int64, the seed of each game: its deal, its learner's seat and its opponents follow from it."""
        return self._tables.batch.seeds

    @property
    def reward(self) -> str | RewardFunction:
        """What is paid at the end: the option, or what it stands for when left out."""
        return self._tables.terms.payment.reward

    @property
    def board_features(self) -> dict[str, np.ndarray]:
        """What the setting fixes for good, such as the map: fresh arrays by name, see ``Sight.board_features``.

        Where games have different maps, arrays (n, ...) of the games as they are.
        """
        describe, games = self._tables.terms.spec.sight.board_features, self._tables.batch
        if as_mixture(games.setting) is None:
            return describe(games.setting)
        told = [describe(games.game(index).setting) for index in range(self.num_envs)]
        return {name: np.stack([one[name] for one in told]) for name in told[0]}

    # --- reset and step ----------------------------------------------------------------------------------

    def reset(self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None) -> Told:
        """Begin games, up to the learners' first decisions.

        Args:
            seed: game i is ``Game(rules, seed=seed + i)``, or of its own of n seeds; fixes all that follows, too.
                ``None`` goes on from ``np_random``.
            options: ``{"reset_mask": flags}``, (n,) bool: these games alone; unless it is all, a seed is theirs only.
                ``{"map": names}``: (n,) texts, or one for all: the map of each game, of those that the rules have, such
                as ``gen-v1:train:17`` where they name the set; those of other games are ignored.

        Returns:
            observations and infos of all games.

        Raises:
            ValueError: for bad seeds or options, or naming a map that the games cannot have.
            TypeError: for flags that are no array of bools.
            IllegalActionError: naming an opponent whose answer is no legal action.
            gymnasium.error.ResetNeeded: for some of the games, before all have begun.
        """
        self._check_idle()
        where, maps = _read_reset_mask(options, self.num_envs), _read_maps(options, self.num_envs)
        self._tables.check_maps(where, maps)
        seeds = None if seed is None else self._read_seeds(seed)
        if where.all():
            if seeds is not None:
                self.np_random = np.random.default_rng(seeds)
                self._np_random_seed = int(seeds[0])
            self._tables.begin_all(self.np_random, seeds, maps)
        else:
            self._tables.check_ready()
            self._tables.begin(where, seeds, maps)
        return self._tell({})

    def _read_seeds(self, seed: int | Sequence[int] | np.ndarray) -> IntArray:
        if isinstance(seed, Sequence | np.ndarray):
            return self._tables.batch._check_seeds(seed)
        first = check_seed(seed)
        check_seed(first + self.num_envs - 1)
        return first + np.arange(self.num_envs)

    def step(
        self, actions: np.ndarray | Sequence[int]
    ) -> tuple[Observations, FloatArray, BoolArray, BoolArray, dict[str, Any]]:
        """Play the learners' actions, then their opponents' up to the learners' next decisions or the end.

        Args:
            actions: (n,) ids; those of games that have ended and now begin anew are ignored.

        Returns:
            observations, rewards, terminations, truncations (always False: the round limit is a rule), infos.

        Raises:
            IllegalActionError: with ``illegal="raise"`` for an illegal action, naming game and reason, and always for
                what are no (n,) integers: nothing is changed. Naming an opponent whose answer is no legal action.
            gymnasium.error.ResetNeeded: before ``reset``, or in the mode `DISABLED` if a game is over.
            gymnasium.error.AlreadyPendingCallError: between ``step_async`` and ``step_wait``.
        """
        self._check_idle()
        return self._step(actions)

    def _step(
        self, actions: np.ndarray | Sequence[int]
    ) -> tuple[Observations, FloatArray, BoolArray, BoolArray, dict[str, Any]]:
        tables = self._tables
        tables.check_ready()
        due = tables.over
        if self._mode is AutoresetMode.DISABLED and due.any():
            which = ", ".join(map(str, np.flatnonzero(due)))
            raise NotReset(f"games that are over: {which}: call reset(options={{'reset_mask': flags}})")
        rewards = tables.play(*tables.check(actions, ~due), ~due)
        ended = tables.over & ~due
        infos = self._tell_end(ended) if ended.any() else {}
        anew = ended if self._mode is AutoresetMode.SAME_STEP else due
        if anew.any() and self._mode is not AutoresetMode.DISABLED:
            tables.begin(anew)
        observations, infos = self._tell(infos)
        return observations, rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def step_async(self, actions: np.ndarray | Sequence[int]) -> None:
        """Begin ``step`` in a thread beside this one: a net may look at other games meanwhile. ``step_wait`` ends it.

        Raises:
            gymnasium.error.AlreadyPendingCallError: if a step has begun and is not ended.
        """
        self._check_idle()
        given = np.array(actions)  # as they are now
        self._stepping.begin(lambda: self._step(given))

    def step_wait(self) -> tuple[Observations, FloatArray, BoolArray, BoolArray, dict[str, Any]]:
        """Wait for the step that ``step_async`` has begun, and return what ``step`` returns, or raise what it raises.

        Raises:
            gymnasium.error.NoAsyncCallError: if no step has begun.
        """
        if not self._stepping.is_busy:
            raise NoAsyncCallError("no step has begun: call step_async(actions) first", "step")
        return self._stepping.finish()  # type: ignore[no-any-return]

    def _check_idle(self) -> None:
        if self._stepping.is_busy:
            raise AlreadyPendingCallError("a step has begun: call step_wait() first", "step")

    # --- what learners are told --------------------------------------------------------------------------

    def _tell(self, infos: dict[str, Any]) -> Told:
        observations, self._masks = self._open_arrays()
        self._tables.observe(observations)
        self._tables.write_masks(self._masks)
        everywhere = np.ones(self.num_envs, np.bool_)
        _note(infos, "action_mask", self._masks.view(np.int8), everywhere)
        _note(infos, "seat", self.seats, everywhere.copy())
        _note(infos, "round_limit", self._tables.round_limits, everywhere.copy())
        for what, names in self._tables.batch.names.items():
            _note(infos, what, names, everywhere.copy())
        return observations, infos

    def _open_arrays(self) -> tuple[Observations, np.ndarray]:
        """Memory for observations and masks."""
        if not self._copies and len(self._spare) == 2:
            self._spare.reverse()
            return self._spare[0]
        arrays = self._tables.allocate(self.num_envs), np.empty_like(self._masks)
        if not self._copies:
            self._spare.insert(0, arrays)
        return arrays

    def _tell_end(self, ended: BoolArray) -> dict[str, Any]:
        """The infos of games that have just ended."""
        rows = np.flatnonzero(ended)
        told: dict[str, Any] = {}
        for name, values in self._tables.tell_end(rows).items():
            spread = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            spread[rows] = values
            _note(told, name, spread, ended.copy())
        if self._mode is not AutoresetMode.SAME_STEP:
            return told
        final = np.full(self.num_envs, None, object)
        seen = self._tables.observe_some(rows)
        final[rows] = np.fromiter((pick(seen, index) for index in range(len(rows))), object, len(rows))
        infos: dict[str, Any] = {}
        _note(infos, "final_obs", final, ended.copy())
        _note(infos, "final_info", told, ended.copy())
        return infos

    def action_masks(self) -> BoolArray:
        """(n, actions) bool, the learners' legal actions, the same array as ``infos["action_mask"]``."""
        return self._masks

    def sample_legal(self, rng: np.random.Generator | None = None) -> IntArray:
        """(n,) int64, uniformly random legal actions; by default drawn from ``np_random``."""
        actions = np.empty(self.num_envs, np.int64)
        pick_legal(self._masks, (rng or self.np_random).random(self.num_envs), actions)
        return actions

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game: a text with ``render_mode="ansi"``, pixels with ``"rgb_array"``."""
        if self.render_mode is None:
            return None
        return tuple(self.games.game(index).render(self.render_mode) for index in range(self.num_envs))


def _note(infos: dict[str, Any], name: str, values: object, where: BoolArray) -> None:
    """Add an entry as Gymnasium's vector environments do: with the flags of the games it is of."""
    infos[name], infos[f"_{name}"] = values, where


def _read_mode(mode: object) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    names = {name: one for one in AutoresetMode for name in (one.name, one.value)}
    return names[check_word("autoreset_mode", mode, tuple(names))]


def _read_reset_mask(options: Mapping[str, Any] | None, num_envs: int) -> BoolArray:
    """The games to reset; the options are left as they are, for wrappers to read."""
    for name in options or {}:
        if name not in RESET_OPTIONS:
            raise ValueError(f"reset option {name!r}: {' and '.join(map(repr, RESET_OPTIONS))} are allowed")
    if not options or MASK not in options:
        return np.ones(num_envs, np.bool_)
    mask = options[MASK]
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError(f"{MASK}={mask!r}: an array of {num_envs} bools is allowed")
    if mask.shape != (num_envs,) or not mask.any():
        raise ValueError(f"{MASK}={mask!r}: {num_envs} bools, one of them True, are allowed")
    return mask.copy()


def _read_maps(options: Mapping[str, Any] | None, num_envs: int) -> np.ndarray | None:
    """(n,) the names of the games' maps; ``None``: none is named."""
    given = (options or {}).get(MAP)
    if given is None:
        return None
    names = np.full(num_envs, given, object) if isinstance(given, str) else np.array(given, object)
    if names.shape != (num_envs,):
        raise ValueError(f"{MAP}={show(given)}: a name, or {num_envs} names, are allowed")
    return names
