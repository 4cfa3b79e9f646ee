"""Agents: players that see observations, masks and a seat's view only. ``AGENTS`` holds the default game's by name."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from steam_env.agents.base import Agent, ExplainingAgent, Explanation, FollowingAgent, Plan
from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.policy_files import SUFFIX, load_policy
from steam_env.agents.random import RandomAgent
from steam_env.agents.search import PREFIX, SearchAgent, make_search
from steam_env.spec import GameSpec, find_spec, load_named


def list_agents(spec: GameSpec) -> dict[str, Callable[[], Agent]]:
    """What makes the agents of a game, by name: its own, then its shipped policies."""
    return {
        **{name: partial(_make, path) for name, path in spec.players.agents.items()},
        **{name: partial(load_policy, name) for name in spec.players.policies},
    }


def _make(path: str) -> Agent:
    agent: Agent = load_named(path)()
    return agent


def make_agent(name: str | os.PathLike[str], game: str | None = None) -> Agent:
    """A fresh agent, for one seat: one of the game's, a trained policy by the path of its file, or a search by either.

    Raises:
        ValueError: for an unknown name, naming what there is, or a file that holds no policy of the game.
    """
    spec, name = find_spec(game), os.fspath(name)
    if name.startswith(PREFIX):
        return make_search(name, spec)
    if name.endswith(SUFFIX):
        policy = load_policy(name)
        if policy.about["game"] != spec.game:
            raise ValueError(f"agent {name!r}: it was trained for game={policy.about['game']!r}, not {spec.game!r}")
        return policy
    agents = list_agents(spec)
    if name not in agents:
        allowed = ", ".join(map(repr, sorted(agents)))
        more = f"the path of a policy, *{SUFFIX}, or {PREFIX}NAME@BUDGET"
        raise ValueError(f"agent {name!r}: {_tell_path(name)}allowed are {allowed}, {more}")
    return agents[name]()


def _tell_path(name: str) -> str:
    """What is there, of a name that means a path; else nothing."""
    path = Path(name)
    if path.is_dir():
        return "is a folder; "
    if path.exists():
        return "is a file of another kind; "
    return "there is no such file; " if len(path.parts) > 1 else ""


AGENTS = list_agents(find_spec())

__all__ = [
    "AGENTS",
    "Agent",
    "ExplainingAgent",
    "Explanation",
    "FollowingAgent",
    "GreedyAgent",
    "Plan",
    "RandomAgent",
    "SearchAgent",
    "list_agents",
    "load_policy",
    "make_agent",
]
