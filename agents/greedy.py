"""A rule-based player: it values every option in dollars per action, and plays the one with the best rate.

The currency is the dollar of the final scoring: $5 are 1 VP (rule 3.3). An option is a plan of one or
more actions: fulfil a contract now, or after taking the money for it; build a factory; lay track to a
group of cities, or over it to the next; take contracts; take $3. A plan's *rate* is what it brings
divided by the actions it takes. The mover plays the first step of the plan with the best rate and
plans anew at its next decision: nothing is remembered between decisions. A first link, which all else
grows from, is chosen otherwise: by how it stands, that is by what its ends and the country round them are
worth, by what it costs, and by how far off the rivals are.

The choice depends on the mover's view only, and is deterministic: of equal options the first one looked
at is taken, cities, contracts and edges in their order.

``greedy_plan`` looks at the position, ``greedy_worth`` values what can be done in cities and with
contracts, ``greedy_ways`` finds ways over the map, which ``greedy_memory`` keeps, ``greedy_track`` says what track
brings; here the best of it is chosen. All of it are Numba kernels over one ``GAME`` record, with one ``PLAN``
record as scratch memory, so that compiled searches can call ``choose_by``.
"""

from functools import cache

import numpy as np

from steam_env.agents.greedy_memory import MEMORY
from steam_env.agents.greedy_plan import (
    PLAN,
    WEIGHTS,
    Weights,
    count_actions_left,
    measure_patience,
    note_needs,
    note_supply,
)
from steam_env.agents.greedy_track import plan_track
from steam_env.agents.greedy_worth import (
    choose_amount,
    choose_build,
    choose_contract,
    choose_hop,
    choose_rival,
    choose_source,
    draw_worth,
)
from steam_env.core.fields import NONE
from steam_env.core.jit import announce_compilation, kernel
from steam_env.core.steam_power.actions import (
    CONTRACTS,
    DONE,
    MONEY,
    NUM_ACTIONS,
    PAY_TO,
    TAKE,
)
from steam_env.core.steam_power.carriage import survey
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BOARD,
    BONUS,
    BONUS_FACTORY,
    BONUS_TRACK,
    DECK,
    GAME,
    HOP,
    PAY,
    SCRATCH,
    SOURCE,
    TAKE_FROM,
    TAKE_MONEY,
    new_work,
)
from steam_env.table.view import View


@kernel
def prepare(
    game: np.record, board: np.record, deck: np.record, work: np.record, plan: np.record, weights: Weights
) -> None:
    """Look at the position: how long the game goes on, what is needed, what can be had."""
    survey(game, board, work, int(game.seat))
    plan.actions_left = count_actions_left(game, weights)
    plan.trust = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.settled))
    plan.use = max(0.0, min(1.0, (plan.actions_left - 1.0) / weights.soon))
    poor = max(0.0, 1.0 - int(game.money[int(game.seat)]) / weights.rich)
    plan.cash = 1.0 + (weights.cash - 1.0) * plan.trust * poor
    plan.patience = measure_patience(game)
    note_needs(game, deck, plan, weights)
    note_supply(game, board, work, plan)


@kernel
def choose_action(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """Choose one of the five actions (rule 3.1): the first step of the plan with the best rate."""
    best = MONEY
    best_rate = TAKE_MONEY * plan.cash * plan.patience
    plan_track(game, board, work, plan, mask, weights)
    build = choose_build(game, board, work, plan, mask, weights)
    if plan.best_build > best_rate:
        best, best_rate = build, plan.best_build
    plan.best_draw = draw_worth(game, deck, work, plan, weights)
    if mask[CONTRACTS] and plan.best_draw > best_rate:
        best, best_rate = CONTRACTS, plan.best_draw
    contract, rate = choose_contract(game, board, deck, work, plan, weights)
    if rate > best_rate:
        best, best_rate = contract, rate
    if plan.track_rate > best_rate and plan.track_action != NONE:
        best = int(plan.track_action)
        if not mask[best]:
            best = MONEY
    return best


@kernel
def choose_placement(
    game: np.record, board: np.record, work: np.record, plan: np.record, mask: np.ndarray, weights: Weights
) -> int:
    """Choose a placement of a lay-track action or bonus, or `done` if it would bring little."""
    plan_track(game, board, work, plan, mask, weights)
    action = int(plan.track_action)
    if action == NONE or not mask[action]:
        return DONE
    return action if plan.track_rate > weights.second or not mask[DONE] else DONE


@kernel
def choose_bonus(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """Choose what to do with a contract's bonus, or `done` (rule 6.7)."""
    bonus = int(deck.bonus[game.contract])
    if bonus == BONUS_TRACK:
        return choose_placement(game, board, work, plan, mask, weights)
    if bonus == BONUS_FACTORY:
        return choose_build(game, board, work, plan, mask, weights)
    return CONTRACTS


@kernel
def first_legal(mask: np.ndarray) -> int:
    """The first legal action."""
    for action in range(NUM_ACTIONS):
        if mask[action]:
            return action
    return MONEY


@kernel
def decide(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """Choose for the decision under way; NONE if the plan has no answer."""
    phase = int(game.phase)
    if phase == HOP:
        return choose_hop(game, board, work, mask)
    if phase == PAY:
        return choose_rival(game, mask, PAY_TO, -1)
    if phase == TAKE_FROM:
        return choose_rival(game, mask, TAKE, 1)
    if phase > BONUS and phase != AMOUNT:
        return MONEY
    prepare(game, board, deck, work, plan, weights)
    if phase == SOURCE:
        return choose_source(game, board, work, mask, weights)
    if phase == AMOUNT:
        return choose_amount(game, board, work, plan, mask, weights)
    if phase == ACTION:
        return choose_action(game, board, deck, work, plan, mask, weights)
    if phase == BONUS:
        return choose_bonus(game, board, deck, work, plan, mask, weights)
    return choose_placement(game, board, work, plan, mask, weights)


@kernel
def choose_by(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plans: np.ndarray,
    mask: np.ndarray,
    weights: Weights,
) -> int:
    """A legal action by these weights; ``plans`` is scratch memory, an array of one ``PLAN``."""
    action = decide(game, board, deck, work, plans[0], mask, weights)
    if action == NONE or not mask[action]:
        return first_legal(mask)
    return action


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    work: np.record,
    plans: np.ndarray,
    masks: np.ndarray,
    weights: Weights,
    actions: np.ndarray,
) -> None:
    """Write the choice in each game."""
    for index in range(games.shape[0]):
        game = games[index]
        actions[index] = choose_by(
            game, boards[game.board_index], decks[game.deck_index], work, plans, masks[index], weights
        )


@cache
def compile_greedy() -> None:
    """Compile or load the kernels, once in a process, and say so if it takes time."""
    none, nothing = np.zeros(0, np.int64), np.zeros((0, NUM_ACTIONS), np.bool_)
    games, boards, decks = np.zeros(0, GAME), np.zeros(1, BOARD), np.zeros(1, DECK)
    for records in (boards, decks):
        records.setflags(write=False)  # as those of a setting are, which is another type to the compiler
    with announce_compilation("greedy agent"):
        choose_all(games, boards, decks, new_work()[0], np.zeros(1, PLAN), nothing, WEIGHTS, none)


class GreedyAgent:
    """The rule-based player as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS) -> None:
        compile_greedy()
        self._weights = weights

    def reset(self, seed: int) -> None:
        """Do nothing: the agent draws nothing and remembers nothing."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        setting = views.setting
        work, plans = SCRATCH.open()[0], MEMORY.plans
        choose_all(views.records, setting.boards, setting.decks, work, plans, masks, self._weights, actions)
        return actions
