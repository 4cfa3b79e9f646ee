"""How many tiles it takes an Automa to reach each group: a search by layers (rule 8.11)."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam_power.tiles import FAR_EDGES
from steam_env.core.steam_power.track import far_edges, kinds_at_hand

FAR = 1 << 40


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
    """Bits of the edges by which a tile may be entered whose far edge is ``exit_edge``: the inverse of ``exits_of``."""
    if board.cost[hex_index] == NONE or game.track[hex_index, 1] != NONE:
        return 0
    if not has(board.open_edges[hex_index] & ~game.met[hex_index], exit_edge):
        return 0
    return int(FAR_EDGES[work.kinds, game.track[hex_index, 0] + 1, exit_edge])  # a tile can be turned round


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
def leave_city(board: np.record, work: np.record, layer: int, city: int, links: int) -> None:
    """Begin a link at the city over every edge."""
    for edge in range(NUM_EDGES):
        beyond = board.neighbour[board.city_hex[city], edge]
        if beyond != NONE and board.cost[beyond] != NONE:
            offer_state(work, layer, int(beyond) * NUM_EDGES + opposite(edge), links)


@kernel
def leave_group(board: np.record, work: np.record, layer: int, group: int, links: int) -> None:
    """Begin a link at every city of the group."""
    for city in range(board.num_cities):
        if board.group[city] == group:
            leave_city(board, work, layer, city, links)


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
def begin_ways(game: np.record, board: np.record, work: np.record, starts: int) -> None:
    """Begin to measure ``work.group_tiles``, fewest tiles of a way from the start cities: the first of all ways."""
    work.kinds = kinds_at_hand(game, NONE)
    work.seen_links[: board.num_hexes * NUM_EDGES] = FAR
    work.next_links[: board.num_hexes * NUM_EDGES] = FAR
    work.group_tiles[:] = NONE
    work.group_links[:] = FAR
    work.ways_size[:] = 0
    work.ways_tiles = 0
    for city in range(board.num_cities):
        if has(starts, city):
            leave_city(board, work, 0, city, 1)
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
