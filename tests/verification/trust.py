"""``python -m tests.verification.trust``: renew the tables of docs/trust.md from the results in docs/trust/."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tests.verification.lockstep.report import tell_commit, tell_runs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "trust.md"
RESULTS = ROOT / "docs" / "trust"
BLOCK = re.compile(r"(<!-- trust (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
NOTHING_YET = "No run is recorded yet.\n"

Results = Sequence[dict[str, Any]]


def tell_table(columns: str, rows: Iterable[Sequence[object]], before: str = "") -> str:
    """A table below some text; columns of numbers are marked by a colon."""
    names = columns.split(" | ")
    head = [name.rstrip(":") for name in names], ["---:" if name.endswith(":") else "---" for name in names]
    lines = [f"| {' | '.join(map(str, row))} |" for row in (*head, *rows)]
    return "\n".join([*([before, ""] if before else []), *lines]) + "\n"


def tell_invariants(runs: Results) -> str:
    """One line for each run."""
    rows = []
    for run in runs:
        numbers = (run["seed"], f"{run['games']:,}", f"{run['decisions']:,}", "none", f"{run['seconds'] / 60:.0f}")
        rows.append((*numbers, tell_commit(run["software"])))
    return tell_table("seed: | games: | decisions: | violations: | minutes: | commit", rows)


def tell_mutants(runs: Results) -> str:
    """The faults by section, and each with the test that noticed it."""
    (run,) = runs
    faults = run["faults"]
    commits = ", ".join(sorted({fault["commit"] for fault in faults}))
    caught = sum(fault["verdict"].startswith("caught") for fault in faults)
    rows = [(fault["rule"], fault["what"], f"`{fault['place']}`", _tell_verdict(fault)) for fault in faults]
    before = f"**{caught} of {len(faults)} faults are caught** (commit {commits})."
    return tell_table("rule | fault | kernel | noticed by", rows, before)


def _tell_verdict(fault: dict[str, Any]) -> str:
    if fault["verdict"] == "caught":
        return f"`{fault['noticed_by'].rpartition('/')[2].replace('|', '¦')}`"
    return f"**{fault['verdict']}**" if not fault["verdict"].startswith("caught") else fault["verdict"]


def tell_fuzz(runs: Results) -> str:
    """One line for each target."""
    (run,) = runs
    before = (
        f"`{run['command']}` ran for {run['seconds'] / 60:.0f} minutes: **{run['executions']:,} inputs, "
        f"{run['findings'] or 'no'} finding{'' if run['findings'] == 1 else 's'}** "
        f"(seed {run['seed']}, commit {tell_commit(run['software'])}, Atheris {run['software']['atheris']})."
    )
    rows = []
    for name, row in run["targets"].items():
        corpus = f"{row['corpus']['seeds']}, {row['corpus']['at the end']}"
        numbers = (f"{row['executions']:,}", f"{row['seconds'] / 60:.1f}", corpus, f"{row['coverage']['edges']:,}")
        rows.append((name, *numbers, len(row["findings"])))
    columns = "target | inputs: | minutes: | corpus, at first and in the end: | edges covered: | findings:"
    return tell_table(columns, rows, before)


def tell_processes(runs: Results) -> str:
    """One line for each check."""
    (run,) = runs
    count = Counter(row["result"] for row in run["checks"].values())
    results = ", ".join(f"{number} {result}" for result, number in count.items())
    rows = [
        (name, row["result"], row["seconds"], _tell_more(row.get("told", ""))) for name, row in run["checks"].items()
    ]
    before = f"`{run['command']}`: {results} (commit {tell_commit(run['software'])})."
    return tell_table("check | result | seconds: | told", rows, before)


def _tell_more(told: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in told.items()) if isinstance(told, dict) else str(told)


# block of the page -> the files that it is told from, and how
PARTS: dict[str, tuple[str, Callable[[Results], str]]] = {
    "lockstep": ("lockstep*.json", tell_runs),
    "invariants": ("invariants*.json", tell_invariants),
    "mutants": ("mutants.json", tell_mutants),
    "fuzz": ("fuzz.json", tell_fuzz),
    "processes": ("processes.json", tell_processes),
}


def tell(part: str) -> str:
    """A block's text by the results that are there."""
    pattern, tell_results = PARTS[part]
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob(pattern))]
    return tell_results(results) if results else NOTHING_YET


def renew(page: str) -> str:
    """The page with every block told anew."""
    return BLOCK.sub(lambda block: block[1] + tell(block[2]) + block[3], page)


if __name__ == "__main__":
    PAGE.write_text(renew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
