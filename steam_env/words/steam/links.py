"""Links as paths: what the record's track says, in the order of rule 3.7."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, opposite
from steam_env.core.steam.state import MAX_HEXES
from steam_env.core.steam.tiles import CENTRE, OTHER_END, SLOT_AT
from steam_env.data.steam.setting import Setting

_OTHER_END: list[list[int]] = OTHER_END.tolist()
_SLOT_AT: list[list[int]] = SLOT_AT.tolist()


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


class _Track:
    """A record's track as plain lists, which Python reads many times faster than arrays."""

    def __init__(self, record: np.record, setting: Setting) -> None:
        self.beyond, self.hex_stop, self.stop_hex = setting.ways
        self._pattern: list[int] = record.pattern.tolist()  # by hex
        self._segment_link: list[list[int]] = record.segment_link.tolist()  # by hex and slot
        self.owner: list[int] = record.link_owner.tolist()  # by link
        self.start: list[int] = record.link_from.tolist()  # by link: its stop
        self.mark: list[int] = record.link_mark.tolist()  # by link
        self._city_color: list[int] = record.city_color.tolist()  # by stop

    def is_city(self, stop: int) -> bool:
        return stop != NONE and self._city_color[stop] != NONE

    def link_at(self, here: int, edge: int) -> int:
        """The link whose track on the hex uses the edge, or NONE."""
        slot = NONE if self._pattern[here] == NONE else _SLOT_AT[self._pattern[here]][edge]
        return NONE if slot == NONE else self._segment_link[here][slot]

    def other_end(self, here: int, edge: int) -> int:
        """Where the segment ends that comes over the edge."""
        return _OTHER_END[self._pattern[here]][edge]

    def leaves_by(self, stop: int) -> Iterator[tuple[int, int]]:
        """The links that leave a stop, each with the edge of the stop's hex."""
        here = self.stop_hex[stop]
        for edge, beyond in enumerate(self.beyond[here]):
            if not self.is_city(stop):
                yield self.link_at(here, edge), edge
            elif beyond != NONE:
                yield self.link_at(beyond, opposite(edge)), edge


def _trace_link(track: _Track, number: int) -> Link:
    """Follow a link from its start over its tiles.

    Raises:
        ValueError: if the record's track does not hold such a link.
    """
    owner, start, mark = track.owner[number], track.start[number], bool(track.mark[number])
    here, edge = track.stop_hex[start], next((edge for link, edge in track.leaves_by(start) if link == number), NONE)
    if edge == NONE:
        raise ValueError(f"link {number} does not leave stop {start}")
    hexes: list[int] = []
    for _ in range(2 * MAX_HEXES):
        beyond = track.beyond[here][edge]
        stop = NONE if beyond == NONE else track.hex_stop[beyond]
        if track.is_city(stop):
            return Link(owner, start, tuple(hexes), stop, NONE, mark)
        if beyond == NONE or track.link_at(beyond, opposite(edge)) != number:
            return Link(owner, start, tuple(hexes), NONE, edge, mark)
        other = track.other_end(beyond, opposite(edge))
        if other == CENTRE:
            return Link(owner, start, tuple(hexes), stop, NONE, mark)
        hexes.append(beyond)
        here, edge = beyond, other
    raise ValueError(f"link {number} runs in a circle")


def trace_links(record: np.record, setting: Setting) -> list[Link]:
    """All links, in the order of their first (hex, edge)."""
    track = _Track(record, setting)
    return [_trace_link(track, number) for number in range(record.num_links)]


def describe_link(link: Link, setting: Setting) -> dict[str, Any]:
    """The link as in a scenario: owner, path, of an incomplete one open (edge), and extended if it has a mark."""
    stops, hexes = setting.map.stops, setting.hex_names
    path = [stops[link.start], *(hexes[here] for here in link.hexes)]
    if link.end != NONE:
        return {"owner": link.owner, "path": [*path, stops[link.end]]}
    marked = {"extended": True} if link.mark else {}
    return {"owner": link.owner, "path": path, "open": EDGE_NAMES[link.open_edge], **marked}
