"""The position that is being read from a scenario, and values of its own kind."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from steam_env.core.steam.state import COLOR_LETTERS, SCRATCH
from steam_env.data.steam.setting import Setting, count_letters
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import show
from steam_env.spec import Position
from steam_env.words.seats import name_seat
from steam_env.words.values import as_int, as_list, as_text

MAX_MONEY = 1_000_000  # of a seat in a scenario; no game comes near it
MAX_VP = 10_000  # likewise


@dataclass
class Draft:
    """A position being read: an empty table, to which one entry after the other is applied."""

    position: Position
    stops: dict[str, int] = field(init=False)  # by name
    hexes: dict[str, int] = field(init=False)  # by name

    def __post_init__(self) -> None:
        self.stops = {name: stop for stop, name in enumerate(self.setting.map.stops)}
        self.hexes = {name: index for index, name in enumerate(self.setting.hex_names)}

    @property
    def setting(self) -> Setting:
        """Rules, map and tiles."""
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
    def work(self) -> Any:
        """Scratch memory."""
        return SCRATCH.open()[0]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.setting.num_seats


def as_flag(value: object, entry: str) -> bool:
    """``value`` as true or false."""
    if not isinstance(value, bool):
        raise ScenarioError(f"{entry}: {show(value)}; must be true or false")
    return value


def as_cubes(value: object, entry: str) -> tuple[int, ...]:
    """The cubes by colour of a text of letters."""
    text = as_text(value, entry)
    for letter in text:
        if letter not in COLOR_LETTERS:
            raise ScenarioError(f"{entry}: {letter!r} is no colour; allowed are {', '.join(COLOR_LETTERS)}")
    return count_letters(text)


def as_stop(draft: Draft, value: object, entry: str) -> int:
    """The stop with this name."""
    name = as_text(value, entry)
    if name not in draft.stops:
        raise ScenarioError(f"{entry}: {show(name)} is no city or town of map {draft.setting.map.name!r}")
    return draft.stops[name]


def read_numbers(draft: Draft, value: object, entry: str, low: int, high: int) -> np.ndarray:
    """(seats,) int64, a whole number in a range for each seat."""
    entries = as_list(value, entry, draft.seats)
    return np.array([as_int(one, f"{entry}[{seat}]", low, high) for seat, one in enumerate(entries)], np.int64)


def read_flags(draft: Draft, value: object, entry: str) -> np.ndarray:
    """(seats,) bool, true or false for each seat."""
    entries = as_list(value, entry, draft.seats)
    return np.array([as_flag(one, f"{entry}[{seat}]") for seat, one in enumerate(entries)], np.bool_)


def refuse_seats(flags: np.ndarray, entry: str, why: str) -> None:
    """Refuse an entry by seat for the first seat that is flagged."""
    for seat in np.flatnonzero(flags):
        raise ScenarioError(f"{entry}[{seat}]: {name_seat(int(seat))} {why}")
