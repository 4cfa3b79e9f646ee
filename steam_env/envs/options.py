"""Checks of the options that the environments share."""

from collections.abc import Mapping
from dataclasses import fields
from inspect import Parameter, signature
from typing import Any

import numpy as np

from steam_env.data.steam_power.rules import Rules
from steam_env.kit.checks import as_integer
from steam_env.kit.errors import IllegalActionError

ANY_SEAT = "random"  # of the learner
RENDER_MODES = ("ansi", "human", "rgb_array")
RENDER_FPS = 4  # pictures per second of videos, and at most of the window
TERMINAL, SHAPED = "terminal", "terminal, and shaping between a seat's own decisions"  # metadata["reward_timing"]


def list_options(environment: type) -> dict[str, Any]:
    """The options of an environment that are no fields of ``Rules``, by name, with their defaults."""
    parameters = signature(environment).parameters.values()
    return {one.name: one.default for one in parameters if one.kind is Parameter.KEYWORD_ONLY}


def check_rule_fields(environment: type, rules: object, rule_fields: Mapping[str, Any]) -> None:
    """Whether rules are given in one way only, as an object or by the names of fields.

    Raises:
        ValueError: for a name that is neither an option of the environment nor a field of ``Rules``, for both
            ways at once, and for ``rules`` of another type.
    """
    names = [field.name for field in fields(Rules)]
    for name in rule_fields:
        if name not in names:
            allowed = ", ".join(list_options(environment))
            raise ValueError(f"unknown option {name!r}: options are {allowed}; rules are {', '.join(names)}")
    if rules is not None and rule_fields:
        raise ValueError(f"rules= and {next(iter(rule_fields))}= exclude each other: give one of them")
    if rules is not None and not isinstance(rules, Rules):
        raise ValueError(f"rules={rules!r}: an object of steam_env.Rules is allowed")


def check_word(name: str, value: object, allowed: tuple[str, ...]) -> str:
    """``value`` if it is one of the allowed words.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r}: allowed are {', '.join(map(repr, allowed))}")
    return value


def check_flag(name: str, value: object) -> bool:
    """``value`` if it is True or False.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r}: allowed are True, False")
    return value


def check_render_mode(value: object) -> str | None:
    """``value`` if it is a render mode or ``None``.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    return None if value is None else check_word("render_mode", value, RENDER_MODES)


def check_seat(seat: object, players: int) -> int | None:
    """The number of a learner's fixed seat, ``None`` for a random one.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if isinstance(seat, str) and seat == ANY_SEAT:
        return None
    number = -1 if isinstance(seat, str) else as_integer(seat, "seat")
    if not 0 <= number < players:
        raise ValueError(f"seat={seat!r}: {ANY_SEAT!r} or the number of a player seat, below {players}, is allowed")
    return number


def to_integer(action: object) -> int:
    """An action as an ``int``, also from a NumPy array without dimensions.

    Raises:
        IllegalActionError: for anything else.
    """
    value = action[()] if isinstance(action, np.ndarray) and action.ndim == 0 else action
    try:
        return as_integer(value, "action")
    except ValueError as error:
        raise IllegalActionError(str(error)) from None
