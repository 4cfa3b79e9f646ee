"""The PettingZoo environment: one ``Game`` behind the AEC interface. It knows no rules of its own."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import fields
from inspect import signature
from typing import Any, TypeAlias
from warnings import warn

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from steam_env.checks import SEED_BOUND, check_seed, look_up
from steam_env.core.actions import NUM_ACTIONS
from steam_env.core.state import MAX_CONTRACTS
from steam_env.encoding import ENCODINGS
from steam_env.encoding.board_features import make_board_features
from steam_env.envs.payment import Payment
from steam_env.errors import IllegalActionError
from steam_env.events import Event
from steam_env.game import Game
from steam_env.rewards import FloatArray, RewardFunction, forfeit_reward
from steam_env.rules import Rules, as_integer
from steam_env.setting import load_setting
from steam_env.text import name_seat

NAME = "steam_power_v0"
ILLEGAL = ("raise", "forfeit")
MASK_IN = ("observation", "info")
RENDER_MODES = ("ansi", "human")
STATE_ENCODING = "flat"  # what state() is made of, whatever the seats observe
NOT_ASKED = -1  # the step of a seat's last decision, before its first

Observation: TypeAlias = dict[str, np.ndarray] | np.ndarray


class SteamPowerAEC(AECEnv):  # type: ignore[misc, unused-ignore]  # PettingZoo ships no types
    """Steam Power as a PettingZoo AEC environment.

    Agents are the player seats, ``player_0`` first. All stay in ``agents`` until the game is over, all end in
    the same step, and each is then visited once more to collect its last reward. ``agent_selection`` is the
    seat whose decision it is and stays there through the sub-decisions of an action.

    Observation: ``{"observation": Box float32, "action_mask": Box int8 (372,)}``, fresh arrays in each call,
    for any seat at any time after ``reset``. The mask of a seat that is not to move, and every mask after the
    end, is all zero.

    Action: an id of ``Discrete(372)``; ``None`` for a seat whose game is over.

    Reward: at the end only, unless ``shaping`` is given.

    Info: ``events``, what happened since the seat was last asked (``Event``, the results of its own action
    first; what the seat may not see is ``"hidden"``); ``round_limit``, whether the round limit alone has
    ended the game; after a forfeit ``forfeit``, a dict of ``agent``, ``action`` and ``reason``; with
    ``mask_in="info"`` also ``action_mask``.

    Args:
        rules: the rules of the game, or `None` where they are given as keyword arguments.
        encoding: what a seat observes, a name of `steam_env.encoding.ENCODINGS`.
        reward: `"win"`, `"margin"`, `"score"` or a function `(records, rules) -> (n, seats)`, asked at the end.
        shaping: a potential `Φ(records, rules) -> (n, seats)`, or `None`. Its mean over the seats is subtracted;
            gamma × (Φ now) − (Φ before) is paid between a seat's own decisions, with 0 for Φ at the end.
        gamma: the discount of the shaping, 0 to 1.
        illegal: what an illegal action does: `"raise"` an error and change nothing, or `"forfeit"` the game.
        skip_forced: whether decisions with a single legal action are played without asking.
        mask_in: where the mask is: in the `"observation"`, or in the `"info"` beside a plain Box.
        render_mode: `None`, `"ansi"` (`render` returns a text) or `"human"` (printed at each step).
        rule_fields: any field of ``Rules`` by name.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> env = SteamPowerAEC(num_players=2, map="mini", contracts="mini")
        >>> env.reset(seed=1)
        >>> env.observe(env.agent_selection)["action_mask"].shape
        (372,)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's own type
        "name": NAME,
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "is_parallelizable": False,
        "reward_timing": "terminal",
    }

    def __init__(
        self,
        *,
        rules: Rules | None = None,
        encoding: str = "flat",
        reward: str | RewardFunction = "win",
        shaping: RewardFunction | None = None,
        gamma: float = 1.0,
        illegal: str = "raise",
        skip_forced: bool = False,
        mask_in: str = "observation",
        render_mode: str | None = None,
        **rule_fields: Any,
    ) -> None:
        super().__init__()
        self._setting = load_setting(_choose_rules(rules, rule_fields))
        self._setting.check_deal()
        look_up(ENCODINGS, "encoding", encoding)
        self._encoding = encoding  # the name: kernels need not travel in a pickle
        self._payment = Payment(reward, shaping, gamma)
        self._forfeits = _check_word("illegal", illegal, ILLEGAL) == "forfeit"
        self._skips_forced = _check_flag("skip_forced", skip_forced)
        self._mask_in_info = _check_word("mask_in", mask_in, MASK_IN) == "info"
        self.render_mode = None if render_mode is None else _check_word("render_mode", render_mode, RENDER_MODES)
        self.metadata = copy.deepcopy(type(self).metadata)
        if shaping is not None:
            self.metadata["reward_timing"] = "terminal, and shaping between a seat's own decisions"
        self.possible_agents = [name_seat(seat) for seat in range(self.rules.seats - self.rules.automas)]
        self.observation_spaces = {agent: self._make_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.state_space = self._make_state_space()
        self.np_random = np.random.default_rng()
        self._game: Game | None = None
        self._forfeit: dict[str, Any] | None = None
        self._asked_at: list[int] = []  # by seat: the number of its last decision, for its events
        self._potential = np.zeros(0)  # (seats,) Φ at its last decision
        self.agent_selection = ""
        self._set_agents([])

    # --- spaces ----------------------------------------------------------------------------------------

    def _make_observation_space(self) -> spaces.Space[Any]:
        encoding = ENCODINGS[self._encoding]
        box = spaces.Box(encoding.low, encoding.high, encoding.shape, np.float32)
        if self._mask_in_info:
            return box
        return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)})

    def _make_state_space(self) -> spaces.Box:
        encoding = ENCODINGS[STATE_ENCODING]
        size = self.rules.seats * encoding.shape[0] + MAX_CONTRACTS
        return spaces.Box(encoding.low, encoding.high, (size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, the same object in each call."""
        return self.observation_spaces[self.possible_agents[self._seat_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(372)``, for each agent an object of its own, the same in each call."""
        return self.action_spaces[self.possible_agents[self._seat_of(agent)]]

    # --- the game --------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """What the environment was configured with; a game from a scenario has its own (``game.rules``)."""
        return self._setting.rules

    @property
    def game(self) -> Game:
        """The game under way, to look at: step it through the environment only.

        Raises:
            RuntimeError: before the first ``reset``.
        """
        if self._game is None:
            raise RuntimeError("no game yet: call reset() first")
        return self._game

    @property
    def board_features(self) -> dict[str, np.ndarray]:
        """What map and deck fix for good: fresh arrays, see ``steam_env.encoding.board_features``."""
        setting = self._setting if self._game is None else self._game.setting
        return make_board_features(setting.boards[0], setting.decks[0])

    def _seat_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"no agent {agent!r}: there are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _is_over(self) -> bool:
        return self.game.done or self._forfeit is not None

    # --- reset -----------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: fixes the deal, all chance in play and the seeds of later resets: the game is
                ``Game(rules, seed=seed)``. ``None`` draws one from the environment's own generator.
            options: ``{"scenario": dict | path}`` begins at that position, by the scenario's own rules.

        Raises:
            ValueError: for a bad seed, or a scenario with another number of player seats.
            ScenarioError: naming the entry of the scenario that could not exist.
        """
        self._game = self._begin(self._draw_seed(seed), options or {})
        self._forfeit = None
        self._play_forced()
        self._set_agents(self.possible_agents)
        self._asked_at = [NOT_ASKED] * self._game.seats
        self._potential = self._count_potential()
        self._settle(self._pay_end() if self._is_over() else np.zeros(self._game.seats))

    def _draw_seed(self, seed: int | None) -> int:
        if seed is None:
            return int(self.np_random.integers(0, SEED_BOUND, dtype=np.int64))
        seed = check_seed(seed)
        self.np_random = np.random.default_rng(seed)
        return seed

    def _begin(self, seed: int, options: Mapping[str, Any]) -> Game:
        for name in options:
            if name != "scenario":  # no error: PettingZoo's own api_test passes a name that nobody knows
                warn(f"reset option {name!r} is ignored: 'scenario' is allowed", stacklevel=3)
        if options.get("scenario") is None:
            return Game._dealt(self._setting, seed)
        game = Game.from_scenario(options["scenario"], seed)
        players = game.seats - game.rules.automas
        if players != len(self.possible_agents) or game.rules.mode != self.rules.mode:
            raise ValueError(
                f"the scenario has {players} player seats in mode {game.rules.mode!r}, "
                f"this environment {len(self.possible_agents)} in mode {self.rules.mode!r}"
            )
        return game

    def _set_agents(self, agents: list[str]) -> None:
        """Let these be the agents of the game, with nothing paid yet."""
        self.agents = agents.copy()
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._skip_agent_selection = None  # PettingZoo's memory of the last lap

    # --- step ------------------------------------------------------------------------------------------

    def step(self, action: int | None) -> None:
        """Play an action of ``agent_selection`` up to the next decision; ``None`` if its game is over.

        Raises:
            IllegalActionError: with ``illegal="raise"`` for an illegal action, with its reason, and always
                for what is no integer. Nothing is changed.
            ValueError: for an action of a seat whose game is over.
            RuntimeError: before ``reset``, and after the last visit.
        """
        if not self.agents:
            raise RuntimeError("no agent is left to step: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(self._seat_of(agent), _to_integer(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle(self._pay_end() if self._is_over() else self._pay_mover())

    def _play(self, seat: int, action: int) -> None:
        """Play the action, or end the game by forfeit."""
        asked_at = self.game.num_steps
        try:
            self.game.step(action)
        except IllegalActionError:
            if not self._forfeits:
                raise
            self._forfeit = {"agent": name_seat(seat), "action": action, "reason": self._explain(action)}
        else:
            self._play_forced()
        self._asked_at[seat] = asked_at

    def _explain(self, action: int) -> str:
        """Why the action is illegal, without the examples of legal ones: they would show a hand."""
        try:
            return str(self.game.explain(action))
        except IllegalActionError as error:  # an id out of range
            return str(error)

    def _play_forced(self) -> None:
        while self._skips_forced and not self.game.done:
            legal = np.flatnonzero(self.game.mask)
            if len(legal) > 1:
                return
            self.game.step(int(legal[0]))

    def _settle(self, rewards: FloatArray) -> None:
        """Renew what the agents are told: who decides, the rewards of this step, ends, infos."""
        over = self._is_over()
        self.agent_selection = self.agents[0] if over else name_seat(self.game.seat)
        self.rewards = dict(zip(self.agents, rewards.tolist(), strict=False))  # Automa seats are the last
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, over)
        self.infos = {agent: self._inform(seat) for seat, agent in enumerate(self.agents)}
        if self.render_mode == "human":
            self.render()

    def _pay_mover(self) -> FloatArray:
        """(seats,) float64: to the seat that now decides the shaping since its last decision."""
        game = self.game
        rewards = np.zeros(game.seats)
        if self._payment.shaping is not None:
            now = self._count_potential()[game.seat]
            rewards[game.seat] = self._payment.gamma * now - self._potential[game.seat]
            self._potential[game.seat] = now
        return rewards

    def _pay_end(self) -> FloatArray:
        """(seats,) float64: the reward of the game or of its forfeit, and −Φ: at the end the potential is 0."""
        game = self.game
        if self._forfeit is None:
            rewards = self._payment.count_final(game.records, game.setting)
        else:
            rewards = forfeit_reward(game.seats, self._seat_of(self._forfeit["agent"]))[np.newaxis]
        paid: FloatArray = rewards[0] - self._potential
        return paid

    def _count_potential(self) -> FloatArray:
        """(seats,) float64, Φ of the position; 0 at the end."""
        if self.game.done:
            return np.zeros(self.game.seats)
        potential: FloatArray = self._payment.count_potential(self.game.records, self.game.setting)[0]
        return potential

    # --- what agents are told --------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What the agent sees, in fresh arrays; changes nothing. Valid for every seat at any time after reset."""
        seat = self._seat_of(agent)
        observation = self.game.observe(seat, self._encoding)
        if self._mask_in_info:
            return observation
        return {"observation": observation, "action_mask": self._mask_of(seat)}

    def _mask_of(self, seat: int) -> np.ndarray:
        """(372,) int8, a fresh array: 1 for each legal action; all zero if it is not the seat's decision."""
        if self._is_over() or seat != self.game.seat:
            return np.zeros(NUM_ACTIONS, np.int8)
        return self.game.mask.astype(np.int8)

    def _inform(self, seat: int) -> dict[str, Any]:
        """The seat's info, nothing of it shared with another."""
        info: dict[str, Any] = {
            "events": self._recall(seat),
            "round_limit": self.game.truncated and self._forfeit is None,
        }
        if self._forfeit is not None:
            info["forfeit"] = self._forfeit.copy()
        if self._mask_in_info:
            info["action_mask"] = self._mask_of(seat)
        return info

    def _recall(self, seat: int) -> list[Event]:
        """What happened since the seat was last asked, as it may see it."""
        asked_at = self._asked_at[seat]
        events = [event.hide_from(seat) for event in self.game.events_since(max(asked_at, 0))]
        if events and events[0].kind == "deal":  # stands before step 0, and is kept by the game
            events[0] = copy.deepcopy(events[0])
            return events[1:] if asked_at != NOT_ASKED else events
        return events

    def state(self) -> np.ndarray:
        """Everything, hidden or not, for training only: (seats x size of `flat` + 48,) float32, a fresh array.

        First what each seat sees, in the order of the seats, then by contract its place in the deck: the next
        draw 1/48, the one after it 2/48, ...; 0 if it is not there.
        """
        game = self.game
        seen = [game.observe(seat, STATE_ENCODING) for seat in range(game.seats)]
        deck = np.zeros(MAX_CONTRACTS, np.float32)
        order = game.record.deck_order[: game.deck_size][::-1]
        deck[order] = np.arange(1, len(order) + 1, dtype=np.float32) / MAX_CONTRACTS
        return np.concatenate([*seen, deck])

    def sample_legal(self, rng: np.random.Generator) -> int | None:
        """A uniformly random legal action of ``agent_selection``; ``None`` if its game is over."""
        return None if self._is_over() else int(rng.choice(np.flatnonzero(self.game.mask)))

    def render(self) -> str | None:
        """The board as text: returned with ``render_mode="ansi"``, printed with ``"human"``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: 'ansi' or 'human' is allowed")
            return None
        return self.game.render(self.render_mode)

    def close(self) -> None:
        """Nothing is open; the environment stays usable."""

    # --- copies ----------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> SteamPowerAEC:
        """An independent environment with the same position and future; the configuration is shared."""
        twin = self.__class__.__new__(self.__class__)
        memo[id(self)] = twin
        for shared in (self._setting, self._payment):
            memo[id(shared)] = shared
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def __copy__(self) -> SteamPowerAEC:
        """The same as a deep copy: two environments never share a game."""
        return copy.deepcopy(self)


class OrderEnforcing(OrderEnforcingWrapper):  # type: ignore[misc, unused-ignore]  # PettingZoo ships no types
    """PettingZoo's check that ``reset`` comes first, with copies that do not share the game."""

    def __copy__(self) -> OrderEnforcing:
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)


def make_env(**options: Any) -> OrderEnforcing:
    """The environment as users get it: ``SteamPowerAEC(**options)`` that enforces the order of calls.

    PettingZoo's other usual wrappers are left out: ``TerminateIllegalWrapper`` pays the others nothing and
    ``AssertOutOfBoundsWrapper`` gives no reason; the option ``illegal`` does both with one.
    """
    return OrderEnforcing(SteamPowerAEC(**options))


# --- checks of the options -----------------------------------------------------------------------------


def _choose_rules(rules: Rules | None, rule_fields: Mapping[str, Any]) -> Rules:
    names = [field.name for field in fields(Rules)]
    for name in rule_fields:
        if name not in names:
            allowed = ", ".join(signature(SteamPowerAEC).parameters)
            raise ValueError(f"unknown option {name!r}: options are {allowed}; rules are {', '.join(names)}")
    if rules is None:
        return Rules(**rule_fields)
    if rule_fields:
        raise ValueError(f"rules= and {next(iter(rule_fields))}= exclude each other: give one of them")
    if not isinstance(rules, Rules):
        raise ValueError(f"rules={rules!r}: an object of steam_env.Rules is allowed")
    return rules


def _check_word(name: str, value: object, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, allowed))}")
    return value


def _check_flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: allowed are True, False")
    return value


def _to_integer(action: object) -> int:
    """An action as an ``int``, also from a NumPy array without dimensions.

    Raises:
        IllegalActionError: for anything else.
    """
    value = action[()] if isinstance(action, np.ndarray) and action.ndim == 0 else action
    try:
        return as_integer(value, "action")
    except ValueError as error:
        raise IllegalActionError(str(error)) from None
