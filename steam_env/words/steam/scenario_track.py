"""New Cities and links of a scenario: the tiles follow from the paths, and must hold the very links again."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, opposite
from steam_env.core.steam.links import begin_tracing, is_city, is_complete, link_at, trace_links
from steam_env.core.steam.state import BUILD, COLOR_NAMES, MAX_LINKS, NEW_CITIES
from steam_env.core.steam.tiles import CENTRE, PATTERNS, Segment
from steam_env.kit.errors import ScenarioError
from steam_env.kit.show import show
from steam_env.words.seats import name_seat
from steam_env.words.steam.scenario_values import Draft, as_flag, as_stop
from steam_env.words.values import as_choice, as_int, as_list, as_table, as_text

Piece = tuple[int, Segment]  # a hex and a segment on it


def place_new_cities(draft: Draft, value: object) -> None:
    """Make towns cities (rule 8.16); the New City tiles are counted."""
    for number, entry in enumerate(as_list(value, "new_cities")):
        where = f"new_cities[{number}]"
        table = as_table(entry, where, ("stop", "color"), required=("stop", "color"))
        stop = as_stop(draft, table["stop"], f"{where}.stop")
        if is_city(draft.game, stop):
            raise ScenarioError(f"{where}.stop: {table['stop']!r} is a city already; a New City stands on a town")
        color = as_choice(table["color"], COLOR_NAMES, f"{where}.color")
        if draft.game.new_cities[color] == 0:
            most = f"there {'is' if NEW_CITIES[color] == 1 else 'are'} {NEW_CITIES[color]} (rule 4.3)"
            raise ScenarioError(f"{where}.color: more {COLOR_NAMES[color]} New Cities than tiles; {most}")
        draft.game.city_color[stop] = color
        draft.game.new_cities[color] -= 1


def lay_links(draft: Draft, value: object, phase: int, seat: int, bankrupt: np.ndarray) -> None:
    """Lay the tiles of all links; what is traced on them must be these links."""
    entries = as_list(value, "links")
    if len(entries) > MAX_LINKS:
        raise ScenarioError(f"links: {len(entries)}; at most {MAX_LINKS} are allowed (rule 2.7)")
    links = [_read_link(draft, entry, f"links[{number}]") for number, entry in enumerate(entries)]
    for number, link in enumerate(links):
        link.check_owner(phase, seat, bankrupt, f"links[{number}]")
    _lay_tiles(draft, links)
    _trace(draft, links)


class _Link:
    """A link as it is read: its owner, its mark and its pieces in order."""

    def __init__(self, table: Mapping[str, Any], entry: str, seats: int) -> None:
        self.owner = as_int(table["owner"], f"{entry}.owner", NONE, seats - 1)
        self.is_open = "open" in table
        self.mark = as_flag(table.get("extended", False), f"{entry}.extended")
        self.pieces: list[Piece] = []

    def check_owner(self, phase: int, seat: int, bankrupt: np.ndarray, entry: str) -> None:
        """Refuse a link of a bankrupt seat, or a mark that cannot be there (rules 8.10, 13.1)."""
        if self.owner != NONE and bankrupt[self.owner]:
            raise ScenarioError(f"{entry}.owner: {name_seat(self.owner)} is bankrupt and owns no links (rule 13.1)")
        if self.mark and not (self.is_open and phase == BUILD and self.owner == seat):
            allowed = "only an incomplete link of the seat to decide has a mark, in a track turn (rule 8.10)"
            raise ScenarioError(f"{entry}.extended: {allowed}")


def _read_link(draft: Draft, value: object, entry: str) -> _Link:
    table = as_table(value, entry, ("owner", "path", "open", "extended"), required=("owner", "path"))
    link = _Link(table, entry, draft.seats)
    names = [
        as_text(name, f"{entry}.path[{place}]") for place, name in enumerate(as_list(table["path"], f"{entry}.path"))
    ]
    if len(names) < (1 if link.is_open else 2):
        needed = "a stop, or a stop and hexes with an open edge" if link.is_open else "two stops at its ends"
        raise ScenarioError(f"{entry}.path: {show(names)} is too short; must have {needed}")
    hexes = [_find_hex(draft, names, place, link.is_open, f"{entry}.path[{place}]") for place in range(len(names))]
    edges = [_find_edge(draft, hexes, names, place, entry) for place in range(len(hexes) - 1)]
    if link.is_open:
        edges.append(as_choice(table["open"], EDGE_NAMES, f"{entry}.open"))
        _check_open(draft, hexes[-1], edges[-1], hexes[0], f"{entry}.open")
    elif hexes[0] == hexes[-1]:
        raise ScenarioError(f"{entry}.path: {names[-1]!r} is both ends; a link joins two stops (rule 8.3 c)")
    link.pieces = _cut_pieces(draft, hexes, edges, link.is_open, entry)
    if not link.pieces:
        raise ScenarioError(
            f"{entry}.path: {show(names)} has no track; neighbouring cities are not connected (rule 1.6)"
        )
    return link


def _find_hex(draft: Draft, names: Sequence[str], place: int, is_open: bool, entry: str) -> int:
    """The hex at a place of a path: stops stand at its ends alone."""
    name = names[place]
    is_end = place == 0 or (place == len(names) - 1 and not is_open)
    if is_end:
        return int(draft.board.stop_hex[as_stop(draft, name, entry)])
    if name in draft.stops:
        raise ScenarioError(f"{entry}: {name!r} is a stop; a link ends in the first one that it reaches (rule 3.1)")
    if name not in draft.hexes:
        raise ScenarioError(f"{entry}: {show(name)} is no hex of map {draft.setting.map.name!r}")
    index = draft.hexes[name]
    if draft.board.hex_stop[index] != NONE:
        stop = draft.setting.map.stops[draft.board.hex_stop[index]]
        raise ScenarioError(f"{entry}: {name!r} is the hex of {stop!r}; its name must stand here, at an end")
    return index


def _find_edge(draft: Draft, hexes: Sequence[int], names: Sequence[str], place: int, entry: str) -> int:
    """The open edge by which a path goes on from one of its hexes to the next."""
    found = np.flatnonzero(draft.board.beyond[hexes[place]] == hexes[place + 1])
    if not len(found):
        where = f"{entry}.path[{place + 1}]: {names[place + 1]!r}"
        raise ScenarioError(f"{where} is not beside {names[place]!r} over an open edge (rule 1.4)")
    return int(found[0])


def _check_open(draft: Draft, last: int, edge: int, root: int, entry: str) -> None:
    """Refuse an open edge that is closed, leads into a city, or points at the root (rules 3.1, 8.3)."""
    beyond = int(draft.board.beyond[last, edge])
    if beyond == NONE:
        raise ScenarioError(f"{entry}: {EDGE_NAMES[edge]!r} is closed (rule 1.4)")
    if is_city(draft.game, int(draft.board.hex_stop[beyond])):
        raise ScenarioError(f"{entry}: {EDGE_NAMES[edge]!r} leads into a city, so the link is complete (rule 3.1)")
    if beyond == root:
        raise ScenarioError(f"{entry}: {EDGE_NAMES[edge]!r} points back at the root of the link (rule 8.3 c)")


def _cut_pieces(draft: Draft, hexes: Sequence[int], edges: Sequence[int], is_open: bool, entry: str) -> list[Piece]:
    """The segments of a path: spurs on towns at its ends, edge to edge elsewhere, nothing on cities."""
    pieces: list[Piece] = []
    for place, here in enumerate(hexes):
        ways = [opposite(edges[place - 1])] if place > 0 else []
        ways += [edges[place]] if place < len(edges) else []
        if is_city(draft.game, int(draft.board.hex_stop[here])):
            continue
        ends = [*ways, CENTRE] if draft.board.hex_stop[here] != NONE else ways
        if len(set(ends)) != 2:
            raise ScenarioError(f"{entry}.path[{place}]: the link turns back; a segment joins two edges (rule 2.1)")
        pieces.append((here, (min(ends), max(ends))))
    return pieces


def _lay_tiles(draft: Draft, links: Sequence[_Link]) -> None:
    """Put the pieces of all links together to tiles, and count those (rules 2.2, 2.5)."""
    segments: dict[int, dict[Segment, int]] = defaultdict(dict)
    for number, link in enumerate(links):
        for here, segment in link.pieces:
            if segment in segments[here]:
                raise ScenarioError(f"links[{number}].path: the same track is in links[{segments[here][segment]}]")
            segments[here][segment] = number
    names = list(draft.hexes)
    for here, lying in segments.items():
        shown = tuple(sorted(lying))
        if shown not in PATTERNS:
            number = max(lying.values())
            raise ScenarioError(f"links[{number}].path: the track on {names[here]} is no pattern of a tile (rule 2.2)")
        pattern = PATTERNS.index(shown)
        draft.game.pattern[here] = pattern
        for slot, segment in enumerate(shown):
            draft.game.segment_link[here, slot] = lying[segment]
        _take_tile(draft, pattern, max(lying.values()))


def _take_tile(draft: Draft, pattern: int, number: int) -> None:
    kind = int(draft.board.kind[pattern])
    if draft.game.unlimited:
        return
    if draft.game.stock[kind] == 0:
        tiles = draft.setting.tiles[kind]
        raise ScenarioError(
            f"links[{number}].path: more tiles of kind {tiles.kind!r} than the stock's {tiles.number} (rule 2.5)"
        )
    draft.game.stock[kind] -= 1


def _trace(draft: Draft, links: Sequence[_Link]) -> None:
    """Trace the links, which must be those of the scenario, each one as a whole (rules 3.1 to 3.4)."""
    game = draft.game
    for number, link in enumerate(links):
        game.link_owner[number], game.link_mark[number] = link.owner, link.mark
    game.num_links = len(links)
    begin_tracing(game, draft.work, NONE, 0, False)
    trace_links(game, draft.board, draft.work, NONE)
    traced = [[link_at(game, here, ends[0]) for here, ends in link.pieces] for link in links]
    lengths = Counter(chain(*traced))
    for number, (link, found) in enumerate(zip(links, traced, strict=True)):
        is_whole = len(set(found)) == 1 and lengths[found[0]] == len(found)
        if not is_whole or is_complete(game, found[0]) == link.is_open:
            raise ScenarioError(f"links[{number}].path: is not one whole link: other track goes on with it (rule 3.1)")
