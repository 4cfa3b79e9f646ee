"""What learners are paid: the win, and the margin of victory points, the latter as it changes."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from steam_env.core.steam_power.scoring import NUM_SCORE_PARTS, score_games
from steam_env.core.steam_power.state import MAX_SEATS
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.setting import load_setting
from steam_env.kit.arrays import FloatArray
from steam_env.table.rewards import VP_SCALE, margin_reward, win_reward

remember_setting = lru_cache(maxsize=32)(load_setting)  # it is asked for at every step, for few rules


@dataclass(frozen=True)
class WinAndMargin:
    """A reward, or with ``win`` 0 the potential of its shaping: a function (records, rules) -> (n, seats).

    Attributes:
        win: for winning, against ``-win / (n - 1)`` for losing.
        margin: for each victory point more than the mean of the others.
    """

    win: float
    margin: float

    def __call__(self, records: np.ndarray, rules: Rules) -> FloatArray:
        """(n, seats), what the positions are worth if the game ended as they stand."""
        setting = remember_setting(rules)
        scores = np.zeros((len(records), MAX_SEATS, NUM_SCORE_PARTS), np.int64)
        winners = np.zeros((len(records), MAX_SEATS), np.bool_)
        score_games(records, setting.boards, setting.decks, scores, winners)
        scores, winners = scores[:, : rules.seats], winners[:, : rules.seats]
        worth = self.margin * VP_SCALE * margin_reward(scores, winners)
        return worth + self.win * win_reward(scores, winners) if self.win else worth
