"""The `advised` encoding: `flat`, and beside it what the greedy player makes of the position.

A net that shall play well has to find cheap ways over the map, which takes a search through it: a layer of weights does
not do that. Greedy does, and values each action in dollars per action. Its estimates and its choice are told as
features, as Go programs told their nets which stones a ladder catches (Silver et al. 2016); what they are worth is
learnt. Play of a net that begins with trust in them begins with greedy's (Silver et al. 2018, residual policy
learning).

``python -m steam_env.agents.advice`` prints the arrays. Advice is told to the mover alone, whoever else looks gets
zeros, and it comes from the mover's view: what is hidden is blank before greedy looks.
"""

from __future__ import annotations

import hashlib
import threading
from functools import cache, partial
from typing import Any

import numpy as np

from steam_env.agents.greedy import choose_by, compile_greedy, prepare
from steam_env.agents.greedy_plan import NEVER, WEIGHTS, Weights
from steam_env.agents.planner import Scratch, best_of, looks_ahead, new_scratch
from steam_env.agents.planner_rates import rate_actions
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.hidden import blank_hidden
from steam_env.core.steam_power.legal import write_mask
from steam_env.core.steam_power.state import OVER, new_work
from steam_env.encoding import ArraySpec, Encoding
from steam_env.encoding.compact import Expansion, encode_by_digits, make_flat_expansion, pack_spec
from steam_env.encoding.digits import lay_out
from steam_env.encoding.layout import BYTE_VALUES, HIGH, TWO_BYTES, Code, Layout, describe_parts
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.kit.program import fit_streams

NAME, BASE, ADVICE = "advised", "flat", "advice"  # of the encoding, and of its two arrays
RATE_STEPS = 4.0  # digits for a dollar per action
MOST_RATE = BYTE_VALUES - 1


def name_weights(weights: Weights) -> str:
    """A short name of these weights and no others: a policy that was trained with them does not fit to others."""
    return hashlib.sha256(repr(weights).encode()).hexdigest()[:8]


_layout = Layout()
CHOICE = _layout.add(
    "choice",
    1,
    "derived: greedy's action + 1; 0 for all but the mover",
    f"/ {NUM_ACTIONS}",
    code=Code(NUM_ACTIONS, TWO_BYTES),
)
RATES = _layout.add(
    "rates",
    (NUM_ACTIONS,),
    "derived, by action: greedy's estimate in dollars per action; none = 0",
    f"(1 + {RATE_STEPS:g} dollars) / {MOST_RATE}, clipped; by weights {name_weights(WEIGHTS)}",
    code=Code(MOST_RATE),
)
PARTS = _layout.parts
ADVICE_SIZE = _layout.size
DIGITS, _starts = lay_out(PARTS)
CHOICE_DIGIT, RATE_DIGIT = _starts["choice"], _starts["rates"]


class Memory(threading.local):
    """Each thread's memory for one position: good up to the next one."""

    def __init__(self) -> None:
        self.work = new_work()[0]
        self.scratch = new_scratch()


_MEMORY = Memory()


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
def write_advice(choice: int, rates: np.ndarray, row: np.ndarray) -> None:
    """Write the digits of a row."""
    row[CHOICE_DIGIT] = (choice + 1) % BYTE_VALUES
    row[CHOICE_DIGIT + 1] = (choice + 1) // BYTE_VALUES
    for action in range(NUM_ACTIONS):
        digit = 0.0
        if rates[action] > NEVER:
            digit = min(max(1.0 + RATE_STEPS * rates[action], 1.0), MOST_RATE)
        row[RATE_DIGIT + action] = np.uint8(digit)


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
    """Write row i of ``out`` (n, digits) uint8: what greedy advises seat ``seats[i]`` of game i; zeros if it waits."""
    for index in range(games.shape[0]):
        seat = int(seats[index])
        out[index, :] = 0
        if seat == NONE or games[index].phase == OVER or games[index].seat != seat:
            continue
        scratch.positions[0] = games[index]
        game = scratch.positions[0]
        blank_hidden(game, seat)
        choice = advise(game, boards[game.board_index], decks[game.deck_index], work, scratch, weights)
        write_advice(choice, scratch.rates, out[index])


def encode(
    base: Encoding, games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: Any
) -> None:
    """Write the base's array and the digits of the advice, see ``Encoding.encode``."""
    compile_greedy()
    base.encode(games, boards, decks, seats, out[BASE])
    advise_all(games, boards, decks, seats, _MEMORY.work, _MEMORY.scratch, WEIGHTS, out[ADVICE])


def encode_values(*arrays: Any) -> None:
    """Write the values of both arrays, see ``Encoding.encode``."""
    encode_by_digits(_make_widest(), "(FLAT_SIZE) or (ADVICE_SIZE)", *arrays)


@cache
def _make_widest() -> Encoding:
    return make_compact(None)


VALUES = ArraySpec((ADVICE_SIZE,), 0.0, HIGH, np.dtype(np.float32))
EXPANSION = make_flat_expansion(VALUES, DIGITS)


@cache
def make_advised() -> Encoding:
    """The encoding `advised`."""
    base = ENCODINGS[BASE]
    assert isinstance(base.spec, ArraySpec)
    spec = {BASE: base.spec, ADVICE: VALUES}
    return Encoding(NAME, spec, encode_values, describe, (*base.parts, *PARTS), make_compact)


def make_compact(setting: Any) -> Encoding:
    """The digits of the encoding, for games of the setting or, without one, for all."""
    make = ENCODINGS[BASE].compact
    assert make is not None  # `flat` has digits
    base = make(setting)
    expansions: dict[str, Expansion] = {BASE: base.expansions, ADVICE: EXPANSION}
    name = f"{NAME}{base.name.removeprefix(BASE)}"
    return Encoding(
        name, pack_spec(expansions), partial(encode, base), describe, (*base.parts, *PARTS), expansions=expansions
    )


def describe() -> str:
    """The layout as Markdown tables."""
    told = [f"`{BASE}`: as the encoding of that name", "", f"`{ADVICE}`: {ADVICE_SIZE} float32", ""]
    return "\n".join([*told, *describe_parts(PARTS)])


if __name__ == "__main__":
    fit_streams()
    print(describe())
