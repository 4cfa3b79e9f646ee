"""Checks at the public edge: Numba does not check bounds, so nothing unchecked may reach a kernel."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from steam_env.core.state import (
    ACTIONS_PER_TURN,
    BAG_SIZE,
    COMPENSATION,
    CONTRACTS_PER_TAKE,
    GAME,
    MAX_CONTRACTS,
    MAX_LINKS,
    MAX_NEEDS,
    MAX_PATH,
    MAX_SEATS,
    NONE,
    NUM_COLORS,
    NUM_CORNERS,
    NUM_EDGES,
    NUM_PHASES,
    NUM_RESOURCES,
    PLACE_ABSENT,
    PLACE_UNKNOWN,
    PLACEMENTS_PER_ACTION,
    SOLO_COMPANIES,
)
from steam_env.core.tiles import NUM_PAIRS
from steam_env.rules import as_integer
from steam_env.setting import Setting

T = TypeVar("T")
SEED_BOUND = 2**63


def look_up(table: Mapping[str, T], what: str, name: object) -> T:
    """The entry of a table of named things.

    Raises:
        ValueError: naming the value and the names that there are.
    """
    if not isinstance(name, str) or name not in table:
        raise ValueError(f"{what}={name!r}: allowed are {', '.join(map(repr, table))}")
    return table[name]


def check_seed(seed: object) -> int:
    """``seed`` as an int, or a fresh one for ``None``.

    Raises:
        ValueError: if it is no integer from 0 to 2**63 - 1.
    """
    if seed is None:
        return int(np.random.default_rng().integers(0, SEED_BOUND, dtype=np.int64))
    value = as_integer(seed, "seed")
    if not 0 <= value < SEED_BOUND:
        raise ValueError(f"seed={value}: 0 to 2**63 - 1 are allowed")
    return value


def check_records(records: object, setting: Setting) -> np.ndarray:
    """``records`` if they are games that the kernels can play on this setting without leaving an array.

    This keeps the interpreter safe from records made by hand; it does not prove that play can lead there.

    Raises:
        ValueError: naming the field, the value and the range.
    """
    if not isinstance(records, np.ndarray) or records.dtype != GAME or records.ndim != 1:
        raise ValueError("records must be a one-dimensional NumPy array of dtype steam_env.core.state.GAME")
    for name, (low, high) in _ranges(setting).items():
        values = records[name]
        if values.size and (values.min() < low or values.max() > high):
            worst = int(values.min()) if values.min() < low else int(values.max())
            raise ValueError(f"records[{name!r}] holds {worst}: {low} to {high} are allowed")
    return records


def _ranges(setting: Setting) -> dict[str, tuple[int, int]]:
    """Lowest and highest value of every field that indexes something or counts a loop."""
    seats = setting.rules.companies
    hexes, cities = len(setting.map.hexes), len(setting.map.cities)
    contracts = len(setting.deck.contracts)
    city, seat, edge, link = (NONE, cities - 1), (NONE, seats - 1), (NONE, NUM_EDGES - 1), (NONE, MAX_LINKS - 1)
    groups = (0, 2**cities - 1)
    return {
        "num_seats": (seats, seats),
        "num_automas": (setting.rules.automas, setting.rules.automas),
        "automa_level": (0, len(COMPENSATION) - 1),
        "num_coins": (0, MAX_PATH),
        "coins": (0, hexes - 1),
        "corners": (NONE, NUM_RESOURCES - 1),
        "marker": (NONE, NUM_CORNERS - 1),
        "slot": (NONE, PLACE_UNKNOWN - 1),
        "bag": (NONE, SOLO_COMPANIES - 1),
        "bag_size": (0, BAG_SIZE),
        "seat": seat,
        "first_player": (0, seats - 1),
        "phase": (0, NUM_PHASES - 1),
        "actions_left": (0, ACTIONS_PER_TURN),
        "placements_left": (0, PLACEMENTS_PER_ACTION),
        "takes_left": (0, CONTRACTS_PER_TAKE),
        "reach": groups,
        "network": groups,
        "visited": groups,
        "hand_size": (0, MAX_CONTRACTS),
        "tail_link": link,
        "tail_hex": (NONE, hexes - 1),
        "tail_entry": edge,
        "tail_exit": edge,
        "start_city": city,
        "start_edge": edge,
        "build_city": city,
        "contract": (NONE, contracts - 1),
        "need": (NONE, MAX_NEEDS),
        "cargo_group": city,
        "hop_group": city,
        "num_links": (0, MAX_LINKS),
        "deck_size": (0, contracts),
        "board_index": (0, 0),
        "deck_index": (0, 0),
        "color": (NONE, NUM_COLORS - 1),
        "owner": seat,
        "resources": (0, 127),
        "linked": (0, 2**MAX_SEATS - 1),
        "place": (0, PLACE_ABSENT),
        "known": (0, 2**MAX_SEATS - 1),
        "deck_order": (NONE, contracts - 1),
        "track": (NONE, NUM_PAIRS - 1),
        "track_link": link,
        "link_owner": seat,
        "link_start": city,
        "link_edge": edge,
        "link_end": city,
    }
