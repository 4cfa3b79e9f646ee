"""How kernels are compiled: ``@kernel`` marks a function of the core that Numba compiles and caches.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, under a debugger.

Numba's cache notices an edit in the file of a compiled function but not in the functions which that
one calls. So the cache folder's name carries a hash of all core sources and of the Numba and NumPy
versions: any edit opens a new, empty folder. Encodings and agents, which call the core, count as sources.

The cache may be cut, flipped, read-only, full, gone, or written by several processes at once: a file that
is not what was written is compiled anew, and what cannot be written is compiled for this process alone.
"""

import atexit
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config as _config
from numba.core.caching import FunctionCache, IndexDataCacheFile

F = TypeVar("F", bound=Callable[..., object])
config: Any = _config  # its attributes are made at run time

PACKAGE_FOLDER = Path(__file__).parent.parent
KERNEL_FOLDERS = tuple(PACKAGE_FOLDER / name for name in ("core", "encoding", "agents"))
COLD_SECONDS_EXPECTED = 60
LONGEST_WAIT = 5 * COLD_SECONDS_EXPECTED  # for another process that compiles; it may have been stopped
POLL_SECONDS = 0.2
SEAL_BYTES = 32


def hash_sources(folders: Iterable[Path]) -> str:
    """A short hash of the Python files in ``folders`` and of the versions they are compiled with."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Where caches live: ``NUMBA_CACHE_DIR`` if set, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home()
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "steam_env"


def _open_cache_folder() -> Path:
    """The cache folder of these sources; one of this process alone if the user's cannot be written."""
    try:
        folder = _cache_root() / hash_sources(KERNEL_FOLDERS)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: a user without a home
        return _make_own_folder()


def _make_own_folder() -> Path:
    """An empty folder that is removed when this process, not a fork of it, ends."""
    folder, owner = Path(tempfile.mkdtemp(prefix="steam_env_")), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


JIT_DISABLED = bool(config.DISABLE_JIT)
CACHE_FOLDER = Path() if JIT_DISABLED else _open_cache_folder()


@contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated, from this one setting."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _SealedFiles(IndexDataCacheFile):  # type: ignore[misc, unused-ignore]  # Numba ships no types
    """The files of one function's cache, each with the hash of its content before it.

    Data files are named after what they hold. Numba counts them: two processes that save different
    signatures at once would give both the same number, and one would load the other's machine code.
    """

    def save(self, key: object, data: object) -> None:
        overloads = self._load_index()
        name = self._data_name_pattern.format(number=int(hashlib.sha256(repr(key).encode()).hexdigest()[:12], 16))
        self._save_data(name, data)
        overloads[key] = name
        self._save_index(overloads)

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except OSError:  # not there yet, or damaged
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))  # type: ignore[no-untyped-call, unused-ignore]

    def _save_data(self, name: str, data: object) -> None:
        self._write(self._data_path(name), data)  # type: ignore[no-untyped-call, unused-ignore]

    def _read(self, path: str) -> Any:
        content = Path(path).read_bytes()
        seal, body = content[:SEAL_BYTES], content[SEAL_BYTES:]
        if hashlib.sha256(body).digest() != seal:
            raise OSError(f"{path} is not what was written")
        return pickle.loads(body)

    def _write(self, path: str, value: object) -> None:
        body: bytes = self._dump(value)  # type: ignore[no-untyped-call, unused-ignore]
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(body).digest() + body)


class _SafeCache(FunctionCache):  # type: ignore[misc, unused-ignore]  # Numba ships no types
    """Numba's cache of one function, which may fail: then the function is compiled, or not saved."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call, unused-ignore]
        locator = self._impl.locator
        self._cache_file = _SealedFiles(  # type: ignore[no-untyped-call, unused-ignore]
            self._cache_path, self._impl.filename_base, locator.get_source_stamp()
        )

    def load_overload(self, sig: object, target_context: object) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call, unused-ignore]
        except Exception:  # whatever Numba stumbles over in what it wrote itself
            return None

    def save_overload(self, sig: object, data: object) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call, unused-ignore]
        except OSError:  # no space left, or the folder is gone
            return


def kernel(function: F) -> F:
    """Compile ``function`` at its first call, with the machine code cached on disk; releases the GIL."""
    if JIT_DISABLED:
        return function
    dispatcher: Any = numba.njit(nogil=True)(function)
    with _numba_cache_in(CACHE_FOLDER):
        dispatcher._cache = _SafeCache(function)
    return cast(F, dispatcher)


def inlined_kernel(function: F) -> F:
    """A kernel whose body is put where it is called, which saves compilation time in two cases.

    One that is called with integers of many widths would be compiled anew for each combination of them.
    One in a long chain of calls would have the machine code of all below it optimised once more.
    """
    return function if JIT_DISABLED else cast(F, numba.njit(inline="always")(function))


@contextmanager
def announce_compilation(what: str = "rules core", kernels: str = "step.step_games") -> Iterator[None]:
    """Around the first use of kernels: say on the terminal if ``kernels`` have to be compiled now.

    Of processes that start at once one compiles, while the others wait for what it writes.
    """
    if _is_compiled(kernels):
        yield
        return
    with _one_at_a_time():
        if _is_compiled(kernels):
            yield
            return
        yield from _tell_of_compilation(what)


def _is_compiled(kernels: str) -> bool:
    return JIT_DISABLED or any(CACHE_FOLDER.rglob(f"{kernels}-*.nbi"))


def _tell_of_compilation(what: str) -> Iterator[None]:
    print(
        f"steam_env: compiling the {what}, once for this version (under {COLD_SECONDS_EXPECTED} s) ...",
        file=sys.stderr,
        flush=True,
    )
    begun = time.monotonic()
    yield
    print(f"steam_env: compiled in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Hold the cache folder's lock, which a process loses when it ends however it ends; go on without after a while."""
    try:
        lock = (CACHE_FOLDER / "lock").open("ab")
    except OSError:
        yield
        return
    with lock:
        begun = time.monotonic()
        while not _take(lock.fileno()) and time.monotonic() - begun < LONGEST_WAIT:
            time.sleep(POLL_SECONDS)
        yield


def _take(lock: int) -> bool:
    if sys.platform == "win32":  # without these locks: processes that start at once each compile
        return True
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def find_machine_code(function: Callable[..., Any], record: np.dtype[Any]) -> Callable[..., Any]:
    """What Numba calls for a kernel once it is compiled: the kernel without the look at arguments.

    It takes a quarter off a step. Arrays must have the signature's dtypes and be contiguous: nobody looks.

    Args:
        function: a kernel.
        record: dtype of its first argument, an array: the machine code for this one is found.
    """
    for signature, code in getattr(function, "overloads", {}).items():  # none in plain Python
        if numba.np.numpy_support.as_dtype(signature[0].dtype) == record:
            found: Callable[..., Any] = code.entry_point
            return found
    return function
