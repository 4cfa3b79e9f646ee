"""Random numbers whose state lives in the game record: same record, same future, on any machine.

The generator is sfc32 (Chris Doty-Humphrey, PractRand): three chaotic words and a counter, only sums,
shifts and xors of 32-bit words. They are computed in int64, which behaves alike in Numba and NumPy.
"""

import numpy as np

from steam_env.core.jit import kernel

WORD = 0xFFFFFFFF
WARM_UP = 16


@kernel
def next_word(state: np.ndarray) -> int:
    """The next 32 random bits of the stream ``state`` (4 words, changed in place)."""
    a, b, c, counter = np.int64(state[0]), np.int64(state[1]), np.int64(state[2]), np.int64(state[3])
    result = int((a + b + counter) & WORD)
    state[0] = np.uint32(b ^ (b >> 9))
    state[1] = np.uint32((c + ((c << 3) & WORD)) & WORD)
    state[2] = np.uint32(((((c << 21) & WORD) | (c >> 11)) + result) & WORD)
    state[3] = np.uint32((counter + 1) & WORD)
    return result


@kernel
def seed_stream(state: np.ndarray, seed: int, stream: int) -> None:
    """Start the stream numbered ``stream`` of the game seeded with ``seed`` (0 <= seed < 2**63)."""
    state[0] = np.uint32(np.int64(seed) & WORD)
    state[1] = np.uint32((np.int64(seed) >> 32) & WORD)
    state[2] = np.uint32(stream)
    state[3] = np.uint32(1)
    for _ in range(WARM_UP):
        next_word(state)


@kernel
def draw_below(state: np.ndarray, bound: int) -> int:
    """A uniform number from 0 to ``bound`` - 1; words that would favour small numbers are drawn again."""
    limit = (WORD + 1) // bound * bound
    word = next_word(state)
    while word >= limit:
        word = next_word(state)
    return word % bound


@kernel
def shuffle(values: np.ndarray, length: int, state: np.ndarray) -> None:
    """Put the first ``length`` values in a uniformly random order, in place."""
    for last in range(length - 1, 0, -1):
        other = draw_below(state, last + 1)
        held = values[last]
        values[last] = values[other]
        values[other] = held
