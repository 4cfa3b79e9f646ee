"""Makes a difference small, whatever the game: fewer moves, from a position with all left out that it does not need."""

import copy
import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.verification.lockstep.differences import Twins
from tests.verification.lockstep.played import Found, Played

FOUND = Path(__file__).parent.parent / "found"

Start = Mapping[str, Any]
Scenario = dict[str, Any]
Stays = Callable[[Scenario, Sequence[str]], bool]
Position = tuple[Scenario, list[str]]  # and the moves from there to the difference

ABSENT = object()
PLAIN: dict[type, tuple[Any, ...]] = {int: (0, 1, 5, 50), str: ("", "none", "plains")}


@dataclass(frozen=True)
class Shrinking:
    """What a game brings for it."""

    replay: Callable[[Start, list[str]], Twins]
    """Plays in both engines up to a difference; raises ``ValueError`` or ``LookupError`` if both refuse."""
    list_positions: Callable[[Start, Sequence[str]], list[Position]]
    """The positions on the way that a scenario can hold, from the first on."""
    shrink: Callable[[Scenario, list[str], Stays], Position]
    """The scenario with less of everything."""


def minimise_with(shrinking: Shrinking, found: Found) -> Found:
    """The same kind of difference in a smaller scenario after fewer moves."""
    topic = found.difference.topic

    def stays(scenario: Scenario, moves: Sequence[str]) -> bool:
        try:
            difference = shrinking.replay({"scenario": scenario}, list(moves)).difference
        except (ValueError, LookupError):  # the reference does not name what is wrong with every scenario
            return False
        return difference is not None and difference.topic == topic

    positions = reversed(shrinking.list_positions(found.start, found.moves))
    latest = next((position for position in positions if stays(*position)), None)
    if latest is None:
        return found
    scenario, moves = latest
    before = None
    while before != (before := json.dumps([scenario, moves])):
        moves = drop_items(moves, partial(stays, scenario))
        scenario, moves = shrinking.shrink(scenario, moves, stays)
    difference = shrinking.replay({"scenario": scenario}, moves).difference
    assert difference is not None, "the difference has stayed all the way"
    return Found({"scenario": scenario}, moves, difference)


def drop_items(items: list[Any], stays: Callable[[list[Any]], bool]) -> list[Any]:
    """The list with as much left out as can be, first in large pieces and then one by one."""
    piece = max(1, len(items) // 2)
    while True:
        start = 0
        while start < len(items):
            kept = items[:start] + items[start + piece :]
            if stays(kept):
                items = kept
            else:
                start += piece
        if piece == 1:
            return items
        piece //= 2


# --- every entry ------------------------------------------------------------------------------------------
def make_plainer(scenario: Scenario, moves: Sequence[str], stays: Stays, optional: Collection[str]) -> Scenario:
    """The scenario without the entries that may be left out, items of lists among them, and with plainer values."""
    for place in reversed(list(_walk(scenario))):
        for plainer in _list_plainer(place, scenario, optional):
            if stays(plainer, moves):
                scenario = plainer
                break
    return scenario


def _walk(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The place of every entry: keys and indices on the way to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in items:
        yield (*place, key)
        yield from _walk(entry, (*place, key))


def _list_plainer(place: tuple[Any, ...], scenario: Scenario, optional: Collection[str]) -> Iterator[Scenario]:
    """The scenario without the entry, or with a plainer value of it."""
    value: Any = scenario
    for key in place:
        value = value[key]
    values = PLAIN.get(type(value), ())
    shorter = [value[:-1]] if isinstance(value, str) and place[-1] == "needs" else []
    absent = [ABSENT] if isinstance(place[-1], int) or place[-1] in optional else []
    for other in (*absent, *(values[: values.index(value)] if value in values else values), *shorter):
        changed = container = copy.deepcopy(scenario)
        for key in place[:-1]:
            container = container[key]
        if other is ABSENT:
            del container[place[-1]]
        else:
            container[place[-1]] = other
        yield changed


# --- files ------------------------------------------------------------------------------------------------
def write_found(found: Found, folder: Path = FOUND) -> Path:
    """Write it as a file that a test replays from now on."""
    text = json.dumps(
        {"difference": str(found.difference), "start": dict(found.start), "moves": list(found.moves)}, indent=1
    )
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    folder.mkdir(exist_ok=True, parents=True)
    path = folder / f"{found.difference.topic.replace('.', '-')}-{digest}.json"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def read_found(path: Path) -> tuple[Start, list[str]]:
    """The start and the moves of such a file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content["start"], content["moves"]


def report_differences(total: Played, minimise: Callable[[Found], Found], folder: Path = FOUND) -> None:
    """Make each difference small, write it as a file and tell of it."""
    for found in total.found:
        print(f"difference {found.difference}")
        small = minimise(found)
        path = write_found(small, folder)
        print(f"  after {list(small.moves)} from the position in {path}: {small.difference}")
