"""The planner's list of what may be done now: greedy's estimate of every action, in dollars per action."""

import numpy as np

from steam_env.agents.greedy_plan import DOLLARS, EFFORT, FAR, FIRST, NEVER, PLACEMENTS, Weights
from steam_env.agents.greedy_track import compare_way, plan_track, way_worth
from steam_env.agents.greedy_worth import (
    actions_for_money,
    choose_build,
    choose_contract,
    contract_worth,
    draw_worth,
    ending_worth,
    factory_worth,
)
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import BUILD, CONTRACTS, DONE, FULFIL, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.carriage import contract_cost
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.state import (
    ACTION,
    BONUS_FACTORY,
    BONUS_TRACK,
    PLACE_HAND,
    TAKE_MONEY,
    TRACK,
)


@kernel
def keep_rate(plan: np.record, mask: np.ndarray, rates: np.ndarray) -> None:
    """Rate the track action that was compared last: one that cannot be paid for yet begins with `money`."""
    if plan.track_action != NONE:
        action = int(plan.track_action) if mask[plan.track_action] else MONEY
        rates[action] = max(rates[action], plan.track_rate)
    plan.track_action = NONE
    plan.track_rate = NEVER


@kernel
def rate_links(
    game: np.record, board: np.record, plan: np.record, mask: np.ndarray, rates: np.ndarray, weights: Weights
) -> None:
    """Rate the links that the mover may begin or go on with, by the ways that greedy has found."""
    best, best_rate = int(plan.track_action), float(plan.track_rate)
    keep_rate(plan, mask, rates)
    for group in range(board.num_cities):
        if plan.group_ways[EFFORT, group] < FAR:
            placements, dollars = int(plan.group_ways[PLACEMENTS, group]), int(plan.group_ways[DOLLARS, group])
            worth = way_worth(game, plan, group)
            compare_way(game, plan, worth, placements, dollars, int(plan.group_ways[FIRST, group]), weights)
            keep_rate(plan, mask, rates)
    plan.track_action = best
    plan.track_rate = best_rate


@kernel
def rate_builds(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    rates: np.ndarray,
    weights: Weights,
) -> None:
    """Rate the factories that may be built."""
    usual = usual_resources(game)
    for city in range(board.num_cities):
        if mask[BUILD + city]:
            links = int(work.distance[board.group[city]])
            rates[BUILD + city] = factory_worth(game, board, plan, city, links, usual, weights)


@kernel
def rate_contracts(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    rates: np.ndarray,
    weights: Weights,
) -> None:
    """Rate the contracts in hand: those that cannot be paid for yet begin with `money`, or with a factory."""
    seat = int(game.seat)
    ending = ending_worth(game, board, deck, plan, weights)
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            cost = int(contract_cost(deck, work, contract))
            waiting = actions_for_money(game, cost)
            rate = (contract_worth(game, deck, plan, contract, cost, weights) + ending) / (1 + waiting)
            action = FULFIL + contract if waiting == 0 else MONEY
            rates[action] = max(rates[action], rate)
    action, rate = choose_contract(game, board, deck, work, plan, weights)
    if action != NONE:
        rates[action] = max(rates[action], rate)


@kernel
def rate_options(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    rates: np.ndarray,
    weights: Weights,
) -> None:
    """Rate what a second placement or a bonus may be used for, and `done`."""
    rates[DONE] = weights.second
    if game.phase == TRACK or deck.bonus[game.contract] == BONUS_TRACK:
        rate_links(game, board, plan, mask, rates, weights)
    elif deck.bonus[game.contract] == BONUS_FACTORY:
        rate_builds(game, board, work, plan, mask, rates, weights)


@kernel
def rate_actions(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    rates: np.ndarray,
    weights: Weights,
) -> None:
    """Write greedy's estimate of each action, (``NUM_ACTIONS``,), after ``prepare``; NEVER where it sees no use."""
    rates[:] = NEVER
    plan_track(game, board, work, plan, mask, weights)
    if game.phase != ACTION:
        rate_options(game, board, deck, work, plan, mask, rates, weights)
    else:
        rates[MONEY] = TAKE_MONEY * plan.cash * plan.patience
        choose_build(game, board, work, plan, mask, weights)  # notes the best site of each colour
        plan.best_draw = draw_worth(game, deck, work, plan, weights)
        rates[CONTRACTS] = plan.best_draw
        rate_links(game, board, plan, mask, rates, weights)
        rate_builds(game, board, work, plan, mask, rates, weights)
        rate_contracts(game, board, deck, work, plan, rates, weights)
    for action in range(NUM_ACTIONS):
        if not mask[action]:
            rates[action] = NEVER
