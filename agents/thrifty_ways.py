"""Ways for new links of Steam (2009): what stops cost from where a seat may build, and what a link would bring.

A *plan* is a link from a root to another stop: its price, its tiles, and the placement that begins it. Ways go over
empty land and crossings; each is looked for tile by tile, cheapest first among those of equal length.
"""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.hexes import NUM_EDGES, NUM_PAIRS, PAIR_OF_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.links import is_city, is_complete, link_at
from steam_env.core.steam.state import LOAN, MAX_HEXES, MAX_LEVEL, MAX_STOPS, NUM_COLORS, TOWN_COST
from steam_env.core.steam.tiles import FIRST_TOWN, NUM_EXITS, NUM_SEGMENTS, PATTERNS, SLOT_AT

MAX_TILES = 4  # of a plan: what is begun should be complete in a turn or two
FAR = 99  # links, dollars: out of reach
GOLDEN = 0.6180339887498949  # its multiples lie as far apart as can be, modulo 1
SPREAD = 997.0

PLAN_FIELDS = (
    # The seat's own network.
    Field("distance", "<i8", (MAX_STOPS, MAX_STOPS), "own complete links between two stops, FAR if there is no way"),
    # States of the search, hex x 6 + edge entered by.
    Field("front", "<i8", (2, MAX_HEXES * NUM_EDGES), "states at so many tiles, and at one more"),
    Field("front_size", "<i8", (2,), "how many states each holds"),
    Field("price", "<i8", (MAX_HEXES * NUM_EDGES,), "by state: dollars up to here, FAR if it was not reached"),
    Field("first_hex", "<i8", (MAX_HEXES * NUM_EDGES,), "by state: where the first tile of the way lies, or NONE"),
    Field("first_tile", "<i8", (MAX_HEXES * NUM_EDGES,), "by state: its pattern"),
    # The best plan so far.
    Field("best_hex", "<i8", (), "where its first tile lies, or NONE"),
    Field("best_tile", "<i8", (), "its pattern"),
    Field("best_price", "<i8", (), "its dollars"),
    Field("best_gain", "<f8", (), "what it brings less what it costs, in points"),
    # What the search is for.
    Field("seat", "<i8", (), "who builds"),
    Field("root", "<i8", (), "the stop where the link begins"),
    Field("only_hex", "<i8", (), "the hex where the first tile must lie, or NONE"),
    Field("most_tiles", "<i8", (), "tiles of a plan at most"),
    Field("purse", "<i8", (), "dollars of a plan at most"),
)
PLAN = make_record(PLAN_FIELDS)


def _crossings() -> np.ndarray:
    """(pair, pair) -> the pattern with both, NONE if there is none."""
    table = np.full((NUM_PAIRS, NUM_PAIRS), NONE, np.int64)
    for number in range(NUM_PAIRS, FIRST_TOWN):
        first, second = (PATTERNS.index((segment,)) for segment in PATTERNS[number])
        table[first, second] = table[second, first] = number
    return table


def _town_tiles() -> np.ndarray:
    """(bits of edges,) -> the town pattern with these spurs, NONE if there is none."""
    table = np.full(1 << NUM_EDGES, NONE, np.int64)
    for number in range(FIRST_TOWN, len(PATTERNS)):
        table[sum(1 << edge for edge, _ in PATTERNS[number])] = number
    return table


CROSSING = _crossings()
TOWN_TILE = _town_tiles()


@kernel
def stir(noise: float, number: int) -> float:
    """A fraction that looks random, another for each number, from a drawn one: it decides what is about equal."""
    return (noise * SPREAD + (number + 1) * GOLDEN) % 1.0


@kernel
def measure_network(game: np.record, board: np.record, plan: np.record, seat: int) -> None:
    """Measure how many own complete links lie between stops."""
    stops = int(board.num_stops)
    for first in range(stops):
        for second in range(stops):
            plan.distance[first, second] = 0 if first == second else FAR
    for link in range(game.num_links):
        if game.link_owner[link] == seat and is_complete(game, link):
            first, second = game.link_from[link], game.link_to[link]
            plan.distance[first, second] = 1
            plan.distance[second, first] = 1
    for middle in range(stops):
        for first in range(stops):
            if plan.distance[first, middle] < FAR:
                for second in range(stops):
                    way = plan.distance[first, middle] + plan.distance[middle, second]
                    plan.distance[first, second] = min(plan.distance[first, second], way)


@kernel
def count_points(game: np.record, board: np.record, plan: np.record, here: int, there: int, level: int) -> float:
    """Points of the cubes that a new link would bring home, from the side of one of its ends to the other's."""
    points = 0.0
    for origin in range(board.num_stops):
        before = plan.distance[origin, here]
        if before + 1 > level:
            continue
        for color in range(NUM_COLORS):
            if game.cubes[origin, color] > 0 and game.city_color[origin] != color:
                longest = find_longest(game, board, plan, origin, there, color, level - before - 1)
                if longest != NONE:
                    points += int(game.cubes[origin, color]) * (before + 1 + longest)
    return points


@kernel
def find_longest(
    game: np.record, board: np.record, plan: np.record, origin: int, there: int, color: int, most: int
) -> int:
    """Links from a stop to a city of the colour, at most so many; NONE without one, or if a way was there before."""
    longest = NONE
    for city in range(board.num_stops):
        after = plan.distance[there, city]
        if game.city_color[city] == color and after <= most:
            if plan.distance[origin, city] < FAR:
                return NONE
            longest = max(longest, after)
    return longest


@kernel
def open_search(board: np.record, plan: np.record) -> None:
    """Begin the search for ways from a root."""
    for state in range(board.num_hexes * NUM_EDGES):
        plan.price[state] = FAR
    plan.front_size[:] = 0


@kernel
def reach(plan: np.record, layer: int, hex_index: int, entry: int, price: int, first_hex: int, first_tile: int) -> None:
    """Note a way to a hex, to be entered by an edge, if it is the cheapest so far."""
    state = hex_index * NUM_EDGES + entry
    if price >= plan.price[state] or price > plan.purse:
        return
    if plan.price[state] == FAR:
        plan.front[layer, plan.front_size[layer]] = state
        plan.front_size[layer] += 1
    plan.price[state] = price
    plan.first_hex[state] = first_hex
    plan.first_tile[state] = first_tile


@kernel
def leave_stop(game: np.record, board: np.record, plan: np.record, stop: int) -> None:
    """Put the ways out of a city into the first layer; those out of a town begin with its tile, in the next."""
    here = int(board.stop_hex[stop])
    lying = int(game.pattern[here])
    for edge in range(NUM_EDGES):
        beyond = int(board.beyond[here, edge])
        if (
            beyond == NONE
            or is_city(game, int(board.hex_stop[beyond]))
            or link_at(game, beyond, opposite(edge)) != NONE
        ):
            continue
        if is_city(game, stop):
            reach(plan, 0, beyond, opposite(edge), 0, NONE, NONE)
        elif lying != NONE and SLOT_AT[lying, edge] == NONE:
            tile = add_spur(lying, edge)
            if tile != NONE:
                reach(plan, 1, beyond, opposite(edge), int(NUM_EXITS[tile]) + TOWN_COST, here, tile)


@kernel
def add_spur(lying: int, edge: int) -> int:
    """The town pattern with one spur more; NONE if there is none."""
    edges = 1 << edge
    if lying != NONE:
        for other in range(NUM_EDGES):
            edges |= (1 if SLOT_AT[lying, other] != NONE else 0) << other
    return int(TOWN_TILE[edges])


@kernel
def lay_through(game: np.record, board: np.record, hex_index: int, entry: int, edge: int) -> int:
    """The pattern that takes a link through a land hex without a town; NONE if there is none."""
    pair = PAIR_OF_EDGES[entry, edge]
    lying = int(game.pattern[hex_index])
    if lying == NONE:
        return int(pair)
    return int(CROSSING[lying, pair]) if NUM_SEGMENTS[lying] == 1 else NONE


@kernel
def price_of(game: np.record, board: np.record, hex_index: int, tile: int) -> int:
    """Dollars for a tile."""
    terrain = int(board.terrain_cost[hex_index]) if game.pattern[hex_index] == NONE else 0
    return int(NUM_EXITS[tile]) + terrain


@kernel
def go_on_from(game: np.record, board: np.record, plan: np.record, state: int, layer: int, offers: np.ndarray) -> None:
    """Lay a tile at a state: ways to the next hexes, and offers of stops that are reached."""
    hex_index, entry = state // NUM_EDGES, state % NUM_EDGES
    price, first_hex, first_tile = int(plan.price[state]), int(plan.first_hex[state]), int(plan.first_tile[state])
    stop = int(board.hex_stop[hex_index])
    if stop != NONE:
        tile = add_spur(int(game.pattern[hex_index]), entry)
        if tile != NONE:
            total = price + price_of(game, board, hex_index, tile) + TOWN_COST
            begins = first_hex == NONE
            offer(plan, offers, stop, total, hex_index if begins else first_hex, tile if begins else first_tile)
        return
    for edge in range(NUM_EDGES):
        if edge == entry:
            continue
        beyond = int(board.beyond[hex_index, edge])
        tile = lay_through(game, board, hex_index, entry, edge)
        if beyond == NONE or tile == NONE:
            continue
        total = price + price_of(game, board, hex_index, tile)
        where = hex_index if first_hex == NONE else first_hex
        what = tile if first_hex == NONE else first_tile
        other = int(board.hex_stop[beyond])
        if is_city(game, other):
            offer(plan, offers, other, total, where, what)
        elif link_at(game, beyond, opposite(edge)) == NONE:
            reach(plan, 1 - layer, beyond, opposite(edge), total, where, what)


@kernel
def offer(plan: np.record, offers: np.ndarray, stop: int, price: int, first_hex: int, first_tile: int) -> None:
    """Note that a stop can be reached, (stops, 3): price, hex and pattern of the first tile."""
    if stop == plan.root or price > plan.purse or (plan.only_hex != NONE and first_hex != plan.only_hex):
        return
    if price < offers[stop, 0]:
        offers[stop, 0] = price
        offers[stop, 1] = first_hex
        offers[stop, 2] = first_tile


@kernel
def search_ways(game: np.record, board: np.record, plan: np.record, offers: np.ndarray) -> None:
    """Go on, tile by tile, from the states of both layers; write what each stop costs."""
    layer = 0
    for _ in range(plan.most_tiles):
        for number in range(plan.front_size[layer]):
            go_on_from(game, board, plan, plan.front[layer, number], layer, offers)
        plan.front_size[layer] = 0
        layer = 1 - layer


@kernel
def weigh_offers(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, level: int, noise: float
) -> None:
    """Keep the best plan among the stops that can be reached: points that it brings less the income that it costs."""
    for stop in range(board.num_stops):
        if offers[stop, 0] >= FAR or plan.distance[plan.root, stop] < FAR:
            continue
        points = count_points(game, board, plan, plan.root, stop, level)
        points += count_points(game, board, plan, stop, plan.root, level)
        if points <= 0:
            continue
        cost = offers[stop, 0] / LOAN
        gain = points + stir(noise, plan.root * MAX_STOPS + stop) - cost
        if gain > plan.best_gain:
            plan.best_gain = gain
            plan.best_price = offers[stop, 0]
            plan.best_hex = offers[stop, 1]
            plan.best_tile = offers[stop, 2]


@kernel
def plan_links(game: np.record, board: np.record, plan: np.record, offers: np.ndarray, noise: float) -> None:
    """Write the best plan of ``plan.seat``: from cities, own towns, and the heads of own links."""
    seat = int(plan.seat)
    plan.best_hex = NONE
    plan.best_gain = 0.0
    measure_network(game, board, plan, seat)
    level = min(int(game.level[seat]) + 1, MAX_LEVEL)
    for stop in range(board.num_stops):
        if is_city(game, stop) or has(game.served[seat], stop):
            plan.root = stop
            open_search(board, plan)
            leave_stop(game, board, plan, stop)
            weigh_from(game, board, plan, offers, level, noise)
    for link in range(game.num_links):
        if game.link_owner[link] == seat and not is_complete(game, link):
            last, head = int(game.link_hex[link]), int(game.link_head[link])
            plan.root = game.link_from[link]
            open_search(board, plan)
            reach(plan, 0, int(board.beyond[last, head]), opposite(head), 0, NONE, NONE)
            weigh_from(game, board, plan, offers, level, noise)


@kernel
def weigh_from(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, level: int, noise: float
) -> None:
    """Search the ways from the root, and weigh them."""
    for stop in range(board.num_stops):
        offers[stop, 0] = FAR
    search_ways(game, board, plan, offers)
    weigh_offers(game, board, plan, offers, level, noise)
