"""The population that a learner meets: the league, agents of the game and policies, with habits or without."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from steam_env.agents.grounds import LEAGUE
from steam_env.agents.policy_files import SUFFIX
from steam_env.envs.opponents import PolicyAgent
from steam_env.envs.pool import Pool
from steam_env.evaluation.agent_names import HABIT, find_habit, make_any_agent, split_habit
from steam_env.spec import GameSpec

if TYPE_CHECKING:
    from steam_env.agents.base import Agent
    from steam_env.training.league import League, NetworkOpponent


def split_names(text: str, spec: GameSpec) -> list[str]:
    """The names in a text such as ``league+greedy+any``: who sits at a table, each with the habit after its name."""
    names: list[str] = []
    for word in text.split(HABIT):
        if names and find_habit(word, spec.game) is not None:
            names[-1] += HABIT + word
        else:
            names.append(word)
    return names


def is_member(name: str, spec: GameSpec) -> bool:
    """Whether this names somebody who may play: with a habit or without."""
    base = split_habit(name, spec.game)[0]
    return base.endswith(SUFFIX) or base in list_members(spec)


def list_members(spec: GameSpec) -> tuple[str, ...]:
    """The names of those who may play, but for files of policies."""
    return (LEAGUE, *spec.players.agents, *spec.players.policies)


def find_opponent(name: str, league: League, spec: GameSpec) -> Any:
    """Who plays by this name, as the environments take opponents."""
    base, give_habit = split_habit(name, spec.game)
    if base != LEAGUE:
        return partial(make_any_agent, name, spec.game)
    return league.pool if give_habit is None else league.pool.vary(give_habit)


def gather(shares: Mapping[str, float], league: League, spec: GameSpec) -> Pool:
    """A pool of those who play by these names, by their shares; ``league`` is the latest policy alone."""
    return Pool({name: partial(_make_member, name, league.latest, spec.game) for name in shares}, shares)


def _make_member(name: str, latest: NetworkOpponent, game: str) -> Agent:
    base, give_habit = split_habit(name, game)
    if base != LEAGUE:
        return make_any_agent(name, game)
    agent: Agent = PolicyAgent(latest)
    return agent if give_habit is None else give_habit(agent)
