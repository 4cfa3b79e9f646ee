"""``python evaluate.py --verify result.json``: play the sample of a result file again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.evaluation.verification import MOST_DIFFERENT, Verified, list_games, sum_up, verify
from steam_env.kit.command_line import parse_options, show_progress, show_value_as
from steam_env.kit.json_text import read_json
from steam_env.kit.program import BAD_INPUT, INTERRUPTED, fail, make_program
from steam_env.kit.show import say_count

PROGRAM = "evaluate"
VERIFY = "--verify"
DIFFERENT = 1  # exit code
DESCRIPTION = f"""\
Play the sample of a result file of evaluate.py again: some of its games, move by move.

The rules must bring each game to the same scores, and the agent that was measured must play what it played. A net may
answer otherwise in at most {MOST_DIFFERENT:.1%} of its decisions, as on another machine its last bits come out
otherwise. An agent that draws at random for all of its games together, such as random, cannot be asked for one of them
alone, and a search that was given seconds plays by how fast the machine is: their answers differ.

example:
  python evaluate.py search:duel@64 --against automa:very_hard --deals 40 --json result.json
  python evaluate.py --verify result.json

exit codes: 0 all is the same, 1 something differs, 2 bad input, 4 an agent failed, 130 interrupted
"""


@dataclass(frozen=True)
class Options:
    """The command line.

    Attributes:
        file: A result file.
        quiet: No progress bar. (There is none either where stderr is no terminal.)
    """

    file: Annotated[Path, show_value_as("PATH")]
    quiet: bool = False


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Verify a result file, whose name stands behind ``--verify``; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        named = [word.removeprefix(f"{VERIFY}=") for word in words if word != VERIFY]
        options = parse_options(Options, named, DESCRIPTION)
        content = read_json(options.file, "result")
        games = list_games(content)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    try:
        with show_progress(len(games), quiet=options.quiet) as report:
            found = sum_up(_watch(verify(content), report))
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{options.file}: {error}")
    except KeyboardInterrupt:
        return fail(PROGRAM, INTERRUPTED, "interrupted")
    for fault in found.faults:
        print(f"DIFFERS: {fault}")
    answers = f"{found.different} of {say_count(found.decisions, 'decision')} with a choice answered otherwise"
    print(
        f"{say_count(found.games, 'game')} played again, {answers}: {'the same' if found.is_same else 'NOT the same'}"
    )
    return 0 if found.is_same else DIFFERENT


def _watch(parts: Iterator[Verified], report: Callable[[int], None]) -> Iterator[Verified]:
    for part in parts:
        report(part.games)
        yield part


if __name__ == "__main__":
    raise SystemExit(main())
