"""The 660 actions: their numbers and their texts.

An action is a word and what it is about: a hex, a pattern, a colour letter, a space from 0 on, a seat, an action tile.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from typing import Any

from tests.verification.reference_steam.board import COLOR_WORDS, COLORS, LETTER_OF, SPACES
from tests.verification.reference_steam.geometry import name_hex
from tests.verification.reference_steam.state import ACTION_TILES, CITY_GROWTH, NOBODY, URBANIZATION, Table
from tests.verification.reference_steam.tiles import PATTERN_IDS, PATTERNS, name_pattern, read_pattern

Action = tuple[str, Any]

BLOCKS = {
    "take": len(ACTION_TILES),
    "take pass": 2,
    "pass": 1,
    "locomotive": 1,
    "income": 1,
    "vp": 1,
    "build": 256,
    "tile": len(PATTERNS),
    "grow": 64,
    "urbanize": 64,
    "colour": len(COLORS),
    "space": SPACES,
    "from": 64,
    "hop": 64,
    "over": 7,
    "bid": 1,
    "reserved": 3,
}
FIRST_ID = {word: sum(list(BLOCKS.values())[:place]) for place, word in enumerate(BLOCKS)}
WORDS, FIRST_IDS = list(FIRST_ID), list(FIRST_ID.values())
NUM_ACTIONS = sum(BLOCKS.values())

LONE_WORDS = ("pass", "locomotive", "income", "vp", "bid")
STOP_WORDS = ("grow", "urbanize", "from", "hop")
WITH_PASS = (CITY_GROWTH, URBANIZATION)
UNOWNED = 6  # of the block "over"; 0 is own, then the seats clockwise


FIXED_VALUES: dict[str, list[Any]] = {
    "take": list(ACTION_TILES),
    "take pass": list(WITH_PASS),
    "tile": PATTERNS,
    "colour": list(COLORS),
    "space": list(range(SPACES)),
}


# --- numbers --------------------------------------------------------------------------------------
def list_values(table: Table, word: str) -> list[Any]:
    """By place in the block what an action is about; the block may be longer."""
    if word in LONE_WORDS:
        return [None]
    if word in STOP_WORDS:
        return table.board.stops
    if word == "over":
        number = table.mover or 0
        around = [(number + step) % len(table.seats) for step in range(len(table.seats))]
        return [*around, *[None] * (UNOWNED - len(around)), NOBODY]
    return table.board.hexes if word == "build" else FIXED_VALUES[word]


def number_of(table: Table, action: Action) -> int:
    word, value = action
    ids: Mapping[Any, int] | None = None
    if word in STOP_WORDS:
        ids = table.board.stop_ids
    elif word in ("build", "tile"):
        ids = table.board.hex_ids if word == "build" else PATTERN_IDS
    return FIRST_ID[word] + (list_values(table, word).index(value) if ids is None else ids[value])


def action_of(table: Table, number: int) -> Action:
    """A ValueError for a number that no action has here."""
    word = WORDS[bisect_right(FIRST_IDS, number) - 1] if number >= 0 else "reserved"
    values = [] if word == "reserved" else list_values(table, word)
    place = number - FIRST_ID[word]
    if number >= NUM_ACTIONS or place >= len(values) or (word == "over" and values[place] is None):
        raise ValueError(f"{number} is no action on this map")
    return word, values[place]


# --- texts ----------------------------------------------------------------------------------------
def name_action(table: Table, action: Action) -> str:
    word, value = action
    if word in LONE_WORDS:
        return word
    if word == "take pass":
        return f"take {value} pass"
    if word in STOP_WORDS:
        return f"{word} {table.board.names[value]}"
    return f"{word} {NAMED[word](value)}"


def name_owner(owner: int) -> str:
    return "nobody" if owner == NOBODY else f"player_{owner}"


NAMED: dict[str, Callable[[Any], Any]] = {
    "take": str,
    "build": name_hex,
    "tile": name_pattern,
    "colour": COLOR_WORDS.get,
    "space": lambda space: str(space + 1),
    "over": name_owner,
}


def read_action(table: Table, text: str) -> Action:
    """A ValueError for a text that is no action."""
    word, _, rest = text.partition(" ")
    try:
        if word == "take":
            tile, _, passed = rest.partition(" ")
            return ("take pass" if passed == "pass" else "take"), int(tile)
        if word in LONE_WORDS and not rest:
            return word, None
        if word in STOP_WORDS:
            return word, table.board.stop_of[rest]
        if word == "over":
            return word, NOBODY if rest == "nobody" else int(rest.removeprefix("player_"))
        readers = {
            "build": table.board.hex_of.__getitem__,
            "tile": read_pattern,
            "colour": LETTER_OF.__getitem__,
            "space": {str(space + 1): space for space in range(SPACES)}.__getitem__,
        }
        return word, readers[word](rest)
    except (KeyError, ValueError) as error:
        raise ValueError(f"{text!r} is no action: {error}") from None
