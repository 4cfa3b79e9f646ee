"""The greedy player of Steam (2009) plans track: which new links are to be had, and which of them cubes want most.

Each cube in a city wants the route that brings most for the effort of its missing links; what that gains is shared by
these links. The link with the best sum is built, tile by tile.
"""

import numpy as np

from steam_env.agents.steam_greedy_plan import (
    HEX,
    MAX_WAYS,
    MOST_EFFORT,
    MOST_TILES,
    NEVER,
    NEXT,
    NOTED,
    PATTERN,
    PRICE,
    Weights,
    are_near,
)
from steam_env.agents.thrifty_ways import FAR, add_spur, go_on_from, leave_stop, open_search, reach
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.actions import BUILD_ON, LAY
from steam_env.core.steam.links import is_city, is_complete, link_at
from steam_env.core.steam.state import MAX_LEVEL, NOBODY, NUM_COLORS
from steam_env.core.steam.tiles import FIRST_TOWN, NUM_PATTERNS, SLOT_AT
from steam_env.core.steam.track import placement_cost, stock_problem

# --- which links are to be had --------------------------------------------------------------------------


@kernel
def price_links(game: np.record, board: np.record, plan: np.record, offers: np.ndarray, weights: Weights) -> None:
    """Note what each new link costs, and with which tile it begins."""
    stops = int(board.num_stops)
    for first in range(stops):
        for second in range(stops):
            plan.link_effort[first, second] = FAR
            plan.link_worth[first, second] = 0.0
    plan.only_hex = NONE
    for stop in range(stops):
        plan.root = stop
        open_search(board, plan)
        ready = is_city(game, stop) or has(game.served[plan.seat], stop)
        if ready:
            leave_stop(game, board, plan, stop)
        else:
            leave_new_town(game, board, plan, stop)
        search_links(game, board, plan, offers, ready, weights)
    for link in range(game.num_links):
        if not is_complete(game, link) and may_extend(game, plan, link):
            last, head = int(game.link_hex[link]), int(game.link_head[link])
            plan.root = game.link_from[link]
            open_search(board, plan)
            reach(plan, 0, int(board.beyond[last, head]), opposite(head), 0, NONE, NONE)
            search_links(game, board, plan, offers, True, weights)


@kernel
def may_extend(game: np.record, plan: np.record, link: int) -> bool:
    """Whether the mover may extend an incomplete link (rules 8.4, 8.5)."""
    owner, root = int(game.link_owner[link]), int(game.link_from[link])
    if owner == NOBODY:
        return is_city(game, root) or has(game.served[plan.seat], root)
    return owner == plan.seat


@kernel
def leave_new_town(game: np.record, board: np.record, plan: np.record, stop: int) -> None:
    """Put the ways out of a town into the first layer, as if a link of the mover came in: its tile is paid by that."""
    here = int(board.stop_hex[stop])
    lying = int(game.pattern[here])
    for edge in range(NUM_EDGES):
        beyond = int(board.beyond[here, edge])
        if beyond == NONE or is_city(game, int(board.hex_stop[beyond])):
            continue
        if link_at(game, beyond, opposite(edge)) != NONE:
            continue
        if lying == NONE or (SLOT_AT[lying, edge] == NONE and add_spur(lying, edge) != NONE):
            reach(plan, 0, beyond, opposite(edge), 1, NONE, NONE)


@kernel
def search_links(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, ready: bool, weights: Weights
) -> None:
    """Go on, tile by tile, from what is in the layers; note the links to the stops that are reached."""
    stops = int(board.num_stops)
    for stop in range(stops):
        offers[stop, PRICE] = FAR
        offers[stop, NOTED] = FAR
    layer = 0
    for tiles in range(1, MOST_TILES + 1):
        for number in range(plan.front_size[layer]):
            go_on_from(game, board, plan, plan.front[layer, number], layer, offers)
        plan.front_size[layer] = 0
        layer = 1 - layer
        for stop in range(stops):
            if offers[stop, PRICE] < offers[stop, NOTED]:
                offers[stop, NOTED] = offers[stop, PRICE]
                note_link(game, board, plan, offers, stop, tiles, ready, weights)


@kernel
def note_link(
    game: np.record,
    board: np.record,
    plan: np.record,
    offers: np.ndarray,
    stop: int,
    tiles: int,
    ready: bool,
    weights: Weights,
) -> None:
    """Keep the way of a link if it is the best so far; one that may be begun now is better than one that may not."""
    root = int(plan.root)
    if are_near(plan, root, stop):
        return
    if ready and stock_problem(game, board, offers[stop, HEX], offers[stop, PATTERN]) != 0:
        return
    effort = offers[stop, PRICE] * plan.dollar + tiles * weights.effort
    known = plan.link_effort[root, stop]
    is_ready = 1 if ready else 0
    if known < FAR and (effort >= known if plan.link_ready[root, stop] == is_ready else not ready):
        return
    for turned in range(2):
        one, other = (root, stop) if turned == 0 else (stop, root)
        plan.link_effort[one, other] = effort
        plan.link_price[one, other] = offers[stop, PRICE]
        plan.link_tiles[one, other] = tiles
        plan.link_hex[one, other] = offers[stop, HEX]
        plan.link_tile[one, other] = offers[stop, PATTERN]
        plan.link_ready[one, other] = is_ready


# --- what cubes want ------------------------------------------------------------------------------------


@kernel
def list_ways(board: np.record, plan: np.record) -> None:
    """List by stop where a plan may go on: over own links, and over new ones."""
    for stop in range(board.num_stops):
        plan.ways[stop] = 0
        for other in range(board.num_stops):
            wanted = are_near(plan, stop, other) or plan.link_effort[stop, other] < MOST_EFFORT
            if wanted and plan.ways[stop] < MAX_WAYS:
                plan.way[stop, plan.ways[stop]] = other
                plan.ways[stop] += 1


@kernel
def effort_between(plan: np.record, here: int, there: int) -> float:
    """What a step of a plan costs: nothing over an own link."""
    return 0.0 if are_near(plan, here, there) else plan.link_effort[here, there]


@kernel
def weigh_links(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Let the cubes of each city share what they would bring among the links that they want."""
    list_ways(board, plan)
    most = min(int(game.level[plan.seat]) + (1 if plan.turns_left > 1 else 0), MAX_LEVEL)
    for origin in range(board.num_stops):
        cubes = 0
        for color in range(NUM_COLORS):
            cubes += int(game.cubes[origin, color])
        if cubes == 0:
            continue
        search_plans(board, plan, origin, most)
        for color in range(NUM_COLORS):
            if game.cubes[origin, color] > 0 and game.city_color[origin] != color:
                weigh_cube(game, board, plan, origin, color, most, weights)


@kernel
def search_plans(board: np.record, plan: np.record, origin: int, most: int) -> None:
    """Find what it costs to be at each stop after so many links, from an origin on."""
    stops = int(board.num_stops)
    for links in range(most + 1):
        for stop in range(stops):
            plan.cost[links, stop] = FAR
    plan.cost[0, origin] = 0.0
    for links in range(most):
        for here in range(stops):
            cost = plan.cost[links, here]
            if cost >= FAR:
                continue
            for number in range(plan.ways[here]):
                there = plan.way[here, number]
                total = cost + effort_between(plan, here, there)
                if total > MOST_EFFORT or total >= plan.cost[links + 1, there]:
                    continue
                if not was_there(plan, links, here, there):
                    plan.cost[links + 1, there] = total
                    plan.before[links + 1, there] = here


@kernel
def was_there(plan: np.record, links: int, here: int, there: int) -> bool:
    """Whether a plan that is at a stop after so many links has been at another."""
    at = here
    for left in range(links, -1, -1):
        if at == there:
            return True
        if left > 0:
            at = plan.before[left, at]
    return False


@kernel
def is_stopped(game: np.record, plan: np.record, links: int, stop: int, color: int) -> bool:
    """Whether a cube of the colour would end before it is there: in the first city of its colour (rule 9.4)."""
    at = stop
    for left in range(links, 1, -1):
        at = plan.before[left, at]
        if game.city_color[at] == color:
            return True
    return False


@kernel
def weigh_cube(
    game: np.record, board: np.record, plan: np.record, origin: int, color: int, most: int, weights: Weights
) -> None:
    """Find the route that a cube wants; its gain is shared by the links that are missing."""
    usual = max(plan.best[NEXT, origin, color], plan.usual_move)
    trust = weights.trust * (1.0 + weights.second * (min(int(game.cubes[origin, color]), 2) - 1))
    best_links, best_stop, best_gain = 0, NONE, 0.0
    for stop in range(board.num_stops):
        if game.city_color[stop] != color or stop == origin:
            continue
        for links in range(usual + 1, most + 1):
            cost = plan.cost[links, stop]
            if cost <= 0.0 or cost >= FAR:
                continue
            gain = trust * (links - usual) - weights.part * cost
            if gain > best_gain and not is_stopped(game, plan, links, stop, color):
                best_links, best_stop, best_gain = links, stop, gain
    if best_stop != NONE:
        share_gain(plan, best_links, best_stop, best_gain)


@kernel
def share_gain(plan: np.record, links: int, stop: int, gain: float) -> None:
    """Give each missing link of a plan the same share of its gain."""
    missing = 0
    at = stop
    for left in range(links, 0, -1):
        missing += 0 if are_near(plan, plan.before[left, at], at) else 1
        at = plan.before[left, at]
    at = stop
    for left in range(links, 0, -1):
        before = plan.before[left, at]
        if not are_near(plan, before, at):
            plan.link_worth[before, at] += gain / missing
            plan.link_worth[at, before] += gain / missing
        at = before


# --- which link is built ----------------------------------------------------------------------------------


@kernel
def rate_link(game: np.record, plan: np.record, first: int, second: int, weights: Weights) -> float:
    """What a new link brings less what it costs: to cubes, and in the final scoring."""
    tiles, price = plan.link_tiles[first, second], plan.link_price[first, second]
    left = int(game.placements_left)
    if tiles > left and plan.turns_left <= 1:
        return -NEVER
    due = price if tiles <= left else price * left // tiles
    if due > plan.purse:
        return -NEVER
    worth = plan.link_worth[first, second] + plan.point
    if tiles > left:
        worth *= weights.later
    return worth - plan.link_effort[first, second]


@kernel
def choose_link(
    game: np.record, board: np.record, plan: np.record, mask: np.ndarray, only_hex: int, weights: Weights
) -> None:
    """Note the best link that may be begun now; with a hex, of those whose first tile lies there."""
    plan.best_from, plan.best_to, plan.best_worth = NONE, NONE, -NEVER
    for first in range(board.num_stops):
        for second in range(first):
            if plan.link_effort[first, second] >= FAR or not plan.link_ready[first, second]:
                continue
            hex_index = plan.link_hex[first, second]
            if hex_index != only_hex and (only_hex != NONE or not mask[BUILD_ON + hex_index]):
                continue
            worth = rate_link(game, plan, first, second, weights)
            if worth > plan.best_worth:
                plan.best_from, plan.best_to, plan.best_worth = first, second, worth


@kernel
def plan_track(
    game: np.record,
    board: np.record,
    plan: np.record,
    offers: np.ndarray,
    mask: np.ndarray,
    only_hex: int,
    weights: Weights,
) -> None:
    """Note the best link to build now, after ``prepare``."""
    price_links(game, board, plan, offers, weights)
    weigh_links(game, board, plan, weights)
    choose_link(game, board, plan, mask, only_hex, weights)


# --- with which tile ----------------------------------------------------------------------------------------


@kernel
def choose_pattern(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Choose the tile with which the best link goes on; on a town with the spurs that other links want; or NONE."""
    if plan.best_from == NONE:
        return NONE
    wanted = int(plan.link_tile[plan.best_from, plan.best_to])
    here = int(game.hex)
    stop = int(board.hex_stop[here])
    if stop == NONE:
        return LAY + wanted if mask[LAY + wanted] else NONE
    best, best_worth = NONE, -NEVER
    for pattern in range(FIRST_TOWN, NUM_PATTERNS):
        if mask[LAY + pattern] and contains(pattern, wanted):
            cost = placement_cost(game, board, here, pattern)
            worth = rate_spurs(game, board, plan, stop, pattern, wanted, weights) - cost * plan.dollar
            if worth > best_worth and (best == NONE or cost <= plan.purse):
                best, best_worth = LAY + pattern, worth
    return best


@kernel
def contains(pattern: int, other: int) -> bool:
    """Whether a town pattern has all spurs of another."""
    for edge in range(NUM_EDGES):
        if SLOT_AT[other, edge] != NONE and SLOT_AT[pattern, edge] == NONE:
            return False
    return True


@kernel
def rate_spurs(
    game: np.record, board: np.record, plan: np.record, stop: int, pattern: int, wanted: int, weights: Weights
) -> float:
    """What the spurs of a town's tile bring beside those that are wanted."""
    worth = 0.0
    here = int(board.stop_hex[stop])
    for edge in range(NUM_EDGES):
        if SLOT_AT[pattern, edge] == NONE or SLOT_AT[wanted, edge] != NONE:
            continue
        beyond = int(board.beyond[here, edge])
        other = int(board.hex_stop[beyond])
        if is_city(game, other):
            if not are_near(plan, stop, other):
                worth += plan.point + plan.link_worth[stop, other]
            continue
        link = link_at(game, beyond, opposite(edge))
        if link != NONE:
            root = int(game.link_from[link])
            if not are_near(plan, stop, root):
                worth += plan.point + plan.link_worth[stop, root]
            continue
        best = 0.0
        if plan.turns_left > 1:
            for number in range(plan.ways[stop]):
                there = plan.way[stop, number]
                if not are_near(plan, stop, there) and plan.link_hex[stop, there] == beyond:
                    best = max(best, plan.link_worth[stop, there])
        worth += weights.loose * best
    return worth
