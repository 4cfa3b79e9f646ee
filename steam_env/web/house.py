"""The games that are played here: begun, found again, played on by their agents, kept, and told to who looks on."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from steam_env.kit.errors import AgentError, IllegalActionError
from steam_env.kit.show import show
from steam_env.table.game import Game
from steam_env.web.desk import AgentDesk
from steam_env.web.look import ALL, NOBODY, Line, Look, Story, Viewer, look_at
from steam_env.web.messages import MessageError
from steam_env.web.played import Keys, PlayedGame
from steam_env.web.review import review_game
from steam_env.web.setup import GUEST, HERE, Table, begin_game, check_names, read_upload, seat_players
from steam_env.web.store import Store, StoreError
from steam_env.words.seats import name_seat

NAME_BYTES, KEY_BYTES = 9, 16  # of chance in the name of a game, and in what lets somebody in
MOST_GAMES, MOST_LISTENERS = 2000, 64  # that are kept; browsers at one game
UNUSED_SECONDS = 30 * 86_400.0  # after which a game has to make room for others


@dataclass
class LiveGame:
    """A game that is in use, with who is to be told of changes, and what was drawn of its newest version."""

    played: PlayedGame
    listeners: set[Callable[[], None]] = field(default_factory=set)
    driver: asyncio.Task[None] | None = None
    _looks: dict[tuple[Viewer, bool], tuple[int, Look]] = field(default_factory=dict)
    _stories: dict[Viewer, Story] = field(default_factory=dict)

    def look(self, viewer: Viewer, decides: bool) -> Look:
        """What a viewer sees of the newest position; drawn once for all who see the same."""
        version, look = self._looks.get((viewer, decides), (-1, None))
        if look is None or version != self.played.version:
            look = look_at(self.played.game, viewer, decides)
            self._looks[viewer, decides] = (self.played.version, look)
        return look

    def tell_story(self, viewer: Viewer) -> list[Line]:
        """What happened, as the viewer may know it."""
        return self._stories.setdefault(viewer, Story(viewer)).tell(self.played.game)

    def forget_story(self) -> None:
        """Tell all anew, as something was taken back."""
        self._stories.clear()


@dataclass(frozen=True)
class Opened:
    """A game that was begun, with what lets people in: the keys of who began it, and invitations to pass on."""

    live: LiveGame
    keys: Mapping[int, str]
    invitations: Mapping[int, str]


class House:
    """All games.

    Args:
        store: keeps them.
        desk: answers for their agents.
        most_games: that are kept.
    """

    def __init__(self, store: Store, desk: AgentDesk, most_games: int = MOST_GAMES) -> None:
        self.store, self.desk, self.most_games = store, desk, most_games
        self._live: dict[str, LiveGame] = {}

    # --- games that begin -----------------------------------------------------------------------------------

    async def create(self, order: Mapping[str, Any]) -> Opened:
        """Begin the game that a message asks for.

        Raises:
            MessageError: naming what is wrong and what is allowed; ``AgentError`` for one that cannot play there.
        """
        return await self._open(*begin_game(order, self.desk.names))

    async def load(self, order: Mapping[str, Any]) -> Opened:
        """Go on with the game of a file that a message brings.

        Raises:
            MessageError: naming what is wrong and what is allowed; ``AgentError`` for one that cannot play there.
        """
        return await self._open(*read_upload(order, self.desk.names))

    async def fork(self, live: LiveGame, order: Mapping[str, Any]) -> Opened:
        """Begin a game at a position of another.

        Who plays on from a game that is not over learns what chance will do there: both games tell that it was known.

        Raises:
            MessageError: if hands would be shown, or for names that cannot sit there; ``AgentError`` likewise.
        """
        played, seats = live.played, order["seats"]
        if not played.is_shown and not played.is_against_machines:
            raise MessageError("a position of a game between people can be played on when it is over")
        check_names(played.spec, seats, self.desk.names)
        game = self.find_position(live, order["at"])
        table = seat_players(game, seats, {"open": played.table.is_open})
        if played.is_shown:
            return await self._open(game, table, played.taken_back)
        for seat in set(table.people) - set(played.table.people):
            raise MessageError(f"seats[{seat}]={show(seats[seat])}: its hand would be shown before the game is over")
        opened = await self._open(game, table, played.taken_back + max(1, played.game.num_steps - game.num_steps))
        played.taken_back += 1
        self.note_change(live)
        return opened

    async def _open(self, game: Game, table: Table, taken_back: int = 0) -> Opened:
        self._make_room()
        for name in dict.fromkeys(table.names):
            if name in self.desk.names.get(game.rules.game, ()):
                await self.desk.check(name, game)
        keys = {seat: _draw_key() for seat, name in enumerate(table.names) if name == HERE}
        invitations = {seat: _draw_key() for seat, name in enumerate(table.names) if name == GUEST}
        hashed = Keys(_hash_all(keys), _hash_all(invitations))
        played = PlayedGame(secrets.token_urlsafe(NAME_BYTES), game, table, hashed, taken_back)
        live = self._live[played.name] = LiveGame(played)
        self.note_change(live)
        return Opened(live, keys, invitations)

    def _make_room(self) -> None:
        """Let go of games that nobody goes on with, if there are as many as are kept.

        Raises:
            MessageError: if there are still as many.
        """
        if self.store.count() >= self.most_games:
            self.store.drop_unused(time.time() - UNUSED_SECONDS)
        if self.store.count() >= self.most_games:
            raise MessageError(f"{self.most_games} games are kept here, and no more: ask who runs this server")

    # --- games that are there ---------------------------------------------------------------------------------

    def find(self, name: str) -> LiveGame:
        """The game of this name.

        Raises:
            MessageError: if there is none, or it cannot be read any more.
        """
        if name not in self._live:
            try:
                played = self.store.read(name)
            except (ValueError, KeyError, TypeError) as error:
                raise MessageError(f"this game cannot be read any more: {error}") from None
            if played is None:
                raise MessageError("there is no such game here")
            self._live[name] = LiveGame(played)
        return self._live[name]

    def enter(self, live: LiveGame, listener: Callable[[], None]) -> None:
        """Let somebody be told of changes.

        Raises:
            MessageError: if too many are told already.
        """
        if len(live.listeners) >= MOST_LISTENERS:
            raise MessageError(f"{MOST_LISTENERS} browsers are at this game: no more are let in")
        live.listeners.add(listener)
        self._play_on(live)

    def leave(self, live: LiveGame, listener: Callable[[], None]) -> None:
        """Tell somebody no more; a game at which nobody looks is put away."""
        live.listeners.discard(listener)
        if not live.listeners and live.driver is None:
            self._live.pop(live.played.name, None)

    def find_seats(self, live: LiveGame, keys: list[str]) -> list[int]:
        """The seats that keys open."""
        hashes = {hash_key(key) for key in keys}
        return sorted(seat for seat, one in live.played.keys.seats.items() if one in hashes)

    def join(self, live: LiveGame, invitation: str) -> tuple[int, str]:
        """Take the seat of an invitation, which is good for once; returns the seat and its key.

        Raises:
            MessageError: if it is none, or was used.
        """
        played, wanted = live.played, hash_key(invitation)
        seat = next((seat for seat, one in played.keys.invitations.items() if one == wanted), None)
        if seat is None:
            raise MessageError("this invitation is unknown, or somebody has used it already")
        key = _draw_key()
        left = {other: one for other, one in played.keys.invitations.items() if other != seat}
        played.keys = Keys({**played.keys.seats, seat: hash_key(key)}, left)
        played.version += 1
        self.note_change(live)
        return seat, key

    def find_position(self, live: LiveGame, step: int) -> Game:
        """The game as it was after so many actions.

        Raises:
            MessageError: if it has not got there.
        """
        last = live.played.game.num_steps
        if step > last:
            raise MessageError(f"at={step}: 0 to {last} are allowed")
        return live.played.game if step == last else live.played.go_to(step)

    def find_moment(self, live: LiveGame, step: int, event: int) -> tuple[Game, tuple[int, int]]:
        """The game as it stood in the middle of a step, see ``PlayedGame.find_moment``.

        Raises:
            MessageError: if there is nothing to be seen of it.
        """
        found = live.played.find_moment(step, event)
        if found is None:
            raise MessageError(f"at={step}, event={event}: nothing is to be seen there of what the rules' opponents do")
        return found

    def choose_viewer(self, live: LiveGame, seat: int | None) -> Viewer:
        """As whom somebody who holds a seat, or none, sees the game."""
        played = live.played
        if played.is_shown:
            return ALL
        if seat is None:
            return NOBODY
        return max(played.game.seat, 0) if played.is_solo else seat

    # --- play -------------------------------------------------------------------------------------------------

    def check_turn(self, live: LiveGame, seat: int | None, step: int) -> None:
        """Refuse to act for somebody else, or at a position that is not there any more.

        Raises:
            MessageError: saying which.
        """
        played = live.played
        if played.game.done:
            raise MessageError("the game is over")
        if seat is None or seat != played.mover:
            raise MessageError(f"{name_seat(played.mover)} decides, and you do not act for this seat")
        if step != played.game.num_steps:
            raise MessageError("the position has changed since; look again")

    def act(self, live: LiveGame, action: int | str) -> None:
        """Play an action of the mover, and keep it.

        Raises:
            MessageError: saying which rule forbids it; nothing is changed.
        """
        try:
            live.played.step(action)
        except IllegalActionError as error:
            raise MessageError(str(error).partition(" Legal now:")[0]) from None
        self.note_change(live)

    def explain(self, live: LiveGame, actions: list[int]) -> list[dict[str, str]]:
        """Why actions are illegal, each with its text; the same reason is given once.

        Raises:
            MessageError: for what is no action.
        """
        game = live.played.game
        reasons: dict[str, str] = {}
        try:
            for action in actions:
                reason = game.explain(action)
                if reason is not None:
                    reasons.setdefault(reason, game.text(action))
        except IllegalActionError as error:
            raise MessageError(str(error)) from None
        return [{"text": text, "reason": reason} for reason, text in reasons.items()]

    def undo(self, live: LiveGame, seat: int) -> None:
        """Take back the last decision of a seat.

        Raises:
            MessageError: if it may not be taken back.
        """
        if not live.played.undo(seat):
            raise MessageError("nothing can be taken back: the turn begins here, or something came to light")
        live.forget_story()
        self.note_change(live)

    def set_pace(self, live: LiveGame, seconds: float | None) -> None:
        """Let agents play faster or slower, or wait."""
        live.played.set_pace(seconds)
        if live.driver is not None:
            live.driver.cancel()
            live.driver = None
        self.note_change(live)

    def note_change(self, live: LiveGame) -> None:
        """Keep the game as it stands, tell who looks on, and let its agents go on.

        Raises:
            MessageError: if it cannot be kept.
        """
        try:
            self.store.write(live.played, time.time())
        except StoreError as error:
            raise MessageError(f"the game could not be kept: {error}") from None
        finally:
            for listener in tuple(live.listeners):
                listener()
        self._play_on(live)

    def _play_on(self, live: LiveGame) -> None:
        if live.driver is None and self._is_agents_turn(live):
            live.driver = asyncio.get_running_loop().create_task(self._drive(live))

    def _is_agents_turn(self, live: LiveGame) -> bool:
        """Whether an agent is to decide now, and somebody waits for it."""
        played = live.played
        wanted = bool(live.listeners or played.table.people)
        return wanted and played.agent is not None and not played.fault and played.table.pace is not None

    async def _drive(self, live: LiveGame) -> None:
        """Let agents decide until a person is to move."""
        played = live.played
        try:
            while self._is_agents_turn(live):
                await asyncio.sleep(played.table.pace or 0)
                await self._let_agent_act(live)
        finally:
            if live.driver is asyncio.current_task():
                live.driver = None
        if not live.listeners:
            self._live.pop(played.name, None)

    async def _let_agent_act(self, live: LiveGame) -> None:
        played = live.played
        version, name = played.version, played.agent
        if name is None:
            return
        try:
            action = await self.desk.answer(name, played.game)
        except AgentError as error:
            played.fault, played.version = f"{name} failed: {error}", played.version + 1
        else:
            if played.version != version:
                return  # taken back, or told to wait, in the meantime
            played.step(action)
        try:
            self.note_change(live)
        except MessageError as error:
            played.fault, played.version = str(error), played.version + 1

    # --- advice -------------------------------------------------------------------------------------------------

    def hint(self, live: LiveGame, agent: str) -> Coroutine[Any, Any, dict[str, Any]]:
        """What an agent would do now, see ``steam_env.web.desk.advise``; it sees what the mover sees.

        Raises:
            MessageError: for an agent that was not offered; awaited, ``AgentError`` if it fails.
        """
        self._check_agent(live, agent)
        return self._advise(agent, live.played.game.clone())  # as it stands now, whenever the agent gets to it

    async def _advise(self, agent: str, game: Game) -> dict[str, Any]:
        return {"agent": agent, **await self.desk.advise(agent, game)}

    def _check_agent(self, live: LiveGame, agent: str) -> None:
        allowed = self.desk.names.get(live.played.spec.game, ())
        if agent not in allowed:
            raise MessageError(f"agent={show(agent)}: allowed are {', '.join(allowed)}")

    def review(self, live: LiveGame, agent: str) -> Coroutine[Any, Any, dict[str, Any]]:
        """The game in an agent's eyes, see ``steam_env.web.review``.

        Raises:
            MessageError: for an agent that was not offered, or a game that is not over; awaited, ``AgentError`` if it
                fails.
        """
        self._check_agent(live, agent)
        if not live.played.game.done:
            raise MessageError("a game is looked through when it is over")
        return self._review(agent, live.played.name, live.played.game.clone())

    async def _review(self, agent: str, name: str, game: Game) -> dict[str, Any]:
        return {"id": name, "agent": agent, **await self.desk.work(agent, game, review_game)}

    def close(self) -> None:
        """Stop all agents; every game is kept already."""
        for live in self._live.values():
            if live.driver is not None:
                live.driver.cancel()
        self.desk.close()
        self.store.close()


def _draw_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def hash_key(key: str) -> str:
    """What is kept of a key: enough to know it again."""
    return hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()


def _hash_all(keys: Mapping[int, str]) -> dict[int, str]:
    return {seat: hash_key(key) for seat, key in keys.items()}
