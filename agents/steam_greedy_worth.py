"""What the greedy player of Steam (2009) thinks that action tiles, growing cities, moves and points are worth."""

import numpy as np

from steam_env.agents.steam_greedy_plan import NEVER, NEXT, NOW, Weights, sum_moves
from steam_env.agents.thrifty import rate_cubes
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam.action_tiles import tile_cost
from steam_env.core.steam.actions import (
    COLOUR_OF,
    FROM,
    GROW,
    IMPROVE,
    PASS,
    PASSED_TILES,
    SPACE_OF,
    TAKE_PASS,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
    URBANIZE,
)
from steam_env.core.steam.growth import has_marker
from steam_env.core.steam.links import is_city, link_at
from steam_env.core.steam.routes import survey_links
from steam_env.core.steam.state import (
    CITY_GROWTH,
    ENGINEER,
    FIRST_BUILD,
    FIRST_MOVE,
    LOCOMOTIVE,
    MAX_LEVEL,
    NUM_COLORS,
    NUM_SPACES,
    NUM_TILES,
    SEAT_COUNTS,
    URBANIZATION,
)

FEW_SEATS = min(SEAT_COUNTS)  # each is first more often

# --- growing cities -------------------------------------------------------------------------------------


@kernel
def rate_group(game: np.record, plan: np.record, stop: int, space: int, color: int, weights: Weights) -> float:
    """What a group of cubes brings in a city, of this colour: points over those of a usual move."""
    worth = 0.0
    for cube in range(NUM_COLORS):
        cubes = int(game.supply[space, cube])
        if cubes > 0 and cube != color:
            gain = max(plan.best[NEXT, stop, cube] - plan.usual_move, 0)
            worth += gain * (1.0 + weights.second * (min(cubes, 2) - 1))
    return weights.growing * worth


@kernel
def find_group(game: np.record, plan: np.record, stop: int, color: int, weights: Weights) -> tuple[int, float]:
    """The space whose group brings most in a city of this colour, and what it brings."""
    best, best_worth = NONE, -1.0
    for space in range(NUM_SPACES):
        if game.supply[space].sum() == 0:
            continue
        worth = rate_group(game, plan, stop, space, color, weights)
        if worth > best_worth:
            best, best_worth = space, worth
    return best, max(best_worth, 0.0)


@kernel
def rate_growth(game: np.record, board: np.record, plan: np.record, stop: int, weights: Weights) -> float:
    """What City Growth in a city brings."""
    if not is_city(game, stop) or has_marker(game, board, stop):
        return -1.0
    return find_group(game, plan, stop, int(game.city_color[stop]), weights)[1]


@kernel
def rate_new_city(game: np.record, board: np.record, plan: np.record, stop: int, color: int, weights: Weights) -> float:
    """What a New City of the colour brings: its cubes, and a home for cubes of its colour; less the links lost."""
    worth = find_group(game, plan, stop, color, weights)[1]
    for origin in range(board.num_stops):
        cubes = int(game.cubes[origin, color])
        if cubes > 0 and game.city_color[origin] != color:
            usual = max(plan.best[NEXT, origin, color], plan.usual_move)
            gain = max(plan.longest[origin, stop] - usual, 0)
            worth += weights.trust * gain * (1.0 + weights.second * (min(cubes, 2) - 1))
    return worth - plan.point * count_lost_links(game, board, plan, stop)


@kernel
def count_lost_links(game: np.record, board: np.record, plan: np.record, stop: int) -> int:
    """Own links that are a spur of the town and no more: they vanish with it (rule 8.19)."""
    lost = 0
    here = int(board.stop_hex[stop])
    for edge in range(NUM_EDGES):
        link = link_at(game, here, edge)
        if link != NONE and game.link_owner[link] == plan.seat:
            lost += 1 if is_city(game, int(board.hex_stop[board.beyond[here, edge]])) else 0
    return lost


@kernel
def find_colour(game: np.record, board: np.record, plan: np.record, stop: int, weights: Weights) -> tuple[int, float]:
    """The colour that a New City had best have in place of a town, and what it brings."""
    best, best_worth = NONE, -2 * NEVER
    for color in range(NUM_COLORS):
        if game.new_cities[color] > 0:
            worth = rate_new_city(game, board, plan, stop, color, weights)
            if worth > best_worth:
                best, best_worth = color, worth
    return best, best_worth


@kernel
def choose_place(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Choose the city that grows, or the town that becomes one; NONE if nothing of the kind is to do."""
    best, best_worth = NONE, -2 * NEVER
    for stop in range(board.num_stops):
        if mask[GROW + stop]:
            action, worth = GROW + stop, rate_growth(game, board, plan, stop, weights)
        elif mask[URBANIZE + stop]:
            action, worth = URBANIZE + stop, find_colour(game, board, plan, stop, weights)[1]
        else:
            continue
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@kernel
def choose_colour(game: np.record, board: np.record, plan: np.record, weights: Weights) -> int:
    """Choose the colour of the New City."""
    return COLOUR_OF + find_colour(game, board, plan, int(game.stop), weights)[0]


@kernel
def choose_space(game: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Choose whose group comes."""
    stop = int(game.stop)
    color = int(game.color) if game.color != NONE else int(game.city_color[stop])
    best, best_worth = NONE, -1.0
    for space in range(NUM_SPACES):
        if mask[SPACE_OF + space]:
            worth = rate_group(game, plan, stop, space, color, weights)
            if worth > best_worth:
                best, best_worth = SPACE_OF + space, worth
    return best


# --- action tiles ----------------------------------------------------------------------------------------


@kernel
def rate_level(plan: np.record, moves: int, weights: Weights) -> float:
    """What a better locomotive brings to so many moves: by the cubes in reach, and as the network grows."""
    in_reach = sum_moves(plan, NEXT, moves) - sum_moves(plan, NOW, moves)
    return max(weights.reach * in_reach, weights.level * moves)


@kernel
def rate_tile(game: np.record, board: np.record, plan: np.record, tile: int, weights: Weights) -> float:
    """What an action tile brings, without its price."""
    if tile == LOCOMOTIVE:
        return 0.0 if game.level[plan.seat] >= MAX_LEVEL else rate_level(plan, plan.moves_left, weights)
    if tile == CITY_GROWTH:
        return find_best_growth(game, board, plan, weights)
    if tile == URBANIZATION:
        return find_best_new_city(game, board, plan, weights)
    place = int(game.place)  # so many seats come before the mover
    if tile == FIRST_MOVE:
        return weights.first_move * place
    if tile == FIRST_BUILD:
        return weights.first_build * place * plan.turns_left / int(game.num_turns)
    if tile == ENGINEER:
        return weights.engineer
    return 0.0  # Turn Order has its number alone


@kernel
def is_taken(game: np.record, tile: int) -> bool:
    """Whether a seat has taken the action tile in this turn."""
    for seat in range(game.num_seats):
        if game.tile[seat] == tile:
            return True
    return False


@kernel
def count_before(game: np.record, tile: int) -> tuple[float, float]:
    """Seats that come before the mover in the next turn if it takes the tile (rule 11.1), and how likely none does.

    Of the seats that choose after the mover each is as likely to take one free tile as another.
    """
    before, free, lower = 0, 0, 0
    for other in range(1, NUM_TILES + 1):
        if other == tile:
            continue
        if is_taken(game, other):
            before += 1 if other < tile else 0
        else:
            free += 1
            lower += 1 if other < tile else 0
    choosing = 0
    for place in range(int(game.place) + 1, int(game.num_seats)):
        choosing += 0 if game.bankrupt[game.order[place]] else 1
    none = 0.0 if before > 0 else 1.0
    for number in range(choosing):
        none *= max(free - lower - number, 0) / (free - number)
    return before + choosing * lower / free, none


@kernel
def rate_number(game: np.record, plan: np.record, tile: int, weights: Weights) -> float:
    """What the number of an action tile costs: seats that come before the mover in the next turn.

    With three seats being first, who may choose the locomotive, is worth more than that.
    """
    before, none = count_before(game, tile)
    worth = weights.next_place * before
    if game.num_seats == FEW_SEATS:
        worth -= weights.lead * none
    return worth * (plan.turns_left - 1) / int(game.num_turns)


@kernel
def find_best_growth(game: np.record, board: np.record, plan: np.record, weights: Weights) -> float:
    """What City Growth brings where it brings most."""
    best = -1.0
    for stop in range(board.num_stops):
        best = max(best, rate_growth(game, board, plan, stop, weights))
    return best


@kernel
def find_best_new_city(game: np.record, board: np.record, plan: np.record, weights: Weights) -> float:
    """What Urbanization brings where it brings most."""
    best = -1.0
    for stop in range(board.num_stops):
        if not is_city(game, stop) and plan.degree[stop] > 0:
            best = max(best, find_colour(game, board, plan, stop, weights)[1])
    return best


@kernel
def is_stuck(game: np.record, plan: np.record) -> bool:
    """Whether the mover makes losses and can move no cube: what money it can raise is for track, or for new cubes."""
    return game.income[plan.seat] < 0 and sum_moves(plan, NOW, 1) == 0


@kernel
def brings_cubes(tile: int) -> bool:
    """Whether an action tile puts cubes into a city."""
    return tile in (CITY_GROWTH, URBANIZATION)


@kernel
def rate_taking(game: np.record, board: np.record, plan: np.record, action: int, weights: Weights) -> float:
    """What it brings to take an action tile, with pass or without, for its price."""
    passes = action >= TAKE_PASS
    tile = PASSED_TILES[action - TAKE_PASS] if passes else action - TAKE_TILE + 1
    worth = -rate_number(game, plan, tile, weights)
    if not passes:
        price = tile_cost(game, int(plan.seat), tile, False)
        gain = rate_tile(game, board, plan, tile, weights)
        worth += gain - price * plan.dollar
        is_help = brings_cubes(tile) and gain > 0.0
        if price > plan.purse or (price > 0 and is_stuck(game, plan) and not is_help):
            worth -= NEVER
    return worth


@kernel
def choose_tile(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Choose the action tile that brings most for its price."""
    best, best_worth = NONE, -2 * NEVER
    for action in range(PASS):
        if mask[action]:
            worth = rate_taking(game, board, plan, action, weights)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


# --- moves and points --------------------------------------------------------------------------------------


@kernel
def choose_goods(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    rates: np.ndarray,
    weights: Weights,
) -> int:
    """Move the cube that brings most, or improve the locomotive if that brings more in the moves to come."""
    seat = int(game.seat)
    best, best_rate = PASS, 0.0
    survey_links(game, board, work)
    for stop in range(board.num_stops):
        if mask[FROM + stop]:
            rate = rate_cubes(game, work, seat, stop, rates)
            if rate > best_rate:
                best, best_rate = FROM + stop, rate
    if mask[IMPROVE]:
        moves = int(plan.moves_left) - int(game.goods_round)
        if rate_level(plan, moves, weights) > best_rate:
            return IMPROVE
    return best


@kernel
def choose_points(game: np.record, plan: np.record, mask: np.ndarray) -> int:
    """Put the points of a move on income if they are worth more there, else on VP."""
    return TO_INCOME if mask[TO_INCOME] and rate_income(game, plan) >= int(game.points[plan.seat]) else TO_VP


@kernel
def rate_income(game: np.record, plan: np.record) -> float:
    """What the points of a move are worth on income."""
    room = int(game.income_max) - int(game.income[plan.seat])
    return min(int(game.points[plan.seat]), room) * plan.step
