"""Rule 2.5: the table of tiles, as a file says it and as a scenario may bring another."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam.board import list_rotations
from steam_env.core.steam.state import MAX_KINDS
from steam_env.core.steam.tiles import CENTRE, NUM_PATTERNS, PATTERNS, name_pattern
from steam_env.kit.checks import as_integer
from steam_env.kit.show import describe, show, show_name
from steam_env.kit.text_files import decode
from steam_env.kit.toml_file import parse_toml

SOURCE = "tiles.toml"
MAX_COUNT = 999  # tiles of a kind
_KEYS = ("kind", "count", "faces")


class TilesError(ValueError):
    """A table of tiles that is wrong; the message begins with the entry."""


class TileKind(NamedTuple):
    """A kind of tile: those whose faces share a stock."""

    kind: str
    number: int  # of tiles
    faces: tuple[str, ...]


@cache
def load_tiles() -> tuple[TileKind, ...]:
    """The table of the box."""
    text = decode((resources.files("steam_env.data.steam") / SOURCE).read_bytes(), SOURCE, TilesError)
    return parse_tiles(parse_toml(text, SOURCE, TilesError)["tiles"])


def parse_tiles(value: object) -> tuple[TileKind, ...]:
    """The kinds of tiles that a list of tables describes; each of the 107 patterns is in exactly one.

    Raises:
        TilesError: naming the entry, its value and what is allowed.
    """
    if not isinstance(value, list | tuple):
        raise TilesError(f"tiles: must be a list of tables of {', '.join(_KEYS)}, not {describe(value)}")
    if len(value) > MAX_KINDS:
        raise TilesError(f"tiles: {len(value)} kinds; at most {MAX_KINDS} are allowed")
    kinds = tuple(_read_kind(entry, f"tiles[{number}]") for number, entry in enumerate(value))
    found: dict[int, str] = {}
    for number, kind in enumerate(kinds):
        if kind.kind in [other.kind for other in kinds[:number]]:
            raise TilesError(f"tiles[{number}].kind: {kind.kind!r} stands here twice; names must differ")
        for place, face in enumerate(kind.faces):
            _check_new(face, f"tiles[{number}].faces[{place}]", found)
            found |= dict.fromkeys(list_rotations(parse_face(face)), kind.kind)
    missing = [name_pattern(pattern) for pattern in range(NUM_PATTERNS) if pattern not in found]
    if missing:
        raise TilesError(f"tiles: pattern {missing[0]} is in no kind; each of {NUM_PATTERNS} must be in one")
    return kinds


def _check_new(face: str, entry: str, found: Mapping[int, str]) -> None:
    """Refuse a face with a pattern that is in a kind already."""
    for pattern in sorted(list_rotations(parse_face(face))):
        if pattern in found:
            where = f"{entry}: {face!r} shows {name_pattern(pattern)}"
            raise TilesError(f"{where}, which is in kind {found[pattern]!r} already; each pattern is in one")


def _read_kind(value: object, entry: str) -> TileKind:
    if not isinstance(value, Mapping):
        raise TilesError(f"{entry}: must be a table of {', '.join(_KEYS)}, not {describe(value)}")
    for key in value:
        if key not in _KEYS:
            raise TilesError(f"{entry}.{show_name(key)}: unknown key; allowed are {', '.join(_KEYS)}")
    for key in _KEYS:
        if key not in value:
            raise TilesError(f"{entry}.{key}: missing; needed are {', '.join(_KEYS)}")
    if not isinstance(value["kind"], str) or not value["kind"]:
        raise TilesError(f"{entry}.kind: must be a name, not {describe(value['kind'])}")
    return TileKind(value["kind"], _read_count(value["count"], entry), _read_faces(value["faces"], entry))


def _read_count(value: object, entry: str) -> int:
    try:
        count = as_integer(value, f"{entry}.count")
    except ValueError as error:
        raise TilesError(str(error)) from None
    if not 0 <= count <= MAX_COUNT:
        raise TilesError(f"{entry}.count: {show(count)}; 0 to {MAX_COUNT} are allowed")
    return count


def _read_faces(value: object, entry: str) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise TilesError(f"{entry}.faces: must be a list of faces as '0-3' or '0,1,3', not {describe(value)}")
    for place, face in enumerate(value):
        try:
            parse_face(face)
        except ValueError as error:
            raise TilesError(f"{entry}.faces[{place}]: {error}") from None
    return tuple(value)


def parse_face(face: object) -> int:
    """The pattern of a face: ``0-3``, ``0-3+1-4``, or a town's edges, ``0,1,3``.

    Raises:
        ValueError: naming the face and what is allowed.
    """
    if isinstance(face, str):
        texts = face.split("+") if "-" in face else [f"{edge}-{CENTRE}" for edge in face.split(",")]
        ends = [text.split("-") for text in texts]
        if all(len(pair) == 2 and all(end in map(str, range(NUM_EDGES + 1)) for end in pair) for pair in ends):
            pattern = tuple(sorted(tuple(sorted(map(int, pair))) for pair in ends))
            if pattern in PATTERNS and ("-" in face) == (pattern[0][1] != CENTRE):
                return PATTERNS.index(pattern)
    raise ValueError(f"{show(face)} is no face: must be edges 0 to {NUM_EDGES - 1} as '0-3', '0-3+1-4' or '0,1,3'")


def tiles_to_dict(kinds: Sequence[TileKind]) -> dict[str, object]:
    """The table with its name, as plain data for saves: ``read_tiles`` of it is equal."""
    is_box = tuple(kinds) == load_tiles()
    name, title = ("box", "The box's tiles") if is_box else ("other", "Another table of tiles")
    return {"name": name, "title": title, "kinds": tiles_to_list(kinds)}


def read_tiles(content: Mapping[str, object]) -> tuple[TileKind, ...]:
    """The table of ``tiles_to_dict``."""
    return parse_tiles(content["kinds"])


def tiles_to_list(kinds: Sequence[TileKind]) -> list[dict[str, object]]:
    """The table as plain data: ``parse_tiles`` of it is equal."""
    return [{"kind": kind.kind, "count": kind.number, "faces": list(kind.faces)} for kind in kinds]
