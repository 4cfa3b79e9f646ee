"""Links and factories of a scenario: laid and built with the core's own functions."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, opposite, pair_of
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
    OK,
    PURPLE_CITY,
    SITE_EDGE_USED,
    SITE_FULL,
    SITE_WATER,
)
from steam_env.core.steam_power.setup import trains_at_start
from steam_env.core.steam_power.state import (
    COLOR_NAMES,
    FACTORIES,
    RESOURCES_PER_COLOR,
    TILE_PLAIN,
    TILE_STOCK,
)
from steam_env.core.steam_power.tiles import tile_kind
from steam_env.core.steam_power.track import extend_link, far_edge_problem, open_link, site_problem
from steam_env.data.hexes import hex_name
from steam_env.kit.checks import compose
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import show
from steam_env.words.seats import name_seat
from steam_env.words.steam_power.scenario_values import Draft, as_seat
from steam_env.words.values import as_choice, as_int, as_list, as_table, as_text

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


def lay_links(draft: Draft, value: object) -> None:
    """Lay the links in the order in which they were begun.

    Tiles of different links were laid in another order than the file's. So the stock is not asked tile
    by tile: it may be short on the way although the position is possible. All else may be: what two
    links may not do to each other (rules 1.4, 4.2, 4.4) shows at the later one, whichever that is.
    """
    for index, link in enumerate(as_list(value, "links")):
        _lay_link(draft, link, f"links[{index}]")
    for kind, left in enumerate(draft.game.tiles):
        if left < 0 and not (draft.setting.rules.automas and kind == TILE_PLAIN):  # rule 8.13 may overdraw it
            shown = TILE_STOCK[kind] - int(left)
            raise ScenarioError(
                f"links: {shown} tiles of the kind {_TILE_NAMES[kind]!r} lie on the map; "
                f"there are {TILE_STOCK[kind]} (rule 1.5)"
            )


def _lay_link(draft: Draft, value: object, entry: str) -> None:
    table = as_table(value, entry, ("owner", "path", "open"), required=("owner", "path"))
    seat = as_seat(draft, table["owner"], f"{entry}.owner")
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


def _find_edges(draft: Draft, table: Mapping[str, Any], path: list[int], entry: str) -> list[int]:
    """The edge by which the link leaves each hex of its path; the last one is the open edge, if there is one."""
    neighbour = draft.board.neighbour
    edges = [int(np.flatnonzero(neighbour[hex_index] == beyond)[0]) for hex_index, beyond in pairwise(path)]
    if draft.board.hex_city[path[-1]] == NONE:
        edges.append(_read_open_edge(draft, table, path, entry))
    elif "open" in table:
        raise ScenarioError(f"{entry}.open: {show(table['open'])}, but a path that ends in a city has no open edge")
    return edges


def _read_path(draft: Draft, value: object, entry: str) -> list[int]:
    """The hexes of a path: a start city, tiles, and for a complete link the end city (rules 4.3, 4.5)."""
    names = [compose(name) for name in as_list(value, entry)]
    if len(names) < 2:
        raise ScenarioError(f"{entry}: {show(value)} is too short; must be a start city and at least one hex")
    path = [read_stop(draft, name, f"{entry}[{index}]") for index, name in enumerate(names)]
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


def read_stop(draft: Draft, value: object, entry: str) -> int:
    """The hex of a city's name or a hex's name."""
    name = as_text(value, entry)
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


def _read_open_edge(draft: Draft, table: Mapping[str, Any], path: list[int], entry: str) -> int:
    """The open edge, refused unless it leads into empty land, or track without the shared edge (rule 4.4).

    The link's own tiles are not laid yet. They cannot be in the way: one that used the shared edge would
    have come from the tail's hex, where a second segment may not use that edge.
    """
    if "open" not in table:
        raise ScenarioError(f"{entry}.open: missing; a path that ends in no city needs one of {', '.join(EDGE_NAMES)}")
    edge = as_choice(table["open"], EDGE_NAMES, f"{entry}.open")
    where = f"{entry}.open: {EDGE_NAMES[edge]!r}"
    problem = far_edge_problem(draft.game, draft.board, path[-1], edge, int(draft.board.hex_city[path[0]]))
    if problem != OK:
        raise ScenarioError(f"{where} {_FAR_TEXT[problem]}; an open edge may not (rule 4.4)")
    city = draft.board.hex_city[draft.board.neighbour[path[-1], edge]]
    if city != NONE:
        name = draft.setting.map.cities[city]
        raise ScenarioError(f"{where} leads into {name!r}, so the link is complete: its path must end there (rule 4.5)")
    return edge


def _check_start(draft: Draft, seat: int, start: int, entry: str) -> None:
    """Refuse a second link under way, one without a train, or a start off the network (rules 4.2, 4.3)."""
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


def _check_tile(draft: Draft, seat: int, hex_index: int, way_in: int, way_out: int, entry: str) -> None:
    """Refuse a tile on a hex that is no land or full, or a segment that does not cross (rules 1.4, 4.1, 4.2)."""
    col, row = int(draft.board.col[hex_index]), int(draft.board.row[hex_index])
    problem = site_problem(draft.game, draft.board, seat, hex_index, way_in)
    if problem in _SITE_TEXT:  # money, the last thing that is asked, does not matter here
        raise ScenarioError(f"{entry}: {hex_name(col, row)!r} {_SITE_TEXT[problem]}")
    if tile_kind(draft.game.track[hex_index, 0], pair_of(way_in, way_out)) == NONE:
        raise ScenarioError(
            f"{entry}: on {hex_name(col, row)!r} the segment from {EDGE_NAMES[way_in]} to {EDGE_NAMES[way_out]} does "
            "not cross the one that is there; two on a hex must (rule 1.4)"
        )


def place_factories(draft: Draft, value: object) -> None:
    """Build the factories (rule 5)."""
    for index, factory in enumerate(as_list(value, "factories")):
        _place_factory(draft, factory, f"factories[{index}]")


def _place_factory(draft: Draft, value: object, entry: str) -> None:
    keys = ("owner", "city", "resources")
    table = as_table(value, entry, keys, required=keys)
    seat = as_seat(draft, table["owner"], f"{entry}.owner")
    name = as_text(table["city"], f"{entry}.city")
    if name not in draft.cities:
        raise ScenarioError(f"{entry}.city: {name!r} is no city of map {draft.setting.map.name!r}")
    city = draft.cities[name]
    problem = build_problem(draft.game, draft.board, seat, city)
    if problem in _FACTORY_TEXT:  # an empty stock is no problem: the city may be flipped
        key, text = _FACTORY_TEXT[problem]
        raise ScenarioError(f"{entry}.{key}: {text.format(city=name, seat=name_seat(seat))}")
    # Rule 5.2: a bonus factory may bring one resource more than usual.
    most = int(usual_resources(draft.game)) + 1
    resources = as_int(table["resources"], f"{entry}.resources", 0, most)
    color = draft.game.color[city]
    if resources > draft.game.stock[color]:
        raise ScenarioError(
            f"{entry}.resources: {resources} makes more than {RESOURCES_PER_COLOR} {COLOR_NAMES[color]} resources on "
            f"the map; there are {RESOURCES_PER_COLOR} (rule 2.2)"
        )
    build_factory(draft.game, draft.work, seat, city, resources)
