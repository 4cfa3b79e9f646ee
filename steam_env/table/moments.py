"""The middle of a step of a game: what scripted seats do there, with the position after each thing."""

from __future__ import annotations

from itertools import islice
from typing import TypeVar

from steam_env.core.moments import Moment
from steam_env.table.game import Game

G = TypeVar("G", bound=Game)


def list_moments(game: Game, step: int) -> list[Moment]:
    """How a game stood on the way to its position after ``step`` actions, 1 or more, while scripted seats played.

    Returns:
        how it stood after the action, and after each thing that scripted seats did; nothing where they did nothing. The
        events of a moment are those of the step since the moment before, as far as ``num_events`` counts them; the last
        moment has them all.
    """
    action, outcomes = game._actions[step - 1]
    before = next(islice(game.positions(), step - 1, None))
    engine, records, masks = before._engine, before._records, before._masks
    engine.spec.kernels.scratch.work["outcomes"][: len(outcomes)] = outcomes
    return engine.watch_step(records, before.setting, action, masks, len(outcomes))


def show_moment(game: G, moment: Moment) -> G:
    """The game as it stood in a moment, to be looked at: nothing is legal there."""
    shown = game.clone()
    shown._records, shown._masks = moment.records.copy(), shown._masks & False
    return shown
