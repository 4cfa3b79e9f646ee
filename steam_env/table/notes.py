"""Notes beside a game: who played, and what a policy thought at its decisions. Game files and replays hold them.

``players`` is a list with a name for each seat. ``policy`` is a list with one entry for each action of the game: None
where nothing is known, else a table

    {"probabilities": {"build Ames": 0.7, "money": 0.3}, "value": 0.12}

with the probability of each action by its text, and the value that the mover expects, in the policy's own unit. One
that thinks ahead tells more:

    {"visits": {"build Ames": 48, "money": 16}, "values": {"build Ames": 0.13, "money": 0.1}, "line": ["build Ames"]}

how often it tried each action, what that came to, and what it expects to be played, as far as chance and others have no
part in it. Any of these may be missing, and so may actions that are hardly ever chosen.

``taken_back`` tells how many actions a person took back who played against machines, beyond the turn: what came of them
was known the second time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from steam_env.kit.show import describe, say_count, show

PROBABILITIES, VALUE, VISITS, VALUES, LINE = ENTRIES = ("probabilities", "value", "visits", "values", "line")
MOST_IN_LINE = 500  # actions
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
    unknown = [key for key in entry if key not in ENTRIES]
    if unknown:
        raise ValueError(f"{where}: has {show(unknown[0])}: allowed are {', '.join(map(repr, ENTRIES))}")
    checks: dict[str, Callable[[Any, str], Any]] = {
        PROBABILITIES: lambda told, name: _check_probabilities(told, legal, name),
        VALUE: _check_number,
        VISITS: lambda told, name: _check_visits(told, legal, name),
        VALUES: lambda told, name: _check_table(told, legal, name),
        LINE: lambda told, name: _check_line(told, legal, name),
    }
    return {key: checks[key](entry[key], f"{where}.{key}") for key in ENTRIES if entry.get(key) is not None}


def _check_table(table: Any, legal: Sequence[str], where: str) -> dict[str, float]:
    """A number for each of some legal actions."""
    if not isinstance(table, Mapping):
        raise ValueError(f"{where}: must be a table of numbers by action, not {describe(table)}")
    for text in table:
        _check_legal(text, legal, where)
    return {text: _check_number(value, f"{where}[{text!r}]") for text, value in table.items()}


def _check_legal(text: Any, legal: Sequence[str], where: str) -> None:
    if text not in legal:
        more = ", ..." if len(legal) > EXAMPLES else ""
        raise ValueError(f"{where}: {show(text)} is not legal there: {', '.join(legal[:EXAMPLES])}{more} are")


def _check_probabilities(table: Any, legal: Sequence[str], where: str) -> dict[str, float]:
    checked = _check_table(table, legal, where)
    for text, value in checked.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{where}[{text!r}]: {value}: 0 to 1 are allowed")
    total = sum(checked.values())
    if total > 1 + SUM_TOLERANCE:
        raise ValueError(f"{where}: add up to {total:.4f}: at most 1 is allowed")
    return checked


def _check_visits(table: Any, legal: Sequence[str], where: str) -> dict[str, int]:
    checked = _check_table(table, legal, where)
    for text, value in checked.items():
        if value < 0 or value != int(value):
            raise ValueError(f"{where}[{text!r}]: {value:g}: whole numbers from 0 on are allowed")
    return {text: int(value) for text, value in checked.items()}


def _check_line(line: Any, legal: Sequence[str], where: str) -> list[str]:
    """The texts of a line, of which the first is legal; the others belong to positions that nobody has been to."""
    if not isinstance(line, list | tuple) or not all(isinstance(text, str) for text in line):
        raise ValueError(f"{where}: must be a list of actions as texts, not {describe(line)}")
    if not 1 <= len(line) <= MOST_IN_LINE:
        raise ValueError(f"{where}: {say_count(len(line), 'action')}: 1 to {MOST_IN_LINE} are allowed")
    _check_legal(line[0], legal, where)
    return list(line)


def check_taken_back(count: Any) -> int:
    """Refuse what is no number of actions; None is 0.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    if count is None:
        return 0
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(f"taken_back={show(count)}: a whole number from 0 on is allowed")
    return count


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
