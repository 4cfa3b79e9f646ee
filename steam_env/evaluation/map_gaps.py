"""How an agent's win rate differs between sets of maps, and with the knobs of maps: intervals are over maps.

All deals on a map make one observation, so a set of few maps tells little however often each is played.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from steam_env.evaluation.deals import find_map_set, spread_numbers
from steam_env.evaluation.intervals import Estimate, estimate_rate, find_t
from steam_env.evaluation.match import MatchResult
from steam_env.evaluation.report import Grid, say_interval, say_percent
from steam_env.kit.arrays import FloatArray, IntArray

GAP_METHOD = "difference of means +- Student's t x standard error, over maps (Welch 1947)"
FEWEST = 2  # maps of which a spread can be told


@dataclass(frozen=True)
class SetRates:
    """The win rates of an agent on the maps of a set, in one match.

    Attributes:
        maps: the name of the set.
        against: who else sits there, in words.
        rates: (maps,) by map, means over its deals and rotations.
        knobs: by knob (maps,) int64, of each map; empty where maps have none.
    """

    maps: str
    against: str
    rates: FloatArray
    knobs: dict[str, IntArray]


@dataclass(frozen=True)
class Gap:
    """The difference of an agent's win rates on two groups of maps, against the same opponents.

    Attributes:
        against: who else sits there, in words.
        first, second: the groups' names.
        maps: how many maps each has.
        rates: on each.
        gap: the first less the second.
    """

    against: str
    first: str
    second: str
    maps: tuple[int, int]
    rates: tuple[Estimate, Estimate]
    gap: Estimate


def measure_set(result: MatchResult, against: str) -> SetRates:
    """The win rates of the first agent of a match that was played on each map of a set."""
    name, worlds = find_map_set(result.config.rules)
    numbers = spread_numbers(result.config.deals, worlds.count)
    maps, places = np.unique(numbers, return_inverse=True)
    shares = result.games.shares[:, :, 0].mean(axis=1)
    rates = np.bincount(places, shares) / np.bincount(places)
    told = [worlds.tell_knobs(number) for number in maps.tolist()]
    knobs = {knob: np.array([one[knob] for one in told], np.int64) for knob in told[0]}
    return SetRates(name, against, rates, knobs)


def list_gaps(sets: Sequence[SetRates], learnt: str) -> Iterator[Gap]:
    """The gap from the set that agents learn from to each other one, for each opponents that play on both."""
    base = {one.against: one for one in sets if one.maps == learnt}
    for one in sets:
        if one.maps != learnt and one.against in base:
            yield _compare(one.against, (learnt, base[one.against].rates), (one.maps, one.rates))


def list_knobs(one: SetRates) -> Iterator[Gap]:
    """By knob: the win rate on the maps that have more of it, and on the others."""
    for name, values in one.knobs.items():
        more = values > np.median(values)
        if FEWEST <= more.sum() <= len(more) - FEWEST:
            yield _compare(one.against, (f"more {name}", one.rates[more]), (f"less {name}", one.rates[~more]))


def _compare(against: str, first: tuple[str, FloatArray], second: tuple[str, FloatArray]) -> Gap:
    (name, rates), (other, others) = first, second
    return Gap(
        against=against,
        first=name,
        second=other,
        maps=(len(rates), len(others)),
        rates=(estimate_rate(rates), estimate_rate(others)),
        gap=estimate_gap(rates, others),
    )


def estimate_gap(first: FloatArray, second: FloatArray) -> Estimate:
    """The difference of the means of two samples with its interval, see ``GAP_METHOD``."""
    gap = float(first.mean() - second.mean())
    if min(len(first), len(second)) < FEWEST:
        return Estimate(gap, None, None)
    parts = [float(values.var(ddof=1)) / len(values) for values in (first, second)]
    error = sum(parts)
    if error == 0.0:
        return Estimate(gap, gap, gap)
    squares = sum(part**2 / (len(values) - 1) for part, values in zip(parts, (first, second), strict=True))
    reach = find_t(max(1, int(error**2 / squares))) * math.sqrt(error)
    return Estimate(gap, gap - reach, gap + reach)


# --- tables ---------------------------------------------------------------------------------------------
def tabulate_gaps(gaps: Sequence[Gap], title: str, names: tuple[str, str]) -> Grid:
    """A table of gaps; ``names`` say what the groups are."""
    interval = "95 % interval"
    columns = ("opponent", *names, "maps", "win rate", interval, "maps", "win rate", interval, "gap", interval)
    return Grid(title, columns, tuple(map(_say_gap, gaps)), words=3)


def _say_gap(one: Gap) -> tuple[str, ...]:
    cells = [
        (f"{count:,}", say_percent(rate.mean), say_interval(rate, 100, " %"))
        for count, rate in zip(one.maps, one.rates, strict=True)
    ]
    points = f"{100 * one.gap.mean:+.1f}"
    return (one.against, one.first, one.second, *cells[0], *cells[1], points, say_interval(one.gap, 100, sign="+"))
