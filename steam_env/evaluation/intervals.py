"""95 % intervals over deals: games of one deal are not independent, so the mean result of a deal is one observation."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

LEVEL = 0.95
SMALLEST_VARIANCE = 1e-12  # below it all deals gave the same, up to rounding
RATE_METHOD = (
    "Wilson score interval with Student's t (deals - 1 degrees of freedom) on the effective number of games "
    "p(1 - p) / (variance of the deals' mean shares / deals); where all deals gave the same share, "
    "each deal counts as one game"
)
MEAN_METHOD = "mean of the deals' means +- Student's t (deals - 1 degrees of freedom) x standard error over deals"


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval; ``low`` and ``high`` are None where one deal alone tells nothing."""

    mean: float
    low: float | None
    high: float | None


def find_t(degrees: int) -> float:
    """The quantile of Student's t for two-sided 95 %.

    Exact for 1 and 2 degrees of freedom, else Fisher's expansion around the normal quantile (error under 0.2 %).
    """
    tail = (1 + LEVEL) / 2
    if degrees == 1:
        return math.tan(math.pi * (tail - 0.5))
    if degrees == 2:
        return (2 * tail - 1) / math.sqrt(2 * tail * (1 - tail))
    z = NormalDist().inv_cdf(tail)
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)
    )


def estimate_mean(values: FloatArray) -> Estimate:
    """The mean of (deals,) values with its interval, see ``MEAN_METHOD``."""
    deals, mean = len(values), float(values.mean())
    if deals == 1:
        return Estimate(mean, None, None)
    reach = find_t(deals - 1) * math.sqrt(float(values.var(ddof=1)) / deals)
    return Estimate(mean, mean - reach, mean + reach)


def estimate_rate(values: FloatArray) -> Estimate:
    """The mean of (deals,) shares from 0 to 1 with its interval, see ``RATE_METHOD``."""
    deals = len(values)
    mean = min(max(float(values.mean()), 0.0), 1.0)
    t = find_t(deals - 1) if deals > 1 else NormalDist().inv_cdf((1 + LEVEL) / 2)
    return Estimate(mean, *find_wilson(mean, count_effective(values), t))


def count_effective(values: FloatArray) -> float:
    """How many independent games would tell as much about the mean share as these deals."""
    deals, mean = len(values), float(values.mean())
    variance = float(values.var(ddof=1)) if deals > 1 else 0.0
    return deals if variance < SMALLEST_VARIANCE else mean * (1 - mean) * deals / variance


def find_wilson(mean: float, games: float, t: float) -> tuple[float, float]:
    """The Wilson score interval: never outside 0 to 1, and not empty at either end."""
    middle = (mean + t**2 / (2 * games)) / (1 + t**2 / games)
    reach = t / (1 + t**2 / games) * math.sqrt(mean * (1 - mean) / games + t**2 / (4 * games**2))
    return max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach))
