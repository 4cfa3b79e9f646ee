"""What track brings the greedy player: which of the ways that ``greedy_ways`` finds pays best.

A way is worth what all the groups on it are worth. A first link, which all else grows from, is chosen by how it stands.
"""

import numpy as np

from steam_env.agents.greedy_plan import (
    DOLLARS,
    EFFORT,
    FAR,
    FIRST,
    FIRST_LIMIT,
    NEVER,
    OVER,
    PLACEMENTS,
    Weights,
)
from steam_env.agents.greedy_ways import is_begun, note_rival_ways, plan_pairs, plan_ways
from steam_env.agents.greedy_worth import actions_for_money, note_worth
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import ACTION, BONUS, HEAD, PLACEMENTS_PER_ACTION
from steam_env.core.steam_power.track import next_site


@kernel
def way_worth(game: np.record, plan: np.record, group: int) -> float:
    """What the way to the group brings: the group and those on the way."""
    total = 0.0
    while group != NONE:
        total += plan.worth[group]
        group = int(plan.group_ways[OVER, group])
    return total


@kernel
def actions_for_track(game: np.record, placements: int) -> float:
    """How many actions so many placements take, from now on; the second half of an action is worth something."""
    ready = int(game.placements_left)
    if game.phase == BONUS or (game.phase == HEAD and ready == 0):
        ready = PLACEMENTS_PER_ACTION
    later = max(0, placements - ready)
    if game.phase == ACTION:
        return max(1.0, later * 0.5 + (0.25 if later % 2 == 1 else 0.0))
    return 0.5 * min(ready, placements) + later * 0.5


@kernel
def way_rate(game: np.record, plan: np.record, worth: float, placements: int, dollars: int, weights: Weights) -> float:
    """Dollars for each action that a way brings; NEVER if the game will be over before."""
    actions = actions_for_track(game, placements)
    spent = 0 if game.phase == ACTION else actions
    actions += actions_for_money(game, dollars)
    if actions - spent > plan.actions_left:
        return NEVER
    haste = max(0.0, 1.0 - weights.haste * max(0.0, actions - 1.0))
    return (worth * haste - dollars * plan.cash) / max(actions, 0.5)


@kernel
def compare_way(
    game: np.record, plan: np.record, worth: float, placements: int, dollars: int, first: int, weights: Weights
) -> None:
    """Keep a way's first step if its rate beats the one kept so far; ``worth`` is what the way brings."""
    rate = way_rate(game, plan, worth, placements, dollars, weights)
    if rate > plan.track_rate:
        plan.track_rate = rate
        plan.track_action = first


@kernel
def compare_ways(game: np.record, board: np.record, plan: np.record, extra: float, weights: Weights) -> None:
    """Keep the first step of the way with the best rate, if it beats the one kept so far.

    ``extra`` is what any completed link brings beside the group that it reaches.
    """
    for group in range(board.num_cities):
        if plan.group_ways[EFFORT, group] < FAR:
            gain = way_worth(game, plan, group) + extra
            placements, dollars = int(plan.group_ways[PLACEMENTS, group]), int(plan.group_ways[DOLLARS, group])
            compare_way(game, plan, gain, placements, dollars, int(plan.group_ways[FIRST, group]), weights)


@kernel
def pair_worth(plan: np.record, group: int, other: int) -> float:
    """What the way from one group to another brings beside the one that it starts from."""
    total = 0.0
    while other != NONE:
        total += plan.worth[other]
        other = int(plan.pair_ways[OVER, group, other])
    return total


@kernel
def country_worth(board: np.record, plan: np.record, group: int, other: int, weights: Weights) -> float:
    """Dollars that the groups round a link between two groups bring, by how near they are to either end."""
    total = 0.0
    for third in range(board.num_cities):
        effort = min(int(plan.pair_ways[EFFORT, group, third]), int(plan.pair_ways[EFFORT, other, third]))
        if third != group and third != other and effort < FAR:
            total += (plan.worth[third] - weights.usual) * max(0.0, 1.0 - effort / weights.fade)
    return total


@kernel
def compare_first_link(
    game: np.record,
    board: np.record,
    plan: np.record,
    group: int,
    other: int,
    worth: float,
    placements: int,
    dollars: int,
    first: int,
    weights: Weights,
) -> None:
    """Keep the first step of a first link between two groups if it stands better than the one kept so far."""
    rate = way_rate(game, plan, worth, placements, dollars, weights)
    if rate <= NEVER:
        return
    standing = weights.ends * worth - weights.laying * placements - weights.paying * dollars + weights.at_once * rate
    standing += weights.country * country_worth(board, plan, group, other, weights)
    nearest = min(plan.rival_effort[group], plan.rival_effort[other])
    standing += weights.apart * (int(game.num_seats) - 2) * min(weights.rivalry, nearest)
    if standing > plan.standing:
        plan.standing = standing
        plan.track_rate = rate
        plan.track_action = first


@kernel
def plan_first_link(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Find the best first link: from any city (rule 4.3), by the groups that it joins and the country round them."""
    for group in range(board.num_cities):
        for other in range(board.num_cities):
            way = plan.pair_ways[:, group, other]
            if way[EFFORT] > FIRST_LIMIT:
                continue
            # What cannot be paid yet is saved for; what could be paid and is masked all the same must not be played.
            if mask[way[FIRST]] or way[DOLLARS] > game.money[game.seat]:
                placements, dollars, first = int(way[PLACEMENTS]), int(way[DOLLARS]), int(way[FIRST])
                worth = pair_worth(plan, group, other) + (weights.first_link + plan.worth[group])
                compare_first_link(game, board, plan, group, other, worth, placements, dollars, first, weights)


@kernel
def finish_first_link(game: np.record, board: np.record, plan: np.record, origin: int, weights: Weights) -> None:
    """Find the best end of the first link under way, by the same measure; after ``find_ways``."""
    for other in range(board.num_cities):
        if plan.group_ways[EFFORT, other] < FAR:
            placements, dollars = int(plan.group_ways[PLACEMENTS, other]), int(plan.group_ways[DOLLARS, other])
            worth = way_worth(game, plan, other) + (weights.first_link + plan.worth[origin])
            first = int(plan.group_ways[FIRST, other])
            compare_first_link(game, board, plan, origin, other, worth, placements, dollars, first, weights)


@kernel
def plan_opening(game: np.record, board: np.record, plan: np.record, mask: np.ndarray, weights: Weights) -> None:
    """Find the best first link, or the best end of the one under way."""
    seat = int(game.seat)
    if not is_begun(game) and game.trains[seat] <= 0:
        return
    plan_pairs(game, board, plan, weights)
    note_rival_ways(game, board, plan)
    if not is_begun(game):
        plan_first_link(game, board, plan, mask, weights)
        return
    plan_ways(game, board, plan, mask, weights)
    _, _, origin = next_site(game, board, seat)
    finish_first_link(game, board, plan, int(board.group[origin]), weights)


@kernel
def plan_track(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> None:
    """Write the first step of the best track plan and its rate."""
    seat = int(game.seat)
    plan.group_ways[EFFORT, :] = FAR  # what else is there was found in another position
    plan.track_action = NONE
    plan.track_rate = NEVER
    plan.standing = NEVER
    note_worth(game, board, work, plan, weights)
    if game.network[seat] == 0:
        plan_opening(game, board, plan, mask, weights)
    elif is_begun(game) or game.trains[seat] > 0:
        plan_ways(game, board, plan, mask, weights)
        compare_ways(game, board, plan, 0.0, weights)
