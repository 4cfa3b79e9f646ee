"""Rule 6: fulfilling contracts. What resources cost, and every choice on their way.

Each resource is taken from a city with a factory and carried, hop by hop over foreign links, to the
own network. No choice may lead to a dead end (rule 6.4), so each is weighed by the least that the
rest of the contract must then cost.
"""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import (
    CITY_FLIPPED,
    CONTRACT_BEGUN,
    RESOURCE_CARRIED,
    RESOURCE_PURCHASED,
    RESOURCE_TAKEN,
    REWARD_GAINED,
    emit,
)
from steam_env.core.steam_power.network import has_link_between, measure_distances
from steam_env.core.steam_power.players import player_of
from steam_env.core.steam_power.reasons import (
    CANNOT_PAY,
    HOP_DEAD_END,
    HOP_NO_LINK,
    HOP_NOT_CHEAPEST,
    HOP_TOO_DEAR,
    HOP_VISITED,
    NO_NETWORK,
    NO_SUCH_CITY,
    NO_SUCH_CONTRACT,
    NO_SUCH_SEAT,
    NOT_IN_HAND,
    OK,
    PAY_NO_LINK,
    SOURCE_COLOR,
    SOURCE_NO_FACTORY,
    SOURCE_OUT_OF_REACH,
    SOURCE_TOO_DEAR,
)
from steam_env.core.steam_power.state import (
    FEE,
    HOP,
    MAX_NEEDS,
    MAX_ROUTE_COST,
    MULTIPLAYER,
    NUM_RESOURCES,
    PAY,
    PLACE_FULFILLED,
    PLACE_HAND,
    PURCHASE_COST,
    ROUTING_CHEAPEST,
    SOURCE,
)

# --- what resources cost ----------------------------------------------------------------------------


@kernel
def source_fee(game: np.record, seat: int, city: int) -> int:
    """The fee in dollars to the factory's owner: nothing for an own one (rule 6.2)."""
    return 0 if game.owner[city] == seat else FEE


@kernel
def count_units(game: np.record, board: np.record, work: np.record, seat: int) -> None:
    """Write ``work.units``: how many resources of each colour the seat can have at each cost.

    The cheapest route counts. Uses ``work.distance``, measured before.
    """
    work.units[:] = 0
    for city in range(board.num_cities):
        if game.resources[city] <= 0:
            continue
        links = work.distance[board.group[city]]
        if links != NONE:
            work.units[game.color[city], source_fee(game, seat, city) + links * FEE] += game.resources[city]


@kernel
def least_cost_of(units: np.ndarray, wanted: int) -> int:
    """The least that ``wanted`` resources of one colour cost (rule 6.3).

    The cheapest ones that can reach the network, and $5 for each that is then still lacking.
    """
    total = 0
    for cost in range(MAX_ROUTE_COST):
        if wanted <= 0:
            break
        taken = min(wanted, units[cost])
        total += taken * cost
        wanted -= taken
    return total + wanted * PURCHASE_COST


@kernel
def least_cost(work: np.record) -> int:
    """The least that all resources in ``work.wanted`` cost together; colours do not meet."""
    total = 0
    for color in range(NUM_RESOURCES):
        if work.wanted[color] > 0:
            total += least_cost_of(work.units[color], work.wanted[color])
    return total


@kernel
def list_prices(work: np.record) -> None:
    """Write ``work.prices``: what ``least_cost_of`` says for every number of resources that a contract can need."""
    for color in range(NUM_RESOURCES):
        listed = 0
        total = 0
        for cost in range(work.farthest * FEE + FEE + 1):
            left = min(work.units[color, cost], MAX_NEEDS - listed)
            while left > 0:
                left -= 1
                listed += 1
                total += cost
                work.prices[color, listed] = total
        while listed < MAX_NEEDS:
            listed += 1
            total += PURCHASE_COST
            work.prices[color, listed] = total


@kernel
def count_wanted(deck: np.record, work: np.record, contract: int, first: int) -> None:
    """Write ``work.wanted``: resources of each colour from the contract's ``first`` need on."""
    work.wanted[:] = 0
    for need in range(first, deck.num_needs[contract]):
        work.wanted[deck.needs[contract, need]] += 1


@kernel
def survey(game: np.record, board: np.record, work: np.record, seat: int) -> None:
    """Measure distances, count units and list prices for the seat: what the predicates below look at."""
    measure_distances(game, board, work, seat, 0)
    count_units(game, board, work, seat)
    list_prices(work)


# --- what is possible ---------------------------------------------------------------------------------


@kernel
def contract_cost(deck: np.record, work: np.record, contract: int) -> int:
    """The least that the whole contract costs, by the last ``survey``."""
    count_wanted(deck, work, contract, 0)
    return least_cost(work)


@kernel
def listed_cost(deck: np.record, work: np.record, contract: int) -> int:
    """What ``contract_cost`` says, by the list of prices."""
    total = 0
    for color in range(NUM_RESOURCES):
        total += work.prices[color, deck.wanted[contract, color]]
    return total


@kernel
def fulfil_problem(game: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> int:
    """Why the seat may not begin the contract, ``OK`` if it may (rules 6.1, 6.4); after a ``survey``."""
    if contract >= deck.num_contracts:
        return NO_SUCH_CONTRACT
    if game.network[seat] == 0:
        return NO_NETWORK
    if game.place[contract] != PLACE_HAND + player_of(game, seat):
        return NOT_IN_HAND
    work.cost = listed_cost(deck, work, contract)
    return OK if work.cost <= game.money[player_of(game, seat)] else CANNOT_PAY


@kernel
def rest_cost(game: np.record, deck: np.record, work: np.record) -> int:
    """The least that the contract's needs after the present one cost; after a ``survey``.

    The resource under way has left its city already.
    """
    count_wanted(deck, work, game.contract, game.need + 1)
    return least_cost(work)


@kernel
def source_problem(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, city: int) -> int:
    """Why the next resource may not be taken from the city, ``OK`` if it may (rules 6.2 to 6.4); after a ``survey``."""
    if city >= board.num_cities:
        return NO_SUCH_CITY
    color = deck.needs[game.contract, game.need]
    if game.color[city] != color:
        return SOURCE_COLOR
    if game.resources[city] <= 0:
        return SOURCE_NO_FACTORY
    links = work.distance[board.group[city]]
    if links == NONE:
        return SOURCE_OUT_OF_REACH
    cost = source_fee(game, seat, city) + links * FEE
    work.units[color, cost] -= 1
    total = cost + rest_cost(game, deck, work)
    work.units[color, cost] += 1
    return OK if total <= game.money[player_of(game, seat)] else SOURCE_TOO_DEAR


@kernel
def hop_problem(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, group: int) -> int:
    """Why the resource may not go on to the group, ``OK`` if it may (rules 6.2, 6.4, 6.5); after a ``survey_hop``.

    ``work.distance`` avoids the groups passed; ``work.units`` counts all.
    """
    if group >= board.num_cities:
        return NO_SUCH_CITY
    if not has(game.reach[game.cargo_group], group) or board.group[group] != group:
        return HOP_NO_LINK
    if has(game.visited, group):
        return HOP_VISITED
    links = work.distance[group]
    if links == NONE:
        return HOP_DEAD_END
    if game.routing == ROUTING_CHEAPEST and links + 1 != shortest_way_on(game, board, work):
        return HOP_NOT_CHEAPEST
    if (links + 1) * FEE + rest_cost(game, deck, work) > game.money[player_of(game, seat)]:
        return HOP_TOO_DEAR
    return OK


@kernel
def shortest_way_on(game: np.record, board: np.record, work: np.record) -> int:
    """Fewest links from where the resource is to the network, passing no group twice."""
    shortest = board.num_cities + 1
    for group in range(board.num_cities):
        if has(game.reach[game.cargo_group], group) and work.distance[group] != NONE:
            shortest = min(shortest, work.distance[group] + 1)
    return shortest


@kernel
def survey_hop(game: np.record, board: np.record, work: np.record, seat: int) -> None:
    """Do a ``survey``, then measure distances that avoid the groups which the resource has passed (rule 6.5)."""
    survey(game, board, work, seat)
    measure_distances(game, board, work, seat, game.visited)


@kernel
def pay_problem(game: np.record, board: np.record, seat: int, other: int) -> int:
    """Why the other seat cannot be paid for this hop, ``OK`` if it has a link there (rule 6.2)."""
    if other == seat or other >= game.num_seats:
        return NO_SUCH_SEAT
    return OK if has_link_between(game, board, other, game.cargo_group, game.hop_group) else PAY_NO_LINK


# --- what happens ---------------------------------------------------------------------------------------


@kernel
def pay_seat(game: np.record, seat: int, other: int) -> int:
    """Pay a fee to another seat; in solo it goes to the bank (rule 9.3). Returns who gained it, NONE for the bank."""
    game.money[player_of(game, seat)] -= FEE
    if game.mode == MULTIPLAYER:
        game.money[other] += FEE
        return other
    return NONE


@kernel
def begin_contract(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> bool:
    """Do the action `fulfil`: show the contract and handle its first resource."""
    game.contract = contract
    game.need = 0
    emit(work, CONTRACT_BEGUN, seat, contract)
    return handle_needs(game, board, deck, work, seat)


@kernel
def handle_needs(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int) -> bool:
    """Buy resources that cannot be had (rule 6.3), up to the next one that can; True when all are there."""
    survey(game, board, work, seat)
    while game.need < deck.num_needs[game.contract]:
        color = deck.needs[game.contract, game.need]
        if work.units[color].sum() > 0:
            game.phase = SOURCE
            return False
        buy_resource(game, work, seat, color)
        game.need += 1
    return True


@kernel
def lift_resource(game: np.record, work: np.record, seat: int, city: int) -> None:
    """Take one resource off the city and pay the factory's owner; the last one flips the tile (rules 6.2, 6.6)."""
    game.resources[city] -= 1
    game.stock[game.color[city]] += 1
    owner = int(game.owner[city])
    fee = source_fee(game, seat, city)
    payee = NONE
    if fee > 0:
        payee = pay_seat(game, seat, owner)
    emit(work, RESOURCE_TAKEN, seat, city, payee, fee)
    if game.resources[city] == 0:
        emit(work, CITY_FLIPPED, seat, city)


@kernel
def buy_resource(game: np.record, work: np.record, seat: int, color: int) -> None:
    """Buy a resource from the bank that cannot be had on the map (rule 6.3)."""
    game.money[player_of(game, seat)] -= PURCHASE_COST
    emit(work, RESOURCE_PURCHASED, seat, color, PURCHASE_COST)


@kernel
def take_resource(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, city: int) -> bool:
    """Do the choice `source`: take one resource and pay the factory's owner; True when the contract is complete."""
    lift_resource(game, work, seat, city)
    return arrive(game, board, deck, work, seat, int(board.group[city]))


@kernel
def arrive(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, group: int) -> bool:
    """Put the resource into this group: in the own network it is delivered, else it must hop on."""
    if has(game.network[seat], group):
        game.cargo_group = NONE
        game.hop_group = NONE
        game.visited = 0
        game.need += 1
        return handle_needs(game, board, deck, work, seat)
    game.cargo_group = group
    game.hop_group = NONE
    game.visited |= bit(group)
    game.phase = HOP
    return False


@kernel
def choose_hop(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, group: int) -> bool:
    """Do the choice `hop`: over one seat's link, or ask whose of several; True when the contract is complete."""
    game.hop_group = group
    owners = 0
    payee = NONE
    for other in range(game.num_seats):
        if has_link_between(game, board, other, game.cargo_group, group):
            owners += 1
            payee = other
    if owners > 1 and game.mode == MULTIPLAYER:
        game.phase = PAY
        return False
    return carry_over(game, board, deck, work, seat, payee)


@kernel
def carry_over(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, payee: int) -> bool:
    """Pay the link's owner and carry the resource to the chosen group; True when the contract is complete."""
    paid_to = pay_seat(game, seat, payee)
    group = int(game.hop_group)
    emit(work, RESOURCE_CARRIED, seat, game.cargo_group, group, paid_to, FEE)
    return arrive(game, board, deck, work, seat, group)


@kernel
def complete_contract(game: np.record, deck: np.record, work: np.record, seat: int) -> None:
    """End a contract whose resources are all there: it leaves the hand, its money is gained (rule 6.7)."""
    contract = int(game.contract)
    game.hand_size[player_of(game, seat)] -= 1
    game.known[contract] = 0
    gain_reward(game, deck, work, seat, contract)


@kernel
def gain_reward(game: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> None:
    """Note the contract as fulfilled and gain its money; its points count at the end (rule 6.7)."""
    player = player_of(game, seat)
    game.place[contract] = PLACE_FULFILLED + player
    game.num_fulfilled[player] += 1
    game.money[player] += deck.money[contract]
    emit(work, REWARD_GAINED, seat, contract, deck.money[contract], deck.vp[contract])
