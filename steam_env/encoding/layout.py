"""Layouts: what stands where in an array, each part declared once; kernels and docs take offsets from them."""

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

HIGH = 1.0  # no value of an encoding is above it
BYTE_VALUES = 256  # of a digit

ONE_BYTE = (1,)  # weights of the digits of numbers below 256,
TWO_BYTES = (1, BYTE_VALUES)  # below 65,536,
FOUR_BYTES = tuple(BYTE_VALUES**place for place in range(4))  # and of those that need more


class Axis(NamedTuple):
    """A kind of things of which a game has ``capacity`` at most; one that has fewer fills no more than these."""

    name: str
    capacity: int


class Code(NamedTuple):
    """How a value comes from a whole number, which is told by digits: a uint8 each.

    The number is the sum of the digits, each times its weight, and at most 2**24. The value is ``table[number]`` where
    there is a table, else the number divided by the divisor and rounded once to float32. The number 0 gives 0.
    """

    divisor: int = 1  # or what it is about, see below
    weights: tuple[int, ...] = ONE_BYTE  # of the digits, as they stand
    table: tuple[float, ...] = ()  # float32 by number
    saturates: bool = False  # the divisor is ``divisor`` + the number
    over: str = ""  # the divisor is the number of the part with this name, at least 1
    digit_axis: Axis | None = None  # digits count such things off; those that a game lacks are 0

    def describe(self) -> str:
        """Its declaration in a few words."""
        digits = "uint8" if len(self.weights) == 1 else f"uint8 x {', '.join(map(str, self.weights))}"
        if self.table:
            return f"{digits}, table of {len(self.table)}"
        if self.over:
            return f"{digits} / `{self.over}`"
        divisor = f"(n + {self.divisor})" if self.saturates else str(self.divisor)
        return digits if divisor == "1" else f"{digits} / {divisor}"


PLAIN = Code()


class Part(NamedTuple):
    """A part of an array: ``length`` values from ``start`` on, each within ``low`` and ``HIGH``."""

    name: str
    start: int
    length: int
    meaning: str
    scale: str
    low: float = 0.0
    code: Code = PLAIN
    shape: tuple[int | Axis, ...] = ()  # what its values count off, the last fastest


class Layout:
    """The parts of an array along one of its axes, in their order.

    Args:
        parts: what it begins with.
    """

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self._parts = list(parts)

    def add(
        self,
        name: str,
        length: int | tuple[int | Axis, ...],
        meaning: str,
        scale: str = "0 or 1",
        low: float = 0.0,
        code: Code = PLAIN,
    ) -> int:
        """Append a part, so long or with a value for each thing of these axes, and return where it starts."""
        start = self.size
        shape = length if isinstance(length, tuple) else (length,)
        self._parts.append(Part(name, start, prod(map(count_most, shape)), meaning, scale, low, code, shape))
        return start

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts so far."""
        return tuple(self._parts)

    @property
    def size(self) -> int:
        """How many values the parts so far have."""
        return self._parts[-1].start + self._parts[-1].length if self._parts else 0


def count_most(axis: int | Axis) -> int:
    """How long an axis is at most."""
    return axis if isinstance(axis, int) else axis.capacity


def describe_parts(parts: Iterable[Part]) -> list[str]:
    """The lines of a Markdown table, one for each part."""
    lines = [
        "| from | length | part | meaning | scale | bounds | as integers |",
        "| ---: | ---: | --- | --- | --- | --- | --- |",
    ]
    for part in parts:
        bounds = f"{part.low:g} .. {HIGH:g}"
        told = (part.start, part.length, f"`{part.name}`", part.meaning, part.scale, bounds, part.code.describe())
        lines.append(f"| {' | '.join(map(str, told))} |")
    return lines
