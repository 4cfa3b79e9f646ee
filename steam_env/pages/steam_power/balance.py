"""What a map of Steam Power is asked for, and the page that tells how the shipped ones do: ``docs/balance.md``.

    python -m steam_env.pages.balance --agent greedy --agent planner --agent duel --keep docs/balance/results.jsonl

measures the shipped maps, ``python -m steam_env.pages balance`` writes the page from what the file holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import CROSSING_COST, HILLS, MAX_NEEDS, MAX_SEATS, TILE_PLAIN
from steam_env.data.steam_power.map_stats import measure_map
from steam_env.data.steam_power.setting import Setting
from steam_env.evaluation.report import TURN_NAMES, say_percent
from steam_env.kit.arrays import BoolArray
from steam_env.pages.balance import PLACES, ROUNDS, Balance, Demand, Part, Ratio, read_parts, tabulate
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import code, table

PAGE = Path("docs/balance.md")
RESULTS = Path("docs/balance/results.jsonl")
ALL_SEATS = tuple(range(2, MAX_SEATS + 1))
DOLLARS = "${:.1f}"
NUMBER = "{:.2f}"
COUNT = "{:.0f}"

DEMANDS = (
    Demand("land", "land hexes for each city", 4.5, 5.5, form=NUMBER),
    Demand("link", "tiles of a neighbour link, mean", 2.0, 2.1, form=NUMBER),
    Demand("short", "neighbour links of one tile", 1, form=COUNT),
    Demand("passages", "passages one hex wide", 1, form=COUNT),
    Demand("hills", "share of hills in the land", 0.25),
    Demand("needs", "resources of a contract, mean", 3.0, 3.3, form=NUMBER),
    Demand("long", "contracts of five resources", high=0.1),
    Demand("paid", "contracts that pay money", 0.65, 0.75),
    Demand("both", "contracts with money and a bonus", 0.25),
    Demand("out", "games in which the plain tiles run out", high=0.01, seats=(MAX_SEATS,)),
    Demand("crossings", "crossings, of the tiles on the board in the end", 0.03, seats=ALL_SEATS),
    Demand("dollars", "paid for terrain and crossings, all seats together", 25, seats=(2,), form=DOLLARS),
    Demand("flips", "factories that flip", 0.65, 0.8, seats=ALL_SEATS),
    Demand(PLACES, "most that a place in the first round wins more or less than its share", high=0.05, seats=ALL_SEATS),
    Demand(ROUNDS, "rounds, median", 10, 25, seats=(2, 3, 4), form=COUNT),
    Demand(ROUNDS, "rounds, median", 8, seats=(MAX_SEATS,), form=COUNT),
)


def measure_setting(setting: Setting) -> dict[str, float]:
    """Measures of the map and the deck by name, before any game."""
    stats, contracts = measure_map(setting.map), setting.deck.contracts
    paid = [contract for contract in contracts if contract.money]
    return {
        "land": stats.land_per_city,
        "link": stats.mean_tiles,
        "short": sum(link.tiles == 1 for link in stats.links),
        "passages": stats.passages,
        "hills": stats.terrain[HILLS] / stats.land,
        "needs": sum(len(contract.needs) for contract in contracts) / len(contracts),
        "long": sum(len(contract.needs) == MAX_NEEDS for contract in contracts) / len(contracts),
        "paid": len(paid) / len(contracts),
        "both": sum(contract.bonus != "none" for contract in paid) / len(contracts),
    }


def notice_shortage(before: np.ndarray, after: np.ndarray) -> BoolArray:
    """(games,) bool, whether no straight or curved tile is in stock after a step (rule 1.5)."""
    return np.asarray(after["tiles"][:, TILE_PLAIN] <= 0)


def count_games(records: np.ndarray, noticed: np.ndarray, setting: Setting) -> dict[str, Ratio]:
    """What games that are over tell of a map, by name: two numbers for each game, see ``Balance.count``.

    Dollars are those for the tiles that lie on the board in the end (rule 4.1).
    """
    used, crossed = (records["track"][:, :, layer] != NONE for layer in (0, 1))
    cost = setting.boards[0]["cost"]
    built = records["owner"] != NONE
    games = np.ones(len(records))
    crossings = crossed.sum(axis=1)
    return {
        "out": (noticed > 0, games),
        "crossings": (crossings, used.sum(axis=1)),
        "dollars": (np.where(used, cost, 0).sum(axis=1) + CROSSING_COST * crossings, games),
        "flips": ((built & (records["resources"] == 0)).sum(axis=1), built.sum(axis=1)),
    }


BALANCE = Balance("map", ("midwest", "alps"), ("greedy",), DEMANDS, measure_setting, notice_shortage, count_games)


# --- the page ---------------------------------------------------------------------------------------
def make_files() -> dict[Path, str]:
    """The page's text by its path, from the results."""
    return {PAGE: renew_file(PAGE, make_blocks(read_parts(RESULTS)))}


def make_blocks(parts: list[Part]) -> Makers:
    """The functions that write the blocks of the page."""
    return {
        "demands": partial(tabulate_world, parts),
        "places": partial(tabulate_places, parts),
        "origin": partial(tell_origin, parts),
    }


def tabulate_world(parts: list[Part], world: str) -> str:
    """The table of what is demanded of a map and what is found."""
    grid = tabulate(_choose(parts, world), DEMANDS)
    return table(grid.columns, grid.rows, words=grid.words)


def tabulate_places(parts: list[Part], world: str) -> str:
    """A table of the win rates of the places in the turn order."""
    rows = [
        (part["agent"], str(part["seats"]), *map(say_percent, part["places"]), *missing)
        for part in _choose(parts, world)
        for missing in [[""] * (MAX_SEATS - part["seats"])]
    ]
    return table(("agent", "seats", *TURN_NAMES), rows)


def _choose(parts: list[Part], world: str) -> list[Part]:
    """The parts of a map, of each agent and number of seats the latest."""
    latest = {(part["agent"], part["seats"]): part for part in parts if part["world"] == world}
    return list(latest.values())


def tell_origin(parts: list[Part]) -> str:
    """The command that plays the parts, and a table of what they depend on."""
    agents = dict.fromkeys(part["agent"] for part in parts)
    options = " ".join(f"--agent {agent}" for agent in agents)
    hashes: Mapping[str, str] = {
        f"{what} `{part['names'][what]}`": found for part in parts for what, found in part["hashes"].items()
    } | {f"agent `{part['agent']}`": part["agent_hash"] for part in parts}
    rows = [(what, f"SHA-256 `{found}`") for what, found in hashes.items()]
    command = f"python -m steam_env.pages.balance {options} --deals {parts[-1]['deals']} --keep {RESULTS}"
    return f"{code([command])}\n\n{table(('what', 'is'), rows, words=2)}"
