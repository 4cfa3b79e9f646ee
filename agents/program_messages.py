"""The messages between this package and a program that plays: JSON, one on each line.

``docs/agents_as_programs.md`` tells of them, ``docs/protocol/agent-1.schema.json`` has their form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from steam_env.agents.program_process import Limits, ProgramFault
from steam_env.kit.checks import as_integer
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.kit.show import describe, show
from steam_env.kit.version import __version__
from steam_env.spec import Setting, Texts, find_spec
from steam_env.table.telling import single_setting
from steam_env.table.view import View

PROTOCOL = 1  # changes with the name or the meaning of an entry
HELLO, START, DECISION, ANSWER, FAULT, END = "hello", "start", "decision", "answer", "fault", "end"
TYPE = "type"
HELLO_ENTRIES = {TYPE, "protocol", "name"}
ANSWER_ENTRIES = {TYPE, "game", "decision", "action"}
MAX_NAME = 200  # characters of the name that a program gives itself


class AnswerFault(Exception):
    """An answer that is none, to a decision that was asked for: the game is lost, the program may go on."""


@dataclass
class ToldGame:
    """A game as the program knows it.

    Attributes:
        key: what a match calls it.
        number: what messages call it, from 0 in the order of first decisions.
        seed: from which the program's chance in it should come.
        decisions: that it was asked for.
        is_told: whether the program that runs now has had its start.
        is_lost: whether it is lost by a fault.
    """

    key: int
    number: int
    seed: int
    decisions: int = 0
    is_told: bool = False
    is_lost: bool = False


@dataclass(frozen=True)
class Question:
    """A decision that a program is asked for.

    Attributes:
        row: of the views, which is answered.
        game: whose decision it is.
        view: of that game alone.
        mask: (actions,) bool, the legal actions.
    """

    row: int
    game: ToldGame
    view: View
    mask: np.ndarray

    @cached_property
    def setting(self) -> Setting:
        """The game's own, which is no mixture."""
        return single_setting(self.view)

    @cached_property
    def texts(self) -> Texts:
        """The texts of the position's actions."""
        return find_spec(self.setting.rules.game).words.texts(self.view.record, self.setting)


# --- to the program ---------------------------------------------------------------------------------------


def write_hello(limits: Limits) -> str:
    """The first message: which protocol is spoken, and what the program may use."""
    return _write(HELLO, protocol=PROTOCOL, engine=f"steam_env {__version__}", limits=vars(limits))


def write_start(question: Question) -> str:
    """A game begins for the program: its rules, and all that they name, such as a map."""
    setting = question.setting
    return _write(
        START,
        game=question.game.number,
        plays=setting.rules.game,
        seat=question.view.seat,
        seed=question.game.seed,
        rules={**setting.rules.to_dict(), **setting.settled},
        setting=setting.contents,
    )


def write_decision(question: Question, limits: Limits) -> str:
    """A decision is asked for: what the seat sees, the legal actions, the clock."""
    texts = question.texts
    return _write(
        DECISION,
        game=question.game.number,
        decision=question.game.decisions,
        view=question.view.to_dict(),
        actions=[{"id": action, "text": texts.text(action)} for action in np.flatnonzero(question.mask).tolist()],
        clock={"seconds": limits.seconds},
    )


def write_fault(game: ToldGame, message: str) -> str:
    """A game is lost by what the message says; no more is told of it."""
    return _write(FAULT, game=game.number, message=message)


def write_end(game: ToldGame, result: Mapping[str, Any]) -> str:
    """A game is over: points by seat and winners, where anybody knows them."""
    return _write(END, game=game.number, **result)


def _write(kind: str, **entries: Any) -> str:
    return dump_json({TYPE: kind, **entries})


# --- from the program -------------------------------------------------------------------------------------


def read_hello(line: bytes) -> None:
    """Read the program's first message.

    Raises:
        ProgramFault: if it is none, or of another version.
    """
    message = _read(line)
    if message.get(TYPE) != HELLO:
        raise ProgramFault(f"says {_show(line)} where {{'type': 'hello', 'protocol': {PROTOCOL}}} is to come")
    if message.get("protocol") != PROTOCOL or isinstance(message.get("protocol"), bool):
        raise ProgramFault(f"speaks protocol {show(message.get('protocol'))}: {PROTOCOL} is spoken here")
    problem = _find_unknown(message, HELLO_ENTRIES)
    if problem:
        raise ProgramFault(problem)
    name = message.get("name", "")
    if not isinstance(name, str) or len(name) > MAX_NAME:
        raise ProgramFault(f"calls itself {describe(name)}: a text of at most {MAX_NAME} characters is allowed")


def read_answer(line: bytes, asked: Mapping[int, Question]) -> tuple[Question, dict[str, Any]]:
    """The question that a line answers, by the number of its game, and the answer, of which no more is checked.

    Raises:
        ProgramFault: if it answers nothing that was asked.
    """
    message = _read(line)
    if message.get(TYPE) != ANSWER:
        raise ProgramFault(f"says {_show(line)} where an answer is to come")
    game, decision = _as_whole(message.get("game")), _as_whole(message.get("decision"))
    question = asked.get(game) if type(game) is int else None
    if question is None or type(decision) is not int or question.game.decisions != decision:
        raise ProgramFault(f"answers decision {show(decision)} of game {show(game)}, for which it was not asked")
    return question, message


def read_action(question: Question, message: Mapping[str, Any]) -> int:
    """The legal action that an answer names, by its id or its text.

    Raises:
        AnswerFault: if it is none.
    """
    problem = _find_unknown(message, ANSWER_ENTRIES)
    if problem:
        raise AnswerFault(problem)
    action = _as_whole(message.get("action"))
    try:
        number = question.texts.parse(action) if isinstance(action, str) else as_integer(action, "action")
    except ValueError as error:
        raise AnswerFault(f"answers: {error}") from None
    if not 0 <= number < len(question.mask) or not question.mask[number]:
        raise AnswerFault(f"answers: action {show(action)} is not among the legal ones")
    return number


def _read(line: bytes) -> dict[str, Any]:
    """A message.

    Raises:
        ProgramFault: if the line is none.
    """
    try:
        message = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise ProgramFault(f"says {_show(line)}, which is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise ProgramFault(f"says {_show(line)}: a message is an object with an entry 'type'")
    return message


def _as_whole(value: Any) -> Any:
    """A number that is whole as an integer, as 1.0: some languages know no others."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _find_unknown(message: Mapping[str, Any], allowed: set[str]) -> str:
    """What is wrong with the names of a message's entries, in words; empty: nothing."""
    unknown = sorted(message.keys() - allowed)
    return f"sends the entry {show(unknown[0])}: allowed are {', '.join(sorted(allowed))}" if unknown else ""


def _show(line: bytes) -> str:
    return show(line.decode(errors="replace"))
