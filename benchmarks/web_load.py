"""How fast the server of the browser games answers when many play and watch: ``python -m benchmarks.web_load``.

The server is a process of its own, as users start it; this program plays all browsers. In each game one browser acts
for a person, at random and at a steady pace, against an agent, and others watch. An answer takes from the message with
the action to the position that follows it. Both programs share the machine: what this one takes is counted in.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Annotated, Any

from websockets.asyncio.client import ClientConnection, connect

from steam_env.evaluation.provenance import describe_machine, describe_software
from steam_env.kit.command_line import open_console, parse_options, show_progress, show_value_as
from steam_env.kit.files import write_whole
from steam_env.kit.json_text import dump_json
from steam_env.kit.program import BAD_INPUT, fail, make_program
from steam_env.web.messages import VERSION

PROGRAM = "benchmarks.web_load"
WAITS = 0.2  # seconds between attempts to reach the server
PERCENTILES = (50, 95, 99)
OPENING_AT_ONCE = 20  # games that are opened at the same time
DESCRIPTION = """Measure how fast the server of the browser games answers, with many games at once.

Examples:
  python -m benchmarks.web_load --games 10 --seconds 10      (does it work?)
  python -m benchmarks.web_load                              (200 games, five watchers each, a minute)"""


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        games: Games at once.
        watchers: Browsers that watch each game.
        interval: Seconds between the actions of a game's person.
        seconds: How long is measured.
        map: On which map is played.
        agent: Who plays against the persons.
        output: A JSON file for the result.
    """

    games: int = 200
    watchers: int = 5
    interval: float = 10.0
    seconds: float = 60.0
    map: str = "midwest"
    agent: str = "random"
    output: Annotated[Path | None, show_value_as("FILE")] = None


@dataclass
class Tally:
    """What was measured: the seconds of each answer, messages and bytes that browsers got, and what went wrong."""

    answers: list[float] = field(default_factory=list)
    messages: int = 0
    bytes: int = 0
    faults: list[str] = field(default_factory=list)


class Visitor:
    """A browser that talks to the server."""

    def __init__(self, socket: ClientConnection, tally: Tally) -> None:
        self.socket, self.tally = socket, tally
        self.position: dict[str, Any] = {}
        self.choices: list[Any] = []

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps({"v": VERSION, "kind": kind, **fields}))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while True:
            text = await self.socket.recv()
            self.tally.messages += 1
            self.tally.bytes += len(text)
            message: dict[str, Any] = json.loads(text)
            if message["kind"] == "error":
                self.tally.faults.append(message["message"])
            if message["kind"] == "position":
                self.position = message
                self.choices = message["parts"].get("choices", [] if message["whole"] else self.choices)
            if message["kind"] in kinds:
                return message

    async def watch(self) -> None:
        """Read until the end."""
        while True:
            await self.hear("position")

    async def play(self, options: Options, start: float, rng: random.Random) -> None:
        """Act at a steady pace, and note how long answers take."""
        await asyncio.sleep(rng.random() * options.interval)
        while time.perf_counter() - start < options.seconds:
            due = time.perf_counter() + options.interval
            while not self.position["over"] and self.position["mover"] != self.position["seat"]:
                await self.hear("position")
            if self.position["over"]:
                return
            await self._act(rng)
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    async def _act(self, rng: random.Random) -> None:
        step = self.position["steps"]
        begun = time.perf_counter()
        await self.say("act", step=step, action=rng.choice(self.choices)[0])
        while (await self.hear("position", "error")).get("steps", step) <= step and not self.tally.faults:
            pass
        self.tally.answers.append(time.perf_counter() - begun)


async def visit(url: str, stack: AsyncExitStack, tally: Tally) -> Visitor:
    """A browser that has said hello."""
    origin = url.replace("ws:", "http:").removesuffix("/talk")
    opened = await stack.enter_async_context(connect(url, origin=origin, max_size=None, compression=None))
    visitor = Visitor(opened, tally)
    await visitor.say("hello")
    await visitor.hear("welcome")
    return visitor


async def open_game(url: str, options: Options, number: int, stack: AsyncExitStack, tally: Tally) -> list[Visitor]:
    """Begin a game; its player and those who watch."""
    player = await visit(url, stack, tally)
    fields = {"map": options.map}
    await player.say("create", game="steam_power", fields=fields, seats=["here", options.agent], seed=number)
    created = await player.hear("created", "error")
    await player.say("open", id=created["id"], keys=list(created["keys"].values()))
    await player.hear("position")
    watchers = [await visit(url, stack, tally) for _ in range(options.watchers)]
    for watcher in watchers:
        await watcher.say("open", id=created["id"], keys=[])
    return [player, *watchers]


async def measure(url: str, options: Options) -> Tally:
    """Play all games."""
    tally = Tally()
    gate = asyncio.Semaphore(OPENING_AT_ONCE)
    async with AsyncExitStack() as stack:
        with show_progress(options.games, what="games") as tell:

            async def begin(number: int) -> list[Visitor]:
                async with gate:
                    opened = await open_game(url, options, number, stack, tally)
                    tell(1)
                    return opened

            games = await asyncio.gather(*(begin(number) for number in range(options.games)))
        watching = [asyncio.create_task(watcher.watch()) for _, *watchers in games for watcher in watchers]
        start = time.perf_counter()
        tally.messages = tally.bytes = 0
        players = (player.play(options, start, random.Random(number)) for number, (player, *_) in enumerate(games))
        await asyncio.gather(*players)
        for task in watching:
            task.cancel()
    return tally


def start_server(options: Options, folder: Path) -> tuple[subprocess.Popen[bytes], str]:
    """The server in a process of its own, and where it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["--web", "--quiet", "--port", str(port), "--store", str(folder / "games.sqlite"), "--agent", options.agent]
    process = subprocess.Popen([sys.executable, "-m", "steam_env.play", *words], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"ws://127.0.0.1:{port}/talk"
        time.sleep(WAITS)
    raise ValueError("the server does not start")


def summarise(tally: Tally, options: Options) -> dict[str, Any]:
    """The result: milliseconds of answers by percentile, and what was measured how."""
    if len(tally.answers) < 2:
        raise ValueError(f"{len(tally.answers)} answers came: {tally.faults[:1] or 'too few to tell anything'}")
    cuts = quantiles(tally.answers, n=100, method="inclusive")
    return {
        **{f"p{percentile}_ms": round(1000 * cuts[percentile - 1], 1) for percentile in PERCENTILES},
        "most_ms": round(1000 * max(tally.answers), 1),
        "answers": len(tally.answers),
        "messages_per_second": round(tally.messages / options.seconds, 1),
        "kilobytes_per_second": round(tally.bytes / 1000 / options.seconds, 1),
        "faults": len(tally.faults),
        "options": {name: value for name, value in asdict(options).items() if name != "output"},
        "software": describe_software(),
        "machine": describe_machine(),
    }


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        with tempfile.TemporaryDirectory() as folder:
            process, url = start_server(options, Path(folder))
            try:
                tally = asyncio.run(measure(url, options))
            finally:
                process.terminate()
                process.wait()
        result = summarise(tally, options)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    open_console().print_json(dump_json(result))
    if options.output is not None:
        write_whole(options.output, dump_json(result, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
