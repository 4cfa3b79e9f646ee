"""Rules 8.1 to 8.13: placements, and what lapses."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.verification.reference_steam.geometry import EDGES, Hex, beside, opposite
from tests.verification.reference_steam.links import (
    Link,
    is_marked,
    list_links,
    owner_of,
    owners_of_links,
    set_owner,
    trace,
)
from tests.verification.reference_steam.money import can_pay, pay
from tests.verification.reference_steam.state import ENGINEER, NOBODY, Table
from tests.verification.reference_steam.tiles import PATTERNS, Pattern, Segment, exits, is_town

PLACEMENTS, PLACEMENTS_OF_ENGINEER = 3, 4  # rule 8.1
NEW, IMPROVEMENT, REDIRECTION = "new", "improvement", "redirection"
COST_OF_TOWN, COST_OF_RIVER, COST_OF_HILLS = 1, 1, 2  # rule 8.6
MOST_LINKS = 256  # rule 2.7

PLAIN_PATTERNS = [pattern for pattern in PATTERNS if not is_town(pattern)]  # rule 2.3
TOWN_PATTERNS = [pattern for pattern in PATTERNS if is_town(pattern)]


class Placement(NamedTuple):
    """A tile on a hex, by what it does there (rule 8.2)."""

    at: Hex
    pattern: Pattern
    kind: str
    fresh: tuple[Segment, ...]  # the new segments
    turned: Segment | None = None  # the segment that a redirection replaces


class Outside(NamedTuple):
    """What lies behind an edge of a hex, up to a stop, an open edge, or the hex itself again."""

    link: Link | None  # whose segments lie there
    stop: Hex | None = None
    head: tuple[Hex, int] | None = None
    back: int | None = None  # the edge over which the head comes back to the hex


class FreshLink(NamedTuple):
    """A link that a new segment is in after the placement (rule 8.3)."""

    inside: frozenset[Segment]  # its segments on the hex: what tells it from the others
    before: tuple[Link, ...]  # the links that were part of it before
    stops: tuple[Hex, ...]
    foreign: bool  # another seat's track was in one of them
    returns: bool  # to its own stop
    supported: bool


class Lookout:
    """What a placement is judged by, found once for a decision: links, cities, stock."""

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number, self.seat = table, number, table.seats[number]
        self.links = list_links(table)
        self.link_of = table.find_once(
            table.by_track, "link of", lambda: {part: link for link in self.links for part in link.parts}
        )
        self.cities, self.stock, self.towns = table.cities, table.stock, set(table.towns)
        owners = owners_of_links(table)
        self.owner_of = {id(link): owner for link, owner in zip(self.links, owners, strict=True)}
        complete = [link for link in self.links if link.complete and self.owner(link) == number]
        self.reached = {stop for link in complete for stop in link.stops}
        self.met = find_met_edges(table)
        self.known_outside: dict[tuple[Hex, int], Outside] = {}
        self.known_links: dict[tuple[Hex, Segment], FreshLink] = {}

    def owner(self, link: Link) -> int:
        return self.owner_of[id(link)]

    def outside(self, at: Hex, edge: int) -> Outside:
        """What comes of leaving a hex over an edge."""
        if (at, edge) not in self.known_outside:
            self.known_outside[at, edge] = self._find_outside(at, edge)
        return self.known_outside[at, edge]

    def _find_outside(self, at: Hex, edge: int) -> Outside:
        track, here, link = self.table.track, at, None
        while True:
            there, entry = beside(here, edge), opposite(edge)
            if there in self.cities:
                return Outside(link, stop=there)
            if there == at:
                return Outside(link, head=(here, edge), back=entry)
            segment = next((segment for segment in track.get(there, ()) if entry in segment), None)
            if segment is None:
                return Outside(link, head=(here, edge))  # rule 3.2
            link = self.link_of[there, segment]
            if len(segment) == 1:
                return Outside(link, stop=there)
            here, edge = there, sum(segment) - entry

    def is_foreign(self, outside: Outside) -> bool:
        """Whether another seat's track lies there (rule 8.3 b)."""
        return outside.link is not None and self.owner(outside.link) not in (self.number, NOBODY)

    def may_support(self, at: Hex, edge: int) -> bool:
        """Rule 8.4: own track, a city, or a stop that an own complete link is at; or track that comes back."""
        outside = self.outside(at, edge)
        if outside.back is not None or (outside.link is not None and self.owner(outside.link) == self.number):
            return True
        return outside.stop is not None and self.is_base(outside.stop)

    def is_base(self, stop: Hex) -> bool:
        return stop in self.cities or stop in self.reached


def find_met_edges(table: Table) -> dict[Hex, list[int]]:
    """By hex the edges at which a head or a city lies outside."""
    heads = [head for link in list_links(table) for head in link.heads]
    found: dict[Hex, list[int]] = {}
    for at, edge in [*heads, *((city, edge) for city in table.cities for edge in EDGES)]:
        found.setdefault(beside(at, edge), []).append(opposite(edge))
    return found


def look_out(table: Table, number: int) -> Lookout:
    """What is known of the position as the seat sees it."""
    return table.find_once(table.by_owner, f"lookout {number}", lambda: Lookout(table, number))


def max_placements(table: Table, number: int) -> int:
    """Rule 8.1."""
    return PLACEMENTS_OF_ENGINEER if table.seats[number].tile == ENGINEER else PLACEMENTS


# --- what is legal (rules 8.2 to 8.8) -------------------------------------------------------------
def list_sites(table: Table, number: int) -> list[Hex]:
    """The hexes on which the seat has a legal placement, in map order."""
    if not table.placements:
        return []
    look = look_out(table, number)
    return [at for at in list_near(look) if any(True for _ in legal_on(look, at))]


def has_site(table: Table, number: int) -> bool:
    """Whether there is any legal placement."""
    if not table.placements:
        return False
    look = look_out(table, number)
    return any(True for at in list_near(look) for _ in legal_on(look, at))


def list_near(look: Lookout) -> list[Hex]:
    """The hexes with track, at a head or beside a city, in map order: nowhere else is support (rule 8.4)."""
    return sorted(look.table.board.land.intersection({*look.table.track, *look.met}))


def list_patterns_for(table: Table, number: int, at: Hex) -> list[Pattern]:
    """What the seat may lay there, in the order of the actions."""
    return [placement.pattern for placement in legal_on(look_out(table, number), at)] if table.placements else []


def legal_on(look: Lookout, at: Hex) -> Iterator[Placement]:
    if at in look.cities:
        return
    for pattern in list_candidates(look, at):
        placement = classify(look, at, pattern)
        if isinstance(placement, Placement) and find_fault(look, placement) is None:
            yield placement


def list_candidates(look: Lookout, at: Hex) -> list[Pattern]:
    """The patterns that rules 8.2 to 8.4 can allow by what lies behind the edges, in the order of the actions."""
    there, is_a_town = look.table.pattern_on(at), at in look.towns
    inner = () if is_a_town else inner_edges(look, at, there)
    met = [*look.met.get(at, ()), *inner]
    usable = look.table.board.open[at].difference([edge for edge in met if look.is_foreign(look.outside(at, edge))])
    if is_a_town and look.is_base(at):
        useful = usable
    else:
        useful = usable.intersection([edge for edge in met if look.may_support(at, edge)])
    return list_patterns_over(there, inner, useful, usable, is_a_town) if useful else []


def inner_edges(look: Lookout, at: Hex, there: Pattern) -> tuple[int, ...]:
    """The inner edges of what lies there and can be turned (rule 8.2)."""
    links = [look.link_of[at, segment] for segment in there]
    return tuple(
        sum(segment) - edge
        for link, segment in zip(links, there, strict=True)
        for hex_of_head, edge in link.heads
        if hex_of_head == at and edge in segment and not look.is_foreign(Outside(link))
    )


@cache
def list_patterns_over(
    there: Pattern, inner: tuple[int, ...], useful: frozenset[int], usable: frozenset[int], is_a_town: bool
) -> list[Pattern]:
    """What has new segments over usable edges alone, a useful one in each of them, or in one spur of a town.

    Args:
        there: what lies there; at most one segment may go, and only one that turns around an inner edge.
        inner: these edges.
        useful: edges that may give support.
        usable: edges that are open and lead to no other seat's link.
        is_a_town: the family of patterns.
    """
    found, enough = [], any if is_a_town else all
    for pattern in TOWN_PATTERNS if is_a_town else PLAIN_PATTERNS:
        fresh, gone = compare(there, pattern)
        turns = len(fresh) == len(gone) == 1 and any(edge in gone[0] and edge in fresh[0] for edge in inner)
        if not fresh or (gone and not turns):
            continue
        if usable.issuperset(exits(fresh)) and enough(useful.intersection(segment) for segment in fresh):
            found.append(pattern)
    return found


@cache
def compare(there: Pattern, pattern: Pattern) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """The segments that are new, and those that are gone."""
    fresh = tuple(segment for segment in pattern if segment not in there)
    return fresh, tuple(segment for segment in there if segment not in pattern)


def explain(table: Table, number: int, at: Hex, pattern: Pattern) -> str | None:
    """The rule that forbids this placement; None if it is legal."""
    if not table.placements:
        return "8.1"
    look = look_out(table, number)
    placement = classify(look, at, pattern)
    return placement if isinstance(placement, str) else find_fault(look, placement)


def classify(look: Lookout, at: Hex, pattern: Pattern) -> Placement | str:
    """Rules 2.3 and 8.2: what the placement is, or the rule that it breaks."""
    if at not in look.table.board.land or at in look.cities:
        return "8.2"
    if is_town(pattern) != (at in look.towns):
        return "2.3"
    there = look.table.pattern_on(at)
    fresh, gone = compare(there, pattern)
    if not there:
        return Placement(at, pattern, NEW, fresh)
    if fresh and not gone:
        return Placement(at, pattern, IMPROVEMENT, fresh)
    if at not in look.towns and len(fresh) == len(gone) == 1 and turns_last_tile(look, at, gone[0], fresh[0]):
        return Placement(at, pattern, REDIRECTION, fresh, gone[0])
    return "8.2"


def turns_last_tile(look: Lookout, at: Hex, old: Segment, new: Segment) -> bool:
    """Rule 8.2: the last segment of an incomplete link, own or unowned, keeps its inner edge."""
    link = look.link_of[at, old]
    heads = [edge for hex_of_head, edge in link.heads if hex_of_head == at and edge in old]
    if not heads or look.owner(link) not in (look.number, NOBODY):
        return False
    inner = sum(old) - heads[0]
    return inner in new and heads[0] not in new


def find_fault(look: Lookout, placement: Placement) -> str | None:
    """The first of rules 8.3, 8.4, 2.5, 2.7, 7.4 that the placement breaks."""
    board, at = look.table.board, placement.at
    old_edges = placement.turned or ()
    if any(edge in board.closed[at] for edge in exits(placement.fresh) if edge not in old_edges):
        return "8.3a"
    links = [fresh_link(look, placement, segment) for segment in placement.fresh]
    if any(link.foreign for link in links):
        return "8.3b"
    if any(link.returns for link in links):
        return "8.3c"
    enough = any if at in look.towns else all  # rule 8.3 d
    if not enough(link.supported for link in links):
        return "8.4"
    if not is_in_stock(look, placement):
        return "2.5"
    if count_links_after(look, placement, links) > MOST_LINKS:
        return "2.7"
    return None if can_pay(look.seat, cost_of(look, placement)) else "7.4"


def fresh_link(look: Lookout, placement: Placement, segment: Segment) -> FreshLink:
    """The link that a new segment is in; one that does not come back to its hex is the same in each pattern."""
    at = placement.at
    if placement.turned is not None or any(look.outside(at, edge).back is not None for edge in segment):
        return join_outside(look, placement, segment)
    if (at, segment) not in look.known_links:
        look.known_links[at, segment] = join_outside(look, placement, segment)
    return look.known_links[at, segment]


def join_outside(look: Lookout, placement: Placement, segment: Segment) -> FreshLink:
    """Rule 8.3: what lies behind the edges of the new segment, and so on where it comes back to the hex."""
    at, inside = placement.at, {segment}
    before = [] if placement.turned is None else [look.link_of[at, placement.turned]]  # rules 8.3 b, 8.4
    stops = [at] if len(segment) == 1 else []
    heads: list[tuple[Hex, int]] = []
    for first in segment:
        edge: int | None = first
        while edge is not None:
            outside = look.outside(at, edge)
            before += [] if outside.link is None else [outside.link]
            edge, through = None, find_segment(placement.pattern, outside.back)
            if through is not None:
                assert through not in inside, "track that runs in a circle"
                inside.add(through)
                before += [look.link_of[at, through]] if through not in placement.fresh else []
                edge = sum(through) - (outside.back or 0) if len(through) > 1 else None
                stops += [at] if len(through) == 1 else []
            elif outside.stop is not None:
                stops.append(outside.stop)
            elif outside.head is not None:
                heads.append(outside.head)
    owners = {look.owner(link) for link in before}
    returns = stops[0] == stops[1] if len(stops) == 2 else any(beside(*head) in stops for head in heads)
    return FreshLink(
        inside=frozenset(inside),
        before=tuple(before),
        stops=tuple(stops),
        foreign=bool(owners - {look.number, NOBODY}),
        returns=returns,
        supported=look.number in owners or any(map(look.is_base, stops)),
    )


def find_segment(pattern: Pattern, edge: int | None) -> Segment | None:
    """The one that uses the edge, if there is an edge and such a segment."""
    return None if edge is None else next((segment for segment in pattern if edge in segment), None)


def is_in_stock(look: Lookout, placement: Placement) -> bool:
    """Rule 2.5: the tile that is replaced comes back first."""
    if look.table.rules.tiles == "unlimited":
        return True
    kind_of, there = look.table.tile_set.kind_of, look.table.pattern_on(placement.at)
    kind = kind_of[placement.pattern]
    back = 1 if there and kind_of[there] == kind else 0
    return look.stock[kind] + back > 0


def count_links_after(look: Lookout, placement: Placement, links: list[FreshLink]) -> int:
    """Rule 2.7: those that the new segments touch are one each afterwards."""
    merged = {id(before) for link in links for before in link.before}
    if placement.turned is not None:
        merged.add(id(look.link_of[placement.at, placement.turned]))
    return len(look.links) - len(merged) + len({link.inside for link in links})


def cost_of(look: Lookout, placement: Placement) -> int:
    """Rule 8.6."""
    board, at = look.table.board, placement.at
    cost = len(exits(placement.pattern)) + (COST_OF_TOWN if at in look.towns else 0)
    if placement.kind == NEW:
        cost += (COST_OF_RIVER if at in board.rivers else 0) + (COST_OF_HILLS if at in board.hills else 0)
    return cost


# --- what is done ---------------------------------------------------------------------------------
def place(table: Table, number: int, at: Hex, pattern: Pattern) -> None:
    """A legal placement: paid, laid, claimed and marked."""
    look = look_out(table, number)
    placement = classify(look, at, pattern)
    assert isinstance(placement, Placement)
    pay(table.seats[number], cost_of(look, placement))
    table.placements -= 1
    there = table.track.setdefault(at, {})
    there.update(dict.fromkeys(placement.fresh, number))
    table.forget_track()
    if placement.turned is not None:
        redirect(table, placement)
        return
    for segment in placement.fresh:
        link = trace(table.track, table.cities, (at, segment))
        set_owner(table, link, number)  # rule 8.5
        table.marks.update(link.parts)  # rule 8.10


def redirect(table: Table, placement: Placement) -> None:
    """Rules 8.5 and 8.13: a link that stays incomplete keeps its owner, and its mark or the lack of it."""
    assert placement.turned is not None
    old, new = (placement.at, placement.turned), (placement.at, placement.fresh[0])
    former = table.track[placement.at].pop(placement.turned)
    table.forget_track()
    if old in table.marks:
        table.marks.remove(old)
        table.marks.add(new)
    link = trace(table.track, table.cities, new)
    if link.complete:
        set_owner(table, link, table.track[placement.at][placement.fresh[0]])
    else:
        table.track[placement.at][placement.fresh[0]] = former


def lapse(table: Table, number: int) -> None:
    """Rule 8.9: at the end of a seat's track turn."""
    for link in list_links(table):
        if not link.complete and owner_of(table.track, link) == number and not is_marked(table, link):
            set_owner(table, link, NOBODY)
    table.marks.clear()
