"""Rule 4: laying track. What a placement needs, and what it does to the map."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite, other_edge, pair_of, uses
from steam_env.core.jit import kernel
from steam_env.core.steam_power.events import LINK_STARTED, TILE_PLACED, TILE_REMOVED, TILE_REPLACED, emit
from steam_env.core.steam_power.network import complete_link, in_network
from steam_env.core.steam_power.players import player_of
from steam_env.core.steam_power.reasons import (
    FAR_JOINS,
    FAR_OFF_MAP,
    FAR_ORIGIN,
    FAR_WATER,
    MUST_CONTINUE,
    NO_CROSSING,
    NO_HEADING,
    NO_TAIL,
    NO_TILE,
    NO_TRAIN,
    NOT_IN_NETWORK,
    NOTHING_TO_CONTINUE,
    OK,
    SAME_EDGE,
    SAME_TILE,
    SITE_CITY,
    SITE_EDGE_USED,
    SITE_FULL,
    SITE_MONEY,
    SITE_OFF_MAP,
    SITE_WATER,
)
from steam_env.core.steam_power.state import CROSSING_COST, HEAD, NUM_TILE_KINDS
from steam_env.core.steam_power.tiles import FAR_EDGES, tile_kind

# --- looking at the map -------------------------------------------------------------------------


@kernel
def edge_in_use(game: np.record, hex_index: int, edge: int) -> bool:
    """Whether a segment on the hex uses this edge."""
    return uses(game.track[hex_index, 0], edge) or uses(game.track[hex_index, 1], edge)


@kernel
def placement_cost(game: np.record, board: np.record, hex_index: int) -> int:
    """Dollars for a tile on this land hex: its terrain if empty, else a crossing (rule 4.1)."""
    if game.track[hex_index, 0] != NONE:
        return CROSSING_COST
    return int(board.cost[hex_index])


@kernel
def other_segment(game: np.record, hex_index: int, pair: int) -> int:
    """The hex's other segment beside ``pair``, or NONE."""
    if game.track[hex_index, 0] == pair:
        return int(game.track[hex_index, 1])
    return int(game.track[hex_index, 0])


@kernel
def kind_on_hex(game: np.record, hex_index: int) -> int:
    """The kind of tile that lies on the hex, NONE if it is empty."""
    return tile_kind(game.track[hex_index, 0], game.track[hex_index, 1])


# --- what a placement needs ------------------------------------------------------------------------


@kernel
def ground_problem(game: np.record, board: np.record, hex_index: int, entry: int) -> int:
    """Why no tile entered by ``entry`` can lie on the hex, ``OK`` if one can, cost aside (rules 4.1, 4.2)."""
    if hex_index == NONE:
        return SITE_OFF_MAP
    if board.hex_city[hex_index] != NONE:
        return SITE_CITY
    if board.cost[hex_index] == NONE:
        return SITE_WATER
    if game.track[hex_index, 1] != NONE:
        return SITE_FULL
    if uses(game.track[hex_index, 0], entry):
        return SITE_EDGE_USED
    return OK


@kernel
def site_problem(game: np.record, board: np.record, seat: int, hex_index: int, entry: int) -> int:
    """Why the seat can lay no tile entered by ``entry`` on the hex, ``OK`` if it can (rules 4.1, 4.2, 4.10)."""
    problem = ground_problem(game, board, hex_index, entry)
    if problem == OK and placement_cost(game, board, hex_index) > game.money[player_of(game, seat)]:
        return SITE_MONEY
    return problem


@kernel
def tile_problem(game: np.record, hex_index: int, staying: int, pair: int) -> int:
    """Why there is no tile with the new segment ``pair``, ``OK`` if one is in stock (rules 1.4, 1.5).

    ``staying`` is the other segment that the hex keeps, or NONE; the tile that lies there now goes
    back to its stock first.
    """
    kind = tile_kind(staying, pair)
    if kind == NONE:
        return NO_CROSSING
    returned = 1 if kind_on_hex(game, hex_index) == kind else 0
    if game.tiles[kind] + returned <= 0:
        return NO_TILE
    return OK


@kernel
def far_edge_problem(game: np.record, board: np.record, hex_index: int, exit_edge: int, origin: int) -> int:
    """Why the far edge of a tile may not lead there, ``OK`` if it may, for a link from city ``origin`` (rule 4.4)."""
    beyond = board.neighbour[hex_index, exit_edge]
    if beyond == NONE:
        return FAR_OFF_MAP
    city = board.hex_city[beyond]
    if city != NONE:
        return FAR_ORIGIN if city == origin else OK
    if board.cost[beyond] == NONE:
        return FAR_WATER
    if edge_in_use(game, beyond, opposite(exit_edge)):
        return FAR_JOINS
    return OK


@kernel
def shape_problem(
    game: np.record, board: np.record, hex_index: int, staying: int, entry: int, exit_edge: int, origin: int
) -> int:
    """Why a segment from ``entry`` to ``exit_edge`` may not lie on the hex, ``OK`` if it may, cost aside."""
    pair = pair_of(entry, exit_edge)
    if pair == NONE:
        return SAME_EDGE
    problem = tile_problem(game, hex_index, staying, pair)
    if problem != OK:
        return problem
    return far_edge_problem(game, board, hex_index, exit_edge, origin)


@kernel
def start_problem(game: np.record, board: np.record, seat: int, city: int, edge: int) -> int:
    """Why the seat may not start a link from the city over this edge, ``OK`` if it may (rule 4.3)."""
    if game.tail_link[seat] != NONE:
        return MUST_CONTINUE
    if game.trains[seat] <= 0:
        return NO_TRAIN
    if game.network[seat] != 0 and not in_network(game, board, seat, city):
        return NOT_IN_NETWORK
    hex_index = board.neighbour[board.city_hex[city], edge]
    entry = opposite(edge)
    problem = site_problem(game, board, seat, hex_index, entry)
    if problem != OK:
        return problem
    common = OK  # what forbids every far edge, if it is the same for all
    for exit_edge in range(NUM_EDGES):
        problem = shape_problem(game, board, hex_index, game.track[hex_index, 0], entry, exit_edge, city)
        if problem == OK:
            return OK
        if problem != SAME_EDGE:
            common = problem if common in (OK, problem) else NO_HEADING
    return common


@kernel
def next_site(game: np.record, board: np.record, seat: int) -> tuple[int, int, int]:
    """The hex and the edge by which the seat's next tile is entered, and the link's first city.

    That is the hex across the start edge after a `start`, else across the tail's open edge; the hex
    is NONE if the seat has no incomplete link.
    """
    if game.phase == HEAD:
        city = int(game.start_city)
        edge = int(game.start_edge)
        return int(board.neighbour[board.city_hex[city], edge]), opposite(edge), city
    if game.tail_link[seat] == NONE:
        return NONE, NONE, NONE
    edge = int(game.tail_exit[seat])
    origin = int(game.link_start[game.tail_link[seat]])
    return int(board.neighbour[game.tail_hex[seat], edge]), opposite(edge), origin


@kernel
def head_problem(game: np.record, board: np.record, seat: int, exit_edge: int) -> int:
    """Why no tile with this far edge may be next on the seat's link, ``OK`` if it may (rules 4.2, 4.4)."""
    hex_index, entry, origin = next_site(game, board, seat)
    if origin == NONE:
        return NOTHING_TO_CONTINUE
    problem = site_problem(game, board, seat, hex_index, entry)
    if problem != OK:
        return problem
    return shape_problem(game, board, hex_index, game.track[hex_index, 0], entry, exit_edge, origin)


@kernel
def remove_problem(game: np.record, seat: int) -> int:
    """Why the seat may not take back its tail, ``OK`` if it may (rules 4.1, 4.8)."""
    if game.tail_link[seat] == NONE:
        return NO_TAIL
    hex_index = game.tail_hex[seat]
    staying = other_segment(game, hex_index, pair_of(game.tail_entry[seat], game.tail_exit[seat]))
    if staying == NONE:
        return OK
    # The crossing leaves; what stays needs a simple tile (rules 1.5, 4.8).
    return tile_problem(game, hex_index, NONE, staying)


@kernel
def replace_problem(game: np.record, board: np.record, seat: int, exit_edge: int) -> int:
    """Why the seat may not give its tail this far edge, ``OK`` if it may (rule 4.7)."""
    link = game.tail_link[seat]
    if link == NONE:
        return NO_TAIL
    if exit_edge == game.tail_exit[seat]:
        return SAME_TILE
    hex_index = game.tail_hex[seat]
    entry = game.tail_entry[seat]
    staying = other_segment(game, hex_index, pair_of(entry, game.tail_exit[seat]))
    return shape_problem(game, board, hex_index, staying, entry, exit_edge, game.link_start[link])


# --- all far edges at once ---------------------------------------------------------------------------


@kernel
def kinds_at_hand(game: np.record, lying: int) -> int:
    """Bits of the kinds of tile in stock when a tile of kind ``lying``, or NONE, has gone back (rule 1.5)."""
    kinds = 0
    for kind in range(NUM_TILE_KINDS):
        in_stock = game.tiles[kind] + (1 if kind == lying else 0)
        kinds |= (1 if in_stock > 0 else 0) << kind
    return kinds


@kernel
def far_edges(game: np.record, board: np.record, kinds: int, hex_index: int, staying: int, entry: int) -> int:
    """Bits of the edges without a ``shape_problem`` as far edge of a segment entered by ``entry``.

    One of ``kinds`` has it beside the segment ``staying`` (rules 1.4, 1.5), and it leads into land or a
    city and joins no other link (rule 4.4). Only the link's own first city is left to ``origin_edges``.
    """
    return int(FAR_EDGES[kinds, staying + 1, entry] & board.open_edges[hex_index] & ~game.met[hex_index])


@kernel
def origin_edges(board: np.record, hex_index: int, origin: int) -> int:
    """Bits of the edges of the hex that lead into the city ``origin``."""
    edges = 0
    for edge in range(NUM_EDGES):
        edges |= (1 if board.neighbour[hex_index, edge] == board.city_hex[origin] else 0) << edge
    return edges


@kernel
def start_edges(game: np.record, board: np.record, money: int, kinds: int, city: int) -> int:
    """Bits of the edges without a ``start_problem`` of a city where the seat may start a link (rule 4.3).

    ``kinds`` are those in stock: a crossing is of another kind than the tile it is laid on.
    """
    edges = 0
    for edge in range(NUM_EDGES):
        hex_index = board.neighbour[board.city_hex[city], edge]
        if hex_index == NONE or board.cost[hex_index] == NONE or game.track[hex_index, 1] != NONE:
            continue
        if placement_cost(game, board, hex_index) > money:
            continue
        # No tile crosses one that uses the entry edge, and no far edge leads back into the city.
        if far_edges(game, board, kinds, hex_index, game.track[hex_index, 0], opposite(edge)) != 0:
            edges |= 1 << edge
    return edges


@kernel
def head_edges(game: np.record, board: np.record, seat: int) -> int:
    """Bits of the edges without a ``head_problem`` (rules 4.2, 4.4)."""
    hex_index, entry, origin = next_site(game, board, seat)
    if origin == NONE or site_problem(game, board, seat, hex_index, entry) != OK:
        return 0
    edges = far_edges(game, board, kinds_at_hand(game, NONE), hex_index, game.track[hex_index, 0], entry)
    return edges & ~origin_edges(board, hex_index, origin)


@kernel
def replace_edges(game: np.record, board: np.record, seat: int) -> int:
    """Bits of the edges without a ``replace_problem``, for a seat with an incomplete link (rule 4.7)."""
    hex_index = int(game.tail_hex[seat])
    entry = int(game.tail_entry[seat])
    now = int(game.tail_exit[seat])
    staying = other_segment(game, hex_index, pair_of(entry, now))
    kinds = kinds_at_hand(game, kind_on_hex(game, hex_index))
    edges = far_edges(game, board, kinds, hex_index, staying, entry) & ~(1 << now)
    return edges & ~origin_edges(board, hex_index, int(game.link_start[game.tail_link[seat]]))


# --- what a placement does ---------------------------------------------------------------------------


@kernel
def note_met(game: np.record, board: np.record, hex_index: int, pair: int) -> None:
    """Note for the two neighbours of a segment laid or lifted whether a track meets them at its edges."""
    for edge in range(NUM_EDGES):
        if uses(pair, edge):
            game.met[board.neighbour[hex_index, edge]] ^= 1 << opposite(edge)


@kernel
def put_segment(game: np.record, board: np.record, hex_index: int, pair: int, link: int) -> None:
    """Lay a segment: the tile that lay there returns to stock, the one with both segments is taken."""
    note_met(game, board, hex_index, pair)
    before = kind_on_hex(game, hex_index)
    if before != NONE:
        game.tiles[before] += 1
    slot = 0
    if game.track[hex_index, 0] != NONE:
        slot = 1
        if game.track[hex_index, 0] > pair:  # the lower pair comes first
            game.track[hex_index, 1] = game.track[hex_index, 0]
            game.track_link[hex_index, 1] = game.track_link[hex_index, 0]
            slot = 0
    game.track[hex_index, slot] = pair
    game.track_link[hex_index, slot] = link
    game.tiles[kind_on_hex(game, hex_index)] -= 1


@kernel
def lift_segment(game: np.record, board: np.record, hex_index: int, pair: int) -> None:
    """Take a segment away: its tile returns to stock, a simple one is taken for what stays."""
    note_met(game, board, hex_index, pair)
    game.tiles[kind_on_hex(game, hex_index)] += 1
    if game.track[hex_index, 0] == pair:
        game.track[hex_index, 0] = game.track[hex_index, 1]
        game.track_link[hex_index, 0] = game.track_link[hex_index, 1]
    game.track[hex_index, 1] = NONE
    game.track_link[hex_index, 1] = NONE
    after = kind_on_hex(game, hex_index)
    if after != NONE:
        game.tiles[after] -= 1


@kernel
def open_link(game: np.record, work: np.record, seat: int, city: int, edge: int) -> int:
    """Begin a link: its train is placed at once (rule 4.3). Returns the link's number."""
    link = int(game.num_links)
    game.num_links += 1
    game.trains[seat] -= 1
    game.link_owner[link] = seat
    game.link_start[link] = city
    game.link_edge[link] = edge
    game.link_end[link] = NONE
    game.tail_link[seat] = link
    emit(work, LINK_STARTED, seat, city, edge)
    return link


@kernel
def drop_link(game: np.record, seat: int) -> None:
    """Remove a link without tiles and return its train (rule 4.8); later links move up one number."""
    link = int(game.tail_link[seat])
    last = int(game.num_links) - 1
    if link != last:
        move_links_up(game, link)
    game.link_owner[last] = NONE
    game.link_start[last] = NONE
    game.link_edge[last] = NONE
    game.link_end[last] = NONE
    game.num_links = last
    game.trains[seat] += 1
    game.tail_link[seat] = NONE
    game.tail_hex[seat] = NONE
    game.tail_entry[seat] = NONE
    game.tail_exit[seat] = NONE


@kernel
def move_links_up(game: np.record, link: int) -> None:
    """Renumber the links after this one by one less; this one's entry is overwritten."""
    last = int(game.num_links) - 1
    for index in range(link, last):
        game.link_owner[index] = game.link_owner[index + 1]
        game.link_start[index] = game.link_start[index + 1]
        game.link_edge[index] = game.link_edge[index + 1]
        game.link_end[index] = game.link_end[index + 1]
    for hex_index in range(game.track_link.shape[0]):
        for slot in range(2):
            if game.track_link[hex_index, slot] > link:
                game.track_link[hex_index, slot] -= 1
    for other in range(game.num_seats):
        if game.tail_link[other] > link:
            game.tail_link[other] -= 1


@kernel
def extend_link(
    game: np.record, board: np.record, work: np.record, seat: int, hex_index: int, entry: int, exit_edge: int
) -> None:
    """Lay the next tile of the seat's incomplete link; a far edge into a city completes it (rule 4.5)."""
    link = game.tail_link[seat]
    put_segment(game, board, hex_index, pair_of(entry, exit_edge), link)
    game.tail_hex[seat] = hex_index
    game.tail_entry[seat] = entry
    game.tail_exit[seat] = exit_edge
    city = board.hex_city[board.neighbour[hex_index, exit_edge]]
    if city != NONE:
        complete_link(game, board, work, seat, link, city)


@kernel
def lay_head(game: np.record, board: np.record, work: np.record, seat: int, exit_edge: int) -> None:
    """Do the placement `head`: lay a new tile or a crossing and pay for it (rule 4.1)."""
    hex_index, entry, origin = next_site(game, board, seat)
    if game.phase == HEAD:
        open_link(game, work, seat, origin, game.start_edge)
    cost = placement_cost(game, board, hex_index)
    crossing = 1 if game.track[hex_index, 0] != NONE else 0
    game.money[player_of(game, seat)] -= cost
    emit(work, TILE_PLACED, seat, hex_index, entry, exit_edge, cost, crossing)
    extend_link(game, board, work, seat, hex_index, entry, exit_edge)


@kernel
def remove_tail(game: np.record, board: np.record, work: np.record, seat: int) -> None:
    """Do the placement `remove`: the tile before becomes the tail; a link without tiles is gone (rule 4.8)."""
    hex_index = int(game.tail_hex[seat])
    entry = int(game.tail_entry[seat])
    exit_edge = int(game.tail_exit[seat])
    lift_segment(game, board, hex_index, pair_of(entry, exit_edge))
    emit(work, TILE_REMOVED, seat, hex_index, entry, exit_edge)
    before = int(board.neighbour[hex_index, entry])
    if board.hex_city[before] != NONE:
        drop_link(game, seat)
        return
    leads_here = opposite(entry)
    slot = 0 if uses(game.track[before, 0], leads_here) else 1
    game.tail_hex[seat] = before
    game.tail_exit[seat] = leads_here
    game.tail_entry[seat] = other_edge(game.track[before, slot], leads_here)


@kernel
def replace_tail(game: np.record, board: np.record, work: np.record, seat: int, exit_edge: int) -> None:
    """Do the placement `replace`: give the tail another far edge, for free (rule 4.7)."""
    hex_index = int(game.tail_hex[seat])
    entry = int(game.tail_entry[seat])
    old_exit = int(game.tail_exit[seat])
    lift_segment(game, board, hex_index, pair_of(entry, old_exit))
    emit(work, TILE_REPLACED, seat, hex_index, entry, exit_edge, old_exit)
    extend_link(game, board, work, seat, hex_index, entry, exit_edge)
