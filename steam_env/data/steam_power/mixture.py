"""Settings of several games as one, so that a batch can hold games of different maps, decks and numbers of seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from steam_env.data.steam_power.setting import Setting
from steam_env.kit.show import say_count

MAX_PARTS = 2**15  # a record numbers its board in 16 bits


@dataclass(frozen=True)
class MixedSetting(Setting):
    """Several settings: a ``steam_env.table.mixture.Mixture``. Rules, map and deck are the first one's.

    Attributes:
        parts: the settings; ``boards`` and ``decks`` (k,) are theirs.
    """

    part_fields: ClassVar[tuple[str, ...]] = ("board_index", "deck_index")

    parts: tuple[Setting, ...] = ()

    @property
    def title(self) -> str:
        """What messages call it."""
        return say_count(len({part.map.name for part in self.parts}), "map")

    @cached_property
    def num_seats(self) -> int:
        """The most seats that are scored."""
        return max(part.num_seats for part in self.parts)

    @cached_property
    def num_players(self) -> int:
        """The most seats that players hold."""
        return max(part.num_players for part in self.parts)

    @cached_property
    def num_companies(self) -> int:
        """The most seats with track and factories."""
        return max(part.num_companies for part in self.parts)

    @cached_property
    def players(self) -> np.ndarray:
        """(k,) int64, the number of players of each part."""
        return np.array([part.num_players for part in self.parts], np.int64)

    @property
    def contents(self) -> dict[str, Any]:
        """Map and deck of every part as plain data."""
        numbered = enumerate(self.parts)
        return {f"{what} {number}": one for number, part in numbered for what, one in part.contents.items()}

    @cached_property
    def blank(self) -> np.ndarray:
        """(k,) ``GAME``, read-only: an empty table of each part."""
        records = np.concatenate([part.blank for part in self.parts])
        for name in self.part_fields:
            records[name] = np.arange(len(self.parts))
        records.setflags(write=False)
        return records

    def check_deal(self) -> None:
        """Refuse a part from which no game can be dealt.

        Raises:
            ValueError: if a deck or a bag of City tiles is too small.
        """
        for part in self.parts:
            part.check_deal()


def mix_settings(settings: Sequence[Setting]) -> MixedSetting:
    """The mixture of settings.

    Raises:
        ValueError: for solo beside multiplayer, or for too many.
    """
    if len(settings) > MAX_PARTS:
        raise ValueError(f"{len(settings)} different rules: at most {MAX_PARTS} fit into one batch")
    modes = sorted({part.rules.mode for part in settings})
    if len(modes) > 1:
        raise ValueError(f"mode={modes[0]!r} and mode={modes[1]!r}: games of one batch must have the same mode")
    boards, decks = (np.concatenate(records) for records in zip(*(part.statics for part in settings), strict=True))
    boards.setflags(write=False)
    decks.setflags(write=False)
    first = settings[0]
    return MixedSetting(first.rules, first.map, first.deck, boards, decks, tuple(settings))
