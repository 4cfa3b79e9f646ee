"""Files and folders that several processes may share: one at a time changes them, and the others are told or wait."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

POLL_SECONDS = 0.1
PATIENCE = 60.0  # seconds to wait for one who only writes a page
FAR = 2**30  # the byte that Windows locks: what is locked there cannot be read
DEVICES = Path(os.devnull).parent  # nobody holds those


class InUseError(ValueError):
    """Another process holds the file or the folder; the message names both."""


@contextmanager
def hold(path: Path, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold a file, or a folder that is there, until the end of the ``with`` statement, or however the process ends.

    The system itself lets go of what a process held that was killed. Where files cannot be locked, on some file systems
    and where nothing can be written, there is nothing to hold, and all goes on.

    Raises:
        InUseError: if another process still holds it after so many seconds.
    """
    target = path.resolve()
    place = target / ".lock" if target.is_dir() else target.with_name(f".{target.name}.lock")
    lock = _wait_for(path, place, time.monotonic() + wait_seconds)
    try:
        yield
    finally:
        if lock is not None:
            with suppress(OSError):
                place.unlink()
            lock.close()


def _wait_for(path: Path, place: Path, give_up: float) -> IO[str] | None:
    while True:
        try:
            return _take(place)
        except BlockingIOError:
            if time.monotonic() >= give_up:
                who = _tell_holder(place)
                raise InUseError(f"{path}: is in use by {who}: wait for its end, or name another place") from None
        time.sleep(POLL_SECONDS)


def _take(place: Path) -> IO[str] | None:
    """The locked file; None if nothing can be locked there.

    Raises:
        BlockingIOError: if another process holds it.
    """
    if place.parent == DEVICES:
        return None
    try:
        lock = place.open("a+", encoding="utf-8")
    except OSError:
        return None
    try:
        _lock(lock.fileno())
    except OSError as error:
        lock.close()
        if isinstance(error, BlockingIOError | PermissionError):
            raise BlockingIOError from None
        return None
    if not _is_there(lock, place):  # who held it before has taken it away
        lock.close()
        return _take(place)
    with suppress(OSError):
        lock.truncate(0)
        os.write(lock.fileno(), f"process {os.getpid()} on {socket.gethostname()}".encode())
    return lock


def _is_there(lock: IO[str], place: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(lock.fileno()), place.stat())
    except OSError:
        return False


def _tell_holder(place: Path) -> str:
    try:
        return place.read_text(encoding="utf-8").strip() or "another process"
    except (OSError, ValueError):
        return "another process"


def _find_lock() -> Callable[[int], None]:
    if sys.platform == "win32":
        import msvcrt

        def take(file: int) -> None:
            os.lseek(file, FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    else:
        import fcntl

        def take(file: int) -> None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    return take


_lock = _find_lock()
