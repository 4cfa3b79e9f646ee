"""What a framework did with the environments: decisions, illegal actions among them, updates; kept for the page."""

import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env.envs.aec import GameAEC
from steam_env.evaluation.provenance import describe_machine, describe_software
from tests.verification.frameworks.page import read_snippet

OUTPUT = "STEAM_ENV_FRAMEWORKS"  # the variable that names a folder for results
BESIDE = ("torch", "gymnasium", "pettingzoo")  # whose versions matter to every framework


@dataclass
class Witness:
    """Counts what passes by.

    Attributes:
        decisions: actions that came to an environment.
        illegal: those of them whose mask was 0.
        updates: steps of optimizers in this process.
    """

    decisions: int = 0
    illegal: int = 0
    updates: int = 0
    began: float = field(default_factory=time.perf_counter)

    def watch_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Count the actions of PettingZoo environments."""
        step: Callable[[GameAEC, Any], None] = GameAEC.step

        def watched_step(env: GameAEC, action: Any) -> None:
            if action is not None:
                self.look(env.game.mask[None], np.array([action]))
            step(env, action)

        monkeypatch.setattr(GameAEC, "step", watched_step)

    def look(self, masks: np.ndarray, actions: np.ndarray) -> None:
        """Count (n,) actions, each against its row of (n, 372) masks."""
        self.decisions += len(actions)
        self.illegal += int(len(actions) - masks[np.arange(len(actions)), actions].astype(bool).sum())

    def run(self, name: str, *, instead: tuple[str, str] = ("", "")) -> dict[str, Any]:
        """Run the page's code of a framework, with a part of it replaced; returns its names."""
        code = read_snippet(name)
        assert instead[0] in code, f"the code of {name} has no {instead[0]!r}"
        names: dict[str, Any] = {}
        exec(compile(code.replace(*instead) if instead[0] else code, f"docs/frameworks.md, {name}", "exec"), names)
        return names

    def record(self, name: str, packages: tuple[str, ...], ran: str) -> None:
        """Write a result file, where the variable ``STEAM_ENV_FRAMEWORKS`` names a folder for it."""
        if OUTPUT not in os.environ:
            return
        software = {**describe_software(), **{package: version(package) for package in (*BESIDE, *packages)}}
        result = {
            "framework": list(packages),
            "ran": ran,
            "decisions": self.decisions,
            "illegal": self.illegal,
            "updates": self.updates,
            "seconds": round(time.perf_counter() - self.began, 1),
            "software": software,
            "machine": describe_machine(),
        }
        path = Path(os.environ[OUTPUT]) / f"{name}.json"
        path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
