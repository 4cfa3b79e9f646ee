"""What the programs share on the command line: options, one-line errors, progress."""

from __future__ import annotations

import inspect
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import field as dataclass_field
from dataclasses import fields, make_dataclass
from functools import partial
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

try:
    import tyro
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text
except ImportError as error:
    raise SystemExit(f"steam_env: {error}; the programs need: pip install 'steam-env[tools]'") from None

PLAIN_WIDTH = 120  # columns of the tables where no terminal tells its width
ENTRY = re.compile(r" {4}(\w+): (.*)")  # of a docstring, name and meaning
FRAME = "╭╮╰╯│─ \n"

O = TypeVar("O")  # noqa: E741 - the type of the options


POSITIONAL: Any = tyro.conf.Positional  # an annotation, for ``Annotated``: words without the name of an option


def show_value_as(metavar: str) -> Any:
    """An annotation, for ``Annotated``, that sets what the help shows for an option's value."""
    return tyro.conf.arg(metavar=metavar)


def parse_options(kind: type[O], arguments: Sequence[str] | None, description: str, default: O | None = None) -> O:
    """The options that a command line gives, as a dataclass of this kind; what is left out is as in ``default``.

    Raises:
        ValueError: for one that is wrong, in one line.
        SystemExit: after ``--help``.
    """
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            return tyro.cli(
                kind,
                args=arguments,
                description=description,
                default=tyro.MISSING_NONPROP if default is None else default,
                config=(tyro.conf.PositionalRequiredArgs, tyro.conf.UseAppendAction, tyro.conf.FlagCreatePairsOff),
            )
    except SystemExit as stop:
        if not stop.code:
            raise
    text = _unframe(complaint.getvalue())
    raise ValueError(text.replace(f"Error parsing {kind.__name__}: ", "").replace("{None}|", ""))


def _unframe(box: str) -> str:
    """The text of an error that tyro draws in a frame, as one line: title, pointer to the help and clutter left out."""
    lines = [line.strip(FRAME) for line in box.strip().splitlines()]
    return " ".join(lines[1:]) if "" not in lines else " ".join(lines[1 : lines.index("", 1)])


def add_options(
    kind: type[O], source: type[Any], defaults: Mapping[str, Any], types: Mapping[str, Any] | None = None
) -> type[O]:
    """A dataclass of the options of ``kind`` and of some fields of another dataclass.

    Args:
        kind: a frozen dataclass, which tells of its fields under ``Attributes``.
        source: another dataclass, which tells of its fields likewise.
        defaults: of the fields that are added, by name.
        types: of those that are not as the source has them.

    A field of ``kind`` that is named, too, gets this default and type and keeps its place.
    """
    meanings, known = read_entries(source, "Attributes"), {**get_type_hints(source), **(types or {})}
    added: list[Any] = []
    for name, default in defaults.items():
        value = dataclass_field(default_factory=partial(_same, default))
        told = tyro.conf.arg(help=_explain(meanings[name]), metavar=_name_value(known[name]))
        added.append((name, Annotated[known[name], told], value))
    made: type[O] = make_dataclass(kind.__name__, added, bases=(kind,), frozen=True)
    made.__doc__ = kind.__doc__
    return made


def add_fields(kind: type[O], source: type[Any], names: Iterable[str]) -> type[O]:
    """As ``add_options``, with the named fields of ``source`` and their defaults there."""
    usual = {field.name: field.default for field in fields(source)}
    return add_options(kind, source, {name: usual[name] for name in names})


def _same(value: Any) -> Any:
    return value


def _explain(meaning: str) -> str:
    """What a docstring says of a field, in the words of a command line, where nobody can write `None`."""
    plain = meaning.replace("`None` =", "left out:").replace("`", "")
    return plain[0].upper() + plain[1:]


def _name_value(hint: Any) -> str | None:
    """What the help shows for a value that may be left out; ``None``: what it shows by itself."""
    others = [kind for kind in get_args(hint) if kind is not type(None)]
    return others[0].__name__.upper() if [*others, type(None)] == [*get_args(hint)] and len(others) == 1 else None


def read_entries(described: type, heading: str) -> dict[str, str]:
    """The entries under a heading of a class's docstring, by name, each as one line.

    Raises:
        ValueError: if the docstring has no such heading.
    """
    text = inspect.getdoc(described) or ""
    _, found, rest = text.partition(f"{heading}:\n")
    if not found:
        raise ValueError(f"the docstring of {described.__name__} has no heading {heading!r}")
    entries: dict[str, str] = {}
    for line in rest.partition("\n\n")[0].splitlines():
        entry = ENTRY.fullmatch(line)
        if entry:
            entries[entry[1]] = entry[2]
        else:
            entries[list(entries)[-1]] += f" {line.strip()}"
    return {name: meaning.replace("``", "`") for name, meaning in entries.items()}


def find_option(arguments: Sequence[str] | None, name: str) -> str | None:
    """The value that a command line gives one option, read before the others, which may depend on it."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if word == f"--{name}":
            return following
        if word.startswith(f"--{name}="):
            return word.partition("=")[2]
    return None


def list_given(arguments: Sequence[str] | None) -> set[str]:
    """The names of the options on a command line, as fields: ``max_rounds`` for ``--max-rounds=9``."""
    words = sys.argv[1:] if arguments is None else arguments
    return {word.partition("=")[0].strip("-").replace("-", "_") for word in words if word.startswith("--")}


def open_console() -> Console:
    """The terminal, or where there is none a page of fixed width."""
    console = Console()
    return console if console.is_terminal else Console(width=PLAIN_WIDTH)


class _SpeedColumn(ProgressColumn):
    """Games, or whatever is counted, per second."""

    def render(self, task: Task) -> Text:
        """The speed so far."""
        speed = task.finished_speed or task.speed or 0
        digits = 0 if speed >= 1 else 2
        return Text(f"{speed:.{digits}f} {task.description}/s", style="progress.data.speed")


@contextmanager
def show_progress(total: int, *, what: str = "games", quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr while games are played; yields a function to call with the games that ended."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _SpeedColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    silent = quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=silent, transient=True) as progress:
        task = progress.add_task(what, total=total)
        yield lambda ended: progress.update(task, advance=ended)
