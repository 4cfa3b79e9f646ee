"""What a game pays its seats: a reward at the end and, if asked for, potential-based shaping on the way."""

import math
from dataclasses import dataclass

import numpy as np

from steam_env.core.steam_power.scoring import NUM_SCORE_PARTS, score_games
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.arrays import FloatArray
from steam_env.table.rewards import REWARDS, RewardFunction, check_reward


@dataclass(frozen=True)
class Payment:
    """How the seats of a game are paid.

    Attributes:
        reward: a name of ``steam_env.table.rewards.REWARDS`` or a function ``(records, rules) -> (n, seats)``.
        shaping: the potential Φ, a function ``(records, rules) -> (n, seats)``, or ``None``.
        gamma: the discount of the shaping between two decisions of a seat, 0 to 1.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    reward: str | RewardFunction = "win"
    shaping: RewardFunction | None = None
    gamma: float = 1.0

    def __post_init__(self) -> None:
        check_reward(self.reward)
        if self.shaping is not None and not callable(self.shaping):
            raise ValueError(f"shaping={self.shaping!r}: None or a function (records, rules) -> (n, seats) is allowed")
        _check_gamma(self.gamma)

    def count_final(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats) float64, the rewards of ``records`` (n,) ``GAME``, copies of games that are over.

        Raises:
            ValueError: if the reward is a function that returns something else than finite (n, seats).
        """
        if callable(self.reward):
            return _call("reward", self.reward, records, setting)
        scores = np.zeros((len(records), MAX_SEATS, NUM_SCORE_PARTS), np.int64)
        winners = np.zeros((len(records), MAX_SEATS), np.bool_)
        score_games(records, setting.boards, setting.decks, scores, winners)
        seats = setting.rules.seats
        return REWARDS[self.reward](scores[:, :seats], winners[:, :seats])

    def count_potential(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats) float64, Φ of copies of games less its mean over the seats, so that it sums to zero.

        It is zero without shaping.
        In solo nothing is subtracted: there is one seat, and nothing would be left.

        Raises:
            ValueError: if the shaping returns something else than finite (n, seats).
        """
        if self.shaping is None:
            return np.zeros((len(records), setting.rules.seats))
        values = _call("shaping", self.shaping, records, setting)
        if setting.rules.mode == "solo":
            return values
        centred: FloatArray = values - values.mean(axis=1, keepdims=True)
        return centred


def _check_gamma(gamma: object) -> None:
    if isinstance(gamma, bool) or not isinstance(gamma, int | float | np.number) or not 0 <= gamma <= 1:
        raise ValueError(f"gamma={gamma!r}: a number from 0 to 1 is allowed")


def _call(what: str, function: RewardFunction, records: np.ndarray, setting: Setting) -> FloatArray:
    """Ask a user's function, which must get copies: nobody but the core writes a game's record."""
    values = np.asarray(function(records, setting.rules), np.float64)
    wanted = (len(records), setting.rules.seats)
    if values.shape != wanted:
        raise ValueError(f"{what} must return an array (games, seats) = {wanted}, not of shape {values.shape}")
    if not math.isfinite(values.sum()):
        raise ValueError(f"{what} must return finite numbers, not {values.tolist()}")
    return values
