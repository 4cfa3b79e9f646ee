"""Writing Markdown: tables, paragraphs, lists, code, and the cells of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any

from steam_env.evaluation.intervals import Estimate
from steam_env.evaluation.report import Grid, grid_to_markdown, say_interval, say_percent

WIDTH = 118  # characters of a line of text
COMMIT_LENGTH = 12


def table(columns: Sequence[str], rows: Iterable[Iterable[str]], words: int = 1) -> str:
    """A table; its first ``words`` columns are words, the others are numbers."""
    return grid_to_markdown(Grid("", tuple(columns), tuple(tuple(row) for row in rows), words))


def text(*parts: str, bullet: str = "") -> str:
    """A paragraph, or an item of a list."""
    return fill(
        " ".join(parts),
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def items(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(text(line, bullet="- ") for line in lines)


def code(lines: Iterable[str], language: str = "sh") -> str:
    """A block of code."""
    return "\n".join((f"```{language}", *lines, "```"))


def join(*blocks: str) -> str:
    """Blocks of a page, one below the other."""
    return "\n\n".join(blocks)


# --- cells ------------------------------------------------------------------------------------------

INTERVAL = "95 % interval"  # the column beside a rate or a mean


def say_rate(rate: Mapping[str, Any]) -> tuple[str, str]:
    """A rate and its interval."""
    return say_percent(rate["mean"]), say_interval(Estimate(**rate), 100, " %")


def say_margin(margin: Mapping[str, Any]) -> tuple[str, str]:
    """A mean with its sign and its interval."""
    return f"{margin['mean']:+.1f}", say_interval(Estimate(**margin), sign="+")


def say_commit(software: Mapping[str, Any]) -> str:
    """The commit that a result was made at."""
    git = software["git"]
    if git is None:
        return "no git checkout"
    return f"`{git['commit'][:COMMIT_LENGTH]}`{' and changes' if git['dirty'] else ''}"


def say_versions(software: Mapping[str, Any]) -> str:
    """The versions of packages, without the commit."""
    return ", ".join(f"{name} {found or 'not installed'}" for name, found in software.items() if name != "git")


def tabulate_origin(rows: Mapping[str, str], software: Mapping[str, Any], hashes: Mapping[str, str]) -> str:
    """A table of where numbers come from: what was run, with which versions, and the SHA-256 of what it depends on."""
    told = {**rows, "versions": say_versions(software), "git commit": say_commit(software)}
    told |= {what: f"SHA-256 `{found}`" for what, found in hashes.items()}
    return table(("what", "is"), told.items(), words=2)
