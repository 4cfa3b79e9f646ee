"""What two engines do not agree on: the first place where their plain data differ."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

SHOWN = 300  # characters of a value in a difference


@dataclass(frozen=True)
class Difference:
    """One value that the engines do not agree on."""

    path: str  # where it is, as in state.cities.Ames.owner
    core: Any
    reference: Any

    @property
    def topic(self) -> str:
        """What kind of difference it is: the path without names and numbers below its second part."""
        return ".".join(self.path.split(".")[:2])

    def __str__(self) -> str:
        return f"{self.path}: core {_shorten(self.core)}, reference {_shorten(self.reference)}"


class Twins(Protocol):
    """A game in two engines."""

    difference: Difference | None
    """The first thing that they do not agree on."""

    def step(self, move: str) -> None:
        """Play a move in both."""


T = TypeVar("T", bound=Twins)


def play_through(twins: T, moves: Iterable[str]) -> T:
    """Play the moves in both engines, up to the first difference."""
    for move in moves:
        if twins.difference:
            break
        twins.step(move)
    return twins


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def as_difference(error: Exception) -> Difference:
    """The reference broke down; the text of the error belongs to the topic."""
    return Difference(f"raised.{type(error).__name__}", "goes on", str(error))


def find_differences(core: Any, reference: Any, path: str = "") -> Iterator[Difference]:
    """Where two pieces of plain data differ, in order."""
    if core == reference and type(core) is type(reference):
        return
    if isinstance(core, Mapping) and isinstance(reference, Mapping):
        for key in [*core, *(key for key in reference if key not in core)]:
            inner = f"{path}.{key}" if path else str(key)
            yield from find_differences(core.get(key, "missing"), reference.get(key, "missing"), inner)
    elif isinstance(core, set) and isinstance(reference, set):
        yield Difference(path, f"only {sorted(core - reference)}", f"only {sorted(reference - core)}")
    elif isinstance(core, list) and isinstance(reference, list):
        for index, (one, other) in enumerate(zip(core, reference, strict=False)):
            yield from find_differences(one, other, f"{path}.{index}")
        if len(core) != len(reference):
            shared = min(len(core), len(reference))
            yield Difference(f"{path}.{shared}", core[shared:] or "nothing more", reference[shared:] or "nothing more")
    elif _as_plain(core) != _as_plain(reference):
        yield Difference(path, core, reference)


def _as_plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
