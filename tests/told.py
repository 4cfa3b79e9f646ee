"""What an encoding that is advised tells, read back."""

import numpy as np

from steam_env.agents import advising
from steam_env.encoding import Observations


def choices_of(seen: Observations, num_actions: int) -> np.ndarray:
    """(n,) the actions that are advised, NONE for none."""
    assert isinstance(seen, dict)
    told: np.ndarray = np.rint(seen[advising.ADVICE][:, advising.CHOICE] * num_actions).astype(np.int64) - 1
    return told


def rates_of(seen: Observations, num_actions: int, steps: float, least: float) -> np.ndarray:
    """(n, actions) the estimates, so many steps to a unit, from the least on; NaN for none."""
    assert isinstance(seen, dict)
    values = seen[advising.ADVICE][:, advising.RATES : advising.RATES + num_actions]
    digits = np.rint(values * advising.MOST_RATE)
    return np.where(digits > 0, (digits - 1) / steps + least, np.nan)
