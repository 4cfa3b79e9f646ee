"""The goldens that are soon checked; ``python -m tests.verification.goldens`` checks them all."""

from typing import Any

import numpy as np
import pytest

from tests.verification.goldens.__main__ import compare
from tests.verification.goldens.book import compare_trails, list_differences, read_book
from tests.verification.goldens.digest import MARK_EVERY, Trail, digest, digest_records, drop_game_id
from tests.verification.goldens.kinds import QUICK
from tests.verification.goldens.parts import PARTS

SOON_CHECKED = [
    *(("play", kind) for kind in QUICK),
    *(("files", name) for name in PARTS["files"].kinds),
    ("sights", "solo"),
    ("aec", "three-mini-margin-skip"),
    ("gymnasium", "three-seats-margin-mini"),
    ("vectors", "disabled-score"),
    ("agents", "greedy-three-mini"),
    ("agents", "random-two-mini"),
]


@pytest.fixture(scope="module")
def book() -> dict[str, Any]:
    return read_book()


@pytest.mark.parametrize(("name", "kind"), SOON_CHECKED)
def test_goldens__are_as_they_were(book: dict[str, Any], name: str, kind: str) -> None:
    assert compare(book, name, kind) == []


@pytest.mark.parametrize("name", PARTS)
def test_goldens__each_kind_has_one(book: dict[str, Any], name: str) -> None:
    assert set(book["goldens"][name]) == set(PARTS[name].kinds)


# --- what the checks notice --------------------------------------------------------------------------


def walk(steps: int, wrong_at: int | None = None) -> dict[str, Any]:
    """A trail over numbers, one of which may be another one."""
    trail = Trail()
    for step in range(1, steps + 1):
        trail.feed(np.array([-1 if step == wrong_at else step]))
    return trail.close()


@pytest.mark.parametrize("wrong_at", [1, MARK_EVERY, MARK_EVERY + 1, 4 * MARK_EVERY - 3])
def test_trails__tell_where_they_part(wrong_at: int) -> None:
    assert list(list_differences({"records": walk(100)}, {"records": walk(100)})) == []
    begin = (wrong_at - 1) // MARK_EVERY * MARK_EVERY
    words = f"first differs in steps {begin + 1} to {begin + MARK_EVERY}"
    assert compare_trails(walk(100), walk(100, wrong_at)) == words
    assert list(list_differences({"records": walk(100)}, {"records": walk(100, wrong_at)})) == [f"records: {words}"]


@pytest.mark.parametrize(
    ("golden", "found", "words"),
    [
        (walk(45), walk(44), [": first differs in steps 41 to 60; 45 steps have become 44"]),
        ({**walk(45), "log": "a"}, {**walk(45), "log": "b"}, ['log: was "a", is "b"']),
        (
            {"same": 1, "changed": [1, 2], "gone": 3},
            {"same": 1, "changed": [1, 4], "added": 5},
            ["changed[1]: was 2, is 4", "gone: is missing", "added: is new"],
        ),
    ],
)
def test_differences__are_told(golden: dict[str, Any], found: dict[str, Any], words: list[str]) -> None:
    assert list(list_differences(golden, found)) == words


def test_records__are_hashed_by_name_whatever_their_layout() -> None:
    fields = {"money": "<i4", "seat": "<i2"}
    one = np.zeros(3, [("money", "<i4", (2,)), ("seat", "<i2")])
    one["money"], one["seat"] = [[1, 2], [3, 4], [5, 6]], [0, 1, -1]
    other = np.zeros(3, [("seat", "<i8"), ("spare", "i1", (5,)), ("money", "<i2", (2,))])
    other["money"], other["seat"] = one["money"], one["seat"]
    assert digest_records(one, fields) == digest_records(other, fields)
    other["seat"][1] = 2
    assert digest_records(one, fields) != digest_records(other, fields)
    with pytest.raises(ValueError, match="no field money"):
        digest_records(np.zeros(1, [("seat", "<i2")]), fields)


def test_digests__mean_the_same_whatever_the_storage() -> None:
    assert digest(np.array([1, 2], np.int8)) == digest(np.array([1, 2], np.int64))
    assert digest((1, "a")) == digest([np.int16(1), "a"])
    different = [1, True, 1.0, "1", [1], np.array(1), np.array([1]), np.array([1.0]), {"1": 1}, None]
    assert len({digest(value) for value in different}) == len(different)
    with pytest.raises(TypeError, match="object"):
        digest(object())


def test_game_ids__are_no_difference_but_other_entries_are() -> None:
    content = {"game": "steam_power", "rules": {"game": "steam_power", "map": "mini"}, "steps": [{"id": 1}]}
    assert drop_game_id(content) == {"rules": {"map": "mini"}, "steps": [{"id": 1}]}
    assert drop_game_id({"game": 3}) == {"game": 3}
