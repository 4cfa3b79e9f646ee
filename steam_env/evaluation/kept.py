"""Work whose results are kept as they come: a run that was cut short goes on where it was.

A result file is JSON. Its entry ``fixed`` is what all results in it share: a file in which any of that differs is not
added to. Lists in it hold what was done, and with each that comes the file is written anew, as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from steam_env.evaluation.report import dump_json
from steam_env.kit.files import tell_input, write_whole
from steam_env.kit.json_text import read_json
from steam_env.kit.locks import hold
from steam_env.kit.program import BAD_INPUT, fail, work_through

NAMES: dict[type, str] = {dict: "table", list: "list"}

Content = dict[str, Any]
Progress = Callable[[int], None]  # see show_progress


class KeptOptions(Protocol):
    """Options of a program that keeps its results."""

    @property
    def json(self) -> Path:
        """The file of the results."""
        ...


O = TypeVar("O", bound=KeptOptions)  # noqa: E741 - the type of the options
K = TypeVar("K")  # of what is kept


@dataclass(frozen=True)
class ResultKind:
    """The result files of one program.

    Attributes:
        format: what a file says that it is.
        schema: which changes with the meaning of an entry.
        command: that writes them.
        noun: what a file holds, for messages.
        lists: the entries to which results are added.
        place_option, anew_option: the options of another place, and of playing everything anew.
    """

    format: str
    schema: int
    command: str
    noun: str
    lists: tuple[str, ...]
    place_option: str = "--out"
    anew_option: str = "--anew"

    def begin(self, path: Path, head: Content, *, anew: bool) -> Results:
        """The results in a file, to be added to, under a new head; none if there is no file.

        Args:
            path: of the file.
            head: what stands before the results, ``fixed`` among it.
            anew: leave out what the file holds.

        Raises:
            ValueError: for a file of another kind, or with other entries in ``fixed``, which are named.
        """
        content = {"format": self.format, "schema": self.schema, **head, **{name: [] for name in self.lists}}
        old = self.read(path) if path.exists() else None
        if old is not None and not anew:
            differing = [name for name, value in head["fixed"].items() if old["fixed"].get(name) != value]
            if differing:
                raise ValueError(
                    f"{path} is another {self.noun}, {', '.join(differing)} differ: name another {self.place_option}, "
                    f"or say {self.anew_option} to replace it"
                )
            content |= {name: old[name] for name in self.lists}
        return Results(path, content)

    def read(self, path: Path) -> Content:
        """The content of a file.

        Raises:
            ValueError: if it is none of this kind.
        """
        if not path.exists():
            raise ValueError(f"{path}: there is no such file")
        content = read_json(path, "result")
        wanted = (self.format, self.schema)
        if not isinstance(content, dict) or (content.get("format"), content.get("schema")) != wanted:
            raise ValueError(f"{path}: no result of {self.command}, of format {self.format!r}, schema {self.schema}")
        for name, kind in (("fixed", dict), *((name, list) for name in self.lists)):
            if not isinstance(content.get(name), kind):
                raise ValueError(f"{path}: {name} is missing, or no {NAMES[kind]}: was the file changed by hand?")
        return content

    def read_all(self, folder: Path) -> list[Content]:
        """The contents of the files in a folder, in the order of their names."""
        return [self.read(path) for path in sorted(folder.glob("*.json"))]


@dataclass(frozen=True)
class Results:
    """Results that are kept in a file: a table to be read and changed, which ``write`` writes."""

    path: Path
    content: Content

    def find_or_make(
        self,
        what: str,
        key: Content,
        size: int,
        make: Callable[[Progress], Content],
        report: Progress,
        state: Content | None = None,
    ) -> Content:
        """The result of this key in a list: the one that is kept, or it is made, and kept in the place of an older one.

        Args:
            what: the name of the list.
            key: what names the result among the others; entries of it.
            size: how much is reported as done of a result that is kept.
            make: ``(report)``: the other entries.
            report: called with how much more is done.
            state: further entries, with which a kept result must agree.
        """
        wanted = {**key, **(state or {})}
        for entry in self.content[what]:
            if wanted.items() <= entry.items():
                report(size)
                return dict(entry)
        made = {**wanted, **make(report)}
        self.content[what] = [one for one in self.content[what] if not key.items() <= one.items()] + [made]
        self.write()
        return made

    def write(self) -> None:
        """Write the file as a whole."""
        write_whole(self.path, dump_json(self.content))


def run_kept(
    program: str,
    parse: Callable[[], O],
    begin: Callable[[O], K],
    work: Callable[[O, K], None],
    tell: Callable[[O, K], int],
    tell_kept: Callable[[O, K], str] = lambda options, kept: f"{options.json} holds what was played",
) -> int:
    """Run a program that keeps its results; the exit code.

    Args:
        program: whose messages begin with its name.
        parse: reads the command line, and refuses what cannot be done.
        begin: reads what is kept; from here to the end nobody else may write the file.
        work: does what is not kept yet.
        tell: tells of all results; the exit code.
        tell_kept: what is kept, of work that was cut short.
    """
    with ExitStack() as stack:
        try:
            options = parse()
            stack.enter_context(hold(options.json))
            kept = begin(options)
        except (ValueError, OSError) as error:
            return fail(program, BAD_INPUT, f"{tell_input(error)} (nothing was played; --help explains)")
        code = work_through(
            program,
            lambda: work(options, kept),
            lambda: f"{tell_kept(options, kept)}, the same command goes on",
            options.json,
        )
        return code or tell(options, kept)
