"""Forms of encodings: ``flat:compact`` and ``flat:tight`` are digits in place of the float32 of ``flat``.

A compact form has room for any game, a tight one for what games of one setting can fill. What digits are, and how they
give the float32 back, tells ``steam_env.encoding.compact``.
"""

from collections.abc import Mapping
from typing import Any

from steam_env.kit.checks import look_up
from steam_env.kit.show import show

MARK = ":"  # between the name of an encoding and its form
COMPACT, TIGHT = FORMS = ("compact", "tight")


def split_form(encodings: Mapping[str, Any], name: object, what: str) -> tuple[Any, str]:
    """The encoding with this name or, if the name has a form, the one it is a form of, and the form.

    Raises:
        ValueError: naming the value and the names that there are.
    """
    plain, mark, form = name.partition(MARK) if isinstance(name, str) else ("", "", "")
    if not mark or plain not in encodings:
        return look_up(encodings, what, name), ""
    encoding = encodings[plain]
    if encoding.compact is None:
        raise ValueError(f"{what}={show(name)}: there are no digits of {plain!r}, so it has no forms")
    if form not in FORMS:
        allowed = ", ".join(repr(f"{plain}{MARK}{one}") for one in FORMS)
        raise ValueError(f"{what}={show(name)}: allowed are {plain!r}, {allowed}")
    return encoding, form


def find_form(encodings: Mapping[str, Any], name: object, what: str, setting: Any) -> Any:
    """The encoding with this name or, if the name has a form, its digits: tight ones for games of the setting.

    Raises:
        ValueError: naming the value and the names that there are, or for a tight form where no setting is known.
    """
    encoding, form = split_form(encodings, name, what)
    if form == TIGHT and setting is None:
        raise ValueError(f"{what}={show(name)}: a tight form is that of a setting, and none is known here")
    return encoding.compact(setting if form == TIGHT else None) if form else encoding
