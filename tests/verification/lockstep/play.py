"""Random games in both engines, up to the first difference."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.verification.lockstep.compare import Begin, Difference, Start, Twins, begin_reference
from tests.verification.lockstep.coverage import Coverage
from tests.verification.lockstep.players import Players
from tests.verification.lockstep.scenarios import draw_start

MOST_DECISIONS = 300  # of one game
MOST_IDLE = 25  # of them while the Automas have nothing to draw
SCENARIOS_PER_SEED = 1_000_000  # so many starts a run can draw before it meets those of the next seed


@dataclass(frozen=True)
class Found:
    """A difference, and how to come to it."""

    start: Start
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


def play_game(seed: int, begin: Begin = begin_reference, start: Start | None = None) -> Played:
    """One game from the start, or from one that is drawn; it ends at the first difference."""
    start = start or draw_start(seed)
    twins, coverage, players = Twins(start, begin), Coverage(), Players(random.Random(f"players {seed}"))
    coverage.note_opening(twins.events)
    moves: list[str] = []
    idle = 0
    while not twins.difference and not twins.game.done and len(moves) < MOST_DECISIONS and idle < MOST_IDLE:
        idle += any(event["kind"] == "no_contract" for event in twins.events)
        coverage.note_decision(twins.game)
        moves.append(players.choose(twins.game))
        twins.step(moves[-1])
        coverage.note_step(twins.game, moves[-1], twins.events)
    found = [Found(start, moves, twins.difference)] if twins.difference else []
    met = Counter({what: int(count) for what, count in coverage.met.items()})  # plain numbers, for JSON
    return Played(games=1, deals=int("seed" in start), met=met, found=found)


def play_games(seeds: Sequence[int]) -> Played:
    """Several games one after the other."""
    total = Played()
    for seed in seeds:
        total.add(play_game(seed))
    return total
