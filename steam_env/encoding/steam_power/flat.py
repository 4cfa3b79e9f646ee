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

import math

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.state import (
    ACTIONS_PER_TURN,
    BONUS_CONTRACTS,
    CONTRACTS_PER_TAKE,
    FACTORIES,
    FACTORY_RESOURCES,
    MAX_AUTOMAS,
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
    PLACEMENTS_PER_ACTION,
    RESOURCES_PER_COLOR,
    SOLO_ROUNDS,
    SOLO_TRAINS_IN_BAG,
    TILE_STOCK,
    TRAINS_FINAL,
)
from steam_env.core.steam_power.tiles import TILE_KIND
from steam_env.encoding.layout import FOUR_BYTES, HIGH, TWO_BYTES, Axis, Code, Layout, describe_parts
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


# --- codes of whole numbers -----------------------------------------------------------------------------
# What a setting may have less of than a record has room for.
HEXES, CITIES = Axis("hexes", MAX_HEXES), Axis("cities", MAX_CITIES)
CONTRACTS, SEATS = Axis("contracts", MAX_CONTRACTS), Axis("seats", MAX_SEATS)
COIN_PATHS = Axis("automas", MAX_AUTOMAS)

TILE_UNITS = math.lcm(*TILE_STOCK)  # so many parts of the stock of each kind are whole tiles
TILE_CODES = tuple(part / TILE_UNITS for part in (*range(TILE_UNITS + 1), *range(-1, -TILE_UNITS - 1, -1)))
# By code: none, own complete, own incomplete, another's incomplete by relative seat, another's complete likewise.
OWN_COMPLETE, OWN_INCOMPLETE = 1, 2
TRACK_CODES = (0.0, 1.0, 0.5, *(-number / (2 * NUM_OTHERS) for number in range(1, 2 * NUM_OTHERS + 1)))
COIN_WEIGHTS = tuple(COIN_BASE ** (MAX_AUTOMAS - 1 - number) for number in range(MAX_AUTOMAS))

_divisors = Layout()
_divisors.add("last_round", 1, "the round after which the game ends at the latest", code=Code(weights=TWO_BYTES))
DIVISORS = _divisors.parts  # told beside the values, which they divide

_layout = Layout()
_add = _layout.add

# --- the layout ---------------------------------------------------------------------------------------
# The game and its configuration.
EDITION = _add("edition", 1, "preview edition")
MODE = _add("mode", 1, "solo")
ROUTING = _add("routing", 1, "only cheapest routes")
AUTOMAS = _add("automas", 1, "number of Automa seats", f"/ {NUM_OTHERS}", code=Code(NUM_OTHERS))
AUTOMA_LEVEL = _add(
    "automa_level", 1, "level of the Automas, very easy = 1; none = 0", f"/ {NUM_LEVELS}", code=Code(NUM_LEVELS)
)
ROUNDS_PLAYED = _add(
    "rounds_played",
    1,
    "rounds played",
    f"/ round limit, in solo at most {SOLO_ROUNDS}",
    code=Code(weights=TWO_BYTES, over="last_round"),
)
ROUNDS_LEFT = _add("rounds_left", 1, "rounds left after this one", f"/ {ROUNDS_NEAR}, clipped", code=Code(ROUNDS_NEAR))
ROUND_LIMIT = _add("round_limit", 1, "the round limit", f"/ {ROUNDS_SCALE}", code=Code(ROUNDS_SCALE, TWO_BYTES))
END_TRIGGER = _add(
    "end_trigger", 1, "fulfilled contracts that trigger the end", f"/ {MAX_CONTRACTS}", code=Code(MAX_CONTRACTS)
)
END_TRIGGERED = _add("end_triggered", 1, "the end is triggered: this round is the last")
TRUNCATED = _add("truncated", 1, "the round limit alone ended the game")
DECK_SIZE = _add("deck_size", 1, "contracts in the deck", f"/ {MAX_CONTRACTS}", code=Code(MAX_CONTRACTS))
STOCK = _add(
    "stock",
    NUM_RESOURCES,
    "resources in stock, by colour W B O G",
    f"/ {RESOURCES_PER_COLOR}",
    code=Code(RESOURCES_PER_COLOR),
)
CORNERS = _add(
    "corners",
    NUM_CORNERS,
    "resource in each map corner, clockwise from top left: W = 1 to G; none = 0",
    f"/ {NUM_RESOURCES}",
    code=Code(NUM_RESOURCES),
)
SET_ASIDE = _add("set_aside", 1, "solo: contracts set aside", f"/ {SOLO_ROUNDS}", code=Code(SOLO_ROUNDS))
OFF_MAP = _add(
    "off_map",
    NUM_COLORS,
    "City tiles beside the map, by colour W B O G P",
    f"n / (n + {OFF_MAP_HALF})",
    code=Code(OFF_MAP_HALF, TWO_BYTES, saturates=True),
)
TILES = _add(
    "tiles",
    NUM_TILE_KINDS,
    "track tiles in stock, by kind",
    f"/ {TILE_STOCK}, clipped",
    FLAT_LOW,
    Code(table=TILE_CODES),
)
# The decision under way.
PHASE = _add("phase", NUM_PHASES, "what is decided, in the order of `PHASE_NAMES`", "one-hot")
ACTIONS_LEFT = _add(
    "actions_left", 1, "actions of this turn not yet over", f"/ {ACTIONS_PER_TURN}", code=Code(ACTIONS_PER_TURN)
)
PLACEMENTS_LEFT = _add(
    "placements_left", 1, "placements of track left", f"/ {PLACEMENTS_PER_ACTION}", code=Code(PLACEMENTS_PER_ACTION)
)
TAKES_LEFT = _add("takes_left", 1, "contracts still to take", f"/ {CONTRACTS_PER_TAKE}", code=Code(CONTRACTS_PER_TAKE))
IN_BONUS = _add("in_bonus", 1, "a contract's bonus is under way")
START_EDGE = _add("start_edge", NUM_EDGES, "edge by which the new link leaves its city", "one-hot")
NEED = _add(
    "need",
    1,
    "place of the resource under way in the printed order, the first = 1",
    f"/ {MAX_NEEDS + 1}",
    code=Code(MAX_NEEDS + 1),
)
PENDING_NEEDS = _add(
    "pending_needs",
    MAX_NEEDS * NUM_RESOURCES,
    "resources the pending contract still needs, the one under way first, in printed order: by place and colour",
    "one-hot by place",
)
PENDING_MONEY = _add(
    "pending_money", 1, "dollars the pending contract pays", f"/ {REWARD_SCALE}, clipped", code=Code(REWARD_SCALE)
)
PENDING_VP = _add(
    "pending_vp", 1, "victory points of the pending contract", f"/ {REWARD_SCALE}, clipped", code=Code(REWARD_SCALE)
)
PENDING_BONUS = _add("pending_bonus", NUM_BONUSES, "its bonus: track, factory, contracts; none = zeros", "one-hot")
# What the observer can have.
UNITS = _add(
    "units",
    NUM_RESOURCES * NUM_COSTS,
    f"derived: resources the observer can have for $0, 1, .. {NUM_COSTS - 1} or more each, by colour and cost",
    f"/ {RESOURCES_PER_COLOR}, clipped",
    code=Code(RESOURCES_PER_COLOR),
)
HAND_NEEDS = _add(
    "hand_needs",
    NUM_RESOURCES,
    "derived: needs of the own hand by colour",
    f"/ {HAND_SCALE}, clipped",
    code=Code(HAND_SCALE),
)
# Seats, the observer first.
SEAT_PRESENT = _add("seat_present", (SEATS,), "by relative seat: it plays")
SEAT_AUTOMA = _add("seat_automa", (SEATS,), "by relative seat: an Automa")
SEAT_TO_MOVE = _add("seat_to_move", (SEATS,), "by relative seat: its decision; zero at the end")
SEAT_FIRST = _add("seat_first", (SEATS,), "by relative seat: opens each round; in solo nobody")
SEAT_MONEY_NEAR = _add(
    "seat_money_near", (SEATS,), "by relative seat: dollars", f"/ {MONEY_NEAR}, clipped", code=Code(MONEY_NEAR)
)
SEAT_MONEY_FAR = _add(
    "seat_money_far", (SEATS,), "by relative seat: dollars", f"/ {MONEY_FAR}, clipped", code=Code(MONEY_FAR)
)
SEAT_MONEY_EXACT = _add(
    "seat_money_exact",
    (SEATS,),
    "by relative seat: dollars, each number another value",
    f"/ {MONEY_EXACT}, clipped",
    code=Code(MONEY_EXACT, FOUR_BYTES),
)
SEAT_BAG = _add(
    "seat_bag",
    (SEATS,),
    "by relative seat, in solo: trains in the bag",
    f"/ {SOLO_TRAINS_IN_BAG}",
    code=Code(SOLO_TRAINS_IN_BAG),
)
SEAT_MARKER = _add(
    "seat_marker",
    (SEATS,),
    "by relative seat: corner of the Automa's marker + 1; no Automa = 0",
    f"/ {NUM_CORNERS}",
    code=Code(NUM_CORNERS),
)
SEAT_TRAINS = _add(
    "seat_trains", (SEATS,), "by relative seat: trains in reserve", f"/ {TRAINS_FINAL}", code=Code(TRAINS_FINAL)
)
SEAT_FACTORIES = _add(
    "seat_factories", (SEATS,), "by relative seat: factories in reserve", f"/ {FACTORIES}", code=Code(FACTORIES)
)
SEAT_HAND = _add(
    "seat_hand", (SEATS,), "by relative seat: contracts in hand", f"/ {MAX_CONTRACTS}", code=Code(MAX_CONTRACTS)
)
SEAT_FULFILLED = _add(
    "seat_fulfilled", (SEATS,), "by relative seat: contracts fulfilled", f"/ {MAX_CONTRACTS}", code=Code(MAX_CONTRACTS)
)
SEAT_TO_END = _add(
    "seat_to_end",
    (SEATS,),
    "by relative seat: contracts still missing to the end; in solo 0",
    "/ end trigger",
    code=Code(over="end_trigger"),
)
SEAT_SCORE = _add(
    "seat_score",
    (SEATS,),
    "derived, by relative seat: score if the game ended now",
    f"/ {SCORE_SCALE}, clipped",
    code=Code(SCORE_SCALE),
)
SEAT_CONTRACT_VP = _add(
    "seat_contract_vp",
    (SEATS,),
    "derived, by relative seat: points of contracts",
    f"/ {SCORE_SCALE}, clipped",
    code=Code(SCORE_SCALE),
)
SEAT_FACTORY_VP = _add(
    "seat_factory_vp",
    (SEATS,),
    "derived, by relative seat: points of flipped tiles",
    f"/ {SCORE_SCALE}, clipped",
    code=Code(SCORE_SCALE),
)
SEAT_PURPLE_VP = _add(
    "seat_purple_vp",
    (SEATS,),
    "derived, by relative seat: points of purple cities",
    f"/ {SCORE_SCALE}, clipped",
    code=Code(SCORE_SCALE),
)
SEAT_TAIL = _add("seat_tail", (SEATS,), "by relative seat: it has an incomplete link")
SEAT_TAIL_HEX = _add(
    "seat_tail_hex",
    (SEATS,),
    "by relative seat: hex of its tail in map order + 1",
    f"/ {MAX_HEXES}",
    code=Code(MAX_HEXES, TWO_BYTES),
)
SEAT_TAIL_COLUMN = _add(
    "seat_tail_column", (SEATS,), "by relative seat: column", f"/ {COLUMN_SCALE}, clipped", code=Code(COLUMN_SCALE)
)
SEAT_TAIL_ROW = _add(
    "seat_tail_row", (SEATS,), "by relative seat: row", f"/ {ROW_SCALE}, clipped", code=Code(ROW_SCALE)
)
SEAT_TAIL_ENTRY = _add(
    "seat_tail_entry", (SEATS,), "by relative seat: the tail's entry edge + 1", f"/ {NUM_EDGES}", code=Code(NUM_EDGES)
)
SEAT_TAIL_EXIT = _add("seat_tail_exit", (SEATS, NUM_EDGES), "by relative seat and edge: its open edge", "one-hot")
# Cities.
CITY_COLOR = _add("city_color", (CITIES, NUM_COLORS), "by city and colour W B O G P", "one-hot")
CITY_OWNER = _add("city_owner", (CITIES, SEATS), "by city and relative seat: whose factory", "one-hot")
CITY_RESOURCES = _add(
    "city_resources", (CITIES,), "by city: resources left", f"/ {MOST_RESOURCES}, clipped", code=Code(MOST_RESOURCES)
)
CITY_FLIPPED = _add("city_flipped", (CITIES,), "by city: the tile is flipped")
CITY_NETWORK = _add("city_network", (CITIES, SEATS), "by city and relative seat: group in the seat's network")
CITY_LINKED = _add("city_linked", (CITIES, SEATS), "by city and relative seat: a link ends on this very tile")
CITY_REACH = _add(
    "city_reach",
    (CITIES,),
    "by city: groups that complete links join with its own",
    f"/ {MAX_CITIES}",
    code=Code(MAX_CITIES),
)
CITY_ACCESS = _add(
    "city_access",
    (CITIES,),
    "derived, by city: 1 in the own network, less for each foreign link on the way there, 0 out of reach",
    f"1 - links / {LINKS_SCALE}, at most {LINKS_SCALE - 1} counted",
    code=Code(LINKS_SCALE),
)
CITY_SUBJECT = _add("city_subject", (CITIES,), "by city: the new link leaves here, or the bonus factory stands here")
CITY_CARGO = _add("city_cargo", (CITIES,), "by city: the resource under way is in its group")
CITY_HOP = _add("city_hop", (CITIES,), "by city: the resource under way goes on to its group")
CITY_VISITED = _add("city_visited", (CITIES,), "by city: the resource under way has passed its group")
# Contracts, by number.
CONTRACT_NEEDS = _add(
    "contract_needs", (CONTRACTS, NUM_RESOURCES), "by contract and colour", f"/ {MAX_NEEDS}", code=Code(MAX_NEEDS)
)
CONTRACT_MONEY = _add(
    "contract_money", (CONTRACTS,), "by contract: dollars", f"/ {REWARD_SCALE}, clipped", code=Code(REWARD_SCALE)
)
CONTRACT_VP = _add(
    "contract_vp", (CONTRACTS,), "by contract: victory points", f"/ {REWARD_SCALE}, clipped", code=Code(REWARD_SCALE)
)
CONTRACT_BONUS = _add(
    "contract_bonus", (CONTRACTS, NUM_BONUSES), "by contract: track, factory, contracts; none = zeros", "one-hot"
)
CONTRACT_ICON = _add("contract_icon", (CONTRACTS,), "by contract: an Automa uses it for a factory, not for track")
CONTRACT_OWN = _add("contract_own", (CONTRACTS,), "by contract: in the own hand")
CONTRACT_KNOWN = _add(
    "contract_known",
    (CONTRACTS,),
    "by contract: known to be in another's hand (it moved there from a hand, or is being fulfilled)",
    f"({MAX_SEATS} - relative seat) / {MAX_SEATS}",
    code=Code(MAX_SEATS),
)
CONTRACT_FULFILLED = _add(
    "contract_fulfilled",
    (CONTRACTS,),
    "by contract: fulfilled by",
    f"({MAX_SEATS} - relative seat) / {MAX_SEATS}",
    code=Code(MAX_SEATS),
)
CONTRACT_DISCARDED = _add("contract_discarded", (CONTRACTS,), "by contract: discarded by an Automa")
CONTRACT_PENDING = _add("contract_pending", (CONTRACTS,), "by contract: it, or its bonus, is under way")
CONTRACT_GENERATION = _add(
    "contract_generation",
    (CONTRACTS,),
    "by contract: reshuffles before it entered the deck",
    "n / (n + 1)",
    code=Code(GENERATION_HALF, TWO_BYTES, saturates=True),
)
CONTRACT_EASE = _add(
    "contract_ease",
    (CONTRACTS,),
    "derived, by contract of the own hand: the less its resources cost now, the more; 0 without a network",
    f"1 - dollars / {CONTRACT_COST_SCALE}, from `units`, clipped",
    code=Code(CONTRACT_COST_SCALE),
)
# Track. A hex holds up to two segments, the one with the lower edge pair first.
TRACK_TILE = _add(
    "track_tile",
    (HEXES,),
    "by hex: its tile; no track = 0, one segment = number of its edge pair + 1, then the crossings by their two pairs",
    f"/ {NUM_TILES}",
    code=Code(NUM_TILES),
)
TRACK_OWNER = _add(
    "track_owner",
    (HEXES, SLOTS_PER_HEX),
    f"by hex and segment: whose link; own 1, another's -(relative seat + {NUM_OTHERS}) / {2 * NUM_OTHERS}; "
    f"incomplete: own 0.5, another's -relative seat / {2 * NUM_OTHERS}",
    "signed code",
    FLAT_LOW,
    code=Code(table=TRACK_CODES),
)
TRACK_COINS = _add(
    "track_coins",
    (HEXES,),
    "by hex: place on the coin path of each Automa, the next hex = 1; the first Automa in turn order after the "
    "observer has the highest digit",
    f"digits in base {COIN_BASE} after the point, at most {COIN_BASE - 1} each",
    code=Code(COIN_BASE**MAX_AUTOMAS, COIN_WEIGHTS, digit_axis=COIN_PATHS),
)

CARDS, CARDS_END = CONTRACT_NEEDS, CONTRACT_OWN  # what is printed on the contracts

LAYOUT = _layout.parts
FLAT_SIZE = _layout.size
TABLE_SIZE = TRACK_TILE  # all that lies on no hex


def describe_layout() -> str:
    """The layout as a Markdown table, one line for each part."""
    return "\n".join([f"`flat`: {FLAT_SIZE} float32", "", *describe_parts(LAYOUT)])


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
