"""Rules 8.14 to 8.20: City Growth and Urbanization."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.events import CITY_GROWN, LINK_CLAIMED, LINK_COMPLETED, LINK_REMOVED, TOWN_URBANIZED, emit
from steam_env.core.steam.links import begin_tracing, is_city, link_at, trace_links
from steam_env.core.steam.reasons import (
    EMPTY_SPACE,
    EQUAL_SPACE,
    HAS_MARKER,
    NO_GROUP,
    NO_MARKER,
    NO_NEW_CITY,
    NO_SUCH_STOP,
    NOT_A_CITY,
    NOT_A_TOWN,
    NOTHING_TO_DO,
    OK,
)
from steam_env.core.steam.state import CITY_GROWTH, NOBODY, NUM_COLORS, NUM_SPACES, URBANIZATION
from steam_env.core.steam.tiles import MAX_SLOTS
from steam_env.core.steam.track import change_stock

# --- what there is ------------------------------------------------------------------------------------


@kernel
def count_group(game: np.record, space: int) -> int:
    """How many cubes a space of the Goods Supply has."""
    count = 0
    for color in range(NUM_COLORS):
        count += int(game.supply[space, color])
    return count


@kernel
def has_group(game: np.record) -> bool:
    """Whether a space of the Goods Supply has cubes."""
    for space in range(NUM_SPACES):
        if count_group(game, space) > 0:
            return True
    return False


@kernel
def has_marker(game: np.record, board: np.record, stop: int) -> bool:
    """Whether the city has a growth marker; a New City has one printed on it (rule 1.7)."""
    return bool(game.grown[stop]) or (is_city(game, stop) and board.stop_color[stop] == NONE)


@kernel
def can_grow_somewhere(game: np.record, board: np.record) -> bool:
    """Whether City Growth is possible: a group, a city without growth marker, and a marker (rules 6.3, 8.14)."""
    if game.markers <= 0 or not has_group(game):
        return False
    for stop in range(board.num_stops):
        if is_city(game, stop) and not has_marker(game, board, stop):
            return True
    return False


@kernel
def can_urbanize_somewhere(game: np.record, board: np.record) -> bool:
    """Whether Urbanization is possible: a town and a New City tile (rule 6.4)."""
    tiles = 0
    for color in range(NUM_COLORS):
        tiles += int(game.new_cities[color])
    if tiles == 0:
        return False
    for stop in range(board.num_stops):
        if not is_city(game, stop):
            return True
    return False


@kernel
def must_carry_out(game: np.record, board: np.record, seat: int) -> bool:
    """Whether the seat has paid for City Growth or Urbanization and can still do it (rule 8.14)."""
    if not game.to_do[seat]:
        return False
    if game.tile[seat] == CITY_GROWTH:
        return can_grow_somewhere(game, board)
    return can_urbanize_somewhere(game, board)


# --- what is possible -----------------------------------------------------------------------------------


@kernel
def grow_problem(game: np.record, board: np.record, seat: int, stop: int) -> int:
    """Why the seat may not grow the city, ``OK`` if it may (rule 8.15)."""
    if stop >= board.num_stops:
        return NO_SUCH_STOP
    if not game.to_do[seat] or game.tile[seat] != CITY_GROWTH:
        return NOTHING_TO_DO
    if not is_city(game, stop):
        return NOT_A_CITY
    if has_marker(game, board, stop):
        return HAS_MARKER
    if game.markers <= 0:
        return NO_MARKER
    return OK if has_group(game) else NO_GROUP


@kernel
def urbanize_problem(game: np.record, board: np.record, seat: int, stop: int) -> int:
    """Why the seat may not urbanize the town, ``OK`` if it may (rule 8.16)."""
    if stop >= board.num_stops:
        return NO_SUCH_STOP
    if not game.to_do[seat] or game.tile[seat] != URBANIZATION:
        return NOTHING_TO_DO
    if is_city(game, stop):
        return NOT_A_TOWN
    return OK if can_urbanize_somewhere(game, board) else NO_NEW_CITY


@kernel
def new_city_problem(game: np.record, color: int) -> int:
    """Why the New City may not have the colour, ``OK`` if it may (rule 8.16)."""
    return OK if game.new_cities[color] > 0 else NO_NEW_CITY


@kernel
def find_equal_space(game: np.record, space: int) -> int:
    """The first space with the same cubes: it is the same choice (rule 8.20)."""
    for first in range(space):
        same = True
        for color in range(NUM_COLORS):
            same = same and game.supply[first, color] == game.supply[space, color]
        if same:
            return first
    return space


@kernel
def space_problem(game: np.record, space: int) -> int:
    """Why the space is not offered, ``OK`` if it is (rule 8.20)."""
    if count_group(game, space) == 0:
        return EMPTY_SPACE
    return OK if find_equal_space(game, space) == space else EQUAL_SPACE


# --- what happens -----------------------------------------------------------------------------------------


@kernel
def move_group(game: np.record, space: int, stop: int) -> None:
    """Put all cubes of a space into a city (rules 8.15, 8.16)."""
    for color in range(NUM_COLORS):
        game.cubes[stop, color] += game.supply[space, color]
        game.supply[space, color] = 0


@kernel
def grow_city(game: np.record, work: np.record, seat: int, stop: int, space: int) -> None:
    """Carry out City Growth (rule 8.15)."""
    move_group(game, space, stop)
    game.grown[stop] = 1
    game.markers -= 1
    game.to_do[seat] = 0
    emit(work, CITY_GROWN, seat, stop, space)


@kernel
def urbanize_town(
    game: np.record, board: np.record, work: np.record, seat: int, stop: int, color: int, space: int
) -> None:
    """Carry out Urbanization (rules 8.16 to 8.19); ``space`` NONE: no group has a cube."""
    hex_index = int(board.stop_hex[stop])
    emit(work, TOWN_URBANIZED, seat, stop, color, space)
    for edge in range(NUM_EDGES):
        tell_removed_spur(game, board, work, seat, stop, hex_index, edge)
        complete_head(game, board, work, seat, stop, hex_index, edge)
    begin_tracing(game, work, NONE, 0, False)
    change_stock(game, board, int(game.pattern[hex_index]), 1)
    game.pattern[hex_index] = NONE
    for slot in range(MAX_SLOTS):
        game.segment_link[hex_index, slot] = 0
    game.city_color[stop] = color
    game.new_cities[color] -= 1
    trace_links(game, board, work, seat)
    if space != NONE:
        move_group(game, space, stop)
    game.to_do[seat] = 0


@kernel
def tell_removed_spur(
    game: np.record, board: np.record, work: np.record, seat: int, stop: int, hex_index: int, edge: int
) -> None:
    """Tell of a link that consists of one spur of the town's tile, which vanishes with it (rule 8.19)."""
    link = link_at(game, hex_index, edge)
    if link == NONE:
        return
    other = int(board.hex_stop[board.beyond[hex_index, edge]])
    leads_nowhere = game.link_hex[link] == hex_index and game.link_head[link] == edge
    if is_city(game, other):
        emit(work, LINK_REMOVED, seat, stop, other, int(game.link_owner[link]))
    elif leads_nowhere:
        emit(work, LINK_REMOVED, seat, stop, NONE, int(game.link_owner[link]))


@kernel
def complete_head(
    game: np.record, board: np.record, work: np.record, seat: int, stop: int, hex_index: int, edge: int
) -> None:
    """Give an unowned link whose head points at the town to the seat: the New City completes it (rule 8.18)."""
    beyond = int(board.beyond[hex_index, edge])
    if beyond == NONE or link_at(game, hex_index, edge) != NONE:
        return
    link = link_at(game, beyond, opposite(edge))
    if link == NONE:
        return
    root = int(game.link_from[link])
    if game.link_owner[link] == NOBODY:
        game.link_owner[link] = seat
        emit(work, LINK_CLAIMED, seat, root, stop)
    else:
        emit(work, LINK_COMPLETED, int(game.link_owner[link]), root, stop)
