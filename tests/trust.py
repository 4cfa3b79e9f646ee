"""``python -m tests.trust``: renew the tables of docs/trust.md from the results in docs/trust/."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.lockstep.report import tell_commit, tell_runs

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "trust.md"
RESULTS = ROOT / "docs" / "trust"
BLOCK = re.compile(r"(<!-- trust (\w+) -->\n).*?(<!-- end -->\n)", re.DOTALL)
NOTHING_YET = "No run is recorded yet.\n"

Results = Sequence[dict[str, Any]]


def tell_invariants(runs: Results) -> str:
    """One line for each run."""
    lines = [
        "| seed | games | decisions | violations | minutes | commit |",
        "| ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    lines += [
        f"| {run['seed']} | {run['games']:,} | {run['decisions']:,} | none | {run['seconds'] / 60:.0f} "
        f"| {tell_commit(run['software'])} |"
        for run in runs
    ]
    return _join(lines)


def tell_mutants(runs: Results) -> str:
    """The faults by section, and each with the test that noticed it."""
    (run,) = runs
    faults = run["faults"]
    commits = sorted({fault["commit"] for fault in faults})
    caught = [fault for fault in faults if fault["verdict"].startswith("caught")]
    lines = [
        f"**{len(caught)} of {len(faults)} faults are caught** (commit {', '.join(commits)}).",
        "",
        "| rule | fault | kernel | noticed by |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| {fault['rule']} | {fault['what']} | `{fault['place']}` | {_tell_verdict(fault)} |" for fault in faults
    ]
    return _join(lines)


def _tell_verdict(fault: dict[str, Any]) -> str:
    if fault["verdict"] == "caught":
        return f"`{fault['noticed_by'].rpartition('/')[2].replace('|', '¦')}`"
    return f"**{fault['verdict']}**" if not fault["verdict"].startswith("caught") else fault["verdict"]


def tell_fuzz(runs: Results) -> str:
    """One line for each target."""
    (run,) = runs
    lines = [
        f"`{run['command']}` ran for {run['seconds'] / 60:.0f} minutes: **{run['executions']:,} inputs, "
        f"{run['findings'] or 'no'} finding{'' if run['findings'] == 1 else 's'}** "
        f"(seed {run['seed']}, commit {tell_commit(run['software'])}, Atheris {run['software']['atheris']}).",
        "",
        "| target | inputs | minutes | corpus, at first and in the end | edges covered | findings |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [
        f"| {name} | {row['executions']:,} | {row['seconds'] / 60:.1f} | {row['corpus']['seeds']}, "
        f"{row['corpus']['at the end']} | {row['coverage']['edges']:,} | {len(row['findings'])} |"
        for name, row in run["targets"].items()
    ]
    return _join(lines)


def tell_processes(runs: Results) -> str:
    """One line for each check."""
    (run,) = runs
    count = Counter(row["result"] for row in run["checks"].values())
    lines = [
        f"`{run['command']}`: {', '.join(f'{number} {result}' for result, number in count.items())} "
        f"(commit {tell_commit(run['software'])}).",
        "",
        "| check | result | seconds | told |",
        "| --- | --- | ---: | --- |",
    ]
    lines += [
        f"| {name} | {row['result']} | {row['seconds']} | {_tell_more(row.get('told', ''))} |"
        for name, row in run["checks"].items()
    ]
    return _join(lines)


def _tell_more(told: Any) -> str:
    return ", ".join(f"{name} {value}" for name, value in told.items()) if isinstance(told, dict) else str(told)


def _join(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


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
