"""The tables of ``docs/search.md``: what thinking is worth, from the files in ``docs/search/``.

Each file is written by ``python -m steam_env.evaluation.search_curve AGENT --json FILE``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steam_env.evaluation.report import Grid, grid_to_markdown
from steam_env.evaluation.search_curve import RESULTS, tabulate
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import code, join, say_commit

PAGE = Path("docs") / "search.md"
FOLDER = Path("docs") / "search"
NOTHING = "No results are stored."

Content = dict[str, Any]


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, make_blocks(RESULTS.read_all(FOLDER)))}


def make_blocks(contents: list[Content]) -> Makers:
    """The functions that write the blocks of the page, from the contents of result files."""
    return {"curves": lambda: join(*map(tell_curve, contents)) if contents else NOTHING}


def tell_curve(content: Content) -> str:
    """The table of one file, with the command that makes it."""
    grid = tabulate(content, tuple(dict.fromkeys(block["agent"] for block in content["blocks"])))
    origin = f"Ended on {content['finished_utc'][:10]}, commit {say_commit(content['software'])}."
    told = grid_to_markdown(Grid("", grid.columns, grid.rows))
    return join(f"**{grid.title}**", code([content["command"]]), told, origin)
