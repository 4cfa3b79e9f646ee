"""Processes of this checkout and another that wait for work, and how what they do compares."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import IO, Any

HERE = Path(__file__).resolve().parents[1]


def check_checkout(folder: Path) -> Path:
    """The whole path of a folder, refused unless it is that of a checkout.

    Raises:
        ValueError: naming it.
    """
    if not (folder / "steam_env").is_dir():
        raise ValueError(f"--base {folder}: the folder of a checkout is allowed")
    return folder.resolve()


class Worker:
    """A process of a checkout that waits for work.

    Args:
        script: what it runs: it prints ``ready``, then answers each line of its input with a line of JSON.
        words: the script's arguments.
        checkout: whose package it imports.
    """

    def __init__(self, script: str, words: Sequence[str], checkout: Path) -> None:
        paths = [str(checkout), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-c", script, *words],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._inbox: IO[str] = self._process.stdin
        self._outbox: IO[str] = self._process.stdout
        self.is_ready = self._outbox.readline().strip() == "ready"

    def begin(self, line: str) -> None:
        """Let it work on this."""
        self._inbox.write(f"{line}\n")
        self._inbox.flush()

    def finish(self) -> dict[str, Any]:
        """What it has done."""
        told: dict[str, Any] = json.loads(self._outbox.readline())
        return told

    def close(self) -> None:
        """End the process."""
        self._inbox.close()
        self._process.wait()
        self._outbox.close()


def compare_pairs(mine: Sequence[float], theirs: Sequence[float], wanted: float) -> dict[str, Any]:
    """The median of the ratios of neighbouring runs, with the least and the greatest."""
    pairs = [one / other for one, other in zip(mine, theirs, strict=True)]
    ratio = median(pairs)
    spread = {"ratio": round(ratio, 3), "lowest": round(min(pairs), 3), "highest": round(max(pairs), 3)}
    return {**spread, "wanted": wanted, "met": ratio >= wanted}


def summarise_runs(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Medians over the runs, by unit."""
    return {unit: round(median(run[unit] for run in runs), 1) for unit in runs[0]}


def list_ratio(one: Mapping[str, Any], say: Any) -> tuple[str, ...]:
    """Ratio, least, greatest, what was wanted, and whether it is met, as words; ``say`` writes a number."""
    numbers = ("ratio", "lowest", "highest", "wanted")
    return (*(say(one[key]) for key in numbers), "yes" if one["met"] else "NO")
