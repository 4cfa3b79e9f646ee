"""The cost of late rounds, by which learners unlearn to play on for ever. Needs the extra `train`."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from steam_env import GameBatch, Rules
from steam_env.table.rewards import WinAndMargin
from steam_env.training.clock import Clock
from steam_env.training.config import TrainConfig
from steam_env.training.league import League
from steam_env.training.learner import open_games


def test_every_seat_pays_for_rounds_that_come_late() -> None:
    batch = GameBatch(Rules(map="mini", contracts="mini"), 4, seed=1)
    batch.records["round_number"] = 1, 30, 31, 100
    costs = WinAndMargin(0.5, 0.0).count(batch.records, batch.setting) - WinAndMargin(0.5, 0.0, 0.01, 30).count(
        batch.records, batch.setting
    )
    np.testing.assert_allclose(costs, [[0.0] * 2, [0.0] * 2, [0.01] * 2, [0.7] * 2], atol=1e-12)


def play(late_cost: float) -> tuple[np.ndarray, np.ndarray]:
    """What games of four rounds at most pay, and which have ended, (steps, games)."""
    rules = (("map", "mini"), ("contracts", "mini"), ("max_rounds", 4))
    config = TrainConfig(tables=("random",), rules=rules, games=12, late_cost=late_cost, late_round=1)
    games = open_games(config, League(1, 0.5, seed=1, encoding="flat"), Clock())
    games.seed(1)
    games.reset()
    rng = np.random.default_rng(1)
    paid, ended = [], []
    for _ in range(40):
        _, rewards, dones, _ = games.step([rng.choice(np.flatnonzero(mask)) for mask in games.action_masks()])
        paid.append(rewards.copy())
        ended.append(dones.copy())
    return np.array(paid), np.array(ended)


def test_a_learner_pays_for_late_rounds_when_its_game_ends() -> None:
    (free, ended), (costly, same) = play(0.0), play(0.25)
    np.testing.assert_array_equal(ended, same)
    assert ended.any(0).all()
    np.testing.assert_allclose(free - costly, np.where(ended, 0.25 * 3, 0.0), atol=1e-6)
