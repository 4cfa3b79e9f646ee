"""The trees of a search: one for each game, side by side in the same arrays, and the kernels that let them grow.

A *node* is a decision as its mover sees it, found under the edge that led to it by a key of what is seen there; an
*edge* is an action of a node. Where chance or a redeal shows something else, the same edge leads to another node. A
*gate* stands where a turn of the searching player has ended: it has a single edge, without an action, behind which the
game goes on. No node holds a position: each simulation plays through a redeal of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.jit import kernel

NODES, EDGES = range(2)  # places in ``counts``
ASKED = -1  # the length of a node whose priors are being asked for


class Forest(NamedTuple):
    """Nodes and edges of all trees; a tree is known by its root's number. Numbers are NONE where there is nothing.

    Attributes:
        counts: (2,) int64, nodes and edges in use.
        key: (nodes,) uint64, of what is seen there.
        player: (nodes,) int16, who decides.
        visits: (nodes,) int32, simulations that came through.
        first: (nodes,) int32, the first of its edges, which follow each other; NONE before the node is expanded.
        length: (nodes,) int32, how many edges; ASKED while they are being made.
        sibling: (nodes,) int32, the next node under the same edge.
        action: (edges,) int32; NONE behind a gate.
        logit: (edges,) float64, logarithm of the prior probability.
        tries: (edges,) int32, simulations that came through.
        pending: (edges,) int32, those that are under way.
        total: (edges, players) float64, sums of what they were worth.
        child: (edges,) int32, the first node under it.
    """

    counts: np.ndarray
    key: np.ndarray
    player: np.ndarray
    visits: np.ndarray
    first: np.ndarray
    length: np.ndarray
    sibling: np.ndarray
    action: np.ndarray
    logit: np.ndarray
    tries: np.ndarray
    pending: np.ndarray
    total: np.ndarray
    child: np.ndarray


class Trust(NamedTuple):
    """How much values count beside the prior: a difference of values is worth ``(visits + most) * scale`` logits.

    ``most`` are the visits of the most visited action (Danihelka et al. 2022, "Policy improvement by planning with
    Gumbel"). Values are used in the unit in which they come. They are never stretched to the range that was met: that
    would make a certainty of noise wherever all actions are about as good.
    """

    visits: float
    scale: float


NODE_FIELDS = slice(1, 7)
EDGE_FIELDS = slice(7, 13)


def make_forest(num_players: int, nodes: int, edges: int) -> Forest:
    """An empty forest with room for so many nodes and edges."""
    return Forest(
        counts=np.zeros(2, np.int64),
        key=np.zeros(nodes, np.uint64),
        player=np.zeros(nodes, np.int16),
        visits=np.zeros(nodes, np.int32),
        first=np.full(nodes, NONE, np.int32),
        length=np.zeros(nodes, np.int32),
        sibling=np.full(nodes, NONE, np.int32),
        action=np.zeros(edges, np.int32),
        logit=np.zeros(edges, np.float64),
        tries=np.zeros(edges, np.int32),
        pending=np.zeros(edges, np.int32),
        total=np.zeros((edges, num_players), np.float64),
        child=np.full(edges, NONE, np.int32),
    )


def make_room(forest: Forest, nodes: int, edges: int) -> Forest:
    """The forest with room for so many more nodes and edges: itself, or a larger copy."""
    needed = forest.counts + np.array([nodes, edges])
    room = np.array([len(forest.key), len(forest.action)])
    if (needed <= room).all():
        return forest
    larger = make_forest(forest.total.shape[1], *np.maximum(room, 2 * needed).tolist())
    larger.counts[:] = forest.counts
    for fields, used in ((NODE_FIELDS, forest.counts[NODES]), (EDGE_FIELDS, forest.counts[EDGES])):
        for old, new in zip(forest[fields], larger[fields]):
            new[:used] = old[:used]
    return larger


@kernel
def add_node(forest: Forest, key: np.uint64, player: int, sibling: int) -> int:
    """A new node without edges."""
    node = forest.counts[NODES]
    forest.counts[NODES] += 1
    forest.key[node] = key
    forest.player[node] = player
    forest.visits[node] = 0
    forest.first[node] = NONE
    forest.length[node] = 0
    forest.sibling[node] = sibling
    return node


@kernel
def add_edge(forest: Forest, node: int, action: int, logit: float) -> None:
    """One more edge of the node to which the last edges were added."""
    edge = forest.counts[EDGES]
    forest.counts[EDGES] += 1
    if forest.first[node] == NONE:
        forest.first[node] = edge
    forest.length[node] += 1
    forest.action[edge] = action
    forest.logit[edge] = logit
    forest.tries[edge] = 0
    forest.pending[edge] = 0
    forest.total[edge, :] = 0.0
    forest.child[edge] = NONE


@kernel
def find_node(forest: Forest, edge: int, key: np.uint64, player: int) -> int:
    """The node with this key under an edge; a new one if there was none."""
    node = forest.child[edge]
    while node != NONE:
        if forest.key[node] == key and forest.player[node] == player:
            return node
        node = forest.sibling[node]
    node = add_node(forest, key, player, forest.child[edge])
    forest.child[edge] = node
    return node


@kernel
def add_roots(forest: Forest, keys: np.ndarray, players: np.ndarray, nodes: np.ndarray) -> None:
    """Write a new root for each game whose ``nodes`` (n,) is NONE."""
    for game in range(keys.shape[0]):
        if nodes[game] == NONE:
            nodes[game] = add_node(forest, keys[game], players[game], NONE)


@kernel
def expand_nodes(forest: Forest, nodes: np.ndarray, masks: np.ndarray, log_priors: np.ndarray) -> None:
    """Give nodes (k,) without edges one for each legal action, of masks and logarithms of priors (k, actions)."""
    for row in range(nodes.shape[0]):
        forest.length[nodes[row]] = 0
        for action in range(masks.shape[1]):
            if masks[row, action]:
                add_edge(forest, nodes[row], action, log_priors[row, action])


# --- choosing -----------------------------------------------------------------------------------------


@kernel
def weigh_edges(forest: Forest, node: int, trust: Trust, scores: np.ndarray) -> float:
    """Write the score of each edge of a node: logit of the prior, and what its value adds; returns the greatest.

    Where an edge was never tried, its value is taken to be the mean of those that were, weighted by their priors.
    """
    player, first, length = forest.player[node], forest.first[node], forest.length[node]
    most = 0
    weight = mean = 0.0
    for edge in range(first, first + length):
        tries = forest.tries[edge]
        if tries > 0:
            prior = np.exp(forest.logit[edge])
            weight += prior
            mean += prior * forest.total[edge, player] / tries
            most = max(most, tries)
    mean = mean / weight if weight > 0.0 else 0.0
    factor = (trust.visits + most) * trust.scale
    best = -np.inf
    for place in range(length):
        edge = first + place
        tries = forest.tries[edge]
        value = forest.total[edge, player] / tries if tries > 0 else mean
        scores[place] = forest.logit[edge] + factor * (value - mean)
        best = max(best, scores[place])
    return best


@kernel
def choose_edge(forest: Forest, node: int, trust: Trust, scores: np.ndarray) -> int:
    """The edge whose share of the simulations lags most behind its share of the improved policy."""
    first, length = forest.first[node], forest.length[node]
    best_score = weigh_edges(forest, node, trust, scores)
    total, tries = 0.0, 1
    for place in range(length):
        scores[place] = np.exp(scores[place] - best_score)
        total += scores[place]
        tries += forest.tries[first + place] + forest.pending[first + place]
    best, most = first, -np.inf
    for place in range(length):
        edge = first + place
        lag = scores[place] / total - (forest.tries[edge] + forest.pending[edge]) / tries
        if lag > most:
            best, most = edge, lag
    return best


# --- keeping ------------------------------------------------------------------------------------------


@kernel
def copy_tree(old: Forest, root: int, new: Forest) -> int:
    """Copy the tree under a node of another forest, without the node's siblings; returns the copy's root.

    ``new`` has room for all of it. No simulation is under way.
    """
    top = add_node(new, old.key[root], old.player[root], NONE)
    sources = np.empty(old.counts[NODES], np.int64)
    copies = np.empty(old.counts[NODES], np.int64)
    sources[0], copies[0] = root, top
    waiting = 1
    while waiting > 0:
        waiting -= 1
        source, copy = sources[waiting], copies[waiting]
        new.visits[copy] = old.visits[source]
        for edge in range(old.first[source], old.first[source] + old.length[source]):
            add_edge(new, copy, old.action[edge], old.logit[edge])
            mine = new.counts[EDGES] - 1
            new.tries[mine] = old.tries[edge]
            new.total[mine, :] = old.total[edge, :]
            child = old.child[edge]
            while child != NONE:
                node = add_node(new, old.key[child], old.player[child], new.child[mine])
                new.child[mine] = node
                sources[waiting], copies[waiting] = child, node
                waiting += 1
                child = old.sibling[child]
    return top


@dataclass(frozen=True)
class Kept:
    """A tree that a later decision may go on with: a forest with nothing else in it, and its root."""

    forest: Forest
    root: int


def keep_trees(forest: Forest, nodes: Sequence[int]) -> Iterator[Kept]:
    """A copy of the tree under each of some nodes, none larger than it has to be."""
    room = make_forest(forest.total.shape[1], *forest.counts.tolist())
    for node in nodes:
        room.counts[:] = 0
        root = copy_tree(forest, node, room)
        used = room.counts.copy()
        parts = [
            *(part[: used[NODES]].copy() for part in room[NODE_FIELDS]),
            *(part[: used[EDGES]].copy() for part in room[EDGE_FIELDS]),
        ]
        yield Kept(Forest(used, *parts), root)


def list_children(forest: Forest, edge: int) -> Iterator[int]:
    """The nodes under an edge."""
    node = int(forest.child[edge])
    while node != NONE:
        yield node
        node = int(forest.sibling[node])
