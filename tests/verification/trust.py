"""The tables of docs/trust.md, from the results in docs/trust/."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from steam_env.pages.blocks import renew_file
from steam_env.pages.markdown import join, table
from tests.verification.lockstep.report import tell_commit, tell_runs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "trust.md"
RESULTS = ROOT / "docs" / "trust"

Results = Sequence[dict[str, Any]]


def tell_invariants(runs: Results) -> str:
    """One line for each run."""
    rows = (
        (
            tell_commit(run["software"]),
            str(run["seed"]),
            *(f"{run[count]:,}" for count in ("games", "decisions")),
            "none",
            f"{run['seconds'] / 60:.0f}",
        )
        for run in runs
    )
    return table(("commit", "seed", "games", "decisions", "violations", "minutes"), rows)


def tell_mutants(runs: Results) -> str:
    """The faults by section, and each with the test that noticed it."""
    faults = runs[0]["faults"]
    commits = sorted({fault["commit"] for fault in faults})
    caught = sum(fault["verdict"].startswith("caught") for fault in faults)
    rows = ((fault["rule"], fault["what"], f"`{fault['place']}`", _tell_verdict(fault)) for fault in faults)
    return join(
        f"**{caught} of {len(faults)} faults are caught** (commit {', '.join(commits)}).",
        table(("rule", "fault", "kernel", "noticed by"), rows, words=4),
    )


def _tell_verdict(fault: dict[str, Any]) -> str:
    if fault["verdict"] == "caught":
        return f"`{fault['noticed_by'].rpartition('/')[2].replace('|', '¦')}`"
    return f"**{fault['verdict']}**" if not fault["verdict"].startswith("caught") else fault["verdict"]


def tell_fuzz(runs: Results) -> str:
    """One line for each target."""
    (run,) = runs
    rows = (
        (
            name,
            f"{row['executions']:,}",
            f"{row['seconds'] / 60:.1f}",
            f"{row['corpus']['seeds']}, {row['corpus']['at the end']}",
            f"{row['coverage']['edges']:,}",
            str(len(row["findings"])),
        )
        for name, row in run["targets"].items()
    )
    return join(
        f"`{run['command']}` ran for {run['seconds'] / 60:.0f} minutes: **{run['executions']:,} inputs, "
        f"{run['findings'] or 'no'} finding{'' if run['findings'] == 1 else 's'}** "
        f"(seed {run['seed']}, commit {tell_commit(run['software'])}, Atheris {run['software']['atheris']}).",
        table(("target", "inputs", "minutes", "corpus, at first and in the end", "edges covered", "findings"), rows),
    )


def tell_processes(runs: Results) -> str:
    """One line for each check."""
    (run,) = runs
    count = Counter(row["result"] for row in run["checks"].values())
    rows = (
        (name, row["result"], _tell_more(row.get("told", "")), str(row["seconds"]))
        for name, row in run["checks"].items()
    )
    return join(
        f"`{run['command']}`: {', '.join(f'{number} {result}' for result, number in count.items())} "
        f"(commit {tell_commit(run['software'])}).",
        table(("check", "result", "told", "seconds"), rows, words=3),
    )


def _tell_more(told: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in told.items()) if isinstance(told, dict) else str(told)


# block of the page -> the files that it is told from, and how
PARTS: dict[str, tuple[str, Callable[[Results], str]]] = {
    "lockstep": ("lockstep*.json", tell_runs),
    "lockstep_steam": ("steam-lockstep*.json", tell_runs),
    "invariants": ("invariants*.json", tell_invariants),
    "mutants": ("mutants.json", tell_mutants),
    "mutants_steam": ("steam-mutants.json", tell_mutants),
    "fuzz": ("fuzz.json", tell_fuzz),
    "processes": ("processes.json", tell_processes),
}


def tell(part: str) -> str:
    """A block's text by the results that are there."""
    pattern, tell_results = PARTS[part]
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob(pattern))]
    return tell_results(results) if results else "No run is recorded yet."


def make_files() -> dict[Path, str]:
    """The page."""
    return {PAGE: renew_file(PAGE, {part: partial(tell, part) for part in PARTS})}
