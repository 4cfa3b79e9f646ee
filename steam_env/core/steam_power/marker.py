"""Rule 8.2: the direction marker, and the order of hexes and cities that it gives."""

import numpy as np

from steam_env.core.jit import kernel
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.state import (
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    NUM_CORNERS,
    TOP_RIGHT,
)

COLUMN_WEIGHT = 4096  # more than any row number: columns come before rows


@kernel
def move_marker(game: np.record, seat: int) -> None:
    """Move the seat's marker one corner on, clockwise (rule 8.4)."""
    number = automa_number(game, seat)
    game.marker[number] = (int(game.marker[number]) + 1) % NUM_CORNERS


@kernel
def corner_of(game: np.record, seat: int) -> int:
    """The corner where the Automa's marker is."""
    return int(game.marker[automa_number(game, seat)])


@kernel
def rank_by_marker(board: np.record, corner: int, hex_index: int) -> int:
    """A number that grows in scan order: column by column from the corner, each column from the corner too."""
    col = int(board.col[hex_index])
    row = int(board.row[hex_index])
    if corner in (TOP_RIGHT, BOTTOM_RIGHT):
        col = -col
    if corner in (BOTTOM_RIGHT, BOTTOM_LEFT):
        row = -row
    return col * COLUMN_WEIGHT + row


@kernel
def rank_city(board: np.record, corner: int, city: int) -> int:
    """``rank_by_marker`` of the city's hex."""
    return rank_by_marker(board, corner, int(board.city_hex[city]))


@kernel
def rank_group(board: np.record, corner: int, group: int) -> int:
    """``rank_city`` of the group's first city by the marker."""
    best = (COLUMN_WEIGHT + 1) * COLUMN_WEIGHT
    for city in range(board.num_cities):
        if board.group[city] == group:
            best = min(best, rank_city(board, corner, city))
    return best
