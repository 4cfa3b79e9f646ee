"""Kernels over many games against what they say: who decides, who waits, what is picked, what a contract costs."""

import numpy as np
import pytest

from steam_env import GameBatch, Rules
from steam_env.core.fields import NONE
from steam_env.core.jit import kernel
from steam_env.core.movers import find_forced, keep_waiting, note_movers
from steam_env.core.sampling import pick_legal
from steam_env.core.spans import copy_span
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.carriage import contract_cost, listed_cost, survey
from steam_env.core.steam_power.state import new_work


def test_forced__is_the_only_legal_action() -> None:
    masks = np.zeros((3, 5), np.bool_)
    masks[1, 3] = True
    masks[2, [0, 4]] = True
    assert [find_forced(mask) for mask in masks] == [NONE, 3, NONE]


@kernel
def copy_each(sources: np.ndarray, out: np.ndarray, count: int) -> None:
    """Copy so many bytes of each source, one after the other, from the first place on."""
    for number in range(len(sources)):
        copy_span(sources[number], out, 1 + number * count, count)


@pytest.mark.parametrize("count", [0, 1, 2, 33])
def test_spans__are_copied_as_far_as_said(count: int) -> None:
    sources = np.arange(1, 67, dtype=np.uint8).reshape(2, 33)
    out = np.zeros(80, np.uint8)
    copy_each(sources, out, count)
    wanted = [0, *sources[0, :count].tolist(), *sources[1, :count].tolist(), *[0] * (79 - 2 * count)]
    assert out.tolist() == wanted


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


def test_picks__are_uniform_over_the_legal_actions() -> None:
    """The same fraction picks what counting through the row picks."""
    rng = np.random.default_rng(6)
    masks = np.zeros((400, NUM_ACTIONS), np.bool_)
    for row, legal in zip(masks, rng.integers(1, NUM_ACTIONS + 1, len(masks)), strict=True):
        row[rng.permutation(NUM_ACTIONS)[: legal if legal % 2 else 1 + legal % 9]] = True
    fractions = rng.random(len(masks))
    fractions[:2] = 0.0, np.nextafter(1.0, 0.0)
    actions = np.empty(len(masks), np.int64)
    pick_legal(masks, fractions, actions)
    wanted = [np.flatnonzero(row)[int(part * row.sum())] for row, part in zip(masks, fractions, strict=True)]
    assert actions.tolist() == wanted


@pytest.mark.parametrize("rules", [Rules(map="mini", num_players=5), Rules(num_players=4, automas=2)], ids=str)
def test_price_lists__say_what_a_contract_costs(rules: Rules) -> None:
    """What masks look up in a list is what agents ask for contract by contract."""
    batch, rng, work = GameBatch(rules, 8, seed=4), np.random.default_rng(4), new_work()[0]
    board, deck = batch.setting.boards[0], batch.setting.decks[0]
    for step in range(360):
        if step % 9 == 0:
            game = batch.records[int(rng.integers(8))]
            survey(game, board, work, max(int(game.seat), 0))
            for contract in range(deck.num_contracts):
                assert listed_cost(deck, work, contract) == contract_cost(deck, work, contract)
        batch.step(batch.sample_legal(rng))
        batch.reset(batch.done)
