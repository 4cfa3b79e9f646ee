"""Encodings that tell, beside `flat`, what a rule-based player makes of the position: what those of all games share.

A net that shall play well has to find cheap ways over the map, which takes a search through it: a layer of weights does
not do that. Greedy does, and values each action. Its estimates and its choice are told as features, as Go programs told
their nets which stones a ladder catches (Silver et al. 2016); what they are worth is learnt. Play of a net that begins
with trust in them begins with greedy's (Silver et al. 2018, residual policy learning).

Zeros are no advice: such as after the end, and to a seat that waits where its game's module does not say otherwise.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from steam_env.core.jit import kernel
from steam_env.encoding import ArraySpec, Encoding
from steam_env.encoding.compact import Expansion, make_flat_expansion, pack_spec, write_by_digits
from steam_env.encoding.digits import lay_out
from steam_env.encoding.layout import BYTE_VALUES, HIGH, TWO_BYTES, Code, Layout, Part, describe_parts

NAME, BASE, ADVICE = "advised", "flat", "advice"  # of the usual encoding, and of their two arrays
MOST_RATE = BYTE_VALUES - 1  # the number of the highest estimate; 0: there is none
CHOICE, RATES = 0, 1  # where values begin: all layouts begin with the choice and the estimates
CHOICE_DIGIT, RATE_DIGIT = 0, 2  # and where digits do


def name_weights(weights: object) -> str:
    """A short name of these weights and no others: a policy that was trained with them does not fit to others."""
    return hashlib.sha256(repr(weights).encode()).hexdigest()[:8]


def begin_layout(num_actions: int, meaning: str, scale: str, weights: object) -> Layout:
    """A layout of advice that begins with the choice and with an estimate of every action.

    Args:
        num_actions: of the game.
        meaning: what an estimate is.
        scale: how its number comes from it.
        weights: of the player that estimates.
    """
    layout = Layout()
    choice = "derived: greedy's action + 1; none = 0"
    layout.add("choice", 1, choice, f"/ {num_actions}", code=Code(num_actions, TWO_BYTES))
    told = f"{scale}; by weights {name_weights(weights)}"
    layout.add("rates", (num_actions,), meaning, told, code=Code(MOST_RATE))
    return layout


@kernel
def write_choice(choice: int, row: np.ndarray) -> None:
    """Write the digits of an action into a row."""
    row[CHOICE_DIGIT] = (choice + 1) % BYTE_VALUES
    row[CHOICE_DIGIT + 1] = (choice + 1) // BYTE_VALUES


@kernel
def write_rates(rates: np.ndarray, none: float, least: float, steps: float, row: np.ndarray) -> None:
    """Write the digits of estimates (actions,) into a row: so many steps for each unit over the least, from 1 on.

    What is not above ``none`` is no estimate; what is below the least, or too high, is told as if it were at the bound.
    """
    for action in range(rates.shape[0]):
        digit = 0.0
        if rates[action] > none:
            digit = min(max(1.0 + steps * (rates[action] - least), 1.0), MOST_RATE)
        row[RATE_DIGIT + action] = np.uint8(digit)


class Advice(NamedTuple):
    """An encoding that is advised: what it consists of.

    Attributes:
        name: of the encoding.
        base: the encoding of its first array.
        parts: what stands where in the second.
        write: ``write(games, *statics, seats, digits)`` writes the digits of the second (n, digits) uint8.
        expansion: of these digits.
    """

    name: str
    base: Encoding
    parts: tuple[Part, ...]
    write: Callable[..., None]
    expansion: Expansion

    def make(self) -> Encoding:
        """The encoding."""
        assert isinstance(self.base.spec, ArraySpec)  # `flat` is one array
        spec = {BASE: self.base.spec, ADVICE: self.expansion.values}
        compact = None if self.base.compact is None else self.make_compact
        return Encoding(self.name, spec, self.encode_values, self.describe, (*self.base.parts, *self.parts), compact)

    def make_compact(self, setting: Any) -> Encoding:
        """The digits of the encoding, for games of the setting or, without one, for all."""
        make = self.base.compact
        assert make is not None  # else nobody asks
        base = make(setting)
        told = self._replace(base=base)
        expansions: dict[str, Expansion] = {BASE: base.expansions, ADVICE: self.expansion}
        name, parts = f"{self.name}{base.name.removeprefix(BASE)}", (*base.parts, *self.parts)
        return Encoding(name, pack_spec(expansions), told.encode_digits, self.describe, parts, expansions=expansions)

    def encode_digits(self, games: np.ndarray, *others: Any) -> None:
        """Write the base's array and the digits of the advice, see ``Encoding.encode``."""
        *statics, seats, out = others
        self.base.encode(games, *statics, seats, out[BASE])
        self.write(games, *statics, seats, out[ADVICE])

    def encode_values(self, games: np.ndarray, *others: Any) -> None:
        """Write the base's array and the values of the advice, see ``Encoding.encode``.

        Raises:
            ValueError: for arrays of another shape.
        """
        *statics, seats, out = others
        write_by_digits(ADVICE, "(ADVICE_SIZE)", self.expansion, self.write, games, *others)
        self.base.encode(games, *statics, seats, out[BASE])

    def describe(self) -> str:
        """The layout as Markdown tables."""
        size = self.expansion.values.shape[0]
        told = [f"`{BASE}`: as the encoding of that name", "", f"`{ADVICE}`: {size} float32", ""]
        return "\n".join([*told, *describe_parts(self.parts)])


def make_advice(base: Encoding, layout: Layout, write: Callable[..., None], name: str = NAME) -> Advice:
    """An encoding of a layout, see ``Advice``."""
    values = ArraySpec((layout.size,), 0.0, HIGH, np.dtype(np.float32))
    return Advice(name, base, layout.parts, write, make_flat_expansion(values, lay_out(layout.parts)[0]))
