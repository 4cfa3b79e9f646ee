"""A rule-based player that looks ahead: it plays on in its head before it takes a step.

Greedy judges each step by what it should bring. The planner takes greedy's better steps, one after the other, on a copy
of the position, whose hidden contracts are dealt at random; plays on there by the rules, greedy on all seats, until it
has had a few more actions; and compares the positions that it comes to: points and money, and what factories, contracts
in hand and the network will still bring. It takes the step that leads to the best, and plans anew at its next decision:
nothing is remembered between decisions.

The choice depends on the mover's view only, and is deterministic: the deals of the look ahead are always the same.

``planner_worth`` values positions; here steps are listed, played on from, and compared. All of it are Numba kernels over
one ``GAME`` record.
"""

from typing import NamedTuple

import numpy as np

from steam_env.agents.greedy import choose_by, prepare
from steam_env.agents.greedy_plan import FAR, FIRST_LIMIT, NEVER, PLAN, WEIGHTS, Weights
from steam_env.agents.greedy_ways import compare_first_link, compare_way, plan_track, way_worth
from steam_env.agents.greedy_worth import (
    actions_for_money,
    choose_build,
    choose_contract,
    contract_worth,
    draw_worth,
    ending_worth,
    factory_worth,
)
from steam_env.agents.planner_worth import NUM_PARTS, note_parts
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import BUILD, CONTRACTS, DONE, FULFIL, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.carriage import contract_cost
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.hidden import fill_hidden
from steam_env.core.steam_power.state import (
    ACTION,
    BONUS,
    BONUS_CONTRACTS,
    BONUS_TRACK,
    GAME,
    OVER,
    PLACE_HAND,
    TAKE_MONEY,
    TRACK,
    new_work,
)
from steam_env.core.steam_power.step import apply_action, settle
from steam_env.table.view import View


class Foresight(NamedTuple):
    """How far and how broadly the planner looks ahead, and what it makes of the positions that it comes to."""

    turns: float = 1.0  # own turns that are played in the head after the one under way
    deals: float = 1.0  # deals of the hidden contracts
    breadth: float = 4.0  # steps that are tried
    near: float = 0.6  # part of the best rate by greedy's estimate from which on a step is tried
    rivals: float = 1.0
    breadth_first: float = 10.0
    rate: float = 1.5  # actions for which the first step keeps the rate that greedy expects of it
    second: float = 1.0
    bonus: float = 1.0
    leanings: tuple[float, ...] = (3.0, 5.0, -9.0, 5.0, -9.0)
    parts: tuple[float, ...] = (1.0, 0.0, 0.0, 1.8, 0.0, 1.6, 0.3, 1.0, 1.5, 0.7, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0)


FORESIGHT = Foresight()
LIGHT = WEIGHTS._replace(limit=14.0)  # greedy's estimates in the head, where track is planned less far

THOUGHT_FIELDS = [
    ("mask", "?", (NUM_ACTIONS,)),
    ("rates", "f8", (NUM_ACTIONS,)),  # by action: greedy's estimate of what begins with it, dollars per action
    ("parts", "f8", (NUM_PARTS,)),
]


# --- first steps ---------------------------------------------------------------------------------------


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
    """Rate the links that the mover may begin or go on with."""
    plan.track_action = NONE
    plan.track_rate = NEVER
    for group in range(board.num_cities):
        if plan.group_effort[group] < FAR:
            placements, dollars = int(plan.group_placements[group]), int(plan.group_dollars[group])
            worth = way_worth(game, plan, group)
            compare_way(game, plan, worth, placements, dollars, int(plan.group_first[group]), weights)
            keep_rate(plan, mask, rates)


@kernel
def rate_first_links(
    game: np.record, board: np.record, plan: np.record, mask: np.ndarray, rates: np.ndarray, weights: Weights
) -> None:
    """Rate the first links that the mover may begin."""
    plan.track_action = NONE
    plan.track_rate = NEVER
    for group in range(board.num_cities):
        for other in range(board.num_cities):
            if plan.pair_effort[group, other] <= FIRST_LIMIT:
                compare_first_link(game, board, plan, group, other, weights)
                keep_rate(plan, mask, rates)


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
    for city in range(board.num_cities):
        if mask[BUILD + city]:
            links = int(work.distance[board.group[city]])
            rates[BUILD + city] = factory_worth(game, board, plan, city, links, usual_resources(game), weights)


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
    """Rate the contracts in hand: those that cannot be paid for yet begin with `money`."""
    seat = int(game.seat)
    ending = ending_worth(game, board, deck, plan, weights)
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            cost = int(contract_cost(deck, work, contract))
            waiting = actions_for_money(game, cost)
            rate = (contract_worth(game, deck, plan, contract, cost, weights) + ending) / (1 + waiting)
            action = FULFIL + contract if waiting == 0 else MONEY
            rates[action] = max(rates[action], rate)


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
    """Write greedy's estimate of each action, NEVER where it sees no use."""
    rates[:] = NEVER
    if game.phase != ACTION:
        rates[DONE] = weights.second
        if game.phase == TRACK or deck.bonus[game.contract] == BONUS_TRACK:
            rate_links(game, board, plan, mask, rates, weights)
        else:
            rate_builds(game, board, work, plan, mask, rates, weights)
        return
    rates[MONEY] = TAKE_MONEY * plan.cash * plan.patience
    if game.network[int(game.seat)] == 0:
        rate_first_links(game, board, plan, mask, rates, weights)
        return
    best, best_rate = int(plan.track_action), float(plan.track_rate)
    rate_links(game, board, plan, mask, rates, weights)
    plan.track_action, plan.track_rate = best, best_rate
    rate_builds(game, board, work, plan, mask, rates, weights)
    choose_build(game, board, work, plan, mask, weights)
    plan.best_draw = draw_worth(game, deck, work, plan, weights)
    if mask[CONTRACTS]:
        rates[CONTRACTS] = plan.best_draw
    rate_contracts(game, board, deck, work, plan, rates, weights)
    action, rate = choose_contract(game, board, deck, work, plan, weights)
    if action != NONE:
        rates[action] = max(rates[action], rate)


# --- the look ahead ------------------------------------------------------------------------------------


@kernel
def play_on(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    mask: np.ndarray,
    action: int,
    turns: int,
    weights: Weights,
    foresight: Foresight,
) -> None:
    """Take the action and play on as greedy would, until the mover has had enough actions or the game is over."""
    seat = int(position.seat)
    while True:
        mover = int(position.seat)
        apply_action(position, board, deck, work, action)
        settle(position, board, deck, work, mask)
        if position.phase == OVER:
            return
        if mover == seat and position.seat != seat:
            turns -= 1
            if turns < 0:
                return
        if position.seat != seat and foresight.rivals == 0.0 and position.phase == ACTION:
            action = MONEY
        else:
            action = choose_by(position, board, deck, work, plans, mask, weights)


@kernel
def judge(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    parts: np.ndarray,
    seat: int,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the position is worth to the seat."""
    over = position.phase == OVER
    position.seat = seat
    prepare(position, board, deck, work, plan, weights)
    if over:
        plan.actions_left = 0.0
        plan.trust = 0.0
        plan.use = 0.0
        plan.cash = 1.0
    note_parts(position, board, deck, plan, parts, weights)
    worth = 0.0
    for part in range(NUM_PARTS):
        worth += parts[part] * foresight.parts[part]
    return worth


@kernel
def try_action(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    mask: np.ndarray,
    parts: np.ndarray,
    action: int,
    light: Weights,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the position is worth after the action and some more, on average over deals."""
    total = 0.0
    deals = int(foresight.deals)
    for deal in range(deals):
        positions[0] = game
        position = positions[0]
        fill_hidden(position, deal)
        play_on(position, board, deck, work, plans, mask, action, int(foresight.turns), light, foresight)
        total += judge(position, board, deck, work, plans[0], mask, parts, int(game.seat), weights, foresight)
    return total / deals


@kernel
def kind_of(action: int) -> int:
    """Which of the five actions it begins: track, build, fulfil, take contracts, take money."""
    if action == MONEY:
        return 4
    if action == CONTRACTS:
        return 3
    if action < BUILD:
        return 0
    return 1 if action < FULFIL else 2


@kernel
def best_of(rates: np.ndarray) -> int:
    """The action with the best rate."""
    best = 0
    for action in range(NUM_ACTIONS):
        if rates[action] > rates[best]:
            best = action
    return best


@kernel
def choose_ahead(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    mask: np.ndarray,
    legal: np.ndarray,
    rates: np.ndarray,
    parts: np.ndarray,
    light: Weights,
    weights: Weights,
    foresight: Foresight,
) -> int:
    """A legal action by looking ahead from greedy's better ones."""
    plan = plans[0]
    first = game.network[int(game.seat)] == 0
    phase = int(game.phase)
    looks = (
        phase == ACTION
        or (phase == TRACK and foresight.second > 0)
        or (phase == BONUS and deck.bonus[game.contract] != BONUS_CONTRACTS and foresight.bonus > 0)
    )
    if not looks or (first and (phase != ACTION or game.tail_link[int(game.seat)] != NONE)):
        return choose_by(game, board, deck, work, plans, mask, weights)
    prepare(game, board, deck, work, plan, weights)
    plan_track(game, board, work, plan, mask, weights)
    rate_actions(game, board, deck, work, plan, mask, rates, weights)
    best = best_of(rates)
    floor = rates[best] * foresight.near
    most = NEVER
    choice = best
    if first:
        floor = NEVER
    for tried in range(int(foresight.breadth_first if first else foresight.breadth)):
        action = choice if tried == 0 else best_of(rates)
        rate = rates[action]
        if rate < floor or rate == NEVER:
            break
        rates[action] = NEVER
        if tried == 0 and rates[best_of(rates)] < floor:
            break
        if not mask[action]:
            continue
        worth = try_action(game, board, deck, work, plans, positions, legal, parts, action, light, weights, foresight)
        worth += min(rate, 80.0) * foresight.rate + (foresight.leanings[kind_of(action)] if phase == ACTION else 0.0)
        if worth > most:
            most = worth
            best = action
    return best if mask[best] else choose_by(game, board, deck, work, plans, mask, weights)


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    legal: np.ndarray,
    rates: np.ndarray,
    parts: np.ndarray,
    masks: np.ndarray,
    light: Weights,
    weights: Weights,
    foresight: Foresight,
    actions: np.ndarray,
) -> None:
    """Write the choice in each game."""
    for index in range(games.shape[0]):
        game = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        actions[index] = choose_ahead(
            game,
            board,
            deck,
            work,
            plans,
            positions,
            masks[index],
            legal,
            rates,
            parts,
            light,
            weights,
            foresight,
        )


class PlannerAgent:
    """The planner as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS, light: Weights = LIGHT, foresight: Foresight = FORESIGHT) -> None:
        self._weights, self._light, self._foresight = weights, light, foresight
        self._works = new_work()
        self._scratch = (
            self._works[0],
            np.zeros(1, PLAN),
            np.zeros(1, GAME),
            np.zeros(NUM_ACTIONS, np.bool_),
            np.zeros(NUM_ACTIONS),
            np.zeros(NUM_PARTS),
        )

    def reset(self, seed: int) -> None:
        """Do nothing: the agent draws nothing and remembers nothing."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        setting = views.setting
        choose_all(
            views.records,
            setting.boards,
            setting.decks,
            *self._scratch,
            masks,
            self._light,
            self._weights,
            self._foresight,
            actions,
        )
        return actions
