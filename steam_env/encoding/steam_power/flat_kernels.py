"""Kernels that write what one seat sees: the digits of `flat`, of which ``steam_env.encoding.digits`` makes floats.

``places.at`` tells where the digits of each value stand, so one kernel writes every layout: that for all games, and
the tight ones, which have room for the things of one setting. All digits of a row are zero before they are written.
"""

import numpy as np

from steam_env.core.bits import count_members, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.carriage import source_fee
from steam_env.core.steam_power.players import automa_number, is_automa, player_of
from steam_env.core.steam_power.scoring import counts_as_linked, num_scores, rarity_bonus
from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    BONUS_NONE,
    CONTRACTS_PER_TAKE,
    FACTORIES,
    FLIPPED_VP,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_NEEDS,
    MAX_SEATS,
    MONEY_PER_VP,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_RESOURCES,
    NUM_TILE_KINDS,
    PLACE_ASIDE,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    PURCHASE_COST,
    PURPLE,
    PURPLE_VP,
    RESOURCES_PER_COLOR,
    SOLO,
    SOLO_ROUNDS,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.core.steam_power.turn import end_is_triggered
from steam_env.encoding.digits import expand_row
from steam_env.encoding.layout import BYTE_VALUES
from steam_env.encoding.steam_power.flat import (
    ACTIONS_LEFT,
    AUTOMA_LEVEL,
    AUTOMAS,
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
    CITY_SUBJECT,
    CITY_VISITED,
    COIN_BASE,
    COLUMN_SCALE,
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
    CONTRACT_PENDING,
    CONTRACT_VP,
    CORNERS,
    DECK_SIZE,
    EDITION,
    END_TRIGGER,
    END_TRIGGERED,
    FLAT_SIZE,
    HAND_NEEDS,
    HAND_SCALE,
    IN_BONUS,
    LINKS_SCALE,
    MODE,
    MONEY_EXACT,
    MONEY_FAR,
    MONEY_NEAR,
    MOST_RESOURCES,
    NEED,
    NUM_COSTS,
    NUM_LEVELS,
    NUM_OTHERS,
    OFF_MAP,
    OWN_COMPLETE,
    OWN_INCOMPLETE,
    PENDING_BONUS,
    PENDING_MONEY,
    PENDING_NEEDS,
    PENDING_VP,
    PHASE,
    PLACEMENTS_LEFT,
    REWARD_SCALE,
    ROUND_LIMIT,
    ROUNDS_LEFT,
    ROUNDS_NEAR,
    ROUNDS_PLAYED,
    ROUNDS_SCALE,
    ROUTING,
    ROW_SCALE,
    SCORE_SCALE,
    SEAT_AUTOMA,
    SEAT_BAG,
    SEAT_CONTRACT_VP,
    SEAT_FACTORIES,
    SEAT_FACTORY_VP,
    SEAT_FIRST,
    SEAT_FULFILLED,
    SEAT_HAND,
    SEAT_MARKER,
    SEAT_MONEY_EXACT,
    SEAT_MONEY_FAR,
    SEAT_MONEY_NEAR,
    SEAT_PRESENT,
    SEAT_PURPLE_VP,
    SEAT_SCORE,
    SEAT_TAIL,
    SEAT_TAIL_COLUMN,
    SEAT_TAIL_ENTRY,
    SEAT_TAIL_EXIT,
    SEAT_TAIL_HEX,
    SEAT_TAIL_ROW,
    SEAT_TO_END,
    SEAT_TO_MOVE,
    SEAT_TRAINS,
    SET_ASIDE,
    SLOTS_PER_HEX,
    START_EDGE,
    STOCK,
    TAKES_LEFT,
    TILE_NUMBER,
    TILE_UNITS,
    TILES,
    TRACK_COINS,
    TRACK_OWNER,
    TRACK_TILE,
    TRUNCATED,
    UNITS,
)
from steam_env.encoding.steam_power.scratch import (
    FLAT_DIGITS,
    FLAT_PLACES,
    MEMORY,
)

# A word of four bytes has the pairs of two hexes; the signs of the second bytes tell that there is no second pair.
HEXES_PER_WORD = np.dtype(np.int32).itemsize // SLOTS_PER_HEX
SECOND_ABSENT = int(np.array([0, -128, 0, -128], np.int8).view(np.int32)[0])
NO_LINK = NONE & BYTE_VALUES - 1  # an index that cannot be negative
OUT_OF_REACH = NUM_COSTS  # the column of ``scratch.units`` for resources that cannot be had
BYTE, WORD = BYTE_VALUES - 1, BYTE_VALUES**2 - 1


# --- numbers ----------------------------------------------------------------------------------------------


@kernel
def clip(value: int, most: int) -> int:
    """The value cut off at 0 and ``most``."""
    return min(max(int(value), 0), most)


@kernel
def write_number(value: int, row: np.ndarray, place: int, step: int) -> None:
    """Write a number of two digits, which stand ``step`` places apart."""
    row[place] = value & BYTE
    row[place + step] = value >> 8


@kernel
def relative_seat(game: np.record, observer: int, seat: int) -> int:
    """How many places after the observer the seat is."""
    relative = int(seat) - observer
    return relative if relative >= 0 else relative + int(game.num_seats)


@kernel
def relative_player(game: np.record, observer: int, player: int) -> int:
    """How many places after the observer the owner of a purse, hand and score is; 0 in solo, which has one player."""
    return 0 if game.mode == SOLO else relative_seat(game, observer, player)


@kernel
def code_seat(relative: int) -> int:
    """``MAX_SEATS`` for the observer, less for each place after it, never 0."""
    return MAX_SEATS - relative


@kernel
def code_track(relative: int, complete: bool) -> int:
    """The number in ``TRACK_CODES`` of a segment: whose it is, and whether its link is complete."""
    if relative == 0:
        return OWN_COMPLETE if complete else OWN_INCOMPLETE
    return OWN_INCOMPLETE + relative + (NUM_OTHERS if complete else 0)


# --- the game and its decision ------------------------------------------------------------------------------


@kernel
def write_configuration(game: np.record, places: np.record, row: np.ndarray) -> None:
    """Write what the game was configured with, and how far it has come."""
    at = places.at
    row[at[EDITION]] = game.edition
    row[at[MODE]] = game.mode
    row[at[ROUTING]] = game.routing
    row[at[AUTOMAS]] = clip(game.num_automas, NUM_OTHERS)
    if game.num_automas > 0:
        row[at[AUTOMA_LEVEL]] = clip(int(game.automa_level) + 1, NUM_LEVELS)
    last_round = int(game.max_rounds)
    if game.mode == SOLO:
        last_round = min(last_round, SOLO_ROUNDS)
    write_number(last_round, row, places.last_round, 1)
    write_number(clip(int(game.round_number) - 1, last_round), row, at[ROUNDS_PLAYED], 1)
    row[at[ROUNDS_LEFT]] = clip(last_round - int(game.round_number), ROUNDS_NEAR)
    write_number(clip(game.max_rounds, ROUNDS_SCALE), row, at[ROUND_LIMIT], 1)
    row[at[END_TRIGGER]] = clip(game.contracts_to_end, MAX_CONTRACTS)
    row[at[END_TRIGGERED]] = 1 if end_is_triggered(game) else 0
    row[at[TRUNCATED]] = game.truncated


@kernel
def write_stocks(game: np.record, places: np.record, row: np.ndarray) -> None:
    """Write what lies beside the map, for all."""
    at = places.at
    row[at[DECK_SIZE]] = clip(game.deck_size, MAX_CONTRACTS)
    for color in range(NUM_RESOURCES):
        row[at[STOCK] + color] = clip(game.stock[color], RESOURCES_PER_COLOR)
    for color in range(NUM_COLORS):
        write_number(int(game.off_map[color]), row, at[OFF_MAP] + color, NUM_COLORS)
    for corner in range(NUM_CORNERS):
        row[at[CORNERS] + corner] = clip(int(game.corners[corner]) + 1, NUM_RESOURCES)
    if game.mode == SOLO:
        row[at[SET_ASIDE]] = clip(count_set_aside(game), SOLO_ROUNDS)
    for kind in range(NUM_TILE_KINDS):
        parts = int(game.tiles[kind]) * (TILE_UNITS // TILE_STOCK[kind])
        row[at[TILES] + kind] = min(parts, TILE_UNITS) if parts >= 0 else TILE_UNITS + min(-parts, TILE_UNITS)


@kernel
def count_set_aside(game: np.record) -> int:
    """How many contracts are set aside; a view lists them among the places of unknown contracts."""
    count = 0
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_ASIDE or game.slot[contract] == PLACE_ASIDE:
            count += 1
    return count


@kernel
def write_decision(game: np.record, deck: np.record, places: np.record, row: np.ndarray) -> None:
    """Write what is decided now, and what the sub-decisions before it have fixed."""
    at = places.at
    row[at[PHASE] + int(game.phase)] = 1
    row[at[ACTIONS_LEFT]] = clip(game.actions_left, ACTIONS_PER_TURN)
    row[at[PLACEMENTS_LEFT]] = clip(game.placements_left, PLACEMENTS_PER_ACTION)
    row[at[TAKES_LEFT]] = clip(game.takes_left, CONTRACTS_PER_TAKE)
    row[at[IN_BONUS]] = game.in_bonus
    row[at[NEED]] = clip(int(game.need) + 1, MAX_NEEDS + 1)
    if game.start_edge != NONE:
        row[at[START_EDGE] + int(game.start_edge)] = 1
    if game.start_city != NONE:
        row[at[CITY_SUBJECT] + int(game.start_city)] = 1
    if game.build_city != NONE:
        row[at[CITY_SUBJECT] + int(game.build_city)] = 1
    if game.contract != NONE:
        write_pending(game, deck, int(game.contract), places, row)


@kernel
def write_pending(game: np.record, deck: np.record, contract: int, places: np.record, row: np.ndarray) -> None:
    """Write the contract whose resources, or whose bonus, are under way."""
    at = places.at
    row[at[CONTRACT_PENDING] + contract] = 1
    if game.need != NONE:
        place = int(at[PENDING_NEEDS])
        for need in range(game.need, deck.num_needs[contract]):
            row[place + int(deck.needs[contract, need])] = 1
            place += NUM_RESOURCES
    row[at[PENDING_MONEY]] = clip(deck.money[contract], REWARD_SCALE)
    row[at[PENDING_VP]] = clip(deck.vp[contract], REWARD_SCALE)
    if deck.bonus[contract] != BONUS_NONE:
        row[at[PENDING_BONUS] + int(deck.bonus[contract]) - 1] = 1


# --- seats ----------------------------------------------------------------------------------------------


@kernel
def write_seats(game: np.record, board: np.record, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write the state of every seat, the observer first."""
    at = places.at
    seats = int(game.num_seats)
    for relative in range(seats):
        seat = observer + relative
        if seat >= seats:
            seat -= seats
        row[at[SEAT_PRESENT] + relative] = 1
        row[at[SEAT_TO_MOVE] + relative] = 1 if seat == game.seat else 0
        row[at[SEAT_FIRST] + relative] = 1 if seat == game.first_player and game.mode != SOLO else 0
        if is_automa(game, seat):
            row[at[SEAT_AUTOMA] + relative] = 1
            row[at[SEAT_MARKER] + relative] = int(game.marker[automa_number(game, seat)]) + 1
        row[at[SEAT_TRAINS] + relative] = clip(game.trains[seat], TRAINS_FINAL)
        row[at[SEAT_FACTORIES] + relative] = clip(game.factories[seat], FACTORIES)
        if game.mode != SOLO or relative == 0:
            write_possessions(game, player_of(game, seat), relative, places, row)
        write_tail(game, board, seat, relative, places, row)
    for index in range(game.bag_size):
        row[at[SEAT_BAG] + relative_seat(game, observer, game.bag[index])] += 1


@kernel
def write_possessions(game: np.record, player: int, relative: int, places: np.record, row: np.ndarray) -> None:
    """Write purse and contracts of a player or an Automa."""
    at = places.at
    money = clip(game.money[player], MONEY_EXACT)
    row[at[SEAT_MONEY_NEAR] + relative] = min(money, MONEY_NEAR)
    row[at[SEAT_MONEY_FAR] + relative] = min(money, MONEY_FAR)
    place = at[SEAT_MONEY_EXACT] + relative
    write_number(money & WORD, row, place, places.seats)
    write_number(money >> 16, row, place + 2 * places.seats, places.seats)
    row[at[SEAT_HAND] + relative] = clip(game.hand_size[player], MAX_CONTRACTS)
    row[at[SEAT_FULFILLED] + relative] = clip(game.num_fulfilled[player], MAX_CONTRACTS)
    if game.mode != SOLO:  # there contracts never end the game (rule 9.2)
        missing = int(game.contracts_to_end) - int(game.num_fulfilled[player])
        row[at[SEAT_TO_END] + relative] = clip(missing, max(int(game.contracts_to_end), 1))


@kernel
def write_tail(game: np.record, board: np.record, seat: int, relative: int, places: np.record, row: np.ndarray) -> None:
    """Write where a seat's incomplete link ends."""
    at = places.at
    hex_index = int(game.tail_hex[seat])
    row[at[SEAT_TAIL] + relative] = 0 if game.tail_link[seat] == NONE else 1
    write_number(clip(hex_index + 1, MAX_HEXES), row, at[SEAT_TAIL_HEX] + relative, places.seats)
    row[at[SEAT_TAIL_ENTRY] + relative] = clip(int(game.tail_entry[seat]) + 1, NUM_EDGES)
    if hex_index != NONE:
        row[at[SEAT_TAIL_COLUMN] + relative] = clip(board.col[hex_index], COLUMN_SCALE)
        row[at[SEAT_TAIL_ROW] + relative] = clip(board.row[hex_index], ROW_SCALE)
    if game.tail_exit[seat] != NONE:
        row[at[SEAT_TAIL_EXIT] + int(game.tail_exit[seat]) * places.seats + relative] = 1


@kernel
def write_scores(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    places: np.record,
    scratch: np.record,
    row: np.ndarray,
) -> None:
    """Write what each seat would score now; all of it is public.

    These are the scores of ``core.steam_power.scoring.score_game`` (rules 3.3, 9.4), with hardly a branch: what comes
    next in a position no processor foresees, and each wrong guess costs as much as twenty additions.
    """
    at = places.at
    add_contracts(game, deck, scratch.place_points)
    add_factories(game, board, scratch.factory_points)
    add_purple(game, board, scratch.purple, scratch.purple_points)
    for seat in range(num_scores(game)):
        relative = relative_player(game, observer, seat)
        from_contracts, from_factories = scratch.place_points[PLACE_FULFILLED + seat], scratch.factory_points[seat + 1]
        from_cities = scratch.purple_points[seat]
        total = from_contracts + from_factories + from_cities + game.money[seat] // MONEY_PER_VP
        row[at[SEAT_SCORE] + relative] = clip(total, SCORE_SCALE)
        row[at[SEAT_CONTRACT_VP] + relative] = clip(from_contracts, SCORE_SCALE)
        row[at[SEAT_FACTORY_VP] + relative] = clip(from_factories, SCORE_SCALE)
        row[at[SEAT_PURPLE_VP] + relative] = clip(from_cities, SCORE_SCALE)


@kernel
def add_contracts(game: np.record, deck: np.record, points: np.ndarray) -> None:
    """Add up the points of the contracts at each place."""
    points[:] = 0
    for contract in range(deck.num_contracts):
        points[game.place[contract]] += deck.vp[contract]


@kernel
def add_factories(game: np.record, board: np.record, points: np.ndarray) -> None:
    """Add up the points of flipped tiles, by owner + 1; in solo they are all the one player's."""
    points[:] = 0
    for city in range(board.num_cities):
        worth = FLIPPED_VP + rarity_bonus(game, int(game.color[city]))
        points[game.owner[city] + 1] += worth if game.resources[city] == 0 else 0
    if game.mode == SOLO:
        points[1] = points[1:].sum()


@kernel
def add_purple(game: np.record, board: np.record, purple: np.ndarray, points: np.ndarray) -> None:
    """Add up by seat what purple cities are worth; ``purple`` is room for a list of them."""
    points[:] = 0
    count, seats = 0, int(game.num_seats)
    for city in range(board.num_cities):
        purple[count] = city
        count += game.color[city] == PURPLE
    for index in range(count):
        sharers = 0
        for seat in range(seats):
            sharers += counts_as_linked(game, board, seat, purple[index])
        if game.mode == SOLO:
            points[0] += sharers
            continue
        share = (PURPLE_VP + rarity_bonus(game, PURPLE)) // max(sharers, 1)
        for seat in range(seats):
            points[seat] += share if counts_as_linked(game, board, seat, purple[index]) else 0


# --- cities ---------------------------------------------------------------------------------------------


@kernel
def write_cities(game: np.record, board: np.record, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write each city's tile, whom it belongs to and who is linked to it."""
    at, cities, room = places.at, int(board.num_cities), int(places.cities)
    resources, flipped, reach = int(at[CITY_RESOURCES]), int(at[CITY_FLIPPED]), int(at[CITY_REACH])
    for city in range(cities):
        row[resources + city] = min(max(game.resources[city], 0), MOST_RESOURCES)
        row[flipped + city] = (game.owner[city] != NONE) & (game.resources[city] == 0)
    for color in range(NUM_COLORS):
        colors = int(at[CITY_COLOR]) + color * room
        for city in range(cities):
            row[colors + city] = game.color[city] == color
    for seat in range(game.num_seats):
        owners = int(at[CITY_OWNER]) + relative_seat(game, observer, seat) * room
        for city in range(cities):
            row[owners + city] = game.owner[city] == seat
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
def write_networks(game: np.record, board: np.record, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write whose network each city is in, and whose links end on its very tile."""
    at, room, cities = places.at, int(places.cities), int(board.num_cities)
    for seat in range(game.num_seats):
        network = int(game.network[seat])
        if network == 0:
            continue  # no complete link
        relative = relative_seat(game, observer, seat)
        members, ends = int(at[CITY_NETWORK]) + relative * room, int(at[CITY_LINKED]) + relative * room
        for city in range(cities):
            row[members + city] = (network >> board.group[city]) & 1
        for city in range(cities):
            row[ends + city] = (game.linked[city] >> seat) & 1


@kernel
def write_access(
    game: np.record, board: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write how far each city is from the own network; ``scratch.units``: what resources cost from there (rule 6.2)."""
    count_links(game, observer, scratch.links)
    place = int(places.at[CITY_ACCESS])
    scratch.units[:] = 0
    for city in range(board.num_cities):
        links = scratch.links[board.group[city]]
        row[place + city] = LINKS_SCALE - min(links, LINKS_SCALE - 1) if links != NONE else 0
        cost = min(links + source_fee(game, observer, city), NUM_COSTS - 1) if links != NONE else OUT_OF_REACH
        scratch.units[game.color[city], cost] += game.resources[city]


@kernel
def count_links(game: np.record, observer: int, links: np.ndarray) -> None:
    """Write by group how many links it is away from the observer's network, NONE if it is out of reach."""
    links[:] = NONE
    reached = int(game.network[observer])
    frontier = reached
    distance = 0
    while frontier != 0:
        beyond = 0
        while frontier != 0:
            first = frontier & -frontier
            frontier ^= first
            group = count_members(first - 1)
            links[group] = distance
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
    known, generation = 0, 0
    for contract in range(contracts):
        row[own + contract] = game.place[contract] == hand
        row[discarded + contract] = game.place[contract] == PLACE_DISCARDED
    for seat in range(num_scores(game)):
        code = code_seat(relative_player(game, observer, seat))
        for contract in range(contracts):
            row[fulfilled + contract] |= code if game.place[contract] == PLACE_FULFILLED + seat else 0
    for contract in range(contracts):
        known |= game.known[contract]
        generation |= game.generation[contract]
    if has(known, observer):
        write_known(game, contracts, observer, places, row)
    write_shown(game, hand, observer, places, row)
    if generation != 0:
        for contract in range(contracts):
            write_number(int(game.generation[contract]), row, at[CONTRACT_GENERATION] + contract, places.contracts)
    estimate_prices(scratch)
    write_hand(game, deck, observer, places, scratch, row)


@kernel
def write_known(game: np.record, contracts: int, observer: int, places: np.record, row: np.ndarray) -> None:
    """Write in whose hands contracts are that the observer knows there (rule 11.2)."""
    place = int(places.at[CONTRACT_KNOWN])
    for contract in range(contracts):
        seat = int(game.place[contract]) - PLACE_HAND
        if 0 <= seat < MAX_SEATS and seat != observer and has(game.known[contract], observer):
            row[place + contract] = code_seat(relative_seat(game, observer, seat))


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
def write_hand(
    game: np.record, deck: np.record, observer: int, places: np.record, scratch: np.record, row: np.ndarray
) -> None:
    """Write what the contracts of the own hand need, and what they cost; reads ``scratch.prices``."""
    hand = PLACE_HAND + player_of(game, observer)
    size = 0
    for contract in range(deck.num_contracts):
        scratch.hand[size] = contract
        size += 1 if game.place[contract] == hand else 0
    scratch.needs[:] = 0
    ease, is_linked = int(places.at[CONTRACT_EASE]), game.network[observer] != 0
    for index in range(size):
        contract = scratch.hand[index]
        cost = 0
        for color in range(NUM_RESOURCES):
            wanted = deck.wanted[contract, color]
            scratch.needs[color] += wanted
            cost += scratch.prices[color, wanted]
        row[ease + contract] = CONTRACT_COST_SCALE - min(cost, CONTRACT_COST_SCALE) if is_linked else 0
    for color in range(NUM_RESOURCES):
        row[places.at[HAND_NEEDS] + color] = min(scratch.needs[color], HAND_SCALE)


@kernel
def write_cards(deck: np.record, places: np.record, row: np.ndarray) -> None:
    """Write what is printed on the contracts, the same in all games of a deck: ``CARDS`` to ``CARDS_END``."""
    at = places.at
    row[at[CARDS] : at[CARDS_END]] = 0
    for contract in range(deck.num_contracts):
        for color in range(NUM_RESOURCES):
            row[at[CONTRACT_NEEDS] + color * places.contracts + contract] = deck.wanted[contract, color]
        row[at[CONTRACT_MONEY] + contract] = clip(deck.money[contract], REWARD_SCALE)
        row[at[CONTRACT_VP] + contract] = clip(deck.vp[contract], REWARD_SCALE)
        row[at[CONTRACT_ICON] + contract] = deck.icon[contract]
        if deck.bonus[contract] != BONUS_NONE:
            row[at[CONTRACT_BONUS] + (int(deck.bonus[contract]) - 1) * places.contracts + contract] = 1


@kernel
def estimate_prices(scratch: np.record) -> None:
    """Write by colour and number the least that so many resources cost the observer now (rule 6.3).

    Dear ones are counted at ``NUM_COSTS`` - 1.
    """
    prices = scratch.prices
    prices[:] = 0
    for color in range(NUM_RESOURCES):
        below = 0
        for cost in range(NUM_COSTS):
            below += scratch.units[color, cost]
            for number in range(1, MAX_NEEDS + 1):
                prices[color, number] += below < number  # it costs more than this
        for number in range(1, MAX_NEEDS + 1):
            cost = prices[color, number]
            price = cost if cost < NUM_COSTS else PURCHASE_COST  # what is not there must be bought
            prices[color, number] = prices[color, number - 1] + price


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
        row[owners + hex_index] = codes[game.track_link[hex_index, 0] & NO_LINK]
    seconds = owners + int(places.hexes)
    for hex_index in range(hexes):
        if game.track[hex_index, 1] != NONE:  # few hexes have a second segment
            row[tiles + hex_index] = TILE_NUMBER[game.track[hex_index, 0] + 1, game.track[hex_index, 1] + 1]
            row[seconds + hex_index] = codes[game.track_link[hex_index, 1] & NO_LINK]


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
        place += places.hexes


# --- the row ----------------------------------------------------------------------------------------------


@kernel
def write_table(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    places: np.record,
    scratch: np.record,
    row: np.ndarray,
) -> None:
    """Write all digits of a row but for ``write_cards`` and the track, and clear the rest."""
    row[: places.at[CARDS]] = 0
    row[places.at[CARDS_END] : places.size] = 0
    write_configuration(game, places, row)
    write_stocks(game, places, row)
    write_decision(game, deck, places, row)
    write_seats(game, board, observer, places, row)
    write_scores(game, board, deck, observer, places, scratch, row)
    write_cities(game, board, observer, places, row)
    write_networks(game, board, observer, places, row)
    write_access(game, board, observer, places, scratch, row)
    write_contracts(game, deck, observer, places, scratch, row)
    write_units(places, scratch, row)


@kernel
def write_row(
    game: np.record,
    board: np.record,
    deck: np.record,
    observer: int,
    places: np.record,
    scratch: np.record,
    row: np.ndarray,
) -> None:
    """Write all digits of what the observer sees of one game, but for ``write_cards``."""
    write_table(game, board, deck, observer, places, scratch, row)
    write_tracks(game, board, observer, places, scratch, row)
    if game.num_automas > 0:
        write_coins(game, observer, places, row)


@kernel
def check_room(game: np.record, board: np.record, deck: np.record, observer: int, places: np.record) -> None:
    """Refuse an observer who is not at the table, and a game for which a layout has no room."""
    if observer < 0 or observer >= game.num_seats:
        raise ValueError("an observer must be a seat of its game, or NONE")
    fits = game.num_seats <= places.seats and game.num_automas <= places.automas
    fits = fits and board.num_hexes <= places.hexes and board.num_cities <= places.cities
    if not fits or deck.num_contracts > places.contracts:
        raise ValueError("the digits of a tight encoding have room for games of its setting only")


@kernel
def write_rows(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    layouts: np.ndarray,
    scratches: np.ndarray,
    room: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what seat ``seats[i]`` sees of game i; NONE: zeros.

    Each game is copied to ``room`` (1,) first: it is read from one end to the other, which the processor foresees, and
    lies in its inner cache then. Reading here and there in a game that lies further away takes as long again.
    """
    places, scratch, game = layouts[0], scratches[0], room[0]
    if out.shape[0] < games.shape[0] or out.shape[1] != places.size:
        raise ValueError("out must have a row of digits for each game")
    before, card_deck = NONE, NONE  # the row before, from which cards are copied, and whose they are
    first, last = int(places.at[CARDS]), int(places.at[CARDS_END])
    for index in range(games.shape[0]):
        observer = int(seats[index])
        if observer == NONE:
            out[index, :] = 0
            continue
        room[0] = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        if card_deck != game.deck_index:
            write_cards(deck, places, out[index])
        else:
            out[index, first:last] = out[before, first:last]
        write_row(game, board, deck, observer, places, scratch, out[index])
        before, card_deck = index, int(game.deck_index)


@kernel
def write_values(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    seats: np.ndarray,
    layouts: np.ndarray,
    scratches: np.ndarray,
    room: np.ndarray,
    runs: np.ndarray,
    tables: np.ndarray,
    out: np.ndarray,
) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of game i; NONE: zeros."""
    places, scratch, game = layouts[0], scratches[0], room[0]
    if out.shape[0] < games.shape[0] or out.shape[1] != FLAT_SIZE:
        raise ValueError("out must have a row of FLAT_SIZE values for each game")
    card_deck, row = NONE, scratch.row  # whose cards the row holds
    for index in range(games.shape[0]):
        observer = int(seats[index])
        if observer == NONE:
            out[index, :] = 0
            continue
        room[0] = games[index]
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        if card_deck != game.deck_index:
            write_cards(deck, places, row)
            card_deck = int(game.deck_index)
        write_row(game, board, deck, observer, places, scratch, row)
        expand_row(runs, tables, row, out[index])


# --- encoding -----------------------------------------------------------------------------------------------


def encode_flat_digits(
    layout: np.ndarray, games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write row i of ``out`` (n, digits) uint8: what seat ``seats[i]`` sees of ``games[i]`` (n,) GAME.

    ``seats`` (n,) holds seats of the games, or NONE for a row of zeros. ``boards`` and ``decks`` are the arrays that
    the games' ``board_index`` and ``deck_index`` point into, ``layout`` (1,) PLACES says where digits stand.
    """
    write_rows(games, boards, decks, seats, layout, MEMORY.scratch, MEMORY.room, out)


def encode_flat_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of ``games[i]``, see above."""
    memory, digits = MEMORY, FLAT_DIGITS
    fixed = (FLAT_PLACES, memory.scratch, memory.room, digits.runs, digits.tables)
    write_values(games, boards, decks, seats, *fixed, out)
