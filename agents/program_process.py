"""A program beside this one: lines of text to it and from it, with limits on time, memory and output.

No shell is involved. The program has a process group of its own, so that Ctrl-C ends this program in order, and all of
the group is ended with it. Pipes do not block: what one side is slow to read never stops the other for good.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from steam_env.kit.show import show

CHUNK = 65_536  # bytes that are read or written at once
LAST_BYTES = 2_000  # of its stderr that are kept
LAST_LINES = 3  # of those that are told
GRACE_SECONDS = 0.5  # to end by itself after the end of its input
MEBIBYTE = 2**20


class ProgramFault(Exception):
    """The program did not do what it must; the message says what, in a few words."""


@dataclass(frozen=True)
class Limits:
    """What a program may use.

    Attributes:
        seconds: for each answer, since the one before, or since it was asked.
        start: seconds until it says hello.
        memory: mebibytes of its data, where the system can limit it (Linux); of each process, if it starts more.
        line: bytes of a line of its output.
    """

    seconds: float = 10.0
    start: float = 10.0
    memory: int = 2_048
    line: int = 65_536

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not 0 < value < 2**31:
                raise ValueError(f"{name}={value}: a number above 0 is allowed")


class ProgramProcess:
    """A running program.

    Args:
        command: its file and its arguments.
        limits: what it may use.

    Raises:
        ProgramFault: if it cannot be started, with the reason.
    """

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        if os.name != "posix":
            raise ProgramFault("cannot be started here: its pipes need a POSIX system")
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
        except (OSError, ValueError) as error:
            raise ProgramFault(f"cannot be started: {error}") from None
        self._selector = selectors.DefaultSelector()
        self._end = weakref.finalize(self, _end, process, self._selector)  # also when this program ends
        _limit_memory(process.pid, limits.memory)
        self._process, self._most = process, limits.line
        self._input, self._output, self._errors = map(_open_up, (process.stdin, process.stdout, process.stderr))
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)
        self._to_write, self._read, self._words = bytearray(), bytearray(), bytearray()
        self._has_ended = False  # its output

    def send(self, line: str) -> None:
        """Send a line: with others, before the next line is received, as each writing may wake the program."""
        self._to_write += line.encode() + b"\n"

    def receive(self, seconds: float) -> bytes:
        """The next line.

        Raises:
            ProgramFault: if none comes within so many seconds, no more come, or it is too long.
        """
        self._write()
        deadline = time.monotonic() + seconds
        while (line := self._take_line()) is None:
            if self._has_ended:
                raise ProgramFault(f"{self._tell_end()}{self._tell_last_words()}")
            left = deadline - time.monotonic()
            if left <= 0:
                raise ProgramFault(f"took more than {seconds:g} s{self._tell_last_words()}")
            self._wait(left)
        return line

    def stop(self, grace: float) -> None:
        """End the program: by the end of its input, and by force if it is still there after so many seconds."""
        if grace and self._end.alive:
            self._write()
            assert self._process.stdin is not None
            self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self._end()

    # --- pipes ----------------------------------------------------------------------------------------

    def _take_line(self) -> bytes | None:
        """The first line of what was read; ``None`` if it is not whole."""
        size = self._read.find(b"\n")
        if (len(self._read) if size < 0 else size) > self._most:
            raise ProgramFault(f"wrote a line of more than {self._most:,} bytes{self._tell_last_words()}")
        if size < 0:
            return None
        line = bytes(self._read[:size])
        del self._read[: size + 1]
        return line

    def _wait(self, seconds: float) -> None:
        """Wait until something can be read or written, and do that."""
        for key, _ in self._selector.select(seconds):
            if key.fd == self._input:
                self._write()
            elif key.fd == self._output:
                self._has_ended = not self._take(self._output, self._read)
            else:
                self._take(self._errors, self._words)
                del self._words[:-LAST_BYTES]

    def _take(self, pipe: int, taken: bytearray) -> bool:
        """Read what is there; whether more may come."""
        try:
            chunk = os.read(pipe, CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(pipe)
        taken += chunk
        return bool(chunk)

    def _write(self) -> None:
        """Write as much as the program takes; nothing more to one that does not read any more."""
        try:
            while self._to_write:
                del self._to_write[: os.write(self._input, self._to_write[:CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self._to_write.clear()
        is_watched = self._input in self._selector.get_map()
        if self._to_write and not is_watched:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        elif is_watched and not self._to_write:
            self._selector.unregister(self._input)

    # --- what is told of its end ----------------------------------------------------------------------

    def _tell_end(self) -> str:
        """How a program ended that writes no more."""
        try:
            code = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def _tell_last_words(self) -> str:
        """The last lines of its stderr, if there are any."""
        while len(self._words) <= LAST_BYTES and any(key.fd == self._errors for key, _ in self._selector.select(0)):
            self._take(self._errors, self._words)
        lines = bytes(self._words[-LAST_BYTES:]).decode(errors="replace").split("\n")
        last = [line.strip() for line in lines if line.strip()][-LAST_LINES:]
        return f"; on stderr: {' / '.join(map(show, last))}" if last else ""


def _open_up(pipe: IO[bytes] | None) -> int:
    """The number of a pipe, which does not block any more."""
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _limit_memory(pid: int, mebibytes: int) -> None:
    """Limit the data of a process; a system that cannot, or a process that is over already, is left alone."""
    try:
        import resource

        size = mebibytes * MEBIBYTE
        resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))
    except (ImportError, AttributeError, OSError, ValueError):
        pass


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    """End a program and all that it has started by force, if they are still there, and close its pipes."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    selector.close()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
