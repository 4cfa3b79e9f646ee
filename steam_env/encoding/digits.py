"""Digits: how a float32 array comes from uint8, bit for bit, and the kernel that makes it.

``Digits`` says where the digits of each value stand and what divides their number, see ``layout.Code``. Kernels of a
game write digits; floats are made of them here, in NumPy (``Digits.expand``, which is easiest to read), compiled
(``expand_row``) or in torch (``steam_env.agents.scaling``). A quotient of two float32 that are whole numbers is rounded
like the quotient of the numbers in double precision that is rounded to float32 afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.encoding.layout import Axis, Part, count_most

MOST_DIGITS = 4  # of a number

# Kinds of runs: what is done with the numbers. Digits alone: one for each value, which but for ``SPACED_DIGITS``
# stand side by side.
(
    ABSENT,
    PLAIN_DIGITS,
    SPACED_DIGITS,
    DIVIDED_DIGITS,
    LISTED_DIGITS,
    DIVIDED,
    LISTED,
    SATURATING,
    DIVIDED_BY_ANOTHER,
) = range(9)

RUN = np.dtype(
    (
        np.record,
        [
            ("kind", "<u8"),  # ABSENT ..
            ("out", "<u8"),  # the first value of the run
            ("length", "<u8"),  # its values, which come alike from their digits
            ("step", "<u8"),  # from one of them to the next
            ("levels", "<u8"),  # digits of each
            ("source", "<u8", (MOST_DIGITS,)),  # by level: the digit of the first value; of those without, any
            ("weight", "<u8", (MOST_DIGITS,)),  # 0 on levels without a digit
            ("divisor", "<u8"),
            ("table", "<u8"),  # where the table of values begins
            ("over_levels", "<u8"),  # digits of the number that divides
            ("over", "<u8", (MOST_DIGITS,)),  # by level: where they stand
            ("over_weight", "<u8", (MOST_DIGITS,)),
        ],
    )
)


@dataclass(frozen=True, eq=False)
class Digits:
    """Where the values of an array come from; all arrays are read-only.

    Attributes:
        size: how many digits there are.
        source: (levels, values) int64, where the digits of each value's number stand; NONE: there is none, it is 0.
        weight: (levels, values) int64, what they count.
        divisor: (values,) int64.
        saturates: (values,) bool, whether the number is added to the divisor.
        table: (values,) int64, where in ``tables`` a value's own begins; NONE: it has none.
        tables: (k,) float32.
        over: (levels, values) int64, the digits of the number that divides; NONE: none.
        over_weight: (levels, values) int64; all 0 where ``divisor`` divides.
    """

    size: int
    source: np.ndarray
    weight: np.ndarray
    divisor: np.ndarray
    saturates: np.ndarray
    table: np.ndarray
    tables: np.ndarray
    over: np.ndarray
    over_weight: np.ndarray

    @property
    def num_values(self) -> int:
        """How many values there are."""
        return len(self.divisor)

    def expand(self, digits: np.ndarray) -> np.ndarray:
        """(n, values) float32 of digits (n, size) uint8: what ``expand_row`` and nets make of them, too."""
        numbers = self._add_up(digits, self.source, self.weight)
        divisors = np.where(self.saturates, self.divisor + numbers, self.divisor)
        if self.over_weight.any():
            over = np.maximum(self._add_up(digits, self.over, self.over_weight), 1)
            divisors = np.where(self.over_weight.any(axis=0), over, divisors)
        values = numbers.astype(np.float32) / divisors.astype(np.float32)
        listed = np.flatnonzero(self.table != NONE)
        values[:, listed] = self.tables[self.table[listed] + numbers[:, listed]]
        return values

    @staticmethod
    def _add_up(digits: np.ndarray, source: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """(n, values) int64 numbers."""
        total = np.zeros((len(digits), source.shape[1]), np.int64)
        for places, weights in zip(source, weight, strict=True):
            there = np.flatnonzero(places != NONE)
            total[:, there] += digits[:, places[there]].astype(np.int64) * weights[there]
        return total

    @cached_property
    def runs(self) -> np.ndarray:
        """(k,) RUN: values that come alike from neighbouring digits and are evenly spaced, for ``expand_row``."""
        order = np.argsort(self.source[0], kind="stable")
        follows, spacing = self._follows(order).tolist(), np.diff(order, append=0).tolist()
        runs, first = [], 0
        for place in range(1, len(order) + 1):
            if place < len(order) and follows[place] and spacing[place - 1] == spacing[first] > 0:
                continue
            runs.append(self._make_run(int(order[first]), place - first, spacing[first] if place - first > 1 else 1))
            first = place
        return np.array(runs, RUN)

    def _follows(self, order: np.ndarray) -> np.ndarray:
        """(values,) bool, by place in the order: the value comes from the next digits as the one before it does."""
        source = self.source[:, order]
        absent = source == NONE
        fine = (absent[:, 1:] == absent[:, :-1]) & (absent[:, 1:] | (source[:, 1:] == source[:, :-1] + 1))
        same = fine.all(axis=0)
        for array in (self.weight, self.over, self.over_weight, self.divisor, self.table, self.saturates):
            ordered = np.atleast_2d(array[..., order])
            same &= (ordered[:, 1:] == ordered[:, :-1]).all(axis=0)
        return np.concatenate([[False], same])

    def _make_run(self, start: int, length: int, step: int) -> Any:
        run = np.zeros(1, RUN)
        there = np.flatnonzero(self.source[:, start] != NONE)
        divides = np.flatnonzero(self.over_weight[:, start])
        run["kind"] = self._find_kind(start, len(there), step)
        run["out"], run["length"], run["step"], run["levels"] = start, length, step, len(there)
        run["source"] = self.source[there[0], start] if len(there) else 0
        run["source"][0, : len(there)] = self.source[there, start]
        run["weight"][0, : len(there)] = self.weight[there, start]
        run["divisor"], run["table"] = self.divisor[start], max(self.table[start], 0)
        run["over_levels"] = len(divides)
        run["over"][0, : len(divides)] = self.over[divides, start]
        run["over_weight"][0, : len(divides)] = self.over_weight[divides, start]
        return run[0]

    def _find_kind(self, value: int, levels: int, step: int) -> int:
        """What is done with the number of a value that has so many digits."""
        if not levels:
            return ABSENT
        is_digit = levels == 1 and self.weight[0, value] == 1
        is_one = is_digit and step == 1
        if self.table[value] != NONE:
            return LISTED_DIGITS if is_one else LISTED
        if self.over_weight[:, value].any():
            return DIVIDED_BY_ANOTHER
        if self.saturates[value]:
            return SATURATING
        if is_digit and not is_one and self.divisor[value] == 1:
            return SPACED_DIGITS
        if not is_one:
            return DIVIDED
        return PLAIN_DIGITS if self.divisor[value] == 1 else DIVIDED_DIGITS


# --- where digits stand -----------------------------------------------------------------------------------


def lay_out(
    parts: Sequence[Part], divisors: Sequence[Part] = (), sizes: Mapping[str, int] | None = None
) -> tuple[Digits, dict[str, int]]:
    """Where the digits of an array's parts stand.

    First those of the divisors, then part after part: of each the first digits of all its values, then the second ones.

    Args:
        parts: of the array, without gaps.
        divisors: parts that are in no array: numbers that others are divided by.
        sizes: by name of an axis, how many of its things there are; ``None``, or one that is left out: the most. Values
            of the others have no digits.

    Returns:
        the digits, and by name of a part where its first digit stands.
    """
    given = sizes or {}
    num_values = sum(part.length for part in parts)
    columns = _Columns(num_values)
    starts: dict[str, int] = {}
    total = 0
    for part in (*divisors, *parts):
        starts[part.name] = total
        kept = _keep(part, given)
        weights = part.code.weights[: _size(part.code.digit_axis, given, len(part.code.weights))]
        if part.start < num_values and part in parts:
            columns.fill(part, kept, weights, total)
        total += len(kept) * len(weights)
    for part in parts:
        if part.code.over:
            columns.divide(part, next(one for one in (*parts, *divisors) if one.name == part.code.over), starts)
    return columns.finish(total), starts


def _size(axis: int | Axis | None, sizes: Mapping[str, int], most: int) -> int:
    return most if not isinstance(axis, Axis) else min(sizes.get(axis.name, axis.capacity), most)


def _keep(part: Part, sizes: Mapping[str, int]) -> np.ndarray:
    """The places in a part of values that there are things for, as their digits stand.

    Of two kinds of things the digits of the first stand side by side, so that kernels go through many of these at once.
    """
    most = [count_most(axis) for axis in part.shape]
    places = np.arange(part.length).reshape(most)
    for number, axis in enumerate(part.shape):
        places = places.take(np.arange(_size(axis, sizes, most[number])), axis=number)
    return places.flatten(order="F" if all(isinstance(axis, Axis) for axis in part.shape) else "C")


class _Columns:
    """The arrays of ``Digits`` while they are filled."""

    def __init__(self, num_values: int) -> None:
        levels = (MOST_DIGITS, num_values)
        self.source, self.weight = np.full(levels, NONE, np.int64), np.zeros(levels, np.int64)
        self.over, self.over_weight = np.full(levels, NONE, np.int64), np.zeros(levels, np.int64)
        self.divisor, self.saturates = np.ones(num_values, np.int64), np.zeros(num_values, np.bool_)
        self.table = np.full(num_values, NONE, np.int64)
        self.tables: list[tuple[float, ...]] = []

    def fill(self, part: Part, kept: np.ndarray, weights: Iterable[int], start: int) -> None:
        values = slice(part.start, part.start + part.length)
        self.divisor[values], self.saturates[values] = part.code.divisor, part.code.saturates
        if part.code.table:
            self.table[values] = sum(map(len, self.tables))
            self.tables.append(part.code.table)
        for level, weight in enumerate(weights):
            self.source[level, part.start + kept] = start + level * len(kept) + np.arange(len(kept))
            self.weight[level, part.start + kept] = weight

    def divide(self, part: Part, by: Part, starts: Mapping[str, int]) -> None:
        values = slice(part.start, part.start + part.length)
        for level, weight in enumerate(by.code.weights):
            self.over[level, values] = starts[by.name] + level
            self.over_weight[level, values] = weight

    def finish(self, size: int) -> Digits:
        tables = np.array([value for table in self.tables for value in table], np.float32)
        arrays = (self.source, self.weight, self.divisor, self.saturates, self.table, tables)
        return Digits(size, *arrays, self.over, self.over_weight)


# --- the kernel ---------------------------------------------------------------------------------------------
# Indices are unsigned, and quotients NumPy's: looks at a sign or for a divisor of 0 would cost more than the values.


@kernel
def expand_row(runs: np.ndarray, tables: np.ndarray, digits: np.ndarray, out: np.ndarray) -> None:
    """Write the values ``out`` (values,) float32 of the digits (size,) uint8."""
    for index in range(runs.shape[0]):
        run = runs[index]
        first, length, source = run.out, run.length, run.source[0]
        if run.kind == ABSENT:
            for place in range(length):
                out[first + place * run.step] = 0
        elif run.kind == PLAIN_DIGITS:
            for place in range(length):
                out[first + place] = digits[source + place]
        elif run.kind == SPACED_DIGITS:
            for place in range(length):
                out[first + place * run.step] = digits[source + place]
        elif run.kind == DIVIDED_DIGITS:
            divisor = np.float32(run.divisor)
            for place in range(length):
                out[first + place] = np.divide(np.float32(digits[source + place]), divisor)
        elif run.kind == LISTED_DIGITS:
            table = run.table
            for place in range(length):
                out[first + place] = tables[table + digits[source + place]]
        else:
            expand_run(run, tables, digits, out)


@kernel
def expand_rows(runs: np.ndarray, tables: np.ndarray, digits: np.ndarray, out: np.ndarray) -> None:
    """Write the values ``out`` (n, values) float32 of the digits (n, size) uint8."""
    for index in range(out.shape[0]):
        expand_row(runs, tables, digits[index], out[index])


@kernel
def expand_run(run: np.record, tables: np.ndarray, digits: np.ndarray, out: np.ndarray) -> None:
    """Write the values of a run of any kind; as numbers are at most 2**24, float32 has them exactly.

    All four digits are added up in one go, those that a number lacks with weight 0.
    """
    first, length, step = run.out, run.length, run.step
    ones, others, thirds, fourths = run.source[0], run.source[1], run.source[2], run.source[3]
    weight, weight_2, weight_3, weight_4 = run.weight[0], run.weight[1], run.weight[2], run.weight[3]
    is_listed, saturates = run.kind == LISTED, np.float32(run.kind == SATURATING)
    divisor = np.float32(find_divisor(run, digits))
    for place in range(length):
        number = np.float32(digits[ones + place]) * np.float32(weight)
        number += np.float32(digits[others + place]) * np.float32(weight_2)
        number += np.float32(digits[thirds + place]) * np.float32(weight_3)
        number += np.float32(digits[fourths + place]) * np.float32(weight_4)
        out[first + place * step] = np.divide(number, saturates * number + divisor)
    if is_listed:
        for place in range(length):
            out[first + place * step] = tables[run.table + np.uint64(out[first + place * step])]


@kernel
def find_divisor(run: np.record, digits: np.ndarray) -> int:
    """What divides the numbers of a run, or is added to them first."""
    if run.kind == LISTED:
        return 1
    if run.kind != DIVIDED_BY_ANOTHER:
        return int(run.divisor)
    over = 0
    for level in range(run.over_levels):
        over += int(digits[run.over[level]]) * int(run.over_weight[level])
    return max(over, 1)
