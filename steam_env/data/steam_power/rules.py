"""``Rules``: all that a game can be configured with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from steam_env.core.steam_power.state import (
    CONTRACTS_TO_END,
    EDITION_NAMES,
    MAX_CONTRACTS,
    MAX_SEATS,
    MODE_NAMES,
    ROUTING_NAMES,
    SOLO_COMPANIES,
    SOLO_ROUNDS,
)
from steam_env.kit.checks import as_integer
from steam_env.kit.configuration import Configuration

AUTOMA_LEVELS = ("very_easy", "easy", "normal", "hard", "very_hard")  # by ``COMPENSATION``
AUTOMA = "automa"  # ``automa:hard`` names an Automa among the opponents of a match
AUTOMA_NAMES = tuple(f"{AUTOMA}:{level}" for level in AUTOMA_LEVELS)
# What a match may set; seats and Automas follow from who plays.
MATCH_FIELDS = ("map", "contracts", "contracts_to_end", "edition", "routing", "first_player", "max_rounds")
FIRST_PLAYERS = ("random", "player_0")
MIN_SEATS = 2
MAX_ROUNDS_ALLOWED = 1000

Edition = Literal["final", "preview"]
Mode = Literal["multiplayer", "solo"]
Routing = Literal["any", "cheapest"]
FirstPlayer = Literal["random", "player_0"]


@dataclass(frozen=True)
class Rules(Configuration):
    """The configuration of a game: validated, hashable, and the same after a JSON round trip.

    Attributes:
        num_players: seats, Automa seats included, 2 to 5; ``None`` = 2, or 1 in solo, where it must be 1.
        automas: how many of the last seats are Automas.
        automa_level: ``"very_easy"``, ``"easy"``, ``"normal"``, ``"hard"`` or ``"very_hard"``.
        map: a shipped map's name, or the path of a map file: a text or any ``os.PathLike``, of which the text is kept.
        contracts: a shipped deck's name or the path of a deck file, likewise.
        contracts_to_end: fulfilled contracts of one seat that trigger the end; ``None`` = the deck
            file's number, else the number of rule 3.2.
        edition: the rules' edition, ``"final"`` or ``"preview"`` (rule 10).
        mode: ``"multiplayer"`` or ``"solo"`` (rule 9).
        routing: the route that a resource may take, ``"any"`` or only a ``"cheapest"`` one (rule 6.5).
        first_player: who has the first turn: ``"random"``, drawn with the deal, or always ``"player_0"``.
        max_rounds: the game ends after this round at the latest.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """

    game: ClassVar[str] = "steam_power"

    num_players: int | None = None
    automas: int = 0
    automa_level: str = "normal"
    map: str = "midwest"
    contracts: str = "standard"
    contracts_to_end: int | None = None
    edition: Edition = "final"
    mode: Mode = "multiplayer"
    routing: Routing = "any"
    first_player: FirstPlayer = "random"
    max_rounds: int = 100

    def __post_init__(self) -> None:
        self._check_word("edition", EDITION_NAMES)
        self._check_word("mode", MODE_NAMES)
        self._check_word("routing", ROUTING_NAMES)
        self._check_word("first_player", FIRST_PLAYERS)
        self._check_word("automa_level", AUTOMA_LEVELS)
        self._check_name("map")
        self._check_name("contracts")
        self._check_seats()
        self._check_number("automas", 0, self.seats - 1 if self.mode == "multiplayer" else 0)
        self._check_number("max_rounds", 1, MAX_ROUNDS_ALLOWED)
        if self.contracts_to_end is not None:
            self._check_number("contracts_to_end", 1, MAX_CONTRACTS)
        self._check_edition()

    def _check_seats(self) -> None:
        if self.mode == "solo":
            if self.edition == "preview":
                raise ValueError("mode='solo' needs edition='final': the preview edition has no solo game (rule 10)")
            if self.num_players is not None:
                self._check_number("num_players", 1, 1)
        elif self.num_players is not None:
            self._check_number("num_players", MIN_SEATS, MAX_SEATS)

    def _check_edition(self) -> None:
        if self.automas and self.edition == "preview":
            raise ValueError(
                f"automas={self.automas} needs edition='final': the preview edition has no Automa (rule 10)"
            )

    @property
    def seats(self) -> int:
        """Number of seats, Automa seats included; in solo 1."""
        if self.num_players is not None:
            return self.num_players
        return 1 if self.mode == "solo" else 2

    @property
    def companies(self) -> int:
        """Number of sets of trains and factories in play: one for each seat; in solo five (rule 9.1)."""
        return SOLO_COMPANIES if self.mode == "solo" else self.seats

    @property
    def players(self) -> int:
        """Number of seats that players hold, the first ones."""
        return self.seats - self.automas

    @property
    def end_trigger(self) -> int:
        """Number of fulfilled contracts that triggers the end by these rules alone; a deck file may name another."""
        return CONTRACTS_TO_END[self.seats] if self.contracts_to_end is None else self.contracts_to_end

    @property
    def last_round(self) -> int:
        """The round beyond which no game goes: ``max_rounds``, in solo the eighth at most (rule 9.2)."""
        return min(self.max_rounds, SOLO_ROUNDS) if self.mode == "solo" else self.max_rounds


def is_automa(name: str) -> bool:
    """Whether a name among the opponents means an Automa."""
    return name.partition(":")[0] == AUTOMA


def level_of(name: str) -> str:
    """The level that ``automa:LEVEL`` names.

    Raises:
        ValueError: for an unknown level, naming what there is.
    """
    if name not in AUTOMA_NAMES:
        raise ValueError(f"opponent {name!r}: allowed Automas are {', '.join(AUTOMA_NAMES)}")
    return name.partition(":")[2]


def seat_automas(names: Sequence[str]) -> dict[str, Any]:
    """The fields of ``Rules`` that seat Automas, as ``automa:hard``, on the last seats.

    Raises:
        ValueError: for an unknown level, or different ones.
    """
    levels = sorted({level_of(name) for name in names})
    if len(levels) > 1:
        raise ValueError(f"Automas of levels {', '.join(levels)}: all must have the same")
    return {"automas": len(names), "automa_level": levels[0] if levels else Rules.automa_level}


def fill_seats(given: Mapping[str, Any], num_opponents: int | None) -> Rules:
    """Rules from some fields; seats left out of them are enough for all, and Automas if no opponents are named.

    Args:
        given: fields of ``Rules``.
        num_opponents: named beside a learner; ``None``: opponents are not named.

    Raises:
        ValueError: naming the field, the value and what is allowed.
    """
    chosen = dict(given)
    if chosen.get("mode") == "solo":
        return Rules(**chosen)
    if num_opponents is None and "automas" not in chosen and chosen.get("edition") != "preview":
        rules = Rules(**chosen)
        return replace(rules, automas=rules.seats - 1)
    if chosen.get("num_players") is None:
        automas = as_integer(chosen.get("automas", 0), "automas")
        chosen["num_players"] = max(MIN_SEATS, 1 + (num_opponents or 0) + automas)
    return Rules(**chosen)


def make_match_rules(num_seats: int, scripted: Sequence[str], given: Mapping[str, Any]) -> Rules:
    """The rules of a match with so many seats, the last of which the Automas with these names hold."""
    return Rules(**{"num_players": num_seats, **seat_automas(scripted), **given})


def describe_automas(rules: Rules) -> dict[str, Any]:
    """The Automas of a match, as an entry of its result file."""
    return {"automas": {"count": rules.automas, "level": rules.automa_level if rules.automas else None}}
