"""Values of a scenario's entries: what is wrong is named by its entry, with what is allowed."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from steam_env.kit.checks import compose
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import describe, say_count, show, show_name


def begin_with(entry: str, message: str) -> str:
    """The message with the entry before it, unless that is how it begins."""
    return message if message.startswith((f"{entry}:", f"{entry}[")) else f"{entry}: {message}"


def as_table(value: object, entry: str, keys: Sequence[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
    """``value`` as a table with no keys but these; ``entry`` is empty for the scenario as a whole."""
    if not isinstance(value, Mapping):
        raise ScenarioError(f"{entry}: must be a table of {', '.join(keys)}, not {describe(value)}")
    prefix = f"{entry}." if entry else ""
    for key in value:
        if key not in keys:
            raise ScenarioError(f"{prefix}{show_name(key)}: unknown key; allowed are {', '.join(keys)}")
    for key in required:
        if key not in value:
            raise ScenarioError(f"{prefix}{key}: missing; needed are {', '.join(required)}")
    return value


def as_list(value: object, entry: str, length: int | None = None) -> Sequence[Any]:
    """``value`` as a list, of this length if one is given."""
    if not isinstance(value, list | tuple):
        raise ScenarioError(f"{entry}: must be a list, not {describe(value)}")
    if length is not None and len(value) != length:
        raise ScenarioError(
            f"{entry}: {show(value)} has {say_count(len(value), 'entry', 'entries')}; must have {length}"
        )
    return value


def as_int(value: object, entry: str, low: int, high: int) -> int:
    """``value`` as an int in a range; neither bool nor float is one."""
    allowed = f"must be a whole number from {low} to {high}" if low < high else f"must be {low}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ScenarioError(f"{entry}: {allowed}, not {describe(value)}")
    if not low <= int(value) <= high:
        raise ScenarioError(f"{entry}: {show(value)}; {allowed}")
    return int(value)


def as_text(value: object, entry: str) -> str:
    """``value`` as a text."""
    if not isinstance(value, str):
        raise ScenarioError(f"{entry}: must be text, not {describe(value)}")
    return compose(value)


def as_choice(value: object, choices: Sequence[str], entry: str) -> int:
    """The index of ``value`` among the words that are allowed."""
    text = as_text(value, entry)
    if text not in choices:
        raise ScenarioError(f"{entry}: {show(text)}; must be one of {', '.join(choices)}")
    return choices.index(text)
