"""Rule 15.1: the options of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from tests.verification.reference_steam.board import Board, require

TURNS = {3: 10, 4: 8, 5: 7}  # by seats (rule 4.5)
NO_LIMIT = "none"


@dataclass(frozen=True)
class Rules:
    """The options but for the map, with their defaults."""

    num_players: int = 3
    tiles: str = "box"  # or "unlimited" (rule 2.5)
    income_max: int | str = 10  # from 0, or "none" (rule 4.1)
    towns_twice: bool = False  # rule 9.4
    first_player: int | str = "random"  # or a seat (rule 4.4)
    start: str = "random"  # or "auction" (rule 15.2)
    turns: int | None = None  # 1 to 10; None: rule 4.5
    bankruptcy: str = "out"  # or "forgiven" (rule 13.6)

    def __post_init__(self) -> None:
        require(self.num_players in TURNS, f"num_players {self.num_players}: 3, 4 or 5 (rule 15.1)")
        require(self.tiles in ("box", "unlimited"), f"tiles {self.tiles!r}: box or unlimited (rule 15.1)")
        require(self.start in ("random", "auction"), f"start {self.start!r}: random or auction (rule 15.1)")
        fine = self.income_max == NO_LIMIT or (isinstance(self.income_max, int) and self.income_max >= 0)
        require(fine, f"income_max {self.income_max!r}: from 0, or none (rule 15.1)")
        require(self.bankruptcy in ("out", "forgiven"), f"bankruptcy {self.bankruptcy!r}: out or forgiven (rule 15.1)")
        require(self.turns is None or 1 <= self.turns <= 10, f"turns {self.turns!r}: 1 to 10 (rule 15.1)")
        seats = [*range(self.num_players), "random"]
        require(self.first_player in seats, f"first_player {self.first_player!r}: one of {seats} (rule 15.1)")

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> "Rules":
        """Of a scenario's ``rules``."""
        unknown = set(table) - {field.name for field in fields(cls)}
        require(not unknown, f"rules: unknown options {sorted(unknown)} (rule 15.1)")
        return cls(**table)

    @property
    def num_turns(self) -> int:
        """Rule 4.5; that of the starting seats to the end (rule 13.3)."""
        return TURNS[self.num_players] if self.turns is None else self.turns

    def check_map(self, board: Board) -> None:
        """Rule 4.2: a map is made for certain counts."""
        fine = self.num_players in board.seats
        require(fine, f"map {board.name} is made for {board.seats} seats, not for {self.num_players} (rule 4.2)")
