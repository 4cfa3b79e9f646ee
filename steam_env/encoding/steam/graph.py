"""The `graph` encoding: what one seat sees, as nodes and edges for a graph net.

``python -m steam_env.encoding.steam.graph`` prints the layout. Nodes are the hexes of the rules in map order.
Neighbours are joined by an edge, the hexes of two stops by a link. ``table`` is what `flat` tells of no hex and no
stop. Rows past the last node or link are zero, their numbers of nodes ``NONE``.
"""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.jit import kernel
from steam_env.core.steam.state import MAX_HEXES, MAX_LINKS
from steam_env.encoding import ArraySpec
from steam_env.encoding.layout import Layout, describe_parts
from steam_env.encoding.steam.flat import (
    FLAT_HIGH,
    FLAT_LOW,
    FLAT_SIZE,
    LAYOUT,
    check_observer,
    code_owner,
    write_flat,
)
from steam_env.encoding.steam.hexes import HEX_PARTS, NUM_FEATURES, TABLE_SIZE, write_hexes
from steam_env.kit.program import fit_streams

_layout = Layout()
LINK_PRESENT = _layout.add("link", 1, "there is a link")
LINK_OWNER = _layout.add("link_owner", 1, "whose it is, as in `hex_owner` of `flat`", "seat code", FLAT_LOW)
LINK_COMPLETE = _layout.add("link_complete", 1, "it joins two stops; else its second end is its last tile")
LINK_MARK = _layout.add("link_mark", 1, "it was begun or extended in this track turn")
LINK_PARTS, NUM_LINK_FEATURES = _layout.parts, _layout.size
ENDS = 2

SPECS = {
    "nodes": ArraySpec((MAX_HEXES, NUM_FEATURES), FLAT_LOW, FLAT_HIGH, np.dtype(np.float32)),
    "neighbours": ArraySpec((MAX_HEXES, NUM_EDGES), NONE, MAX_HEXES - 1, np.dtype(np.int16)),
    "links": ArraySpec((MAX_LINKS, NUM_LINK_FEATURES), FLAT_LOW, FLAT_HIGH, np.dtype(np.float32)),
    "link_ends": ArraySpec((MAX_LINKS, ENDS), NONE, MAX_HEXES - 1, np.dtype(np.int16)),
    "table": ArraySpec((TABLE_SIZE,), FLAT_LOW, FLAT_HIGH, np.dtype(np.float32)),
}


def describe_layout() -> str:
    """The layout as Markdown tables: the features of nodes and links."""
    return "\n".join(
        [
            f"`nodes`: {MAX_HEXES} hexes, each with",
            "",
            *describe_parts(HEX_PARTS),
            "",
            f"`links`: {MAX_LINKS} links, each with",
            "",
            *describe_parts(LINK_PARTS),
            "",
            "`neighbours`: by node and edge N NE SE S SW NW, the node behind it, -1 where the edge is closed.",
            f"`link_ends`: by link, two nodes. `table`: the first {TABLE_SIZE} values of `flat`.",
        ]
    )


def encode_graph_games(games: np.ndarray, boards: np.ndarray, seats: np.ndarray, out: dict[str, np.ndarray]) -> None:
    """Write place i of each array of ``out``, see ``SPECS``: what ``seats[i]`` sees of ``games[i]``; NONE: zeros."""
    for name, spec in SPECS.items():
        if out[name].shape[0] < games.shape[0] or out[name].shape[1:] != spec.shape:
            raise ValueError(f"out[{name!r}] must have an array {spec.shape} for each game")
    write_graphs(games, boards, seats, *(out[name] for name in SPECS))


@kernel
def write_graphs(
    games: np.ndarray,
    boards: np.ndarray,
    seats: np.ndarray,
    nodes: np.ndarray,
    neighbours: np.ndarray,
    links: np.ndarray,
    link_ends: np.ndarray,
    table: np.ndarray,
) -> None:
    """Do what ``encode_graph_games`` does."""
    row, place = np.empty(FLAT_SIZE, np.float32), np.arange(MAX_HEXES)
    board = boards[0]
    for index in range(games.shape[0]):
        game, observer = games[index], int(seats[index])
        nodes[index] = 0
        links[index] = 0
        table[index] = 0
        if observer == NONE:
            neighbours[index] = 0
            link_ends[index] = 0
            continue
        check_observer(game, observer)
        write_flat(game, board, observer, row)
        table[index] = row[:TABLE_SIZE]
        write_hexes(game, board, row, place, nodes[index])
        neighbours[index] = NONE
        for hex_index in range(board.num_hexes):
            for edge in range(NUM_EDGES):
                neighbours[index, hex_index, edge] = board.beyond[hex_index, edge]
        write_links(game, board, observer, links[index], link_ends[index])


@kernel
def write_links(game: np.record, board: np.record, observer: int, links: np.ndarray, ends: np.ndarray) -> None:
    """Write the links with the hexes at their ends."""
    ends[:] = NONE
    for link in range(game.num_links):
        complete = game.link_to[link] != NONE
        links[link, LINK_PRESENT] = 1
        links[link, LINK_OWNER] = code_owner(game, observer, int(game.link_owner[link]))
        links[link, LINK_COMPLETE] = 1 if complete else 0
        links[link, LINK_MARK] = game.link_mark[link]
        ends[link, 0] = board.stop_hex[game.link_from[link]]
        ends[link, 1] = board.stop_hex[game.link_to[link]] if complete else game.link_hex[link]


PARTS = (*HEX_PARTS, *LINK_PARTS, *(part for part in LAYOUT if part.start < TABLE_SIZE))

if __name__ == "__main__":
    fit_streams()
    print(describe_layout())
