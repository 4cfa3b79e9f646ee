"""Maps by what rules call them: a shipped name, a path, or a number in a set such as ``gen-steam-v1:train:17``.

The sets of a family are frozen: ``manifests/gen-steam-v1.json`` holds hashes of all that is in them. What the generator
makes of a seed may change only under the name of another family.
"""

import os
from typing import Any

from steam_env.data.generate import (
    SEPARATOR,
    DrawnSet,
    Worlds,
    find_named,
    find_set,
    is_set_name,
    tells_everywhere,
)
from steam_env.data.steam.knobs import MapSpec
from steam_env.data.steam.maps import Map, load_map, shipped_maps
from steam_env.data.steam.mutation import change_map
from steam_env.kit.show import show

# Every knob is named here, whatever the usual ones become.
LIKE_OURS = MapSpec(
    hexes=(90, 135),
    cities=(9, 14),
    towns=(8, 16),
    hills=(10, 30),
    lakes=(0, 15),
    rivers=(5, 20),
    walls=(0, 6),
    ragged=(2, 20),
    cubes=(24, 36),
)
GEN_STEAM_V1 = {
    "train": DrawnSet("to learn from", LIKE_OURS, 0, 10_000),
    "test": DrawnSet("like those of train", LIKE_OURS, 1_000_000, 200),
}


def _list_codes(setting: Any) -> dict[tuple[int, int], int]:
    """What stands on each hex as a number, water included."""
    return {(column, row): ord(sign) for column, row, sign in setting.map.cells}


WORLDS = Worlds(
    game="steam",
    usual=MapSpec(),
    change=change_map,
    families={"gen-steam-v1": GEN_STEAM_V1},
    package=__package__,
    fields=("map",),
    terrain=_list_codes,
    player="thrifty",
)


def find_map(name_or_path: str | os.PathLike[str]) -> Map:
    """The map that rules call so.

    Raises:
        ValueError: for an unknown name, set or number, naming it and what there is; ``MapError`` for a file that is
            wrong.
    """
    if is_set_name(name_or_path):
        find_set(str(name_or_path), WORLDS.families, "map")
        raise ValueError(f"map: {show(name_or_path)} is a set; one map of it is allowed, as {name_or_path}{SEPARATOR}0")
    board: Map = find_named(name_or_path, WORLDS.families, "map", lambda one, *which: one.make_map(*which), load_map)
    return board


def tells_map(name: str, board: Map) -> bool:
    """Whether a name tells this map on every machine."""
    return tells_everywhere(name, board, shipped_maps(), find_map)
