"""Rewards at the end of a game, for every seat: what a score is worth to a learner."""

from collections.abc import Callable

import numpy as np

from steam_env.core.steam_power.scoring import TOTAL
from steam_env.data.steam_power.rules import Rules
from steam_env.kit.arrays import BoolArray, FloatArray, IntArray

RewardFunction = Callable[[np.ndarray, Rules], FloatArray]

VP_SCALE = 50.0  # victory points that count as a reward of one


def win_reward(scores: IntArray, winners: BoolArray) -> FloatArray:
    """+1/W to each of the W winners, -1/(n - W) to each loser; 0 to all if all are tied. Sums to zero."""
    seats = winners.shape[1]
    won = winners.sum(axis=1, keepdims=True)
    lost = seats - won
    reward: FloatArray = np.where(lost == 0, 0.0, np.where(winners, 1.0 / won, -1.0 / np.maximum(lost, 1)))
    return reward


def margin_reward(scores: IntArray, winners: BoolArray) -> FloatArray:
    """(VP - mean VP of the others) / ``VP_SCALE``. Sums to zero; alone the same as the score."""
    total = scores[:, :, TOTAL].astype(np.float64)
    others = total.sum(axis=1, keepdims=True) - total
    reward: FloatArray = (total - others / max(total.shape[1] - 1, 1)) / VP_SCALE
    return reward


def score_reward(scores: IntArray, winners: BoolArray) -> FloatArray:
    """VP / ``VP_SCALE``."""
    reward: FloatArray = scores[:, :, TOTAL].astype(np.float64) / VP_SCALE
    return reward


REWARDS = {"win": win_reward, "margin": margin_reward, "score": score_reward}


def check_reward(reward: str | RewardFunction) -> None:
    """Refuse a reward that is neither a known name nor callable.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if not callable(reward) and (not isinstance(reward, str) or reward not in REWARDS):
        allowed = ", ".join(map(repr, REWARDS))
        raise ValueError(f"reward={reward!r}: allowed are {allowed} or a function (records, rules) -> (n, seats)")


def choose_reward(reward: str | RewardFunction | None, rules: Rules) -> str | RewardFunction:
    """The reward that games with these rules pay; ``None`` is ``"win"``, in solo ``"score"``.

    Raises:
        ValueError: naming the value and what is allowed; in solo for ``"win"``, as there is nobody to win against.
    """
    is_solo = rules.mode == "solo"
    if reward is None:
        return "score" if is_solo else "win"
    check_reward(reward)
    if is_solo and reward == "win":
        raise ValueError(f"reward={reward!r} needs somebody to win against: in mode='solo' 'score' is allowed")
    return reward


def forfeit_reward(seats: int, seat: int) -> FloatArray:
    """-1 to the seat that forfeits, +1/(n - 1) to each other; alone -1."""
    reward = np.full(seats, 1.0 / max(seats - 1, 1))
    reward[seat] = -1.0
    return reward


__all__ = [
    "REWARDS",
    "VP_SCALE",
    "RewardFunction",
    "check_reward",
    "choose_reward",
    "forfeit_reward",
    "margin_reward",
    "score_reward",
    "win_reward",
]
