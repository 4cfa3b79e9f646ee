"""The greedy player of Steam (2009): its estimates (``Weights``), its scratch memory (``PLAN``), its look at a game.

Values are in points of a move (rule 9.8). What a dollar and a point at the end are worth in them depends on how long
the game goes on: early on a point is put on income and pays again and again.
"""

from typing import NamedTuple

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam.links import is_complete
from steam_env.core.steam.money import count_steps
from steam_env.core.steam.state import (
    DEBT_VP,
    GOODS_ROUNDS,
    INCOME_PER_VP,
    LOAN,
    MAX_DEGREE,
    MAX_HEXES,
    MAX_LEVEL,
    MAX_STOPS,
    NUM_COLORS,
)


class Weights(NamedTuple):
    """The greedy player's estimates: what things are worth, and how the game goes on.

    Found by trying one change after another against the weights before, in games of three to five seats on the maps
    ``great_lakes`` and ``rhineland``.
    """

    growth: float = 1.2  # what a step of income is worth a turn earlier: $1 more, a fifth of a step
    usual: float = 8.0  # dollars that a turn usually costs
    spare: float = 0.25  # part of a dollar's worth that is left when there is money for all turns to come
    debt: float = 4.0  # steps below 0 to which income may fall early in the game
    repaid: float = 0.3  # and so much of the points of this turn's moves below that
    soon: float = 3.0  # turns left from which on less debt is made
    trust: float = 0.6  # part of a cube's points that a plan counts: others may take it first
    second: float = 0.5  # likewise of a second cube of the same colour in the same city
    effort: float = 0.2  # points that each placement of a plan costs, beside its dollars
    part: float = 0.2  # part of the effort of its missing links that a cube bears: others want them, too
    later: float = 0.6  # part of a link's worth that counts if it will not be complete in this turn
    loose: float = 0.6  # part of a link's worth that its spur is given when its town's tile is laid
    level: float = 1.0  # points that a better locomotive brings to each move to come, as the network grows
    reach: float = 1.0  # part of what it brings by the cubes in reach that counts
    growing: float = 0.5  # part of the points of cubes in the supply that City Growth and Urbanization count
    first_move: float = 0.3  # points for each seat that the mover comes before by First Move
    first_build: float = 1.5  # likewise by First Build, at the beginning; it fades
    next_place: float = 2.2  # points that each seat before the mover in the next turn costs, at the beginning
    lead: float = 3.0  # points with three seats for being first in the next turn, at the beginning
    engineer: float = 0.6  # points for another placement
    place: float = 1.5  # dollars bid for a place of the first order track


WEIGHTS = Weights()

MAX_WAYS = 24  # ways out of a stop that plans look at
MOST_TILES = 3  # of a link that is planned
MOST_EFFORT = 6.0  # of a plan, in points
NEVER = 1e6  # points: what must not be done costs so much
DARING = 0.1  # points: so much more than plans bring a new link may cost, as plans do not see all of its use
NUM_STATES = MAX_HEXES * NUM_EDGES
LAST_TURNS = 2  # in which no debt is made to get going
DESPERATE = 2  # steps of income for who can move nothing
PRICE, HEX, PATTERN, NOTED = range(4)  # of an offer: dollars, its first tile, dollars when it was last noted
NUM_OFFER_COLUMNS = 4
NOW, NEXT = range(2)  # with the locomotive as it is, and with a better one

PLAN_FIELDS = (
    # What the position tells.
    Field("seat", "<i8", (), "the mover"),
    Field("turns_left", "<i8", (), "turns to come, this one included"),
    Field("moves_left", "<i8", (), "moves of cubes to come, at most"),
    Field("dollar", "<f8", (), "what a dollar is worth now"),
    Field("point", "<f8", (), "what a point of the final scoring is worth now"),
    Field("step", "<f8", (), "points of the final scoring that a step of income is worth now"),
    Field("purse", "<i8", (), "dollars that may be spent on track"),
    # The own network.
    Field("degree", "<i8", (MAX_STOPS,), "by stop: how many neighbours it has over own links"),
    Field("near", "<i8", (MAX_STOPS, MAX_DEGREE), "these neighbours"),
    Field("longest", "<i8", (MAX_STOPS, MAX_STOPS), "by two stops: the longest own way that a cube may take, or 0"),
    Field("best", "<i8", (2, MAX_STOPS, NUM_COLORS), "NOW and NEXT, by stop: the most points for a cube of the colour"),
    Field("counts", "<i8", (2, MAX_LEVEL + 1), "NOW and NEXT: cubes in cities that bring so many points"),
    Field("usual_move", "<i8", (), "points of the last of the moves to come, if the best ones are made"),
    # A search for own ways, by depth.
    Field("at", "<i8", (MAX_LEVEL + 2,), "the stop"),
    Field("seen", "<i8", (MAX_LEVEL + 2,), "bits of the stops so far"),
    Field("passed", "<i8", (MAX_LEVEL + 2,), "bits of the colours of the cities so far"),
    Field("turn", "<i8", (MAX_LEVEL + 2,), "the next neighbour to be tried"),
    # A search for ways for new links; see ``thrifty_ways``, whose names these are.
    Field("front", "<i8", (2, NUM_STATES), "states at so many tiles, and at one more"),
    Field("front_size", "<i8", (2,), "how many states each holds"),
    Field("price", "<i8", (NUM_STATES,), "by state, hex x 6 + edge entered by: dollars up to here, or FAR"),
    Field("first_hex", "<i8", (NUM_STATES,), "by state: where the first tile of the way lies, or NONE"),
    Field("first_tile", "<i8", (NUM_STATES,), "by state: its pattern"),
    Field("root", "<i8", (), "the stop where the link begins"),
    Field("only_hex", "<i8", (), "always NONE: the first tile may lie anywhere"),
    # New links, by two stops, either way the same.
    Field("link_effort", "<f8", (MAX_STOPS, MAX_STOPS), "what the link costs, in points; FAR: it is not to be had"),
    Field("link_price", "<i8", (MAX_STOPS, MAX_STOPS), "its dollars"),
    Field("link_tiles", "<i8", (MAX_STOPS, MAX_STOPS), "its placements"),
    Field("link_hex", "<i8", (MAX_STOPS, MAX_STOPS), "where its first tile lies"),
    Field("link_tile", "<i8", (MAX_STOPS, MAX_STOPS), "the pattern of this tile"),
    Field("link_ready", "<i8", (MAX_STOPS, MAX_STOPS), "1 if it may be begun now"),
    Field("link_worth", "<f8", (MAX_STOPS, MAX_STOPS), "what plans with the link bring, its share of it"),
    # A search for plans: own links and new ones, by number of links.
    Field("ways", "<i8", (MAX_STOPS,), "by stop: how many stops may come next"),
    Field("way", "<i8", (MAX_STOPS, MAX_WAYS), "these stops"),
    Field("cost", "<f8", (MAX_LEVEL + 1, MAX_STOPS), "by links and stop: the least effort, or FAR"),
    Field("before", "<i8", (MAX_LEVEL + 1, MAX_STOPS), "the stop before it"),
    # The best link.
    Field("best_from", "<i8", (), "one end, or NONE"),
    Field("best_to", "<i8", (), "the other"),
    Field("best_worth", "<f8", (), "what it brings less what it costs"),
)
PLAN = make_record(PLAN_FIELDS)


# --- what things are worth ----------------------------------------------------------------------------


@kernel
def note_values(game: np.record, plan: np.record, weights: Weights) -> None:
    """Note what a dollar, a step of income and a point at the end are worth in this turn."""
    seat = int(game.seat)
    plan.seat = seat
    turns = int(game.num_turns) - int(game.round_number) + 1
    plan.turns_left = turns
    plan.moves_left = GOODS_ROUNDS * turns
    grown = weights.growth**turns / INCOME_PER_VP
    wanted = weights.usual * turns
    at_hand = int(game.money[seat]) + max(int(game.income[seat]), 0) * turns
    need = min(1.0, max(weights.spare, 2.0 - at_hand / wanted))
    plan.step = 1.0 / INCOME_PER_VP + (grown - 1.0 / INCOME_PER_VP) * need
    if game.income[seat] < 0:
        plan.step += DEBT_VP - 1.0 / INCOME_PER_VP
    best = max(plan.step, 1.0)
    plan.point = 1.0 / best
    plan.dollar = min(plan.step, 1.0) * need / LOAN


# --- the own network ------------------------------------------------------------------------------------


@kernel
def note_network(game: np.record, board: np.record, plan: np.record) -> None:
    """Note which stops own complete links join."""
    for stop in range(board.num_stops):
        plan.degree[stop] = 0
    for link in range(game.num_links):
        if game.link_owner[link] == plan.seat and is_complete(game, link):
            first, second = int(game.link_from[link]), int(game.link_to[link])
            if not are_near(plan, first, second):
                plan.near[first, plan.degree[first]] = second
                plan.degree[first] += 1
                plan.near[second, plan.degree[second]] = first
                plan.degree[second] += 1


@kernel
def are_near(plan: np.record, first: int, second: int) -> bool:
    """Whether an own link joins two stops."""
    for number in range(plan.degree[first]):
        if plan.near[first, number] == second:
            return True
    return False


@kernel
def note_routes(game: np.record, board: np.record, plan: np.record) -> None:
    """Note the longest routes over own links from each stop, and what the cubes in the cities would bring."""
    plan.counts[:] = 0
    level = int(game.level[plan.seat])
    most = min(level + 1, MAX_LEVEL)
    for origin in range(board.num_stops):
        for stop in range(board.num_stops):
            plan.longest[origin, stop] = 0
        plan.best[:, origin] = 0
        if plan.degree[origin] == 0:
            continue
        follow_routes(game, plan, origin, level, most)
        for color in range(NUM_COLORS):
            cubes = int(game.cubes[origin, color])
            for when in range(2):
                plan.counts[when, plan.best[when, origin, color]] += cubes
    plan.usual_move = find_usual_move(plan)


@kernel
def follow_routes(game: np.record, plan: np.record, origin: int, level: int, most: int) -> None:
    """Try all own ways out of a stop, a depth-first search; a cube ends in the first city of its colour (rule 9.4)."""
    plan.at[0], plan.seen[0], plan.passed[0], plan.turn[0] = origin, bit(origin), 0, 0
    depth = 0
    while depth >= 0:
        here = plan.at[depth]
        if depth >= most or plan.turn[depth] >= plan.degree[here]:
            depth -= 1
            continue
        stop = plan.near[here, plan.turn[depth]]
        plan.turn[depth] += 1
        if has(plan.seen[depth], stop):
            continue
        passed = plan.passed[depth]
        depth += 1
        plan.at[depth], plan.seen[depth], plan.turn[depth] = stop, plan.seen[depth - 1] | bit(stop), 0
        plan.longest[origin, stop] = max(plan.longest[origin, stop], depth)
        color = int(game.city_color[stop])
        if color != NONE and not has(passed, color):
            plan.best[NEXT, origin, color] = max(plan.best[NEXT, origin, color], depth)
            if depth <= level:
                plan.best[NOW, origin, color] = max(plan.best[NOW, origin, color], depth)
            passed |= bit(color)
        plan.passed[depth] = passed


@kernel
def find_usual_move(plan: np.record) -> int:
    """The points of the last of the moves to come, if the best cubes in reach are moved; 0 if they run out."""
    left = int(plan.moves_left)
    for points in range(MAX_LEVEL, 0, -1):
        left -= plan.counts[NEXT, points]
        if left <= 0:
            return points
    return 0


@kernel
def sum_moves(plan: np.record, when: int, moves: int) -> int:
    """The points of so many moves of the cubes in reach, the best ones."""
    total, left = 0, moves
    for points in range(MAX_LEVEL, 0, -1):
        made = min(left, plan.counts[when, points])
        total += made * points
        left -= made
    return total


@kernel
def find_purse(game: np.record, plan: np.record, weights: Weights) -> int:
    """Dollars that may be spent: cash, and what steps down to the lowest sensible income bring.

    It may be lower where the cubes in reach bring it up again in this turn. Who can move no cube must build, whatever
    it costs: else its income falls until it is bankrupt.
    """
    seat = int(game.seat)
    debt = weights.debt * min(1.0, (plan.turns_left - 1) / weights.soon)
    moved = sum_moves(plan, NOW, GOODS_ROUNDS)
    if plan.turns_left > 1:
        debt += weights.repaid * moved
    steps = max(int(game.income[seat]) + round(debt), 0)
    if moved == 0 and plan.turns_left > LAST_TURNS:
        steps = max(steps, DESPERATE)
    return int(game.money[seat]) + LOAN * min(steps, count_steps(game, seat))


@kernel
def prepare(game: np.record, board: np.record, plan: np.record, weights: Weights) -> None:
    """Look at the position."""
    note_values(game, plan, weights)
    note_network(game, board, plan)
    note_routes(game, board, plan)
    plan.purse = find_purse(game, plan, weights)
