"""Ask an agent what it plays, and accept nothing but one legal action for each game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

import numpy as np

from steam_env.encoding import Observations
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.kit.errors import AgentError, AnswerError, Closed, IllegalActionError
from steam_env.kit.show import describe, show_error
from steam_env.spec import Setting, find_spec
from steam_env.table.game import Game, game_class_of
from steam_env.table.records import take_games
from steam_env.table.view import View, view_records

T = TypeVar("T")

FIRST_ENCODING = ""  # names the game's first, for an agent that does not know what that is called


class Asked(Protocol):
    """Something that can be asked for actions: an agent, see ``steam_env.agents.base.Agent``.

    Two attributes tell what it looks at: ``encoding``, the name of that of its observations, or ``FIRST_ENCODING``,
    ``None`` or left out for none; and ``needs_views``, False for one that gets ``None`` in place of views.
    """

    def act(self, observations: Any, masks: np.ndarray, views: Any) -> Any:
        """An action for each game."""
        ...


def ask(
    agent: Asked,
    records: np.ndarray,
    seats: IntArray,
    masks: np.ndarray,
    setting: Setting,
    *,
    observations: Observations | None = None,
    views: View | None = None,
) -> IntArray:
    """Ask an agent for its actions in some games, and check them.

    Args:
        agent: the agent, which is asked once for all of the games.
        records: (k,) the games, which it does not get to see.
        seats: (k,) int64, the movers, for whom it answers.
        masks: (k, actions) bool, their legal actions, of which it gets a copy.
        setting: of the games.
        observations: what it observes, if that is at hand; ``None``: made here, see ``observe_for``.
        views: what the seats see and know, likewise.

    Returns:
        (k,) int64 legal actions.

    Raises:
        AgentError: from whatever the agent raises; it does not name the agent, see ``blame``.
        AnswerError: saying what is wrong with the answer, likewise.
    """
    if observations is None:
        observations = observe_for(agent, records, seats, setting)
    if views is None and getattr(agent, "needs_views", True):
        views = view_records(records, seats, setting)
    return check_answer(call("act", lambda: agent.act(observations, masks.copy(), views)), records, masks, setting)


def call(what: str, method: Callable[[], T]) -> T:
    """What an agent's own code answers.

    Raises:
        AgentError: from whatever else it raises, as its own errors are none of ours; an interruption passes.
    """
    try:
        return method()
    except (KeyboardInterrupt, Closed, AgentError):
        raise
    except BaseException as error:
        raise AgentError(f"{what} raises {show_error(error, __file__)}") from error


@contextmanager
def blame(who: str, where: Callable[[int], str] = lambda row: "") -> Iterator[None]:
    """Let an error about an agent tell who it is, and where: in which of the games that it was asked for."""
    try:
        yield
    except AgentError as error:
        named = type(error)(f"{who}: {error}{where(error.row)}")
        named.row = error.row
        raise named from error.__cause__


def ask_mover(agent: Asked, game: Game) -> int:
    """Ask an agent for the action of one game's mover, of whom it sees observation, mask and view; changes nothing.

    Raises:
        AgentError: see ``ask``.
    """
    return int(ask(agent, game.records, np.array([game.seat]), game.mask[np.newaxis], game.setting)[0])


def encoding_of(agent: object) -> str | None:
    """The encoding that an agent observes in; ``None`` if it observes nothing."""
    return call("encoding", lambda: getattr(agent, "encoding", None))


def observe_for(
    agent: object, records: np.ndarray, seats: IntArray, setting: Setting, out: Observations | None = None
) -> Observations | None:
    """What an agent observes of some games from the seats (k,), in its encoding; ``None`` if it observes nothing.

    Args:
        agent: whose encoding it is.
        records: (k,) the games.
        seats: (k,) int64, the observers.
        setting: of the games.
        out: arrays (k, ...) to write into; ``None``: fresh ones.

    Raises:
        ValueError: for an unknown encoding, naming those that there are.
    """
    name = encoding_of(agent)
    if name is None:
        return None
    encoding = find_spec(setting.rules.game).sight.find_encoding(name or None, setting=setting)
    observations: Observations = encoding.allocate(len(records)) if out is None else out
    encoding.encode(records, *setting.statics, seats, observations)
    return observations


def check_answer(answer: object, records: np.ndarray, masks: np.ndarray, setting: Setting) -> IntArray:
    """An agent's answer for k games as (k,) int64, refused unless all are legal actions.

    Raises:
        AnswerError: if it is not k integers, or the first that is illegal, with its reason.
    """
    try:
        actions = np.asarray(answer)
    except Exception:
        raise AnswerError(f"its answer must be {len(masks)} integers, not {describe(answer)}") from None
    if actions.shape != (len(masks),) or not np.issubdtype(actions.dtype, np.integer):
        raise AnswerError(
            f"its answer must be {len(masks)} integers, not an array of shape {actions.shape} and type {actions.dtype}"
        )
    wrong = np.flatnonzero(find_illegal(actions, masks))
    if len(wrong):
        row = int(wrong[0])
        illegal = AnswerError(_tell_why(setting, take_games(records, wrong[:1]), int(actions[row])))
        illegal.row = row
        raise illegal
    return actions.astype(np.int64)


def _tell_why(setting: Setting, records: np.ndarray, action: int) -> str:
    """Why an action is illegal in one game."""
    try:
        game_class_of(setting)._at(setting, records).step(action)
    except IllegalActionError as error:
        return str(error)
    return f"action {action} is illegal"


def find_illegal(actions: np.ndarray, masks: np.ndarray) -> BoolArray:
    """(k,) bool, which of the actions (k,) is no id or not in its mask (k, actions)."""
    inside = (actions >= 0) & (actions < masks.shape[1])
    illegal: BoolArray = ~(inside & masks[np.arange(len(masks)), np.where(inside, actions, 0)])
    return illegal
