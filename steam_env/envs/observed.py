"""Spaces and masks, made from what a game says of its arrays and actions."""

import numpy as np
from gymnasium import spaces

from steam_env.encoding import ArraySpec, Encoding
from steam_env.kit.arrays import BoolArray
from steam_env.spec import Facts


def make_observation_space(encoding: Encoding) -> spaces.Box | spaces.Dict:
    """The space of one observation in the encoding: a Box, or a Dict of them; a fresh object."""
    spec = encoding.spec
    if isinstance(spec, dict):
        return spaces.Dict({name: _make_box(part) for name, part in spec.items()})
    return _make_box(spec)


def _make_box(spec: ArraySpec) -> spaces.Box:
    return spaces.Box(spec.low, spec.high, spec.shape, spec.dtype.type)


def make_resting_mask(facts: Facts) -> BoolArray:
    """(actions,) bool, a fresh array: what is legal when the game is over, the resting action alone."""
    return np.asarray(np.arange(facts.num_actions) == facts.resting_action)
