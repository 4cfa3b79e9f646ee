"""What random games in two engines came to."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.verification.lockstep.differences import Difference

SCENARIOS_PER_SEED = 1_000_000  # so many starts a run can draw before it meets those of the next seed


@dataclass(frozen=True)
class Found:
    """A difference, and how to come to it."""

    start: Mapping[str, Any]
    moves: Sequence[str]
    difference: Difference


@dataclass
class Played:
    """What one game, or several, came to."""

    games: int = 0
    deals: int = 0
    met: Counter[str] = field(default_factory=Counter)
    found: list[Found] = field(default_factory=list)

    @property
    def decisions(self) -> int:
        return self.met["decisions"]

    def add(self, other: "Played") -> None:
        self.games += other.games
        self.deals += other.deals
        self.met.update(other.met)
        self.found += other.found


def seed_of(run_seed: int, number: int) -> int:
    """The seed of the run's game with this number."""
    return run_seed * SCENARIOS_PER_SEED + number


PlayGame = Callable[[int], Played]
"""Plays the game of a seed in both engines, up to the first difference."""


def play_games(play_game: PlayGame, seeds: Sequence[int]) -> Played:
    """Several games one after the other."""
    total = Played()
    for seed in seeds:
        total.add(play_game(seed))
    return total
