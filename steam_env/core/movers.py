"""Whose decision it is in many games, and which of the games go on without their learner."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel


@kernel
def find_forced(mask: np.ndarray) -> int:
    """The only legal action of a mask; NONE if there are more."""
    forced = NONE
    for action in range(mask.shape[0]):
        if mask[action]:
            if forced != NONE:
                return NONE
            forced = action
    return forced


@kernel
def note_movers(
    games: np.ndarray,
    masks: np.ndarray,
    rows: np.ndarray,
    is_solo: bool,
    skips_forced: bool,
    movers: np.ndarray,
    forced: np.ndarray,
) -> None:
    """Note for the games ``rows`` their mover and, if asked for, the only legal action of a forced decision.

    Args:
        games: (n,) ``GAME``.
        masks: (n, actions) bool.
        rows: (k,) int64.
        is_solo: whether one player has all companies: it is player 0.
        skips_forced: whether decisions with a single legal action are to be noted as forced.
        movers: (n,) int64, the player; NONE when the game is over.
        forced: (n,) int64, the action; NONE where there is a choice, or none is to be noted.
    """
    for index in rows:
        seat = games[index].seat
        movers[index] = min(seat, 0) if is_solo else seat
        forced[index] = find_forced(masks[index]) if skips_forced and seat != NONE else NONE


@kernel
def keep_waiting(rows: np.ndarray, movers: np.ndarray, forced: np.ndarray, seats: np.ndarray) -> int:
    """Move games whose mover is not the learner to the front of ``rows``; returns how many there are.

    Games that are over stay behind; those with a forced decision come along, the learner's too. ``seats``: learners.
    """
    kept = 0
    for index in rows:
        if movers[index] != NONE and (movers[index] != seats[index] or forced[index] != NONE):
            rows[kept] = index
            kept += 1
    return kept


@kernel
def find_refused(games: np.ndarray, masks: np.ndarray, actions: np.ndarray) -> int:
    """The first game that is not over and whose action its mask does not allow; NONE if there is none."""
    for index in range(games.shape[0]):
        action = actions[index]
        allowed = 0 <= action < masks.shape[1] and masks[index, action]
        if not allowed and games[index].seat != NONE:
            return index
    return NONE


@kernel
def note_ended(games: np.ndarray, rows: np.ndarray, over: np.ndarray, ended: np.ndarray) -> int:
    """Renew the flags ``over`` of the games ``rows``, flag in ``ended`` those that ended since, return how many."""
    count = 0
    for index in rows:
        now = games[index].seat == NONE
        ended[index] = now and not over[index]
        over[index] = now
        count += 1 if ended[index] else 0
    return count
