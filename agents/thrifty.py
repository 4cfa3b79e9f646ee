"""A sensible random player of Steam (2009), the first opponent, and the player of tests that must reach late turns.

It builds towards cubes that it can deliver, as long as deliveries repay the income that they cost; it moves the cube
that brings it most, and improves its locomotive when nothing else pays. Where several things are about as good, chance
decides: each decision draws from the agent's own seed. Nothing is remembered between decisions.
"""

import numpy as np

from steam_env.agents.thrifty_ways import FAR, MAX_TILES, PLAN, plan_links, stir
from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.sampling import pick_simply
from steam_env.core.steam.action_tiles import tile_cost
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    HOP_TO,
    IMPROVE,
    LAY,
    OVER_LINK,
    PASS,
    TAKE_PASS,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
    UNOWNED_OFFSET,
)
from steam_env.core.steam.routes import (
    colors_in,
    go_on,
    is_allowed,
    most_of_others,
    set_route,
    survey_links,
)
from steam_env.core.steam.state import (
    BID,
    BUILD,
    CUBE,
    GOODS,
    HOP,
    LOAN,
    MAX_STOPS,
    NUM_COLORS,
    OVER,
    SCORE,
    TAKE,
    TILE,
    UNOWNED_CLASS,
    new_work,
)
from steam_env.table.view import View

LOWEST = -4  # income below which nothing is built, but for what deliveries repay
LEFT_OVER = 3  # dollars that are to be left for track when an action tile is paid
RESERVE = 3  # turns that are left from which on points go on income
WEIGHTS = (0.0, 0.4, 0.9, 0.6, 1.0, 1.1, 0.9, 0.9)  # how much an action tile is wanted, by number


@kernel
def spare_dollars(game: np.record, seat: int) -> int:
    """Dollars that the seat may spend on track: cash, and what steps down to the lowest income bring."""
    return int(game.money[seat]) + LOAN * max(int(game.income[seat]) - LOWEST, 0)


@kernel
def choose_tile(game: np.record, mask: np.ndarray, noise: float) -> int:
    """Choose an action tile: one that costs nothing, or another if there is money for it."""
    seat = int(game.seat)
    best, best_worth = NONE, -1.0
    for action in range(PASS):
        if not mask[action]:
            continue
        worth = 0.05
        if action < TAKE_PASS:
            tile = action - TAKE_TILE + 1
            cost = tile_cost(game, seat, tile, False)
            worth = WEIGHTS[tile] if cost == 0 or cost + LEFT_OVER <= spare_dollars(game, seat) else 0.01
        worth *= 0.5 + stir(noise, action)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@kernel
def choose_track(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, mask: np.ndarray, noise: float
) -> int:
    """Choose the next placement, or be done; what was paid for is carried out first."""
    place = choose_stop(game, board, mask, noise)
    if place != NONE:
        return place
    find_plan(game, board, plan, offers, NONE, noise)
    if plan.best_hex != NONE and mask[BUILD_ON + plan.best_hex]:
        return BUILD_ON + int(plan.best_hex)
    return PASS


@kernel
def find_plan(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, only_hex: int, noise: float
) -> None:
    """Write the best plan of the mover that it can pay without ruin; with a hex, of those that begin there."""
    seat = int(game.seat)
    plan.seat = seat
    plan.only_hex = only_hex
    plan.most_tiles = min(MAX_TILES, int(game.placements_left) + 1)
    plan.purse = min(spare_dollars(game, seat), FAR - 1)
    plan_links(game, board, plan, offers, noise)


@kernel
def choose_pattern(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, mask: np.ndarray, noise: float
) -> int:
    """Choose the tile with which a plan begins on the chosen hex; else any."""
    find_plan(game, board, plan, offers, int(game.hex), noise)
    if plan.best_hex == game.hex and mask[LAY + plan.best_tile]:
        return LAY + int(plan.best_tile)
    return pick_simply(mask, noise)


@kernel
def choose_stop(game: np.record, board: np.record, mask: np.ndarray, noise: float) -> int:
    """Choose the city that grows or the town that becomes one, rather one on own links; NONE: nothing is to do."""
    best, best_worth = NONE, -1.0
    for action in range(GROW, COLOUR_OF):
        if mask[action]:
            stop = (action - GROW) % MAX_STOPS
            own = 1.0 if has(game.served[game.seat], stop) else 0.0
            worth = own + stir(noise, stop)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


# --- goods ------------------------------------------------------------------------------------------------


@kernel
def rate_route(work: np.record, seat: int) -> float:
    """What a route brings: own points, less half of what the best of the others gets."""
    return work.tally[seat] - 0.5 * most_of_others(work, seat)


@kernel
def find_best(game: np.record, work: np.record, seat: int, start: int, colors: int, rates: np.ndarray) -> None:
    """Write by colour the best rate of a route that begins as the one tried, 0 without one. A depth-first search."""
    depth = start
    work.next_try[depth] = 0
    work.under_way[depth] = colors
    while True:
        here = work.path_stop[depth]
        way = work.next_try[depth]
        if work.under_way[depth] == 0 or depth >= game.level[seat] or way >= work.degree[here]:
            if depth == start:
                return
            depth -= 1
            work.tally[work.path_class[depth]] -= 1
            continue
        work.next_try[depth] += 1
        if go_on(game, work, seat, depth, way):
            depth += 1
            work.next_try[depth] = 0
            work.under_way[depth] = arrive(game, work, seat, depth, work.under_way[depth - 1], rates)


@kernel
def arrive(game: np.record, work: np.record, seat: int, depth: int, colors: int, rates: np.ndarray) -> int:
    """Rate the route for the cubes that end here; returns the colours of those that go on."""
    color = int(game.city_color[work.path_stop[depth]])
    if color == NONE or not has(colors, color):
        return colors
    if is_allowed(work, seat):
        rates[color] = max(rates[color], rate_route(work, seat))
    return colors & ~bit(color)


@kernel
def choose_goods(
    game: np.record, board: np.record, work: np.record, mask: np.ndarray, rates: np.ndarray, noise: float
) -> int:
    """Move the cube that brings most; improve the locomotive if that is little and a better one may be of use."""
    seat = int(game.seat)
    best, best_rate = PASS, 0.0
    survey_links(game, board, work)
    for stop in range(board.num_stops):
        if mask[FROM + stop]:
            rate = rate_cubes(game, work, seat, stop, rates) + 0.1 * stir(noise, stop)
            if rate > best_rate:
                best, best_rate = FROM + stop, rate
    if mask[IMPROVE] and best_rate < wanted_rate(game, seat):
        return IMPROVE
    return best


@kernel
def wanted_rate(game: np.record, seat: int) -> float:
    """A move that brings less than that may wait for a better locomotive, while turns are left to use it."""
    if game.round_number >= game.num_turns:
        return 0.0
    return 1.0 if game.goods_round == 1 else 0.5 + 0.4 * int(game.level[seat])


@kernel
def rate_cubes(game: np.record, work: np.record, seat: int, stop: int, rates: np.ndarray) -> float:
    """The best rate of the cubes of a city; writes those of all colours."""
    rates[:] = 0
    work.tally[:] = 0
    work.path_stop[0] = stop
    find_best(game, work, seat, 0, colors_in(game, stop), rates)
    return rates.max()


@kernel
def choose_cube(game: np.record, board: np.record, work: np.record, mask: np.ndarray, rates: np.ndarray) -> int:
    """Choose the cube of the city that brings most."""
    survey_links(game, board, work)
    rate_cubes(game, work, int(game.seat), int(game.route_stop[0]), rates)
    best = NONE
    for color in range(NUM_COLORS):
        if mask[COLOUR_OF + color] and (best == NONE or rates[color] > rates[best]):
            best = color
    return COLOUR_OF + best


@kernel
def choose_way(game: np.record, board: np.record, work: np.record, mask: np.ndarray, rates: np.ndarray) -> int:
    """Choose the next stop, or over whose link the cube goes there: what the best route begins with."""
    seat = int(game.seat)
    survey_links(game, board, work)
    set_route(game, work)
    depth, color = int(game.hops), int(game.color)
    here = work.path_stop[depth]
    best, best_rate = NONE, -FAR * 1.0
    for way in range(work.degree[here]):
        stop, owner = work.near_stop[here, way], work.near_class[here, way]
        action = HOP_TO + stop if game.phase == HOP else over_action(game, seat, owner)
        if not mask[action] or (game.phase == OVER and stop != game.next_stop):
            continue
        if not go_on(game, work, seat, depth, way):
            continue
        rates[:] = -FAR
        going = arrive(game, work, seat, depth + 1, bit(color), rates)
        if going != 0:
            find_best(game, work, seat, depth + 1, going, rates)
        work.tally[owner] -= 1
        if rates[color] > best_rate:
            best, best_rate = action, rates[color]
    return best


@kernel
def over_action(game: np.record, seat: int, owner: int) -> int:
    """The action `over` for links of an owner."""
    if owner == UNOWNED_CLASS:
        return OVER_LINK + UNOWNED_OFFSET
    return OVER_LINK + (owner - seat) % int(game.num_seats)


@kernel
def choose_points(game: np.record, mask: np.ndarray) -> int:
    """Put points on income while there are turns to collect it, else on VP."""
    turns_left = int(game.num_turns) - int(game.round_number)
    return TO_INCOME if mask[TO_INCOME] and (turns_left >= RESERVE or game.income[game.seat] < 0) else TO_VP


# --- all of it --------------------------------------------------------------------------------------------


@kernel
def decide(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    offers: np.ndarray,
    rates: np.ndarray,
    mask: np.ndarray,
    noise: float,
) -> int:
    """Choose an action of the mover."""
    phase = game.phase
    if phase == TAKE:
        return choose_tile(game, mask, noise)
    if phase == BUILD:
        return choose_track(game, board, plan, offers, mask, noise)
    if phase == TILE:
        return choose_pattern(game, board, plan, offers, mask, noise)
    if phase == GOODS:
        return choose_goods(game, board, work, mask, rates, noise)
    if phase == CUBE:
        return choose_cube(game, board, work, mask, rates)
    if phase in (HOP, OVER):
        return choose_way(game, board, work, mask, rates)
    if phase == SCORE:
        return choose_points(game, mask)
    if phase == BID:
        return PASS
    return pick_simply(mask, noise)


@kernel
def choose_thrifty(
    games: np.ndarray,
    boards: np.ndarray,
    works: np.ndarray,
    plans: np.ndarray,
    masks: np.ndarray,
    noises: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Write a legal action for each game; (n,) ``noises`` from 0 to 1 decide between what is about equal."""
    offers = np.zeros((MAX_STOPS, 3), np.int64)
    rates = np.zeros(NUM_COLORS)
    for index in range(games.shape[0]):
        mask, noise = masks[index], noises[index]
        action = decide(games[index], boards[0], works[0], plans[0], offers, rates, mask, noise)
        if action == NONE or not mask[action]:
            action = pick_simply(mask, noise)
        actions[index] = action


class ThriftyAgent:
    """An agent that plays sensibly and, between about equal things, at random."""

    encoding: str | None = None

    def __init__(self) -> None:
        self._works = new_work()
        self._plans = np.zeros(1, PLAN)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw anew from this seed."""
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, a legal action of each game."""
        actions = np.empty(len(masks), np.int64)
        noises = self._rng.random(len(masks))
        (boards,) = views.setting.statics
        choose_thrifty(views.records, boards, self._works, self._plans, masks, noises, actions)
        return actions
