"""Encodings: core records to observation arrays for one seat. `ENCODINGS` holds them by name.

`ENCODINGS` is made when it is first asked for, so that importing this package compiles nothing and
``python -m steam_env.encoding.flat`` finds its module not yet loaded.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ENCODINGS: "dict[str, Encoding]"


@dataclass(frozen=True)
class Encoding:
    """One way to write what a seat sees as an array: the same space for every map, deck and seat count.

    Attributes:
        name: the key in ``ENCODINGS``.
        shape: of one observation.
        low: no value is below it.
        high: no value is above it.
        dtype: of the observation.
        encode: ``encode(games, boards, decks, seats, out)`` writes observation i, of record ``games[i]``
            (n,) for the observer ``seats[i]`` (n,) int64, to ``out[i]`` (n, *shape) of ``dtype``. It
            changes nothing else and allocates nothing.
        describe: the layout as a Markdown table.
    """

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    dtype: np.dtype
    encode: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
    describe: Callable[[], str]

    def allocate(self, count: int) -> np.ndarray:
        """A fresh array (count, *shape) for ``encode``, all zeros."""
        return np.zeros((count, *self.shape), self.dtype)


def _make_encodings() -> dict[str, Encoding]:
    from steam_env.encoding import flat

    return {
        "flat": Encoding(
            name="flat",
            shape=(flat.FLAT_SIZE,),
            low=flat.FLAT_LOW,
            high=flat.FLAT_HIGH,
            dtype=np.dtype(np.float32),
            encode=flat.encode_flat_games,
            describe=flat.describe_layout,
        )
    }


def __getattr__(name: str) -> object:
    """Make ``ENCODINGS`` at its first use."""
    if name != "ENCODINGS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    encodings = _make_encodings()
    globals()[name] = encodings
    return encodings
