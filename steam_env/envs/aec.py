"""The PettingZoo environment: one ``Game`` behind the AEC interface. It knows no rules of its own."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from steam_env.checks import SEED_BOUND, check_seed, look_up
from steam_env.core.actions import NUM_ACTIONS
from steam_env.core.state import MAX_CONTRACTS
from steam_env.encoding import ENCODINGS, Encoding
from steam_env.encoding.board_features import make_board_features
from steam_env.envs.payment import Payment
from steam_env.errors import IllegalActionError
from steam_env.events import Event
from steam_env.game import Game
from steam_env.rewards import RewardFunction, forfeit_reward
from steam_env.rules import Rules, as_integer
from steam_env.setting import load_setting
from steam_env.text import name_seat

NAME = "steam_power_v0"
STATE_ENCODING = "flat"  # what state() is made of, whatever the seats observe
UNDECIDED = -1  # a seat that has not been asked yet
OPTIONS = ("encoding", "reward", "shaping", "gamma", "illegal", "skip_forced", "mask_in", "render_mode")

# The words that an option allows.
ILLEGAL = ("raise", "forfeit")
MASK_IN = ("observation", "info")
RENDER_MODES = ("ansi", "human")

Observation: TypeAlias = "dict[str, np.ndarray] | np.ndarray"


class SteamPowerAEC(AECEnv[str, Observation, int | None]):
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
        shaping: a potential `Φ(records, rules) -> (n, seats)`; its mean over the seats is subtracted, and
            `γΦ′ − Φ` is paid between a seat's own decisions, with 0 for Φ′ at the end.
        gamma: the γ of the shaping, 0 to 1.
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
        self._encoding: Encoding = look_up(ENCODINGS, "encoding", encoding)
        self._payment = Payment(reward, shaping, gamma)
        self._forfeits = _check_word("illegal", illegal, ILLEGAL) == "forfeit"
        self._skip_forced = _check_flag("skip_forced", skip_forced)
        self._mask_in_info = _check_word("mask_in", mask_in, MASK_IN) == "info"
        self.render_mode = None if render_mode is None else _check_word("render_mode", render_mode, RENDER_MODES)
        self.metadata = copy.deepcopy(type(self).metadata)
        if shaping is not None:
            self.metadata["reward_timing"] = "terminal, and shaping at each decision"
        self.possible_agents = [name_seat(seat) for seat in range(self.rules.seats - self.rules.automas)]
        self._make_spaces()
        self._np_random = np.random.default_rng()
        self._game: Game | None = None
        self._clear_agents([])

    def _make_spaces(self) -> None:
        encoding, count = self._encoding, STATE_SIZE_OF_DECK
        self.observation_spaces = {agent: self._make_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        encoding = ENCODINGS[STATE_ENCODING]
        size = self.rules.seats * encoding.shape[0] + count
        self.state_space = spaces.Box(encoding.low, encoding.high, (size,), np.float32)
