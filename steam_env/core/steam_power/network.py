"""What complete links connect: networks, who is linked to a city, distances for carrying (rules 4.5, 6.2)."""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import LINK_COMPLETED, emit


@kernel
def is_connected(game: np.record, board: np.record, city: int) -> bool:
    """Whether a complete link of any seat touches the city's group (rule 5.1)."""
    return game.reach[board.group[city]] != 0


@kernel
def in_network(game: np.record, board: np.record, seat: int, city: int) -> bool:
    """Whether the city's group is in the seat's network."""
    return has(game.network[seat], board.group[city])


@kernel
def complete_link(game: np.record, board: np.record, work: np.record, seat: int, link: int, end_city: int) -> None:
    """Complete a link that reaches a city: both ends now belong to the seat's network (rule 4.5)."""
    start_city = game.link_start[link]
    start_group, end_group = board.group[start_city], board.group[end_city]
    game.link_end[link] = end_city
    game.linked[start_city] |= 1 << seat
    game.linked[end_city] |= 1 << seat
    game.network[seat] |= bit(start_group) | bit(end_group)
    game.reach[start_group] |= bit(end_group)
    game.reach[end_group] |= bit(start_group)
    game.tail_link[seat] = NONE
    game.tail_hex[seat] = NONE
    game.tail_entry[seat] = NONE
    game.tail_exit[seat] = NONE
    emit(work, LINK_COMPLETED, seat, start_city, end_city)


@kernel
def measure_distances(game: np.record, board: np.record, work: np.record, seat: int, avoided: int) -> None:
    """Write ``work.distance``: fewest links from each group to the seat's network (rule 6.2).

    Routes run over complete links of other seats and through no group in ``avoided``. Every link
    between a group outside the network and any other group is foreign, since own links only join
    groups of the own network.
    """
    work.distance[:] = NONE
    reached = game.network[seat]
    frontier = reached
    blocked = avoided & ~reached
    steps = 0
    while frontier != 0:
        beyond = 0
        for group in range(board.num_cities):
            if has(frontier, group):
                work.distance[group] = steps
                beyond |= game.reach[group]
        frontier = beyond & ~reached & ~blocked
        reached |= frontier
        steps += 1
    work.farthest = max(steps - 1, 0)


@kernel
def has_link_between(game: np.record, board: np.record, seat: int, group: int, other_group: int) -> bool:
    """Whether the seat has a complete link between the two groups."""
    for link in range(game.num_links):
        if game.link_owner[link] != seat or game.link_end[link] == NONE:
            continue
        start_group = board.group[game.link_start[link]]
        end_group = board.group[game.link_end[link]]
        if (start_group == group and end_group == other_group) or (start_group == other_group and end_group == group):
            return True
    return False
