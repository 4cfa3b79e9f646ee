"""The file of goldens, and what differs from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.verification.goldens.digest import MARK_EVERY

BOOK = Path(__file__).parent / "goldens.json"
MARKS, STEPS, HASH = TRAIL = ("marks", "steps", "sha256")  # the entries of a trail
SHOWN = 120  # characters of a value in a message


def read_book() -> dict[str, Any]:
    """The goldens: ``fields`` of the records, and by part and kind what was there when they were written."""
    content: dict[str, Any] = json.loads(BOOK.read_text(encoding="utf-8"))
    return content


def write_book(content: dict[str, Any]) -> None:
    """Write the goldens anew."""
    BOOK.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def as_written(content: Any) -> Any:
    """Plain data as it is read back from a file."""
    return json.loads(json.dumps(content))


def list_differences(golden: Any, found: Any, place: str = "") -> Iterator[str]:
    """Where what was found differs from the golden, in words."""
    if golden == found:
        return
    if isinstance(golden, dict) and isinstance(found, dict):
        both = (*golden, *(key for key in found if key not in golden))
        if MARKS in golden and MARKS in found:
            if any(golden[key] != found[key] for key in TRAIL):
                yield f"{place}: {compare_trails(golden, found)}"
            both = tuple(key for key in both if key not in TRAIL)
        for key in both:
            where = f"{place}, {key}" if place else str(key)
            if key not in found:
                yield f"{where}: is missing"
            elif key not in golden:
                yield f"{where}: is new"
            else:
                yield from list_differences(golden[key], found[key], where)
    elif isinstance(golden, list) and isinstance(found, list) and len(golden) == len(found):
        for number, (one, other) in enumerate(zip(golden, found, strict=True)):
            yield from list_differences(one, other, f"{place}[{number}]")
    else:
        yield f"{place}: was {_show(golden)}, is {_show(found)}"


def compare_trails(golden: dict[str, Any], found: dict[str, Any]) -> str:
    """The steps between which two trails part, in words."""
    pairs = zip(golden[MARKS].split(), found[MARKS].split(), strict=False)
    same = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    if same is None:
        same = min(len(golden[MARKS].split()), len(found[MARKS].split()))
    lengths = "" if golden[STEPS] == found[STEPS] else f"; {golden[STEPS]} steps have become {found[STEPS]}"
    return f"first differs in steps {same * MARK_EVERY + 1} to {(same + 1) * MARK_EVERY}{lengths}"


def _show(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ..."
