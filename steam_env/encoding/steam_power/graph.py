"""The `graph` encoding: what one seat sees, as a dict of arrays for a graph net.

``python -m steam_env.encoding.steam_power.graph`` prints the arrays. Nodes are the hexes of the map, cities among
them. Edges are
of two kinds, both directed: the *borders* over which tracks may lead, one to each neighbour, which carry the track of
the hex that they leave; and the *links* of the seats, one from each city tile where a link ends, to the tile at its
other end. Names are those of a ``GraphsTuple`` of jraph: edge e leads from node ``senders[e]`` to ``receivers[e]``, and
``globals`` holds what belongs to no node. ``numpy.stack([senders, receivers])`` is PyTorch Geometric's ``edge_index``.
Seats and contracts are rows of tables of their own: they are sets, on which a net may attend or pool.

All arrays have one size for every map, deck and seat count. What is absent is zero; an absent edge leads from node 0 to
node 0. The first feature of a node says that it is there; an edge is there if ``border`` or ``link`` is 1.

The place of an edge follows from the map: border 6 x hex + edge, then link 6 x city + edge over which it leaves the
city. So neither the order in which links were begun nor their direction can be read, which the table does not show.

Observer, absent things, what is in and what is not are as in `flat`.
"""

from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS, NUM_EDGES, opposite, uses
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_SEATS
from steam_env.encoding import ArraySpec
from steam_env.encoding.layout import Layout, describe_parts
from steam_env.encoding.steam_power.flat import FLAT_HIGH, FLAT_LOW, LAYOUT, SEAT_PRESENT, relative_seat
from steam_env.encoding.steam_power.hexes import (
    EDGES_OF_PAIR,
    HEX_PARTS,
    INCOMPLETE,
    NUM_HEX_FEATURES,
    list_parts,
    prepare_row,
    shared_scratch,
    write_hexes,
)
from steam_env.kit.program import fit_streams

NUM_BORDERS = MAX_HEXES * NUM_EDGES
NUM_ENDS = MAX_CITIES * NUM_EDGES  # of links at city tiles
NUM_GRAPH_EDGES = NUM_BORDERS + NUM_ENDS
ROW_STEP = 2  # the longest step in rows of the map; in columns it is 1
STEPS = np.array(EDGE_STEPS, np.int64)

_layout = Layout()
BORDER = _layout.add("border", 1, "leads over an edge of a hex to the next hex")
LINK = _layout.add("link", 1, "leads along a link from a city to its other end, the tail of an incomplete one")
STEP_COLUMN = _layout.add("step_column", 1, "border: the step in columns", "-1, 0 or 1", FLAT_LOW)
STEP_ROW = _layout.add("step_row", 1, "border: the step in rows", f"/ {ROW_STEP}", FLAT_LOW)
EDGE_OWNER = _layout.add(
    "edge_owner",
    MAX_SEATS,
    "by relative seat: its link; on a border: its track on the sending hex uses this edge; segments there cross",
    f"1, incomplete {INCOMPLETE}",
)
EDGE_OPEN = _layout.add(
    "edge_open",
    1,
    "border: here an incomplete link leads on, or leaves its city as the decision under way has it",
)
EDGE_PARTS = _layout.parts
NUM_EDGE_FEATURES = _layout.size

SEAT_PARTS, SEAT_SOURCE = list_parts("seat_", MAX_SEATS, "relative seat")
NUM_SEAT_FEATURES = SEAT_SOURCE.shape[1]
CONTRACT_PARTS, CONTRACT_SOURCE = list_parts("contract_", MAX_CONTRACTS, "contract")
NUM_CONTRACT_FEATURES = CONTRACT_SOURCE.shape[1]
GLOBAL_PARTS = tuple(part for part in LAYOUT if part.start < SEAT_PRESENT)
NUM_GLOBALS = SEAT_PRESENT  # the first part of `flat` that is not the whole game's


def _make_spec(*shape: int) -> ArraySpec:
    return ArraySpec(shape, FLAT_LOW, FLAT_HIGH, np.dtype(np.float32))


def _make_index(length: int) -> ArraySpec:
    """The spec of an array of node numbers: int64, which graph libraries take."""
    return ArraySpec((length,), 0, MAX_HEXES - 1, np.dtype(np.int64))


ARRAYS = {
    "nodes": _make_spec(MAX_HEXES, NUM_HEX_FEATURES),
    "edges": _make_spec(NUM_GRAPH_EDGES, NUM_EDGE_FEATURES),
    "senders": _make_index(NUM_GRAPH_EDGES),
    "receivers": _make_index(NUM_GRAPH_EDGES),
    "seats": _make_spec(MAX_SEATS, NUM_SEAT_FEATURES),
    "contracts": _make_spec(MAX_CONTRACTS, NUM_CONTRACT_FEATURES),
    "globals": _make_spec(NUM_GLOBALS),
}
FEATURES = {
    "nodes": HEX_PARTS,
    "edges": EDGE_PARTS,
    "seats": tuple(SEAT_PARTS),
    "contracts": tuple(CONTRACT_PARTS),
    "globals": GLOBAL_PARTS,
}
MEANINGS = {
    "nodes": "by hex in map order, features",
    "edges": "by edge, features",
    "senders": "by edge: the node that it leaves",
    "receivers": "by edge: the node that it leads to",
    "seats": "by relative seat, features",
    "contracts": "by contract, features",
    "globals": "of the whole game",
}


def describe_layout() -> str:
    """The layout as Markdown tables: the arrays, and the features of each."""
    lines = ["`graph`: a dict of arrays", "", "| array | shape | dtype | what |", "| --- | --- | --- | --- |"]
    for name, spec in ARRAYS.items():
        shape = " x ".join(map(str, spec.shape))
        lines.append(f"| `{name}` | {shape} | {spec.dtype.name} | {MEANINGS[name]} |")
    for name, parts in FEATURES.items():
        lines += ["", f"Features of `{name}`:", "", *describe_parts(parts)]
    return "\n".join(lines)


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def write_rows(source: np.ndarray, row: np.ndarray, table: np.ndarray) -> None:
    """Write the features of seats or of contracts, from their places ``source`` in `flat`'s vector."""
    for index in range(source.shape[0]):
        for feature in range(source.shape[1]):
            table[index, feature] = row[source[index, feature]]


@kernel
def write_borders(board: np.record, edges: np.ndarray, senders: np.ndarray, receivers: np.ndarray) -> None:
    """Write the edges between neighbouring hexes."""
    for hex_index in range(board.num_hexes):
        for edge in range(NUM_EDGES):
            beyond = board.neighbour[hex_index, edge]
            if beyond == NONE:
                continue
            place = hex_index * NUM_EDGES + edge
            senders[place] = hex_index
            receivers[place] = beyond
            edges[place, BORDER] = 1
            edges[place, STEP_COLUMN] = STEPS[edge, 0]
            edges[place, STEP_ROW] = STEPS[edge, 1] / ROW_STEP


@kernel
def write_track(game: np.record, board: np.record, observer: int, edges: np.ndarray) -> None:
    """Write whose segments lie on each hex, and over which edges they lead."""
    for hex_index in range(board.num_hexes):
        for slot in range(game.track.shape[1]):
            pair = int(game.track[hex_index, slot])
            if pair == NONE:
                continue
            link = int(game.track_link[hex_index, slot])
            feature = EDGE_OWNER + relative_seat(game, observer, game.link_owner[link])
            value = INCOMPLETE if game.link_end[link] == NONE else 1.0
            edges[hex_index * NUM_EDGES + EDGES_OF_PAIR[pair, 0], feature] = value
            edges[hex_index * NUM_EDGES + EDGES_OF_PAIR[pair, 1], feature] = value


@kernel
def write_open_edges(game: np.record, board: np.record, edges: np.ndarray) -> None:
    """Write where incomplete links lead on, and where a new one is about to."""
    for seat in range(game.num_seats):
        if game.tail_hex[seat] != NONE and game.tail_exit[seat] != NONE:
            edges[game.tail_hex[seat] * NUM_EDGES + game.tail_exit[seat], EDGE_OPEN] = 1
    if game.start_city != NONE and game.start_edge != NONE:
        edges[board.city_hex[game.start_city] * NUM_EDGES + game.start_edge, EDGE_OPEN] = 1


@kernel
def find_link(game: np.record, board: np.record, city: int, edge: int) -> int:
    """The link that leaves the city tile over this edge, NONE if there is none."""
    beyond = int(board.neighbour[board.city_hex[city], edge])
    if beyond != NONE:
        for slot in range(game.track.shape[1]):
            if uses(game.track[beyond, slot], opposite(edge)):
                return int(game.track_link[beyond, slot])
    return NONE


@kernel
def find_other_end(game: np.record, board: np.record, link: int, city: int, edge: int) -> int:
    """The hex where the link ends that leaves this city tile over this edge."""
    if game.link_start[link] != city or game.link_edge[link] != edge:
        return int(board.city_hex[game.link_start[link]])
    if game.link_end[link] != NONE:
        return int(board.city_hex[game.link_end[link]])
    return int(game.tail_hex[game.link_owner[link]])


@kernel
def write_links(
    game: np.record,
    board: np.record,
    observer: int,
    edges: np.ndarray,
    senders: np.ndarray,
    receivers: np.ndarray,
) -> None:
    """Write the links, from each city tile where they end."""
    for city in range(board.num_cities):
        for edge in range(NUM_EDGES):
            link = find_link(game, board, city, edge)
            if link == NONE:
                continue
            place = NUM_BORDERS + city * NUM_EDGES + edge
            senders[place] = board.city_hex[city]
            receivers[place] = find_other_end(game, board, link, city, edge)
            edges[place, LINK] = 1
            value = INCOMPLETE if game.link_end[link] == NONE else 1.0
            edges[place, EDGE_OWNER + relative_seat(game, observer, game.link_owner[link])] = value


@kernel
def encode_graphs(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    observers: np.ndarray,
    scratch: np.record,
    nodes: np.ndarray,
    edges: np.ndarray,
    senders: np.ndarray,
    receivers: np.ndarray,
    seats: np.ndarray,
    contracts: np.ndarray,
    globals_: np.ndarray,
) -> None:
    """Do what ``encode_graph_games`` does, with ``scratch`` as its memory; then the arrays as in ``ARRAYS``."""
    for hex_index in range(MAX_HEXES):
        scratch.place[hex_index] = hex_index
    card_deck = NONE  # whose cards the scratch memory holds
    for index in range(games.shape[0]):
        game, observer = games[index], int(observers[index])
        nodes[index] = 0
        edges[index] = 0
        senders[index] = 0
        receivers[index] = 0
        seats[index] = 0
        contracts[index] = 0
        globals_[index] = 0
        if observer == NONE:
            continue
        if observer < 0 or observer >= game.num_seats:
            raise ValueError("an observer must be a seat of its game, or NONE")
        board = boards[game.board_index]
        card_deck = prepare_row(game, board, decks, observer, card_deck, scratch)
        globals_[index] = scratch.row[:NUM_GLOBALS]
        write_rows(SEAT_SOURCE, scratch.row, seats[index])
        write_rows(CONTRACT_SOURCE, scratch.row, contracts[index])
        write_hexes(game, board, observer, scratch, nodes[index])
        write_borders(board, edges[index], senders[index], receivers[index])
        write_track(game, board, observer, edges[index])
        write_open_edges(game, board, edges[index])
        write_links(game, board, observer, edges[index], senders[index], receivers[index])


def encode_graph_games(
    games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: dict[str, np.ndarray]
) -> None:
    """Write place i of each array of ``out``, (n, ...) as ``ARRAYS`` says: what ``seats[i]`` sees of game i.

    ``seats`` (n,) holds seats of the ``games`` (n,) GAME, or NONE for zeros. ``boards`` and ``decks`` are the arrays
    that the games' ``board_index`` and ``deck_index`` point into. Nothing else is written and nothing allocated.
    """
    for name, spec in ARRAYS.items():
        if len(out[name]) < len(games) or out[name].shape[1:] != spec.shape:
            raise ValueError(f"out[{name!r}] must have {spec.shape} values for each game")
    arrays: list[Any] = [out[name] for name in ARRAYS]
    encode_graphs(games, boards, decks, seats, shared_scratch(), *arrays)


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
