"""Simple habits that any agent of Steam (2009) can be given: see ``steam_env.evaluation.holes``.

``greedy+take:3`` is greedy with the habit ``take:3``. It plays as greedy does, but may choose only from what the habit
leaves it; where the habit would leave nothing, it chooses freely.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from steam_env.agents.base import Agent
from steam_env.agents.deviations import Deviation
from steam_env.core.fields import NONE
from steam_env.core.steam.actions import (
    BUILD_ON,
    FROM,
    HOP_TO,
    IMPROVE,
    LAY,
    NUM_ACTIONS,
    PASS,
    PASSED_TILES,
    TAKE_TILE,
    TO_INCOME,
    TO_VP,
)
from steam_env.core.steam.state import (
    BUILD,
    GOODS,
    LOCOMOTIVE,
    MAX_HEXES,
    NUM_TILES,
    SCORE,
    TAKE,
)
from steam_env.spec import Deviations
from steam_env.table.view import View

BUILDS = slice(BUILD_ON, LAY)
MOVES = slice(FROM, HOP_TO)
RICH = 15  # dollars that a hoarder keeps
LAST_TURNS = 2
PAID_TILES = tuple(TAKE_TILE + number - 1 for number in (*PASSED_TILES, LOCOMOTIVE))

Allow = Callable[[np.ndarray, View], np.ndarray]  # such that agents can be pickled, as checkpoints of training are
Asks = Callable[[View], np.ndarray]


class Habit(Deviation):
    """An agent that, at the decisions that its habit is about, chooses from some of the legal actions only.

    Args:
        agent: which plays, and chooses.
        phase: at whose decisions.
        allow: ``(masks, views)``: (n, actions) bool, the actions that the habit leaves; none of the legal ones: all.
    """

    def __init__(self, agent: Agent, phase: int, allow: Allow) -> None:
        super().__init__(agent)
        self.phase, self.allow = phase, allow

    def narrow(self, masks: np.ndarray, views: View) -> np.ndarray:
        """The legal actions (n, actions) that the habit leaves."""
        left = masks & self.allow(masks, views)
        concerned = (views.records["phase"] == self.phase) & left.any(axis=1)
        return np.where(concerned[:, None], left, masks)


def flag(*parts: int | slice) -> np.ndarray:
    """(actions,) bool, true for these ids and blocks."""
    flags = np.zeros(NUM_ACTIONS, np.bool_)
    for part in parts:
        flags[part] = True
    return flags


def of_mover(views: View, field: str) -> np.ndarray:
    """(n,) a field of the record, the mover's entry."""
    entries: np.ndarray = views.records[field][np.arange(len(views)), views.seats]
    return entries


def turns_left(views: View) -> np.ndarray:
    """(n,) turns to come, the present one included."""
    left: np.ndarray = views.records["num_turns"] - views.records["round_number"] + 1
    return left


def is_first_half(views: View) -> np.ndarray:
    """(n,) bool, whether more than half of the turns are to come."""
    return np.asarray(2 * (turns_left(views) - 1) >= views.records["num_turns"])


def is_second_half(views: View) -> np.ndarray:
    """(n,) bool, the contrary."""
    return ~is_first_half(views)


def is_before_the_last(views: View) -> np.ndarray:
    """(n,) bool, whether more than the last turns are to come."""
    return np.asarray(turns_left(views) > LAST_TURNS)


def allow_flagged(flags: np.ndarray, masks: np.ndarray, views: View) -> np.ndarray:
    """Leaves the actions that are flagged (actions,)."""
    return np.broadcast_to(flags, masks.shape)


def only(*parts: int | slice) -> Allow:
    """Leaves these actions."""
    return partial(allow_flagged, flag(*parts))


def never(*parts: int | slice) -> Allow:
    """Leaves all but these actions."""
    return partial(allow_flagged, ~flag(*parts))


def allow_when(asks: Asks, allow: Allow, masks: np.ndarray, views: View) -> np.ndarray:
    """Leaves what another leaves, in games of which something is true; in others everything."""
    return allow(masks, views) | ~asks(views)[:, None]


def when(asks: Asks, allow: Allow) -> Allow:
    """See ``allow_when``."""
    return partial(allow_when, asks, allow)


# --- habits about places ----------------------------------------------------------------------------


def flag_land(setting: Any, kind: str) -> np.ndarray:
    """(actions,) bool, all but placements, and those on a kind of land: plain, or towns."""
    board = setting.statics[0][0]
    flags = ~flag(BUILDS)
    wanted = board["terrain_cost"] == 0 if kind == "plain" else board["hex_stop"] != NONE
    flags[BUILDS] = wanted[:MAX_HEXES]
    return flags if kind == "plain" else flags & ~flag(PASS)


def flag_city(setting: Any, name: str) -> np.ndarray:
    """(actions,) bool, placements next to a city.

    Raises:
        ValueError: if the map has none of this name.
    """
    names = list_cities(setting)
    if name not in names:
        raise ValueError(f"city {name!r}: the map {setting.title} has {', '.join(names)}")
    board = setting.statics[0][0]
    beyond = board["beyond"][board["stop_hex"][names[name]]]
    return flag(*(BUILD_ON + int(hex_index) for hex_index in beyond if hex_index != NONE))


def list_cities(setting: Any) -> dict[str, int]:
    """The printed cities of a map: their stops by name."""
    colors = setting.statics[0][0]["stop_color"]
    return {name: stop for stop, name in enumerate(setting.map.stops) if colors[stop] != NONE}


def allow_land(kind: str, masks: np.ndarray, views: View) -> np.ndarray:
    """Leaves placements on a kind of land."""
    return np.broadcast_to(flag_land(views.setting, kind), masks.shape)


def allow_near(city: str, masks: np.ndarray, views: View) -> np.ndarray:
    """Leaves placements next to the city, as long as the mover has no complete link."""
    return np.asarray(flag_city(views.setting, city)[None] | (of_mover(views, "served") != 0)[:, None])


# --- by name -----------------------------------------------------------------------------------------


def is_poor(views: View) -> np.ndarray:
    """(n,) bool, whether the mover has less than a hoarder keeps."""
    return np.asarray(of_mover(views, "money") < RICH)


def is_in_debt(views: View) -> np.ndarray:
    """(n,) bool, whether the mover has no cash and no income: what it builds makes debt."""
    return np.asarray((of_mover(views, "income") <= 0) & (of_mover(views, "money") < 5))


FIRST, TILE_HABIT = "first:", "take:"
HABITS: dict[str, tuple[int, Allow, str]] = {
    "take:free": (TAKE, never(*PAID_TILES), "takes only action tiles that cost nothing"),
    "engine:never": (GOODS, never(IMPROVE), "never improves its locomotive in a goods round"),
    "engine:first": (GOODS, only(IMPROVE), "improves its locomotive whenever it may"),
    "engine:late": (GOODS, when(is_first_half, never(IMPROVE)), "does not before half of the turns are over"),
    "points:income": (SCORE, only(TO_INCOME), "always puts points on income"),
    "points:vp": (SCORE, only(TO_VP), "always puts points on VP"),
    "points:late": (
        SCORE,
        when(is_before_the_last, only(TO_INCOME)),
        f"puts points on income until the last {LAST_TURNS} turns",
    ),
    "moves:late": (GOODS, when(is_first_half, never(MOVES)), "moves no cube before half of the turns are over"),
    "build:plain": (BUILD, partial(allow_land, "plain"), "never builds on hills or rivers"),
    "build:towns": (BUILD, partial(allow_land, "towns"), "builds on towns wherever it can"),
    "build:early": (BUILD, when(is_second_half, never(BUILDS)), "builds in the first half only"),
    "build:late": (BUILD, when(is_first_half, never(BUILDS)), "builds in the second half only"),
    "build:never": (BUILD, never(BUILDS), "builds nothing"),
    "rush": (BUILD, never(PASS), "uses all placements that it can pay"),
    "hoard:money": (BUILD, when(is_poor, never(BUILDS)), f"builds only with ${RICH} or more at hand"),
    "hoard:income": (BUILD, when(is_in_debt, never(BUILDS)), "makes no debt for track"),
}


def list_deviations(setting: Any) -> tuple[str, ...]:
    """The names of all habits on a map."""
    tiles = (f"{TILE_HABIT}{number}" for number in range(1, NUM_TILES + 1))
    return (*(f"{FIRST}{city}" for city in list_cities(setting)), *tiles, *HABITS)


def make_deviation(name: str) -> Callable[[Agent], Habit] | None:
    """What gives an agent the habit of this name; ``None`` for what names none."""
    if name in HABITS:
        phase, allow, _ = HABITS[name]
        return partial(Habit, phase=phase, allow=allow)
    if name.startswith(FIRST):
        return partial(Habit, phase=BUILD, allow=partial(allow_near, name.removeprefix(FIRST)))
    number = name.removeprefix(TILE_HABIT)
    if name.startswith(TILE_HABIT) and number.isdecimal() and 1 <= int(number) <= NUM_TILES:
        return partial(Habit, phase=TAKE, allow=only(TAKE_TILE + int(number) - 1))
    return None


MEANINGS = {
    f"{FIRST}CITY": "begins its first link next to this city",
    f"{TILE_HABIT}NUMBER": "takes the action tile with this number, and pays for it, whenever it is free",
    **{name: meaning for name, (_, _, meaning) in HABITS.items()},
}
DEVIATIONS = Deviations(list_deviations, make_deviation, MEANINGS)
