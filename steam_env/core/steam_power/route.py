"""Rule 8.11: the search for an Automa's path.

A *way* is a walk over states (hex, edge entered by): each tile on it is legal now, judged alone and
whatever it costs; cities on the way take no tile. A *path* is a way that uses no hex twice. The
shortest ways say how many tiles a path to a group has (``begin_ways``, ``extend_ways``: one tile further
at a time, as most targets are near). Of the paths with so many tiles the best is found by depth-first
search in the marker's order (``find_path``), which the worth of the shortest ways to the target guides
(``measure_togo``).

The *worth* of a way is its cost and then its stops, as one number that is the better the lower it is.
"""

from typing import NamedTuple

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import (
    BY_LOWEST_COST,
    BY_MARKER,
    BY_MOST_STOPS,
    BY_ONLY,
    PATH_CHOSEN,
    PATH_HEX,
    emit,
)
from steam_env.core.steam_power.marker import rank_by_marker
from steam_env.core.steam_power.route_ways import FAR, exits_of
from steam_env.core.steam_power.route_worth import DOLLAR, measure_togo
from steam_env.core.steam_power.track import placement_cost


class Search(NamedTuple):
    """Which paths a search looks for."""

    corner: int  # where the direction marker is
    starts: int  # cities that a path may leave first
    network: int  # groups that it may not lead into
    target: int  # the group that it ends in
    max_links: int  # trains left
    tiles: int  # that it takes exactly
    guided: bool  # whether shortest ways have as many, so that their worths bound the paths'


@kernel
def find_path(
    game: np.record,
    board: np.record,
    work: np.record,
    corner: int,
    starts: int,
    network: int,
    target: int,
    max_links: int,
) -> bool:
    """Find the best path to the target group and write it to ``work`` (rule 8.11); False if there is none.

    The ways to it must have been measured. The first search takes only ways that are worth as much as the
    best of all shortest ways; where none of those is a path, the second one compares all.
    """
    tiles = int(work.group_tiles[target])
    if tiles == NONE:
        return False
    measure_togo(game, board, work, network, target, tiles)
    guided, best_worth = best_start(board, work, starts, tiles)
    search = Search(corner, starts, network, target, max_links, tiles, guided)
    if guided and search_paths(game, board, work, search, best_worth, True):
        return True
    return search_paths(game, board, work, search, FAR, False)


@kernel
def best_start(board: np.record, work: np.record, starts: int, tiles: int) -> tuple[bool, int]:
    """Whether shortest ways have ``tiles`` tiles, and the best worth of one.

    They may have fewer where the trains do not suffice for the links of the shortest.
    """
    worth = FAR
    for city in range(board.num_cities):
        if has(starts, city):
            for edge in range(NUM_EDGES):
                beyond = board.neighbour[board.city_hex[city], edge]
                if beyond != NONE and board.cost[beyond] != NONE:
                    state = int(beyond) * NUM_EDGES + opposite(edge)
                    if work.togo[state] == tiles:
                        worth = min(worth, int(work.togo_worth[state]))
                    elif work.togo[state] != NONE and work.togo[state] < tiles:
                        return False, FAR
    return worth < FAR, worth


@kernel
def search_paths(
    game: np.record, board: np.record, work: np.record, search: Search, limit: int, first_is_best: bool
) -> bool:
    """Depth-first search in the marker's order for the best path of so many tiles that is worth at most ``limit``.

    ``first_is_best``: take the first one; otherwise go on for better ones (a later path of equal worth
    comes later by the marker).
    """
    work.used[: board.num_hexes] = 0
    work.path_size = 0
    start_rank = -FAR
    while True:
        start, start_rank = next_start(board, search.corner, search.starts, start_rank)
        if start == NONE:
            return work.path_size > 0
        depth = 0
        put_node(work, depth, start, NONE, 0, 0, 0)
        while depth >= 0:
            depth = grow_to_target(game, board, work, search, depth, limit)
            if depth >= 0:
                keep_path(work, depth, search.tiles)
                if first_is_best:
                    return True
                limit = int(work.node_worth[depth]) - 1
                depth -= 1


@kernel
def grow_to_target(game: np.record, board: np.record, work: np.record, search: Search, depth: int, limit: int) -> int:
    """Go on with the search from the node at ``depth`` to the next path; returns its last node, NONE if none."""
    while depth >= 0:
        if not grow_way(game, board, work, search, depth, limit):
            if work.node_entry[depth] != NONE:
                work.used[work.node_hex[depth]] = 0
            depth -= 1
            continue
        depth += 1
        city = board.hex_city[work.node_hex[depth]]
        if city != NONE and board.group[city] == search.target:
            return depth
    return NONE


@kernel
def is_alone(game: np.record, board: np.record, work: np.record, search: Search, limit: int) -> bool:
    """Whether the path found is the only one of its length that is worth at most ``limit``."""
    work.used[: board.num_hexes] = 0
    found = 0
    start_rank = -FAR
    while True:
        start, start_rank = next_start(board, search.corner, search.starts, start_rank)
        if start == NONE:
            return found == 1
        depth = 0
        put_node(work, depth, start, NONE, 0, 0, 0)
        while depth >= 0:
            depth = grow_to_target(game, board, work, search, depth, limit)
            if depth >= 0:
                found += 1
                if found > 1:
                    return False
                depth -= 1


@kernel
def tell_path(
    game: np.record,
    board: np.record,
    work: np.record,
    seat: int,
    corner: int,
    starts: int,
    network: int,
    target: int,
    max_links: int,
) -> None:
    """Write the path found by ``find_path``, hex by hex, and which criterion decided for it."""
    tiles = int(work.path_tiles)
    guided, _ = best_start(board, work, starts, tiles)
    search = Search(corner, starts, network, target, max_links, tiles, guided)
    dollars = int(work.path_cost) * DOLLAR
    why = BY_MARKER
    if is_alone(game, board, work, search, FAR):
        why = BY_ONLY
    elif is_alone(game, board, work, search, dollars):
        why = BY_LOWEST_COST
    elif is_alone(game, board, work, search, dollars - int(work.path_stops)):
        why = BY_MOST_STOPS
    emit(work, PATH_CHOSEN, seat, work.path_tiles, work.path_cost, work.path_stops, why)
    for index in range(work.path_size):
        here = int(work.path[index])
        cost = NONE if board.hex_city[here] != NONE else placement_cost(game, board, here)
        emit(work, PATH_HEX, seat, here, cost)


@kernel
def next_start(board: np.record, corner: int, starts: int, after: int) -> tuple[int, int]:
    """The next start city's hex by the marker after rank ``after``, and its rank; NONE at the end."""
    found = NONE
    found_rank = FAR
    for city in range(board.num_cities):
        if has(starts, city):
            rank = rank_by_marker(board, corner, int(board.city_hex[city]))
            if after < rank < found_rank:
                found = int(board.city_hex[city])
                found_rank = rank
    return found, found_rank


@kernel
def put_node(work: np.record, depth: int, hex_index: int, entry: int, tiles: int, links: int, worth: int) -> None:
    """Add a node to the way being tried."""
    work.node_hex[depth] = hex_index
    work.node_entry[depth] = entry
    work.node_tiles[depth] = tiles
    work.node_links[depth] = links
    work.node_worth[depth] = worth
    work.node_rank[depth] = -FAR
    if entry != NONE:
        work.used[hex_index] = 1


@kernel
def grow_way(game: np.record, board: np.record, work: np.record, search: Search, depth: int, limit: int) -> bool:
    """Add the next promising hex by the marker after this node; False if there is none left."""
    hex_index = int(work.node_hex[depth])
    entry = int(work.node_entry[depth])
    laid = int(work.node_tiles[depth])
    links = int(work.node_links[depth])
    worth = int(work.node_worth[depth])
    after = int(work.node_rank[depth])
    found = NONE
    found_rank = FAR
    found_entry = NONE
    found_worth = 0
    exits = exits_of(game, board, work, hex_index, entry) if entry != NONE else (1 << NUM_EDGES) - 1
    for edge in range(NUM_EDGES):
        if not has(exits, edge):
            continue
        beyond = int(board.neighbour[hex_index, edge])
        if beyond == NONE:
            continue
        rank = rank_by_marker(board, search.corner, beyond)
        if not after < rank < found_rank:
            continue
        city = int(board.hex_city[beyond])
        if city != NONE:
            # A city is entered by a tile; within a group one moves by ``next_member``.
            group = int(board.group[city])
            if entry == NONE or has(search.network, group):
                continue
            stopped = worth if group == search.target else worth - 1
            if not promises_group(work, search, group, laid, stopped, links, limit):
                continue
            found, found_rank, found_entry, found_worth = beyond, rank, NONE, stopped
            continue
        if board.cost[beyond] == NONE or work.used[beyond]:
            continue
        begun = links + 1 if entry == NONE else links
        state = beyond * NUM_EDGES + opposite(edge)
        if begun > search.max_links or not promises(work, search, state, laid, worth, begun, limit):
            continue
        cost = placement_cost(game, board, beyond) * DOLLAR
        found, found_rank, found_entry, found_worth = beyond, rank, opposite(edge), worth + cost
    member, member_rank = next_member(board, work, search.corner, depth, after)
    if member != NONE and member_rank < found_rank:
        found, found_rank, found_entry, found_worth = member, member_rank, NONE, worth
    if found == NONE:
        return False
    work.node_rank[depth] = found_rank
    if found_entry == NONE:
        put_node(work, depth + 1, found, NONE, laid, links, found_worth)
    else:
        begun = links + 1 if entry == NONE else links
        put_node(work, depth + 1, found, found_entry, laid + 1, begun, found_worth)
    return True


@kernel
def promises(work: np.record, search: Search, state: int, laid: int, worth: int, links: int, limit: int) -> bool:
    """Whether a way that goes on with this tile can be a path that is worth at most ``limit``."""
    return may_arrive(search, int(work.togo[state]), int(work.togo_worth[state]), laid, worth, links, limit)


@kernel
def promises_group(work: np.record, search: Search, group: int, laid: int, worth: int, links: int, limit: int) -> bool:
    """``promises`` for a way that enters a city of this group."""
    return may_arrive(search, int(work.group_togo[group]), int(work.group_worth[group]), laid, worth, links, limit)


@kernel
def may_arrive(search: Search, togo: int, togo_worth: int, laid: int, worth: int, links: int, limit: int) -> bool:
    """Whether so many tiles and so much worth still to come can make a path that is worth at most ``limit``."""
    if togo == NONE or laid + togo > search.tiles:
        return False
    if search.guided:
        return laid + togo == search.tiles and worth + togo_worth <= limit
    if togo == 0:
        return laid == search.tiles and worth <= limit
    return worth - (search.max_links - links) <= limit  # every link to come may end in a stop


@kernel
def next_member(board: np.record, work: np.record, corner: int, depth: int, after: int) -> tuple[int, int]:
    """Another city of the group that was just entered, from which the way may go on: the next by the marker."""
    if depth == 0 or work.node_entry[depth] != NONE or work.node_entry[depth - 1] == NONE:
        return NONE, FAR
    city = int(board.hex_city[work.node_hex[depth]])
    found = NONE
    found_rank = FAR
    for other in range(board.num_cities):
        if other != city and board.group[other] == board.group[city]:
            rank = rank_by_marker(board, corner, int(board.city_hex[other]))
            if after < rank < found_rank:
                found = int(board.city_hex[other])
                found_rank = rank
    return found, found_rank


@kernel
def keep_path(work: np.record, depth: int, tiles: int) -> None:
    """Keep the way being tried as the best path."""
    for index in range(depth + 1):
        work.path[index] = work.node_hex[index]
    work.path_size = depth + 1
    work.path_tiles = tiles
    worth = int(work.node_worth[depth])
    work.path_cost = (worth + DOLLAR - 1) // DOLLAR
    work.path_stops = work.path_cost * DOLLAR - worth
