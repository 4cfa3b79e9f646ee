"""Observations of Steam Power: `flat`, `grid` and `graph`. ``ENCODINGS`` holds them by name."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from steam_env.encoding import ArraySpec, Encoding, Encodings
from steam_env.encoding.compact import Expansions, encode_by_digits, make_flat_expansion, pack_spec
from steam_env.kit.forms import COMPACT, MARK, TIGHT

Sizes = tuple[tuple[str, int], ...]  # by name of an axis, how many things there are; empty: as many as there may be


def _count_things(setting: Any) -> Sizes:
    """How many things there are in games of a setting."""
    things = {
        "hexes": len(setting.map.hexes),
        "cities": len(setting.map.cities),
        "contracts": len(setting.deck.contracts),
        "seats": setting.num_companies,
        "automas": setting.rules.automas,
    }
    return tuple(things.items())


def _make_form(name: str, setting: Any) -> Encoding:
    """The digits of an encoding, for games of the setting or, without one, for all."""
    return _make_digits(name, () if setting is None else _count_things(setting))


@cache
def _make_digits(name: str, sizes: Sizes) -> Encoding:
    expansions, encode = {"flat": _place_flat, "grid": _place_grid, "graph": _place_graph}[name](dict(sizes) or None)
    told = f"{name}{MARK}{TIGHT if sizes else COMPACT}"
    plain = ENCODINGS[name]
    return Encoding(told, pack_spec(expansions), encode, plain.describe, plain.parts, expansions=expansions)


def _only_array(name: str) -> ArraySpec:
    spec = ENCODINGS[name].spec
    assert isinstance(spec, ArraySpec)
    return spec


def _place_flat(sizes: Mapping[str, int] | None) -> tuple[Expansions, Any]:
    from steam_env.encoding.steam_power.flat_kernels import encode_flat_digits
    from steam_env.encoding.steam_power.scratch import lay_out_flat

    digits, places = lay_out_flat(sizes)
    return make_flat_expansion(_only_array("flat"), digits), partial(encode_flat_digits, places)


def _place_grid(sizes: Mapping[str, int] | None) -> tuple[Expansions, Any]:
    from steam_env.encoding.steam_power.grid import GridPlaces

    places = GridPlaces(sizes)
    return make_flat_expansion(_only_array("grid"), places.digits, places.shape), places.encode


def _place_graph(sizes: Mapping[str, int] | None) -> tuple[Expansions, Any]:
    from steam_env.encoding.steam_power.graph import GraphPlaces

    places = GraphPlaces(sizes)
    return places.expansions, places.encode


def _make_flat() -> Encoding:
    from steam_env.encoding.steam_power import flat
    from steam_env.encoding.steam_power.flat_kernels import encode_flat_games

    spec = ArraySpec((flat.FLAT_SIZE,), flat.FLAT_LOW, flat.FLAT_HIGH, np.dtype(np.float32))
    form = partial(_make_form, "flat")
    return Encoding("flat", spec, encode_flat_games, flat.describe_layout, flat.LAYOUT, form)


def _make_grid() -> Encoding:
    from steam_env.encoding.steam_power import grid

    spec = ArraySpec(grid.GRID_SHAPE, grid.GRID_LOW, grid.GRID_HIGH, np.dtype(np.float32))
    return Encoding("grid", spec, _encode_grid_games, grid.describe_layout, compact=partial(_make_form, "grid"))


def _make_graph() -> Encoding:
    from steam_env.encoding.steam_power import graph

    form = partial(_make_form, "graph")
    parts = tuple(part for features in graph.FEATURES.values() for part in features)
    return Encoding("graph", graph.ARRAYS, _encode_graph_games, graph.describe_layout, parts, form)


def _encode_grid_games(*arrays: Any) -> None:
    encode_by_digits(_make_digits("grid", ()), "(GRID_SHAPE)", *arrays)


def _encode_graph_games(*arrays: Any) -> None:
    encode_by_digits(_make_digits("graph", ()), "(ARRAYS)", *arrays)


ENCODINGS = Encodings({"flat": _make_flat, "grid": _make_grid, "graph": _make_graph})
