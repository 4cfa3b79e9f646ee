"""Rule 1.1: hexes, their names, their edges and neighbours."""

import re
from functools import cache

Hex = tuple[int, int]  # column and row from 1 on; column + row is even. Sorting gives map order

EDGE_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
EDGES = range(6)
STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HEX_NAME = re.compile(r"([A-Z]+)([1-9][0-9]*)")


def opposite(edge: int) -> int:
    """The same edge, seen from the hex behind it."""
    return (edge + 3) % 6


@cache
def beside(at: Hex, edge: int) -> Hex:
    return at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]


def edge_towards(at: Hex, other: Hex) -> int:
    """The edge between neighbours; a ValueError if they are none."""
    step = other[0] - at[0], other[1] - at[1]
    if step not in STEPS:
        raise ValueError(f"{name_hex(at)} and {name_hex(other)} are no neighbours (rule 1.1)")
    return STEPS.index(step)


@cache
def name_hex(at: Hex) -> str:
    """``B4``; after column Z comes AA."""
    letters, column = "", at[0]
    while column:
        column, letter = divmod(column - 1, 26)
        letters = LETTERS[letter] + letters
    return f"{letters}{at[1]}"


def read_hex(name: str) -> Hex:
    """The hex of this name; a ValueError if there is no such hex."""
    match = HEX_NAME.fullmatch(name)
    if not match:
        raise ValueError(f"{name!r} is no hex: column letters and a row number, as B4 (rule 1.1)")
    column = 0
    for letter in match[1]:
        column = 26 * column + LETTERS.index(letter) + 1
    if (column + int(match[2])) % 2:
        raise ValueError(f"{name!r} is no hex: column + row is even (rule 1.1)")
    return column, int(match[2])
