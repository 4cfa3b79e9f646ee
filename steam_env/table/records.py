"""Some games of a batch: copied out, and written over.

Bytes are copied, ten times as fast as NumPy copies records, field by field.
"""

import numpy as np

from steam_env.core.steam_power.state import GAME


def copy_games(records: np.ndarray) -> np.ndarray:
    """A copy of all games."""
    return _as_bytes(records).copy().view(GAME).reshape(len(records))


def take_games(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy (k,) ``GAME`` of the games ``rows`` (k,)."""
    games = np.empty(len(rows), GAME)
    np.take(_as_bytes(records), rows, axis=0, out=_as_bytes(games), mode="clip")
    return games


def put_games(records: np.ndarray, rows: np.ndarray, games: np.ndarray) -> None:
    """Write ``games`` (k,), or one game, over the games ``rows`` (k,) of ``records``."""
    _as_bytes(records)[rows] = _as_bytes(games)


def _as_bytes(records: np.ndarray) -> np.ndarray:
    return records.view(np.uint8).reshape(len(records), GAME.itemsize)
