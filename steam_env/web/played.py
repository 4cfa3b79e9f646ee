"""A game that is played here: its position, who sits there, what may be taken back, and what has changed."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from steam_env.core.fields import NONE
from steam_env.core.moments import Moment
from steam_env.spec import find_spec
from steam_env.table.game import Game
from steam_env.table.moments import list_moments, show_moment
from steam_env.web.setup import PEOPLE, Table
from steam_env.words.events import Event


@dataclass(frozen=True)
class Keys:
    """What lets browsers in: SHA-256 hashes, by seat, of the keys and of the invitations that wait for somebody."""

    seats: Mapping[int, str]
    invitations: Mapping[int, str]


class Step(NamedTuple):
    """What is to be known of an action: the seat of the table that chose it, and whether it cannot be unseen."""

    seat: int
    is_final: bool


class PlayedGame:
    """A game, its table, and its keys.

    Attributes:
        name: by which browsers know it.
        game: the position with its past.
        table: who sits where.
        keys: who may act for which seat.
        taken_back: how many actions were taken back beyond the turn, or were known before: against machines only.
        version: grows with every change, so that what was drawn of one version is not drawn again.
        fault: why its agents stopped, if one failed.
    """

    def __init__(self, name: str, game: Game, table: Table, keys: Keys, taken_back: int = 0) -> None:
        self.name, self.game, self.table, self.keys = name, game, table, keys
        self.taken_back = taken_back
        self.version = 0
        self.fault = ""
        self.spec = find_spec(game.rules.game)
        self._watched: tuple[int, int, list[Moment]] = (0, 0, [])  # the step whose moments were asked for last, version
        self._past: list[Step] = []  # by action
        positions = list(game.positions())
        for number, position in enumerate(positions[1:]):
            began = 0 if number else len(positions[0].events)
            self._past.append(self._judge(positions[number].seat, position.events_since(number)[began:]))

    # --- who may do what ------------------------------------------------------------------------------------

    @property
    def is_solo(self) -> bool:
        """Whether one player acts for every company."""
        return self.game.setting.is_solo

    @property
    def mover(self) -> int:
        """The seat of the table whose decision it is; -1 at the end."""
        return self.seat_of(self.game.seat)

    def seat_of(self, company: int) -> int:
        """The seat of the table that acts for a seat of the record: in solo there is one."""
        return 0 if self.is_solo and company != NONE else company

    @property
    def agent(self) -> str | None:
        """The name of the agent whose decision it is; ``None``: a person's, or the end."""
        if self.game.done or self.table.names[self.mover] in PEOPLE:
            return None
        return self.table.names[self.mover]

    @property
    def is_against_machines(self) -> bool:
        """Whether one person alone plays."""
        return len(self.table.people) <= 1

    @property
    def is_shown(self) -> bool:
        """Whether everybody may see all: the game is over, or all hands lie open by choice."""
        return self.game.done or self.table.is_open

    # --- play -------------------------------------------------------------------------------------------------

    def step(self, action: int | str) -> None:
        """Play an action of the mover.

        Raises:
            IllegalActionError: saying which rule forbids it.
        """
        company, number = self.game.seat, self.game.num_steps
        began = 0 if number else len(self.game.events)  # what was told before the first action
        self.game.step(action)
        self._past.append(self._judge(company, self.game.events_since(number)[began:]))
        self.version += 1

    def _judge(self, company: int, events: Sequence[Event]) -> Step:
        """What is to be known of a step that this seat of the record took."""
        facts = self.spec.facts
        final = {*facts.chance_events, *facts.reveals, *facts.headlines}
        is_final = any(event.kind in final or event.actor not in (company, NONE) for event in events)
        return Step(self.seat_of(company), is_final)

    def find_turn(self, seat: int) -> int:
        """The step to which this seat may go back by right: the start of its turn, or what chance decided last."""
        first = len(self._past)
        while first and self._past[first - 1] == Step(seat, is_final=False):
            first -= 1
        return first

    def find_undo(self, seat: int) -> int | None:
        """The step to which the seat may go back: its last decision; ``None``: it may not.

        Within the turn anybody may, up to what chance decided or somebody was shown. Further back goes only who plays
        against machines.
        """
        own = [number for number, step in enumerate(self._past) if step.seat == seat]
        if not own or not (own[-1] >= self.find_turn(seat) or self.is_against_machines):
            return None
        return own[-1]

    def undo(self, seat: int) -> int:
        """Take back the last decision of a seat; returns how many actions that takes back, 0 if none may be.

        What goes beyond the turn is counted, and the game's file tells it.
        """
        step = self.find_undo(seat)
        if step is None:
            return 0
        taken = self.game.num_steps - step
        self.taken_back += taken if step < self.find_turn(seat) else 0
        self.game = self.go_to(step)
        del self._past[step:]
        self.version += 1
        self.fault = ""
        return taken

    def go_to(self, step: int) -> Game:
        """The game as it was after so many actions."""
        return next(game for number, game in enumerate(self.game.positions()) if number == step)

    def find_moment(self, step: int, event: int) -> tuple[Game, tuple[int, int]] | None:
        """The game as it stood in the middle of a step, after this event of it and what belongs to it.

        Returns:
            the game, and from which to below which number the events of the step belong to that moment; ``None`` where
            nothing is to be seen, as no scripted seat played in the step, or it has fewer events.
        """
        if self._watched[:2] != (step, self.version):
            self._watched = (step, self.version, list_moments(self.game, step) if step else [])
        began = 0
        for moment in self._watched[2]:
            if event < moment.num_events:
                return show_moment(self.game, moment), (began, moment.num_events)
            began = moment.num_events
        return None

    def set_pace(self, seconds: float | None) -> None:
        """Let agents wait so long before each action; ``None``: until they are told to go on."""
        self.table = replace(self.table, pace=seconds)
        self.version += 1

    # --- files ------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """All that is to be kept, as plain data."""
        return {
            "game": base64.b64encode(self.game.save()).decode(),
            "id": self.game.rules.game,
            "table": asdict(self.table),
            "keys": {what: {str(seat): key for seat, key in of.items()} for what, of in asdict(self.keys).items()},
            "taken_back": self.taken_back,
        }

    @classmethod
    def from_dict(cls, name: str, content: Mapping[str, Any]) -> PlayedGame:
        """The game that ``to_dict`` told of.

        Raises:
            ValueError: if it cannot be read; ``KeyError`` or ``TypeError`` likewise.
        """
        find_spec(content["id"])
        table = Table(**{**content["table"], "names": tuple(content["table"]["names"])})
        keys = Keys(**{what: {int(seat): key for seat, key in of.items()} for what, of in content["keys"].items()})
        saved = Game.load(base64.b64decode(content["game"], validate=True))
        return cls(name, saved, table, keys, content["taken_back"])
