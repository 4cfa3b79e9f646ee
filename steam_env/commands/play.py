"""``python -m steam_env.play`` and ``steam-play``: a person plays a game at the terminal, or in the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from steam_env.kit.command_line import find_option
from steam_env.kit.program import BAD_INPUT, fail, make_program
from steam_env.playing.desk import find_desk
from steam_env.spec import find_spec, load_named

PROGRAM = "play"
WEB, WEB_PROGRAM = "--web", "steam_env.commands.web:main"


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Play the game that the command line names, by default the default game; returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if WEB in words:
        serve: Callable[[Sequence[str] | None], int] = load_named(WEB_PROGRAM)
        return serve(arguments)
    try:
        desk = find_desk(find_spec(find_option(arguments, "game")).game)
        program: Callable[[Sequence[str] | None], int] = load_named(desk.program)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, str(error))
    return program(arguments)
