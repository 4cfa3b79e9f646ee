"""``Game``: one game of Steam Power, for notebooks, tests and people."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.hidden import fill_games
from steam_env.core.steam_power.scoring import NUM_SCORE_PARTS, SCORE_PARTS, score_games
from steam_env.core.steam_power.setup import deal_games, lay_out_given
from steam_env.core.steam_power.state import (
    COLOR_LETTERS,
    COLOR_NAMES,
    MAX_SEATS,
    OVER,
    PHASE_NAMES,
    PLACE_FULFILLED,
    PLACE_HAND,
)
from steam_env.core.steam_power.step import find_problem_of
from steam_env.data.steam_power.records import check_outcomes
from steam_env.data.steam_power.rules import Rules
from steam_env.data.steam_power.setting import Setting, load_setting
from steam_env.encoding import ENCODINGS, pick
from steam_env.kit.checks import as_integer, check_seed, look_up
from steam_env.kit.errors import IllegalActionError, SaveError
from steam_env.kit.show import show
from steam_env.render import AUTO, LIGHT, Scene, draw_svg, make_scene, render_scene
from steam_env.table import files
from steam_env.table.advance import ONLY, open_work, prepare_kernels, scratch, settle_all, step_one
from steam_env.table.notes import Notes
from steam_env.table.view import View, view_records
from steam_env.words.steam_power.actions import ActionTexts, check_id, texts_of
from steam_env.words.steam_power.deal import check_deal
from steam_env.words.steam_power.events import Event, Narrator, SeenEvents, deal_event, read_trace
from steam_env.words.steam_power.links import describe_link, trace_links
from steam_env.words.steam_power.reasons import explain_reason
from steam_env.words.steam_power.scenario import Position, dump_scenario, read_scenario, write_scenario

EVERY = np.ones(1, np.bool_)
EXAMPLES_IN_ERRORS = 8
NO_OUTCOMES: tuple[int, ...] = ()


class Game:
    """One game: its position, what is legal, what happened.

    Args:
        rules: the configuration.
        seed: fixes the deal and all chance in play; ``None`` draws one (see ``seed``).
        deal: the outcome of a deal (the values of a game's ``deal`` event), to use instead of drawing one.

    Raises:
        ValueError: for a bad seed, an unknown map or deck, a deck too small for the seats.

    Example:
        >>> game = Game(Rules(num_players=3, map="mini", contracts="mini"), seed=1)
        >>> game.phase, game.round
        ('action', 1)
    """

    def __init__(
        self, rules: Rules | None = None, seed: int | None = None, *, deal: Mapping[str, Any] | None = None
    ) -> None:
        self._begin(load_setting(Rules() if rules is None else rules), seed, deal)

    def _begin(self, setting: Setting, seed: int | None, deal: Mapping[str, Any] | None) -> None:
        """Set the game up: by chance, or as the outcome ``deal`` says."""
        setting.check_deal()
        seed = check_seed(seed)
        prepare_kernels(setting)
        records = setting.blank.copy()
        if deal is None:
            _deal(setting, records, seed)
        else:
            _lay_out(setting, records, deal, seed)
        self._take_up(setting, records, seed)
        self._deal_event = deal_event(self.record, len(setting.map.cities))

    _deal_event: Event | None

    def _take_up(self, setting: Setting, records: np.ndarray, seed: int | None) -> None:
        """Become the game of this position, with an empty history."""
        self._setting = setting
        self._records = records
        self._masks = np.zeros((1, NUM_ACTIONS), np.bool_)
        self._seed = seed
        self._scenario: dict[str, Any] | None = None
        self._deal_event = None
        self._start = records.copy()
        self._actions: list[tuple[int, tuple[int, ...]]] = []  # ids with the outcomes given for them
        self._trace: list[bytes] = []  # by action: what happened, see ``read_trace``
        settle_all(records, setting, open_work(tracing=True), ONLY, self._masks)
        self._opening = scratch.copy_trace(int(scratch.work.num_events))  # what Automas did before the first decision

    # --- other ways to a game -------------------------------------------------------------------

    @classmethod
    def _at(cls, setting: Setting, records: np.ndarray, seed: int | None = None) -> Game:
        game = cls.__new__(cls)
        prepare_kernels(setting)
        game._take_up(setting, records, seed)
        return game

    @classmethod
    def _dealt(cls, setting: Setting, seed: int | None, deal: Mapping[str, Any] | None = None) -> Game:
        game = cls.__new__(cls)
        game._begin(setting, seed, deal)
        return game

    @classmethod
    def from_scenario(cls, source: Mapping[str, Any] | str | os.PathLike[str], seed: int | None = None) -> Game:
        """The game at a position written by hand: a dict or a TOML file.

        ``seed`` decides what the scenario leaves out.

        Raises:
            ScenarioError: naming the entry that could not exist.
        """
        seed = check_seed(seed)
        position = read_scenario(source, seed)
        game = cls._at(position.setting, position.records.copy(), seed)
        game._scenario = write_scenario(position)
        return game

    @classmethod
    def load(cls, data: bytes) -> Game:
        """The game that ``save`` wrote, with its past and its future.

        Raises:
            SaveError: if the bytes are damaged or of another version.
        """
        saved = files.unpack_save(data)
        game = files.start_from_save(cls, saved)
        files.replay_actions(game, saved.actions)
        if game._records.tobytes() != saved.record.tobytes():
            raise SaveError("the save's actions do not lead to its position: was it written by another version?")
        return game

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Game:
        """The game of a JSON game file, replayed from its start with its chance outcomes.

        Raises:
            SaveError: if the file is damaged, of another version, or does not replay.
        """
        return files.read_game_file(cls, Path(path))

    def clone(self) -> Game:
        """An independent game with the same position and the same future."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin._records = self._records.copy()
        twin._masks = self._masks.copy()
        twin._actions = self._actions.copy()
        twin._trace = self._trace.copy()
        return twin

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def redeal(self, seat: int, seed: int) -> Game:
        """A game that looks the same to the seat, with all that it does not know dealt anew (rule 11.4)."""
        view = self.view(seat)
        fill_games(view.records, np.array([check_seed(seed)], np.int64))
        return Game._at(self._setting, view.records)

    # --- the position ------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """What the game was configured with."""
        return self._setting.rules

    @property
    def setting(self) -> Setting:
        """Rules, map and deck."""
        return self._setting

    @property
    def seed(self) -> int | None:
        """The seed that it was dealt or loaded with; ``None`` for a redeal."""
        return self._seed

    @property
    def record(self) -> np.record:
        """The position: one ``GAME`` record. Change it only through ``step``."""
        record: np.record = self._records[0]
        return record

    @property
    def records(self) -> np.ndarray:
        """The same as an array of one."""
        return self._records

    @property
    def mask(self) -> np.ndarray:
        """(372,) bool, legal actions of the mover; kept current. After the end only `money` is set."""
        row: np.ndarray = self._masks[0]
        return row

    @property
    def seats(self) -> int:
        """Number of seats; in solo that of the companies."""
        return int(self._records["num_seats"][0])

    @property
    def seat(self) -> int:
        """Whose decision it is; -1 at the end."""
        return int(self._records["seat"][0])

    @property
    def phase(self) -> str:
        """What is decided: ``action``, ``head``, ``track``, ``source``, ``hop``, ``pay``, ``bonus``, ... ``over``."""
        return PHASE_NAMES[self._records["phase"][0]]

    @property
    def round(self) -> int:
        """The round, from 1."""
        return int(self._records["round_number"][0])

    @property
    def actions_left(self) -> int:
        """Actions of the turn that are not over yet."""
        return int(self._records["actions_left"][0])

    @property
    def done(self) -> bool:
        """Whether the game is over, however it ended."""
        return bool(self._records["phase"][0] == OVER)

    @property
    def truncated(self) -> bool:
        """Whether the round limit alone ended it."""
        return bool(self._records["truncated"][0])

    @property
    def money(self) -> list[int]:
        """Dollars of each seat; in solo those of the one purse."""
        return self._per_seat("money")[: self.rules.seats]

    @property
    def trains(self) -> list[int]:
        """Trains in reserve of each seat."""
        return self._per_seat("trains")

    @property
    def factories_left(self) -> list[int]:
        """Factories in reserve of each seat."""
        return self._per_seat("factories")

    def _per_seat(self, name: str) -> list[int]:
        values: list[int] = self._records[name][0, : self.seats].tolist()
        return values

    def hand(self, seat: int) -> list[int]:
        """Numbers of the contracts in the seat's hand, ascending."""
        return self._contracts_at(PLACE_HAND + self._player_of(seat))

    def fulfilled(self, seat: int) -> list[int]:
        """Numbers of the contracts that the seat has fulfilled, ascending."""
        return self._contracts_at(PLACE_FULFILLED + self._player_of(seat))

    def _contracts_at(self, place: int) -> list[int]:
        contracts: list[int] = np.flatnonzero(self._records["place"][0] == place).tolist()
        return contracts

    def _player_of(self, seat: object) -> int:
        """Whose hand the seat has: in solo the one player's."""
        number = self._check_seat(seat)
        return 0 if self.rules.mode == "solo" else number

    def _check_seat(self, seat: object) -> int:
        value = as_integer(seat, "seat")
        if not 0 <= value < self.seats:
            raise ValueError(f"seat={value}: 0 to {self.seats - 1} are allowed")
        return value

    @property
    def deck_size(self) -> int:
        """Contracts in the deck."""
        return int(self._records["deck_size"][0])

    @property
    def off_map(self) -> dict[str, int]:
        """City tiles beside the map, by colour as a word (rule 2.1)."""
        return {name: int(count) for name, count in zip(COLOR_NAMES, self.record.off_map, strict=True)}

    def city(self, name: str) -> dict[str, Any]:
        """One city: color, owner (or None), resources, flipped, group (its cities), connected (seats).

        Raises:
            ValueError: naming the city and those that there are.
        """
        cities = self._setting.map.cities
        if name not in cities:
            raise ValueError(f"no city {show(name)}: the map has {', '.join(cities)}")
        index, record, board = cities.index(name), self.record, self._setting.boards[0]
        group = int(board.group[index])
        owner = int(record.owner[index])
        resources = int(record.resources[index])
        return {
            "color": COLOR_NAMES[record.color[index]],
            "owner": None if owner == NONE else owner,
            "resources": resources,
            "flipped": owner != NONE and resources == 0,
            "group": [other for other, of in zip(cities, board.group, strict=False) if of == group],
            "connected": [seat for seat in range(self.seats) if int(record.network[seat]) >> group & 1],
        }

    def links(self) -> list[dict[str, Any]]:
        """All links in the order in which they were begun: owner, path, complete, open."""
        board = self._setting.boards[0]
        return [describe_link(link, board, self._setting.map) for link in trace_links(self.record, board)]

    def scores(self) -> list[dict[str, int]]:
        """Victory points of each seat as the position stands: total, contracts, factories, cities, money."""
        scores, _ = self._count()
        return [dict(zip(SCORE_PARTS, row, strict=True)) for row in scores[0, : self.rules.seats].tolist()]

    def winners(self) -> list[int]:
        """The seats that win as the position stands; several share a tie (rule 3.3)."""
        _, winners = self._count()
        seats: list[int] = np.flatnonzero(winners[0]).tolist()
        return seats

    def _count(self) -> tuple[np.ndarray, np.ndarray]:
        scores = np.zeros((1, MAX_SEATS, NUM_SCORE_PARTS), np.int64)
        winners = np.zeros((1, MAX_SEATS), np.bool_)
        score_games(self._records, self._setting.boards, self._setting.decks, scores, winners)
        return scores, winners

    # --- actions -----------------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """Ids of the legal actions, ascending; empty at the end."""
        ids: list[int] = [] if self.done else np.flatnonzero(self._masks[0]).tolist()
        return ids

    def legal_text(self) -> list[str]:
        """The legal actions as text, in the order of their ids."""
        texts = self._texts()
        return [texts.text(action) for action in self.legal()]

    def _texts(self) -> ActionTexts:
        return texts_of(self.record, self._setting.boards[0], self._setting.map.cities)

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
            return check_id(as_integer(action, "action"))
        except ValueError as error:
            raise IllegalActionError(str(error)) from None

    def explain(self, action: int | str) -> str | None:
        """None if the action is legal, else the reason why not, with the rule's number.

        Raises:
            IllegalActionError: if it is no action at all.
        """
        action = self._to_id(action)
        setting = self._setting
        work = open_work()[0]
        code = int(find_problem_of(self._records, setting.boards, setting.decks, work, action))
        return explain_reason(code, setting, self.record, work, action)

    def step(self, action: int | str, outcomes: Sequence[int] = NO_OUTCOMES) -> None:
        """Play an action of the mover, given as id or text, up to the next decision.

        Args:
            action: an id or a text.
            outcomes: chance outcomes to use instead of random ones: contracts taken from hands, in order.

        Raises:
            IllegalActionError: if it is illegal; the message says which rule forbids it. Nothing is changed.
            ValueError: if a given outcome is impossible or superfluous. Nothing is changed.
        """
        if type(action) is not int or not 0 <= action < NUM_ACTIONS:  # the usual kind needs no reading
            action = self._to_id(action)
        if not self._masks[0, action] or (action == MONEY and self.done):  # after the end only `money` is set
            raise IllegalActionError(f"{self.explain(action)}.{self._name_legal()}")
        given = NO_OUTCOMES if outcomes is NO_OUTCOMES else check_outcomes(outcomes)
        if given:
            self._step_with(action, given)
        else:
            self._trace.append(step_one(self._records, self._setting, action, self._masks))
        self._actions.append((action, given))

    def _name_legal(self) -> str:
        legal = self.legal_text()
        more = ", ..." if len(legal) > EXAMPLES_IN_ERRORS else ""
        return f" Legal now: {', '.join(legal[:EXAMPLES_IN_ERRORS])}{more}" if legal else ""

    def _step_with(self, action: int, outcomes: tuple[int, ...]) -> None:
        records, masks = self._records.copy(), self._masks.copy()
        work = scratch.work
        work.outcomes[: len(outcomes)] = outcomes
        trace = step_one(records, self._setting, action, masks, len(outcomes))
        used, bad = int(work.next_outcome), bool(work.bad_outcome)
        if bad or used != len(outcomes):
            if used > len(outcomes):
                raise ValueError(f"outcomes {outcomes!r} are too few: chance decides more than that in this step")
            what = "is impossible here" if bad else f"is one too many: {used} were needed"
            raise ValueError(f"outcome {outcomes[used - 1 if bad else used]} {what}")
        self._records[:], self._masks[:] = records, masks
        self._trace.append(trace)

    # --- what happened -----------------------------------------------------------------------------

    @property
    def events(self) -> list[Event]:
        """All events so far, the deal first, chance outcomes included."""
        return self.events_since(0)

    def events_since(self, step: int) -> list[Event]:
        """The events of the actions from number ``step`` on; from 0 with the deal."""
        if step != 0:
            return read_trace(self._trace[step:])
        deal = [] if self._deal_event is None else [copy.deepcopy(self._deal_event)]
        return deal + read_trace([self._opening, *self._trace])

    def events_for(self, seat: int, step: int | None = None) -> SeenEvents:
        """The events of the actions from number ``step`` on as the seat may see them; ``None``: all, the deal too."""
        solo = self.rules.mode == "solo"
        if step is None:
            return SeenEvents(self._deal_event, [self._opening, *self._trace], seat, solo)
        return SeenEvents(None, self._trace[step:], seat, solo)

    @property
    def num_steps(self) -> int:
        """Actions played so far."""
        return len(self._actions)

    @property
    def actions(self) -> list[int]:
        """Ids of the actions played so far."""
        return [action for action, _ in self._actions]

    @property
    def log(self) -> list[str]:
        """The events as lines of text."""
        return Narrator(self._setting).lines(self.events)

    def log_for(self, seat: int) -> list[str]:
        """The log with what the seat may not see left out (rule 11)."""
        self._check_seat(seat)
        return Narrator(self._setting).lines(self.events_for(seat))

    # --- what a seat sees ----------------------------------------------------------------------------

    def observe(self, seat: int, encoding: str = "flat") -> Any:
        """The observation of one seat, a fresh array, or a dict of them where the encoding has more than one.

        See ``steam_env.encoding`` for the layout.
        """
        chosen = look_up(ENCODINGS, "encoding", encoding)
        out = chosen.allocate(1)
        seats = np.array([self._check_seat(seat)], np.int64)
        chosen.encode(self._records, self._setting.boards, self._setting.decks, seats, out)
        return pick(out, 0)

    def view(self, seat: int) -> View:
        """What the seat sees and knows: the record with all else blank (rule 11)."""
        return view_records(self._records, np.array([self._check_seat(seat)], np.int64), self._setting)

    # --- files -----------------------------------------------------------------------------------------

    def to_scenario(self, path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The position as a scenario, between actions; with ``path`` also written as TOML.

        Raises:
            ValueError: inside an action or after the end; use ``save`` there.
        """
        scenario = write_scenario(Position(self._setting, self._records))
        if path is not None:
            dump_scenario(scenario, path)
        return scenario

    def save(self) -> bytes:
        """The game at any moment, with its past: magic, schema version, rules, map, deck, record, checksum."""
        return files.pack_save(self)

    def to_file(
        self,
        path: str | os.PathLike[str],
        *,
        players: Sequence[str] | None = None,
        policy: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> None:
        """Write the game as one JSON file: rules, start, events, actions, scores; ``from_file`` replays it.

        Args:
            path: of the file.
            players: a name for each seat, to be told in replays.
            policy: for each action None, or what its mover's policy thought, see ``steam_env.table.notes``.

        Raises:
            ValueError: if the game began neither with a deal nor with a scenario, or for bad notes.
        """
        notes = Notes(None if players is None else list(players), None if policy is None else list(policy))
        files.write_game_file(self, Path(path), notes)

    # --- pictures --------------------------------------------------------------------------------------

    def scene(self, seat: int | None = None) -> Scene:
        """All that is to be seen of the position, as data: by one seat, or with all hands."""
        if seat is not None:
            self._check_seat(seat)
        return make_scene(self._setting, self._records, self._masks[0], seat)

    def render(
        self, mode: str = "ansi", seat: int | None = None, theme: str = LIGHT, fps: float | None = None
    ) -> str | np.ndarray | None:
        """The position as a picture.

        Args:
            mode: ``"ansi"`` a text, ``"svg"`` a picture as text, ``"rgb_array"`` pixels (800, 1200, 3) uint8,
                ``"human"`` a window, unless somebody closed it (``steam_env.render.close_window`` allows a new
                one). The last two need the extra ``render``.
            seat: who looks: only what this seat sees is drawn. None draws all hands.
            theme: ``"light"``, ``"dark"``, or ``"auto"``, as the reader's system prefers.
            fps: of the window: at most so many pictures per second.

        Raises:
            ValueError: for another mode, theme or seat.
            RuntimeError: where no window can be opened.
        """
        return render_scene(self.scene(seat), mode, theme, fps)

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return draw_svg(self.scene(), AUTO)

    def positions(self) -> Iterator[Game]:
        """The game as it was: at its start, then after each action."""
        game = self._at(self._setting, self._start.copy(), self._seed)
        game._deal_event = self._deal_event
        yield game.clone()
        for action, outcomes in self._actions:
            game.step(action, outcomes)
            yield game.clone()

    def __repr__(self) -> str:
        where = "over" if self.done else f"round {self.round}, player_{self.seat} decides {self.phase}"
        return f"<Game on {self._setting.map.name}, {self.seats} seats, {where}>"


def _deal(setting: Setting, records: np.ndarray, seed: int) -> None:
    seeds = np.array([seed], np.int64)
    deal_games(records, setting.boards, setting.decks, setting.bag, setting.fixed_first_player, seeds, EVERY)


def _lay_out(setting: Setting, records: np.ndarray, deal: Mapping[str, Any], seed: int) -> None:
    """Set up from the values of a ``deal`` event."""
    outcome = check_deal(setting, deal)
    bag = np.array([COLOR_LETTERS.index(letter) for letter in outcome.tiles], np.int64)
    order = np.array(outcome.order, np.int64)
    corners, trains = np.array(outcome.corners, np.int64), np.array(outcome.trains, np.int64)
    lay_out_given(records, setting.boards, setting.decks, bag, order, outcome.first_player, corners, trains, seed)
