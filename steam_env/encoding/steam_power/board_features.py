"""What map and deck fix for good, as static arrays that stand beside the observations."""

import numpy as np

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import (
    BONUS_NAMES,
    MAX_CITIES,
    MAX_CONTRACTS,
    MAX_HEXES,
    NUM_RESOURCES,
    TERRAIN_NAMES,
)
from steam_env.data.steam_power.setting import Setting

BOARD_FEATURES = {
    "hex_terrain": "(256, 5) float32: one-hot plains, hills, mountains, water, city; zero past the last hex",
    "hex_position": "(256, 2) int16: column and row, A1 = (1, 1); zero past the last hex",
    "hex_neighbour": "(256, 6) int16: the hex across each edge N NE SE S SW NW, -1 off the map",
    "hex_cost": "(256,) int16: dollars for a new tile, -1 where no track may lie",
    "hex_city": "(256,) int16: the city on this hex, -1 if there is none",
    "city_hex": "(33,) int16: the hex of each city, -1 past the last",
    "city_group": "(33,) int16: the city's group, named by its first city; -1 past the last",
    "contract_needs": "(48, 5) int16: colours 0 to 3 (W B O G) in printed order, -1 past the last",
    "contract_counts": "(48, 4) float32: resources needed of each colour",
    "contract_reward": "(48, 2) int16: dollars and victory points; zero past the last contract",
    "contract_bonus": "(48, 4) float32: one-hot none, track, factory, contracts; zero past the last contract",
    "contract_icon": "(48,) int16: an Automa uses it for 0 track, 1 factory; -1 past the last contract",
    "target_rule": "(4,) int16: by colour W B O G what an Automa heads for, an index of TARGET_NAMES",
}


def make_board_features(board: np.record, deck: np.record) -> dict[str, np.ndarray]:
    """The static arrays of one ``BOARD`` and one ``DECK`` record, described in ``BOARD_FEATURES``.

    Every call makes fresh arrays: nobody can spoil another's.
    """
    return {**_describe_hexes(board), **_describe_cities(board), **_describe_contracts(deck)}


def _one_hot(codes: np.ndarray, length: int) -> np.ndarray:
    """(n, length) float32 with a 1 at each code; codes out of range give a row of zeros."""
    flags: np.ndarray = codes[:, np.newaxis] == np.arange(length)
    return flags.astype(np.float32)


def _describe_hexes(board: np.record) -> dict[str, np.ndarray]:
    absent = np.arange(MAX_HEXES) >= board["num_hexes"]
    position = np.stack([board["col"], board["row"]], axis=1)
    position[absent] = 0
    return {
        "hex_terrain": _one_hot(np.where(absent, NONE, board["terrain"]), len(TERRAIN_NAMES)),
        "hex_position": position.astype(np.int16),
        "hex_neighbour": board["neighbour"].astype(np.int16),
        "hex_cost": np.where(absent, NONE, board["cost"]).astype(np.int16),
        "hex_city": board["hex_city"].astype(np.int16),
    }


def _describe_cities(board: np.record) -> dict[str, np.ndarray]:
    absent = np.arange(MAX_CITIES) >= board["num_cities"]
    return {
        "city_hex": np.where(absent, NONE, board["city_hex"]).astype(np.int16),
        "city_group": np.where(absent, NONE, board["group"]).astype(np.int16),
    }


def _describe_contracts(deck: np.record) -> dict[str, np.ndarray]:
    absent = np.arange(MAX_CONTRACTS) >= deck["num_contracts"]
    needs = deck["needs"].astype(np.int16)
    counts = (needs[:, :, np.newaxis] == np.arange(NUM_RESOURCES)).sum(axis=1)
    reward = np.stack([deck["money"], deck["vp"]], axis=1)
    reward[absent] = 0
    return {
        "contract_needs": needs,
        "contract_counts": counts.astype(np.float32),
        "contract_reward": reward.astype(np.int16),
        "contract_bonus": _one_hot(np.where(absent, NONE, deck["bonus"]), len(BONUS_NAMES)),
        "contract_icon": np.where(absent, NONE, deck["icon"]).astype(np.int16),
        "target_rule": deck["target_rule"].astype(np.int16),
    }


def describe_setting(setting: Setting) -> dict[str, np.ndarray]:
    """The static arrays of a setting."""
    return make_board_features(setting.boards[0], setting.decks[0])
