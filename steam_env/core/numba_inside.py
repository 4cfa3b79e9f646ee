"""All that is done here with parts of Numba that it keeps private; they may change with any version.

``steam_env.core.jit`` imports this module for the versions of Numba that it was tested with, and does without it
for others.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core import config as _config
from numba.core import sigutils
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.registry import CPUDispatcher
from llvmlite.binding import Linkage
from numba.core.typed_passes import NativeLowering

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


# --- kernels: translated where they are called, optimised where they are entered ---------------------------


class KernelLibrary(JITCodeLibrary):
    """The LLVM code of one kernel as it was translated, or of one that Python calls with all that it calls."""

    def add_linking_library(self, library):
        self._linking_libraries.append(library)

    def add_llvm_module(self, ll_module):
        self._final_module.link_in(ll_module)

    def finalize(self):
        exported = {function.name for function in self._final_module.functions}
        for module in self._collect({self}):
            self._final_module.link_in(module, preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external and function.name not in exported:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _collect(self, seen):
        for library in self._linking_libraries:
            if library in seen:
                continue
            seen.add(library)
            if library._finalized:
                yield library._get_module_for_linking()
            else:
                yield library._final_module
                yield from KernelLibrary._collect(library, seen)


class KernelCompiler(Compiler):
    def define_pipelines(self):
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class Translation:
    """Stands for machine code that does not exist."""


class KernelDispatcher(CPUDispatcher):
    def __init__(self, py_func, locals=None, targetoptions=None, pipeline_class=KernelCompiler):
        super().__init__(py_func, locals, targetoptions, pipeline_class)
        self._is_typing = 0

    def get_call_template(self, args, kws):
        with global_compiler_lock:
            self._is_typing += 1
            try:
                return super().get_call_template(args, kws)
            finally:
                self._is_typing -= 1

    def add_overload(self, cres):
        args = tuple(cres.signature.args)
        if cres.entry_point is None:
            cres = cres._replace(entry_point=Translation())
            self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
            self.overloads[args] = cres
        else:
            super().add_overload(cres)

    def compile(self, sig):
        with global_compiler_lock:
            typing, self._is_typing = self._is_typing, 0
            try:
                args, _ = sigutils.normalize_signature(sig)
                args = tuple(args)
                found = self.overloads.get(args)
                if found is None or not typing and isinstance(found.entry_point, Translation):
                    cache = self._cache
                    if found is None:
                        self._cache = NoSave(cache)
                        try:
                            super().compile(sig)
                        finally:
                            self._cache = cache
                    found = self.overloads[args]
                    if not typing and isinstance(found.entry_point, Translation):
                        found = self._enter(found)
                        cache.save_overload(sig, found)
                return found.entry_point
            finally:
                self._is_typing = typing

    def _enter(self, translated):
        context, description = translated.target_context, translated.fndesc
        library = KernelLibrary(context.codegen(), description.qualname)
        library.enable_object_caching()
        with context.push_code_library(library):
            context.create_cpython_wrapper(
                library, description, translated.environment, translated.call_helper, release_gil=True
            )
        library.add_linking_library(translated.library)
        entry = context.get_executable(library, description, translated.environment)
        context.insert_user_function(entry, description, [translated.library])
        result = translated._replace(entry_point=entry, library=library)
        for environment in result._find_referenced_environments():
            library.codegen.set_env(environment.env_name, environment)
        self.add_overload(result)
        return result


class NoSave:
    def __init__(self, cache):
        self.cache = cache

    def load_overload(self, *a):
        return self.cache.load_overload(*a)

    def save_overload(self, *a):
        pass


def make_kernel(function):
    return KernelDispatcher(function, {}, {"nopython": True, "nogil": True, "boundscheck": None})
