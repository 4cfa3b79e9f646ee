"""Rule 9: moving goods."""

from collections import Counter
from collections.abc import Iterator

from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.links import list_links, owners_of_links
from tests.verification.reference_steam.state import NOBODY, TOP_LEVEL, Moving, Table

Hop = tuple[Hex, int]  # the stop that is entered, and the owner of the link
Route = list[Hop]
Network = dict[Hex, Counter[Hop]]  # by stop how many complete links lead to a stop, by owner


def join_stops(table: Table) -> Network:
    """Complete links as hops, from both of their ends."""
    return table.find_once(table.by_owner, "network", lambda: find_hops(table))


def find_hops(table: Table) -> Network:
    network: Network = {}
    for link, owner in zip(list_links(table), owners_of_links(table), strict=True):
        if link.complete:
            for here, there in (link.stops, link.stops[::-1]):
                network.setdefault(here, Counter())[there, owner] += 1
    return network


def list_routes(table: Table, number: int, source: Hex, cube: str) -> Iterator[Route]:
    """All routes of the seat for a cube of this colour in this city (rules 9.3 to 9.6)."""
    ways = extend(table, join_stops(table), source, cube, [], table.seats[number].level)
    return (route for route in ways if may_move(route, number))


def extend(table: Table, network: Network, source: Hex, cube: str, route: Route, links_left: int) -> Iterator[Route]:
    """All ways on from a route to a city of the cube's colour, whoever the links belong to."""
    if not links_left:
        return
    here = route[-1][0] if route else source
    for hop in network.get(here, {}):
        there = hop[0]
        if not may_enter(table, network, source, route, hop):
            continue
        longer = [*route, hop]
        if table.cities.get(there) == cube:
            yield longer  # rule 9.4: it ends there
        else:
            yield from extend(table, network, source, cube, longer, links_left - 1)


def may_enter(table: Table, network: Network, source: Hex, route: Route, hop: Hop) -> bool:
    """Rule 9.4: no city twice, no town twice; with ``towns_twice`` no link twice."""
    stops = [source, *(there for there, _ in route)]
    here, (there, owner) = stops[-1], hop
    if there not in stops:
        return True
    if there in table.cities or not table.rules.towns_twice:
        return False
    used = sum(
        {before, after} == {here, there} and of == owner for before, (after, of) in zip(stops, route, strict=False)
    )
    return used < network[here][hop]  # parallel links of one owner are the same choice (rule 9.10)


def may_move(route: Route, number: int) -> bool:
    """Rule 9.6."""
    links = Counter(owner for _, owner in route if owner != NOBODY)
    return links[number] >= 1 and links[number] == max(links.values())


# --- what is legal --------------------------------------------------------------------------------
def movable(table: Table, number: int) -> dict[Hex, list[str]]:
    """By city the colours of its cubes that have a route (rule 9.3)."""
    found = {
        city: [cube for cube in sorted(set(cubes)) if any(list_routes(table, number, city, cube))]
        for city, cubes in table.cubes.items()
    }
    return {city: colors for city, colors in found.items() if colors}


def can_improve(table: Table, number: int) -> bool:
    """Rule 9.2."""
    seat = table.seats[number]
    return seat.level < TOP_LEVEL and not seat.improved


def next_hops(table: Table, number: int, moving: Moving) -> list[Hop]:
    """The hops by which the legal routes go on that begin as the cube went so far."""
    assert moving.cube is not None
    gone = list(zip(moving.stops[1:], moving.owners, strict=True))
    routes = list(list_routes(table, number, moving.stops[0], moving.cube))
    return sorted({route[len(gone)] for route in routes if route[: len(gone)] == gone and len(route) > len(gone)})


# --- what is done ---------------------------------------------------------------------------------
def deliver(table: Table, moving: Moving) -> list[int]:
    """The cube leaves the map (rule 9.7); by seat the points of its route (rule 9.8)."""
    source = moving.stops[0]
    assert moving.cube is not None
    table.cubes[source] = table.cubes[source].replace(moving.cube, "", 1)
    return [moving.owners.count(number) for number in range(len(table.seats))]
