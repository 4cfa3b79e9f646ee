"""Whole numbers as values from 0 to 1.

Ratios are taken in double precision and rounded once, in Numba and in Python alike.
"""

from steam_env.core.jit import kernel


@kernel
def clip_ratio(value: int, scale: int) -> float:
    """``value / scale``, cut off at 0 and 1."""
    return min(max(int(value), 0), scale) / scale
