"""Games of several settings in one array of records: which setting is whose, and each as a game of its own."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from steam_env.kit.arrays import IntArray
from steam_env.kit.show import show
from steam_env.spec import Setting, find_spec
from steam_env.table.records import take_games


class Mixture(Setting, Protocol):
    """A setting of games of several settings, for a batch that holds them all.

    What it counts is the most that any of them has. Its ``statics`` are those of all, one after the other, its
    ``blank`` is the first one's, and its ``names`` are (k,) texts each. Parts may be loaded when they are asked for.

    Attributes:
        parts: the k settings.
        part_fields: fields of a record that hold the number of its part, 0 in games of a setting alone.
        players: (k,) int64, the number of players of each.
        has_same_seats: whether all have the same number of seats.
        has_scripted: whether scripted opponents sit in games of some part.
    """

    @property
    def parts(self) -> Sequence[Any]: ...  # noqa: D102 - see the attributes
    @property
    def part_fields(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def players(self) -> np.ndarray: ...  # noqa: D102
    @property
    def has_same_seats(self) -> bool: ...  # noqa: D102
    @property
    def has_scripted(self) -> bool: ...  # noqa: D102

    def lay_tables(self, numbers: IntArray) -> np.ndarray:
        """(n,) records, an empty table of each of these parts."""
        ...

    def draw_parts(self, seeds: IntArray) -> IntArray | None:
        """(n,) int64, the parts that games with these seeds have; ``None``: a game keeps the part that it has."""
        ...

    def find_named(self, name: str) -> int:
        """The number of the first part with the map of this name.

        Raises:
            ValueError: if there is none, naming it and what there is.
        """
        ...


def as_mixture(setting: Setting) -> Mixture | None:
    """The setting if it is a mixture."""
    return setting if hasattr(setting, "parts") else None  # type: ignore[return-value]


def find_parts(records: np.ndarray, mixture: Mixture) -> IntArray:
    """(n,) int64, the number of each game's part."""
    return np.asarray(records[mixture.part_fields[0]], np.int64)


def draw_part(setting: Setting, seed: int) -> Setting:
    """The setting of a game with this seed: the part that it draws from a mixture, else the setting itself."""
    mixture = as_mixture(setting)
    drawn = None if mixture is None else mixture.draw_parts(np.array([seed], np.int64))
    part: Setting = setting if mixture is None or drawn is None else mixture.parts[int(drawn[0])]
    return part


def order_by_part(records: np.ndarray, setting: Setting) -> IntArray | None:
    """(n,) rows in the order of their parts, so that games that share a map follow each other; ``None``: few do."""
    mixture = as_mixture(setting)
    if mixture is None or len(mixture.parts) >= len(records):
        return None
    return np.argsort(find_parts(records, mixture), kind="stable")


def name_parts(records: np.ndarray, setting: Setting) -> dict[str, np.ndarray]:
    """What the rules of each game name, such as its map: (n,) texts each."""
    mixture = as_mixture(setting)
    if mixture is None:
        return {what: np.full(len(records), name, object) for what, name in setting.names.items()}
    numbers = find_parts(records, mixture)
    return {what: names[numbers] for what, names in mixture.names.items()}


def lay_tables(
    records: np.ndarray, setting: Setting, rows: IntArray, seeds: IntArray, parts: IntArray | None = None
) -> np.ndarray:
    """(k,) empty tables for games ``rows`` (k,) that are to be dealt by these seeds (k,); or one for all of them.

    They are those of ``parts`` (k,); ``None``: of what the seeds draw, or of the parts that the games have.
    """
    mixture = as_mixture(setting)
    if mixture is None:
        return setting.blank
    if parts is None:
        parts = mixture.draw_parts(seeds)
    return mixture.lay_tables(find_parts(records, mixture)[rows] if parts is None else parts)


def load_parts(records: np.ndarray, setting: Setting) -> None:
    """Load the parts of games that come from elsewhere: another process had loaded them, this one may have not."""
    mixture = as_mixture(setting)
    if mixture is not None:
        mixture.lay_tables(np.unique(find_parts(records, mixture)))


def find_named_parts(setting: Setting, names: Sequence[str]) -> IntArray:
    """(k,) int64, the parts that have the maps of these names (k,).

    Raises:
        ValueError: for a map that no game of the setting can have.
    """
    mixture = as_mixture(setting)
    if mixture is None:
        raise ValueError(
            f"map={show(names[0])}: all games have the map of {setting.title}; rules that name a set, or "
            "several rules, have more"
        )
    return np.array([mixture.find_named(name) for name in names], np.int64)


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
        return
    numbers = find_parts(records, mixture)[chosen]
    for number in np.unique(numbers).tolist():
        yield number, mixture.parts[number], chosen[numbers == number]


def single_out(records: np.ndarray, setting: Setting, rows: IntArray) -> np.ndarray:
    """A copy (k,) of games of one part, as games of that setting alone."""
    games = take_games(records, rows)
    mixture = as_mixture(setting)
    for name in mixture.part_fields if mixture else ():
        games[name] = 0
    return games


def check_records(records: Any, setting: Setting) -> np.ndarray:
    """Refuse records that kernels could not play on a setting, each as a game of its part; returns them.

    Raises:
        ValueError: naming the field, the value and the range.
    """
    kernels, mixture = find_spec(setting.rules.game).kernels, as_mixture(setting)
    is_array = isinstance(records, np.ndarray) and records.dtype == kernels.record and records.ndim == 1
    if mixture is None or not is_array:
        return kernels.check_records(records, setting)
    first, last = mixture.part_fields[0], len(mixture.parts) - 1
    for name in mixture.part_fields:
        wrong = (records[name] < 0) | (records[name] > last) | (records[name] != records[first])
        if wrong.any():
            raise ValueError(
                f"records[{name!r}] holds {records[name][wrong][0]}: 0 to {last} are allowed, as {first!r}"
            )
    for _, part, rows in list_parts(records, setting):
        kernels.check_records(single_out(records, setting, rows), part)
    checked: np.ndarray = records
    return checked
