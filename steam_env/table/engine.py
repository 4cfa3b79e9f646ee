"""A game's kernels made ready to be called: compiled, with scratch memory, scripted seats playing after players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from steam_env.core.jit import find_machine_code
from steam_env.core.moments import Moment
from steam_env.kit.arrays import BoolArray, IntArray
from steam_env.kit.show import show
from steam_env.spec import GameSpec, Setting, find_spec
from steam_env.table.mixture import as_mixture, find_parts
from steam_env.table.sharing import share

ONLY = np.zeros(1, np.int64)  # the number of the only game


class Engine:
    """The kernels of one game, for arrays of its records and a setting of them.

    Attributes:
        spec: the game.
        resting_action: the only action in a mask after the end of a game.
    """

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.resting_action = spec.facts.resting_action
        self._kernels = spec.kernels
        self._step_one: Callable[..., int] = spec.kernels.step_one or self._step_as_many  # once ready, machine code
        self._is_ready = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are the engine itself, found by the game's id."""
        return find_engine, (self.spec.game,)

    def prepare(self, setting: Setting) -> None:
        """Compile or load what games of this setting need, and say so on the terminal if it takes time."""
        kernels, facts = self._kernels, self.spec.facts
        kernels.prepare(setting)
        if not self._is_ready:
            records, masks = np.zeros(0, kernels.record), np.zeros((0, facts.num_actions), np.bool_)
            nothing = (records, *setting.statics, kernels.scratch.works, masks, facts.resting_action, 0)
            self._step_one = find_machine_code(self._step_one, *nothing)
            self._is_ready = True

    # --- playing ----------------------------------------------------------------------------------------

    def settle(self, records: np.ndarray, setting: Setting, rows: IntArray, masks: np.ndarray) -> None:
        """Go on to a player's decision in the games ``rows`` (k,); masks are renewed."""
        self._settle(records, setting, self._kernels.scratch.open(), rows, masks)

    def settle_one(self, records: np.ndarray, setting: Setting, masks: np.ndarray) -> bytes:
        """``settle`` for the only game; returns what happened, see ``steam_env.words.events.read_trace``."""
        scratch = self._kernels.scratch
        self._settle(records, setting, scratch.open(tracing=True), ONLY, masks)
        trace: bytes = scratch.copy_trace(int(scratch.work.num_events))
        return trace

    def _settle(
        self, records: np.ndarray, setting: Setting, works: np.ndarray, rows: IntArray, masks: np.ndarray
    ) -> None:
        self._kernels.settle(records, *setting.statics, works, rows, masks)
        self._play_scripted(records, setting, works, rows, masks)

    def step(
        self,
        records: np.ndarray,
        setting: Setting,
        rows: IntArray,
        actions: IntArray,
        masks: np.ndarray,
        threads: int = 1,
        note: Callable[[slice], object] = lambda part: None,
    ) -> None:
        """Play legal ``actions`` (k,) in the games ``rows`` (k,), and scripted seats after them; masks are renewed.

        Each thread then tells ``note`` which part of the rows it has played.
        """

        def play(part: slice) -> None:
            works = self._kernels.scratch.open()  # that of the thread which plays the part
            self._kernels.step_many(records, *setting.statics, works, rows[part], actions[part], masks)
            self._play_scripted(records, setting, works, rows[part], masks)
            note(part)

        share(play, len(rows), threads)

    def step_one(
        self, records: np.ndarray, setting: Setting, action: int, masks: np.ndarray, num_outcomes: int = 0
    ) -> bytes:
        """Play a legal action in the only game, which is not over, and scripted seats after it; its mask is renewed.

        Returns:
            what happened, see ``steam_env.words.events.read_trace``.
        """
        scratch = self._kernels.scratch
        count = self._step_one(records, *setting.statics, scratch.works, masks, action, num_outcomes)
        if setting.num_players < setting.num_seats:
            self._play_scripted(records, setting, scratch.works, ONLY, masks)
            count = int(scratch.work.num_events)
        return scratch.copy_trace(count) if count else b""

    def watch_step(
        self, records: np.ndarray, setting: Setting, action: int, masks: np.ndarray, num_outcomes: int = 0
    ) -> list[Moment]:
        """Do what ``step_one`` does, and look at what scripted seats do after the action.

        Returns:
            how the game stood before them, if anything had been told by then, and after each thing that they did;
            nothing where they do nothing, or cannot be watched.
        """
        scratch, watch = self._kernels.scratch, self._kernels.watch_scripted
        self._step_one(records, *setting.statics, scratch.works, masks, action, num_outcomes)
        if watch is None or not setting.num_players <= records["seat"][0] < setting.num_seats:
            return []
        return [moment for moment in watch(records, *setting.statics, scratch.works) if moment.num_events]

    def _step_as_many(self, records: np.ndarray, *others: Any) -> int:
        """Do the work of ``Kernels.step_one`` for a game that has none, by the kernel for many games."""
        *statics, _, masks, action, num_outcomes = others
        scratch = self._kernels.scratch
        works = scratch.open(tracing=True)
        scratch.work.num_outcomes = num_outcomes
        self._kernels.step_many(records, *statics, works, ONLY, np.array([action], np.int64), masks)
        return int(scratch.work.num_events)

    def _play_scripted(
        self, records: np.ndarray, setting: Setting, works: np.ndarray, rows: IntArray, masks: np.ndarray
    ) -> None:
        mixture = as_mixture(setting)
        has_scripted = setting.num_players < setting.num_seats if mixture is None else mixture.has_scripted
        if self._kernels.play_scripted is None or not has_scripted:
            return
        players = setting.num_players if mixture is None else mixture.players[find_parts(records, mixture)[rows]]
        waiting = rows[records["seat"][rows] >= players]
        if len(waiting):
            self._kernels.play_scripted(records, *setting.statics, works, waiting)
            self._kernels.settle(records, *setting.statics, works, waiting, masks)

    # --- looking ----------------------------------------------------------------------------------------

    def find_problem(self, records: np.ndarray, setting: Setting, action: int) -> tuple[int, Any]:
        """The reason why an action is illegal in the only game, 0 if it is legal, and the scratch memory with it."""
        work = self._kernels.scratch.open()[0]
        return int(self._kernels.find_problem(records, *setting.statics, work, action)), work

    def score(self, records: np.ndarray, setting: Setting) -> tuple[IntArray, BoolArray]:
        """Scores as the positions stand: (n, seats, parts) int64, and (n, seats) bool, who wins."""
        facts = self.spec.facts
        scores = np.zeros((len(records), facts.max_seats, len(facts.score_parts)), np.int64)
        winners = np.zeros((len(records), facts.max_seats), np.bool_)
        self._kernels.score(records, *setting.statics, scores, winners)
        return scores[:, : setting.num_seats], winners[:, : setting.num_seats]


@cache
def find_engine(game: str) -> Engine:
    """The engine of the game with this id."""
    return Engine(find_spec(game))


def load_setting(rules: Any, kind: str | None = None) -> Setting:
    """The setting that the rules of any game name.

    Raises:
        TypeError: for what are no rules, or those of another game than ``kind``.
        ValueError: for an unknown name or a broken file.
    """
    game = getattr(rules, "game", None)
    if not isinstance(game, str) or (kind is not None and game != kind):
        allowed = find_spec(kind).facts.rules
        raise TypeError(f"rules={show(rules)}: an object of {allowed.__module__}.{allowed.__qualname__} is allowed")
    setting: Setting = find_spec(game).load(rules)
    return setting


def load_settings(several: Sequence[Any], kind: str | None = None) -> tuple[Setting, IntArray]:
    """One setting of games with different rules of one kind, and (n,) int64, the part of it that each has.

    Rules that are given again are the same part; where all are equal, the setting is no mixture.

    Raises:
        TypeError: for what are no rules, or those of another game than ``kind``, or than the first.
        ValueError: for an unknown name or a broken file, or rules that do not go together.
    """
    if not several:
        raise ValueError("rules=[]: one or more are allowed")
    settings: dict[Any, Setting] = {}
    for rules in several:
        if rules not in settings:
            settings[rules] = load_setting(rules, kind or getattr(several[0], "game", None))
    parts = list(settings)
    numbers = np.array([parts.index(rules) for rules in several], np.int64)
    if len(parts) == 1:
        return settings[parts[0]], numbers
    mix = find_spec(several[0].game).mix
    if mix is None:
        raise ValueError(f"game {several[0].game!r}: a batch holds games of the same rules")
    mixed: Setting = mix(list(settings.values()))
    return mixed, numbers
