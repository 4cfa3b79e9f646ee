"""What a decision does. Nothing happens before the last choice of an action is made."""

from collections.abc import Callable
from typing import Any

from tests.verification.reference_steam import auction, goods, growth, money, phases, track
from tests.verification.reference_steam.actions import Action
from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.legal import cost_of_tile
from tests.verification.reference_steam.state import (
    BID,
    BUILD,
    CITY_GROWTH,
    COLOUR,
    CUBE,
    HOP,
    LOCOMOTIVE,
    OVER,
    SCORE,
    SPACE,
    TILE,
    TOP_LEVEL,
    URBANIZATION,
    Growing,
    Laying,
    Moving,
    Scoring,
    Table,
    Urbanizing,
)
from tests.verification.reference_steam.tiles import Pattern


def play(table: Table, action: Action) -> None:
    """A legal decision and what follows from it; after it comes ``settle``."""
    word, value = action
    assert table.mover is not None
    PLAY_OF[word](table, table.mover, value)


def play_pass(table: Table, number: int, _value: None) -> None:
    if table.phase == BID:
        if auction.drop_out(table):
            phases.begin_turn(table)
    elif table.phase == BUILD:
        phases.end_track_turn(table, number)
    else:
        phases.end_goods_action(table, number)


def play_bid(table: Table, _number: int, _value: None) -> None:
    auction.bid(table)


# --- phase 1 (rule 6) -----------------------------------------------------------------------------
def take(table: Table, number: int, tile: int) -> None:
    """Paid now; 5 and 7 are carried out later."""
    seat = table.seats[number]
    money.pay(seat, cost_of_tile(seat, tile))
    seat.tile, seat.to_do = tile, tile in (CITY_GROWTH, URBANIZATION)
    if tile == LOCOMOTIVE:
        seat.level = min(TOP_LEVEL, seat.level + 1)
    phases.end_take(table, number)


def take_and_pass(table: Table, number: int, tile: int) -> None:
    """Rule 6.2."""
    table.seats[number].tile, table.seats[number].passed = tile, True
    phases.end_take(table, number)


# --- phase 2 (rule 8) -----------------------------------------------------------------------------
def choose_hex(table: Table, _number: int, at: Hex) -> None:
    table.phase, table.chain = TILE, Laying(at)


def choose_tile(table: Table, number: int, pattern: Pattern) -> None:
    assert isinstance(table.chain, Laying)
    track.place(table, number, table.chain.at, pattern)
    table.phase, table.chain = BUILD, None


def choose_city(table: Table, _number: int, city: Hex) -> None:
    """City Growth."""
    table.phase, table.chain = SPACE, Growing(city)


def choose_town(table: Table, _number: int, town: Hex) -> None:
    """Urbanization."""
    table.phase, table.chain = COLOUR, Urbanizing(town)


def choose_color(table: Table, number: int, color: str) -> None:
    """Of the New City, or of the cube that is moved."""
    if isinstance(table.chain, Moving):
        table.phase, table.chain.cube = HOP, color
        return
    assert isinstance(table.chain, Urbanizing)
    table.phase, table.chain.color = SPACE, color
    if not any(table.supply):  # rule 8.16: it comes without cubes
        carry_out(table, number, None)


def carry_out(table: Table, number: int, space: int | None) -> None:
    """City Growth or Urbanization, with the group of a space."""
    chain = table.chain
    if isinstance(chain, Growing):
        assert space is not None
        growth.grow(table, number, chain.city, space)
    else:
        assert isinstance(chain, Urbanizing)
        assert chain.color is not None
        growth.urbanize(table, number, chain.town, chain.color, space)
    table.phase, table.chain = BUILD, None


# --- phase 3 (rule 9) -----------------------------------------------------------------------------
def improve(table: Table, number: int, _value: None) -> None:
    """Rule 9.2."""
    seat = table.seats[number]
    seat.level, seat.improved = seat.level + 1, True
    phases.end_goods_action(table, number)


def choose_source(table: Table, _number: int, city: Hex) -> None:
    table.phase, table.chain = CUBE, Moving([city], [])


def choose_hop(table: Table, number: int, there: Hex) -> None:
    """The owner of the link is asked for where it matters (rule 9.10)."""
    moving = table.chain
    assert isinstance(moving, Moving)
    owners = [owner for stop, owner in goods.next_hops(table, number, moving) if stop == there]
    moving.to = there
    if len(owners) > 1:
        table.phase = OVER
    else:
        go_over(table, number, owners[0])


def go_over(table: Table, number: int, owner: int) -> None:
    """One link on; the route ends in a city of the cube's colour (rule 9.4)."""
    moving = table.chain
    assert isinstance(moving, Moving)
    assert moving.to is not None
    moving.stops.append(moving.to)
    moving.owners.append(owner)
    moving.to, table.phase = None, HOP
    if table.cities.get(moving.stops[-1]) == moving.cube:
        begin_scoring(table, number, goods.deliver(table, moving))


def begin_scoring(table: Table, mover: int, points: list[int]) -> None:
    """Rule 9.8: the mover first, then the others along the order track."""
    others = [number for number in table.order if number != mover]
    table.chain = Scoring(mover, points, [number for number in [mover, *others] if points[number]])
    ask_for_points(table, table.chain)


def ask_for_points(table: Table, scoring: Scoring) -> None:
    if scoring.waiting:
        table.phase, table.mover = SCORE, scoring.waiting.pop(0)
    else:
        phases.end_goods_action(table, scoring.mover)


def put_on_income(table: Table, number: int, _value: None) -> None:
    """What goes beyond the limit is lost (rule 9.9)."""
    assert isinstance(table.chain, Scoring)
    seat, limit = table.seats[number], table.rules.income_max
    income = seat.income + table.chain.points[number]
    seat.income = min(income, limit) if isinstance(limit, int) else income
    ask_for_points(table, table.chain)


def put_on_vp(table: Table, number: int, _value: None) -> None:
    assert isinstance(table.chain, Scoring)
    table.seats[number].vp += table.chain.points[number]
    ask_for_points(table, table.chain)


PLAY_OF: dict[str, Callable[[Table, int, Any], None]] = {
    "pass": play_pass,
    "bid": play_bid,
    "take": take,
    "take pass": take_and_pass,
    "build": choose_hex,
    "tile": choose_tile,
    "grow": choose_city,
    "urbanize": choose_town,
    "colour": choose_color,
    "space": carry_out,
    "locomotive": improve,
    "from": choose_source,
    "hop": choose_hop,
    "over": go_over,
    "income": put_on_income,
    "vp": put_on_vp,
}
