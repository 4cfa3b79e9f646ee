"""Writing result files: those that cannot be written are refused beforehand, and none is left half written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
            raise ValueError(f"{path}: cannot be written: {tell_reason(error)}") from None
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


def tell_reason(error: Exception) -> str:
    """What is wrong with a file, without its name."""
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def tell_input(error: Exception) -> str:
    """What is wrong with what was given, with the name of a file that cannot be used."""
    return f"{error.filename}: {tell_reason(error)}" if isinstance(error, OSError) else str(error)


def tell_fault(error: OSError, otherwise: object) -> str:
    """Which file could not be written, and why; ``otherwise`` names it where the error does not."""
    return f"{error.filename or otherwise}: not written: {tell_reason(error)}"


def write_files(makers: Sequence[tuple[Path | None, Callable[[], str]]]) -> str:
    """Write the files that have a path, each from a function that makes its text; returns what failed, in words."""
    failures = []
    for path, make in makers:
        if path is not None:
            try:
                write_whole(path, make())
            except OSError as error:
                failures.append(tell_fault(error, path))
    return "; ".join(failures)


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file as a whole: an older one stays until the new one is complete."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    replace_file(path, lambda draft: draft.write_bytes(data))


def replace_file(path: str | os.PathLike[str], write: Callable[[Path], object]) -> None:
    """Have a file written beside the old one, which it replaces once it is complete.

    Raises:
        OSError: naming the file, which is then as it was.
    """
    with name_file(path):
        target = Path(path).resolve()
        if not _is_replaced(target):
            write(target)
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            write(draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


@contextmanager
def name_file(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let an ``OSError`` inside name this file: by itself it names a draft of it, or none where a disk is full."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = os.fspath(path), None
        raise
