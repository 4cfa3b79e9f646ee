"""One game at a time: ``step_games`` for a single game, made to be called often from Python.

Numba looks at each argument of a call. An array costs it a tenth of a microsecond, a single record several, so
the scratch memory comes as an array of one, and what a step begins with is written here, not by the caller.
"""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam.step import apply_action, settle


@kernel
def step_game(
    games: np.ndarray,
    boards: np.ndarray,
    works: np.ndarray,
    masks: np.ndarray,
    action: int,
    num_outcomes: int,
) -> int:
    """Step the only game, which is not over, by a legal action, and renew its mask; returns the number of events.

    Nothing is random in play, so the ``num_outcomes`` given outcomes are never used.
    """
    if games.shape[0] == 0:  # compiled by such a call
        return 0
    game = games[0]
    work = works[0]
    work.tracing = 1
    work.num_events = 0
    work.num_outcomes = num_outcomes
    work.next_outcome = 0
    work.bad_outcome = 0
    apply_action(game, boards[0], work, action)
    settle(game, boards[0], work, masks[0])
    return int(work.num_events)
