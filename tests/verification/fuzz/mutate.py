"""Changes that keep a table a table: entries dropped, doubled, exchanged, retyped, out of range."""

import copy
import json
import random
from collections.abc import Iterator, MutableMapping, MutableSequence
from typing import Any

import numpy as np

from steam_env.core.steam_power.state import GAME
from steam_env.spec import find_spec
from steam_env.table.files import HEADER

ODD_NUMBERS = (
    *(-1, 0, 1, 2, 3, 5, 6, 32, 33, 47, 48, 127, 128, 255, 256, 999, 32767, 32768, -32769),
    *(2**31, 2**63, 10**30),
)
ODD = (
    *(None, True, False, 0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf")),
    *("", " ", "\t\n", "\0", "ß", "\uff21mes", "\U0001f682", "A1", "Ames", "white", "player_1", "9" * 50, "x" * 300),
    *([], {}, [[]], [None], {"": None}, [1, 2], ["Ames", "B2"], {"a": {"b": []}}),
)
FIELDS = tuple(name for name in GAME.names or () if name != "spare")


def mutate_table(table: Any, rng: random.Random, changes: int = 1) -> Any:
    """A copy of the table with a number of changes."""
    table = copy.deepcopy(table)
    for _ in range(changes):
        spots = list(_walk(table))
        if spots:
            _change(*rng.choice(spots), spots, rng)
    return table


def _walk(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry as (container, key)."""
    items: Any = ()
    if isinstance(value, MutableMapping):
        items = value.items()
    elif isinstance(value, MutableSequence):
        items = enumerate(value)
    for key, entry in items:
        yield value, key
        yield from _walk(entry)


def _change(container: Any, key: Any, spots: list[tuple[Any, Any]], rng: random.Random) -> None:
    way = rng.randrange(7)
    value = container[key]
    if way == 0:
        del container[key]
    elif way == 1:
        container[key] = copy.deepcopy(rng.choice(ODD))
    elif way == 2:
        container[key] = rng.choice(ODD_NUMBERS)
    elif way == 3:
        other, place = rng.choice(spots)
        container[key] = copy.deepcopy(other[place])
    elif way == 4 and isinstance(container, MutableSequence):
        container.insert(rng.randrange(len(container) + 1), copy.deepcopy(value))
    elif way == 4:
        container[str(rng.choice(("", "x", "name", "rules", f"{key}s")))] = copy.deepcopy(value)
    elif isinstance(value, str):
        container[key] = _change_text(value, rng)
    elif isinstance(value, int):
        container[key] = value + rng.choice((-1, 1, -2, 2, 10))
    elif isinstance(value, list):
        rng.shuffle(value)


def _change_text(text: str, rng: random.Random) -> str:
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(("", "B", "9", " ", "\n", ".", "é", text)) + text[place + rng.randrange(3) :]


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Cut, flipped, doubled, or with something put in."""
    place = rng.randrange(len(data) + 1)
    way = rng.randrange(4)
    if way == 0:
        return data[:place]
    if way == 1:
        return data[:place] + data[place + rng.randrange(1, 40) :]
    if way == 2:
        return data[:place] + rng.choice((b"\0", b"\xff", b"{", b"[[", b'"', b"=", b"1e9", b"\xc3")) + data[place:]
    flipped = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        if flipped:
            flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


# --- saves ------------------------------------------------------------------------------------------------


def split_save(data: bytes) -> tuple[Any, np.ndarray]:
    """The JSON and the two records of a save without its checksum."""
    _, _, length = HEADER.unpack_from(data)
    end = HEADER.size + length
    content = json.loads(data[HEADER.size : end])
    return content, np.frombuffer(data[end:], find_spec(content["game"]).kernels.record).copy()


def join_save(data: bytes, content: Any, records: np.ndarray) -> bytes:
    """A save without its checksum, with the header of ``data``."""
    magic, schema, _ = HEADER.unpack_from(data)
    text = json.dumps(content).encode()
    return bytes(HEADER.pack(magic, schema, len(text)) + text + records.tobytes())


def mutate_save(data: bytes, rng: random.Random) -> bytes:
    """A save with changes of its JSON, or of a field of its start or of both records."""
    content, records = split_save(data)
    if rng.random() < 0.4:
        return join_save(data, mutate_table(content, rng, rng.randrange(1, 3)), records)
    if rng.random() < 0.5:
        records[1] = records[0]
        content["actions"] = []
    for _ in range(rng.randrange(1, 3)):
        name = rng.choice([name for name in records.dtype.names or () if name != "spare"])
        flat = np.ascontiguousarray(records[name]).reshape(2, -1)
        place = rng.randrange(flat.shape[1])
        flat[:, place] = odd_value(flat.dtype, int(flat[0, place]), rng)
        records[name] = flat.reshape(records[name].shape)
    return join_save(data, content, records)


def odd_value(dtype: np.dtype, value: int, rng: random.Random) -> int:
    """A value that the field can hold: beside what it holds, or at an end of the range."""
    info = np.iinfo(dtype)
    chosen = rng.choice((value - 1, value + 1, info.min, info.max, rng.choice(ODD_NUMBERS), rng.randrange(40)))
    return min(max(chosen, int(info.min)), int(info.max))
