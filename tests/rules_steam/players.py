"""Games of Steam that go on to late turns: sensible players who now and then do something at random."""

from collections.abc import Iterator

import numpy as np

from steam_env.agents.thrifty import ThriftyAgent
from steam_env.steam import Game, Rules

KINDS = (
    {"map": "mini"},
    {"map": "mini", "tiles": "unlimited", "towns_twice": True},
    {"map": "great_lakes", "num_players": 4, "income_max": "none"},
    {"map": "rhineland", "num_players": 5, "start": "auction"},
    {"map": "rhineland", "num_players": 3, "bankruptcy": "forgiven"},
    {"map": "mini", "num_players": 4, "income_max": 3, "turns": 4},
)
SHARE = 0.15  # of random decisions


def walk(number: int, share: float = SHARE) -> Iterator[Game]:
    """A game decision by decision, the end too: one object. Its kind is one after the other of ``KINDS``."""
    game = Game(Rules(**KINDS[number % len(KINDS)]), seed=number)  # type: ignore[arg-type]
    agent, rng = ThriftyAgent(), np.random.default_rng(number)
    agent.reset(number)
    while not game.done:
        yield game
        if rng.random() < share:
            game.step(int(rng.choice(game.legal())))
        else:
            game.step(int(agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0]))
    yield game
