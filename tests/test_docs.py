"""Pages, examples and notebooks name modules, attributes and files that there are. Nothing is imported."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("agents", "benchmarks", "docs", "examples", "notebooks", "steam_env", "tests")
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in (
        "*.md",
        "*.py",
        "Makefile",
        "docs/**/*.md",
        "examples/*.py",
        "notebooks/*.ipynb",
        "steam_env/**/*.py",
    )
    for path in ROOT.glob(pattern)
)
DOTTED = re.compile(r"(?<![\w./-])(?:steam_env|tests|benchmarks)(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?")
PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join(FOLDERS)})/[\w./-]*\w/?(?![\w*])")
IMPORT = re.compile(r"from (steam_env[\w.]*) import ([\w, ]+)")
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
FIRST_CELL = re.compile(r"^\|[^|]*\|", re.MULTILINE)
OLD = ("steam_env.pages.benchmark",)  # in the command of a result that is older
MADE = (  # programs write it
    "docs/trust/invariants.json",
    "docs/leaderboard/gen-v1-random.json",
    "docs/leaderboard/steam/AGENT.json",
    "docs/holes/steam",
    "tests/verification/found/",
)


@cache
def list_names(file: Path) -> set[str]:
    """What a module defines or imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


def is_there(dotted: str) -> bool:
    """Whether a dotted name leads to a module, or to what one defines."""
    folder, module = ROOT, None
    for part in dotted.replace(":", ".").split("."):
        file = folder / f"{part}.py"
        if not file.is_file():
            file = folder / part / "__init__.py"
        if not file.is_file():  # the rest are attributes; the first of them is looked at
            return module is not None and (part in list_names(module) or part.startswith("__"))
        folder, module = folder / part, file
    return True


def test_is_there__finds_what_is_missing() -> None:
    fine = ("steam_env.spec", "steam_env.spec.find_spec", "steam_env.agents.greedy:GreedyAgent", "tests.toy:SPEC")
    assert all(map(is_there, fine))
    assert not any(map(is_there, ("steam_env.game", "steam_env.spec.NOTHING", "tests.toy:NOTHING", "steam_env.a.b")))


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_what_there_is(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    if page == "CHANGELOG.md":
        text = FIRST_CELL.sub("", text)  # commands as they were
    dotted = DOTTED.findall(text)
    dotted += [f"{module}.{name.split()[0]}" for module, names in IMPORT.findall(text) for name in names.split(",")]
    missing = [name for name in dotted if not name.startswith(OLD) and not is_there(name)]
    missing += [path for path in PATH.findall(text) if not path.startswith(MADE) and not (ROOT / path).exists()]
    if page.endswith(".md"):
        missing += [link for link in LINK.findall(text) if not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing
