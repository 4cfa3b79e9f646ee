"""Hidden hands are in no message to anybody but their owners: two worlds that a seat cannot tell apart say the same.

The worlds are those of ``tests.second_world``: games that differ only in what the seat never sees. All that a browser
can be told of both is compared, for every seat and for somebody who watches; and the messages of the owners differ.
"""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from steam_env import Game
from steam_env.core.fields import NONE
from steam_env.spec import find_spec
from steam_env.table.moments import list_moments
from steam_env.web.client import Client
from steam_env.web.desk import AgentDesk
from steam_env.web.exports import export
from steam_env.web.house import House, LiveGame
from steam_env.web.messages import MessageError
from steam_env.web.played import Keys, PlayedGame
from steam_env.web.setup import HERE, Table
from steam_env.web.store import Store
from steam_env.words.events import outcomes_of
from tests.games import mini
from tests.second_world import NUM_HISTORIES, History, other_outcomes, other_start, play, relabel

EXAMPLES = 30
PAST_STEPS, SHORT = 20, 3  # between looks at the past; a game of which a replay is drawn
play_once = cache(play)


@cache
def house() -> House:
    return House(Store(None), AgentDesk({}))


def sit_down(game: Game, is_open: bool = False) -> LiveGame:
    """The game as one that is played here, by people who each have a screen."""
    seats = game.setting.num_seats
    names = [HERE if seat < game.setting.num_players else "automa:normal" for seat in range(seats)]
    return LiveGame(PlayedGame("game", game, Table(tuple(names), is_open), Keys({}, {})))


def tell_all(live: LiveGame, seat: int | None) -> Iterator[dict[str, Any]]:
    """All that a browser which looks as this seat, or watches, can be told of a game."""
    client = Client(None, house(), None)  # type: ignore[arg-type]  # nothing is sent
    client.live, client.seats, client.seat = live, [] if seat is None else [seat], seat
    yield client._make_position(live)
    for client.at in range(0, live.played.game.num_steps, PAST_STEPS):
        yield client._make_position(live)
    for client.at in range(1, live.played.game.num_steps, PAST_STEPS):
        for moment in list_moments(live.played.game, client.at):
            client.event = moment.num_events - 1
            yield client._make_position(live)
    client.event = None
    viewer = house().choose_viewer(live, seat)
    for form in ("game", "scenario", "replay"):
        try:
            yield (
                dict(export(live.played, live.played.game, form, viewer)) if live.played.game.num_steps < SHORT else {}
            )
        except MessageError as error:
            yield {"error": str(error)}


def dump(live: LiveGame, seat: int | None) -> str:
    return json.dumps(list(tell_all(live, seat)), default=str, sort_keys=True)


def play_both(history: History, seat: int, cut: int) -> tuple[Game, Game]:
    """The same game up to a step in both worlds."""
    other = relabel(history, seat)
    one, two = history.start.clone(), other_start(history, seat, other, random.Random(cut))
    for step in range(min(cut, len(history.actions))):
        one.step(history.actions[step], outcomes_of(history.events[step], find_spec().facts))
        two.step(history.actions[step], other_outcomes(history, step, other))
    return one, two


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(number=st.integers(0, NUM_HISTORIES - 1), choice=st.integers(0, 5), cut=st.integers(0, 50))
def test_messages__tell_a_seat_nothing_that_it_may_not_see(number: int, choice: int, cut: int) -> None:
    history = play_once(number)
    seat = choice % (history.start.setting.num_seats + 1) - 1  # -1: somebody who watches
    one, two = play_both(history, seat, cut)
    if one.done:  # all is shown
        return
    looks_as = None if seat == NONE else seat
    assert dump(sit_down(one), looks_as) == dump(sit_down(two), looks_as)


def test_messages__differ_for_those_who_may_see() -> None:
    """So that the test above looks at something: hands differ in those worlds, and their owners are told."""
    differ = 0
    for number in range(0, NUM_HISTORIES, 9):
        one, two = play_both(play_once(number), 0, 0)
        for owner in range(one.setting.num_players):
            differs = one.hand(owner) != two.hand(owner)
            assert (dump(sit_down(one), owner) != dump(sit_down(two), owner)) >= differs
            differ += differs
        if differ:
            assert dump(sit_down(one, is_open=True), None) != dump(sit_down(two, is_open=True), None)
    assert differ > 2


def test_messages__show_the_hand_of_a_solo_game_to_its_player_alone() -> None:
    live = sit_down(mini(mode="solo"))
    mine, watched = (next(tell_all(live, seat)) for seat in (0, None))
    assert any(name.startswith("contract:") for name in mine["parts"]["spots"])
    assert not any(name.startswith("contract:") for name in watched["parts"]["spots"])
    assert watched["parts"]["choices"] == []
    assert "fulfil " not in json.dumps([part for name, part in watched["parts"].items() if name != "score_parts"])
