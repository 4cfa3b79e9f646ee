"""Observations of Steam (2009): `flat`, `grid`, `graph`. ``ENCODINGS`` holds them by name."""

import numpy as np

from steam_env.encoding import ArraySpec, Encoding, Encodings


def _make_flat() -> Encoding:
    from steam_env.encoding.steam import flat

    spec = ArraySpec((flat.FLAT_SIZE,), flat.FLAT_LOW, flat.FLAT_HIGH, np.dtype(np.float32))
    return Encoding("flat", spec, flat.encode_flat_games, flat.describe_layout, flat.LAYOUT)


def _make_grid() -> Encoding:
    from steam_env.encoding.steam import grid

    spec = ArraySpec(grid.GRID_SHAPE, grid.GRID_LOW, grid.GRID_HIGH, np.dtype(np.float32))
    return Encoding("grid", spec, grid.encode_grid_games, grid.describe_layout, grid.PARTS)


def _make_graph() -> Encoding:
    from steam_env.encoding.steam import graph

    return Encoding("graph", graph.SPECS, graph.encode_graph_games, graph.describe_layout, graph.PARTS)


ENCODINGS = Encodings({"flat": _make_flat, "grid": _make_grid, "graph": _make_graph})
