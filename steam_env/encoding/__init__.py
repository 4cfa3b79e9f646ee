"""Encodings: core records to observation arrays for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from steam_env.spec import load_named

Observations: TypeAlias = np.ndarray | dict[str, np.ndarray]
"""What seats see: one array, or arrays by name, of one seat or along a first axis of many."""


class ArraySpec(NamedTuple):
    """What an array of one observation is like: its shape, the bounds of all its values, its dtype."""

    shape: tuple[int, ...]
    low: float
    high: float
    dtype: np.dtype

    def allocate(self, count: int) -> np.ndarray:
        """A fresh array (count, *shape), all zeros."""
        return np.zeros((count, *self.shape), self.dtype)

    def fits(self, values: object, count: int) -> bool:
        """Whether this is an array (count, *shape) of the dtype that can be written to."""
        return (
            isinstance(values, np.ndarray)
            and values.shape == (count, *self.shape)
            and values.dtype == self.dtype
            and values.flags.writeable
        )


@dataclass(frozen=True)
class Encoding:
    """One way to write what a seat sees as arrays: the same space for every map, deck and seat count.

    Attributes:
        name: what a game's ``Sight.encodings`` calls it.
        spec: of the one array of an observation, or of its arrays by name.
        encode: ``encode(games, *statics, seats, out)`` writes observation i, of record ``games[i]``
            (n,) for the observer ``seats[i]`` (n,) int64 (NONE: zeros), to place i of each array of ``out``, which is
            as from ``allocate``, with n places or more. It changes nothing else and allocates nothing.
        describe: the layout as Markdown tables.
        parts: what stands where, for the hash in policy files: a ``steam_env.encoding.layout.Part`` each.
        compact: ``compact(setting)``: the same encoding as digits, with room for games of the setting, or for all games
            if it is ``None``; ``None``: there is none. See ``steam_env.encoding.compact``.
        expansions: of a compact encoding, how its arrays give back those of float32: a
            ``steam_env.encoding.compact.Expansion``, or these by name.
    """

    name: str
    spec: ArraySpec | dict[str, ArraySpec]
    encode: Callable[..., None]
    describe: Callable[[], str]
    parts: tuple[Any, ...] = ()
    compact: Callable[[Any], Encoding] | None = None
    expansions: Any = None

    def allocate(self, count: int) -> Observations:
        """Fresh arrays (count, ...) for ``encode``, all zeros."""
        if isinstance(self.spec, dict):
            return {name: spec.allocate(count) for name, spec in self.spec.items()}
        return self.spec.allocate(count)

    def check(self, out: object, count: int) -> None:
        """Refuse arrays ``out`` other than those that ``encode`` fills with ``count`` observations.

        Raises:
            ValueError: saying what is allowed.
        """
        if not isinstance(self.spec, dict):
            if not self.spec.fits(out, count):
                shape = (count, *self.spec.shape)
                raise ValueError(f"out must be a writable array of shape {shape} and dtype {self.spec.dtype}")
            return
        if not isinstance(out, dict) or out.keys() != self.spec.keys():
            raise ValueError(f"out must be a dict of the arrays {', '.join(self.spec)}")
        for name, spec in self.spec.items():
            if not spec.fits(out[name], count):
                shape = (count, *spec.shape)
                raise ValueError(f"out[{name!r}] must be a writable array of shape {shape} and dtype {spec.dtype}")


def pick(observations: Observations, index: Any) -> Observations:
    """``observations[index]``, of one array or of each by name; ``np.newaxis`` makes many of one."""
    if isinstance(observations, dict):
        return {name: values[index] for name, values in observations.items()}
    picked: np.ndarray = observations[index]
    return picked


class Encodings(Mapping[str, Encoding]):
    """Encodings by name, each made at its first look-up: until then its module need not be imported."""

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

    def extend(self, name: str, path: str) -> Encodings:
        """These and one more, which the function at an import path makes: a later room may bring it."""
        return Encodings({**self._makers, name: lambda: load_named(path)()})
