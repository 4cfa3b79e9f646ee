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

import numpy as np

from steam_env.core.watch import watch

MOST_THREADS = 256
LEAST_SHARE = 32  # games of a thread: handing them over takes as long as it takes to play some
LOOKS = 8_000  # before a thread waits asleep: some tenths of a millisecond, as long as what stands between two calls
ASKED, ENDED = 0, 8  # where a worker's counts stand: of jobs given to it, of jobs done; each on a cache line of its own

Job = Callable[[], object]
Done = SimpleQueue[tuple[int, BaseException | None]]


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
    done: Done = SimpleQueue()
    tickets = _hand_out(jobs[1:], done)
    faults = dict([_do(0, jobs[0])])
    for worker, ticket in tickets:
        watch(worker.counts, ENDED, ticket, LOOKS)
    faults.update(done.get() for _ in tickets)
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


class _Worker:
    """A thread that waits for jobs: awake at first, then asleep.

    The counts say when looking is worth while and no more: what is handed over goes through queues.

    Attributes:
        counts: (16,) int64, how many jobs it was given at ``ASKED``, how many it has done at ``ENDED``.
    """

    def __init__(self, number: int) -> None:
        self.counts = np.zeros(2 * ENDED, np.int64)
        self._inbox: SimpleQueue[tuple[int, Job, Done]] = SimpleQueue()
        threading.Thread(target=self._work, name=f"steam_env worker {number}", daemon=True).start()

    def ask(self, number: int, job: Job, done: Done) -> int:
        """Let it do a job, and tell when it is done by its number; returns what the count at ``ENDED`` will be then.

        One thread at a time may ask.
        """
        self._inbox.put((number, job, done))
        ticket = int(self.counts[ASKED]) + 1
        self.counts[ASKED] = ticket
        return ticket

    def _work(self) -> None:
        taken = 0
        while True:
            taken += 1
            watch(self.counts, ASKED, taken, LOOKS)
            number, job, done = self._inbox.get()
            done.put(_do(number, job))
            self.counts[ENDED] = taken
            del job, done  # what they hold must not wait for the next job


_lock = threading.Lock()
_workers: list[_Worker] = []
_owner = 0  # the process that they are threads of: a fork has none


def _hand_out(jobs: Sequence[Job], done: Done) -> list[tuple[_Worker, int]]:
    """Give each job to a worker, numbered from 1; workers are begun when they are first needed."""
    global _owner
    with _lock:
        if _owner != os.getpid():
            _workers.clear()
            _owner = os.getpid()
        if not _workers:
            watch(np.zeros(1, np.int64), 0, 0, 1)  # so that it is compiled once, here
        while len(_workers) < len(jobs):
            _workers.append(_Worker(len(_workers) + 1))
        chosen = _workers[: len(jobs)]
        return [(worker, worker.ask(1 + place, jobs[place], done)) for place, worker in enumerate(chosen)]
