"""Tells the results of runs as tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

MINUTE = 60
PER = 10_000  # decisions
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
    versions = f"Python {software['python']}, NumPy {software['numpy']}, Numba {software['numba']}"
    commits = ", ".join(run.get("commits", [tell_commit(software)]))  # several if it was taken up later
    games = f"{run['games']:,}" + (f" from number {run['first']}" if run["first"] else "")
    return (
        f"| {run['seed']} | {games} | {run['deals']:,} | {run['decisions']:,} | {len(run['differences'])} "
        f"| {run['seconds'] / MINUTE:.0f} | {run['processes']} | {commits} | {versions} |"
    )


def tell_commit(software: dict[str, Any]) -> str:
    """The commit that a result was made at."""
    git = software["git"] or {"commit": "none", "dirty": False}
    return git["commit"][:10] + (" and changes" if git["dirty"] else "")


def find_rare(met: Mapping[str, int], least: Mapping[str, float]) -> dict[str, tuple[int, int]]:
    """What was met too seldom for so many decisions: how often, and how often it should have been.

    Args:
        met: how often, the decisions by that name.
        least: by what is met, how often it must be in ``PER`` decisions.
    """
    share = met["decisions"] / PER
    wanted = {what: int(count * share) for what, count in least.items()}
    return {what: (met.get(what, 0), count) for what, count in wanted.items() if met.get(what, 0) < count}
