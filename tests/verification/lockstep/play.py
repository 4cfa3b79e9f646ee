"""Random games in both engines, up to the first difference."""

import random
from collections import Counter

from tests.verification.lockstep.compare import Begin, Start, Twins, begin_reference
from tests.verification.lockstep.coverage import Coverage
from tests.verification.lockstep.played import Found, Played
from tests.verification.lockstep.players import Players
from tests.verification.lockstep.scenarios import draw_start

MOST_DECISIONS = 300  # of one game
MOST_IDLE = 25  # of them while the Automas have nothing to draw


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
