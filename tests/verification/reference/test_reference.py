"""The reference engine by itself: its independence."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

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
