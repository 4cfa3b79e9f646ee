"""A program in a real pseudo-terminal, its screen as a terminal would show it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pyte

PATIENCE = 240.0  # seconds; only a failing test waits so long
STEP = 0.05  # seconds between looks at the screen
CHUNK = 65536
# The shell opens the terminal as the leader of a session, which makes it the session's own: resizing then tells it.
IN_TERMINAL = ("sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1')
ENTER, TAB, ESCAPE, UP = "\r", "\t", "\x1b", "\x1b[A"
CTRL_C, CTRL_D, PAGE_DOWN = "\x03", "\x04", "\x1b[6~"


class Terminal:
    """Runs ``python ARGUMENTS`` in a terminal of so many rows and columns.

    Attributes:
        seen: all that was ever written to it.
    """

    def __init__(self, *arguments: str, folder: Path, rows: int = 24, columns: int = 80, **environment: str) -> None:
        self.master, slave = pty.openpty()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.seen = b""
        self._set_size(rows, columns)
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM")}
        self.process = subprocess.Popen(
            [*IN_TERMINAL, os.ttyname(slave), sys.executable, *arguments],
            cwd=folder,
            env={**plain, "TERM": "xterm-256color", **environment},
            start_new_session=True,
        )
        self.slave = slave  # open, so that nothing is lost before the shell opens it and after the end

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.slave)
        if self.master >= 0:
            os.close(self.master)

    def _set_size(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows: int, columns: int) -> None:
        self.screen.resize(rows, columns)
        self._set_size(rows, columns)

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def send_line(self, line: str) -> None:
        self.send(line + ENTER)

    def answer(self, line: str, *texts: str) -> None:
        self.send_line(line)
        self.wait_for(*texts)

    def hang_up(self) -> None:
        os.close(self.master)
        self.master = -1

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def _read(self, seconds: float) -> bool:
        """Take what the program has written; whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        data = os.read(self.master, CHUNK)
        self.seen += data
        self.stream.feed(data)
        return True

    def wait_for(self, *texts: str, gone: str = "") -> None:
        """Wait until the screen has these texts, and not the one that is to go."""
        self.wait_until(lambda: all(text in self.text for text in texts) and not (gone and gone in self.text), texts)

    def wait_until(self, holds: Callable[[], bool], what: object) -> None:
        end = time.monotonic() + PATIENCE
        ended = False
        while not holds():
            assert self._read(STEP) or not ended, f"ended without {what}:\n{self.text}"
            assert time.monotonic() < end, f"no {what} on the screen:\n{self.text}"
            ended = self.process.poll() is not None  # what it wrote before is still read, and looked at once more

    def wait_for_end(self) -> int:
        """The exit code, when all that was written is read."""
        if self.master >= 0:
            self.wait_until(lambda: self.process.poll() is not None, "end")
            while self._read(0):
                pass
        return self.process.wait(PATIENCE)
