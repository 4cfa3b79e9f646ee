"""``Rules``: all that a game can be configured with (rule 15.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from steam_env.core.fields import NONE
from steam_env.core.steam.setup import FROM_AUCTION, FROM_RANDOM
from steam_env.core.steam.state import MAX_INCOME, MAX_TURNS, NO_INCOME_LIMIT, SEAT_COUNTS, TURNS
from steam_env.kit.configuration import Configuration

Tiles = Literal["box", "unlimited"]
Start = Literal["random", "auction"]
Bankruptcy = Literal["out", "forgiven"]

TILES = ("box", "unlimited")
STARTS = ("random", "auction")
BANKRUPTCIES = ("out", "forgiven")
RANDOM = "random"  # the first seat is drawn
NO_LIMIT = "none"  # of income
DEFAULT_MAP = "great_lakes"
LARGE_MAP = "rhineland"  # where no map is named for so many seats that the default is not made for
LARGE_SEATS = max(SEAT_COUNTS)
# What a match may set; seats follow from who plays. `start` is not among them: to the training program it is the
# policy to begin with.
MATCH_FIELDS = ("map", "tiles", "income_max", "towns_twice", "first_player", "turns", "bankruptcy")

INCOME_BOUND = 2**31  # numbers of the rules are below it; no income comes near


@dataclass(frozen=True)
class Rules(Configuration):
    """The configuration of a game: validated, hashable, and the same after a JSON round trip.

    Attributes:
        num_players: seats, 3 to 5.
        map: a shipped map's name, one of a set such as ``gen-steam-v1:train:17``, or the path of a map file: a text or
            any ``os.PathLike``, of which the text is kept.
        tiles: the stock of tiles, that of the ``"box"``, or ``"unlimited"`` (rule 2.5).
        income_max: the highest income, a whole number from 0, or ``"none"`` for no limit (rule 4.1).
        towns_twice: whether a cube may enter a town more than once (rule 9.4).
        first_player: who is first on the order track, or opens the auction: ``"random"``, or a seat (rules 4.4, 15.2).
        start: how the first order track is made, ``"random"`` (rule 4.4) or by an ``"auction"`` (rule 15.2).
        turns: turns of the game, 1 to 10; ``None`` = by the number of seats (rule 4.5).
        bankruptcy: what happens to a seat that cannot pay: it is ``"out"`` (rule 13), or ``"forgiven"`` (rule 13.6).

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    game: ClassVar[str] = "steam"

    num_players: int = 3
    map: str = DEFAULT_MAP
    tiles: Tiles = "box"
    income_max: int | str = MAX_INCOME
    towns_twice: bool = False
    first_player: int | str = RANDOM
    start: Start = "random"
    turns: int | None = None
    bankruptcy: Bankruptcy = "out"

    def __post_init__(self) -> None:
        self._check_number("num_players", min(SEAT_COUNTS), max(SEAT_COUNTS))
        self._check_name("map")
        self._check_word("tiles", TILES)
        self._check_word("start", STARTS)
        self._check_word("bankruptcy", BANKRUPTCIES)
        self._check_number("income_max", 0, INCOME_BOUND - 1, NO_LIMIT)
        self._check_flag("towns_twice")
        self._check_number("first_player", 0, self.num_players - 1, RANDOM)
        if self.turns is not None:
            self._check_number("turns", 1, MAX_TURNS)

    @property
    def num_turns(self) -> int:
        """Turns of the game (rule 4.5)."""
        return TURNS[self.num_players] if self.turns is None else self.turns

    @property
    def highest_income(self) -> int:
        """The highest income; ``NO_INCOME_LIMIT`` stands for none."""
        return NO_INCOME_LIMIT if isinstance(self.income_max, str) else min(self.income_max, NO_INCOME_LIMIT)

    @property
    def fixed_first_seat(self) -> int:
        """The seat that is first, NONE if it is drawn."""
        return NONE if isinstance(self.first_player, str) else self.first_player

    @property
    def start_code(self) -> int:
        """How the first order track is made, as the kernels call it."""
        return FROM_AUCTION if self.start == "auction" else FROM_RANDOM


def _choose_map(fields: dict[str, Any]) -> Rules:
    """Rules on the default map, or on the large one where the default is not made for so many seats."""
    if "map" not in fields and fields.get("num_players") == LARGE_SEATS:
        fields["map"] = LARGE_MAP
    return Rules(**fields)


def fill_seats(given: Mapping[str, Any], num_opponents: int | None) -> Rules:
    """Rules from some fields; seats left out of them are enough for a learner and its opponents."""
    num_seats = max(min(SEAT_COUNTS), 1 + (num_opponents or 0))
    return _choose_map({"num_players": num_seats, **given})


def make_match_rules(num_seats: int, scripted: Sequence[str], given: Mapping[str, Any]) -> Rules:
    """The rules of a match with so many seats; nobody is scripted."""
    return _choose_map({"num_players": num_seats, **given})
