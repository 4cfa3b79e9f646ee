"""What agents tell people in the browser: hints with their lines of play, and games that are looked through."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from steam_env import Game
from steam_env.agents import Agent
from steam_env.web.desk import AgentDesk
from steam_env.web.look import draw_line, look_at
from steam_env.web.server import Address
from tests.games import mini
from tests.web_server import PATIENCE, SHORT, Browser, play_on


@pytest.fixture
def browser(address: Address) -> Iterator[Browser]:
    with Browser(address) as one:
        yield one


def test_hint__is_a_legal_action(browser: Browser) -> None:
    browser.begin("here", "random")
    browser.say("hint", step=0, agent="greedy")
    hint = browser.hear("hint")
    assert hint["action"] in dict(browser.position["parts"]["choices"])
    assert "allowed are greedy, random" in browser.refuse("hint", step=0, agent="file.py:Evil")


@pytest.mark.parametrize(
    ("game", "seats", "agent", "verb"),
    [
        ("steam_power", ("here", "random"), "search:greedy@8", "start"),
        ("steam", ("here", "random", "random"), "search:thrifty@8", "build"),
    ],
)
def test_hint__of_a_search_tells_its_line_and_where_it_is(
    browser: Browser, game: str, seats: tuple[str, ...], agent: str, verb: str
) -> None:
    browser.begin(*seats, game=game, fields={"map": "mini"})
    while True:
        browser.wait_for(lambda position: position["mover"] == 0)
        texts = dict(browser.position["parts"]["choices"])
        if any(text.startswith(f"{verb} ") for text in texts.values()):
            break
        browser.act(next(iter(texts)))
    browser.say("hint", step=browser.position["steps"], agent=agent)
    hint = browser.hear("hint")
    assert hint["line"][0]["text"] == texts[hint["action"]]
    assert hint["line"][0]["text"].startswith(verb)
    assert hint["line"][0]["place"].startswith("M")
    assert len(hint["line"]) > 1
    assert set(map(int, hint["tries"])) <= set(texts)
    assert sum(count for count, _ in hint["tries"].values()) >= 8
    assert "<path" in hint["ahead"]["track"]


def test_hint__shows_no_track_of_an_automa_that_plays_after_the_line() -> None:
    game = mini(automas=1, first_player="player_0")
    for _ in range(9):
        game.step("money")
        line = draw_line(game, [game.parse("money")])
        assert [step["text"] for step in line["line"]] == ["money"]
        assert line["ahead"]["track"] == look_at(game, 0, decides=True).parts["layers"]["track"]
    assert "<path" in line["ahead"]["track"]  # the Automa's, of the turns before


def test_hint__can_be_left_waiting(browser: Browser) -> None:
    """While an agent thinks the browser goes on; a second question waits for the answer to the first."""
    browser.begin("here", "random")
    browser.say("hint", step=0, agent="search:greedy@8")
    browser.say("hint", step=0, agent="search:greedy@8")
    browser.say("show", at=0)
    kinds = [browser.read()["kind"] for _ in range(3)]
    assert sorted(kinds) == ["error", "hint", "position"]
    assert kinds[-1] == "hint"


def test_review__tells_what_cost_the_most(browser: Browser) -> None:
    browser.begin("here", "random", fields={**SHORT, "max_rounds": 12})
    assert "when it is over" in browser.refuse("review", agent="greedy")
    play_on(browser, 0)
    browser.say("review", agent="greedy")
    review = browser.hear("review")
    assert len(review["values"]) == browser.position["steps"]
    costs = [decision["cost"] for decision in review["costly"]]
    assert costs == sorted(costs, reverse=True)
    assert all(cost > 0 for cost in costs)
    assert costs  # a random player errs


def test_review__holds_no_game_up() -> None:
    """While an agent looks through one game it plays others, and at the end of the server it stops."""
    game, ended = mini(), threading.Event()

    def look_through(agent: Agent, looked_at: Game, stop: Callable[[], bool]) -> str:
        assert ended.wait(PATIENCE)
        return "stopped" if stop() else "done"

    async def ask() -> tuple[int, str]:
        desk = AgentDesk({"steam_power": ("greedy",)})
        review = asyncio.create_task(desk.work("greedy", game, look_through))
        action = await asyncio.wait_for(desk.answer("greedy", game), PATIENCE)
        desk.close()
        ended.set()
        return action, await review

    action, told = asyncio.run(ask())
    assert action in game.legal()
    assert told == "stopped"
