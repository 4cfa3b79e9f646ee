"""How fast a browser may talk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """So many messages a second over a longer time, and so many at once."""

    per_second: float
    at_once: float


LIGHT = Rate(per_second=25, at_once=60)
RATES = {  # of messages that make the server work, beside that of all
    **dict.fromkeys(("create", "load", "fork", "hint", "review", "export", "curve"), Rate(per_second=2, at_once=12)),
    "show": Rate(per_second=6, at_once=30),
}


class Bucket:
    """Counts what is left of a rate.

    Args:
        rate: what is allowed.
        now: the time in seconds.
    """

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._left, self._filled = rate, rate.at_once, now

    def take(self, now: float) -> bool:
        """Whether one more message is allowed now, which is then counted."""
        self._left = min(self._rate.at_once, self._left + (now - self._filled) * self._rate.per_second)
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
