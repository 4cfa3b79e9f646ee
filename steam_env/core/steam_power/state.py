"""The state: every record type of the core, each field declared once with dtype, shape and meaning.

Three records, all plain NumPy structured scalars without padding:

* ``BOARD`` - a map. Read-only during play; a batch holds an array of them (``game.board_index``).
* ``DECK`` - the printed contracts. Read-only during play (``game.deck_index``).
* ``GAME`` - one game, everything that changes. A clone is a copy of its bytes.

and ``WORK``, the scratch memory and event trace that the kernels of one thread share; nothing in it
outlives a step.

Signed types only: NumPy scalars wrap where Numba promotes, and the same source must run both ways.
Masks over cities, groups and contracts are int64, one bit for each index.
"""

import numpy as np

from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.work import Scratch, make_work

# --- capacities -------------------------------------------------------------------------------
MAX_HEXES = 256
MAX_CITIES = 33
MAX_CONTRACTS = 48
MAX_NEEDS = 5
MAX_SEATS = 5
TRAINS_FINAL = 21  # rule 2.2
TRAINS_PREVIEW = 18  # rule 10
MAX_LINKS = MAX_SEATS * TRAINS_FINAL
MAX_ROUTE_COST = MAX_CITIES + 2  # a factory's owner and one link for each group on the way
MAX_GENERATION = 16_000  # of a position that is taken up; 1,000 rounds of play add up to 8,000 (rule 8.5)
MAX_AUTOMAS = MAX_SEATS - 1  # at least one seat is a player (rule 8)
NUM_STATES = MAX_HEXES * NUM_EDGES  # (hex, edge entered by), the states of a search for a path
MAX_PATH = MAX_HEXES  # a path uses no hex twice

# --- colours, terrain, edges --------------------------------------------------------------------
NUM_COLORS = 5
WHITE, BLACK, ORANGE, GRAY, PURPLE = range(NUM_COLORS)
NUM_RESOURCES = 4  # purple cities produce nothing
COLOR_LETTERS = "WBOGP"
COLOR_NAMES = ("white", "black", "orange", "gray", "purple")

PLAINS, HILLS, MOUNTAINS, WATER, CITY = range(5)
TERRAIN_NAMES = ("plains", "hills", "mountains", "water", "city")

# The map's corners in clockwise order, as the direction marker moves (rules 8.1, 8.4).
NUM_CORNERS = 4
TOP_LEFT, TOP_RIGHT, BOTTOM_RIGHT, BOTTOM_LEFT = range(NUM_CORNERS)
CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")

# --- the rules' numbers ---------------------------------------------------------------------------
TERRAIN_COST = (0, 2, 4, NONE, NONE)  # rule 4.1, by terrain; NONE = no track here
CROSSING_COST = 2  # rule 4.1
PURCHASE_COST = 5  # rule 6.3
FEE = 1  # rule 6.2, to a factory's owner and for each link
TAKE_MONEY = 3  # rule 3.1
ACTIONS_PER_TURN = 2  # rule 3.1
PLACEMENTS_PER_ACTION = 2  # rule 4
CONTRACTS_PER_TAKE = 2  # rule 7.1
HAND_DEALT = 5  # rule 2.2
START_MONEY = 5  # rule 2.2
FACTORIES = 15  # rule 2.2
RESOURCES_PER_COLOR = 30  # rule 2.2
FACTORY_RESOURCES = 5  # rule 5.2
FACTORY_RESOURCES_TWO_SEATS = 4  # rule 5.2
CONTRACTS_TO_END = {1: 0, 2: 14, 3: 11, 4: 9, 5: 8}  # rule 3.2, by seats
MONEY_PER_VP = 5  # rule 3.3
FLIPPED_VP = 2  # rule 3.3
PURPLE_VP = 4  # rule 3.3
COMPENSATION = (0, 2, 5, 10, 15)  # rule 8.7, by level
AUTOMA_PLACEMENTS = 2  # rule 8.9
SOLO_COMPANIES = MAX_SEATS  # rule 9.1
SOLO_TRAINS_IN_BAG = 2  # of each company, rule 9.1
BAG_SIZE = SOLO_COMPANIES * SOLO_TRAINS_IN_BAG
SOLO_ROUNDS = 8  # rule 9.2
CITY_BAG = "W" * 7 + "B" * 7 + "O" * 7 + "G" * 7 + "P" * 5  # rule 2.1

# Track tiles in stock (rule 1.5), by kind.
TILE_PLAIN, TILE_TIGHT, TILE_CURVED = range(3)
TILE_STOCK = (80, 10, 10)  # straight or curve; tight curve or straight x straight; the other crossings
NUM_TILE_KINDS = 3

# --- modes -----------------------------------------------------------------------------------------
FINAL, PREVIEW = range(2)
EDITION_NAMES = ("final", "preview")
MULTIPLAYER, SOLO = range(2)
MODE_NAMES = ("multiplayer", "solo")
ROUTING_ANY, ROUTING_CHEAPEST = range(2)
ROUTING_NAMES = ("any", "cheapest")

BONUS_NONE, BONUS_TRACK, BONUS_FACTORY, BONUS_CONTRACTS = range(4)
BONUS_NAMES = ("none", "track", "factory", "contracts")
ICON_TRACK, ICON_FACTORY = range(2)
ICON_NAMES = ("track", "factory")
TARGET_LEAST_PRESENT, TARGET_PURPLE, TARGET_UNCONNECTED, TARGET_OPPONENT = range(4)  # rule 8.10
TARGET_NAMES = ("least_present", "purple", "unconnected", "opponent")

# What the seat decides now.
NUM_PHASES = 10
(
    ACTION,  # one of the five actions, or a link's next tile
    HEAD,  # the far edge of a link's first tile (after `start`)
    TRACK,  # the second placement of a lay-track action, or `done`
    SOURCE,  # where the next resource is taken
    HOP,  # the next group on its way
    PAY,  # whose link it goes over
    BONUS,  # the bonus of a contract, or `done`
    AMOUNT,  # resources of a bonus factory
    TAKE_FROM,  # whose hand a contract is taken from
    OVER,  # the game has ended
) = range(NUM_PHASES)
PHASE_NAMES = ("action", "head", "track", "source", "hop", "pay", "bonus", "amount", "take_from", "over")

# Where a contract is (`game.place`).
PLACE_DECK = 0
PLACE_HAND = 1  # + seat
PLACE_FULFILLED = PLACE_HAND + MAX_SEATS  # + seat
PLACE_DISCARDED = PLACE_FULFILLED + MAX_SEATS  # used by an Automa as an action (rule 8.4)
PLACE_ASIDE = PLACE_DISCARDED + 1  # set aside at the end of a solo round (rule 9.2)
PLACE_UNKNOWN = PLACE_ASIDE + 1  # in a view: in the deck or in another hand
PLACE_ABSENT = PLACE_UNKNOWN + 1  # the deck file has fewer contracts

DEAL_STREAM, PLAY_STREAM = range(2)
NUM_STREAMS = 2
RNG_WORDS = 4


BOARD_FIELDS = (
    Field("group_cities", "<i8", (MAX_CITIES,), "by group: bit c = city c belongs to it"),
    Field("neighbour", "<i2", (MAX_HEXES, NUM_EDGES), "by hex and edge: the next hex, NONE off the map"),
    Field("terrain", "<i2", (MAX_HEXES,), "PLAINS .. CITY; NONE past the last hex"),
    Field("cost", "<i2", (MAX_HEXES,), "dollars for a new tile (rule 4.1), NONE where no track may lie"),
    Field("open_edges", "<i2", (MAX_HEXES,), "bit e = edge e leads into land or a city (rule 4.4)"),
    Field("hex_city", "<i2", (MAX_HEXES,), "the city on this hex, or NONE"),
    Field("col", "<i2", (MAX_HEXES,), "column, A = 1"),
    Field("row", "<i2", (MAX_HEXES,), "row, doubled coordinates: column + row is even"),
    Field("city_hex", "<i2", (MAX_CITIES,), "the hex of this city, NONE past the last"),
    Field("group", "<i2", (MAX_CITIES,), "the city's group, named by its first city in map order"),
    Field("num_hexes", "<i2", (), "hexes on the map, in map order (columns left to right, top to bottom)"),
    Field("num_cities", "<i2", (), "cities on the map, in map order"),
)
BOARD = make_record(BOARD_FIELDS)

DECK_FIELDS = (
    Field("needs", "<i2", (MAX_CONTRACTS, MAX_NEEDS), "colours in printed order, NONE past the last"),
    Field("num_needs", "<i2", (MAX_CONTRACTS,), "resources it needs, 1 to 5"),
    Field("wanted", "<i2", (MAX_CONTRACTS, NUM_RESOURCES), "how many of them of each colour"),
    Field("money", "<i2", (MAX_CONTRACTS,), "reward in dollars"),
    Field("vp", "<i2", (MAX_CONTRACTS,), "victory points at the end"),
    Field("bonus", "<i2", (MAX_CONTRACTS,), "BONUS_NONE .. BONUS_CONTRACTS"),
    Field("icon", "<i2", (MAX_CONTRACTS,), "what an Automa does with it: ICON_TRACK or ICON_FACTORY"),
    Field("target_rule", "<i2", (NUM_RESOURCES,), "by colour: how an Automa chooses a target (rule 8.10)"),
    Field("num_contracts", "<i2", (), "contracts in the deck file"),
)
DECK = make_record(DECK_FIELDS)

GAME_FIELDS = (
    # What the tracks connect, kept current link by link.
    Field("reach", "<i8", (MAX_CITIES,), "by group: bit h = a complete link of any seat joins it with group h"),
    Field("network", "<i8", (MAX_SEATS,), "by seat: bit g = group g is in the seat's network"),
    Field("visited", "<i8", (), "groups that the resource under way has passed; 0 outside a carriage"),
    Field("rng", "<u4", (NUM_STREAMS, RNG_WORDS), "random streams: the deal, chance in play"),
    # Seats.
    Field("money", "<i4", (MAX_SEATS,), "dollars"),
    Field("trains", "<i2", (MAX_SEATS,), "trains in reserve"),
    Field("factories", "<i2", (MAX_SEATS,), "factories in reserve"),
    Field("hand_size", "<i2", (MAX_SEATS,), "contracts in hand"),
    Field("num_fulfilled", "<i2", (MAX_SEATS,), "contracts fulfilled"),
    Field("tail_link", "<i2", (MAX_SEATS,), "the seat's incomplete link, or NONE"),
    Field("tail_hex", "<i2", (MAX_SEATS,), "hex of its last tile, or NONE"),
    Field("tail_entry", "<i2", (MAX_SEATS,), "edge by which the link enters that hex, or NONE"),
    Field("tail_exit", "<i2", (MAX_SEATS,), "its open edge, or NONE"),
    # Stocks.
    Field("stock", "<i2", (NUM_RESOURCES,), "resources of each colour in stock"),
    Field("off_map", "<i2", (NUM_COLORS,), "City tiles beside the map, by colour"),
    Field("tiles", "<i2", (NUM_TILE_KINDS,), "track tiles in stock, by kind (rule 1.5)"),
    # Automas (rule 8); Automa number a sits on seat num_seats - num_automas + a.
    Field("num_coins", "<i2", (MAX_AUTOMAS,), "by Automa: entries of its coin path"),
    # The turn, and the decision under way.
    Field("seat", "<i2", (), "whose decision; NONE when the game is over"),
    Field("phase", "<i2", (), "what is decided: ACTION .. OVER"),
    Field("first_player", "<i2", (), "the seat that opens each round"),
    Field("round_number", "<i2", (), "round, from 1"),
    Field("actions_left", "<i2", (), "actions of this turn not yet over; 0 when the game is over"),
    Field("placements_left", "<i2", (), "of the lay-track action under way; 0 outside one"),
    Field("takes_left", "<i2", (), "contracts still to take; 0 outside taking"),
    Field("in_bonus", "<i2", (), "1 while a contract's bonus is offered or carried out"),
    Field("start_city", "<i2", (), "HEAD: the city that the new link leaves, else NONE"),
    Field("start_edge", "<i2", (), "HEAD: over this edge of the city, else NONE"),
    Field("build_city", "<i2", (), "AMOUNT: the city of the bonus factory, else NONE"),
    Field("contract", "<i2", (), "contract being fulfilled, or whose bonus is under way, else NONE"),
    Field("need", "<i2", (), "index of the resource being handled in the contract's printed order"),
    Field("cargo_group", "<i2", (), "HOP, PAY: the group where the resource is, else NONE"),
    Field("hop_group", "<i2", (), "PAY: the group it goes to, else NONE"),
    Field("truncated", "<i2", (), "1 if the round limit alone ended the game"),
    Field("bag_size", "<i2", (), "trains in the solo bag"),
    Field("num_links", "<i2", (), "links on the map, complete or not"),
    Field("deck_size", "<i2", (), "contracts in the deck"),
    # What the game was configured with.
    Field("num_seats", "<i2", (), "seats"),
    Field("num_automas", "<i2", (), "Automa seats, the last ones"),
    Field("automa_level", "<i2", (), "index of the Automas' level"),
    Field("edition", "<i2", (), "FINAL or PREVIEW"),
    Field("mode", "<i2", (), "MULTIPLAYER or SOLO"),
    Field("routing", "<i2", (), "ROUTING_ANY or ROUTING_CHEAPEST"),
    Field("contracts_to_end", "<i2", (), "fulfilled contracts of one seat that trigger the end (rule 3.2)"),
    Field("max_rounds", "<i2", (), "the game ends after this round at the latest"),
    Field("board_index", "<i2", (), "which board of the batch"),
    Field("deck_index", "<i2", (), "which deck of the batch"),
    # Contracts; what else there is of them takes a byte each, below.
    Field("generation", "<i2", (MAX_CONTRACTS,), "reshuffles before it last entered the deck (rule 8.5)"),
    # Cities.
    Field("color", "i1", (MAX_CITIES,), "colour of the City tile, NONE past the last city"),
    Field("owner", "i1", (MAX_CITIES,), "seat whose factory stands here, or NONE"),
    Field("resources", "i1", (MAX_CITIES,), "resources left; 0 with a factory = the tile is flipped"),
    Field("linked", "i1", (MAX_CITIES,), "bit s = a complete link of seat s ends on this very tile"),
    # Contracts.
    Field("place", "i1", (MAX_CONTRACTS,), "PLACE_DECK, PLACE_HAND + seat, PLACE_FULFILLED + seat, ..."),
    Field("known", "i1", (MAX_CONTRACTS,), "bit s = in another's hand, and seat s knows it (rule 11.2)"),
    Field("deck_order", "i1", (MAX_CONTRACTS,), "the deck, next draw last; NONE from deck_size on"),
    Field("slot", "i1", (MAX_CONTRACTS,), "in a view: the places of unknown contracts, see core.hidden; else NONE"),
    # Solo.
    Field("bag", "i1", (BAG_SIZE,), "companies of the trains in the bag, next draw last; NONE from bag_size on"),
    # Automas.
    Field("corners", "i1", (NUM_CORNERS,), "colour of the resource in each map corner, NONE without Automas"),
    Field("marker", "i1", (MAX_AUTOMAS,), "by Automa: the corner where its direction marker is, else NONE"),
    Field("coins", "u1", (MAX_AUTOMAS, MAX_PATH), "by Automa: hexes of its coin path, 0 from num_coins on"),
    # Track. A hex holds at most two segments, the one with the lower edge pair first.
    Field("track", "i1", (MAX_HEXES, 2), "edge pair of each segment, NONE if there is none"),
    Field("track_link", "i1", (MAX_HEXES, 2), "the link that the segment belongs to, or NONE"),
    Field("met", "i1", (MAX_HEXES,), "bit e = a track on the hex behind edge e uses that edge"),
    # Links, in the order in which they were begun.
    Field("link_owner", "i1", (MAX_LINKS,), "seat, NONE past the last link"),
    Field("link_start", "i1", (MAX_LINKS,), "city it leaves, NONE past the last link"),
    Field("link_edge", "i1", (MAX_LINKS,), "over this edge of the city, NONE past the last link"),
    Field("link_end", "i1", (MAX_LINKS,), "city it reaches, NONE while incomplete"),
)
GAME = make_record(GAME_FIELDS)

WORK_FIELDS = (
    Field("distance", "<i8", (MAX_CITIES,), "by group: fewest links to the mover's network, NONE if out of reach"),
    Field("units", "<i8", (NUM_RESOURCES, MAX_ROUTE_COST), "by colour and cost: resources that can be had for it"),
    Field("farthest", "<i8", (), "the most links that any group in reach is away"),
    Field(
        "prices", "<i8", (NUM_RESOURCES, MAX_NEEDS + 1), "by colour and number: the least that so many cost together"
    ),
    Field("wanted", "<i8", (NUM_RESOURCES,), "by colour: resources that the contract still needs"),
    # The search for an Automa's path; states are hex x 6 + edge entered by.
    Field("kinds", "<i8", (), "bits of the kinds of tile in stock"),
    Field("seen_links", "<i8", (NUM_STATES,), "by state: fewest links of a way to it so far"),
    Field("next_links", "<i8", (NUM_STATES,), "by state: the same for ways of one tile more"),
    Field("ways_tiles", "<i8", (), "tiles of the ways that were measured so far"),
    Field("ways_front", "<i8", (2, NUM_STATES), "states at so many tiles, and at one more, in turn"),
    Field("ways_links", "<i8", (2, NUM_STATES), "the links of the ways to them"),
    Field("ways_size", "<i8", (2,), "how many states each holds"),
    Field("front", "<i8", (2, NUM_STATES), "on the way back from a target: states at so many tiles, and at one more"),
    Field("front_size", "<i8", (2,), "how many states each holds"),
    Field("group_tiles", "<i8", (MAX_CITIES,), "by group: fewest tiles from the network, NONE if not reached so far"),
    Field("group_links", "<i8", (MAX_CITIES,), "by group: fewest links of a way to it so far"),
    Field("togo", "<i8", (NUM_STATES,), "by state: fewest tiles to the target group, NONE if out of reach"),
    Field("togo_worth", "<i8", (NUM_STATES,), "by state: the best worth of those ways (see core.route)"),
    Field("group_togo", "<i8", (MAX_CITIES,), "by group: the same for a group on the way"),
    Field("group_worth", "<i8", (MAX_CITIES,), "by group: the same"),
    Field("present", "<i8", (NUM_RESOURCES,), "by colour: resources in the Automa's extended network"),
    Field("node_hex", "<i8", (MAX_PATH + 1,), "the way being tried: its hexes, cities included"),
    Field("node_entry", "<i8", (MAX_PATH + 1,), "edge by which a tile is entered, NONE for a city"),
    Field("node_tiles", "<i8", (MAX_PATH + 1,), "tiles before this node"),
    Field("node_links", "<i8", (MAX_PATH + 1,), "links begun up to this node"),
    Field("node_worth", "<i8", (MAX_PATH + 1,), "worth of the tiles and stops before this node"),
    Field("node_rank", "<i8", (MAX_PATH + 1,), "rank of the last hex tried after this node"),
    Field("used", "<i8", (MAX_HEXES,), "1 for hexes on the way being tried"),
    Field("path", "<i8", (MAX_PATH + 1,), "the path found: hexes, the start city first, the end city last"),
    Field("path_size", "<i8", (), "its length"),
    Field("path_tiles", "<i8", (), "its tiles"),
    Field("path_cost", "<i8", (), "its cost in dollars"),
    Field("path_stops", "<i8", (), "its stops at cities on the way"),
    Field("cost", "<i8", (), "dollars that the last refusal for lack of money was about"),
)
WORK = make_work(WORK_FIELDS)
SCRATCH = Scratch(WORK)


def new_work() -> np.ndarray:
    """Fresh scratch memory: an array of one ``WORK`` record."""
    return np.zeros(1, WORK)
