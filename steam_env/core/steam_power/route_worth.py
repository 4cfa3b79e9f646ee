"""What the shortest ways to an Automa's target are worth, measured back from the target (rule 8.11)."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam_power.route_ways import FAR, entries_of
from steam_env.core.steam_power.track import placement_cost

DOLLAR = 64  # more than any number of stops: cost comes before stops


@kernel
def offer_togo(work: np.record, layer: int, state: int, tiles: int, worth: int) -> None:
    """Note that the target is so many tiles away from this state, for this worth, if none is nearer or better."""
    if work.togo[state] == NONE:
        work.togo[state] = tiles
        work.togo_worth[state] = worth
        work.front[layer, work.front_size[layer]] = state
        work.front_size[layer] += 1
    elif work.togo[state] == tiles:
        work.togo_worth[state] = min(work.togo_worth[state], worth)


@kernel
def reach_back(
    game: np.record,
    board: np.record,
    work: np.record,
    layer: int,
    hex_index: int,
    exit_edge: int,
    tiles: int,
    worth: int,
) -> None:
    """Note the ways to the target by each tile on the hex whose far edge may be ``exit_edge``."""
    if hex_index == NONE:
        return
    entries = entries_of(game, board, work, hex_index, exit_edge)
    if entries == 0:
        return
    cost = placement_cost(game, board, hex_index) * DOLLAR
    for entry in range(NUM_EDGES):
        if has(entries, entry):
            offer_togo(work, layer, hex_index * NUM_EDGES + entry, tiles, worth + cost)


@kernel
def reach_back_from_group(
    game: np.record, board: np.record, work: np.record, layer: int, group: int, tiles: int, worth: int
) -> None:
    """``reach_back`` for every tile that may lead into a city of the group."""
    for city in range(board.num_cities):
        if board.group[city] == group:
            for edge in range(NUM_EDGES):
                before = int(board.neighbour[board.city_hex[city], edge])
                reach_back(game, board, work, layer, before, opposite(edge), tiles, worth)


@kernel
def measure_togo(
    game: np.record, board: np.record, work: np.record, network: int, target: int, most_tiles: int
) -> None:
    """Write ``togo`` and ``group_togo`` with their worths, up to ``most_tiles`` from the target group."""
    work.togo[: board.num_hexes * NUM_EDGES] = NONE
    work.group_togo[:] = NONE
    work.group_worth[:] = FAR
    work.front_size[:] = 0
    work.group_togo[target] = 0
    work.group_worth[target] = 0
    layer = 0
    reach_back_from_group(game, board, work, layer, target, 1, 0)
    for tiles in range(1, most_tiles):
        work.front_size[1 - layer] = 0
        for index in range(work.front_size[layer]):
            state = int(work.front[layer, index])
            note_group_behind(board, work, network, state, tiles)
        for index in range(work.front_size[layer]):
            state = int(work.front[layer, index])
            hex_index = state // NUM_EDGES
            entry = state % NUM_EDGES
            before = int(board.neighbour[hex_index, entry])
            worth = int(work.togo_worth[state])
            reach_back(game, board, work, 1 - layer, before, opposite(entry), tiles + 1, worth)
        for group in range(board.num_cities):
            if work.group_togo[group] == tiles:
                worth = int(work.group_worth[group]) - 1  # one stop more
                reach_back_from_group(game, board, work, 1 - layer, group, tiles + 1, worth)
        layer = 1 - layer


@kernel
def note_group_behind(board: np.record, work: np.record, network: int, state: int, tiles: int) -> None:
    """Note for the group of a city where a link may begin with this state that it is as far from the target."""
    before = board.neighbour[state // NUM_EDGES, state % NUM_EDGES]
    if before == NONE or board.hex_city[before] == NONE:
        return
    group = int(board.group[board.hex_city[before]])
    if has(network, group):
        return
    if work.group_togo[group] == NONE:
        work.group_togo[group] = tiles
    if work.group_togo[group] == tiles:
        work.group_worth[group] = min(work.group_worth[group], work.togo_worth[state])
