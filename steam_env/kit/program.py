"""What all programs do alike: exit codes, errors in one line, and output that fits every stream."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Protocol

from steam_env.kit.errors import AgentError, NotFiniteError
from steam_env.kit.files import tell_fault

NOT_WRITTEN, BAD_INPUT, NOT_FROZEN, AGENT_FAILED, NOT_FINITE, HOLE_FOUND, INTERRUPTED = 1, 2, 3, 4, 5, 6, 130
PLAINER = "steam_env-plainer"  # how streams encode what their encodings lack
PLAIN = str.maketrans(
    {
        **{"→": "->", "←": "<-", "↑": "^", "↓": "v", "…": "...", "≤": "<=", "≥": ">=", "×": "x"},
        **{"–": "-", "—": "-", "−": "-", "’": "'", "“": '"', "”": '"', "•": "*", "·": "."},
    }
)


class Main(Protocol):
    """What a program does with its command line, by default that of the process."""

    def __call__(self, arguments: Sequence[str] | None = None) -> int:
        """Do it; the exit code."""
        ...


def fail(program: str, code: int, message: str) -> int:
    """Say in one line on stderr what went wrong; the exit code."""
    with suppress(OSError):  # a full disk
        print(f"{program}: {message}", file=sys.stderr)
    return code


def work_through(program: str, work: Callable[[], None], tell_kept: Callable[[], str], place: Path) -> int:
    """Do work that is kept as it goes; 0, or the exit code of what cut it short, told with what is kept.

    Args:
        program: whose messages begin with its name.
        work: what is to be done.
        tell_kept: what is kept so far, in words.
        place: the file that is written, for an error that does not name one.
    """
    try:
        work()
    except KeyboardInterrupt:
        return fail(program, INTERRUPTED, f"interrupted; {tell_kept()}")
    except AgentError as error:
        return fail(program, AGENT_FAILED, f"{error}; {tell_kept()}")
    except OSError as error:
        return fail(program, NOT_WRITTEN, tell_fault(error, place))
    return 0


def make_program(name: str) -> Callable[[Main], Main]:
    """Decorate a main function: its output fits every stream, and what it lets pass ends the program in one line."""

    def decorate(main: Main) -> Main:
        @wraps(main)
        def run(arguments: Sequence[str] | None = None) -> int:
            fit_streams()
            try:
                try:
                    return main(arguments)
                finally:
                    _flush()
            except AgentError as error:
                return fail(name, AGENT_FAILED, str(error))
            except NotFiniteError as error:
                return fail(name, NOT_FINITE, str(error))
            except OSError as error:
                return fail(name, NOT_WRITTEN, tell_fault(error, "standard output"))
            except KeyboardInterrupt:
                return fail(name, INTERRUPTED, "interrupted")

        return run

    return decorate


def fit_streams() -> None:
    """Let the standard streams replace what their encodings cannot hold; they may be missing, or another kind."""
    for stream, errors in ((sys.stdout, PLAINER), (sys.stderr, PLAINER), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            with suppress(ValueError):  # one that is closed, or has been read from
                stream.reconfigure(errors=errors)


def _write_plainer(error: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks in characters that each has: "->" for an arrow, "?" for most others."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(PLAIN)
    return "".join(letter if letter.isascii() else "?" for letter in text), error.end


codecs.register_error(PLAINER, _write_plainer)


def _flush() -> None:
    """Write what is left of the output; what cannot be written goes nowhere, or the end of the process failed, too."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
