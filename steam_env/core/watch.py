"""Waiting awake: a thread that is wanted again in a moment looks at a count until it has grown.

A processor without work falls asleep, and waking it takes as long as playing a hundred decisions. So a thread looks for
a while, without Python's lock, before it waits as threads do.
"""

import platform
from typing import Any

import numpy as np

from steam_env.core.jit import JIT_DISABLED, kernel

HAS_PAUSE = platform.machine().lower() in ("x86_64", "amd64")  # an instruction that leaves the core to its other thread

if JIT_DISABLED:

    def look(counts: np.ndarray, place: int) -> int:
        """The count, as another thread may have just written it."""
        return int(counts[place])

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    COUNT_BYTES = 8

    @intrinsic
    def look(_: Any, counts: Any, place: Any) -> Any:
        """The count, as another thread may have just written it: a compiler must not remember it."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if HAS_PAUSE:
                kind = ir.FunctionType(ir.VoidType(), [])
                builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
            found = context.make_array(signature.args[0])(context, builder, arguments[0])
            cell = cgutils.get_item_pointer(context, builder, signature.args[0], found, [arguments[1]])
            return builder.load_atomic(cell, "acquire", COUNT_BYTES)

        return types.int64(counts, types.int64), emit


@kernel
def watch(counts: np.ndarray, place: int, wanted: int, looks: int) -> bool:
    """Look at ``counts[place]`` (int64) until it is at least what is wanted; False: it was not in so many looks."""
    for _ in range(looks):
        if look(counts, place) >= wanted:
            return True
    return False
