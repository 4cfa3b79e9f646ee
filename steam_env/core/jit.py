"""How kernels are compiled: ``@kernel`` marks a function of the core that Numba compiles and caches.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, under a debugger.

The cache (see ``steam_env.core.cache``) may be cut, flipped, read-only, full, gone, or written by several processes at
once: a file that is not what was written is compiled anew, and what cannot be written is compiled for this process
alone. That, and calls around Numba's look at arguments, use parts of Numba that it keeps private: with a version that
they were not tested with, kernels are cached and called as Numba does it itself.
"""

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as _config

from steam_env.core.cache import CACHE_VARIABLE, find_folder, open_root
from steam_env.kit.locks import InUseError, hold

F = TypeVar("F", bound=Callable[..., object])
config: Any = _config  # its attributes are made at run time

LOWEST_TESTED, HIGHEST_TESTED = (0, 61), (0, 68)  # minor versions of Numba


def is_tested(version: str) -> bool:
    """Whether what Numba keeps private was tested with this version of it."""
    major, minor = version.split(".")[:2]
    return LOWEST_TESTED <= (int(major), int(minor)) <= HIGHEST_TESTED


COLD_SECONDS_EXPECTED = 60
LONGEST_WAIT = 5 * COLD_SECONDS_EXPECTED  # for another process that compiles; it may have been stopped
QUIET_SECONDS = 1.0  # what takes no longer is told only if it was announced
JIT_DISABLED = bool(config.DISABLE_JIT)
USES_INSIDE = is_tested(numba.__version__)
if USES_INSIDE:
    from steam_env.core.numba_inside import are_kept, compile_together, find_entry_point, keep_safely, make_kernel


def kernel(function: F) -> F:
    """Compile ``function`` at its first call, with the machine code cached on disk; releases the GIL."""
    if JIT_DISABLED:
        return function
    dispatcher: Any = make_kernel(function, guard_compilation) if USES_INSIDE else numba.njit(nogil=True)(function)
    file = Path(function.__code__.co_filename)
    if file.is_file():  # one that is typed into a notebook or a prompt is compiled for this process alone
        with _numba_cache_in(find_folder(file)):
            (keep_safely if USES_INSIDE else _keep_as_numba_does)(dispatcher)
    return cast(F, dispatcher)


def _keep_as_numba_does(dispatcher: Any) -> None:
    dispatcher.enable_caching()


@contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated, from this one setting."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def find_machine_code(function: Callable[..., Any], *arguments: object) -> Callable[..., Any]:
    """What Numba calls for a kernel and arguments of these types: the kernel without the look at arguments.

    It takes a quarter off a step. It must be called with arguments of the very same types, contiguous arrays of the
    same records among them: nobody looks. A kernel that is not compiled for such arguments comes back as it is.
    """
    if not USES_INSIDE or not hasattr(function, "overloads"):  # it is plain Python
        return function
    return find_entry_point(function, arguments) or function


def call_kernels(calls: Sequence[tuple[Callable[..., Any], tuple[object, ...]]]) -> None:
    """Call kernels one after the other; those that were never compiled are compiled together, which takes less time."""
    if USES_INSIDE and not JIT_DISABLED:
        with guard_compilation(calls[0][0], lambda: are_kept(calls)):
            compile_together(calls)
    for function, arguments in calls:
        function(*arguments)


@contextmanager
def announce_compilation(what: str) -> Iterator[None]:
    """Call what is compiled inside ``what`` on the terminal; else a kernel goes by its own name."""
    token = _announced.set(what)
    try:
        yield
    finally:
        _announced.reset(token)


@contextmanager
def guard_compilation(function: Callable[..., object], is_kept: Callable[[], bool]) -> Iterator[None]:
    """Around what compiles a kernel unless it ``is_kept`` in the cache: say so on the terminal.

    Of processes that start at once one compiles, while the others say that they wait, and load what it writes.
    """
    if _alone.is_held() or is_kept():
        yield
        return
    what = _announced.get() or f"kernel {function.__module__.rpartition('.')[2]}.{function.__name__}"
    with _one_at_a_time(what):
        if is_kept():
            yield
        else:
            yield from _tell_of_compilation(what)


def _tell_of_compilation(what: str) -> Iterator[None]:
    """Say what is compiled, and how long it took: what has no name of its own only if it takes a while."""
    why = open_root()[1]
    kept = f"for this process alone, as nothing can be kept ({why}): set {CACHE_VARIABLE} to a folder for it"
    words = f"compiling the {what}, {kept if why else 'once for this version'} (under {COLD_SECONDS_EXPECTED} s) ..."
    notice = threading.Timer(QUIET_SECONDS, _tell, [words])
    begun = time.monotonic()
    if _announced.get():
        _tell(words)
    else:
        notice.start()
    with _garbage_kept():
        try:
            yield
        finally:
            notice.cancel()
    if time.monotonic() - begun > QUIET_SECONDS:
        _tell(f"compiled in {time.monotonic() - begun:.0f} s")


def _tell(words: str) -> None:
    print(f"steam_env: {words}", file=sys.stderr, flush=True)


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Look for garbage afterwards only: among all that a compiler makes the search takes a seventh of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Alone:
    """The right of one thread of this process to compile; it may take it again while it has it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0  # the thread that has it

    def is_held(self) -> bool:
        """Whether the thread that asks has it."""
        return self._owner == threading.get_ident()

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._owner = 0
        self._lock.release()


_alone = _Alone()
_announced: ContextVar[str] = ContextVar("announced", default="")


@contextmanager
def _one_at_a_time(what: str = "kernels") -> Iterator[None]:
    """Hold the cache folder's lock, which a process loses when it ends however it ends; go on without after a while."""
    folder = open_root()[0]
    with _alone, ExitStack() as held:
        try:
            held.enter_context(hold(folder))
        except InUseError:
            _tell(f"another process compiles; waiting for it, for the {what} ...")
            with suppress(InUseError):  # it may have been stopped
                held.enter_context(hold(folder, LONGEST_WAIT))
        yield
