"""Layouts: what stands where in an array, each part declared once; kernels and docs take offsets from them."""

from collections.abc import Iterable
from typing import NamedTuple

HIGH = 1.0  # no value of an encoding is above it


class Part(NamedTuple):
    """A part of an array: ``length`` values from ``start`` on, each within ``low`` and ``HIGH``."""

    name: str
    start: int
    length: int
    meaning: str
    scale: str
    low: float = 0.0


class Layout:
    """The parts of an array along one of its axes, in their order.

    Args:
        parts: what it begins with.
    """

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self._parts = list(parts)

    def add(self, name: str, length: int, meaning: str, scale: str = "0 or 1", low: float = 0.0) -> int:
        """Append a part and return where it starts."""
        start = self.size
        self._parts.append(Part(name, start, length, meaning, scale, low))
        return start

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts so far."""
        return tuple(self._parts)

    @property
    def size(self) -> int:
        """How many values the parts so far have."""
        return self._parts[-1].start + self._parts[-1].length if self._parts else 0


def describe_parts(parts: Iterable[Part]) -> list[str]:
    """The lines of a Markdown table, one for each part."""
    lines = ["| from | length | part | meaning | scale | bounds |", "| ---: | ---: | --- | --- | --- | --- |"]
    for part in parts:
        bounds = f"{part.low:g} .. {HIGH:g}"
        lines.append(f"| {part.start} | {part.length} | `{part.name}` | {part.meaning} | {part.scale} | {bounds} |")
    return lines
