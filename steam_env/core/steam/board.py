"""Boards as records, made from plain tables when a map is loaded."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS, NUM_EDGES, opposite
from steam_env.core.steam.state import BOARD, HILLS_COST, NUM_COLORS, RIVER_COST
from steam_env.core.steam.tiles import turn_pattern


class Hex(NamedTuple):
    """A land or city hex."""

    col: int
    row: int
    hills: bool
    river: bool
    is_stop: bool
    color: int  # of a printed city, else NONE


class Cubes(NamedTuple):
    """Cubes of a city or a space: so many are drawn, or these are given by colour."""

    drawn: int
    given: tuple[int, ...] = (0,) * NUM_COLORS


def make_board(
    hexes: Sequence[Hex],
    walls: Iterable[tuple[int, int]],
    cubes: Sequence[Cubes],
    spaces: Sequence[Cubes],
    kinds: Sequence[tuple[int, Iterable[int]]],
) -> np.ndarray:
    """An array of one ``BOARD``.

    Args:
        hexes: in map order (rule 1.1).
        walls: (hex, edge) of the thick edges, from one side (rule 1.4).
        cubes: of each city and town in map order.
        spaces: of the Goods Supply.
        kinds: (tiles, the patterns of its faces in any rotation) of each kind of tile (rule 2.5).
    """
    boards = np.zeros(1, BOARD)
    board = boards[0]
    for name in ("beyond", "hex_stop", "stop_hex", "stop_color", "kind"):
        boards[name] = NONE
    board.num_hexes = len(hexes)
    index_of = {(one.col, one.row): index for index, one in enumerate(hexes)}
    for index, one in enumerate(hexes):
        board.col[index], board.row[index] = one.col, one.row
        board.hills[index], board.river[index] = one.hills, one.river
        board.terrain_cost[index] = HILLS_COST * one.hills + RIVER_COST * one.river
        for edge, (step_col, step_row) in enumerate(EDGE_STEPS):
            board.beyond[index, edge] = index_of.get((one.col + step_col, one.row + step_row), NONE)
    _put_stops(board, hexes, cubes)
    for space, group in enumerate(spaces):
        board.space_drawn[space], board.space_given[space] = group.drawn, group.given
    for hex_index, edge in walls:
        beyond = board.beyond[hex_index, edge]
        board.beyond[hex_index, edge] = board.beyond[beyond, opposite(edge)] = NONE
    _note_edges(board)
    _stock_tiles(board, kinds)
    return boards


def _put_stops(board: np.record, hexes: Sequence[Hex], cubes: Sequence[Cubes]) -> None:
    stops = [index for index, one in enumerate(hexes) if one.is_stop]
    board.num_stops = len(stops)
    for stop, (index, group) in enumerate(zip(stops, cubes, strict=True)):
        board.hex_stop[index], board.stop_hex[stop] = stop, index
        board.stop_color[stop] = hexes[index].color
        board.drawn[stop], board.given[stop] = group.drawn, group.given


def _note_edges(board: np.record) -> None:
    """Note, as bits, what lies behind edges: see the fields."""
    edges = 1 << np.arange(NUM_EDGES)
    is_open = board.beyond != NONE
    stops = board.hex_stop[board.beyond]
    is_city = is_open & (stops != NONE) & (board.stop_color[stops] != NONE)
    board.open_edges[:] = (is_open * edges).sum(axis=1)
    board.city_edges[:] = (is_city * edges).sum(axis=1)


def _stock_tiles(board: np.record, kinds: Sequence[tuple[int, Iterable[int]]]) -> None:
    board.num_kinds = len(kinds)
    for kind, (count, faces) in enumerate(kinds):
        board.tiles[kind] = count
        for face in faces:
            board.kind[list(list_rotations(face))] = kind


def list_rotations(face: int) -> set[int]:
    """The patterns that a face shows in its rotations."""
    return {turn_pattern(face, steps) for steps in range(NUM_EDGES)}
