"""Hashes of source and policy files that change with their meaning, not with spelling or comments.

A Python file means its syntax tree without imports and docstrings: comments, formatting and the version of Python that
reads it do not count either. A policy means its weights and its net's configuration, whatever else its file tells.
Any other file means its bytes.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import cast

from steam_env.agents.policy_files import SUFFIX, read_policy

SPELLING = frozenset({"ctx", "kind", "type_comment"})  # fields of a syntax tree that say nothing more


def hash_files(files: Iterable[Path]) -> str:
    """SHA-256 over the names of files and what each means; the order in which they are given does not count."""
    return _hash_texts(sorted(f"{path.name} {_hash_meaning(path)}" for path in set(files)))


def hash_definitions(sources: Iterable[Path], others: Iterable[Path]) -> str:
    """SHA-256 over the top-level statements of Python files taken together, and over ``others`` as ``hash_files``.

    It does not count which file a statement stands in.
    """
    statements = sorted(text for path in sources for text in _read_statements(path))
    return _hash_texts([*statements, hash_files(others)])


def _read_statements(path: Path) -> list[str]:
    try:
        return list_statements(path.read_bytes())
    except SyntaxError as error:
        raise ValueError(f"{path}: no Python: {error}") from None


def list_statements(source: str | bytes) -> list[str]:
    """The top-level statements of a Python file as texts that are the same for every spelling.

    Raises:
        SyntaxError: if it is no Python.
    """
    return [_describe(statement) for statement in ast.parse(source).body if not _is_left_out(statement)]


def _hash_meaning(path: Path) -> str:
    if path.suffix == ".py":
        return _hash_texts(_read_statements(path))
    if path.suffix == SUFFIX:
        return _hash_policy(path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash_policy(path: Path) -> str:
    """SHA-256 over the tensors of a policy, by name, and over its net's configuration."""
    import torch

    about, weights = read_policy(path)
    texts = [json.dumps(about.get("network"), sort_keys=True)]
    for name, tensor in sorted(weights.items()):
        content = hashlib.sha256(tensor.flatten().view(torch.uint8).numpy().tobytes()).hexdigest()
        texts.append(f"{name} {tensor.dtype} {list(tensor.shape)} {content}")
    return _hash_texts(texts)


def _hash_texts(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _describe(statement: ast.AST) -> str:
    """A statement as a text: each part of its tree with the field that it stands in and the number of its own parts."""
    words, waiting = [], [("", cast("object", statement))]
    while waiting:
        field, part = waiting.pop()
        label, inner = _open(part)
        words.append(f"{field}:{label}:{len(inner)}")
        waiting += reversed(inner)
    return " ".join(words)


def _open(part: object) -> tuple[str, list[tuple[str, object]]]:
    """What a part of a syntax tree is called, and the parts in it by field: a constant is told by type and value."""
    if isinstance(part, ast.JoinedStr):  # Python 3.12.1 puts empty texts into some
        return "JoinedStr", [("", value) for value in part.values if getattr(value, "value", None) != ""]
    if isinstance(part, list):
        return "list", [("", item) for item in part if not _is_left_out(item)]
    if isinstance(part, ast.AST) and not isinstance(part, ast.Constant):
        fields = [(name, value) for name, value in ast.iter_fields(part) if name not in SPELLING]
        return type(part).__name__, [(name, value) for name, value in fields if not _is_empty(value)]
    value = part.value if isinstance(part, ast.Constant) else part
    return f"{type(value).__name__} {value!a}", []  # !a: what !r escapes depends on the version of Python


def _is_empty(value: object) -> bool:
    """Whether a field holds nothing that counts."""
    return value is None or (isinstance(value, list) and all(map(_is_left_out, value)))


def _is_left_out(node: object) -> bool:
    """Whether it is an import, a docstring or another string that stands alone, a ``pass``, or for type checkers."""
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not node.orelse
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Pass)
