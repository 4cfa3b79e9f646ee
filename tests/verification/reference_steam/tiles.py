"""Rule 2: segments, patterns, the kinds of tiles and their stock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from tests.verification.reference_steam.geometry import EDGE_NAMES, EDGES

Segment = tuple[int, ...]  # two edges in rising order; one edge: the spur of a town (rule 2.1)
Pattern = tuple[Segment, ...]  # the segments in rising order (rule 2.2)

MOST_SPURS = 4


# --- patterns (rule 2.2) --------------------------------------------------------------------------
def is_sharp(segment: Segment) -> bool:
    """Whether it joins neighbouring edges (rule 2.1)."""
    return (segment[1] - segment[0]) % 6 in (1, 5)


def list_patterns() -> list[Pattern]:
    """All 107, in the order of the actions: single segments, pairs of segments, towns."""
    pairs = list(combinations(EDGES, 2))
    doubles = [
        (one, other)
        for one, other in combinations(pairs, 2)
        if not set(one) & set(other) and not (is_sharp(one) and is_sharp(other))
    ]
    towns = [edges for spurs in range(1, MOST_SPURS + 1) for edges in combinations(EDGES, spurs)]
    return [*((pair,) for pair in pairs), *doubles, *(tuple((edge,) for edge in edges) for edges in towns)]


PATTERNS = list_patterns()
PATTERN_IDS = {pattern: place for place, pattern in enumerate(PATTERNS)}


def is_town(pattern: Pattern) -> bool:
    """Whether it belongs on town hexes, and only there (rule 2.3)."""
    return len(pattern[0]) == 1


@cache
def exits(pattern: Pattern) -> list[int]:
    """The edges that it uses (rule 2.4)."""
    return [edge for segment in pattern for edge in segment]


# --- texts ----------------------------------------------------------------------------------------
def name_segment(segment: Segment) -> str:
    return "-".join(EDGE_NAMES[edge] for edge in segment)


@cache
def name_pattern(pattern: Pattern) -> str:
    """``NE-S+SW-NW``, and ``N+SE`` on a town."""
    return "+".join(name_segment(segment) for segment in pattern)


def read_pattern(text: str) -> Pattern:
    """Segments in any order; a ValueError if no tile shows them."""
    try:
        parts = [tuple(sorted(EDGE_NAMES.index(edge) for edge in part.split("-"))) for part in text.split("+")]
    except ValueError:
        raise ValueError(f"{text!r} is no pattern: edges are {', '.join(EDGE_NAMES)} (rule 2.2)") from None
    pattern = tuple(sorted(parts))
    if pattern not in PATTERN_IDS:
        raise ValueError(f"{text!r} is none of the {len(PATTERNS)} patterns (rule 2.2)")
    return pattern


# --- kinds and stock (rule 2.5) -------------------------------------------------------------------
BOX = (
    {"kind": "K1", "count": 86, "faces": ["0-3", "0-2"]},
    {"kind": "K2", "count": 10, "faces": ["0,3", "0,2"]},
    {"kind": "K3", "count": 8, "faces": ["0-1", "0,1"]},
    {"kind": "K4", "count": 4, "faces": ["0-3+1-4", "0"]},
    {"kind": "K5", "count": 4, "faces": ["0,1,3,4", "0,2,4"]},
    {"kind": "K6", "count": 4, "faces": ["0,1,2,4", "0,1,2"]},
    {"kind": "K7", "count": 4, "faces": ["0-2+1-4", "0-2+1-3"]},
    {"kind": "K8", "count": 4, "faces": ["0,1,2,3", "0,1,4"]},
    {"kind": "K9", "count": 4, "faces": ["0,1,3", "0-1+2-5", "0-2+3-5"]},
    {"kind": "K10", "count": 2, "faces": ["0-1+2-4", "0-1+3-5"]},
)


@dataclass(frozen=True)
class TileSet:
    """How many tiles there are of each kind, and which kind shows a pattern."""

    rows: list[Mapping[str, object]]  # as they were read
    counts: dict[str, int]
    kind_of: dict[Pattern, str]


def read_tile_set(table: Iterable[Mapping[str, object]]) -> TileSet:
    """Each rotation of a face is a pattern of its kind; each pattern must be in exactly one kind."""
    rows = list(table)
    counts: dict[str, int] = {}
    kind_of: dict[Pattern, str] = {}
    for row in rows:
        kind, faces = str(row["kind"]), row["faces"]
        assert isinstance(faces, Sequence)
        counts[kind] = int(str(row["count"]))
        for face in faces:
            for pattern in rotations(read_face(str(face))):
                if kind_of.setdefault(pattern, kind) != kind:
                    raise ValueError(f"tiles: {name_pattern(pattern)} is in {kind_of[pattern]} and in {kind}")
    missing = [name_pattern(pattern) for pattern in PATTERNS if pattern not in kind_of]
    if missing or len(kind_of) > len(PATTERNS):
        raise ValueError(f"tiles: each of the patterns is in one kind, but not {missing}")
    return TileSet(rows, counts, kind_of)


def read_face(text: str) -> Pattern:
    """``0-3+1-4``: segments between numbered edges; ``0,1,3``: the spurs of a town."""
    if "-" in text:
        return tuple(tuple(int(edge) for edge in part.split("-")) for part in text.split("+"))
    return tuple((int(edge),) for edge in text.split(","))


def rotations(face: Pattern) -> set[Pattern]:
    return {tuple(sorted(tuple(sorted((edge + turn) % 6 for edge in segment)) for segment in face)) for turn in EDGES}
