"""Random legal actions for many games."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import NUM_ACTIONS

# A row of flags is looked at four at a time, as words whose four bytes are added up each for itself.
WORD_BYTES = 4
BYTE = 0xFF
BLOCK_WORDS = NUM_ACTIONS // (3 * WORD_BYTES)
LAST_WORD = 3 * BLOCK_WORDS - 1
if 3 * BLOCK_WORDS * WORD_BYTES != NUM_ACTIONS or BLOCK_WORDS > BYTE:
    raise ValueError("a row must be three blocks of words, so few in each that their bytes' sums fit in a byte")


@kernel
def sum_bytes(word: np.int64) -> int:
    """The sum of the four bytes."""
    return int((word & BYTE) + ((word >> 8) & BYTE) + ((word >> 16) & BYTE) + ((word >> 24) & BYTE))


@kernel
def count_block(words: np.ndarray, first: int) -> int:
    """The flags that are set in a block of words."""
    total = np.uint32(0)
    for place in range(first, first + BLOCK_WORDS):
        total = np.uint32(total + words[place])
    return sum_bytes(np.int64(total))


@kernel
def pick_one(flags: np.ndarray, words: np.ndarray, fraction: float) -> int:
    """The flag at ``fraction`` (0 <= f < 1) of the way through those that are set; ``words`` are the same flags."""
    first = count_block(words, 0)
    second = count_block(words, BLOCK_WORDS)
    legal = first + second + count_block(words, 2 * BLOCK_WORDS)
    skip = int(fraction * legal)
    place = 0
    if skip >= first + second:
        skip -= first + second
        place = 2 * BLOCK_WORDS
    elif skip >= first:
        skip -= first
        place = BLOCK_WORDS
    here = sum_bytes(np.int64(words[place]))
    while skip >= here and place < LAST_WORD:
        skip -= here
        place += 1
        here = sum_bytes(np.int64(words[place]))
    action = place * WORD_BYTES
    while (not flags[action] or skip > 0) and action < NUM_ACTIONS - 1:
        skip -= 1 if flags[action] else 0
        action += 1
    return action


@kernel
def pick_legal(masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray) -> None:
    """For each row of flags, none of them empty, the legal action at ``fractions`` of the way through."""
    words = masks.view(np.uint32)
    for index in range(masks.shape[0]):
        actions[index] = pick_one(masks[index], words[index], fractions[index])
