"""A rule-based player that looks ahead: it plays several of its own actions in its head before it takes one.

Greedy judges each step by what it brings at once. The planner tries greedy's better steps on a copy of the position,
plays on from there as greedy would, and compares the positions that it comes to: in points, and by what factories,
contracts in hand and the network will still bring. It takes the step that leads to the best, and plans anew at its next
decision: nothing is remembered between decisions.

The choice depends on the mover's view only, and is deterministic.

``planner_ahead`` plays on in the head, ``planner_worth`` values what comes of it; here the steps are listed and
compared. All of it are Numba kernels over one ``GAME`` record.
"""

from functools import cache

import numpy as np

from steam_env.agents.greedy import choose_by, prepare
from steam_env.agents.greedy_plan import FAR, FIRST_LIMIT, NEVER, PLAN, WEIGHTS, Weights
from steam_env.agents.greedy_ways import country_worth, plan_track
from steam_env.agents.greedy_worth import (
    actions_for_money,
    choose_build,
    choose_contract,
    contract_worth,
    draw_worth,
    ending_worth,
    factory_worth,
)
from steam_env.agents.planner_ahead import (
    FORESIGHT,
    LINK,
    MAX_STEPS,
    THOUGHT,
    Foresight,
    choose_step,
    first_stop,
    join,
    look,
    note_sites,
    note_ways,
    take_step,
    way_rate,
)
from steam_env.agents.planner_worth import DRAWN, FREE, LATE, NUM_PARTS, note_parts
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import announce_compilation, kernel
from steam_env.core.steam_power.actions import BUILD, CONTRACTS, DONE, FULFIL, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.carriage import contract_cost
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.hidden import fill_hidden
from steam_env.core.steam_power.state import (
    ACTION,
    BOARD,
    BONUS,
    BONUS_FACTORY,
    BONUS_TRACK,
    DECK,
    GAME,
    HEAD,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    TAKE_MONEY,
    TRACK,
    new_work,
)
from steam_env.table.view import View

# --- first steps ---------------------------------------------------------------------------------------


@kernel
def add_step(thought: np.record, step: int, action: int, rate: float) -> None:
    """List a first step; of one that is listed already the better rate counts."""
    for index in range(thought.num_steps):
        if thought.steps[index] == step:
            if rate > thought.rates[index]:
                thought.rates[index] = rate
                thought.actions[index] = action
            return
    if thought.num_steps == MAX_STEPS:
        return
    thought.steps[thought.num_steps] = step
    thought.actions[thought.num_steps] = action
    thought.rates[thought.num_steps] = rate
    thought.num_steps += 1


@kernel
def list_links(
    game: np.record, board: np.record, plan: np.record, thought: np.record, mask: np.ndarray, weights: Weights
) -> None:
    """List the links that the mover may begin or go on with."""
    for group in range(board.num_cities):
        if thought.placements[group] < FAR and not has(game.network[int(game.seat)], group):
            rate = way_rate(game, plan, thought, group, 0.0, weights)
            action = int(thought.first[group])
            if rate > NEVER:
                if not mask[action]:
                    action = MONEY if game.phase == ACTION else DONE
                add_step(thought, LINK + first_stop(game, thought, group), action, rate)


@kernel
def list_builds(
    game: np.record,
    board: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> None:
    """List the factories that may be built."""
    for city in range(board.num_cities):
        if mask[BUILD + city]:
            links = int(work.distance[board.group[city]])
            worth = factory_worth(game, board, plan, city, links, usual_resources(game), weights)
            add_step(thought, BUILD + city, BUILD + city, worth)


@kernel
def list_contracts(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    weights: Weights,
) -> None:
    """List the contracts in hand: those that cannot be paid for yet begin with `money`."""
    seat = int(game.seat)
    if game.network[seat] == 0:
        return
    ending = ending_worth(game, board, deck, plan, weights)
    for contract in range(deck.num_contracts):
        if game.place[contract] == PLACE_HAND + seat:
            cost = int(contract_cost(deck, work, contract))
            waiting = actions_for_money(game, cost)
            rate = (contract_worth(game, deck, plan, contract, cost, weights) + ending) / (1 + waiting)
            if waiting == 0:
                add_step(thought, FULFIL + contract, FULFIL + contract, rate)
            else:
                add_step(thought, MONEY, MONEY, rate)


@kernel
def list_steps(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> None:
    """List what the mover may do now, with greedy's estimates."""
    thought.num_steps = 0
    if game.phase != BONUS or deck.bonus[game.contract] == BONUS_TRACK:
        list_links(game, board, plan, thought, mask, weights)
    if game.phase == ACTION or game.phase == BONUS:
        list_builds(game, board, work, plan, thought, mask, weights)
    if game.phase == ACTION:
        add_step(thought, MONEY, MONEY, TAKE_MONEY * plan.cash * plan.patience)
        choose_build(game, board, work, plan, mask, weights)
        plan.best_draw = draw_worth(game, deck, work, plan, weights)
        if mask[CONTRACTS]:
            add_step(thought, CONTRACTS, CONTRACTS, plan.best_draw)
        list_contracts(game, board, deck, work, plan, thought, weights)
        action, rate = choose_contract(game, board, deck, work, plan, weights)
        if action != NONE and action < FULFIL:
            add_step(thought, action, action, rate)


# --- the look ahead ------------------------------------------------------------------------------------


@kernel
def copy_position(game: np.record, positions: np.ndarray) -> None:
    """Copy the position, with the decision under way ended."""
    positions[0] = game
    position = positions[0]
    position.phase = ACTION
    position.in_bonus = 0
    position.placements_left = 0
    fill_hidden(position, 1)


@kernel
def play_ahead(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    legal: np.ndarray,
    step: int,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Do a step on the copy and play on; returns the dollars that come of it, less what the time was worth."""
    end = min(foresight.ahead, thought.actions_left)
    look(position, board, deck, work, plan, thought, weights)
    while True:
        if step != NONE:
            take_step(position, board, deck, work, plan, thought, legal, step, weights)
            look(position, board, deck, work, plan, thought, weights)
        if thought.time >= end:
            break
        step = choose_step(position, board, deck, work, plan, thought, legal, weights)
    note_sites(position, board, legal)
    parts = thought.parts
    note_parts(position, board, deck, plan, legal, parts, weights)
    parts[LATE] = -(thought.time - end)
    parts[FREE] = thought.free
    worth = 0.0
    for part in range(NUM_PARTS):
        worth += parts[part] * foresight.parts[part]
    return worth


@kernel
def free_placements(game: np.record) -> int:
    """Placements of the decision under way that are still to be laid."""
    if game.phase == ACTION:
        return 0
    return int(game.placements_left) if game.placements_left > 0 else PLACEMENTS_PER_ACTION


@kernel
def compare_steps(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    thoughts: np.ndarray,
    legal: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> int:
    """Play ahead from each of the better steps; the action that the best one begins with."""
    thought = thoughts[0]
    best = NONE
    most = NEVER
    top = NEVER
    for index in range(thought.num_steps):
        top = max(top, thought.rates[index])
    floor = top * foresight.near if top > 0.0 else NEVER
    tried = 0
    while tried < foresight.breadth:
        choice = NONE
        rate = NEVER
        for index in range(thought.num_steps):
            if thought.rates[index] > rate:
                rate = thought.rates[index]
                choice = index
        if choice == NONE or rate < floor:
            break
        if tried == 0 and only_one(thought, floor):
            return int(thought.actions[choice])
        tried += 1
        thought.rates[choice] = NEVER
        copy_position(game, positions)
        start_thinking(game, thought)
        step = int(thought.steps[choice])
        worth = play_ahead(positions[0], board, deck, work, plans[1], thought, legal, step, weights, foresight)
        if worth > most:
            most = worth
            best = int(thought.actions[choice])
    return best


@kernel
def only_one(thought: np.record, floor: float) -> bool:
    """Whether no more than one step is good enough to be tried."""
    count = 0
    for index in range(thought.num_steps):
        count += 1 if thought.rates[index] >= floor else 0
    return count < 2


@kernel
def start_thinking(game: np.record, thought: np.record) -> None:
    """Forget the last look ahead."""
    thought.time = 0.0
    thought.free = free_placements(game)


# --- the first link ------------------------------------------------------------------------------------


@kernel
def note_ways_around(board: np.record, plan: np.record, thought: np.record, group: int, other: int) -> None:
    """Keep the shortest ways from either end of a first link."""
    for third in range(board.num_cities):
        near = group if plan.pair_effort[group, third] <= plan.pair_effort[other, third] else other
        known = plan.pair_effort[near, third] < FAR
        thought.placements[third] = int(plan.pair_placements[near, third]) if known else FAR
        thought.dollars[third] = int(plan.pair_dollars[near, third])
        thought.over[third] = NONE


@kernel
def choose_first_link(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    thoughts: np.ndarray,
    legal: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> int:
    """Choose where to begin, by playing ahead from each first link that greedy thinks well of."""
    plan, thought = plans[0], thoughts[0]
    far_ahead = Foresight(
        foresight.ahead_first,
        foresight.breadth,
        foresight.near,
        foresight.ahead_first,
        foresight.breadth_first,
        foresight.parts,
    )
    seat = int(game.seat)
    best = NONE
    most = NEVER
    bar = 1e9
    for attempt in range(int(foresight.breadth_first)):
        top = NEVER
        pair = NONE
        for group in range(board.num_cities):
            for other in range(board.num_cities):
                if group != other and plan.pair_effort[group, other] <= FIRST_LIMIT:
                    gain = weights.first_link + plan.worth[group] + plan.pair_worth[group, other]
                    gain += weights.country * country_worth(board, plan, group, other, weights)
                    dollars = int(plan.pair_dollars[group, other])
                    actions = 0.5 * int(plan.pair_placements[group, other]) + actions_for_money(game, dollars)
                    rate = (gain - dollars * plan.cash) / max(1.0, actions)
                    if rate < bar and rate > top and mask[plan.pair_first[group, other]]:
                        top = rate
                        pair = group * board.num_cities + other
        if pair == NONE:
            break
        bar = top
        group, other = pair // int(board.num_cities), pair % int(board.num_cities)
        copy_position(game, positions)
        start_thinking(game, thought)
        dollars = int(plan.pair_dollars[group, other])
        note_ways_around(board, plan, thought, group, other)
        position = positions[0]
        position.money[seat] -= dollars
        position.trains[seat] -= 1
        thought.time = max(1.0, 0.5 * int(plan.pair_placements[group, other]))
        join(position, group, other)
        worth = play_ahead(position, board, deck, work, plans[1], thought, legal, NONE, weights, far_ahead)
        if worth > most:
            most = worth
            best = int(plan.pair_first[group, other])
    return best


# --- the choice ----------------------------------------------------------------------------------------


@kernel
def plan_ahead(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    thoughts: np.ndarray,
    legal: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> int:
    """Choose an action, or how a bonus is used, by looking ahead; NONE if that has no answer."""
    plan, thought = plans[0], thoughts[0]
    seat = int(game.seat)
    prepare(game, board, deck, work, plan, weights)
    thought.actions_left = plan.actions_left
    plan_track(game, board, work, plan, mask, weights)
    if game.network[seat] == 0:
        if game.phase == ACTION and game.tail_link[seat] == NONE:
            return choose_first_link(
                game, board, deck, work, plans, positions, thoughts, legal, mask, weights, foresight
            )
        return NONE
    if game.trains[seat] > 0 or game.tail_link[seat] != NONE:
        note_ways(board, plan, thought)
    else:
        thought.placements[:] = FAR
    thought.free = free_placements(game)
    list_steps(game, board, deck, work, plan, thought, mask, weights)
    return compare_steps(game, board, deck, work, plans, positions, thoughts, legal, weights, foresight)


@kernel
def choose_ahead(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    thoughts: np.ndarray,
    legal: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
    foresight: Foresight,
) -> int:
    """A legal action; ``plans``, ``positions``, ``thoughts`` and ``legal`` are scratch memory."""
    phase = int(game.phase)
    ahead = phase == ACTION or (phase == BONUS and deck.bonus[game.contract] == BONUS_FACTORY)
    if ahead:
        action = plan_ahead(game, board, deck, work, plans, positions, thoughts, legal, mask, weights, foresight)
        if action != NONE and mask[action]:
            return action
    return choose_by(game, board, deck, work, plans, mask, weights)


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    work: np.record,
    plans: np.ndarray,
    positions: np.ndarray,
    thoughts: np.ndarray,
    legal: np.ndarray,
    masks: np.ndarray,
    weights: Weights,
    foresight: Foresight,
    actions: np.ndarray,
) -> None:
    """Write the choice in each game."""
    for index in range(games.shape[0]):
        game = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        actions[index] = choose_ahead(
            game, board, deck, work, plans, positions, thoughts, legal, masks[index], weights, foresight
        )


@cache
def compile_planner() -> None:
    """Compile or load the kernels, once in a process, and say so if it takes time."""
    boards, decks = np.zeros(1, BOARD), np.zeros(1, DECK)
    for records in (boards, decks):
        records.setflags(write=False)  # as those of a setting are, which is another type to the compiler
    with announce_compilation("planner agent"):
        PlannerAgent.choose(np.zeros(0, GAME), boards, decks, np.zeros((0, NUM_ACTIONS), np.bool_))


class PlannerAgent:
    """The planner as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS, foresight: Foresight = FORESIGHT) -> None:
        self._weights, self._foresight = weights, foresight
        self._works = new_work()
        self._scratch = (
            self._works[0],
            np.zeros(2, PLAN),
            np.zeros(1, GAME),
            np.zeros(1, THOUGHT),
            np.zeros(NUM_ACTIONS, np.bool_),
        )

    def reset(self, seed: int) -> None:
        """Do nothing: the agent draws nothing and remembers nothing."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        setting = views.setting
        choose_all(
            views.records, setting.boards, setting.decks, *self._scratch, masks, self._weights, self._foresight, actions
        )
        return actions
