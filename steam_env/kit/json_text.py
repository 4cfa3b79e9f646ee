"""JSON as it is defined: written and read without NaN and Infinity, which other readers refuse."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from typing import Any, NoReturn

from steam_env.kit.errors import NotFiniteError
from steam_env.kit.text_files import MAX_MADE_BYTES, read_text

BYTE_ORDER_MARK = "\ufeff"


def dump_json(content: object, **form: Any) -> str:
    """The content as JSON.

    Args:
        content: texts, numbers, lists and tables of them.
        form: see ``json.dumps``.

    Raises:
        NotFiniteError: naming the entry that is no finite number.
    """
    try:
        return json.dumps(content, allow_nan=False, **form)
    except ValueError:
        wrong = next(_find_not_finite(content, ""), None)
        if wrong is None:
            raise
    raise NotFiniteError(f"{wrong} cannot be written: a finite number is allowed")


def _find_not_finite(content: object, where: str) -> Iterator[str]:
    if isinstance(content, dict):
        for name, value in content.items():
            yield from _find_not_finite(value, f"{where}.{name}" if where else str(name))
    elif isinstance(content, list | tuple):
        for number, value in enumerate(content):
            yield from _find_not_finite(value, f"{where}[{number}]")
    elif isinstance(content, float) and not math.isfinite(content):
        yield f"{where or 'a number'}={content}"


def parse_json(text: str | bytes) -> Any:
    """What the text holds, which may begin with a byte order mark.

    Raises:
        json.JSONDecodeError: with the line of what is no JSON.
        ValueError: for a number that is not finite, or too long.
        RecursionError: for lists in lists in ...
    """
    if isinstance(text, str):
        text = text.removeprefix(BYTE_ORDER_MARK)
    return json.loads(text, parse_constant=_refuse, parse_float=_read_float)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON: a finite number is allowed")


def _read_float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is larger than any number: a finite number is allowed")
    return value


def read_json(path: str | os.PathLike[str], what: str, fault: type[ValueError] = ValueError) -> Any:
    """What a JSON file holds.

    Args:
        path: of the file, of any size.
        what: it should be, for messages.
        fault: what is raised.

    Raises:
        ValueError: ``fault``, naming the file, and the line of what is no JSON.
    """
    text = read_text(path, what, fault, most=MAX_MADE_BYTES)
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        cut = ": was the file cut?" if error.pos >= len(text.rstrip()) else ""
        raise fault(f"{path}: no {what} can be read: line {error.lineno}: {error.msg}{cut}") from None
    except (ValueError, RecursionError) as error:
        raise fault(f"{path}: no {what} can be read: {error}") from None
