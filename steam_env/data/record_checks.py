"""Refusing records made by hand with which kernels could leave an array: what the games' own checks share."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def check_shape(records: object, record: np.dtype, where: str) -> np.ndarray:
    """Refuse what is no array (n,) of this record, which messages call ``where``; returns it.

    Raises:
        ValueError: naming the dtype that is allowed.
    """
    if not isinstance(records, np.ndarray) or records.dtype != record or records.ndim != 1:
        raise ValueError(f"records must be a one-dimensional NumPy array of dtype {where}")
    return records


def check_ranges(records: np.ndarray, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Refuse values of fields below the lowest or above the highest that is allowed.

    Raises:
        ValueError: naming the field, the value and the range.
    """
    for name, (low, high) in ranges.items():
        values = records[name]
        if values.size and (values.min() < low or values.max() > high):
            worst = int(values.min()) if values.min() < low else int(values.max())
            raise ValueError(f"records[{name!r}] holds {worst}: {low} to {high} are allowed")


def check_agreements(agreements: Iterable[tuple[str, np.ndarray, str]]) -> None:
    """Refuse the first field that does not agree with others: (field, (n,) whether it does, with what).

    Raises:
        ValueError: naming the field, the first game and what does not agree.
    """
    for name, fine, what in agreements:
        if not fine.all():
            raise ValueError(f"records[{name!r}][{int(np.flatnonzero(~fine)[0])}] does not agree: {what}")


def hold_all(flags: Any) -> np.ndarray:
    """(n,) whether every flag of a game is set."""
    fine: np.ndarray = flags.all(1)
    return fine


def exactly(value: int) -> tuple[int, int]:
    """The range of one value."""
    return value, value
