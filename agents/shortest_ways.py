"""Shortest ways over an empty map, from each hex to a group of cities: tiles first, then dollars."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.board import make_board
from steam_env.data.steam_power.maps import Map

TILE = 1000.0  # a tile more is worse than any cost
FAR = 1e9  # out of reach, and other cities: a way ends there
REMEMBERED = 1024  # ways, as each is asked for in every game: more than a few maps have groups of cities


@lru_cache(REMEMBERED)
def measure_ways(board_map: Map, cities: tuple[int, ...]) -> np.ndarray:
    """(hexes,) float64: tiles x ``TILE`` + dollars of the way from a hex into one of the cities; 0 at the cities.

    The hex's own tile counts. Tracks that lie there do not: it is about the map.
    """
    board = make_board(board_map.hexes)[0]
    ways = np.full(len(board_map.hexes), FAR)
    waiting = [(0.0, int(board["city_hex"][city])) for city in cities]
    for effort, hex_index in waiting:
        ways[hex_index] = effort
    while waiting:
        effort, hex_index = heappop(waiting)
        for beyond in map(int, board["neighbour"][hex_index]):
            total = effort + TILE + int(board["cost"][beyond])
            if beyond != NONE and board["cost"][beyond] != NONE and total < ways[beyond]:
                ways[beyond] = total
                heappush(waiting, (total, beyond))
    return ways
