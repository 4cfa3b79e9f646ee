"""The notebooks run from top to bottom, with less of everything; they are stored as they are before the first run."""

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CELL_SECONDS = 600  # the first one may have to compile the rules
PARAMETERS = "parameters"  # the tag of the cell whose values the test replaces

# What a test takes instead of what a reader does: enough for every line to run.
SMALL: dict[str, dict[str, Any]] = {
    "1_first_game": {},
    "2_masks_and_random_policy": {"GAMES": 2},
    "3_heuristic_against_the_mautoma": {"GAMES": 2, "LEVELS": ["normal"]},
    "4_training": {"STEPS": 4096, "TEST_GAMES": 2},
    "5_batch_experiments": {"DEALS": 10},
    "6_scenarios_and_search": {"WORLDS": 4, "THOUGHTS": 16, "DEALS": 2, "BUDGET": 2},
    "7_any_map": {"DECISIONS": 2048, "MAPS": 2, "TESTED": 4},
    "8_what_a_delivery_is_worth": {"GAMES": 2},
}
NEEDS = {"4_training": "sb3_contrib", "7_any_map": "sb3_contrib"}  # of the extra `train`
FORGET = "%reset -f\n%config InlineBackend.figure_formats = ['png']"


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


def test_notebooks__all_are_there_and_each_has_its_small_size() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(SMALL)


def small_cells(path: Path) -> list[nbformat.NotebookNode]:
    cells, values = read(path).cells, SMALL[path.stem]
    if values:
        (index,) = (n for n, cell in enumerate(cells) if PARAMETERS in cell.metadata.get("tags", []))
        assert all(f"{name} = " in cells[index].source for name in values)
        small = "\n".join(f"{name} = {value!r}" for name, value in values.items())
        cells.insert(index + 1, nbformat.v4.new_code_cell(small))
    return [nbformat.v4.new_code_cell(FORGET), *cells]


def test_notebooks__run_from_top_to_bottom(tmp_path: Path) -> None:
    """One after the other in one kernel, which forgets all names between them."""
    parts = {
        path.stem: small_cells(path)
        for path in NOTEBOOKS
        if path.stem not in NEEDS or importlib.util.find_spec(NEEDS[path.stem])
    }
    whole = read(NOTEBOOKS[0])
    whole.cells = [cell for cells in parts.values() for cell in cells]
    client = NotebookClient(whole, timeout=CELL_SECONDS, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "IPYTHONDIR": str(tmp_path / "ipython")})
    for name, cells in parts.items():
        outputs = [output for cell in cells for output in cell.get("outputs", [])]
        assert any("image/svg+xml" in output.get("data", {}) for output in outputs), name
    assert not [entry for entry in tmp_path.iterdir() if entry.name != "ipython"]  # a notebook leaves no files


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook__is_stored_as_it_should_be_read(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    assert notebook.cells[0].cell_type == "markdown"
    title, opening, *points = notebook.cells[0].source.split("\n\n")
    assert title.startswith("# ")
    assert opening == "In this notebook you"
    assert points[0].startswith("- ")
    links = [link for cell in notebook.cells for link in re.findall(r"\]\(([^)#]+)", cell.source)]
    assert [link for link in links if not (path.parent / link).exists()] == []
    assert f"notebooks/{path.name}" in (ROOT / "README.md").read_text(encoding="utf-8")
