"""Some games of a batch: taken out to be looked at or stepped, and put back.

Bytes are copied, ten times as fast as NumPy copies records, field by field.
"""

import numpy as np

from steam_env.core.state import GAME


def take_games(records: np.ndarray, rows: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """A copy (k,) ``GAME`` of the games ``rows`` (k,); into the first k of ``out`` if given, without allocation."""
    games = np.empty(len(rows), GAME) if out is None else out[: len(rows)]
    np.take(_as_bytes(records), rows, axis=0, out=_as_bytes(games), mode="clip")
    return games


def put_games(records: np.ndarray, rows: np.ndarray, games: np.ndarray) -> None:
    """Write ``games`` (k,), or one game, over the games ``rows`` (k,) of ``records``."""
    _as_bytes(records)[rows] = _as_bytes(games)


def _as_bytes(records: np.ndarray) -> np.ndarray:
    return records.view(np.uint8).reshape(len(records), GAME.itemsize)


class Subset:
    """Memory for some of ``size`` games that are taken out with their masks."""

    def __init__(self, size: int, num_actions: int) -> None:
        self._games = np.empty(size, GAME)
        self._masks = np.empty((size, num_actions), np.bool_)

    def take(self, records: np.ndarray, masks: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The games ``rows`` (k,) and their masks, valid up to the next call."""
        games = take_games(records, rows, self._games)
        taken = self._masks[: len(rows)]
        np.take(masks, rows, axis=0, out=taken, mode="clip")
        return games, taken
