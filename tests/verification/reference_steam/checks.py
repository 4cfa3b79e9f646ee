"""What must hold of every position: rules 3.3, 3.4, 8.3 c and the limits of all numbers."""

from collections import Counter
from collections.abc import Iterator

from tests.verification.reference_steam.geometry import beside, name_hex
from tests.verification.reference_steam.links import Link, list_links
from tests.verification.reference_steam.phases import FEWEST_TO_PLAY_ON
from tests.verification.reference_steam.state import (
    ACTION_TILES,
    BUILD,
    CITY_GROWTH,
    END,
    LEAST_INCOME,
    NEW_CITIES,
    NOBODY,
    TAKE,
    TOP_LEVEL,
    URBANIZATION,
    Seat,
    Table,
)
from tests.verification.reference_steam.tiles import PATTERNS, exits, is_town
from tests.verification.reference_steam.track import MOST_LINKS


def find_problems(table: Table) -> list[str]:
    """Sentences, each with its rule; none for a position that can be."""
    tiles = list(problems_of_tiles(table))
    if tiles:  # links cannot be followed over what is no tile
        return tiles
    return [
        *problems_of_links(table),
        *problems_of_goods(table),
        *(problem for number, seat in enumerate(table.seats) for problem in problems_of_seat(table, number, seat)),
        *problems_of_sequence(table),
    ]


def problems_of_tiles(table: Table) -> Iterator[str]:
    board, towns = table.board, table.towns
    for at in table.track:
        pattern, name = table.pattern_on(at), name_hex(at)
        if at not in board.land or at in table.new_cities:
            yield f"a tile on {name} (rule 8.2)"
        if pattern not in PATTERNS:
            yield f"the segments on {name} are no pattern (rule 2.2)"
        elif is_town(pattern) != (at in towns):
            yield f"a tile of the wrong family on {name} (rule 2.3)"
        if any(board.is_closed(at, edge) for edge in exits(pattern)):
            yield f"track over a closed edge of {name} (rule 1.4)"


def problems_of_links(table: Table) -> Iterator[str]:
    links = list_links(table)
    for link in links:
        yield from problems_of_link(table, link)
    if len(links) > MOST_LINKS:
        yield f"{len(links)} links (rule 2.7)"
    if table.rules.tiles != "unlimited":
        yield from (f"more tiles {kind} than there are (rule 2.5)" for kind, left in table.stock.items() if left < 0)


def problems_of_link(table: Table, link: Link) -> Iterator[str]:
    owners = {table.track[at][segment] for at, segment in link.parts}
    name = name_hex(link.parts[0][0])
    if link.complete and link.stops[0] == link.stops[1]:
        yield f"a link back to its own stop on {name} (rule 3.4)"
    if any(beside(*head) in link.stops for head in link.heads):
        yield f"a head that points at its own root on {name} (rule 8.3 c)"
    if any(owner != NOBODY and (owner >= len(table.seats) or table.seats[owner].bankrupt) for owner in owners):
        yield f"the owner of a link on {name} is out of the game (rule 13.1)"
    marked = any(part in table.marks for part in link.parts)
    if marked and (link.complete or table.phase != BUILD or owners != {table.mover}):
        yield f"a mark on {name} that is not of an incomplete link in its owner's track turn (rule 8.10)"


def problems_of_goods(table: Table) -> Iterator[str]:
    laid = Counter(table.new_cities.values())
    if any(laid[color] > count for color, count in NEW_CITIES.items()):
        yield "more New Cities of a colour than there are (rule 4.3)"
    if table.markers_left < 0:
        yield "more growth markers than there are (rule 4.3)"
    if not table.grown <= set(table.board.cities):
        yield "a growth marker elsewhere than in a printed city (rule 1.7)"
    if not set(table.new_cities) <= set(table.board.towns):
        yield "a New City elsewhere than on a town (rule 8.16)"


def problems_of_seat(table: Table, number: int, seat: Seat) -> Iterator[str]:
    limit = table.rules.income_max
    if seat.income < LEAST_INCOME or (isinstance(limit, int) and seat.income > limit):
        yield f"income {seat.income} of seat {number} (rule 4.1)"
    if seat.vp < 0 or seat.money < 0:
        yield f"VP {seat.vp} and ${seat.money} of seat {number} (rule 4.1)"
    if not 1 <= seat.level <= TOP_LEVEL:
        yield f"level {seat.level} of seat {number} (rule 4.1)"
    if seat.bankrupt and table.rules.bankruptcy != "out":
        yield f"bankrupt seat {number}, which is forgiven (rule 13.6)"
    if seat.bankrupt and (seat.money or seat.vp):
        yield f"money or VP of the bankrupt seat {number} (rule 13.1)"
    if seat.bankrupt and table.phase != END and (seat.tile or seat.bankrupt >= table.turn):
        yield f"a tile of the bankrupt seat {number}, or bankrupt in turn {seat.bankrupt} (rule 13.1)"
    special = seat.tile in (CITY_GROWTH, URBANIZATION)
    if (seat.passed or seat.to_do) and (not special or (seat.passed and seat.to_do)):
        yield f"seat {number} has passed or to do what its tile {seat.tile} has not (rule 6.2)"


def problems_of_sequence(table: Table) -> Iterator[str]:
    """Who has a tile, and who is done with the phase."""
    if table.phase == END:
        return
    if len(table.seats) - len(table.bankrupt_seats) < FEWEST_TO_PLAY_ON:
        yield "fewer than two seats play on (rule 13.4)"
    if not 1 <= table.turn <= table.rules.num_turns:
        yield f"turn {table.turn} of {table.rules.num_turns} (rule 4.5)"
    tiles = [table.seats[number].tile for number in table.order]
    taken = [tile for tile in tiles if tile]
    if len(set(taken)) < len(taken) or any(tile not in ACTION_TILES for tile in taken):
        yield f"action tiles {tiles} (rule 6.1)"
    wanted = table.order.index(table.mover) if table.phase == TAKE and table.mover in table.order else len(tiles)
    if [bool(tile) for tile in tiles] != [True] * wanted + [False] * (len(tiles) - wanted):
        yield f"action tiles {tiles} out of the sequence (rule 6.1)"
    if not table.round and any(seat.improved for seat in table.seats):
        yield "a locomotive improved before phase 3 (rule 9.2)"
    if table.round and any(seat.to_do for seat in table.seats):
        yield "something paid is to do after phase 2 (rule 8.15)"
    if table.placements < 0:
        yield "more placements than there are (rule 8.1)"
