"""Rule 8.3: the networks that an Automa looks at: its own, the AEN (with others' links), and its opponents'."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import (
    RESOURCES_COUNTED,
    emit,
)
from steam_env.core.steam_power.state import (
    NUM_RESOURCES,
)


@kernel
def spread_network(game: np.record, board: np.record, network: int) -> int:
    """The network and every group that complete links reach from it: the AEN."""
    extended = network
    grown = True
    while grown:
        grown = False
        for group in range(board.num_cities):
            if has(extended, group) and (game.reach[group] & ~extended) != 0:
                extended |= int(game.reach[group])
                grown = True
    return extended


@kernel
def count_present(game: np.record, board: np.record, extended: int, color: int) -> int:
    """How many resources of the colour are on cities of the AEN."""
    present = 0
    for city in range(board.num_cities):
        if game.color[city] == color and has(extended, board.group[city]):
            present += int(game.resources[city])
    return present


@kernel
def count_all_present(game: np.record, board: np.record, work: np.record, extended: int) -> None:
    """Write ``work.present``: resources of each colour in the AEN."""
    for color in range(NUM_RESOURCES):
        work.present[color] = count_present(game, board, extended, color)


@kernel
def tell_present(work: np.record, seat: int) -> None:
    """Write the resources of each colour in the AEN, as counted last."""
    present = work.present
    emit(work, RESOURCES_COUNTED, seat, int(present[0]), int(present[1]), int(present[2]), int(present[3]))


@kernel
def opponents_network(game: np.record, seat: int) -> int:
    """The groups in the networks of all other seats."""
    network = 0
    for other in range(game.num_seats):
        if other != seat:
            network |= int(game.network[other])
    return network
