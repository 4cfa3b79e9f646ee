"""Games for the browser, without one: what the server tells and takes; ``test_web_browser`` has the page."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from steam_env import Game
from steam_env.web.desk import AgentDesk
from steam_env.web.house import House
from steam_env.web.messages import MessageError
from steam_env.web.server import Address
from steam_env.web.store import Store, StoreError
from tests.web_server import SHORT, Browser, play_on, serve


@pytest.fixture
def browser(address: Address) -> Iterator[Browser]:
    with Browser(address) as one:
        yield one


# --- play -----------------------------------------------------------------------------------------------
def test_game__against_an_agent_to_the_end(browser: Browser) -> None:
    browser.begin("here", "greedy")
    assert browser.position["mine"] == [0]
    assert browser.position["seat"] == 0
    play_on(browser, 0)
    assert browser.position["over"]
    assert "wins" in browser.position["parts"]["asked"] or "win" in browser.position["parts"]["asked"]
    assert browser.position["story"][-1][3] == "headline"


def test_game__an_automa_tells_its_reasons(browser: Browser) -> None:
    browser.begin("here", "automa:normal")
    browser.act("money")
    browser.act("money")
    words = [line for _, actor, line, *_ in browser.position["story"] if actor == 1]
    assert any("draws contract" in line for line in words)
    assert len(words) > 2


def test_moments__what_an_automa_does_is_seen_thing_by_thing(browser: Browser) -> None:
    """Each thing has its board and its reasons; the boards lead from the person's action to the newest position."""
    browser.begin("here", "automa:normal", fields={})
    browser.act("money")
    browser.act("money")
    newest, step = browser.position, browser.position["steps"]
    events = [event for at, *_, event in newest["story"] if at == step and event is not None]
    assert events == list(range(len(events)))
    ranges, boards = [], []
    while not ranges or ranges[-1][1] < len(events):
        browser.say("show", at=step, event=ranges[-1][1] if ranges else 0)
        position = browser.hear("position")
        ranges.append(position["moment"])
        boards.append("".join(position["parts"]["layers"].values()))
        assert position["at"] == step
        assert position["parts"]["choices"] == []
    assert [begin for begin, _ in ranges[1:]] == [end for _, end in ranges[:-1]]
    assert len(ranges) > 4
    assert len(set(boards)) > 4  # tiles, coins, a factory, cards that are discarded
    told = [words for at, *_, words, _, event in newest["story"] if at == step and event is not None]
    assert any(": " in words for words in told)  # reasons
    browser.say("show", at=None)
    assert browser.hear("position")["parts"]["layers"] == newest["parts"]["layers"]
    assert "nothing is to be seen" in browser.refuse("show", at=step, event=len(events))
    assert "nothing is to be seen" in browser.refuse("show", at=1, event=0)


def test_game__solo(browser: Browser) -> None:
    browser.begin("here", variant="SteamPowerSolo-v0", fields={"map": "mini"})
    assert browser.position["solo"]
    play_on(browser, 0, steps=8)
    assert browser.position["steps"] == 8
    assert any(name.startswith("contract:") for name in browser.position["parts"]["spots"])


def test_game__on_a_map_from_a_seed(browser: Browser) -> None:
    browser.begin("here", "random", fields={"map": "gen-v1:train:17", "contracts": "gen-v1:train:17"})
    assert browser.position["parts"]["spots"]


def test_action__an_illegal_one_is_refused_with_its_rule(browser: Browser) -> None:
    browser.begin("here", "random")
    before = browser.position["steps"]
    assert "rule" in browser.refuse("act", step=before, action="fulfil 1")
    assert "no action" in browser.refuse("act", step=before, action="fly home")
    browser.say("why", step=before, actions=[Game().parse("fulfil 1")])
    (reason,) = browser.hear("why")["reasons"]
    assert "rule" in reason["reason"]
    browser.act("money")
    assert browser.position["steps"] == before + 1


def test_action__of_somebody_else_or_of_an_old_position(address: Address, browser: Browser) -> None:
    created = browser.begin("here", "here")
    assert browser.position["seat"] is None  # two share the screen: whoever decides looks
    assert "player_0 decides" in browser.refuse("act", step=0, action="money")
    browser.say("look", seat=1)
    browser.hear("position")
    assert "player_0 decides" in browser.refuse("act", step=0, action="money")
    browser.say("look", seat=0)
    browser.hear("position")
    browser.act("money")
    assert "changed" in browser.refuse("act", step=0, action="money")
    with Browser(address) as other:
        other.open(created["id"])
        assert other.position["mine"] == []
        assert "player_0 decides" in other.refuse("act", step=1, action="money")
        assert "you do not act" in other.refuse("look", seat=0)
        assert "nothing is yours" in other.refuse("undo", step=1)


def test_action__two_tabs_on_one_seat(address: Address, browser: Browser) -> None:
    created = browser.begin("here", "here")
    key = created["keys"]["0"]
    with Browser(address) as one, Browser(address) as two:
        one.open(created["id"], [key])
        two.open(created["id"], [key])
        one.act("money")
        two.wait_for(lambda position: position["steps"] == 1)
        assert "changed" in two.refuse("act", step=0, action="money")
        two.act("money")
        one.wait_for(lambda position: position["steps"] == 2)


def test_invitation__is_good_for_once(address: Address, browser: Browser) -> None:
    created = browser.begin("here", "guest")
    assert list(created["keys"]) == ["0"]
    assert browser.position["free"] == [1]
    with Browser(address) as guest:
        guest.say("join", id=created["id"], invitation=created["invitations"]["1"])
        joined = guest.hear("joined")
        assert joined["seat"] == 1
        guest.open(created["id"], [joined["key"]])
        assert guest.position["seat"] == 1
        assert "used it already" in guest.refuse("join", id=created["id"], invitation=created["invitations"]["1"])
    browser.wait_for(lambda position: position["free"] == [])


# --- taking back ------------------------------------------------------------------------------------------
def test_undo__within_the_turn(browser: Browser) -> None:
    browser.begin("here", "here")
    browser.say("look", seat=0)
    browser.hear("position")
    browser.act("start Chicago SW")
    assert browser.position["undo"] == 0
    browser.say("undo", step=1)
    browser.wait_for(lambda position: position["steps"] == 0)
    assert browser.position["taken_back"] == 0
    assert len(browser.position["story"]) == 1
    assert "nothing can be taken back" in browser.refuse("undo", step=0)


def test_undo__not_beyond_what_came_to_light_between_people(browser: Browser) -> None:
    browser.begin("here", "here")
    browser.say("look", seat=0)
    browser.hear("position")
    browser.act("contracts")  # two are drawn
    assert browser.position["undo"] is None
    assert "came to light" in browser.refuse("undo", step=1)


def test_undo__further_against_machines_is_noted(browser: Browser) -> None:
    browser.begin("here", "random")
    browser.act("contracts")
    assert browser.position["undo"] == 0
    browser.say("undo", step=1)
    browser.wait_for(lambda position: position["steps"] == 0)
    assert browser.position["taken_back"] == 1
    play_on(browser, 0)
    browser.say("export", form="game", at=browser.position["steps"])
    assert json.loads(browser.hear("file")["content"])["taken_back"] == 1


# --- the past, files, other games -------------------------------------------------------------------------
def test_past__each_step_as_the_seat_saw_it(browser: Browser) -> None:
    browser.begin("here", "random")
    play_on(browser, 0, steps=3)
    newest = browser.position
    browser.say("show", at=0)
    past = browser.hear("position")
    assert past["at"] == 0
    assert past["parts"]["choices"] == []
    assert past["parts"]["round"] == 1
    browser.say("show", at=None)
    assert browser.hear("position")["parts"]["choices"] == newest["parts"]["choices"]
    browser.say("curve")
    curve = browser.hear("curve")
    assert len(curve["scores"]) == newest["steps"] + 1
    assert "0 to" in browser.refuse("show", at=newest["steps"] + 1)


def test_export__shows_all_hands_only_when_it_is_over(browser: Browser, tmp_path: Path) -> None:
    browser.begin("here", "random")
    assert "when the game is over" in browser.refuse("export", form="game", at=0)
    assert "when the game is over" in browser.refuse("export", form="scenario", at=0)
    browser.say("export", form="replay", at=0)
    assert browser.hear("file")["content"].startswith("<!DOCTYPE html>")
    play_on(browser, 0)
    last = browser.position["steps"]
    browser.say("export", form="game", at=last)
    file = tmp_path / "game.json"
    file.write_text(browser.hear("file")["content"], encoding="utf-8")
    assert Game.from_file(file).done
    browser.say("export", form="scenario", at=0)
    scenario = tmp_path / "game.toml"
    scenario.write_text(browser.hear("file")["content"], encoding="utf-8")
    assert Game.from_scenario(scenario).round == 1
    for taken_back, wanted in ((3, 3), (-1, None), ("x", None)):
        content = json.dumps({**json.loads(file.read_text(encoding="utf-8")), "taken_back": taken_back})
        if wanted is None:
            assert "whole number" in browser.refuse("load", form="game", content=content, seats=["here", "random"])
            continue
        browser.say("load", form="game", content=content, seats=["here", "random"])
        loaded = browser.hear("created")
        browser.open(loaded["id"], list(loaded["keys"].values()))
        assert browser.position["taken_back"] == wanted
    for form, path in (("game", file), ("scenario", scenario)):
        browser.say("load", form=form, content=path.read_text(encoding="utf-8"), seats=["here", "random"])
        loaded = browser.hear("created")
        browser.open(loaded["id"], list(loaded["keys"].values()))
        assert browser.position["over"] == (form == "game")


def test_load__names_no_path(browser: Browser, tmp_path: Path) -> None:
    game = Game()
    content = json.loads(
        json.dumps({"format": "steam_env game", "rules": {**game.rules.to_dict(), "map": "/etc/passwd"}})
    )
    for form, text in (
        ("game", json.dumps(content)),
        ("scenario", '[rules]\nmap = "/etc/passwd"'),
        ("scenario", "map = 'x.toml'"),
    ):
        assert "allowed are alps, midwest, mini" in browser.refuse(
            "load", form=form, content=text, seats=["here", "here"]
        )
    assert "cannot be read" in browser.refuse("load", form="game", content="{", seats=["here", "here"])
    assert "allowed are" in browser.refuse(
        "create", game="steam_power", fields={"map": str(tmp_path / "own.toml")}, seats=["here", "here"]
    )


def test_fork__plays_on_from_a_position(browser: Browser) -> None:
    browser.begin("here", "random")
    play_on(browser, 0, steps=4)
    last = browser.position["steps"]
    browser.say("fork", at=1, seats=["here", "greedy"])
    forked = browser.hear("created")
    browser.open(forked["id"], list(forked["keys"].values()))
    browser.wait_for(lambda position: position["mover"] == 0)
    assert browser.position["steps"] >= 1
    assert browser.position["taken_back"] == last - 1
    assert browser.position["seats"] == ["here", "greedy"]


def test_fork__of_a_game_that_goes_on_is_noted_and_shows_no_hand(browser: Browser) -> None:
    created = browser.begin("here", "random")
    browser.act("money")
    browser.wait_for(lambda position: position["mover"] == 0)
    step = browser.position["steps"]
    assert "its hand would be shown" in browser.refuse("fork", at=step, seats=["here", "here"])
    browser.say("fork", at=step, seats=["here", "random"])
    forked = browser.hear("created")
    assert browser.wait_for(lambda position: position["taken_back"] == 1)["id"] == created["id"]
    browser.open(forked["id"], list(forked["keys"].values()))
    assert browser.position["taken_back"] == 1


def test_fork__not_between_people_before_the_end(browser: Browser) -> None:
    browser.begin("here", "here")
    assert "between people" in browser.refuse("fork", at=0, seats=["here", "here"])


# --- watching -------------------------------------------------------------------------------------------
def test_watching__agents_play_at_a_chosen_speed(address: Address, browser: Browser) -> None:
    created = browser.begin("random", "random", pace=0.05)
    with Browser(address) as other:
        other.open(created["id"])
        browser.wait_for(lambda position: position["steps"] >= 2)
        other.wait_for(lambda position: position["steps"] >= 2)
        browser.say("pace", seconds=None)
        paused = browser.wait_for(lambda position: position["pace"] is None)["steps"]
        browser.say("pace", seconds=0)
        browser.wait_for(lambda position: position["steps"] > paused + 2 or position["over"])


def test_watching__slow_browsers_hurt_nobody(address: Address, browser: Browser) -> None:
    """They read nothing, and are told the newest position when they do."""
    created = browser.begin("here", "random", fields={**SHORT, "max_rounds": 6})
    with ExitStack() as stack:
        slow = [stack.enter_context(Browser(address, max_queue=1, close_timeout=0.1)) for _ in range(5)]
        for one in slow:
            one.game = created["id"]
            one.say("open", id=created["id"], keys=[])
        play_on(browser, 0)
        slow[0].wait_for(lambda position: position["over"])
        assert len(slow[0].heard) <= browser.position["steps"] + 3


# --- what is kept -----------------------------------------------------------------------------------------
def test_restart__games_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with serve(path) as address, Browser(address) as browser:
        created = browser.begin("here", "random")
        browser.act("money")
        before = browser.wait_for(lambda position: position["mover"] == 0)
    with serve(path) as address, Browser(address) as browser:
        browser.open(created["id"], list(created["keys"].values()))
        browser.wait_for(lambda position: position["steps"] == before["steps"])
        assert browser.position["parts"] == before["parts"]
        browser.act("money")


def test_restart__with_a_search_and_what_was_taken_back(tmp_path: Path) -> None:
    """A game goes on as it would have without the restart; what the mark counts is kept."""
    path = tmp_path / "games.sqlite"
    with serve(path) as address, Browser(address) as browser:
        created = browser.begin("here", "search:greedy@8")
        browser.act("contracts")
        browser.say("undo", step=1)
        browser.wait_for(lambda position: position["steps"] == 0)
        browser.act("money")
        browser.act("money")
        before = browser.wait_for(lambda position: position["mover"] == 0)
    with serve(path) as address, Browser(address) as browser:
        browser.open(created["id"], list(created["keys"].values()))
        after = browser.wait_for(lambda position: position["steps"] == before["steps"])
        assert after["parts"] == before["parts"]
        assert after["story"] == before["story"]
        assert after["taken_back"] == before["taken_back"] == 1
        assert after["undo"] == before["undo"] == 1
        browser.say("undo", step=after["steps"])
        browser.wait_for(lambda position: position["steps"] == 1)
        browser.act("money")
        again = browser.wait_for(lambda position: position["mover"] == 0)
        assert again["story"] == before["story"]  # the search answers alike


def test_restart__in_the_middle_of_an_agents_turn(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with serve(path) as address, Browser(address) as browser:
        created = browser.begin("here", "search:greedy@8", pace=60)  # which has not begun
        browser.act("money")
        browser.act("money")
        assert browser.position["mover"] == 1
    with serve(path) as address, Browser(address) as browser:
        browser.open(created["id"], list(created["keys"].values()))
        browser.say("pace", seconds=0)
        browser.wait_for(lambda position: position["mover"] == 0)


def test_socket__closed_in_mid_action_loses_nothing(address: Address) -> None:
    with Browser(address) as browser:
        created = browser.begin("here", "here")
        browser.say("look", seat=0)
        browser.say("act", step=0, action="money")
    with Browser(address) as browser:
        browser.open(created["id"], list(created["keys"].values()))
        browser.wait_for(lambda position: position["steps"] == 1)


def test_store__lets_go_of_old_games_when_it_is_full() -> None:
    house = House(Store(None), AgentDesk({}), most_games=2)

    async def begin() -> str:
        return (
            await house.create({"game": "steam_power", "fields": SHORT, "seats": ["here", "here"]})
        ).live.played.name

    first, second = asyncio.run(begin()), asyncio.run(begin())
    with pytest.raises(MessageError, match="2 games are kept here, and no more"):
        asyncio.run(begin())
    old = house.store.read(first)
    assert old is not None
    house.store.write(old, now=0.0)
    third = asyncio.run(begin())
    assert [house.store.read(name) is not None for name in (first, second, third)] == [False, True, True]


def test_store__has_one_server(tmp_path: Path) -> None:
    store = Store(tmp_path / "games.sqlite")
    with pytest.raises(StoreError, match="another server has it"):
        Store(tmp_path / "games.sqlite")
    store.close()
    Store(tmp_path / "games.sqlite").close()


def test_store__refuses_other_files(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no games " * 100)
    with pytest.raises(StoreError, match="no games can be kept there"):
        Store(text)
    other = tmp_path / "other.sqlite"
    base = sqlite3.connect(other)
    base.execute("CREATE TABLE things (name TEXT)")
    base.close()
    with pytest.raises(StoreError, match="holds no games"):
        Store(other)
