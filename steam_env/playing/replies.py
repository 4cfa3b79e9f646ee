"""What an agent answers to a person: the same at the same position, also after taking back and after loading."""

from __future__ import annotations

import numpy as np

from steam_env.agents import Agent, FollowingAgent
from steam_env.kit.errors import AgentError
from steam_env.table.asking import ask_mover, blame, call
from steam_env.table.game import Game
from steam_env.words.seats import name_seat


def reply(agent: Agent, game: Game) -> int:
    """The action of an agent for the mover, of whom it sees observation, mask and view only.

    It is asked anew, from a seed that the game's seed, the mover and the number of the step make.

    Raises:
        AgentError: see ``steam_env.table.asking.ask``.
    """
    seed = mix(game.seed or 0, game.seat, game.num_steps)
    with blame(f"{type(agent).__name__} on {name_seat(game.seat)}", lambda _: f" (decision {game.num_steps + 1})"):
        call("reset", lambda: agent.reset(seed))
        action = ask_mover(agent, game)
        if isinstance(agent, FollowingAgent):
            _raise_faults(agent)
        return action


def _raise_faults(agent: FollowingAgent) -> None:
    """Tell what an agent did wrong, as what an agent raises is told; whatever ran for it is ended."""
    for _, message in agent.take_faults():
        agent.close()
        raise AgentError(message)


def mix(*numbers: int) -> int:
    """A seed made of numbers."""
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])
