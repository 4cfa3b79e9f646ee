"""Coin paths of Automas: following one, and clearing one that can no longer be followed (rules 8.9, 8.13).

A coin path lists hexes: the tiles to come with the cities on the way, ending in the route's last city.
With no incomplete link it begins with the city that the next link starts from.
"""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import (
    COINS_CLEARED,
    LACKS_MONEY,
    LACKS_TRAIN,
    NOT_LEGAL,
    TILE_NOT_LAID,
    TILE_PLACED,
    emit,
)
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.reasons import OK
from steam_env.core.steam_power.track import (
    extend_link,
    ground_problem,
    open_link,
    placement_cost,
    remove_tail,
    shape_problem,
)


@kernel
def edge_towards(board: np.record, hex_index: int, other: int) -> int:
    """The edge of the hex behind which the other one lies, NONE if they are not neighbours."""
    for edge in range(NUM_EDGES):
        if board.neighbour[hex_index, edge] == other:
            return edge
    return NONE


@kernel
def coin_at(game: np.record, number: int, index: int) -> int:
    """Entry ``index`` of the Automa's coin path, a hex."""
    return int(game.coins[number, index])


@kernel
def put_coins(game: np.record, work: np.record, number: int) -> None:
    """Put coins on the path that was found."""
    game.num_coins[number] = work.path_size
    for index in range(work.path_size):
        game.coins[number, index] = work.path[index]


@kernel
def take_coins(game: np.record, number: int, count: int) -> None:
    """Take the first ``count`` entries off the coin path."""
    size = int(game.num_coins[number])
    for index in range(size):
        game.coins[number, index] = game.coins[number, index + count] if index + count < size else 0
    game.num_coins[number] = size - count


@kernel
def count_coins(game: np.record, board: np.record, number: int) -> int:
    """How many tiles of the Automa's coin path are still to be laid."""
    tiles = 0
    for index in range(game.num_coins[number]):
        tiles += 1 if board.hex_city[coin_at(game, number, index)] == NONE else 0
    return tiles


@kernel
def coin_problem(game: np.record, board: np.record, hex_index: int, before: int, behind: int, origin: int) -> int:
    """Why a tile of a coin path, between two hexes, is illegal now, ``OK`` if it is legal, cost aside (rule 8.13)."""
    entry = edge_towards(board, hex_index, before)
    problem = ground_problem(game, board, hex_index, entry)
    if problem != OK:
        return problem
    exit_edge = edge_towards(board, hex_index, behind)
    return shape_problem(game, board, hex_index, game.track[hex_index, 0], entry, exit_edge, origin)


@kernel
def lay_coin(game: np.record, board: np.record, work: np.record, seat: int) -> bool:
    """Lay the next tile of the Automa's coin path; False if it cannot be laid or paid (rule 8.9)."""
    number = automa_number(game, seat)
    starts = game.tail_link[seat] == NONE
    first = 1 if starts else 0
    before = coin_at(game, number, 0) if starts else int(game.tail_hex[seat])
    hex_index = coin_at(game, number, first)
    behind = coin_at(game, number, first + 1)
    origin = int(board.hex_city[before]) if starts else int(game.link_start[game.tail_link[seat]])
    cost = placement_cost(game, board, hex_index)
    if starts and game.trains[seat] <= 0:
        emit(work, TILE_NOT_LAID, seat, hex_index, cost, LACKS_TRAIN)
        return False
    if coin_problem(game, board, hex_index, before, behind, origin) != OK:
        emit(work, TILE_NOT_LAID, seat, hex_index, cost, NOT_LEGAL)
        return False
    if cost > game.money[seat]:
        emit(work, TILE_NOT_LAID, seat, hex_index, cost, LACKS_MONEY)
        return False
    entry = edge_towards(board, hex_index, before)
    exit_edge = edge_towards(board, hex_index, behind)
    if starts:
        open_link(game, work, seat, origin, opposite(entry))
    game.money[seat] -= cost
    crossing = 1 if game.track[hex_index, 0] != NONE else 0
    emit(work, TILE_PLACED, seat, hex_index, entry, exit_edge, cost, crossing)
    extend_link(game, board, work, seat, hex_index, entry, exit_edge)
    drop_used_coins(game, board, seat, first + 1)
    return True


@kernel
def drop_used_coins(game: np.record, board: np.record, seat: int, used: int) -> None:
    """Shorten the coin path; where a link was completed it goes on from the city that the next one leaves."""
    number = automa_number(game, seat)
    take_coins(game, number, used)
    if game.num_coins[number] == 1:
        take_coins(game, number, 1)  # the route's last city is reached
    elif game.num_coins[number] > 1 and game.tail_link[seat] == NONE:
        second = coin_at(game, number, 1)
        if board.hex_city[second] != NONE:
            take_coins(game, number, 1)  # the group is left by another city


@kernel
def can_follow(game: np.record, board: np.record, seat: int) -> bool:
    """Whether every remaining tile of the coin path is legal now, each judged alone (rule 8.13)."""
    number = automa_number(game, seat)
    before = int(game.tail_hex[seat])
    origin = NONE if game.tail_link[seat] == NONE else int(game.link_start[game.tail_link[seat]])
    for index in range(game.num_coins[number]):
        here = coin_at(game, number, index)
        city = int(board.hex_city[here])
        if city != NONE:
            origin = city
        elif coin_problem(game, board, here, before, coin_at(game, number, index + 1), origin) != OK:
            return False
        before = here
    return True


@kernel
def clear_coins(game: np.record, board: np.record, work: np.record, seat: int, mover: int) -> None:
    """Remove the Automa's coin path with its incomplete link; train and tiles return (rule 8.13)."""
    number = automa_number(game, seat)
    emit(work, COINS_CLEARED, seat, count_coins(game, board, number), mover)
    take_coins(game, number, int(game.num_coins[number]))
    while game.tail_link[seat] != NONE:
        remove_tail(game, board, work, seat)


@kernel
def clear_blocked_paths(game: np.record, board: np.record, work: np.record, mover: int) -> None:
    """Remove, after a placement by ``mover``, each other Automa's coin path that can no longer be followed."""
    for seat in range(game.num_seats - game.num_automas, game.num_seats):
        number = automa_number(game, seat)
        if seat != mover and game.num_coins[number] > 0 and not can_follow(game, board, seat):
            clear_coins(game, board, work, seat, mover)
