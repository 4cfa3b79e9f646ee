"""A rule-based player of Steam (2009): it values every option in points of a move, and takes what brings most.

It plans the routes that the cubes in the cities want and lays track for the missing link that the most of them share
(``steam_greedy_links``); it weighs action tiles, better locomotives, growing cities, income and victory points against
each other (``steam_greedy_worth``) by what a point and a dollar are worth in this turn (``steam_greedy_plan``). Moves
over its own links it finds as the thrifty player does.

The choice depends on the position only, and is deterministic: of equal options the first one looked at is taken.
Nothing is remembered between decisions. All of it are Numba kernels over one ``GAME`` record, with one ``PLAN`` record
as scratch memory, so that compiled searches can call ``choose_greedy``.
"""

from functools import cache

import numpy as np

from steam_env.agents.steam_greedy_links import choose_pattern, plan_track
from steam_env.agents.steam_greedy_plan import DARING, NUM_OFFER_COLUMNS, PLAN, WEIGHTS, Weights, note_values, prepare
from steam_env.agents.steam_greedy_worth import (
    choose_colour,
    choose_goods,
    choose_place,
    choose_points,
    choose_space,
    choose_tile,
)
from steam_env.agents.thrifty import choose_cube, choose_way
from steam_env.core.fields import NONE
from steam_env.core.jit import announce_compilation, kernel
from steam_env.core.steam.actions import BUILD_ON, NUM_ACTIONS, PASS, RAISE_BID
from steam_env.core.steam.auction import next_bid
from steam_env.core.steam.state import (
    BID,
    BOARD,
    BUILD,
    COLOUR,
    CUBE,
    GAME,
    GOODS,
    HOP,
    MAX_STOPS,
    NUM_COLORS,
    OVER,
    SCORE,
    SPACE,
    TAKE,
    TILE,
    new_work,
)
from steam_env.table.view import View


@kernel
def choose_track(
    game: np.record, board: np.record, plan: np.record, offers: np.ndarray, mask: np.ndarray, weights: Weights
) -> int:
    """Choose the next placement, or be done; what was paid for is carried out before it is done."""
    plan_track(game, board, plan, offers, mask, NONE, weights)
    if plan.best_worth <= -DARING:
        place = choose_place(game, board, plan, mask, weights)
        if place != NONE or mask[PASS] or plan.best_from == NONE:
            return PASS if place == NONE else place
    return BUILD_ON + int(plan.link_hex[plan.best_from, plan.best_to])


@kernel
def choose_bid(game: np.record, mask: np.ndarray, weights: Weights) -> int:
    """Bid for a place of the first order track as long as it is cheap."""
    return RAISE_BID if mask[RAISE_BID] and next_bid(game) <= weights.place else PASS


@kernel
def decide(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    offers: np.ndarray,
    rates: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """Choose for the decision under way; NONE if there is no answer."""
    phase = int(game.phase)
    if phase == BID:
        return choose_bid(game, mask, weights)
    if phase == CUBE:
        return choose_cube(game, board, work, mask, rates)
    if phase in (HOP, OVER):
        return choose_way(game, board, work, mask, rates)
    if phase == SCORE:
        note_values(game, plan, weights)
        return choose_points(game, plan, mask)
    prepare(game, board, plan, weights)
    if phase == TAKE:
        return choose_tile(game, board, plan, mask, weights)
    if phase == BUILD:
        return choose_track(game, board, plan, offers, mask, weights)
    if phase == TILE:
        plan_track(game, board, plan, offers, mask, int(game.hex), weights)
        return choose_pattern(game, board, plan, mask, weights)
    if phase == COLOUR:
        return choose_colour(game, board, plan, weights)
    if phase == SPACE:
        return choose_space(game, plan, mask, weights)
    if phase == GOODS:
        return choose_goods(game, board, work, plan, mask, rates, weights)
    return NONE


@kernel
def first_legal(mask: np.ndarray) -> int:
    """The first legal action."""
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return PASS


@kernel
def choose_greedy(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> int:
    """A legal action by these weights."""
    offers = np.zeros((MAX_STOPS, NUM_OFFER_COLUMNS), np.int64)
    rates = np.zeros(NUM_COLORS)
    action = decide(game, board, work, plan, offers, rates, mask, weights)
    return first_legal(mask) if action == NONE or not mask[action] else action


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    works: np.ndarray,
    plans: np.ndarray,
    masks: np.ndarray,
    weights: Weights,
    actions: np.ndarray,
) -> None:
    """Write the choice in each game."""
    for index in range(games.shape[0]):
        actions[index] = choose_greedy(games[index], boards[0], works[0], plans[0], masks[index], weights)


@cache
def compile_greedy() -> None:
    """Compile or load the kernels, once in a process, and say so if it takes time."""
    games, boards, masks = np.zeros(0, GAME), np.zeros(1, BOARD), np.zeros((0, NUM_ACTIONS), np.bool_)
    boards.setflags(write=False)  # as those of a setting are, which is another type to the compiler
    with announce_compilation("greedy agent"):
        choose_all(games, boards, new_work(), np.zeros(1, PLAN), masks, WEIGHTS, np.zeros(0, np.int64))


class SteamGreedyAgent:
    """The rule-based player of Steam as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        compile_greedy()
        self._weights = weights
        self._works = new_work()
        self._plans = np.zeros(1, PLAN)

    def reset(self, seed: int) -> None:
        """Do nothing: the agent draws nothing and remembers nothing."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        (boards,) = views.setting.statics
        choose_all(views.records, boards, self._works, self._plans, masks, self._weights, actions)
        return actions
