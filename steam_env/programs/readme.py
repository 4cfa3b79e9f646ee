"""``python -m steam_env.programs.readme``: print the README's board and result table, or renew them in place."""

import argparse
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from steam_env.agents import make_agent
from steam_env.game import Game
from steam_env.rules import Rules

BLOCK = re.compile(r"(<!-- readme (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
RESULTS = Path("docs") / "benchmark" / "levels.json"
BOARD_SEED = 4
BOARD_ROUND = 5


def draw_board(root: Path) -> str:
    """A position of greedy against an Automa on the small map, as text."""
    game = Game(Rules(map="mini", contracts="mini", automas=1), seed=BOARD_SEED)
    agent = make_agent("greedy")
    agent.reset(BOARD_SEED)
    while game.round < BOARD_ROUND:
        game.step(int(agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0]))
    return f"```text\n{game.render()}```\n"


def tabulate_results(root: Path) -> str:
    """Greedy against each Automa level, from the benchmark's result file."""
    rows = json.loads((root / RESULTS).read_text(encoding="utf-8"))
    lines = [
        "| opponent | games | greedy wins | 95 % interval | VP greedy : Automa |",
        "| --- | ---: | ---: | --- | --- |",
    ]
    lines += [_result_row(row) for row in rows]
    return "\n".join(lines) + "\n"


def _result_row(row: dict[str, object]) -> str:
    raise SystemExit(str(row))


PARTS: dict[str, Callable[[Path], str]] = {"board": draw_board, "results": tabulate_results}


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
