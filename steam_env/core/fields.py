"""Declaring the fields of a game's records, each once with dtype, shape and meaning."""

from typing import NamedTuple

import numpy as np

SPARE = "spare"  # the field that fills up a record
NONE = -1  # "no hex, city, seat, ...", in every index field


class Field(NamedTuple):
    """One field of a record: the only place where its dtype, shape and meaning stand."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    meaning: str


def make_record(fields: tuple[Field, ...]) -> np.dtype:
    """The structured dtype of ``fields``; its scalars allow attribute access, as in the kernels.

    Fields stand in order of falling alignment; zero bytes named ``spare`` fill up the last eight.
    """
    entries = [(field.name, field.dtype, field.shape) for field in fields]
    spare = -np.dtype(entries).itemsize % 8
    if spare:
        entries.append((SPARE, "i1", (spare,)))
    if np.dtype(entries).itemsize != np.dtype(entries, align=True).itemsize:
        raise TypeError("fields must stand in order of falling alignment: records have no padding")
    return np.dtype((np.record, np.dtype(entries, align=True)))


def describe_fields(fields: tuple[Field, ...]) -> str:
    """A Markdown table of a record's fields, for the documentation."""
    lines = ["| field | dtype | shape | meaning |", "| --- | --- | --- | --- |"]
    for field in fields:
        shape = " x ".join(str(length) for length in field.shape) or "scalar"
        lines.append(f"| `{field.name}` | {np.dtype(field.dtype).name} | {shape} | {field.meaning} |")
    return "\n".join(lines)
