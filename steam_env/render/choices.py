"""Legal actions of a scene: where they are done, and which of them are told together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

OFF_THE_MAP = -1  # the hex of an action that is not done on the map


class Choice(Protocol):
    """A legal action of a scene: its text, the first word of that, and the hex where it is done."""

    @property
    def text(self) -> str: ...  # noqa: D102 - see the class
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def hex(self) -> int: ...  # noqa: D102


def group_choices(choices: Iterable[Choice]) -> dict[str, list[str]]:
    """By kind, in the order of the first of each: what its actions are about, their texts without the first word."""
    kinds: dict[str, list[str]] = {}
    for choice in choices:
        kinds.setdefault(choice.kind, []).append(choice.text.removeprefix(choice.kind).strip())
    return kinds
