"""What must hold of every position, each as a function named after it.

A ``Snapshot`` is a position in plain Python; the invariants recount it from the map's hexes and the printed
contracts, by the rules page alone: none of the core's predicates is asked.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import (
    ACTION,
    AMOUNT,
    BONUS,
    COLOR_LETTERS,
    HEAD,
    HOP,
    OVER,
    PAY,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    SOURCE,
    TAKE_FROM,
    TERRAIN_NAMES,
    TRACK,
)
from steam_env.data.steam_power.setting import Setting
from tests.verification.reference.geometry import EDGES, TILES_OF_KIND, Board, beside, cross, tile_kind

PAIRS = tuple(itertools.combinations(EDGES, 2))
PURPLE = COLOR_LETTERS.index("P")
TERRAIN_COSTS = {"plains": 0, "hills": 2, "mountains": 4}  # rule 4.1


class InvariantError(AssertionError):
    """A position, or a step, that the rules do not allow."""


def require(holds: object, what: str, *values: object) -> None:
    """Complain if ``holds`` is false."""
    if not holds:
        raise InvariantError(f"{what}: {', '.join(map(repr, values))}" if values else what)


# --- positions in plain Python ------------------------------------------------------------------------------


class Chart:
    """A map in plain Python: neighbours, cities and groups, worked out from its hexes alone."""

    def __init__(self, setting: Setting) -> None:
        hexes = setting.map.hexes
        board = Board({(col, row): TERRAIN_NAMES[terrain] for col, row, terrain in hexes}, setting.map.cities, ())
        at = board.hex_number
        self.terrain = [board.terrain[place] for place in board.hexes]
        self.neighbour = [[at.get(beside(place, edge), NONE) for edge in EDGES] for place in board.hexes]
        self.city_hex = [at[place] for place in board.cities]
        self.city_at = {hex_index: city for city, hex_index in enumerate(self.city_hex)}
        self.group = board.group


@dataclass(frozen=True)
class Route:
    """A link, followed over its tiles."""

    owner: int
    start: int
    tiles: tuple[tuple[int, int, int], ...]  # hex, edge entered by, edge left by
    end: int  # NONE while it is incomplete


class Snapshot:
    """Every field of a game's record as plain numbers and lists."""

    def __init__(self, game: Game, chart: Chart | None = None) -> None:
        self.setting = game.setting
        self.chart = chart or Chart(game.setting)
        record = game.record
        for name in record.dtype.names or ():
            setattr(self, name, record[name].tolist())
        self.solo = game.rules.mode == "solo"
        self.final = game.rules.edition == "final"
        self.first_automa = game.rules.companies - game.rules.automas

    def __getattr__(self, name: str) -> Any:  # for readers of types: the record's fields
        raise AttributeError(name)

    @property
    def over(self) -> bool:
        return bool(self.phase == OVER)

    def purse(self, seat: int) -> int:
        """Whose money and hand the seat uses (rule 9.1)."""
        return 0 if self.solo else seat

    @cached_property
    def routes(self) -> list[Route]:
        """All links, each followed from its first city."""
        return [self._follow(number) for number in range(self.num_links)]

    def _follow(self, number: int) -> Route:
        chart, start, edge = self.chart, self.link_start[number], self.link_edge[number]
        here = chart.neighbour[chart.city_hex[start]][edge]
        tiles: list[tuple[int, int, int]] = []
        while True:
            way_in = (edge + 3) % 6
            found = self._leave(here, way_in, number)
            if found is None:
                require(tiles, "a link has at least one tile", number)
                return Route(self.link_owner[number], start, tuple(tiles), NONE)
            require(len(tiles) < 2 * len(chart.terrain), "a link comes to an end", number)
            edge = found
            tiles.append((here, way_in, edge))
            here = chart.neighbour[here][edge]
            require(here != NONE, "track leads off the map (rule 4.4)", tiles[-1])
            if here in chart.city_at:
                return Route(self.link_owner[number], start, tuple(tiles), chart.city_at[here])

    def _leave(self, here: int, way_in: int, number: int) -> int | None:
        for pair, link in zip(self.track[here], self.track_link[here], strict=True):
            if pair != NONE and link == number and way_in in PAIRS[pair]:
                low, high = PAIRS[pair]
                return low + high - way_in
        return None


# --- what a position must be ----------------------------------------------------------------------------------


CONFIGURATION = (
    *("num_seats", "num_automas", "automa_level", "edition", "mode", "routing", "contracts_to_end", "max_rounds"),
    *("board_index", "deck_index"),
)


def check_configuration(now: Snapshot) -> None:
    """What the game was configured with stays."""
    blank = now.setting.blank[0]
    for name in CONFIGURATION:
        require(getattr(now, name) == blank[name], f"{name} changed", getattr(now, name), blank[name])


def check_money_is_not_negative(now: Snapshot) -> None:
    """Rule 4.10."""
    purses = 1 if now.solo else now.num_seats
    require(min(now.money[:purses]) >= 0, "money below zero (rule 4.10)", now.money)
    require(not any(now.money[purses:]), "a purse without a seat", now.money)


def check_trains(now: Snapshot) -> None:
    """Reserve and links make 21, in the preview edition 18, in solo 19 beside two in the bag (rules 2.2, 9.1, 10)."""
    whole = 19 if now.solo else 21 if now.final else 18
    links = Counter(now.link_owner[: now.num_links])
    for seat in range(now.num_seats):
        require(now.trains[seat] >= 0, "trains below zero", seat, now.trains)
        require(now.trains[seat] + links[seat] == whole, f"trains of seat {seat}", now.trains[seat], links[seat], whole)
    require(not any(now.trains[now.num_seats :]), "trains without a seat", now.trains)


def check_factories(now: Snapshot) -> None:
    """Reserve and factories on the map make 15 (rule 2.2); purple cities have none (rule 5.1)."""
    built = Counter(now.owner)
    for seat in range(now.num_seats):
        require(now.factories[seat] >= 0, "factories below zero", seat)
        require(now.factories[seat] + built[seat] == 15, f"factories of seat {seat}", now.factories[seat], built[seat])
    require(not any(now.factories[now.num_seats :]), "factories without a seat", now.factories)
    for city, owner in enumerate(now.owner):
        require(owner == NONE or now.color[city] != PURPLE, "a factory in a purple city (rule 5.1)", city)
        require(owner != NONE or now.resources[city] == 0, "resources without a factory", city)
        require(now.resources[city] >= 0, "resources below zero", city)


def check_resources(now: Snapshot) -> None:
    """30 of each colour: in stock, on cities, in the Automas' corners (rules 2.2, 8.1)."""
    for color in range(4):
        placed = sum(left for left, of in zip(now.resources, now.color, strict=True) if of == color)
        corners = now.corners.count(color)
        require(corners == (1 if now.num_automas else 0), "resources in the corners (rule 8.1)", now.corners)
        require(now.stock[color] >= 0, "stock of resources below zero", now.stock)
        total = now.stock[color] + placed + corners
        require(total == 30, f"resources of colour {COLOR_LETTERS[color]}", now.stock[color], placed, corners)


def check_city_tiles(now: Snapshot) -> None:
    """One tile on each City hex and on no other; counts beside the map are counts (rule 2.1)."""
    cities = len(now.chart.city_hex)
    require(all(0 <= color <= PURPLE for color in now.color[:cities]), "a City hex without a tile", now.color)
    require(set(now.color[cities:]) <= {NONE}, "a City tile without a hex", now.color)
    require(min(now.off_map) >= 0, "tiles beside the map below zero", now.off_map)


def check_contracts(now: Snapshot) -> None:
    """Every contract is in exactly one place, and what is counted is there."""
    number = len(now.setting.deck.contracts)
    players = 1 if now.solo else now.first_automa
    scoring = 1 if now.solo else now.num_seats
    hands = [now.place.count(PLACE_HAND + seat) for seat in range(5)]
    piles = [now.place.count(PLACE_FULFILLED + seat) for seat in range(5)]
    require(now.hand_size == hands, "sizes of hands", now.hand_size, hands)
    require(not any(hands[players:]), "a hand without a player (rule 8.1)", hands)
    require(now.num_fulfilled == piles, "numbers of fulfilled contracts", now.num_fulfilled, piles)
    require(not any(piles[scoring:]), "fulfilled by nobody", piles)
    deck = now.deck_order[: now.deck_size]
    in_deck = [contract for contract, place in enumerate(now.place) if place == PLACE_DECK]
    require(sorted(deck) == in_deck, "the deck's order holds other contracts than the deck", deck, in_deck)
    require(set(now.deck_order[now.deck_size :]) <= {NONE}, "order past the deck's end", now.deck_order)
    discards, aside = now.place.count(PLACE_DISCARDED), now.place.count(PLACE_ASIDE)
    require(now.num_automas or not discards, "discards without Automas (rule 8.4)", discards)
    require(now.solo or not aside, "contracts set aside outside solo (rule 9.2)", aside)
    total = sum(hands) + sum(piles) + len(deck) + discards + aside
    require(total == number, "contracts in all places together", total, number)
    require(set(now.place[number:]) <= {PLACE_ABSENT}, "a contract that is not printed", now.place)
    require(set(now.slot) == {NONE}, "places of a view in a game", now.slot)
    require(min(now.generation) >= 0, "generations count reshuffles (rule 8.5)", now.generation)
    require(not any(now.generation[number:]), "generations of contracts that are not printed", now.generation)


def check_knowledge(now: Snapshot) -> None:
    """What is known is in another's hand than the knower's (rule 11.2)."""
    for contract, known in enumerate(now.known):
        if known:
            holder = now.place[contract] - PLACE_HAND
            require(0 <= holder < now.num_seats, "a known contract in no hand (rule 11.2)", contract, known)
            require(not known >> holder & 1, "a seat 'knows' its own contract (rule 11.2)", contract, known)
            require(known < 1 << now.first_automa and not now.solo, "known to no player", contract, known)


def tile_of(pairs: Iterable[int]) -> str:
    """The stock that has the tile with these segments (rules 1.3 to 1.5)."""
    segments = [PAIRS[pair] for pair in pairs if pair != NONE]
    require(len(segments) == 1 or cross(*segments), "segments that do not cross (rule 1.4)", segments)
    return tile_kind(*segments)


def check_tiles(now: Snapshot) -> None:
    """Stock and map together have 80, 10 and 10 tiles (rule 1.5); below zero only as rule 8.13 says."""
    laid = Counter(tile_of(pairs) for pairs in now.track if pairs != [NONE, NONE])
    for (kind, whole), left in zip(TILES_OF_KIND.items(), now.tiles, strict=True):
        require(left + laid[kind] == whole, f"{kind} tiles", left, laid[kind], whole)
        lacking = now.num_automas and kind == "plain"
        require(left >= 0 or lacking, "stock of tiles below zero", now.tiles)


def check_met_edges(now: Snapshot) -> None:
    """An edge is met where a segment on the hex behind it uses it (rule 4.4)."""
    met = [0] * len(now.met)
    for here, pairs in enumerate(now.track):
        for edge in (edge for pair in pairs if pair != NONE for edge in PAIRS[pair]):
            met[now.chart.neighbour[here][edge]] |= 1 << (edge + 3) % 6
    require(now.met == met, "edges that tracks beside them use", now.met, met)


def check_links(now: Snapshot) -> None:
    """Every segment lies on land and belongs to one link, which leads from a city to a city or to its tail (rule 4)."""
    chart, routes = now.chart, now.routes
    used = [(here, tuple(sorted((way_in, way_out)))) for route in routes for here, way_in, way_out in route.tiles]
    laid = [(here, PAIRS[pair]) for here, pairs in enumerate(now.track) for pair in pairs if pair != NONE]
    require(sorted(used) == sorted(laid), "segments that belong to no link, or to two", used, laid)
    for here, _ in laid:
        require(chart.terrain[here] in TERRAIN_COSTS, "track on a hex for none (rule 4.1)", here)
    for (first, second), links in zip(now.track, now.track_link, strict=True):
        free = [first == NONE, second == NONE]
        require([link == NONE for link in links] == free, "track of no link, or a link without track", links)
        require(second == NONE or NONE < first < second, "the lower edge pair comes first", first, second)
    for number, route in enumerate(routes):
        require(route.end == now.link_end[number], "the city that a link reaches", number, route)
        require(route.end != route.start, "a link back into its first city (rule 4.4)", number, route)
        require(0 <= route.owner < now.num_seats, "a link without an owner", number, route)
    for name in ("link_owner", "link_start", "link_edge", "link_end"):
        require(set(getattr(now, name)[now.num_links :]) <= {NONE}, f"{name} past the last link", getattr(now, name))


def check_incomplete_links(now: Snapshot) -> None:
    """At most one a seat (rule 4.2), and its tail is where the record says."""
    for seat in range(5):
        mine = [
            number for number, route in enumerate(now.routes) if route.owner == seat and now.link_end[number] == NONE
        ]
        require(len(mine) <= 1, "two incomplete links of a seat (rule 4.2)", seat, mine)
        tail = now.tail_link[seat], now.tail_hex[seat], now.tail_entry[seat], now.tail_exit[seat]
        expected = (mine[0], *now.routes[mine[0]].tiles[-1]) if mine else (NONE,) * 4
        require(tail == expected, f"tail of seat {seat}", tail, expected)
        if mine:
            here, _, way_out = expected[1:]
            beyond = now.chart.neighbour[here][way_out]
            require(now.chart.terrain[beyond] in TERRAIN_COSTS, "an open edge into no land (rule 4.4)", seat, beyond)


def check_networks(now: Snapshot) -> None:
    """Networks, what groups are linked, and linked tiles follow from the complete links (rules 4.5, 6.2, 10)."""
    network, reach, linked = [0] * 5, [0] * len(now.reach), [0] * len(now.linked)
    group = now.chart.group
    for route in now.routes:
        if route.end == NONE:
            continue
        for here, there in ((route.start, route.end), (route.end, route.start)):
            network[route.owner] |= 1 << group[here]
            reach[group[here]] |= 1 << group[there]
            linked[here] |= 1 << route.owner
    require(now.network == network, "networks", now.network, network)
    require(now.reach == reach, "groups that complete links join", now.reach, reach)
    require(now.linked == linked, "tiles on which links end", now.linked, linked)


def check_factories_are_linked(now: Snapshot) -> None:
    """A factory's group has a complete link: it needed one, and those are never broken (rules 4.8, 5.1)."""
    for city, owner in enumerate(now.owner):
        if owner != NONE:
            require(now.reach[now.chart.group[city]] != 0, "a factory that no link reaches (rule 5.1)", city)


def check_coin_paths(now: Snapshot) -> None:
    """An Automa's coins run from its tail, or from a city, from hex to neighbouring hex into a city (rule 8.9)."""
    chart = now.chart
    for number in range(4):
        size = now.num_coins[number]
        path, rest = now.coins[number][:size], now.coins[number][size:]
        require(not any(rest), "coins past the path's end", number, rest)
        if number >= now.num_automas:
            require(size == 0 and now.marker[number] == NONE, "coins or a marker of no Automa", number)
            continue
        require(0 <= now.marker[number] < 4, "a marker beside no corner (rule 8.1)", now.marker)
        seat = now.first_automa + number
        require(size != 0 or now.tail_link[seat] == NONE, "an incomplete link without coins (rule 8.9)", seat)
        if size == 0:
            continue
        require(len(set(path)) == size, "a coin path over one hex twice (rule 8.11)", path)
        require(path[-1] in chart.city_at and path[0 if size < 2 else -2] not in chart.city_at, "its end", path)
        before = path[0] if now.tail_link[seat] == NONE else now.tail_hex[seat]
        if now.tail_link[seat] == NONE:
            require(path[0] in chart.city_at and path[1] not in chart.city_at, "its start", path)
            path = path[1:]
        else:
            beyond = chart.neighbour[now.tail_hex[seat]][now.tail_exit[seat]]
            require(path[0] == beyond, "coins that do not follow the open edge", path, beyond)
        for here in path:
            if here in chart.city_at and before in chart.city_at:
                same = chart.group[chart.city_at[here]] == chart.group[chart.city_at[before]]
                require(same, "two cities in a row of two groups (rule 8.11)", path)
            else:
                require(here in chart.neighbour[before], "coins on hexes that are no neighbours", before, here)
            before = here


def check_bag(now: Snapshot) -> None:
    """In solo at most two trains of each company are in the bag (rule 9.1)."""
    trains, rest = now.bag[: now.bag_size], now.bag[now.bag_size :]
    require(set(rest) <= {NONE}, "trains past the bag's end", now.bag)
    require(now.solo or not trains, "a bag outside solo", now.bag)
    require(all(0 <= train < 5 for train in trains), "a train of no company", trains)
    drawn = [now.seat] if now.solo and not now.over else []
    require(max(Counter(trains + drawn).values(), default=0) <= 2, "three trains of a company (rule 9.1)", trains)


def check_turn_is_possible(now: Snapshot) -> None:
    """A player's seat is to move with actions left; nobody once the game is over (rules 2.3, 3.1, 8.4)."""
    require(now.truncated in (0, 1), "truncated", now.truncated)
    if now.over:
        require((now.seat, now.actions_left) == (NONE, 0), "a turn after the end", now.seat, now.actions_left)
        return
    require(0 <= now.seat < now.first_automa, "an Automa, or nobody, to decide", now.seat)
    require(1 <= now.actions_left <= (1 if now.solo else 2), "actions left (rules 3.1, 9.2)", now.actions_left)
    require(0 <= now.first_player < now.first_automa, "the first player (rule 8.1)", now.first_player)
    last = min(8, now.max_rounds) if now.solo else now.max_rounds
    require(1 <= now.round_number <= last, "the round", now.round_number, last)
    require(not now.truncated, "truncated before the end")


SET_IN = (  # field, what it is in all other phases, its phases
    *(("start_city", NONE, (HEAD,)), ("start_edge", NONE, (HEAD,)), ("build_city", NONE, (AMOUNT,))),
    *(("cargo_group", NONE, (HOP, PAY)), ("hop_group", NONE, (PAY,)), ("visited", 0, (HOP, PAY))),
    *(("need", NONE, (SOURCE, HOP, PAY)), ("takes_left", 0, (TAKE_FROM,)), ("placements_left", 0, (TRACK, HEAD))),
)


def check_pending_decision(now: Snapshot) -> None:
    """What a sub-decision fixes is set in its phases and blank in all others."""
    phase, deck = now.phase, now.setting.deck.contracts
    carried = phase in (HOP, PAY)
    require(ACTION <= phase <= OVER, "a phase that is none", phase)
    for name, blank, phases in SET_IN:
        value = getattr(now, name)
        require((value != blank) == (phase in phases), f"{name} is set in its phases alone", value, phase)
    require(now.in_bonus in (0, 1), "in_bonus", now.in_bonus)
    require(now.in_bonus or phase not in (BONUS, AMOUNT), "a bonus that is none", phase)
    require(phase not in (ACTION, OVER, SOURCE, HOP, PAY) or not now.in_bonus, "in_bonus", phase)
    require((now.contract != NONE) == (bool(now.in_bonus) or now.need != NONE), "contract", now.contract, phase)
    require(0 <= now.placements_left <= 2, "placements_left", now.placements_left)
    require(phase != TRACK or now.placements_left == 1, "a second placement (rule 4.1)", now.placements_left)
    if now.need != NONE:
        require(now.place[now.contract] == PLACE_HAND + now.purse(now.seat), "whose contract is fulfilled")
        require(now.need < len(deck[now.contract].needs), "a need that is not printed", now.contract, now.need)
    if now.in_bonus:
        fulfilled = PLACE_FULFILLED + now.purse(now.seat)
        require(now.place[now.contract] == fulfilled, "a bonus before the contract is fulfilled (rule 6.7)")
        require(deck[now.contract].bonus != "none", "a bonus of a contract without one", now.contract)
    if carried:
        require(now.visited >> now.cargo_group & 1, "the resource's group is passed (rule 6.5)", now.cargo_group)
        require(not now.network[now.seat] & now.visited, "a carriage through the own network (rule 6.2)")
    if phase == PAY:
        require(now.reach[now.cargo_group] >> now.hop_group & 1, "a hop over no link", now.hop_group)


POSITION_INVARIANTS: tuple[Callable[[Snapshot], None], ...] = tuple(
    function for name, function in globals().items() if name.startswith("check_")
)
