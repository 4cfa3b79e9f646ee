"""A game that is over in an agent's eyes: its value as it went, and the decisions that cost the most.

What a decision cost is found by playing on twice from it, once with what was played and once with what the agent would
have played, until the same seat decides again: there the agent's values are compared, or the lead in points where it
tells none, and after the end always that. The agent plays for everybody meanwhile, and chance is what it was in the
game. That is one way in which things might have gone on, not the mean of all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from steam_env.agents import Agent
from steam_env.playing.replies import reply
from steam_env.table.game import Game
from steam_env.web.desk import consider, tell_value, think

MOST_COSTLY = 10  # decisions that are told
MOST_SECONDS = 300.0  # for all of a game
MOST_STEPS = 60  # to the seat's next decision, beyond which nothing is compared


class Judgement(NamedTuple):
    """How well a seat stands: in the agent's own unit, or in points."""

    worth: float
    is_value: bool


def review_game(agent: Agent, game: Game, stop: Callable[[], bool]) -> dict[str, Any]:
    """The game in the agent's eyes, as far as it gets in ``MOST_SECONDS``.

    Args:
        agent: the agent.
        game: that is over.
        stop: asked before each step whether to leave it at that.

    Returns:
        ``values``: by step, the value that the mover could expect, or None; ``costly``: decisions, those that cost the
        most first, each with ``step``, ``seat``, ``played``, ``better``, ``cost`` and ``unit``.

    Raises:
        AgentError: if it fails.
    """
    values, costly = [], []
    end = time.monotonic() + MOST_SECONDS
    for step, (position, action) in enumerate(zip(game.positions(), game.actions, strict=False)):
        if stop() or time.monotonic() > end:
            break
        better, told = consider(agent, position)
        values.append(tell_value(told))
        if better != action and len(position.legal()) > 1:
            compared = _compare(agent, position, action, better)
            if compared is not None:
                costly.append({"step": step, "seat": position.seat, **compared})
    costly.sort(key=lambda decision: -decision["cost"])
    return {"values": values, "costly": [decision for decision in costly if decision["cost"] > 0][:MOST_COSTLY]}


def _compare(agent: Agent, position: Game, played: int, better: int) -> dict[str, Any] | None:
    """What an action cost beside another; None where both cannot be compared."""
    one, two = (_play_on(agent, position, action) for action in (played, better))
    if one is None or two is None:
        return None
    worths = [_judge(agent, game, position.seat, one.done or two.done) for game in (one, two)]
    return {
        "played": position.text(played),
        "better": position.text(better),
        "cost": round(worths[1].worth - worths[0].worth, 4),
        "unit": "value" if worths[0].is_value else "points",
    }


def _play_on(agent: Agent, position: Game, action: int) -> Game | None:
    """The next decision of the seat after an action, or the end; None where it is far away."""
    game, seat = position.clone(), position.seat
    game.step(action)
    for _ in range(MOST_STEPS):
        if game.done or game.seat == seat:
            return game
        game.step(reply(agent, game))
    return None


def _judge(agent: Agent, game: Game, seat: int, by_points: bool) -> Judgement:
    value = None if by_points else tell_value(think(agent, game, seat))
    if value is not None:
        return Judgement(value, is_value=True)
    totals = [score["total"] for score in game.scores()]
    others = [total for other, total in enumerate(totals) if other != seat]
    return Judgement(float(totals[min(seat, len(totals) - 1)] - max(others, default=0)), is_value=False)
