"""Who may come in, what may be said, and how the program that serves games begins and ends."""

import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from steam_env.commands.play import main
from steam_env.commands.web import choose_agents
from steam_env.kit.program import BAD_INPUT
from steam_env.web.messages import MAX_MESSAGE_BYTES, MAX_UPLOAD_BYTES, SCHEMA, MessageError, read_message
from steam_env.web.server import Address, make_app
from tests.web_server import Browser, serve


@pytest.fixture
def browser(address: Address) -> Iterator[Browser]:
    with Browser(address) as one:
        yield one


# --- who may come in ----------------------------------------------------------------------------------------
def fetch(address: Address, path: str = "/", **headers: str) -> int:
    request = urllib.request.Request(f"http://{address.host}:{address.port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/page/page.html", "/%2e%2e/pyproject.toml"])
def test_files__only_those_of_the_page(address: Address, path: str) -> None:
    assert fetch(address, path) == 404
    assert fetch(address, "/main.js") == 200


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org", "127.0.0.1", "127.0.0.1:1"])
def test_host__another_name_is_refused(address: Address, host: str) -> None:
    assert fetch(address, Host=host) == 403


def test_host__a_proxy_and_the_usual_port_leave_the_port_out() -> None:
    hosts = Address("192.0.2.7", 8000, ("play.example.org", "Other.example:8443")).hosts
    assert {"192.0.2.7:8000", "127.0.0.1:8000", "play.example.org", "play.example.org:8000"} <= hosts
    assert "other.example:8443" in hosts
    assert "127.0.0.1" not in hosts
    assert {"127.0.0.1", "localhost", "localhost:80"} <= Address(port=80).hosts


@pytest.mark.parametrize("origin", [None, "null", "https://example.org", "http://127.0.0.1:1", "http://["])
def test_origin__pages_elsewhere_are_refused(address: Address, origin: str | None) -> None:
    with pytest.raises(InvalidStatus, match="403"):
        Browser(address, origin=origin)


def test_token__is_asked_for() -> None:
    with serve(token="secret") as address:
        with Browser(address, token="secret") as browser:
            browser.begin("here", "here")
        for given in ({}, {"token": "wrong"}, {"token": "é"}):
            with Browser(address, greets=False) as browser:
                browser.say("hello", **given)
                assert "token" in browser.hear("error")["message"]
                with pytest.raises(ConnectionClosed):
                    browser.read()
    with pytest.raises(ValueError, match="a token is needed"):
        make_app(None, Address("192.0.2.7"))  # type: ignore[arg-type]
    assert "secret" in Address(token="secret").url
    assert "secret" not in repr(Address(token="secret"))


def test_hello__comes_first(address: Address) -> None:
    with Browser(address, greets=False) as browser:
        browser.say("create", game="steam_power", fields={}, seats=[])
        assert "hello" in browser.hear("error")["message"]


# --- the program ----------------------------------------------------------------------------------------
def test_program__takes_agents_by_name_and_refuses_others() -> None:
    assert choose_agents(("greedy", "steam=thrifty")) == {"steam_power": ("greedy",), "steam": ("thrifty",)}
    assert {"random", "search:thrifty@16"} <= set(choose_agents(())["steam"])
    assert {"planner", "search:greedy@16"} <= set(choose_agents(())["steam_power"])
    with pytest.raises(ValueError, match="nobody"):
        choose_agents(("nobody",))


@pytest.mark.parametrize("host", ["127.0.0.1", "203.0.113.7", "no.such.host.invalid", "", "a..b"])
def test_program__an_address_that_cannot_be_bound_ends_it(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["--web", "--quiet", "--host", host, "--port", str(port)]) == BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert f"--host {host!r} --port {port}: cannot be bound: " in line


@pytest.mark.parametrize("words", [("--port", "0"), ("--agent", "nobody"), ("--games", "1"), ("--store", "tests")])
def test_program__bad_input_ends_it(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--web", *words]) == BAD_INPUT
    assert words[0].strip("-") in capsys.readouterr().err or "tests" in words


# --- messages -----------------------------------------------------------------------------------------------
BAD: dict[str, str] = {
    "{": "no JSON",
    "[]": "an object",
    '{"kind": "hello"}': "version 1",
    '{"v": 2, "kind": "hello"}': "version 1",
    '{"v": 1}': "kind=None",
    '{"v": 1, "kind": "fly"}': "allowed are hello",
    '{"v": 1, "kind": "leave", "more": 1}': "more is unknown",
    '{"v": 1, "kind": "look"}': "seat is missing",
    '{"v": 1, "kind": "look", "seat": true}': "whole number",
    '{"v": 1, "kind": "look", "seat": 1.5}': "whole number",
    '{"v": 1, "kind": "look", "seat": NaN}': "no JSON",
    '{"v": 1, "kind": "act", "step": -1, "action": 1}': "whole number",
    '{"v": 1, "kind": "act", "step": 1, "action": []}': "whole number",
    '{"v": 1, "kind": "why", "step": 1, "actions": [1, "2"]}': r"actions\[1\]",
    '{"v": 1, "kind": "pace", "seconds": 1e9}': "0 to 60",
    '{"v": 1, "kind": "create", "game": "x", "seats": ["a"], "fields": {"a": {}}}': "fields.a",
    f'{{"v": 1, "kind": "join", "id": "{"x" * 99}", "invitation": ""}}': "at most 64",
    f'{{"v": 1, "kind": "leave", "x": "{"x" * MAX_MESSAGE_BYTES}"}}': "4,096 are allowed",
    f'{{"v": 1, "kind": "leave", "load": "{"x" * MAX_MESSAGE_BYTES}"}}': "4,096 are allowed",
    "[" * 4000: "no JSON",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:40])
def test_message__bad_ones_are_refused_by_name(text: str) -> None:
    with pytest.raises(MessageError, match=BAD[text]):
        read_message(text)


def test_message__refusals_lose_nothing(browser: Browser) -> None:
    browser.begin("here", "random")
    for text in (*BAD, b"bytes"):
        browser.socket.send(text)
        assert browser.hear("error")["message"]
    browser.act("money")


def test_message__too_many_are_refused(browser: Browser) -> None:
    for _ in range(80):
        browser.say("leave")
    assert browser.hear("error")["message"].startswith("too many")


def test_message__a_huge_one_ends_the_connection(address: Address, browser: Browser) -> None:
    created = browser.begin("here", "random")

    def overdo() -> None:
        browser.socket.send("x" * (MAX_UPLOAD_BYTES + 1))
        browser.wait_for(lambda position: False)

    with pytest.raises(ConnectionClosed):
        overdo()
    with Browser(address) as again:
        again.open(created["id"], list(created["keys"].values()))
        again.act("money")


def test_create__refuses_a_search_where_its_policy_was_not_trained() -> None:
    pytest.importorskip("torch")
    with serve(agents={"steam_power": ("search:duel@4",)}) as address, Browser(address) as browser:
        order = {"game": "steam_power", "fields": {"map": "mini"}, "seats": ["here", "search:duel@4"]}
        words = "search:duel was trained on map 'midwest' with 2 seats, and is asked on map 'mini' with 2"
        assert words in browser.refuse("create", **order)
        browser.begin("here", "here")
        browser.say("look", seat=0)
        browser.hear("position")
        assert words in browser.refuse("hint", step=0, agent="search:duel@4")


def test_schema__every_kind_has_a_handler() -> None:
    from steam_env.web.client import Client

    assert set(SCHEMA) == set(Client._handlers)


def test_create__refuses_what_was_not_offered(browser: Browser) -> None:
    order: dict[str, Any] = {"game": "steam_power", "fields": {}, "seats": ["here", "random"]}
    for change, words in (
        ({"game": "tests.toy:SPEC"}, "allowed are steam_power, steam"),
        ({"seats": ["here", "cmd:./bot"]}, "allowed are here, guest, greedy, random, search"),
        ({"seats": ["automa:easy", "here"]}, "last seats"),
        ({"seats": ["here"]}, "num_players"),
        ({"fields": {"automas": 1}}, "fields.automas"),
        ({"fields": {"max_rounds": 0}}, "max_rounds"),
        ({"variant": "SteamPower-v0"}, "SteamPowerSolo-v0"),
    ):
        assert words in browser.refuse("create", **{**order, **change})
