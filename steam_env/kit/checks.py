"""Checks of values that people give: what is wrong is named, with what is allowed."""

from collections.abc import Mapping
from numbers import Integral
from typing import TypeVar
from unicodedata import normalize

import numpy as np

from steam_env.kit.show import describe, show

T = TypeVar("T")
SEED_BOUND = 2**63
MAX_OUTCOMES = 1024  # of chance in one step
MAX_GAMES = 2**24  # in one batch; more would not fit into any memory


def as_integer(value: object, what: str) -> int:
    """``value`` as an ``int`` if it is any Python or NumPy integer; bool and float are not.

    Raises:
        ValueError: if it is something else; ``what`` names it in the message.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{what} must be an integer, not {show(value)} of type {type(value).__name__}")
    return int(value)


def compose(text: T) -> T:
    """A text with each letter and its marks as one character where there is one (NFC); anything else as it is.

    Names are kept like that, and what is looked for among them is made so first: keyboards and files differ.
    """
    return normalize("NFC", text) if isinstance(text, str) else text  # type: ignore[return-value]


def look_up(table: Mapping[str, T], what: str, name: object) -> T:
    """The entry of a table of named things.

    Raises:
        ValueError: naming the value and the names that there are.
    """
    if not isinstance(name, str) or name not in table:
        raise ValueError(f"{what}={show(name)}: allowed are {', '.join(map(repr, table))}")
    return table[name]


def check_seed(seed: object) -> int:
    """``seed`` as an int, or a freshly drawn one for ``None``.

    Raises:
        ValueError: if it is no integer from 0 to 2**63 - 1.
    """
    if seed is None:
        return int(np.random.default_rng().integers(0, SEED_BOUND, dtype=np.int64))
    value = as_integer(seed, "seed")
    if not 0 <= value < SEED_BOUND:
        raise ValueError(f"seed={show(value)}: 0 to 2**63 - 1 are allowed")
    return value


def check_count(value: object, what: str, least: int = 1, most: int = MAX_GAMES) -> int:
    """``value`` as a number of games, refused outside of ``least`` to ``most``.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    count = as_integer(value, what)
    if not least <= count <= most:
        raise ValueError(f"{what}={show(count)}: {least} to {most} are allowed")
    return count


def check_outcomes(outcomes: object, bound: int) -> tuple[int, ...]:
    """Outcomes of chance given for one step, as plain integers.

    Raises:
        ValueError: if they are no sequence of integers from 0 to below ``bound``.
    """
    if isinstance(outcomes, np.ndarray) and outcomes.ndim == 1:
        outcomes = outcomes.tolist()
    if not isinstance(outcomes, list | tuple):
        raise ValueError(f"outcomes must be a list of integers, not {describe(outcomes)}")
    if len(outcomes) > MAX_OUTCOMES:
        raise ValueError(f"{len(outcomes)} outcomes: at most {MAX_OUTCOMES} are allowed")
    given = tuple(as_integer(outcome, "outcome") for outcome in outcomes)
    for outcome in given:
        if not 0 <= outcome < bound:
            raise ValueError(f"outcome {show(outcome)}: 0 to {bound - 1} are allowed")
    return given
