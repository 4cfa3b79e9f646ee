"""The README's picture and result tables."""

from pathlib import Path
from typing import Any

from steam_env.kit.json_text import read_json
from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import INTERVAL, say_rate, table
from steam_env.pages.policies import read_shipped, say_estimates
from steam_env.pages.steam_power.gallery import BOARD

PAGE = Path("README.md")
RESULTS = Path("docs") / "benchmark" / "levels.json"


def make_files() -> dict[Path, str]:
    """The page's text by its path."""
    return {PAGE: renew_file(PAGE, {"board": show_board, "results": tabulate_results, "policy": tabulate_policy})}


def show_board() -> str:
    """The picture of a board; ``gallery`` draws it."""
    return f"![{BOARD.caption}]({BOARD.file.as_posix()})"


def tabulate_results() -> str:
    """A table of greedy against each Automa level, from the benchmark's result file."""
    rows = read_json(RESULTS, "result")["rows"]
    columns = ("opponent", "games", "greedy wins", INTERVAL, "VP, greedy : Automa", "rounds")
    return table(columns, (tell_row(row["results"]) for row in rows if row["agents"][0]["name"] == "greedy"))


def tell_row(results: dict[str, Any]) -> tuple[str, ...]:
    """The row of greedy's results against a level."""
    greedy, automa = results["agents"]
    points = " : ".join(f"{agent['victory_points']['mean']:.1f}" for agent in (greedy, automa))
    quartiles = f"{results['rounds']['lower_quartile']:.0f} to {results['rounds']['upper_quartile']:.0f}"
    return f"`{automa['label']}`", f"{results['games']:,}", *say_rate(greedy["win_rate"]), points, quartiles


def tabulate_policy(name: str) -> str:
    """A table of a shipped policy against the opponents that it is measured by."""
    columns = ("opponent", "games", f"`{name}` wins", INTERVAL, "1/n", "VP margin", INTERVAL)
    rows = (
        (f"`{match['against']}`", f"{match['games']:,}", *say_estimates(match))
        for match in read_shipped(name)["matches"]
    )
    return table(columns, rows)
