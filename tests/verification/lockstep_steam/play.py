"""Random games of Steam in both engines, up to the first difference."""

import json
import random
from collections import Counter

from tests.verification.lockstep.played import Found, Played
from tests.verification.lockstep_steam.coverage import Coverage
from tests.verification.lockstep_steam.players import Players
from tests.verification.lockstep_steam.scenarios import draw_start
from tests.verification.lockstep_steam.twins import Begin, Start, Twins, begin_reference

MOST_DECISIONS = 200  # of one game


def play_game(seed: int, begin: Begin = begin_reference, start: Start | None = None) -> Played:
    """One game from the start, or from one that is drawn; it ends at the first difference."""
    start = start or draw_start(seed)
    deals = int("seed" in start)
    try:
        twins = Twins(start, begin)
    except ValueError:
        return Played(games=1, deals=deals, met=Counter({"scenario that both refuse": 1}))
    if twins.difference:
        return Played(games=1, deals=deals, found=[Found(start, [], twins.difference)])
    game, coverage = twins.kernels.game, Coverage()
    players = Players(random.Random(f"players {seed}"), game.seats)
    moves: list[str] = []
    while not twins.difference and not game.done and len(moves) < MOST_DECISIONS:
        legal = twins.legal
        coverage.note_decision(game, twins.state)
        moves.append(players.choose(game))
        twins.step(moves[-1])
        events = [event.to_dict() for event in game.events_since(game.num_steps - 1)]
        coverage.note_step(moves[-1], legal, events)
    found = [Found(start, moves, twins.difference)] if twins.difference else []
    met = Counter({what: int(count) for what, count in coverage.met.items()})  # plain numbers, for JSON
    return Played(games=1, deals=deals, met=met, found=found)


def tell_difference(found: Found) -> str:
    """What differs, and how to come to it."""
    return (
        f"difference {found.difference}\n  after the moves {list(found.moves)}\n  from {json.dumps(dict(found.start))}"
    )
