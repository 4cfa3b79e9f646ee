"""``python -m steam_env.pages.steam_power.readme``: print or renew the README's board and result tables."""

import argparse
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from steam_env.pages.steam_power.gallery import BOARD, REPLAY

BLOCK = re.compile(r"(<!-- readme (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
RESULTS = Path("docs") / "benchmark" / "levels.json"
POLICY = Path("agents") / "policies" / "duel.json"


def show_board(root: Path) -> str:
    """The picture of a board, and its game as a page; ``steam_env.pages.steam_power.gallery`` draws both."""
    picture = f"![{BOARD.caption}](docs/{BOARD.name}.svg)\n"
    return f"{picture}\n[That game, step by step](docs/{REPLAY}): a page to save and open in a browser.\n"


def tabulate_results(root: Path) -> str:
    """Greedy against each Automa level, from the benchmark's result file."""
    rows = json.loads((root / RESULTS).read_text(encoding="utf-8"))["rows"]
    lines = [
        "| opponent | games | greedy wins | 95 % interval | VP, greedy : Automa | rounds |",
        "| --- | ---: | ---: | --- | --- | --- |",
        *(_tell_row(row) for row in rows if row["agents"][0]["name"] == "greedy"),
    ]
    return "\n".join(lines) + "\n"


def _tell_row(row: dict[str, Any]) -> str:
    """One line of the table: greedy's results against a level."""
    results = row["results"]
    greedy, automa = results["agents"]
    wins = greedy["win_rate"]
    points = f"{greedy['victory_points']['mean']:.1f} : {automa['victory_points']['mean']:.1f}"
    quartiles = f"{results['rounds']['lower_quartile']:.0f} to {results['rounds']['upper_quartile']:.0f}"
    rate = f"{100 * wins['mean']:.1f} %"
    interval = f"{100 * wins['low']:.1f} to {100 * wins['high']:.1f} %"
    return f"| `{automa['label']}` | {results['games']:,} | {rate} | {interval} | {points} | {quartiles} |"


def tabulate_policy(root: Path) -> str:
    """The shipped policy `duel` against greedy and each Automa level, from what is known of it."""
    lines = ["| opponent | games | `duel` wins | 95 % interval | VP margin |", "| --- | ---: | ---: | --- | ---: |"]
    for match in json.loads((root / POLICY).read_text(encoding="utf-8"))["matches"]:
        rate, low, high = (100 * value for value in match["win_rate"])
        interval, margin = f"{low:.1f} to {high:.1f} %", match["margin"][0]
        lines.append(f"| `{match['against']}` | {match['games']:,} | {rate:.1f} % | {interval} | {margin:+.1f} |")
    return "\n".join(lines) + "\n"


PARTS: dict[str, Callable[[Path], str]] = {
    "board": show_board,
    "results": tabulate_results,
    "policy": tabulate_policy,
}


def renew(text: str, root: Path) -> str:
    """The page with every block printed anew."""
    return BLOCK.sub(lambda block: block[1] + PARTS[block[2]](root) + block[3], text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the blocks, or write them into a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", type=Path, metavar="PAGE", help="write the blocks into this page instead")
    page = parser.parse_args(arguments).update
    root = Path.cwd() if page is None else page.resolve().parent
    if page is None:
        print("\n".join(part(root) for part in PARTS.values()))
    else:
        page.write_text(renew(page.read_text(encoding="utf-8"), root), encoding="utf-8")


if __name__ == "__main__":
    main()
