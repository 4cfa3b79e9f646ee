"""The `flat` encoding: what one seat sees, as one float32 vector.

``LAYOUT`` is the only place where the parts of the vector stand; the kernel's offsets come from it, and
``python -m steam_env.encoding.steam_power.flat`` prints it. *Observer* is the seat that looks; seats are told
*relative* to it: (seat - observer) mod seats, so the observer is 0 and the next seat 1. Absent seats,
hexes, cities and contracts are zero. In solo the five companies are the seats and the observer is the
company that acts: the one purse, hand and score stand at relative seat 0, whichever company that is.

In are rules 11.1 and 11.2: the table, the own hand, and the contracts that the observer knows in
others' hands. The deck's order, other hands, contracts set aside, the order of the solo bag and the random
streams are never read. Given map and deck, two positions that look different to the observer have different
vectors: where a value is clipped or coarse, another part has it exactly. What follows from the rest is not
written out: the numbers and the order of links, and where complete links start and end (their tiles tell),
the size of a contract, which contracts are hidden, board and deck.
"""

import numpy as np

from steam_env.core.bits import count_members, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam_power.carriage import source_fee
from steam_env.core.steam_power.players import automa_number, is_automa, player_of
from steam_env.core.steam_power.scoring import (
    FROM_CITIES,
    FROM_CONTRACTS,
    FROM_FACTORIES,
    NUM_SCORE_PARTS,
    TOTAL,
    num_scores,
    score_game,
)
from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    BONUS_CONTRACTS,
    BONUS_NONE,
    CONTRACTS_PER_TAKE,
    FACTORIES,
    FACTORY_RESOURCES,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    MAX_NEEDS,
    MAX_SEATS,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_PHASES,
    NUM_RESOURCES,
    NUM_TILE_KINDS,
    PLACE_ASIDE,
    PLACE_DISCARDED,
    PLACE_FULFILLED,
    PLACE_HAND,
    PLACEMENTS_PER_ACTION,
    PURCHASE_COST,
    RESOURCES_PER_COLOR,
    SOLO,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.core.steam_power.tiles import TILE_KIND
from steam_env.core.steam_power.turn import end_is_triggered
from steam_env.encoding.layout import HIGH, Layout, describe_parts
from steam_env.encoding.scales import clip_ratio, saturate
from steam_env.kit.program import fit_streams

FLAT_LOW = -1.0
FLAT_HIGH = HIGH

# --- scales -----------------------------------------------------------------------------------------
NUM_OTHERS = MAX_SEATS - 1
NUM_BONUSES = BONUS_CONTRACTS  # kinds of bonus; "none" is all zeros
NUM_LEVELS = 5  # of Automas
SLOTS_PER_HEX = 2  # a hex holds at most two segments
ROUNDS_SCALE = 1000  # the largest round limit that rules may set
ROUNDS_NEAR = 20  # from here on the last rounds are counted one by one
MONEY_NEAR, MONEY_FAR = 20, 200  # clipped, for learning
MONEY_EXACT = 1 << 24  # every whole number up to here divided by it is an exact float32
OFF_MAP_HALF = 8  # so many tiles beside the map are encoded as 0.5: map files may bring any number
GENERATION_HALF = 1
MOST_RESOURCES = FACTORY_RESOURCES + 1  # in one city, as a contract's bonus
REWARD_SCALE = 20  # clipped; decks are fixed
SCORE_SCALE = 128  # clipped; what scores come from is there exactly
COLUMN_SCALE, ROW_SCALE = 32, 64  # clipped; the hex is there exactly
LINKS_SCALE = 8  # links to the own network that still make a difference
NUM_COSTS = 6  # dollars for one resource: 0 to 4, then 5 or more
CONTRACT_COST_SCALE = 32
HAND_SCALE = 24  # clipped; the contracts are there exactly
COIN_BASE = 64  # one digit for each Automa: four of them fill the 24 bits that a float32 holds exactly


def _number_tiles() -> np.ndarray:
    """(pair + 1, pair + 1) -> number of the tile with these segments, from 1; 0 if there is none."""
    tiles = np.zeros(TILE_KIND.shape, np.int64)
    faces = [tuple(face) for face in np.argwhere(np.triu(TILE_KIND != NONE)) if face[0] > 0]
    singles = [(pair + 1, 0) for pair in range(len(TILE_KIND) - 1)]
    for number, (first, second) in enumerate(singles + faces, start=1):
        tiles[first, second] = number
    return tiles


TILE_NUMBER = _number_tiles()  # the segment with the lower pair first, as records have them
NUM_TILES = int(TILE_NUMBER.max())  # 15 single segments, 15 crossings


_layout = Layout()
_add = _layout.add

# --- the layout ---------------------------------------------------------------------------------------
# The game and its configuration.
EDITION = _add("edition", 1, "preview edition")
MODE = _add("mode", 1, "solo")
ROUTING = _add("routing", 1, "only cheapest routes")
AUTOMAS = _add("automas", 1, "number of Automa seats", f"/ {NUM_OTHERS}")
AUTOMA_LEVEL = _add("automa_level", 1, "level of the Automas, very easy = 1; none = 0", f"/ {NUM_LEVELS}")
ROUNDS_PLAYED = _add("rounds_played", 1, "rounds played", f"/ round limit, in solo at most {SOLO_ROUNDS}")
ROUNDS_LEFT = _add("rounds_left", 1, "rounds left after this one", f"/ {ROUNDS_NEAR}, clipped")
ROUND_LIMIT = _add("round_limit", 1, "the round limit", f"/ {ROUNDS_SCALE}")
END_TRIGGER = _add("end_trigger", 1, "fulfilled contracts that trigger the end", f"/ {MAX_CONTRACTS}")
END_TRIGGERED = _add("end_triggered", 1, "the end is triggered: this round is the last")
TRUNCATED = _add("truncated", 1, "the round limit alone ended the game")
DECK_SIZE = _add("deck_size", 1, "contracts in the deck", f"/ {MAX_CONTRACTS}")
STOCK = _add("stock", NUM_RESOURCES, "resources in stock, by colour W B O G", f"/ {RESOURCES_PER_COLOR}")
CORNERS = _add(
    "corners",
    NUM_CORNERS,
    "resource in each map corner, clockwise from top left: W = 1 to G; none = 0",
    f"/ {NUM_RESOURCES}",
)
SET_ASIDE = _add("set_aside", 1, "solo: contracts set aside", f"/ {SOLO_ROUNDS}")
OFF_MAP = _add("off_map", NUM_COLORS, "City tiles beside the map, by colour W B O G P", f"n / (n + {OFF_MAP_HALF})")
TILES = _add("tiles", NUM_TILE_KINDS, "track tiles in stock, by kind", f"/ {TILE_STOCK}, clipped", FLAT_LOW)
# The decision under way.
PHASE = _add("phase", NUM_PHASES, "what is decided, in the order of `PHASE_NAMES`", "one-hot")
ACTIONS_LEFT = _add("actions_left", 1, "actions of this turn not yet over", f"/ {ACTIONS_PER_TURN}")
PLACEMENTS_LEFT = _add("placements_left", 1, "placements of track left", f"/ {PLACEMENTS_PER_ACTION}")
TAKES_LEFT = _add("takes_left", 1, "contracts still to take", f"/ {CONTRACTS_PER_TAKE}")
IN_BONUS = _add("in_bonus", 1, "a contract's bonus is under way")
START_EDGE = _add("start_edge", NUM_EDGES, "edge by which the new link leaves its city", "one-hot")
NEED = _add("need", 1, "place of the resource under way in the printed order, the first = 1", f"/ {MAX_NEEDS + 1}")
PENDING_NEEDS = _add(
    "pending_needs",
    MAX_NEEDS * NUM_RESOURCES,
    "resources the pending contract still needs, the one under way first, in printed order: by place and colour",
    "one-hot by place",
)
PENDING_MONEY = _add("pending_money", 1, "dollars the pending contract pays", f"/ {REWARD_SCALE}, clipped")
PENDING_VP = _add("pending_vp", 1, "victory points of the pending contract", f"/ {REWARD_SCALE}, clipped")
PENDING_BONUS = _add("pending_bonus", NUM_BONUSES, "its bonus: track, factory, contracts; none = zeros", "one-hot")
# What the observer can have.
UNITS = _add(
    "units",
    NUM_RESOURCES * NUM_COSTS,
    f"derived: resources the observer can have for $0, 1, .. {NUM_COSTS - 1} or more each, by colour and cost",
    f"/ {RESOURCES_PER_COLOR}, clipped",
)
HAND_NEEDS = _add("hand_needs", NUM_RESOURCES, "derived: needs of the own hand by colour", f"/ {HAND_SCALE}, clipped")
# Seats, the observer first.
SEAT_PRESENT = _add("seat_present", MAX_SEATS, "by relative seat: it plays")
SEAT_AUTOMA = _add("seat_automa", MAX_SEATS, "by relative seat: an Automa")
SEAT_TO_MOVE = _add("seat_to_move", MAX_SEATS, "by relative seat: its decision; zero at the end")
SEAT_FIRST = _add("seat_first", MAX_SEATS, "by relative seat: opens each round; in solo nobody")
SEAT_MONEY_NEAR = _add("seat_money_near", MAX_SEATS, "by relative seat: dollars", f"/ {MONEY_NEAR}, clipped")
SEAT_MONEY_FAR = _add("seat_money_far", MAX_SEATS, "by relative seat: dollars", f"/ {MONEY_FAR}, clipped")
SEAT_MONEY_EXACT = _add(
    "seat_money_exact", MAX_SEATS, "by relative seat: dollars, each number another value", f"/ {MONEY_EXACT}, clipped"
)
SEAT_BAG = _add("seat_bag", MAX_SEATS, "by relative seat, in solo: trains in the bag", f"/ {SOLO_TRAINS_IN_BAG}")
SEAT_MARKER = _add(
    "seat_marker", MAX_SEATS, "by relative seat: corner of the Automa's marker + 1; no Automa = 0", f"/ {NUM_CORNERS}"
)
SEAT_TRAINS = _add("seat_trains", MAX_SEATS, "by relative seat: trains in reserve", f"/ {TRAINS_FINAL}")
SEAT_FACTORIES = _add("seat_factories", MAX_SEATS, "by relative seat: factories in reserve", f"/ {FACTORIES}")
SEAT_HAND = _add("seat_hand", MAX_SEATS, "by relative seat: contracts in hand", f"/ {MAX_CONTRACTS}")
SEAT_FULFILLED = _add("seat_fulfilled", MAX_SEATS, "by relative seat: contracts fulfilled", f"/ {MAX_CONTRACTS}")
SEAT_TO_END = _add(
    "seat_to_end", MAX_SEATS, "by relative seat: contracts still missing to the end; in solo 0", "/ end trigger"
)
SEAT_SCORE = _add(
    "seat_score", MAX_SEATS, "derived, by relative seat: score if the game ended now", f"/ {SCORE_SCALE}, clipped"
)
SEAT_CONTRACT_VP = _add(
    "seat_contract_vp", MAX_SEATS, "derived, by relative seat: points of contracts", f"/ {SCORE_SCALE}, clipped"
)
SEAT_FACTORY_VP = _add(
    "seat_factory_vp", MAX_SEATS, "derived, by relative seat: points of flipped tiles", f"/ {SCORE_SCALE}, clipped"
)
SEAT_PURPLE_VP = _add(
    "seat_purple_vp", MAX_SEATS, "derived, by relative seat: points of purple cities", f"/ {SCORE_SCALE}, clipped"
)
SEAT_TAIL = _add("seat_tail", MAX_SEATS, "by relative seat: it has an incomplete link")
SEAT_TAIL_HEX = _add("seat_tail_hex", MAX_SEATS, "by relative seat: hex of its tail in map order + 1", f"/ {MAX_HEXES}")
SEAT_TAIL_COLUMN = _add("seat_tail_column", MAX_SEATS, "by relative seat: column", f"/ {COLUMN_SCALE}, clipped")
SEAT_TAIL_ROW = _add("seat_tail_row", MAX_SEATS, "by relative seat: row", f"/ {ROW_SCALE}, clipped")
SEAT_TAIL_ENTRY = _add("seat_tail_entry", MAX_SEATS, "by relative seat: the tail's entry edge + 1", f"/ {NUM_EDGES}")
SEAT_TAIL_EXIT = _add("seat_tail_exit", MAX_SEATS * NUM_EDGES, "by relative seat and edge: its open edge", "one-hot")
# Cities.
CITY_COLOR = _add("city_color", MAX_CITIES * NUM_COLORS, "by city and colour W B O G P", "one-hot")
CITY_OWNER = _add("city_owner", MAX_CITIES * MAX_SEATS, "by city and relative seat: whose factory", "one-hot")
CITY_RESOURCES = _add("city_resources", MAX_CITIES, "by city: resources left", f"/ {MOST_RESOURCES}, clipped")
CITY_FLIPPED = _add("city_flipped", MAX_CITIES, "by city: the tile is flipped")
CITY_NETWORK = _add("city_network", MAX_CITIES * MAX_SEATS, "by city and relative seat: group in the seat's network")
CITY_LINKED = _add("city_linked", MAX_CITIES * MAX_SEATS, "by city and relative seat: a link ends on this very tile")
CITY_REACH = _add("city_reach", MAX_CITIES, "by city: groups that complete links join with its own", f"/ {MAX_CITIES}")
CITY_ACCESS = _add(
    "city_access",
    MAX_CITIES,
    "derived, by city: 1 in the own network, less for each foreign link on the way there, 0 out of reach",
    f"1 - links / {LINKS_SCALE}, at most {LINKS_SCALE - 1} counted",
)
CITY_SUBJECT = _add("city_subject", MAX_CITIES, "by city: the new link leaves here, or the bonus factory stands here")
CITY_CARGO = _add("city_cargo", MAX_CITIES, "by city: the resource under way is in its group")
CITY_HOP = _add("city_hop", MAX_CITIES, "by city: the resource under way goes on to its group")
CITY_VISITED = _add("city_visited", MAX_CITIES, "by city: the resource under way has passed its group")
# Contracts, by number.
CONTRACT_NEEDS = _add("contract_needs", MAX_CONTRACTS * NUM_RESOURCES, "by contract and colour", f"/ {MAX_NEEDS}")
CONTRACT_MONEY = _add("contract_money", MAX_CONTRACTS, "by contract: dollars", f"/ {REWARD_SCALE}, clipped")
CONTRACT_VP = _add("contract_vp", MAX_CONTRACTS, "by contract: victory points", f"/ {REWARD_SCALE}, clipped")
CONTRACT_BONUS = _add(
    "contract_bonus", MAX_CONTRACTS * NUM_BONUSES, "by contract: track, factory, contracts; none = zeros", "one-hot"
)
CONTRACT_ICON = _add("contract_icon", MAX_CONTRACTS, "by contract: an Automa uses it for a factory, not for track")
CONTRACT_OWN = _add("contract_own", MAX_CONTRACTS, "by contract: in the own hand")
CONTRACT_KNOWN = _add(
    "contract_known",
    MAX_CONTRACTS,
    "by contract: known to be in another's hand (it moved there from a hand, or is being fulfilled)",
    f"({MAX_SEATS} - relative seat) / {MAX_SEATS}",
)
CONTRACT_FULFILLED = _add(
    "contract_fulfilled", MAX_CONTRACTS, "by contract: fulfilled by", f"({MAX_SEATS} - relative seat) / {MAX_SEATS}"
)
CONTRACT_DISCARDED = _add("contract_discarded", MAX_CONTRACTS, "by contract: discarded by an Automa")
CONTRACT_PENDING = _add("contract_pending", MAX_CONTRACTS, "by contract: it, or its bonus, is under way")
CONTRACT_GENERATION = _add(
    "contract_generation", MAX_CONTRACTS, "by contract: reshuffles before it entered the deck", "n / (n + 1)"
)
CONTRACT_EASE = _add(
    "contract_ease",
    MAX_CONTRACTS,
    "derived, by contract of the own hand: the less its resources cost now, the more; 0 without a network",
    f"1 - dollars / {CONTRACT_COST_SCALE}, from `units`, clipped",
)
# Track. A hex holds up to two segments, the one with the lower edge pair first.
TRACK_TILE = _add(
    "track_tile",
    MAX_HEXES,
    "by hex: its tile; no track = 0, one segment = number of its edge pair + 1, then the crossings by their two pairs",
    f"/ {NUM_TILES}",
)
TRACK_OWNER = _add(
    "track_owner",
    MAX_HEXES * SLOTS_PER_HEX,
    f"by hex and segment: whose link; own 1, another's -(relative seat + {NUM_OTHERS}) / {2 * NUM_OTHERS}; "
    f"incomplete: own 0.5, another's -relative seat / {2 * NUM_OTHERS}",
    "signed code",
    FLAT_LOW,
)
TRACK_COINS = _add(
    "track_coins",
    MAX_HEXES,
    "by hex: place on the coin path of each Automa, the next hex = 1; the first Automa in turn order after the "
    "observer has the highest digit",
    f"digits in base {COIN_BASE} after the point, at most {COIN_BASE - 1} each",
)

CARDS, CARDS_END = CONTRACT_NEEDS, CONTRACT_OWN  # what is printed on the contracts

LAYOUT = _layout.parts
FLAT_SIZE = _layout.size
TABLE_SIZE = TRACK_TILE  # all that lies on no hex


def describe_layout() -> str:
    """The layout as a Markdown table, one line for each part."""
    return "\n".join([f"`flat`: {FLAT_SIZE} float32", "", *describe_parts(LAYOUT)])


# --- codes ----------------------------------------------------------------------------------------------


@kernel
def relative_seat(game: np.record, observer: int, seat: int) -> int:
    """How many places after the observer the seat is."""
    return (int(seat) - observer) % int(game.num_seats)


@kernel
def relative_player(game: np.record, observer: int, player: int) -> int:
    """How many places after the observer the owner of a purse, hand and score is; 0 in solo, which has one player."""
    return 0 if game.mode == SOLO else relative_seat(game, observer, player)


@kernel
def code_seat(relative: int) -> float:
    """1 for the observer, less for each place after it, never 0."""
    return (MAX_SEATS - relative) / MAX_SEATS


@kernel
def code_track(relative: int, complete: bool) -> float:
    """Whose segment it is: own positive, foreign negative; the larger absolute values are complete links."""
    if relative == 0:
        return 1.0 if complete else 0.5
    return -(relative + (NUM_OTHERS if complete else 0)) / (2 * NUM_OTHERS)


# --- the game and its decision ------------------------------------------------------------------------------


@kernel
def write_configuration(game: np.record, row: np.ndarray) -> None:
    """Write what the game was configured with, and how far it has come."""
    row[EDITION] = game.edition
    row[MODE] = game.mode
    row[ROUTING] = game.routing
    row[AUTOMAS] = clip_ratio(game.num_automas, NUM_OTHERS)
    if game.num_automas > 0:
        row[AUTOMA_LEVEL] = clip_ratio(int(game.automa_level) + 1, NUM_LEVELS)
    last_round = int(game.max_rounds)
    if game.mode == SOLO:
        last_round = min(last_round, SOLO_ROUNDS)
    row[ROUNDS_PLAYED] = clip_ratio(int(game.round_number) - 1, last_round)
    row[ROUNDS_LEFT] = clip_ratio(last_round - int(game.round_number), ROUNDS_NEAR)
    row[ROUND_LIMIT] = clip_ratio(game.max_rounds, ROUNDS_SCALE)
    row[END_TRIGGER] = clip_ratio(game.contracts_to_end, MAX_CONTRACTS)
    row[END_TRIGGERED] = 1 if end_is_triggered(game) else 0
    row[TRUNCATED] = game.truncated


@kernel
def write_stocks(game: np.record, row: np.ndarray) -> None:
    """Write what lies beside the map, for all."""
    row[DECK_SIZE] = clip_ratio(game.deck_size, MAX_CONTRACTS)
    for color in range(NUM_RESOURCES):
        row[STOCK + color] = clip_ratio(game.stock[color], RESOURCES_PER_COLOR)
    for color in range(NUM_COLORS):
        row[OFF_MAP + color] = saturate(game.off_map[color], OFF_MAP_HALF)
    for corner in range(NUM_CORNERS):
        row[CORNERS + corner] = clip_ratio(int(game.corners[corner]) + 1, NUM_RESOURCES)
    if game.mode == SOLO:
        row[SET_ASIDE] = clip_ratio(count_set_aside(game), SOLO_ROUNDS)
    for kind in range(NUM_TILE_KINDS):
        ratio = int(game.tiles[kind]) / TILE_STOCK[kind]
        row[TILES + kind] = min(max(ratio, FLAT_LOW), FLAT_HIGH)


@kernel
def count_set_aside(game: np.record) -> int:
    """How many contracts are set aside; a view lists them among the places of unknown contracts."""
    count = 0
    for contract in range(MAX_CONTRACTS):
        if game.place[contract] == PLACE_ASIDE or game.slot[contract] == PLACE_ASIDE:
            count += 1
    return count


@kernel
def write_decision(game: np.record, deck: np.record, row: np.ndarray) -> None:
    """Write what is decided now, and what the sub-decisions before it have fixed."""
    row[PHASE + int(game.phase)] = 1
    row[ACTIONS_LEFT] = clip_ratio(game.actions_left, ACTIONS_PER_TURN)
    row[PLACEMENTS_LEFT] = clip_ratio(game.placements_left, PLACEMENTS_PER_ACTION)
    row[TAKES_LEFT] = clip_ratio(game.takes_left, CONTRACTS_PER_TAKE)
    row[IN_BONUS] = game.in_bonus
    row[NEED] = clip_ratio(int(game.need) + 1, MAX_NEEDS + 1)
    if game.start_edge != NONE:
        row[START_EDGE + int(game.start_edge)] = 1
    if game.start_city != NONE:
        row[CITY_SUBJECT + int(game.start_city)] = 1
    if game.build_city != NONE:
        row[CITY_SUBJECT + int(game.build_city)] = 1
    if game.contract != NONE:
        write_pending(game, deck, int(game.contract), row)


@kernel
def write_pending(game: np.record, deck: np.record, contract: int, row: np.ndarray) -> None:
    """Write the contract whose resources, or whose bonus, are under way."""
    row[CONTRACT_PENDING + contract] = 1
    if game.need != NONE:
        place = PENDING_NEEDS
        for need in range(game.need, deck.num_needs[contract]):
            row[place + int(deck.needs[contract, need])] = 1
            place += NUM_RESOURCES
    row[PENDING_MONEY] = clip_ratio(deck.money[contract], REWARD_SCALE)
    row[PENDING_VP] = clip_ratio(deck.vp[contract], REWARD_SCALE)
    if deck.bonus[contract] != BONUS_NONE:
        row[PENDING_BONUS + int(deck.bonus[contract]) - 1] = 1


# --- seats ----------------------------------------------------------------------------------------------


@kernel
def write_seats(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write the state of every seat, the observer first."""
    seats = int(game.num_seats)
    for relative in range(seats):
        seat = (observer + relative) % seats
        row[SEAT_PRESENT + relative] = 1
        row[SEAT_TO_MOVE + relative] = 1 if seat == game.seat else 0
        row[SEAT_FIRST + relative] = 1 if seat == game.first_player and game.mode != SOLO else 0
        if is_automa(game, seat):
            row[SEAT_AUTOMA + relative] = 1
            row[SEAT_MARKER + relative] = (int(game.marker[automa_number(game, seat)]) + 1) / NUM_CORNERS
        row[SEAT_TRAINS + relative] = clip_ratio(game.trains[seat], TRAINS_FINAL)
        row[SEAT_FACTORIES + relative] = clip_ratio(game.factories[seat], FACTORIES)
        if game.mode != SOLO or relative == 0:
            write_possessions(game, player_of(game, seat), relative, row)
        write_tail(game, board, seat, relative, row)
    for index in range(game.bag_size):
        row[SEAT_BAG + relative_seat(game, observer, game.bag[index])] += 1 / SOLO_TRAINS_IN_BAG


@kernel
def write_possessions(game: np.record, player: int, relative: int, row: np.ndarray) -> None:
    """Write purse and contracts of a player or an Automa."""
    row[SEAT_MONEY_NEAR + relative] = clip_ratio(game.money[player], MONEY_NEAR)
    row[SEAT_MONEY_FAR + relative] = clip_ratio(game.money[player], MONEY_FAR)
    row[SEAT_MONEY_EXACT + relative] = clip_ratio(game.money[player], MONEY_EXACT)
    row[SEAT_HAND + relative] = clip_ratio(game.hand_size[player], MAX_CONTRACTS)
    row[SEAT_FULFILLED + relative] = clip_ratio(game.num_fulfilled[player], MAX_CONTRACTS)
    if game.mode != SOLO:  # there contracts never end the game (rule 9.2)
        missing = int(game.contracts_to_end) - int(game.num_fulfilled[player])
        row[SEAT_TO_END + relative] = clip_ratio(missing, max(int(game.contracts_to_end), 1))


@kernel
def write_tail(game: np.record, board: np.record, seat: int, relative: int, row: np.ndarray) -> None:
    """Write where a seat's incomplete link ends."""
    hex_index = int(game.tail_hex[seat])
    row[SEAT_TAIL + relative] = 0 if game.tail_link[seat] == NONE else 1
    row[SEAT_TAIL_HEX + relative] = clip_ratio(hex_index + 1, MAX_HEXES)
    row[SEAT_TAIL_ENTRY + relative] = clip_ratio(int(game.tail_entry[seat]) + 1, NUM_EDGES)
    if hex_index != NONE:
        row[SEAT_TAIL_COLUMN + relative] = clip_ratio(board.col[hex_index], COLUMN_SCALE)
        row[SEAT_TAIL_ROW + relative] = clip_ratio(board.row[hex_index], ROW_SCALE)
    if game.tail_exit[seat] != NONE:
        row[SEAT_TAIL_EXIT + relative * NUM_EDGES + int(game.tail_exit[seat])] = 1


@kernel
def write_scores(game: np.record, board: np.record, deck: np.record, observer: int, row: np.ndarray) -> None:
    """Write what each seat would score now; all of it is public.

    The part of the track lends its still empty space to the sheet of scores.
    """
    sheet = row[TRACK_TILE : TRACK_TILE + MAX_SEATS * NUM_SCORE_PARTS].reshape(MAX_SEATS, NUM_SCORE_PARTS)
    score_game(game, board, deck, sheet)
    for seat in range(num_scores(game)):
        relative = relative_player(game, observer, seat)
        row[SEAT_SCORE + relative] = clip_ratio(sheet[seat, TOTAL], SCORE_SCALE)
        row[SEAT_CONTRACT_VP + relative] = clip_ratio(sheet[seat, FROM_CONTRACTS], SCORE_SCALE)
        row[SEAT_FACTORY_VP + relative] = clip_ratio(sheet[seat, FROM_FACTORIES], SCORE_SCALE)
        row[SEAT_PURPLE_VP + relative] = clip_ratio(sheet[seat, FROM_CITIES], SCORE_SCALE)
    sheet[:] = 0


# --- cities ---------------------------------------------------------------------------------------------


@kernel
def write_cities(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write each city's tile, whom it belongs to and who is linked to it."""
    for city in range(board.num_cities):
        group = int(board.group[city])
        row[CITY_COLOR + city * NUM_COLORS + int(game.color[city])] = 1
        row[CITY_RESOURCES + city] = clip_ratio(game.resources[city], MOST_RESOURCES)
        row[CITY_REACH + city] = count_members(game.reach[group]) / MAX_CITIES
        if game.owner[city] != NONE:
            owner = relative_seat(game, observer, game.owner[city])
            row[CITY_OWNER + city * MAX_SEATS + owner] = 1
            row[CITY_FLIPPED + city] = 1 if game.resources[city] == 0 else 0
        row[CITY_CARGO + city] = 1 if group == game.cargo_group else 0
        row[CITY_HOP + city] = 1 if group == game.hop_group else 0
        row[CITY_VISITED + city] = 1 if has(game.visited, group) else 0


@kernel
def write_networks(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write whose network each city is in, and whose links end on its very tile."""
    for seat in range(game.num_seats):
        if game.network[seat] == 0:
            continue  # no complete link
        relative = relative_seat(game, observer, seat)
        for city in range(board.num_cities):
            place = city * MAX_SEATS + relative
            row[CITY_NETWORK + place] = 1 if has(game.network[seat], board.group[city]) else 0
            row[CITY_LINKED + place] = 1 if has(game.linked[city], seat) else 0


@kernel
def write_access(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write how far each city is from the own network, and what resources cost from there (rule 6.2).

    ``row[UNITS ..]`` counts whole resources, to be scaled later.
    """
    reached = game.network[observer]
    frontier = reached
    links = 0
    while frontier != 0:
        beyond = 0
        for city in range(board.num_cities):
            group = board.group[city]
            if has(frontier, group):
                row[CITY_ACCESS + city] = 1 - min(links, LINKS_SCALE - 1) / LINKS_SCALE
                beyond |= game.reach[group]
                if game.resources[city] > 0:
                    cost = min(links + source_fee(game, observer, city), NUM_COSTS - 1)
                    row[UNITS + int(game.color[city]) * NUM_COSTS + cost] += game.resources[city]
        frontier = beyond & ~reached
        reached |= frontier
        links += 1


@kernel
def scale_units(row: np.ndarray) -> None:
    """Divide ``row[UNITS ..]`` by its scale."""
    for index in range(UNITS, UNITS + NUM_RESOURCES * NUM_COSTS):
        row[index] = clip_ratio(row[index], RESOURCES_PER_COLOR)


# --- contracts --------------------------------------------------------------------------------------------


@kernel
def write_contracts(game: np.record, deck: np.record, observer: int, row: np.ndarray) -> None:
    """Write for each contract where it is for the observer, and for those of the own hand what they cost.

    Reads ``row[UNITS ..]`` in whole resources. The part of the track lends its still empty space to a
    list of prices.
    """
    prices = row[TRACK_TILE : TRACK_TILE + NUM_RESOURCES * (MAX_NEEDS + 1)].reshape(NUM_RESOURCES, MAX_NEEDS + 1)
    estimate_prices(row, prices)
    hand = PLACE_HAND + player_of(game, observer)
    for contract in range(deck.num_contracts):
        write_whereabouts(game, observer, contract, row)
        if game.generation[contract] > 0:
            row[CONTRACT_GENERATION + contract] = saturate(game.generation[contract], GENERATION_HALF)
        if game.place[contract] == hand:
            cost = 0
            for color in range(NUM_RESOURCES):
                row[HAND_NEEDS + color] += deck.wanted[contract, color]
                cost += int(prices[color, deck.wanted[contract, color]])
            if game.network[observer] != 0:
                row[CONTRACT_EASE + contract] = 1 - clip_ratio(cost, CONTRACT_COST_SCALE)
    prices[:] = 0
    for color in range(NUM_RESOURCES):
        row[HAND_NEEDS + color] = clip_ratio(row[HAND_NEEDS + color], HAND_SCALE)


@kernel
def write_cards(deck: np.record, row: np.ndarray) -> None:
    """Write what is printed on the contracts, ``row[CARDS : CARDS_END]``: the same in all games of a deck."""
    for contract in range(deck.num_contracts):
        for color in range(NUM_RESOURCES):
            row[CONTRACT_NEEDS + contract * NUM_RESOURCES + color] = deck.wanted[contract, color] / MAX_NEEDS
        row[CONTRACT_MONEY + contract] = clip_ratio(deck.money[contract], REWARD_SCALE)
        row[CONTRACT_VP + contract] = clip_ratio(deck.vp[contract], REWARD_SCALE)
        row[CONTRACT_ICON + contract] = deck.icon[contract]
        if deck.bonus[contract] != BONUS_NONE:
            row[CONTRACT_BONUS + contract * NUM_BONUSES + int(deck.bonus[contract]) - 1] = 1


@kernel
def write_whereabouts(game: np.record, observer: int, contract: int, row: np.ndarray) -> None:
    """Write where the contract is, as far as the observer may know (rules 11.1, 11.2)."""
    place = int(game.place[contract])
    if PLACE_FULFILLED <= place < PLACE_DISCARDED:
        relative = relative_player(game, observer, place - PLACE_FULFILLED)
        row[CONTRACT_FULFILLED + contract] = code_seat(relative)
    elif place == PLACE_DISCARDED:
        row[CONTRACT_DISCARDED + contract] = 1
    elif place == PLACE_HAND + player_of(game, observer):
        row[CONTRACT_OWN + contract] = 1
    elif contract == game.contract:  # it lies open before the seat that fulfils it
        row[CONTRACT_KNOWN + contract] = code_seat(relative_seat(game, observer, game.seat))
    elif PLACE_HAND <= place < PLACE_FULFILLED and has(game.known[contract], observer):
        row[CONTRACT_KNOWN + contract] = code_seat(relative_seat(game, observer, place - PLACE_HAND))


@kernel
def estimate_prices(row: np.ndarray, prices: np.ndarray) -> None:
    """Write by colour and number the least that so many resources cost the observer now (rule 6.3).

    Dear ones are counted at ``NUM_COSTS`` - 1.
    """
    for color in range(NUM_RESOURCES):
        listed = 0
        total = 0
        for cost in range(NUM_COSTS + 1):  # the last one for what must be bought
            left = MAX_NEEDS - listed
            if cost < NUM_COSTS:
                left = min(left, int(row[UNITS + color * NUM_COSTS + cost]))
            while left > 0:
                left -= 1
                listed += 1
                total += cost if cost < NUM_COSTS else PURCHASE_COST
                prices[color, listed] = total


# --- track ------------------------------------------------------------------------------------------------


@kernel
def write_tracks(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write the tile on each hex, and whose links its segments belong to."""
    for hex_index in range(board.num_hexes):
        first = int(game.track[hex_index, 0])
        if first == NONE:
            continue
        second = int(game.track[hex_index, 1])
        row[TRACK_TILE + hex_index] = TILE_NUMBER[first + 1, second + 1] / NUM_TILES
        for slot in range(1 if second == NONE else SLOTS_PER_HEX):
            link = int(game.track_link[hex_index, slot])
            relative = relative_seat(game, observer, game.link_owner[link])
            place = TRACK_OWNER + hex_index * SLOTS_PER_HEX + slot
            row[place] = code_track(relative, game.link_end[link] != NONE)


@kernel
def write_coins(game: np.record, observer: int, row: np.ndarray) -> None:
    """Write the coin paths of the Automas, in turn order from the observer on."""
    weight = 1.0
    for relative in range(game.num_seats):
        number = automa_number(game, (observer + relative) % int(game.num_seats))
        if number == NONE:
            continue
        weight /= COIN_BASE
        for index in range(game.num_coins[number]):
            row[TRACK_COINS + int(game.coins[number, index])] += min(index + 1, COIN_BASE - 1) * weight


# --- the vector -------------------------------------------------------------------------------------------


@kernel
def write_table(game: np.record, board: np.record, deck: np.record, observer: int, row: np.ndarray) -> None:
    """Write ``row[:TABLE_SIZE]`` but for ``write_cards``, and clear the rest: all that the observer sees but the track.

    ``row`` is (FLAT_SIZE,) float32.
    """
    row[:CARDS] = 0
    row[CARDS_END:] = 0
    write_configuration(game, row)
    write_stocks(game, row)
    write_decision(game, deck, row)
    write_seats(game, board, observer, row)
    write_scores(game, board, deck, observer, row)
    write_cities(game, board, observer, row)
    write_networks(game, board, observer, row)
    write_access(game, board, observer, row)
    write_contracts(game, deck, observer, row)
    scale_units(row)


@kernel
def encode_flat(game: np.record, board: np.record, deck: np.record, observer: int, row: np.ndarray) -> None:
    """Write what the observer sees of one game to ``row`` (FLAT_SIZE,) float32, all but ``write_cards``."""
    write_table(game, board, deck, observer, row)
    write_tracks(game, board, observer, row)
    if game.num_automas > 0:
        write_coins(game, observer, row)


@kernel
def encode_flat_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: np.ndarray
) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of ``games[i]`` (n,) GAME.

    ``seats`` (n,) holds seats of the games, or NONE for a row of zeros. ``boards`` and ``decks`` are the
    arrays that the games' ``board_index`` and ``deck_index`` point into. Nothing else is written and nothing
    allocated.
    """
    if out.shape[0] < games.shape[0] or out.shape[1] != FLAT_SIZE:
        raise ValueError("out must have a row of FLAT_SIZE values for each game")
    before = NONE  # the row before, from which cards are copied
    for index in range(games.shape[0]):
        game = games[index]
        observer = int(seats[index])
        if observer == NONE:
            out[index, :] = 0
            continue
        if observer < 0 or observer >= game.num_seats:
            raise ValueError("an observer must be a seat of its game, or NONE")
        if before == NONE or games[before].deck_index != game.deck_index:
            out[index, CARDS:CARDS_END] = 0
            write_cards(decks[game.deck_index], out[index])
        else:
            out[index, CARDS:CARDS_END] = out[before, CARDS:CARDS_END]
        encode_flat(game, boards[game.board_index], decks[game.deck_index], observer, out[index])
        before = index


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
