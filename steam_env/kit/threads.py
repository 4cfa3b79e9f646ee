"""One job beside this thread: kernels release Python's lock, so both may have a processor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Background:
    """One job at a time, done beside this thread by a thread that is begun for it; copies and pickles have no job."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._result: Any = None
        self._fault: BaseException | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Background, ()

    @property
    def is_busy(self) -> bool:
        """Whether a job was begun whose result has not been taken."""
        return self._thread is not None

    def begin(self, job: Callable[[], Any]) -> None:
        """Begin a job; none may be under way."""
        self._thread = threading.Thread(target=self._do, args=(job,), daemon=True)
        self._thread.start()

    def _do(self, job: Callable[[], Any]) -> None:
        self._result = self._fault = None
        try:
            self._result = job()
        except BaseException as fault:
            self._fault = fault

    def finish(self) -> Any:
        """Wait for the job and return its result, or raise what it raised."""
        assert self._thread is not None
        self._thread.join()
        self._thread = None
        result, fault = self._result, self._fault
        self._result = self._fault = None
        if fault is not None:
            raise fault
        return result
