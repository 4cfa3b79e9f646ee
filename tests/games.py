"""Games to look at, played by greedy and random agents or by players of different tastes."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from steam_env import Game, GameBatch, Rules
from steam_env.agents import make_agent
from tests.verification.lockstep.scenarios import Players

MINI = {"map": "mini", "contracts": "mini"}
TABLES: dict[str, dict[str, Any]] = {
    "two": MINI,
    "five": {"map": "midwest", "num_players": 5},
    "automas": {"map": "mini", "num_players": 4, "automas": 2},
    "solo": {"map": "mini", "mode": "solo"},
    "preview": {"map": "alps", "num_players": 3, "edition": "preview"},
}


def mini(seed: int = 0, **more: Any) -> Game:
    return Game(Rules(**{**MINI, **more}), seed=seed)


def advance(game: Game, steps: int = 10_000, seed: int = 0) -> Game:
    """Play so many actions, or to the end."""
    players = Players(random.Random(seed))
    for _ in range(steps):
        if game.done:
            break
        game.step(players.choose(game))
    return game


def walk(rules: dict[str, Any], seed: int, greed: float = 0.6) -> Iterator[Game]:
    """A game decision by decision, by a mix of the first greedy, which stays as it is, and random play: one object."""
    game, agent, rng = Game(Rules(**rules), seed=seed), make_agent("greedy:v0"), np.random.default_rng(seed)
    agent.reset(seed)
    while not game.done:
        yield game
        greedy = rng.random() < greed
        chosen = agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0] if greedy else rng.choice(game.legal())
        game.step(int(chosen))
    yield game


def play(rules: dict[str, Any], seed: int, greed: float = 0.6) -> Game:
    *_, game = walk(rules, seed, greed)
    return game


def find(rules: dict[str, Any], wanted: Callable[[Game], bool], greed: float = 0.6) -> Game:
    """The first position like this."""
    return next(game for seed in range(40) for game in walk(rules, seed, greed) if wanted(game)).clone()


@cache
def samples() -> dict[str, list[Game]]:
    """Some positions of a game at each table, the first and the last among them."""
    return {name: [game.clone() for game in walk(rules, 7)][::12] for name, rules in TABLES.items()}


@cache
def find_busy() -> Game:
    """A position with coins, markers, a crossing, an incomplete link, flipped cities and discards."""

    def is_busy(game: Game) -> bool:
        if game.phase != "action" or "fulfil" not in " ".join(game.legal_text()):
            return False
        scene = game.scene()
        return (
            bool(scene.coins and scene.supply.discards)
            and any(segment.crossing for segment in scene.segments)
            and any(link.open_edge is not None for link in scene.links)
            and any(city.flipped for city in scene.cities)
        )

    return find({"map": "mini", "num_players": 3, "automas": 1}, is_busy)


def look(rules: Rules, count: int, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of the movers of random games."""
    batch, rng = GameBatch(rules, count, seed=3), np.random.default_rng(3)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch.observe(), batch.mask
