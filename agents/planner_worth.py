"""What the planner makes of a position at the end of its look ahead, in dollars."""

import numpy as np

from steam_env.agents.greedy_plan import Weights, most_fulfilled, price
from steam_env.agents.greedy_worth import factory_worth
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.factory import build_problem, usual_resources
from steam_env.core.steam_power.scoring import FROM_MONEY, TOTAL, rarity_bonus, score_game
from steam_env.core.steam_power.state import (
    BONUS_NONE,
    FLIPPED_VP,
    NUM_RESOURCES,
    PLACE_HAND,
)

NUM_PARTS = 16
(
    POINTS,
    RIVAL_POINTS,
    CONTRACTS_DONE,
    DOLLARS,
    CASH,
    FLIPS,
    HAND,
    COSTS,
    TOLLS,
    SITES,
    RIVAL_FLIPS,
    TAIL,
    HAND_SIZE,
    RIVAL_DOLLARS,
    RIVAL_DONE,
    UNITS,
) = range(NUM_PARTS)


@kernel
def note_points(
    game: np.record, board: np.record, deck: np.record, plan: np.record, parts: np.ndarray, weights: Weights
) -> None:
    """Write the dollars of points and money as they stand."""
    seat = int(game.seat)
    score_game(game, board, deck, plan.scores)
    parts[POINTS] = 0.0
    parts[RIVAL_POINTS] = 0.0
    parts[RIVAL_DOLLARS] = 0.0
    for other in range(game.num_seats):
        points = weights.vp * (int(plan.scores[other, TOTAL]) - int(plan.scores[other, FROM_MONEY]))
        if other == seat:
            parts[POINTS] = points
        else:
            parts[RIVAL_POINTS] -= points / (int(game.num_seats) - 1)
            parts[RIVAL_DOLLARS] -= int(game.money[other]) / (int(game.num_seats) - 1)
    parts[RIVAL_DONE] = -most_fulfilled(game)
    parts[RIVAL_FLIPS] = 0.0
    for city in range(board.num_cities):
        owner = int(game.owner[city])
        if owner != NONE and owner != seat and game.resources[city] > 0:
            tile = weights.vp * (FLIPPED_VP + rarity_bonus(game, int(game.color[city]))) * plan.trust
            parts[RIVAL_FLIPS] -= tile / int(game.resources[city]) / (int(game.num_seats) - 1)
    parts[TAIL] = 1.0 if game.tail_link[seat] != NONE else 0.0
    money = int(game.money[seat])
    parts[CONTRACTS_DONE] = int(game.num_fulfilled[seat])
    parts[DOLLARS] = money
    parts[CASH] = money * (plan.cash - 1.0)


@kernel
def note_flips(game: np.record, board: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write the dollars that own factories not yet empty will bring: those with the fewest resources come first."""
    seat = int(game.seat)
    parts[FLIPS] = 0.0
    parts[UNITS] = 0.0
    for color in range(NUM_RESOURCES):
        pool = plan.flips[color]
        for other in range(game.num_seats):
            if other != seat:
                pool += weights.sold * max(0.0, plan.rival_needs[other] - plan.units[other, color])
        tile = weights.vp * (FLIPPED_VP + rarity_bonus(game, color)) * plan.trust
        for left in range(1, usual_resources(game) + 2):
            for city in range(board.num_cities):
                if game.color[city] == color and game.owner[city] == seat and game.resources[city] == left:
                    parts[FLIPS] += tile * max(0.0, min(1.0, pool * weights.flip / left))
                    parts[UNITS] += left * plan.trust
                    pool -= left


@kernel
def note_hand(game: np.record, deck: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write what contracts still in hand will bring beyond the actions that they take, and what resources cost."""
    seat = int(game.seat)
    hand = 0
    gross = 0.0
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            hand += 1
            worth = weights.vp * int(deck.vp[contract]) + int(deck.money[contract]) * plan.cash - weights.tempo
            if deck.bonus[contract] != BONUS_NONE:
                worth += weights.tempo * weights.bonus_part
            gross += worth
    costs = 0.0
    for color in range(NUM_RESOURCES):
        costs += price(plan, color, 0.0, 0, weights.lack)
    doable = min(plan.actions_left * weights.effort, float(int(game.contracts_to_end) - int(game.num_fulfilled[seat])))
    part = max(0.0, min(1.0, doable / hand)) if hand > 0 else 0.0
    parts[HAND] = gross * part * plan.use
    parts[COSTS] = -costs * plan.use
    parts[HAND_SIZE] = hand * plan.use


@kernel
def note_network(game: np.record, board: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write what the network will bring: tolls, and factories that may still be built in it."""
    seat = int(game.seat)
    parts[TOLLS] = 0.0
    parts[SITES] = 0.0
    for group in range(board.num_cities):
        if has(game.network[seat], group) and board.group[group] == group:
            parts[TOLLS] += plan.trust
    for city in range(board.num_cities):
        if has(game.network[seat], board.group[city]) and build_problem(game, board, seat, city) == 0:
            worth = factory_worth(game, board, plan, city, 0, usual_resources(game), weights) - weights.tempo
            parts[SITES] += max(0.0, worth)


@kernel
def note_parts(
    game: np.record,
    board: np.record,
    deck: np.record,
    plan: np.record,
    parts: np.ndarray,
    weights: Weights,
) -> None:
    """Write the parts of what the position is worth to the mover, after a ``look``."""
    note_points(game, board, deck, plan, parts, weights)
    note_flips(game, board, plan, parts, weights)
    note_hand(game, deck, plan, parts, weights)
    note_network(game, board, plan, parts, weights)
