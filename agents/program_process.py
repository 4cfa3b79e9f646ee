"""A program beside this one: lines of text to it and from it, with limits on time, memory and output.

No shell is involved. The program has a process group of its own, so that Ctrl-C ends this program in order, and all of
the group is ended with it. Threads carry the lines, so that neither side waits for the other's pipe.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from steam_env.kit.show import show

READ_BYTES = 65_536
LINES_AHEAD = 64  # lines of the program that are kept before they are asked for; then its pipe fills, and it waits
LAST_BYTES = 2_000  # of its stderr
LAST_LINES = 3
GRACE_SECONDS = 0.5  # to end by itself after the end of its input
POLL_SECONDS = 0.1
MEBIBYTE = 2**20
FORCED = getattr(signal, "SIGKILL", signal.SIGTERM)

Outcome = bytes | str  # a line, or in words why there are no more


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
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise ProgramFault(f"cannot be started: {error}") from None
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        _limit_memory(process.pid, limits.memory)
        self._process = process
        self._to_send: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._received: queue.Queue[Outcome] = queue.Queue(LINES_AHEAD)
        self._words = bytearray()
        self._stopped = threading.Event()
        self._end = weakref.finalize(self, _end, process, self._to_send, self._stopped)  # also when this program ends
        _run(_write, process.stdin, self._to_send)
        _run(_read, process.stdout, self._received, limits.line, self._stopped)
        self._listener = _run(_listen, process.stderr, self._words)

    def send(self, line: str) -> None:
        """Send a line; it is written while other things are done."""
        self._to_send.put(line.encode() + b"\n")

    def receive(self, seconds: float) -> bytes:
        """The next line.

        Raises:
            ProgramFault: if none comes within so many seconds, no more come, or it is too long.
        """
        try:
            outcome = self._received.get(timeout=seconds)
        except queue.Empty:
            raise ProgramFault(f"took more than {seconds:g} s{self._tell_last_words()}") from None
        if isinstance(outcome, bytes):
            return outcome
        raise ProgramFault(f"{outcome or self._tell_end()}{self._tell_last_words()}")

    def stop(self, grace: float = GRACE_SECONDS) -> None:
        """End the program: by the end of its input, and by force if it is still there after so many seconds."""
        self._to_send.put(None)
        if grace:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(grace)
        self._end()

    def _tell_end(self) -> str:
        """How a program ended that writes no more."""
        try:
            code = self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def _tell_last_words(self) -> str:
        """The last lines of its stderr, if there are any."""
        if self._process.poll() is not None:
            self._listener.join(GRACE_SECONDS)
        lines = bytes(self._words).decode(errors="replace").split("\n")
        last = [line.strip() for line in lines if line.strip()][-LAST_LINES:]
        return f"; on stderr: {' / '.join(show(line) for line in last)}" if last else ""


# --- the system -----------------------------------------------------------------------------------------


def _limit_memory(pid: int, mebibytes: int) -> None:
    """Limit the data of a process; a system that cannot, or a process that is over already, is left alone."""
    try:
        import resource

        size = mebibytes * MEBIBYTE
        resource.prlimit(pid, resource.RLIMIT_DATA, (size, size))
    except (ImportError, AttributeError, OSError, ValueError):
        pass


def _end(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[bytes | None], stopped: threading.Event) -> None:
    """End a program and all that it has started by force, if they are still there, and the threads that serve it."""
    stopped.set()
    lines.put(None)
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, FORCED)
        else:
            process.kill()
    process.wait()


# --- threads: they hold the pipes, and nothing of the object that is to be ended when nobody needs it -------


def _run(work: object, *arguments: object) -> threading.Thread:
    assert callable(work)
    thread = threading.Thread(target=work, args=arguments, name="steam_env program", daemon=True)
    thread.start()
    return thread


def _write(pipe: IO[bytes], lines: queue.SimpleQueue[bytes | None]) -> None:
    """Write lines until there is nobody to read them, or no more are to come."""
    with contextlib.suppress(OSError), pipe:
        while (line := lines.get()) is not None:
            view = memoryview(line)
            while view:
                view = view[pipe.write(view) :]


def _read(pipe: IO[bytes], lines: queue.Queue[Outcome], most: int, stopped: threading.Event) -> None:
    """Take lines up to the end of the output, or to one that is too long, of which no more is read."""
    rest = b""
    with contextlib.suppress(OSError), pipe:
        while chunk := pipe.read(READ_BYTES):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                if len(line) > most:
                    rest = line
                    break
                _put(lines, line, stopped)
            if len(rest) > most:
                _put(lines, f"wrote a line of more than {most:,} bytes", stopped)
                return
    _put(lines, "", stopped)


def _put(lines: queue.Queue[Outcome], outcome: Outcome, stopped: threading.Event) -> None:
    """Hand a line over as soon as there is room, unless nobody wants it any more."""
    while not stopped.is_set():
        with contextlib.suppress(queue.Full):
            lines.put(outcome, timeout=POLL_SECONDS)
            return


def _listen(pipe: IO[bytes], words: bytearray) -> None:
    """Keep the end of what the program says on stderr."""
    with contextlib.suppress(OSError), pipe:
        while chunk := pipe.read(READ_BYTES):
            words += chunk
            del words[:-LAST_BYTES]
