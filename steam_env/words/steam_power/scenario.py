"""Scenarios: any position of the game between two actions, as a table that a person can write and send.

A scenario is TOML or the same as a dict. *Reading* one lays its tracks and builds its factories with the
core's own functions, so that the record equals what play gives, and refuses what could not exist.
*Writing* is the inverse: reading what was written gives an equal record, deck order and random state
included. What a scenario leaves out is as set-up gives it, or by chance from a seed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, opposite, pair_of
from steam_env.core.rng import shuffle
from steam_env.core.steam_power.coins import coin_problem
from steam_env.core.steam_power.factory import build_factory, build_problem, usual_resources
from steam_env.core.steam_power.network import in_network
from steam_env.core.steam_power.reasons import (
    FAR_JOINS,
    FAR_OFF_MAP,
    FAR_ORIGIN,
    FAR_WATER,
    HAD_FACTORY,
    NO_FACTORY,
    NO_LINK_HERE,
    NO_TILE,
    OK,
    PURPLE_CITY,
    SITE_EDGE_USED,
    SITE_FULL,
    SITE_WATER,
)
from steam_env.core.steam_power.setup import fill_corners, fill_stocks, seed_streams, trains_at_start
from steam_env.core.steam_power.state import (
    ACTION,
    ACTIONS_PER_TURN,
    COLOR_LETTERS,
    COLOR_NAMES,
    DEAL_STREAM,
    FACTORIES,
    HAND_DEALT,
    MAX_GENERATION,
    NUM_CORNERS,
    NUM_STREAMS,
    OVER,
    PHASE_NAMES,
    PLACE_ABSENT,
    PLACE_ASIDE,
    PLACE_DECK,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    RESOURCES_PER_COLOR,
    RNG_WORDS,
    SCRATCH,
    SOLO,
    SOLO_COMPANIES,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
    TILE_PLAIN,
    TILE_STOCK,
)
from steam_env.core.steam_power.tiles import tile_kind
from steam_env.core.steam_power.track import extend_link, far_edge_problem, open_link, site_problem
from steam_env.data.steam_power.decks import Deck, deck_to_dict, load_deck, parse_deck, shipped_decks
from steam_env.data.steam_power.maps import Map, hex_name, load_map, map_to_dict, parse_map, shipped_maps
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.setting import Setting, make_setting
from steam_env.kit.checks import check_seed
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import describe, show, show_name
from steam_env.spec import Position
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.links import describe_link, name_place, trace_links

MAX_MONEY = 1_000_000  # of a seat in a scenario; no game comes near it
MAX_OFF_MAP = 999  # City tiles of one colour beside the map

_KEYS = (
    *("rules", "cities", "off_map", "contracts", "map", "links", "factories"),
    *("seats", "turn", "deck", "automa", "solo", "random"),
)
_OWN_ENTRIES = ("map", "contracts")  # fields of Rules that a scenario gives as entries of its own
_RULES_KEYS = tuple(rule.name for rule in fields(Rules) if rule.name not in _OWN_ENTRIES)
_STATE_DIGITS = NUM_STREAMS * RNG_WORDS * 8
_STATE = re.compile(rf"[0-9a-fA-F]{{{_STATE_DIGITS}}}")
_TILE_NAMES = ("straight or curve", "tight curve or straight x straight", "crossing with a curve")  # by kind

# What forbids a tile, an open edge or a factory, by the reason code of the core's predicates.
_SITE_TEXT = {
    SITE_WATER: "is water; track lies on plains, hills and mountains (rule 4.1)",
    SITE_FULL: "holds two segments already, at most two are allowed (rule 4.1)",
    SITE_EDGE_USED: "has other track on the edge by which the link comes in (rule 4.2)",
}
_FAR_TEXT = {
    FAR_OFF_MAP: "leads off the map",
    FAR_WATER: "leads into water",
    FAR_ORIGIN: "leads back into the city that the link started from",
    FAR_JOINS: "leads into track that uses the shared edge",
}
_FACTORY_TEXT = {
    NO_FACTORY: ("owner", f"{{seat}} has more than {FACTORIES} factories (rule 2.2)"),
    PURPLE_CITY: ("city", "{city!r} is purple; a factory stands on a white, black, orange or gray city (rule 5.1)"),
    HAD_FACTORY: ("city", "{city!r} has a factory already; one is allowed (rule 5.1)"),
    NO_LINK_HERE: ("city", "no complete link touches the group of {city!r}; one must (rule 5.1)"),
}


@dataclass
class _Draft:
    """A position being read: set-up's record, to which one table after the other is applied."""

    position: Position
    cities: dict[str, int]  # city by name
    hexes: dict[str, int]  # hex by name
    found: dict[int, str] = field(default_factory=dict)  # contract -> the entry that says where it is
    work: Any = field(default_factory=lambda: SCRATCH.work)

    @property
    def setting(self) -> Setting:
        setting: Setting = self.position.setting
        return setting

    @property
    def game(self) -> Any:
        return self.position.records[0]

    @property
    def board(self) -> Any:
        return self.setting.boards[0]

    @property
    def seats(self) -> int:
        """Seats with trains and factories: in solo the five companies."""
        return self.setting.rules.companies

    @property
    def purses(self) -> int:
        """Seats with money and contracts: in solo one."""
        return self.setting.rules.seats

    @property
    def num_contracts(self) -> int:
        return len(self.setting.deck.contracts)


# --- reading --------------------------------------------------------------------------------------
def read_scenario(table: Mapping[str, Any], seed: int | None = None) -> Position:
    """The position that a scenario describes.

    Args:
        table: the scenario as a dict.
        seed: for what chance decides because the scenario leaves it out: contracts dealt, the deck's
            order, the random streams. The result is a function of it; ``None`` = fresh entropy.

    Raises:
        ScenarioError: if it is no possible position; the message begins with the entry at fault, as in
            ``links[2].path[3]: ...``, and tells its value and what is allowed.
        ValueError: for a seed that is none.
    """
    return _build_position(table, check_seed(seed))


def _build_position(table: Mapping[str, Any], seed: int) -> Position:
    _as_table(table, "", _KEYS, required=("cities",))
    draft = _open_draft(table, seed)
    _set_cities(draft, table["cities"])
    _set_off_map(draft, table)
    _lay_links(draft, table.get("links", []))
    _place_factories(draft, table.get("factories", []))
    seats = _as_table(table.get("seats", {}), "seats", ("money", "hands", "fulfilled", "known"))
    deck = _as_table(table.get("deck", {}), "deck", ("order", "generation"))
    automa = _open_automa_table(draft, table)
    solo = _open_solo_table(draft, table)
    _set_money(draft, seats)
    _place_contracts(draft, seats, deck, automa, solo)
    _set_known(draft, seats)
    _set_generation(draft, deck)
    _set_automa(draft, automa)
    _set_turn(draft, table.get("turn", {}))
    _set_bag(draft, solo)
    _set_random(draft, table.get("random", {}))
    return draft.position


def _open_draft(table: Mapping[str, Any], seed: int) -> _Draft:
    """An empty table as set-up gives it, with the random streams of the seed."""
    map_name, board = _read_map(table.get("map", Rules.map))
    deck_name, deck = _read_deck(table.get("contracts", Rules.contracts))
    rules = _read_rules(table.get("rules", {}), map_name, deck_name)
    setting = make_setting(rules, board, deck)
    records = setting.blank.copy()
    fill_stocks(records[0])
    seed_streams(records[0], seed)
    return _Draft(
        Position(setting, records),
        cities={name: city for city, name in enumerate(board.cities)},
        hexes={hex_name(col, row): index for index, (col, row, _) in enumerate(board.hexes)},
    )


# --- rules, map, contracts ------------------------------------------------------------------------
def _read_rules(value: object, map_name: str, deck_name: str) -> Rules:
    if isinstance(value, Mapping):
        for name in _OWN_ENTRIES:
            if name in value:
                raise ScenarioError(
                    f"rules.{name}: {show(value[name])} stands here; it is the scenario's own entry {name}"
                )
    table = _as_table(value, "rules", _RULES_KEYS)
    try:
        return Rules.from_dict({**table, "map": map_name, "contracts": deck_name})
    except ValueError as error:
        raise ScenarioError(f"rules.{error}") from None


def _read_map(value: object) -> tuple[str, Map]:
    """The name that ``Rules.map`` gets, and the map."""
    if not isinstance(value, str | Mapping):
        raise ScenarioError(f"map: must be a shipped name or a map's table, not {describe(value)}")
    try:
        board = load_map(value) if isinstance(value, str) else parse_map(value, "map")
    except ValueError as error:
        raise ScenarioError(_begin_with("map", str(error))) from None
    return value if isinstance(value, str) else board.name, board


def _read_deck(value: object) -> tuple[str, Deck]:
    """The name that ``Rules.contracts`` gets, and the deck; besides a list a whole deck file's table is read."""
    if not isinstance(value, str | Mapping | list | tuple):
        raise ScenarioError(f"contracts: must be a shipped name or a list of contracts, not {describe(value)}")
    try:
        deck = load_deck(value) if isinstance(value, str) else parse_deck(value, "contracts")
    except ValueError as error:
        text = str(error)
        raise ScenarioError(
            f"contracts.{text}" if isinstance(value, Mapping) else _begin_with("contracts", text)
        ) from None
    return value if isinstance(value, str) else deck.name, deck


def _begin_with(entry: str, message: str) -> str:
    """The message with the entry before it, unless that is how it begins."""
    return message if message.startswith((f"{entry}:", f"{entry}[")) else f"{entry}: {message}"


# --- City tiles -----------------------------------------------------------------------------------
def _set_cities(draft: _Draft, value: object) -> None:
    colors = _as_colors(value, "cities")
    if len(colors) != len(draft.cities):
        name = draft.setting.map.name
        raise ScenarioError(
            f"cities: {value!r} has {len(colors)} colours; map {name!r} has {len(draft.cities)} cities, "
            "one colour is needed for each"
        )
    draft.game.color[: len(colors)] = colors


def _set_off_map(draft: _Draft, table: Mapping[str, Any]) -> None:
    """Taken as written; left out, the map's bag of tiles less those on the map (rule 2.1)."""
    if "off_map" in table:
        counts = _count_colors(_as_colors(table["off_map"], "off_map"))
    else:
        counts = _count_colors(_as_colors(draft.setting.map.tiles, "map.tiles"))
        for color, shown in enumerate(_count_colors(_as_colors(table["cities"], "cities"))):
            if shown > counts[color]:
                raise ScenarioError(
                    f"cities: {shown} {COLOR_NAMES[color]} cities; the map's bag of tiles has {counts[color]}, "
                    "so more are only allowed with off_map given"
                )
            counts[color] -= shown
    for color, count in enumerate(counts):
        if count > MAX_OFF_MAP:
            raise ScenarioError(
                f"off_map: {count} {COLOR_NAMES[color]} tiles; at most {MAX_OFF_MAP} of a colour are allowed"
            )
    draft.game.off_map[:] = counts


def _count_colors(colors: Sequence[int]) -> list[int]:
    return [colors.count(color) for color in range(len(COLOR_LETTERS))]


# --- links ----------------------------------------------------------------------------------------
def _lay_links(draft: _Draft, value: object) -> None:
    """Lay the links in the order in which they were begun.

    Tiles of different links were laid in another order than the file's. So the stock is not asked tile
    by tile: it may be short on the way although the position is possible. All else may be: what two
    links may not do to each other (rules 1.4, 4.2, 4.4) shows at the later one, whichever that is.
    """
    for index, link in enumerate(_as_list(value, "links")):
        _lay_link(draft, link, f"links[{index}]")
    for kind, left in enumerate(draft.game.tiles):
        if left < 0 and not (draft.setting.rules.automas and kind == TILE_PLAIN):  # rule 8.13 may overdraw it
            shown = TILE_STOCK[kind] - int(left)
            raise ScenarioError(
                f"links: {shown} tiles of the kind {_TILE_NAMES[kind]!r} lie on the map; "
                f"there are {TILE_STOCK[kind]} (rule 1.5)"
            )


def _lay_link(draft: _Draft, value: object, entry: str) -> None:
    table = _as_table(value, entry, ("owner", "path", "open"), required=("owner", "path"))
    seat = _as_seat(draft, table["owner"], f"{entry}.owner")
    path = _read_path(draft, table["path"], f"{entry}.path")
    edges = _find_edges(draft, table, path, entry)
    start = int(draft.board.hex_city[path[0]])
    _check_start(draft, seat, start, entry)
    for index in range(1, len(edges)):
        way_in, way_out = int(opposite(edges[index - 1])), edges[index]
        if way_in == way_out:
            blamed = f"path[{index + 1}]" if index + 1 < len(path) else "open"
            raise ScenarioError(f"{entry}.{blamed}: the link turns back; a segment joins two edges (rule 1.3)")
        _check_tile(draft, seat, path[index], way_in, way_out, f"{entry}.path[{index}]")
        if index == 1:
            open_link(draft.game, draft.work, seat, start, edges[0])
        extend_link(draft.game, draft.board, draft.work, seat, path[index], way_in, way_out)


def _find_edges(draft: _Draft, table: Mapping[str, Any], path: list[int], entry: str) -> list[int]:
    """The edge by which the link leaves each hex of its path; the last one is the open edge, if there is one."""
    neighbour = draft.board.neighbour
    edges = [int(np.flatnonzero(neighbour[hex_index] == beyond)[0]) for hex_index, beyond in pairwise(path)]
    if draft.board.hex_city[path[-1]] == NONE:
        edges.append(_read_open_edge(draft, table, path, entry))
    elif "open" in table:
        raise ScenarioError(f"{entry}.open: {show(table['open'])}, but a path that ends in a city has no open edge")
    return edges


def _read_path(draft: _Draft, value: object, entry: str) -> list[int]:
    """The hexes of a path: a start city, tiles, and for a complete link the end city (rules 4.3, 4.5)."""
    names = _as_list(value, entry)
    if len(names) < 2:
        raise ScenarioError(f"{entry}: {show(value)} is too short; must be a start city and at least one hex")
    path = [_read_stop(draft, name, f"{entry}[{index}]") for index, name in enumerate(names)]
    if names[0] not in draft.cities:
        raise ScenarioError(f"{entry}[0]: {names[0]!r} is no city; a link starts in one (rule 4.3)")
    for index in range(1, len(path)):
        where = f"{entry}[{index}]: {names[index]!r}"
        if names[index] in draft.cities and index == 1:
            raise ScenarioError(f"{where} is a city; the first hex of a link must be a tile")
        if names[index] in draft.cities and index < len(path) - 1:
            raise ScenarioError(f"{where} is a city; a link ends in the first city that it enters (rule 4.5)")
        if path[index] not in draft.board.neighbour[path[index - 1]]:
            raise ScenarioError(f"{where} is not beside {names[index - 1]!r}; each hex must be beside the one before")
    if names[-1] == names[0]:
        raise ScenarioError(
            f"{entry}[{len(path) - 1}]: {names[-1]!r} is where the link started; it may not lead back (rule 4.4)"
        )
    return path


def _read_stop(draft: _Draft, value: object, entry: str) -> int:
    """The hex of a city's name or a hex's name."""
    name = _as_text(value, entry)
    if name in draft.cities:
        return int(draft.board.city_hex[draft.cities[name]])
    if name not in draft.hexes:
        raise ScenarioError(f"{entry}: {name!r} is neither a city nor a hex of map {draft.setting.map.name!r}")
    city = draft.board.hex_city[draft.hexes[name]]
    if city != NONE:
        raise ScenarioError(
            f"{entry}: {name!r} is the hex of a city; its name {draft.setting.map.cities[city]!r} must stand here"
        )
    return draft.hexes[name]


def _read_open_edge(draft: _Draft, table: Mapping[str, Any], path: list[int], entry: str) -> int:
    """Rule 4.4: an open edge leads into empty land or into track that does not use the shared edge.

    The link's own tiles are not laid yet. They cannot be in the way: one that used the shared edge would
    have come from the tail's hex, where a second segment may not use that edge.
    """
    if "open" not in table:
        raise ScenarioError(f"{entry}.open: missing; a path that ends in no city needs one of {', '.join(EDGE_NAMES)}")
    edge = _as_choice(table["open"], EDGE_NAMES, f"{entry}.open")
    where = f"{entry}.open: {EDGE_NAMES[edge]!r}"
    problem = far_edge_problem(draft.game, draft.board, path[-1], edge, int(draft.board.hex_city[path[0]]))
    if problem != OK:
        raise ScenarioError(f"{where} {_FAR_TEXT[problem]}; an open edge may not (rule 4.4)")
    city = draft.board.hex_city[draft.board.neighbour[path[-1], edge]]
    if city != NONE:
        name = draft.setting.map.cities[city]
        raise ScenarioError(f"{where} leads into {name!r}, so the link is complete: its path must end there (rule 4.5)")
    return edge


def _check_start(draft: _Draft, seat: int, start: int, entry: str) -> None:
    """Rules 4.2, 4.3: one link under way at a time, a train for each, from a city of the network."""
    game = draft.game
    trains = int(trains_at_start(game))
    if game.tail_link[seat] != NONE:
        raise ScenarioError(
            f"{entry}.owner: {name_seat(seat)} has links[{game.tail_link[seat]}] incomplete; it must come after "
            "the seat's other links, nothing else is started before it is complete (rule 4.2)"
        )
    if game.trains[seat] <= 0:
        raise ScenarioError(f"{entry}.owner: {name_seat(seat)} has more than {trains} links; each needs a train")
    if game.network[seat] != 0 and not in_network(game, draft.board, seat, start):
        raise ScenarioError(
            f"{entry}.path[0]: {draft.setting.map.cities[start]!r} is not in the network of {name_seat(seat)}, where "
            "every link but a seat's first must start (rule 4.3)"
        )


def _check_tile(draft: _Draft, seat: int, hex_index: int, way_in: int, way_out: int, entry: str) -> None:
    """Rules 1.4, 4.1, 4.2: the hex is land and has room, and the segment crosses the one that is there."""
    col, row = int(draft.board.col[hex_index]), int(draft.board.row[hex_index])
    problem = site_problem(draft.game, draft.board, seat, hex_index, way_in)
    if problem in _SITE_TEXT:  # money, the last thing that is asked, does not matter here
        raise ScenarioError(f"{entry}: {hex_name(col, row)!r} {_SITE_TEXT[problem]}")
    if tile_kind(draft.game.track[hex_index, 0], pair_of(way_in, way_out)) == NONE:
        raise ScenarioError(
            f"{entry}: on {hex_name(col, row)!r} the segment from {EDGE_NAMES[way_in]} to {EDGE_NAMES[way_out]} does "
            "not cross the one that is there; two on a hex must (rule 1.4)"
        )


# --- factories ------------------------------------------------------------------------------------
def _place_factories(draft: _Draft, value: object) -> None:
    for index, factory in enumerate(_as_list(value, "factories")):
        _place_factory(draft, factory, f"factories[{index}]")


def _place_factory(draft: _Draft, value: object, entry: str) -> None:
    keys = ("owner", "city", "resources")
    table = _as_table(value, entry, keys, required=keys)
    seat = _as_seat(draft, table["owner"], f"{entry}.owner")
    name = _as_text(table["city"], f"{entry}.city")
    if name not in draft.cities:
        raise ScenarioError(f"{entry}.city: {name!r} is no city of map {draft.setting.map.name!r}")
    city = draft.cities[name]
    problem = build_problem(draft.game, draft.board, seat, city)
    if problem in _FACTORY_TEXT:  # an empty stock is no problem: the city may be flipped
        key, text = _FACTORY_TEXT[problem]
        raise ScenarioError(f"{entry}.{key}: {text.format(city=name, seat=name_seat(seat))}")
    # Rule 5.2: a bonus factory may bring one resource more than usual.
    most = int(usual_resources(draft.game)) + 1
    resources = _as_int(table["resources"], f"{entry}.resources", 0, most)
    color = draft.game.color[city]
    if resources > draft.game.stock[color]:
        raise ScenarioError(
            f"{entry}.resources: {resources} makes more than {RESOURCES_PER_COLOR} {COLOR_NAMES[color]} resources on "
            f"the map; there are {RESOURCES_PER_COLOR} (rule 2.2)"
        )
    build_factory(draft.game, draft.work, seat, city, resources)


# --- seats ----------------------------------------------------------------------------------------
def _set_money(draft: _Draft, seats: Mapping[str, Any]) -> None:
    """Dollars of each seat; set-up has given $5 (rule 2.2)."""
    if "money" not in seats:
        return
    amounts = _as_list(seats["money"], "seats.money", draft.purses)
    for seat, amount in enumerate(amounts):
        draft.game.money[seat] = _as_int(amount, f"seats.money[{seat}]", 0, MAX_MONEY)


def _place_contracts(
    draft: _Draft,
    seats: Mapping[str, Any],
    deck: Mapping[str, Any],
    automa: Mapping[str, Any],
    solo: Mapping[str, Any],
) -> None:
    """Put every contract in a hand, with those fulfilled, or in the deck; chance places what is left out."""
    for key, place in (("hands", PLACE_HAND), ("fulfilled", PLACE_FULFILLED)):
        if key in seats:
            for seat, pile in enumerate(_as_list(seats[key], f"seats.{key}", draft.purses)):
                _place_pile(draft, pile, place + seat, f"seats.{key}[{seat}]")
    _check_automa_hands(draft)
    set_aside = _read_set_aside(draft, solo)
    _place_pile(draft, automa.get("discards", []), PLACE_DISCARDED, "automa.discards")
    order = _place_pile(draft, deck["order"], PLACE_DECK, "deck.order") if "order" in deck else None
    rest = _shuffle_rest(draft)
    if "hands" not in seats:
        rest = _deal_hands(draft, rest)
    rest = _set_aside(draft, rest, set_aside)
    if order is None:
        order = rest
    elif rest:
        raise ScenarioError(
            f"deck.order: contract {min(rest)} is nowhere; every contract that is in no hand and not fulfilled must be "
            "in the order"
        )
    _stack_deck(draft, order)
    _count_contracts(draft)


def _place_pile(draft: _Draft, value: object, place: int, entry: str) -> list[int]:
    """Put the contracts of one list where they are; each may be in one place only."""
    pile = []
    for index, item in enumerate(_as_list(value, entry)):
        where = f"{entry}[{index}]"
        contract = _as_int(item, where, 0, draft.num_contracts - 1)
        if contract in draft.found:
            raise ScenarioError(
                f"{where}: contract {contract} is in {draft.found[contract]} already; each must be in one place"
            )
        draft.found[contract] = entry
        draft.game.place[contract] = place
        pile.append(contract)
    return pile


def _shuffle_rest(draft: _Draft) -> list[int]:
    """The contracts that are nowhere yet, shuffled by the seed."""
    rest = np.flatnonzero(draft.game.place[: draft.num_contracts] == PLACE_ABSENT)
    shuffle(rest, len(rest), draft.game.rng[DEAL_STREAM])
    return [int(contract) for contract in rest]


def _deal_hands(draft: _Draft, rest: list[int]) -> list[int]:
    """Deal five contracts to each player (rule 2.2); returns what remains."""
    players = draft.setting.rules.players
    needed = HAND_DEALT * players
    if len(rest) < needed:
        raise ScenarioError(
            f"seats.hands: left out, so {HAND_DEALT} contracts are dealt to each of {players} players; {needed} are "
            f"needed that are nowhere else, there are {len(rest)}"
        )
    for index, contract in enumerate(rest[:needed]):
        draft.game.place[contract] = PLACE_HAND + index // HAND_DEALT
    return rest[needed:]


def _stack_deck(draft: _Draft, order: Sequence[int]) -> None:
    """The deck from its order, next draw first; in the record the next draw is last."""
    for depth, contract in enumerate(reversed(order)):
        draft.game.place[contract] = PLACE_DECK
        draft.game.deck_order[depth] = contract
    draft.game.deck_size = len(order)


def _count_contracts(draft: _Draft) -> None:
    for seat in range(draft.seats):
        draft.game.hand_size[seat] = np.count_nonzero(draft.game.place == PLACE_HAND + seat)
        draft.game.num_fulfilled[seat] = np.count_nonzero(draft.game.place == PLACE_FULFILLED + seat)


def _set_known(draft: _Draft, seats: Mapping[str, Any]) -> None:
    """Rule 11.2: contracts in other hands that a seat knows."""
    if "known" not in seats:
        return
    if "hands" not in seats:
        raise ScenarioError("seats.known: needs seats.hands; what is in hands that are dealt by chance nobody knows")
    for seat, known in enumerate(_as_list(seats["known"], "seats.known", draft.purses)):
        entry = f"seats.known[{seat}]"
        for index, item in enumerate(_as_list(known, entry)):
            _note_known(draft, seat, item, f"{entry}[{index}]")


def _note_known(draft: _Draft, seat: int, item: object, entry: str) -> None:
    contract = _as_int(item, entry, 0, draft.num_contracts - 1)
    holder = int(draft.game.place[contract]) - PLACE_HAND
    if not 0 <= holder < draft.seats or holder == seat:
        raise ScenarioError(f"{entry}: contract {contract} must be in another seat's hand to be known by this seat")
    if has(draft.game.known[contract], seat):
        raise ScenarioError(f"{entry}: contract {contract} stands here twice; once is enough")
    draft.game.known[contract] |= 1 << seat


# --- Automas --------------------------------------------------------------------------------------
def _open_automa_table(draft: _Draft, table: Mapping[str, Any]) -> Mapping[str, Any]:
    automas = draft.setting.rules.automas
    if "automa" in table and not automas:
        raise ScenarioError("automa: there are no Automa seats; rules.automas must be 1 to 4 for this table")
    return _as_table(table.get("automa", {}), "automa", ("corners", "marker", "coins", "discards"))


def _check_automa_hands(draft: _Draft) -> None:
    """Automas have no contracts in hand (rule 8.1)."""
    for seat in range(draft.setting.rules.players, draft.purses):
        if np.any(draft.game.place == PLACE_HAND + seat):
            raise ScenarioError(
                f"seats.hands[{seat}]: {name_seat(seat)} is an Automa; its hand must be empty (rule 8.1)"
            )


def _set_automa(draft: _Draft, table: Mapping[str, Any]) -> None:
    """Corners, markers and coin paths (rules 8.1, 8.9); what is left out is as set-up gives it."""
    automas = draft.setting.rules.automas
    if not automas:
        return
    fill_corners(draft.game, np.array(_read_corners(draft, table)))
    if "marker" in table:
        for number, corner in enumerate(_as_list(table["marker"], "automa.marker", automas)):
            draft.game.marker[number] = _as_int(corner, f"automa.marker[{number}]", 0, NUM_CORNERS - 1)
    paths = _as_list(table.get("coins", [[]] * automas), "automa.coins", automas)
    for number, path in enumerate(paths):
        _put_coins(draft, number, path, f"automa.coins[{number}]")


def _read_corners(draft: _Draft, table: Mapping[str, Any]) -> list[int]:
    names = COLOR_NAMES[:NUM_CORNERS]
    if "corners" not in table:
        colors = np.arange(NUM_CORNERS)
        shuffle(colors, NUM_CORNERS, draft.game.rng[DEAL_STREAM])
        return [int(color) for color in colors]
    corners = _as_list(table["corners"], "automa.corners", NUM_CORNERS)
    colors_read = [_as_choice(color, names, f"automa.corners[{index}]") for index, color in enumerate(corners)]
    if sorted(colors_read) != list(range(NUM_CORNERS)):
        raise ScenarioError(f"automa.corners: {corners!r}; each of {', '.join(names)} must stand here once (rule 8.1)")
    return colors_read


def _put_coins(draft: _Draft, number: int, value: object, entry: str) -> None:
    """A coin path: hexes one beside the other from the tail or a city of the network to a city (rule 8.9)."""
    game, board = draft.game, draft.board
    seat = draft.setting.rules.players + number
    path = [_read_stop(draft, name, f"{entry}[{index}]") for index, name in enumerate(_as_list(value, entry))]
    if not path:
        if game.tail_link[seat] != NONE:
            raise ScenarioError(f"{entry}: empty; an Automa with an incomplete link has a coin path (rule 8.9)")
        return
    cities = [int(board.hex_city[hex_index]) for hex_index in path]
    _check_coin_start(draft, seat, path, cities, entry)
    for index in range(1, len(path)):
        _check_coin_step(draft, path, cities, index, f"{entry}[{index}]")
    if cities[-1] == NONE or len(path) < 2:
        raise ScenarioError(f"{entry}: must end in the route's last city, after at least one tile (rule 8.9)")
    if len(set(path)) < len(path):
        raise ScenarioError(f"{entry}: {value!r}; a path uses no hex twice (rule 8.11)")
    game.num_coins[number] = len(path)
    game.coins[number, : len(path)] = path
    _check_coin_tiles(draft, seat, path, cities, entry)


def _check_coin_start(draft: _Draft, seat: int, path: list[int], cities: list[int], entry: str) -> None:
    game, board = draft.game, draft.board
    if game.tail_link[seat] != NONE:
        across = int(board.neighbour[game.tail_hex[seat], game.tail_exit[seat]])
        if path[0] != across:
            raise ScenarioError(f"{entry}[0]: must be the hex across the open edge of the Automa's incomplete link")
    elif cities[0] == NONE or not in_network(game, board, seat, cities[0]):
        raise ScenarioError(
            f"{entry}[0]: must be a city of the network of {name_seat(seat)}: it has no incomplete link"
        )
    elif len(path) > 1 and cities[1] != NONE:
        raise ScenarioError(f"{entry}[1]: must be a tile; the path begins with the city that the next link starts from")


def _check_coin_step(draft: _Draft, path: list[int], cities: list[int], index: int, entry: str) -> None:
    """Each hex lies beside the one before, but for another city of a group that is passed."""
    group = draft.board.group
    if cities[index] != NONE and cities[index - 1] != NONE:
        if group[cities[index]] != group[cities[index - 1]] or index == len(path) - 1:
            raise ScenarioError(f"{entry}: two cities in a row must be of one group, which the path leaves (rule 8.11)")
    elif path[index] not in draft.board.neighbour[path[index - 1]]:
        raise ScenarioError(f"{entry}: each hex of a coin path must be beside the one before")


def _check_coin_tiles(draft: _Draft, seat: int, path: list[int], cities: list[int], entry: str) -> None:
    """Each tile is legal now but for the stock, which the Automa may have used up itself (rule 8.13)."""
    before = int(draft.game.tail_hex[seat])
    for index, (here, city) in enumerate(zip(path, cities, strict=True)):
        if city == NONE:
            problem = coin_problem(draft.game, draft.board, here, before, path[index + 1], NONE)
            if problem not in (OK, NO_TILE):
                raise ScenarioError(f"{entry}[{index}]: no tile may lie here as the path goes (rules 4.1, 4.4)")
        before = here


# --- solo -----------------------------------------------------------------------------------------
def _open_solo_table(draft: _Draft, table: Mapping[str, Any]) -> Mapping[str, Any]:
    if "solo" in table and draft.game.mode != SOLO:
        raise ScenarioError("solo: rules.mode must be 'solo' for this table")
    return _as_table(table.get("solo", {}), "solo", ("trains", "set_aside"))


def _read_set_aside(draft: _Draft, table: Mapping[str, Any]) -> int:
    return _as_int(table.get("set_aside", 0), "solo.set_aside", 0, SOLO_ROUNDS)


def _set_aside(draft: _Draft, rest: list[int], count: int) -> list[int]:
    """The first contracts of those that are nowhere else have been set aside; returns what remains (rule 9.2)."""
    if len(rest) < count:
        raise ScenarioError(f"solo.set_aside: {count}; only {len(rest)} contracts are nowhere else")
    for contract in rest[:count]:
        draft.game.place[contract] = PLACE_ASIDE
    return rest[count:]


def _set_bag(draft: _Draft, table: Mapping[str, Any]) -> None:
    """The trains still to be drawn (rule 9.2); left out, all but the active company's, by chance.

    Without a company whose turn it is, the next train is drawn.
    """
    game = draft.game
    if game.mode != SOLO:
        return
    if "trains" in table:
        trains = [
            _as_int(company, f"solo.trains[{index}]", 0, SOLO_COMPANIES - 1)
            for index, company in enumerate(_as_list(table["trains"], "solo.trains"))
        ]
    else:
        trains = _shuffle_trains(draft)
    if game.seat == NONE:
        if not trains:
            raise ScenarioError("solo.trains: empty; without turn.seat the next train must be here")
        game.seat = trains.pop(0)
    drawn = [*trains, int(game.seat)]
    for company in range(SOLO_COMPANIES):
        if drawn.count(company) > SOLO_TRAINS_IN_BAG:
            raise ScenarioError(
                f"solo.trains: {trains!r} and the active company {game.seat}; "
                f"there are {SOLO_TRAINS_IN_BAG} trains of a company (rule 9.1)"
            )
    game.bag_size = len(trains)
    game.bag[: len(trains)] = trains[::-1]


def _shuffle_trains(draft: _Draft) -> list[int]:
    trains = np.repeat(np.arange(SOLO_COMPANIES), SOLO_TRAINS_IN_BAG)
    if draft.game.seat != NONE:
        trains = np.delete(trains, int(np.flatnonzero(trains == draft.game.seat)[0]))
    shuffle(trains, len(trains), draft.game.rng[DEAL_STREAM])
    return [int(company) for company in trains]


# --- deck, turn, random streams -------------------------------------------------------------------
def _set_generation(draft: _Draft, deck: Mapping[str, Any]) -> None:
    """Reshuffles before each contract last entered the deck (rule 8.5)."""
    if "generation" not in deck:
        return
    for contract, item in enumerate(_as_list(deck["generation"], "deck.generation", draft.num_contracts)):
        draft.game.generation[contract] = _as_int(item, f"deck.generation[{contract}]", 0, MAX_GENERATION)


def _set_turn(draft: _Draft, value: object) -> None:
    table = _as_table(value, "turn", ("seat", "actions_left", "first_player", "round"))
    game, rules = draft.game, draft.setting.rules
    if "seat" in table or game.mode != SOLO:
        game.seat = _as_seat(draft, table.get("seat", 0), "turn.seat")
    else:
        game.seat = NONE  # the next train tells
    game.first_player = _as_seat(draft, table.get("first_player", 0), "turn.first_player")
    if rules.first_player == "player_0" and game.first_player != 0:
        raise ScenarioError(f"turn.first_player: {game.first_player}; must be 0 with rules.first_player = 'player_0'")
    most = 1 if game.mode == SOLO else ACTIONS_PER_TURN
    game.actions_left = _as_int(table.get("actions_left", most), "turn.actions_left", 1, most)
    game.round_number = _as_int(table.get("round", 1), "turn.round", 1, rules.last_round)
    game.phase = ACTION


def _set_random(draft: _Draft, value: object) -> None:
    """The state of the random streams, as it is after everything else was placed."""
    table = _as_table(value, "random", ("state",))
    if "state" not in table:
        return
    text = _as_text(table["state"], "random.state")
    if not _STATE.fullmatch(text):
        raise ScenarioError(f"random.state: {show(text)}; must be {_STATE_DIGITS} hexadecimal digits, has {len(text)}")
    words = np.frombuffer(bytes.fromhex(text), ">u4")
    draft.game.rng[:] = words.reshape(NUM_STREAMS, RNG_WORDS)


# --- values ---------------------------------------------------------------------------------------
def _as_table(value: object, entry: str, keys: Sequence[str], required: Sequence[str] = ()) -> Mapping[str, Any]:
    """``value`` as a table with no keys but these; ``entry`` is empty for the scenario as a whole."""
    if not isinstance(value, Mapping):
        raise ScenarioError(f"{entry}: must be a table of {', '.join(keys)}, not {describe(value)}")
    prefix = f"{entry}." if entry else ""
    for key in value:
        if key not in keys:
            raise ScenarioError(f"{prefix}{show_name(key)}: unknown key; allowed are {', '.join(keys)}")
    for key in required:
        if key not in value:
            raise ScenarioError(f"{prefix}{key}: missing; needed are {', '.join(required)}")
    return value


def _as_list(value: object, entry: str, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise ScenarioError(f"{entry}: must be a list, not {describe(value)}")
    if length is not None and len(value) != length:
        raise ScenarioError(f"{entry}: {show(value)} has {len(value)} entries; must have {length}")
    return value


def _as_int(value: object, entry: str, low: int, high: int) -> int:
    """``value`` as an int in a range; neither bool nor float is one."""
    allowed = f"must be a whole number from {low} to {high}" if low < high else f"must be {low}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ScenarioError(f"{entry}: {allowed}, not {describe(value)}")
    if not low <= int(value) <= high:
        raise ScenarioError(f"{entry}: {show(value)}; {allowed}")
    return int(value)


def _as_seat(draft: _Draft, value: object, entry: str) -> int:
    return _as_int(value, entry, 0, draft.seats - 1)


def _as_text(value: object, entry: str) -> str:
    if not isinstance(value, str):
        raise ScenarioError(f"{entry}: must be text, not {describe(value)}")
    return value


def _as_choice(value: object, choices: Sequence[str], entry: str) -> int:
    """The index of ``value`` among the words that are allowed."""
    text = _as_text(value, entry)
    if text not in choices:
        raise ScenarioError(f"{entry}: {show(text)}; must be one of {', '.join(choices)}")
    return choices.index(text)


def _as_colors(value: object, entry: str) -> list[int]:
    """The colours of a text of colour letters."""
    text = _as_text(value, entry)
    for letter in text:
        if letter not in COLOR_LETTERS:
            raise ScenarioError(f"{entry}: {letter!r} is no colour; allowed are {', '.join(COLOR_LETTERS)}")
    return [COLOR_LETTERS.index(letter) for letter in text]


# --- writing --------------------------------------------------------------------------------------
def write_scenario(position: Position) -> dict[str, Any]:
    """The scenario of a position: plain lists, texts and numbers. Reading it back gives an equal record.

    Raises:
        ValueError: inside an action, or after the end.
    """
    game = position.records[0]
    _require_between_actions(game)
    return {
        "rules": _write_rules(position.setting.rules),
        "cities": "".join(COLOR_LETTERS[color] for color in game.color[: len(position.setting.map.cities)]),
        "off_map": "".join(letter * int(count) for letter, count in zip(COLOR_LETTERS, game.off_map, strict=True)),
        "contracts": _write_contracts(position),
        "map": _write_map(position),
        "links": list(_write_links(position)),
        "factories": list(_write_factories(position)),
        "seats": _write_seats(position),
        "turn": {
            "seat": int(game.seat),
            "actions_left": int(game.actions_left),
            "first_player": int(game.first_player),
            "round": int(game.round_number),
        },
        "deck": _write_deck(position),
        **_write_automa(position),
        **_write_solo(position),
        "random": {"state": game.rng.astype(">u4").tobytes().hex()},
    }


def _require_between_actions(game: Any) -> None:
    if game.phase == OVER:
        raise ValueError("the game is over: a scenario is a position in which an action is to be chosen; use save()")
    if game.phase != ACTION:
        phase = PHASE_NAMES[game.phase]
        raise ValueError(f"inside an action (phase {phase!r}): a scenario is a position between actions; use save()")


def _write_rules(rules: Rules) -> dict[str, Any]:
    """Every field that is set; TOML has no word for None, which is what a field left out means."""
    return {name: value for name, value in rules.to_dict().items() if name in _RULES_KEYS and value is not None}


def _write_map(position: Position) -> str | dict[str, object]:
    """The name of a shipped map; any other map is written out, for its file may not be where this is read."""
    setting: Setting = position.setting
    name = setting.rules.map
    if name in shipped_maps() and load_map(name) == setting.map:
        return name
    return map_to_dict(setting.map)


def _write_contracts(position: Position) -> Any:
    """The name of a shipped deck, else its contracts; a deck with a name or an end of its own is a table."""
    name = position.setting.rules.contracts
    if name in shipped_decks() and load_deck(name) == position.setting.deck:
        return name
    table = deck_to_dict(position.setting.deck)
    contracts = table["contracts"]
    return contracts if parse_deck({"name": "inline", "contracts": contracts}) == position.setting.deck else table


def _write_links(position: Position) -> Iterator[dict[str, Any]]:
    board = position.setting.boards[0]
    for link in trace_links(position.records[0], board):
        described = describe_link(link, board, position.setting.map)
        entry = {"owner": described["owner"], "path": described["path"]}
        if not described["complete"]:
            entry["open"] = described["open"]
        yield entry


def _write_factories(position: Position) -> Iterator[dict[str, Any]]:
    game = position.records[0]
    for city, name in enumerate(position.setting.map.cities):
        if game.owner[city] != NONE:
            yield {"owner": int(game.owner[city]), "city": name, "resources": int(game.resources[city])}


def _write_seats(position: Position) -> dict[str, Any]:
    game, seats = position.records[0], range(position.setting.rules.seats)  # in solo one
    table = {
        "money": [int(game.money[seat]) for seat in seats],
        "hands": [_list_contracts(game.place == PLACE_HAND + seat) for seat in seats],
        "fulfilled": [_list_contracts(game.place == PLACE_FULFILLED + seat) for seat in seats],
    }
    if game.known.any():
        table["known"] = [_list_contracts(game.known & (1 << seat) != 0) for seat in seats]
    return table


def _write_automa(position: Position) -> dict[str, Any]:
    game, automas = position.records[0], position.setting.rules.automas
    if not automas:
        return {}
    return {
        "automa": {
            "corners": [COLOR_NAMES[color] for color in game.corners],
            "marker": [int(corner) for corner in game.marker[:automas]],
            "coins": [_write_coins(position, number) for number in range(automas)],
            "discards": _list_contracts(game.place == PLACE_DISCARDED),
        }
    }


def _write_solo(position: Position) -> dict[str, Any]:
    game = position.records[0]
    if game.mode != SOLO:
        return {}
    trains = [int(company) for company in game.bag[: game.bag_size][::-1]]
    return {"solo": {"trains": trains, "set_aside": int(np.count_nonzero(game.place == PLACE_ASIDE))}}


def _write_coins(position: Position, number: int) -> list[str]:
    game, board = position.records[0], position.setting.boards[0]
    path = [int(hex_index) for hex_index in game.coins[number, : game.num_coins[number]]]
    return [name_place(board, position.setting.map, hex_index) for hex_index in path]


def _list_contracts(flags: np.ndarray) -> list[int]:
    return [int(contract) for contract in np.flatnonzero(flags)]


def _write_deck(position: Position) -> dict[str, Any]:
    game = position.records[0]
    table = {"order": [int(contract) for contract in game.deck_order[: game.deck_size][::-1]]}
    if game.generation.any():
        table["generation"] = [int(count) for count in game.generation[: len(position.setting.deck.contracts)]]
    return table
