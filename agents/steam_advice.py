"""The `advised` encoding of Steam (2009): `flat`, and beside it what greedy makes of the position, see ``advising``.

``python -m steam_env.agents.steam_advice`` prints the arrays. Estimates are in points of a move. Beside greedy's choice
and its estimates there is what it reckons with, and what the cubes in reach would bring to each seat.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from steam_env.agents.advising import MOST_RATE, begin_layout, make_advice, write_choice, write_rates
from steam_env.agents.steam_greedy import choose_greedy, compile_greedy
from steam_env.agents.steam_greedy_links import rate_link
from steam_env.agents.steam_greedy_plan import NEVER, PLAN, WEIGHTS, Weights, note_network, note_routes, prepare
from steam_env.agents.steam_greedy_worth import (
    find_colour,
    rate_group,
    rate_growth,
    rate_income,
    rate_level,
    rate_new_city,
    rate_taking,
)
from steam_env.agents.thrifty import rate_cubes
from steam_env.agents.thrifty_ways import FAR
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.actions import (
    BUILD_ON,
    COLOUR_OF,
    FROM,
    GROW,
    IMPROVE,
    NUM_ACTIONS,
    PASS,
    SPACE_OF,
    TO_INCOME,
    TO_VP,
    URBANIZE,
)
from steam_env.core.steam.legal import write_mask
from steam_env.core.steam.routes import survey_links
from steam_env.core.steam.state import (
    BID,
    BUILD,
    COLOUR,
    CUBE,
    END,
    GOODS,
    HOP,
    MAX_LEVEL,
    MAX_SEATS,
    NUM_COLORS,
    NUM_SPACES,
    OVER,
    SCORE,
    SPACE,
    TAKE,
    new_work,
)
from steam_env.encoding import Encoding
from steam_env.encoding.layout import Code
from steam_env.encoding.steam import ENCODINGS
from steam_env.kit.program import fit_streams

RATE_STEPS = 8.0  # digits for a point
LEAST_RATE = -8.0  # points: an action tile may cost more than it brings
UNPREPARED = (BID, CUBE, HOP, OVER, SCORE)  # phases in which greedy chooses without looking at all of the position
UNRATED = -2 * NEVER  # stands for no estimate; what must not be done has one, about -NEVER

MOST_CUBES = 24  # cubes that are told, at most
NUM_TIMES = 2  # NOW and NEXT
VALUES = 3
VALUE_STEPS = 64.0  # digits for a point of worth: a step, a dollar five times, a point of the final scoring
DOLLARS = 5.0  # a dollar is told as a step's worth of them
MOST_PURSE = 60

LAYOUT = begin_layout(
    NUM_ACTIONS,
    "derived, by action: greedy's estimate in points of a move; none = 0",
    f"(1 + {RATE_STEPS:g} (points + {-LEAST_RATE:g})) / {MOST_RATE}, clipped",
    WEIGHTS,
)
WORTH = LAYOUT.add(
    "worth",
    VALUES,
    "derived: what a step of income, five dollars and a point of the final scoring are worth to the mover",
    f"{VALUE_STEPS:g} points / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
PURSE = LAYOUT.add(
    "purse", 1, "derived: dollars that greedy would spend on track", f"/ {MOST_PURSE}, clipped", code=Code(MOST_PURSE)
)
OUTLOOK = LAYOUT.add(
    "outlook",
    (MAX_SEATS, NUM_TIMES, MAX_LEVEL),
    "derived, by seat from the mover on, with its locomotive and with the next, by points: cubes that would bring them",
    f"/ {MOST_CUBES}, clipped",
    code=Code(MOST_CUBES),
)
WORTH_DIGIT, PURSE_DIGIT, OUTLOOK_DIGIT = (start + 1 for start in (WORTH, PURSE, OUTLOOK))  # the choice has two digits


class Scratch(NamedTuple):
    """Scratch memory: nothing in it outlives a position.

    Attributes:
        plans: (1,) ``PLAN``.
        legal: (actions,) bool.
        rates: (actions,) float64, the estimates in points of a move.
        colors: (colours,) float64.
    """

    plans: np.ndarray
    legal: np.ndarray
    rates: np.ndarray
    colors: np.ndarray


class Memory(threading.local):
    """Each thread's memory for one position."""

    def __init__(self) -> None:
        self.work = new_work()[0]
        self.scratch = Scratch(np.zeros(1, PLAN), *(np.zeros(n, t) for n, t in SIZES))


SIZES = ((NUM_ACTIONS, np.bool_), (NUM_ACTIONS, np.float64), (NUM_COLORS, np.float64))
_MEMORY = Memory()


# --- estimates --------------------------------------------------------------------------------------------


@kernel
def rate_actions(game: np.record, board: np.record, work: np.record, scratch: Scratch, weights: Weights) -> None:
    """Write what greedy thinks that the legal actions bring; ``plans`` holds what it came to when it chose."""
    plan, mask, rates = scratch.plans[0], scratch.legal, scratch.rates
    rates[:] = UNRATED
    phase = int(game.phase)
    if phase == TAKE:
        for action in range(PASS):
            rates[action] = rate_taking(game, board, plan, action, weights) if mask[action] else UNRATED
    elif phase == BUILD:
        rate_building(game, board, plan, mask, rates, weights)
    elif phase == COLOUR:
        for color in range(NUM_COLORS):
            if mask[COLOUR_OF + color]:
                rates[COLOUR_OF + color] = rate_new_city(game, board, plan, int(game.stop), color, weights)
    elif phase == SPACE:
        rate_spaces(game, plan, mask, rates, weights)
    elif phase == GOODS:
        rate_moves(game, board, work, scratch, weights)
    elif phase == CUBE:
        survey_links(game, board, work)
        rate_cubes(game, work, int(game.seat), int(game.route_stop[0]), scratch.colors)
        for color in range(NUM_COLORS):
            if mask[COLOUR_OF + color]:
                rates[COLOUR_OF + color] = scratch.colors[color]
    elif phase == SCORE:
        rates[TO_VP] = int(game.points[plan.seat])
        if mask[TO_INCOME]:
            rates[TO_INCOME] = rate_income(game, plan)


@kernel
def rate_building(
    game: np.record, board: np.record, plan: np.record, mask: np.ndarray, rates: np.ndarray, weights: Weights
) -> None:
    """Write what the best link brings that begins on each hex, and what each city and town would."""
    rates[PASS] = 0.0 if mask[PASS] else UNRATED
    for first in range(board.num_stops):
        if mask[GROW + first]:
            rates[GROW + first] = rate_growth(game, board, plan, first, weights)
        if mask[URBANIZE + first]:
            rates[URBANIZE + first] = find_colour(game, board, plan, first, weights)[1]
        for second in range(first):
            if plan.link_effort[first, second] < FAR and plan.link_ready[first, second]:
                action = BUILD_ON + int(plan.link_hex[first, second])
                if mask[action]:
                    rates[action] = max(rates[action], rate_link(game, plan, first, second, weights))


@kernel
def rate_spaces(game: np.record, plan: np.record, mask: np.ndarray, rates: np.ndarray, weights: Weights) -> None:
    """Write what the group of cubes of each space brings."""
    stop = int(game.stop)
    color = int(game.color) if game.color != NONE else int(game.city_color[stop])
    for space in range(NUM_SPACES):
        if mask[SPACE_OF + space]:
            rates[SPACE_OF + space] = rate_group(game, plan, stop, space, color, weights)


@kernel
def rate_moves(game: np.record, board: np.record, work: np.record, scratch: Scratch, weights: Weights) -> None:
    """Write what the best cube of each city brings, and a better locomotive."""
    plan, mask, rates = scratch.plans[0], scratch.legal, scratch.rates
    rates[PASS] = 0.0
    survey_links(game, board, work)
    for stop in range(board.num_stops):
        if mask[FROM + stop]:
            rates[FROM + stop] = rate_cubes(game, work, int(game.seat), stop, scratch.colors)
    if mask[IMPROVE]:
        rates[IMPROVE] = rate_level(plan, int(plan.moves_left) - int(game.goods_round), weights)


# --- what is written ------------------------------------------------------------------------------------------


@kernel
def write_worth(plan: np.record, row: np.ndarray) -> None:
    """Write what greedy reckons with."""
    told = (plan.step, DOLLARS * plan.dollar, plan.point)
    for number in range(VALUES):
        row[WORTH_DIGIT + number] = np.uint8(min(max(VALUE_STEPS * told[number], 0.0), MOST_RATE))
    row[PURSE_DIGIT] = np.uint8(min(max(plan.purse, 0), MOST_PURSE))


@kernel
def write_outlook(game: np.record, board: np.record, plan: np.record, row: np.ndarray) -> None:
    """Write what the cubes in reach would bring to each seat; of the mover's ``plan`` tells it already."""
    seats, mover = int(game.num_seats), int(game.seat)
    for relative in range(seats):
        if relative > 0:
            plan.seat = (mover + relative) % seats
            note_network(game, board, plan)
            note_routes(game, board, plan)
        for when in range(NUM_TIMES):
            for points in range(1, MAX_LEVEL + 1):
                place = OUTLOOK_DIGIT + (relative * NUM_TIMES + when) * MAX_LEVEL + points - 1
                row[place] = np.uint8(min(plan.counts[when, points], MOST_CUBES))


@kernel
def advise_all(
    games: np.ndarray,
    boards: np.ndarray,
    seats: np.ndarray,
    work: np.record,
    scratch: Scratch,
    weights: Weights,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what greedy advises seat ``seats[i]`` of game i; zeros if it waits."""
    plan = scratch.plans[0]
    for index in range(games.shape[0]):
        game, board, row, seat = games[index], boards[0], out[index], int(seats[index])
        row[:] = 0
        if seat == NONE or game.phase == END or game.seat != seat:
            continue
        write_mask(game, board, work, scratch.legal)
        if game.phase in UNPREPARED:
            prepare(game, board, plan, weights)
        choice = choose_greedy(game, board, work, plan, scratch.legal, weights)
        write_choice(choice, row)
        rate_actions(game, board, work, scratch, weights)
        write_rates(scratch.rates, UNRATED, LEAST_RATE, RATE_STEPS, row)
        write_worth(plan, row)
        write_outlook(game, board, plan, row)


def write_advice(games: np.ndarray, *others: Any) -> None:
    """Write the digits of the advice, see ``advising.Advice``."""
    boards, seats, digits = others
    compile_greedy()
    advise_all(games, boards, seats, _MEMORY.work, _MEMORY.scratch, WEIGHTS, digits)


ADVISING = make_advice(ENCODINGS["flat"], LAYOUT, write_advice)


@cache
def make_advised() -> Encoding:
    """The encoding `advised`."""
    return ADVISING.make()


if __name__ == "__main__":
    fit_streams()
    print(make_advised().describe())
