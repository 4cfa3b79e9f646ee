"""Result files: what was measured, with which options, versions and machine."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.timing import Plan
from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.evaluation.report import dump_json
from steam_env.kit.command_line import show_value_as
from steam_env.kit.files import check_files, write_whole
from steam_env.kit.json_text import read_json

FOLDER = Path("docs") / "performance"
SCHEMA = 1  # of the JSON; changes with the meaning of an entry
FULL = Plan(runs=7, seconds=1.0)
QUICK = Plan(runs=3, seconds=0.1)
FULL_GAMES, QUICK_GAMES, LEAST_GAMES = 1024, 64, 8
THREAD_SHARE = 2  # of two threads each has a batch so much larger: Python holds one back while the other has its turn
LEAST_SECONDS = 0.01
CPU_INFO = Path("/proc/cpuinfo")
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1 << 10, "M": 1 << 20}


@dataclass(frozen=True)
class Options:
    """The options of all measuring programs.

    Attributes:
        runs: Runs of each workload, which take turns; the figures are medians over them. Left out: 7, quick 3.
        seconds: Length of a run. Left out: 1, quick 0.1.
        size: Games in a batch, where nothing else is said. Left out: 1024, quick 64.
        seed: Everything random follows from it: what is played, not how fast.
        quick: A few short runs, to see that all works: the figures mean little. Without --out nothing is written.
        out: Folder for the JSON. Left out: docs/performance.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    runs: Annotated[int | None, show_value_as("INT")] = None
    seconds: Annotated[float | None, show_value_as("SECONDS")] = None
    size: Annotated[int | None, show_value_as("INT")] = None
    seed: int = 1
    quick: bool = False
    out: Annotated[Path | None, show_value_as("FOLDER")] = None
    quiet: bool = False

    @property
    def plan(self) -> Plan:
        """How often and how long each workload runs."""
        usual = QUICK if self.quick else FULL
        return Plan(
            usual.runs if self.runs is None else int(_check("runs", self.runs, 1)),
            usual.seconds if self.seconds is None else _check("seconds", self.seconds, LEAST_SECONDS),
        )

    @property
    def games(self) -> int:
        """Number of games in a batch."""
        usual = QUICK_GAMES if self.quick else FULL_GAMES
        return usual if self.size is None else int(_check("size", self.size, LEAST_GAMES))

    @property
    def folder(self) -> Path | None:
        """Where the JSON goes, if it is written."""
        return self.out or (None if self.quick else FOLDER)

    @property
    def command(self) -> str:
        """The options as words of a command line."""
        quick = ["--quick"] if self.quick else []
        return " ".join(
            (f"--runs {self.plan.runs} --seconds {self.plan.seconds:g} --size {self.games} --seed {self.seed}", *quick)
        )


def _check(name: str, value: float, least: float) -> float:
    if value < least:
        raise ValueError(f"--{name} {value}: at least {least} is allowed")
    return value


def prepare_file(options: Options, name: str) -> Path | None:
    """The file that the result goes to, refused before anything is measured if it cannot be written."""
    if options.folder is None:
        return None
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"{name}.json"
    check_files([path])
    return path


def describe_run(name: str, options: Options, begun: float) -> dict[str, Any]:
    """The head of a result: what was run, when, with which versions, on which machine.

    Args:
        name: of the program.
        options: its options.
        begun: ``time.monotonic()`` at its start.
    """
    return {
        "format": f"steam_env performance: {name}",
        "schema": SCHEMA,
        "command": f"python -m benchmarks.{name} {options.command}",
        "quick": options.quick,
        "plan": {**asdict(options.plan), "size": options.games, "seed": options.seed},
        "finished_utc": time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()),
        "duration": round(time.monotonic() - begun, 1),
        "software": describe_software(),
        "machine": {**describe_machine(), **describe_processor()},
    }


def describe_processor() -> dict[str, Any]:
    """The processor's name and the bytes of its caches by level, where Linux tells them."""
    lines = CPU_INFO.read_text(encoding="utf-8").splitlines() if CPU_INFO.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "model": names[0] if names else platform.processor(),
        "usable_cpus": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "caches": dict(sorted(_read_cache(folder) for folder in CACHES.glob("index*") if _holds_data(folder))),
    }


def _holds_data(folder: Path) -> bool:
    return (folder / "type").read_text(encoding="utf-8").strip() != "Instruction"


def _read_cache(folder: Path) -> tuple[str, int]:
    size = (folder / "size").read_text(encoding="utf-8").strip()
    return f"L{(folder / 'level').read_text(encoding='utf-8').strip()}", int(size[:-1]) * UNITS[size[-1]]


def find_version(package: str) -> str | None:
    """The version of an installed package, None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def write_result(path: Path | None, content: Mapping[str, Any]) -> None:
    """Write the file, if there is one to write."""
    if path is not None:
        write_whole(path, dump_json(dict(content)))


def read_result(folder: Path, name: str) -> dict[str, Any]:
    """The content of a result file."""
    content: dict[str, Any] = read_json(folder / f"{name}.json", "result")
    return content


def draw_table(title: str, columns: tuple[str, ...], rows: list[tuple[str, ...]], words: int = 1) -> Table:
    """A table for the terminal: the first columns are words, the others numbers."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < words else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


TARGET_COLUMNS = ("ours : other", "ours", "other", "ratio", "run by run", "by CPU time", "wanted", "met")


def target_row(target: Mapping[str, Any]) -> tuple[str, ...]:
    """A target as a row of words."""
    return (
        target["what"],
        say_rate(target["ours"]),
        say_rate(target["other"]),
        say_ratio(target["ratio"]),
        f"{say_ratio(target['lowest'])} to {say_ratio(target['highest'])}",
        say_ratio(target["by_cpu"]),
        say_ratio(target["target"]),
        "yes" if target["met"] else "NO",
    )


def say_rate(rate: float) -> str:
    """A rate with three digits or all before the point."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def say_ratio(ratio: float) -> str:
    """A ratio with three digits or all before the point."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def print_targets(console: Console, targets: list[dict[str, Any]], title: str = "Targets") -> None:
    """Print ratios as a table on the terminal."""
    console.print(draw_table(title, TARGET_COLUMNS, [target_row(target) for target in targets]))
