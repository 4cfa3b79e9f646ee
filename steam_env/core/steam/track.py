"""Rules 8.1 to 8.8: placements of track. What one needs, and what it does to the map."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.events import LINK_COMPLETED, TRACK_LAID, emit
from steam_env.core.steam.links import begin_tracing, is_city, is_complete, link_at, trace_links
from steam_env.core.steam.money import find_budget, pay
from steam_env.core.steam.reasons import (
    CANNOT_PAY,
    EDGE_CLOSED,
    FOREIGN_TRACK,
    LOOP,
    NO_CHANGE_LIKE_THAT,
    NO_TILE,
    NOT_FOR_TOWNS,
    NOT_LAST,
    NOT_OWN,
    NOT_SUPPORTED,
    OK,
    ON_CITY,
    ONLY_FOR_TOWNS,
    SAME_PATTERN,
    TOO_MANY_LINKS,
    TOWN_NOT_REDIRECTED,
)
from steam_env.core.steam.state import MAX_LINKS, NOBODY, TOWN_COST
from steam_env.core.steam.tiles import (
    ADDED,
    CENTRE,
    EMPTY_LAND,
    EMPTY_TOWN,
    ENDS,
    FIRST_TOWN,
    FOLLOWERS,
    LYING,
    MAX_SLOTS,
    NEW,
    NUM_EXITS,
    NUM_FOLLOWERS,
    NUM_SEGMENTS,
    OTHER_END,
    PLACEMENT,
    REDIRECTION,
    SLOT_AT,
)

# What lies at a side of a hex, for the seat that looks.
CLOSED, OPEN, AT_STOP, OWN_LINK, UNOWNED_LINK, FOREIGN_LINK = range(6)

# --- looking at the sides of a hex ------------------------------------------------------------------


@kernel
def look_over(game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, edge: int) -> None:
    """Note what lies behind an edge: nothing to build on, open land, a city, or a link that ends there."""
    beyond = int(board.beyond[hex_index, edge])
    work.side_hex[edge] = beyond
    work.side_stop[edge] = NONE
    if beyond == NONE:
        work.side_class[edge] = CLOSED
        return
    stop = int(board.hex_stop[beyond])
    if is_city(game, stop):
        work.side_class[edge] = AT_STOP
        work.side_stop[edge] = stop
        return
    link = link_at(game, beyond, opposite(edge))
    if link == NONE:
        work.side_class[edge] = OPEN
        return
    owner = game.link_owner[link]
    if owner == seat:
        work.side_class[edge] = OWN_LINK
    elif owner == NOBODY:
        work.side_class[edge] = UNOWNED_LINK
    else:
        work.side_class[edge] = FOREIGN_LINK
    work.side_stop[edge] = game.link_from[link]


@kernel
def look_around(game: np.record, board: np.record, work: np.record, seat: int, hex_index: int) -> None:
    """Note what lies at all sides of a hex, and for a town in its centre."""
    for edge in range(NUM_EDGES):
        look_over(game, board, work, seat, hex_index, edge)
    work.side_class[CENTRE] = AT_STOP
    work.side_stop[CENTRE] = board.hex_stop[hex_index]
    work.side_hex[CENTRE] = NONE


# --- what a segment needs (rules 8.3, 8.4) --------------------------------------------------------------


@kernel
def supports(game: np.record, work: np.record, seat: int, side: int) -> bool:
    """Whether a side supports a link that it is in (rule 8.4): own track, a city, or a town on own complete links."""
    if work.side_class[side] == OWN_LINK:
        return True
    stop = work.side_stop[side]
    return stop != NONE and (is_city(game, stop) or has(game.served[seat], stop))


@kernel
def points_back(board: np.record, work: np.record, side: int, other: int) -> bool:
    """Whether a link would end at the open side and point at the hex of its root, which lies at the other side."""
    root = work.side_stop[other]
    return work.side_class[side] == OPEN and root != NONE and work.side_hex[side] == board.stop_hex[root]


@kernel
def segment_problem(game: np.record, board: np.record, work: np.record, seat: int, side: int, other: int) -> int:
    """Why the seat may not join two sides by a segment, ``OK`` if it may (rules 8.3, 8.4); after ``look_around``."""
    first, second = work.side_class[side], work.side_class[other]
    if first == CLOSED or second == CLOSED:
        return EDGE_CLOSED
    if first == FOREIGN_LINK or second == FOREIGN_LINK:
        return FOREIGN_TRACK
    if work.side_stop[side] != NONE and work.side_stop[side] == work.side_stop[other]:
        return LOOP
    if points_back(board, work, side, other) or points_back(board, work, other, side):
        return LOOP
    if not supports(game, work, seat, side) and not supports(game, work, seat, other):
        return NOT_SUPPORTED
    return OK


# --- what a placement needs (rules 8.2 to 8.7) -----------------------------------------------------------


@kernel
def find_placement(game: np.record, hex_index: int, pattern: int) -> int:
    """What a placement of the pattern would be as to shape: NEW, IMPROVEMENT, REDIRECTION, or NONE (rule 8.2)."""
    lying = game.pattern[hex_index]
    return NEW if lying == NONE else int(PLACEMENT[lying, pattern])


@kernel
def placement_cost(game: np.record, board: np.record, hex_index: int, pattern: int) -> int:
    """Dollars for the tile: its exits, the town, and for a new one the terrain (rule 8.6)."""
    cost = int(NUM_EXITS[pattern])
    if board.hex_stop[hex_index] != NONE:
        cost += TOWN_COST
    if game.pattern[hex_index] == NONE:
        cost += int(board.terrain_cost[hex_index])
    return cost


@kernel
def family_problem(game: np.record, board: np.record, hex_index: int, pattern: int) -> int:
    """Why a pattern of this family cannot lie on the hex, ``OK`` if it can (rules 2.3, 8.2)."""
    stop = int(board.hex_stop[hex_index])
    if is_city(game, stop):
        return ON_CITY
    if stop != NONE:
        return OK if pattern >= FIRST_TOWN else NOT_FOR_TOWNS
    return OK if pattern < FIRST_TOWN else ONLY_FOR_TOWNS


@kernel
def change_problem(game: np.record, hex_index: int, pattern: int) -> int:
    """Why the track there cannot be changed like that by anybody, ``OK`` if it can (rule 8.2)."""
    if find_placement(game, hex_index, pattern) != NONE:
        return OK
    lying = game.pattern[hex_index]
    if lying == pattern:
        return SAME_PATTERN
    if pattern >= FIRST_TOWN and NUM_SEGMENTS[lying] == NUM_SEGMENTS[pattern]:
        return TOWN_NOT_REDIRECTED
    return NO_CHANGE_LIKE_THAT


@kernel
def slot_of(slots: int) -> int:
    """The lowest slot of a set that is not empty."""
    slot = 0
    while not has(slots, slot):
        slot += 1
    return slot


@kernel
def redirection_problem(
    game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, pattern: int
) -> int:
    """Why the seat may not turn the one segment that differs, ``OK`` if it may (rules 8.2 to 8.4).

    What lies at its inner edge is the rest of the link, or the stop that is its root.
    """
    lying = game.pattern[hex_index]
    old = slot_of(ADDED[pattern, lying])
    link = int(game.segment_link[hex_index, old])
    head = int(game.link_head[link])
    if is_complete(game, link) or game.link_hex[link] != hex_index or SLOT_AT[lying, head] != old:
        return NOT_LAST
    inner = int(OTHER_END[lying, head])
    if SLOT_AT[pattern, inner] != slot_of(ADDED[lying, pattern]):
        return NOT_LAST
    if game.link_owner[link] != seat and game.link_owner[link] != NOBODY:
        return NOT_OWN
    return segment_problem(game, board, work, seat, inner, OTHER_END[pattern, inner])


@kernel
def addition_problem(
    game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, pattern: int
) -> int:
    """Why the seat may not add the segments that are new, ``OK`` if it may (rules 8.3, 8.4).

    Each must be right by itself; on a town hex it is enough that one of them is supported (rule 8.3 d).
    """
    lying = game.pattern[hex_index]
    supported = 0
    unsupported = 0
    for slot in range(NUM_SEGMENTS[pattern]):
        if lying != NONE and not has(ADDED[lying, pattern], slot):
            continue
        problem = segment_problem(game, board, work, seat, ENDS[pattern, slot, 0], ENDS[pattern, slot, 1])
        if problem == OK:
            supported += 1
        elif problem == NOT_SUPPORTED:
            unsupported += 1
        else:
            return problem
    if unsupported > 0 and (pattern < FIRST_TOWN or supported == 0):
        return NOT_SUPPORTED
    return OK


@kernel
def count_new_links(game: np.record, work: np.record, hex_index: int, pattern: int) -> int:
    """How many links more there are after new segments are added (rule 2.7); after ``look_around``."""
    lying = game.pattern[hex_index]
    count = 0
    for slot in range(NUM_SEGMENTS[pattern]):
        if lying != NONE and not has(ADDED[lying, pattern], slot):
            continue
        count += 1
        for end in range(2):
            count -= 1 if work.side_class[ENDS[pattern, slot, end]] in (OWN_LINK, UNOWNED_LINK) else 0
    return count


@kernel
def stock_problem(game: np.record, board: np.record, hex_index: int, pattern: int) -> int:
    """Why there is no tile for it, ``OK`` if there is one; the tile that lies there goes back first (rule 2.5)."""
    if game.unlimited:
        return OK
    kind = board.kind[pattern]
    lying = game.pattern[hex_index]
    returned = 1 if lying != NONE and board.kind[lying] == kind else 0
    return OK if game.stock[kind] + returned > 0 else NO_TILE


@kernel
def placement_problem(
    game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, pattern: int
) -> int:
    """Why the seat may not make the placement, ``OK`` if it may (rule 8.7); after ``look_around``."""
    problem = family_problem(game, board, hex_index, pattern)
    if problem == OK:
        problem = change_problem(game, hex_index, pattern)
    if problem != OK:
        return problem
    if find_placement(game, hex_index, pattern) == REDIRECTION:
        problem = redirection_problem(game, board, work, seat, hex_index, pattern)
    else:
        problem = addition_problem(game, board, work, seat, hex_index, pattern)
        if problem == OK and game.num_links + count_new_links(game, work, hex_index, pattern) > MAX_LINKS:
            return TOO_MANY_LINKS
    if problem == OK:
        problem = stock_problem(game, board, hex_index, pattern)
    if problem == OK:
        work.cost = placement_cost(game, board, hex_index, pattern)
        return OK if work.cost <= find_budget(game, seat) else CANNOT_PAY
    return problem


@kernel
def find_followers(game: np.record, board: np.record, hex_index: int) -> int:
    """The row of ``FOLLOWERS`` for what lies on a land hex."""
    lying = int(game.pattern[hex_index])
    if lying != NONE:
        return LYING + lying
    return EMPTY_LAND if board.hex_stop[hex_index] == NONE else EMPTY_TOWN


@kernel
def hex_problem(game: np.record, board: np.record, work: np.record, seat: int, hex_index: int) -> int:
    """Why the seat may make no placement on the hex, ``OK`` if it may make one: of all tiles the nearest one's."""
    if is_city(game, int(board.hex_stop[hex_index])):
        return ON_CITY
    look_around(game, board, work, seat, hex_index)
    row = find_followers(game, board, hex_index)
    nearest = NO_CHANGE_LIKE_THAT
    for number in range(NUM_FOLLOWERS[row]):
        problem = placement_problem(game, board, work, seat, hex_index, FOLLOWERS[row, number])
        if problem == OK:
            return OK
        nearest = max(nearest, problem)
    return nearest


# --- what a placement does ---------------------------------------------------------------------------------


@kernel
def change_stock(game: np.record, board: np.record, pattern: int, change: int) -> None:
    """Take a tile with the pattern out of the stock (-1), or put it back (1); NONE is no tile."""
    if pattern != NONE and not game.unlimited:
        game.stock[board.kind[pattern]] += change


@kernel
def put_pattern(game: np.record, work: np.record, hex_index: int, pattern: int) -> None:
    """Lay a tile over what lies there: old segments keep their links, new ones have none yet."""
    lying = int(game.pattern[hex_index])
    for slot in range(MAX_SLOTS):
        work.slot_link[slot] = game.segment_link[hex_index, slot]
        game.segment_link[hex_index, slot] = 0
    game.pattern[hex_index] = pattern
    if lying == NONE:
        return
    for slot in range(NUM_SEGMENTS[pattern]):
        if not has(ADDED[lying, pattern], slot):
            before = SLOT_AT[lying, ENDS[pattern, slot, 0]]
        elif PLACEMENT[lying, pattern] == REDIRECTION:
            before = slot_of(ADDED[pattern, lying])
        else:
            continue
        game.segment_link[hex_index, slot] = work.slot_link[before]


@kernel
def place_tile(game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, pattern: int) -> None:
    """Make a legal placement: pay, lay the tile, and take the links that it begins, extends or completes (rule 8.5)."""
    lying = int(game.pattern[hex_index])
    what = find_placement(game, hex_index, pattern)
    cost = placement_cost(game, board, hex_index, pattern)
    slots = (1 << int(NUM_SEGMENTS[pattern])) - 1 if lying == NONE else int(ADDED[lying, pattern])
    pay(game, work, seat, cost)
    emit(work, TRACK_LAID, seat, hex_index, lying, pattern, what, cost)
    change_stock(game, board, lying, 1)
    change_stock(game, board, pattern, -1)
    begin_tracing(game, work, hex_index, slots, what == REDIRECTION)
    put_pattern(game, work, hex_index, pattern)
    trace_links(game, board, work, seat)
    game.placements_left -= 1
    for slot in range(NUM_SEGMENTS[pattern]):
        link = int(game.segment_link[hex_index, slot])
        if has(slots, slot) and is_complete(game, link):
            emit(work, LINK_COMPLETED, seat, int(game.link_from[link]), int(game.link_to[link]))
