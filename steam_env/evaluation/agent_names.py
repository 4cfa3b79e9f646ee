"""Agents by name: those of ``steam_env.agents``, checkpoints, and classes in Python files of one's own.

``path/to/file.py:ClassName`` names the class ``ClassName`` in that file. It is an agent as ``steam_env.agents.Agent``
describes it, and is made without arguments. The file may import whatever is installed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import steam_env.agents
from steam_env.agents import Agent, make_agent
from steam_env.agents.policy_files import SUFFIX, find_policy, list_shipped
from steam_env.evaluation.source_hash import hash_files

FILE_NAME = re.compile(r"(?P<path>.+\.py):(?P<kind>\w+)")
NEEDED = ("encoding", "reset", "act")  # what every agent has
OWN_PACKAGE = steam_env.agents.__name__


def make_any_agent(name: str, game: str | None = None) -> Agent:
    """A fresh agent, for one seat.

    Args:
        name: one that ``steam_env.agents.make_agent`` knows, or ``path/to/file.py:ClassName``.
        game: the id of the game; ``None``: the default game.

    Raises:
        ValueError: for an unknown name, or a file or a class that cannot be used, with the reason.

    Example:
        >>> make_any_agent("greedy").encoding is None
        True
    """
    found = FILE_NAME.fullmatch(name)
    if found is None:
        return make_agent(name, game)
    kind = getattr(_load_module(found["path"]), found["kind"], None)
    if not isinstance(kind, type):
        raise ValueError(f"agent {name!r}: {found['path']} has no class {found['kind']}")
    try:
        agent = kind()
    except Exception as error:
        raise ValueError(f"agent {name!r}: {found['kind']}() raises {type(error).__name__}: {error}") from error
    missing = [part for part in NEEDED if not hasattr(agent, part)]
    if missing:
        raise ValueError(f"agent {name!r}: it has no {', '.join(missing)}; an agent has {', '.join(NEEDED)}")
    made: Agent = agent
    return made


@cache
def _load_module(path: str) -> ModuleType:
    """The module in a file, which is run once.

    Raises:
        ValueError: if it cannot be read or run.
    """
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"agent file {path!r}: there is no such file")
    name = f"steam_env_agent_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"agent file {path!r}: Python cannot load it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and the like look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise ValueError(f"agent file {path!r}: it raises {type(error).__name__}: {error}") from error
    return module


def hash_agent(name: str, game: str | None = None) -> str:
    """SHA-256 of an agent: of the meaning of its source files and of the files that it was made from (``hash_files``).

    Its source files are its module and those in ``agents/`` that it takes something from. What it was made from is the
    weights of a trained policy, and what the agent names in an attribute ``files``, an iterable of paths.

    Raises:
        ValueError: as ``make_any_agent``.
    """
    agent = make_any_agent(name, game)
    parts = (agent, *getattr(agent, "__dict__", {}).values())  # a policy holds its network
    modules = [type(agent).__module__, *filter(_is_own, map(_find_origin, map(type, parts)))]
    files = [*_find_sources(modules), *map(Path, getattr(agent, "files", ()))]
    if name in list_shipped() or name.endswith(SUFFIX):
        files.append(find_policy(name))
    return hash_files(files)


def _find_sources(modules: list[str]) -> list[Path]:
    """The files of modules, and of those in ``agents/`` that they take something from, directly or not."""
    found: dict[str, Path] = {}
    waiting = [*modules]
    while waiting:
        name = waiting.pop()
        file = getattr(sys.modules.get(name), "__file__", None)
        if name in found or file is None:
            continue
        found[name] = Path(file)
        values = vars(sys.modules[name]).values()
        origins = [value.__name__ if isinstance(value, ModuleType) else _find_origin(value) for value in values]
        waiting += filter(_is_own, origins)
    return list(found.values())


def _is_own(module: str) -> bool:
    """Whether a module is one of ``agents/``."""
    return module.startswith(f"{OWN_PACKAGE}.")


def _find_origin(value: object) -> str:
    """The name of the module that defined a class or a function; empty for other values."""
    origin = getattr(value, "__module__", None)
    return origin if isinstance(origin, str) else ""
