"""The greedy player's search for track: shortest ways to all groups.

A state of the search is a tile's far edge: (hex, edge). Each tile costs effort: a constant for the placement
and its dollars. A way that comes into a city goes on from its group with a new link, so that a plan may lead
over several links. Each way remembers its first step only.
"""

import numpy as np

from steam_env.agents.greedy_memory import (
    add_start,
    begin_key,
    find_place,
    keep_pairs,
    keep_ways,
    recall_pairs,
    recall_ways,
)
from steam_env.agents.greedy_plan import (
    COUNTRY_LIMIT,
    DOLLARS,
    EDGE_STATES,
    EFFORT,
    FAR,
    FIRST,
    KEPT_PAIRS,
    KEPT_WAYS,
    OVER,
    PLACEMENTS,
    QUEUE,
    WAY_PARTS,
    Weights,
)
from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite, other_edge, pair_of, uses
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import HEAD_TO, REMOVE, REPLACE, START
from steam_env.core.steam_power.state import HEAD
from steam_env.core.steam_power.tiles import FAR_EDGES, tile_kind
from steam_env.core.steam_power.track import (
    far_edge_problem,
    kinds_at_hand,
    next_site,
    other_segment,
    placement_cost,
)


@kernel
def note_ground(game: np.record, board: np.record, plan: np.record) -> None:
    """Write over which edges a tile on each hex may lead on (rule 4.4), the link's own start aside."""
    for hex_index in range(board.num_hexes):
        has_room = board.cost[hex_index] != NONE and game.track[hex_index, 1] == NONE
        plan.exits[hex_index] = board.open_edges[hex_index] & ~game.met[hex_index] if has_room else 0


@kernel
def clear_ways(plan: np.record, limit: int) -> None:
    """Forget all ways."""
    plan.effort[:] = FAR
    plan.queued[:] = 0
    plan.reached[:] = 0
    plan.highest[:] = 0
    plan.group_ways[EFFORT, :] = FAR
    plan.queue_head = 0
    plan.queue_tail = 0
    plan.limit = limit


@kernel
def note_state(
    plan: np.record, state: int, effort: int, placements: int, dollars: int, first: int, origin: int, over: int
) -> None:
    """Keep a better way to a state, and queue the state to go on from it."""
    hex_index = state // EDGE_STATES
    plan.reached[hex_index] |= bit(state % EDGE_STATES)
    plan.highest[hex_index] = max(int(plan.highest[hex_index]), effort)
    plan.effort[state] = effort
    plan.placements[state] = placements
    plan.dollars[state] = dollars
    plan.first[state] = first
    plan.origin[state] = origin
    plan.over[state] = over
    if plan.queued[state] == 0:
        plan.queued[state] = 1
        plan.queue[plan.queue_tail & (QUEUE - 1)] = state
        plan.queue_tail += 1


@kernel
def lay_on(
    game: np.record,
    board: np.record,
    plan: np.record,
    hex_index: int,
    entry: int,
    effort: int,
    placements: int,
    dollars: int,
    first: int,
    origin: int,
    over: int,
    weights: Weights,
) -> None:
    """Extend a way by a tile on the hex entered by ``entry``; ``first`` NONE: that tile is its first step."""
    if hex_index == NONE:
        return
    edges = int(plan.exits[hex_index] & FAR_EDGES[plan.kinds, game.track[hex_index, 0] + 1, entry])
    if edges == 0:
        return
    cost = placement_cost(game, board, hex_index)
    total = effort + int(weights.placement) + cost
    if total > plan.limit or (edges & ~plan.reached[hex_index] == 0 and plan.highest[hex_index] <= total):
        return  # most tries end here: there are ways to all these edges, and none of them takes more
    for edge in range(NUM_EDGES):
        state = hex_index * EDGE_STATES + edge
        if not has(edges, edge) or plan.effort[state] <= total:
            continue
        city = int(board.hex_city[board.neighbour[hex_index, edge]])
        if city != NONE and city == origin:
            continue
        begun = HEAD_TO + edge if first == NONE else first
        note_state(plan, state, total, placements + 1, dollars + cost, begun, origin, over)


@kernel
def start_from(
    game: np.record,
    board: np.record,
    plan: np.record,
    group: int,
    effort: int,
    placements: int,
    dollars: int,
    first: int,
    over: int,
    weights: Weights,
) -> None:
    """Begin ways with a new link from any city of the group; ``first`` NONE: that start is the first step."""
    for city in range(board.num_cities):
        if board.group[city] != group:
            continue
        for edge in range(NUM_EDGES):
            hex_index = int(board.neighbour[board.city_hex[city], edge])
            begun = START + city * NUM_EDGES + edge if first == NONE else first
            lay_on(
                game, board, plan, hex_index, opposite(edge), effort, placements, dollars, begun, city, over, weights
            )


@kernel
def reach_group(game: np.record, board: np.record, plan: np.record, state: int, city: int, weights: Weights) -> None:
    """Note a way that leads into a city, and go on from its group with a new link."""
    seat = int(game.seat)
    group = int(board.group[city])
    if has(game.network[seat], group) or plan.effort[state] >= plan.group_ways[EFFORT, group]:
        return
    if plan.over[state] == group:
        return
    plan.group_ways[EFFORT, group] = plan.effort[state]
    plan.group_ways[PLACEMENTS, group] = plan.placements[state]
    plan.group_ways[DOLLARS, group] = plan.dollars[state]
    plan.group_ways[FIRST, group] = plan.first[state]
    plan.group_ways[OVER, group] = plan.over[state]
    if game.trains[seat] > 1:
        start_from(
            game,
            board,
            plan,
            group,
            int(plan.effort[state]),
            int(plan.placements[state]),
            int(plan.dollars[state]),
            int(plan.first[state]),
            group,
            weights,
        )


@kernel
def find_ways(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Find shortest ways from the states noted so far to all groups within the limit."""
    while plan.queue_head != plan.queue_tail:
        state = int(plan.queue[plan.queue_head & (QUEUE - 1)])
        plan.queue_head += 1
        plan.queued[state] = 0
        edge = state % EDGE_STATES
        beyond = int(board.neighbour[state // EDGE_STATES, edge])
        city = int(board.hex_city[beyond])
        if city != NONE:
            reach_group(game, board, plan, state, city, weights)
        else:
            lay_on(
                game,
                board,
                plan,
                beyond,
                opposite(edge),
                int(plan.effort[state]),
                int(plan.placements[state]),
                int(plan.dollars[state]),
                int(plan.first[state]),
                int(plan.origin[state]),
                int(plan.over[state]),
                weights,
            )


@kernel
def turn_tail(
    game: np.record,
    board: np.record,
    plan: np.record,
    hex_index: int,
    entry: int,
    exit_edge: int,
    removed: int,
    origin: int,
    weights: Weights,
) -> None:
    """Begin ways by turning a tile of the incomplete link, after ``removed`` later ones are taken back (rule 4.7)."""
    staying = other_segment(game, hex_index, pair_of(entry, exit_edge))
    total = (removed + 1) * int(weights.placement)
    for edge in range(NUM_EDGES):
        state = hex_index * EDGE_STATES + edge
        if edge in (entry, exit_edge) or plan.effort[state] <= total:
            continue
        kind = tile_kind(staying, pair_of(entry, edge))
        if kind == NONE or game.tiles[kind] <= 0:
            continue
        if far_edge_problem(game, board, hex_index, edge, origin) == 0:
            first = REPLACE + edge if removed == 0 else REMOVE
            note_state(plan, state, total, removed + 1, 0, first, origin, NONE)


@kernel
def begin_at_tail(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Begin ways at the incomplete link: go on, or turn or take back its last tiles (rules 4.2, 4.7, 4.8)."""
    seat = int(game.seat)
    hex_index = int(game.tail_hex[seat])
    entry = int(game.tail_entry[seat])
    exit_edge = int(game.tail_exit[seat])
    origin = int(game.link_start[game.tail_link[seat]])
    beyond = int(board.neighbour[hex_index, exit_edge])
    lay_on(game, board, plan, beyond, opposite(exit_edge), 0, 0, 0, NONE, origin, NONE, weights)
    removed = 0
    while True:
        turn_tail(game, board, plan, hex_index, entry, exit_edge, removed, origin, weights)
        if not mask[REMOVE]:
            return
        removed += 1
        before = int(board.neighbour[hex_index, entry])
        if board.hex_city[before] != NONE:
            break
        leads_here = opposite(entry)
        slot = 0 if uses(game.track[before, 0], leads_here) else 1
        entry = other_edge(game.track[before, slot], leads_here)
        hex_index = before
        exit_edge = leads_here
    begin_in_network(game, board, plan, removed, REMOVE, weights)


@kernel
def begin_in_network(
    game: np.record, board: np.record, plan: np.record, removed: int, first: int, weights: Weights
) -> None:
    """Begin ways with a new link from the network (rule 4.3), after ``removed`` tiles were taken back."""
    seat = int(game.seat)
    for group in range(board.num_cities):
        if has(game.network[seat], group):
            start_from(game, board, plan, group, removed * int(weights.placement), removed, 0, first, NONE, weights)


@kernel
def is_begun(game: np.record) -> bool:
    """Whether the mover has a link under way."""
    return bool(game.phase == HEAD or game.tail_link[game.seat] != NONE)


@kernel
def begin_ways(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Begin ways where the mover may go on: at the link under way, else in its network."""
    if game.phase == HEAD:
        hex_index, entry, origin = next_site(game, board, int(game.seat))
        lay_on(game, board, plan, hex_index, entry, 0, 0, 0, NONE, origin, NONE, weights)
    elif is_begun(game):
        begin_at_tail(game, board, plan, mask, weights)
    else:
        begin_in_network(game, board, plan, 0, NONE, weights)


@kernel
def plan_ways(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Write by group the mover's best way to it, as it is kept or found."""
    plan.kinds = kinds_at_hand(game, NONE)
    limit = int(weights.longest)
    begin_key(game, board, plan, limit, weights)
    add_start(game, plan, mask)
    place = find_place(game, board, plan, KEPT_WAYS)
    if not recall_ways(game, board, plan, place):
        note_ground(game, board, plan)
        clear_ways(plan, limit)
        begin_ways(game, board, plan, mask, weights)
        find_ways(game, board, plan, weights)
        keep_ways(game, board, plan, place)


@kernel
def note_pairs(game: np.record, board: np.record, plan: np.record, limit: int, weights: Weights) -> None:
    """Write by pair of groups the best way from the one to the other."""
    plan.pair_ways[EFFORT, :] = FAR
    for group in range(board.num_cities):
        if board.group[group] != group:
            continue
        clear_ways(plan, limit)
        start_from(game, board, plan, group, 0, 0, 0, NONE, group, weights)
        find_ways(game, board, plan, weights)
        for other in range(board.num_cities):
            if plan.group_ways[EFFORT, other] < FAR and plan.group_ways[OVER, other] == group:
                plan.group_ways[OVER, other] = NONE
        for other in range(board.num_cities):
            if plan.group_ways[EFFORT, other] < FAR:
                for part in range(WAY_PARTS):
                    plan.pair_ways[part, group, other] = plan.group_ways[part, other]


@kernel
def plan_pairs(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Write by pair of groups the best way from the one to the other, as it is kept or found."""
    plan.kinds = kinds_at_hand(game, NONE)
    limit = min(COUNTRY_LIMIT, int(weights.longest))
    begin_key(game, board, plan, limit, weights)
    place = find_place(game, board, plan, KEPT_PAIRS)
    if not recall_pairs(game, board, plan, place):
        note_ground(game, board, plan)
        note_pairs(game, board, plan, limit, weights)
        keep_pairs(game, board, plan, place)


@kernel
def note_rival_ways(game: np.record, board: np.record, plan: np.record) -> None:
    """Write by group how near the nearest rival is; after ``note_pairs``. A single rival nearby is no harm."""
    plan.rival_effort[:] = FAR
    for third in range(board.num_cities):
        taken = False
        for rival in range(game.num_seats):
            taken = taken or has(game.network[rival], third)
        if taken:
            plan.rival_effort[third] = 0
            for group in range(board.num_cities):
                plan.rival_effort[group] = min(plan.rival_effort[group], plan.pair_ways[EFFORT, third, group])
