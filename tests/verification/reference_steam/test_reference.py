"""The reference engine by itself: its independence."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
OWN = "tests.verification.reference_steam"


def list_imports(path: Path) -> Iterator[str]:
    """The modules that a source file imports from."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


def test_reference__shares_nothing_with_the_product() -> None:
    """All that it imports is its own or Python's."""
    sources = [path for path in HERE.glob("*.py") if not path.name.startswith("test_")]
    assert len(sources) > 15
    for path in sources:
        for module in list_imports(path):
            own = module == OWN or module.startswith(f"{OWN}.")
            assert own or module.split(".")[0] in sys.stdlib_module_names, f"{path.name} imports {module}"
