"""Kernels that write the digits of cities, contracts and track, see ``flat_kernels``."""

import numpy as np

from steam_env.core.bits import bit, count_members, has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.spans import copy_span
from steam_env.core.steam_power.carriage import source_fee
from steam_env.core.steam_power.players import automa_number, player_of
from steam_env.core.steam_power.scoring import num_scores
from steam_env.core.steam_power.state import (
    BONUS_NONE,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_NEEDS,
    NUM_COLORS,
    NUM_RESOURCES,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PURCHASE_COST,
    RESOURCES_PER_COLOR,
)
from steam_env.encoding.layout import BYTE_VALUES
from steam_env.encoding.steam_power.flat import (
    CARDS,
    CARDS_END,
    CITY_ACCESS,
    CITY_CARGO,
    CITY_COLOR,
    CITY_FLIPPED,
    CITY_HOP,
    CITY_LINKED,
    CITY_NETWORK,
    CITY_OWNER,
    CITY_REACH,
    CITY_RESOURCES,
    CITY_VISITED,
    COIN_BASE,
    CONTRACT_BONUS,
    CONTRACT_COST_SCALE,
    CONTRACT_DISCARDED,
    CONTRACT_EASE,
    CONTRACT_FULFILLED,
    CONTRACT_GENERATION,
    CONTRACT_ICON,
    CONTRACT_KNOWN,
    CONTRACT_MONEY,
    CONTRACT_NEEDS,
    CONTRACT_OWN,
    CONTRACT_VP,
    HAND_NEEDS,
    HAND_SCALE,
    LINKS_SCALE,
    MOST_RESOURCES,
    NUM_BONUSES,
    NUM_COSTS,
    REWARD_SCALE,
    SLOTS_PER_HEX,
    TILE_NUMBER,
    TRACK_COINS,
    TRACK_OWNER,
    TRACK_TILE,
    UNITS,
)
from steam_env.encoding.steam_power.seat_kernels import (
    clip,
    code_seat,
    code_track,
    find_first,
    relative_player,
    relative_seat,
    write_number,
)

NO_LINK = NONE & BYTE_VALUES - 1  # an index that cannot be negative
WORD = 64  # hexes, a bit each
OUT_OF_REACH = NUM_COSTS  # the column of ``scratch.units`` for resources that cannot be had


# --- cities ---------------------------------------------------------------------------------------------


@kernel
def write_cities(
    game: np.record, board: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write each city's tile, whom it belongs to and who is linked to it."""
    at, cities, room, lane = places.at, int(board.num_cities), int(places.cities), scratch.lane
    resources, flipped, reach = int(at[CITY_RESOURCES]), int(at[CITY_FLIPPED]), int(at[CITY_REACH])
    for city in range(cities):
        row[resources + city] = min(max(game.resources[city], 0), MOST_RESOURCES)
        row[flipped + city] = (game.owner[city] != NONE) & (game.resources[city] == 0)
    colors = int(at[CITY_COLOR])
    for city in range(cities):
        row[colors + city * NUM_COLORS + int(game.color[city])] = 1
    for seat in range(game.num_seats):
        own = np.int8(seat)
        for city in range(MAX_CITIES):
            lane[city] = game.owner[city] == own
        copy_span(lane, row, int(at[CITY_OWNER]) + relative_seat(game, observer, seat) * room, room)
    for city in range(cities):
        row[reach + city] = count_members(game.reach[board.group[city]])
    if game.cargo_group != NONE:
        write_journey(game, board, places, row)


@kernel
def write_journey(game: np.record, board: np.record, places: np.record, row: np.ndarray) -> None:
    """Write where the resource under way is, goes and was."""
    at = places.at
    for city in range(board.num_cities):
        group = board.group[city]
        row[at[CITY_CARGO] + city] = 1 if group == game.cargo_group else 0
        row[at[CITY_HOP] + city] = 1 if group == game.hop_group else 0
        row[at[CITY_VISITED] + city] = 1 if has(game.visited, group) else 0


@kernel
def write_networks(
    game: np.record, board: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write whose network each city is in, and whose links end on its very tile."""
    at, room, lane, none = places.at, int(places.cities), scratch.lane, np.int8(0)
    for seat in range(game.num_seats):
        network = int(game.network[seat])
        if network == 0:
            continue  # no complete link
        relative = relative_seat(game, observer, seat)
        for city in range(MAX_CITIES):  # past the last one the group is NONE: a bit that no network has
            lane[city] = (network >> (int(board.group[city]) & WORD - 1)) & 1
        copy_span(lane, row, int(at[CITY_NETWORK]) + relative * room, room)
        member = np.int8(bit(seat))
        for city in range(MAX_CITIES):
            lane[city] = game.linked[city] & member != none
        copy_span(lane, row, int(at[CITY_LINKED]) + relative * room, room)


@kernel
def write_access(
    game: np.record, board: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write how far each city is from the own network; ``scratch.units``: what resources cost from there (rule 6.2)."""
    count_links(game, observer, scratch)
    access = int(places.at[CITY_ACCESS])
    for city in range(board.num_cities):
        row[access + city] = scratch.access[board.group[city]]
    scratch.units[:] = 0
    stocked = 0
    for city in range(MAX_CITIES):
        stocked |= int(game.resources[city] > 0) << city
    while stocked != 0:
        city = find_first(stocked)
        stocked &= stocked - 1
        links = scratch.links[board.group[city]]
        cost = min(links + source_fee(game, observer, city), NUM_COSTS - 1) if links != NONE else OUT_OF_REACH
        scratch.units[game.color[city], cost] += game.resources[city]


@kernel
def count_links(game: np.record, observer: int, scratch: np.record) -> None:
    """Write by group ``scratch.links``, to the observer's network, and ``scratch.access``, the digit that tells it."""
    scratch.links[:] = NONE
    scratch.access[:] = 0
    reached = int(game.network[observer])
    frontier = reached
    distance = 0
    while frontier != 0:
        beyond = 0
        while frontier != 0:
            group = find_first(frontier)
            frontier &= frontier - 1
            scratch.links[group] = distance
            scratch.access[group] = LINKS_SCALE - min(distance, LINKS_SCALE - 1)
            beyond |= int(game.reach[group])
        frontier = beyond & ~reached
        reached |= frontier
        distance += 1


@kernel
def write_units(places: np.record, scratch: np.record, row: np.ndarray) -> None:
    """Write how many resources can be had for each cost."""
    place = places.at[UNITS]
    for color in range(NUM_RESOURCES):
        for cost in range(NUM_COSTS):
            row[place] = min(scratch.units[color, cost], RESOURCES_PER_COLOR)
            place += 1


# --- contracts --------------------------------------------------------------------------------------------


@kernel
def write_contracts(
    game: np.record, deck: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write for each contract where it is for the observer, and for those of the own hand what they cost.

    Reads ``scratch.units``.
    """
    at, contracts = places.at, int(deck.num_contracts)
    own, fulfilled, discarded = int(at[CONTRACT_OWN]), int(at[CONTRACT_FULFILLED]), int(at[CONTRACT_DISCARDED])
    hand = PLACE_HAND + player_of(game, observer)
    for contract in range(contracts):
        row[own + contract] = game.place[contract] == hand
        row[discarded + contract] = game.place[contract] == PLACE_DISCARDED
    for seat in range(num_scores(game)):
        code = code_seat(relative_player(game, observer, seat))
        for contract in range(contracts):
            row[fulfilled + contract] |= code if game.place[contract] == PLACE_FULFILLED + seat else 0
    write_known(game, contracts, observer, places, row)
    write_shown(game, hand, observer, places, row)
    generation = 0
    for contract in range(contracts):
        generation |= game.generation[contract]
    if generation != 0:
        for contract in range(contracts):
            write_number(int(game.generation[contract]), row, at[CONTRACT_GENERATION] + contract, places.contracts)
    estimate_prices(scratch)
    write_hand(game, observer, places, scratch, row)


@kernel
def write_known(game: np.record, contracts: int, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write in whose hands contracts are that the observer knows there (rule 11.2)."""
    place, knows = int(places.at[CONTRACT_KNOWN]), np.int8(1 << observer)
    for seat in range(game.num_seats):
        if seat == observer:
            continue
        code, hand = code_seat(relative_seat(game, observer, seat)), PLACE_HAND + seat
        for contract in range(contracts):
            is_known = (game.place[contract] == hand) & (game.known[contract] & knows != 0)
            row[place + contract] |= code if is_known else 0


@kernel
def write_shown(game: np.record, hand: int, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write in whose hand the contract is that another fulfils: it lies open (rule 11.1)."""
    contract = int(game.contract)
    if contract == NONE:
        return
    place = game.place[contract]
    if place != hand and not PLACE_FULFILLED <= place <= PLACE_DISCARDED:
        row[places.at[CONTRACT_KNOWN] + contract] = code_seat(relative_seat(game, observer, game.seat))


@kernel
def write_hand(game: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray) -> None:
    """Write what the contracts of the own hand need, and what they cost; reads ``scratch.prices`` and the cards.

    All contracts that a deck may have are gone through, side by side: a list of the hand would take longer to make.
    What is absent needs nothing and is in no hand.
    """
    hand = np.int8(PLACE_HAND + player_of(game, observer))
    most, none, lane = np.uint8(CONTRACT_COST_SCALE if game.network[observer] != 0 else 0), np.uint8(0), scratch.lane
    lane[:] = none
    for color in range(NUM_RESOURCES):
        prices, wanted = scratch.prices[color], scratch.wanted[color]
        first, second, third, fourth, fifth = prices[0], prices[1], prices[2], prices[3], prices[4]
        for contract in range(MAX_CONTRACTS):  # in bytes from one operation to the next: a loop over prices is slower
            cost = np.uint8(lane[contract] + (first if wanted[contract] > 0 else none))
            cost = np.uint8(cost + (second if wanted[contract] > 1 else none))
            cost = np.uint8(cost + (third if wanted[contract] > 2 else none))
            cost = np.uint8(cost + (fourth if wanted[contract] > 3 else none))
            lane[contract] = np.uint8(cost + (fifth if wanted[contract] > 4 else none))
        needs = none  # at most MAX_NEEDS of each contract: a byte holds them
        for contract in range(MAX_CONTRACTS):
            needs = np.uint8(needs + (wanted[contract] if game.place[contract] == hand else none))
        row[places.at[HAND_NEEDS] + color] = min(needs, np.uint8(HAND_SCALE))
    for contract in range(MAX_CONTRACTS):
        cost = lane[contract]
        lane[contract] = most - cost if (game.place[contract] == hand) & (cost < most) else none
    copy_span(lane, row, int(places.at[CONTRACT_EASE]), int(places.contracts))


@kernel
def write_cards(deck: np.record, places: np.record, scratch: np.record, row: np.ndarray) -> None:
    """Write what is printed on the contracts, the same in all games of a deck: ``CARDS`` to ``CARDS_END``.

    What other kernels read of it is laid out for them in ``scratch``.
    """
    at = places.at
    row[at[CARDS] : at[CARDS_END]] = 0
    scratch.wanted[:] = 0
    scratch.vp[:] = 0
    for contract in range(deck.num_contracts):
        for color in range(NUM_RESOURCES):
            row[at[CONTRACT_NEEDS] + contract * NUM_RESOURCES + color] = deck.wanted[contract, color]
            scratch.wanted[color, contract] = deck.wanted[contract, color]
        row[at[CONTRACT_MONEY] + contract] = clip(deck.money[contract], REWARD_SCALE)
        row[at[CONTRACT_VP] + contract] = clip(deck.vp[contract], REWARD_SCALE)
        scratch.vp[contract] = deck.vp[contract]
        row[at[CONTRACT_ICON] + contract] = deck.icon[contract]
        if deck.bonus[contract] != BONUS_NONE:
            row[at[CONTRACT_BONUS] + contract * NUM_BONUSES + int(deck.bonus[contract]) - 1] = 1


@kernel
def copy_cards(places: np.record, source: np.ndarray, row: np.ndarray) -> None:
    """Write what is printed on the contracts, from another row of the same deck."""
    for place in range(places.at[CARDS], places.at[CARDS_END]):
        row[place] = source[place]


@kernel
def estimate_prices(scratch: np.record) -> None:
    """Write by colour and number what one resource more costs the observer now, at the least (rule 6.3).

    What is not there must be bought, and what costs as much or more is counted like it.
    """
    for color in range(NUM_RESOURCES):
        for number in range(MAX_NEEDS):
            below, cost = 0, 0
            for level in range(PURCHASE_COST):
                below += scratch.units[color, level]
                cost += below <= number  # it costs more than this
            scratch.prices[color, number] = cost


# --- track ------------------------------------------------------------------------------------------------


@kernel
def write_tracks(
    game: np.record, board: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write the tile on each hex, and whose links its segments belong to."""
    at, codes, hexes = places.at, scratch.link_code, int(board.num_hexes)
    for link in range(game.num_links):
        relative = relative_seat(game, observer, game.link_owner[link])
        codes[link] = code_track(relative, game.link_end[link] != NONE)
    tiles, owners = int(at[TRACK_TILE]), int(at[TRACK_OWNER])
    for hex_index in range(hexes):
        row[tiles + hex_index] = game.track[hex_index, 0] + 1
    for hex_index in range(hexes):
        row[owners + hex_index * SLOTS_PER_HEX] = codes[int(game.track_link[hex_index, 0]) & NO_LINK]
    for first in range(0, MAX_HEXES, WORD):
        crossings = 0
        for place in range(WORD):
            crossings |= int(game.track[first + place, 1] != NONE) << place
        while crossings != 0:  # few hexes have a second segment
            hex_index = first + find_first(crossings)
            crossings &= crossings - 1
            row[tiles + hex_index] = TILE_NUMBER[game.track[hex_index, 0] + 1, game.track[hex_index, 1] + 1]
            row[owners + hex_index * SLOTS_PER_HEX + 1] = codes[int(game.track_link[hex_index, 1]) & NO_LINK]


@kernel
def write_coins(game: np.record, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write the coin paths of the Automas, in turn order from the observer on."""
    place = int(places.at[TRACK_COINS])
    for relative in range(game.num_seats):
        number = automa_number(game, (observer + relative) % int(game.num_seats))
        if number == NONE:
            continue
        for index in range(game.num_coins[number]):
            row[place + int(game.coins[number, index])] += min(index + 1, COIN_BASE - 1)
        place += int(places.hexes)
