"""Rule 2: patterns of track, what each is made of, and what may follow it on a hex.

A *pattern* is the set of segments that a tile shows as it lies (rule 2.2), numbered 0 to 106: the 15 edge pairs in
their order, then the 36 pairs of them, then the 56 town patterns by number of spurs. The segments of a pattern have
*slots*, 0 to 3: pairs in their order, spurs in that of their edges.
"""

from itertools import combinations

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_NAMES, NUM_EDGES, NUM_PAIRS, PAIRS, TIGHT, shape_of

CENTRE = NUM_EDGES  # where a spur ends that comes from an edge
NUM_ENDS = NUM_EDGES + 1  # edges, and the centre
MAX_SLOTS = 4
MAX_SPURS = 4

Segment = tuple[int, int]  # two ends: edges, or an edge and the centre


def _list_doubles() -> list[tuple[int, int]]:
    """Pairs of edge pairs that share no edge, without those of two sharp ones (rule 2.2)."""
    return [
        (first, second)
        for first, second in combinations(range(NUM_PAIRS), 2)
        if not set(PAIRS[first]) & set(PAIRS[second]) and not shape_of(first) == shape_of(second) == TIGHT
    ]


def _list_patterns() -> tuple[tuple[Segment, ...], ...]:
    singles = [(pair,) for pair in PAIRS]
    doubles = [(PAIRS[first], PAIRS[second]) for first, second in _list_doubles()]
    spurs = [edges for count in range(1, MAX_SPURS + 1) for edges in combinations(range(NUM_EDGES), count)]
    towns = [tuple((edge, CENTRE) for edge in edges) for edges in spurs]
    return (*singles, *doubles, *towns)


PATTERNS = _list_patterns()
NUM_PATTERNS = len(PATTERNS)
FIRST_TOWN = next(number for number, segments in enumerate(PATTERNS) if CENTRE in segments[0])


def name_pattern(pattern: int) -> str:
    """The pattern as text: ``NE-S+SW-NW``, or the edges of a town's spurs, ``N+SE``."""
    return "+".join(
        EDGE_NAMES[first] if second == CENTRE else f"{EDGE_NAMES[first]}-{EDGE_NAMES[second]}"
        for first, second in PATTERNS[pattern]
    )


def turn_pattern(pattern: int, steps: int) -> int:
    """The pattern that the same tile shows when it is turned clockwise by so many edges."""
    turned = [
        tuple(sorted(end if end == CENTRE else (end + steps) % NUM_EDGES for end in segment))
        for segment in PATTERNS[pattern]
    ]
    return PATTERNS.index(tuple(sorted(turned)))


def _table(shape: tuple[int, ...], fill: int = NONE) -> np.ndarray:
    return np.full(shape, fill, np.int16)  # small, so that the inner caches hold all of them


def _other_ends() -> np.ndarray:
    table = _table((NUM_PATTERNS, NUM_EDGES))
    for pattern, segments in enumerate(PATTERNS):
        for first, second in segments:
            table[pattern, first] = second
            if second != CENTRE:
                table[pattern, second] = first
    return table


def _slots() -> np.ndarray:
    table = _table((NUM_PATTERNS, NUM_EDGES))
    for pattern, segments in enumerate(PATTERNS):
        for slot, segment in enumerate(segments):
            for end in segment:
                if end != CENTRE:
                    table[pattern, end] = slot
    return table


def _ends() -> np.ndarray:
    table = _table((NUM_PATTERNS, MAX_SLOTS, 2))
    for pattern, segments in enumerate(PATTERNS):
        table[pattern, : len(segments)] = segments
    return table


def _added() -> np.ndarray:
    table = _table((NUM_PATTERNS, NUM_PATTERNS), 0)
    for before, old in enumerate(PATTERNS):
        for after, new in enumerate(PATTERNS):
            table[before, after] = sum(1 << slot for slot, segment in enumerate(new) if segment not in old)
    return table


NEW, IMPROVEMENT, REDIRECTION = range(3)  # rule 8.2; NONE: no placement
PLACEMENT_NAMES = ("new", "improvement", "redirection")


def _placements() -> np.ndarray:
    table = _table((NUM_PATTERNS, NUM_PATTERNS))
    for before, old in enumerate(PATTERNS):
        for after, new in enumerate(PATTERNS):
            kept = set(old) & set(new)
            if (before < FIRST_TOWN) != (after < FIRST_TOWN):
                continue
            if len(kept) == len(old) < len(new):
                table[before, after] = IMPROVEMENT
            elif len(old) == len(new) == len(kept) + 1 and before < FIRST_TOWN:
                shared = set((set(old) - kept).pop()) & set((set(new) - kept).pop())
                if len(shared) == 1:  # the inner edge stays, the outer one changes
                    table[before, after] = REDIRECTION
    return table


OTHER_END = _other_ends()  # (pattern, edge) -> the other end of the segment there, NONE without one
SLOT_AT = _slots()  # (pattern, edge) -> slot of the segment that uses the edge, NONE without one
ENDS = _ends()  # (pattern, slot, 2) -> the two ends of the segment, the centre last; NONE past the last slot
NUM_SEGMENTS = np.array([len(segments) for segments in PATTERNS], np.int64)
NUM_EXITS = np.array([(row != NONE).sum() for row in SLOT_AT], np.int64)  # rule 2.4
ADDED = _added()  # (before, after) -> bits of the slots of `after` that `before` does not have
PLACEMENT = _placements()  # (before, after) -> what the change is by rule 8.2 as to its shape; NONE: not allowed


def _followers() -> tuple[np.ndarray, np.ndarray]:
    """By what lies there, the patterns that a placement may lead to as to shape: empty land, an empty town, a tile."""
    lists = [list(range(FIRST_TOWN)), list(range(FIRST_TOWN, NUM_PATTERNS))]
    lists += [np.flatnonzero(row != NONE).tolist() for row in PLACEMENT]
    table = _table((len(lists), max(map(len, lists))))
    for number, followers in enumerate(lists):
        table[number, : len(followers)] = followers
    return table, np.array([len(followers) for followers in lists], np.int64)


FIRST_SPUR = NUM_PAIRS  # segments are numbered: edge pairs, then the spurs of the edges


def _segments() -> np.ndarray:
    spurs = {(edge, CENTRE): FIRST_SPUR + edge for edge in range(NUM_EDGES)}
    numbers = {pair: number for number, pair in enumerate(PAIRS)} | spurs
    return np.array([sum(1 << numbers[segment] for segment in segments) for segments in PATTERNS], np.int64)


def _pairs_of_edges(least: int) -> np.ndarray:
    """By a set of edges, the edge pairs of which so many edges are in it, both as bits."""
    table = np.zeros(1 << NUM_EDGES, np.int64)
    for edges in range(1 << NUM_EDGES):
        members = [sum(edges >> edge & 1 for edge in pair) for pair in PAIRS]
        table[edges] = sum(1 << pair for pair, count in enumerate(members) if count >= least)
    return table


SEGMENTS = _segments()  # pattern -> bits of its segments by their numbers
EDGES = np.array([sum(1 << edge for edge in np.flatnonzero(row != NONE)) for row in SLOT_AT], np.int64)  # of a pattern
PAIRS_WITH, PAIRS_WITHIN = _pairs_of_edges(1), _pairs_of_edges(2)  # edges -> pairs with one of them, with both in them
EMPTY_LAND, EMPTY_TOWN, LYING = range(3)  # rows of FOLLOWERS; LYING + the pattern that lies there
FOLLOWERS, NUM_FOLLOWERS = _followers()


def _turned() -> np.ndarray:
    table = _table((NUM_PATTERNS, NUM_EDGES, NUM_EDGES))
    for before, after in zip(*np.nonzero(PLACEMENT == REDIRECTION), strict=True):
        (old,), (new,) = set(PATTERNS[before]) - set(PATTERNS[after]), set(PATTERNS[after]) - set(PATTERNS[before])
        (inner,) = set(old) & set(new)
        table[before, sum(old) - inner, sum(new) - inner] = after
    return table


TURNED = _turned()  # (pattern, outer edge, another) -> what the redirection of that segment makes of it, or NONE
