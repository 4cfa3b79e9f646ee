"""Links as paths: what the record's track says, in the order of rule 3.7."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, NUM_EDGES, opposite
from steam_env.core.steam.links import is_city, link_at
from steam_env.core.steam.state import MAX_HEXES
from steam_env.core.steam.tiles import CENTRE, OTHER_END
from steam_env.data.steam.setting import Setting


@dataclass(frozen=True)
class Link:
    """One link.

    Attributes:
        owner: its seat, -1 for nobody.
        start: the stop of a complete link that comes first in map order, the root of an incomplete one.
        hexes: land hexes without the towns at its ends, in order.
        end: the other stop, NONE of an incomplete link.
        open_edge: the head of an incomplete link, else NONE.
        mark: whether it was begun or extended in this track turn (rule 8.10).
    """

    owner: int
    start: int
    hexes: tuple[int, ...]
    end: int
    open_edge: int
    mark: bool


def trace_link(record: np.record, board: np.record, number: int) -> Link:
    """Follow a link from its start over its tiles.

    Raises:
        ValueError: if the record's track does not hold such a link.
    """
    owner, start, mark = int(record.link_owner[number]), int(record.link_from[number]), bool(record.link_mark[number])
    here, edge = int(board.stop_hex[start]), _find_first_edge(record, board, number, start)
    hexes: list[int] = []
    for _ in range(2 * MAX_HEXES):
        beyond = int(board.beyond[here, edge])
        stop = int(board.hex_stop[beyond]) if beyond != NONE else NONE
        if is_city(record, stop):
            return Link(owner, start, tuple(hexes), stop, NONE, mark)
        if beyond == NONE or link_at(record, beyond, opposite(edge)) != number:
            return Link(owner, start, tuple(hexes), NONE, edge, mark)
        other = int(OTHER_END[record.pattern[beyond], opposite(edge)])
        if other == CENTRE:
            return Link(owner, start, tuple(hexes), stop, NONE, mark)
        hexes.append(beyond)
        here, edge = beyond, other
    raise ValueError(f"link {number} runs in a circle")


def _find_first_edge(record: np.record, board: np.record, number: int, start: int) -> int:
    """The edge of the stop's hex over which the link leaves it."""
    here = int(board.stop_hex[start])
    for edge in range(NUM_EDGES):
        beyond = int(board.beyond[here, edge])
        if is_city(record, start):
            if beyond != NONE and link_at(record, beyond, opposite(edge)) == number:
                return edge
        elif link_at(record, here, edge) == number:
            return edge
    raise ValueError(f"link {number} does not leave stop {start}")


def trace_links(record: np.record, board: np.record) -> list[Link]:
    """All links, in the order of their first (hex, edge)."""
    return [trace_link(record, board, number) for number in range(record.num_links)]


def describe_link(link: Link, setting: Setting) -> dict[str, Any]:
    """The link as in a scenario: owner, path, of an incomplete one open (edge), and extended if it has a mark."""
    stops, hexes = setting.map.stops, setting.hex_names
    path = [stops[link.start], *(hexes[here] for here in link.hexes)]
    if link.end != NONE:
        return {"owner": link.owner, "path": [*path, stops[link.end]]}
    marked = {"extended": True} if link.mark else {}
    return {"owner": link.owner, "path": path, "open": EDGE_NAMES[link.open_edge], **marked}
