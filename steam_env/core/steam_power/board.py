"""Boards and decks as records, made from plain tables when a map or a deck is loaded."""

from collections.abc import Sequence

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS
from steam_env.core.steam_power.state import (
    BOARD,
    BONUS_NAMES,
    CITY,
    COLOR_LETTERS,
    DECK,
    ICON_NAMES,
    TARGET_NAMES,
    TERRAIN_COST,
)


def make_board(hexes: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """An array of one ``BOARD`` from (column, row, terrain) in map order (rules 1.1, 1.2)."""
    boards = np.zeros(1, BOARD)
    board = boards[0]
    for name in ("neighbour", "terrain", "cost", "hex_city", "city_hex", "group"):
        boards[name] = NONE
    board.num_hexes, board.num_cities = len(hexes), sum(terrain == CITY for _, _, terrain in hexes)
    board.col[: len(hexes)], board.row[: len(hexes)], board.terrain[: len(hexes)] = np.transpose(hexes)
    board.cost[: len(hexes)] = [TERRAIN_COST[terrain] for _, _, terrain in hexes]
    index_of = {(col, row): index for index, (col, row, _) in enumerate(hexes)}
    board.neighbour[: len(hexes)] = [
        [index_of.get((col + step_col, row + step_row), NONE) for step_col, step_row in EDGE_STEPS]
        for col, row, _ in hexes
    ]
    cities = [index for index, (_, _, terrain) in enumerate(hexes) if terrain == CITY]
    board.city_hex[: len(cities)], board.hex_city[cities] = cities, np.arange(len(cities))
    _open_edges(board)
    _group_cities(board)
    return boards


def _open_edges(board: np.record) -> None:
    """Note the open edges of each hex: those that lead into land or a city (rule 4.4)."""
    beyond = board.neighbour[: board.num_hexes].astype(np.int64)
    leads_on = (board.terrain == CITY) | (board.cost != NONE)
    is_open = (beyond != NONE) & leads_on[beyond]
    board.open_edges[: board.num_hexes] = (is_open << np.arange(len(EDGE_STEPS))).sum(axis=1)


def _group_cities(board: np.record) -> None:
    """Join adjacent cities to groups, each named by its first city in map order."""
    for city in range(board.num_cities):
        if board.group[city] != NONE:
            continue
        waiting = [city]
        while waiting:
            member = waiting.pop()
            if board.group[member] != NONE:
                continue
            board.group[member] = city
            board.group_cities[city] |= np.int64(1) << np.int64(member)
            beside = board.neighbour[board.city_hex[member]]
            waiting.extend(int(city) for city in board.hex_city[beside[beside != NONE]] if city != NONE)


def make_deck(
    contracts: Sequence[tuple[str, int, int, str, str]], target_rules: Sequence[str] = TARGET_NAMES
) -> np.ndarray:
    """An array of one ``DECK`` from (needs, money, VP, bonus, Automa icon) of each contract.

    ``target_rules`` tells by colour W B O G how an Automa chooses a target (rule 8.10).
    """
    decks = np.zeros(1, DECK)
    deck = decks[0]
    decks["needs"] = NONE
    deck.num_contracts = len(contracts)
    deck.target_rule[:] = [TARGET_NAMES.index(rule) for rule in target_rules]
    for index, (needs, money, vp, bonus, icon) in enumerate(contracts):
        deck.num_needs[index] = len(needs)
        for position, letter in enumerate(needs):
            deck.needs[index, position] = COLOR_LETTERS.index(letter)
            deck.wanted[index, COLOR_LETTERS.index(letter)] += 1
        deck.money[index], deck.vp[index] = money, vp
        deck.bonus[index], deck.icon[index] = BONUS_NAMES.index(bonus), ICON_NAMES.index(icon)
    return decks
