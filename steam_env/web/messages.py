"""Messages of a browser: what it may say, checked word by word before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from steam_env.kit.json_text import parse_json
from steam_env.kit.show import describe, show, show_name

VERSION = 1  # of the messages; a page of another version is told to load itself anew
MAX_MESSAGE_BYTES = 4096
MAX_UPLOAD_BYTES = 4 * 2**20  # of a game file or a scenario, inside a message
MAX_NAME, MAX_KEY, MAX_ACTION_TEXT = 80, 64, 120  # characters
MAX_SEATS, MAX_FIELDS, MAX_ASKED, MAX_KEYS = 8, 20, 12, 8
MAX_STEP, MAX_ID, MAX_SECONDS = 1_000_000, 1_000_000, 60.0

Check = Callable[[Any, str], Any]


class MessageError(ValueError):
    """A message that cannot be; nothing was done."""


# --- what a value may be ---------------------------------------------------------------------------------


def _text(most: int) -> Check:
    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise MessageError(f"{name}={show(value)}: a text of at most {most} characters is allowed")
        return value

    return check


def _whole(low: int, high: int) -> Check:
    def check(value: Any, name: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise MessageError(f"{name}={show(value)}: a whole number from {low} to {high} is allowed")
        return value

    return check


def _number(low: float, high: float) -> Check:
    def check(value: Any, name: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise MessageError(f"{name}={show(value)}: a number from {low:g} to {high:g} is allowed")
        return float(value)

    return check


def _flag(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise MessageError(f"{name}={show(value)}: true or false is allowed")
    return value


def _word(*words: str) -> Check:
    def check(value: Any, name: str) -> str:
        if not isinstance(value, str) or value not in words:
            raise MessageError(f"{name}={show(value)}: allowed are {', '.join(words)}")
        return value

    return check


def _list(item: Check, most: int) -> Check:
    def check(value: Any, name: str) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise MessageError(f"{name}: a list of at most {most} is allowed, not {describe(value)}")
        return [item(one, f"{name}[{number}]") for number, one in enumerate(value)]

    return check


def _fields(value: Any, name: str) -> dict[str, Any]:
    """Fields of rules: texts, numbers, flags or nothing by name; the game checks what they mean."""
    if not isinstance(value, dict) or len(value) > MAX_FIELDS:
        raise MessageError(f"{name}: a table of at most {MAX_FIELDS} fields is allowed, not {describe(value)}")
    for key, one in value.items():
        _text(MAX_NAME)(key, name)
        if isinstance(one, str):
            _text(MAX_NAME)(one, f"{name}.{key}")
        elif one is not None and not isinstance(one, bool | int):
            raise MessageError(f"{name}.{show_name(key)}={show(one)}: a text, a whole number, a flag or nothing")
    return value


def _either(*checks: Check) -> Check:
    def check(value: Any, name: str) -> Any:
        faults = []
        for one in checks:
            try:
                return one(value, name)
            except MessageError as error:
                faults.append(str(error).partition(": ")[2])
        raise MessageError(f"{name}={show(value)}: {', or '.join(faults)}")

    return check


def _nothing(value: Any, name: str) -> None:
    if value is not None:
        raise MessageError(f"{name}={show(value)}: null is allowed")


# --- what there is to say -----------------------------------------------------------------------------------

KEY, NAME, STEP, ACTION = _text(MAX_KEY), _text(MAX_NAME), _whole(0, MAX_STEP), _whole(0, MAX_ID)
SEAT_NAMES = _list(NAME, MAX_SEATS)

SCHEMA: Mapping[str, Mapping[str, Check]] = {  # by kind, a check of each field; fields with "?" may be left out
    "hello": {"token?": KEY},
    "create": {
        "game": NAME,
        "variant?": NAME,
        "fields": _fields,
        "seats": SEAT_NAMES,
        "seed?": _either(_nothing, _whole(0, 2**53)),  # what a browser can count
        "open?": _flag,
        "pace?": _number(0, MAX_SECONDS),
    },
    "load": {"form": _word("game", "scenario"), "content": _text(MAX_UPLOAD_BYTES), "seats": SEAT_NAMES},
    "join": {"id": KEY, "invitation": KEY},
    "open": {"id": KEY, "keys": _list(KEY, MAX_KEYS)},
    "leave": {},
    "look": {"seat": _whole(0, MAX_SEATS)},
    "act": {"step": STEP, "action": _either(ACTION, _text(MAX_ACTION_TEXT))},
    "why": {"step": STEP, "actions": _list(ACTION, MAX_ASKED)},
    "undo": {"step": STEP},
    "show": {"at": _either(_nothing, STEP), "event?": _either(_nothing, STEP)},
    "curve": {},
    "pace": {"seconds": _either(_nothing, _number(0, MAX_SECONDS))},
    "hint": {"step": STEP, "agent": NAME},
    "review": {"agent": NAME},
    "fork": {"at": STEP, "seats": SEAT_NAMES},
    "export": {"form": _word("game", "replay", "scenario"), "at": STEP},
}
UPLOADS = ("load",)


def read_message(text: str) -> dict[str, Any]:
    """A browser's message, checked.

    Raises:
        MessageError: naming what is wrong and what is allowed.
    """
    if len(text) > MAX_MESSAGE_BYTES and not any(f'"{kind}"' in text[:MAX_MESSAGE_BYTES] for kind in UPLOADS):
        raise MessageError(f"a message of {len(text):,} characters: {MAX_MESSAGE_BYTES:,} are allowed")
    try:
        content = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise MessageError(f"this is no JSON: {error}") from None
    if not isinstance(content, dict):
        raise MessageError(f"a message is an object, not {describe(content)}")
    if content.get("v") != VERSION:
        raise MessageError(f"v={show(content.get('v'))}: version {VERSION} is spoken here; load the page anew")
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in SCHEMA:
        raise MessageError(f"kind={show(kind)}: allowed are {', '.join(SCHEMA)}")
    if kind not in UPLOADS and len(text) > MAX_MESSAGE_BYTES:
        raise MessageError(f"a message of {len(text):,} characters: {MAX_MESSAGE_BYTES:,} are allowed")
    return {"kind": kind, **_check_fields(kind, {key: content[key] for key in content if key not in ("v", "kind")})}


def _check_fields(kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    checks = SCHEMA[kind]
    names: Sequence[str] = [name.rstrip("?") for name in checks]
    for name in given:
        if name not in names:
            raise MessageError(f"{kind}: {show_name(name)} is unknown; allowed are {', '.join(names) or 'no fields'}")
    checked = {}
    for entry, check in checks.items():
        name = entry.rstrip("?")
        if name in given:
            checked[name] = check(given[name], name)
        elif not entry.endswith("?"):
            raise MessageError(f"{kind}: {name} is missing")
    return checked
