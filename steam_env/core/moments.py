"""The middle of a step: how a game stood after each thing that was done, for people who want to follow it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

Kernel = Callable[..., Any]


class Moment(NamedTuple):
    """How a game stood in the middle of a step.

    Attributes:
        num_events: events that were written by then.
        records: (1,) a copy of the game.
    """

    num_events: int
    records: np.ndarray


def open_kernels(leading: Sequence[Kernel], plain: Sequence[Kernel], look: Callable[[], None]) -> dict[str, Kernel]:
    """Kernels that lead from one thing to the next as plain Python, by name, so that somebody can look in between.

    Args:
        leading: the kernels; they call each other and further ones, which do one thing each.
        plain: those of the further ones that run as plain Python, too; the others run compiled.
        look: called after each of the further ones.
    """
    opened: dict[str, Kernel] = {}
    for kernel in leading:
        function = _uncompiled(kernel)
        scope = {name: _look_after(value, plain, look) for name, value in function.__globals__.items()}
        opened[function.__name__] = FunctionType(function.__code__, scope)
    for function in opened.values():
        function.__globals__.update(opened)
    return opened


def _uncompiled(kernel: Any) -> Any:
    """The Python function of a kernel; with NUMBA_DISABLE_JIT it is one already."""
    return getattr(kernel, "py_func", kernel)


def _look_after(value: Any, plain: Sequence[Kernel], look: Callable[[], None]) -> Any:
    """What a name means to an opened kernel: a kernel that is looked after; anything else as it is."""
    if not isinstance(_uncompiled(value), FunctionType):
        return value
    return partial(_play, _uncompiled(value) if value in plain else value, look)


def _play(kernel: Kernel, look: Callable[[], None], *arguments: Any) -> Any:
    answer = kernel(*arguments)
    look()
    return answer
