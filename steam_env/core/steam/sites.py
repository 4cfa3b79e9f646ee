"""Which placements a seat may make, all of a decision asked together (rules 8.1 to 8.7).

What comes out is what ``track.placement_problem`` says of each, which also tells why. A segment that is added joins
edges that no track on the hex uses, so all that can lie behind them is nothing, open land, a city, or the end of an
incomplete link. Sets of edges and of segments are bits; segments have the numbers of ``tiles.SEGMENTS``.
"""

import numpy as np

from steam_env.core.bits import bit, has
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, NUM_PAIRS, PAIR_OF_EDGES, opposite
from steam_env.core.jit import kernel
from steam_env.core.steam.actions import BUILD_ON, LAY
from steam_env.core.steam.links import is_city, is_complete
from steam_env.core.steam.money import find_budget
from steam_env.core.steam.reasons import OK
from steam_env.core.steam.state import MAX_LINKS, NOBODY
from steam_env.core.steam.tiles import (
    EDGES,
    FIRST_SPUR,
    FIRST_TOWN,
    FOLLOWERS,
    MAX_SLOTS,
    NUM_FOLLOWERS,
    PAIRS_WITH,
    PAIRS_WITHIN,
    REDIRECTION,
    SEGMENTS,
    TURNED,
)
from steam_env.core.steam.track import (
    count_new_links,
    find_followers,
    find_placement,
    look_around,
    placement_cost,
    stock_problem,
)

# What `around` says of a hex: sets of edges, each at its own bits.
ALL_EDGES = (1 << NUM_EDGES) - 1
SUPPORTS = 0  # what supports a link lies there (rule 8.4): a city, an own link, or nobody's from a stop that does
OPEN_ENDS = NUM_EDGES  # an incomplete link ends there that is the mover's, or nobody's
FOREIGN_ENDS = 2 * NUM_EDGES  # likewise one of another seat

# --- the whole map ----------------------------------------------------------------------------------------


@kernel
def look_at_map(game: np.record, board: np.record, work: np.record) -> None:
    """Note what lies around each hex, for the mover."""
    work.around[: board.num_hexes] = board.city_edges[: board.num_hexes]
    for stop in range(board.num_stops):
        if board.stop_color[stop] == NONE and is_city(game, stop):
            note_new_city(board, work, int(board.stop_hex[stop]))
    for link in range(game.num_links):
        if not is_complete(game, link):
            note_end(game, board, work, link)


@kernel
def note_new_city(board: np.record, work: np.record, hex_index: int) -> None:
    """Note a city that was a town at each hex around it."""
    for edge in range(NUM_EDGES):
        beyond = int(board.beyond[hex_index, edge])
        if beyond != NONE:
            work.around[beyond] |= bit(SUPPORTS + opposite(edge))


@kernel
def note_end(game: np.record, board: np.record, work: np.record, link: int) -> None:
    """Note an incomplete link at the hex that it points at."""
    owner, root = game.link_owner[link], int(game.link_from[link])
    head = int(game.link_head[link])
    beyond, edge = int(board.beyond[game.link_hex[link], head]), opposite(head)
    if beyond == NONE:
        return
    work.head_root[beyond, edge] = root
    if owner != game.seat and owner != NOBODY:
        work.around[beyond] |= bit(FOREIGN_ENDS + edge)
        return
    work.around[beyond] |= bit(OPEN_ENDS + edge)
    if owner == game.seat or is_support(game, root):
        work.around[beyond] |= bit(SUPPORTS + edge)


@kernel
def is_support(game: np.record, stop: int) -> bool:
    """Whether a stop supports the mover's links: a city, or a town on own complete links (rule 8.4)."""
    return is_city(game, stop) or has(game.served[game.seat], stop)


@kernel
def note_stock(game: np.record, board: np.record, work: np.record) -> None:
    """Note of which segments there is a tile that has nothing else (rule 2.5)."""
    work.laid_alone = 0
    for pair in range(NUM_PAIRS):
        if game.unlimited or game.stock[board.kind[pair]] > 0:
            work.laid_alone |= bit(pair)
    for edge in range(NUM_EDGES):
        if game.unlimited or game.stock[board.kind[FIRST_TOWN + edge]] > 0:
            work.laid_alone |= bit(FIRST_SPUR + edge)


# --- the segments that may be added to a hex --------------------------------------------------------------


@kernel
def find_segments(game: np.record, board: np.record, work: np.record, hex_index: int) -> None:
    """Note the segments that may be added to the hex, each by itself (rules 8.3, 8.4); after ``look_at_map``."""
    around, lying, stop = int(work.around[hex_index]), int(game.pattern[hex_index]), int(board.hex_stop[hex_index])
    usable = int(board.open_edges[hex_index]) & ~(around >> FOREIGN_ENDS)
    if lying != NONE:
        usable &= ~int(EDGES[lying])
    if stop == NONE:
        right = int(PAIRS_WITH[usable & around] & PAIRS_WITHIN[usable])
        if (around >> OPEN_ENDS) & ALL_EDGES:
            right &= ~find_loops(board, work, hex_index)
        work.right = right
        work.bare = 0
        return
    # No link points at its own root (rule 8.3 c), so no spur leads one back to its town.
    supported = usable if has(game.served[game.seat], stop) else usable & around
    work.right = supported << FIRST_SPUR
    work.bare = (usable & ~supported) << FIRST_SPUR


@kernel
def find_loops(board: np.record, work: np.record, hex_index: int) -> int:
    """Bits of the edge pairs that would lead a link back to its root, or point it there (rule 8.3)."""
    around = int(work.around[hex_index])
    loops = 0
    for edge in range(NUM_EDGES):
        if not has(around, OPEN_ENDS + edge):
            continue
        root = int(work.head_root[hex_index, edge])
        for other in range(NUM_EDGES):
            if other != edge and leads_back(board, work, hex_index, other, root):
                loops |= bit(PAIR_OF_EDGES[edge, other])
    return loops


@kernel
def leads_back(board: np.record, work: np.record, hex_index: int, edge: int, root: int) -> bool:
    """Whether the root of a link lies behind the edge, or another link from it ends there."""
    if has(work.around[hex_index], OPEN_ENDS + edge) and work.head_root[hex_index, edge] == root:
        return True
    return bool(board.beyond[hex_index, edge] == board.stop_hex[root])


# --- placements -------------------------------------------------------------------------------------------


@kernel
def can_be_had(game: np.record, board: np.record, hex_index: int, pattern: int, budget: int) -> bool:
    """Whether there is a tile for the placement, and the money (rules 2.5, 8.6)."""
    if stock_problem(game, board, hex_index, pattern) != OK:
        return False
    return placement_cost(game, board, hex_index, pattern) <= budget


@kernel
def may_add(game: np.record, board: np.record, work: np.record, hex_index: int, pattern: int, budget: int) -> bool:
    """Whether the mover may lay a new tile or improve the one there, as the pattern says; after ``find_segments``.

    On a town hex segments that lack support may be beside one that has it (rule 8.3 d).
    """
    lying = int(game.pattern[hex_index])
    added = int(SEGMENTS[pattern]) if lying == NONE else int(SEGMENTS[pattern] & ~SEGMENTS[lying])
    if added & ~(work.right | work.bare) or not added & work.right:
        return False
    if is_crowded(game):
        look_around(game, board, work, int(game.seat), hex_index)
        if game.num_links + count_new_links(game, work, hex_index, pattern) > MAX_LINKS:
            return False
    return can_be_had(game, board, hex_index, pattern, budget)


@kernel
def is_crowded(game: np.record) -> bool:
    """Whether a placement might make more links than there can be."""
    return bool(game.num_links + MAX_SLOTS > MAX_LINKS)


@kernel
def may_add_any(game: np.record, board: np.record, work: np.record, hex_index: int, budget: int) -> bool:
    """Whether the mover may lay any new tile on the hex, or improve the one there."""
    find_segments(game, board, work, hex_index)
    if work.right == 0:
        return False
    if game.pattern[hex_index] == NONE and work.right & work.laid_alone and not is_crowded(game):
        alone = FIRST_TOWN if board.hex_stop[hex_index] != NONE else 0  # all of one segment cost the same, others more
        return placement_cost(game, board, hex_index, alone) <= budget
    row = find_followers(game, board, hex_index)
    for number in range(NUM_FOLLOWERS[row]):
        pattern = int(FOLLOWERS[row, number])
        is_addition = find_placement(game, hex_index, pattern) != REDIRECTION
        if is_addition and may_add(game, board, work, hex_index, pattern, budget):
            return True
    return False


@kernel
def find_turn(game: np.record, board: np.record, work: np.record, link: int, edge: int, budget: int) -> int:
    """The pattern with which the mover may lead the end of a link over another edge (rules 8.2 to 8.4), or NONE."""
    hex_index, head, root = int(game.link_hex[link]), int(game.link_head[link]), int(game.link_from[link])
    pattern = int(TURNED[game.pattern[hex_index], head, edge])
    around = int(work.around[hex_index])
    if pattern == NONE or not has(board.open_edges[hex_index], edge) or has(around, FOREIGN_ENDS + edge):
        return NONE
    if leads_back(board, work, hex_index, edge, root):
        return NONE
    is_own = game.link_owner[link] == game.seat
    if not is_own and not is_support(game, root) and not has(around, SUPPORTS + edge):
        return NONE
    return pattern if can_be_had(game, board, hex_index, pattern, budget) else NONE


@kernel
def may_be_turned(game: np.record, link: int) -> bool:
    """Whether the mover may redirect the last tile of the link at all: it is incomplete, and its own or nobody's."""
    return not is_complete(game, link) and (game.link_owner[link] == game.seat or game.link_owner[link] == NOBODY)


# --- the masks --------------------------------------------------------------------------------------------


@kernel
def mask_sites(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the hexes on which the mover may make a placement."""
    budget = find_budget(game, int(game.seat))
    look_at_map(game, board, work)
    note_stock(game, board, work)
    for hex_index in range(board.num_hexes):
        stop = int(board.hex_stop[hex_index])
        if (stop != NONE or work.around[hex_index] != 0) and not is_city(game, stop):
            mask[BUILD_ON + hex_index] = may_add_any(game, board, work, hex_index, budget)
    for link in range(game.num_links):
        if may_be_turned(game, link):
            site = BUILD_ON + int(game.link_hex[link])
            for edge in range(NUM_EDGES):
                mask[site] = mask[site] or find_turn(game, board, work, link, edge, budget) != NONE


@kernel
def mask_patterns(game: np.record, board: np.record, work: np.record, mask: np.ndarray) -> None:
    """Flag the patterns that may lie on the chosen hex (rule 8.7)."""
    hex_index = int(game.hex)
    budget = find_budget(game, int(game.seat))
    look_at_map(game, board, work)
    find_segments(game, board, work, hex_index)
    row = find_followers(game, board, hex_index)
    for number in range(NUM_FOLLOWERS[row]):
        pattern = int(FOLLOWERS[row, number])
        if find_placement(game, hex_index, pattern) != REDIRECTION:
            mask[LAY + pattern] = may_add(game, board, work, hex_index, pattern, budget)
    for link in range(game.num_links):
        if game.link_hex[link] == hex_index and may_be_turned(game, link):
            for edge in range(NUM_EDGES):
                pattern = find_turn(game, board, work, link, edge, budget)
                if pattern != NONE:
                    mask[LAY + pattern] = True
