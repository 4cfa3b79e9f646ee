"""``python -m benchmarks``: measure everything and write the page; options are those of the parts."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from benchmarks import peers, report, throughput
from benchmarks.results import Options
from steam_env.kit.command_line import parse_options
from steam_env.kit.program import BAD_INPUT, fail, make_program

PROGRAM = "benchmarks"
DESCRIPTION = """Measure how fast the game is, alone and beside other environments, and write docs/performance.md.

Examples:
  pip install -c constraints.txt -e ".[tools,bench,peers]"
  python -m benchmarks --quick       (does all work? two minutes, no file)
  python -m benchmarks               (about ten minutes; leave the machine alone meanwhile)

The parts: python -m benchmarks.throughput, .peers, .report"""


@make_program("benchmarks")
def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts one after the other; returns the exit code of the first that fails, 0 if none does."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        options = parse_options(Options, words, DESCRIPTION)
    except ValueError as error:
        return fail(PROGRAM, BAD_INPUT, f"{error} (nothing was measured; --help explains)")
    status = throughput.main(words) or peers.main(words)
    if status or options.folder is None:
        return status
    return report.main(["--folder", str(options.folder)])


if __name__ == "__main__":
    raise SystemExit(main())
