"""How an Automa chooses: criterion by criterion, at last the first by its marker (rule 8.2)."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from tests.verification.reference.geometry import Hex
from tests.verification.reference.state import Table

# The order is that of their numbers in events.
CRITERIA = (
    *("only", "only_in_reach", "cheapest", "own", "fewest_left", "most_left", "nearest", "least_present"),
    *("lowest_cost", "most_stops", "marker"),
)
OBSTACLES = (
    *("money", "train", "illegal", "start", "colors", "target", "factory", "city"),
    *("contracts", "bonus_track", "bonus_factory"),
)

Candidate = TypeVar("Candidate")


def criterion(name: str) -> int:
    return CRITERIA.index(name)


def obstacle(name: str) -> int:
    return OBSTACLES.index(name)


def choose(candidates: Iterable[Candidate], **keys: Callable[[Candidate], Any]) -> tuple[Candidate, str]:
    """The candidate that the keys, one after the other, put first; and the name of the last key that was needed."""
    left, why = list(candidates), "only"
    for name, key in keys.items():
        best = min(key(candidate) for candidate in left)
        kept = [candidate for candidate in left if key(candidate) == best]
        if len(kept) < len(left):
            why = name
        left = kept
    assert len(left) == 1
    return left[0], why


# --- the direction marker (rule 8.2) --------------------------------------------------------------
def rank(corner: int, at: Hex) -> Hex:
    """Column by column from the corner; smaller comes first. Corners are counted clockwise from top left."""
    col, row = at
    return ((col, row), (-col, row), (-col, -row), (col, -row))[corner]


def rank_city(table: Table, seat: int, city: int) -> Hex:
    return rank(table.marker[seat], table.board.cities[city])


def rank_group(table: Table, seat: int, group: int) -> Hex:
    """A group stands where its first city by the marker stands (rule 8.6)."""
    return min(rank_city(table, seat, city) for city in table.board.cities_of[group])
