"""Rewards at the end of a game, for every seat: what a score is worth to a learner."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from steam_env.kit.arrays import BoolArray, FloatArray, IntArray
from steam_env.spec import Setting
from steam_env.table.engine import find_engine

TOTAL = 0  # the first part of every score
POINT = 1.0  # the scale in which a point of margin is worth one


@runtime_checkable
class SettingReward(Protocol):
    """A reward or potential that looks at more than the rules name, such as an inline map of a scenario.

    Of games whose maps are drawn from a set the setting is a ``steam_env.table.mixture.Mixture``.
    """

    def count(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats) float64, what the positions are worth."""
        ...


RewardFunction: TypeAlias = Callable[[np.ndarray, Any], FloatArray] | SettingReward
"""A function ``(records, rules) -> (n, seats)``, or a ``SettingReward``."""


def win_reward(scores: IntArray, winners: BoolArray, scale: float) -> FloatArray:
    """+1/W to each of the W winners, -1/(n - W) to each loser; 0 to all if all are tied. Sums to zero."""
    seats = winners.shape[1]
    won = winners.sum(axis=1, keepdims=True)
    lost = seats - won
    reward: FloatArray = np.where(lost == 0, 0.0, np.where(winners, 1.0 / won, -1.0 / np.maximum(lost, 1)))
    return reward


def margin_reward(scores: IntArray, winners: BoolArray, scale: float) -> FloatArray:
    """(points - mean points of the others) / ``scale``. Sums to zero; alone the same as the score."""
    total = scores[:, :, TOTAL].astype(np.float64)
    others = total.sum(axis=1, keepdims=True) - total
    reward: FloatArray = (total - others / max(total.shape[1] - 1, 1)) / scale
    return reward


def score_reward(scores: IntArray, winners: BoolArray, scale: float) -> FloatArray:
    """Points / ``scale``."""
    reward: FloatArray = scores[:, :, TOTAL].astype(np.float64) / scale
    return reward


@dataclass(frozen=True)
class WinAndMargin:
    """The learners' reward, or with ``win`` 0 the potential of its shaping: a ``SettingReward``.

    Attributes:
        win: for winning, against ``-win / (n - 1)`` for losing.
        margin: for each point more than the mean of the others.
        late_cost: paid by every seat for each round after ``late_round``: else nothing is lost by playing on for ever.
        late_round: how long games usually last at most.
    """

    win: float
    margin: float
    late_cost: float = 0.0
    late_round: int = 0

    def count(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats), what the positions are worth if the game ended as they stand."""
        scores, winners = find_engine(setting.rules.game).score(records, setting)
        late = np.maximum(records["round_number"].astype(np.float64) - self.late_round, 0.0)
        worth: FloatArray = self.margin * margin_reward(scores, winners, POINT) - self.late_cost * late[:, np.newaxis]
        return worth + self.win * win_reward(scores, winners, POINT) if self.win else worth


REWARDS = {"win": win_reward, "margin": margin_reward, "score": score_reward}


def check_reward(reward: str | RewardFunction) -> None:
    """Refuse a reward that is neither a known name nor a function.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if not is_function(reward) and (not isinstance(reward, str) or reward not in REWARDS):
        allowed = ", ".join(map(repr, REWARDS))
        raise ValueError(f"reward={reward!r}: allowed are {allowed} or a function (records, rules) -> (n, seats)")


def is_function(reward: object) -> bool:
    """Whether it is a ``RewardFunction``; a text or list is none, though it has a method ``count``."""
    return callable(reward) or (isinstance(reward, SettingReward) and not isinstance(reward, Collection))


def choose_reward(reward: str | RewardFunction | None, setting: Setting) -> str | RewardFunction:
    """The reward that games of a setting pay; ``None`` is ``"win"``, in solo ``"score"``.

    Raises:
        ValueError: naming the value and what is allowed; in solo for ``"win"``, as there is nobody to win against.
    """
    if reward is None:
        return "score" if setting.is_solo else "win"
    check_reward(reward)
    if setting.is_solo and reward == "win":
        raise ValueError(f"reward={reward!r} needs somebody to win against: in mode='solo' 'score' is allowed")
    return reward


def forfeit_reward(seats: int, seat: int) -> FloatArray:
    """-1 to the seat that forfeits, +1/(n - 1) to each other; alone -1."""
    reward = np.full(seats, 1.0 / max(seats - 1, 1))
    reward[seat] = -1.0
    return reward
