"""The spaces of observations, made from what an encoding says of its arrays."""

from gymnasium import spaces

from steam_env.encoding import ArraySpec
from steam_env.encoding.steam_power import ENCODINGS


def make_observation_space(encoding: str) -> spaces.Box | spaces.Dict:
    """The space of one observation in the encoding: a Box, or a Dict of them; a fresh object."""
    spec = ENCODINGS[encoding].spec
    if isinstance(spec, dict):
        return spaces.Dict({name: _make_box(part) for name, part in spec.items()})
    return _make_box(spec)


def _make_box(spec: ArraySpec) -> spaces.Box:
    return spaces.Box(spec.low, spec.high, spec.shape, spec.dtype.type)
