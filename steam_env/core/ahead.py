"""Memory asked for ahead: the processor fetches the next game from the outer caches while it works on this one.

A batch of some hundred games does not fit into the inner caches, and what rules look at stands here and there in a
record, which no processor foresees. A loop over games that does not say in time what comes next waits for memory a
third of its time.
"""

from typing import Any

import numpy as np

from steam_env.core.jit import JIT_DISABLED, kernel

LINE_BYTES = 64  # of a cache line

if JIT_DISABLED:

    def fetch_line(array: np.ndarray, index: int, offset: int) -> None:
        """Do nothing: Python has no such hint."""

else:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    FOR_READING, IN_ALL_CACHES, OF_DATA = 0, 3, 1  # the last arguments of LLVM's ``prefetch``

    @intrinsic
    def fetch_line(_: Any, array: Any, index: Any, offset: Any) -> Any:
        """Ask for the cache line at so many bytes from ``array[index]``: a hint, for which any place will do."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            found = context.make_array(signature.args[0])(context, builder, arguments[0])
            stride = cgutils.unpack_tuple(builder, found.strides)[0]
            start = builder.add(builder.mul(arguments[1], stride), arguments[2])
            address = builder.add(builder.ptrtoint(found.data, stride.type), start)
            pointer, word = cgutils.voidptr_t, cgutils.int32_t
            kind = ir.FunctionType(ir.VoidType(), [pointer, word, word, word])
            prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            hints = [word(hint) for hint in (FOR_READING, IN_ALL_CACHES, OF_DATA)]
            builder.call(prefetch, [builder.inttoptr(address, pointer), *hints])
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), emit


@kernel
def fetch(array: np.ndarray, index: int) -> None:
    """Ask for ``array[index]``, a record or a row, which is wanted soon; nothing changes, and any index will do."""
    for offset in range(0, array.strides[0], LINE_BYTES):
        fetch_line(array, index, offset)
