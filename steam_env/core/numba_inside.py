"""All that is done here with parts of Numba that it keeps private; they may change with any version.

``steam_env.core.jit`` imports this module for the versions of Numba that it was tested with, and does without it
for others.

Numba optimises a function together with all that it calls, and writes its machine code; one that ten others lead to
is optimised eleven times. Here a kernel that a kernel calls is only *translated*, from Python to LLVM's language. A
kernel that Python calls is an *entry*: what was translated for it is linked, optimised and written once.
"""

import hashlib
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from llvmlite.binding import Linkage
from numba.core import cgutils, ir, sigutils
from numba.core import config as _config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.typing import make_concrete_template

types: Any = numba.types
typeof: Any = numba.typeof
config: Any = _config  # its attributes are made at run time
SEAL_BYTES = 32


# --- kernels ------------------------------------------------------------------------------------------------


Guard = Callable[[Callable[..., object], Callable[[], bool]], AbstractContextManager[None]]


def make_kernel(function: Callable[..., object], guard: Guard) -> Any:
    """What ``numba.njit(nogil=True)`` gives, but kernels that it calls are only translated.

    Args:
        function: the kernel.
        guard: around compiling it as an entry, called with the function and whether it is in the cache by now.
    """
    kernel = Kernel(function, {}, {"nopython": True, "nogil": True, "boundscheck": None})
    kernel.guard = guard
    return kernel


def compile_together(calls: Sequence[tuple[Any, tuple[object, ...]]]) -> None:
    """Compile or load kernels as entries for such arguments; what several of them lead to is optimised once."""
    with global_compiler_lock:
        wanted = [(kernel, tuple(map(typeof, arguments))) for kernel, arguments in calls]
        missing = [(kernel, sig) for kernel, sig in wanted if not _is_entry(kernel.look_up(sig))]
        entries = _make_entries([kernel.look_up(sig) for kernel, sig in missing])
        for (kernel, sig), entry in zip(missing, entries, strict=True):
            kernel.keep(sig, entry)


def are_kept(calls: Sequence[tuple[Any, tuple[object, ...]]]) -> bool:
    """Whether all kernels are entries for such arguments, in this process or in the cache."""
    return all(kernel.is_kept(tuple(map(typeof, arguments))) for kernel, arguments in calls)


def find_entry_point(dispatcher: Any, arguments: tuple[object, ...]) -> Callable[..., Any] | None:
    """The machine code of a compiled function for arguments of these types, None if it has none yet."""
    compiled = dispatcher.overloads.get(tuple(map(typeof, arguments)))
    code: Callable[..., Any] | None = compiled.entry_point if compiled and _is_entry(compiled) else None
    return code


class Translation:
    """Stands for machine code where Numba wants some to tell functions apart."""


def _is_entry(compiled: Any) -> bool:
    return not isinstance(compiled.entry_point, Translation)


class Kernel(CPUDispatcher):
    """A function that is compiled as an entry when Python calls it, and translated when a kernel does."""

    guard: Guard

    def __init__(self, function: Callable[..., object], local_types: Any = None, options: Any = None) -> None:
        super().__init__(function, local_types, options, Translator)

    def get_call_template(self, args: Any, kws: Any) -> tuple[Any, ...]:
        """How a compiled function calls this one with arguments of these types.

        All integers come as one type: else each mix of widths and constants would be one more kernel to compile.
        """
        signature, folded = self._compiler.fold_argument_types(args, kws)
        wide = tuple(map(_widen, folded))
        super().compile(wide)
        name = self.py_func.__name__
        template = make_concrete_template(f"CallTemplate({name})", key=name, signatures=self.nopython_signatures)
        return template, signature, wide, {}

    def compile(self, sig: Any) -> Any:
        """Compile or load this kernel as an entry for arguments of these types."""
        with self.guard(self.py_func, lambda: self.is_kept(sig)), global_compiler_lock:
            found = self.look_up(sig)
            if not _is_entry(found):
                (found,) = _make_entries([found])
                self.keep(sig, found)
            return found.entry_point

    def is_kept(self, sig: Any) -> bool:
        """Whether nothing has to be compiled: the entry is here or in the cache, or there is no cache to wait for."""
        known = self.overloads.get(tuple(sigutils.normalize_signature(sig)[0]))
        if known is not None and _is_entry(known):
            return True
        return not isinstance(self._cache, SafeCache) or self._cache.holds(sig, self.targetctx)

    def look_up(self, sig: Any) -> Any:
        """What is compiled for arguments of these types, what the cache holds, or else a translation."""
        super().compile(sig)
        return self.overloads[tuple(sigutils.normalize_signature(sig)[0])]

    def keep(self, sig: Any, entry: Any) -> None:
        """Note an entry and save it."""
        self.add_overload(entry)
        self._cache.save_overload(sig, entry)

    def add_overload(self, compiled: Any) -> None:
        """Note an entry, or what was just translated."""
        if compiled.entry_point is not None:
            super().add_overload(compiled)
            return
        translated = compiled._replace(entry_point=Translation())
        self.targetctx.insert_user_function(translated.entry_point, translated.fndesc, [translated.library])
        self.overloads[tuple(translated.signature.args)] = translated


def _widen(kind: Any) -> Any:
    """The type that an argument of this type is passed as."""
    if isinstance(kind, types.Omitted):
        return _widen(typeof(kind.value))
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


class Translator(Compiler):
    """Numba's compiler, stopped before code is optimised."""

    def define_pipelines(self) -> Any:
        """Numba's passes, which then fill a ``Library`` and write neither machine code nor ways to call it."""
        flags, state = self.state.flags, self.state
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        state.library = Draft(state)
        return super().define_pipelines()


def _make_entries(translations: Sequence[Any]) -> list[Any]:
    """Translated kernels with machine code, which Python can call."""
    if not translations:
        return []
    library = Library(translations[0].target_context.codegen(), translations[0].fndesc.qualname)
    library.enable_object_caching()
    for kernel in translations:
        with kernel.target_context.push_code_library(library):
            kernel.target_context.create_cpython_wrapper(
                library, kernel.fndesc, kernel.environment, kernel.call_helper, release_gil=True
            )
        library.add_linking_library(kernel.library)
    return [_finish_entry(kernel, library) for kernel in translations]


def _finish_entry(translated: Any, library: Any) -> Any:
    """The entry of a translated kernel, from the library with its machine code, which is written for the first."""
    context, description = translated.target_context, translated.fndesc
    code = context.get_executable(library, description, translated.environment)
    context.insert_user_function(code, description, [translated.library])
    entry = translated._replace(entry_point=code, library=library)
    used = entry._find_referenced_environments()  # of the kernels that were linked: what their exceptions look up
    for environment in used:
        library.codegen.set_env(environment.env_name, environment)
    return entry._replace(referenced_envs=used)


class Library(JITCodeLibrary):
    """The code of one kernel as it was translated, and in an entry of all that it leads to, optimised."""

    def add_linking_library(self, library: Any) -> None:
        """Note that code of another library is called, which need not be finished."""
        self._linking_libraries.append(library)

    def add_llvm_module(self, module: Any) -> None:
        """Take in code as it was translated."""
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Link all that is called, optimise it and write machine code.

        Other entries hold what was linked, too. LLVM may give each copy its own way to be called, so it gets no name
        that others find, but for what is entered, and for what calls itself, which Numba looks up by name.
        """
        module = self._final_module
        seen_outside = {function.name for function in module.functions}
        for linked in _collect_modules(self, set()):
            module.link_in(linked, preserve=True)
        prefix = RuntimeLinker.PREFIX
        seen_outside |= {
            one.name.removeprefix(prefix) for one in module.global_variables if one.name.startswith(prefix)
        }
        for function in module.functions:
            is_defined = function.linkage == Linkage.external and not function.is_declaration
            if is_defined and function.name not in seen_outside:
                function.linkage = "private"
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()


def _collect_modules(library: Any, seen: set[Any]) -> Iterator[Any]:
    """The code of all that a library leads to, each once; a finished one holds what it leads to."""
    for called in library._linking_libraries:
        if called in seen:
            continue
        seen.add(called)
        if called._finalized:
            yield called._get_module_for_linking()
        else:
            yield called._final_module
            yield from _collect_modules(called, seen)


class Draft(Library):
    """A library in which a kernel is translated: without counts of who holds an array, if it makes none itself.

    Numba counts whenever an array, or a part of one, is passed on. Each count takes as long as twenty additions, and
    all of them took a third of an observation. Whoever calls a kernel holds its arguments until it is done.
    """

    def __init__(self, state: Any) -> None:
        super().__init__(state.targetctx.codegen(), state.func_id.func_qualname)
        self._state = state

    def add_ir_module(self, ir_module: Any) -> None:
        """Take in code as it is translated, as Numba's libraries do."""
        text = cgutils.normalize_ir_text(str(ir_module))
        if not _makes_arrays(self._state):
            text = COUNT.sub("", text)
        module = llvm.parse_assembly(text)
        module.name = ir_module.name
        module.verify()
        self.add_llvm_module(module)


COUNT = re.compile(r'^ *call void @"?NRT_(?:incref|decref)"?\(.*\)\n', re.MULTILINE)
PASSED_ON = {"getitem", "static_getitem", "getattr", "cast", "getiter", "iternext", "pair_first", "pair_second", "phi"}


def _makes_arrays(state: Any) -> bool:
    """Whether a kernel returns arrays, or has any that are no parts of its arguments: then they must be counted."""

    def is_counted(kind: Any) -> bool:
        return bool(state.targetctx.data_model_manager[kind].contains_nrt_meminfo())

    if is_counted(state.return_type):
        return True
    for block in state.func_ir.blocks.values():
        for made in block.find_insts(ir.Assign):
            is_passed_on = not isinstance(made.value, ir.Expr) or made.value.op in PASSED_ON
            if not is_passed_on and is_counted(state.typemap[made.target.name]):
                return True
    return False


# --- the cache ----------------------------------------------------------------------------------------------


def keep_safely(dispatcher: Any) -> None:
    """Give a function a ``SafeCache``, in the folder that ``numba.config.CACHE_DIR`` names now."""
    dispatcher._cache = SafeCache(dispatcher.py_func)


class SealedFiles(IndexDataCacheFile):
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
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: object) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        content = Path(path).read_bytes()
        seal, body = content[:SEAL_BYTES], content[SEAL_BYTES:]
        if hashlib.sha256(body).digest() != seal:
            raise OSError(f"{path} is not what was written")
        return pickle.loads(body)

    def _write(self, path: str, value: object) -> None:
        body: bytes = self._dump(value)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(body).digest() + body)


class SafeCache(FunctionCache):
    """Numba's cache of one function, which may fail: then the function is compiled, or not saved."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        if not Path(self._cache_path).is_relative_to(config.CACHE_DIR):  # Numba found a place elsewhere
            self.disable()
        locator = self._impl.locator
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def holds(self, sig: object, target_context: Any) -> bool:
        """Whether something was saved for this signature, or nothing ever will be."""
        return not self._enabled or self._index_key(sig, target_context.codegen()) in self._cache_file._load_index()

    def load_overload(self, sig: object, target_context: object) -> Any:
        """What was saved for this signature; None if nothing was, or if it cannot be used."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever Numba stumbles over in what it wrote itself
            return None

    def save_overload(self, sig: object, data: Any) -> None:
        """Save an entry, if it can be written; what was only translated is not kept."""
        if data.entry_point is None:
            return
        try:
            super().save_overload(sig, data)
        except OSError:  # no space left, or the folder is gone
            return
