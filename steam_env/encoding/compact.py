"""Compact observations: the digits of an encoding in place of its float32, for all games or for those of one setting.

An encoding ``flat`` that has digits can be had as ``flat:compact``, with room for any game, and as ``flat:tight``, with
room only for what games of one setting can fill. Both give the float32 back bit for bit, see ``Expansion``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from steam_env.encoding import ArraySpec, Encoding, Observations
from steam_env.encoding.digits import Digits, expand_rows

CHUNK = 32  # observations whose digits are expanded together, from memory of the thread


@dataclass(frozen=True, eq=False)
class Expansion:
    """How one array of an observation comes from its digits.

    Attributes:
        values: of the array.
        digits: of each of its rows; ``None``: whole numbers that are no digits, and stay what they are.
        rows: (r,) int64, of which rows of the array there are digits; all others are 0.
        num_rows: rows of the array: what ``digits`` expands is one.
        shape: of the digits.
    """

    values: ArraySpec
    digits: Digits | None
    rows: np.ndarray
    num_rows: int
    shape: tuple[int, ...]

    @property
    def packed(self) -> ArraySpec:
        """Of the array of digits."""
        return ArraySpec(self.shape, 0, np.iinfo(np.uint8).max, np.dtype(np.uint8))

    def allocate(self, count: int) -> np.ndarray:
        """A fresh array (count, ...) for digits, all zeros."""
        return self.packed.allocate(count)

    @property
    def is_full(self) -> bool:
        """Whether there are digits of all rows."""
        return len(self.rows) == self.num_rows

    def expand(self, packed: np.ndarray) -> np.ndarray:
        """(n, ...) as ``values`` says, fresh, of digits (n, ...)."""
        count = len(packed)
        rows = packed.reshape(count * len(self.rows), -1)
        found = rows if self.digits is None else self.digits.expand(rows)
        out = np.zeros((count, self.num_rows, found.shape[1]), self.values.dtype)
        out[:, self.rows] = found.reshape(count, len(self.rows), -1)
        return out.reshape(count, *self.values.shape)

    def expand_into(self, packed: np.ndarray, out: np.ndarray) -> None:
        """Write ``out`` (n, ...), contiguous, of digits (n, ...) of all rows: compiled."""
        if self.digits is None:
            out[...] = packed
            return
        count = len(packed) * self.num_rows
        rows, values = packed.reshape(count, -1), out.reshape(count, -1)
        expand_rows(self.digits.runs, self.digits.tables, rows, values)


Expansions: TypeAlias = Expansion | dict[str, Expansion]


def make_flat_expansion(values: ArraySpec, digits: Digits, shape: tuple[int, ...] | None = None) -> Expansion:
    """That of an array with digits of its values from first to last, in ``shape``; ``None``: in one row."""
    return Expansion(values, digits, np.zeros(1, np.int64), 1, shape or (digits.size,))


def expand(expansions: Expansions, packed: Observations) -> Observations:
    """The float32 observations (n, ...), fresh, of compact or tight ones."""
    if isinstance(expansions, dict):
        assert isinstance(packed, dict)
        return {name: one.expand(packed[name]) for name, one in expansions.items()}
    assert isinstance(packed, np.ndarray)
    return expansions.expand(packed)


def pack_spec(expansions: Expansions) -> ArraySpec | dict[str, ArraySpec]:
    """Of the arrays of digits."""
    if isinstance(expansions, dict):
        return {name: one.packed for name, one in expansions.items()}
    return expansions.packed


# --- float32 from digits ------------------------------------------------------------------------------------


class ChunkMemory(threading.local):
    """Each thread's memory for the digits of some observations, by what they are of."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[Encoding | Expansion, Observations]] = {}

    def open(self, owner: Encoding | Expansion) -> Any:
        """Arrays for ``CHUNK`` observations."""
        if id(owner) not in self._kept:
            self._kept[id(owner)] = owner, owner.allocate(CHUNK)  # held, so that no other gets its id
        return self._kept[id(owner)][1]


_MEMORY = ChunkMemory()


def encode_by_digits(compact: Encoding, shape_name: str, games: np.ndarray, *others: Any) -> None:
    """Do what ``Encoding.encode`` of the float32 encoding does, by digits for all games.

    Args:
        compact: the digits.
        shape_name: what an error calls the shape of the only array.
        games: as for ``encode``.
        *others: likewise.

    Raises:
        ValueError: for arrays of another shape, or from the digits' ``encode``.
    """
    *_, out = others
    memory, expansions = _MEMORY.open(compact), compact.expansions
    arrays = expansions if isinstance(expansions, dict) else {"": expansions}
    values = out if isinstance(expansions, dict) else {"": out}
    packed = memory if isinstance(expansions, dict) else {"": memory}
    for name, one in arrays.items():
        check_room(name, one, len(games), values[name], shape_name)
    for part in write_chunks(compact.encode, memory, games, *others):
        for name, one in arrays.items():
            one.expand_into(packed[name][: part.stop - part.start], values[name][part])


def write_by_digits(
    name: str, shape_name: str, one: Expansion, write: Callable[..., None], games: np.ndarray, *others: Any
) -> None:
    """Write one array of an observation by its digits.

    Args:
        name: the array's.
        shape_name: what an error calls its shape.
        one: how it comes from digits.
        write: ``write(games, *statics, seats, digits)`` writes these (n, ...).
        games: as for ``Encoding.encode``.
        *others: likewise.

    Raises:
        ValueError: for an array of another shape.
    """
    *_, out = others
    check_room(name, one, len(games), out[name], shape_name)
    packed = _MEMORY.open(one)
    for part in write_chunks(write, packed, games, *others):
        one.expand_into(packed[: part.stop - part.start], out[name][part])


def check_room(name: str, one: Expansion, count: int, values: np.ndarray, shape_name: str) -> None:
    """Refuse an array of another shape than that of ``count`` games."""
    if len(values) < count or values.shape[1:] != one.values.shape:
        what = f"out[{name!r}]" if name else "out"
        raise ValueError(f"{what} must have {one.values.shape} values {shape_name} for each game")


def write_chunks(write: Callable[..., None], packed: Any, games: np.ndarray, *others: Any) -> Iterator[slice]:
    """Write the digits of some games after others into the same memory; yields which they are."""
    *statics, seats, _ = others
    for start in range(0, len(games), CHUNK):
        part = slice(start, min(start + CHUNK, len(games)))
        write(games[part], *statics, seats[part], packed)
        yield part
