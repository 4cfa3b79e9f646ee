"""Kernels that write the digits of the game, its decision and its seats, see ``flat_kernels``."""

import numpy as np

from steam_env.core.bits import count_members
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.players import automa_number, is_automa, player_of
from steam_env.core.steam_power.scoring import counts_as_linked, num_scores, rarity_bonus
from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    BONUS_NONE,
    CONTRACTS_PER_TAKE,
    FACTORIES,
    FLIPPED_VP,
    MAX_CITIES,
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
    PLACE_FULFILLED,
    PLACEMENTS_PER_ACTION,
    PURPLE,
    PURPLE_VP,
    RESOURCES_PER_COLOR,
    SOLO,
    SOLO_ROUNDS,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.core.steam_power.turn import end_is_triggered
from steam_env.encoding.layout import BYTE_VALUES
from steam_env.encoding.steam_power.flat import (
    ACTIONS_LEFT,
    AUTOMA_LEVEL,
    AUTOMAS,
    CITY_SUBJECT,
    COLUMN_SCALE,
    CONTRACT_PENDING,
    CORNERS,
    DECK_SIZE,
    EDITION,
    END_TRIGGER,
    END_TRIGGERED,
    IN_BONUS,
    MODE,
    MONEY_EXACT,
    MONEY_FAR,
    MONEY_NEAR,
    NEED,
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
    START_EDGE,
    STOCK,
    TAKES_LEFT,
    TILE_UNITS,
    TILES,
    TRUNCATED,
)

BYTE, WORD = BYTE_VALUES - 1, BYTE_VALUES**2 - 1


# --- numbers ----------------------------------------------------------------------------------------------


@kernel
def clip(value: int, most: int) -> int:
    """The value cut off at 0 and ``most``."""
    return min(max(int(value), 0), most)


@kernel
def find_first(members: int) -> int:
    """The least element of a set that is not empty, one bit for each."""
    return count_members((members & -members) - 1)


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
        row[at[SEAT_TAIL_EXIT] + relative * NUM_EDGES + int(game.tail_exit[seat])] = 1


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
    add_factories(game, scratch.factory_points)
    add_purple(game, board, scratch.shares, scratch.purple_points)
    for seat in range(num_scores(game)):
        relative = relative_player(game, observer, seat)
        from_contracts, from_factories = add_contracts(game, scratch, seat), scratch.factory_points[seat]
        from_cities = scratch.purple_points[seat]
        total = from_contracts + from_factories + from_cities + game.money[seat] // MONEY_PER_VP
        row[at[SEAT_SCORE] + relative] = clip(total, SCORE_SCALE)
        row[at[SEAT_CONTRACT_VP] + relative] = clip(from_contracts, SCORE_SCALE)
        row[at[SEAT_FACTORY_VP] + relative] = clip(from_factories, SCORE_SCALE)
        row[at[SEAT_PURPLE_VP] + relative] = clip(from_cities, SCORE_SCALE)


@kernel
def add_contracts(game: np.record, scratch: np.record, seat: int) -> int:
    """Points of the contracts that a seat has fulfilled."""
    points, place = 0, np.int8(PLACE_FULFILLED + seat)
    for contract in range(MAX_CONTRACTS):
        points += scratch.vp[contract] if game.place[contract] == place else 0
    return points


@kernel
def add_factories(game: np.record, points: np.ndarray) -> None:
    """Add up the points of flipped tiles, by seat; in solo they are all the one player's."""
    points[:] = 0
    flipped = 0
    for city in range(MAX_CITIES):
        flipped |= int((game.resources[city] == 0) & (game.owner[city] != NONE)) << city
    while flipped != 0:
        city = find_first(flipped)
        flipped &= flipped - 1
        points[player_of(game, int(game.owner[city]))] += FLIPPED_VP + rarity_bonus(game, int(game.color[city]))


@kernel
def add_purple(game: np.record, board: np.record, shares: np.ndarray, points: np.ndarray) -> None:
    """Add up by seat what purple cities are worth; ``shares`` is room for what each of so many sharers gets."""
    points[:] = 0
    seats, purple = int(game.num_seats), 0
    for sharers in range(1, seats + 1):
        shares[sharers] = (PURPLE_VP + rarity_bonus(game, PURPLE)) // sharers
    for city in range(MAX_CITIES):
        purple |= int(game.color[city] == PURPLE) << city
    while purple != 0:
        city = find_first(purple)
        purple &= purple - 1
        sharers = 0
        for seat in range(seats):
            sharers += counts_as_linked(game, board, seat, city)
        if game.mode == SOLO:
            points[0] += sharers
            continue
        for seat in range(seats):
            points[seat] += shares[sharers] if counts_as_linked(game, board, seat, city) else 0
