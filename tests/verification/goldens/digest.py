"""Hashes of values, and of what happens step by step."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

Fields = dict[str, str]  # names of a record's fields that are golden, with the dtypes that they are hashed in

MARK_EVERY = 20  # steps between two marks of a trail
MARK_DIGITS = 8
SPARE = "spare"  # a field without a meaning
GAME_ID = "game"  # the entry of a file that names its game; files without it are of the same content


def list_fields(dtype: np.dtype) -> Fields:
    """The fields of a record that have a meaning, with the dtypes of their values."""
    assert dtype.names is not None
    return {name: dtype[name].base.str for name in dtype.names if name != SPARE}


class Trail:
    """A running hash over steps, with marks on the way that tell where two trails part."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._marks: list[str] = []
        self.steps = 0

    def feed(self, *values: Any) -> None:
        """Take in all that a step came to."""
        self.add(*values)
        self.end_step()

    def feed_records(self, records: np.ndarray, fields: Fields) -> None:
        """Take in the records of a step."""
        self.add_records(records, fields)
        self.end_step()

    def add(self, *values: Any) -> None:
        """Take in some of what a step came to."""
        for value in values:
            update(self._hash, value)

    def add_records(self, records: np.ndarray, fields: Fields) -> None:
        """Take in records, and maybe more in the same step."""
        update_records(self._hash, records, fields)

    def end_step(self) -> None:
        """Count a step, and set a mark after some."""
        self.steps += 1
        if self.steps % MARK_EVERY == 0:
            self._marks.append(self._hash.hexdigest()[:MARK_DIGITS])

    def close(self) -> dict[str, Any]:
        """The trail as plain data: its steps, its hash, and its marks as words of one text."""
        return {"steps": self.steps, "sha256": self._hash.hexdigest(), "marks": " ".join(self._marks)}


def digest(value: Any) -> str:
    """SHA-256 of a value made of plain data and arrays."""
    taken = hashlib.sha256()
    update(taken, value)
    return taken.hexdigest()


def digest_records(records: np.ndarray, fields: Fields) -> str:
    """SHA-256 of the named fields of records."""
    taken = hashlib.sha256()
    update_records(taken, records, fields)
    return taken.hexdigest()


def update_records(taken: Any, records: np.ndarray, fields: Fields) -> None:
    """Hash the named fields of records, in the order and in the dtypes of the names.

    Raises:
        ValueError: naming the fields that the records do not have.
    """
    missing = [name for name in fields if name not in (records.dtype.names or ())]
    if missing:
        raise ValueError(f"records have no field {', '.join(missing)}")
    for name, dtype in fields.items():
        taken.update(np.ascontiguousarray(records[name], dtype))


def update(taken: Any, value: Any) -> None:
    """Hash a value: what it means, not how it is stored. Integers of any width are the same, tuples are lists.

    Raises:
        TypeError: for a value of another type.
    """
    if isinstance(value, np.ndarray):
        _update_array(taken, value)
    elif isinstance(value, np.generic):
        update(taken, value.item())
    elif isinstance(value, Enum):
        update(taken, value.name)
    elif value is None or isinstance(value, bool | int | float | str):
        taken.update(f"{type(value).__name__} {value!r};".encode())
    elif isinstance(value, bytes):
        taken.update(b"bytes %d;" % len(value) + value)
    elif isinstance(value, Mapping):
        taken.update(b"table %d;" % len(value))
        for key in sorted(value, key=str):
            update(taken, str(key))
            update(taken, value[key])
    elif isinstance(value, Sequence):
        taken.update(b"list %d;" % len(value))
        for item in value:
            update(taken, item)
    elif hasattr(value, "to_dict"):  # an event
        update(taken, value.to_dict())
    else:
        raise TypeError(f"no golden can be taken of {type(value).__name__}")


def _update_array(taken: Any, values: np.ndarray) -> None:
    if values.dtype == object:
        update(taken, values.tolist())
        return
    dtype = "<i8" if np.issubdtype(values.dtype, np.integer) else values.dtype.newbyteorder("<")
    taken.update(f"array {np.dtype(dtype).str} {values.shape};".encode())
    taken.update(np.ascontiguousarray(values, dtype))


def drop_game_id(content: Any) -> Any:
    """Plain data without the entries that name the game's id, wherever they stand."""
    if isinstance(content, Mapping):
        kept = {key: value for key, value in content.items() if not (key == GAME_ID and isinstance(value, str))}
        return {key: drop_game_id(value) for key, value in kept.items()}
    if isinstance(content, list | tuple):
        return [drop_game_id(item) for item in content]
    return content
