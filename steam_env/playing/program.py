"""What the programs of all games share: the options of a table, the session that they describe, playing it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, TypeVar

from steam_env.kit.command_line import list_given, parse_options, show_value_as
from steam_env.kit.errors import AgentError, Closed
from steam_env.kit.program import AGENT_FAILED, BAD_INPUT, INTERRUPTED, fail
from steam_env.playing.played_game import PlayedGame
from steam_env.playing.session import Session
from steam_env.render.pen import wants_color

PROGRAM = "steam-play"
KEPT_WITH_FILE = ("load", "save", "plain", "game")  # options that may stand beside --load
MANNER = """\
The whole terminal is used (80 x 24 is enough); where there is none, lines are read and written, so games can be piped
in. In the game, help tells what can be typed, TAB completes, why ACTION tells which rule forbids an action, undo takes
back, save keeps the game. Ctrl-C, the end of the input and a closed window save as well, and say to which file."""
EXIT_CODES = """\
NO_COLOR=1 turns colours off.

exit codes: 0 left, 2 bad input (nothing was played), 4 an agent failed, 130 Ctrl-C (what was played is saved)
"""


@dataclass(frozen=True)
class TableOptions:
    """Options that every game has; a game's own ones follow them.

    Attributes:
        against: Who sits on the other seats, in turn order: an agent, a scripted opponent (the last seats), or human.
            One name fills all of them. Left out: the first that is listed above.
        seats: Seats at the table, yours included. Left out: as many as are named.
        seat: Your seat, from 0. Who begins is drawn, see --first-player.
        seed: Fixes the deal and all chance. Left out: another one each time.
        load: Go on with the game of this file.
        save: The file that `save` without a name, and leaving, write to. Left out: a new one, steam-play-1.save and
            so on, in this folder.
        plain: Lines instead of the full screen: for screen readers and logs.
    """

    against: Annotated[tuple[str, ...], show_value_as("NAME")] = ()
    seats: Annotated[int | None, show_value_as("INT")] = None
    seat: int = 0
    seed: Annotated[int | None, show_value_as("INT")] = None
    load: Annotated[Path | None, show_value_as("FILE")] = None
    save: Annotated[Path | None, show_value_as("FILE")] = None
    plain: bool = False

    @property
    def rules(self) -> Any:
        """The rules that the options give."""
        raise NotImplementedError

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, the name of who sits there."""
        raise NotImplementedError


O = TypeVar("O", bound=TableOptions)  # noqa: E741 - the type of the options


def run(kind: type[O], description: str, ask: Callable[[], O], arguments: Sequence[str] | None) -> int:
    """Play the game that a command line, or without one the person, describes; returns the exit code.

    Args:
        kind: the options of the game.
        description: what the help says of them.
        ask: asks the person a few questions in place of options.
        arguments: the command line; None: that of the process.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        words = list(sys.argv[1:] if arguments is None else arguments)
        options = parse_options(kind, words, description)
        given = list_given(words)
        if not given.difference(("game",)) and on_terminal:
            options = ask()
        session = open_session(options, given)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was played; --help explains)")
    except (KeyboardInterrupt, EOFError):
        return fail(PROGRAM, INTERRUPTED, "nothing was played")
    plain = options.plain or not on_terminal or os.environ.get("TERM") in (None, "", "dumb")
    return play(session, plain)


def open_session(options: TableOptions, given: set[str]) -> Session:
    """The game that the options describe, at its first decision of a person.

    Raises:
        ValueError: naming the option, the value and what is allowed.
    """
    if options.load is not None:
        beside = sorted(given.difference(KEPT_WITH_FILE))
        if beside:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in beside)
            raise ValueError(f"{names} cannot be given together with --load: the file says how the game is played")
        return Session(PlayedGame.load(options.load), options.save or options.load)
    if options.save is not None and options.save.exists():
        raise ValueError(f"--save {options.save}: there is such a file already; --load goes on with it")
    return Session(PlayedGame.deal(options.rules, options.names, options.seed), options.save)


def play(session: Session, plain: bool) -> int:
    """Let people play until they leave; returns the exit code. Whatever ends it, what was played is saved."""
    from steam_env.playing.terminal import run_full_screen, run_lines

    end_when_closed()
    if not plain:
        session.prepare_hints()
    code = 0
    try:
        (run_lines if plain else run_full_screen)(session, wants_color())
    except EOFError:
        pass
    except KeyboardInterrupt:
        code = INTERRUPTED
    except AgentError as error:
        code = fail(PROGRAM, AGENT_FAILED, str(error))
    finally:
        kept = session.keep()
        _tell(session, kept, scores=session.played.game.done and not plain)
    return code


def _tell(session: Session, kept: str, scores: bool) -> None:
    """What stays on the terminal: the scores of a game that is over, the file of another."""
    try:
        if scores:
            print("\n".join(session.describe_scores()))
        print(kept or (session.reply if session.ended else ""), flush=True)
    except OSError:  # the terminal is gone
        sys.stdout = None  # nor can it be flushed


def end_when_closed() -> None:
    """A closed terminal, and a signal to end, end the program in order: what was played is saved."""

    def close(number: int, _: FrameType | None) -> None:
        raise Closed(128 + number)

    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), close)
