"""Scratch memory of kernels, with the events that they write: nothing in it outlives a step."""

import struct
import threading
from typing import Any

import numpy as np

from steam_env.core.fields import NONE, Field, make_record
from steam_env.kit.checks import MAX_OUTCOMES

EVENT_VALUES = 5
EVENT_ROW = struct.Struct(f"<{2 + EVENT_VALUES}q")  # an event as it stands in memory: kind, actor, values
MAX_EVENTS = 4096
CONTROL_FIELDS = (
    Field("tracing", "<i8", (), "1 if events are to be written"),
    Field("num_events", "<i8", (), "events written in this step"),
    Field("num_outcomes", "<i8", (), "chance outcomes given by the caller"),
    Field("next_outcome", "<i8", (), "how many of them were used"),
    Field("bad_outcome", "<i8", (), "1 if a given outcome was impossible"),
)
TRACE_FIELDS = (
    Field("outcomes", "<i8", (MAX_OUTCOMES,), "the given outcomes"),
    Field("events", "<i8", (MAX_EVENTS, 2 + EVENT_VALUES), "kind, actor, values"),
)


def make_work(fields: tuple[Field, ...] = ()) -> np.dtype:
    """The dtype of a game's scratch memory: its own fields, then those that every game has."""
    return make_record((*fields, *CONTROL_FIELDS, *TRACE_FIELDS))


def write_event(work: Any, kind: int, actor: int, *values: int) -> None:
    """Write an event, if they are asked for; for rules in plain Python."""
    if work["tracing"]:
        work["events"][work["num_events"]] = [kind, actor, *values, *[NONE] * (EVENT_VALUES - len(values))]
        work["num_events"] += 1


class Scratch(threading.local):
    """Each thread's scratch memory: what it holds is good up to the next kernel call.

    Args:
        dtype: of ``make_work``.

    Attributes:
        works: (1,) of the dtype.
        work: the record in it.
        control: its ``CONTROL_FIELDS``, as one array: NumPy takes a microsecond for each field of a record.
    """

    def __init__(self, dtype: np.dtype) -> None:
        self.works = np.zeros(1, dtype)
        self.work: np.record = self.works[0]
        first = dtype.fields[CONTROL_FIELDS[0].name][1]  # type: ignore[index]
        self.control = self.works.view(np.uint8)[first:].view(np.int64)[: len(CONTROL_FIELDS)]
        self._trace = memoryview(self.works["events"][0]).cast("B")

    def open(self, *, tracing: bool = False) -> np.ndarray:
        """The memory, with an empty trace and no outcomes given."""
        self.control[:] = 0
        self.control[0] = tracing
        return self.works

    def copy_trace(self, num_events: int) -> bytes:
        """A copy of the first ``num_events`` events, rows of ``EVENT_ROW``."""
        return self._trace[: num_events * EVENT_ROW.size].tobytes()
