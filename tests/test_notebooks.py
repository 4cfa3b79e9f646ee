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
    "6_scenarios_and_search": {"WORLDS": 4},
}
NEEDS = {"4_training": "sb3_contrib"}


def read(path: Path) -> nbformat.NotebookNode:
    return nbformat.read(path, as_version=4)


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_notebooks__all_six_are_there_and_each_has_its_small_size() -> None:
    assert [path.stem for path in NOTEBOOKS] == list(SMALL)


def test_notebook__runs_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    needed = NEEDS.get(path.stem)
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed: the extra `train` has it")
    notebook, values = read(path), SMALL[path.stem]
    if values:
        (index,) = (n for n, cell in enumerate(notebook.cells) if PARAMETERS in cell.metadata.get("tags", []))
        assert all(f"{name} = " in notebook.cells[index].source for name in values)
        small = "\n".join(f"{name} = {value!r}" for name, value in values.items())
        notebook.cells.insert(index + 1, nbformat.v4.new_code_cell(small))
    client = NotebookClient(notebook, timeout=CELL_SECONDS, resources={"metadata": {"path": str(tmp_path)}})
    client.execute(env={**os.environ, "IPYTHONDIR": str(tmp_path / "ipython")})
    assert any(
        "image/svg+xml" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert not [entry for entry in tmp_path.iterdir() if entry.name != "ipython"]  # a notebook leaves no files


def test_notebook__opens_with_what_it_teaches(path: Path) -> None:
    first = read(path).cells[0]
    assert first.cell_type == "markdown"
    title, opening, *points = first.source.split("\n\n")
    assert title.startswith("# ")
    assert opening == "In this notebook you"
    assert points[0].startswith("- ")


def test_notebook__is_stored_without_outputs(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


def test_notebook__links_lead_somewhere(path: Path) -> None:
    links = [link for cell in read(path).cells for link in re.findall(r"\]\(([^)#]+)", cell.source)]
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_readme__lists_every_notebook(path: Path) -> None:
    assert f"notebooks/{path.name}" in (ROOT / "README.md").read_text(encoding="utf-8")
