"""Stepping games of one setting: the players' actions in one kernel, Automa seats in another (rule 8.4)."""

import threading
from collections.abc import Callable

import numpy as np

from steam_env.core.actions import MONEY, NUM_ACTIONS
from steam_env.core.jit import announce_compilation, find_machine_code
from steam_env.core.one import step_game
from steam_env.core.setup import deal_games
from steam_env.core.state import EVENT_VALUES, GAME, WORK, new_work
from steam_env.core.step import play_automas, settle_games, step_games
from steam_env.setting import Setting

CONTROL = ("tracing", "num_events", "num_outcomes", "next_outcome", "bad_outcome")  # they stand in a row
ONLY = np.zeros(1, np.int64)  # the number of the only game
EVENT_BYTES = (2 + EVENT_VALUES) * np.dtype(np.int64).itemsize  # kind, actor, values


class Scratch(threading.local):
    """Each thread's scratch memory: what it holds is good up to the next kernel call.

    Attributes:
        works: (1,) ``WORK``.
        work: the record in it.
        trace: the bytes of its ``events``.
        control: its fields ``CONTROL``, as one array: NumPy takes a microsecond for each field of a record.
    """

    def __init__(self) -> None:
        self.works = new_work()
        self.work: np.record = self.works[0]
        self.trace = memoryview(self.works["events"][0]).cast("B")
        first = WORK.fields[CONTROL[0]][1]  # type: ignore[index]
        self.control = self.works.view(np.uint8)[first:].view(np.int64)[: len(CONTROL)]

    def copy_trace(self, num_events: int) -> bytes:
        """So many events as they stand, see ``steam_env.events.read_trace``."""
        return self.trace[: num_events * EVENT_BYTES].tobytes()


scratch = Scratch()
_ready: set[str] = set()  # the kernels that this process has compiled or loaded
_step_game: Callable[..., int] = step_game  # once it is ready, its machine code


def prepare_kernels(setting: Setting) -> None:
    """Compile or load what games of this setting need, and say so on the terminal if it takes time."""
    global _step_game
    if "rules" not in _ready:
        with announce_compilation("rules core", "step.step_games"):
            _step_game = _call_on_nothing(setting)
        _ready.add("rules")
    if setting.rules.automas and "automas" not in _ready:
        with announce_compilation("Automa", "step.play_automas"):
            records = np.zeros(0, GAME)
            play_automas(records, setting.boards, setting.decks, open_work(), np.zeros(0, np.int64))
        _ready.add("automas")


def _call_on_nothing(setting: Setting) -> Callable[..., int]:
    """Kernels are compiled when they are called; no games are enough. Returns the machine code of ``step_game``."""
    records, masks = np.zeros(0, GAME), np.zeros((0, NUM_ACTIONS), np.bool_)
    none, nowhere = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    boards, decks = setting.boards, setting.decks
    deal_games(records, boards, decks, setting.bag, setting.fixed_first_player, none, nowhere)
    settle_games(records, boards, decks, open_work(), none, masks)
    step_games(records, boards, decks, open_work(), none, none, masks)
    nothing = (records, boards, decks, scratch.works, masks, MONEY, 0)
    step_game(*nothing)
    return find_machine_code(step_game, *nothing)


def open_work(*, tracing: bool = False) -> np.ndarray:
    """This thread's scratch memory, (1,) ``WORK``, with an empty trace and no outcomes given."""
    scratch.control[:] = 0
    scratch.control[0] = tracing
    return scratch.works


def step_all(records: np.ndarray, setting: Setting, rows: np.ndarray, actions: np.ndarray, masks: np.ndarray) -> None:
    """Play legal ``actions`` (k,) int64 in the games ``rows`` (k,) int64, and Automas after them; masks are renewed."""
    works = open_work()
    step_games(records, setting.boards, setting.decks, works, rows, actions, masks)
    if setting.rules.automas:
        _play_automas(records, setting, works, rows, masks)


def step_one(records: np.ndarray, setting: Setting, action: int, masks: np.ndarray, num_outcomes: int = 0) -> bytes:
    """Play a legal action in the only game, which is not over, and Automas after it; its mask is renewed.

    Returns:
        what happened, see ``steam_env.events.read_trace``.
    """
    count = _step_game(records, setting.boards, setting.decks, scratch.works, masks, action, num_outcomes)
    if setting.rules.automas:
        _play_automas(records, setting, scratch.works, ONLY, masks)
        count = int(scratch.work.num_events)
    return scratch.copy_trace(count) if count else b""


def settle_all(records: np.ndarray, setting: Setting, works: np.ndarray, rows: np.ndarray, masks: np.ndarray) -> None:
    """Go on to a player's decision in the games ``rows`` (k,) int64; masks are renewed."""
    settle_games(records, setting.boards, setting.decks, works, rows, masks)
    if setting.rules.automas:
        _play_automas(records, setting, works, rows, masks)


def _play_automas(
    records: np.ndarray, setting: Setting, works: np.ndarray, rows: np.ndarray, masks: np.ndarray
) -> None:
    waiting = rows[records["seat"][rows] >= setting.rules.players]
    if len(waiting):
        play_automas(records, setting.boards, setting.decks, works, waiting)
        settle_games(records, setting.boards, setting.decks, works, waiting, masks)
