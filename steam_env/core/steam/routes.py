"""Rules 9.3 to 9.6: the routes of cubes over complete links."""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.links import is_city, is_complete
from steam_env.core.steam.state import NUM_CLASSES, NUM_COLORS, UNOWNED_CLASS

# --- complete links as a graph ------------------------------------------------------------------------


@kernel
def class_of(owner: int) -> int:
    """The class of an owner: seats, then nobody."""
    return UNOWNED_CLASS if owner < 0 else owner


@kernel
def survey_links(game: np.record, board: np.record, work: np.record) -> None:
    """Note for each stop where its complete links lead and whose they are; parallel ones of one owner are one way."""
    for stop in range(board.num_stops):
        work.degree[stop] = 0
    for link in range(game.num_links):
        if is_complete(game, link):
            first, second = int(game.link_from[link]), int(game.link_to[link])
            owner = class_of(int(game.link_owner[link]))
            add_way(work, first, second, owner)
            add_way(work, second, first, owner)


@kernel
def add_way(work: np.record, here: int, there: int, owner: int) -> None:
    """Add one way out of a stop."""
    for way in range(work.degree[here]):
        if work.near_stop[here, way] == there and work.near_class[here, way] == owner:
            work.near_count[here, way] += 1
            return
    way = work.degree[here]
    work.near_stop[here, way] = there
    work.near_class[here, way] = owner
    work.near_count[here, way] = 1
    work.degree[here] += 1


# --- the route being tried --------------------------------------------------------------------------------


@kernel
def was_entered(work: np.record, depth: int, stop: int) -> bool:
    """Whether the route has been at the stop, its first one included."""
    for at in range(depth + 1):
        if work.path_stop[at] == stop:
            return True
    return False


@kernel
def count_uses(work: np.record, depth: int, here: int, there: int, owner: int) -> int:
    """How many links of the owner between two stops the route uses."""
    uses = 0
    for at in range(depth):
        first, second = work.path_stop[at], work.path_stop[at + 1]
        joins = (first == here and second == there) or (first == there and second == here)
        uses += 1 if joins and work.path_class[at] == owner else 0
    return uses


@kernel
def may_enter(game: np.record, work: np.record, depth: int, way: int) -> bool:
    """Whether the route may go on by a way of its last stop: no stop twice (rule 9.4).

    With the option ``towns_twice`` towns may be, but no link.
    """
    here = work.path_stop[depth]
    there = work.near_stop[here, way]
    if not was_entered(work, depth, there):
        return True
    if not game.towns_twice or is_city(game, there):
        return False
    return count_uses(work, depth, here, there, work.near_class[here, way]) < work.near_count[here, way]


@kernel
def most_of_others(work: np.record, seat: int) -> int:
    """The most links of the route that any one other seat owns; nobody's do not count (rule 9.6)."""
    most = 0
    for other in range(UNOWNED_CLASS):
        if other != seat:
            most = max(most, work.tally[other])
    return most


@kernel
def is_allowed(work: np.record, seat: int) -> bool:
    """Whether the route has own links enough: one, and as many as any one other seat (rule 9.6)."""
    return work.tally[seat] > 0 and work.tally[seat] >= most_of_others(work, seat)


@kernel
def can_become_allowed(work: np.record, seat: int, links_left: int) -> bool:
    """Whether so many own links more would be enough."""
    return work.tally[seat] + links_left >= max(most_of_others(work, seat), 1)


@kernel
def go_on(game: np.record, work: np.record, seat: int, depth: int, way: int) -> bool:
    """Lengthen the route by a way of its last stop, if it may go there and can still become allowed."""
    if not may_enter(game, work, depth, way):
        return False
    here = work.path_stop[depth]
    owner = work.near_class[here, way]
    work.tally[owner] += 1
    if not can_become_allowed(work, seat, int(game.level[seat]) - depth - 1):
        work.tally[owner] -= 1
        return False
    work.path_class[depth] = owner
    work.path_stop[depth + 1] = work.near_stop[here, way]
    return True


@kernel
def colors_left(game: np.record, work: np.record, seat: int, depth: int, colors: int) -> tuple[int, int]:
    """(colours whose cubes end at the route's last stop and may, colours whose cubes can go on)."""
    color = int(game.city_color[work.path_stop[depth]])
    if color == NONE or not has(colors, color):
        return 0, colors
    return (bit(color) if is_allowed(work, seat) else 0), colors & ~bit(color)


@kernel
def find_deliverable(game: np.record, work: np.record, seat: int, start: int, colors: int) -> int:
    """Bits of the colours, out of ``colors``, whose cubes can be delivered on a route that begins as the one tried.

    The route has ``start`` links so far. A depth-first search; a cube ends in the first city of its colour (rule 9.4).
    """
    found = 0
    depth = start
    work.next_try[depth] = 0
    work.under_way[depth] = colors
    while True:
        here = work.path_stop[depth]
        way = work.next_try[depth]
        open_colors = work.under_way[depth] & ~found
        if open_colors == 0 or depth >= game.level[seat] or way >= work.degree[here]:
            if depth == start:
                return found
            depth -= 1
            work.tally[work.path_class[depth]] -= 1
            continue
        work.next_try[depth] += 1
        if go_on(game, work, seat, depth, way):
            depth += 1
            ended, going = colors_left(game, work, seat, depth, open_colors)
            found |= ended
            work.next_try[depth] = 0
            work.under_way[depth] = going


# --- what the decisions ask ---------------------------------------------------------------------------------


@kernel
def colors_in(game: np.record, stop: int) -> int:
    """Bits of the colours of the cubes in a city."""
    colors = 0
    for color in range(NUM_COLORS):
        if game.cubes[stop, color] > 0:
            colors |= bit(color)
    return colors


@kernel
def find_movable(game: np.record, work: np.record, seat: int, stop: int) -> int:
    """Bits of the colours of which a cube in the city has a route; after ``survey_links``."""
    colors = colors_in(game, stop)
    if colors == 0 or work.degree[stop] == 0:
        return 0
    work.tally[:] = 0
    work.path_stop[0] = stop
    return find_deliverable(game, work, seat, 0, colors)


@kernel
def set_route(game: np.record, work: np.record) -> None:
    """Begin the route being tried as the cube under way has gone so far."""
    work.tally[:] = 0
    for at in range(game.hops + 1):
        work.path_stop[at] = game.route_stop[at]
    for at in range(game.hops):
        work.path_class[at] = class_of(int(game.route_owner[at]))
        work.tally[work.path_class[at]] += 1


@kernel
def leads_on(game: np.record, work: np.record, seat: int, way: int) -> bool:
    """Whether a legal route of the cube under way goes on by a way of its last stop; after ``set_route``."""
    depth = int(game.hops)
    if depth >= game.level[seat] or not go_on(game, work, seat, depth, way):
        return False
    ended, going = colors_left(game, work, seat, depth + 1, bit(int(game.color)))
    found = ended
    if going != 0:
        found |= find_deliverable(game, work, seat, depth + 1, going)
    work.tally[work.path_class[depth]] -= 1
    return found != 0


@kernel
def find_classes(game: np.record, work: np.record, seat: int, stop: int) -> int:
    """Bits of the owners over whose links the cube under way may legally go to the stop; after ``set_route``."""
    here = int(game.route_stop[game.hops])
    classes = 0
    for way in range(work.degree[here]):
        if work.near_stop[here, way] == stop and leads_on(game, work, seat, way):
            classes |= bit(work.near_class[here, way])
    return classes


@kernel
def has_way(work: np.record, here: int, there: int) -> bool:
    """Whether a complete link joins two stops; after ``survey_links``."""
    for way in range(work.degree[here]):
        if work.near_stop[here, way] == there:
            return True
    return False


@kernel
def class_after(game: np.record, seat: int, steps: int) -> int:
    """The owner so many seats after the mover, itself 0."""
    return (seat + steps) % int(game.num_seats)


@kernel
def clear_route(game: np.record) -> None:
    """Forget the cube under way."""
    game.color = NONE
    game.hops = 0
    game.next_stop = NONE
    game.route_stop[:] = NONE
    game.route_owner[:] = NONE


@kernel
def count_tally(game: np.record, work: np.record) -> None:
    """Count the links of the cube under way by owner: what each seat gets points for (rule 9.8)."""
    for owner in range(NUM_CLASSES):
        work.tally[owner] = 0
    for at in range(game.hops):
        work.tally[class_of(int(game.route_owner[at]))] += 1
