"""Where a result comes from: versions, commit, machine, and hashes of maps and decks."""

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np

import steam_env
from steam_env.evaluation.source_hash import hash_definitions
from steam_env.spec import Setting

PACKAGE = Path(steam_env.__file__).resolve().parent
CODE = ("steam_env", "agents", "evaluate.py", "train.py", "pyproject.toml")  # what can change a result
NO_RULES = ("jit", "cache", "numba_inside", "moments", "automa_moments")  # how the core is compiled, and looked at
HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")  # in a git hook they name another checkout


def describe_software() -> dict[str, Any]:
    """Versions of all that a result depends on, and the commit."""
    return {
        "steam_env": steam_env.__version__,
        "numpy": np.__version__,
        "numba": numba.__version__,
        "python": platform.python_version(),
        "git": find_commit(),
    }


def describe_machine() -> dict[str, Any]:
    """The machine, in words."""
    return {"platform": platform.platform(), "processor": platform.machine(), "cpu_count": os.cpu_count()}


def describe_now() -> dict[str, Any]:
    """With which software, on which machine and when something ended."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    return {"software": describe_software(), "machine": describe_machine(), "finished_utc": finished}


def describe_setting(setting: Setting) -> dict[str, Any]:
    """Name, title and content hash of all that the rules name, such as a map."""
    return {
        what: {"name": content["name"], "title": content["title"], "sha256": hash_content(content)}
        for what, content in setting.contents.items()
    }


def describe_rules(setting: Setting) -> dict[str, Any]:
    """Every field of the rules, those left open with the value that the setting gives them."""
    return {**setting.rules.to_dict(), **setting.settled}


def hash_content(content: Mapping[str, object]) -> str:
    """SHA-256 of the canonical JSON: sorted keys, no blanks, UTF-8."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def hash_game(game: str) -> str:
    """SHA-256 of a game: all definitions of its rules, whichever file they stand in, and tables beside them."""
    folders = (PACKAGE / "core", PACKAGE / "core" / game, PACKAGE / "data" / game)
    sources = [path for folder in folders for path in folder.glob("*.py") if path.stem not in NO_RULES]
    return hash_definitions(sources, [path for folder in folders for path in folder.glob("*.toml")])


def find_commit(package: Path = PACKAGE) -> dict[str, Any] | None:
    """The commit of the checkout that ``package`` is imported from, and whether its code differs from it.

    None if it is not imported from a checkout of its own: installed, say, or no git at hand.
    """
    top = _ask_git(package, "rev-parse", "--show-toplevel")
    if top is None or Path(top).resolve() != package.parent:
        return None
    commit = _ask_git(package, "rev-parse", "HEAD")
    changes = _ask_git(package.parent, "status", "--porcelain", "--", *CODE)
    if commit is None or changes is None:
        return None
    return {"commit": commit, "dirty": bool(changes)}


def _ask_git(folder: Path, *words: str) -> str | None:
    """What git answers, or None if it cannot."""
    command = ["git", "--no-optional-locks", *words]
    environment = {name: value for name, value in os.environ.items() if name not in HOOK_VARIABLES}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
