"""Rules 5 and 11: the phases of a turn, and the order in which the seats play in them."""

from tests.verification.reference_steam import goods, growth, money, track
from tests.verification.reference_steam.state import BUILD, END, FIRST_BUILD, FIRST_MOVE, GOODS, TAKE, Table

ROUNDS = 2  # rule 9.1
FEWEST_TO_PLAY_ON = 2  # rule 13.4
FIRST_WITH_TILE = {BUILD: FIRST_BUILD, GOODS: FIRST_MOVE}


# --- sequences (rules 6.1, 8.1, 9.1) --------------------------------------------------------------
def sequence(table: Table, phase: str) -> list[int]:
    """The seats in the order of a phase: the holder of its action tile first, then along the order track."""
    tile = FIRST_WITH_TILE.get(phase)
    first = [number for number in table.order if tile is not None and table.seats[number].tile == tile]
    return first + [number for number in table.order if number not in first]


def next_in(table: Table, phase: str, number: int) -> int | None:
    """Who comes after a seat; nobody after the last."""
    seats = sequence(table, phase)
    place = seats.index(number) + 1
    return seats[place] if place < len(seats) else None


# --- beginnings and ends --------------------------------------------------------------------------
def begin_turn(table: Table) -> None:
    """Phase 1; all action tiles are back (rule 11.2)."""
    for seat in table.seats:
        seat.tile, seat.passed, seat.to_do, seat.improved = 0, False, False, False
    table.phase, table.mover = TAKE, table.order[0]


def end_take(table: Table, number: int) -> None:
    """On to the next seat, or to phase 2."""
    table.mover = next_in(table, TAKE, number)
    if table.mover is None:
        begin_track_turn(table, sequence(table, BUILD)[0])


def begin_track_turn(table: Table, number: int) -> None:
    table.phase, table.mover = BUILD, number
    table.placements = track.max_placements(table, number)


def end_track_turn(table: Table, number: int) -> None:
    """What lapses (rules 8.9, 8.15); on to the next seat, or to phase 3."""
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
    """Phases 4 to 6 (rules 10, 11.1), or the end of the game (rules 11.2, 13.4)."""
    money.settle_income(table)
    if table.turn >= table.rules.num_turns or len(table.order) < FEWEST_TO_PLAY_ON:
        table.phase, table.mover = END, None
        return
    table.order.sort(key=lambda number: table.seats[number].tile)
    table.turn += 1
    begin_turn(table)


# --- who is not asked (rule 14.1) -----------------------------------------------------------------
def settle(table: Table) -> None:
    """Whoever can only be done, or pass, is not asked."""
    while table.phase in (BUILD, GOODS):
        number = table.mover
        assert number is not None
        if not only_pass_is_left(table, number):
            return
        if table.phase == BUILD:
            end_track_turn(table, number)
        else:
            end_goods_action(table, number)


def only_pass_is_left(table: Table, number: int) -> bool:
    if table.phase == BUILD:
        return not growth.must_carry_out(table, number) and not track.has_site(table, number)
    return not goods.can_improve(table, number) and not goods.movable(table, number)
