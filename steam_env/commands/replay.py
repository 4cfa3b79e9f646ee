"""``python -m steam_env.commands.replay``: write a game file as a web page; also writes the games of a match."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.evaluation.match import MatchResult
from steam_env.kit.command_line import parse_options, show_value_as
from steam_env.kit.files import name_file, tell_fault
from steam_env.kit.program import BAD_INPUT, NOT_WRITTEN, fail, make_program
from steam_env.kit.show import say_count
from steam_env.replay.page import write_replay

PROGRAM = "replay"
DESCRIPTION = """\
Write a game file as one page of HTML: open it in a browser, from disk, without a network.

Step through the game with the buttons, the slider or the arrow keys, play it with Space, jump from turn to turn with
Shift and an arrow, click a line of the log to go there. The page shows the board, hands, points and the log; and the
policy's probabilities and values, where the game file has them.

Game files are written by Game.to_file and by evaluate.py --replays.

examples:
  # all hands open
  python -m steam_env.commands.replay game.json
  # nothing that player_0 could not see: to study one's own game
  python -m steam_env.commands.replay game.json --seat 0 --output as-player-0.html
  # one game of a match
  python evaluate.py greedy --against automa:hard --deals 20 --replays 1

exit codes: 0 written, 1 the page could not be written, 2 bad input: the error names the line of the file and the first
step that differs
"""
SUFFIX = ".html"


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        game: The game file, as Game.to_file writes it.
        output: The page. Left out: beside the game file, with the ending .html. An older page is replaced.
        seat: Show only what this seat may see. Left out: everything.
    """

    game: Annotated[Path, show_value_as("GAME.json")]
    output: Annotated[Path | None, show_value_as("PAGE.html")] = None
    seat: Annotated[int | None, show_value_as("INT")] = None


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page that the command line describes; returns the exit code."""
    try:
        options = parse_options(Options, arguments, DESCRIPTION)
        page = options.game.with_suffix(SUFFIX) if options.output is None else options.output
        if page.resolve() == options.game.resolve():
            raise ValueError(f"{page}: the page would replace the game file")
        count = write_replay(options.game, page, seat=options.seat)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    except OSError as error:
        return fail(PROGRAM, NOT_WRITTEN, tell_fault(error, page))
    print(f"{page}: {say_count(count, 'position')}")
    return 0


# --- games of a match ---------------------------------------------------------------------------------


def write_games(result: MatchResult, folder: str | os.PathLike[str]) -> list[Path]:
    """Write a match's recorded games into a folder, each as a game file and as a page; returns the pages' paths.

    Raises:
        OSError: if one cannot be written.
    """
    folder = Path(folder)
    with name_file(folder):
        folder.mkdir(parents=True, exist_ok=True)
    pages = []
    for recorded in result.recorded:
        game, policy = recorded.play_again(result.setting)
        name = "-".join([*map(_plain, result.config.labels), f"deal-{recorded.deal + 1}"])
        game.to_file(folder / f"{name}.json", players=recorded.players, policy=policy)
        pages.append(folder / f"{name}{SUFFIX}")
        write_replay(game, pages[-1], players=recorded.players, policy=policy)
    return pages


def _plain(label: str) -> str:
    """An agent's label as a part of a file's name: "automa:hard" as "automa-hard"."""
    return "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in label)


if __name__ == "__main__":
    raise SystemExit(main())
