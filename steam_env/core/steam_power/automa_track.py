"""Rules 8.9 to 8.12: where an Automa lays track."""

import numpy as np

from steam_env.core.bits import bit, count_members, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam_power.automa_network import count_all_present, opponents_network, spread_network, tell_present
from steam_env.core.steam_power.automa_sources import FAR
from steam_env.core.steam_power.coins import clear_blocked_paths, count_coins, lay_coin, put_coins, take_coins
from steam_env.core.steam_power.events import (
    BASE_CHOSEN,
    BY_MARKER,
    BY_NEAREST,
    BY_ONLY,
    BY_REACH,
    COINS_REMAIN,
    LACKS_COLORS,
    LACKS_START,
    LACKS_TARGET,
    LACKS_TRAIN,
    TARGET_CHOSEN,
    TARGET_LACKING,
    TARGET_UNREACHABLE,
    TRACK_LACKING,
    emit,
)
from steam_env.core.steam_power.marker import corner_of, rank_city
from steam_env.core.steam_power.players import automa_number
from steam_env.core.steam_power.route import find_path, tell_path
from steam_env.core.steam_power.route_ways import begin_ways, extend_ways
from steam_env.core.steam_power.state import (
    AUTOMA_PLACEMENTS,
    PURPLE,
    TARGET_LEAST_PRESENT,
    TARGET_OPPONENT,
    TARGET_PURPLE,
    TARGET_UNCONNECTED,
)


@kernel
def lay_tracks(game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int) -> int:
    """Lay up to two tiles; returns how many were laid (rule 8.9)."""
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
def lay_bonus_tracks(
    game: np.record, board: np.record, deck: np.record, work: np.record, seat: int, contract: int
) -> int:
    """``lay_tracks`` as a bonus: with no train in reserve none, not even along the incomplete link (rule 8.7)."""
    if game.trains[seat] <= 0:
        emit(work, TRACK_LACKING, seat, LACKS_TRAIN)
        return 0
    return lay_tracks(game, board, deck, work, seat, contract)


@kernel
def count_need_before(deck: np.record, contract: int, need: int) -> int:
    """How often the contract lists the colour of this need before it."""
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
    starts = starting_cities(game, board, work, seat)
    if starts == 0:
        emit(work, TRACK_LACKING, seat, LACKS_START)
        return NONE
    network = groups_of(board, starts)  # the group of a first track's city counts as its network (rule 8.12)
    begin_ways(game, board, work, starts)
    why = LACKS_COLORS
    for need in range(need_from, deck.num_needs[contract]):
        if count_need_before(deck, contract, need) == 0:
            color = int(deck.needs[contract, need])
            if find_target(game, board, work, seat, starts, network, int(deck.target_rule[color]), color):
                return need
            why = LACKS_TARGET
    emit(work, TRACK_LACKING, seat, why)
    return NONE


@kernel
def starting_cities(game: np.record, board: np.record, work: np.record, seat: int) -> int:
    """Bits of the cities that a path may leave: all of the network, or without track the one city of rule 8.12.

    That is the first by marker of its corner's colour, and no other of its group; 0 if no city has the colour.
    """
    if game.network[seat] != 0:
        return cities_of(board, int(game.network[seat]))
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
    return bit(best)


@kernel
def cities_of(board: np.record, groups: int) -> int:
    """Bits of the cities of these groups."""
    cities = 0
    for city in range(board.num_cities):
        cities |= bit(city) if has(groups, board.group[city]) else 0
    return cities


@kernel
def groups_of(board: np.record, cities: int) -> int:
    """Bits of the groups of these cities."""
    groups = 0
    for city in range(board.num_cities):
        groups |= bit(board.group[city]) if has(cities, city) else 0
    return groups


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
    game: np.record, board: np.record, work: np.record, seat: int, starts: int, network: int, rule: int, color: int
) -> bool:
    """Find the nearest target with a path, first by marker among equally near ones; the path is in ``work``."""
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
        if find_path(game, board, work, corner, starts, network, group, trains):
            if work.tracing:
                why = compare_targets(board, work, corner, targets, best)
                emit(work, TARGET_CHOSEN, seat, color, rule, best, count_members(targets), why)
                tell_path(game, board, work, seat, corner, starts, network, group, trains)
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
    """The criterion that decided for the target ``best``; targets before it were found to be out of reach."""
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
