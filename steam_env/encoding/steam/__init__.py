"""Observations of Steam (2009): `flat`. ``ENCODINGS`` holds them by name."""

import numpy as np

from steam_env.encoding import ArraySpec, Encoding, Encodings


def _make_flat() -> Encoding:
    from steam_env.encoding.steam import flat

    spec = ArraySpec((flat.FLAT_SIZE,), flat.FLAT_LOW, flat.FLAT_HIGH, np.dtype(np.float32))
    return Encoding("flat", spec, flat.encode_flat_games, flat.describe_layout, flat.LAYOUT)


ENCODINGS = Encodings({"flat": _make_flat})
