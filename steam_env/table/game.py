"""``Game``: one game, for notebooks, tests and people."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from steam_env.kit.checks import check_outcomes, check_seed
from steam_env.kit.errors import IllegalActionError, SaveError, ScenarioError
from steam_env.kit.show import show
from steam_env.spec import Setting, find_spec, load_named
from steam_env.table import files
from steam_env.table.engine import Engine, find_engine, load_setting
from steam_env.table.mixture import draw_part, list_parts, single_out
from steam_env.table.notes import Notes
from steam_env.table.standing import Standing
from steam_env.table.telling import describe_game
from steam_env.words.events import Event, SeenEvents, read_trace
from steam_env.words.scenario_file import keep_scenario, read_scenario

EVERY = np.ones(1, np.bool_)
NO_OUTCOMES: tuple[int, ...] = ()


class Game(Standing):
    """One game: its position, what is legal, what happened.

    Args:
        rules: the configuration, of any game; ``None``: that of the class's game as it stands.
        seed: fixes the deal and all chance in play; ``None`` draws one (see ``seed``).
        deal: the outcome of a deal (the values of a game's ``deal`` event), to use instead of drawing one.

    Raises:
        ValueError: for a bad seed, rules that name something unknown, or with which no game can be dealt.
        TypeError: for what are no rules.
    """

    kind: ClassVar[str | None] = None
    """The id of the game whose class this is; ``None``: the default game."""

    def __init__(self, rules: Any = None, seed: int | None = None, *, deal: Mapping[str, Any] | None = None) -> None:
        chosen = find_spec(self.kind).facts.rules() if rules is None else rules
        self._begin(load_setting(chosen, self.kind), seed, deal)

    def _begin(self, setting: Setting, seed: int | None, deal: Mapping[str, Any] | None) -> None:
        """Set the game up: by chance, or as the outcome ``deal`` says."""
        seed = check_seed(seed)
        setting = draw_part(setting, seed)
        setting.check_deal()
        engine = find_engine(setting.rules.game)
        engine.prepare(setting)
        records = setting.blank.copy()
        kernels, words = engine.spec.kernels, engine.spec.words
        if deal and kernels.lay_out is None:
            raise ValueError(f"deal={show(deal)}: the seed decides all of a deal of this game, none can be given")
        if deal is None or kernels.lay_out is None:
            kernels.deal(records, setting, np.array([seed], np.int64), EVERY)
        else:
            kernels.lay_out(records, setting, deal, seed)
        self._take_up(setting, records, seed)
        self._deal_event = words.deal_event(self.record, setting)

    def _take_up(self, setting: Setting, records: np.ndarray, seed: int | None) -> None:
        """Become the game of this position, with an empty history."""
        self._setting = setting
        self._engine: Engine = find_engine(setting.rules.game)
        self._records = records
        self._masks = np.zeros((1, self._engine.spec.facts.num_actions), np.bool_)
        self._seed = seed
        self._scenario: dict[str, Any] | None = None
        self._deal_event = None
        self._start = records.copy()
        self._actions: list[tuple[int, tuple[int, ...]]] = []  # ids with the outcomes given for them
        self._trace: list[bytes] = []  # by action: what happened, see ``read_trace``
        # What scripted seats did before the first decision.
        self._opening = self._engine.settle_one(records, setting, self._masks)

    # --- other ways to a game -------------------------------------------------------------------

    @classmethod
    def _at(cls, setting: Setting, records: np.ndarray, seed: int | None = None) -> Self:
        game = cls.__new__(cls)
        _, part, rows = next(list_parts(records, setting))
        find_engine(part.rules.game).prepare(part)
        game._take_up(part, single_out(records, setting, rows), seed)
        return game

    @classmethod
    def _dealt(cls, setting: Setting, seed: int | None, deal: Mapping[str, Any] | None = None) -> Self:
        game = cls.__new__(cls)
        game._begin(setting, seed, deal)
        return game

    @classmethod
    def from_scenario(cls, source: Mapping[str, Any] | str | os.PathLike[str], seed: int | None = None) -> Self:
        """The game at a position written by hand: a dict or a TOML file.

        ``seed`` decides what the scenario leaves out.

        Raises:
            ScenarioError: naming the entry that could not exist.
        """
        seed = check_seed(seed)
        spec, position = read_scenario(source, seed)
        game = game_class_of(position.setting)._at(position.setting, position.records.copy(), seed)
        game._scenario = keep_scenario(spec, position, source)
        return cls._expect(game, ScenarioError)

    @classmethod
    def load(cls, data: bytes) -> Self:
        """The game that ``save`` wrote, with its past and its future.

        Raises:
            SaveError: if the bytes are damaged or of another version.
        """
        saved = files.unpack_save(data)
        game = cls._expect(files.start_from_save(saved), SaveError)
        files.replay_actions(game, saved.actions)
        if game._records.tobytes() != saved.record.tobytes():
            raise SaveError("the save's actions do not lead to its position: was it written by another version?")
        return game

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """The game of a JSON game file, replayed from its start with its chance outcomes.

        Raises:
            SaveError: if the file is damaged, of another version, or does not replay.
        """
        return cls._expect(files.read_game_file(Path(path)), SaveError)

    @classmethod
    def _expect(cls, game: Game, fault: type[ValueError]) -> Self:
        """The game, refused if it is none of this class."""
        if not isinstance(game, cls):
            raise fault(f"this is a game of {game.rules.game!r}, not of {cls.kind!r}")
        return game

    def clone(self) -> Self:
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
        """A game that looks the same to the seat, with all that it does not know dealt anew."""
        view = self.view(seat)
        self._engine.spec.kernels.fill(view.records, np.array([check_seed(seed)], np.int64))
        return self._at(self._setting, view.records)

    # --- playing -----------------------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """The seed that it was dealt or loaded with; ``None`` for a redeal."""
        return self._seed

    def step(self, action: int | str, outcomes: Sequence[int] = NO_OUTCOMES) -> None:
        """Play an action of the mover, given as id or text, up to the next decision.

        Args:
            action: an id or a text.
            outcomes: outcomes of chance to use instead of random ones, in order.

        Raises:
            IllegalActionError: if it is illegal; the message says which rule forbids it. Nothing is changed.
            ValueError: if a given outcome is impossible or superfluous. Nothing is changed.
        """
        if type(action) is not int or not 0 <= action < self._masks.shape[1]:  # the usual kind needs no reading
            action = self._to_id(action)
        if self.done or not self._is_playable(action):
            raise IllegalActionError(f"{self.explain(action)}.{self._name_legal()}")
        bound = self._engine.spec.facts.outcome_bound
        given = NO_OUTCOMES if outcomes is NO_OUTCOMES else check_outcomes(outcomes, bound)
        if given:
            self._step_with(action, given)
        else:
            self._trace.append(self._engine.step_one(self._records, self._setting, action, self._masks))
        self._actions.append((action, given))

    def _step_with(self, action: int, outcomes: tuple[int, ...]) -> None:
        records, masks = self._records.copy(), self._masks.copy()
        work = self._engine.spec.kernels.scratch.work
        work.outcomes[: len(outcomes)] = outcomes
        trace = self._engine.step_one(records, self._setting, action, masks, len(outcomes))
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
            return read_trace(self._trace[step:], self._engine.spec.facts)
        deal = [] if self._deal_event is None else [copy.deepcopy(self._deal_event)]
        return deal + read_trace([self._opening, *self._trace], self._engine.spec.facts)

    def events_for(self, seat: int, step: int | None = None) -> SeenEvents:
        """The events of the actions from number ``step`` on as the seat may see them; ``None``: all, the deal too."""
        solo, spec = self._setting.is_solo, self._engine.spec
        if step is None:
            return SeenEvents(self._deal_event, [self._opening, *self._trace], seat, solo, spec)
        return SeenEvents(None, self._trace[step:], seat, solo, spec)

    @property
    def num_steps(self) -> int:
        """Number of actions played so far."""
        return len(self._actions)

    @property
    def actions(self) -> list[int]:
        """Ids of the actions played so far."""
        return [action for action, _ in self._actions]

    @property
    def log(self) -> list[str]:
        """The events as lines of text."""
        return self._tell(self.events)

    def log_for(self, seat: int) -> list[str]:
        """The log with what the seat may not see left out."""
        self._check_seat(seat)
        return self._tell(self.events_for(seat))

    def _tell(self, events: Iterable[Event]) -> list[str]:
        return list(map(self._engine.spec.words.narrator(self._setting), events))

    def positions(self) -> Iterator[Self]:
        """The game as it was: at its start, then after each action."""
        game = self._at(self._setting, self._start.copy(), self._seed)
        game._deal_event = self._deal_event
        yield game.clone()
        for action, outcomes in self._actions:
            game.step(action, outcomes)
            yield game.clone()

    def describe(self, seat: int) -> str:
        """One page of plain text: the rules in short, the position as the seat sees it, its legal actions."""
        return describe_game(self, self._check_seat(seat))

    # --- files -----------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The game at any moment, with its past: magic, schema version, rules, what they name, record, checksum."""
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


def game_class_of(setting: Setting) -> type[Game]:
    """The class of one game of the setting: ``Game``, or the game's subclass of it."""
    kind: type[Game] = load_named(find_spec(setting.rules.game).game_class)
    return kind
