"""Agents: players that see observations, masks and a seat's view only. ``AGENTS`` holds them by name."""

from collections.abc import Callable

from steam_env.agents.base import Agent, ExplainingAgent
from steam_env.agents.greedy import GreedyAgent
from steam_env.agents.random import RandomAgent

AGENTS: dict[str, Callable[[], Agent]] = {"greedy": GreedyAgent, "random": RandomAgent}


def make_agent(name: str) -> Agent:
    """A fresh agent, for one seat.

    Raises:
        ValueError: for an unknown name, naming what there is.
    """
    if name not in AGENTS:
        raise ValueError(f"agent {name!r}: allowed are {', '.join(map(repr, sorted(AGENTS)))}")
    return AGENTS[name]()


__all__ = ["AGENTS", "Agent", "ExplainingAgent", "GreedyAgent", "RandomAgent", "make_agent"]
