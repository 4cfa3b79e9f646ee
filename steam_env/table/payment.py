"""What a game pays its seats: a reward at the end and, if asked for, potential-based shaping on the way."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from steam_env.kit.arrays import FloatArray
from steam_env.kit.errors import NotFiniteError
from steam_env.spec import Setting
from steam_env.table.engine import find_engine
from steam_env.table.mixture import as_mixture, list_parts, single_out
from steam_env.table.rewards import REWARDS, RewardFunction, SettingReward, check_reward, is_function


@dataclass(frozen=True)
class Payment:
    """How the seats of a game are paid.

    Attributes:
        reward: a name of ``steam_env.table.rewards.REWARDS``, or a ``RewardFunction``.
        shaping: the potential Φ, a ``RewardFunction``, or ``None``.
        gamma: the discount of the shaping between two decisions of a seat, 0 to 1.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    reward: str | RewardFunction = "win"
    shaping: RewardFunction | None = None
    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_reward(self.reward)
        if self.shaping is not None and not is_function(self.shaping):
            raise ValueError(f"shaping={self.shaping!r}: None or a function (records, rules) -> (n, seats) is allowed")
        _check_gamma(self.gamma)

    def count_final(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats) float64, the rewards of ``records`` (n,), copies of games that are over.

        Raises:
            ValueError: if the reward is a function that returns something else than finite (n, seats).
        """
        if not _is_counted_at_once(self.reward, setting):
            return _count_parts(self.count_final, records, setting)
        if not isinstance(self.reward, str):
            return _call("reward", self.reward, records, setting)
        engine = find_engine(setting.rules.game)
        scores, winners = engine.score(records, setting)
        return REWARDS[self.reward](scores, winners, engine.spec.facts.reward_scale)

    def count_potential(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats) float64, Φ of copies of games less its mean over the seats, so that it sums to zero.

        It is zero without shaping.
        In solo nothing is subtracted: there is one seat, and nothing would be left.

        Raises:
            ValueError: if the shaping returns something else than finite (n, seats).
        """
        if self.shaping is None:
            return np.zeros((len(records), setting.num_seats))
        if not _is_counted_at_once(self.shaping, setting):
            return _count_parts(self.count_potential, records, setting)
        values = _call("shaping", self.shaping, records, setting)
        if setting.is_solo:
            return values
        centred: FloatArray = values - values.mean(axis=1, keepdims=True)
        return centred


def _is_counted_at_once(reward: str | RewardFunction, setting: Setting) -> bool:
    """Whether games of a setting are counted together: not where numbers of seats, or the rules asked for, differ."""
    mixture = as_mixture(setting)
    return mixture is None or (mixture.has_same_seats and isinstance(reward, str | SettingReward))


def _count_parts(
    count: Callable[[np.ndarray, Setting], FloatArray], records: np.ndarray, setting: Setting
) -> FloatArray:
    """(n, seats) float64, what is counted for each part of a mixture; seats that a game has not are paid nothing."""
    values = np.zeros((len(records), setting.num_seats))
    for _, part, rows in list_parts(records, setting):
        values[rows, : part.num_seats] = count(single_out(records, setting, rows), part)
    return values


def _check_gamma(gamma: object) -> None:
    if isinstance(gamma, bool) or not isinstance(gamma, int | float | np.number) or not 0 <= gamma <= 1:
        raise ValueError(f"gamma={gamma!r}: a number from 0 to 1 is allowed")


def _call(what: str, function: RewardFunction, records: np.ndarray, setting: Setting) -> FloatArray:
    """Ask a user's function, which must get copies: nobody but the core writes a game's record."""
    worth = (
        function.count(records, setting) if isinstance(function, SettingReward) else function(records, setting.rules)
    )
    values = np.asarray(worth, np.float64)
    wanted = (len(records), setting.num_seats)
    if values.shape != wanted:
        raise ValueError(f"{what} must return an array (games, seats) = {wanted}, not of shape {values.shape}")
    if not math.isfinite(values.sum()):
        raise NotFiniteError(f"{what} must return finite numbers, not {values.tolist()}")
    return values
