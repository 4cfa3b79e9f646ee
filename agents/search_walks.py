"""The simulations of a search: how they walk through the trees, where they end, and what they leave there."""

from typing import NamedTuple

import numpy as np

from steam_env.agents.search_forest import ASKED, Forest, Trust, add_edge, choose_edge, find_node
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel

GIVES_UP, GOES_ON, ENDS, EXPANDS = range(4)  # fates of a walk at a node


class Walks(NamedTuple):
    """Simulations that walk together, each through its own tree. One is *live* until it has come to an end.

    Attributes:
        game: (s,) int64, the game whose tree it is.
        player: (s,) int64, who searches.
        node: (s,) int64, where it is; NONE behind the end of the game.
        edges: (s, most) int32, the edges that it took.
        depth: (s,) int64, how many.
        players: (s,) int64, a bit for each player that has decided on the way.
        turn_seat: (s,) int64, the seat whose turn it is, if it is one of the player's; else NONE.
        turn_round: (s,) int64, the round of that turn.
    """

    game: np.ndarray
    player: np.ndarray
    node: np.ndarray
    edges: np.ndarray
    depth: np.ndarray
    players: np.ndarray
    turn_seat: np.ndarray
    turn_round: np.ndarray


MOST_EDGES = 1024  # of a walk: it ends in the first turn that was not seen before, so it takes far fewer


def make_walks(games: np.ndarray, players: np.ndarray, seats: np.ndarray, rounds: np.ndarray) -> Walks:
    """Walks at their roots, by (s,) game, player, seat to move and round."""
    count = len(games)
    return Walks(
        game=games,
        player=players,
        node=np.full(count, NONE, np.int64),
        edges=np.empty((count, MOST_EDGES), np.int32),
        depth=np.zeros(count, np.int64),
        players=np.zeros(count, np.int64),
        turn_seat=seats.copy(),
        turn_round=rounds.copy(),
    )


@kernel
def take_edge(forest: Forest, walks: Walks, walk: int, edge: int) -> None:
    """Go over an edge."""
    forest.pending[edge] += 1
    walks.edges[walk, walks.depth[walk]] = edge
    walks.depth[walk] += 1


@kernel
def begin_walks(forest: Forest, walks: Walks, edges: np.ndarray, actions: np.ndarray) -> None:
    """Begin each walk with an edge (s,) of its root; writes the actions (s,)."""
    for walk in range(edges.shape[0]):
        walks.players[walk] = 1 << walks.player[walk]
        take_edge(forest, walks, walk, edges[walk])
        actions[walk] = forest.action[edges[walk]]


@kernel
def choose_actions(
    forest: Forest, walks: Walks, live: np.ndarray, trust: Trust, scores: np.ndarray, actions: np.ndarray
) -> None:
    """Choose an edge for each of the walks ``live`` (k,), take it, and write its action (k,)."""
    for place in range(live.shape[0]):
        walk = live[place]
        node = walks.node[walk]
        edge = choose_edge(forest, node, trust, scores)
        walks.players[walk] |= 1 << forest.player[node]
        take_edge(forest, walks, walk, edge)
        actions[place] = forest.action[edge]


@kernel
def note_turns(
    walks: Walks, live: np.ndarray, seats: np.ndarray, rounds: np.ndarray, players: np.ndarray, gates: np.ndarray
) -> None:
    """Note whose turn it is now (k,), and write (k,) bool where a turn of the searching player has just ended."""
    for place in range(live.shape[0]):
        walk = live[place]
        is_same = seats[place] == walks.turn_seat[walk] and rounds[place] == walks.turn_round[walk]
        gates[place] = walks.turn_seat[walk] != NONE and not is_same
        walks.turn_seat[walk] = seats[place] if players[place] == walks.player[walk] else NONE
        walks.turn_round[walk] = rounds[place]


@kernel
def enter_nodes(forest: Forest, walks: Walks, live: np.ndarray, keys: np.ndarray, players: np.ndarray) -> None:
    """Enter the node with this key (k,) and player (k,) under the last edge of each of the walks ``live`` (k,)."""
    for place in range(live.shape[0]):
        walk = live[place]
        edge = walks.edges[walk, walks.depth[walk] - 1]
        walks.node[walk] = find_node(forest, edge, keys[place], players[place])


@kernel
def pass_gates(forest: Forest, walks: Walks, live: np.ndarray, is_leaf: np.ndarray) -> None:
    """Write for each walk at a gate (k,) whether nobody was there before; the others go through."""
    for place in range(live.shape[0]):
        walk = live[place]
        gate = walks.node[walk]
        is_leaf[place] = forest.visits[gate] == 0
        if not is_leaf[place]:
            if forest.first[gate] == NONE:
                add_edge(forest, gate, NONE, 0.0)
            take_edge(forest, walks, walk, forest.first[gate])


@kernel
def settle_fates(
    forest: Forest,
    walks: Walks,
    live: np.ndarray,
    leaf_costs: np.ndarray,
    prior_cost: int,
    most: int,
    spent: np.ndarray,
    fates: np.ndarray,
) -> None:
    """Write what becomes of each of the walks ``live`` (k,), and count what that costs.

    Args:
        forest: the trees.
        walks: all walks.
        live: (k,) int64.
        leaf_costs: (k,) int64, evaluations of those that have come to an end; NONE where one has not.
        prior_cost: evaluations that it takes to expand a node.
        most: evaluations that a game may spend; NONE for no limit.
        spent: (n,) int64, what it has spent.
        fates: (k,) int64.
    """
    for place in range(live.shape[0]):
        walk = live[place]
        node, game = walks.node[walk], walks.game[walk]
        is_leaf = leaf_costs[place] != NONE
        if not is_leaf and (forest.first[node] != NONE or forest.length[node] == ASKED):
            fates[place] = GOES_ON
            continue
        cost = leaf_costs[place] if is_leaf else prior_cost
        if most != NONE and spent[game] + cost > most:
            fates[place] = GIVES_UP
            continue
        spent[game] += cost
        fates[place] = ENDS if is_leaf else EXPANDS
        if not is_leaf:
            forest.length[node] = ASKED


@kernel
def back_up(forest: Forest, walks: Walks, ended: np.ndarray, worth: np.ndarray) -> None:
    """Add what each of the walks ``ended`` (k,) has come to, (k, players), to all edges that it took."""
    for place in range(ended.shape[0]):
        walk = ended[place]
        for depth in range(walks.depth[walk]):
            edge = walks.edges[walk, depth]
            forest.pending[edge] -= 1
            forest.tries[edge] += 1
            for player in range(worth.shape[1]):
                forest.total[edge, player] += worth[place, player]
        if walks.node[walk] != NONE:
            forest.visits[walks.node[walk]] += 1


@kernel
def give_up(forest: Forest, walks: Walks, ended: np.ndarray) -> None:
    """End walks (k,) for which nothing is left to spend, as if they had never been."""
    for walk in ended:
        for depth in range(walks.depth[walk]):
            forest.pending[walks.edges[walk, depth]] -= 1
