"""What the planner makes of a position at the end of its look ahead, in dollars."""

import numpy as np

from steam_env.agents.greedy_plan import Weights, price
from steam_env.agents.greedy_worth import factory_worth
from steam_env.agents.planner_ahead import Foresight
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import BUILD
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.scoring import FROM_MONEY, TOTAL, rarity_bonus, score_game
from steam_env.core.steam_power.state import (
    BONUS_NONE,
    FLIPPED_VP,
    NUM_RESOURCES,
    PLACE_HAND,
)


@kernel
def points_worth(
    game: np.record, board: np.record, deck: np.record, plan: np.record, weights: Weights, foresight: Foresight
) -> float:
    """Dollars of points and money as they stand, the rivals' taken off."""
    seat = int(game.seat)
    score_game(game, board, deck, plan.scores)
    total = 0.0
    for other in range(game.num_seats):
        points = int(plan.scores[other, TOTAL]) - int(plan.scores[other, FROM_MONEY])
        if other == seat:
            money = int(game.money[seat])
            total += weights.vp * points + money * (1.0 + (plan.cash - 1.0))
        else:
            total -= (weights.vp * points + int(game.money[other])) * foresight.rival / (int(game.num_seats) - 1)
    return total


@kernel
def flips_worth(game: np.record, board: np.record, plan: np.record, weights: Weights) -> float:
    """Dollars that own factories not yet empty will bring: those with the fewest resources left come first."""
    seat = int(game.seat)
    total = 0.0
    for color in range(NUM_RESOURCES):
        pool = plan.flips[color]
        for other in range(game.num_seats):
            if other != seat:
                pool += weights.sold * max(0.0, plan.rival_needs[other] - plan.units[other, color])
        tile = weights.vp * (FLIPPED_VP + rarity_bonus(game, color)) * plan.trust
        for left in range(1, usual_resources(game) + 2):
            for city in range(board.num_cities):
                if game.color[city] == color and game.owner[city] == seat and game.resources[city] == left:
                    total += tile * max(0.0, min(1.0, pool * weights.flip / left))
                    total += weights.sale * left * plan.trust
                    pool -= left
    return total


@kernel
def hand_worth(game: np.record, deck: np.record, plan: np.record, weights: Weights, foresight: Foresight) -> float:
    """Dollars that contracts still in hand will bring beyond the actions that they take, less what resources cost."""
    seat = int(game.seat)
    hand = 0
    gross = 0.0
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            hand += 1
            worth = weights.vp * int(deck.vp[contract]) + int(deck.money[contract]) * plan.cash - foresight.tempo
            if deck.bonus[contract] != BONUS_NONE:
                worth += foresight.tempo * weights.bonus_part
            gross += worth
    costs = 0.0
    for color in range(NUM_RESOURCES):
        costs += price(plan, color, 0.0, 0, weights.lack)
    doable = min(plan.actions_left * weights.effort, float(int(game.contracts_to_end) - int(game.num_fulfilled[seat])))
    part = max(0.0, min(1.0, doable / hand)) if hand > 0 else 0.0
    return gross * part * foresight.hand * plan.use - costs * foresight.costs * plan.use


@kernel
def network_worth(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    legal: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the network will bring: tolls, and factories that may still be built in it."""
    seat = int(game.seat)
    total = 0.0
    for group in range(board.num_cities):
        if has(game.network[seat], group) and board.group[group] == group:
            total += weights.toll * plan.trust
    for city in range(board.num_cities):
        if legal[BUILD + city] and has(game.network[seat], board.group[city]) and game.owner[city] == NONE:
            worth = factory_worth(game, board, plan, city, 0, usual_resources(game), weights) - foresight.tempo
            total += max(0.0, worth) * foresight.sites
    return total


@kernel
def position_worth(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    legal: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the position is worth to the mover, after a ``look``."""
    return (
        points_worth(game, board, deck, plan, weights, foresight)
        + flips_worth(game, board, plan, weights)
        + hand_worth(game, deck, plan, weights, foresight)
        + network_worth(game, board, work, plan, legal, weights, foresight)
    )
