"""A game as it stands: who decides, what is legal, the score, what seats see, how it looks."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.encoding import pick
from steam_env.kit.checks import as_integer
from steam_env.kit.errors import IllegalActionError
from steam_env.kit.show import show
from steam_env.render import AUTO, LIGHT, draw_svg, render_scene
from steam_env.spec import Position, Setting, Texts
from steam_env.table.engine import Engine
from steam_env.table.view import View, view_records
from steam_env.words.scenario_file import dump_scenario, write_scenario

EXAMPLES_IN_ERRORS = 8


class Standing:
    """The position of one game, of any game: it is looked at here, and played by ``Game``."""

    _setting: Setting
    _engine: Engine
    _records: np.ndarray  # (1,), the position
    _masks: np.ndarray  # (1, actions) bool, legal actions of the mover

    @property
    def rules(self) -> Any:
        """What the game was configured with."""
        return self._setting.rules

    @property
    def setting(self) -> Setting:
        """The rules, and what they name, loaded."""
        return self._setting

    @property
    def record(self) -> np.record:
        """The position: one record. Change it only through ``step``."""
        record: np.record = self._records[0]
        return record

    @property
    def records(self) -> np.ndarray:
        """The position as an array of one record."""
        return self._records

    @property
    def mask(self) -> np.ndarray:
        """(actions,) bool, legal actions of the mover; kept current. After the end only the resting action is set."""
        row: np.ndarray = self._masks[0]
        return row

    @property
    def seats(self) -> int:
        """Number of seats; in solo that of the companies."""
        return int(self._records["num_seats"][0])

    @property
    def seat(self) -> int:
        """The mover: the seat whose decision it is; -1 at the end."""
        return int(self._records["seat"][0])

    @property
    def phase(self) -> str:
        """What is decided, by name: one of the game's ``Facts.phases``."""
        return self._engine.spec.facts.phases[int(self._records["phase"][0])]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._records["round_number"][0])

    @property
    def done(self) -> bool:
        """Whether the game is over, however it ended."""
        return bool(self._records["seat"][0] == NONE)

    @property
    def truncated(self) -> bool:
        """Whether the round limit alone ended it."""
        return bool(self._records["truncated"][0])

    def _check_seat(self, seat: object) -> int:
        value = as_integer(seat, "seat")
        if not 0 <= value < self.seats:
            raise ValueError(f"seat={value}: 0 to {self.seats - 1} are allowed")
        return value

    def _per_seat(self, name: str) -> list[int]:
        """What a field of the record holds for each seat."""
        values: list[int] = self._records[name][0, : self.seats].tolist()
        return values

    def scores(self) -> list[dict[str, int]]:
        """Points of each seat as the position stands, by the game's ``Facts.score_parts``: total, ..."""
        parts = self._engine.spec.facts.score_parts
        scores, _ = self._engine.score(self._records, self._setting)
        return [dict(zip(parts, row, strict=True)) for row in scores[0].tolist()]

    def winners(self) -> list[int]:
        """The seats that win as the position stands; several share a tie."""
        _, winners = self._engine.score(self._records, self._setting)
        seats: list[int] = np.flatnonzero(winners[0]).tolist()
        return seats

    # --- actions -----------------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """Ids of the legal actions, ascending; empty at the end."""
        ids: list[int] = [] if self.done else np.flatnonzero(self._masks[0]).tolist()
        return ids

    def legal_text(self) -> list[str]:
        """The legal actions as text, in the order of their ids."""
        texts = self._texts()
        return [texts.text(action) for action in self.legal()]

    def _texts(self) -> Texts:
        return self._engine.spec.words.texts(self.record, self._setting)

    def text(self, action: int) -> str:
        """An action id as text, in the words of this position.

        Raises:
            IllegalActionError: if it is no id of the action space.
        """
        return self._texts().text(self._to_id(action))

    def parse(self, text: str) -> int:
        """The id of an action's text in this position.

        Raises:
            IllegalActionError: naming the text and what is allowed.
        """
        return self._texts().parse(text)

    def _to_id(self, action: object) -> int:
        if isinstance(action, str):
            return self.parse(action)
        try:
            number = as_integer(action, "action")
        except ValueError as error:
            raise IllegalActionError(str(error)) from None
        last = self._masks.shape[1] - 1
        if not 0 <= number <= last:
            raise IllegalActionError(f"action {show(number)} is out of range: 0 to {last} are allowed")
        return number

    def explain(self, action: int | str) -> str | None:
        """None if the action may be played, else the reason why not, with the rule's number.

        Raises:
            IllegalActionError: if it is no action at all.
        """
        action = self._to_id(action)
        code, work = self._engine.find_problem(self._records, self._setting, self._find_offered(action))
        return self._engine.spec.words.explain(code, self._setting, self.record, work, action)

    def _is_playable(self, action: int) -> bool:
        """Whether the mask offers the action, or one that is the same choice."""
        return bool(self._masks[0, action] or self._masks[0, self._find_offered(action)])

    def _find_offered(self, action: int) -> int:
        return self._engine.spec.words.find_offered(self.record, action)

    def _name_legal(self) -> str:
        legal = self.legal_text()
        more = ", ..." if len(legal) > EXAMPLES_IN_ERRORS else ""
        return f" Legal now: {', '.join(legal[:EXAMPLES_IN_ERRORS])}{more}" if legal else ""

    # --- what a seat sees ----------------------------------------------------------------------------

    def observe(self, seat: int, encoding: str | None = None) -> Any:
        """The observation of one seat: a fresh array, or a dict of them where the encoding has more than one.

        The encoding is one of the game's ``Sight.encodings``, by name; ``None``: the first.
        """
        chosen = self._engine.spec.sight.find_encoding(encoding, setting=self._setting)
        out = chosen.allocate(1)
        seats = np.array([self._check_seat(seat)], np.int64)
        chosen.encode(self._records, *self._setting.statics, seats, out)
        return pick(out, 0)

    def view(self, seat: int) -> View:
        """What the seat sees and knows: the record with all else blank."""
        return view_records(self._records, np.array([self._check_seat(seat)], np.int64), self._setting)

    def to_scenario(self, path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The position as a scenario, between actions; with ``path`` also written as TOML.

        Raises:
            ValueError: inside an action or after the end; use ``save`` there.
        """
        scenario = write_scenario(self._engine.spec, Position(self._setting, self._records))
        if path is not None:
            dump_scenario(scenario, path)
        return scenario

    # --- pictures --------------------------------------------------------------------------------------

    def scene(self, seat: int | None = None) -> Any:
        """All that is to be seen of the position, as data: by one seat, or with all hands."""
        if seat is not None:
            self._check_seat(seat)
        return self._engine.spec.sight.scene(self._setting, self._records, self._masks[0], seat)

    def render(
        self, mode: str = "ansi", seat: int | None = None, theme: str = LIGHT, fps: float | None = None
    ) -> str | np.ndarray | None:
        """The position as a picture.

        Args:
            mode: ``"ansi"`` a text, ``"svg"`` a picture as text, ``"rgb_array"`` pixels (800, 1200, 3) uint8,
                ``"human"`` a window, unless somebody closed it (``steam_env.render.close_window`` allows a new
                one). The last two need the extra ``render``.
            seat: the observer: only what this seat sees is drawn. None draws all hands.
            theme: ``"light"``, ``"dark"``, or ``"auto"``, as the reader's system prefers.
            fps: of the window: at most so many pictures per second.

        Raises:
            ValueError: for another mode, theme or seat.
            RuntimeError: where no window can be opened.
        """
        return render_scene(self.scene(seat), self._engine.spec.sight, mode, theme, fps)

    def _repr_svg_(self) -> str:
        return draw_svg(self.scene(), self._engine.spec.sight, AUTO)

    def __repr__(self) -> str:
        where = "over" if self.done else f"round {self.round}, player_{self.seat} decides {self.phase}"
        return f"<Game on {self._setting.title}, {self.seats} seats, {where}>"
