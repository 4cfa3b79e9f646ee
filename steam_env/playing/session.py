"""Answers to what a person types at the table: actions, questions, files. Nothing here draws."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from steam_env.agents import Agent, make_agent
from steam_env.kit.checks import compose
from steam_env.kit.errors import IllegalActionError, SaveError
from steam_env.kit.files import tell_reason
from steam_env.playing.desk import find_desk
from steam_env.playing.played_game import PlayedGame
from steam_env.render.pen import Pen
from steam_env.words.seats import name_seat

FILE_NAME = "steam-play-{number}.save"
YES, NO = ("y", "yes"), ("n", "no")
AT_THE_END = "What now: undo, log, map, save FILE, export FILE, quit"
HELP = """\
  why ACTION          why it is illegal, with the rule
  actions [KIND]      all legal actions, or those of one kind
  hint                what the agent "{adviser}" would do
  map                 the whole map, its signs, and what lies on and beside it
  scores              points as the position stands
  news                what happened since your last decision
  log                 all that happened
  undo                back to your last decision; the others' replies are taken
                      back too, and luck stays: the same actions, the same game
  save [FILE]         keep the game; `save! FILE` replaces another file
  load FILE           go on with a kept game
  export FILE         when it is over: a game file, with all that was hidden,
                      for replays
  quit                asks whether to save; Ctrl-C, Ctrl-D and closing save

PgUp and PgDn scroll map and pages; Enter leafs through a page, Esc closes it."""


@dataclass
class Page:
    """Lines to read in place of the board."""

    title: str
    lines: list[str]


class Session:
    """Takes what is typed, line by line, and changes the game.

    Attributes:
        played: the game and who plays it.
        person: who sits at the keyboard: only this person's hand may be shown.
        reply: the answer to the last line.
        page: what is shown in place of the board, or None.
        ended: whether the person wants to leave.
    """

    def __init__(self, played: PlayedGame, path: Path | None = None) -> None:
        self.path = path
        self.reply = ""
        self.page: Page | None = None
        self.ended = False
        self._answer: Callable[[str], None] | None = None  # takes the next line, where a question was asked
        self._commands: dict[str, Callable[[str], None]] = {
            "help": lambda _: self._show("help", self.help_lines()),
            "why": self._tell_why,
            "actions": self._show_actions,
            "hint": self._give_hint,
            "map": lambda _: self._show("map", self._describe_map()),
            "scores": lambda _: self._show("scores", self.describe_scores()),
            "news": lambda _: self._show("news", self.news()[0][self.news()[1] :]),
            "log": lambda _: self._show("log", self.played.game.log_for(self.seat)),
            "undo": self._undo,
            "save": self._save,
            "save!": lambda name: self._save(name, replaces=True),
            "load": self._load,
            "export": self._export,
            "quit": self._quit,
        }
        self._sit_down(played)

    def _sit_down(self, played: PlayedGame) -> None:
        self.played = played
        self.desk = find_desk(played.game.rules.game)
        self._read_up_to: dict[int, int] = {}  # by person: events up to the last decision
        self.person = played.people[0]
        if len(played.people) == 1:
            self._welcome()

    # --- the person at the keyboard ------------------------------------------------------------------------

    @property
    def seat(self) -> int:
        """The seat whose view is shown."""
        return self.played.look_as(self.person)

    @property
    def is_waiting(self) -> bool:
        """Whether the keyboard has to be passed on before anything is shown."""
        game = self.played.game
        return not game.done and (self.played.mover != self.person or self.person not in self._read_up_to)

    @property
    def scene(self) -> Any:
        """What the person at the keyboard may see."""
        return self.played.game.scene(self.seat)

    def _welcome(self) -> None:
        """The mover sits down at the keyboard."""
        if not self.played.game.done:
            self.person = self.played.mover
        self._read_up_to.setdefault(self.person, 0)

    def news(self) -> tuple[list[str], int]:
        """What happened, without reasons: lines, and how many of them the person has seen before."""
        game, since = self.played.game, self._read_up_to.get(self.person, 0)
        known, lines = 0, []
        for number, (event, line) in enumerate(zip(game.events, game.log_for(self.seat), strict=True)):
            if event.kind not in self.desk.quiet:
                lines.append(line)
                known += number < since
        return lines, known

    # --- a line ----------------------------------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Do what a typed line says; ``reply`` and ``page`` hold the answer."""
        line = " ".join(line.split())
        self.reply, self.page = "", None
        if self._answer is not None:
            answer, self._answer = self._answer, None
            answer(line)
            return
        word, _, rest = line.partition(" ")
        if self.is_waiting and word not in ("", "undo", "save", "save!", "load", "quit", "help"):
            self.reply = f"First {name_seat(self.played.mover)} takes the keyboard and presses Enter."
        elif word.lower() in self._commands:
            self._commands[word.lower()](rest)
        elif word.lower() in self.desk.topics:
            topic = self.desk.topics[word.lower()]
            self._show(topic.title, topic.describe(self.scene, self.person))
        elif not line:
            self._welcome()
        else:
            self._act(line)

    def help_lines(self) -> list[str]:
        """What can be typed."""
        return [*self.desk.help.splitlines(), "", *HELP.format(adviser=self.desk.adviser).splitlines()]

    def _show(self, title: str, lines: Iterable[str]) -> None:
        self.page = Page(title, list(lines))

    def _act(self, text: str) -> None:
        game = self.played.game
        try:
            if game.done:
                raise IllegalActionError("the game is over")
            action = self.read_action(text)
            problem = game.explain(action)
        except IllegalActionError as error:
            self.reply = f"{error} (help tells what can be typed)"
            return
        if problem is not None:
            self.reply = f"illegal: {problem}"
            return
        self._read_up_to[self.person] = len(game.events)
        self.played.step(action)
        if self.played.mover == self.person or self.played.game.done:
            self._welcome()
        if self.played.game.done:
            self._show("the game is over", [*self.describe_scores(), "", AT_THE_END])

    def read_action(self, text: str) -> int:
        """The action that a text means: a number among the legal ones, or a text in any case, cities also by code.

        Raises:
            IllegalActionError: naming the text and what is allowed.
        """
        game = self.played.game
        if text.isascii() and text.isdigit():
            legal = game.legal()
            if not 1 <= int(text) <= len(legal):
                raise IllegalActionError(f"{text} is no number of a legal action: 1 to {len(legal)} are")
            return legal[int(text) - 1]
        known = self._spellings().get(" ".join(compose(text).split()).casefold())
        return game.parse(text) if known is None else known

    def _spellings(self) -> dict[str, int]:
        """All actions as they may be typed, without capitals."""
        game = self.played.game
        codes = self.desk.codes(game.setting)
        spellings = {}
        for action in range(self._num_actions):
            text = game.text(action)
            spellings[text.casefold()] = action
            kind, place, edge = self.desk.split(text)
            if place in codes:
                spellings.setdefault(f"{kind} {codes[place]} {edge}".strip().casefold(), action)
        return spellings

    @property
    def _num_actions(self) -> int:
        return self.played.spec.facts.num_actions

    def completions(self, text: str) -> list[str]:
        """The ways to continue a text, word by word; city names are one word."""
        head, _, rest = text.partition(" ")
        if head.lower() in ("why", "hint") and " " in text:
            options = [self.played.game.text(action) for action in range(self._num_actions)]
            return [f"{head} {option}" for option in self._continue(rest, (o for o in options if "#" not in o))]
        legal = [] if self.is_waiting else self.played.game.legal_text()
        if head.lower() == "actions":
            legal = sorted({f"actions {action.partition(' ')[0]}" for action in legal})
        return self._continue(text, [*legal, *self._commands, *self.desk.topics])

    def _continue(self, text: str, options: Iterable[str]) -> list[str]:
        """The options that begin with the text, each up to the end of its next word, once."""
        found: dict[str, None] = {}
        for option in options:
            for part in self._parts(option):
                if len(part) > len(text) and part.casefold().startswith(text.casefold()):
                    found[part] = None
                    break
        return list(found)

    def _parts(self, option: str) -> Iterator[str]:
        """An action up to its kind, up to its place, and whole."""
        kind, what, edge = self.desk.split(option)
        if what:
            yield f"{kind} "
        if edge:
            yield f"{kind} {what} "
        yield option

    # --- questions -------------------------------------------------------------------------------------------

    def _tell_why(self, text: str) -> None:
        game = self.played.game
        if not text:
            self.reply = "why ACTION tells why the action is illegal"
            return
        try:
            action = self.read_action(text)
            self.reply = game.explain(action) or f"{game.text(action)} is legal"
        except IllegalActionError as error:
            self.reply = str(error)

    def _give_hint(self, _: str) -> None:
        game = self.played.game
        if game.done:
            self.reply = "the game is over"
            return
        action = self.played.ask(self._make_adviser())
        self.reply = f"{self.desk.adviser} would play: {game.text(action)} [{game.legal().index(action) + 1}]"

    def prepare_hints(self) -> None:
        """Compile the adviser before the screen is in use, as compiling prints a line on the terminal."""
        if not self.played.game.done:
            self.played.ask(self._make_adviser())

    def _make_adviser(self) -> Agent:
        return make_agent(self.desk.adviser, self.played.spec.game)

    def _show_actions(self, kind: str) -> None:
        texts = [f"[{number + 1}] {text}" for number, text in enumerate(self.played.game.legal_text())]
        lines = [text for text in texts if not kind or text.partition("] ")[2].partition(" ")[0] == kind]
        self._show(f"legal actions {kind}".strip(), lines or ["none"])

    def _describe_map(self) -> Iterator[str]:
        scene, pen = self.scene, Pen(True)
        yield from self.desk.write_map(scene, pen)
        yield ""
        yield from self.desk.describe_map(scene, pen)

    def describe_scores(self) -> Iterator[str]:
        """Points of each seat, part by part; when the game is over, who won."""
        game, names = self.played.game, self.played.names
        total, *parts = self.played.spec.facts.score_parts
        yield f"{'':26}{total:>9}" + "".join(f"{part:>11}" for part in parts)
        for seat, score in enumerate(game.scores()):
            who = f"{name_seat(seat)} {'you' if seat == self.person else names[seat]}"
            yield f"{who:26}{score[total]:>9}" + "".join(f"{score[part]:>11}" for part in parts)
        if game.done:
            yield self.describe_end()

    def describe_end(self) -> str:
        """A sentence that says who won."""
        decision = str(self.scene.decision.text)
        return decision[0].upper() + decision[1:] + "."

    # --- undo and files ----------------------------------------------------------------------------------------

    def _undo(self, _: str) -> None:
        taken = self.played.undo(self.person) if self.person in self._read_up_to else 0
        if not taken:
            self.reply = "there is no decision of yours to take back"
            return
        self._read_up_to = dict.fromkeys(self._read_up_to, 0)
        self._read_up_to[self.person] = len(self.played.game.events)
        actions = "1 action is" if taken == 1 else f"{taken} actions are"
        self.reply = f"{actions} taken back; the same actions would lead to the same again"

    def target(self) -> Path:
        """The file that the game goes to where none is named: the last one, or a new one."""
        return self.path if self.path is not None and self.played.is_ours(self.path) else _name_new_file(Path())

    def _save(self, name: str, replaces: bool = False) -> None:
        path = _read_path(name) if name else self.target()
        try:
            if name and not replaces and not (path == self.path and self.played.is_ours(path)) and path.exists():
                raise FileExistsError(0, f"there is such a file already; `save! {name}` replaces it")
            self.played.save(path, replaces=bool(name) or path == self.path)
        except (OSError, ValueError) as error:
            self.reply = f"{path}: not saved: {tell_reason(error)}"
            return
        self.path = path
        self.reply = f"saved to {path}; `load {path}` goes on"

    def keep(self) -> str:
        """Save if something would be lost, wherever it can be written; returns what to tell the person."""
        if self.played.is_kept:
            return ""
        failures: dict[Path, str] = {}
        for path in self._list_places():
            try:
                self.played.save(path, replaces=path == self.path)
            except OSError as error:
                failures[path] = f"{path}: {tell_reason(error)}"
            else:
                self.path = path
                return f"the game is saved; go on with: python -m steam_env.play --load {shlex.quote(str(path))}"
        return f"the game could not be saved: {'; '.join(failures.values())}"

    def _list_places(self) -> Iterator[Path]:
        """Where the game may be saved: another program may take a name before it is used."""
        yield self.target()
        yield self.target()
        yield from (_name_new_file(_read_path(folder)) for folder in ("~", tempfile.gettempdir()))

    def _load(self, name: str) -> None:
        if not name:
            self.reply = "load FILE: which file?"
            return
        path = _read_path(name)
        try:
            played = PlayedGame.load(path)
        except SaveError as error:
            self.reply = f"not loaded: {error}"
            return
        if self.path is not None and path.resolve() == self.path.resolve():
            self.path = None  # what was played since goes to another file
        kept = self.keep()
        self._sit_down(played)
        self.path = path
        self.reply = f"{path} is loaded" + (f"; of the game before: {kept}" if kept else "")

    def _export(self, name: str) -> None:
        path = _read_path(name)
        try:
            if not self.played.game.done:
                raise ValueError("a game file shows all that is hidden: play to the end first, or use save")
            if not name or path.exists():
                raise ValueError("name a file that does not exist yet")
            self.played.game.to_file(path)
            self.reply = f"written to {path}"
        except (OSError, ValueError) as error:
            self.reply = f"{name or 'export FILE'}: not written: {tell_reason(error)}"

    def _quit(self, _: str) -> None:
        if self.played.is_kept:
            self.ended = True
            return
        self.reply = f"Save to {self.target()}? y saves and quits, n quits without saving, anything else goes on"
        self._answer = self._answer_quit

    def _answer_quit(self, line: str) -> None:
        if line.lower() in NO:
            self.played.forget()
            self.ended = True
        elif line.lower() in YES:
            self._save("")
            self.ended = self.played.is_kept
        else:
            self.reply = "the game goes on"


def _name_new_file(folder: Path) -> Path:
    """A file in the folder that does not exist yet."""
    names = (folder / FILE_NAME.format(number=number) for number in count(1))
    return next(name for name in names if not name.exists())


def _read_path(name: str) -> Path:
    return Path(os.path.expanduser(name))  # which leaves an unknown ~user as it is
