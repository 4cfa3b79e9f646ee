"""The table: everything that changes in a game, in plain Python.

Seats are numbers, cities and towns their hexes, colours letters, action tiles their numbers. Track is kept segment
by segment, each with its owner (rule 3.3); links are followed anew whenever they are asked for (``links``).
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.verification.reference_steam.board import COLORS, SPACES, Board
from tests.verification.reference_steam.geometry import Hex
from tests.verification.reference_steam.rules import NO_LIMIT, Rules
from tests.verification.reference_steam.tiles import BOX, Pattern, Segment, TileSet, read_tile_set

NOBODY = -1  # the owner of unowned track
CUBES = {"R": 20, "Y": 20, "P": 20, "B": 20, "G": 16}  # rule 4.2
NEW_CITIES = {"R": 1, "Y": 1, "P": 1, "B": 1, "G": 4}  # rule 4.3
MARKERS = 10  # rule 4.3
LEAST_INCOME, TOP_LEVEL = -10, 6  # rule 4.1

# Phases: what kind of decision is to be made.
BID, TAKE, BUILD, TILE, COLOUR, SPACE = "BID", "TAKE", "BUILD", "TILE", "COLOUR", "SPACE"
GOODS, CUBE, HOP, OVER, SCORE, END = "GOODS", "CUBE", "HOP", "OVER", "SCORE", "END"

# The action tiles that the rules name (rule 6.1); no tile is 0.
FIRST_MOVE, ENGINEER, FIRST_BUILD, CITY_GROWTH, LOCOMOTIVE, URBANIZATION = 2, 3, 4, 5, 6, 7
ACTION_TILES = range(1, 8)


@dataclass
class Seat:
    """What lies before a player (rule 4.1)."""

    money: int = 0
    income: int = 0
    vp: int = 0
    level: int = 1
    bankrupt: int = 0  # the turn in whose phase 4 it went bankrupt; 0: it plays on
    tile: int = 0  # the action tile taken this turn
    passed: bool = False  # taken with pass (rule 6.2)
    to_do: bool = False  # paid and still to be carried out (rule 8.14)
    improved: bool = False  # the locomotive, in a goods round of this turn (rule 9.2)


# --- what was chosen so far within an action ------------------------------------------------------
@dataclass
class Laying:
    """A placement: its tile is to be chosen."""

    at: Hex


@dataclass
class Growing:
    """City Growth: the group is to be chosen (rule 8.15)."""

    city: Hex


@dataclass
class Urbanizing:
    """Urbanization: the colour, then the group (rule 8.16)."""

    town: Hex
    color: str | None = None


@dataclass
class Moving:
    """A cube under way (rule 9.3); its colour is None while it is to be chosen."""

    stops: list[Hex]
    owners: list[int]  # of the links so far
    cube: str | None = None
    to: Hex | None = None  # the next stop, while the link's owner is to be chosen


@dataclass
class Scoring:
    """Points of a move that are being put down (rule 9.8)."""

    mover: int  # of the cube
    points: list[int]  # by seat, those that are put down already included
    waiting: list[int]  # seats that are still to be asked, in order


Found = TypeVar("Found")
Chain = Laying | Growing | Urbanizing | Moving | Scoring | None


@dataclass
class Auction:
    """The places of the first order track (rule 15.2)."""

    circle: list[int]
    places: list[int]  # taken, in order
    bidding: list[int]  # still in for the next place, in circle order
    bid: int | None = None  # the highest
    bidder: int | None = None  # whose it is

    @property
    def next_bid(self) -> int:
        return 0 if self.bid is None else self.bid + 1


# --- the table ------------------------------------------------------------------------------------
@dataclass
class Table:
    """A position."""

    board: Board
    rules: Rules
    seats: list[Seat]
    tile_set: TileSet = field(default_factory=lambda: read_tile_set(BOX))
    track: dict[Hex, dict[Segment, int]] = field(default_factory=dict)  # by hex the owners of its segments
    marks: set[tuple[Hex, Segment]] = field(default_factory=set)  # segments of the links with a mark (rule 8.10)
    new_cities: dict[Hex, str] = field(default_factory=dict)
    grown: set[Hex] = field(default_factory=set)  # with a marker that City Growth laid
    cubes: dict[Hex, str] = field(default_factory=dict)  # of each city, in canonical order
    supply: list[str] = field(default_factory=lambda: [""] * SPACES)  # likewise
    order: list[int] = field(default_factory=list)  # the order track: seats that are not bankrupt
    turn: int = 1
    phase: str = TAKE
    mover: int | None = None  # who decides; None at the end
    round: int = 0  # of phase 3; 0 outside of it
    placements: int = 0  # left; 0 outside of phase 2
    chain: Chain = None
    auction: Auction | None = None
    # What was found out about the track, so that it is found once: until a segment or a New City comes or goes, and
    # until an owner changes. It says nothing that the position does not say.
    by_track: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    by_owner: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def forget_track(self) -> None:
        """To be called whenever segments or New Cities have come or gone."""
        self.by_track.clear()
        self.by_owner.clear()

    def find_once(self, known: dict[str, Any], what: str, find: Callable[[], Found]) -> Found:
        """What is known already, else what is found now; it is not to be changed."""
        if what not in known:
            known[what] = find()
        found: Found = known[what]
        return found

    # --- what follows from it ---
    @property
    def cities(self) -> dict[Hex, str]:
        """The colour of each city, printed or New."""
        printed = self.board.cities
        return self.find_once(
            self.by_track, "cities", lambda: {at: city.color for at, city in printed.items()} | self.new_cities
        )

    @property
    def towns(self) -> list[Hex]:
        """The town hexes that have not become cities, in map order."""
        return self.find_once(self.by_track, "towns", lambda: sorted(set(self.board.towns) - set(self.new_cities)))

    @property
    def bag(self) -> Counter[str]:
        """What is neither on the map nor in the supply (rules 4.2, 9.7)."""
        out = "".join([*self.cubes.values(), *self.supply])
        return Counter({color: count - out.count(color) for color, count in CUBES.items()})

    @property
    def new_cities_left(self) -> dict[str, int]:
        laid = list(self.new_cities.values())
        return {color: count - laid.count(color) for color, count in NEW_CITIES.items()}

    @property
    def markers_left(self) -> int:
        """New Cities have theirs printed on them (rule 1.7)."""
        return MARKERS - len(self.grown)

    @property
    def patterns(self) -> dict[Hex, Pattern]:
        """By hex with track what lies there."""
        return self.find_once(
            self.by_track, "patterns", lambda: {at: tuple(sorted(there)) for at, there in self.track.items()}
        )

    def pattern_on(self, at: Hex) -> Pattern:
        """What lies there; nothing on an empty hex."""
        return self.patterns.get(at, ())

    @property
    def stock(self) -> dict[str, int]:
        """Rule 2.5: the table less the tiles on the map."""
        return self.find_once(self.by_track, "stock", self._count_stock)

    def _count_stock(self) -> dict[str, int]:
        used = Counter(self.tile_set.kind_of[pattern] for pattern in self.patterns.values())
        return {kind: count - used[kind] for kind, count in self.tile_set.counts.items()}

    @property
    def bankrupt_seats(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if seat.bankrupt]

    def can_gain_income(self, number: int) -> bool:
        """Rule 9.9."""
        limit = self.rules.income_max
        return limit == NO_LIMIT or self.seats[number].income < int(limit)


def in_order(cubes: Iterable[str]) -> str:
    """The letters of cubes in canonical order."""
    return "".join(sorted(cubes, key=COLORS.index))
