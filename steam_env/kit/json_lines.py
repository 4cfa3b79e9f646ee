"""Where in a JSON text its entries stand, for messages: parsers tell what is there, but not where it was."""

from __future__ import annotations

import json
import re
from contextlib import suppress

_BLANKS = re.compile(r"[ \t\n\r]*")


def locate_entries(text: str) -> dict[str, int]:
    """The offset of each entry of the table that the text holds, and of each item of its lists: "steps", "steps[3]".

    Of a text that was cut, or is broken from somewhere on, the entries that begin before that.
    """
    offsets: dict[str, int] = {}
    with suppress(ValueError, IndexError, RecursionError):
        _walk_table(text, offsets)
    return offsets


def line_of(text: str, offset: int) -> int:
    """The number of the line with this offset, from 1."""
    return text.count("\n", 0, offset) + 1


def _walk_table(text: str, offsets: dict[str, int]) -> None:
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "}":
        key, end = _read(text, at)
        offsets[str(key)] = at
        value = _skip(text, _skip(text, end) + 1)
        end = _walk_list(text, value, str(key), offsets) if text[value] == "[" else _read(text, value)[1]
        at = _next(text, end)


def _walk_list(text: str, start: int, name: str, offsets: dict[str, int]) -> int:
    """The offset behind the list that starts here."""
    at, number = _skip(text, start + 1), 0
    while text[at] != "]":
        offsets[f"{name}[{number}]"] = at
        at, number = _next(text, _read(text, at)[1]), number + 1
    return at + 1


def _read(text: str, at: int) -> tuple[object, int]:
    return json.JSONDecoder().raw_decode(text, at)


def _skip(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return at if blanks is None else blanks.end()


def _next(text: str, end: int) -> int:
    """The offset of what comes after an item: the next one, or the bracket that closes."""
    at = _skip(text, end)
    return _skip(text, at + 1) if text[at] == "," else at
