"""Views: what one seat sees and knows (rule 11), and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from steam_env.kit.arrays import IntArray
from steam_env.kit.checks import MAX_GAMES, SEED_BOUND, check_count, check_seed
from steam_env.kit.json_text import dump_json
from steam_env.spec import Setting, find_spec
from steam_env.table.records import copy_games
from steam_env.table.telling import tell_view

if TYPE_CHECKING:
    from steam_env.table.batch import GameBatch


@dataclass(frozen=True)
class View:
    """What one seat of each of n games sees.

    Attributes:
        records: (n,), of which all that the seat does not know is blank.
        seats: (n,) int64, the seat that looks at each game.
        setting: rules and all that they name, such as a map.
    """

    records: np.ndarray
    seats: np.ndarray
    setting: Any  # of the game that the agent knows

    def __len__(self) -> int:
        return len(self.records)

    @property
    def record(self) -> np.record:
        """The first game's record: of a view of one game, the game's."""
        record: np.record = self.records[0]
        return record

    @property
    def seat(self) -> int:
        """The first game's seat."""
        return int(self.seats[0])

    def take(self, rows: slice | IntArray | list[int]) -> View:
        """The view of some of the games, by number; of a slice, without a copy."""
        return View(self.records[rows], self.seats[rows], self.setting)

    def to_dict(self) -> dict[str, Any]:
        """What the seat sees and knows of the game as plain numbers, texts, lists and dicts, ``None`` for nothing.

        ``format``, ``schema``: what it is, and its version, which changes with the name or the meaning of an entry.
        ``game``: the game's id. ``seat``: who looks. ``mover``: whose decision it is, ``None`` at the end. ``phase``,
        ``round``, ``done``, ``truncated``: as of ``Game``. ``scores``: points by seat, as far as the seat knows.
        ``position``: all else, in the game's own words. ``docs/protocol/view-1.schema.json`` tells every entry.
        What never changes in a game, such as its map, is in ``Setting.contents``.

        Raises:
            ValueError: for a view of several games, of which ``take`` picks one.
        """
        if len(self) != 1:
            raise ValueError(f"a view of {len(self)} games: of one alone plain data is made; take([number]) picks it")
        return tell_view(self)

    def to_json(self) -> str:
        """``to_dict`` as JSON, on one line."""
        return dump_json(self.to_dict())

    def sample(self, n: int, seed: int) -> GameBatch:
        """``n`` redeals of each game (rule 11.4), those of the first game first, as a batch.

        Each keeps all that the seat sees and knows, and places the other contracts uniformly at random.
        """
        from steam_env.table.batch import GameBatch  # the batch makes views, views make batches

        count = check_count(n, "n", least=0, most=MAX_GAMES // max(len(self), 1))
        records = np.repeat(self.records, count)
        find_spec(self.setting.rules.game).kernels.fill(records, redeal_seeds(len(records), check_seed(seed)))
        return GameBatch._around(records, self.setting)


def redeal_seeds(count: int, seed: int) -> np.ndarray:
    """(count,) int64 seeds that differ for neighbouring values of ``seed``."""
    return np.random.default_rng(seed).integers(0, SEED_BOUND, count, dtype=np.int64)


def view_records(records: np.ndarray, seats: np.ndarray, setting: Setting) -> View:
    """The view that seat ``seats[i]`` has of ``records[i]``; -1 sees no hand."""
    blanked = copy_games(records)
    find_spec(setting.rules.game).kernels.blank(blanked, seats)
    return View(blanked, seats, setting)
