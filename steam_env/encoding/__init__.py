"""Encodings: core records to observation arrays for one seat. `ENCODINGS` holds them by name.

An encoding's module is imported when the encoding is first looked up: ``import steam_env`` need not load
them all, and ``python -m steam_env.encoding.flat`` finds its module not yet loaded.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np


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
            (n,) for the observer ``seats[i]`` (n,) int64 (NONE: zeros), to ``out[i]`` (n, *shape) of ``dtype``. It
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


def _make_flat() -> Encoding:
    from steam_env.encoding import flat

    return Encoding(
        name="flat",
        shape=(flat.FLAT_SIZE,),
        low=flat.FLAT_LOW,
        high=flat.FLAT_HIGH,
        dtype=np.dtype(np.float32),
        encode=flat.encode_flat_games,
        describe=flat.describe_layout,
    )


class _Encodings(Mapping[str, Encoding]):
    """Encodings by name, each made at its first look-up."""

    def __init__(self, makers: dict[str, Callable[[], Encoding]]) -> None:
        self._makers = makers
        self._made: dict[str, Encoding] = {}

    def __getitem__(self, name: str) -> Encoding:
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


ENCODINGS: Mapping[str, Encoding] = _Encodings({"flat": _make_flat})
