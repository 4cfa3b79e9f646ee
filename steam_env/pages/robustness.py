"""The tables of ``docs/robustness.md``: how agents stand against simple habits, from the files in ``docs/holes/``.

Each file is written by ``python -m steam_env.evaluation.holes AGENT``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steam_env.evaluation.agent_names import find_deviations
from steam_env.evaluation.holes import RESULTS, tabulate
from steam_env.evaluation.report import Grid, grid_to_markdown, say_percent
from steam_env.pages.blocks import Makers, renew_file
from steam_env.pages.markdown import code, join, say_commit, table
from steam_env.spec import Deviations

PAGE = Path("docs") / "robustness.md"
FOLDER = Path("docs") / "holes"
NOTHING = "No results are stored."

Content = dict[str, Any]


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, make_blocks(RESULTS.read_all(FOLDER)))}


def make_blocks(contents: list[Content]) -> Makers:
    """The functions that write the blocks of the page, from the contents of result files."""
    return {
        "habits": lambda: tabulate_meanings(find_deviations()),
        "summary": lambda: tabulate_summary(contents) if contents else NOTHING,
        "details": lambda: join(*map(tell_details, contents)) if contents else NOTHING,
    }


def tabulate_meanings(deviations: Deviations | None) -> str:
    """A table of a game's habits."""
    rows = {} if deviations is None else deviations.meanings
    return table(("habit", "an agent that has it"), ((f"`{name}`", meaning) for name, meaning in rows.items()), words=2)


def tabulate_summary(contents: list[Content]) -> str:
    """A table of the habit that wins most against each agent, of its own and of another agent."""
    rows = []
    for content in contents:
        for found in content["tables"]:
            own = next(row for row in found["rows"] if row["of"] == content["agent"])
            others = [row for row in found["rows"] if row["of"] not in (content["agent"], row["name"])]
            worst = max(others, key=lambda row: row["fresh"]["mean"] - row["limit"], default=None)
            cells = [("-", "-", "-") if row is None else _say_row(row) for row in (own, worst)]
            where = (content["agent"], tell_setting(content), str(found["seats"]))
            rows.append((*where, *cells[0], *cells[1], str(len(found["holes"]))))
    columns = ("agent", "setting", "seats", "own habit", "wins", "limit", "another's", "wins", "limit", "holes")
    return table(columns, rows, words=2)


def _say_row(row: Content) -> tuple[str, str, str]:
    return f"`{row['name']}`", say_percent(row["fresh"]["mean"]), say_percent(row["limit"])


def tell_setting(content: Content) -> str:
    """What the games were played with, such as a map, by name."""
    named = [value["name"] for value in content["fixed"].values() if isinstance(value, dict) and "sha256" in value]
    return ", ".join(named)


def _tell_origin(content: Content) -> str:
    if "run" not in content:
        return "The search has not ended."
    return f"Ended on {content['run']['finished_utc'][:10]}, commit {say_commit(content['software'])}."


def tell_details(content: Content) -> str:
    """All tables of one file, with the command that makes it."""
    grids = [tabulate(content, found) for found in content["tables"]]
    told = [f"**{grid.title}**\n\n{grid_to_markdown(Grid('', grid.columns, grid.rows))}" for grid in grids]
    title = f"### {content['agent']}, {tell_setting(content)}"
    return join(title, code([content["command"]]), _tell_origin(content), *told)
