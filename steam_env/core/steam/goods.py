"""Rule 9: moving cubes, improving the locomotive, and putting points down."""

import numpy as np

from steam_env.core.bits import count_members, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.events import (
    CUBE_CARRIED,
    CUBE_DELIVERED,
    ENGINE_IMPROVED,
    MOVE_BEGUN,
    POINTS_TO_INCOME,
    POINTS_TO_VP,
    emit,
)
from steam_env.core.steam.links import is_city
from steam_env.core.steam.order import seat_at
from steam_env.core.steam.reasons import (
    DEAD_END,
    ENTERED_TWICE,
    FULL_LEVEL,
    IMPROVED_ALREADY,
    INCOME_FULL,
    NO_CUBES,
    NO_LINK,
    NO_ROUTE,
    NO_ROUTE_FOR_COLOR,
    NO_SUCH_CUBE,
    NO_SUCH_STOP,
    NOT_ITS_LINK,
    OK,
)
from steam_env.core.steam.routes import (
    clear_route,
    colors_in,
    count_tally,
    find_classes,
    find_movable,
    has_way,
    set_route,
    survey_links,
    was_entered,
)
from steam_env.core.steam.state import CUBE, FIRST_MOVE, HOP, MAX_LEVEL, NOBODY, OVER, SCORE, UNOWNED_CLASS

# --- what is possible ---------------------------------------------------------------------------------


@kernel
def improve_problem(game: np.record, seat: int) -> int:
    """Why the seat may not improve its locomotive, ``OK`` if it may (rule 9.2)."""
    if game.level[seat] >= MAX_LEVEL:
        return FULL_LEVEL
    return IMPROVED_ALREADY if game.improved[seat] else OK


@kernel
def from_problem(game: np.record, board: np.record, work: np.record, seat: int, stop: int) -> int:
    """Why no cube of the city may move, ``OK`` if one may (rule 9.3); after ``survey_links``."""
    if stop >= board.num_stops:
        return NO_SUCH_STOP
    if colors_in(game, stop) == 0:
        return NO_CUBES
    return OK if find_movable(game, work, seat, stop) != 0 else NO_ROUTE


@kernel
def cube_problem(game: np.record, work: np.record, seat: int, color: int) -> int:
    """Why the cube of this colour may not move, ``OK`` if it may (rule 9.3); after ``survey_links``."""
    origin = int(game.route_stop[0])
    if game.cubes[origin, color] <= 0:
        return NO_SUCH_CUBE
    return OK if has(find_movable(game, work, seat, origin), color) else NO_ROUTE_FOR_COLOR


@kernel
def hop_problem(game: np.record, board: np.record, work: np.record, seat: int, stop: int) -> int:
    """Why the cube may not go to the stop, ``OK`` if it may (rules 9.3 to 9.6); after ``set_route``."""
    if stop >= board.num_stops:
        return NO_SUCH_STOP
    if not has_way(work, int(game.route_stop[game.hops]), stop):
        return NO_LINK
    if find_classes(game, work, seat, stop) != 0:
        return OK
    barred = not game.towns_twice or is_city(game, stop)
    return ENTERED_TWICE if barred and was_entered(work, int(game.hops), stop) else DEAD_END


@kernel
def over_problem(game: np.record, work: np.record, seat: int, owner: int) -> int:
    """Why the cube may not go over links of the owner, ``OK`` if it may (rule 9.10); after ``set_route``."""
    here, there = int(game.route_stop[game.hops]), int(game.next_stop)
    if has(find_classes(game, work, seat, there), owner):
        return OK
    for way in range(work.degree[here]):
        if work.near_stop[here, way] == there and work.near_class[here, way] == owner:
            return DEAD_END
    return NOT_ITS_LINK


@kernel
def income_problem(game: np.record, seat: int) -> int:
    """Why points may not go on income, ``OK`` if they may (rule 9.9)."""
    return OK if game.income[seat] < game.income_max else INCOME_FULL


# --- what happens -----------------------------------------------------------------------------------------


@kernel
def improve_engine(game: np.record, work: np.record, seat: int) -> None:
    """Improve the locomotive (rule 9.2)."""
    game.level[seat] += 1
    game.improved[seat] = 1
    emit(work, ENGINE_IMPROVED, seat, int(game.level[seat]))


@kernel
def begin_move(game: np.record, stop: int) -> None:
    """Choose the city of the cube."""
    game.route_stop[0] = stop
    game.phase = CUBE


@kernel
def choose_cube(game: np.record, work: np.record, color: int) -> None:
    """Choose the cube, which is under way then."""
    game.color = color
    game.phase = HOP
    emit(work, MOVE_BEGUN, int(game.seat), int(game.route_stop[0]), color)


@kernel
def choose_hop(game: np.record, board: np.record, work: np.record, seat: int, stop: int) -> bool:
    """Choose the next stop: over the links of the one owner, or ask whose of several; True at the end of the route."""
    survey_links(game, board, work)
    set_route(game, work)
    classes = find_classes(game, work, seat, stop)
    if count_members(classes) > 1:
        game.next_stop = stop
        game.phase = OVER
        return False
    owner = 0
    while not has(classes, owner):
        owner += 1
    return carry_over(game, work, seat, stop, owner)


@kernel
def carry_over(game: np.record, work: np.record, seat: int, stop: int, owner: int) -> bool:
    """Carry the cube over a link; True if it is in a city of its colour then, where it ends (rule 9.4)."""
    game.route_owner[game.hops] = NOBODY if owner == UNOWNED_CLASS else owner
    game.hops += 1
    game.route_stop[game.hops] = stop
    game.next_stop = NONE
    game.phase = HOP
    emit(work, CUBE_CARRIED, seat, stop, NOBODY if owner == UNOWNED_CLASS else owner)
    return game.city_color[stop] == game.color


@kernel
def deliver(game: np.record, work: np.record, seat: int) -> None:
    """End the route: the cube goes to the bag, and each link is a point for its owner (rules 9.7, 9.8)."""
    count_tally(game, work)
    color = int(game.color)
    game.cubes[game.route_stop[0], color] -= 1
    game.bag[color] += 1
    emit(work, CUBE_DELIVERED, seat, int(game.route_stop[game.hops]), color)
    for owner in range(game.num_seats):
        game.points[owner] = work.tally[owner]
    clear_route(game)
    game.phase = SCORE


@kernel
def next_scorer(game: np.record) -> int:
    """Who puts points down after ``seat``: the mover was first, the others follow along the order track (rule 9.8).

    NONE if nobody is left.
    """
    mover = seat_at(game, FIRST_MOVE, int(game.place))
    has_come = game.seat == mover
    for index in range(game.num_seats):
        other = int(game.order[index])
        if has_come and other != mover and game.points[other] > 0:
            return other
        has_come = has_come or other == game.seat
    return NONE


@kernel
def put_points(game: np.record, work: np.record, seat: int, on_income: bool) -> None:
    """Put all points of the move on income, whose surplus is lost, or all on VP (rules 9.8, 9.9)."""
    points = int(game.points[seat])
    if on_income:
        game.income[seat] = min(int(game.income[seat]) + points, int(game.income_max))
        emit(work, POINTS_TO_INCOME, seat, points, int(game.income[seat]))
    else:
        game.vp[seat] += points
        emit(work, POINTS_TO_VP, seat, points, int(game.vp[seat]))
