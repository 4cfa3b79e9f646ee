"""The `flat` encoding: what one seat sees, as one float32 vector.

``LAYOUT`` is the only place where the parts of the vector stand; the kernel's offsets come from it, and
``python -m steam_env.encoding.steam.flat`` prints it. *Observer* is the seat that looks; seats are told *relative* to
it: (seat - observer) mod seats, so the observer is 0 and the next seat 1. Absent seats, hexes and stops are zero.

All is public, so all of the position is in it. Given the map and the table of tiles, two positions that differ have
different vectors: where a value is clipped, another part has it exactly. What follows from the rest is not written
out: the numbers and the order of links, their ends and heads (the tiles tell), the bag (by counting), the map.
"""

import numpy as np

from steam_env.core.bits import has
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.steam.growth import has_marker
from steam_env.core.steam.scoring import NUM_SCORE_PARTS, TOTAL, score_game
from steam_env.core.steam.state import (
    BAG,
    ENGINEER_PLACEMENTS,
    GOODS_ROUNDS,
    GROWTH_MARKERS,
    MAX_HEXES,
    MAX_INCOME,
    MAX_LEVEL,
    MAX_SEATS,
    MAX_STOPS,
    MAX_TURNS,
    MIN_INCOME,
    NEW_CITIES,
    NOBODY,
    NUM_COLORS,
    NUM_PHASES,
    NUM_SPACES,
    NUM_TILES,
)
from steam_env.core.steam.tiles import MAX_SLOTS, NUM_PATTERNS, NUM_SEGMENTS, SLOT_AT
from steam_env.encoding.layout import HIGH, Layout, describe_parts
from steam_env.encoding.scales import clip_ratio
from steam_env.kit.program import fit_streams

FLAT_LOW = -1.0
FLAT_HIGH = HIGH

MONEY_SCALE, MONEY_EXACT = 40, 1 << 24  # clipped, for learning; every whole number up to there is an exact float32
VP_SCALE = 60  # clipped; it is there exactly, too
SCORE_SCALE = 80  # clipped; what scores come from is there exactly
CUBES_SCALE = 6  # of a colour in a place, clipped; likewise
STOCK_SCALE = 10  # tiles of a kind, clipped; they follow by counting
LINKS_SCALE = 20
POINTS_SCALE = MAX_LEVEL
CUBES_EXACT = max(BAG)

_layout = Layout()
_add = _layout.add

# --- the layout ---------------------------------------------------------------------------------------
# The game and the decision under way.
TURN = _add("turn", 1, "the turn", f"/ {MAX_TURNS}")
TURNS_LEFT = _add("turns_left", 1, "turns after this one", f"/ {MAX_TURNS}")
UNLIMITED = _add("unlimited", 1, "the stock of tiles is switched off")
TOWNS_TWICE = _add("towns_twice", 1, "towns may be entered more than once")
FORGIVING = _add("forgiving", 1, "nobody goes bankrupt")
INCOME_LIMIT = _add("income_limit", 1, "the highest income", "n / (n + 10)")
PHASE = _add("phase", NUM_PHASES, "what is decided, in the order of `PHASE_NAMES`", "one-hot")
PLACEMENTS = _add("placements", 1, "placements left in the track turn", f"/ {ENGINEER_PLACEMENTS}")
GOODS_ROUND = _add("goods_round", 1, "the goods round", f"/ {GOODS_ROUNDS}")
PLACE = _add("place", 1, "place of the turn in the sequence of the phase, the first = 1", f"/ {MAX_SEATS}")
COLOR = _add("color", NUM_COLORS, "colour of the cube under way, or of the New City", "one-hot")
HOPS = _add("hops", 1, "links that the cube has gone so far", f"/ {MAX_LEVEL}")
ROUTE_OWNER = _add(
    "route_owner", MAX_LEVEL, "by link of the route: whose it is, as in `hex_owner`", "seat code", FLAT_LOW
)
BID = _add("bid", 1, "the highest bid + 1; none = 0", f"/ {MONEY_EXACT}")
# Stocks.
NEW_CITY = _add("new_city", NUM_COLORS, "New City tiles left, by colour R Y P B G", f"/ {max(NEW_CITIES)}")
MARKERS = _add("markers", 1, "growth markers left", f"/ {GROWTH_MARKERS}")
SUPPLY = _add("supply", NUM_SPACES * NUM_COLORS, "cubes by space and colour", f"/ {CUBES_SCALE}, clipped")
SUPPLY_EXACT = _add("supply_exact", NUM_SPACES * NUM_COLORS, "the same", f"/ {CUBES_EXACT}")
STOCK = _add("stock", NUM_PATTERNS, "derived, by pattern: tiles left of its kind", f"/ {STOCK_SCALE}, clipped")
# Seats, the observer first.
SEAT_PRESENT = _add("seat_present", MAX_SEATS, "by relative seat: it plays")
SEAT_BANKRUPT = _add("seat_bankrupt", MAX_SEATS, "by relative seat: the turn of its bankruptcy", f"/ {MAX_TURNS}")
SEAT_TO_MOVE = _add("seat_to_move", MAX_SEATS, "by relative seat: its decision; zero at the end")
SEAT_ORDER = _add(
    "seat_order", MAX_SEATS, "by relative seat: place on the order track, the first = 1", f"/ {MAX_SEATS}"
)
SEAT_MONEY = _add("seat_money", MAX_SEATS, "by relative seat: dollars", f"/ {MONEY_SCALE}, clipped")
SEAT_MONEY_EXACT = _add("seat_money_exact", MAX_SEATS, "by relative seat: dollars", f"/ {MONEY_EXACT}, clipped")
SEAT_INCOME = _add("seat_income", MAX_SEATS, "by relative seat: income", f"/ {MAX_INCOME}, clipped", FLAT_LOW)
SEAT_INCOME_EXACT = _add("seat_income_exact", MAX_SEATS, "by relative seat: income + 10", f"/ {MONEY_EXACT}")
SEAT_VP = _add("seat_vp", MAX_SEATS, "by relative seat: victory points", f"/ {VP_SCALE}, clipped")
SEAT_VP_EXACT = _add("seat_vp_exact", MAX_SEATS, "by relative seat: victory points", f"/ {MONEY_EXACT}, clipped")
SEAT_LEVEL = _add("seat_level", MAX_SEATS, "by relative seat: level of the locomotive", f"/ {MAX_LEVEL}")
SEAT_TILE = _add("seat_tile", MAX_SEATS * NUM_TILES, "by relative seat and number: its action tile", "one-hot")
SEAT_PASSED = _add("seat_passed", MAX_SEATS, "by relative seat: the tile was taken with pass")
SEAT_TO_DO = _add("seat_to_do", MAX_SEATS, "by relative seat: a paid action is still to be carried out")
SEAT_IMPROVED = _add("seat_improved", MAX_SEATS, "by relative seat: it has improved its locomotive this turn")
SEAT_POINTS = _add("seat_points", MAX_SEATS, "by relative seat: points of the move under way", f"/ {POINTS_SCALE}")
SEAT_BIDDING = _add("seat_bidding", MAX_SEATS, "by relative seat: it is in the bidding for the place")
SEAT_BIDDER = _add("seat_bidder", MAX_SEATS, "by relative seat: the highest bid is its")
SEAT_OPENER = _add("seat_opener", MAX_SEATS, "by relative seat: it opened the auction")
SEAT_SCORE = _add(
    "seat_score", MAX_SEATS, "derived, by relative seat: its score", f"/ {SCORE_SCALE}, clipped", FLAT_LOW
)
# Stops.
STOP_PRESENT = _add("stop_present", MAX_STOPS, "by stop: it is on the map")
STOP_COLOR = _add("stop_color", MAX_STOPS * NUM_COLORS, "by stop and colour: the city's; of a town none", "one-hot")
STOP_MARKER = _add("stop_marker", MAX_STOPS, "by stop: a city with a growth marker, laid or printed")
STOP_CUBES = _add("stop_cubes", MAX_STOPS * NUM_COLORS, "by stop and colour: cubes", f"/ {CUBES_SCALE}, clipped")
STOP_CUBES_EXACT = _add("stop_cubes_exact", MAX_STOPS * NUM_COLORS, "the same", f"/ {CUBES_EXACT}")
STOP_SERVED = _add(
    "stop_served", MAX_STOPS * MAX_SEATS, "derived, by stop and relative seat: a complete link of the seat ends here"
)
STOP_CHOSEN = _add("stop_chosen", MAX_STOPS, "by stop: the one that grows or becomes a city")
STOP_ROUTE = _add(
    "stop_route", MAX_STOPS, "by stop: last place on the cube's route, the first = 1", f"/ {MAX_LEVEL + 1}"
)
STOP_NEXT = _add("stop_next", MAX_STOPS, "by stop: the one that the cube goes to next")
# Hexes.
HEX_CHOSEN = _add("hex_chosen", MAX_HEXES, "by hex: the one of the placement under way")
HEX_PATTERN = _add("hex_pattern", MAX_HEXES, "by hex: number of the tile's pattern + 1; none = 0", f"/ {NUM_PATTERNS}")
HEX_OWNER = _add(
    "hex_owner",
    MAX_HEXES * MAX_SLOTS,
    f"by hex and segment: whose link; relative seat r is ({MAX_SEATS} - r) / {MAX_SEATS}, unowned -0.5",
    "seat code",
    FLAT_LOW,
)
HEX_OPEN = _add(
    "hex_open", MAX_HEXES * MAX_SLOTS, "by hex and segment: the last one of an incomplete link; 1 with a mark, else 0.5"
)

LAYOUT = _layout.parts
FLAT_SIZE = _layout.size


def describe_layout() -> str:
    """The layout as a Markdown table, one line for each part."""
    return "\n".join([f"`flat`: {FLAT_SIZE} float32", "", *describe_parts(LAYOUT)])


# --- codes ----------------------------------------------------------------------------------------------


@kernel
def code_owner(game: np.record, observer: int, owner: int) -> float:
    """1 for the observer, less for each place after it; -0.5 for nobody."""
    if owner == NOBODY:
        return -0.5
    return (MAX_SEATS - (owner - observer) % int(game.num_seats)) / MAX_SEATS


@kernel
def scale_income(income: int) -> float:
    """Income with its sign, cut off at +1."""
    return clip_ratio(income, MAX_INCOME) if income >= 0 else -clip_ratio(-income, -MIN_INCOME)


# --- the parts ------------------------------------------------------------------------------------------


@kernel
def write_game(game: np.record, observer: int, row: np.ndarray) -> None:
    """Write the turn, the configuration and the decision under way."""
    row[TURN] = clip_ratio(game.round_number, MAX_TURNS)
    row[TURNS_LEFT] = clip_ratio(int(game.num_turns) - int(game.round_number), MAX_TURNS)
    row[UNLIMITED] = game.unlimited
    row[TOWNS_TWICE] = game.towns_twice
    row[FORGIVING] = game.forgiving
    row[INCOME_LIMIT] = int(game.income_max) / (int(game.income_max) + MAX_INCOME)
    row[PHASE + int(game.phase)] = 1
    row[PLACEMENTS] = clip_ratio(game.placements_left, ENGINEER_PLACEMENTS)
    row[GOODS_ROUND] = clip_ratio(game.goods_round, GOODS_ROUNDS)
    row[PLACE] = clip_ratio(int(game.place) + 1, MAX_SEATS)
    if game.color != NONE:
        row[COLOR + int(game.color)] = 1
    row[HOPS] = clip_ratio(game.hops, MAX_LEVEL)
    for at in range(game.hops):
        row[ROUTE_OWNER + at] = code_owner(game, observer, int(game.route_owner[at]))
    row[BID] = clip_ratio(int(game.bid) + 1, MONEY_EXACT)


@kernel
def write_stocks(game: np.record, board: np.record, row: np.ndarray) -> None:
    """Write what lies beside the map."""
    for color in range(NUM_COLORS):
        row[NEW_CITY + color] = clip_ratio(game.new_cities[color], max(NEW_CITIES))
    row[MARKERS] = clip_ratio(game.markers, GROWTH_MARKERS)
    for space in range(NUM_SPACES):
        for color in range(NUM_COLORS):
            row[SUPPLY + space * NUM_COLORS + color] = clip_ratio(game.supply[space, color], CUBES_SCALE)
            row[SUPPLY_EXACT + space * NUM_COLORS + color] = clip_ratio(game.supply[space, color], CUBES_EXACT)
    for pattern in range(NUM_PATTERNS):
        left = STOCK_SCALE if game.unlimited else int(game.stock[board.kind[pattern]])
        row[STOCK + pattern] = clip_ratio(left, STOCK_SCALE)


@kernel
def write_seats(game: np.record, observer: int, row: np.ndarray) -> None:
    """Write the state of every seat, the observer first."""
    scores = np.zeros((MAX_SEATS, NUM_SCORE_PARTS), np.int64)
    score_game(game, scores)
    seats = int(game.num_seats)
    for relative in range(seats):
        seat = (observer + relative) % seats
        row[SEAT_PRESENT + relative] = 1
        row[SEAT_BANKRUPT + relative] = clip_ratio(game.bankrupt[seat], MAX_TURNS)
        row[SEAT_TO_MOVE + relative] = 1 if game.seat == seat else 0
        row[SEAT_MONEY + relative] = clip_ratio(game.money[seat], MONEY_SCALE)
        row[SEAT_MONEY_EXACT + relative] = clip_ratio(game.money[seat], MONEY_EXACT)
        row[SEAT_INCOME + relative] = scale_income(int(game.income[seat]))
        row[SEAT_INCOME_EXACT + relative] = clip_ratio(int(game.income[seat]) - MIN_INCOME, MONEY_EXACT)
        row[SEAT_VP + relative] = clip_ratio(game.vp[seat], VP_SCALE)
        row[SEAT_VP_EXACT + relative] = clip_ratio(game.vp[seat], MONEY_EXACT)
        row[SEAT_LEVEL + relative] = clip_ratio(game.level[seat], MAX_LEVEL)
        if game.tile[seat] > 0:
            row[SEAT_TILE + relative * NUM_TILES + int(game.tile[seat]) - 1] = 1
        row[SEAT_PASSED + relative] = game.passed[seat]
        row[SEAT_TO_DO + relative] = game.to_do[seat]
        row[SEAT_IMPROVED + relative] = game.improved[seat]
        row[SEAT_POINTS + relative] = clip_ratio(game.points[seat], POINTS_SCALE)
        row[SEAT_BIDDING + relative] = game.bidding[seat]
        row[SEAT_BIDDER + relative] = 1 if game.bidder == seat else 0
        row[SEAT_OPENER + relative] = 1 if game.opener == seat else 0
        score = int(scores[seat, TOTAL])
        row[SEAT_SCORE + relative] = clip_ratio(score, SCORE_SCALE) - clip_ratio(-score, SCORE_SCALE)
    for place in range(seats):
        if game.order[place] != NONE:
            row[SEAT_ORDER + (int(game.order[place]) - observer) % seats] = clip_ratio(place + 1, MAX_SEATS)


@kernel
def write_stops(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write cities and towns, and where the cube under way has been."""
    for stop in range(board.num_stops):
        row[STOP_PRESENT + stop] = 1
        if game.city_color[stop] != NONE:
            row[STOP_COLOR + stop * NUM_COLORS + int(game.city_color[stop])] = 1
        row[STOP_MARKER + stop] = 1 if has_marker(game, board, stop) else 0
        for color in range(NUM_COLORS):
            row[STOP_CUBES + stop * NUM_COLORS + color] = clip_ratio(game.cubes[stop, color], CUBES_SCALE)
            row[STOP_CUBES_EXACT + stop * NUM_COLORS + color] = clip_ratio(game.cubes[stop, color], CUBES_EXACT)
        for relative in range(game.num_seats):
            seat = (observer + relative) % int(game.num_seats)
            row[STOP_SERVED + stop * MAX_SEATS + relative] = 1 if has(game.served[seat], stop) else 0
    if game.stop != NONE:
        row[STOP_CHOSEN + int(game.stop)] = 1
    if game.next_stop != NONE:
        row[STOP_NEXT + int(game.next_stop)] = 1
    for at in range(MAX_LEVEL + 1):
        if game.route_stop[at] != NONE:
            row[STOP_ROUTE + int(game.route_stop[at])] = clip_ratio(at + 1, MAX_LEVEL + 1)


@kernel
def write_track(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write the tiles, whose their segments are, and where incomplete links end."""
    if game.hex != NONE:
        row[HEX_CHOSEN + int(game.hex)] = 1
    for hex_index in range(board.num_hexes):
        pattern = int(game.pattern[hex_index])
        if pattern == NONE:
            continue
        row[HEX_PATTERN + hex_index] = clip_ratio(pattern + 1, NUM_PATTERNS)
        for slot in range(NUM_SEGMENTS[pattern]):
            link = int(game.segment_link[hex_index, slot])
            at = hex_index * MAX_SLOTS + slot
            row[HEX_OWNER + at] = code_owner(game, observer, int(game.link_owner[link]))
            is_last = game.link_to[link] == NONE and game.link_hex[link] == hex_index
            if is_last and SLOT_AT[pattern, game.link_head[link]] == slot:
                row[HEX_OPEN + at] = 1 if game.link_mark[link] else 0.5


@kernel
def write_flat(game: np.record, board: np.record, observer: int, row: np.ndarray) -> None:
    """Write the whole ``row`` (FLAT_SIZE,)."""
    row[:] = 0
    write_game(game, observer, row)
    write_stocks(game, board, row)
    write_seats(game, observer, row)
    write_stops(game, board, observer, row)
    write_track(game, board, observer, row)


@kernel
def check_observer(game: np.record, observer: int) -> None:
    """Refuse an observer that is no seat of the game."""
    if observer < 0 or observer >= game.num_seats:
        raise ValueError("an observer must be a seat of its game, or NONE")


@kernel
def encode_flat_games(games: np.ndarray, boards: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Write row i of ``out`` (n, FLAT_SIZE) float32: what seat ``seats[i]`` sees of ``games[i]`` (n,) GAME.

    ``seats`` (n,) holds seats of the games, or NONE for a row of zeros. Nothing else is written.
    """
    if out.shape[0] < games.shape[0] or out.shape[1] != FLAT_SIZE:
        raise ValueError("out must have a row of FLAT_SIZE values for each game")
    for index in range(games.shape[0]):
        game, observer, row = games[index], int(seats[index]), out[index]
        if observer == NONE:
            row[:] = 0
            continue
        check_observer(game, observer)
        write_flat(game, boards[0], observer, row)


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
