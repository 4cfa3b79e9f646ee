"""A server of the web room in this process, and somebody who talks to it as a browser does."""

import json
import random
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from steam_env.spec import find_spec
from steam_env.web.desk import AgentDesk
from steam_env.web.house import House
from steam_env.web.look import warm_up
from steam_env.web.messages import VERSION
from steam_env.web.server import Address, make_server
from steam_env.web.store import Store

PATIENCE = 120.0  # seconds: kernels may have to be compiled
SHORT = {"map": "mini", "contracts": "mini", "first_player": "player_0", "max_rounds": 3}
AGENTS = {"steam_power": ("greedy", "random", "search:greedy@8"), "steam": ("random", "thrifty", "search:thrifty@8")}


@cache
def warm_up_once(game: str) -> None:
    """Have what games need compiled before a browser waits for it."""
    warm_up(find_spec(game))


@contextmanager
def serve(
    path: Path | None = None, agents: Mapping[str, Sequence[str]] | None = None, **more: Any
) -> Iterator[Address]:
    """A server on a free port, for as long as the block lasts."""
    warm_up_once("steam_power")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = Address(**{"port": free.getsockname()[1], **more})
    house = House(Store(path), AgentDesk(AGENTS if agents is None else agents))
    server = make_server(house, address)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE
    while not server.started:
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.01)
    try:
        yield address
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


class Browser:
    """Talks to a server, and keeps all that it hears.

    Attributes:
        heard: the texts of all messages.
        position: the newest, its parts put together.
    """

    def __init__(self, address: Address, *, token: str | None = None, greets: bool = True, **more: Any) -> None:
        base = f"{address.host}:{address.port}"
        options = {"origin": f"http://{base}", "open_timeout": PATIENCE, "max_size": None, **more}
        self._stack = ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(connect(f"ws://{base}/talk", **options))
        self.heard: list[str] = []
        self.position: dict[str, Any] = {}
        self.game = ""  # that is open
        self.keys: dict[str, str] = {}
        if greets:
            self.say("hello", **({} if token is None else {"token": token}))
            self.welcome = self.hear("welcome")

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def say(self, kind: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"v": VERSION, "kind": kind, **fields}))

    def read(self) -> dict[str, Any]:
        """The next message."""
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.heard.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["kind"] == "position" and message["id"] == self.game:
            before = {} if message["whole"] else self.position["parts"]
            layers = {**before.get("layers", {}), **message["parts"].get("layers", {})}
            message["parts"] = {**before, **message["parts"], "layers": layers}
            known = [] if not message["log"]["from"] else self.position["story"][: message["log"]["from"]]
            message["story"] = [*known, *message["log"]["lines"]]
            self.position = message
        return message

    def hear(self, kind: str) -> dict[str, Any]:
        """The next message of this kind; positions on the way are taken note of."""
        while True:
            message = self.read()
            if message["kind"] == kind:
                return message
            assert message["kind"] in ("position", kind), message

    def wait_for(self, wanted: Any) -> dict[str, Any]:
        """The first position like this, from the newest on."""
        while not (self.position and wanted(self.position)):
            self.hear("position")
        return self.position

    def begin(self, *seats: str, game: str = "steam_power", open_it: bool = True, **more: Any) -> dict[str, Any]:
        """Begin a game, by default on the smallest map, and open it."""
        fields = SHORT if game == "steam_power" else {}
        order = {"game": game, "fields": fields, "seats": list(seats), "seed": 3, **more}
        self.say("create", **order)
        created = self.hear("created")
        self.keys = created["keys"]
        if open_it:
            self.open(created["id"], list(created["keys"].values()))
        return created

    def open(self, name: str, keys: Sequence[str] = ()) -> dict[str, Any]:
        self.position, self.game = {}, name
        self.say("open", id=name, keys=list(keys))
        return self.wait_for(lambda position: True)

    def act(self, action: int | str) -> None:
        """Act at the newest position, and wait for what comes of it."""
        step = self.position["steps"]
        self.say("act", step=step, action=action)
        self.wait_for(lambda position: position["steps"] > step)

    def refuse(self, kind: str, **fields: Any) -> str:
        """Say something that is refused; the reason."""
        self.say(kind, **fields)
        return str(self.hear("error")["message"])


def play_on(browser: Browser, *seats: int, steps: int = 10_000, seed: int = 0) -> None:
    """Play random actions for these seats, or to the end."""
    rng = random.Random(seed)
    for _ in range(steps):
        position = browser.wait_for(lambda position: position["over"] or position["mover"] in seats)
        if position["over"]:
            break
        if position["seat"] != position["mover"]:
            browser.say("look", seat=position["mover"])
            browser.wait_for(lambda position: position["seat"] == position["mover"])
        browser.act(rng.choice(browser.position["parts"]["choices"])[0])
