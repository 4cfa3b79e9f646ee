"""Types of arrays, for signatures; and objects that keep theirs read-only."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


class KeepsReadOnly:
    """An object whose arrays are read-only, and still are when it comes from a pickle or a copy.

    For arrays that can be written, kernels would be compiled anew.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
