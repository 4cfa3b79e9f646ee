"""Random legal actions for many games."""

import numpy as np

from steam_env.core.jit import kernel

# A row of flags is looked at four at a time, as words whose four bytes are added up each for itself.
WORD_BYTES = 4
BYTE = 0xFF
BLOCKS = 3  # a row is skipped over in so many blocks of words
MOST_WORDS = BYTE  # in a block, so that the sums of its bytes fit in a byte


@kernel
def sum_bytes(word: np.int64) -> int:
    """The sum of the four bytes."""
    return int((word & BYTE) + ((word >> 8) & BYTE) + ((word >> 16) & BYTE) + ((word >> 24) & BYTE))


@kernel
def count_block(words: np.ndarray, first: int, length: int) -> int:
    """How many flags are set in a block of words."""
    total = np.uint32(0)
    for place in range(first, first + length):
        total = np.uint32(total + words[place])
    return sum_bytes(np.int64(total))


@kernel
def pick_one(flags: np.ndarray, words: np.ndarray, fraction: float) -> int:
    """The flag at ``fraction`` (0 <= f < 1) of the way through those that are set; ``words`` are the same flags."""
    block = words.shape[0] // BLOCKS
    last = words.shape[0] - 1
    first = count_block(words, 0, block)
    second = count_block(words, block, block)
    legal = first + second + count_block(words, 2 * block, words.shape[0] - 2 * block)
    skip = int(fraction * legal)
    place = 0
    if skip >= first + second:
        skip -= first + second
        place = 2 * block
    elif skip >= first:
        skip -= first
        place = block
    here = sum_bytes(np.int64(words[place]))
    while skip >= here and place < last:
        skip -= here
        place += 1
        here = sum_bytes(np.int64(words[place]))
    action = place * WORD_BYTES
    while (not flags[action] or skip > 0) and action < flags.shape[0] - 1:
        skip -= 1 if flags[action] else 0
        action += 1
    return action


@kernel
def pick_simply(flags: np.ndarray, fraction: float) -> int:
    """What ``pick_one`` answers, found flag by flag."""
    skip = int(fraction * flags.sum())
    for action in range(flags.shape[0]):
        if flags[action]:
            if skip == 0:
                return action
            skip -= 1
    return 0


@kernel
def pick_legal(masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray) -> None:
    """Write for each row of flags, none of them empty, the action at ``fractions`` of the way through those set."""
    if masks.shape[1] % WORD_BYTES != 0 or masks.shape[1] // WORD_BYTES > 2 * MOST_WORDS:
        for index in range(masks.shape[0]):
            actions[index] = pick_simply(masks[index], fractions[index])
        return
    words = masks.view(np.uint32)
    for index in range(masks.shape[0]):
        actions[index] = pick_one(masks[index], words[index], fractions[index])
