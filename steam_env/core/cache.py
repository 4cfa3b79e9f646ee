"""Where machine code is kept between processes: in a folder for each kernel module in each state of its sources.

Numba's cache notices an edit in the file of a compiled function but not in the functions which that one calls. So a
folder's name carries a hash of the module with the kernel and of all modules that it imports, directly or through
others, as far as they hold kernels, and of the versions of Numba, NumPy and Python. An edit opens new, empty folders
for the modules that it can change: one in a game's rules for the kernels of that game, one in an agent for that agent.
Folders of other states stay; they can be deleted at any time.
"""

import atexit
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numba
import numpy as np

PACKAGE_FOLDER = Path(__file__).parent.parent
KERNEL_ROOMS = ("core", "encoding", "agents")  # folders of the package whose functions are compiled
IMPORTS = re.compile(r"^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))$", re.MULTILINE)
COMMENTS = re.compile(r"#.*$", re.MULTILINE)
INSIDE = Path(__file__).with_name("numba_inside.py")  # imported by ``steam_env.core.jit`` only where it may be
HASH_LETTERS = 16
CACHE_VARIABLE = "NUMBA_CACHE_DIR"  # names the folder of all caches, to Numba, too


# --- sources ----------------------------------------------------------------------------------------------


def hash_sources(file: Path) -> str:
    """A short hash of the module in ``file``, of the modules that it takes kernels from, and of all versions."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version_info[:2]}".encode())
    for source in list_sources(file):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:HASH_LETTERS]


def list_sources(file: Path) -> list[Path]:
    """The module in ``file`` and all modules that it imports, directly or through others, as far as they hold kernels.

    Those are modules of the package's ``KERNEL_ROOMS`` and, for a file outside of the package, modules beside it.
    Imports inside of functions do not count: a kernel cannot use them.
    """
    top = _find_top(file)
    waiting = [file, INSIDE]
    found = set(waiting)
    while waiting:
        for source in _list_imports(waiting.pop(), top):
            if source not in found:
                found.add(source)
                waiting.append(source)
    return sorted(found)


def _find_top(file: Path) -> Path:
    """The folder from which the module in ``file`` is imported: the first that is no package."""
    folder = file.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


@functools.cache
def _list_imports(file: Path, top: Path) -> list[Path]:
    """The files of modules that this one imports, as far as they may hold kernels: the package's, or below ``top``."""
    files = []
    for module, names in _find_imports(file.read_text(encoding="utf-8")):
        if module.startswith("."):
            dots = len(module) - len(module.lstrip("."))
            folders = [file.parents[dots - 1]]
        else:
            folders = [PACKAGE_FOLDER.parent, top]
        path = module.lstrip(".").replace(".", "/")
        places = [folder / path / name for folder in folders for name in names] + [folder / path for folder in folders]
        files += [source for place in places if (source := _find_module(place)) and _holds_kernels(source)]
    return files


def _find_imports(text: str) -> Iterator[tuple[str, list[str]]]:
    """The modules that a source text imports, each with the names imported from it, which may be modules, too."""
    for module, names, modules in IMPORTS.findall(COMMENTS.sub("", text)):
        listed = [words.split()[0] for words in (names or modules).strip("()").split(",") if words.strip()]
        if module:
            yield module, listed
        else:
            yield from ((name, []) for name in listed)


def _find_module(place: Path) -> Path | None:
    for file in (place.with_name(place.name + ".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


def _holds_kernels(source: Path) -> bool:
    """Whether kernels may come from this file: of the package only some folders have any."""
    if not source.is_relative_to(PACKAGE_FOLDER):
        return True
    return source.relative_to(PACKAGE_FOLDER).parts[0] in KERNEL_ROOMS


# --- folders ----------------------------------------------------------------------------------------------


def _find_root() -> Path:
    """Where caches are wanted: ``CACHE_VARIABLE`` if set, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home()
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "steam_env"


def _open_root() -> tuple[Path, str]:
    """The folder of all caches, and why it is one of this process alone; "" if it is kept for the next process."""
    try:
        folder = _find_root()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder, ""
    except (OSError, RuntimeError) as error:  # RuntimeError: a user without a home
        return _make_own_folder(), str(error)


def _make_own_folder() -> Path:
    """An empty folder that is removed when this process, not a fork of it, ends."""
    folder, owner = Path(tempfile.mkdtemp(prefix="steam_env_")), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


@functools.cache
def open_root() -> tuple[Path, str]:
    """The folder of all caches, and why it will not outlive this process; "" if it will."""
    return _open_root()


@functools.cache
def find_folder(file: Path) -> Path:
    """The cache folder of the kernels in this file; Numba makes it when it first writes there."""
    return open_root()[0] / f"{file.stem}-{hash_sources(file)}"
