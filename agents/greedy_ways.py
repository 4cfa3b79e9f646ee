"""The greedy player's search for track: shortest ways to all groups, and which of them pays best.

A state of the search is a tile's far edge: (hex, edge). Each tile costs effort: a constant for the placement
and its dollars. A way that comes into a city goes on from its group with a new link, so that a plan may lead
over several links; it is worth what all the groups on it are worth. Each way remembers its first step only.
"""

import numpy as np

from steam_env.agents.greedy_plan import (
    COUNTRY_LIMIT,
    FAR,
    FIRST_LIMIT,
    NEVER,
    QUEUE,
    Weights,
)
from steam_env.agents.greedy_worth import (
    actions_for_money,
    note_worth,
)
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite, other_edge, pair_of, uses
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import (
    HEAD_TO,
    REMOVE,
    REPLACE,
    START,
)
from steam_env.core.steam_power.state import ACTION, BONUS, HEAD, PLACEMENTS_PER_ACTION
from steam_env.core.steam_power.tiles import tile_kind
from steam_env.core.steam_power.track import far_edge_problem, next_site, other_segment, placement_cost


@kernel
def note_exits(game: np.record, board: np.record, plan: np.record) -> None:
    """Write over which edges a tile on each hex may lead on (rule 4.4), the link's own start aside."""
    for hex_index in range(board.num_hexes):
        exits = 0
        if board.cost[hex_index] != NONE and game.track[hex_index, 1] == NONE:
            for edge in range(NUM_EDGES):
                if far_edge_problem(game, board, hex_index, edge, NONE) == 0:
                    exits |= 1 << edge
        plan.exits[hex_index] = exits


@kernel
def clear_ways(plan: np.record, limit: int) -> None:
    """Forget all ways."""
    plan.effort[:] = FAR
    plan.queued[:] = 0
    plan.group_effort[:] = FAR
    plan.queue_head = 0
    plan.queue_tail = 0
    plan.limit = limit


@kernel
def note_state(
    plan: np.record, state: int, effort: int, placements: int, dollars: int, first: int, origin: int, over: int
) -> None:
    """Keep a better way to a state, and queue the state to go on from it."""
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
    if hex_index == NONE or plan.exits[hex_index] == 0:
        return
    staying = int(game.track[hex_index, 0])
    if uses(staying, entry):
        return
    cost = placement_cost(game, board, hex_index)
    total = effort + int(weights.placement) + cost
    if total > plan.limit:
        return
    for edge in range(NUM_EDGES):
        state = hex_index * NUM_EDGES + edge
        if edge == entry or (plan.exits[hex_index] >> edge) & 1 == 0 or plan.effort[state] <= total:
            continue
        kind = tile_kind(staying, pair_of(entry, edge))
        if kind == NONE or game.tiles[kind] <= 0:
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
    if has(game.network[seat], group) or plan.effort[state] >= plan.group_effort[group]:
        return
    if plan.over[state] == group:
        return
    plan.group_effort[group] = plan.effort[state]
    plan.group_placements[group] = plan.placements[state]
    plan.group_dollars[group] = plan.dollars[state]
    plan.group_first[group] = plan.first[state]
    plan.group_over[group] = plan.over[state]
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
        edge = state % NUM_EDGES
        beyond = int(board.neighbour[state // NUM_EDGES, edge])
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
        state = hex_index * NUM_EDGES + edge
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
def way_worth(game: np.record, plan: np.record, group: int) -> float:
    """What the way to the group brings: the group and those on the way."""
    total = 0.0
    while group != NONE:
        total += plan.worth[group]
        group = int(plan.group_over[group])
    return total


@kernel
def actions_for_track(game: np.record, placements: int) -> float:
    """How many actions so many placements take, from now on; the second half of an action is worth something."""
    ready = int(game.placements_left)
    if game.phase == BONUS or (game.phase == HEAD and ready == 0):
        ready = PLACEMENTS_PER_ACTION
    later = max(0, placements - ready)
    if game.phase == ACTION:
        return max(1.0, later * 0.5 + (0.25 if later % 2 == 1 else 0.0))
    return 0.5 * min(ready, placements) + later * 0.5


@kernel
def compare_ways(game: np.record, board: np.record, plan: np.record, extra: float, weights: Weights) -> None:
    """Keep the first step of the way with the best rate, if it beats the one kept so far.

    ``extra`` is what any completed link brings beside the group that it reaches.
    """
    for group in range(board.num_cities):
        if plan.group_effort[group] < FAR:
            gain = way_worth(game, plan, group) + extra
            placements, dollars = int(plan.group_placements[group]), int(plan.group_dollars[group])
            compare_way(game, plan, gain, placements, dollars, int(plan.group_first[group]), weights)


@kernel
def compare_way(
    game: np.record, plan: np.record, worth: float, placements: int, dollars: int, first: int, weights: Weights
) -> None:
    """Keep a way's first step if its rate beats the one kept so far; ``worth`` is what the way brings."""
    rate = way_rate(game, plan, worth, placements, dollars, weights)
    if rate > plan.track_rate:
        plan.track_rate = rate
        plan.track_action = first


@kernel
def way_rate(game: np.record, plan: np.record, worth: float, placements: int, dollars: int, weights: Weights) -> float:
    """Dollars for each action that a way brings; NEVER if the game will be over before."""
    actions = actions_for_track(game, placements)
    spent = 0 if game.phase == ACTION else actions
    actions += actions_for_money(game, dollars)
    if actions - spent > plan.actions_left:
        return NEVER
    haste = max(0.0, 1.0 - weights.haste * max(0.0, actions - 1.0))
    return (worth * haste - dollars * plan.cash) / max(actions, 0.5)


@kernel
def plan_first_link(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Find the best first link: from any city (rule 4.3), by the groups that it joins and the country round them."""
    for group in range(board.num_cities):
        for other in range(board.num_cities):
            if plan.pair_effort[group, other] > FIRST_LIMIT:
                continue
            # What cannot be paid yet is saved for; what could be paid and is masked all the same must not be played.
            if mask[plan.pair_first[group, other]] or plan.pair_dollars[group, other] > game.money[game.seat]:
                placements, dollars = int(plan.pair_placements[group, other]), int(plan.pair_dollars[group, other])
                worth = pair_worth(plan, group, other) + (weights.first_link + plan.worth[group])
                first = int(plan.pair_first[group, other])
                compare_first_link(game, board, plan, group, other, worth, placements, dollars, first, weights)


@kernel
def finish_first_link(game: np.record, board: np.record, plan: np.record, origin: int, weights: Weights) -> None:
    """Find the best end of the first link under way, by the same measure; after ``find_ways``."""
    for other in range(board.num_cities):
        if plan.group_effort[other] < FAR:
            placements, dollars = int(plan.group_placements[other]), int(plan.group_dollars[other])
            worth = way_worth(game, plan, other) + (weights.first_link + plan.worth[origin])
            first = int(plan.group_first[other])
            compare_first_link(game, board, plan, origin, other, worth, placements, dollars, first, weights)


@kernel
def compare_first_link(
    game: np.record,
    board: np.record,
    plan: np.record,
    group: int,
    other: int,
    worth: float,
    placements: int,
    dollars: int,
    first: int,
    weights: Weights,
) -> None:
    """Keep the first step of a first link between two groups if it stands better than the one kept so far."""
    rate = way_rate(game, plan, worth, placements, dollars, weights)
    if rate <= NEVER:
        return
    standing = weights.ends * worth - weights.laying * placements - weights.paying * dollars + weights.at_once * rate
    standing += weights.country * country_worth(board, plan, group, other, weights)
    nearest = min(plan.rival_effort[group], plan.rival_effort[other])
    standing += weights.apart * (int(game.num_seats) - 2) * min(weights.rivalry, nearest)
    if standing > plan.standing:
        plan.standing = standing
        plan.track_rate = rate
        plan.track_action = first


@kernel
def note_pairs(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Write by pair of groups the best way from the one to the other."""
    plan.pair_effort[:] = FAR
    for group in range(board.num_cities):
        if board.group[group] != group:
            continue
        clear_ways(plan, min(COUNTRY_LIMIT, int(weights.longest)))
        start_from(game, board, plan, group, 0, 0, 0, NONE, group, weights)
        find_ways(game, board, plan, weights)
        for other in range(board.num_cities):
            if plan.group_effort[other] < FAR and plan.group_over[other] == group:
                plan.group_over[other] = NONE
        for other in range(board.num_cities):
            if plan.group_effort[other] < FAR:
                plan.pair_effort[group, other] = plan.group_effort[other]
                plan.pair_placements[group, other] = plan.group_placements[other]
                plan.pair_dollars[group, other] = plan.group_dollars[other]
                plan.pair_first[group, other] = plan.group_first[other]
                plan.pair_over[group, other] = plan.group_over[other]


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
                plan.rival_effort[group] = min(plan.rival_effort[group], plan.pair_effort[third, group])


@kernel
def pair_worth(plan: np.record, group: int, other: int) -> float:
    """What the way from one group to another brings beside the one that it starts from."""
    total = 0.0
    while other != NONE:
        total += plan.worth[other]
        other = int(plan.pair_over[group, other])
    return total


@kernel
def country_worth(board: np.record, plan: np.record, group: int, other: int, weights: Weights) -> float:
    """Dollars that the groups round a link between two groups bring, by how near they are to either end."""
    total = 0.0
    for third in range(board.num_cities):
        effort = min(int(plan.pair_effort[group, third]), int(plan.pair_effort[other, third]))
        if third != group and third != other and effort < FAR:
            total += (plan.worth[third] - weights.usual) * max(0.0, 1.0 - effort / weights.fade)
    return total


@kernel
def plan_track(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> None:
    """Write the first step of the best track plan and its rate."""
    seat = int(game.seat)
    plan.track_action = NONE
    plan.track_rate = NEVER
    plan.standing = NEVER
    note_worth(game, board, work, plan, weights)
    note_exits(game, board, plan)
    fresh = game.phase == HEAD
    opening = game.network[seat] == 0
    begun = fresh or game.tail_link[seat] != NONE
    if not begun and game.trains[seat] <= 0:
        return
    if opening:
        note_pairs(game, board, plan, weights)
        note_rival_ways(game, board, plan)
        if not begun:
            plan_first_link(game, board, plan, mask, weights)
            return
    clear_ways(plan, int(weights.longest))
    origin = NONE
    if fresh:
        hex_index, entry, origin = next_site(game, board, seat)
        lay_on(game, board, plan, hex_index, entry, 0, 0, 0, NONE, origin, NONE, weights)
    elif begun:
        origin = int(game.link_start[game.tail_link[seat]])
        begin_at_tail(game, board, plan, mask, weights)
    else:
        begin_in_network(game, board, plan, 0, NONE, weights)
    find_ways(game, board, plan, weights)
    if opening:
        finish_first_link(game, board, plan, int(board.group[origin]), weights)
    else:
        compare_ways(game, board, plan, 0.0, weights)
