"""Lines of play: what somebody expects to be played from a position on, action by action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steam_env.spec import find_spec
from steam_env.table.game import Game
from steam_env.table.moments import list_moments, show_moment


def follow_line(game: Game, line: Sequence[int]) -> Iterator[tuple[Game, int | None]]:
    """The positions along a line, each with the action that is played there; the last one with None.

    The line is played in a redeal of what the mover knows, so that it shows nothing that is hidden from this seat. It
    is followed as far as that is no guess: up to what chance decides, or somebody else. Where there is no choice, that
    is played, whether the line names it or not.

    Args:
        game: the position from which the line begins; nothing is changed there.
        line: action ids.
    """
    facts = find_spec(game.rules.game).facts
    unsure = {*facts.chance_events, *facts.reveals}
    ahead, waiting = game.redeal(game.seat, 0), list(line)
    while waiting and not ahead.done and ahead.seat == game.seat:
        legal = ahead.legal()
        action = legal[0] if len(legal) == 1 else waiting[0]
        if action not in legal:
            break
        if action == waiting[0]:
            del waiting[0]
        yield ahead.clone(), action
        ahead.step(action)
        if any(event.kind in unsure for event in ahead.events_since(ahead.num_steps - 1)):
            break
    moments = list_moments(ahead, ahead.num_steps) if ahead.num_steps else []
    yield (show_moment(ahead, moments[0]) if moments else ahead), None  # before scripted seats have played


def tell_line(game: Game, line: Sequence[int]) -> list[str]:
    """The actions along a line as texts, in the words of the positions in which they would be played."""
    return [position.text(action) for position, action in follow_line(game, line) if action is not None]
