"""Actions as text and back, in the words of the action table."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from steam_env.core.hexes import EDGE_NAMES
from steam_env.core.steam.actions import (
    BLOCKS,
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    IMPROVE,
    LAY,
    NUM_RESERVED,
    OVER_LINK,
    PASS,
    PASSED_TILES,
    RAISE_BID,
    RESERVED,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
    UNOWNED_OFFSET,
    URBANIZE,
    block_of,
)
from steam_env.core.steam.growth import find_equal_space
from steam_env.core.steam.state import COLOR_NAMES, MAX_HEXES, MAX_STOPS, NUM_SPACES, NUM_TILES, SPACE
from steam_env.core.steam.tiles import CENTRE, PATTERNS, Segment, name_pattern
from steam_env.data.steam.setting import Setting
from steam_env.kit.checks import compose
from steam_env.kit.errors import IllegalActionError
from steam_env.kit.show import show
from steam_env.words.seats import name_seat

PLAIN_WORDS = {
    "pass": PASS,
    "locomotive": IMPROVE,
    "income": TO_INCOME,
    "vp": TO_VP,
    "bid": RAISE_BID,
}
NOBODY_WORD = "nobody"


@dataclass(frozen=True)
class ActionTexts:
    """Texts of actions in one position: they depend on the map, the mover and the seats.

    Attributes:
        hexes: names of land and city hexes in map order.
        stops: names of cities and towns in map order.
        seat: the mover (0 after the end).
        seats: number of seats.
    """

    hexes: tuple[str, ...]
    stops: tuple[str, ...]
    seat: int
    seats: int

    def text(self, action: int) -> str:
        """The text of an action id, 0 to 659."""
        block = block_of(action)
        offset = action - block.start
        if block.name in PLAIN_WORDS:
            return block.name
        if block.start == TAKE_PASS:
            return f"take {PASSED_TILES[offset]} pass"
        return f"{block.name} {self._argument(block.start, offset)}"

    def _argument(self, start: int, offset: int) -> str:
        if start == BUILD_ON:
            return _name_one(self.hexes, offset)
        if start == LAY:
            return name_pattern(offset)
        if start in (GROW, URBANIZE, FROM, HOP_TO):
            return _name_one(self.stops, offset)
        if start == COLOUR_OF:
            return COLOR_NAMES[offset]
        if start == OVER_LINK:
            return self._owner(offset)
        return str(offset if start == RESERVED else offset + 1)  # tiles and spaces count from 1

    def _owner(self, offset: int) -> str:
        if offset == UNOWNED_OFFSET:
            return NOBODY_WORD
        return name_seat((self.seat + offset) % self.seats) if offset < self.seats else f"#{offset}"

    def parse(self, text: str) -> int:
        """The id of an action's text; a pattern may name its parts in any order.

        Raises:
            IllegalActionError: naming the text and what is allowed.
        """
        if not isinstance(text, str):
            raise IllegalActionError(f"{show(text)} is no action: a text is needed, not {type(text).__name__}")
        words = compose(text).split()
        if len(words) == 1 and words[0] in PLAIN_WORDS:
            return PLAIN_WORDS[words[0]]
        readers: dict[str, Callable[[str], int]] = {
            "take": _parse_take,
            "build": lambda rest: BUILD_ON + _find_one(self.hexes, rest, "hex", MAX_HEXES),
            "tile": lambda rest: LAY + parse_pattern(rest),
            "grow": lambda rest: GROW + self._stop(rest),
            "urbanize": lambda rest: URBANIZE + self._stop(rest),
            "colour": lambda rest: COLOUR_OF + _find_one(COLOR_NAMES, rest, "colour", len(COLOR_NAMES)),
            "space": lambda rest: SPACE_OF + _read_number(rest, 1, NUM_SPACES, "space") - 1,
            "from": lambda rest: FROM + self._stop(rest),
            "hop": lambda rest: HOP_TO + self._stop(rest),
            "over": lambda rest: OVER_LINK + self._parse_owner(rest),
            "reserved": lambda rest: RESERVED + _read_number(rest, 0, NUM_RESERVED - 1, "number"),
        }
        if not words or words[0] not in readers:
            allowed = ", ".join(dict.fromkeys(block.name.partition("_")[0] for block in BLOCKS))
            raise IllegalActionError(f"{show(text)} is no action: the first word must be one of {allowed}")
        try:
            return readers[words[0]](" ".join(words[1:]))
        except ValueError as error:
            raise IllegalActionError(f"{show(text)} is no action: {error}") from None

    def _stop(self, name: str) -> int:
        return _find_one(self.stops, name, "city or town", MAX_STOPS)

    def _parse_owner(self, name: str) -> int:
        if name == NOBODY_WORD:
            return UNOWNED_OFFSET
        owners = [name_seat((self.seat + steps) % self.seats) for steps in range(self.seats)]
        return _find_one(owners, name, "owner", UNOWNED_OFFSET)


def _name_one(names: tuple[str, ...], index: int) -> str:
    return names[index] if index < len(names) else f"#{index}"


def _find_one(names: tuple[str, ...] | list[str], name: str, what: str, bound: int) -> int:
    """The index of a name, or the number behind a ``#``."""
    if name in names:
        return names.index(name)
    if name.startswith("#"):
        return _read_number(name[1:], 0, bound - 1, f"number of the {what}")
    raise ValueError(f"the {what} must be one of {', '.join(names)}, not {show(name)}")


def _read_number(text: str, low: int, high: int, what: str) -> int:
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise ValueError(f"the {what} must be {low} to {high}, not {show(text)}")
    return int(text)


def _parse_take(rest: str) -> int:
    number, _, word = rest.partition(" ")
    tile = _read_number(number, 1, NUM_TILES, "action tile")
    if not word:
        return TAKE_TILE + tile - 1
    if word != "pass" or tile not in PASSED_TILES:
        allowed = " and ".join(f"'take {tile} pass'" for tile in PASSED_TILES)
        raise ValueError(f"only {allowed} have a third word (rule 6.2)")
    return TAKE_PASS + PASSED_TILES.index(tile)


def parse_pattern(text: str) -> int:
    """The pattern of a text such as ``NE-S+SW-NW`` or ``N+SE``, its parts in any order.

    Raises:
        ValueError: naming the text and what is allowed.
    """
    segments: list[Segment] = []
    for part in text.split("+"):
        names = part.split("-")
        if len(names) > 2 or any(name not in EDGE_NAMES for name in names):
            edges = ", ".join(EDGE_NAMES)
            raise ValueError(f"a tile is edges of {edges} joined by '-', or spurs, with '+' between, not {show(text)}")
        first, *others = (EDGE_NAMES.index(name) for name in names)
        last = others[0] if others else CENTRE
        segments.append((min(first, last), max(first, last)))
    found = tuple(sorted(segments))
    if found not in PATTERNS:
        raise ValueError(f"{show(text)} is no pattern of a tile (rule 2.2)")
    return PATTERNS.index(found)


def texts_of(record: np.record, setting: Setting) -> ActionTexts:
    """The texts of the position's actions."""
    return ActionTexts(
        hexes=setting.hex_names, stops=setting.map.stops, seat=max(int(record.seat), 0), seats=int(record.num_seats)
    )


def find_offered(record: np.record, action: int) -> int:
    """The action that the mask offers for the same choice: of spaces with equal groups the first (rule 8.20)."""
    if record.phase != SPACE or not SPACE_OF <= action < SPACE_OF + NUM_SPACES:
        return action
    return SPACE_OF + int(find_equal_space(record, action - SPACE_OF))
