"""All that is done here with parts of Numba that it keeps private; they may change with any version.

``steam_env.core.jit`` imports this module for the versions of Numba that it was tested with, and does without it
for others.
"""

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config as _config
from numba.core.caching import FunctionCache, IndexDataCacheFile

typeof: Any = numba.typeof
config: Any = _config  # its attributes are made at run time
SEAL_BYTES = 32


def find_entry_point(dispatcher: Any, arguments: tuple[object, ...]) -> Callable[..., Any] | None:
    """The machine code of a compiled function for arguments of these types, None if it has none yet."""
    compiled = dispatcher.overloads.get(tuple(map(typeof, arguments)))
    code: Callable[..., Any] | None = compiled.entry_point if compiled else None
    return code


def keep_safely(dispatcher: Any) -> None:
    """Give a function a ``SafeCache``, in the folder that ``numba.config.CACHE_DIR`` names now."""
    dispatcher._cache = SafeCache(dispatcher.py_func)


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc, unused-ignore]  # Numba ships no types
    """The files of one function's cache, each with the hash of its content before it.

    Data files are named after what they hold. Numba counts them: two processes that save different
    signatures at once would give both the same number, and one would load the other's machine code.
    """

    def save(self, key: object, data: object) -> None:
        """Write the data of one signature, then name it in the index."""
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


class SafeCache(FunctionCache):  # type: ignore[misc, unused-ignore]  # Numba ships no types
    """Numba's cache of one function, which may fail: then the function is compiled, or not saved."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call, unused-ignore]
        if not Path(self._cache_path).is_relative_to(config.CACHE_DIR):  # Numba found a place elsewhere
            self.disable()  # type: ignore[no-untyped-call, unused-ignore]
        locator = self._impl.locator
        self._cache_file = SealedFiles(  # type: ignore[no-untyped-call, unused-ignore]
            self._cache_path, self._impl.filename_base, locator.get_source_stamp()
        )

    def load_overload(self, sig: object, target_context: object) -> Any:
        """What was saved for this signature; None if nothing was, or if it cannot be used."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call, unused-ignore]
        except Exception:  # whatever Numba stumbles over in what it wrote itself
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Save what was compiled for this signature, if it can be written."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call, unused-ignore]
        except OSError:  # no space left, or the folder is gone
            return
