"""What a map of Steam (2009) is asked for.

    python -m steam_env.pages.balance --game steam --keep docs/balance/steam.jsonl

measures the shipped maps; ``docs/steam_results.md`` tells how they do.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam.state import (
    END,
    HOP,
    MAX_TURNS,
    NUM_TILES,
    OVER,
    SCORE,
    SEAT_COUNTS,
    TILE_NAMES,
)
from steam_env.data.steam.sets import find_map
from steam_env.data.steam.setting import Setting
from steam_env.kit.arrays import FloatArray
from steam_env.pages.balance import PLACES, Balance, Demand, Ratio

MAPS = ("mini", "great_lakes", "rhineland")
LONG = 4  # links of a delivery that is long
NUMBER = "{:.1f}"

# Columns of what is noticed: turns, tiles by number, deliveries, long ones, their links, then by turn: how many, and
# the sums of income and victory points over the seats.
TURNS, TILES, DELIVERIES, LONG_ONES, LINKS = 0, 0, NUM_TILES + 1, NUM_TILES + 2, NUM_TILES + 3
BY_TURN = NUM_TILES + 4
NUM_COLUMNS = BY_TURN + 3 * MAX_TURNS

DEMANDS = (
    Demand("hills", "share of hills in the land", 0.15, 0.25),
    Demand("rivers", "share of hexes with a river in the land", 0.1, 0.2),
    Demand(PLACES, "most that a place in the first order wins beside its share", high=0.05, seats=SEAT_COUNTS),
    Demand("bankrupt", "seats that go bankrupt", high=0.001, seats=SEAT_COUNTS),
    Demand("debt", "seats that end with an income below 0", high=0.01, seats=SEAT_COUNTS),
    *(
        Demand(f"tile {number}", f"turns in which somebody takes {TILE_NAMES[number]}", 0.05, seats=SEAT_COUNTS)
        for number in range(1, NUM_TILES + 1)
    ),
    Demand("long", f"deliveries over {LONG} links and more", 0.1, seats=SEAT_COUNTS),
    Demand("links", "links of a delivery, mean", 2, form=NUMBER, seats=SEAT_COUNTS),
)


def measure_setting(setting: Setting) -> dict[str, float]:
    """Measures of the map by name, before any game."""
    board = setting.boards[0]
    here = slice(int(board["num_hexes"]))
    stops = board["hex_stop"][here]
    land = (stops == NONE) | (board["stop_color"][stops] == NONE)
    return {name: float(board[field][here][land].mean()) for name, field in (("hills", "hills"), ("rivers", "river"))}


def notice_step(before: np.ndarray, after: np.ndarray) -> FloatArray:
    """(games, columns): what a step adds: a turn that ends, a cube that is delivered."""
    found = np.zeros((len(after), NUM_COLUMNS))
    ended = (after["round_number"] != before["round_number"]) | ((after["phase"] == END) & (before["phase"] != END))
    found[:, TURNS] = ended
    for number in range(1, NUM_TILES + 1):
        found[:, TILES + number] = ended & (before["tile"] == number).any(axis=1)
    delivered = np.isin(before["phase"], (HOP, OVER)) & (after["phase"] == SCORE)
    links = before["hops"] + 1
    found[:, DELIVERIES] = delivered
    found[:, LONG_ONES] = delivered & (links >= LONG)
    found[:, LINKS] = delivered * links
    rows = np.flatnonzero(ended)
    columns = BY_TURN + 3 * (before["round_number"][rows] - 1)
    for shift, values in enumerate((after["num_seats"], after["income"].sum(axis=1), after["vp"].sum(axis=1))):
        found[rows, columns + shift] = values[rows]
    return found


def count_games(records: np.ndarray, noticed: np.ndarray, setting: Setting) -> dict[str, Ratio]:
    """What games that are over tell of a map, by name: two numbers for each game, see ``Balance.count``."""
    seats = np.full(len(records), float(setting.num_seats))
    tiles = {f"tile {number}": (noticed[:, TILES + number], noticed[:, TURNS]) for number in range(1, NUM_TILES + 1)}
    turns = {
        f"{what} {turn + 1}": (noticed[:, column + shift], noticed[:, column])
        for turn in range(setting.rules.num_turns)
        for column in (BY_TURN + 3 * turn,)
        for shift, what in ((1, "income"), (2, "vp"))
    }
    return {
        "bankrupt": ((records["bankrupt"] != 0).sum(axis=1), seats),
        "debt": ((records["income"] < 0).sum(axis=1), seats),
        "long": (noticed[:, LONG_ONES], noticed[:, DELIVERIES]),
        "links": (noticed[:, LINKS], noticed[:, DELIVERIES]),
        "deliveries": (noticed[:, DELIVERIES], seats),
        **tiles,
        **turns,
    }


def list_seats(world: str) -> Sequence[int]:
    """The numbers of seats that a map is made for."""
    return find_map(world).seats


BALANCE = Balance("map", MAPS, ("greedy",), DEMANDS, measure_setting, notice_step, count_games, list_seats)
