"""The outcome of a deal as data: what a ``deal`` event holds, and a game's set-up from it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.setup import open_given
from steam_env.core.steam.state import BAG, COLOR_LETTERS, COLOR_NAMES, NUM_COLORS, NUM_SPACES, SCRATCH
from steam_env.data.steam.setting import Setting, count_letters
from steam_env.kit.checks import as_integer
from steam_env.kit.show import show, show_name
from steam_env.words.events import TABLE, Event

_ENTRIES = ("cities", "supply", "first")


def write_letters(counts: np.ndarray | list[int]) -> str:
    """Cubes by colour as letters in canonical order."""
    return "".join(letter * int(count) for letter, count in zip(COLOR_LETTERS, counts, strict=True))


def deal_event(record: np.record, setting: Setting) -> Event:
    """The outcome of the deal: a game can be set up from it again without any random numbers."""
    first = int(record.opener) if record.opener != NONE else int(record.order[0])
    printed = [stop for stop in range(len(setting.map.stops)) if setting.boards[0].stop_color[stop] != NONE]
    values = {
        "cities": [write_letters(record.cubes[stop]) for stop in printed],
        "supply": [write_letters(group) for group in record.supply],
        "first": first,
    }
    return Event("deal", TABLE, values)


def _read_groups(value: object, entry: str, wanted: list[tuple[int, np.ndarray]]) -> list[tuple[int, ...]]:
    """Cubes by colour of each place: as many as are drawn there, with those that the map gives."""
    if not isinstance(value, list) or len(value) != len(wanted):
        raise ValueError(f"deal: {entry}={show(value)}: a list of {len(wanted)} texts of cubes is needed")
    groups = []
    for number, (letters, (drawn, given)) in enumerate(zip(value, wanted, strict=True)):
        if not isinstance(letters, str) or not set(letters) <= set(COLOR_LETTERS):
            raise ValueError(f"deal: {entry}[{number}]={show(letters)}: letters of {COLOR_LETTERS} are allowed")
        counts = count_letters(letters)
        if sum(counts) != drawn + given.sum() or (drawn == 0 and counts != tuple(given.tolist())):
            told = write_letters(given) or f"{drawn} cubes"
            raise ValueError(f"deal: {entry}[{number}]={show(letters)}: {told} are dealt there (rule 4.2)")
        groups.append(counts)
    return groups


def lay_out_deal(records: np.ndarray, setting: Setting, values: Mapping[str, Any], seed: int) -> None:
    """Set up the only game, a blank one, from the values of a ``deal`` event.

    Raises:
        ValueError: naming the entry that is no outcome of a deal with these rules.
    """
    if not isinstance(values, Mapping):
        raise ValueError(f"deal: must be a table of {', '.join(_ENTRIES)}, not {show(values)}")
    for name in _ENTRIES:
        if name not in values:
            raise ValueError(f"deal: {name!r} is missing")
    for name in values:
        if name not in _ENTRIES:
            raise ValueError(f"deal: {show_name(name)}: unknown entry; allowed are {', '.join(_ENTRIES)}")
    board, game = setting.boards[0], records[0]
    printed = [stop for stop in range(board.num_stops) if board.stop_color[stop] != NONE]
    cities = _read_groups(values["cities"], "cities", [(board.drawn[stop], board.given[stop]) for stop in printed])
    spaces = [(board.space_drawn[space], board.space_given[space]) for space in range(NUM_SPACES)]
    supply = _read_groups(values["supply"], "supply", spaces)
    bag = np.array(BAG) - np.sum([*cities, *supply], axis=0)
    if bag.min() < 0:
        color = int(bag.argmin())
        raise ValueError(f"deal: more than {BAG[color]} {COLOR_NAMES[color]} cubes (rule 4.2)")
    first = as_integer(values["first"], "deal: first")
    if not 0 <= first < setting.num_seats or setting.rules.fixed_first_seat not in (NONE, first):
        raise ValueError(f"deal: first={first}: a seat is allowed, the one that rules.first_player names if it does")
    game.cubes[printed] = np.array(cities).reshape(-1, NUM_COLORS)
    game.supply[:] = supply
    game.bag[:] = bag
    open_given(records, SCRATCH.open(), first, setting.rules.start_code)
