"""The Gymnasium environments: one learner against Automas or agents, and the solo game. They know no rules."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.data.steam_power.rules import Rules
from steam_env.encoding import Observations
from steam_env.envs.opponents import Opponent, make_opponents, play_opponent, seat_everybody
from steam_env.envs.options import (
    ANY_SEAT,
    RENDER_FPS,
    RENDER_MODES,
    SHAPED,
    TERMINAL,
    check_render_mode,
    check_rule_fields,
    check_seat,
    to_integer,
)
from steam_env.envs.table import AtTable, Table, draw_seed
from steam_env.kit.checks import check_seed
from steam_env.render import close_window
from steam_env.table.rewards import RewardFunction

MAX_DEALS = 100  # tries to deal a game in which the learner decides at all

Told = tuple[Observations, dict[str, Any]]


class SteamPowerEnv(AtTable, gymnasium.Env[Any, np.int64]):
    """Steam Power for one learner, as a Gymnasium environment.

    The other seats are Automas or agents, who play inside ``reset`` and ``step``: both return at the learner's own
    next decision or at the end.

    Observation: Box float32, what the learner's seat sees, a fresh array in each call; with ``encoding="graph"`` a
    Dict of such Boxes.

    Action: an id of ``Discrete(372)``. Legal ones are 1 in ``info["action_mask"]`` (372,) int8 and True in
    ``action_masks()`` (372,) bool; at the end `money` alone is, so that no policy meets an empty mask.

    Reward: all that the learner's seat is paid from its decision to the next one or the end.

    Info: ``action_mask``; ``seat``, the learner's; ``events``, what happened since it was last asked (``SeenEvents``,
    what it may not see is ``"hidden"``); ``round_limit``, whether the round limit alone has ended the game; at the
    end also ``scores``, a dict of victory points for each seat, and ``winners``, a list of seats; after a forfeit
    ``forfeit``, a dict of ``agent``, ``action`` and ``reason``.

    Args:
        opponents: who plays the other player seats: an agent, a class or function without arguments that makes one,
            a policy `(observations, masks) -> actions`, a function `(view, mask, rng) -> action`, or a list with
            one of these for each seat, that after the learner's first. Each seat has an agent of its own: an
            object is copied.
        seat: the learner's seat: `"random"`, drawn among the player seats for each game, or a number.
        rules: the rules of the game, or `None` where they are given as keyword arguments.
        encoding: what a seat observes, a name of `steam_env.encoding.ENCODINGS`.
        reward: `"win"`, `"margin"`, `"score"` or a function `(records, rules) -> (n, seats)`, asked at the end;
            `None` = `"win"`, or `"score"` in solo, where `"win"` is refused.
        shaping: a potential `Φ(records, rules) -> (n, seats)`, or `None`. Its mean over the seats is subtracted, but
            not in solo; gamma × (Φ now) − (Φ before) is paid between a seat's own decisions, with 0 for Φ at the end.
        gamma: the discount of the shaping, 0 to 1.
        illegal: what an illegal action does: `"raise"` an error and change nothing, or `"forfeit"` the game.
        skip_forced: whether decisions with a single legal action are played without asking.
        render_mode: `None`, `"ansi"` (`render` returns a text), `"rgb_array"` (pixels, of one size always) or `"human"`
            (a window, renewed at each step). All hands are shown; the last two need the extra `render`.
        rule_fields: any field of ``Rules`` by name. Seats that are left out: without ``opponents`` and ``automas``
            all other seats are Automas; without ``num_players`` there are as many as opponents and Automas need.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> env = SteamPowerEnv(map="mini", contracts="mini")
        >>> observation, info = env.reset(seed=1)
        >>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        >>> env.rules.automas, reward, info["seat"]
        (1, 0.0, 0)
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
        rules: Rules | None = None,
        encoding: str = "flat",
        reward: str | RewardFunction | None = None,
        shaping: RewardFunction | None = None,
        gamma: float = 1.0,
        illegal: str = "raise",
        skip_forced: bool = False,
        render_mode: str | None = None,
        **rule_fields: Any,
    ) -> None:
        check_rule_fields(SteamPowerEnv, rules, rule_fields)
        self._table = Table(
            rules or seat_everybody(rule_fields, opponents),
            encoding=encoding,
            reward=reward,
            shaping=shaping,
            gamma=gamma,
            illegal=illegal,
            skip_forced=skip_forced,
        )
        self._opponents = make_opponents(opponents, self._table.players - 1)
        self._fixed_seat = check_seat(seat, self._table.players)
        self._seat = 0
        self.render_mode = check_render_mode(render_mode)
        self.metadata = copy.deepcopy(type(self).metadata)
        if shaping is not None:
            self.metadata["reward_timing"] = SHAPED
        self.observation_space = self._table.make_space()
        self.action_space = spaces.Discrete(NUM_ACTIONS)

    # --- the game --------------------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The learner's seat in the game under way; in solo 0."""
        return self._seat

    @property
    def reward(self) -> str | RewardFunction:
        """What is paid at the end: the option, or what it stands for when left out."""
        return self._table.reward

    # --- reset and step --------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Told:
        """Begin a game, up to the learner's first decision.

        A game that is over before it (the others may end a scenario, and ``skip_forced`` may leave nothing to
        decide) is no episode: seat, game and agents are drawn again.

        Args:
            seed: fixes the deal, all chance in play, the learner's seat, the agents' seeds and later resets: the
                game is ``Game(rules, seed=seed)``. ``None`` goes on from ``np_random``.
            options: ``{"scenario": dict | path}`` begins at that position, by the scenario's own rules.

        Returns:
            observation and info.

        Raises:
            ValueError: for a bad seed, or a scenario with another number of player seats.
            ScenarioError: naming the entry of the scenario that could not exist.
            IllegalActionError: naming an opponent whose answer is no legal action.
            RuntimeError: if the learner has nothing to decide however often the game begins.
        """
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        self._begin(draw_seed(self.np_random) if seed is None else seed, options)
        deals = 1
        while self._table.is_over:
            if deals == MAX_DEALS:
                raise RuntimeError(f"player_{self._seat} has nothing to decide: {MAX_DEALS} games were over before")
            self._begin(draw_seed(self.np_random), options)
            deals += 1
        self._table.pay()  # its shaping counts from this decision on
        return self._tell()

    def _begin(self, seed: int, options: dict[str, Any] | None) -> None:
        self._table.begin(seed, options)
        players = self._table.players
        drawn = int(self.np_random.integers(players))  # drawn in any case, so that the agents' seeds stay the same
        self._seat = drawn if self._fixed_seat is None else self._fixed_seat
        for agent in self._opponents:
            agent.reset(draw_seed(self.np_random))
        self._play_opponents()

    def _play_opponents(self) -> None:
        table = self._table
        while not table.is_over and table.mover != self._seat:
            place = (table.mover - self._seat - 1) % table.players
            play_opponent(table, self._opponents[place])

    def step(self, action: int | np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, and the others up to its next decision or the end.

        Returns:
            observation, reward, terminated, truncated (always False: the round limit is a rule), info.

        Raises:
            IllegalActionError: with ``illegal="raise"`` for an illegal action, with its reason, and always for
                what is no integer: nothing is changed. Naming an opponent whose answer is no legal action.
            gymnasium.error.ResetNeeded: before ``reset``, and after the end.
        """
        self._check_asked()
        self._table.play(to_integer(action))
        self._play_opponents()
        reward = float(self._table.pay()[self._seat])
        observation, info = self._tell()
        return observation, reward, self._table.is_over, False, info

    def _check_asked(self) -> None:
        if not self._table.has_game or self._table.mover != self._seat:
            raise ResetNeeded("the learner has nothing to decide: call reset()")

    # --- what the learner is told ----------------------------------------------------------------------

    def _tell(self) -> Told:
        if self.render_mode == "human":
            self.render()
        info = {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}
        info |= self._table.inform(self._seat)
        if self._table.is_over:
            info |= {"scores": self.game.scores(), "winners": self._table.list_winners()}
        return self._table.observe(self._seat), info

    def action_masks(self) -> np.ndarray:
        """(372,) bool, a fresh array: the learner's legal actions; at the end `money` alone.

        Raises:
            RuntimeError: before ``reset``.
        """
        if self._table.is_over:
            return np.asarray(np.arange(NUM_ACTIONS) == MONEY)
        self._check_asked()
        return self.game.mask.copy()

    def sample_legal(self, rng: np.random.Generator) -> int:
        """A uniformly random legal action; at the end `money`."""
        return int(rng.choice(np.flatnonzero(self.action_masks())))

    def render(self) -> str | np.ndarray | None:  # type: ignore[override, unused-ignore]
        """The board: a text with ``render_mode="ansi"``, pixels with ``"rgb_array"``; ``"human"`` shows a window."""
        if self.render_mode is None:
            allowed = ", ".join(map(repr, RENDER_MODES))
            gymnasium.logger.warn(f"render() does nothing without a render_mode: allowed are {allowed}")
            return None
        return self.game.render(self.render_mode, fps=RENDER_FPS)

    def close(self) -> None:
        """Close the window of ``render_mode="human"``; the environment stays usable."""
        if self.render_mode == "human":
            close_window()

    def __copy__(self) -> SteamPowerEnv:
        """An independent environment with the same position and future: a deep copy."""
        return copy.deepcopy(self)


class SteamPowerSoloEnv(SteamPowerEnv):
    """The solo game as a Gymnasium environment: one player, five companies, eight rounds.

    Observation, action, reward, info and options are those of ``SteamPowerEnv``; the observation is that of the
    company that is active, the reward the score unless another is named, and there is one entry in
    ``info["scores"]``.

    Args:
        options: those of ``SteamPowerEnv``, and any field of ``Rules``; no seat is left for ``opponents``.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> env = SteamPowerSoloEnv()
        >>> observation, info = env.reset(seed=1)
        >>> env.rules.mode, info["seat"]
        ('solo', 0)
    """

    def __init__(self, **options: Any) -> None:
        if options.get("rules") is None:
            options.setdefault("mode", "solo")
        super().__init__(**options)
        if not self._table.is_solo:
            raise ValueError(f"mode={self.rules.mode!r}: only 'solo' is allowed here")
