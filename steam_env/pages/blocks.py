"""The parts of a page that are written from code and results; each stands between two marks.

    <!-- NAME ARGUMENTS -->
    what the maker of that name says
    <!-- end -->

All else on a page is written by hand.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path

BLOCK = re.compile(r"(<!-- (\w+)([^\n]*?) -->\n)(?:((?:(?!<!-- ).)*)(<!-- end -->\n))?", re.DOTALL)

Makers = Mapping[str, Callable[..., str]]


def list_blocks(page: str) -> list[tuple[str, str]]:
    """Name and arguments of the blocks of a page, in their order."""
    return [(block[2], block[3].strip()) for block in BLOCK.finditer(page) if block[5]]


def renew(page: str, makers: Makers) -> str:
    """The page with each block written anew.

    Args:
        page: its text.
        makers: of blocks, by name; each is given the words of the block's arguments.

    Raises:
        ValueError: for a block without a maker, or without an end.
    """

    def write(block: re.Match[str]) -> str:
        head, name, arguments, _, end = block.groups()
        if end is None:
            if name in makers:
                raise ValueError(f"block {name!r} has no <!-- end -->")
            return block[0]
        if name not in makers:
            raise ValueError(f"block {name!r}: there are {', '.join(makers)}")
        written = makers[name](*shlex.split(arguments)).strip("\n")
        return f"{head}{written}\n{end}"

    return BLOCK.sub(write, page)


def renew_file(path: Path, makers: Makers) -> str:
    """The text of a page with each block written anew; of a page that is not there, the blocks alone.

    Raises:
        ValueError: naming the page and the block that cannot be written.
    """
    page = path.read_text(encoding="utf-8") if path.exists() else write_blank(path.stem, makers)
    if not list_blocks(page):
        raise ValueError(f"{path}: there is no block to renew")
    try:
        return renew(page, makers)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def write_blank(title: str, makers: Makers) -> str:
    """A page of all blocks that need no arguments, nothing written yet."""
    blocks = (f"\n<!-- {name} -->\n<!-- end -->\n" for name, make in makers.items() if _needs_nothing(make))
    return "".join((f"# {title.capitalize()}\n", *blocks))


def _needs_nothing(make: Callable[..., str]) -> bool:
    try:
        signature(make).bind()
    except TypeError:
        return False
    return True
