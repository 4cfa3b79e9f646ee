"""Rules 8.1 to 8.13: placements, and what lapses."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.verification.reference_steam.geometry import EDGES, Hex, beside
from tests.verification.reference_steam.links import (
    Link,
    Part,
    is_marked,
    list_links,
    owner_of,
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


@dataclass(frozen=True)
class Placement:
    """A tile on a hex, by what it does there (rule 8.2)."""

    at: Hex
    pattern: Pattern
    kind: str
    fresh: tuple[Segment, ...]  # the new segments
    turned: Segment | None = None  # the segment that a redirection replaces


class Lookout:
    """What a placement is judged by, found anew for a decision: links, cities, stock."""

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number, self.seat = table, number, table.seats[number]
        self.links = list_links(table)
        self.link_of: dict[Part, Link] = {part: link for link in self.links for part in link.parts}
        self.cities, self.stock, self.towns = table.cities, table.stock, set(table.towns)
        complete = [link for link in self.links if link.complete and self.owner(link) == number]
        self.reached = {stop for link in complete for stop in link.stops}

    def owner(self, link: Link) -> int:
        return owner_of(self.table.track, link)


def max_placements(table: Table, number: int) -> int:
    """Rule 8.1."""
    return PLACEMENTS_OF_ENGINEER if table.seats[number].tile == ENGINEER else PLACEMENTS


# --- what is legal (rules 8.2 to 8.8) -------------------------------------------------------------
def list_sites(table: Table, number: int) -> list[Hex]:
    """The hexes on which the seat has a legal placement, in map order."""
    if not table.placements:
        return []
    look = Lookout(table, number)
    return [at for at in list_near(table) if any(True for _ in legal_on(look, at))]


def has_site(table: Table, number: int) -> bool:
    """Whether there is any legal placement."""
    if not table.placements:
        return False
    look = Lookout(table, number)
    return any(True for at in list_near(table) for _ in legal_on(look, at))


def list_near(table: Table) -> list[Hex]:
    """The hexes with track or beside track or a city, in map order: nowhere else can a link be supported (rule 8.4)."""
    taken = {*table.track, *table.cities}
    return [at for at in table.board.hexes if at in taken or any(beside(at, edge) in taken for edge in EDGES)]


def list_patterns_for(table: Table, number: int, at: Hex) -> list[Pattern]:
    """What the seat may lay there, in the order of the actions."""
    return [placement.pattern for placement in legal_on(Lookout(table, number), at)] if table.placements else []


def legal_on(look: Lookout, at: Hex) -> Iterator[Placement]:
    if at in look.cities:
        return
    for pattern in TOWN_PATTERNS if at in look.towns else PLAIN_PATTERNS:
        placement = classify(look, at, pattern)
        if isinstance(placement, Placement) and find_fault(look, placement) is None:
            yield placement


def explain(table: Table, number: int, at: Hex, pattern: Pattern) -> str | None:
    """The rule that forbids this placement; None if it is legal."""
    if not table.placements:
        return "8.1"
    look = Lookout(table, number)
    placement = classify(look, at, pattern)
    return placement if isinstance(placement, str) else find_fault(look, placement)


def classify(look: Lookout, at: Hex, pattern: Pattern) -> Placement | str:
    """Rules 2.3 and 8.2: what the placement is, or the rule that it breaks."""
    if at not in look.table.board.land or at in look.cities:
        return "8.2"
    if is_town(pattern) != (at in look.towns):
        return "2.3"
    there = look.table.pattern_on(at)
    fresh = tuple(segment for segment in pattern if segment not in there)
    gone = tuple(segment for segment in there if segment not in pattern)
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
    if any(board.is_closed(at, edge) for edge in exits(placement.fresh) if edge not in old_edges):
        return "8.3a"
    links = links_of_fresh(look, placement)
    if any(owner not in (look.number, NOBODY) for link in links for owner in owners_before(look, placement, link)):
        return "8.3b"
    if any(returns_to_its_stop(link) for link in links):
        return "8.3c"
    supported = [is_supported(look, placement, link) for link in links]
    if not (any(supported) if at in look.towns else all(supported)):  # rule 8.3 d
        return "8.4"
    if not is_in_stock(look, placement):
        return "2.5"
    if count_links_after(look, placement, links) > MOST_LINKS:
        return "2.7"
    return None if can_pay(look.seat, cost_of(look, placement)) else "7.4"


def links_of_fresh(look: Lookout, placement: Placement) -> list[Link]:
    """Rule 8.3: the links that the new segments are in after the placement."""
    after = {**look.table.track, placement.at: dict.fromkeys(placement.pattern, NOBODY)}
    return [trace(after, look.cities, (placement.at, segment)) for segment in placement.fresh]


def owners_before(look: Lookout, placement: Placement, link: Link) -> set[int]:
    """Whose track was in the link before; what a redirection turns is in it (rules 8.3 b, 8.4)."""
    old = [look.link_of[part] for part in link.parts if part in look.link_of]
    if placement.turned is not None and (placement.at, placement.fresh[0]) in link.parts:
        old.append(look.link_of[placement.at, placement.turned])
    return {look.owner(one) for one in old}


def returns_to_its_stop(link: Link) -> bool:
    """Rule 8.3 c."""
    if link.complete:
        return link.stops[0] == link.stops[1]
    return any(beside(*head) in link.stops for head in link.heads)


def is_supported(look: Lookout, placement: Placement, link: Link) -> bool:
    """Rule 8.4."""
    if look.number in owners_before(look, placement, link):
        return True
    return any(stop in look.cities or stop in look.reached for stop in link.stops)


def is_in_stock(look: Lookout, placement: Placement) -> bool:
    """Rule 2.5: the tile that is replaced comes back first."""
    if look.table.rules.tiles == "unlimited":
        return True
    kind_of, there = look.table.tile_set.kind_of, look.table.pattern_on(placement.at)
    kind = kind_of[placement.pattern]
    back = 1 if there and kind_of[there] == kind else 0
    return look.stock[kind] + back > 0


def count_links_after(look: Lookout, placement: Placement, links: list[Link]) -> int:
    """Rule 2.7: those that the new segments touch are one each afterwards."""
    after = {link.parts for link in links}
    merged = {look.link_of[part].parts for link in links for part in link.parts if part in look.link_of}
    if placement.turned is not None:
        merged.add(look.link_of[placement.at, placement.turned].parts)
    return len(look.links) - len(merged) + len(after)


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
    look = Lookout(table, number)
    placement = classify(look, at, pattern)
    assert isinstance(placement, Placement)
    pay(table.seats[number], cost_of(look, placement))
    table.placements -= 1
    there = table.track.setdefault(at, {})
    there.update(dict.fromkeys(placement.fresh, number))
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
