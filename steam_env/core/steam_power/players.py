"""Who is behind a seat: players, Automas, and in solo the one player of five companies."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import SOLO


@kernel
def player_of(game: np.record, seat: int) -> int:
    """Index of the purse and the hand that the seat uses: its own; in solo the one player's (rule 9.1)."""
    return 0 if game.mode == SOLO else seat


@kernel
def num_players(game: np.record) -> int:
    """How many players have money and a hand of contracts; Automas have no hand (rules 8.1, 9.1)."""
    return 1 if game.mode == SOLO else int(game.num_seats) - int(game.num_automas)


@kernel
def automa_number(game: np.record, seat: int) -> int:
    """The number of the Automa on the seat, NONE for a player's seat."""
    number = seat - (int(game.num_seats) - int(game.num_automas))
    return number if number >= 0 else NONE


@kernel
def is_automa(game: np.record, seat: int) -> bool:
    """Whether the seat is an Automa's."""
    return automa_number(game, seat) >= 0
