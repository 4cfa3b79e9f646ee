"""Hashes of what files mean: which changes of a source or of a policy file they notice, and which not."""

import json
from pathlib import Path

import pytest

from steam_env.evaluation.source_hash import hash_definitions, hash_files, list_statements

OLD = '''"""Worth of cities."""
from steam_env.core.state import MAX_CITIES, NONE
import numpy as np

LEAST = 2  # dollars

class Worth:
    """What a city is worth."""

def rate(cities, *, few=False):
    """The best city."""
    best = NONE
    for city in range(MAX_CITIES):
        if cities[city]>=LEAST and not few: best = city
    return f"city {best:>{LEAST}}"
'''
NEW = '''"""Another text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import MAX_CITIES

if TYPE_CHECKING:
    from steam_env.table.view import View

LEAST = 0x2
"""Dollars."""


class Worth:
    pass


def rate(
    cities,
    *,
    few=False,
):
    # the last one wins
    best = NONE
    for city in range(MAX_CITIES):
        if (cities[city] >= LEAST) and (not few):
            best = city
    return f'city {best:>{LEAST}}'
'''


def test_spelling_does_not_count() -> None:
    assert list_statements(OLD) == list_statements(NEW) == list_statements(NEW.replace("\n", "\r\n").encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LEAST = 2", "LEAST = 3"),
        ("LEAST = 2", "LEAST = 2.0"),
        ("LEAST = 2", "LEAST = True"),
        ("LEAST = 2", "least = 2"),
        (">=", ">"),
        ("not few", "few"),
        (" and ", " or "),
        ("rate", "worth"),
        ("*, few", "few"),
        ("best = NONE", "best = None"),
        ("best = NONE", "best = (NONE,)"),
        ("    return", "        return"),
        ("city {", "city  {"),
        (":>{", ":<{"),
    ],
)
def test_what_is_meant_counts(old: str, new: str) -> None:
    assert old in OLD
    assert list_statements(OLD.replace(old, new)) != list_statements(OLD)


@pytest.mark.parametrize(("one", "other"), [("a = [b]", "a = (b,)"), ("a(*b)", "a(b)"), ("a = {**b}", "a = {b}")])
def test_like_statements_differ(one: str, other: str) -> None:
    assert list_statements(one) != list_statements(other)


def test_names_of_files_count_but_not_where_a_definition_stands(tmp_path: Path) -> None:
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    for path, text in ((first, "A = 1\nB = 2"), (second, "C = 3")):
        path.write_text(text)
    before = hash_definitions([first, second], []), hash_files([first, second])
    assert before[1] == hash_files([second, first, first])
    first.write_text("A = 1")
    second.write_text("C = 3\n\nB = 2\n")
    assert hash_definitions([second, first], []) == before[0]
    assert hash_files([first, second]) != before[1]
    first.write_text("A = 2")
    assert hash_definitions([first, second], []) != before[0]
    first.write_text("A =")
    with pytest.raises(ValueError, match=r"first\.py: no Python"):
        hash_files([first])


def test_a_policy_is_its_weights_and_its_network(tmp_path: Path) -> None:
    torch, safetensors = pytest.importorskip("torch"), pytest.importorskip("safetensors.torch")
    path = tmp_path / "mine.safetensors"

    def hash_policy(weights: dict[str, list[float]], dtype: str = "float32", width: int = 8, **about: str) -> str:
        tensors = {name: torch.tensor(values, dtype=getattr(torch, dtype)) for name, values in weights.items()}
        safetensors.save_file(tensors, path, {"about": json.dumps({"network": {"width": width}, **about})})
        return hash_files([path])

    first = hash_policy({"a": [0.0], "b": [1.0, 2.0]})
    assert hash_policy({"b": [1.0, 2.0], "a": [0.0]}, note="other") == first
    others = [
        hash_policy({"a": [-0.0], "b": [1.0, 2.0]}),
        hash_policy({"a": [0.0], "c": [1.0, 2.0]}),
        hash_policy({"a": [0.0], "b": [1.0, 2.0]}, dtype="bfloat16"),
        hash_policy({"a": [0.0], "b": [1.0, 2.0]}, width=16),
    ]
    assert len({first, *others}) == 5
