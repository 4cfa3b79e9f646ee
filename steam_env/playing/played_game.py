"""A game that people play: who sits where, replies of the others, taking back, and the file that it is saved in."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from steam_env.agents import Agent, FollowingAgent, list_agents
from steam_env.agents.program import is_program
from steam_env.evaluation.agent_names import make_any_agent
from steam_env.kit.errors import SaveError
from steam_env.kit.files import name_file, write_whole
from steam_env.kit.json_text import dump_json, parse_json
from steam_env.kit.show import say_count, show
from steam_env.kit.text_files import MAX_MADE_BYTES, read_text
from steam_env.playing.desk import find_desk
from steam_env.playing.replies import reply
from steam_env.spec import GameSpec, find_spec
from steam_env.table.engine import load_setting
from steam_env.table.game import Game, game_class_of

HUMAN = "human"
FORMAT, SCHEMA = "steam_env played game", 1


class PlayedGame:
    """A game with the people, agents and scripted opponents at its table.

    Agents are asked anew at each of their decisions, from a seed that the game's seed, their seat and the number of
    the step make: after taking back, and after loading, they answer the same position in the same way.

    Args:
        game: the game; in solo one person holds all companies.
        names: by seat, ``"human"``, the name of an agent or of a scripted opponent, or ``"cmd:COMMAND"`` for a program.
    """

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = tuple(names)
        self._stamp: object = None  # of the file that holds it
        check_names(self.names, game.rules)
        self.spec = find_spec(game.rules.game)
        known = list_agents(self.spec)
        self._agents: dict[str, Agent] = {
            name: make_any_agent(name, self.spec.game) for name in set(self.names) if name in known or is_program(name)
        }
        for agent in self._agents.values():
            if isinstance(agent, FollowingAgent):
                agent.prepare()
        self.play_others()
        self._kept = game.actions  # what need not be saved

    @classmethod
    def deal(cls, rules: Any, names: Sequence[str], seed: int | None) -> PlayedGame:
        """A new game; seats and scripted opponents follow from the names."""
        full = find_desk(rules.game).seat_names(rules, names)
        check_names(names, full)
        return cls(game_class_of(load_setting(full))(full, seed), names)

    # --- people -----------------------------------------------------------------------------------------

    @property
    def is_solo(self) -> bool:
        """Whether one person holds all companies (rule 9)."""
        return self.game.setting.is_solo

    @property
    def people(self) -> list[int]:
        """The seats of people; in solo seat 0 stands for all companies."""
        return [seat for seat, name in enumerate(self.names) if name == HUMAN]

    @property
    def mover(self) -> int:
        """The person whose decision it is; -1 when the game is over."""
        return 0 if self.is_solo and not self.game.done else self.game.seat

    def look_as(self, person: int) -> int:
        """The seat from which this person sees the game: in solo that of the active company."""
        return max(self.game.seat, 0) if self.is_solo else person

    # --- play ---------------------------------------------------------------------------------------------

    def step(self, action: int) -> None:
        """Play the action, and the others' replies up to the next decision of a person."""
        self.game.step(action)
        self.play_others()

    def play_others(self) -> None:
        """Let agents decide until a person is to move."""
        while not self.game.done and self.names[self.mover] != HUMAN:
            self.game.step(self.ask(self._agents[self.names[self.mover]]))

    def ask(self, agent: Agent) -> int:
        """Ask an agent for the mover's action, of whom it sees observation, mask and view only."""
        return reply(agent, self.game)

    def undo(self, person: int) -> int:
        """Go back to this person's last decision; returns how many actions are taken back, 0 if there was none.

        The replies of the others are taken back too. What follows is drawn from the same random streams: the same
        actions lead to the same game again.
        """
        positions = list(self.game.positions())[:-1]
        for step in reversed(range(len(positions))):
            if self.is_solo or positions[step].seat == person:
                taken = self.game.num_steps - step
                self.game = positions[step]
                return taken
        return 0

    # --- files --------------------------------------------------------------------------------------------

    @property
    def is_kept(self) -> bool:
        """Whether nothing would be lost without saving: the game is saved, not begun, or over."""
        return self.game.done or self.game.actions == self._kept

    def forget(self) -> None:
        """Mark the game as it stands as one that need not be saved."""
        self._kept = self.game.actions

    def is_ours(self, path: Path) -> bool:
        """Whether a file holds what this game wrote or read last: another program may have written there since."""
        return self._stamp == _stamp(path)

    def save(self, path: str | os.PathLike[str], *, replaces: bool = True) -> None:
        """Write the game with its past and future, and who sits where.

        Args:
            path: of the file.
            replaces: whether an older file may go.

        Raises:
            OSError: if it cannot be written, or is there; an older file stays as it was.
        """
        game = base64.b64encode(self.game.save()).decode()
        content = {"format": FORMAT, "schema": SCHEMA, "seats": self.names, "game": game}
        if not replaces:
            with name_file(path), Path(path).open("x"):  # of two programs one gets the name
                pass
        write_whole(path, dump_json(content, indent=1) + "\n")
        self._stamp = _stamp(Path(path))
        self.forget()

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, starts_programs: bool = False) -> PlayedGame:
        """The game of a file that ``save`` wrote.

        Args:
            path: of the file.
            starts_programs: whether programs that sit at its table may be started; a file alone must start none.

        Raises:
            SaveError: naming the file and what is wrong.
        """
        text = read_text(path, "", SaveError, most=MAX_MADE_BYTES)
        try:
            played = _read(parse_json(text), starts_programs)
            played._stamp = _stamp(Path(path))
            return played
        except (ValueError, RecursionError) as error:
            fault = error if isinstance(error, SaveError) else f"no saved game: {error}"
            raise SaveError(f"{path}: {fault}") from None


def _stamp(path: Path) -> object:
    """What tells whether a file has been written again; None if there is none."""
    try:
        told = path.stat()
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        return None
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns


def _read(content: Any, starts_programs: bool) -> PlayedGame:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise SaveError(f"this is no saved game: its 'format' is not {FORMAT!r}")
    if content.get("schema") != SCHEMA:
        raise SaveError(f"schema version {show(content.get('schema'))}: version {SCHEMA} is read")
    names, data = content.get("seats"), content.get("game")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SaveError(f"seats={show(names)}: a list of names is needed")
    programs = [] if starts_programs else [name for name in names if is_program(name)]
    if programs:
        raise SaveError(f"the program {show(programs[0])} sits at its table; --load FILE --programs starts it")
    if not isinstance(data, str):
        raise SaveError("'game' must be the game as a text in base 64")
    return PlayedGame(Game.load(base64.b64decode(data, validate=True)), names)


# --- who may sit where -----------------------------------------------------------------------------------


def seat_people(spec: GameSpec, person: int, others: Sequence[str], seats: int | None) -> tuple[str, ...]:
    """One name for each seat: a person on this seat, the others on the rest in order, one name for all of them.

    Raises:
        ValueError: naming the value and what is allowed.
    """
    count = max(spec.facts.seat_counts[0], 1 + len(others)) if seats is None else seats
    if len(others) not in (1, count - 1):
        raise ValueError(f"{len(others)} opponents for {count} seats: name one for all of them, or {count - 1}")
    names = list(others) * (count - 1) if len(others) == 1 else list(others)
    if not 0 <= person < count:
        raise ValueError(f"seat={person}: 0 to {count - 1} are allowed")
    names.insert(person, HUMAN)
    return tuple(names)


def check_names(names: Sequence[str], rules: Any) -> None:
    """Refuse names that cannot sit at the table of a game.

    Raises:
        ValueError: naming what is wrong and what is allowed.
    """
    spec = find_spec(rules.game)
    agents, scripted = list_agents(spec), spec.players.scripted
    for name in names:
        if name != HUMAN and name not in agents and name not in scripted and not is_program(name):
            allowed = ", ".join((HUMAN, *sorted(agents), *scripted, "cmd:COMMAND"))
            raise ValueError(f"opponent {show(name)}: allowed are {allowed}")
    if HUMAN not in names:
        raise ValueError("nobody is human: one seat at least must be")
    seats = load_setting(rules).num_seats
    if len(names) != seats:
        raise ValueError(f"{say_count(len(names), 'name')} for {say_count(seats, 'seat')}")
    find_desk(rules.game).check_names(names, rules)
