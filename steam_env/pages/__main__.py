"""``python -m steam_env.pages``: write, from the root of a checkout, the pages that are made from code and results."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from steam_env.kit.files import write_whole
from steam_env.kit.locks import PATIENCE, hold
from steam_env.kit.program import BAD_INPUT, make_program
from steam_env.spec import list_games

PROGRAM = "pages"
DIFFERENT = 1  # exit code
PAGES = Path("docs")
SHARED = {  # page -> the module whose ``make_files`` writes it; tests and benchmarks are of the checkout
    "agents_as_programs": "steam_env.pages.programs",
    "frameworks": "tests.verification.frameworks.page",
    "gallery": "steam_env.pages.gallery",
    "leaderboard": "steam_env.pages.leaderboard",
    "performance": "benchmarks.report",
    "policies": "steam_env.pages.policies",
    "robustness": "steam_env.pages.robustness",
    "search": "steam_env.pages.search",
    "trust": "tests.verification.trust",
}


def list_pages() -> Iterator[tuple[str, str]]:
    """Name and module of each page: the shared ones, then those of each game."""
    yield from SHARED.items()
    for game in list_games():
        yield from importlib.import_module(f"steam_env.pages.{game}").PAGES.items()


def make_files(module: str) -> dict[Path, str]:
    """The files of a page as they are written now: their texts by path, relative to the checkout.

    Raises:
        ValueError: for a block that cannot be written.
        ImportError: if the page needs an extra that is not installed.
    """
    files: dict[Path, str] = importlib.import_module(module).make_files()
    return files


def is_current(path: Path, content: str) -> bool:
    """Whether a file holds this text."""
    return path.exists() and path.read_text(encoding="utf-8") == content


@make_program(PROGRAM)
def main(arguments: Sequence[str] | None = None) -> int:
    """List, write or check pages; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m steam_env.pages",
        description="Write the pages that are named anew, from code and results; without a name, list all pages.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a page")
    parser.add_argument("--check", action="store_true", help="write nothing: say which pages differ (exit code 1)")
    options = parser.parse_args(arguments)
    pages = list(list_pages())
    known = [name for name, _ in pages]
    for name in options.names:
        if name not in known:
            parser.error(f"page {name!r}: there are {', '.join(known)}")
    if not options.names and not options.check:
        print(*known, sep="\n")
        return 0
    status = 0
    for name, module in pages:
        if name in (options.names or known):
            try:
                with hold(PAGES, PATIENCE):
                    status = max(status, renew(make_files(module), check=options.check))
            except (ValueError, OSError, ImportError) as error:
                print(f"{name}: {error}")
                status = BAD_INPUT
    return status


def renew(files: dict[Path, str], *, check: bool) -> int:
    """Write the files that differ, or say which do; returns the exit code."""
    differing = [path for path, content in files.items() if not is_current(path, content)]
    for path in differing:
        if check:
            print(f"differs: {path}")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, files[path])
            print(f"written: {path}")
    return DIFFERENT if check and differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
