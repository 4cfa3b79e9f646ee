"""An Automa's turn by the letter of rule 8: a slow search that lists everything and sorts it by the written keys.

It shares no code with the rules core. A ``Position`` holds plain Python: hexes are (column, row), cities and
contracts are numbers in the map's and the deck's order, colours are letters. ``extract_position`` reads one from
a ``Game``; ``follow_event`` applies what a player did; ``play_automa_turn`` plays an Automa's turn. What happens is
noted in ``Position.events`` as (kind, seat, values...) like the events of a game, and what was special about it is
counted in ``Position.notes``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from steam_env import Game
from steam_env.core.state import PLACE_DISCARDED

Hex = tuple[int, int]
Event = tuple[Any, ...]

STEPS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # rule 1.1: N NE SE S SW NW
EDGES = range(6)
COLORS = "WBOGP"
RESOURCES = "WBOG"
LAND_COST = {"plains": 0, "hills": 2, "mountains": 4}  # rule 4.1
CROSSING_COST = 2
BANK_COST = 5  # rule 6.3
TARGET_OF_COLOR = {"W": "least_present", "B": "purple", "O": "unconnected", "G": "opponent"}  # rule 8.10
TARGET_RULES = ("least_present", "purple", "unconnected", "opponent")
COMPENSATION = {"very_easy": 0, "easy": 2, "normal": 5, "hard": 10, "very_hard": 15}  # rule 8.7
TERRAIN = ("plains", "hills", "mountains", "water", "city")
TILE_KINDS = ("plain", "tight", "curved")  # rule 1.5
FAR = 1000  # more tiles, links or trains than there can be
BANK = -1  # who is paid: nobody


class Tile(NamedTuple):
    """A segment on a hex, in the direction of its link."""

    at: Hex
    entry: int
    exit: int


@dataclass
class Link:
    """A seat's link; ``end`` is None while it is incomplete."""

    owner: int
    start: int
    tiles: list[Tile]
    end: int | None = None


class Purchase(NamedTuple):
    """Where one resource of a contract comes from: a city, or the bank (city None)."""

    color: str
    city: int | None
    cost: int


class Path(NamedTuple):
    """A way to a target: all hexes passed, its tiles, and for the first tile the city it starts from."""

    hexes: tuple[Hex, ...]
    tiles: tuple[Tile, ...]
    cost: int
    stops: int


# --- the map --------------------------------------------------------------------------------------
def opposite(edge: int) -> int:
    return (edge + 3) % 6


def beside(at: Hex, edge: int) -> Hex:
    return at[0] + STEPS[edge][0], at[1] + STEPS[edge][1]


def edge_towards(at: Hex, other: Hex) -> int:
    return STEPS.index((other[0] - at[0], other[1] - at[1]))


def distance(one: Hex, other: Hex) -> int:
    """Steps from hex to hex: a column to the side brings half a hex up or down for nothing."""
    columns, rows = abs(one[0] - other[0]), abs(one[1] - other[1])
    return columns + max(0, (rows - columns) // 2)


def rank(corner: int, at: Hex) -> Hex:
    """Rule 8.2: column by column; smaller comes first by a marker in this corner (clockwise from top left)."""
    col, row = at
    return ((col, row), (-col, row), (-col, -row), (col, -row))[corner]


@dataclass(frozen=True)
class Board:
    """What never changes in a game: the map and the contracts."""

    terrain: dict[Hex, str]
    cities: tuple[Hex, ...]
    colors: str
    contracts: tuple[Any, ...]

    @cached_property
    def hexes(self) -> list[Hex]:
        """In map order."""
        return sorted(self.terrain)

    @cached_property
    def city_at(self) -> dict[Hex, int]:
        return {at: city for city, at in enumerate(self.cities)}

    @cached_property
    def group(self) -> tuple[int, ...]:
        """Each city's group, named by its first city."""
        groups = list(range(len(self.cities)))
        for _ in self.cities:
            for city, at in enumerate(self.cities):
                near = [groups[self.city_at[beside(at, edge)]] for edge in EDGES if beside(at, edge) in self.city_at]
                groups[city] = min([groups[city], *near])
        return tuple(groups)

    def members(self, groups: Iterable[int]) -> list[int]:
        wanted = set(groups)
        return [city for city, group in enumerate(self.group) if group in wanted]


# --- the position -----------------------------------------------------------------------------------
@dataclass
class Position:
    """Everything on the table."""

    board: Board
    seats: int
    automas: int
    level: str
    links: list[Link]
    owner: list[int | None]
    resources: list[int]
    money: list[int]
    trains: list[int]
    factories: list[int]
    stock: dict[str, int]
    tiles: dict[str, int]
    deck: list[int]
    discards: set[int]
    fulfilled: list[set[int]]
    corners: str
    marker: dict[int, int]
    coins: dict[int, list[Hex]]
    events: list[Event] = field(default_factory=list)
    notes: Counter[str] = field(default_factory=Counter)
    reshuffles: list[list[int]] = field(default_factory=list)  # chance: the new decks to come

    @property
    def automa_seats(self) -> list[int]:
        """Rule 8: the last seats."""
        return list(range(self.seats - self.automas, self.seats))

    def tell(self, kind: str, seat: int, *values: Any) -> None:
        self.events.append((kind, seat, *values))

    def pay(self, seat: int, amount: int, to: int = BANK) -> None:
        self.money[seat] -= amount
        if to != BANK:
            self.money[to] += amount

    def rank_city(self, seat: int, city: int) -> Hex:
        return rank(self.marker[seat], self.board.cities[city])

    def open_link(self, seat: int) -> Link | None:
        found = [link for link in self.links if link.owner == seat and link.end is None]
        return found[0] if found else None

    def complete_links(self) -> list[Link]:
        return [link for link in self.links if link.end is not None]

    def network(self, seat: int) -> set[int]:
        """The groups touched by the seat's complete links."""
        return {group for link in self.complete_links() if link.owner == seat for group in self.ends(link)}

    def ends(self, link: Link) -> tuple[int, int]:
        return self.board.group[link.start], self.board.group[link.end]

    def tracks(self) -> dict[Hex, list[tuple[int, int]]]:
        """By hex: the edge pairs of its segments."""
        found: dict[Hex, list[tuple[int, int]]] = {}
        for link in self.links:
            for tile in link.tiles:
                found.setdefault(tile.at, []).append((tile.entry, tile.exit))
        return found


def extract_board(game: Game) -> Board:
    """The map and the contracts, as the game's setting names them."""
    hexes = {(col, row): TERRAIN[terrain] for col, row, terrain in game.setting.map.hexes}
    cities = tuple(sorted(at for at, terrain in hexes.items() if terrain == "city"))
    colors = "".join(game.city(name)["color"][0].upper() for name in game.setting.map.cities)
    return Board(hexes, cities, colors, tuple(game.setting.deck.contracts))


def extract_position(game: Game, board: Board) -> Position:
    """The table as it is now."""
    record, rules = game.record, game.rules
    first_automa = rules.seats - rules.automas
    return Position(
        board=board,
        seats=rules.seats,
        automas=rules.automas,
        level=rules.automa_level,
        links=[_extract_link(link, game, board) for link in game.links()],
        owner=[None if owner < 0 else owner for owner in record.owner[: len(board.cities)].tolist()],
        resources=record.resources[: len(board.cities)].tolist(),
        money=game.money,
        trains=game.trains,
        factories=game.factories_left,
        stock=dict(zip(RESOURCES, record.stock.tolist(), strict=True)),
        tiles=dict(zip(TILE_KINDS, record.tiles.tolist(), strict=True)),
        deck=record.deck_order[: record.deck_size].tolist()[::-1],
        discards=set((record.place == PLACE_DISCARDED).nonzero()[0].tolist()),
        fulfilled=[set(game.fulfilled(seat)) for seat in range(rules.seats)],
        corners="".join(COLORS[color] for color in record.corners),
        marker={first_automa + number: int(record.marker[number]) for number in range(rules.automas)},
        coins={
            first_automa + number: [board.hexes[index] for index in record.coins[number, : record.num_coins[number]]]
            for number in range(rules.automas)
        },
    )


def _extract_link(link: dict[str, Any], game: Game, board: Board) -> Link:
    names = game.setting.map.cities
    places = [board.cities[names.index(name)] if name in names else _hex_of(name) for name in link["path"]]
    if not link["complete"]:
        places.append(beside(places[-1], ("N", "NE", "SE", "S", "SW", "NW").index(link["open"])))
    tiles = [
        Tile(here, edge_towards(here, before), edge_towards(here, after))
        for before, here, after in zip(places, places[1:], places[2:], strict=False)
    ]
    end = board.city_at[places[-1]] if link["complete"] else None
    return Link(link["owner"], board.city_at[places[0]], tiles, end)


def _hex_of(name: str) -> Hex:
    return ord(name[0]) - ord("A") + 1, int(name[1:])


# --- tiles and placements (rules 1.3 to 1.5, 4.1 to 4.8) ----------------------------------------------
def shape(segment: tuple[int, int]) -> str:
    """Rule 1.3."""
    apart = (segment[0] - segment[1]) % 6
    return {1: "tight", 2: "curve", 3: "straight"}[min(apart, 6 - apart)]


def cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Rule 1.4: the four edges alternate round the hex."""
    between = [edge for edge in other if min(one) < edge < max(one)]
    return not set(one) & set(other) and len(between) == 1


def kind_of_tile(segments: list[tuple[int, int]]) -> str:
    """Rule 1.5: the stock that the tile with these one or two segments comes from."""
    shapes = [shape(segment) for segment in segments]
    if len(segments) == 1:
        return "tight" if shapes == ["tight"] else "plain"
    return "tight" if shapes == ["straight", "straight"] else "curved"


def cost_of_tile(position: Position, tracks: dict[Hex, list[tuple[int, int]]], tile: Tile) -> int | None:
    """The price of a new tile or a crossing if it is legal whatever it costs, else None (rules 1.5, 4.1 to 4.4)."""
    board, segment = position.board, (tile.entry, tile.exit)
    lying = tracks.get(tile.at, [])
    terrain = board.terrain.get(tile.at)
    if terrain not in LAND_COST or len(lying) > 1 or tile.entry == tile.exit:
        return None
    if lying and not cross(lying[0], segment):  # this also keeps off the edges that are in use
        return None
    if position.tiles[kind_of_tile([*lying, segment])] <= 0:  # the tile under a crossing is of another kind
        position.notes["no tile in stock"] += 1
        return None
    beyond = beside(tile.at, tile.exit)
    if board.terrain.get(beyond, "water") == "water":  # rule 4.4, off the map too
        return None
    if any(opposite(tile.exit) in other for other in tracks.get(beyond, [])):
        return None
    return CROSSING_COST if lying else LAND_COST[terrain]


def lay_tile(position: Position, seat: int, tile: Tile, start: int, cost: int) -> None:
    """Put the tile on the map as the start (from city ``start``) or the next tile of the seat's link."""
    link = position.open_link(seat)
    lying = position.tracks().get(tile.at, [])
    if link is None:
        link = Link(seat, start, [])
        position.links.append(link)
        position.trains[seat] -= 1  # rule 4.3
        position.tell("start", seat, start, edge_towards(position.board.cities[start], tile.at))
    if lying:
        position.tiles[kind_of_tile(lying)] += 1
    position.tiles[kind_of_tile([*lying, (tile.entry, tile.exit)])] -= 1
    position.pay(seat, cost)
    link.tiles.append(tile)
    position.tell("place", seat, tile.at, tile.entry, tile.exit, cost, bool(lying))
    complete_link(position, link)


def complete_link(position: Position, link: Link) -> None:
    """Rule 4.5: a far edge that leads into a city completes the link."""
    tail = link.tiles[-1]
    link.end = position.board.city_at.get(beside(tail.at, tail.exit))
    if link.end is not None:
        position.tell("complete", link.owner, link.start, link.end)


def take_back_tail(position: Position, link: Link) -> None:
    """Rule 4.8: the hex keeps its other segment as a simple tile; a link without tiles is gone, its train is back."""
    tail = link.tiles.pop()
    left = position.tracks().get(tail.at, [])
    position.tiles[kind_of_tile([*left, (tail.entry, tail.exit)])] += 1
    if left:
        position.tiles[kind_of_tile(left)] -= 1  # rule 8.13: it may stand below zero
        position.notes["stock below zero"] += position.tiles[kind_of_tile(left)] < 0
    if not link.tiles:
        position.links.remove(link)
        position.trains[link.owner] += 1


# --- the extended network (rules 8.3, 6.2) -------------------------------------------------------------
def hops_to(position: Position, network: set[int]) -> dict[int, int]:
    """By group: fewest complete links to the network; where there is none the group is missing."""
    joined = [position.ends(link) for link in position.complete_links()]
    joined += [(other, one) for one, other in joined]
    hops, front = dict.fromkeys(network, 0), set(network)
    while front:
        front = {there for here, there in joined if here in front and there not in hops}
        hops.update(dict.fromkeys(front, max(hops.values()) + 1))
    return hops


def count_present(position: Position, groups: Iterable[int]) -> dict[str, int]:
    """Rule 8.10: resources in the extended network by colour, whoever owns them."""
    present = dict.fromkeys(RESOURCES, 0)
    for city in position.board.members(groups):
        if position.board.colors[city] in present:
            present[position.board.colors[city]] += position.resources[city]
    return present


# --- contracts (rules 8.6, 8.7) --------------------------------------------------------------------------
def plan_contract(position: Position, seat: int, needs: str) -> list[Purchase] | None:
    """Where each resource comes from, in printed order; None if the Automa cannot fulfil the contract (rule 8.6)."""
    network = position.network(seat)
    if not network:
        return None
    hops = hops_to(position, network)
    left = list(position.resources)
    plan = []
    for color in needs:
        city, cost = choose_source(position, seat, color, left, hops)
        if city is not None:
            left[city] -= 1
        plan.append(Purchase(color, city, cost))
    return plan if sum(purchase.cost for purchase in plan) <= position.money[seat] else None


def choose_source(
    position: Position, seat: int, color: str, left: list[int], hops: dict[int, int]
) -> tuple[int | None, int]:
    """Rule 8.6: cheapest; own first; own with fewest left or foreign with most left; first by marker."""
    cities = [city for city in position.board.members(hops) if position.board.colors[city] == color and left[city] > 0]
    if not cities:
        return None, BANK_COST

    def key(city: int) -> tuple[int, int, int, Hex]:
        own = position.owner[city] == seat
        cost = hops[position.board.group[city]] + (0 if own else 1)
        return cost, 0 if own else 1, left[city] if own else -left[city], position.rank_city(seat, city)

    keys = sorted(key(city) for city in cities)
    position.notes["source: own before foreign at one cost"] += (
        len({key[:2] for key in keys if key[0] == keys[0][0]}) > 1
    )
    same = [key for key in keys if key[:2] == keys[0][:2]]
    position.notes["source: fewest or most left"] += len({key[2] for key in same}) > 1
    position.notes["source: first by marker"] += sum(key[:3] == keys[0][:3] for key in keys) > 1
    return min(cities, key=key), keys[0][0]


def choose_route(position: Position, seat: int, city: int) -> list[tuple[int, int, int]]:
    """Rule 8.6: (group, next group, link's owner) from the source to the network, as short as can be."""
    hops = hops_to(position, position.network(seat))
    group, route = position.board.group[city], []
    while hops[group]:
        nearer: dict[int, set[int]] = {}
        for link in position.complete_links():
            one, other = position.ends(link)
            for here, there in ((one, other), (other, one)):
                if here == group and hops[there] == hops[group] - 1:
                    nearer.setdefault(there, set()).add(link.owner)
        following = min(nearer, key=lambda there: rank_group(position, seat, there))
        owner = min(nearer[following], key=lambda other: (other - seat) % position.seats)
        by_map = min(nearer, key=lambda there: position.rank_city(seat, there))
        position.notes["route: several groups"] += len(nearer) > 1
        position.notes["route: the first city in map order would decide otherwise"] += by_map != following
        position.notes["route: several owners of a hop"] += len(nearer[following]) > 1
        route.append((group, following, owner))
        group = following
    position.notes["route: several hops"] += len(route) > 1
    position.notes["route: several hops with several owners"] += len({owner for *_, owner in route}) > 1
    return route


def rank_group(position: Position, seat: int, group: int) -> Hex:
    """Rule 8.6: a group stands where its first city by the marker stands."""
    by_marker = min(position.rank_city(seat, city) for city in position.board.members([group]))
    return by_marker


def fulfil_contract(position: Position, seat: int, number: int, plan: list[Purchase]) -> None:
    """Rules 8.6, 8.7: pay for each resource, gain the reward, do the bonus or be compensated."""
    contract = position.board.contracts[number]
    position.tell("fulfil", seat, number)
    for purchase in plan:
        take_resource(position, seat, purchase)
    position.fulfilled[seat].add(number)
    position.money[seat] += contract.money
    position.tell("reward", seat, number, contract.money, contract.vp)
    if contract.bonus == "none":
        return
    done = (contract.bonus == "track" and lay_tracks(position, seat, contract.needs) > 0) or (
        contract.bonus == "factory" and build_factory(position, seat)
    )
    position.notes["bonus done" if done else f"bonus compensated: {contract.bonus}"] += 1
    if not done:
        position.money[seat] += COMPENSATION[position.level]
        position.tell("compensation", seat, COMPENSATION[position.level])


def take_resource(position: Position, seat: int, purchase: Purchase) -> None:
    city = purchase.city
    if city is None:
        position.pay(seat, BANK_COST)
        position.tell("purchase", seat, purchase.color, BANK_COST)
        return
    owner = position.owner[city]
    fee, to = (0, BANK) if owner == seat or owner is None else (1, owner)
    position.resources[city] -= 1
    position.stock[purchase.color] += 1
    position.pay(seat, fee, to)
    position.tell("source", seat, city, to, fee)
    if position.resources[city] == 0:
        position.tell("flip", seat, city)
    for group, following, paid in choose_route(position, seat, city):
        position.pay(seat, 1, paid)
        position.tell("hop", seat, group, following, paid, 1)


# --- factories (rule 8.14) ----------------------------------------------------------------------------------
def choose_factory(position: Position, seat: int) -> int | None:
    """Rule 8.14: in the extended network, else in an opponent's; least present colour, nearest, first by marker."""
    network = position.network(seat)
    extended = set(hops_to(position, network))
    opponents = {group for other in range(position.seats) if other != seat for group in position.network(other)}
    present = count_present(position, extended)
    cities = legal_factories(position, seat, extended)
    if not cities:
        cities = legal_factories(position, seat, opponents)
        position.notes["factory: outside the extended network"] += bool(cities)
    if not cities:
        return None
    homes = [position.board.cities[city] for city in position.board.members(network)]

    def key(city: int) -> tuple[int, int, Hex]:
        at = position.board.cities[city]
        near = min((distance(at, home) for home in homes), default=0)
        return present[position.board.colors[city]], near, position.rank_city(seat, city)

    keys = sorted(key(city) for city in cities)
    position.notes["factory: least present colour"] += len({key[0] for key in keys}) > 1
    position.notes["factory: nearest city"] += len({key[1] for key in keys if key[0] == keys[0][0]}) > 1
    position.notes["factory: first by marker"] += sum(key[:2] == keys[0][:2] for key in keys) > 1
    return min(cities, key=key)


def legal_factories(position: Position, seat: int, groups: set[int]) -> list[int]:
    """Rules 5.1, 5.2 within these groups."""
    touched = {group for link in position.complete_links() for group in position.ends(link)}
    return [
        city
        for city in position.board.members(groups & touched)
        if position.owner[city] is None and position.stock.get(position.board.colors[city], 0) > 0
        if position.factories[seat] > 0
    ]


def build_factory(position: Position, seat: int) -> bool:
    """Whether the Automa could build; it brings 4 resources with 2 seats, else 5 (rule 8.14)."""
    city = choose_factory(position, seat)
    if city is None:
        return False
    color = position.board.colors[city]
    amount = min(4 if position.seats == 2 else 5, position.stock[color])
    put_factory(position, seat, city, amount)
    return True


def put_factory(position: Position, seat: int, city: int, amount: int) -> None:
    position.owner[city] = seat
    position.resources[city] = amount
    position.stock[position.board.colors[city]] -= amount
    position.factories[seat] -= 1
    position.tell("build", seat, city, amount)


# --- paths (rules 8.11, 8.12) --------------------------------------------------------------------------------
Entered = tuple[Hex, int]  # a hex and the edge by which it is entered


class Search:
    """All that can be reached from ``home`` (groups) with so many trains, on the map as it is now."""

    def __init__(self, position: Position, home: set[int], trains: int) -> None:
        self.position = position
        self.board = position.board
        self.tracks = position.tracks()
        self.trains = trains
        self.home = home
        self._exits: dict[Entered, list[tuple[int, int]]] = {}
        self.fewest = self._count_tiles()

    def exits(self, at: Entered) -> list[tuple[int, int]]:
        """(far edge, cost) of every tile that may be laid there now, each judged alone (rule 8.11)."""
        if at not in self._exits:
            tiles = [Tile(at[0], at[1], edge) for edge in EDGES]
            costs = [(tile.exit, cost_of_tile(self.position, self.tracks, tile)) for tile in tiles]
            self._exits[at] = [(edge, cost) for edge, cost in costs if cost is not None]
        return self._exits[at]

    def starts(self, group: int) -> list[tuple[int, Entered]]:
        """The hexes that a link may enter first, with the city that it leaves."""
        around = [(city, edge) for city in self.board.members([group]) for edge in EDGES]
        return [
            (city, (beside(self.board.cities[city], edge), opposite(edge)))
            for city, edge in around
            if self.board.terrain.get(beside(self.board.cities[city], edge)) in LAND_COST
        ]

    def _count_tiles(self) -> dict[int, int]:
        """By group: the number of tiles of the shortest way over (hex, edge entered by) with no more links than trains.

        A state that was reached before with as few links and no more tiles leads nowhere new.
        """
        fewest: dict[int, int] = dict.fromkeys(self.home, 0)
        links_to: dict[Entered, int] = {}
        links_into: dict[int, int] = {}
        front = [(start, 1) for group in self.home for _, start in self.starts(group)]
        tiles = 0
        while front:
            tiles += 1
            following = []
            for at, links in front:
                if links > self.trains or links >= links_to.get(at, FAR):
                    continue
                links_to[at] = links
                for edge, _ in self.exits(at):
                    beyond = beside(at[0], edge)
                    if beyond not in self.board.city_at:
                        following.append(((beyond, opposite(edge)), links))
                        continue
                    group = self.board.group[self.board.city_at[beyond]]
                    fewest.setdefault(group, tiles)
                    if links < links_into.get(group, FAR):
                        links_into[group] = links
                        following.extend((start, links + 1) for _, start in self.starts(group))
            front = following
        return fewest

    def paths(self, target: int, spare: bool = True) -> list[Path]:
        """All paths to the group of exactly the fewest tiles that use no hex twice (rule 8.11)."""
        to_go = self._tiles_to_go(target)
        if not spare:
            to_go = dict.fromkeys(((at, edge) for at in self.board.hexes for edge in EDGES), 1)
        return [
            path
            for group in sorted(self.home)
            for city, start in self.starts(group)
            for path in self._extend((self.board.cities[city],), (), 0, 1, start, target, self.fewest[target], to_go)
        ]

    def _extend(
        self,
        hexes: tuple[Hex, ...],
        laid: tuple[Tile, ...],
        cost: int,
        links: int,
        at: Entered,
        target: int,
        tiles_left: int,
        to_go: dict[Entered, int],
    ) -> Iterator[Path]:
        """Every way on from the hexes passed, whose next tile lies at ``at``."""
        if links > self.trains or at[0] in hexes or to_go.get(at, FAR) > tiles_left:
            return
        for edge, price in self.exits(at):
            tile, beyond = Tile(at[0], at[1], edge), beside(at[0], edge)
            passed, now = (*hexes, at[0]), (*laid, tile)
            if beyond not in self.board.city_at:
                on = (beyond, opposite(edge))
                yield from self._extend(passed, now, cost + price, links, on, target, tiles_left - 1, to_go)
                continue
            city = self.board.city_at[beyond]
            if beyond in passed:
                continue
            if self.board.group[city] == target:
                if tiles_left == 1:
                    yield Path((*passed, beyond), now, cost + price, links - 1)
                continue
            for leaving, start in self.starts(self.board.group[city]):
                through = (beyond,) if leaving == city else (beyond, self.board.cities[leaving])
                if not set(through) & set(passed):
                    yield from self._extend(
                        passed + through, now, cost + price, links + 1, start, target, tiles_left - 1, to_go
                    )

    def _tiles_to_go(self, target: int) -> dict[Entered, int]:
        """By state: no way on to the target group has fewer tiles. It only spares the listing of dead ends."""
        before: dict[Entered, list[Entered]] = {}
        last: list[Entered] = []
        seen: set[Entered] = set()
        waiting = [start for group in self.home for _, start in self.starts(group)]
        while waiting:
            at = waiting.pop()
            if at in seen:
                continue
            seen.add(at)
            for edge, _ in self.exits(at):
                beyond = beside(at[0], edge)
                if beyond not in self.board.city_at:
                    following = [(beyond, opposite(edge))]
                elif self.board.group[self.board.city_at[beyond]] == target:
                    following = []
                    last.append(at)
                else:
                    group = self.board.group[self.board.city_at[beyond]]
                    following = [start for _, start in self.starts(group)]
                for on in following:
                    before.setdefault(on, []).append(at)
                waiting.extend(following)
        to_go: dict[Entered, int] = {}
        front, tiles = last, 1
        while front:
            to_go.update({at: tiles for at in front if at not in to_go})
            front = [one for at in front for one in before.get(at, []) if one not in to_go]
            tiles += 1
        return to_go


def home_of(position: Position, seat: int) -> set[int]:
    """The groups that a new path may start from: the network, or rule 8.12's first city; empty if there is none."""
    if any(link.owner == seat for link in position.links):
        return position.network(seat)
    city = first_city(position, seat)
    position.notes["first track: no such city" if city is None else "first track"] += 1
    return set() if city is None else {position.board.group[city]}


def first_city(position: Position, seat: int) -> int | None:
    """Rule 8.12: the first by marker among the cities of the colour in the marker's corner."""
    color = position.corners[position.marker[seat]]
    cities = [city for city, letter in enumerate(position.board.colors) if letter == color]
    return min(cities, key=lambda city: position.rank_city(seat, city), default=None)


def candidates(position: Position, seat: int, color: str, home: set[int]) -> list[int]:
    """Rule 8.10: the cities that this colour asks for, outside the own network, near or far."""
    present = count_present(position, hops_to(position, home))
    scarce = [letter for letter in RESOURCES if present[letter] == min(present.values())]
    touched = {group for link in position.complete_links() for group in position.ends(link)}
    opponents = {group for other in range(position.seats) if other != seat for group in position.network(other)}
    board, rule = position.board, TARGET_OF_COLOR[color]

    def fits(city: int) -> bool:
        if rule == "least_present":
            return board.colors[city] in scarce and position.owner[city] is None
        if rule == "purple":
            return board.colors[city] == "P"
        return board.group[city] not in touched if rule == "unconnected" else board.group[city] in opponents

    return [city for city in range(len(board.cities)) if board.group[city] not in home and fits(city)]


def choose_target(position: Position, seat: int, color: str, home: set[int], search: Search) -> tuple[int, Path] | None:
    """Rules 8.10, 8.11: fewest tiles, then first by marker; only a target with a path counts."""
    cities = candidates(position, seat, color, home)
    near = sorted(
        (search.fewest[position.board.group[city]], position.rank_city(seat, city), city)
        for city in cities
        if position.board.group[city] in search.fewest
    )
    note_trains(position, search, cities)
    knotted = False
    for tiles, _, city in near:
        paths = search.paths(position.board.group[city])
        if paths:
            position.notes["next nearest target, for want of a path without a hex twice"] += knotted
            position.notes["targets equally near"] += sum(other[0] == tiles for other in near) > 1
            return city, choose_path(position, seat, paths)
        position.notes["no path without a hex twice"] += 1
        knotted = True
    return None


def note_trains(position: Position, search: Search, cities: list[int]) -> None:
    """Count where the trains left make a candidate farther, or put it out of reach."""
    if search.trains < 8 and search.home:
        free = Search(position, search.home, FAR).fewest
        groups = {position.board.group[city] for city in cities}
        position.notes["trains limit"] += any(free.get(group) != search.fewest.get(group) for group in groups)
        position.notes["trains make a target farther"] += any(
            free[group] < search.fewest[group] for group in groups & set(search.fewest)
        )


def choose_path(position: Position, seat: int, paths: list[Path]) -> Path:
    """Rule 8.11: lowest cost, most stops, then hex by hex first by marker."""

    def key(path: Path) -> tuple[int, int, list[Hex]]:
        return path.cost, -path.stops, [rank(position.marker[seat], at) for at in path.hexes]

    best = min(paths, key=key)
    note_path(position, seat, best, paths)
    return best


def note_path(position: Position, seat: int, best: Path, paths: list[Path]) -> None:
    """Count what decided between the paths, and what the best one is like."""
    cheap = [path for path in paths if path.cost == best.cost]
    cities = [at in position.board.city_at for at in best.hexes]
    position.notes["paths at one cost"] += len(cheap) > 1
    position.notes["paths at different costs"] += len(cheap) < len(paths)
    position.notes["most stops decides"] += len({path.stops for path in cheap}) > 1
    position.notes["marker decides between paths"] += sum(path.stops == best.stops for path in cheap) > 1
    position.notes["path with a stop"] += best.stops > 0
    position.notes["a group left by another city"] += (True, True) in pairwise(cities)
    if not position.network(seat):
        first = first_city(position, seat)
        position.notes["first track: starts from another city of the group"] += (
            position.board.city_at[best.hexes[0]] != first
        )


# --- laying track (rules 8.9, 8.13) --------------------------------------------------------------------------
def lay_tracks(position: Position, seat: int, needs: str) -> int:
    """Rule 8.9: up to two placements; how many were made."""
    colors = list(dict.fromkeys(needs))  # each counted once
    laid = 0
    for _ in range(2):
        if position.coins[seat]:
            done = follow_coins(position, seat)
        else:
            done, colors = start_path(position, seat, colors)
        if not done:
            break
        laid += 1
        position.notes["second placement"] += laid == 2
    return laid


def start_path(position: Position, seat: int, colors: list[str]) -> tuple[bool, list[str]]:
    """Choose target and path, lay the first tile; the colours that are left for another target."""
    if not colors:
        position.notes["no colour left for another target"] += 1
        return False, []
    home = home_of(position, seat)
    search = Search(position, home, position.trains[seat])
    for index, color in enumerate(colors):
        found = choose_target(position, seat, color, home, search)
        if found is None:
            position.notes["a colour gives no target"] += 1
            continue
        city, path = found
        position.tell("target", seat, color, TARGET_RULES.index(TARGET_OF_COLOR[color]), city)
        position.tell("path", seat, len(path.tiles), path.cost, path.stops)
        return lay_along(position, seat, list(path.hexes)), colors[index + 1 :]
    return False, []


def follow_coins(position: Position, seat: int) -> bool:
    """Lay the next tile of the coin path, if it can be paid."""
    position.notes["coin path followed"] += 1
    position.notes["coin path followed without a train"] += position.trains[seat] == 0
    return lay_along(position, seat, position.coins[seat])


def lay_along(position: Position, seat: int, way: list[Hex]) -> bool:
    """Lay the first tile of a way and put coins on the rest; where it cannot be paid nothing changes (rule 8.9)."""
    link, cities = position.open_link(seat), position.board.city_at
    if link is None:
        before, way = way[0], way[1:]
    else:
        before = link.tiles[-1].at
    tile = Tile(way[0], edge_towards(way[0], before), edge_towards(way[0], way[1]))
    cost = cost_of_tile(position, position.tracks(), tile)
    if cost is None or (link is None and position.trains[seat] <= 0):  # its own tiles used up the kind
        position.notes["next tile of a coin path is not to be had"] += 1
        return False
    if cost > position.money[seat]:
        position.notes["tile too dear"] += 1
        return False
    lay_tile(position, seat, tile, cities.get(before, -1), cost)
    rest = way[1:]
    if rest[0] in cities and len(rest) > 1 and rest[1] in cities:
        rest = rest[1:]  # the next link leaves from the other city
    position.coins[seat] = rest if len(rest) > 1 else []
    clear_coins(position, seat)
    return True


def clear_coins(position: Position, actor: int) -> None:
    """Rule 8.13: after the actor's placement, other Automas in seat order."""
    for seat in position.automa_seats:
        if seat != actor and position.coins[seat] and not can_follow(position, seat):
            position.coins[seat] = []
            link = position.open_link(seat)
            position.notes["coin path cleared"] += 1
            position.notes["coin path cleared with a link"] += link is not None
            position.notes["coin path cleared by an Automa"] += actor in position.automa_seats
            position.tell("clear_coins", seat)
            for tile in reversed(link.tiles) if link else []:
                position.tell("remove", seat, *tile)
            while link and link.tiles:
                take_back_tail(position, link)


def can_follow(position: Position, seat: int) -> bool:
    """Whether every remaining tile is legal, each alone, on the map and with the stock of now."""
    link, tracks = position.open_link(seat), position.tracks()
    way = [link.tiles[-1].at, *position.coins[seat]] if link else position.coins[seat]
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        if here in position.board.city_at:
            continue
        tile = Tile(here, edge_towards(here, before), edge_towards(here, after))
        if cost_of_tile(position, tracks, tile) is None:
            return False
    return True


# --- turns (rules 8.4, 8.5, 8.8) ------------------------------------------------------------------------------
def play_automa_turn(position: Position, seat: int) -> None:
    """Rule 8.4: the marker, two contracts drawn, each resolved."""
    position.notes["turns"] += 1
    position.marker[seat] = (position.marker[seat] + 1) % 4
    position.tell("automa", seat, position.marker[seat])
    drawn = [number for number in (draw_contract(position, seat), draw_contract(position, seat)) if number is not None]
    position.notes["fewer than two contracts drawn"] += len(drawn) < 2
    for number in drawn:
        plan = plan_contract(position, seat, position.board.contracts[number].needs)
        if plan is None:
            use_contract(position, seat, number)
        else:
            fulfil_contract(position, seat, number, plan)


def draw_contract(position: Position, seat: int) -> int | None:
    """Rule 8.5: an empty deck is renewed from the Automas' discards; None if there are none either."""
    renew_deck(position)
    if not position.deck:
        return None
    number = position.deck.pop(0)
    position.tell("reveal", seat, number)
    return number


def renew_deck(position: Position) -> None:
    if position.deck or not position.discards:
        return
    position.notes["reshuffle"] += 1
    position.deck = position.reshuffles.pop(0) if position.reshuffles else sorted(position.discards)
    assert set(position.deck) == position.discards, "rule 8.5: the new deck is not the discards"
    position.discards = set()


def use_contract(position: Position, seat: int, number: int) -> None:
    """Rule 8.8: by the icon track, factory, $3 or factory, track, $3; then it is discarded."""
    contract = position.board.contracts[number]
    position.tell("act", seat, number, contract.automa)
    if contract.automa == "track":
        done = lay_tracks(position, seat, contract.needs) > 0 or build_factory(position, seat)
    else:
        done = build_factory(position, seat) or lay_tracks(position, seat, contract.needs) > 0
    if not done:
        position.notes["neither track nor factory"] += 1
        position.money[seat] += 3
        position.tell("money", seat, 3)
    position.discards.add(number)
    position.tell("discard", seat, number)


# --- what a player did ----------------------------------------------------------------------------------------
def follow_event(position: Position, kind: str, seat: int, values: dict[str, Any]) -> None:
    """Apply one event of a player's action; Automas' coin paths are judged after each placement (rule 8.13)."""
    apply = globals().get(f"_follow_{kind}")
    if apply is not None:
        apply(position, seat, **values)


def _follow_money(position: Position, seat: int, amount: int) -> None:
    position.money[seat] += amount


def _follow_start(position: Position, seat: int, city: int, edge: int) -> None:
    position.links.append(Link(seat, city, []))
    position.trains[seat] -= 1


def _follow_place(position: Position, seat: int, **values: int) -> None:
    tile = Tile(position.board.hexes[values["hex"]], values["entry"], values["exit"])
    lay_tile(position, seat, tile, -1, values["cost"])
    clear_coins(position, seat)


def _follow_remove(position: Position, seat: int, **_: int) -> None:
    link = position.open_link(seat)
    assert link is not None
    take_back_tail(position, link)
    clear_coins(position, seat)


def _follow_replace(position: Position, seat: int, **values: int) -> None:
    link = position.open_link(seat)
    assert link is not None
    old = link.tiles.pop()
    new = old._replace(exit=values["exit"])
    left = position.tracks().get(old.at, [])
    position.tiles[kind_of_tile([*left, (old.entry, old.exit)])] += 1
    position.tiles[kind_of_tile([*left, (new.entry, new.exit)])] -= 1
    link.tiles.append(new)
    complete_link(position, link)
    clear_coins(position, seat)


def _follow_build(position: Position, seat: int, city: int, resources: int) -> None:
    put_factory(position, seat, city, resources)


def _follow_source(position: Position, seat: int, city: int, paid_to: int, cost: int) -> None:
    position.resources[city] -= 1
    position.stock[position.board.colors[city]] += 1
    position.pay(seat, cost, paid_to)


def _follow_purchase(position: Position, seat: int, color: int, cost: int) -> None:
    position.pay(seat, cost)


def _follow_hop(position: Position, seat: int, from_group: int, to_group: int, paid_to: int, cost: int) -> None:
    position.pay(seat, cost, paid_to)


def _follow_reward(position: Position, seat: int, contract: int, money: int, vp: int) -> None:
    position.money[seat] += money
    position.fulfilled[seat].add(contract)


def _follow_draw(position: Position, seat: int, contract: int) -> None:
    renew_deck(position)
    assert position.deck.pop(0) == contract
