"""How kernels are compiled: ``@kernel`` marks a function of the core that Numba compiles and caches.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python, under a debugger.

Numba's cache notices an edit in the file of a compiled function but not in the functions which that
one calls. So the cache folder's name carries a hash of all core sources and of the Numba and NumPy
versions: any edit opens a new, empty folder. Encodings and agents, which call the core, count as sources.
"""

import hashlib
import os
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

F = TypeVar("F", bound=Callable[..., object])
config: Any = _config  # its attributes are made at run time

PACKAGE_FOLDER = Path(__file__).parent.parent
KERNEL_FOLDERS = tuple(PACKAGE_FOLDER / name for name in ("core", "encoding", "agents"))
COLD_SECONDS_EXPECTED = 60


def hash_sources(folders: Iterable[Path]) -> str:
    """A short hash of the Python files in ``folders`` and of the versions they are compiled with."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    for folder in folders:
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_root() -> Path:
    """Where caches live: ``NUMBA_CACHE_DIR`` if set, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", str(Path.home()))
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return Path(base) / "steam_env"


def _open_cache_folder() -> Path:
    """The cache folder of these sources; one of this process alone if the user's cannot be written."""
    folder = _cache_root() / hash_sources(KERNEL_FOLDERS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="steam_env_"))


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


def kernel(function: F) -> F:
    """Compile ``function`` at its first call, with the machine code cached on disk; releases the GIL."""
    if JIT_DISABLED:
        return function
    with _numba_cache_in(CACHE_FOLDER):
        return cast(F, numba.njit(cache=True, nogil=True)(function))


def inlined_kernel(function: F) -> F:
    """A kernel whose body is put where it is called, which saves compilation time in two cases.

    One that is called with integers of many widths would be compiled anew for each combination of them.
    One in a long chain of calls would have the machine code of all below it optimised once more.
    """
    return function if JIT_DISABLED else cast(F, numba.njit(inline="always")(function))


@contextmanager
def announce_compilation(what: str = "rules core", kernels: str = "step.step_games") -> Iterator[None]:
    """Around the first use of kernels: say on the terminal if ``kernels`` have to be compiled now."""
    if JIT_DISABLED or any(CACHE_FOLDER.rglob(f"{kernels}-*.nbi")):
        yield
        return
    print(
        f"steam_env: compiling the {what}, once for this version (under {COLD_SECONDS_EXPECTED} s) ...",
        file=sys.stderr,
        flush=True,
    )
    begun = time.monotonic()
    yield
    print(f"steam_env: compiled in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
