"""Bytes copied side by side: how a row gets what a kernel has worked out for as many things as there may be.

A loop over as many things as a game has ends in a rest that is done one by one, which for some thirty cities or
contracts takes longer than all of it side by side. A loop over as many as a record has room for has no such rest; what
it wrote is copied as far as there are things.
"""

from typing import Any

import numpy as np

from steam_env.core.jit import JIT_DISABLED

if JIT_DISABLED:

    def copy_span(source: np.ndarray, out: np.ndarray, place: int, count: int) -> None:
        """Write ``out[place : place + count]``: the first bytes of ``source``; both are (n,) uint8, contiguous."""
        out[place : place + count] = source[:count]

else:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def copy_span(_: Any, source: Any, out: Any, place: Any, count: Any) -> Any:
        """Write ``out[place : place + count]``: the first bytes of ``source``; both are (n,) uint8, contiguous."""

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source_type, out_type, *_ = signature.args
            read = context.make_array(source_type)(context, builder, arguments[0])
            written = context.make_array(out_type)(context, builder, arguments[1])
            cgutils.raw_memcpy(builder, builder.gep(written.data, [arguments[2]]), read.data, arguments[3], 1)
            return context.get_dummy_value()

        return types.void(source, out, types.int64, types.int64), emit
