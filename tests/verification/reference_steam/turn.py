"""Rules 5, 6 and 11: the phases of a turn, who decides, what is legal, and what a decision leads to."""

from tests.verification.reference_steam import auction, goods, growth, money, track
from tests.verification.reference_steam.actions import Action
from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.state import (
    ACTION_TILES,
    BID,
    BUILD,
    CITY_GROWTH,
    COLOUR,
    CUBE,
    END,
    FIRST_BUILD,
    FIRST_MOVE,
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
    Growing,
    Laying,
    Moving,
    Scoring,
    Seat,
    Table,
    Urbanizing,
)

ROUNDS = 2  # rule 9.1
COST_OF_GROWTH, COST_OF_URBANIZATION, COST_OF_LOCOMOTIVE = 2, 6, 4  # rule 6.1
FEWEST_TO_PLAY_ON = 2  # rule 13.4


# --- sequences (rules 6.1, 8.1, 9.1) --------------------------------------------------------------
def sequence(table: Table, phase: str) -> list[int]:
    """The seats in the order of a phase: the holder of its action tile first, then along the order track."""
    tile = {BUILD: FIRST_BUILD, GOODS: FIRST_MOVE}.get(phase)
    first = [number for number in table.order if tile is not None and table.seats[number].tile == tile]
    return first + [number for number in table.order if number not in first]


def next_in(table: Table, phase: str, number: int) -> int | None:
    """Who comes after a seat; nobody after the last."""
    seats = sequence(table, phase)
    place = seats.index(number) + 1
    return seats[place] if place < len(seats) else None


def begin_turn(table: Table) -> None:
    """Phase 1."""
    for seat in table.seats:  # rule 11.2
        seat.tile, seat.passed, seat.to_do, seat.improved = 0, False, False, False
    table.phase, table.mover = TAKE, table.order[0]


def begin_track_turn(table: Table, number: int) -> None:
    table.phase, table.mover = BUILD, number
    table.placements = track.max_placements(table, number)


def end_track_turn(table: Table) -> None:
    """Rules 8.9 and 8.15."""
    number = table.mover
    assert number is not None
    track.lapse(table, number)
    table.seats[number].to_do, table.placements = False, 0
    following = next_in(table, BUILD, number)
    if following is None:
        begin_round(table, 1)
    else:
        begin_track_turn(table, following)


def begin_round(table: Table, number: int) -> None:
    table.phase, table.round, table.mover = GOODS, number, sequence(table, GOODS)[0]


def end_goods_action(table: Table, number: int) -> None:
    """On to the next seat of the round, the next round, or phase 4."""
    table.chain, table.phase, table.mover = None, GOODS, next_in(table, GOODS, number)
    if table.mover is None and table.round < ROUNDS:
        begin_round(table, table.round + 1)
    elif table.mover is None:
        table.round = 0
        end_turn(table)


def end_turn(table: Table) -> None:
    """Phases 4 to 6 (rules 10, 11, 13.4)."""
    money.settle_income(table)
    if table.turn >= table.rules.num_turns or len(table.order) < FEWEST_TO_PLAY_ON:
        table.phase, table.mover = END, None
        return
    table.order.sort(key=lambda number: table.seats[number].tile)  # rule 11.1
    table.turn += 1
    begin_turn(table)


def settle(table: Table) -> None:
    """Rule 14.1: whoever can only be done, or pass, is not asked."""
    while table.phase in (BUILD, GOODS) and only_pass_is_left(table):
        play_pass(table)


def only_pass_is_left(table: Table) -> bool:
    number = table.mover
    assert number is not None
    if table.phase == BUILD:
        return not growth.must_carry_out(table, number) and not track.has_site(table, number)
    return not goods.can_improve(table, number) and not goods.movable(table, number)


# --- what is legal --------------------------------------------------------------------------------
def list_legal(table: Table) -> list[Action]:
    """All that the mover may decide."""
    if table.mover is None:
        return []
    return LEGAL_IN[table.phase](table, table.mover)


def legal_bids(table: Table, number: int) -> list[Action]:
    return [("bid", None)] * auction.can_bid(table, number) + [("pass", None)]


def legal_takes(table: Table, number: int) -> list[Action]:
    """Rules 6.1 to 6.6."""
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
    """Rule 6.1; at the top level the locomotive is free and does nothing (rule 6.5)."""
    if tile == LOCOMOTIVE:
        return COST_OF_LOCOMOTIVE + seat.level + 1 if seat.level < TOP_LEVEL else 0
    return {CITY_GROWTH: COST_OF_GROWTH, URBANIZATION: COST_OF_URBANIZATION}.get(tile, 0)


def legal_builds(table: Table, number: int) -> list[Action]:
    """Rules 8.7 and 8.14."""
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
    """Rules 9.8 and 9.9."""
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


def may_play(table: Table, legal: list[Action], action: Action) -> bool:
    """Whether it is legal, or names a space with the same group as a legal one (rule 8.20)."""
    if action[0] == "space" and table.phase == SPACE:
        return table.supply[action[1]] in [table.supply[space] for _, space in legal]
    return action in legal


# --- what is done ---------------------------------------------------------------------------------
def play(table: Table, action: Action) -> None:
    """A legal decision, and all that follows; then comes ``settle``."""
    word, value = action
    if word == "pass":
        play_pass(table)
    elif word in ("take", "take pass"):
        take(table, value, passed=word == "take pass")
    elif word == "colour" and table.phase == CUBE:
        choose_cube(table, value)
    else:
        PLAY_OF[word](table, value)


def play_pass(table: Table) -> None:
    assert table.mover is not None
    if table.phase == BID:
        if auction.drop_out(table):
            begin_turn(table)
    elif table.phase == BUILD:
        end_track_turn(table)
    else:
        end_goods_action(table, table.mover)


def play_bid(table: Table, _value: None) -> None:
    auction.bid(table)


def take(table: Table, tile: int, passed: bool) -> None:
    """Rules 6.1 and 6.2."""
    number = table.mover
    assert number is not None
    seat = table.seats[number]
    seat.tile, seat.passed = tile, passed
    if not passed:
        money.pay(seat, cost_of_tile(seat, tile))
        seat.to_do = tile in (CITY_GROWTH, URBANIZATION)
        if tile == LOCOMOTIVE:
            seat.level = min(TOP_LEVEL, seat.level + 1)
    table.mover = next_in(table, TAKE, number)
    if table.mover is None:
        begin_track_turn(table, sequence(table, BUILD)[0])


def play_build(table: Table, at: Hex) -> None:
    table.phase, table.chain = TILE, Laying(at)


def play_tile(table: Table, pattern: track.Pattern) -> None:
    assert isinstance(table.chain, Laying) and table.mover is not None
    track.place(table, table.mover, table.chain.at, pattern)
    table.phase, table.chain = BUILD, None


def play_grow(table: Table, city: Hex) -> None:
    table.phase, table.chain = SPACE, Growing(city)


def play_urbanize(table: Table, town: Hex) -> None:
    table.phase, table.chain = COLOUR, Urbanizing(town)


def choose_color(table: Table, color: str) -> None:
    """Of a New City; without cubes in the supply it is carried out at once (rule 8.16)."""
    assert isinstance(table.chain, Urbanizing)
    table.chain.color = color
    if any(table.supply):
        table.phase = SPACE
    else:
        carry_out(table, None)


def carry_out(table: Table, space: int | None) -> None:
    """City Growth or Urbanization."""
    chain, number = table.chain, table.mover
    assert number is not None
    if isinstance(chain, Growing):
        assert space is not None
        growth.grow(table, number, chain.city, space)
    else:
        assert isinstance(chain, Urbanizing) and chain.color is not None
        growth.urbanize(table, number, chain.town, chain.color, space)
    table.phase, table.chain = BUILD, None


def improve(table: Table, _value: None) -> None:
    """Rule 9.2."""
    assert table.mover is not None
    seat = table.seats[table.mover]
    seat.level, seat.improved = seat.level + 1, True
    end_goods_action(table, table.mover)


def play_from(table: Table, city: Hex) -> None:
    table.phase, table.chain = CUBE, Moving([city], [])


def choose_cube(table: Table, color: str) -> None:
    assert isinstance(table.chain, Moving)
    table.phase, table.chain.cube = HOP, color


def play_hop(table: Table, there: Hex) -> None:
    """The owner of the link is asked for where it matters (rule 9.10)."""
    assert isinstance(table.chain, Moving) and table.mover is not None
    table.chain.to = there
    owners = [owner for stop, owner in goods.next_hops(table, table.mover, table.chain) if stop == there]
    if len(owners) > 1:
        table.phase = OVER
    else:
        go_over(table, owners[0])


def go_over(table: Table, owner: int) -> None:
    """The next link, or the end of the route (rule 9.4)."""
    moving, mover = table.chain, table.mover
    assert isinstance(moving, Moving) and moving.to is not None and mover is not None
    moving.stops.append(moving.to)
    moving.owners.append(owner)
    moving.to, table.phase = None, HOP
    if table.cities.get(moving.stops[-1]) == moving.cube:
        table.chain = Scoring(mover, goods.deliver(table, moving))
        ask_for_points(table)


def ask_for_points(table: Table) -> None:
    """Rule 9.8: the mover first, then the others along the order track."""
    scoring = table.chain
    assert isinstance(scoring, Scoring)
    others = [number for number in table.order if number != scoring.mover]
    waiting = [number for number in [scoring.mover, *others] if scoring.points[number]]
    if waiting:
        table.phase, table.mover = SCORE, waiting[0]
    else:
        end_goods_action(table, scoring.mover)


def put_on_income(table: Table, _value: None) -> None:
    """What goes beyond the limit is lost (rule 9.9)."""
    assert isinstance(table.chain, Scoring) and table.mover is not None
    seat, limit = table.seats[table.mover], table.rules.income_max
    income = seat.income + table.chain.points[table.mover]
    seat.income = min(income, limit) if isinstance(limit, int) else income
    finish_points(table, table.chain)


def put_on_vp(table: Table, _value: None) -> None:
    assert isinstance(table.chain, Scoring) and table.mover is not None
    table.seats[table.mover].vp += table.chain.points[table.mover]
    finish_points(table, table.chain)


def finish_points(table: Table, scoring: Scoring) -> None:
    assert table.mover is not None
    scoring.points[table.mover] = 0
    ask_for_points(table)


PLAY_OF = {
    "bid": play_bid,
    "build": play_build,
    "tile": play_tile,
    "grow": play_grow,
    "urbanize": play_urbanize,
    "colour": choose_color,
    "space": carry_out,
    "locomotive": improve,
    "from": play_from,
    "hop": play_hop,
    "over": go_over,
    "income": put_on_income,
    "vp": put_on_vp,
}
