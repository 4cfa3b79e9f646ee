"""The learners' reward: for the win, and for the margin of points, the latter paid as it changes."""

from dataclasses import dataclass

import numpy as np

from steam_env.kit.arrays import FloatArray
from steam_env.spec import Setting
from steam_env.table.engine import find_engine
from steam_env.table.rewards import margin_reward, win_reward

POINT = 1.0  # the scale in which a point of margin is worth one


@dataclass(frozen=True)
class WinAndMargin:
    """A reward, or with ``win`` 0 the potential of its shaping: a ``SettingReward``.

    Attributes:
        win: for winning, against ``-win / (n - 1)`` for losing.
        margin: for each point more than the mean of the others.
    """

    win: float
    margin: float

    def count(self, records: np.ndarray, setting: Setting) -> FloatArray:
        """(n, seats), what the positions are worth if the game ended as they stand."""
        scores, winners = find_engine(setting.rules.game).score(records, setting)
        worth: FloatArray = self.margin * margin_reward(scores, winners, POINT)
        return worth + self.win * win_reward(scores, winners, POINT) if self.win else worth
