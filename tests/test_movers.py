"""Who decides in many games, and which games wait for somebody else: kernels against what they say."""

import numpy as np
import pytest

from steam_env import GameBatch, Rules
from steam_env.core.fields import NONE
from steam_env.core.movers import find_forced, keep_waiting, note_movers


def test_forced__is_the_only_legal_action() -> None:
    masks = np.zeros((3, 5), np.bool_)
    masks[1, 3] = True
    masks[2, [0, 4]] = True
    assert [find_forced(mask) for mask in masks] == [NONE, 3, NONE]


@pytest.mark.parametrize("skips_forced", [False, True])
@pytest.mark.parametrize("mode", ["multiplayer", "solo"])
def test_movers__are_those_of_the_batch(mode: str, skips_forced: bool) -> None:
    rules = Rules(map="mini", contracts="mini", mode=mode, num_players=1 if mode == "solo" else 2, max_rounds=4)
    batch, rng = GameBatch(rules, 40, seed=1), np.random.default_rng(1)
    movers, forced = np.full(40, 7), np.full(40, 7)
    rows = np.arange(0, 40, 2)
    met = set()
    for _ in range(300):
        batch.step(batch.sample_legal(rng))
        note_movers(batch.records, batch.mask, rows, mode == "solo", skips_forced, movers, forced)
        seats, only = batch.seats[rows], (batch.mask[rows].sum(1) == 1) & ~batch.done[rows]
        assert movers[rows].tolist() == (np.minimum(seats, 0) if mode == "solo" else seats).tolist()
        wanted = np.where(only & skips_forced, batch.mask[rows].argmax(1), NONE)
        assert forced[rows].tolist() == wanted.tolist()
        met |= {"over"} if batch.done[rows].any() else set()
        met |= {"forced"} if only.any() else set()
    assert met == {"over", "forced"}
    assert set(movers[1::2]) == set(forced[1::2]) == {7}  # games that were not named


def test_waiting__are_games_that_go_on_and_ask_others_or_nobody() -> None:
    movers, forced = np.array([NONE, 0, 1, 0, 1]), np.array([NONE, NONE, NONE, 5, 5])
    rows = np.array([4, 0, 1, 2, 3])
    kept = keep_waiting(rows, movers, forced, np.zeros(5, np.int64))
    assert rows[:kept].tolist() == [4, 2, 3]
