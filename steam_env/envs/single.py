"""The Gymnasium environment: one learner in one game, against opponents that are played inside."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from steam_env.encoding import Observations
from steam_env.envs.observed import make_resting_mask
from steam_env.envs.opponents import Opponent, check_encoding, make_opponents, name_opponent
from steam_env.envs.options import (
    ANY_SEAT,
    RENDER_FPS,
    RENDER_MODES,
    TERMINAL,
    check_render_mode,
    check_seat,
    read_learner_options,
    takes_game_options,
    to_integer,
)
from steam_env.envs.table import MAX_DEALS, AtTable, Table, draw_seed
from steam_env.kit.checks import check_seed
from steam_env.table.asking import ask_mover, blame, call
from steam_env.words.seats import name_seat

Told = tuple[Observations, dict[str, Any]]


@takes_game_options
class LearnerEnv(AtTable, gymnasium.Env[Any, np.int64]):
    """A game for one learner, as a Gymnasium environment.

    The other seats are scripted or agents, who play inside ``reset`` and ``step``: both return at the learner's own
    next decision or at the end. In solo the learner has the only seat and sees the game from the company that is
    active.

    Observation: Box float32, what the learner's seat sees, a fresh array in each call; with ``encoding="graph"`` a
    Dict of such Boxes.

    Action: an id of ``Discrete(actions)``. Legal ones are 1 in ``info["action_mask"]`` (actions,) int8 and True in
    ``action_masks()`` (actions,) bool; at the end the game's resting action alone is, so that no policy meets an
    empty mask.

    Reward: all that the learner's seat is paid from its decision to the next one or the end.

    Info: ``action_mask``; ``seat``, the learner's; ``events``, what happened since it was last asked (``SeenEvents``,
    what it may not see is ``"hidden"``); what the rules name, such as ``map`` and ``deck``; ``round_limit``, whether
    the round limit alone has ended the game; at the end also ``scores``, a dict of points for each seat, and
    ``winners``, a list of seats; after a forfeit ``forfeit``, a dict of ``agent``, ``action`` and ``reason``.

    Args:
        opponents: who plays the other player seats: an agent, a class or function without arguments that makes one,
            a policy `(observations, masks) -> actions`, a function `(view, mask, rng) -> action`, or a list with
            one of these for each seat, that after the learner's first. Each seat has an agent of its own: an
            object is copied.
        seat: the learner's seat: `"random"`, drawn among the player seats for each game, or a number.
        render_mode: `None`, `"ansi"` (`render` returns a text), `"rgb_array"` (pixels, of one size always) or `"human"`
            (a window, renewed at each step). All hands are shown; the last two need the extra `render`.
        options: those of ``GameOptions``, and any field of the game's rules by name. What these leave out of the
            seats is filled in: without ``opponents`` and scripted seats all others are scripted, where the game has
            such seats; without a number there are as many as opponents and scripted seats need.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> env = LearnerEnv(reward="margin")
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        >>> reward, info["seat"]
        (0.0, 0)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's own type
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "reward_timing": TERMINAL,
    }

    def __init__(
        self,
        *,
        opponents: Opponent | list[Opponent] | tuple[Opponent, ...] | None = None,
        seat: str | int = ANY_SEAT,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self._table = Table(read_learner_options(LearnerEnv, options, opponents))
        terms = self._table.terms
        self._opponents = make_opponents(opponents, self._table.num_players - 1)
        for agent in self._opponents:
            check_encoding(agent, terms.spec)
        self._fixed_seat = check_seat(seat, self._table.num_players)
        self._learner = 0
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {**copy.deepcopy(type(self).metadata), "reward_timing": terms.reward_timing}
        self.observation_space = terms.make_space()
        self.action_space = terms.make_action_space()

    # --- the game --------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The learner's seat in the game under way; in solo 0."""
        return self._learner

    # --- reset and step --------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Told:
        """Begin a game, up to the learner's first decision.

        A game that is over before it (the others may end a scenario, and ``skip_forced`` may leave nothing to
        decide) is no episode: seat, game and agents are drawn again.

        Args:
            seed: fixes the deal, all chance in play, the learner's seat, the agents' seeds and later resets: the
                game is ``Game(rules, seed=seed)``. ``None`` goes on from ``np_random``.
            options: ``{"scenario": dict | path}`` begins at that position, by the scenario's own rules;
                ``{"map": name}`` on another map, that of a world such as ``gen-v1:train:17`` with its deck.

        Returns:
            observation and info.

        Raises:
            ValueError: for a bad seed, an unknown map, or a scenario with another number of player seats.
            ScenarioError: naming the entry of the scenario that could not exist.
            AgentError: naming an opponent that fails, or whose answer is no legal action.
            RuntimeError: if the learner has nothing to decide however often the game begins.
        """
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        self._begin(draw_seed(self.np_random) if seed is None else seed, options)
        deals = 1
        while self._table.is_over:
            if deals == MAX_DEALS:
                raise RuntimeError(
                    f"{name_seat(self._learner)} has nothing to decide: {MAX_DEALS} games were over before"
                )
            self._begin(draw_seed(self.np_random), options)
            deals += 1
        self._table.pay()  # its shaping counts from this decision on
        return self._tell()

    def _begin(self, seed: int, options: dict[str, Any] | None) -> None:
        self._table.begin(seed, options)
        drawn = int(
            self.np_random.integers(self._table.num_players)
        )  # drawn in any case, so that the agents' seeds stay the same
        self._learner = drawn if self._fixed_seat is None else self._fixed_seat
        for agent in self._opponents:
            seed = draw_seed(self.np_random)
            with blame(f"opponent {name_opponent(agent)}"):
                call("reset", partial(agent.reset, seed))
        self._play_opponents()

    def _play_opponents(self) -> None:
        table = self._table
        while not table.is_over and table.mover != self._learner:
            mover = table.mover
            opponent = self._opponents[(mover - self._learner - 1) % table.num_players]
            with blame(f"opponent {name_opponent(opponent)} on {name_seat(mover)}"):
                action = ask_mover(opponent, table.game)
            table.advance(action)

    def step(self, action: int | np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then its opponents' up to its next decision or the end.

        Returns:
            observation, reward, terminated, truncated (always False: the round limit is a rule), info.

        Raises:
            IllegalActionError: with ``illegal="raise"`` for an illegal action, with its reason, and always for
                what is no integer: nothing is changed.
            AgentError: naming an opponent that fails, or whose answer is no legal action.
            gymnasium.error.ResetNeeded: before ``reset``, and after the end.
        """
        self._check_asked()
        self._table.play(to_integer(action))
        self._play_opponents()
        reward = float(self._table.pay()[self._learner])
        observation, info = self._tell()
        return observation, reward, self._table.is_over, False, info

    def _check_asked(self) -> None:
        if not self._table.has_game or self._table.mover != self._learner:
            raise ResetNeeded("the learner has nothing to decide: call reset()")

    # --- what the learner is told ----------------------------------------------------------------------

    def _tell(self) -> Told:
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self.action_masks().astype(np.int8), "seat": self._learner}
        info |= self._table.inform(self._learner)
        return self._table.observe(self._learner), info

    def action_masks(self) -> np.ndarray:
        """(actions,) bool, a fresh array: the learner's legal actions; at the end the resting action alone.

        Raises:
            RuntimeError: before ``reset``.
        """
        if self._table.is_over:
            return make_resting_mask(self._table.terms.spec.facts)
        self._check_asked()
        return self.game.mask.copy()

    def sample_legal(self, rng: np.random.Generator) -> int:
        """A uniformly random legal action; at the end the resting one."""
        return int(rng.choice(np.flatnonzero(self.action_masks())))
