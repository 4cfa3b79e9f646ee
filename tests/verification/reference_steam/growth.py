"""Rules 8.14 to 8.20: City Growth and Urbanization."""

from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.links import list_links, owner_of, set_owner, trace
from tests.verification.reference_steam.state import CITY_GROWTH, NOBODY, URBANIZATION, Table, in_order


# --- what is legal --------------------------------------------------------------------------------
def groups_to_choose(table: Table) -> list[int]:
    """Spaces with a cube; of equal groups the first (rule 8.20)."""
    return [space for space, group in enumerate(table.supply) if group and table.supply.index(group) == space]


def cities_to_grow(table: Table) -> list[Hex]:
    """Printed cities without a marker; New Cities have theirs (rule 1.7)."""
    return sorted(set(table.board.cities) - table.grown)


def can_grow(table: Table) -> bool:
    """Rules 6.3 and 8.14."""
    return any(table.supply) and bool(cities_to_grow(table)) and table.markers_left > 0


def can_urbanize(table: Table) -> bool:
    """Rules 6.4 and 8.14: a town and a New City; cubes are not needed (rule 8.16)."""
    return bool(table.towns) and any(table.new_cities_left.values())


def must_carry_out(table: Table, number: int) -> bool:
    """Rule 8.14: what was paid has still to be done, and can be."""
    seat = table.seats[number]
    possible = {CITY_GROWTH: can_grow, URBANIZATION: can_urbanize}
    return seat.to_do and seat.tile in possible and possible[seat.tile](table)


# --- what is done ---------------------------------------------------------------------------------
def bring_group(table: Table, space: int, city: Hex) -> None:
    """All cubes of the group go to the city; the space stays empty (rule 8.20)."""
    table.cubes[city] = in_order(table.cubes.get(city, "") + table.supply[space])
    table.supply[space] = ""


def grow(table: Table, number: int, city: Hex, space: int) -> None:
    """Rule 8.15."""
    bring_group(table, space, city)
    table.grown.add(city)
    table.seats[number].to_do = False


def urbanize(table: Table, number: int, town: Hex, color: str, space: int | None) -> None:
    """Rules 8.16 to 8.19; without a space the New City comes without cubes."""
    was_incomplete = {part for link in list_links(table) if not link.complete for part in link.parts}
    # The spurs are gone, and with them each link that was one spur (rule 8.19).
    table.track.pop(town, None)
    table.new_cities[town] = color
    table.forget_track()
    table.cubes[town] = ""
    for at, segments in table.track.items():
        for segment, owner in list(segments.items()):
            if owner == NOBODY and (at, segment) in was_incomplete:
                link = trace(table.track, table.cities, (at, segment))
                if link.complete:  # rule 8.18: its head points at the New City
                    set_owner(table, link, number)
    if space is not None:
        bring_group(table, space, town)
    table.seats[number].to_do = False
    assert all(owner_of(table.track, link) >= NOBODY for link in list_links(table))  # rule 3.3
