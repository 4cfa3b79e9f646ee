"""A rule-based player that looks ahead: it plays on in its head before it takes a step.

Greedy judges each step by what it should bring. The planner takes the better ones of greedy's steps, one after the
other, on a copy of the position, whose hidden contracts are dealt at random. There it plays on by the rules, greedy on
all seats, to the end of its next turn, and then judges the position: points and money, and what factories, contracts in
hand and the network will still bring. It takes the step that leads to the best, and thinks anew at its next decision:
nothing is remembered between decisions.

The choice depends on the mover's view only, and is deterministic: the deals in the head are the same at each decision.
Automas pass in the head. In solo, where nobody else moves, it plays as greedy does.

``planner_rates`` lists what may be done, ``planner_worth`` judges positions; here it is tried and compared. All of it
are Numba kernels over one ``GAME`` record, which is a view: ``fill_hidden`` deals what is blank in it.
"""

import threading
from functools import cache
from typing import NamedTuple

import numpy as np

from steam_env.agents.greedy import choose_by, prepare
from steam_env.agents.greedy_memory import MEMORY
from steam_env.agents.greedy_plan import NEVER, WEIGHTS, Weights
from steam_env.agents.planner_rates import rate_actions
from steam_env.agents.planner_worth import (
    DOLLARS,
    FLIPS,
    FORESIGHT,
    NUM_PARTS,
    POINTS,
    RIVAL_DOLLARS,
    RIVAL_FLIPS,
    RIVAL_POINTS,
    Foresight,
    note_flips,
    note_parts,
    note_points,
    weigh,
)
from steam_env.core.jit import announce_compilation, kernel
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.hidden import fill_hidden
from steam_env.core.steam_power.players import is_automa
from steam_env.core.steam_power.state import (
    ACTION,
    BOARD,
    BONUS,
    BONUS_CONTRACTS,
    DECK,
    GAME,
    OVER,
    SCRATCH,
    SOLO,
    TRACK,
    new_work,
)
from steam_env.core.steam_power.step import apply_action, settle
from steam_env.core.steam_power.turn import end_turn
from steam_env.table.view import View


class Scratch(NamedTuple):
    """Scratch memory: no choice depends on what others have left in it.

    Attributes:
        plans: (1,) ``PLAN``, what greedy needs.
        positions: (1,) ``GAME``, the position in the head.
        legal: (actions,) bool, what is legal there.
        rates: (actions,) float64, greedy's estimates of what may be done now, in dollars per action.
        parts: (``NUM_PARTS``,) float64, parts of what a position is worth, in dollars.
    """

    plans: np.ndarray
    positions: np.ndarray
    legal: np.ndarray
    rates: np.ndarray
    parts: np.ndarray


def new_scratch() -> Scratch:
    """Fresh scratch memory, but for what greedy remembers in this thread."""
    return Scratch(
        plans=MEMORY.plans,
        positions=np.zeros(1, GAME),
        legal=np.zeros(NUM_ACTIONS, np.bool_),
        rates=np.zeros(NUM_ACTIONS),
        parts=np.zeros(NUM_PARTS),
    )


class Mind(threading.local):
    """Each thread's scratch memory, see ``Scratch``."""

    def __init__(self) -> None:
        self.scratch = new_scratch()


MIND = Mind()


# --- playing on ----------------------------------------------------------------------------------------


@kernel
def take_action(
    position: np.record, board: np.record, deck: np.record, work: np.record, mask: np.ndarray, action: int
) -> bool:
    """Carry out an action, up to the next player's decision; whether the mover's turn is over."""
    mover = int(position.seat)
    apply_action(position, board, deck, work, action)
    settle(position, board, deck, work, mask)
    ended = position.seat != mover
    while position.phase != OVER and is_automa(position, int(position.seat)):
        end_turn(position, work)
        settle(position, board, deck, work, mask)
    return bool(ended)


@kernel
def play_on(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    action: int,
    turns: int,
    weights: Weights,
) -> None:
    """Take the action and play on as greedy does, to the end of this turn of the mover's and so many more."""
    seat = int(position.seat)
    while True:
        own = position.seat == seat
        ended = take_action(position, board, deck, work, scratch.legal, action)
        if position.phase == OVER:
            return
        if own and ended:
            turns -= 1
            if turns < 0:
                return
        action = choose_by(position, board, deck, work, scratch.plans, scratch.legal, weights)


@kernel
def judge(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    seat: int,
    weights: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the position is worth to the seat."""
    note_rivals(position, board, deck, work, scratch, seat, weights)
    look_at(position, board, deck, work, scratch.plans[0], seat, weights)
    note_parts(position, board, deck, scratch.plans[0], scratch.parts, weights)
    return weigh(scratch.parts, foresight)


@kernel
def look_at(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    plan: np.record,
    seat: int,
    weights: Weights,
) -> None:
    """Prepare greedy's plan with the eyes of a seat."""
    position.seat = seat
    prepare(position, board, deck, work, plan, weights)
    if position.phase == OVER:  # nothing is still to come
        plan.actions_left = 0.0
        plan.trust = 0.0
        plan.use = 0.0


@kernel
def note_rivals(
    position: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    seat: int,
    weights: Weights,
) -> None:
    """Write what rivals have made, on average, and what their factories will still bring them."""
    parts, plan = scratch.parts, scratch.plans[0]
    points, dollars, flips = 0.0, 0.0, 0.0
    for other in range(position.num_seats):
        if other != seat:
            look_at(position, board, deck, work, plan, other, weights)
            note_points(position, board, deck, plan, parts, weights)
            note_flips(position, board, plan, parts, weights)
            points += parts[POINTS]
            dollars += parts[DOLLARS]
            flips += parts[FLIPS]
    rivals = int(position.num_seats) - 1
    parts[RIVAL_POINTS] = points / rivals
    parts[RIVAL_DOLLARS] = dollars / rivals
    parts[RIVAL_FLIPS] = flips / rivals


@kernel
def try_action(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    action: int,
    weights: Weights,
    head: Weights,
    foresight: Foresight,
) -> float:
    """Dollars that the positions are worth to which the action leads, on average over deals."""
    total = 0.0
    rivals = int(game.num_seats) - 1
    deals = max(1, foresight.deals // rivals)
    for deal in range(deals):
        scratch.positions[0] = game
        position = scratch.positions[0]
        fill_hidden(position, deal)
        play_on(position, board, deck, work, scratch, action, foresight.turns, head)
        total += judge(position, board, deck, work, scratch, int(game.seat), weights, foresight)
    return total / deals


# --- the choice ----------------------------------------------------------------------------------------


@kernel
def looks_ahead(game: np.record, deck: np.record) -> bool:
    """Whether the decision is one of those before which the planner looks ahead."""
    seat = int(game.seat)
    if game.mode == SOLO or game.network[seat] == 0:
        return False  # greedy knows how to open
    if game.phase == BONUS:
        return bool(deck.bonus[game.contract] != BONUS_CONTRACTS)
    return bool(game.phase == ACTION or game.phase == TRACK)


@kernel
def best_of(rates: np.ndarray) -> int:
    """The first action with the best rate."""
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
    scratch: Scratch,
    mask: np.ndarray,
    weights: Weights,
    head: Weights,
    foresight: Foresight,
) -> int:
    """A legal action: of greedy's better ones that which leads to the best position."""
    rates = scratch.rates
    if not looks_ahead(game, deck):
        return choose_by(game, board, deck, work, scratch.plans, mask, weights)
    prepare(game, board, deck, work, scratch.plans[0], weights)
    rate_actions(game, board, deck, work, scratch.plans[0], mask, rates, weights)
    choice = best_of(rates)
    floor = rates[choice] * foresight.near
    most = NEVER
    for _ in range(foresight.breadth):
        action = best_of(rates)
        rate = rates[action]
        if rate <= NEVER or rate < floor:
            break
        rates[action] = NEVER
        if most <= NEVER and rates[best_of(rates)] < floor:
            break  # nothing to compare it with
        worth = try_action(game, board, deck, work, scratch, action, weights, head, foresight)
        worth += rate * foresight.rate
        if worth > most:
            most = worth
            choice = action
    if mask[choice]:
        return choice
    return choose_by(game, board, deck, work, scratch.plans, mask, weights)


@kernel
def choose_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    work: np.record,
    scratch: Scratch,
    masks: np.ndarray,
    weights: Weights,
    head: Weights,
    foresight: Foresight,
    actions: np.ndarray,
) -> None:
    """Write the choice in each game; ``head`` are the weights by which games are played on in the head."""
    for index in range(games.shape[0]):
        game = games[index]
        board, deck, mask = boards[game.board_index], decks[game.deck_index], masks[index]
        actions[index] = choose_ahead(game, board, deck, work, scratch, mask, weights, head, foresight)


@cache
def compile_planner() -> None:
    """Compile or load the kernels, once in a process, and say so if it takes time."""
    none, nothing = np.zeros(0, np.int64), np.zeros((0, NUM_ACTIONS), np.bool_)
    games, boards, decks = np.zeros(0, GAME), np.zeros(1, BOARD), np.zeros(1, DECK)
    for records in (boards, decks):
        records.setflags(write=False)  # as those of a setting are, which is another type to the compiler
    with announce_compilation("planner agent"):
        choose_all(games, boards, decks, new_work()[0], MIND.scratch, nothing, WEIGHTS, WEIGHTS, FORESIGHT, none)


class PlannerAgent:
    """The player that looks ahead as an agent. It looks at views only and needs no seed."""

    encoding: str | None = None

    def __init__(self, weights: Weights = WEIGHTS, foresight: Foresight = FORESIGHT) -> None:
        compile_planner()
        self._weights, self._foresight = weights, foresight
        self._head = weights._replace(longest=foresight.longest)

    def reset(self, seed: int) -> None:
        """Do nothing: the agent draws nothing and remembers nothing."""

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, the choice in each game."""
        actions = np.empty(len(masks), np.int64)
        boards, decks = views.setting.boards, views.setting.decks
        choose_all(
            views.records,
            boards,
            decks,
            SCRATCH.open()[0],
            MIND.scratch,
            masks,
            self._weights,
            self._head,
            self._foresight,
            actions,
        )
        return actions
