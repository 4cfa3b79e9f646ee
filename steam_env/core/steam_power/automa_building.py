"""Rule 8.14: where an Automa builds a factory."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.automa_network import (
    count_all_present,
    count_present,
    opponents_network,
    spread_network,
    tell_present,
)
from steam_env.core.steam_power.automa_sources import FAR
from steam_env.core.steam_power.events import (
    BY_LEAST_PRESENT,
    BY_MARKER,
    BY_NEAREST,
    BY_ONLY,
    CITY_CHOSEN,
    CITY_LACKING,
    LACKS_CITY,
    LACKS_FACTORY,
    emit,
)
from steam_env.core.steam_power.factory import build_factory, build_problem, usual_resources
from steam_env.core.steam_power.marker import corner_of, rank_city
from steam_env.core.steam_power.reasons import OK


@kernel
def hex_distance(board: np.record, first: int, second: int) -> int:
    """Steps from hex to hex as the crow flies, in doubled coordinates."""
    columns = abs(int(board.col[first]) - int(board.col[second]))
    rows = abs(int(board.row[first]) - int(board.row[second]))
    return columns + max(0, (rows - columns) // 2)


@kernel
def distance_to_network(board: np.record, network: int, city: int) -> int:
    """Hex distance from the city to the nearest city of the network; 0 without a network."""
    if network == 0:
        return 0
    nearest = FAR
    for other in range(board.num_cities):
        if has(network, board.group[other]):
            nearest = min(nearest, hex_distance(board, int(board.city_hex[city]), int(board.city_hex[other])))
    return nearest


@kernel
def choose_factory_city(game: np.record, board: np.record, seat: int, among: int, extended: int) -> int:
    """The city to build in, among the legal ones in these groups: least present colour, nearest, first by marker."""
    corner = corner_of(game, seat)
    network = int(game.network[seat])
    best = NONE
    best_key = FAR
    best_rank = FAR
    for city in range(board.num_cities):
        if not has(among, board.group[city]) or build_problem(game, board, seat, city) != OK:
            continue
        present = count_present(game, board, extended, int(game.color[city]))
        key = present * 1024 + distance_to_network(board, network, city)
        rank = rank_city(board, corner, city)
        if key < best_key or (key == best_key and rank < best_rank):
            best, best_key, best_rank = city, key, rank
    return best


@kernel
def tell_factory_city(
    game: np.record, board: np.record, work: np.record, seat: int, among: int, extended: int, best: int
) -> None:
    """Write which criterion decided for the city of the factory."""
    network = int(game.network[seat])
    present = count_present(game, board, extended, int(game.color[best]))
    distance = distance_to_network(board, network, best)
    candidates = as_present = as_near = 0
    for city in range(board.num_cities):
        if not has(among, board.group[city]) or build_problem(game, board, seat, city) != OK:
            continue
        candidates += 1
        if count_present(game, board, extended, int(game.color[city])) == present:
            as_present += 1
            as_near += 1 if distance_to_network(board, network, city) == distance else 0
    why = BY_MARKER
    if candidates == 1:
        why = BY_ONLY
    elif as_present == 1:
        why = BY_LEAST_PRESENT
    elif as_near == 1:
        why = BY_NEAREST
    in_aen = 1 if has(extended, board.group[best]) else 0
    count_all_present(game, board, work, extended)
    tell_present(work, seat)
    emit(work, CITY_CHOSEN, seat, best, present, distance, in_aen, why)


@kernel
def build_for_automa(game: np.record, board: np.record, work: np.record, seat: int) -> bool:
    """Build a factory in the AEN, or in an opponent's network; False if there is no city for it."""
    extended = spread_network(game, board, int(game.network[seat]))
    among = extended
    city = choose_factory_city(game, board, seat, among, extended)
    if city == NONE:
        among = opponents_network(game, seat)
        city = choose_factory_city(game, board, seat, among, extended)
    if city == NONE:
        emit(work, CITY_LACKING, seat, LACKS_FACTORY if game.factories[seat] <= 0 else LACKS_CITY)
        return False
    if work.tracing:
        tell_factory_city(game, board, work, seat, among, extended, city)
    build_factory(game, work, seat, city, usual_resources(game))
    return True
