"""The fuzzer: ``python -m tests.verification.fuzz --minutes 30 --target all``.

Each target runs in a process of its own under Atheris (libFuzzer), starts from the corpus of ``corpus.py`` and stops
at a finding; then it starts again until its time is used. Findings are kept with what they raise.
"""

import dataclasses
import json
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console

from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.checks import look_up
from tests.verification.fuzz.seeds import SEEDS
from tests.verification.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[3]
MAX_LENGTH = 100_000
SLOWEST_SECONDS = 60  # by the clock, on a machine that may have other things to do
MEMORY_MIB = 4096
SHOWN_LINES = 30
FINDING = re.compile(r"Test unit written to (\S+)")
UNITS = re.compile(r"stat::number_of_executed_units:\s*(\d+)")
COVERED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")


@dataclasses.dataclass(frozen=True)
class Options:
    """How long, what, and where results go."""

    minutes: float = 30.0
    """Of all targets together; each gets an equal share."""
    target: str = "all"
    """What is read: all, or the name of a target, as map or steam_map."""
    seed: int = 1
    """Of libFuzzer."""
    out: Path = Path("docs/trust/fuzz.json")
    """The summary."""
    findings: Path = Path("fuzz-findings")
    """Inputs that broke something, with what was raised."""


def main(options: Options) -> int:
    """Run the targets one after the other; 1 if anything was found."""
    targets = list(SEEDS) if options.target == "all" else [options.target]
    for target in targets:
        look_up(TARGETS, "target", target)
    results = {}
    for name in targets:  # kernels are compiled here, not against the clock
        TARGETS[name](SEEDS[name]()[0])
    for name in targets:
        results[name] = run_target(name, 60.0 * options.minutes / len(targets), options)
        Console().print(f"{name}: {results[name]}")
    write_summary(results, options)
    return int(any(result["findings"] for result in results.values()))


def run_target(name: str, seconds: float, options: Options) -> dict[str, Any]:
    """One target for so many seconds."""
    begun = time.monotonic()
    executions, covered, found = 0, (0, 0, 0), []
    with tempfile.TemporaryDirectory(prefix="steam_env_fuzz_") as folder:
        seeds = SEEDS[name]()
        for number, data in enumerate(seeds):
            (Path(folder) / f"seed{number:04}").write_bytes(data)
        while (left := seconds - (time.monotonic() - begun)) > 1:
            output = _fuzz(name, Path(folder), left, options)
            executions += sum(map(int, UNITS.findall(output)))
            covered = max([covered, *(tuple(map(int, row)) for row in COVERED.findall(output))])
            if finding := FINDING.search(output):
                found.append(_keep_finding(name, Path(finding[1]), output, options))
            elif "INFO: seed corpus" not in output:
                raise RuntimeError(f"{name} did not run:\n{output[-3000:]}")
    return {
        "executions": executions,
        "seconds": round(time.monotonic() - begun, 1),
        "corpus": {"seeds": len(seeds), "at the end": covered[2]},
        "coverage": {"edges": covered[0], "features": covered[1]},
        "findings": sorted(set(found)),
    }


def _fuzz(name: str, folder: Path, seconds: float, options: Options) -> str:
    options.findings.mkdir(parents=True, exist_ok=True)
    command = [
        *(sys.executable, "-m", "tests.verification.fuzz.harness", name, str(folder)),
        *(f"-max_total_time={int(seconds)}", f"-max_len={MAX_LENGTH}", f"-seed={options.seed}"),
        *(
            f"-timeout={SLOWEST_SECONDS}",
            f"-report_slow_units={SLOWEST_SECONDS}",
            f"-rss_limit_mb={MEMORY_MIB}",
            "-print_final_stats=1",
        ),
        f"-artifact_prefix={options.findings}/{name}-",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _keep_finding(name: str, path: Path, output: str, options: Options) -> str:
    """Write what was raised beside the input; returns the last line of it."""
    raised = output[max(output.find("Uncaught Python exception"), 0) :]
    lines = [line for line in raised.splitlines() if line.strip() and "Instrumenting" not in line][:SHOWN_LINES]
    (options.findings / f"{path.name}.txt").write_text("\n".join(lines), encoding="utf-8")
    Console().print(f"{name}: {path}\n" + "\n".join(lines))
    return lines[1] if len(lines) > 1 else path.name


def write_summary(results: dict[str, Any], options: Options) -> None:
    """The figures as JSON, with what they were made with."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    summary = {
        "command": f"python -m tests.verification.fuzz --minutes {options.minutes:g} --target {options.target}",
        "seed": options.seed,
        "software": {**describe_software(), "atheris": version("atheris")},
        "machine": describe_machine(),
        "executions": sum(result["executions"] for result in results.values()),
        "seconds": round(sum(result["seconds"] for result in results.values()), 1),
        "findings": sum(len(result["findings"]) for result in results.values()),
        "targets": results,
    }
    options.out.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Options, description=__doc__)))
