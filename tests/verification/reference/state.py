"""The table: everything that changes in a game, in plain Python.

Cities, contracts and seats are numbers in the order of map, deck and turns; colours are letters; a group of
cities is named by its first city in map order.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from steam_env import Rules
from tests.verification.reference.edition import Numbers
from tests.verification.reference.geometry import COLORS, Board, Hex, Segment, Tile

NOBODY = -1  # in events: no seat, no city, the bank, the table itself


@dataclass
class Link:
    """A seat's link; ``end`` is None while it is incomplete."""

    owner: int
    start: int
    tiles: list[Tile]
    end: int | None = None

    @property
    def tail(self) -> Tile:
        return self.tiles[-1]


# --- decisions within an action -------------------------------------------------------------------
@dataclass
class Laying:
    """Laying track, as an action or as a bonus (rule 4)."""

    placements: int = 0
    bonus_of: int | None = None  # the contract
    start: tuple[int, int] | None = None  # city and edge of the link about to be started


@dataclass
class Building:
    """A factory as a bonus (rules 5.2, 6.7)."""

    bonus_of: int
    city: int | None = None  # chosen; now the amount


@dataclass
class Carriage:
    """Fulfilling a contract (rule 6)."""

    contract: int
    done: int = 0  # resources that have arrived or were bought
    at: int | None = None  # the group where the resource is; None: its source is to be chosen
    visited: set[int] = field(default_factory=set)
    to: int | None = None  # the group of a hop whose payee is to be chosen


@dataclass
class Offer:
    """The bonus "take contracts", which may be declined (rule 6.7)."""

    bonus_of: int


@dataclass
class Taking:
    """A choice among the fullest hands (rule 7.1)."""

    left: int  # contracts still to be taken


Decision = Laying | Building | Carriage | Offer | Taking | None  # None: an action


# --- the table ------------------------------------------------------------------------------------
@dataclass
class Table:
    """A position. In solo the companies are the seats, with one purse and one hand, those of index 0."""

    board: Board
    rules: Rules
    numbers: Numbers
    colors: str
    off_map: Counter[str]
    links: list[Link]
    owner: list[int | None]
    resources: list[int]
    money: list[int]
    trains: list[int]
    factories: list[int]
    stock: dict[str, int]
    tiles: dict[str, int]
    hands: list[set[int]]
    fulfilled: list[set[int]]
    known: list[set[int]]  # by seat the contracts in other hands that it knows (rule 11.2)
    deck: list[int]  # next draw first
    generation: list[int]
    discards: set[int]
    set_aside: set[int]
    bag: list[int]  # solo: trains still to be drawn, next first
    corners: str  # clockwise from top left
    marker: dict[int, int]  # by Automa seat
    coins: dict[int, list[Hex]]  # likewise
    seat: int = 0
    first_player: int = 0
    round: int = 1
    actions_left: int = 2
    decision: Decision = None
    done: bool = False
    truncated: bool = False
    chance: list[int] = field(default_factory=list)  # outcomes to come
    events: list[dict[str, Any]] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)  # what was special about Automas' choices
    _derived: dict[str, Any] = field(default_factory=dict)  # from the links as they are

    # --- who is who ---
    @property
    def solo(self) -> bool:
        return self.rules.mode == "solo"

    @property
    def seats(self) -> range:
        return range(self.numbers.companies)

    @property
    def automa_seats(self) -> list[int]:
        """The last seats (rule 8)."""
        return list(self.seats)[len(self.seats) - self.rules.automas :]

    def purse(self, seat: int) -> int:
        """Whose money and contracts the seat uses (rule 9.1)."""
        return 0 if self.solo else seat

    # --- what happens ---
    def tell(self, kind: str, actor: int, **values: int) -> None:
        self.events.append({"kind": kind, "actor": actor, **values})

    def next_outcome(self) -> int:
        assert self.chance, "an outcome of chance is missing"
        return self.chance.pop(0)

    def pay(self, seat: int, amount: int, to: int = NOBODY) -> None:
        """To a seat or the bank."""
        self.money[self.purse(seat)] -= amount
        assert self.money[self.purse(seat)] >= 0, "rule 4.10: money below zero"
        if to != NOBODY:
            self.money[to] += amount

    # --- track ---
    def links_changed(self) -> None:
        """To be called after every change of links and tiles."""
        self._derived.clear()

    @property
    def tracks(self) -> dict[Hex, list[Segment]]:
        """By hex its segments."""
        if "tracks" not in self._derived:
            found: dict[Hex, list[Segment]] = {}
            for link in self.links:
                for tile in link.tiles:
                    found.setdefault(tile.at, []).append(tile.segment)
            self._derived["tracks"] = found
        return self._derived["tracks"]

    def open_link(self, seat: int) -> Link | None:
        """The seat's incomplete link."""
        if "open" not in self._derived:
            self._derived["open"] = {link.owner: link for link in self.links if link.end is None}
        return self._derived["open"].get(seat)

    @property
    def complete_links(self) -> list[Link]:
        return [link for link in self.links if link.end is not None]

    def ends(self, link: Link) -> tuple[int, int]:
        """The groups that a complete link joins."""
        assert link.end is not None
        return self.board.group[link.start], self.board.group[link.end]

    def network(self, seat: int) -> set[int]:
        """The groups touched by the seat's complete links."""
        if "networks" not in self._derived:
            networks: dict[int, set[int]] = {seat: set() for seat in self.seats}
            for link in self.complete_links:
                networks[link.owner].update(self.ends(link))
            self._derived["networks"] = networks
        return self._derived["networks"][seat]

    @property
    def touched(self) -> set[int]:
        """The groups touched by a complete link of anybody."""
        return set().union(*(self.network(seat) for seat in self.seats))

    @property
    def joined(self) -> dict[int, dict[int, set[int]]]:
        """By group and neighbouring group the owners of the complete links between them."""
        if "joined" not in self._derived:
            found: dict[int, dict[int, set[int]]] = {}
            for link in self.complete_links:
                one, other = self.ends(link)
                if one != other:
                    found.setdefault(one, {}).setdefault(other, set()).add(link.owner)
                    found.setdefault(other, {}).setdefault(one, set()).add(link.owner)
            self._derived["joined"] = found
        return self._derived["joined"]

    def hops_to(self, network: set[int]) -> dict[int, int]:
        """By group the fewest complete links to the network; a group that none reach is missing (rules 6.2, 8.3)."""
        hops, front, steps = dict.fromkeys(network, 0), set(network), 0
        while front:
            steps += 1
            front = {there for here in front for there in self.joined.get(here, ()) if there not in hops}
            hops.update(dict.fromkeys(front, steps))
        return hops


def color_number(letter: str) -> int:
    return COLORS.index(letter)
