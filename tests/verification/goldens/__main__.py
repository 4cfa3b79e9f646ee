"""The command line: ``python -m tests.verification.goldens``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import Any

from steam_env import GameBatch, Rules
from tests.verification.goldens.book import BOOK, as_written, list_differences, read_book, write_book
from tests.verification.goldens.digest import list_fields
from tests.verification.goldens.parts import PARTS

DIFFERENCES_SHOWN = 5  # of a kind


def main() -> int:
    """Check the goldens, or write them; the exit code: 1 if anything differs."""
    options = read_options()
    chosen = list(list_chosen(options.only, with_long=options.all))
    if not chosen:
        print(f"nothing is named {' or '.join(options.only)}: parts are {', '.join(PARTS)}")
        return 2
    return write(chosen, is_part=bool(options.only)) if options.write else check(chosen)


def read_options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.verification.goldens",
        description="Check that the package does what it did when goldens were written.",
    )
    parser.add_argument("--write", action="store_true", help="take what is here as golden")
    parser.add_argument("--all", action="store_true", help="the parts that take minutes, too")
    parser.add_argument(
        "--only", nargs="+", default=[], metavar="PART[/KIND]", help=f"some of them; parts: {', '.join(PARTS)}"
    )
    return parser.parse_args()


def list_chosen(only: list[str], *, with_long: bool) -> Iterator[tuple[str, str]]:
    """The parts and kinds to look at; a long part is also looked at when it is named."""
    for name, part in PARTS.items():
        for kind in part.kinds:
            if any(word in (name, f"{name}/{kind}") for word in only) or (not only and (with_long or not part.is_long)):
                yield name, kind


def check(chosen: list[tuple[str, str]]) -> int:
    """Compare what is here with the goldens and tell; the exit code."""
    book = read_book()
    differing = 0
    for name, kind in chosen:
        begun = time.perf_counter()
        differences = compare(book, name, kind)
        differing += bool(differences)
        seconds = time.perf_counter() - begun
        print(f"{name:10} {kind:28} {'DIFFERS' if differences else 'ok':8} {seconds:6.1f} s", flush=True)
        for words in differences[:DIFFERENCES_SHOWN]:
            print(f"    {words}")
        if len(differences) > DIFFERENCES_SHOWN:
            print(f"    and {len(differences) - DIFFERENCES_SHOWN} more")
    print(f"{differing} of {len(chosen)} differ" if differing else f"all {len(chosen)} as they were")
    return 1 if differing else 0


def compare(book: dict[str, Any], name: str, kind: str) -> list[str]:
    """What differs from the golden of one kind, in words."""
    golden = book["goldens"].get(name, {}).get(kind)
    if golden is None:
        return ["has no golden: write it"]
    try:
        found = PARTS[name].take(kind, book["fields"])
    except Exception as error:  # whatever a move has broken is a difference to be told with the others
        return [f"{type(error).__name__}: {error}"]
    return list(list_differences(golden, as_written(found)))


def write(chosen: list[tuple[str, str]], *, is_part: bool) -> int:
    """Take what is here as golden; goldens of what was not chosen stay, and so do then the fields; the exit code."""
    book = read_book() if BOOK.exists() else {"fields": {}, "goldens": {}}
    if not is_part or not book["fields"]:
        book["fields"] = list_fields(GameBatch(Rules(), 1, seed=0).records.dtype)
    for name, kind in chosen:
        begun = time.perf_counter()
        book["goldens"].setdefault(name, {})[kind] = as_written(PARTS[name].take(kind, book["fields"]))
        old = book["goldens"]  # in the order of parts and kinds, and without those that are none any more
        kept = {part: {one: old[part][one] for one in PARTS[part].kinds if one in old.get(part, {})} for part in PARTS}
        write_book({**book, "goldens": kept})
        print(f"{name:10} {kind:28} written  {time.perf_counter() - begun:6.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
