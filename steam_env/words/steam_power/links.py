"""Links as paths: what the record's track says, in the order in which tiles were laid."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, NUM_EDGES, OTHER_EDGE
from steam_env.core.steam_power.state import MAX_HEXES
from steam_env.data.hexes import hex_name
from steam_env.data.steam_power.maps import Map

HALF_TURN = 3


@dataclass(frozen=True)
class Link:
    """One link.

    Attributes:
        owner: its seat.
        start: index of the city it leaves.
        hexes: board indices of its tiles in order.
        end: index of the city it reaches, or NONE while it is incomplete.
        open_edge: the tail's open edge while it is incomplete, else NONE.
    """

    owner: int
    start: int
    hexes: tuple[int, ...]
    end: int
    open_edge: int


def trace_link(record: np.record, board: np.record, number: int) -> Link:
    """Follow a link from its first city over its tiles."""
    start, edge = int(record.link_start[number]), int(record.link_edge[number])
    owner, end = int(record.link_owner[number]), int(record.link_end[number])
    hexes: list[int] = []
    here = int(board.neighbour[board.city_hex[start], edge])
    while True:
        entry = (edge + HALF_TURN) % NUM_EDGES
        hexes.append(here)
        if len(hexes) > MAX_HEXES:
            raise ValueError(f"link {number} runs in a circle")
        edge = _exit_of(record, here, entry)
        if end == NONE and here == record.tail_hex[owner] and edge == record.tail_exit[owner]:
            return Link(owner, start, tuple(hexes), NONE, edge)
        here = int(board.neighbour[here, edge])
        if board.hex_city[here] != NONE:
            return Link(owner, start, tuple(hexes), end, NONE)


def _exit_of(record: np.record, hex_index: int, entry: int) -> int:
    """The other edge of the segment that uses ``entry``."""
    for pair in record.track[hex_index]:
        if pair != NONE and OTHER_EDGE[pair, entry] != NONE:
            return int(OTHER_EDGE[pair, entry])
    raise ValueError(f"no segment on hex {hex_index} uses edge {entry}")


def trace_links(record: np.record, board: np.record) -> list[Link]:
    """All links, in the order in which they were begun."""
    return [trace_link(record, board, number) for number in range(record.num_links)]


def name_place(board: np.record, map: Map, hex_index: int) -> str:  # noqa: A002 - the game's own word
    """The city's name, or the hex's where there is none."""
    city = board.hex_city[hex_index]
    return map.cities[city] if city != NONE else hex_name(int(board.col[hex_index]), int(board.row[hex_index]))


def describe_link(link: Link, board: np.record, map: Map) -> dict[str, Any]:  # noqa: A002 - the game's own word
    """The link with names: owner, path (cities and hexes in order), complete, open (edge name or None)."""
    path = [map.cities[link.start], *(name_place(board, map, here) for here in link.hexes)]
    if link.end != NONE:
        path.append(map.cities[link.end])
    return {
        "owner": link.owner,
        "path": path,
        "complete": link.end != NONE,
        "open": None if link.open_edge == NONE else EDGE_NAMES[link.open_edge],
    }
