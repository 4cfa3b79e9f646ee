"""The PettingZoo environment: one game behind the AEC interface."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from steam_env.encoding import ArraySpec
from steam_env.envs.options import (
    RENDER_FPS,
    RENDER_MODES,
    TERMINAL,
    check_flag,
    check_render_mode,
    check_word,
    read_options,
    takes_game_options,
    to_integer,
)
from steam_env.envs.table import NOBODY, AtTable, Table, draw_seed
from steam_env.kit.checks import check_seed
from steam_env.words.seats import name_seat

MASK_IN = ("observation", "info")

Observation: TypeAlias = dict[str, Any] | np.ndarray


@takes_game_options
class GameAEC(AtTable, AECEnv):  # type: ignore[misc, unused-ignore]  # PettingZoo ships no types
    """A game for all of its players, as a PettingZoo AEC environment.

    Agents are the player seats, ``player_0`` first; scripted seats play by themselves between their decisions. All stay
    in ``agents`` until the game is over, all end in the same step, and each is then visited once more to collect
    its last reward. ``agent_selection`` is the seat whose decision it is and stays there through the sub-decisions
    of an action. In solo ``player_0`` is the only agent and sees the game from the company that is active.

    Observation: ``{"observation": Box float32, "action_mask": Box int8 (actions,)}``, fresh arrays in each call,
    for any seat at any time after ``reset``. The mask of a seat that is not to move, and every mask after the
    end, is all zero.

    Action: an id of ``Discrete(actions)``; ``None`` for a seat whose game is over.

    Reward: at the end only, unless ``shaping`` is given.

    Info: ``events``, what happened since the seat was last asked (``SeenEvents``, the results of its own action
    first; what the seat may not see is ``"hidden"``), and what the rules name, such as ``map`` and ``deck``;
    ``round_limit``, whether the round limit alone has ended the game; at the end ``scores``, a list of points for each
    seat, and ``winners``, a list of seats; after a forfeit ``forfeit``, a dict of ``agent``, ``action`` and ``reason``;
    with ``mask_in="info"`` also ``action_mask``.

    Args:
        mask_in: where the mask is: in the `"observation"`, or in the `"info"` beside a plain Box.
        events: whether infos tell the events; `False` for frameworks whose infos are arrays or sent to other machines.
        render_mode: `None`, `"ansi"` (`render` returns a text), `"rgb_array"` (pixels, of one size always) or `"human"`
            (a window, renewed at each step). All hands are shown; the last two need the extra `render`.
        options: those of ``GameOptions``, and any field of the game's rules by name.

    Raises:
        ValueError: for an unknown name or a bad value, naming it and what is allowed.

    Example:
        >>> env = GameAEC(reward="margin")
        >>> env.reset(seed=1)
        >>> env.agents, env.agent_selection in env.agents
        (['player_0', 'player_1'], True)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's own type
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
        "reward_timing": TERMINAL,
    }

    def __init__(
        self,
        *,
        mask_in: str = "observation",
        events: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._table = Table(read_options(GameAEC, options))
        terms = self._table.terms
        self._mask_in_info = check_word("mask_in", mask_in, MASK_IN) == "info"
        self._tells_events = check_flag("events", events)
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {
            **copy.deepcopy(type(self).metadata),
            "name": f"{terms.spec.game}_v{terms.spec.version}",
            "reward_timing": terms.reward_timing,
        }
        self.possible_agents = [name_seat(player) for player in range(self._table.num_players)]
        self.observation_spaces = {agent: self._make_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: terms.make_action_space() for agent in self.possible_agents}
        self.state_space = self._make_state_space()
        self.np_random = np.random.default_rng()
        self.agent_selection = ""
        self._set_agents([])

    # --- spaces ----------------------------------------------------------------------------------------

    def _make_observation_space(self) -> spaces.Space[Any]:
        seen = self._table.terms.make_space()
        if self._mask_in_info:
            return seen
        num_actions = self._table.terms.spec.facts.num_actions
        return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (num_actions,), np.int8)})

    def _make_state_space(self) -> spaces.Box:
        sight, setting = self._table.terms.spec.sight, self._table.terms.setting
        spec = sight.find_encoding().spec
        arrays: list[ArraySpec] = list(spec.values()) if isinstance(spec, dict) else [spec]
        seen = sum(math.prod(array.shape) for array in arrays)
        size = setting.num_players * seen + len(sight.write_secrets(setting.blank, setting))
        low, high = min(array.low for array in arrays), max(array.high for array in arrays)
        return spaces.Box(low, high, (size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space, the same object in each call."""
        return self.observation_spaces[self.possible_agents[self._player_of(agent)]]

    def action_space(self, agent: str) -> spaces.Discrete:
        """``Discrete(actions)``, for each agent an object of its own, the same in each call."""
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
            options: ``{"scenario": dict | path}`` begins at that position, by the scenario's own rules;
                ``{"map": name}`` on another map, that of a world such as ``gen-v1:train:17`` with its deck.

        Raises:
            ValueError: for a bad seed, an unknown map, or a scenario with another number of player seats.
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
        """Renew what the agents are told: the mover, the rewards of this step, ends, infos."""
        mover = self._table.mover
        over = mover == NOBODY
        self.agent_selection = self.agents[0] if over else self.possible_agents[mover]
        self.rewards = dict(zip(self.agents, rewards, strict=False))  # scripted seats are the last
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
        """Everything, hidden or not, for training only: a vector, float32, a fresh array.

        First what each player sees in the game's first encoding, in the order of the seats, then what is hidden from
        all of them, see the game's ``Sight.write_secrets``.
        """
        game, sight = self.game, self._table.terms.spec.sight
        arrays: list[np.ndarray] = []
        for player in range(self._table.num_players):
            seen = self._table.observe(player, sight.find_encoding().name)
            arrays += seen.values() if isinstance(seen, dict) else [seen]
        return np.concatenate([*map(np.ravel, arrays), sight.write_secrets(game.records, game.setting)])

    def sample_legal(self, rng: np.random.Generator) -> int | None:
        """A uniformly random legal action of ``agent_selection``; ``None`` if its game is over."""
        return self._table.sample_legal(rng)


class OrderEnforcing(OrderEnforcingWrapper):  # type: ignore[misc, unused-ignore]  # PettingZoo ships no types
    """PettingZoo's check that ``reset`` comes first, with copies that do not share the game."""

    def __copy__(self) -> OrderEnforcing:
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)


def make_env(**options: Any) -> OrderEnforcing:
    """The environment as users get it: ``GameAEC(**options)`` that enforces the order of calls.

    PettingZoo's other usual wrappers are left out: ``TerminateIllegalWrapper`` pays the others nothing and
    ``AssertOutOfBoundsWrapper`` gives no reason; the option ``illegal`` does both with one.
    """
    return OrderEnforcing(GameAEC(**options))
