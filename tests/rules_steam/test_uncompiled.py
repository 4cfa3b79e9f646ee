"""The kernels of Steam do the same as plain Python as they do when they are compiled."""

import hashlib

import numpy as np

from steam_env.agents.thrifty import ThriftyAgent
from steam_env.core.jit import JIT_DISABLED
from steam_env.steam import Game, Rules
from tests.uncompiled import run_uncompiled

RULES = (Rules(map="mini", turns=3), Rules(map="mini", turns=2, start="auction", tiles="unlimited", towns_twice=True))
OFTEN = 25
PLAIN = "from tests.rules_steam.test_uncompiled import JIT_DISABLED, look; assert JIT_DISABLED; print(look())"


def look() -> str:
    """A hash of records, masks, reasons and observations of games."""
    digest = hashlib.sha256()
    for seed, rules in enumerate(RULES):
        game, agent, rng = Game(rules, seed), ThriftyAgent(), np.random.default_rng(seed)
        while not game.done:
            sensible = int(agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0])
            game.step(sensible if rng.random() < 0.6 else int(rng.choice(game.legal())))
            digest.update(game.record.tobytes() + game.mask.tobytes())
            if game.num_steps % OFTEN == 0:
                digest.update(game.observe(0).tobytes())
                digest.update(str([game.explain(action) for action in range(0, game.mask.size, 7)]).encode())
    return digest.hexdigest()


def test_kernels__of_steam_give_the_same_as_plain_python() -> None:
    assert not JIT_DISABLED
    assert run_uncompiled(PLAIN) == look()
