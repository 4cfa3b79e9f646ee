"""Goldens of the programs ``evaluate.py`` and ``train.py``: the files that they write."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.verification.goldens.digest import Fields, digest, drop_game_id

ROOT = Path(__file__).parents[3]
MINI = ("--map", "mini", "--contracts", "mini")
FEW = ("--deals", "20")
# entries that tell when, where and by which version a match was played; some were added after the goldens
CHANGES_BY_RUN = ("run", "software", "sample", "faults")
AGENT = "agent "  # begins the parts of what is frozen whose hashes are over source files
NOT_FROZEN = 3  # the exit code of a protocol one of whose agents has another hash than is frozen
FIGURES = 6  # digits of numbers that are computed from games
TRAIN_FIGURES = 3
ONE_THREAD = {"OMP_NUM_THREADS": "1"}  # of networks: sums in one order, and no threads that wait for each other
ADDED_RULES = ("contracts_to_end", "edition", "routing", "first_player", "max_rounds")  # of a run's configuration
TIMINGS = ("seconds", "decisions_per_second", "share")  # entries of a history that no two runs share

MATCHES: dict[str, tuple[str, ...]] = {
    "two-mini": ("greedy", "--against", "random", *FEW, *MINI),
    "automa-hard": ("greedy", "--against", "automa:hard", *FEW, *MINI),
    "three-mixed": ("greedy", "--against", "random", "--against", "greedy", *FEW, "--seed", "5", *MINI),
    "four-with-automas": (
        *("random", "--against", "greedy", "--against", "automa:easy", "--against", "automa:easy"),
        *(*FEW, "--map", "mini"),
    ),
    "preview": ("greedy", "--against", "random", *FEW, "--edition", "preview", "--map", "mini"),
    "cheapest-fixed-first": (
        *("greedy", "--against", "random", "--seats", "3", *FEW, "--map", "alps", "--contracts", "mini"),
        *("--routing", "cheapest", "--first-player", "player_0", "--contracts-to-end", "3"),
    ),
    "round-limit": ("random", "--against", "greedy", "--seats", "5", *FEW, "--max-rounds", "4"),
}
PROTOCOLS: dict[str, tuple[str, ...]] = {
    "greedy-v1": ("greedy", "--protocol", "v1"),
}
TRAINING: dict[str, tuple[str, ...]] = {
    "quick": (
        *("--preset", "quick", *MINI, "--games", "64", "--steps", "16", "--decisions", "4096", "--batch-size", "512"),
        *("--evaluate-deals", "4", "--seed", "3", "--threads", "1", "--device", "cpu"),
    ),
    "imitation": (
        *("--tables", "greedy", "--tables", "automa:hard", "--map", "mini", "--games", "32", "--steps", "16"),
        *("--decisions", "1536", "--batch-size", "256", "--imitation", "0.5", "--network.width", "32"),
        *("--evaluate", "random", "--evaluate", "automa:normal", "--evaluate-every", "2", "--evaluate-deals", "4"),
        *("--seed", "4", "--threads", "1", "--device", "cpu"),
    ),
}


def hash_match(kind: str, fields: Fields) -> dict[str, Any]:
    """A match by ``evaluate.py``: the numbers of its result file, and its tables as Markdown."""
    content, tables = evaluate(MATCHES[kind])
    return {"agents": list_wins(content["results"]), "result": digest(content), "tables": digest(tables)}


def hash_protocol(kind: str, fields: Fields) -> dict[str, Any]:
    """A protocol by ``evaluate.py``: the wins of each of its matches, and what it is frozen to."""
    content, _ = evaluate(PROTOCOLS[kind], allowed=(0, NOT_FROZEN))
    frozen = {part: check for part, check in content.pop("frozen").items() if not part.startswith(AGENT)}
    content.pop("is_frozen")
    content["matches"] = [drop_entries(match, CHANGES_BY_RUN) for match in content["matches"]]
    wins = {match["opponent"]: list_wins(match["results"]) for match in content["matches"]}
    return {"wins": wins, "frozen": frozen, "result": digest(content)}


def evaluate(arguments: Sequence[str], allowed: Sequence[int] = (0,)) -> tuple[dict[str, Any], str]:
    """What ``evaluate.py`` writes: the result but for what each run changes, and the tables."""
    with tempfile.TemporaryDirectory() as folder:
        result, tables = Path(folder) / "result.json", Path(folder) / "result.md"
        run_program("evaluate.py", (*arguments, "--json", str(result), "--markdown", str(tables), "--quiet"), allowed)
        content = drop_game_id(drop_entries(json.loads(result.read_text(encoding="utf-8")), CHANGES_BY_RUN))
        return round_numbers(content, FIGURES), tables.read_text(encoding="utf-8")


def hash_training(kind: str, fields: Fields) -> dict[str, Any]:
    """A short run of ``train.py``: the lines of its history but for times, and its configuration."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "run"
        run_program("train.py", (*TRAINING[kind], "--folder", str(place), "--quiet"))
        lines = (place / "history.jsonl").read_text(encoding="utf-8").splitlines()
        config = json.loads((place / "config.json").read_text(encoding="utf-8"))
    history = [round_numbers(drop_entries(json.loads(line), TIMINGS), TRAIN_FIGURES) for line in lines]
    config["config"] = drop_entries(config["config"], ADDED_RULES)
    told = drop_game_id(drop_entries(config, (*CHANGES_BY_RUN, "machine")))
    return {"history": history, "config": digest(round_numbers(told, FIGURES))}


def run_program(program: str, arguments: Sequence[str], allowed: Sequence[int] = (0,)) -> None:
    """Run a program of the repository.

    Raises:
        RuntimeError: with the end of what it says, if it ends with another exit code than is allowed.
    """
    command = [sys.executable, program, *arguments]
    environment = {**os.environ, **ONE_THREAD}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in allowed:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise RuntimeError(f"{program} ends with exit code {done.returncode}: {' '.join(last)}")


def list_wins(results: dict[str, Any]) -> dict[str, Any]:
    """Wins and games of a match, to be read by people."""
    return {"games": results["games"], **{agent["label"]: agent["wins"] for agent in results["agents"]}}


def drop_entries(content: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A table without some of its entries."""
    return {name: value for name, value in content.items() if name not in names}


def round_numbers(content: Any, digits: int) -> Any:
    """Plain data with its fractions rounded: what is computed from games may differ in the last digits."""
    if isinstance(content, dict):
        return {name: round_numbers(value, digits) for name, value in content.items()}
    if isinstance(content, list):
        return [round_numbers(value, digits) for value in content]
    return round(content, digits) if isinstance(content, float) else content
