"""Threads that share the work of one call: kernels release Python's lock, so each may have a processor.

What is done must not depend on who does it: a job writes to its own part of the arrays alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

MOST_THREADS = 256
LEAST_SHARE = 32  # games of a thread: waking it takes as long as it takes to play some

Job = Callable[[], object]


def share(work: Callable[[slice], object], count: int, threads: int) -> None:
    """Do the work for ``count`` things: split evenly over so many threads, over fewer if the shares were too small.

    Args:
        work: does the part of the things that a slice tells, and writes to nothing else.
        count: how many things.
        threads: how many threads at most, this one among them.

    Raises:
        BaseException: what the first part that fails raises, after all parts have ended.
    """
    parts = min(threads, max(count // LEAST_SHARE, 1))
    if parts == 1:
        work(slice(0, count))
        return
    bounds = [count * number // parts for number in range(parts + 1)]
    run_together([partial(work, slice(*ends)) for ends in pairwise(bounds)])


def run_together(jobs: Sequence[Job]) -> None:
    """Do the jobs at once, the first in this thread.

    Raises:
        BaseException: what the first job that fails raises, after all have ended.
    """
    done: SimpleQueue[tuple[int, BaseException | None]] = SimpleQueue()
    for number, (worker, job) in enumerate(zip(_find_workers(len(jobs) - 1), jobs[1:], strict=True), start=1):
        worker.put((number, job, done))
    faults = dict([_do(0, jobs[0]), *(done.get() for _ in jobs[1:])])
    for number in range(len(jobs)):
        fault = faults[number]
        if fault is not None:
            raise fault


def _do(number: int, job: Job) -> tuple[int, BaseException | None]:
    try:
        job()
    except BaseException as fault:
        return number, fault
    return number, None


Inbox = SimpleQueue[tuple[int, Job, SimpleQueue[tuple[int, BaseException | None]]]]

_lock = threading.Lock()
_workers: list[Inbox] = []
_owner = 0  # the process that they are threads of: a fork has none


def _find_workers(count: int) -> list[Inbox]:
    """The inboxes of so many threads, which are begun when they are first asked for and wait between jobs."""
    global _owner
    with _lock:
        if _owner != os.getpid():
            _workers.clear()
            _owner = os.getpid()
        while len(_workers) < count:
            inbox: Inbox = SimpleQueue()
            name = f"steam_env worker {len(_workers) + 1}"
            threading.Thread(target=_work, args=(inbox,), name=name, daemon=True).start()
            _workers.append(inbox)
        return _workers[:count]


def _work(inbox: Inbox) -> None:
    while True:
        number, job, done = inbox.get()
        done.put(_do(number, job))
        del job, done  # what they hold must not wait for the next job


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
