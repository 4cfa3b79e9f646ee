"""Games of several settings in one array of records: which setting is whose, and each as a game of its own."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from steam_env.kit.arrays import IntArray
from steam_env.spec import Setting
from steam_env.table.records import put_games, take_games


class Mixture(Setting, Protocol):
    """A setting of games of several settings, for a batch that holds them all.

    What it counts is the most that any of them has. Its ``statics`` are those of all, one after the other, and its
    ``blank`` has (k,) records, an empty table of each.

    Attributes:
        parts: the k settings.
        part_fields: fields of a record that hold the number of its part, 0 in games of a setting alone.
        players: (k,) int64, the number of players of each.
    """

    @property
    def parts(self) -> tuple[Any, ...]: ...  # noqa: D102 - see the attributes
    @property
    def part_fields(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def players(self) -> np.ndarray: ...  # noqa: D102


def as_mixture(setting: Setting) -> Mixture | None:
    """The setting if it is a mixture."""
    return setting if hasattr(setting, "parts") else None  # type: ignore[return-value]


def find_parts(records: np.ndarray, mixture: Mixture) -> IntArray:
    """(n,) int64, the number of each game's part."""
    return np.asarray(records[mixture.part_fields[0]], np.int64)


def list_parts(
    records: np.ndarray, setting: Setting, rows: IntArray | None = None
) -> Iterator[tuple[int, Setting, IntArray]]:
    """Number and setting of each part that some of the games have, and the rows of these games.

    Args:
        records: (n,) the games.
        setting: theirs.
        rows: (k,) numbers of the games that are meant; ``None``: all.
    """
    chosen = np.arange(len(records)) if rows is None else rows
    mixture = as_mixture(setting)
    if mixture is None:
        yield 0, setting, chosen
    elif len(chosen):
        numbers = find_parts(records, mixture)[chosen]
        order = np.argsort(numbers, kind="stable")
        found, starts = np.unique(numbers[order], return_index=True)
        for number, members in zip(found.tolist(), np.split(chosen[order], starts[1:]), strict=True):
            yield number, mixture.parts[number], members


def single_out(records: np.ndarray, setting: Setting, rows: IntArray) -> np.ndarray:
    """A copy (k,) of games of one part, as games of that setting alone."""
    games = take_games(records, rows)
    _number(games, setting, 0)
    return games


def put_back(records: np.ndarray, setting: Setting, rows: IntArray, games: np.ndarray, number: int) -> None:
    """Write games of a setting alone (k,) over ``rows`` (k,) as games of part ``number``."""
    _number(games, setting, number)
    put_games(records, rows, games)


def _number(games: np.ndarray, setting: Setting, number: int) -> None:
    mixture = as_mixture(setting)
    for name in mixture.part_fields if mixture else ():
        games[name] = number
