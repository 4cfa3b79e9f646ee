"""The reference engine by itself: its independence, and what it asks of chance."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from steam_env.data.steam_power.maps import load_map
from tests.verification.reference import Reference

HERE = Path(__file__).parent
ALLOWED = {  # of the product
    "steam_env": {"Rules"},
    "steam_env.data.steam_power.maps": {"Map", "load_map", "parse_map"},
    "steam_env.data.steam_power.decks": {"Deck", "load_deck", "parse_deck"},
}


def list_imports(path: Path) -> Iterator[tuple[str, str]]:
    """(module, name) of all that a source file imports; without a name the module as a whole."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((str(node.module), name.name) for name in node.names)


def test_reference__shares_nothing_with_the_core() -> None:
    """Of the product it imports the reading of files and ``Rules`` alone; all else is its own or Python's."""
    sources = [path for path in HERE.glob("*.py") if not path.name.startswith("test_")]
    assert len(sources) > 10
    for path in sources:
        for module, name in list_imports(path):
            own = (
                module.split(".")[:3] == ["tests", "verification", "reference"]
                or module.split(".")[0] in sys.stdlib_module_names
            )
            assert own or name in ALLOWED.get(module, ()), f"{path.name} imports {name} of {module}"


def test_reference__asks_for_the_right_outcomes() -> None:
    """Too few, too many, or a contract that is not in the hand."""
    scenario = {
        "rules": {"num_players": 2},
        "cities": "W" * len(load_map("mini").cities),
        "map": "mini",
        "seats": {"hands": [[], [3, 4]], "fulfilled": [[], [n for n in range(48) if n not in (3, 4)]]},
        "deck": {"order": []},
    }
    events = Reference.from_scenario(scenario).step("contracts", [4])
    assert events == [{"kind": "take", "actor": 0, "contract": 4, "from_seat": 1}]
    for outcomes in ([], [5], [4, 3]):
        with pytest.raises(AssertionError):
            Reference.from_scenario(scenario).step("contracts", outcomes)
