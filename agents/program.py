"""Agents that are programs of any language: ``cmd:./my_bot --arg``. docs/agents_as_programs.md tells how to write one.

A program is told of its games and asked for its decisions in lines of JSON (``program_messages``). One that is late,
dead, or says what is no answer loses the game that it was asked for, and a random player plays that to its end; the
program is begun anew a few times, after which all games that it still has are lost. So no program stops a match.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steam_env.agents.base import Fault
from steam_env.agents.program_messages import (
    AnswerFault,
    Question,
    ToldGame,
    read_action,
    read_answer,
    read_hello,
    write_decision,
    write_end,
    write_fault,
    write_hello,
    write_start,
)
from steam_env.agents.program_process import GRACE_SECONDS, Limits, ProgramFault, ProgramProcess
from steam_env.agents.random import RandomAgent
from steam_env.kit.errors import AgentError
from steam_env.kit.show import show
from steam_env.table.view import View

NAME = re.compile(r"cmd(?:\[(?P<limits>[^\]]*)\])?:(?P<command>.*)", re.DOTALL)
MOST_BEGINNINGS = 4  # of the program, for one agent
SEED_BITS = 53  # which every reader of JSON keeps exactly


class ProgramAgent:
    """A program that plays one seat in each of its games.

    The program is started when it is first asked, and ended by ``close``, or when nobody needs the agent any more.

    Args:
        command: the command line, split as a shell does, without a shell; or its words.
        limits: what the program may use.

    Raises:
        ValueError: if the command cannot be read, or names no program.
    """

    encoding: str | None = None

    def __init__(self, command: str | Sequence[str], limits: Limits = Limits()) -> None:  # noqa: B008 - frozen
        self.command = tuple(_split_command(command) if isinstance(command, str) else command)
        if not self.command or shutil.which(self.command[0]) is None:
            raise ValueError(f"program {show(self.command[0] if self.command else '')}: there is none that can be run")
        self.limits = limits
        self._stand_in = RandomAgent()
        self._process: ProgramProcess | None = None
        self.reset(0)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy starts a program of its own."""
        return ProgramAgent, (self.command, self.limits)

    @property
    def files(self) -> list[Path]:
        """The program, and the files that its command line names: what it is made of, as far as that can be told."""
        words = (shutil.which(self.command[0]) or self.command[0], *self.command[1:])
        return [Path(word).resolve() for word in words if Path(word).is_file()]

    def reset(self, seed: int) -> None:
        """Begin new games; chance of the program should come from the seed that it is told of each."""
        self._seed = seed
        self._stand_in.reset(seed)
        self._games: dict[int, ToldGame] = {}  # by key: what ``follow`` calls them, below 0 where nobody does
        self._count = 0
        self._followed: list[int] | None = None
        self._faults: list[Fault] = []
        self._beginnings = 0 if self._process is None else 1
        self._given_up = ""  # why the program is not begun any more, in words

    # --- being told of games --------------------------------------------------------------------------

    def prepare(self) -> None:
        """Start the program, which says hello; see ``FollowingAgent``."""
        try:
            self._begin()
        except ProgramFault as fault:
            raise ValueError(f"program {show(shlex.join(self.command))}: it {fault}") from None

    def follow(self, games: np.ndarray) -> None:
        """Be told the numbers of the games of the next ``act``."""
        self._followed = games.tolist()

    def take_faults(self) -> list[Fault]:
        """The faults since the last time that they were asked for."""
        faults, self._faults = self._faults, []
        return faults

    def end_games(self, games: np.ndarray, results: Sequence[Mapping[str, Any]]) -> None:
        """Tell the program how games ended that it knows and has not lost."""
        for number, result in zip(games.tolist(), results, strict=True):
            game = self._games.pop(number, None)
            if game is not None and game.is_told and not game.is_lost:
                self._send(write_end(game, result))

    def close(self) -> None:
        """End the program."""
        self._stop(GRACE_SECONDS)

    # --- playing --------------------------------------------------------------------------------------

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        """(n,) int64, what the program answers, or a random action in games that it has lost.

        Raises:
            AgentError: for a fault where nobody tells which game is which, so that none can be lost.
        """
        followed, self._followed = self._followed, None
        keys = list(range(-len(masks), 0)) if followed is None else followed
        games = [self._find_game(key) for key in keys]
        questions = [
            Question(row, game, views.take([row]), masks[row]) for row, game in enumerate(games) if not game.is_lost
        ]
        actions = self._stand_in.act(None, masks, views)
        for row, action in self._ask(questions).items():
            actions[row] = action
        if followed is None:
            self._leave(keys)
        return actions

    def _leave(self, keys: Sequence[int]) -> None:
        """End games of which nobody tells how they go on; a fault is an error there."""
        self.end_games(np.array(keys), [{}] * len(keys))
        for fault in self.take_faults():
            self._stop()
            raise AgentError(fault.message)

    def _find_game(self, key: int) -> ToldGame:
        """The game with this key, numbered when it is first met: so its number depends on no other table."""
        if key not in self._games:
            number = self._count
            self._count += 1
            seed = int(np.random.SeedSequence([self._seed, number]).generate_state(1, np.uint64)[0])
            self._games[key] = ToldGame(key, number, seed >> (64 - SEED_BITS))
        return self._games[key]

    def _ask(self, questions: Sequence[Question]) -> dict[int, int]:
        """The program's actions by row, without those of games that it loses now."""
        answers: dict[int, int] = {}
        waiting = {question.game.number: question for question in questions}
        for question in questions:
            question.game.decisions += 1
        while waiting:
            try:
                self._begin()
                self._tell(waiting.values())
                while waiting:
                    self._take_answer(waiting, answers)
            except ProgramFault as fault:
                self._fail(waiting, str(fault))
        return answers

    def _tell(self, questions: Iterable[Question]) -> None:
        """Send all questions, each game's start before its first one."""
        for question in questions:
            if not question.game.is_told:
                self._send(write_start(question))
                question.game.is_told = True
            self._send(write_decision(question, self.limits))

    def _take_answer(self, waiting: dict[int, Question], answers: dict[int, int]) -> None:
        """Take one answer, in whichever order they come."""
        assert self._process is not None
        question, answer = read_answer(self._process.receive(self.limits.seconds), waiting)
        del waiting[question.game.number]
        try:
            answers[question.row] = read_action(question, answer)
        except AnswerFault as fault:
            self._lose(question.game, str(fault))

    # --- the program ----------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Start the program, unless it runs.

        Raises:
            ProgramFault: if it cannot be started, says no hello, or has failed too often.
        """
        if self._process is not None:
            return
        if self._given_up:
            raise ProgramFault(self._given_up)
        self._beginnings += 1
        try:
            self._process = ProgramProcess(self.command, self.limits)
            self._send(write_hello(self.limits))
            read_hello(self._process.receive(self.limits.start))
        except ProgramFault:
            self._beginnings = MOST_BEGINNINGS  # it would not get any better
            self._stop()
            raise

    def _send(self, line: str) -> None:
        if self._process is not None:
            self._process.send(line)

    def _fail(self, waiting: dict[int, Question], message: str) -> None:
        """End the program; the first game that waits for it is lost, all of them where it is not begun any more."""
        self._stop()
        is_last = self._beginnings >= MOST_BEGINNINGS
        for number in list(waiting) if is_last else [next(iter(waiting))]:
            self._lose(waiting.pop(number).game, message)
        if is_last and not self._given_up:
            self._given_up = f"is not begun any more: it {message}"

    def _stop(self, grace: float = 0) -> None:
        """End the program, by force after so many seconds; one that is begun later is told of its games again."""
        if self._process is not None:
            self._process.stop(grace)
            self._process = None
        for game in self._games.values():
            game.is_told = False

    def _lose(self, game: ToldGame, message: str) -> None:
        game.is_lost = True
        self._faults.append(Fault(game.key, f"its decision {game.decisions}: {message}"))
        self._send(write_fault(game, message))


# --- names ----------------------------------------------------------------------------------------------


def is_program(name: str) -> bool:
    """Whether an agent's name means a program."""
    return NAME.fullmatch(name) is not None


def make_program_agent(name: str) -> ProgramAgent:
    """The agent with a name like ``cmd:./my_bot --arg`` or, with limits of its own, ``cmd[seconds=1]:./my_bot``.

    Raises:
        ValueError: naming what is wrong with the name.
    """
    found = NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"agent {name!r}: cmd:COMMAND is allowed, or cmd[seconds=1]:COMMAND")
    try:
        return ProgramAgent(found["command"], _read_limits(found["limits"] or ""))
    except ValueError as error:
        raise ValueError(f"agent {name!r}: {error}") from None


def _read_limits(text: str) -> Limits:
    """The limits that stand in a name: ``seconds=1,memory=512``."""
    usual = vars(Limits())
    given: dict[str, Any] = {}
    for entry in filter(None, text.split(",")):
        name, _, value = entry.partition("=")
        if name not in usual:
            raise ValueError(f"limit {entry!r}: NAME=NUMBER is allowed, the names are {', '.join(usual)}")
        try:
            given[name] = type(usual[name])(value)
        except ValueError:
            raise ValueError(f"limit {entry!r}: a number is needed") from None
    return Limits(**given)


def _split_command(command: str) -> list[str]:
    """The words of a command line, by the quotes of a POSIX shell.

    Raises:
        ValueError: for a quote that does not end.
    """
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ValueError(f"command {show(command)}: {error}") from None
