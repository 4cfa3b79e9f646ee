"""The PettingZoo environment: one ``Game`` behind the AEC interface. It knows no rules of its own."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS
from steam_env.data.steam_power.rules import Rules
from steam_env.envs.observed import make_observation_space
from steam_env.envs.options import (
    RENDER_FPS,
    RENDER_MODES,
    SHAPED,
    TERMINAL,
    check_flag,
    check_render_mode,
    check_rule_fields,
    check_word,
    to_integer,
)
from steam_env.envs.table import NOBODY, AtTable, Table, draw_seed
from steam_env.kit.checks import check_seed
from steam_env.render import close_window
from steam_env.spec import find_spec
from steam_env.table.rewards import RewardFunction
from steam_env.words.seats import name_seat

NAME = "steam_power_v0"
MASK_IN = ("observation", "info")
STATE_ENCODING = "flat"  # what state() is made of, whatever the seats observe

Observation: TypeAlias = dict[str, Any] | np.ndarray


class SteamPowerAEC(AtTable, AECEnv):  # type: ignore[misc, unused-ignore]  # PettingZoo ships no types
    """Steam Power as a PettingZoo AEC environment.

    Agents are the player seats, ``player_0`` first; Automas play by themselves between their decisions. All stay
    in ``agents`` until the game is over, all end in the same step, and each is then visited once more to collect
    its last reward. ``agent_selection`` is the seat whose decision it is and stays there through the sub-decisions
    of an action. In solo ``player_0`` is the only agent and sees the game from the company that is active.

    Observation: ``{"observation": Box float32, "action_mask": Box int8 (372,)}``, fresh arrays in each call,
    for any seat at any time after ``reset``. The mask of a seat that is not to move, and every mask after the
    end, is all zero.

    Action: an id of ``Discrete(372)``; ``None`` for a seat whose game is over.

    Reward: at the end only, unless ``shaping`` is given.

    Info: ``events``, what happened since the seat was last asked (``SeenEvents``, the results of its own action
    first; what the seat may not see is ``"hidden"``); ``round_limit``, whether the round limit alone has
    ended the game; after a forfeit ``forfeit``, a dict of ``agent``, ``action`` and ``reason``; with
    ``mask_in="info"`` also ``action_mask``.

    Args:
        rules: the rules of the game, or `None` where they are given as keyword arguments.
        encoding: what a seat observes, a name of `steam_env.encoding.ENCODINGS`.
        reward: `"win"`, `"margin"`, `"score"` or a function `(records, rules) -> (n, seats)`, asked at the end;
            `None` = `"win"`, or `"score"` in solo, where `"win"` is refused.
        shaping: a potential `Φ(records, rules) -> (n, seats)`, or `None`. Its mean over the seats is subtracted, but
            not in solo; gamma × (Φ now) − (Φ before) is paid between a seat's own decisions, with 0 for Φ at the end.
        gamma: the discount of the shaping, 0 to 1.
        illegal: what an illegal action does: `"raise"` an error and change nothing, or `"forfeit"` the game.
        skip_forced: whether decisions with a single legal action are played without asking.
        mask_in: where the mask is: in the `"observation"`, or in the `"info"` beside a plain Box.
        events: whether infos tell the events; `False` for frameworks whose infos are arrays or sent to other machines.
        render_mode: `None`, `"ansi"` (`render` returns a text), `"rgb_array"` (pixels, of one size always) or `"human"`
            (a window, renewed at each step). All hands are shown; the last two need the extra `render`.
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
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
        "reward_timing": TERMINAL,
    }

    def __init__(
        self,
        *,
        rules: Rules | None = None,
        encoding: str = "flat",
        reward: str | RewardFunction | None = None,
        shaping: RewardFunction | None = None,
        gamma: float = 1.0,
        illegal: str = "raise",
        skip_forced: bool = False,
        mask_in: str = "observation",
        events: bool = True,
        render_mode: str | None = None,
        **rule_fields: Any,
    ) -> None:
        super().__init__()
        check_rule_fields(SteamPowerAEC, rules, rule_fields)
        self._table = Table(
            rules or Rules(**rule_fields),
            encoding=encoding,
            reward=reward,
            shaping=shaping,
            gamma=gamma,
            illegal=illegal,
            skip_forced=skip_forced,
        )
        self._mask_in_info = check_word("mask_in", mask_in, MASK_IN) == "info"
        self._tells_events = check_flag("events", events)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = copy.deepcopy(type(self).metadata)
        if shaping is not None:
            self.metadata["reward_timing"] = SHAPED
        self.possible_agents = [name_seat(player) for player in range(self._table.players)]
        self.observation_spaces = {agent: self._make_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.state_space = self._make_state_space()
        self.np_random = np.random.default_rng()
        self.agent_selection = ""
        self._set_agents([])

    # --- spaces ----------------------------------------------------------------------------------------

    def _make_observation_space(self) -> spaces.Space[Any]:
        box = self._table.make_space()
        if self._mask_in_info:
            return box
        return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)})

    def _make_state_space(self) -> spaces.Box:
        seen = make_observation_space(STATE_ENCODING)
        assert isinstance(seen, spaces.Box)
        size = self._table.players * seen.shape[0] + MAX_CONTRACTS + (BAG_SIZE if self._table.is_solo else 0)
        return spaces.Box(seen.low.min(), seen.high.max(), (size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, the same object in each call."""
        return self.observation_spaces[self.possible_agents[self._player_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(372)``, for each agent an object of its own, the same in each call."""
        return self.action_spaces[self.possible_agents[self._player_of(agent)]]

    def _player_of(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"no agent {agent!r}: there are {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

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
        self._table.begin(self._draw_seed(seed), options)
        self._set_agents(self.possible_agents)
        self._settle(self._table.pay().tolist() if self._table.is_over else [0.0] * len(self.agents))

    def _draw_seed(self, seed: int | None) -> int:
        if seed is None:
            return draw_seed(self.np_random)
        seed = check_seed(seed)
        self.np_random = np.random.default_rng(seed)
        return seed

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
        self._table.play(to_integer(action))
        self._cumulative_rewards[agent] = 0.0
        self._settle(self._table.pay().tolist())

    def _settle(self, rewards: list[float]) -> None:
        """Renew what the agents are told: who decides, the rewards of this step, ends, infos."""
        mover = self._table.mover
        over = mover == NOBODY
        self.agent_selection = self.agents[0] if over else self.possible_agents[mover]
        self.rewards = dict(zip(self.agents, rewards, strict=False))  # Automa seats are the last
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, over)
        self.infos = {agent: self._inform(player) for player, agent in enumerate(self.agents)}
        if self.render_mode == "human":
            self.render()

    # --- what agents are told --------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """What the agent sees, in fresh arrays; changes nothing. Valid for every seat at any time after reset."""
        player = self._player_of(agent)
        observation = self._table.observe(player)
        if self._mask_in_info:
            return observation
        return {"observation": observation, "action_mask": self._table.mask_for(player)}

    def _inform(self, player: int) -> dict[str, Any]:
        """The player's info, nothing of it shared with another."""
        info = self._table.inform(player, events=self._tells_events)
        if self._mask_in_info:
            info["action_mask"] = self._table.mask_for(player)
        return info

    def state(self) -> np.ndarray:
        """Everything, hidden or not, for training only: (players x size of `flat` + 48,) float32, a fresh array.

        First what each player sees, in the order of the seats, then by contract its place in the deck: the next
        draw 1/48, the one after it 2/48, ...; 0 if it is not there. In solo ten more: the trains in the bag, the
        next one first, each as (company + 1) / 5; 0 where there are no more.
        """
        seen: list[Any] = [self._table.observe(player, STATE_ENCODING) for player in range(self._table.players)]
        game = self.game
        return np.concatenate([*seen, find_spec(game.rules.game).sight.write_secrets(game.records, game.setting)])

    def sample_legal(self, rng: np.random.Generator) -> int | None:
        """A uniformly random legal action of ``agent_selection``; ``None`` if its game is over."""
        return self._table.sample_legal(rng)

    def render(self) -> str | np.ndarray | None:
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

    # --- copies ----------------------------------------------------------------------------------------

    def __copy__(self) -> SteamPowerAEC:
        """An independent environment with the same position and future: a deep copy."""
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
