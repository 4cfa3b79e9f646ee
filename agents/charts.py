"""The `charted` encoding of Steam Power: `advised`, and beside it what greedy knows of the map, see ``advising``.

``python -m steam_env.agents.charts`` prints the arrays. What an action brings, greedy adds up from parts: how near each
group of cities is to the mover's network and to those of its rivals, what a link to it is worth, what a factory there,
what resources will cost, how long the game goes on. A net that knows no map by heart can tell from them why an action
is good, and by how much the others are worse. Before the first link, where greedy has a choice but no estimates, it is
told how each of them stands. Parts are as for the observer's turn, and zero where nothing is advised.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from steam_env.agents.advice import RATE_STEPS, begin_turn, take_position, write_advice
from steam_env.agents.advising import MOST_RATE, begin_layout, make_advice
from steam_env.agents.greedy import compile_greedy, prepare
from steam_env.agents.greedy_plan import (
    DOLLARS,
    EFFORT,
    FAR,
    FIRST,
    FIRST_LIMIT,
    NEVER,
    PLACEMENTS,
    WEIGHTS,
    Weights,
    price,
)
from steam_env.agents.greedy_track import compare_first_link, country_worth, pair_worth, plan_track
from steam_env.agents.greedy_ways import is_begun, plan_ways
from steam_env.agents.greedy_worth import choose_build, draw_worth, factory_worth
from steam_env.agents.planner import MIND, Scratch
from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import HEAD_TO, NUM_ACTIONS, START
from steam_env.core.steam_power.factory import usual_resources
from steam_env.core.steam_power.state import MAX_CITIES, MAX_SEATS, NUM_RESOURCES, PURPLE, SCRATCH, SOLO
from steam_env.encoding import Encoding
from steam_env.encoding.layout import Code
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.kit.program import fit_streams

NAME = "charted"
NEAREST = 64  # the number of what is in the network; each effort of a way to it takes one away, down to 1
MOST_STEPS = 16  # of the placements of a way, and of its dollars
WORTH_STEPS = 2.0  # digits for a dollar
COUNTRY_STEPS, COUNTRY_MIDDLE = 0.5, 128  # likewise of a country, which may be worth less than usual
NEED_STEPS = 8.0  # digits for a resource
ACTION_STEPS = 2.0  # digits for an action that is left
NUM_RIVALS = MAX_SEATS - 1

LAYOUT = begin_layout(
    NUM_ACTIONS,
    "derived, by action: greedy's estimate in dollars per action; none = 0",
    f"(1 + {RATE_STEPS:g} dollars) / {MOST_RATE}, clipped",
    WEIGHTS,
)
STANDING = LAYOUT.add(
    "standing",
    (MAX_CITIES, NUM_EDGES),
    "derived, by first action, before the first link: how the best such link stands; none = 0",
    f"({MOST_RATE} - dollars that the best of all stands above it) / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
NEAR = LAYOUT.add(
    "near",
    (MAX_CITIES,),
    "derived, by city: how near its group is to the own network; out of reach = 0",
    f"({NEAREST} - effort of the way) / {NEAREST}, clipped",
    code=Code(NEAREST),
)
STEPS = LAYOUT.add(
    "placements", (MAX_CITIES,), "derived: placements of that way", f"/ {MOST_STEPS}, clipped", code=Code(MOST_STEPS)
)
FARE = LAYOUT.add("dollars", (MAX_CITIES,), "derived: its dollars", f"/ {MOST_STEPS}, clipped", code=Code(MOST_STEPS))
RIVAL_NEAR = LAYOUT.add(
    "rival_near",
    (NUM_RIVALS, MAX_CITIES),
    "derived, by rival from the next on, by city: how near its group is to the rival's network",
    f"({NEAREST} - effort of the way) / {NEAREST}, clipped",
    code=Code(NEAREST),
)
LINK = LAYOUT.add(
    "link",
    (MAX_CITIES,),
    "derived: what a link to its group is worth",
    f"{WORTH_STEPS:g} dollars / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
SITE = LAYOUT.add(
    "site",
    (MAX_CITIES,),
    "derived: what a factory there is worth; taken = 0",
    f"{WORTH_STEPS:g} dollars / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
COUNTRY = LAYOUT.add(
    "country",
    (MAX_CITIES,),
    "derived, before the first link: what the groups round its own are worth beyond what is usual; else 0",
    f"({COUNTRY_MIDDLE} + {COUNTRY_STEPS:g} dollars) / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
NEEDS = LAYOUT.add(
    "needs",
    (NUM_RESOURCES,),
    "derived, by resource: how many will be needed for contracts in hand and to come",
    f"{NEED_STEPS:g} / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
COSTS = LAYOUT.add(
    "costs",
    (NUM_RESOURCES,),
    "derived, by resource: what they will cost",
    f"{WORTH_STEPS:g} dollars / {MOST_RATE}, clipped",
    code=Code(MOST_RATE),
)
OUTLOOK = LAYOUT.add(
    "outlook",
    8,
    "derived: actions left; trust in investments, in resources for contracts, in the game's going on; what $1 is worth "
    "beyond $1; rates of the best factory, of contracts, of track",
    f"{ACTION_STEPS:g} / {MOST_RATE}; part; part; part; part; {RATE_STEPS:g} dollars / {MOST_RATE}; all clipped",
    code=Code(MOST_RATE),
)
(
    STANDING_DIGIT,
    NEAR_DIGIT,
    STEPS_DIGIT,
    FARE_DIGIT,
    RIVAL_NEAR_DIGIT,
    LINK_DIGIT,
    SITE_DIGIT,
    COUNTRY_DIGIT,
    NEEDS_DIGIT,
    COSTS_DIGIT,
    OUTLOOK_DIGIT,
) = (  # the choice has two digits
    start + 1 for start in (STANDING, NEAR, STEPS, FARE, RIVAL_NEAR, LINK, SITE, COUNTRY, NEEDS, COSTS, OUTLOOK)
)


@kernel
def clip(number: float, least: int, most: int) -> int:
    """The whole number below, within the bounds."""
    return int(min(max(number, float(least)), float(most)))


# --- what is written ------------------------------------------------------------------------------------------


@kernel
def write_outlook(plan: np.record, row: np.ndarray, weights: Weights) -> None:
    """Write what will be needed, what it will cost, how long the game goes on, and the best that can be done."""
    for color in range(NUM_RESOURCES):
        row[NEEDS_DIGIT + color] = clip(NEED_STEPS * plan.needs[color], 0, MOST_RATE)
        cost = price(plan, color, 0.0, 0, weights.lack)
        row[COSTS_DIGIT + color] = clip(WORTH_STEPS * cost, 0, MOST_RATE)
    told = (
        ACTION_STEPS * plan.actions_left,
        MOST_RATE * plan.trust,
        MOST_RATE * plan.use,
        MOST_RATE * plan.patience,
        MOST_RATE * (plan.cash - 1.0),
        RATE_STEPS * plan.best_build,
        RATE_STEPS * plan.best_draw,
        RATE_STEPS * plan.track_rate,
    )
    for number in range(len(told)):
        row[OUTLOOK_DIGIT + number] = clip(told[number], 0, MOST_RATE)


@kernel
def write_near(game: np.record, board: np.record, plan: np.record, seat: int, digit: int, row: np.ndarray) -> None:
    """Write by city how near its group is to the seat's network; after ``plan_ways``."""
    for city in range(board.num_cities):
        group = int(board.group[city])
        if has(game.network[seat], group):
            row[digit + city] = NEAREST
        elif plan.group_ways[EFFORT, group] < FAR:
            row[digit + city] = clip(NEAREST - int(plan.group_ways[EFFORT, group]), 1, NEAREST)


@kernel
def write_cities(
    game: np.record, board: np.record, work: np.record, plan: np.record, row: np.ndarray, weights: Weights
) -> None:
    """Write by city what the way to its group takes and brings, and what a factory would; after ``plan_track``."""
    seat, usual = int(game.seat), usual_resources(game)
    write_near(game, board, plan, seat, NEAR_DIGIT, row)
    for city in range(board.num_cities):
        group = int(board.group[city])
        if plan.group_ways[EFFORT, group] < FAR:
            row[STEPS_DIGIT + city] = clip(float(plan.group_ways[PLACEMENTS, group]), 0, MOST_STEPS)
            row[FARE_DIGIT + city] = clip(float(plan.group_ways[DOLLARS, group]), 0, MOST_STEPS)
        row[LINK_DIGIT + city] = clip(WORTH_STEPS * plan.worth[group], 0, MOST_RATE)
        if game.owner[city] == NONE and game.resources[city] <= 0 and game.color[city] != PURPLE:
            links = int(work.distance[group]) if game.network[seat] != 0 else NONE
            worth = factory_worth(game, board, plan, city, links, usual, weights)
            row[SITE_DIGIT + city] = clip(WORTH_STEPS * worth, 0, MOST_RATE)


@kernel
def write_standings(
    game: np.record,
    board: np.record,
    plan: np.record,
    mask: np.ndarray,
    standings: np.ndarray,
    row: np.ndarray,
    weights: Weights,
) -> None:
    """Write how first links stand, by their first action, and what the country is worth; after ``plan_track``."""
    best = NEVER
    standings[:] = NEVER
    for group in range(board.num_cities):
        for other in range(board.num_cities):
            way = plan.pair_ways[:, group, other]
            first = int(way[FIRST])
            if way[EFFORT] > FIRST_LIMIT or not mask[first]:
                continue
            worth = pair_worth(plan, group, other) + (weights.first_link + plan.worth[group])
            plan.standing = NEVER
            compare_first_link(
                game, board, plan, group, other, worth, int(way[PLACEMENTS]), int(way[DOLLARS]), first, weights
            )
            standings[first] = max(standings[first], plan.standing)
            best = max(best, float(plan.standing))
    for action in range(START, HEAD_TO):
        if standings[action] > NEVER:
            row[STANDING_DIGIT + action - START] = clip(MOST_RATE - (best - standings[action]), 1, MOST_RATE)
    for city in range(board.num_cities):
        group = int(board.group[city])
        worth = COUNTRY_STEPS * country_worth(board, plan, group, group, weights)
        row[COUNTRY_DIGIT + city] = clip(COUNTRY_MIDDLE + worth, 1, MOST_RATE)


@kernel
def write_rivals(
    game: np.record, board: np.record, plan: np.record, mask: np.ndarray, row: np.ndarray, weights: Weights
) -> None:
    """Write how near cities are to the rivals' networks; the view and the mask are not to be used afterwards."""
    seat, seats = int(game.seat), int(game.num_seats)
    mask[:] = False
    for step in range(1, seats):
        begin_turn(game, (seat + step) % seats)
        plan.group_ways[EFFORT, :] = FAR
        if game.network[game.seat] != 0 and (is_begun(game) or game.trains[game.seat] > 0):
            plan_ways(game, board, plan, mask, weights)
        write_near(game, board, plan, int(game.seat), RIVAL_NEAR_DIGIT + (step - 1) * MAX_CITIES, row)


@kernel
def write_chart(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    weights: Weights,
    row: np.ndarray,
) -> None:
    """Write into a row of digits what greedy knows, of a view; after ``advise``, which has written its mask."""
    plan, mask = scratch.plans[0], scratch.legal
    prepare(game, board, deck, work, plan, weights)
    plan_track(game, board, work, plan, mask, weights)
    choose_build(game, board, work, plan, mask, weights)
    plan.best_draw = draw_worth(game, deck, work, plan, weights)
    write_outlook(plan, row, weights)
    write_cities(game, board, work, plan, row, weights)
    seat = int(game.seat)
    if game.network[seat] == 0 and not is_begun(game) and game.trains[seat] > 0:
        write_standings(game, board, plan, mask, scratch.rates, row, weights)
    if game.mode != SOLO:
        write_rivals(game, board, plan, mask, row, weights)


@kernel
def chart_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    work: np.record,
    scratch: Scratch,
    weights: Weights,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what greedy advises seat ``seats[i]`` of game i, and what it knows."""
    out[:] = 0
    for index in range(games.shape[0]):
        if take_position(games, index, int(seats[index]), scratch):
            game, row = scratch.positions[0], out[index]
            board, deck = boards[game.board_index], decks[game.deck_index]
            write_advice(game, board, deck, work, scratch, weights, row)
            write_chart(game, board, deck, work, scratch, weights, row)


def chart_seats(games: np.ndarray, *others: Any) -> None:
    """Write the digits of advice and chart, see ``advising.Advice``."""
    boards, decks, seats, digits = others
    compile_greedy()
    chart_all(games, boards, decks, seats, SCRATCH.open()[0], MIND.scratch, WEIGHTS, digits)


CHARTING = make_advice(ENCODINGS["flat"], LAYOUT, chart_seats, NAME)


@cache
def make_charted() -> Encoding:
    """The encoding `charted`."""
    return CHARTING.make()


if __name__ == "__main__":
    fit_streams()
    print(make_charted().describe())
