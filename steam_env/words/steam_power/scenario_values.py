"""Values of a scenario's entries, and the position that is being read."""

from dataclasses import dataclass, field
from typing import Any

from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    SCRATCH,
)
from steam_env.data.steam_power.setting import Setting
from steam_env.kit.errors import ScenarioError
from steam_env.spec import Position
from steam_env.words.values import as_int, as_text


@dataclass
class Draft:
    """A position being read: set-up's record, to which one table after the other is applied."""

    position: Position
    cities: dict[str, int]  # city by name
    hexes: dict[str, int]  # hex by name
    found: dict[int, str] = field(default_factory=dict)  # contract -> the entry that says where it is
    work: Any = field(default_factory=lambda: SCRATCH.work)

    @property
    def setting(self) -> Setting:
        """Rules, map and deck."""
        setting: Setting = self.position.setting
        return setting

    @property
    def game(self) -> Any:
        """The record."""
        return self.position.records[0]

    @property
    def board(self) -> Any:
        """The map as a record."""
        return self.setting.boards[0]

    @property
    def seats(self) -> int:
        """Number of seats with trains and factories; in solo the five companies."""
        return self.setting.rules.companies

    @property
    def purses(self) -> int:
        """Number of seats with money and contracts; in solo 1."""
        return self.setting.rules.seats

    @property
    def num_contracts(self) -> int:
        """Number of contracts of the deck."""
        return len(self.setting.deck.contracts)


def as_seat(draft: Draft, value: object, entry: str) -> int:
    """``value`` as the number of a seat."""
    return as_int(value, entry, 0, draft.seats - 1)


def as_colors(value: object, entry: str) -> list[int]:
    """The colours of a text of colour letters."""
    text = as_text(value, entry)
    for letter in text:
        if letter not in COLOR_LETTERS:
            raise ScenarioError(f"{entry}: {letter!r} is no colour; allowed are {', '.join(COLOR_LETTERS)}")
    return [COLOR_LETTERS.index(letter) for letter in text]
