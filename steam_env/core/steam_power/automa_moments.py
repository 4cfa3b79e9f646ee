"""Automas' turns with the positions on the way: for people who want to follow them, one thing done after the other.

Nothing of rule 8 stands here: the kernels that lead an Automa from one thing to the next run as plain Python.
"""

from __future__ import annotations

import numpy as np

from steam_env.core.moments import Moment, open_kernels
from steam_env.core.steam_power.automa import (
    act_by_icon,
    do_action,
    fulfil_for_automa,
    play_automa_turn,
    resolve_contract,
    take_bonus,
)
from steam_env.core.steam_power.automa_track import lay_bonus_tracks, lay_tracks
from steam_env.core.steam_power.events import emit
from steam_env.core.steam_power.players import is_automa
from steam_env.core.steam_power.state import OVER
from steam_env.core.steam_power.turn import end_turn

LEADING = (
    *(play_automa_turn, resolve_contract, fulfil_for_automa, take_bonus, act_by_icon, do_action),
    *(lay_tracks, lay_bonus_tracks),
)
PLAIN = (emit,)  # it would be compiled for each number of values


def watch_automas(games: np.ndarray, boards: np.ndarray, decks: np.ndarray, works: np.ndarray) -> list[Moment]:
    """Let Automas play in the only game, up to the next player's action, as ``step.play_automas`` does.

    Returns:
        how the game stood: where they begin, and after each thing that was told and changed something.
    """
    game, work = games[0], works[0]
    board, deck = boards[game.board_index], decks[game.deck_index]
    moments = [Moment(int(work.num_events), games.copy())]

    def look() -> None:
        told, before = int(work.num_events), moments[-1]
        if told > before.num_events and games.tobytes() != before.records.tobytes():
            moments.append(Moment(told, games.copy()))

    play_turn = open_kernels(LEADING, PLAIN, look)[play_automa_turn.__name__]
    while game.phase != OVER and is_automa(game, int(game.seat)):
        play_turn(game, board, deck, work)
        end_turn(game, work)
        look()
    return moments
