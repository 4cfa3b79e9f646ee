"""One browser: its messages are read, checked and answered, and it is told of what changes at its game."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from steam_env.kit.errors import AgentError
from steam_env.kit.json_text import dump_json
from steam_env.table.game import Game
from steam_env.web.exports import export
from steam_env.web.house import House, LiveGame, Opened
from steam_env.web.limits import LIGHT, RATES, Bucket
from steam_env.web.look import Look, count_points, look_at
from steam_env.web.messages import VERSION, MessageError, read_message
from steam_env.web.setup import describe_games

HELLO_SECONDS = 10.0  # to say who one is
SEND_SECONDS = 20.0  # after which somebody who takes nothing is let go
MOST_WAITING = 64  # answers that wait to be sent
MOST_FAULTS = 100  # messages in a row that are too fast, or wrong
EMPTY: Mapping[str, Any] = MappingProxyType({})
REFUSED, TOO_SLOW = 1008, 1013  # how a connection ends, as WebSocket numbers it


class Client:
    """A browser at the other end of a socket.

    Args:
        socket: accepted already.
        house: all games.
        token: what it has to know; ``None``: nothing.
    """

    def __init__(self, socket: WebSocket, house: House, token: str | None) -> None:
        self.socket, self.house, self.token = socket, house, token
        self.live: LiveGame | None = None
        self.seats: list[int] = []  # for which it may act
        self.seat: int | None = None  # as which it looks
        self.at: int | None = None  # the step at which it looks; None: the newest
        self.event: int | None = None  # in the middle of that step; None: at its end
        self._shown: Look | None = None
        self._told: list[Any] = []  # lines of the story that it has
        self._news, self._outbox = asyncio.Event(), asyncio.Queue[dict[str, Any]](MOST_WAITING)
        self._is_behind = False  # whether the position has changed since it was told
        now = time.monotonic()
        self._light, self._others = Bucket(LIGHT, now), {rate: Bucket(rate, now) for rate in RATES.values()}
        self._asked: dict[str, asyncio.Task[None]] = {}  # by kind, what agents think about for it
        self._faults = 0

    async def serve(self) -> None:
        """Talk until one of both leaves."""
        try:
            if not await self._greet():
                return
            async with asyncio.TaskGroup() as tasks:
                sender = tasks.create_task(self._send_all())
                try:
                    await self._receive_all()
                finally:
                    for task in (sender, *self._asked.values()):
                        task.cancel()
        except* (WebSocketDisconnect, TimeoutError, OSError, RuntimeError):
            pass  # gone: its game is kept
        finally:
            self._leave()

    # --- what it says ---------------------------------------------------------------------------------------

    async def _greet(self) -> bool:
        """Whether it says who it is, and may come in."""
        try:
            message = read_message(await asyncio.wait_for(self._receive(), HELLO_SECONDS))
            if message["kind"] != "hello":
                raise MessageError("say hello first")
            given = message.get("token", "")
            if self.token is not None and not secrets.compare_digest(given.encode(), self.token.encode()):
                raise MessageError("this server wants its token: open the address that it printed when it started")
        except (MessageError, TimeoutError, UnicodeEncodeError) as error:
            await self._send({"kind": "error", "about": "hello", "message": str(error) or "no hello came"})
            await self.socket.close(REFUSED)
            return False
        await self._send({"kind": "welcome", "games": describe_games(self.house.desk.names)})
        return True

    async def _receive_all(self) -> None:
        while self._faults < MOST_FAULTS:
            kind = ""
            try:
                text = await self._receive()
                self._check_rate(self._light)
                message = read_message(text)
                kind = message.pop("kind")
                if kind in RATES:
                    self._check_rate(self._others[RATES[kind]])
                await self._handlers[kind](self, message)
                self._faults = 0
            except (MessageError, AgentError) as error:
                self._faults += 1
                self._reply({"kind": "error", "about": kind, "message": str(error)})
        await self.socket.close(REFUSED)

    async def _receive(self) -> str:
        """The text of the next message."""
        try:
            return await self.socket.receive_text()
        except KeyError:
            raise MessageError("a message is a text, not bytes") from None

    def _check_rate(self, bucket: Bucket) -> None:
        if not bucket.take(time.monotonic()):
            raise MessageError("too many messages: slow down")

    # --- what it is told --------------------------------------------------------------------------------------

    async def _send_all(self) -> None:
        """Send answers in order, and the newest position whenever there is one; older ones are left out."""
        while True:
            while not self._outbox.empty():
                await self._send(self._outbox.get_nowait())
            if self.live is not None and self._is_behind:
                self._is_behind = False
                await self._send(self._make_position(self.live))
            await self._news.wait()
            self._news.clear()

    async def _send(self, message: Mapping[str, Any]) -> None:
        text = dump_json({"v": VERSION, **message}, ensure_ascii=False, separators=(",", ":"))
        await asyncio.wait_for(self.socket.send_text(text), SEND_SECONDS)

    def _reply(self, message: dict[str, Any]) -> None:
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            raise WebSocketDisconnect(TOO_SLOW) from None
        self._news.set()

    def _note_change(self) -> None:
        """The position is another one, or is seen in another way."""
        self._is_behind = True
        self._news.set()

    def _make_position(self, live: LiveGame) -> dict[str, Any]:
        """The game as this browser may see it, without what it has already."""
        played, game = live.played, live.played.game
        viewer = self.house.choose_viewer(live, self.seat)
        is_mine = self.seat is not None and self.seat == played.mover
        look = live.look(viewer, is_mine and not game.done)
        moment = self._find_moment(live)
        if moment is not None:
            look = look_at(moment[0], viewer, decides=False)
        elif self.at is not None and self.at < game.num_steps:
            look = look_at(self.house.find_position(live, self.at), viewer, decides=False)
        story = live.tell_story(viewer)
        known = 0 if story[: len(self._told)] != self._told else len(self._told)
        message = {
            "kind": "position",
            "id": played.name,
            "steps": game.num_steps,
            "at": self.at,
            "moment": None if moment is None else moment[1],
            "seats": list(played.table.names),
            "free": sorted(played.keys.invitations),
            "mine": self.seats,
            "seat": self.seat,
            "mover": played.mover,
            "over": game.done,
            "open": played.is_shown,
            "solo": played.is_solo,
            "scripted": played.game.setting.num_players < played.game.setting.num_seats,
            "machines": played.is_against_machines,
            "pace": played.table.pace,
            "waits": played.agent,
            "fault": played.fault,
            "undo": None if self.seat is None else played.find_undo(self.seat),
            "back": None if self.seat is None else played.find_turn(self.seat),
            "taken_back": played.taken_back,
            "parts": look.since(self._shown),
            "whole": self._shown is None,
            "score_parts": list(played.spec.facts.score_parts),
            "words": {"round": played.spec.facts.round_word, "points": played.spec.facts.score_word},
            "game": played.spec.game,
            "log": {"from": known, "lines": story[known:]},
        }
        self._shown, self._told = look, list(story)
        return message

    def _find_moment(self, live: LiveGame) -> tuple[Game, tuple[int, int]] | None:
        """The middle of a step, if it looks there, see ``PlayedGame.find_moment``."""
        if self.at is None or self.event is None or self.at > live.played.game.num_steps:
            return None
        return live.played.find_moment(self.at, self.event)

    # --- messages -----------------------------------------------------------------------------------------------

    def _at_game(self) -> LiveGame:
        if self.live is None:
            raise MessageError("open a game first")
        return self.live

    async def _hello(self, message: Mapping[str, Any]) -> None:
        raise MessageError("hello was said already")

    async def _create(self, message: Mapping[str, Any]) -> None:
        self._tell_opened(await self.house.create(message))

    async def _load(self, message: Mapping[str, Any]) -> None:
        self._tell_opened(await self.house.load(message))

    async def _fork(self, message: Mapping[str, Any]) -> None:
        self._tell_opened(await self.house.fork(self._at_game(), message))

    def _tell_opened(self, opened: Opened) -> None:
        content = {"id": opened.live.played.name, "keys": opened.keys, "invitations": opened.invitations}
        self._reply({"kind": "created", **content})

    async def _join(self, message: Mapping[str, Any]) -> None:
        seat, key = self.house.join(self.house.find(message["id"]), message["invitation"])
        self._reply({"kind": "joined", "id": message["id"], "seat": seat, "key": key})

    async def _open(self, message: Mapping[str, Any]) -> None:
        live = self.house.find(message["id"])
        self._leave()
        self.house.enter(live, self._note_change)
        self.live, self.seats = live, self.house.find_seats(live, message["keys"])
        self.seat = self.seats[0] if len(self.seats) == 1 else None
        self._start_anew()

    async def _drop(self, message: Mapping[str, Any]) -> None:
        self._leave()

    def _leave(self) -> None:
        if self.live is not None:
            live, self.live = self.live, None
            self.house.leave(live, self._note_change)

    def _start_anew(self) -> None:
        """Have the whole position sent, as the browser sees it as somebody else, or elsewhere, from now on."""
        self._shown, self._told, self.at, self.event = None, [], None, None
        self._note_change()

    async def _look(self, message: Mapping[str, Any]) -> None:
        self._at_game()
        if message["seat"] not in self.seats:
            raise MessageError(f"seat={message['seat']}: you do not act for this seat")
        self.seat = message["seat"]
        self._start_anew()

    async def _act(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        self.house.check_turn(live, self.seat, message["step"])
        self.at = self.event = None
        self.house.act(live, message["action"])

    async def _why(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        self.house.check_turn(live, self.seat, message["step"])
        self._reply({"kind": "why", "reasons": self.house.explain(live, message["actions"])})

    async def _undo(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        if self.seat is None:
            raise MessageError("you watch: nothing is yours to take back")
        if message["step"] != live.played.game.num_steps:
            raise MessageError("the position has changed since; look again")
        self.at = self.event = None
        self.house.undo(live, self.seat)

    async def _show(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        at, event = message["at"], message.get("event")
        if at is not None:
            self.house.find_position(live, at)
            if event is not None:
                self.house.find_moment(live, at, event)
        self.at, self.event = at, None if at is None else event
        self._note_change()

    async def _curve(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        viewer = self.house.choose_viewer(live, self.seat)
        positions = list(live.played.game.positions())
        movers = [live.played.seat_of(position.seat) for position in positions]
        scores = [[total for total, *_ in count_points(position, viewer)] for position in positions]
        self._reply({"kind": "curve", "scores": scores, "movers": movers})

    async def _pace(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        if live.played.table.people and not self.seats:
            raise MessageError("you watch: those who play say how fast")
        self.house.set_pace(live, message["seconds"])

    async def _hint(self, message: Mapping[str, Any]) -> None:
        live, step = self._at_game(), message["step"]
        self.house.check_turn(live, self.seat, step)
        self._ask("hint", self.house.hint(live, message["agent"]), {"step": step})

    async def _review(self, message: Mapping[str, Any]) -> None:
        self._ask("review", self.house.review(self._at_game(), message["agent"]))

    def _ask(self, kind: str, work: Coroutine[Any, Any, dict[str, Any]], more: Mapping[str, Any] = EMPTY) -> None:
        """Have an agent think, and tell when it is ready; meanwhile the browser may say other things."""
        if kind in self._asked:
            work.close()
            raise MessageError(f"the last {kind} is not ready yet")
        self._asked[kind] = asyncio.create_task(self._tell_when_ready(kind, work, more))

    async def _tell_when_ready(
        self, kind: str, work: Coroutine[Any, Any, dict[str, Any]], more: Mapping[str, Any]
    ) -> None:
        try:
            answer = {"kind": kind, **more, **await work}
        except (MessageError, AgentError) as error:
            answer = {"kind": "error", "about": kind, "message": str(error)}
        finally:
            self._asked.pop(kind, None)
        with suppress(WebSocketDisconnect):  # too slow: whoever sends to it lets it go
            self._reply(answer)

    async def _export(self, message: Mapping[str, Any]) -> None:
        live = self._at_game()
        viewer = self.house.choose_viewer(live, self.seat)
        game = self.house.find_position(live, message["at"])
        self._reply({"kind": "file", **await asyncio.to_thread(export, live.played, game, message["form"], viewer)})

    _handlers: Mapping[str, Callable[[Client, Mapping[str, Any]], Awaitable[None]]] = {
        "hello": _hello,
        "create": _create,
        "load": _load,
        "fork": _fork,
        "join": _join,
        "open": _open,
        "leave": _drop,
        "look": _look,
        "act": _act,
        "why": _why,
        "undo": _undo,
        "show": _show,
        "curve": _curve,
        "pace": _pace,
        "hint": _hint,
        "review": _review,
        "export": _export,
    }
