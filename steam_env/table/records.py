"""Copying some games out of a batch, and writing over them.

Bytes are copied, ten times as fast as NumPy copies records, field by field.
"""

import numpy as np


def copy_games(records: np.ndarray) -> np.ndarray:
    """A copy of all games."""
    return _as_bytes(records).copy().view(records.dtype).reshape(len(records))


def take_games(records: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A copy (k,) of the games ``rows`` (k,)."""
    games = np.empty(len(rows), records.dtype)
    np.take(_as_bytes(records), rows, axis=0, out=_as_bytes(games), mode="clip")
    return games


def put_games(records: np.ndarray, rows: np.ndarray, games: np.ndarray) -> None:
    """Write ``games`` (k,), or one game, over the games ``rows`` (k,) of ``records``."""
    _as_bytes(records)[rows] = _as_bytes(games)


def _as_bytes(records: np.ndarray) -> np.ndarray:
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
