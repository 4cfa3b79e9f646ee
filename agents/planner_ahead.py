"""The planner's play in the head: what each step does to a copy of the position, and greedy's policy played on there.

A *step* is a whole one: a link to a group over the shortest way, a factory, a contract with all its resources and its
bonus, two contracts taken, or $3. Only the planner itself moves, and ways are those found in the position at hand; what
matters on a copy (networks, factories, resources, money, contracts) is kept as the rules keep it, tiles are not laid.
"""

from typing import NamedTuple

import numpy as np

from steam_env.agents.greedy_plan import FAR, NEVER, Weights, measure_patience, note_needs, note_supply
from steam_env.agents.greedy_worth import (
    actions_for_money,
    choose_build,
    choose_contract,
    draw_worth,
    note_worth,
    source_worth,
)
from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import BUILD, CONTRACTS, FULFIL, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.carriage import source_fee, survey
from steam_env.core.steam_power.factory import build_problem, usual_resources
from steam_env.core.steam_power.hands import pop_deck
from steam_env.core.steam_power.state import (
    BONUS_CONTRACTS,
    BONUS_FACTORY,
    BONUS_TRACK,
    CONTRACTS_PER_TAKE,
    MAX_CITIES,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    PURCHASE_COST,
    TAKE_MONEY,
)


class Foresight(NamedTuple):
    """How far and how broadly the planner looks ahead, and what it makes of the positions at the end."""

    ahead: float = 8.0  # own actions that are played in the head
    breadth: float = 8.0  # first steps that are tried
    near: float = 0.4  # part of the best rate by greedy's estimate from which on a first step is tried
    ahead_first: float = 12.0
    breadth_first: float = 20.0
    parts: tuple[float, ...] = (1.0, 0.8, 0.0, 1.0, 1.0, 1.0, 0.7, 0.7, 5.3, 0.3, 1.0, 10.0, 2.5, 0.8, 0.0, 0.3)


FORESIGHT = Foresight()

LINK = NUM_ACTIONS  # + group: the step "link to this group"; other steps go by their first action
MAX_STEPS = 40  # first steps that are compared by greedy's estimate

THOUGHT_FIELDS = [
    ("placements", "i8", (MAX_CITIES,)),  # by group: placements of the shortest way to it, FAR if there is none
    ("dollars", "i8", (MAX_CITIES,)),  # and its cost
    ("over", "i8", (MAX_CITIES,)),  # and the group before it on that way, NONE if it is the first
    ("first", "i8", (MAX_CITIES,)),  # and the action that it begins with
    ("time", "f8", ()),  # actions used
    ("actions_left", "f8", ()),  # actions that the mover may have from the position at hand on
    ("free", "i8", ()),  # placements that cost no action: of a bonus, or of the action under way
    ("steps", "i8", (MAX_STEPS,)),
    ("actions", "i8", (MAX_STEPS,)),  # by step: the action that it begins with
    ("rates", "f8", (MAX_STEPS,)),  # by step: greedy's estimate, dollars per action
    ("num_steps", "i8", ()),
    ("origin", "i8", ()),
    ("parts", "f8", (16,)),
]
THOUGHT = np.dtype((np.record, np.dtype(THOUGHT_FIELDS, align=True)))


@kernel
def look(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    weights: Weights,
) -> None:
    """Look at the copy as greedy looks at a position: what is needed, what can be had, how long there is."""
    seat = int(game.seat)
    survey(game, board, work, seat)
    plan.actions_left = max(0.0, thought.actions_left - thought.time)
    plan.trust = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.settled))
    plan.use = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.soon))
    poor = max(0.0, 1.0 - int(game.money[seat]) / weights.rich)
    plan.cash = 1.0 + (weights.cash - 1.0) * plan.trust * poor
    plan.patience = measure_patience(game)
    note_needs(game, deck, plan, weights)
    note_supply(game, board, work, plan)


# --- ways ----------------------------------------------------------------------------------------------


@kernel
def note_ways(board: np.record, plan: np.record, thought: np.record) -> None:
    """Keep the shortest ways that a search has found."""
    for group in range(board.num_cities):
        known = plan.group_effort[group] < FAR
        thought.placements[group] = int(plan.group_placements[group]) if known else FAR
        thought.dollars[group] = int(plan.group_dollars[group])
        thought.over[group] = int(plan.group_over[group])
        thought.first[group] = int(plan.group_first[group])


@kernel
def measure_way(game: np.record, thought: np.record, group: int) -> tuple[int, int]:
    """Placements and dollars of the way to a group from what is linked by now."""
    seat = int(game.seat)
    before = int(thought.over[group])
    while before != NONE and not has(game.network[seat], before):
        before = int(thought.over[before])
    if before == NONE:
        return int(thought.placements[group]), int(thought.dollars[group])
    placements = int(thought.placements[group]) - int(thought.placements[before])
    return placements, int(thought.dollars[group]) - int(thought.dollars[before])


@kernel
def first_stop(game: np.record, thought: np.record, group: int) -> int:
    """The first group on the way to a group that is not linked yet."""
    seat = int(game.seat)
    while thought.over[group] != NONE and not has(game.network[seat], int(thought.over[group])):
        group = int(thought.over[group])
    return group


@kernel
def actions_for_placements(thought: np.record, placements: int) -> float:
    """How many actions so many placements take; the second half of an action is worth something."""
    paid = max(0, placements - int(thought.free))
    return paid * 0.5 + (0.25 if paid % PLACEMENTS_PER_ACTION == 1 else 0.0)


@kernel
def way_rate(game: np.record, plan: np.record, thought: np.record, group: int, extra: float, weights: Weights) -> float:
    """Dollars per action that the way to a group brings, by greedy's estimate; NEVER if there is no time for it."""
    seat = int(game.seat)
    placements, dollars = measure_way(game, thought, group)
    actions = actions_for_placements(thought, placements) + actions_for_money(game, dollars)
    if actions > plan.actions_left:
        return NEVER
    worth = extra
    stop = group
    while stop != NONE and not has(game.network[seat], stop):
        worth += plan.worth[stop]
        stop = int(thought.over[stop])
    haste = max(0.0, 1.0 - weights.haste * max(0.0, actions - 1.0))
    return (worth * haste - dollars * plan.cash) / max(actions, 0.5)


# --- steps ---------------------------------------------------------------------------------------------


@kernel
def wait_for(game: np.record, thought: np.record, dollars: int) -> None:
    """Take money until so much is there."""
    actions = actions_for_money(game, dollars)
    game.money[int(game.seat)] += actions * TAKE_MONEY
    thought.time += actions


@kernel
def join(game: np.record, group: int, other: int) -> None:
    """Let a link of the mover join two groups."""
    seat = int(game.seat)
    game.network[seat] |= bit(group) | bit(other)
    game.reach[group] |= bit(other)
    game.reach[other] |= bit(group)


@kernel
def any_group(game: np.record, board: np.record) -> int:
    """The first group of the mover's network, NONE without one."""
    for group in range(board.num_cities):
        if has(game.network[int(game.seat)], group):
            return group
    return NONE


@kernel
def link_to(game: np.record, board: np.record, thought: np.record, group: int) -> None:
    """Link to the group over the shortest way, which leads past no other group that is not linked yet."""
    placements, dollars = measure_way(game, thought, group)
    wait_for(game, thought, dollars)
    game.money[int(game.seat)] -= dollars
    paid = max(0, placements - int(thought.free))
    actions = (paid + PLACEMENTS_PER_ACTION - 1) // PLACEMENTS_PER_ACTION
    thought.time += actions
    thought.free += actions * PLACEMENTS_PER_ACTION - placements
    game.trains[int(game.seat)] -= 1
    join(game, group, any_group(game, board))


@kernel
def build_at(game: np.record, city: int) -> None:
    """Build a factory."""
    color = int(game.color[city])
    placed = min(usual_resources(game), int(game.stock[color]))
    game.stock[color] -= placed
    game.factories[int(game.seat)] -= 1
    game.owner[city] = int(game.seat)
    game.resources[city] = placed


@kernel
def best_source(game: np.record, board: np.record, work: np.record, color: int, weights: Weights) -> int:
    """The city that the next resource of the colour is taken from, NONE if none can be had."""
    best = NONE
    most = NEVER
    for city in range(board.num_cities):
        if game.color[city] == color and game.resources[city] > 0 and work.distance[board.group[city]] != NONE:
            worth = source_worth(game, board, work, city, weights)
            if worth > most:
                most = worth
                best = city
    return best


@kernel
def deliver(
    game: np.record, board: np.record, deck: np.record, work: np.record, contract: int, weights: Weights
) -> None:
    """Take a contract's resources and pay for them, and gain its reward; after a ``survey``."""
    seat = int(game.seat)
    for need in range(deck.num_needs[contract]):
        color = int(deck.needs[contract, need])
        city = best_source(game, board, work, color, weights)
        if city == NONE:
            game.money[seat] -= PURCHASE_COST
            continue
        fee = source_fee(game, seat, city)
        game.money[seat] -= fee + int(work.distance[board.group[city]])
        game.money[int(game.owner[city])] += fee
        game.resources[city] -= 1
        game.stock[color] += 1
    game.money[seat] = max(0, int(game.money[seat])) + int(deck.money[contract])
    game.place[contract] = PLACE_FULFILLED + seat
    game.hand_size[seat] -= 1
    game.num_fulfilled[seat] += 1


@kernel
def draw(game: np.record) -> None:
    """Take two contracts of the deck as it was dealt anew for this look ahead."""
    for _ in range(CONTRACTS_PER_TAKE):
        if game.deck_size > 0:
            pop_deck(game, PLACE_HAND + int(game.seat))
            game.hand_size[int(game.seat)] += 1


@kernel
def note_sites(game: np.record, board: np.record, legal: np.ndarray) -> None:
    """Write where a factory may be built in the copy."""
    seat = int(game.seat)
    for city in range(board.num_cities):
        legal[BUILD + city] = build_problem(game, board, seat, city) == 0


@kernel
def take_step(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    legal: np.ndarray,
    step: int,
    weights: Weights,
) -> None:
    """Do one step on the copy, after a ``look``."""
    if step >= LINK:
        link_to(game, board, thought, step - LINK)
        return
    thought.time += 1.0
    if step == MONEY:
        game.money[int(game.seat)] += TAKE_MONEY
    elif step == CONTRACTS:
        draw(game)
    elif BUILD <= step < BUILD + MAX_CITIES:
        build_at(game, step - BUILD)
    else:
        contract = step - FULFIL
        deliver(game, board, deck, work, contract, weights)
        use_bonus(game, board, deck, work, plan, thought, legal, int(deck.bonus[contract]), weights)


@kernel
def use_bonus(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    legal: np.ndarray,
    bonus: int,
    weights: Weights,
) -> None:
    """Carry out a contract's bonus: the best factory, contracts, or placements for the next link."""
    if bonus == BONUS_TRACK:
        thought.free += PLACEMENTS_PER_ACTION
    elif bonus == BONUS_CONTRACTS:
        draw(game)
    elif bonus == BONUS_FACTORY:
        look(game, board, deck, work, plan, thought, weights)
        note_sites(game, board, legal)
        build = choose_build(game, board, work, plan, legal, weights)
        if build != NONE and plan.best_build > 0.0:
            build_at(game, build - BUILD)


@kernel
def choose_step(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    thought: np.record,
    legal: np.ndarray,
    weights: Weights,
) -> int:
    """The step that greedy would take on the copy, after a ``look``."""
    seat = int(game.seat)
    best = MONEY
    best_rate = TAKE_MONEY * plan.cash * plan.patience
    note_worth(game, board, work, plan, weights)
    plan.track_rate = NEVER
    target = NONE
    if game.trains[seat] > 0:
        for group in range(board.num_cities):
            if thought.placements[group] < FAR and not has(game.network[seat], group):
                rate = way_rate(game, plan, thought, group, 0.0, weights)
                if rate > plan.track_rate:
                    plan.track_rate = rate
                    target = group
    note_sites(game, board, legal)
    build = choose_build(game, board, work, plan, legal, weights)
    if plan.best_build > best_rate:
        best, best_rate = build, plan.best_build
    plan.best_draw = draw_worth(game, deck, work, plan, weights)
    if plan.best_draw > best_rate:
        best, best_rate = CONTRACTS, plan.best_draw
    contract, rate = choose_contract(game, board, deck, work, plan, weights)
    if rate > best_rate:
        best, best_rate = contract, rate
    if plan.track_rate > best_rate:
        best = LINK + first_stop(game, thought, target)
    return best
