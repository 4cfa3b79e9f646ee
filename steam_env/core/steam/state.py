"""The state: every record type of the core, each field declared once with dtype, shape and meaning.

* ``BOARD`` - a map with its stock of tiles. Read-only during play.
* ``GAME`` - one game, everything that changes. A clone is a copy of its bytes.
* ``WORK`` - scratch memory and event trace; nothing in it outlives a step.

The same position is the same record, however it came about: links stand in the order of their first (hex, edge)
(rule 3.7), and fields of no meaning now are NONE or 0. Chance is in the set-up alone, so the random stream is zero
afterwards.
"""

import numpy as np

from steam_env.core.fields import NONE, Field, make_record
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam.tiles import MAX_SLOTS, NUM_ENDS, NUM_PATTERNS
from steam_env.core.work import Scratch, make_work

# --- capacities -------------------------------------------------------------------------------------
MAX_HEXES = 256
MAX_STOPS = 64
MAX_SEATS = 5
MAX_LINKS = 256  # rule 2.7
MAX_KINDS = NUM_PATTERNS  # each kind of tile has a pattern of its own at least
SEAT_COUNTS = (3, 4, 5)
MAX_LEVEL = 6  # rule 4.1
MAX_ROUTE = MAX_LEVEL + 1  # stops of a route, the first included
MAX_DEGREE = NUM_EDGES  # links at a stop, each over an edge of its own

# --- colours ------------------------------------------------------------------------------------------
NUM_COLORS = 5
RED, YELLOW, PURPLE, BLUE, GRAY = range(NUM_COLORS)
COLOR_NAMES = ("red", "yellow", "purple", "blue", "gray")
COLOR_LETTERS = "RYPBG"

# --- the rules' numbers ---------------------------------------------------------------------------------
BAG = (20, 20, 20, 20, 16)  # cubes by colour, rule 4.2
NUM_SPACES = 12  # of the Goods Supply, rule 4.2
SPACE_CUBES = {3: 2, 4: 3, 5: 3}  # cubes of each space by seats, rule 4.2
NEW_CITIES = (1, 1, 1, 1, 4)  # tiles by colour, rule 4.3
GROWTH_MARKERS = 10  # rule 4.3
TURNS = {3: 10, 4: 8, 5: 7}  # by seats, rule 4.5
MAX_TURNS = 10  # rule 15.1
MIN_INCOME = -10  # rule 4.1
MAX_INCOME = 10  # rule 4.1, unless the rules say otherwise
NO_INCOME_LIMIT = 9999  # stands for none; no game comes near it
LOAN = 5  # dollars raised for a step of income, rule 7.1
LOAN_VP = 2  # victory points for a step below the lowest income, rule 7.2
PLACEMENTS = 3  # of a track turn, rule 8.1
ENGINEER_PLACEMENTS = 4  # rule 8.1
TOWN_COST = 1  # rule 8.6
RIVER_COST = 1  # rule 8.6, of a new tile
HILLS_COST = 2  # rule 8.6, of a new tile
GOODS_ROUNDS = 2  # rule 9.1
INCOME_PER_VP = 2  # income of a point in the final scoring, rule 12.1
DEBT_VP = 2  # points that each step of negative income costs, rule 12.1
BANKRUPT_SCORE = -21  # rule 13.5

# Action tiles by their numbers (rule 6.1); 0 = none.
NUM_TILES = 7
TURN_ORDER, FIRST_MOVE, ENGINEER, FIRST_BUILD, CITY_GROWTH, LOCOMOTIVE, URBANIZATION = range(1, NUM_TILES + 1)
TILE_NAMES = (
    *("none", "Turn Order", "First Move", "Engineer", "First Build"),
    *("City Growth", "Locomotive", "Urbanization"),
)
GROWTH_COST = 2  # rule 6.1
LOCOMOTIVE_COST = 4  # + the new level, rule 6.1
URBANIZATION_COST = 6  # rule 6.1

# What is decided now.
(
    BID,  # a place of the order track, in an auction start
    TAKE,  # an action tile
    BUILD,  # the hex of a placement, City Growth, Urbanization, or done
    TILE,  # the pattern of the placement
    COLOUR,  # of the New City
    SPACE,  # whose group of cubes comes
    GOODS,  # a cube to move, the locomotive, or nothing
    CUBE,  # which cube of the city
    HOP,  # the next stop on its way
    OVER,  # over whose link
    SCORE,  # the points of a move: on income, or on VP
    END,
) = range(12)
PHASE_NAMES = ("bid", "take", "build", "tile", "colour", "space", "goods", "cube", "hop", "over", "score", "end")
NUM_PHASES = len(PHASE_NAMES)

NUM_STREAMS = 1  # of random numbers: the deal
RNG_WORDS = 4
DEAL_STREAM = 0

NOBODY = NONE  # owner of an unowned link
UNOWNED_CLASS = MAX_SEATS  # where owners are counted: seats, then nobody
NUM_CLASSES = MAX_SEATS + 1

BOARD_FIELDS = (
    Field("beyond", "<i2", (MAX_HEXES, NUM_EDGES), "by hex and edge: the next hex, NONE over a closed edge (rule 1.4)"),
    Field("hex_stop", "<i2", (MAX_HEXES,), "the city or town on this hex, or NONE"),
    Field("open_edges", "<i2", (MAX_HEXES,), "by hex: bits of the edges that are not closed"),
    Field("city_edges", "<i2", (MAX_HEXES,), "by hex: bits of the open edges behind which a printed city lies"),
    Field("terrain_cost", "<i2", (MAX_HEXES,), "dollars that river and hills add to a new tile (rule 8.6)"),
    Field("hills", "<i2", (MAX_HEXES,), "1 for hills"),
    Field("river", "<i2", (MAX_HEXES,), "1 for a river or canal"),
    Field("col", "<i2", (MAX_HEXES,), "column, A = 1"),
    Field("row", "<i2", (MAX_HEXES,), "row, doubled coordinates: column + row is even"),
    Field("stop_hex", "<i2", (MAX_STOPS,), "the hex of this stop, NONE past the last"),
    Field("stop_color", "<i2", (MAX_STOPS,), "colour of the printed city, NONE for a town and past the last stop"),
    Field("drawn", "<i2", (MAX_STOPS,), "cubes that the city draws in the set-up (rule 4.2)"),
    Field("given", "<i2", (MAX_STOPS, NUM_COLORS), "cubes that the map gives the city, by colour"),
    Field("space_drawn", "<i2", (NUM_SPACES,), "cubes that the space draws in the set-up (rule 4.2)"),
    Field("space_given", "<i2", (NUM_SPACES, NUM_COLORS), "cubes that the map gives the space, by colour"),
    Field("kind", "<i2", (NUM_PATTERNS,), "kind of tile that shows this pattern (rule 2.5)"),
    Field("tiles", "<i2", (MAX_KINDS,), "tiles of each kind"),
    Field("num_kinds", "<i2", (), "kinds of tiles"),
    Field("num_hexes", "<i2", (), "land and city hexes, in map order: columns left to right, each top to bottom"),
    Field("num_stops", "<i2", (), "cities and towns, in map order"),
)
BOARD = make_record(BOARD_FIELDS)

GAME_FIELDS = (
    Field("served", "<i8", (MAX_SEATS,), "by seat: bit s = a complete link of the seat ends at stop s"),
    Field("rng", "<u4", (NUM_STREAMS, RNG_WORDS), "the random stream of the deal; zero afterwards"),
    # Seats.
    Field("money", "<i4", (MAX_SEATS,), "dollars"),
    Field("vp", "<i4", (MAX_SEATS,), "victory points"),
    Field("income", "<i2", (MAX_SEATS,), "place on the income track"),
    # The turn, and the decision under way.
    Field("seat", "<i2", (), "whose decision; NONE when the game is over"),
    Field("phase", "<i2", (), "what is decided: BID .. END"),
    Field("round_number", "<i2", (), "the turn, from 1 (rule 4.5)"),
    Field("place", "<i2", (), "place in the sequence of the phase, 0 = first; in SCORE that of who moved the cube"),
    Field("placements_left", "<i2", (), "of the track turn; 0 outside phase 2"),
    Field("goods_round", "<i2", (), "1 or 2 in phase 3, else 0"),
    Field("truncated", "<i2", (), "always 0: the number of turns is a rule"),
    Field("hex", "<i2", (), "TILE: the hex of the placement, else NONE"),
    Field("stop", "<i2", (), "COLOUR, SPACE: the city that grows or the town that becomes one, else NONE"),
    Field("color", "<i2", (), "SPACE: of the New City; HOP, OVER: of the cube; else NONE"),
    Field("hops", "<i2", (), "HOP, OVER: links of the route so far, else 0"),
    Field("next_stop", "<i2", (), "OVER: the stop that the cube goes to, else NONE"),
    # The auction of places (rule 15.2).
    Field("opener", "<i2", (), "BID: the seat with which the circle begins, else NONE"),
    Field("bid", "<i2", (), "BID: the highest bid for the place, NONE before the first"),
    Field("bidder", "<i2", (), "BID: whose it is, or NONE"),
    Field("places_taken", "<i2", (), "BID: places of the order track that are taken, else 0"),
    # Stocks.
    Field("stock", "<i2", (MAX_KINDS,), "tiles left of each kind; 0 where the stock is switched off (rule 2.5)"),
    Field("markers", "<i2", (), "growth markers left"),
    Field("num_links", "<i2", (), "links on the map"),
    # What the game was configured with.
    Field("num_seats", "<i2", (), "seats"),
    Field("num_turns", "<i2", (), "turns of the game (rule 4.5)"),
    Field("income_max", "<i2", (), "the highest income (rule 4.1)"),
    Field("unlimited", "<i2", (), "1 if the stock of tiles is switched off (rule 2.5)"),
    Field("towns_twice", "<i2", (), "1 if a cube may enter a town more than once (rule 9.4)"),
    Field("forgiving", "<i2", (), "1 if nobody goes bankrupt (rule 13.6)"),
    # Seats, a byte each.
    Field("level", "i1", (MAX_SEATS,), "of the locomotive"),
    Field("tile", "i1", (MAX_SEATS,), "number of the action tile taken this turn, 0 = none"),
    Field("passed", "i1", (MAX_SEATS,), "1 if it was taken with pass (rule 6.2)"),
    Field("to_do", "i1", (MAX_SEATS,), "1 while a paid City Growth or Urbanization is still to be done (rule 8.14)"),
    Field("improved", "i1", (MAX_SEATS,), "1 if the locomotive was improved in this turn's phase 3 (rule 9.2)"),
    Field("bankrupt", "i1", (MAX_SEATS,), "the turn of the bankruptcy, 0 = it plays on"),
    Field("order", "i1", (MAX_SEATS,), "the order track: seats by place, bankrupt ones behind; NONE where none is yet"),
    Field("bidding", "i1", (MAX_SEATS,), "BID: 1 for seats that are in the bidding for the place"),
    Field("points", "i1", (MAX_SEATS,), "SCORE: points of the move under way, else 0"),
    Field("route_stop", "i1", (MAX_ROUTE,), "CUBE, HOP, OVER: stops of the route so far, else NONE"),
    Field("route_owner", "i1", (MAX_LEVEL,), "owners of its links, NOBODY also past the last"),
    # Stops.
    Field("city_color", "i1", (MAX_STOPS,), "colour of the city, NONE for a town and past the last stop"),
    Field("grown", "i1", (MAX_STOPS,), "1 for a city with a growth marker that City Growth laid"),
    Field("cubes", "i1", (MAX_STOPS, NUM_COLORS), "cubes in the city, by colour"),
    Field("supply", "i1", (NUM_SPACES, NUM_COLORS), "cubes of each space of the Goods Supply, by colour"),
    Field("bag", "i1", (NUM_COLORS,), "cubes left in the bag, by colour"),
    Field("new_cities", "i1", (NUM_COLORS,), "New City tiles left, by colour"),
    # Track.
    Field("pattern", "i1", (MAX_HEXES,), "pattern of the tile on the hex, NONE if there is none"),
    Field("segment_link", "u1", (MAX_HEXES, MAX_SLOTS), "by hex and slot: the segment's link; 0 where there is none"),
    # Links, in the order of their first (hex, edge); NONE, hex 0 past the last.
    Field("link_owner", "i1", (MAX_LINKS,), "seat, or NOBODY"),
    Field("link_from", "i1", (MAX_LINKS,), "its stop, of two the one that comes first in map order"),
    Field("link_to", "i1", (MAX_LINKS,), "its other stop, NONE while it is incomplete"),
    Field("link_head", "i1", (MAX_LINKS,), "the open edge of the last tile, NONE of a complete link"),
    Field(
        "link_mark", "i1", (MAX_LINKS,), "1 if begun or extended in this track turn (rule 8.10); 0 of a complete link"
    ),
    Field("link_hex", "u1", (MAX_LINKS,), "the hex of the last tile; 0 of a complete link"),
)
GAME = make_record(GAME_FIELDS)

WORK_FIELDS = (
    # The sides of a hex, see core.steam.track.
    Field("side_class", "<i8", (NUM_ENDS,), "by edge, and for the centre: what lies there"),
    Field("side_stop", "<i8", (NUM_ENDS,), "the stop there, or the root of the link that ends there; else NONE"),
    Field("side_hex", "<i8", (NUM_ENDS,), "the hex behind the edge, NONE for the centre"),
    # All placements of a track turn, see core.steam.sites.
    Field("around", "<i8", (MAX_HEXES,), "by hex: sets of edges by what lies behind them, see ``sites.look_at_map``"),
    Field("head_root", "<i8", (MAX_HEXES, NUM_EDGES), "by hex and edge: the root of the link that ends there, if any"),
    Field("laid_alone", "<i8", (), "bits of the segments of which there is a tile that has nothing else"),
    Field("right", "<i8", (), "bits of the segments that may be added to the hex, each by itself"),
    Field("bare", "<i8", (), "on a town hex, bits of those that may be beside one that is supported"),
    # Links before they are traced anew, see core.steam.links.
    Field("fresh_hex", "<i8", (), "the hex with new segments, or NONE"),
    Field("fresh_slots", "<i8", (), "bits of their slots"),
    Field("fresh_keeps", "<i8", (), "1 if the new segment stands for one that was in its link, as in a redirection"),
    Field("slot_link", "<i8", (MAX_SLOTS,), "by slot of the tile that is covered: the segment's link"),
    Field("old_owner", "<i8", (MAX_LINKS,), "by link: its owner"),
    Field("old_mark", "<i8", (MAX_LINKS,), "by link: its mark"),
    Field("traced", "<i8", (MAX_HEXES,), "by hex: bits of the slots whose segments are traced"),
    Field("trace_owner", "<i8", (), "of the link being traced: its owner before"),
    Field("trace_mark", "<i8", (), "its mark before"),
    Field("trace_new", "<i8", (), "1 if it has a new segment"),
    # Complete links as a graph, see core.steam.routes.
    Field("near_stop", "<i8", (MAX_STOPS, MAX_DEGREE), "by stop: the stop at the other end of a link"),
    Field("near_class", "<i8", (MAX_STOPS, MAX_DEGREE), "its owner, UNOWNED_CLASS for nobody"),
    Field("near_count", "<i8", (MAX_STOPS, MAX_DEGREE), "parallel links of this owner"),
    Field("degree", "<i8", (MAX_STOPS,), "by stop: how many of these there are"),
    Field("path_stop", "<i8", (MAX_ROUTE,), "the route being tried: its stops"),
    Field("path_class", "<i8", (MAX_LEVEL,), "the owners of its links"),
    Field("tally", "<i8", (NUM_CLASSES,), "its links by owner"),
    Field("next_try", "<i8", (MAX_ROUTE,), "by depth: the next way to be tried"),
    Field("under_way", "<i8", (MAX_ROUTE,), "by depth: bits of the colours whose cubes may come so far"),
    Field("cost", "<i8", (), "dollars that the last refusal for lack of money was about"),
)
WORK = make_work(WORK_FIELDS)
SCRATCH = Scratch(WORK)


def new_work() -> np.ndarray:
    """Fresh scratch memory: an array of one ``WORK`` record."""
    return np.zeros(1, WORK)
