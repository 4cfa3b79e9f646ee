"""Sets of small numbers as int64 bit masks."""

import numpy as np

from steam_env.core.jit import kernel


@kernel
def bit(index: int) -> int:
    """The mask of one element."""
    return int(np.int64(1) << np.int64(index))


@kernel
def has(mask: int, index: int) -> bool:
    """Whether ``index`` is in the set."""
    return bool((np.int64(mask) >> np.int64(index)) & np.int64(1) != 0)


@kernel
def count_members(mask: int) -> int:
    """How many elements a set has."""
    count = 0
    rest = mask
    while rest != 0:
        rest &= rest - 1
        count += 1
    return count
