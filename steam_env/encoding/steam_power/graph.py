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

from collections.abc import Mapping
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS, NUM_EDGES, opposite, uses
from steam_env.core.jit import kernel
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_SEATS
from steam_env.encoding import ArraySpec
from steam_env.encoding.compact import Expansion
from steam_env.encoding.digits import Digits, lay_out
from steam_env.encoding.layout import Code, Layout, describe_parts
from steam_env.encoding.steam_power.flat import (
    CITIES,
    CONTRACTS,
    DIVISORS,
    END_TRIGGER,
    FLAT_HIGH,
    FLAT_LOW,
    HEXES,
    LAYOUT,
    SEAT_PRESENT,
    SEATS,
)
from steam_env.encoding.steam_power.flat_kernels import check_room
from steam_env.encoding.steam_power.hexes import (
    EDGES_OF_PAIR,
    HALVES,
    HEX_PARTS,
    INCOMPLETE,
    NUM_HEX_FEATURES,
    Table,
    find_digits,
    lay_out_table,
    list_parts,
    prepare_row,
    write_hexes,
)
from steam_env.encoding.steam_power.scratch import MEMORY, lay_out_flat
from steam_env.encoding.steam_power.seat_kernels import relative_seat
from steam_env.kit.program import fit_streams

NUM_BORDERS = MAX_HEXES * NUM_EDGES
NUM_ENDS = MAX_CITIES * NUM_EDGES  # of links at city tiles
NUM_GRAPH_EDGES = NUM_BORDERS + NUM_ENDS
ROW_STEP = 2  # the longest step in rows of the map; in columns it is 1
STEPS = np.array(EDGE_STEPS, np.int64)
STEP_VALUES = tuple(step / ROW_STEP for step in (*range(ROW_STEP + 1), *range(-1, -ROW_STEP - 1, -1)))

_layout = Layout()
BORDER = _layout.add("border", 1, "leads over an edge of a hex to the next hex")
LINK = _layout.add("link", 1, "leads along a link from a city to its other end, the tail of an incomplete one")
STEP_COLUMN = _layout.add(
    "step_column", 1, "border: the step in columns", "-1, 0 or 1", FLAT_LOW, Code(table=STEP_VALUES)
)
STEP_ROW = _layout.add("step_row", 1, "border: the step in rows", f"/ {ROW_STEP}", FLAT_LOW, Code(table=STEP_VALUES))
EDGE_OWNER = _layout.add(
    "edge_owner",
    (SEATS,),
    "by relative seat: its link; on a border: its track on the sending hex uses this edge; segments there cross",
    f"1, incomplete {INCOMPLETE}",
    code=Code(HALVES),
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


class GraphPlaces:
    """Where the digits of `graph` stand: those of each array row by row, of the rows that a game can fill.

    Args:
        sizes: by name of an axis, how many things have digits; ``None``: as many as a record has room for.

    Attributes:
        places: (1,) PLACES, of `flat`, from which all but the track is taken.
        nodes, edges, seats, contracts, globals_: where the digits of a row stand.
        expansions: by name of an array, how it comes from its digits.
    """

    def __init__(self, sizes: Mapping[str, int] | None = None) -> None:
        flat, self.places = lay_out_flat(sizes)
        hexes, cities, contracts, seats = (
            (sizes or {}).get(axis.name, axis.capacity) for axis in (HEXES, CITIES, CONTRACTS, SEATS)
        )
        self.nodes: Table = lay_out_table(HEX_PARTS, flat, sizes)
        self.edges, _ = lay_out(EDGE_PARTS, sizes=sizes)
        end_trigger = tuple(part for part in LAYOUT if part.start == END_TRIGGER)  # some values of seats are by it
        self.seats, _ = lay_out(SEAT_PARTS, end_trigger, sizes)
        self.contracts, _ = lay_out(CONTRACT_PARTS, sizes=sizes)
        self.globals_, _ = lay_out(GLOBAL_PARTS, DIVISORS, sizes)
        seat_from, seat_to = find_digits(flat, SEAT_SOURCE, self.seats, np.arange(NUM_SEAT_FEATURES))
        trigger = np.full((MAX_SEATS, 1), flat.source[0, END_TRIGGER])
        self.seat_source = np.concatenate([trigger, seat_from], axis=1), np.concatenate([[0], seat_to])
        self.contract_source = find_digits(flat, CONTRACT_SOURCE, self.contracts, np.arange(NUM_CONTRACT_FEATURES))
        borders = np.arange(hexes * NUM_EDGES)
        ends = NUM_BORDERS + np.arange(cities * NUM_EDGES)
        self._first_end = len(borders)
        edges = np.concatenate([borders, ends])
        self.expansions = {
            "nodes": _expand_rows("nodes", self.nodes.digits, np.arange(hexes)),
            "edges": _expand_rows("edges", self.edges, edges),
            "senders": _expand_rows("senders", None, edges),
            "receivers": _expand_rows("receivers", None, edges),
            "seats": _expand_rows("seats", self.seats, np.arange(seats)),
            "contracts": _expand_rows("contracts", self.contracts, np.arange(contracts)),
            "globals": _expand_rows("globals", self.globals_, np.arange(1)),
        }

    def encode(
        self, games: np.ndarray, boards: np.ndarray, decks: np.ndarray, seats: np.ndarray, out: dict[str, np.ndarray]
    ) -> None:
        """Write place i of each array of ``out``, (n, ...) uint8: what ``seats[i]`` sees of game i; NONE: zeros."""
        for name, one in self.expansions.items():
            if len(out[name]) < len(games) or out[name].shape[1:] != one.shape:
                raise ValueError(f"out[{name!r}] must have {one.shape} values for each game")
        memory: Any = MEMORY
        nodes = self.nodes
        where = (nodes.at, nodes.coin_step, nodes.city_from, nodes.city_to)
        edge_at, sources = np.maximum(self.edges.source[0], 0), (*self.seat_source, *self.contract_source)
        arrays: list[Any] = [out[name] for name in self.expansions]
        fixed = (memory.scratch, self.places, *where, edge_at, self._first_end, *sources)
        encode_graphs(games, boards, decks, seats, *fixed, *arrays)


def _expand_rows(name: str, digits: Digits | None, rows: np.ndarray) -> Expansion:
    spec = ARRAYS[name]
    num_rows = spec.shape[0] if name != "globals" else 1
    if digits is None:
        return Expansion(spec, None, rows, num_rows, (len(rows),))
    return Expansion(spec, digits, rows, num_rows, (digits.size,) if num_rows == 1 else (len(rows), digits.size))


# --- kernels ------------------------------------------------------------------------------------------


@kernel
def write_rows(count: int, source: np.ndarray, columns: np.ndarray, row: np.ndarray, table: np.ndarray) -> None:
    """Write the digits of ``count`` seats or contracts, from their places ``source`` in `flat`'s row."""
    for index in range(count):
        for digit in range(columns.shape[0]):
            table[index, columns[digit]] = row[source[index, digit]]


@kernel
def code_step(step: int) -> int:
    """The number in ``STEP_VALUES`` of so many halves."""
    return step if step >= 0 else ROW_STEP - step


@kernel
def write_borders(
    board: np.record, at: np.ndarray, edges: np.ndarray, senders: np.ndarray, receivers: np.ndarray
) -> None:
    """Write the edges between neighbouring hexes."""
    for hex_index in range(board.num_hexes):
        for edge in range(NUM_EDGES):
            beyond = board.neighbour[hex_index, edge]
            if beyond == NONE:
                continue
            place = hex_index * NUM_EDGES + edge
            senders[place] = hex_index
            receivers[place] = beyond
            edges[place, at[BORDER]] = 1
            edges[place, at[STEP_COLUMN]] = code_step(ROW_STEP * STEPS[edge, 0])
            edges[place, at[STEP_ROW]] = code_step(STEPS[edge, 1])


@kernel
def write_track(game: np.record, board: np.record, observer: int, at: np.ndarray, edges: np.ndarray) -> None:
    """Write whose segments lie on each hex, and over which edges they lead."""
    for hex_index in range(board.num_hexes):
        for slot in range(game.track.shape[1]):
            pair = int(game.track[hex_index, slot])
            if pair == NONE:
                continue
            link = int(game.track_link[hex_index, slot])
            column = at[EDGE_OWNER] + relative_seat(game, observer, game.link_owner[link])
            halves = 1 if game.link_end[link] == NONE else HALVES
            edges[hex_index * NUM_EDGES + EDGES_OF_PAIR[pair, 0], column] = halves
            edges[hex_index * NUM_EDGES + EDGES_OF_PAIR[pair, 1], column] = halves


@kernel
def write_open_edges(game: np.record, board: np.record, at: np.ndarray, edges: np.ndarray) -> None:
    """Write where incomplete links lead on, and where a new one is about to."""
    for seat in range(game.num_seats):
        if game.tail_hex[seat] != NONE and game.tail_exit[seat] != NONE:
            edges[game.tail_hex[seat] * NUM_EDGES + game.tail_exit[seat], at[EDGE_OPEN]] = 1
    if game.start_city != NONE and game.start_edge != NONE:
        edges[board.city_hex[game.start_city] * NUM_EDGES + game.start_edge, at[EDGE_OPEN]] = 1


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
    at: np.ndarray,
    first_end: int,
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
            place = first_end + city * NUM_EDGES + edge
            senders[place] = board.city_hex[city]
            receivers[place] = find_other_end(game, board, link, city, edge)
            edges[place, at[LINK]] = 1
            halves = 1 if game.link_end[link] == NONE else HALVES
            edges[place, at[EDGE_OWNER] + relative_seat(game, observer, game.link_owner[link])] = halves


@kernel
def encode_graphs(
    games: np.ndarray,
    boards: np.ndarray,
    decks: np.ndarray,
    observers: np.ndarray,
    scratches: np.ndarray,
    layouts: np.ndarray,
    node_at: np.ndarray,
    coin_step: int,
    city_from: np.ndarray,
    city_to: np.ndarray,
    edge_at: np.ndarray,
    first_end: int,
    seat_from: np.ndarray,
    seat_to: np.ndarray,
    contract_from: np.ndarray,
    contract_to: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    senders: np.ndarray,
    receivers: np.ndarray,
    seats: np.ndarray,
    contracts: np.ndarray,
    globals_: np.ndarray,
) -> None:
    """Do what ``GraphPlaces.encode`` does: where digits stand, then the arrays as in ``ARRAYS``."""
    scratch, places = scratches[0], layouts[0]
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
        board, deck = boards[game.board_index], decks[game.deck_index]
        check_room(game, board, deck, observer, places)
        card_deck = prepare_row(game, board, deck, observer, card_deck, places, scratch)
        globals_[index] = scratch.row[: globals_.shape[1]]
        write_rows(int(game.num_seats), seat_from, seat_to, scratch.row, seats[index])
        write_rows(int(deck.num_contracts), contract_from, contract_to, scratch.row, contracts[index])
        write_hexes(game, board, observer, scratch, node_at, coin_step, city_from, city_to, nodes[index])
        write_borders(board, edge_at, edges[index], senders[index], receivers[index])
        write_track(game, board, observer, edge_at, edges[index])
        write_open_edges(game, board, edge_at, edges[index])
        write_links(game, board, observer, edge_at, first_end, edges[index], senders[index], receivers[index])


if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
