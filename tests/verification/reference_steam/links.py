"""Rule 3: links, followed anew over the segments that lie on the map."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from tests.verification.reference_steam.board import Board, require
from tests.verification.reference_steam.geometry import Hex, beside, edge_towards, name_hex, opposite
from tests.verification.reference_steam.state import Table
from tests.verification.reference_steam.tiles import Segment

Part = tuple[Hex, Segment]  # a segment on its hex
Track = Mapping[Hex, Mapping[Segment, int]]


@dataclass(frozen=True)
class Link:
    """A longest run of segments (rule 3.1).

    A complete one goes from the stop that comes first in map order to the other one, an incomplete one from its root
    to its head.
    """

    parts: tuple[Part, ...]
    stops: tuple[Hex, ...]  # its ends that are stops: two, or one, its root
    heads: tuple[tuple[Hex, int], ...]  # its ends that are open edges: none, or one

    @property
    def complete(self) -> bool:
        return len(self.stops) == 2

    @cached_property
    def first(self) -> tuple[Hex, int]:
        """By which links are ordered (rule 3.7)."""
        return min((at, edge) for at, segment in self.parts for edge in segment)

    @cached_property
    def path(self) -> list[Hex]:
        """Stops and land hexes in order; a spur is the piece of a town at an end."""
        hexes = [at for at, segment in self.parts if len(segment) > 1]
        return [self.stops[0], *hexes, *self.stops[1:]]


def follow(track: Track, cities: Collection[Hex], at: Hex, edge: int) -> tuple[list[Part], Hex | tuple[Hex, int]]:
    """What comes of leaving a hex over an edge: the segments behind it, and the stop or the open edge at their end."""
    parts: list[Part] = []
    while True:
        there, entry = beside(at, edge), opposite(edge)
        if there in cities:
            return parts, there
        segment = next((segment for segment in track.get(there, ()) if entry in segment), None)
        if segment is None:
            return parts, (at, edge)  # rule 3.2: also before a town that has no spur here
        assert (there, segment) not in parts, "track that runs in a circle"
        parts.append((there, segment))
        if len(segment) == 1:
            return parts, there
        at, edge = there, sum(segment) - entry


def trace(track: Track, cities: Collection[Hex], part: Part) -> Link:
    """The link that a segment is in."""
    at, segment = part
    before, start = ([], at) if len(segment) == 1 else follow(track, cities, at, segment[0])
    after, end = follow(track, cities, at, segment[-1])
    parts = [*reversed(before), part, *after]
    ends = [start, end]
    stops = [one for one in ends if is_hex(one)]
    heads = [one for one in ends if not is_hex(one)]
    if is_hex(end) and (not is_hex(start) or end < start):
        parts.reverse()
        stops.reverse()
    return Link(tuple(parts), tuple(stops), tuple(heads))  # type: ignore[arg-type]


def is_hex(end: Hex | tuple[Hex, int]) -> bool:
    """Whether an end is a stop; else it is an open edge."""
    return isinstance(end[0], int)


def list_links(table: Table) -> list[Link]:
    """In the order of rule 3.7."""
    return table.find_once(table.by_track, "links", lambda: collect_links(table))


def collect_links(table: Table) -> list[Link]:
    found: list[Link] = []
    met: set[Part] = set()
    cities = table.cities
    for at, segments in table.track.items():
        for segment in segments:
            if (at, segment) not in met:
                found.append(trace(table.track, cities, (at, segment)))
                met.update(found[-1].parts)
    return sorted(found, key=lambda link: link.first)


def owner_of(track: Track, link: Link) -> int:
    """Rule 3.3: all segments are one seat's, or nobody's."""
    owners = {track[at][segment] for at, segment in link.parts}
    assert len(owners) == 1, "a link of several owners (rule 3.3)"
    return owners.pop()


def owners_of_links(table: Table) -> list[int]:
    """The owners of ``list_links``."""
    links = list_links(table)
    return table.find_once(table.by_owner, "owners", lambda: [owner_of(table.track, link) for link in links])


def set_owner(table: Table, link: Link, owner: int) -> None:
    table.by_owner.clear()
    for at, segment in link.parts:
        table.track[at][segment] = owner


def is_marked(table: Table, link: Link) -> bool:
    """Rule 8.10."""
    return any(part in table.marks for part in link.parts)


def parts_of_path(board: Board, path: list[Hex], cities: Collection[Hex], head: int | None) -> list[Part]:
    """The segments of a link that is told as a path, with the open edge of an incomplete one.

    A hex between two others has a segment from one to the other; a town at an end has a spur, a city nothing.
    """
    parts: list[Part] = []
    for place, at in enumerate(path):
        edges = [edge_towards(at, path[near]) for near in (place - 1, place + 1) if 0 <= near < len(path)]
        if head is not None and place == len(path) - 1:
            edges.append(head)
        is_end = place == 0 or (place == len(path) - 1 and head is None)
        is_stop = at in board.towns or at in cities
        require(is_end == is_stop, f"{name_hex(at)} does not stand where it may on the path of a link (rule 3.1)")
        if at not in cities:
            parts.append((at, tuple(sorted(edges))))
    return parts
