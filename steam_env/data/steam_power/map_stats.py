"""Statistics of maps that tell how they play, as a Markdown table.

    python -m steam_env.data.steam_power.map_stats midwest my_map.toml

All of it is about the empty board. *Tiles* are track tiles of one link, from group to group over land,
through no city; *cost* is in dollars for new tiles (rule 4.1). Two groups are *neighbours* if no third
group lies between them: in tiles, the square of their distance is at most the sum of the squares of the
third one's distances to both (the Gabriel graph). A *start* is an edge of a city over which a link can
begin: the hex there is land, and some other edge of it leads on (rule 4.4).
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean

from steam_env.core.steam_power.state import CITY, TERRAIN_COST, TERRAIN_NAMES, WATER
from steam_env.data.hexes import neighbours
from steam_env.data.steam_power.maps import (
    Map,
    city_cells,
    find_groups,
    is_land,
    load_map,
    shipped_maps,
    terrain_by_cell,
)
from steam_env.kit.program import make_program

DETOUR = 2  # tiles more than the shortest way, for which lower costs are looked up
Cell = tuple[int, int]


@dataclass(frozen=True)
class NeighbourLink:
    """The cheapest link between two neighbouring groups."""

    groups: tuple[int, int]
    """Indices into the map's groups."""
    tiles: int
    """Fewest tiles that join them."""
    cost: int
    """Dollars for so many tiles, at least."""
    detour_cost: int
    """Dollars at least, with up to `DETOUR` tiles more."""


@dataclass(frozen=True)
class MapStats:
    """The statistics of a map, as `measure_map` takes them."""

    name: str
    cities: int
    groups: int
    """Groups of cities, lone cities included."""
    joint_groups: int
    """Groups of two cities or more."""
    terrain: tuple[int, ...]
    """Hexes by terrain code."""
    links: tuple[NeighbourLink, ...]
    """One for each pair of neighbouring groups."""
    starts: tuple[int, ...]
    """By city: edges over which a link can begin."""
    one_tile_groups: int
    """The most groups that lie round a single land hex: more than 3 is a clump."""
    passages: int
    """Land hexes at which the land is one hex wide: water or the map's edge parts the neighbours that are land."""
    components: int
    """Parts of the map that no links can join; 1 for a map in one piece."""

    @property
    def hexes(self) -> int:
        """Number of hexes."""
        return sum(self.terrain)

    @property
    def land(self) -> int:
        """Number of hexes on which track can lie."""
        return sum(number for terrain, number in enumerate(self.terrain) if is_land(terrain))

    @property
    def land_per_city(self) -> float:
        """Land hexes for each city."""
        return self.land / self.cities

    @property
    def mean_tiles(self) -> float:
        """Tiles of a neighbour link, on average; 0 without any."""
        return mean(link.tiles for link in self.links) if self.links else 0.0

    @property
    def paying_share(self) -> float:
        """Share of the neighbour links whose cheapest shortest way costs money."""
        return _share(sum(link.cost > 0 for link in self.links), len(self.links))

    @property
    def detour_share(self) -> float:
        """Share of the neighbour links that a detour of up to `DETOUR` tiles makes cheaper."""
        return _share(sum(link.detour_cost < link.cost for link in self.links), len(self.links))

    def share_within(self, tiles: int) -> float:
        """Share of the neighbour links of at most so many tiles."""
        return _share(sum(link.tiles <= tiles for link in self.links), len(self.links))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


# --- measuring ---------------------------------------------------------------------------------------
def measure_map(board: Map) -> MapStats:
    """The statistics of `board`."""
    terrain = terrain_by_cell(board)
    cells = city_cells(board)
    members = find_groups(board)
    groups = [[cells[city] for city in group] for group in members]
    ways = _measure_ways(groups, terrain)
    counts = Counter(terrain.values())
    return MapStats(
        name=board.name,
        cities=len(cells),
        groups=len(groups),
        joint_groups=sum(len(group) > 1 for group in groups),
        terrain=tuple(counts[code] for code in range(len(TERRAIN_NAMES))),
        links=_list_links(ways, len(groups)),
        starts=tuple(_count_starts(cell, terrain) for cell in cells),
        one_tile_groups=_count_one_tile_groups(groups, terrain),
        passages=sum(_is_passage(cell, terrain) for cell in terrain if _takes_track(cell, terrain)),
        components=_count_components(ways, len(groups)),
    )


def _measure_ways(groups: list[list[Cell]], terrain: dict[Cell, int]) -> dict[tuple[int, int], tuple[int, int, int]]:
    """(tiles, cost, detour cost) by pair of groups, lower index first; pairs that no link can join are absent."""
    group_at = {cell: index for index, group in enumerate(groups) for cell in group}
    ways = {}
    for index, group in enumerate(groups):
        for other, costs in _spread(group, index, group_at, terrain).items():
            if index < other:
                tiles = min(costs)
                detour_cost = min(cost for length, cost in costs.items() if length <= tiles + DETOUR)
                ways[index, other] = (tiles, costs[tiles], detour_cost)
    return ways


def _spread(
    group: list[Cell], index: int, group_at: dict[Cell, int], terrain: dict[Cell, int]
) -> dict[int, dict[int, int]]:
    """By other group and number of tiles: the lowest cost of a way of so many tiles from `group`.

    A way may pass a hex twice here; dropping the loop leaves one that is no dearer and has fewer tiles, so
    the lowest cost of at most so many tiles is that of a link, and so is that of the fewest tiles.
    """
    found: dict[int, dict[int, int]] = {}
    front = dict.fromkeys(group, 0)
    best: dict[Cell, int] = {}
    tiles = 0
    while front:
        front, entered = _advance(front, terrain), tiles
        for cell in [cell for cell in front if cell in group_at]:
            cost = front.pop(cell)
            other = group_at[cell]
            if other != index:
                costs = found.setdefault(other, {})
                costs[entered] = min(cost, costs.get(entered, cost))
        # A way that comes later matters only where it is cheaper than all before it.
        front = {cell: cost for cell, cost in front.items() if cost < best.get(cell, cost + 1)}
        best.update(front)
        tiles += 1
    return found


def _advance(front: dict[Cell, int], terrain: dict[Cell, int]) -> dict[Cell, int]:
    """One hex further from each cell of `front`: the lowest cost by cell, cities cost nothing."""
    reached: dict[Cell, int] = {}
    for cell, cost in front.items():
        for other in neighbours(cell):
            code = terrain.get(other)
            if code is not None and (code == CITY or is_land(code)):
                total = cost + (0 if code == CITY else TERRAIN_COST[code])
                reached[other] = min(total, reached.get(other, total))
    return reached


def _list_links(ways: dict[tuple[int, int], tuple[int, int, int]], groups: int) -> tuple[NeighbourLink, ...]:
    squares = {pair: way[0] ** 2 for pair, way in ways.items()}
    squares |= {(b, a): square for (a, b), square in squares.items()}
    return tuple(
        NeighbourLink((a, b), *way)
        for (a, b), way in sorted(ways.items())
        if not any(
            squares[a, third] + squares[third, b] < squares[a, b]
            for third in range(groups)
            if (a, third) in squares and (third, b) in squares
        )
    )


def _count_starts(cell: Cell, terrain: dict[Cell, int]) -> int:
    return sum(_can_lead_on(first, cell, terrain) for first in neighbours(cell) if _takes_track(first, terrain))


def _takes_track(cell: Cell, terrain: dict[Cell, int]) -> bool:
    return cell in terrain and is_land(terrain[cell])


def _can_lead_on(first: Cell, start: Cell, terrain: dict[Cell, int]) -> bool:
    """Whether a tile on `first`, entered from the city at `start`, has a legal far edge (rule 4.4)."""
    return any(
        other != start and (_takes_track(other, terrain) or terrain.get(other) == CITY) for other in neighbours(first)
    )


def _count_one_tile_groups(groups: list[list[Cell]], terrain: dict[Cell, int]) -> int:
    around: Counter[Cell] = Counter()
    for group in groups:
        around.update({other for cell in group for other in neighbours(cell) if _takes_track(other, terrain)})
    return max(around.values(), default=0)


def _is_passage(cell: Cell, terrain: dict[Cell, int]) -> bool:
    """Whether round the hex land and cities stand in two runs or more, with water or no hex between them."""
    solid = [terrain.get(other, WATER) != WATER for other in neighbours(cell)]
    return sum(here and not before for before, here in pairwise([solid[-1], *solid])) > 1


def _count_components(ways: dict[tuple[int, int], tuple[int, int, int]], groups: int) -> int:
    component = list(range(groups))
    for a, b in ways:
        old, new = component[b], component[a]
        component = [new if label == old else label for label in component]
    return len(set(component))


# --- printing ----------------------------------------------------------------------------------------
def format_stats(stats: Sequence[MapStats]) -> str:
    """A Markdown table, one column for each map."""
    columns = [_describe_stats(one) for one in stats]
    entries = columns[0] if columns else ()
    lines = [["", *(one.name for one in stats)], ["---", *("---:" for _ in stats)]]
    lines += [[entry, *(column[entry] for column in columns)] for entry in entries]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(f"| {' | '.join(map(str.ljust, line, widths))} |" for line in lines)


def _describe_stats(stats: MapStats) -> dict[str, str]:
    histogram = Counter(link.tiles for link in stats.links)
    parts = f"{stats.cities} in {stats.groups} groups, {stats.joint_groups} of several"
    shares = {
        f"{name}, share of land": f"{_share(stats.terrain[code], stats.land):.0%}"
        for code, name in enumerate(TERRAIN_NAMES)
        if is_land(code)
    }
    return {
        "cities": parts,
        "hexes": f"{stats.hexes}: {stats.land} land, {stats.hexes - stats.land - stats.cities} water",
        **shares,
        "parts that no link can join": str(stats.components),
        "neighbour links": str(len(stats.links)),
        "- by tiles": ", ".join(f"{tiles}: {number}" for tiles, number in sorted(histogram.items())),
        "- tiles, mean": f"{stats.mean_tiles:.2f}",
        "- of 1 to 4 tiles": f"{stats.share_within(4):.0%}",
        "- cost in $, mean": f"{mean(link.cost for link in stats.links) if stats.links else 0:.2f}",
        "- that pay for terrain": f"{stats.paying_share:.0%}",
        f"- cheaper by up to {DETOUR} tiles more": f"{stats.detour_share:.0%}",
        "starts per city, min / mean / max": f"{min(stats.starts)} / {mean(stats.starts):.1f} / {max(stats.starts)}",
        "groups round one hex, most": str(stats.one_tile_groups),
        "passages one hex wide": str(stats.passages),
    }


@make_program("map_stats")
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of the maps that are named; returns the exit code, 2 for a map that cannot be loaded."""
    parser = argparse.ArgumentParser(
        prog="python -m steam_env.data.steam_power.map_stats", description="Statistics of maps."
    )
    parser.add_argument("maps", nargs="*", metavar="MAP", help="a shipped name or a path; none: all shipped maps")
    options = parser.parse_args(arguments)
    try:
        stats = [measure_map(load_map(name)) for name in options.maps or shipped_maps()]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(format_stats(stats))
    return 0


if __name__ == "__main__":
    sys.exit(main())
