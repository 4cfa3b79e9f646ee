"""What a decision of a search may cost: evaluations, or seconds."""

from __future__ import annotations

import time
from dataclasses import dataclass

MOST_EVALUATIONS = 1_000_000
MOST_SECONDS = 3600.0
SECONDS = "s"  # the unit behind a number of seconds
ALLOWED = (
    f"1 to {MOST_EVALUATIONS} evaluations a decision, such as @256, "
    f"or more than 0 and up to {MOST_SECONDS:g} seconds, such as @0.5s,"
)


@dataclass(frozen=True)
class Budget:
    """What a decision may cost; one of the two is None.

    Attributes:
        evaluations: positions through the net, or playouts.
        seconds: of the clock, for one game.
    """

    evaluations: int | None = None
    seconds: float | None = None


def read_budget(text: str) -> Budget:
    """The budget that stands behind the ``@`` of an agent's name: ``256``, or ``0.5s``.

    Raises:
        ValueError: naming the value and what is allowed.

    Example:
        >>> read_budget("0.5s")
        Budget(evaluations=None, seconds=0.5)
    """
    is_time = text.endswith(SECONDS)
    try:
        number = float(text.removesuffix(SECONDS)) if is_time else int(text)
    except ValueError:
        raise ValueError(f"budget {text!r}: {ALLOWED} are allowed") from None
    if not 0 < number <= (MOST_SECONDS if is_time else MOST_EVALUATIONS):
        raise ValueError(f"budget {text!r}: {ALLOWED} are allowed")
    return Budget(seconds=float(number)) if is_time else Budget(evaluations=int(number))


class Clock:
    """Looks at the time inside a decision.

    Args:
        seconds: that the decision may take from now on; None: as long as it likes.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._begun = self._last = time.perf_counter()
        self._seconds = seconds
        self._longest = 0.0  # stretch of work between two looks

    def is_over(self) -> bool:
        """Whether another stretch of work like the longest so far would end too late."""
        if self._seconds is None:
            return False
        now = time.perf_counter()
        self._longest, self._last = max(self._longest, now - self._last), now
        return now - self._begun + self._longest > self._seconds

    @property
    def progress(self) -> float:
        """The part of the time that is over; 0 where it is not limited."""
        return 0.0 if self._seconds is None else (time.perf_counter() - self._begun) / self._seconds
