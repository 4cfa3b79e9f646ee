"""Rule 4: laying track."""

from tests.verification.reference.geometry import EDGE_NAMES, EDGES, Hex, Tile, beside, cross, opposite, tile_kind
from tests.verification.reference.state import Link, Table

LAND_COST = {"plains": 0, "hills": 2, "mountains": 4}
CROSSING_COST = 2


# --- what is legal --------------------------------------------------------------------------------
def site_cost(table: Table, at: Hex) -> int | None:
    """The price of one more segment on the hex; None if it takes none (rule 4.1)."""
    terrain, lying = table.board.terrain.get(at), table.tracks.get(at, ())
    if terrain not in LAND_COST or len(lying) > 1:
        return None
    return CROSSING_COST if lying else LAND_COST[terrain]


def tile_cost(table: Table, tile: Tile, origin: int | None = None) -> int | None:
    """The price of a new tile or a crossing; None if it is illegal whatever the money (rules 1.4, 1.5, 4.1, 4.4).

    ``origin``: the city that its link starts from, where that is to be looked at.
    """
    cost = site_cost(table, tile.at)
    if cost is None or tile.entry == tile.exit:
        return None
    lying = table.tracks.get(tile.at, [])
    if lying and not cross(lying[0], tile.segment):  # this also keeps off the edges that are in use
        return None
    # The tile under a crossing is of another kind than the crossing, so that what goes back to stock never helps.
    if table.tiles[tile_kind(*lying, tile.segment)] <= 0:
        return None
    return cost if leads_on(table, tile, origin) else None


def leads_on(table: Table, tile: Tile, origin: int | None) -> bool:
    """Rule 4.4: whether the far edge leads where it may."""
    beyond = beside(tile.at, tile.exit)
    if table.board.terrain.get(beyond, "water") == "water":  # off the map too
        return False
    if origin is not None and beyond == table.board.cities[origin]:
        return False
    used = opposite(tile.exit)
    return not any(used in segment for segment in table.tracks.get(beyond, ()))


def lay_options(table: Table, seat: int) -> set[str]:
    """The texts of the seat's legal placements (rules 4.1 to 4.3); a start stands for all its headings."""
    link = table.open_link(seat)
    if link is not None:
        return continuations(table, seat, link) | replacements(table, link) | removals(table, link)
    if table.trains[seat] == 0:
        return set()
    return {
        f"start {table.board.names[city]} {EDGE_NAMES[edge]}"
        for city in start_cities(table, seat)
        for edge in EDGES
        if headings(table, seat, city, edge)
    }


def start_cities(table: Table, seat: int) -> list[int]:
    """Rules 4.3, 4.9: the cities of the network's groups; all, with no track at all."""
    if not any(link.owner == seat for link in table.links):
        return list(range(len(table.board.cities)))
    return table.board.members(table.network(seat))


def headings(table: Table, seat: int, city: int, edge: int) -> set[str]:
    """The legal far edges of the first tile of a link that leaves the city over this edge."""
    return heads(table, seat, beside(table.board.cities[city], edge), opposite(edge), city)


def continuations(table: Table, seat: int, link: Link) -> set[str]:
    """Rule 4.2: on the hex across the open edge."""
    return heads(table, seat, beside(link.tail.at, link.tail.exit), opposite(link.tail.exit), link.start)


def heads(table: Table, seat: int, at: Hex, entry: int, origin: int) -> set[str]:
    site = site_cost(table, at)
    if site is None or site > table.money[table.purse(seat)]:
        return set()
    return {f"head {EDGE_NAMES[edge]}" for edge in EDGES if tile_cost(table, Tile(at, entry, edge), origin) is not None}


def replacements(table: Table, link: Link) -> set[str]:
    """Rule 4.7: other far edges for the tail, which is back in stock before (rule 1.5)."""
    tail = link.tail
    under = others_on(table, tail)
    old = tile_kind(*under, tail.segment)
    found = set()
    for edge in EDGES:
        new = Tile(tail.at, tail.entry, edge)
        if edge in tail.segment or (under and not cross(under[0], new.segment)):
            continue
        kind = tile_kind(*under, new.segment)
        if table.tiles[kind] + (kind == old) > 0 and leads_on(table, new, link.start):
            found.add(f"replace {EDGE_NAMES[edge]}")
    return found


def removals(table: Table, link: Link) -> set[str]:
    """Rule 4.8: the tail; a segment that stays under it needs a tile from stock (rule 1.5)."""
    under = others_on(table, link.tail)
    return set() if under and table.tiles[tile_kind(*under)] <= 0 else {"remove"}


def others_on(table: Table, tile: Tile) -> list[tuple[int, int]]:
    """The other segment on the tile's hex, if there is one."""
    lying = list(table.tracks[tile.at])
    lying.remove(tile.segment)
    return lying


# --- what is done ---------------------------------------------------------------------------------
def lay_tile(table: Table, seat: int, tile: Tile, start: int | None) -> None:
    """Lay the next tile of the seat's link, or the first one of a link from the city ``start``."""
    cost = tile_cost(table, tile)
    assert cost is not None
    link = table.open_link(seat)
    if link is None:
        assert start is not None
        link = start_link(table, seat, start, opposite(tile.entry))
    lying = table.tracks.get(tile.at, [])
    if lying:
        table.tiles[tile_kind(*lying)] += 1
    table.tiles[tile_kind(*lying, tile.segment)] -= 1
    table.pay(seat, cost)
    table.tell(
        "place",
        seat,
        hex=table.board.hex_number[tile.at],
        entry=tile.entry,
        exit=tile.exit,
        cost=cost,
        crossing=int(bool(lying)),
    )
    link.tiles.append(tile)
    finish_link(table, link)


def start_link(table: Table, seat: int, city: int, edge: int) -> Link:
    """Rule 4.3: a train is placed at once."""
    assert table.trains[seat] > 0
    table.trains[seat] -= 1
    table.tell("start", seat, city=city, edge=edge)
    link = Link(seat, city, [])
    table.links.append(link)
    return link


def finish_link(table: Table, link: Link) -> None:
    """Rule 4.5: a far edge that leads into a city completes the link."""
    link.end = table.board.city_at.get(beside(link.tail.at, link.tail.exit))
    table.links_changed()
    if link.end is not None:
        table.tell("complete", link.owner, from_city=link.start, to_city=link.end)


def replace_tail(table: Table, link: Link, edge: int) -> None:
    """Rule 4.7."""
    tail, under = link.tail, others_on(table, link.tail)
    table.tiles[tile_kind(*under, tail.segment)] += 1
    table.tiles[tile_kind(*under, (tail.entry, edge))] -= 1
    link.tiles[-1] = Tile(tail.at, tail.entry, edge)
    number = table.board.hex_number[tail.at]
    table.tell("replace", link.owner, hex=number, entry=tail.entry, exit=edge, old_exit=tail.exit)
    finish_link(table, link)


def remove_tail(table: Table, link: Link) -> None:
    """Rule 4.8: the hex keeps its other segment; with its only tile the link is gone and its train is back."""
    tail, under = link.tail, others_on(table, link.tail)
    table.tiles[tile_kind(*under, tail.segment)] += 1
    if under:
        table.tiles[tile_kind(*under)] -= 1
    link.tiles.pop()
    if not link.tiles:
        table.links.remove(link)
        table.trains[link.owner] += 1
    table.links_changed()
    table.tell("remove", link.owner, hex=table.board.hex_number[tail.at], entry=tail.entry, exit=tail.exit)
