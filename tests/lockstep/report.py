"""Writes results of runs into a page: ``python -m tests.lockstep.report docs/trust.md docs/trust/lockstep*.json``."""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.lockstep.coverage import PER

BLOCK = re.compile(r"(<!-- lockstep runs -->\n).*?(<!-- end -->\n)", re.DOTALL)
MINUTE = 60
ALL = ("decisions", "games", "deals", "differences", "seconds")
UNTOLD = ("event ", "text ", "phase ")  # counted, but no corners of the rules


def tell_runs(runs: Sequence[dict[str, Any]]) -> str:
    """One line for each run, their sum, and what was met."""
    lines = [
        "| seed | games | of them deals | decisions | differences | minutes | processes | commit | versions |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |",
        *(_tell_run(run) for run in runs),
    ]
    met = Counter[str]()
    for run in runs:
        met.update(run["met"])
    decisions = met["decisions"]
    games = sum(run["games"] for run in runs)
    differences = sum(len(run["differences"]) for run in runs)
    lines += [
        "",
        f"Together: **{decisions:,} decisions in {games:,} games, {differences or 'no'} "
        f"difference{'' if differences == 1 else 's'}**. What was met, and how often:",
        "",
        f"| met | times | in {PER:,} decisions |",
        "| --- | ---: | ---: |",
    ]
    lines += [
        f"| {what} | {count:,} | {count * PER / decisions:.1f} |"
        for what, count in sorted(met.items())
        if not what.startswith(UNTOLD) and what != "decisions"
    ]
    return "\n".join(lines) + "\n"


def _tell_run(run: dict[str, Any]) -> str:
    software = run["software"]
    git = software["git"] or {"commit": "none", "dirty": False}
    commit = git["commit"][:10] + (" and changes" if git["dirty"] else "")
    versions = f"Python {software['python']}, NumPy {software['numpy']}, Numba {software['numba']}"
    games = f"{run['games']:,}" + (f" from number {run['first']}" if run["first"] else "")
    return (
        f"| {run['seed']} | {games} | {run['deals']:,} | {run['decisions']:,} | {len(run['differences'])} "
        f"| {run['seconds'] / MINUTE:.0f} | {run['processes']} | {commit} | {versions} |"
    )


def main() -> None:
    """Renew the page's block."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="the page with the block")
    parser.add_argument(
        "results", type=Path, nargs="+", help="JSON files that `python -m tests.lockstep --output` wrote"
    )
    options = parser.parse_args()
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in options.results]
    told = tell_runs(runs)
    page = options.page.read_text(encoding="utf-8")
    options.page.write_text(BLOCK.sub(lambda block: block[1] + told + block[2], page), encoding="utf-8")


if __name__ == "__main__":
    main()
