"""Measuring where the time of a training run goes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

ENVIRONMENT, OPPONENTS, TEACHER, INFERENCE, UPDATE = "environment", "opponents", "teacher", "inference", "update"
PARTS = (ENVIRONMENT, OPPONENTS, TEACHER, INFERENCE, UPDATE)


class Clock:
    """A stopwatch with parts; what is measured inside another part counts for the inner one alone."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(PARTS, 0.0)
        self._inner = [0.0]

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """Count what happens inside for this part."""
        begun = time.perf_counter()
        self._inner.append(0.0)
        try:
            yield
        finally:
            spent = time.perf_counter() - begun
            self.seconds[part] += spent - self._inner.pop()
            self._inner[-1] += spent

    def take(self) -> dict[str, float]:
        """The seconds since the last call."""
        taken, self.seconds = self.seconds, dict.fromkeys(PARTS, 0.0)
        return taken
