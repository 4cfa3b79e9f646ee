"""Random legal actions for many games."""

import numpy as np

from steam_env.core.jit import kernel


@kernel
def pick_legal(masks: np.ndarray, fractions: np.ndarray, actions: np.ndarray) -> None:
    """For each row the legal action at ``fractions`` (0 <= f < 1) of the way through the legal ones."""
    for index in range(masks.shape[0]):
        row = masks[index]
        legal = 0
        for action in range(row.shape[0]):
            legal += row[action]
        skip = int(fractions[index] * legal)
        for action in range(row.shape[0]):
            if row[action]:
                if skip == 0:
                    actions[index] = action
                    break
                skip -= 1
