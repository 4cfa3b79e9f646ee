"""``python -m steam_env.commands.convert_policy``: add hashes to older policy files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from steam_env.agents.policy_files import FORMAT, WITHOUT_HASHES, find_policy, read_policy, write_policy
from steam_env.kit.command_line import parse_options, show_value_as
from steam_env.kit.files import tell_fault
from steam_env.kit.program import BAD_INPUT, NOT_WRITTEN, fail, make_program
from steam_env.spec import find_known

PROGRAM = "convert_policy"
DESCRIPTION = f"""\
Add the game and the hashes of observation layout and action list to policy files of {WITHOUT_HASHES!r}, which lack
them. Weights stay as they are, bit by bit; each file is replaced. A file that holds hashes is left as it is.

It is ASSUMED that the policies were trained with the observation layout and the action list of this version: the files
do not tell. A policy of another layout plays nonsense, without an error.

example:
  python -m steam_env.commands.convert_policy runs/standard/policy.safetensors

exit codes: 0 converted, 1 a file could not be written, 2 bad input
"""


@dataclass(frozen=True)
class Options:
    """The options of the command line.

    Attributes:
        files: Policy files, *.safetensors.
    """

    files: Annotated[tuple[Path, ...], show_value_as("FILE")]


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """Convert the files that the command line names; returns the exit code."""
    try:
        for path in parse_options(Options, arguments, DESCRIPTION).files:
            print(f"{path}: {convert(path)}")
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (--help explains)")
    except OSError as error:
        return fail(PROGRAM, NOT_WRITTEN, tell_fault(error, "a file"))
    return 0


def convert(path: Path) -> str:
    """Write a policy file anew with hashes, unless it has them; returns what was done, in words.

    Raises:
        ValueError: if it is no policy file.
        OSError: if it cannot be written; the file is then as it was.
    """
    about, weights = read_policy(find_policy(path))
    if about.get("format") == FORMAT:
        return "it holds hashes, left as it is"
    if about.get("format") != WITHOUT_HASHES:
        raise ValueError(f"{path}: format {about.get('format')!r}: {WITHOUT_HASHES!r} is allowed")
    write_policy(path, about, weights, find_known(about.get("game")))
    return "converted, assuming that it was trained with this version's observation layout and action list"


if __name__ == "__main__":
    raise SystemExit(main())
