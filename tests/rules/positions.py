"""Hand-drawn positions for the tests of factories, contracts, taking and information.

``grid`` is a lattice of eight cities, straight track of one tile between neighbours; ``belt`` is one long
group of adjacent cities and a city apart. A position is written in a few short texts::

    position(
        colors="Boone W, Elgin B",             # every other city is purple
        links="0 Ames Dyson / 1 Boone Dyson",  # owner, start city, any tiles on the way, end city or open edge
        factories="1 Boone 3",                 # owner, city, resources
        contracts="WB $3 bonus=track / WW",
        money=[5, 0, 5],
    )
"""

from collections.abc import Iterable
from typing import Any

from steam_env import Game
from tests.rules import boards
from tests.rules.boards import PLAIN_CARD, Cells, cell_of, cities_of, draw, legal, play

__all__ = ["belt", "grid", "legal", "play", "position", "towns"]

GRID = """
    . . . .
     A . F
    . . . .
     . D .
    . . . .
     B . G
    . . . .
     . E .
    . . . .
     C . H
    . . . .
"""


def grid(**changes: str) -> Cells:
    """The lattice; ``B8="Beloit"`` puts a city on a hex, ``C3="h"`` changes its terrain.

    Ames       Fargo
         Dyson
    Boone      Galena
         Elgin
    Clinton    Hibbing
    """
    return {**draw(GRID), **{cell_of(at): what for at, what in changes.items()}}


def belt(length: int) -> Cells:
    """A column of adjacent cities ``Town1``, ``Town2``, ...: one group; then a plains hex and the city ``Zion``."""
    cells = {(1, 2 * index - 1): f"Town{index}" for index in range(1, length + 1)}
    return {**cells, (1, 2 * length + 1): ".", (1, 2 * length + 3): "Zion"}


def towns(numbers: Iterable[int], template: str) -> str:
    """``template`` for each town of a belt, as ``position`` reads it: ``towns(range(1, 4), "{} W")``."""
    return ", ".join(template.format(f"Town{number}") for number in numbers)


USUAL_ENTRIES: dict[str, Any] = {
    "board": None,
    "colors": "",
    "links": "",
    "factories": "",
    "contracts": "W",
    "seats": 3,
    "hands": None,
    "deck": None,
    "generation": None,
    "seat": 0,
    "actions_left": 2,
    "first_player": 0,
    "edition": "final",
    "routing": "any",
}


def position(**entries: Any) -> Game:
    """The game at a position; see the module's example. Without ``hands`` all contracts are in the mover's.

    ``piles`` (money, fulfilled, known) and all else are for ``boards.position``.
    """
    its, piles = boards.fill_in(USUAL_ENTRIES, entries)
    cells = its.board or grid()
    cards = [_read_contract(item) for item in _items(its.contracts, "/")]
    stack = {"order": its.deck, "generation": its.generation}
    by_city = dict(item.split() for item in _items(its.colors, ","))
    return boards.position(
        cells,
        *_items(its.links, "/"),
        seats=its.seats,
        factories=_items(its.factories, ","),
        hands=its.hands or [list(range(len(cards))) if index == its.seat else [] for index in range(its.seats)],
        turn={"seat": its.seat, "actions_left": its.actions_left, "first_player": its.first_player},
        rules={"edition": its.edition, "routing": its.routing},
        colors={name: by_city.get(name, "P") for name in cities_of(cells)},
        contracts=cards,
        deck={name: value for name, value in stack.items() if value is not None},
        **piles,
    )


def _items(text: str, separator: str) -> list[str]:
    return [item.strip() for item in text.split(separator) if item.strip()]


def _read_contract(text: str) -> dict[str, Any]:
    """``WB $3 vp=2 bonus=track``."""
    needs, *rest = text.split()
    entries = dict(word.replace("$", "money=").split("=") for word in rest)
    return {**PLAIN_CARD, "needs": needs, **{key: int(x) if x.isdigit() else x for key, x in entries.items()}}
