"""What the planner makes of the positions that it comes to in its head, in dollars; and how far it looks."""

from typing import NamedTuple

import numpy as np

from steam_env.agents.greedy_plan import Weights, price
from steam_env.agents.greedy_worth import factory_worth
from steam_env.core.bits import has
from steam_env.core.jit import kernel
from steam_env.core.steam_power.factory import build_problem, usual_resources
from steam_env.core.steam_power.reasons import OK
from steam_env.core.steam_power.scoring import FROM_MONEY, TOTAL, rarity_bonus, score_game
from steam_env.core.steam_power.state import BONUS_NONE, FLIPPED_VP, NUM_RESOURCES, PLACE_HAND


class Foresight(NamedTuple):
    """How far and how broadly the planner looks ahead, and how it weighs what it comes to.

    The weights were fitted to positions of greedy's games at 2 to 5 seats on midwest and 2 to 4 on alps. Greedy played
    each to the end six or eight times after every action in question; least squares then found by which weights the sum
    of the parts comes nearest to the lead in victory points that such a game ended with. What rivals have was fitted
    last, at two seats; mixtures of both fits were then compared in matches with greedy at 2, 3 and 5 seats.
    """

    turns: int = 1  # own turns that are played in the head after the one under way
    deals: int = 2  # deals of the hidden contracts, divided by the rivals: each of them plays in the head too
    breadth: int = 5  # actions that are tried
    near: float = 0.75  # part of greedy's best rate from which on an action is tried
    longest: float = 14.0  # longest way that is looked for in the head, in effort: most of greedy's time goes there
    rate: float = 1.0  # greedy's own rate of the action that is tried
    points: float = 0.8  # victory points made: contracts, flipped tiles, purple cities
    dollars: float = 1.9
    flips: float = 2.1  # own factories that are still to be emptied
    hand: float = 0.3  # contracts in hand
    costs: float = 0.53  # resources for contracts in hand and to come
    tolls: float = 0.45  # groups in the network
    sites: float = 0.5  # factories that can be built in the network
    rival_points: float = 0.5  # a rival's points, on average
    rival_dollars: float = 2.8
    rival_flips: float = 1.8


FORESIGHT = Foresight()

NUM_PARTS = 10
POINTS, DOLLARS, FLIPS, HAND, COSTS, TOLLS, SITES, RIVAL_POINTS, RIVAL_DOLLARS, RIVAL_FLIPS = range(NUM_PARTS)


@kernel
def note_points(
    game: np.record, board: np.record, deck: np.record, plan: np.record, parts: np.ndarray, weights: Weights
) -> None:
    """Write the dollars of points and money as they stand."""
    seat = int(game.seat)
    score_game(game, board, deck, plan.scores)
    parts[POINTS] = weights.vp * (int(plan.scores[seat, TOTAL]) - int(plan.scores[seat, FROM_MONEY]))
    parts[DOLLARS] = int(game.money[seat])


@kernel
def note_flips(game: np.record, board: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write the dollars that emptying own factories will bring: those with the fewest resources are emptied first."""
    seat = int(game.seat)
    parts[FLIPS] = 0.0
    for color in range(NUM_RESOURCES):
        needed = plan.flips[color]
        for other in range(game.num_seats):
            if other != seat:
                needed += weights.sold * max(0.0, plan.rival_needs[other] - plan.units[other, color])
        tile = weights.vp * (FLIPPED_VP + rarity_bonus(game, color)) * plan.trust
        for left in range(1, usual_resources(game) + 2):  # a bonus factory has one more (rule 5.2)
            for city in range(board.num_cities):
                if game.color[city] == color and game.owner[city] == seat and game.resources[city] == left:
                    parts[FLIPS] += tile * max(0.0, min(1.0, needed * weights.flip / left))
                    needed -= left


@kernel
def note_hand(game: np.record, deck: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write what contracts in hand bring beyond the actions that they take, and what resources will cost."""
    seat = int(game.seat)
    hand = 0
    gain = 0.0
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            hand += 1
            gain += weights.vp * int(deck.vp[contract]) + int(deck.money[contract]) * plan.cash - weights.tempo
            if deck.bonus[contract] != BONUS_NONE:
                gain += weights.tempo * weights.bonus_part
    doable = min(plan.actions_left * weights.effort, float(int(game.contracts_to_end) - int(game.num_fulfilled[seat])))
    part = max(0.0, min(1.0, doable / hand)) if hand > 0 else 0.0
    parts[HAND] = gain * part * plan.use
    parts[COSTS] = 0.0
    for color in range(NUM_RESOURCES):
        parts[COSTS] -= price(plan, color, 0.0, 0, weights.lack) * plan.use


@kernel
def note_network(game: np.record, board: np.record, plan: np.record, parts: np.ndarray, weights: Weights) -> None:
    """Write how large the network is, and what factories that may be built in it are worth beyond the action."""
    seat = int(game.seat)
    parts[TOLLS] = 0.0
    parts[SITES] = 0.0
    usual = usual_resources(game)
    for city in range(board.num_cities):
        if has(game.network[seat], board.group[city]):
            parts[TOLLS] += plan.trust if board.group[city] == city else 0.0
            if build_problem(game, board, seat, city) == OK:
                parts[SITES] += max(0.0, factory_worth(game, board, plan, city, 0, usual, weights) - weights.tempo)


@kernel
def note_parts(
    game: np.record, board: np.record, deck: np.record, plan: np.record, parts: np.ndarray, weights: Weights
) -> None:
    """Write the own parts of what the position is worth to the mover, after greedy's ``prepare``."""
    note_points(game, board, deck, plan, parts, weights)
    note_flips(game, board, plan, parts, weights)
    note_hand(game, deck, plan, parts, weights)
    note_network(game, board, plan, parts, weights)


@kernel
def weigh(parts: np.ndarray, foresight: Foresight) -> float:
    """Dollars that all parts together are worth."""
    return (
        foresight.points * parts[POINTS]
        + foresight.dollars * parts[DOLLARS]
        + foresight.flips * parts[FLIPS]
        + foresight.hand * parts[HAND]
        + foresight.costs * parts[COSTS]
        + foresight.tolls * parts[TOLLS]
        + foresight.sites * parts[SITES]
        - foresight.rival_points * parts[RIVAL_POINTS]
        - foresight.rival_dollars * parts[RIVAL_DOLLARS]
        - foresight.rival_flips * parts[RIVAL_FLIPS]
    )
