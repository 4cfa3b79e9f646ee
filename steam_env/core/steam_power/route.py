"""Rule 8.11: the search for an Automa's path.

A *way* is a walk over states (hex, edge entered by): each tile on it is legal now, judged alone and
whatever it costs; cities on the way take no tile. A *path* is a way that uses no hex twice. The
shortest ways say how many tiles a path to a group has (``begin_ways``, ``extend_ways``: one tile further
at a time, as most targets are near); of the paths with so many
tiles the best is found by depth-first search in the marker's order (``find_path``), which the worth of
the shortest ways to the target guides (``measure_togo``).

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
from steam_env.core.steam_power.tiles import FAR_EDGES
from steam_env.core.steam_power.track import far_edges, kinds_at_hand, placement_cost

DOLLAR = 64  # more than any number of stops: cost comes before stops
FAR = 1 << 40


class Search(NamedTuple):
    """What paths are looked for."""

    corner: int  # where the direction marker is
    network: int  # groups that a path may start from
    target: int  # the group that it ends in
    max_links: int  # trains left
    tiles: int  # that it takes exactly
    guided: bool  # whether shortest ways have as many, so that their worths bound the paths'


@kernel
def exits_of(game: np.record, board: np.record, work: np.record, hex_index: int, entry: int) -> int:
    """Bits of the far edges that a tile entered by ``entry`` may have now, whatever it costs.

    The city that the link started from is not looked at: no shortest way leads back to it.
    """
    if board.cost[hex_index] == NONE or game.track[hex_index, 1] != NONE:
        return 0
    return far_edges(game, board, int(work.kinds), hex_index, game.track[hex_index, 0], entry)


@kernel
def entries_of(game: np.record, board: np.record, work: np.record, hex_index: int, exit_edge: int) -> int:
    """Bits of the edges by which a tile may be entered whose far edge is ``exit_edge``: ``exits_of`` from behind."""
    if board.cost[hex_index] == NONE or game.track[hex_index, 1] != NONE:
        return 0
    if not has(board.open_edges[hex_index] & ~game.met[hex_index], exit_edge):
        return 0
    return int(FAR_EDGES[work.kinds, game.track[hex_index, 0] + 1, exit_edge])  # a tile can be turned round


# --- how many tiles it takes -----------------------------------------------------------------------


@kernel
def offer_state(work: np.record, layer: int, state: int, links: int) -> None:
    """Reach a state with so many links in the next layer, if no way before had as few."""
    if links >= work.seen_links[state] or links >= work.next_links[state]:
        return
    if work.next_links[state] == FAR:
        work.ways_front[layer, work.ways_size[layer]] = state
        work.ways_size[layer] += 1
    work.next_links[state] = links


@kernel
def leave_group(board: np.record, work: np.record, layer: int, group: int, links: int) -> None:
    """Begin a link at every city of the group over every edge."""
    for city in range(board.num_cities):
        if board.group[city] == group:
            for edge in range(NUM_EDGES):
                beyond = board.neighbour[board.city_hex[city], edge]
                if beyond != NONE and board.cost[beyond] != NONE:
                    offer_state(work, layer, int(beyond) * NUM_EDGES + opposite(edge), links)


@kernel
def close_layer(work: np.record, layer: int) -> None:
    """Fix the links of the states that were reached in this layer."""
    for index in range(work.ways_size[layer]):
        state = work.ways_front[layer, index]
        links = work.next_links[state]
        work.ways_links[layer, index] = links
        work.seen_links[state] = links
        work.next_links[state] = FAR


@kernel
def begin_ways(game: np.record, board: np.record, work: np.record, network: int) -> None:
    """Begin to measure ``work.group_tiles``, fewest tiles of a way from the network: the first tiles of all ways."""
    work.kinds = kinds_at_hand(game, NONE)
    work.seen_links[: board.num_hexes * NUM_EDGES] = FAR
    work.next_links[: board.num_hexes * NUM_EDGES] = FAR
    work.group_tiles[:] = NONE
    work.group_links[:] = FAR
    work.ways_size[:] = 0
    work.ways_tiles = 0
    for group in range(board.num_cities):
        if has(network, group):
            leave_group(board, work, 0, group, 1)
    close_layer(work, 0)


@kernel
def extend_ways(game: np.record, board: np.record, work: np.record, network: int, max_links: int) -> bool:
    """Measure the ways of one tile more, with at most ``max_links`` links; False if there are none."""
    tiles = int(work.ways_tiles) + 1
    layer = (tiles - 1) % 2
    if work.ways_size[layer] == 0:
        return False
    work.ways_tiles = tiles
    work.ways_size[1 - layer] = 0
    for index in range(work.ways_size[layer]):
        state = int(work.ways_front[layer, index])
        links = int(work.ways_links[layer, index])
        spread_from(game, board, work, network, max_links, 1 - layer, state, links, tiles)
    close_layer(work, 1 - layer)
    return True


@kernel
def spread_from(
    game: np.record,
    board: np.record,
    work: np.record,
    network: int,
    max_links: int,
    layer: int,
    state: int,
    links: int,
    tiles: int,
) -> None:
    """Lay a tile in this state: reach the hexes and groups where its far edges lead."""
    hex_index = state // NUM_EDGES
    exits = exits_of(game, board, work, hex_index, state % NUM_EDGES)
    for edge in range(NUM_EDGES):
        if not has(exits, edge):
            continue
        beyond = int(board.neighbour[hex_index, edge])
        city = board.hex_city[beyond]
        if city == NONE:
            offer_state(work, layer, beyond * NUM_EDGES + opposite(edge), links)
            continue
        group = int(board.group[city])
        if has(network, group):
            continue
        if work.group_tiles[group] == NONE:
            work.group_tiles[group] = tiles
        if links < work.group_links[group]:
            work.group_links[group] = links
            if links < max_links:
                leave_group(board, work, layer, group, links + 1)


# --- what the shortest ways to a target are worth ------------------------------------------------------


@kernel
def offer_togo(work: np.record, layer: int, state: int, tiles: int, worth: int) -> None:
    """From this state the target is so many tiles away, for so much."""
    if work.togo[state] == NONE:
        work.togo[state] = tiles
        work.togo_worth[state] = worth
        work.front[layer, work.front_size[layer]] = state
        work.front_size[layer] += 1
    elif work.togo[state] == tiles:
        work.togo_worth[state] = min(work.togo_worth[state], worth)


@kernel
def reach_back(
    game: np.record,
    board: np.record,
    work: np.record,
    layer: int,
    hex_index: int,
    exit_edge: int,
    tiles: int,
    worth: int,
) -> None:
    """Every tile on the hex whose far edge may be ``exit_edge`` leads on to what is worth ``worth``."""
    if hex_index == NONE:
        return
    entries = entries_of(game, board, work, hex_index, exit_edge)
    if entries == 0:
        return
    cost = placement_cost(game, board, hex_index) * DOLLAR
    for entry in range(NUM_EDGES):
        if has(entries, entry):
            offer_togo(work, layer, hex_index * NUM_EDGES + entry, tiles, worth + cost)


@kernel
def reach_back_from_group(
    game: np.record, board: np.record, work: np.record, layer: int, group: int, tiles: int, worth: int
) -> None:
    """``reach_back`` for every tile that may lead into a city of the group."""
    for city in range(board.num_cities):
        if board.group[city] == group:
            for edge in range(NUM_EDGES):
                before = int(board.neighbour[board.city_hex[city], edge])
                reach_back(game, board, work, layer, before, opposite(edge), tiles, worth)


@kernel
def measure_togo(
    game: np.record, board: np.record, work: np.record, network: int, target: int, most_tiles: int
) -> None:
    """Write ``togo`` and ``group_togo`` with their worths, up to ``most_tiles`` from the target group."""
    work.togo[: board.num_hexes * NUM_EDGES] = NONE
    work.group_togo[:] = NONE
    work.group_worth[:] = FAR
    work.front_size[:] = 0
    work.group_togo[target] = 0
    work.group_worth[target] = 0
    layer = 0
    reach_back_from_group(game, board, work, layer, target, 1, 0)
    for tiles in range(1, most_tiles):
        work.front_size[1 - layer] = 0
        for index in range(work.front_size[layer]):
            state = int(work.front[layer, index])
            note_group_behind(board, work, network, state, tiles)
        for index in range(work.front_size[layer]):
            state = int(work.front[layer, index])
            hex_index = state // NUM_EDGES
            entry = state % NUM_EDGES
            before = int(board.neighbour[hex_index, entry])
            worth = int(work.togo_worth[state])
            reach_back(game, board, work, 1 - layer, before, opposite(entry), tiles + 1, worth)
        for group in range(board.num_cities):
            if work.group_togo[group] == tiles:
                worth = int(work.group_worth[group]) - 1  # one stop more
                reach_back_from_group(game, board, work, 1 - layer, group, tiles + 1, worth)
        layer = 1 - layer


@kernel
def note_group_behind(board: np.record, work: np.record, network: int, state: int, tiles: int) -> None:
    """If a link may begin with this state at a city, its group is as far from the target."""
    before = board.neighbour[state // NUM_EDGES, state % NUM_EDGES]
    if before == NONE or board.hex_city[before] == NONE:
        return
    group = int(board.group[board.hex_city[before]])
    if has(network, group):
        return
    if work.group_togo[group] == NONE:
        work.group_togo[group] = tiles
    if work.group_togo[group] == tiles:
        work.group_worth[group] = min(work.group_worth[group], work.togo_worth[state])


# --- the best path -----------------------------------------------------------------------------------------


@kernel
def find_path(
    game: np.record,
    board: np.record,
    work: np.record,
    corner: int,
    network: int,
    target: int,
    max_links: int,
) -> bool:
    """Write the best path to the target group (rule 8.11); False if there is none.

    The ways to it must have been measured. The first search takes only ways that are worth as much as the
    best of all shortest ways; where none of those is a path, the second one compares all.
    """
    tiles = int(work.group_tiles[target])
    if tiles == NONE:
        return False
    measure_togo(game, board, work, network, target, tiles)
    guided, best_worth = best_start(board, work, network, tiles)
    search = Search(corner, network, target, max_links, tiles, guided)
    if guided and search_paths(game, board, work, search, best_worth, True):
        return True
    return search_paths(game, board, work, search, FAR, False)


@kernel
def best_start(board: np.record, work: np.record, network: int, tiles: int) -> tuple[bool, int]:
    """Whether shortest ways have ``tiles`` tiles, and the best worth of one.

    They may have fewer where the trains do not suffice for the links of the shortest.
    """
    worth = FAR
    for city in range(board.num_cities):
        if has(network, board.group[city]):
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
        start, start_rank = next_start(board, search.corner, search.network, start_rank)
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
    """Go on with the search from the node at ``depth`` to the next path; its last node, NONE if there is none."""
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
        start, start_rank = next_start(board, search.corner, search.network, start_rank)
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
    network: int,
    target: int,
    max_links: int,
) -> None:
    """Write the path found by ``find_path``, hex by hex, and which criterion decided for it."""
    tiles = int(work.path_tiles)
    guided, _ = best_start(board, work, network, tiles)
    search = Search(corner, network, target, max_links, tiles, guided)
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
def next_start(board: np.record, corner: int, network: int, after: int) -> tuple[int, int]:
    """The network's next city hex by the marker after rank ``after``, and its rank; NONE at the end."""
    found = NONE
    found_rank = FAR
    for city in range(board.num_cities):
        if has(network, board.group[city]):
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
    """The same for a way that enters a city of this group."""
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
