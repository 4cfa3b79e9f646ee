"""Agents: players that see observations, masks and a seat's view only. ``AGENTS`` holds them by name."""

from collections.abc import Callable
from functools import partial

from steam_env.agents.base import Agent, ExplainingAgent
from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.policy_files import SHIPPED, SUFFIX, load_policy
from steam_env.agents.random import RandomAgent

AGENTS: dict[str, Callable[[], Agent]] = {
    "greedy": GreedyAgent,
    "random": RandomAgent,
    **{name: partial(load_policy, name) for name in SHIPPED},
}


def make_agent(name: str) -> Agent:
    """A fresh agent, for one seat: one of ``AGENTS``, or a trained policy by the path of its file.

    Raises:
        ValueError: for an unknown name, naming what there is, or a file that holds no policy.
    """
    if name.endswith(SUFFIX):
        return load_policy(name)
    if name not in AGENTS:
        allowed = ", ".join(map(repr, sorted(AGENTS)))
        raise ValueError(f"agent {name!r}: allowed are {allowed}, or the path of a policy, *{SUFFIX}")
    return AGENTS[name]()


__all__ = ["AGENTS", "Agent", "ExplainingAgent", "GreedyAgent", "RandomAgent", "load_policy", "make_agent"]
