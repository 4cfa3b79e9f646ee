"""What a game is configured with, and that with all that it names loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np


class Rules(Protocol):
    """What a game is configured with: a frozen dataclass, validated, hashable, the same after a JSON round trip.

    Its class attribute ``game`` is the id by which ``find_spec`` finds the game.
    """

    game: str

    def to_dict(self) -> dict[str, Any]:
        """Every field by name."""
        ...


class Setting(Protocol):
    """Rules with all that they name loaded, such as a map.

    Attributes:
        rules: the configuration.
        statics: read-only arrays that stand for what never changes; every kernel gets them after the records.
        blank: (1,) records, read-only: an empty table, to be copied and dealt.
        title: what messages call the setting, such as the map's name.
        num_seats: seats that are scored and paid.
        num_players: the first of them, whom the environments ask; the others are scripted and play by themselves.
        num_companies: seats of the record: more than ``num_seats`` where one player acts for several.
        is_solo: whether the only player acts for every company.
        settled: fields of the rules that were left open, as the setting settles them.
        contents: what the setting was loaded from, by name, as plain data: saves hold it.
        names: what all that is called.
    """

    @property
    def rules(self) -> Any: ...  # noqa: D102 - see the attributes
    @property
    def statics(self) -> Any: ...  # noqa: D102
    @property
    def blank(self) -> np.ndarray: ...  # noqa: D102
    @property
    def title(self) -> str: ...  # noqa: D102
    @property
    def num_seats(self) -> int: ...  # noqa: D102
    @property
    def num_players(self) -> int: ...  # noqa: D102
    @property
    def num_companies(self) -> int: ...  # noqa: D102
    @property
    def is_solo(self) -> bool: ...  # noqa: D102
    @property
    def settled(self) -> dict[str, Any]: ...  # noqa: D102
    @property
    def contents(self) -> dict[str, Any]: ...  # noqa: D102
    @property
    def names(self) -> Mapping[str, Any]: ...  # noqa: D102

    def check_deal(self) -> None:
        """Refuse a setting with which no game can be dealt.

        Raises:
            ValueError: saying what is missing.
        """
        ...


class Position(NamedTuple):
    """A setting and the record of one game, (1,)."""

    setting: Any
    records: np.ndarray
