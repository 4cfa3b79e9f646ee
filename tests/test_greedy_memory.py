"""What greedy remembers of ways changes no choice, and each thing that ways depend on is part of what it goes by."""

from typing import Any

import numpy as np
import pytest

from steam_env.agents.greedy import choose_all, compile_greedy
from steam_env.agents.greedy_memory import MEMORY
from steam_env.agents.greedy_plan import PLAN, WEIGHTS, Weights
from steam_env.core.steam_power.state import new_work
from steam_env.data.steam_power.rules import Rules
from steam_env.table.batch import GameBatch


def choose(
    records: np.ndarray, batch: GameBatch, masks: np.ndarray, plans: np.ndarray, weights: Weights = WEIGHTS
) -> np.ndarray:
    """Greedy's choices with this memory."""
    compile_greedy()
    boards, decks = batch.setting.statics
    actions = np.empty(len(records), np.int64)
    choose_all(records, boards, decks, new_work()[0], plans, masks, weights, actions)
    return actions


def play(rules: Any, seed: int, steps: int, stray: float) -> GameBatch:
    """Games some way on, in which greedy strays from its choice now and then."""
    batch, rng = GameBatch(rules, 24, seed=seed), np.random.default_rng(seed)
    for _ in range(steps):
        actions = choose(batch.records, batch, batch.mask, np.zeros(1, PLAN))
        strays = rng.random(len(actions)) < stray
        batch.step(np.where(strays, batch.sample_legal(rng), actions))
    return batch


@pytest.mark.parametrize("seats", [2, 5])
@pytest.mark.parametrize("maps", ["midwest", "gen-v1:train"])
def test_choices_are_the_same_with_a_memory_that_many_games_have_filled(maps: str, seats: int) -> None:
    rules = Rules(num_players=seats, map=maps, contracts="standard" if maps == "midwest" else maps)
    batch, rng = GameBatch(rules, 24, seed=5), np.random.default_rng(5)
    for _ in range(160):
        open_ = np.flatnonzero(~batch.done & (batch.mask.sum(axis=1) > 1))
        records, masks = batch.records[open_].copy(), batch.mask[open_]
        forgetful = np.array(
            [choose(records[i : i + 1], batch, masks[i : i + 1], np.zeros(1, PLAN))[0] for i in range(len(open_))]
        )
        assert (choose(records, batch, masks, MEMORY.plans) == forgetful).all()
        assert (choose(records, batch, masks, MEMORY.plans) == forgetful).all()  # as it is kept now
        actions = batch.sample_legal(rng)
        actions[open_[::2]] = forgetful[::2]
        batch.step(actions)
