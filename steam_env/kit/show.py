"""Values in messages: shortened, and never an error of their own."""

import shlex
import traceback
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

SHOWN_CHARACTERS = 60
SHOWN_NAME = 1000  # characters, of a path say


def show(value: object) -> str:
    """The value for a message; shortened, for it may be long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number with too many digits; lists in lists in ...
        return "a value too long to be shown"
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 3] + "..."


def show_name(name: object) -> str:
    """The name of an entry or a file: as it is, but for characters that cannot be written."""
    if not isinstance(name, str) or len(name) > SHOWN_NAME:
        return show(name)
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def show_error(error: BaseException, asker: str) -> str:
    """What somebody else's code raised, and where, in one line; the file ``asker`` called it."""
    try:
        words = str(error).strip().partition("\n")[0]
    except Exception:
        words = "without words"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != asker]
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if words else ''}{words}{where}"


def show_options(given: Iterable[tuple[str, object]], usual: Mapping[str, object]) -> list[str]:
    """The options of a command line, by the names of fields, but for those that are as usual.

    An option with several values is repeated for each; one that is True is a flag.
    """
    words = []
    for name, value in given:
        if value != usual[name]:
            option = f"--{name.replace('_', '-')}"
            values = value if isinstance(value, tuple) else (value,)
            words += [option] if value is True else [f"{option} {shlex.quote(str(one))}" for one in values]
    return words


def show_command(words: Iterable[str], options: object, usual: object, untold: Container[str] = ()) -> str:
    """A command line: words, then the options of a dataclass that are not as in ``usual``, another one of its type."""
    given = [(name, value) for name, value in vars(options).items() if name not in untold]
    return " ".join((*words, *show_options(given, vars(usual))))


def say_count(number: int, singular: str, plural: str = "") -> str:
    """A number of things, in words."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def describe(value: object) -> str:
    """The value and its type, for a message."""
    return f"{show(value)} ({type(value).__name__})"
