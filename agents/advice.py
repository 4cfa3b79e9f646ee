"""The `advised` encoding of Steam Power: `flat`, and beside it what greedy makes of the position, see ``advising``.

``python -m steam_env.agents.advice`` prints the arrays. Estimates are in dollars per action. A seat that
waits is told what greedy would do if its turn began, in solo nothing. Advice comes from the observer's view: what is
hidden from it is blank before greedy looks.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from steam_env.agents.advising import MOST_RATE, begin_layout, make_advice, write_choice, write_rates
from steam_env.agents.greedy import choose_by, compile_greedy, prepare
from steam_env.agents.greedy_plan import NEVER, WEIGHTS, Weights
from steam_env.agents.planner import MIND, Scratch, best_of, looks_ahead
from steam_env.agents.planner_rates import rate_actions
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.hidden import blank_hidden
from steam_env.core.steam_power.legal import write_mask
from steam_env.core.steam_power.state import ACTION, ACTIONS_PER_TURN, OVER, SCRATCH, SOLO
from steam_env.encoding import Encoding
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.kit.program import fit_streams

RATE_STEPS = 4.0  # digits for a dollar per action
LEAST_RATE = 0.0

LAYOUT = begin_layout(
    NUM_ACTIONS,
    "derived, by action: greedy's estimate in dollars per action; none = 0",
    f"(1 + {RATE_STEPS:g} dollars) / {MOST_RATE}, clipped",
    WEIGHTS,
)


@kernel
def advise(
    game: np.record, board: np.record, deck: np.record, work: np.record, scratch: Scratch, weights: Weights
) -> int:
    """Greedy's choice for the mover of a view; its estimates are written to ``scratch.rates``, NEVER where it has none.

    The choice is the action with the best estimate where it estimates all, as the planner does, see ``looks_ahead``.
    """
    mask, rates = scratch.legal, scratch.rates
    write_mask(game, board, deck, work, mask)
    rates[:] = NEVER
    if looks_ahead(game, deck):
        prepare(game, board, deck, work, scratch.plans[0], weights)
        rate_actions(game, board, deck, work, scratch.plans[0], mask, rates, weights)
        choice = best_of(rates)
        if mask[choice]:
            return choice
    return choose_by(game, board, deck, work, scratch.plans, mask, weights)


@kernel
def begin_turn(game: np.record, seat: int) -> None:
    """Let a turn of the seat begin in a view: what is under way is dropped."""
    game.seat = seat
    game.phase = ACTION
    game.actions_left = ACTIONS_PER_TURN
    game.placements_left = 0
    game.takes_left = 0
    game.in_bonus = 0
    game.visited = 0
    game.start_city = NONE
    game.start_edge = NONE
    game.build_city = NONE
    game.contract = NONE
    game.need = NONE
    game.cargo_group = NONE
    game.hop_group = NONE


@kernel
def take_position(games: np.ndarray, index: int, seat: int, scratch: Scratch) -> bool:
    """Copy a game as the seat sees it, whose turn begins if it waits; False where nothing is advised."""
    waits = games[index].seat != seat
    if seat == NONE or games[index].phase == OVER or (waits and games[index].mode == SOLO):
        return False
    scratch.positions[0] = games[index]
    blank_hidden(scratch.positions[0], seat)
    if waits:
        begin_turn(scratch.positions[0], seat)
    return True


@kernel
def write_advice(
    game: np.record,
    board: np.record,
    deck: np.record,
    work: np.record,
    scratch: Scratch,
    weights: Weights,
    row: np.ndarray,
) -> None:
    """Write into a row of digits what greedy advises the mover of a view."""
    write_choice(advise(game, board, deck, work, scratch, weights), row)
    write_rates(scratch.rates, NEVER, LEAST_RATE, RATE_STEPS, row)


@kernel
def advise_all(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    work: np.record,
    scratch: Scratch,
    weights: Weights,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what greedy advises seat ``seats[i]`` of game i."""
    out[:] = 0
    for index in range(games.shape[0]):
        if take_position(games, index, int(seats[index]), scratch):
            game = scratch.positions[0]
            board, deck = boards[game.board_index], decks[game.deck_index]
            write_advice(game, board, deck, work, scratch, weights, out[index])


def advise_seats(games: np.ndarray, *others: Any) -> None:
    """Write the digits of the advice, see ``advising.Advice``."""
    boards, decks, seats, digits = others
    compile_greedy()
    advise_all(games, boards, decks, seats, SCRATCH.open()[0], MIND.scratch, WEIGHTS, digits)


ADVISING = make_advice(ENCODINGS["flat"], LAYOUT, advise_seats)


@cache
def make_advised() -> Encoding:
    """The encoding `advised`."""
    return ADVISING.make()


if __name__ == "__main__":
    fit_streams()
    print(make_advised().describe())
