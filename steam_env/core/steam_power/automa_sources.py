"""Rule 8.6: where an Automa takes the resources of a contract, and over whose links they come."""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.carriage import (
    lift_resource,
    listed_cost,
    pay_seat,
    source_fee,
    survey,
)
from steam_env.core.steam_power.events import (
    BY_CHEAPEST,
    BY_FEWEST_LEFT,
    BY_MARKER,
    BY_MOST_LEFT,
    BY_ONLY,
    BY_OWN,
    CONTRACT_ASSESSED,
    HOP_CHOSEN,
    RESOURCE_CARRIED,
    SOURCE_CHOSEN,
    emit,
)
from steam_env.core.steam_power.marker import corner_of, rank_city, rank_group
from steam_env.core.steam_power.network import has_link_between
from steam_env.core.steam_power.state import (
    FEE,
)

FAR = 1 << 40


@kernel
def can_fulfil(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> bool:
    """Whether the Automa can fulfil the contract: it has a complete link and the money (rule 8.6)."""
    money = int(game.money[seat])
    if game.network[seat] == 0:
        emit(work, CONTRACT_ASSESSED, seat, contract, NONE, money)
        return False
    survey(game, board, work, seat)
    cost = listed_cost(deck, work, contract)
    emit(work, CONTRACT_ASSESSED, seat, contract, cost, money)
    return cost <= money


@kernel
def can_supply(game: np.record, board: np.record, work: np.record, color: int, city: int) -> bool:
    """Whether the city has a resource of the colour that can reach the network; after a ``survey``."""
    return game.color[city] == color and game.resources[city] > 0 and work.distance[board.group[city]] != NONE


@kernel
def source_cost(game: np.record, board: np.record, work: np.record, seat: int, city: int) -> int:
    """The cost in dollars of a resource from the city, links included; after a ``survey``."""
    return source_fee(game, seat, city) + int(work.distance[board.group[city]]) * FEE


@kernel
def choose_source(game: np.record, board: np.record, work: np.record, seat: int, color: int) -> int:
    """The city to take the resource from (rule 8.6); NONE if the colour is nowhere in the AEN.

    Cheapest in all; own factories first; of the own the fewest left, of others' the most; first by marker.
    """
    corner = corner_of(game, seat)
    best = NONE
    best_key = FAR
    best_rank = FAR
    for city in range(board.num_cities):
        if not can_supply(game, board, work, color, city):
            continue
        left = int(game.resources[city])
        own = game.owner[city] == seat
        cost = source_cost(game, board, work, seat, city)
        key = (cost * 2 + (0 if own else 1)) * 256 + (left if own else 255 - left)
        rank = rank_city(board, corner, city)
        if key < best_key or (key == best_key and rank < best_rank):
            best, best_key, best_rank = city, key, rank
    if work.tracing and best != NONE:
        tell_source(game, board, work, seat, best)
    return best


@kernel
def tell_source(game: np.record, board: np.record, work: np.record, seat: int, best: int) -> None:
    """Write which criterion decided for the source."""
    color = int(game.color[best])
    cost = source_cost(game, board, work, seat, best)
    own = game.owner[best] == seat
    candidates = as_cheap = as_owned = as_many = 0
    for city in range(board.num_cities):
        if can_supply(game, board, work, color, city):
            candidates += 1
            if source_cost(game, board, work, seat, city) == cost:
                as_cheap += 1
                if (game.owner[city] == seat) == own:
                    as_owned += 1
                    as_many += 1 if game.resources[city] == game.resources[best] else 0
    why = BY_MARKER
    if candidates == 1:
        why = BY_ONLY
    elif as_cheap == 1:
        why = BY_CHEAPEST
    elif as_owned == 1:
        why = BY_OWN
    elif as_many == 1:
        why = BY_FEWEST_LEFT if own else BY_MOST_LEFT
    emit(work, SOURCE_CHOSEN, seat, color, best, cost, candidates, why)


@kernel
def fetch_resource(game: np.record, board: np.record, work: np.record, seat: int, city: int) -> None:
    """Take a resource and carry it along a cheapest route to the own network (rule 8.6)."""
    lift_resource(game, work, seat, city)
    group = int(board.group[city])
    while work.distance[group] > 0:
        onward = choose_hop_group(game, board, work, seat, group)
        payee = choose_link_owner(game, board, seat, group, onward)
        if work.tracing:
            tell_hop(game, board, work, seat, group, onward, payee)
        pay_seat(game, seat, payee)
        emit(work, RESOURCE_CARRIED, seat, group, onward, payee, FEE)
        group = onward


@kernel
def choose_hop_group(game: np.record, board: np.record, work: np.record, seat: int, group: int) -> int:
    """The next group on the way: of those one link nearer, the one whose first city is first by the marker."""
    corner = corner_of(game, seat)
    best = NONE
    best_rank = FAR
    for other in range(board.num_cities):
        if has(game.reach[group], other) and work.distance[other] == work.distance[group] - 1:
            rank = rank_group(board, corner, other)
            if rank < best_rank:
                best, best_rank = other, rank
    return best


@kernel
def choose_link_owner(game: np.record, board: np.record, seat: int, group: int, onward: int) -> int:
    """Whose link to use: of the seats with a link there, the next in seat order after the Automa."""
    for step in range(1, game.num_seats):
        other = (seat + step) % int(game.num_seats)
        if has_link_between(game, board, other, group, onward):
            return other
    return NONE


@kernel
def tell_hop(
    game: np.record, board: np.record, work: np.record, seat: int, group: int, onward: int, payee: int
) -> None:
    """Write which group the marker and which owner the seat order decided for, if there was a choice."""
    ways = owners = 0
    for other in range(board.num_cities):
        if has(game.reach[group], other) and work.distance[other] == work.distance[onward]:
            ways += 1
    for other in range(game.num_seats):
        owners += 1 if has_link_between(game, board, other, group, onward) else 0
    if ways > 1 or owners > 1:
        emit(work, HOP_CHOSEN, seat, onward, ways, payee, owners)
