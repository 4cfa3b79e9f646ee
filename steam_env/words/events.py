"""Events of a game: what happened, who did it, with names instead of numbers."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from steam_env.core.work import EVENT_ROW

if TYPE_CHECKING:
    from steam_env.spec import Facts, GameSpec

HIDDEN = "hidden"
TABLE = -1  # the actor of events that no seat causes: the deal, rounds, the end


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: ``"deal"`` or a kind of the game's ``Facts.events``.
        actor: the seat, or -1 for the table.
        values: numbers by name, such as cities and seats by index; -1 where there is none; ``"hidden"`` where a seat
            may not see it.
    """

    kind: str
    actor: int
    values: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The event as plain data, for JSON."""
        return {"kind": self.kind, "actor": self.actor, **self.values}


def read_trace(traces: Iterable[bytes], facts: "Facts") -> list[Event]:
    """The events of traces, copies of bytes that kernels wrote, in order."""
    kinds, names = facts.event_kinds, facts.event_names
    return [
        Event(kinds[kind], actor, dict(zip(names[kind], values, strict=False)))
        for kind, actor, *values in EVENT_ROW.iter_unpack(b"".join(traces))
    ]


class SeenEvents(Sequence[Event]):
    """Events as one seat may see them: like a list of ``Event``, but read when it is first looked at.

    A step of a game tells every seat what happened, and few ask. It equals a list of the same events; copies
    and pickles of it are lists.

    Args:
        deal: the event of the deal, if it is one of them.
        traces: the others, see ``read_trace``.
        seat: the observer.
        is_solo: whether every seat is the one player's.
        spec: the game, which knows what is hidden from whom.
    """

    def __init__(self, deal: Event | None, traces: list[bytes], seat: int, is_solo: bool, spec: "GameSpec") -> None:
        self._unread = (deal, traces, seat, is_solo, spec)
        self._read: list[Event] | None = None

    @property
    def _events(self) -> list[Event]:
        if self._read is None:
            deal, traces, seat, is_solo, spec = self._unread
            dealt = [] if deal is None else [copy.deepcopy(deal)]
            hide = spec.words.hide_event
            self._read = [hide(event, seat, is_solo) for event in dealt + read_trace(traces, spec.facts)]
        return self._read

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._events[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __eq__(self, other: object) -> bool:
        return self._events == list(other) if isinstance(other, SeenEvents | list) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its events can be changed

    def __add__(self, other: Iterable[Event]) -> list[Event]:
        return [*self, *other]

    def __radd__(self, other: Iterable[Event]) -> list[Event]:
        return [*other, *self]

    def __repr__(self) -> str:
        return repr(self._events)

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self._events,)


def outcomes_of(events: Iterable[Event], facts: "Facts") -> list[int]:
    """The outcomes of chance among the events, in order."""
    chance = facts.chance_events
    return [event.values[chance[event.kind]] for event in events if event.kind in chance]
