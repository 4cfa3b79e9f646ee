"""What the mover may decide, phase by phase; and rule 6, what action tiles cost."""

from tests.verification.reference_steam import auction, goods, growth, money, track
from tests.verification.reference_steam.actions import Action
from tests.verification.reference_steam.state import (
    ACTION_TILES,
    BID,
    BUILD,
    CITY_GROWTH,
    COLOUR,
    CUBE,
    GOODS,
    HOP,
    LOCOMOTIVE,
    OVER,
    SCORE,
    SPACE,
    TAKE,
    TILE,
    TOP_LEVEL,
    URBANIZATION,
    Laying,
    Moving,
    Seat,
    Table,
)

COST_OF_GROWTH, COST_OF_URBANIZATION, COST_OF_LOCOMOTIVE = 2, 6, 4  # rule 6.1


def list_legal(table: Table) -> list[Action]:
    """All that the mover may decide."""
    return [] if table.mover is None else LEGAL_IN[table.phase](table, table.mover)


def may_play(table: Table, legal: list[Action], action: Action) -> bool:
    """Whether it is legal, or names a space with the same group as a legal one (rule 8.20)."""
    if action[0] == "space" and table.phase == SPACE:
        return table.supply[action[1]] in [table.supply[space] for _, space in legal]
    return action in legal


def legal_bids(table: Table, number: int) -> list[Action]:
    return [("bid", None)] * auction.can_bid(table, number) + [("pass", None)]


# --- phase 1 (rules 6.1 to 6.6) -------------------------------------------------------------------
def legal_takes(table: Table, number: int) -> list[Action]:
    taken = {seat.tile for seat in table.seats}
    found: list[Action] = []
    for tile in ACTION_TILES:
        if tile in taken or (tile == URBANIZATION and not growth.can_urbanize(table)):  # rule 6.4
            continue
        of_use = tile != CITY_GROWTH or growth.can_grow(table)  # rule 6.3
        if of_use and money.can_pay(table.seats[number], cost_of_tile(table.seats[number], tile)):
            found.append(("take", tile))
        if tile in (CITY_GROWTH, URBANIZATION):  # rule 6.2
            found.append(("take pass", tile))
    return found


def cost_of_tile(seat: Seat, tile: int) -> int:
    """At the top level the locomotive is free, and does nothing (rule 6.5)."""
    if tile == LOCOMOTIVE:
        return COST_OF_LOCOMOTIVE + seat.level + 1 if seat.level < TOP_LEVEL else 0
    return {CITY_GROWTH: COST_OF_GROWTH, URBANIZATION: COST_OF_URBANIZATION}.get(tile, 0)


# --- phase 2 (rules 8.7, 8.14 to 8.16) ------------------------------------------------------------
def legal_builds(table: Table, number: int) -> list[Action]:
    found: list[Action] = [("build", at) for at in track.list_sites(table, number)]
    if not growth.must_carry_out(table, number):
        return [*found, ("pass", None)]
    if table.seats[number].tile == CITY_GROWTH:
        return found + [("grow", city) for city in growth.cities_to_grow(table)]
    return found + [("urbanize", town) for town in table.towns]


def legal_tiles(table: Table, number: int) -> list[Action]:
    assert isinstance(table.chain, Laying)
    return [("tile", pattern) for pattern in track.list_patterns_for(table, number, table.chain.at)]


def legal_colors(table: Table, _number: int) -> list[Action]:
    return [("colour", color) for color, left in table.new_cities_left.items() if left]


def legal_spaces(table: Table, _number: int) -> list[Action]:
    return [("space", space) for space in growth.groups_to_choose(table)]


# --- phase 3 (rules 9.2 to 9.10) ------------------------------------------------------------------
def legal_goods(table: Table, number: int) -> list[Action]:
    found: list[Action] = [("from", city) for city in goods.movable(table, number)]
    return [*found, *[("locomotive", None)] * goods.can_improve(table, number), ("pass", None)]


def legal_cubes(table: Table, number: int) -> list[Action]:
    assert isinstance(table.chain, Moving)
    return [("colour", color) for color in goods.movable(table, number)[table.chain.stops[0]]]


def legal_hops(table: Table, number: int) -> list[Action]:
    assert isinstance(table.chain, Moving)
    return [("hop", there) for there in sorted({there for there, _ in goods.next_hops(table, number, table.chain)})]


def legal_owners(table: Table, number: int) -> list[Action]:
    assert isinstance(table.chain, Moving)
    to = table.chain.to
    return [("over", owner) for there, owner in goods.next_hops(table, number, table.chain) if there == to]


def legal_scores(table: Table, number: int) -> list[Action]:
    return [("income", None)] * table.can_gain_income(number) + [("vp", None)]


LEGAL_IN = {
    BID: legal_bids,
    TAKE: legal_takes,
    BUILD: legal_builds,
    TILE: legal_tiles,
    COLOUR: legal_colors,
    SPACE: legal_spaces,
    GOODS: legal_goods,
    CUBE: legal_cubes,
    HOP: legal_hops,
    OVER: legal_owners,
    SCORE: legal_scores,
}
