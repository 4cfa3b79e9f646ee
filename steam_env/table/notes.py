"""Notes beside a game: who played, and what a policy thought at its decisions. Game files and replays hold them.

``players`` is a list with a name for each seat. ``policy`` is a list with one entry for each action of the game: None
where nothing is known, else a table

    {"probabilities": {"build Ames": 0.7, "money": 0.3}, "value": 0.12}

with the probability of each action by its text, and the value that the mover expects, in the policy's own unit. Either
may be missing, and so may actions that are hardly ever chosen. ``taken_back`` tells how many actions a person took back
who played against machines, beyond the turn: what came of them was known the second time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from steam_env.kit.show import describe, say_count, show

PROBABILITIES, VALUE = "probabilities", "value"
SUM_TOLERANCE = 1e-3  # of probabilities that were rounded
EXAMPLES = 8  # legal actions that an error names


@dataclass(frozen=True)
class Notes:
    """The notes beside a game; None where there are none."""

    players: list[str] | None = None
    policy: list[Any] | None = None
    taken_back: int | None = None


def check_players(players: Any, seats: int) -> list[str]:
    """Refuse names that are not one for each seat; returns them.

    Raises:
        ValueError: if not.
    """
    fine = isinstance(players, Sequence) and not isinstance(players, str | bytes)
    if not fine or len(players) != seats or not all(isinstance(name, str) for name in players):
        raise ValueError(f"players: a list of {seats} names, one for each seat, is needed, not {describe(players)}")
    return list(players)


def check_policy(policy: Any, num_actions: int) -> list[Any]:
    """Refuse a policy without an entry for each action; returns it, its entries unchecked.

    Raises:
        ValueError: if it has not.
    """
    if isinstance(policy, str | bytes) or not isinstance(policy, Sequence):
        raise ValueError(f"policy: must be a list, not {describe(policy)}")
    if len(policy) != num_actions:
        entries, actions = say_count(len(policy), "entry", "entries"), say_count(num_actions, "action")
        raise ValueError(f"policy: {entries} for {actions}: one for each is needed")
    return list(policy)


def check_entry(entry: Any, legal: Sequence[str], where: str) -> dict[str, Any]:
    """Refuse an entry of a policy that does not fit the actions that are legal there; returns it.

    Args:
        entry: what is to be checked.
        legal: texts of the legal actions.
        where: how errors call it.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if not isinstance(entry, Mapping):
        raise ValueError(f"{where}: must be a table or nothing, not {describe(entry)}")
    unknown = [key for key in entry if key not in (PROBABILITIES, VALUE)]
    if unknown:
        raise ValueError(f"{where}: has {show(unknown[0])}: {PROBABILITIES!r} and {VALUE!r} are allowed")
    checked: dict[str, Any] = {}
    if entry.get(PROBABILITIES) is not None:
        checked[PROBABILITIES] = _check_probabilities(entry[PROBABILITIES], legal, f"{where}.{PROBABILITIES}")
    if entry.get(VALUE) is not None:
        checked[VALUE] = _check_number(entry[VALUE], f"{where}.{VALUE}")
    return checked


def _check_probabilities(table: Any, legal: Sequence[str], where: str) -> dict[str, float]:
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: must be a table of probabilities by action, not {describe(table)}")
    for text in table:
        if text not in legal:
            more = ", ..." if len(legal) > EXAMPLES else ""
            raise ValueError(f"{where}: {show(text)} is not legal there: {', '.join(legal[:EXAMPLES])}{more} are")
    checked = {text: _check_number(value, f"{where}[{text!r}]") for text, value in table.items()}
    for text, value in checked.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{where}[{text!r}]: {value}: 0 to 1 are allowed")
    total = sum(checked.values())
    if total > 1 + SUM_TOLERANCE:
        raise ValueError(f"{where}: add up to {total:.4f}: at most 1 is allowed")
    return checked


def _check_number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{where}: must be a number, not {describe(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{where}: {show(value)}: a finite number is needed")
    return number
