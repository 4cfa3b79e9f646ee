"""Ready-made parts for a simple game: a setting without a map, texts that are always the same, a scene, a narrator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from steam_env.kit.errors import IllegalActionError
from steam_env.kit.show import show

UNTOLD = ("rng", "spare")  # fields of a record that say nothing of the position


@dataclass(frozen=True)
class SimpleSetting:
    """A ``steam_env.spec.Setting`` of rules that name nothing to be loaded, with a player on every seat.

    Attributes:
        rules: the configuration.
        blank: (1,) records: an empty table.
        num_seats: seats, each with a player and a company of its own.
        title: what messages call the setting.
    """

    rules: Any
    blank: np.ndarray = field(compare=False)
    num_seats: int
    title: str
    statics: tuple[np.ndarray, ...] = field(default=(), compare=False)
    is_solo: bool = False
    settled: dict[str, Any] = field(default_factory=dict, compare=False)
    contents: dict[str, Any] = field(default_factory=dict, compare=False)
    names: dict[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        self.blank.setflags(write=False)

    @property
    def num_players(self) -> int:
        """Number of seats that players hold: all, as none is scripted."""
        return self.num_seats

    @property
    def num_companies(self) -> int:
        """Number of seats that act: each acts for itself."""
        return self.num_seats

    def check_deal(self) -> None:
        """Do nothing: every game that can be loaded can be dealt."""


class SimpleTexts(NamedTuple):
    """A ``steam_env.spec.Texts``: each action has a text that is the same in every position."""

    known: tuple[str, ...]

    def text(self, action: int) -> str:
        """The text of an action id."""
        return self.known[action]

    def parse(self, text: str) -> int:
        """The id of an action's text.

        Raises:
            IllegalActionError: naming the text and what is allowed.
        """
        if text not in self.known:
            raise IllegalActionError(f"{show(text)} is no action: {', '.join(self.known)} are allowed")
        return self.known.index(text)


class Decision(NamedTuple):
    """The decision under way: its mover, -1 at the end, and what is decided, in a few words."""

    seat: int
    text: str


class SimpleScene(NamedTuple):
    """A scene with what every scene must have."""

    title: str
    round: int
    decision: Decision


def tell_scene(scene: Any) -> str:
    """A scene as one line."""
    return f"{scene.title}, round {scene.round}: {scene.decision.text}"


def tell_fields(setting: Any, record: Any) -> dict[str, Any]:
    """A position as plain data: every field of its record, but for the random numbers."""
    return {name: record[name].tolist() for name in record.dtype.names if name not in UNTOLD}


def tell_plainly(setting: Any) -> Callable[[Any], str]:
    """A narrator that tells each event by its name and values."""

    def tell(event: Any) -> str:
        who = "table" if event.actor < 0 else f"player_{event.actor}"
        return " ".join((who, event.kind, *(f"{name}={value}" for name, value in event.values.items())))

    return tell
