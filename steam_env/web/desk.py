"""Agents that play here: by the names that the program was started with, asked beside the loop that serves browsers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.util import find_spec as find_module
from typing import Any, NamedTuple

import numpy as np

from steam_env.agents import Agent, ExplainingAgent, Explanation, SearchAgent
from steam_env.agents.search import AT, PREFIX
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.evaluation.recording import ask_thoughts
from steam_env.kit.errors import AgentError, UnfitError
from steam_env.playing.replies import mix, reply
from steam_env.spec import GameSpec, find_spec, list_games
from steam_env.table.asking import ask_mover, call, observe_for
from steam_env.table.game import Game
from steam_env.table.view import view_records
from steam_env.web.look import draw_line

TRAINED_NEED = ("torch", "safetensors")  # packages of trained policies
WORKERS = 2  # that think at once: a slow one leaves room for a quick one
POLICY_BUDGET, PLAYOUT_BUDGET = 64, 16  # evaluations a decision of the searches that are offered: a second, about


class Key(NamedTuple):
    """An agent of the desk: the game that it plays, its name, and whether it is asked what takes long."""

    game: str
    name: str
    takes_long: bool


class AgentDesk:
    """Answers for agents, each of which is made once and asked by one worker at a time.

    What takes long has agents and a worker of its own: no game waits for it.

    Args:
        names: by game, the agents that browsers may choose; ``None``: all that the game brings.
    """

    def __init__(self, names: Mapping[str, Sequence[str]] | None = None) -> None:
        self.names = {game: tuple(list_own(find_spec(game))) for game in list_games()} if names is None else names
        self._agents: dict[Key, Agent] = {}
        self._locks: dict[Key, asyncio.Lock] = {}
        self._workers, self._patient = ThreadPoolExecutor(WORKERS, "agent"), ThreadPoolExecutor(1, "patient")
        self.is_closing = threading.Event()

    def close(self) -> None:
        """Begin no more work, and end what takes long as soon as it looks up."""
        self.is_closing.set()
        for workers in (self._workers, self._patient):
            workers.shutdown(wait=False, cancel_futures=True)

    async def answer(self, name: str, game: Game) -> int:
        """The action of an agent for the mover of a game.

        Raises:
            AgentError: if it fails.
        """
        return int(await self._ask(name, game, reply))

    async def advise(self, name: str, game: Game) -> dict[str, Any]:
        """What an agent would do, what it thinks, and where that is in the picture, see ``advise``."""
        advice: dict[str, Any] = await self._ask(name, game, advise)
        return advice

    async def check(self, name: str, game: Game) -> None:
        """Refuse an agent that was not made for such a game.

        Raises:
            AgentError: saying so.
        """
        await self._ask(name, game, check_fit)

    async def work(self, name: str, game: Game, function: Any) -> Any:
        """What a function of an agent, a game, and whether to stop gives; it may take long."""
        return await self._ask(name, game, partial(function, stop=self.is_closing.is_set), takes_long=True)

    async def _ask(self, name: str, game: Game, function: Any, takes_long: bool = False) -> Any:
        key, asked = Key(game.rules.game, name, takes_long), game.clone()  # it may be played on while others are served
        async with self._locks.setdefault(key, asyncio.Lock()):
            loop, workers = asyncio.get_running_loop(), self._patient if takes_long else self._workers
            return await loop.run_in_executor(workers, partial(self._run, key, asked, function))

    def _run(self, key: Key, game: Game, function: Any) -> Any:
        if key not in self._agents:
            try:
                self._agents[key] = make_any_agent(key.name, key.game)
            except (ValueError, ImportError) as error:
                raise AgentError(str(error)) from error
        return function(self._agents[key], game)


def list_own(spec: GameSpec) -> list[str]:
    """The names of the agents that a game brings and that can be made here, and of searches by them."""
    can_load = all(find_module(package) is not None for package in TRAINED_NEED)
    policies = spec.players.policies if can_load else ()
    return [
        *spec.players.agents,
        *policies,
        *(f"{PREFIX}{name}{AT}{POLICY_BUDGET}" for name in policies),
        *(f"{PREFIX}{name}{AT}{PLAYOUT_BUDGET}" for name in spec.players.playouts),
    ]


def check_fit(agent: Agent, game: Game) -> None:
    """Refuse a search by a policy where that was not trained.

    Raises:
        AgentError: saying so.
    """
    try:
        if isinstance(agent, SearchAgent):
            agent.check_setting(game.setting)
    except UnfitError as error:
        raise AgentError(str(error)) from error


def advise(agent: Agent, game: Game) -> dict[str, Any]:
    """What an agent would do for the mover, with its thoughts, to be shown.

    Returns:
        ``action``; ``probabilities``, by the id of each legal action, or None; ``value``, in its own unit, or None;
        ``tries``, by the id of each action that it tried, how often, and what that came to; and its line of play, see
        ``steam_env.web.look.draw_line``.

    Raises:
        AgentError: if it fails.
    """
    action, told = consider(agent, game)
    shares, plan = told.probabilities, None if told.plans is None else told.plans[0]
    tries = {} if plan is None else {one: [count, plan.values.get(one)] for one, count in plan.visits.items()}
    line = plan.line if plan is not None and plan.line[0] == action else [action]
    return {
        "action": action,
        "probabilities": None if shares is None else {one: float(shares[0, one]) for one in game.legal()},
        "value": tell_value(told),
        "tries": tries,
        **draw_line(game, line),
    }


def consider(agent: Agent, game: Game) -> tuple[int, Explanation]:
    """What an agent would do for the mover, and its thoughts: it thinks once only.

    Raises:
        AgentError: if it fails.
    """
    if not isinstance(agent, ExplainingAgent):
        return reply(agent, game), Explanation(None, None)
    told = think(agent, game, game.seat)
    return ask_mover(agent, game), told


def think(agent: Agent, game: Game, seat: int) -> Explanation:
    """What an agent tells of its thoughts about a position, for a seat: arrays and a plan of one.

    Raises:
        AgentError: if it fails.
    """
    if not isinstance(agent, ExplainingAgent):
        return Explanation(None, None)
    seats = np.array([seat])
    observations = observe_for(agent, game.records, seats, game.setting)
    view = view_records(game.records, seats, game.setting)
    call("reset", lambda: agent.reset(mix(game.seed or 0, seat, game.num_steps)))
    return ask_thoughts(agent, observations, game.mask[np.newaxis], view)


def tell_value(told: Explanation) -> float | None:
    """The value of the position, in the agent's own unit; None: it does not tell."""
    return None if told.values is None else float(told.values[0])
