"""What a seat does not know: nothing. After set-up all is public, and nothing is random."""

import numpy as np


def blank_games(games: np.ndarray, seats: np.ndarray) -> None:
    """Leave the games as they are: there is nothing to hide."""


def fill_games(games: np.ndarray, seeds: np.ndarray) -> None:
    """Leave the games as they are: nothing was hidden."""
