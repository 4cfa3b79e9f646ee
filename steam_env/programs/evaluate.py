"""``python evaluate.py`` and ``steam-evaluate``: a match on the command line."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

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
    raise SystemExit(f"evaluate: {error}; the programs need: pip install 'steam-env[tools]'") from None

from steam_env.agents import AGENTS
from steam_env.data.decks import shipped_decks
from steam_env.data.maps import shipped_maps
from steam_env.programs.match import MatchConfig, MatchResult, play_match, prepare_match
from steam_env.programs.report import draw_report, dump_json, result_to_dict, write_markdown

BAD_INPUT, INTERRUPTED, NOT_WRITTEN = 2, 130, 1  # exit codes
PLAIN_WIDTH = 120  # columns of the tables where no terminal tells its width
FRAME = "╭╮╰╯│─ \n"

DESCRIPTION = f"""\
Play agents against each other and print who wins.

Each deal (cities, hands, deck, first player) is played once in every rotation of the seats: each agent
plays every hand of it, so luck of the deal cancels out. games = deals x seats.

what there is:
  agents         {", ".join(sorted(AGENTS))}
  maps           {", ".join(shipped_maps())}, or the path of a map file
  contracts      {", ".join(shipped_decks())}, or the path of a deck file

examples:
  # two seats, 200 deals = 400 games
  python evaluate.py greedy --against random
  # four seats, random on the three others
  python evaluate.py greedy --against random --seats 4
  # three seats, named in turn order, and a result file
  python evaluate.py greedy --against random --against greedy --deals 1000 --json result.json
  # a quick look: small map, short games
  python evaluate.py greedy --map mini --contracts-to-end 3 --deals 20

what is printed:
  wins           games won; a win shared by W agents counts 1/W for each
  win rate       wins / games, beside 1/n: the rate of n equal agents
  95 % interval  taken over deals, as games of one deal are not independent: for win rates Wilson's
                 score interval (sensible at 0 and 100 % too), for points Student's t
  mean rank      1 = best by rule 3.3; equal agents share the mean of their ranks
  victory points mean at the end, and from contracts, factories, cities and money
  by seat        win rate on each seat, and as first, second, ... player in the turn order
  rounds         game length; decisions counts those of all seats

exit codes: 0 played, 1 a file could not be written, 2 bad input (nothing was played), 130 interrupted
"""


@dataclass(frozen=True)
class Options(MatchConfig):
    """The command line: a match, and where its result goes.

    Attributes:
        agent: The agent in question.
        against: Who fills the other seats: one name fills all of them, several fill them in turn order. Left out:
            random.
        seats: Seats at the table, 2 to 5. Left out: as many as agents are named.
        contracts_to_end: Fulfilled contracts of one seat that trigger the end. Left out: what the deck file or the
            rules say.
        json: Write all numbers to this file, with rules, seeds, versions, commit and machine. An older file is
            replaced.
        markdown: Write the tables to this file as Markdown, for documents. An older file is replaced.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    agent: Annotated[str, tyro.conf.arg(metavar="AGENT")]
    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AGENT")] = ()
    seats: Annotated[int | None, tyro.conf.arg(metavar="INT")] = None
    contracts_to_end: Annotated[int | None, tyro.conf.arg(metavar="INT")] = None
    json: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None
    markdown: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None
    quiet: bool = False

    @property
    def files(self) -> list[Path]:
        """The files that are to be written."""
        return [path for path in (self.json, self.markdown) if path is not None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the match that the command line describes; the exit code."""
    try:
        options = parse_options(arguments)
        prepare_match(options)
        check_files(options.files)
    except ValueError as error:
        return _fail(BAD_INPUT, f"{error} (nothing was played; --help explains)")
    try:
        with show_progress(options) as report:
            result = play_match(options, report=report)
    except KeyboardInterrupt:
        return _fail(INTERRUPTED, "interrupted; nothing was written")
    failed = write_files(options, result)
    console = Console()
    console = console if console.is_terminal else Console(width=PLAIN_WIDTH)
    for part in draw_report(result):
        console.print(part)
    return _fail(NOT_WRITTEN, failed) if failed else 0


def _fail(code: int, message: str) -> int:
    print(f"evaluate: {message}", file=sys.stderr)
    return code


# --- the command line -------------------------------------------------------------------------------


def parse_options(arguments: Sequence[str] | None) -> Options:
    """The options that a command line gives.

    Raises:
        ValueError: for one that is wrong, in one line.
        SystemExit: after ``--help``.
    """
    complaint = io.StringIO()
    try:
        with redirect_stderr(complaint):
            return tyro.cli(
                Options,
                args=arguments,
                description=DESCRIPTION,
                config=(tyro.conf.PositionalRequiredArgs, tyro.conf.UseAppendAction, tyro.conf.FlagCreatePairsOff),
            )
    except SystemExit as stop:
        if not stop.code:
            raise
    raise ValueError(_unframe(complaint.getvalue()))


def _unframe(box: str) -> str:
    """The text of an error that tyro draws in a frame, as one line: title, pointer to the help and clutter left out."""
    lines = [line.strip(FRAME) for line in box.strip().splitlines()]
    text = " ".join(lines[1:]) if "" not in lines else " ".join(lines[1 : lines.index("", 1)])
    return text.replace(f"Error parsing {Options.__name__}: ", "").replace("{None}|", "")


# --- files ------------------------------------------------------------------------------------------


def check_files(paths: Sequence[Path]) -> None:
    """Whether these files can be written, without touching them.

    Raises:
        ValueError: naming the file and what is wrong.
    """
    for path in paths:
        try:
            _try_writing(path.resolve())
        except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ValueError(f"{path}: cannot be written: {reason}") from None
    if len({path.resolve() for path in paths}) < len(paths):
        raise ValueError(f"{paths[0]}: two results cannot go to the same file")


def _try_writing(path: Path) -> None:
    if path.exists():
        with path.open("ab"):
            pass
    if _is_replaced(path):
        with tempfile.TemporaryFile(dir=path.parent):
            pass


def _is_replaced(path: Path) -> bool:
    """Whether the path is to become a new file: devices and pipes are written into."""
    return path.is_file() or not path.exists()


def write_files(options: Options, result: MatchResult) -> str:
    """Write what was asked for; what went wrong, in words."""
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    makers: list[tuple[Path | None, Callable[[], str]]] = [
        (options.json, lambda: dump_json(result_to_dict(result, finished))),
        (options.markdown, lambda: write_markdown(result)),
    ]
    failures = []
    for path, make in makers:
        if path is not None:
            try:
                _write(path, make())
            except OSError as error:
                failures.append(f"{path}: not written: {error.strerror or error}")
    return "; ".join(failures)


def _write(path: Path, text: str) -> None:
    """Write a file as a whole: an older one stays until the new one is complete."""
    target = path.resolve()
    if not _is_replaced(target):
        target.write_text(text, encoding="utf-8")
        return
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


# --- progress ---------------------------------------------------------------------------------------


class _SpeedColumn(ProgressColumn):
    """Games per second."""

    def render(self, task: Task) -> Text:
        """The speed so far."""
        return Text(f"{task.finished_speed or task.speed or 0:.0f} games/s", style="progress.data.speed")


@contextmanager
def show_progress(options: Options) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr while the match is played; yields what is to be told of games that end."""
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
    silent = options.quiet or not console.is_terminal
    with Progress(*columns, console=console, disable=silent, transient=True) as progress:
        task = progress.add_task("games", total=options.num_games)
        yield lambda ended: progress.update(task, advance=ended)
