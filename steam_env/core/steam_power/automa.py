"""Rule 8: the Mautoma, the game's rule-driven opponent. One kernel for each of its decisions."""

import numpy as np

from steam_env.core.bits import bit, count_members, has
from steam_env.core.fields import NONE
from steam_env.core.jit import inlined_kernel, kernel
from steam_env.core.steam_power.carriage import (
    buy_resource,
    gain_reward,
    lift_resource,
    listed_cost,
    pay_seat,
    source_fee,
    survey,
)
from steam_env.core.steam_power.coins import clear_blocked_paths, count_coins, lay_coin, put_coins, take_coins
from steam_env.core.steam_power.events import (
    ACTS_INSTEAD,
    AUTOMA_ACTS,
    AUTOMA_TURN,
    BASE_CHOSEN,
    BUILT_NO_FACTORY,
    BY_CHEAPEST,
    BY_FEWEST_LEFT,
    BY_LEAST_PRESENT,
    BY_MARKER,
    BY_MOST_LEFT,
    BY_NEAREST,
    BY_ONLY,
    BY_OWN,
    BY_REACH,
    CITY_CHOSEN,
    CITY_LACKING,
    COINS_REMAIN,
    COMPENSATION_GAINED,
    CONTRACT_ASSESSED,
    CONTRACT_BEGUN,
    CONTRACT_DISCARDED,
    CONTRACT_REVEALED,
    HOP_CHOSEN,
    LACKS_CITY,
    LACKS_COLORS,
    LACKS_FACTORY,
    LACKS_START,
    LACKS_TARGET,
    LACKS_TRAIN,
    LAID_NO_TRACK,
    MONEY_TAKEN,
    NO_CONTRACT_LEFT,
    RESOURCE_CARRIED,
    RESOURCES_COUNTED,
    SOURCE_CHOSEN,
    TAKES_NO_CONTRACTS,
    TARGET_CHOSEN,
    TARGET_LACKING,
    TARGET_UNREACHABLE,
    TRACK_LACKING,
    emit,
)
from steam_env.core.steam_power.factory import build_factory, build_problem, usual_resources
from steam_env.core.steam_power.hands import pop_deck, refill_deck
from steam_env.core.steam_power.marker import corner_of, move_marker, rank_city, rank_group
from steam_env.core.steam_power.network import has_link_between
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.reasons import OK
from steam_env.core.steam_power.route import begin_ways, extend_ways, find_path, tell_path
from steam_env.core.steam_power.state import (
    AUTOMA_PLACEMENTS,
    BONUS_FACTORY,
    BONUS_NONE,
    BONUS_TRACK,
    COMPENSATION,
    FEE,
    ICON_FACTORY,
    ICON_TRACK,
    NUM_RESOURCES,
    PLACE_ABSENT,
    PLACE_DISCARDED,
    PURPLE,
    TAKE_MONEY,
    TARGET_LEAST_PRESENT,
    TARGET_OPPONENT,
    TARGET_PURPLE,
    TARGET_UNCONNECTED,
)

FAR = 1 << 40

# --- the turn ---------------------------------------------------------------------------------------


@inlined_kernel
def play_automa_turn(game: np.record, board: np.record, deck: np.record, work: np.record) -> None:
    """The marker goes on, two contracts are drawn and resolved one after the other (rule 8.4)."""
    seat = int(game.seat)
    move_marker(game, seat)
    corner = corner_of(game, seat)
    emit(work, AUTOMA_TURN, seat, corner, int(game.corners[corner]))
    first = draw_for_automa(game, work, seat)
    second = draw_for_automa(game, work, seat)
    for contract in (first, second):
        if contract != NONE:
            resolve_contract(game, board, deck, work, seat, contract)


@kernel
def draw_for_automa(game: np.record, work: np.record, seat: int) -> int:
    """The deck's next contract, NONE if there is none (rule 8.5)."""
    refill_deck(game, work)
    if game.deck_size == 0:
        emit(work, NO_CONTRACT_LEFT, seat)
        return NONE
    contract = pop_deck(game, PLACE_ABSENT)  # on its way; it is resolved in this turn
    emit(work, CONTRACT_REVEALED, seat, contract)
    return contract


@inlined_kernel
def resolve_contract(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> None:
    """Fulfil it if that is possible, else use it as an action and discard it (rule 8.4)."""
    if can_fulfil(game, board, deck, work, seat, contract):
        fulfil_for_automa(game, board, deck, work, seat, contract)
        return
    emit(work, AUTOMA_ACTS, seat, contract, int(deck.icon[contract]))
    act_by_icon(game, board, deck, work, seat, contract)
    game.place[contract] = PLACE_DISCARDED
    emit(work, CONTRACT_DISCARDED, seat, contract)


# --- fulfilling (rules 8.6, 8.7) ------------------------------------------------------------------------


@kernel
def can_fulfil(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> bool:
    """It needs a complete link and the money (rule 8.6)."""
    money = int(game.money[seat])
    if game.network[seat] == 0:
        emit(work, CONTRACT_ASSESSED, seat, contract, NONE, money)
        return False
    survey(game, board, work, seat)
    cost = listed_cost(deck, work, contract)
    emit(work, CONTRACT_ASSESSED, seat, contract, cost, money)
    return cost <= money


@inlined_kernel
def fulfil_for_automa(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> None:
    """Pay for each resource in printed order, then take the reward."""
    emit(work, CONTRACT_BEGUN, seat, contract)
    for need in range(deck.num_needs[contract]):
        survey(game, board, work, seat)
        color = int(deck.needs[contract, need])
        source = choose_source(game, board, work, seat, color)
        if source == NONE:
            buy_resource(game, work, seat, color)
        else:
            fetch_resource(game, board, work, seat, source)
    gain_reward(game, deck, work, seat, contract)
    take_bonus(game, board, deck, work, seat, contract)


@kernel
def can_supply(game: np.record, board: np.record, work: np.record, color: int, city: int) -> bool:
    """Whether the city has a resource of the colour that can reach the network; after a ``survey``."""
    return game.color[city] == color and game.resources[city] > 0 and work.distance[board.group[city]] != NONE


@kernel
def source_cost(game: np.record, board: np.record, work: np.record, seat: int, city: int) -> int:
    """Dollars for a resource from the city, links included; after a ``survey``."""
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
    """Of the groups one link nearer, the one whose first city comes first by the marker."""
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
    """Of the seats with a link there, the next in seat order after the Automa."""
    for step in range(1, game.num_seats):
        other = (seat + step) % int(game.num_seats)
        if has_link_between(game, board, other, group, onward):
            return other
    return NONE


@kernel
def tell_hop(
    game: np.record, board: np.record, work: np.record, seat: int, group: int, onward: int, payee: int
) -> None:
    """Write where and whom the marker and the seat order decided for, if there was a choice."""
    ways = owners = 0
    for other in range(board.num_cities):
        if has(game.reach[group], other) and work.distance[other] == work.distance[onward]:
            ways += 1
    for other in range(game.num_seats):
        owners += 1 if has_link_between(game, board, other, group, onward) else 0
    if ways > 1 or owners > 1:
        emit(work, HOP_CHOSEN, seat, onward, ways, payee, owners)


@inlined_kernel
def take_bonus(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> None:
    """The bonus by the Automa's own rules, or compensation for one it cannot do (rule 8.7)."""
    bonus = int(deck.bonus[contract])
    if bonus == BONUS_NONE:
        return
    why = TAKES_NO_CONTRACTS
    if bonus == BONUS_TRACK:
        if lay_tracks(game, board, deck, work, seat, contract) > 0:
            return
        why = LAID_NO_TRACK
    elif bonus == BONUS_FACTORY:
        if build_for_automa(game, board, work, seat):
            return
        why = BUILT_NO_FACTORY
    amount = COMPENSATION[game.automa_level]
    game.money[seat] += amount
    emit(work, COMPENSATION_GAINED, seat, amount, why)


# --- acting (rule 8.8) -------------------------------------------------------------------------------------


@inlined_kernel
def act_by_icon(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> None:
    """Track or a factory by the contract's icon, else the other one, else $3."""
    first = int(deck.icon[contract])
    second = ICON_FACTORY if first == ICON_TRACK else ICON_TRACK
    if do_action(game, board, deck, work, seat, contract, first):
        return
    emit(work, ACTS_INSTEAD, seat, first, second)
    if do_action(game, board, deck, work, seat, contract, second):
        return
    emit(work, ACTS_INSTEAD, seat, second, NONE)
    game.money[seat] += TAKE_MONEY
    emit(work, MONEY_TAKEN, seat, TAKE_MONEY)


@kernel
def do_action(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int, icon: int
) -> bool:
    """Lay up to two tiles, or build a factory; False if not even one tile, or no factory, could be."""
    if icon == ICON_TRACK:
        return lay_tracks(game, board, deck, work, seat, contract) > 0
    return build_for_automa(game, board, work, seat)


# --- the extended network (rule 8.3) -------------------------------------------------------------------------


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
    """Resources of the colour on cities of the AEN."""
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


# --- laying track (rules 8.9 to 8.12) ---------------------------------------------------------------------------


@kernel
def lay_tracks(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> int:
    """Up to two tiles; returns how many were laid (rule 8.9)."""
    number = automa_number(game, seat)
    laid = 0
    color_from = 0
    for _ in range(AUTOMA_PLACEMENTS):
        chosen = game.num_coins[number] == 0
        if chosen:
            color_from = choose_route(game, board, deck, work, seat, contract, color_from) + 1
            if color_from == 0:
                return laid
            put_coins(game, work, number)
        if not lay_coin(game, board, work, seat):
            if chosen:
                take_coins(game, number, int(game.num_coins[number]))  # no coins are put
            return laid
        laid += 1
        if work.tracing and game.num_coins[number] > 0:
            emit(work, COINS_REMAIN, seat, count_coins(game, board, number))
        clear_blocked_paths(game, board, work, seat)
    return laid


@kernel
def count_need_before(deck: np.record, contract: int, need: int) -> int:
    """How often the colour of this need stands before it in the contract."""
    count = 0
    for earlier in range(need):
        count += 1 if deck.needs[contract, earlier] == deck.needs[contract, need] else 0
    return count


@kernel
def choose_route(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int, need_from: int
) -> int:
    """Choose target and path by the contract's colours from ``need_from`` on (rules 8.10, 8.11).

    Returns the index of the need whose colour gave the target; NONE if none did, or no link can start.
    """
    if game.trains[seat] <= 0:
        emit(work, TRACK_LACKING, seat, LACKS_TRAIN)
        return NONE
    network = starting_network(game, board, work, seat)
    if network == 0:
        emit(work, TRACK_LACKING, seat, LACKS_START)
        return NONE
    begin_ways(game, board, work, network)
    why = LACKS_COLORS
    for need in range(need_from, deck.num_needs[contract]):
        if count_need_before(deck, contract, need) == 0:
            color = int(deck.needs[contract, need])
            if find_target(game, board, work, seat, network, int(deck.target_rule[color]), color):
                return need
            why = LACKS_TARGET
    emit(work, TRACK_LACKING, seat, why)
    return NONE


@kernel
def starting_network(game: np.record, board: np.record, work: np.record, seat: int) -> int:
    """The network; without track the group of the first city of the corner's colour (rule 8.12); 0 if none."""
    if game.network[seat] != 0:
        return int(game.network[seat])
    corner = corner_of(game, seat)
    best = NONE
    best_rank = FAR
    candidates = 0
    for city in range(board.num_cities):
        if game.color[city] == game.corners[corner]:
            candidates += 1
            rank = rank_city(board, corner, city)
            if rank < best_rank:
                best, best_rank = city, rank
    if best == NONE:
        return 0
    emit(work, BASE_CHOSEN, seat, best, candidates)
    return bit(board.group[best])


@kernel
def find_targets(game: np.record, board: np.record, work: np.record, seat: int, network: int, rule: int) -> int:
    """Bits of the cities that are a target by this rule (rule 8.10), in reach or not, all outside the own network."""
    count_all_present(game, board, work, spread_network(game, board, network))
    least = work.present.min()
    opponents = opponents_network(game, seat)
    targets = 0
    for city in range(board.num_cities):
        group = int(board.group[city])
        if has(network, group):
            continue
        color = int(game.color[city])
        fits = False
        if rule == TARGET_LEAST_PRESENT:
            fits = color != PURPLE and game.owner[city] == NONE and work.present[color] == least
        elif rule == TARGET_PURPLE:
            fits = color == PURPLE
        elif rule == TARGET_UNCONNECTED:
            fits = game.reach[group] == 0
        elif rule == TARGET_OPPONENT:
            fits = has(opponents, group)
        if fits:
            targets |= bit(city)
    return targets


@kernel
def find_target(
    game: np.record, board: np.record, work: np.record, seat: int, network: int, rule: int, color: int
) -> bool:
    """The nearest target with a path, first by marker among equally near ones; the path is in ``work``."""
    corner = corner_of(game, seat)
    trains = int(game.trains[seat])
    targets = find_targets(game, board, work, seat, network, rule)
    if work.tracing:
        if rule == TARGET_LEAST_PRESENT:
            tell_present(work, seat)
        while extend_ways(game, board, work, network, trains):
            pass  # what is told compares all targets
    after_tiles = 0
    after_rank = -FAR
    while True:
        best = next_target(board, work, corner, targets, after_tiles, after_rank)
        while best == NONE and extend_ways(game, board, work, network, trains):
            best = next_target(board, work, corner, targets, after_tiles, after_rank)
        if best == NONE:
            emit(work, TARGET_LACKING, seat, color, rule, count_members(targets))
            return False
        group = int(board.group[best])
        if find_path(game, board, work, corner, network, group, trains):
            if work.tracing:
                why = compare_targets(board, work, corner, targets, best)
                emit(work, TARGET_CHOSEN, seat, color, rule, best, count_members(targets), why)
                tell_path(game, board, work, seat, corner, network, group, trains)
            return True
        after_tiles = int(work.group_tiles[group])
        after_rank = rank_city(board, corner, best)
        emit(work, TARGET_UNREACHABLE, seat, best, after_tiles)


@kernel
def next_target(board: np.record, work: np.record, corner: int, targets: int, after_tiles: int, after_rank: int) -> int:
    """The nearest target, first by marker among equally near ones, after one with these tiles and this rank.

    NONE if none is within the ways that were measured so far.
    """
    best = NONE
    best_tiles = FAR
    best_rank = FAR
    for city in range(board.num_cities):
        tiles = int(work.group_tiles[board.group[city]])
        if tiles == NONE or not has(targets, city):
            continue
        rank = rank_city(board, corner, city)
        later = tiles > after_tiles or (tiles == after_tiles and rank > after_rank)
        if later and (tiles < best_tiles or (tiles == best_tiles and rank < best_rank)):
            best, best_tiles, best_rank = city, tiles, rank
    return best


@kernel
def compare_targets(board: np.record, work: np.record, corner: int, targets: int, best: int) -> int:
    """Which criterion decided for the target ``best``: those before it were found to be out of reach."""
    fewest = int(work.group_tiles[board.group[best]])
    in_reach = as_near = 0
    for city in range(board.num_cities):
        tiles = int(work.group_tiles[board.group[city]])
        if tiles == NONE or not has(targets, city):
            continue
        if tiles == fewest and rank_city(board, corner, city) >= rank_city(board, corner, best):
            as_near += 1
            in_reach += 1
        elif tiles > fewest:
            in_reach += 1
    if count_members(targets) == 1:
        return BY_ONLY
    if in_reach == 1:
        return BY_REACH
    return BY_NEAREST if as_near == 1 else BY_MARKER


# --- building (rule 8.14) --------------------------------------------------------------------------------------


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
    """Of the legal cities in these groups: colour least present in the AEN, nearest, first by marker."""
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
