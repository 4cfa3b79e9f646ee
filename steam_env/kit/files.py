"""Writing result files: those that cannot be written are refused beforehand, and none is left half written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


def check_files(paths: Sequence[Path]) -> None:
    """Refuse files that cannot be written, without touching any.

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


def write_files(makers: Sequence[tuple[Path | None, Callable[[], str]]]) -> str:
    """Write the files that have a path, each from a function that makes its text; returns what failed, in words."""
    failures = []
    for path, make in makers:
        if path is not None:
            try:
                write_whole(path, make())
            except OSError as error:
                failures.append(f"{path}: not written: {error.strerror or error}")
    return "; ".join(failures)


def write_whole(path: Path, text: str) -> None:
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
