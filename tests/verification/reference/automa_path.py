"""Rules 8.10 to 8.13: where an Automa's track goes. Every path is listed and sorted by the written keys."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.verification.reference.choice import choose, criterion, rank, rank_city
from tests.verification.reference.geometry import EDGES, RESOURCES, Hex, Tile, beside, opposite
from tests.verification.reference.state import NOBODY, Table, color_number
from tests.verification.reference.track import LAND_COST, remove_tail, tile_cost

# Rule 8.10: data, as the player aid's pictures are lost. The order of the rules is that of their numbers in events.
TARGET_RULES = ("least_present", "purple", "unconnected", "opponent")
TARGET_OF_COLOR = dict(zip(RESOURCES, TARGET_RULES, strict=True))
FAR = 1000  # more tiles or links than there can be

Entered = tuple[Hex, int]  # a hex and the edge by which it is entered


class Path(NamedTuple):
    """A way to a target."""

    hexes: tuple[Hex, ...]  # all that are passed, the first and the last city included
    costs: tuple[int | None, ...]  # of their tiles; None: a city
    stops: int

    @property
    def cost(self) -> int:
        return sum(cost for cost in self.costs if cost is not None)

    @property
    def tiles(self) -> int:
        return sum(cost is not None for cost in self.costs)


# --- the extended network (rule 8.3) --------------------------------------------------------------
def count_present(table: Table, groups: Iterable[int]) -> dict[str, int]:
    """Rule 8.10: resources in these groups by colour, whoever owns them."""
    present = dict.fromkeys(RESOURCES, 0)
    for city in table.board.members(groups):
        if table.colors[city] in present:
            present[table.colors[city]] += table.resources[city]
    return present


def tell_present(table: Table, seat: int, present: dict[str, int]) -> None:
    white, black, orange, gray = present.values()
    table.tell("present", seat, white=white, black=black, orange=orange, gray=gray)


def opponents_groups(table: Table, seat: int) -> set[int]:
    return set().union(*(table.network(other) for other in table.seats if other != seat))


# --- the start and the target (rules 8.10, 8.12) --------------------------------------------------
def find_starts(table: Table, seat: int) -> list[int]:
    """The cities that a path may leave; without any track the first of the corner's colour alone, if there is one."""
    if any(link.owner == seat for link in table.links):
        return table.board.members(table.network(seat))
    color = table.corners[table.marker[seat]]
    cities = [city for city, letter in enumerate(table.colors) if letter == color]
    if not cities:
        return []
    first = min(cities, key=lambda city: rank_city(table, seat, city))
    table.tell("base", seat, city=first, candidates=len(cities))
    return [first]


def list_targets(table: Table, seat: int, color: str, home: set[int]) -> list[int]:
    """Rule 8.10: the cities that this colour asks for, outside the own network, near or far."""
    group, rule = table.board.group, TARGET_OF_COLOR[color]
    if rule == "least_present":
        present = count_present(table, table.hops_to(home))
        tell_present(table, seat, present)
        scarce = [letter for letter in RESOURCES if present[letter] == min(present.values())]
    touched, opponents = table.touched, opponents_groups(table, seat)

    def fits(city: int) -> bool:
        if rule == "least_present":
            return table.colors[city] in scarce and table.owner[city] is None
        if rule == "purple":
            return table.colors[city] == "P"
        return group[city] not in touched if rule == "unconnected" else group[city] in opponents

    return [city for city in range(len(table.colors)) if group[city] not in home and fits(city)]


def choose_path(table: Table, seat: int, color: str, search: "Search") -> Path | None:
    """The path that a colour yields: to the nearest target that has one, then the first by marker (rule 8.11)."""
    group, rule = table.board.group, TARGET_RULES.index(TARGET_OF_COLOR[color])
    cities = list_targets(table, seat, color, search.home)
    near = [city for city in cities if group[city] in search.fewest]
    while near:
        city, why = choose(
            near,
            nearest=lambda city: search.fewest[group[city]],
            marker=lambda city: rank_city(table, seat, city),
        )
        paths = search.paths(group[city])
        if paths:
            if why == "only" and len(cities) > 1:
                why = "only_in_reach"
            table.tell(
                *("target", seat),
                color=color_number(color),
                rule=rule,
                city=city,
                candidates=len(cities),
                why=criterion(why),
            )
            return choose_among(table, seat, paths)
        table.tell("unreachable", seat, city=city, tiles=search.fewest[group[city]])
        near.remove(city)
    table.tell("no_target", seat, color=color_number(color), rule=rule, candidates=len(cities))
    return None


def choose_among(table: Table, seat: int, paths: list[Path]) -> Path:
    """Rule 8.11: lowest cost, most stops, then hex by hex first by marker."""
    best, why = choose(
        paths,
        lowest_cost=lambda path: path.cost,
        most_stops=lambda path: -path.stops,
        marker=lambda path: [rank(table.marker[seat], at) for at in path.hexes],
    )
    table.tell("path", seat, tiles=best.tiles, cost=best.cost, stops=best.stops, why=criterion(why))
    for at, cost in zip(best.hexes, best.costs, strict=True):
        table.tell("path_hex", seat, hex=table.board.hex_number[at], cost=NOBODY if cost is None else cost)
    return best


# --- paths (rule 8.11) ----------------------------------------------------------------------------
class Search:
    """All that can be reached from the cities ``origins`` with so many trains, on the map as it is now.

    Their groups are ``home``: no target lies there, and no path leads back there (rule 8.12).
    """

    def __init__(self, table: Table, origins: Sequence[int], trains: int) -> None:
        self.table = table
        self.board = table.board
        self.home = {table.board.group[city] for city in origins}
        self.trains = trains
        self._exits: dict[Entered, list[tuple[int, int]]] = {}
        self._starts: dict[int, list[tuple[int, Entered]]] = {}
        self._first = [(city, at) for group in sorted(self.home) for city, at in self.starts(group) if city in origins]
        self.fewest = self._count_tiles()

    def exits(self, at: Entered) -> list[tuple[int, int]]:
        """(far edge, cost) of every tile that may be laid there now, each judged alone and whatever it costs."""
        if at not in self._exits:
            costs = [(edge, tile_cost(self.table, Tile(at[0], at[1], edge))) for edge in EDGES]
            self._exits[at] = [(edge, cost) for edge, cost in costs if cost is not None]
        return self._exits[at]

    def starts(self, group: int) -> list[tuple[int, Entered]]:
        """The hexes that a link may enter first, with the city that it leaves."""
        if group not in self._starts:
            around = [(city, edge) for city in self.board.cities_of[group] for edge in EDGES]
            entered = [(city, (beside(self.board.cities[city], edge), opposite(edge))) for city, edge in around]
            self._starts[group] = [(city, at) for city, at in entered if self.board.terrain.get(at[0]) in LAND_COST]
        return self._starts[group]

    def _count_tiles(self) -> dict[int, int]:
        """By group: the tiles of the shortest way over (hex, edge entered by) with no more links than trains.

        A state that was reached before with as few links and no more tiles leads nowhere new.
        """
        fewest: dict[int, int] = dict.fromkeys(self.home, 0)
        links_to: dict[Entered, int] = {}
        links_into: dict[int, int] = {}
        front = [(start, 1) for _, start in self._first]
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
                    if group in self.home:
                        continue
                    fewest.setdefault(group, tiles)
                    if links < links_into.get(group, FAR):
                        links_into[group] = links
                        following.extend((start, links + 1) for _, start in self.starts(group))
            front = following
        return fewest

    def paths(self, target: int, spare: bool = True) -> list[Path]:
        """All paths to the group of exactly the fewest tiles that use no hex twice.

        ``spare`` leaves out ways that cannot arrive in time; they are no paths anyway.
        """
        to_go = self._tiles_to_go(target) if spare else dict.fromkeys(self._all_states(), 1)
        return [
            path
            for city, start in self._first
            for path in self._extend((self.board.cities[city],), (None,), 1, start, target, self.fewest[target], to_go)
        ]

    def _all_states(self) -> list[Entered]:
        return [(at, edge) for at in self.board.hexes for edge in EDGES]

    def _extend(
        self,
        passed: tuple[Hex, ...],
        costs: tuple[int | None, ...],
        links: int,
        at: Entered,
        target: int,
        tiles_left: int,
        to_go: dict[Entered, int],
    ) -> Iterator[Path]:
        """Every way on from the hexes passed, whose next tile lies at ``at``."""
        if links > self.trains or at[0] in passed or to_go.get(at, FAR) > tiles_left:
            return
        for edge, cost in self.exits(at):
            beyond, hexes, paid = beside(at[0], edge), (*passed, at[0]), (*costs, cost)
            if beyond not in self.board.city_at:
                yield from self._extend(hexes, paid, links, (beyond, opposite(edge)), target, tiles_left - 1, to_go)
                continue
            group = self.board.group[self.board.city_at[beyond]]
            if beyond in passed or group in self.home:
                continue
            if group == target:
                if tiles_left == 1:
                    yield Path((*hexes, beyond), (*paid, None), links - 1)
                continue
            for leaving, start in self.starts(group):
                from_city = self.board.cities[leaving]
                through = (beyond,) if from_city == beyond else (beyond, from_city)
                if from_city not in passed:
                    passing = (*paid, *(None for _ in through))
                    yield from self._extend(hexes + through, passing, links + 1, start, target, tiles_left - 1, to_go)

    def _tiles_to_go(self, target: int) -> dict[Entered, int]:
        """By state: no way on to the target group has fewer tiles."""
        before: dict[Entered, list[Entered]] = {}
        last: list[Entered] = []
        seen: set[Entered] = set()
        waiting = [start for _, start in self._first]
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
                    following = [start for _, start in self.starts(self.board.group[self.board.city_at[beyond]])]
                for on in following:
                    before.setdefault(on, []).append(at)
                waiting.extend(following)
        to_go: dict[Entered, int] = {}
        front, tiles = set(last), 1
        while front:
            to_go.update(dict.fromkeys(front, tiles))
            front = {one for at in front for one in before.get(at, ()) if one not in to_go}
            tiles += 1
        return to_go


# --- coins (rules 8.9, 8.13) ----------------------------------------------------------------------
def coin_tiles(table: Table, seat: int) -> list[Tile]:
    """The tiles of the coin path that are still to be laid."""
    link, way = table.open_link(seat), table.coins[seat]
    return table.board.tiles_along([link.tail.at, *way] if link else way)


def clear_coins(table: Table, mover: int) -> None:
    """Rule 8.13: after the mover's placement, other Automas in seat order."""
    for seat in table.automa_seats:
        if seat == mover or not table.coins[seat]:
            continue
        tiles = coin_tiles(table, seat)
        if all(tile_cost(table, tile) is not None for tile in tiles):
            continue
        table.tell("clear_coins", seat, tiles=len(tiles), mover=mover)
        table.coins[seat] = []
        while (link := table.open_link(seat)) is not None:
            remove_tail(table, link)
