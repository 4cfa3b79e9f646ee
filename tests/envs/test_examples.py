"""The examples in the environments' docstrings and on their pages run."""

import doctest
import re
from typing import Any

import pytest

from steam_env.envs import aec, pool, single, vector
from tests.envs.faces import IDS, PAGES


@pytest.mark.parametrize("module", [aec, pool, single, vector])
def test_docstrings__examples_run(module: Any) -> None:
    results = doctest.testmod(module)
    assert (results.failed, results.attempted > 0) == (0, True)


def run_page(name: str, word: str = "") -> dict[str, Any]:
    """The names that a page's first code with this word leaves."""
    page, names = (PAGES / f"{name}.md").read_text(encoding="utf-8"), {}
    exec(next(code for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if word in code), names)
    return names


def test_pages__code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert sum(run_page("steam_power_v0")["returns"].values()) == pytest.approx(0)
    for name in IDS:
        assert run_page(name)["terminated"]
    assert capsys.readouterr().out.count("total") > len(IDS)
    assert run_page("vector", "make_vec")["episodes"] >= 8
    assert capsys.readouterr().out.count("True") >= 8  # a winner in each game
