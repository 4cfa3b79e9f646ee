"""Agents by name: those of ``steam_env.agents``, checkpoints, and classes in Python files of one's own.

``path/to/file.py:ClassName`` names the class ``ClassName`` in that file. It is an agent as ``steam_env.agents.Agent``
describes it, and is made without arguments. The file may import whatever is installed.

``cmd:COMMAND`` is a program of any language, which is started with that command line: ``steam_env.agents.program``.

``NAME+HABIT``, such as ``greedy+rush``, is the agent of that name with one of the game's habits, see
``steam_env.evaluation.holes``. ``NAME+FAMILY``, such as ``greedy+first``, has another habit of that first word in each
game, ``NAME+any`` another one of all.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import steam_env.agents
from steam_env.agents import Agent, make_agent
from steam_env.agents.policy_files import SUFFIX, find_policy, list_shipped
from steam_env.agents.program import is_program, make_program_agent
from steam_env.agents.varied import VariedAgent, is_family
from steam_env.evaluation.source_hash import hash_files
from steam_env.kit.errors import AgentError
from steam_env.spec import Deviations, find_spec, load_named
from steam_env.table.asking import call

FILE_NAME = re.compile(r"(?P<path>.+\.py):(?P<kind>\w+)")
SCRIPT = ".py"
HABIT = "+"  # between an agent's name and a habit's
NEEDED = ("encoding", "reset", "act")  # what every agent has
OWN_PACKAGE = steam_env.agents.__name__


def make_any_agent(name: str | os.PathLike[str], game: str | None = None) -> Agent:
    """A fresh agent, for one seat.

    Args:
        name: one that ``steam_env.agents.make_agent`` knows, ``path/to/file.py:ClassName``, or ``cmd:COMMAND``.
        game: the id of the game; ``None``: the default game.

    Raises:
        ValueError: for an unknown name, or a file or a class that cannot be used, with the reason.

    Example:
        >>> make_any_agent("greedy").encoding is None
        True
    """
    name = os.fspath(name)
    if is_program(name):
        return make_program_agent(name)
    base, give_habit = split_habit(name, game)
    if give_habit is not None:
        with_habit: Agent = give_habit(make_any_agent(base, game))
        return with_habit
    found = FILE_NAME.fullmatch(name)
    if found is None:
        if name.endswith(SCRIPT):
            raise ValueError(f"agent {name!r}: which class? {_tell_classes(name)}; {name}:ClassName names one")
        return make_agent(name, game)
    kind = getattr(_load_module(found["path"]), found["kind"], None)
    if not isinstance(kind, type):
        raise ValueError(f"agent {name!r}: it has no class {found['kind']}: {_tell_classes(found['path'])}")
    try:
        agent = call(f"{found['kind']}()", kind)
        missing = call("looking at it", lambda: [part for part in NEEDED if not hasattr(agent, part)])
    except AgentError as error:
        raise ValueError(f"agent {name!r}: {error}") from error.__cause__
    if missing:
        raise ValueError(f"agent {name!r}: it has no {', '.join(missing)}; an agent has {', '.join(NEEDED)}")
    made: Agent = agent
    return made


def split_habit(name: str, game: str | None = None) -> tuple[str, Callable[[Any], Any] | None]:
    """The name of an agent without the habit at its end, and what gives an agent that habit; ``None``: it has none."""
    base, _, habit = ("", "", "") if is_program(name) else name.rpartition(HABIT)
    give_habit = find_habit(habit, game) if base else None
    return (name, None) if give_habit is None else (base, give_habit)


def find_habit(name: str, game: str | None = None) -> Callable[[Any], Any] | None:
    """What gives an agent a habit, or another habit of a family in each game; ``None`` for what names neither."""
    deviations = find_deviations(game)
    if deviations is None:
        return None
    if is_family(name, deviations):
        return partial(VariedAgent, family=name, deviations=deviations)
    return deviations.make(name)


def find_deviations(game: str | None = None) -> Deviations | None:
    """The habits that a game's agents can be given."""
    path = find_spec(game).players.deviations
    return load_named(path) if path else None


@cache
def _load_module(path: str) -> ModuleType:
    """The module in a file, which is run once.

    Raises:
        ValueError: if it cannot be read or run.
    """
    file = Path(path)
    if not file.is_file():
        raise ValueError(f"agent file {path!r}: {'is a folder' if file.is_dir() else 'there is no such file'}")
    name = f"steam_env_agent_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"agent file {path!r}: Python cannot load it")
    loader, module = spec.loader, importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and the like look their module up
    try:
        call("it", lambda: loader.exec_module(module))
    except AgentError as error:
        del sys.modules[name]
        raise ValueError(f"agent file {path!r}: {error}") from error.__cause__
    return module


def _tell_classes(path: str) -> str:
    """The classes that stand in a file."""
    module = _load_module(path)
    own = [name for name, kind in vars(module).items() if isinstance(kind, type) and kind.__module__ == module.__name__]
    return f"{path} holds {', '.join(own) or 'no class'}"


def hash_agent(name: str, game: str | None = None) -> str:
    """SHA-256 of an agent: of the meaning of its source files and of the files that it was made from (``hash_files``).

    Its source files are its module and those in ``agents/`` that it takes something from. What it was made from is the
    weights of a trained policy, and what the agent names in an attribute ``files``, an iterable of paths.

    Raises:
        ValueError: as ``make_any_agent``.
    """
    return hash_files(_list_files(name, game))


def _list_files(name: str, game: str | None) -> list[Path]:
    """All files of an agent; of one with a habit those of both."""
    agent, (base, give_habit) = make_any_agent(name, game), split_habit(name, game)
    if give_habit is not None:
        habits = find_deviations(game)
        modules = [type(agent).__module__, *filter(_is_own, [_find_origin(habits.make)] if habits else [])]
        return [*_list_files(base, game), *_find_sources(modules)]
    parts = (agent, *getattr(agent, "__dict__", {}).values())  # a policy holds its network, a search what judges for it
    modules = [type(agent).__module__, *filter(_is_own, map(_find_origin, parts))]
    files = [*_find_sources(modules), *map(Path, getattr(agent, "files", ()))]
    if name in list_shipped() or (name.endswith(SUFFIX) and not is_program(name)):
        files.append(find_policy(name))
    return files


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
