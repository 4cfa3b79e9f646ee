"""The middle of a step, which people may look at, and lines of play, which go no further than is known."""

import random
from itertools import pairwise
from typing import Any

import pytest

from steam_env import Game, Rules
from steam_env.steam import Game as SteamGame
from steam_env.steam import Rules as SteamRules
from steam_env.table.lines import follow_line, tell_line
from steam_env.table.moments import list_moments, show_moment
from tests.games import MINI, TABLES, advance, mini

AUTOMAS: list[dict[str, Any]] = [
    {"num_players": 2, "automas": 1, "automa_level": "very_easy"},
    {"num_players": 3, "automas": 2, "automa_level": "hard"},
    {"num_players": 5, "automas": 4, "map": "midwest", "contracts": "standard", "automa_level": "very_hard"},
]


# --- moments ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("rules", AUTOMAS, ids=str)
def test_moments__lead_from_the_action_to_the_position_after_it(rules: dict[str, Any]) -> None:
    """The last is what the compiled Automa comes to, to the byte; on the way everything is told once."""
    game = advance(Game(Rules(**{**MINI, **rules}), seed=5), 60)
    turns = 0
    for step, position in enumerate(game.positions()):
        moments = list_moments(game, step) if step else []
        told = position.events_since(step - 1) if step > 1 else []
        if any(event.kind == "automa" for event in told):
            turns += 1
            assert moments[-1].records.tobytes() == position.records.tobytes()
            assert moments[-1].num_events == len(told)
            counts = [moment.num_events for moment in moments]
            assert counts == sorted(set(counts))
            assert counts[0] >= 1  # the action itself
            assert all(one.records.tobytes() != two.records.tobytes() for one, two in pairwise(moments))
            for one, two in pairwise(moments):  # one thing at a time
                kinds = [event.kind for event in told[one.num_events : two.num_events]]
                assert max(map(kinds.count, ("place", "build", "source", "reward", "discard"))) <= 1
        elif step > 1:
            assert moments == []
    assert turns > 5


def test_moments__can_be_drawn_and_change_nothing() -> None:
    game = advance(mini(num_players=3, automas=1), 30)
    before, drawn = game.save(), set()
    step = next(step for step in range(10, game.num_steps) if len(list_moments(game, step)) > 5)
    for moment in list_moments(game, step):
        shown = show_moment(game, moment)
        assert shown.legal() == []
        drawn.add(shown.render("svg", seat=0))
    assert len(drawn) > 3
    assert game.save() == before


def test_moments__nothing_where_nobody_is_scripted() -> None:
    for game in (advance(mini(), 10), advance(Game(Rules(**TABLES["solo"]), seed=1), 10)):
        assert [list_moments(game, step) for step in range(1, game.num_steps + 1)] == [[]] * game.num_steps
    steam = SteamGame(SteamRules(map="mini"), seed=1)
    steam.step(steam.legal()[0])
    assert list_moments(steam, 1) == []


# --- lines of play ----------------------------------------------------------------------------------------
def parse(game: Game, *texts: str) -> list[int]:
    """A line, each action in the words of the position where it is played."""
    twin, line = game.clone(), []
    for text in texts:
        line.append(twin.parse(text))
        twin.step(text)
    return line


def test_line__is_told_in_the_words_of_each_position() -> None:
    game = mini(first_player="player_0")
    texts = ["start Chicago SW", "head N", "done"]
    assert tell_line(game, parse(game, *texts)) == texts
    positions = list(follow_line(game, parse(game, *texts)))
    assert [position.num_steps for position, _ in positions] == [0, 1, 2, 3]
    assert positions[-1][1] is None
    assert game.num_steps == 0


def test_line__ends_where_chance_or_somebody_else_decides() -> None:
    game = mini(first_player="player_0")
    money = game.parse("money")
    assert tell_line(game, [money, money, money]) == ["money", "money"]  # then player_1 is to move
    assert tell_line(game, [game.parse("contracts"), money]) == ["contracts"]
    assert tell_line(game, [game.parse("fulfil 1"), money]) == []


def test_line__plays_what_is_no_choice() -> None:
    """Searches leave decisions without a choice out of their lines."""
    rng, found = random.Random(2), 0
    for seed in range(20):
        game = SteamGame(SteamRules(map="mini"), seed=seed)
        while not game.done and game.num_steps < 60:
            before, action = game.clone(), rng.choice(game.legal())
            game.step(action)
            if game.seat == before.seat and len(game.legal()) == 1 and len(before.legal()) > 1:
                after = game.clone()
                after.step(after.legal()[0])
                if after.seat == before.seat and len(after.legal()) > 1:
                    last = after.legal()[0]
                    told = tell_line(before, [action, last])
                    assert told == [before.text(action), game.text(game.legal()[0]), after.text(last)]
                    found += 1
        if found:
            break
    assert found


def test_line__shows_nothing_that_is_hidden() -> None:
    """Worlds that a seat cannot tell apart give the same line and the same positions, as it sees them."""
    game = advance(mini(num_players=3), 15)
    line = [game.legal()[0]]
    for seed in range(4):
        other = game.redeal(game.seat, seed)
        pairs = zip(follow_line(game, line), follow_line(other, line), strict=True)
        assert all(one.records.tobytes() == two.records.tobytes() and a == b for (one, a), (two, b) in pairs)
