"""``GameBatch``: the same games as ``Game``, many in step."""

import copy
import operator
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, IllegalActionError, Rules
from steam_env.core.steam_power.state import GAME
from steam_env.spec import find_spec

MINI = Rules(num_players=3, map="mini", contracts="mini", max_rounds=12)
SHORT = Rules(map="mini", contracts="mini", max_rounds=1)


def random_steps(batch: GameBatch, steps: int = 1000, seed: int = 0) -> GameBatch:
    """So many random actions in each game, or all to the end."""
    rng = np.random.default_rng(seed)
    while steps and not batch.done.all():
        batch.step(batch.sample_legal(rng))
        steps -= 1
    return batch


def state(batch: GameBatch) -> tuple[bytes, bytes, bytes]:
    return batch.records.tobytes(), batch.mask.tobytes(), batch.rewards.tobytes()


def assert_dealt(batch: GameBatch) -> None:
    """Each game is as its seed deals it."""
    for index, seed in enumerate(batch.seeds):
        game = Game(batch.rules, seed=int(seed))
        assert batch.records[index].tobytes() == game.record.tobytes()
        assert batch.mask[index].tobytes() == game.mask.tobytes()


# --- the same games ----------------------------------------------------------------------------------


def test_batch__shapes_and_types() -> None:
    batch = GameBatch(MINI, 4, seed=1)
    assert (len(batch), batch.records.dtype, batch.records.shape) == (4, GAME, (4,))
    assert (batch.mask.shape, batch.rewards.shape) == ((4, 372), (4, 3))
    assert batch.seats.shape == batch.done.shape == batch.truncated.shape == (4,)
    assert batch.mask.dtype == batch.done.dtype == batch.truncated.dtype == np.bool_
    assert batch.records["money"].base is not None  # a view over all games


def test_batch__mask_rewards_and_records_stay_the_same_arrays() -> None:
    batch = GameBatch(MINI, 4, seed=1)
    arrays = batch.mask, batch.rewards, batch.records
    random_steps(batch, 10)
    batch.reset(seed=3)
    assert all(map(operator.is_, (batch.mask, batch.rewards, batch.records), arrays))


# --- seeds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [7, [5, 1, 5], np.array([5, 1, 5], np.uint16), None], ids=str)
def test_seeds__are_told_and_fix_each_game(seed: Any) -> None:
    batch = GameBatch(MINI, 3, seed=seed)
    assert batch.seeds.dtype == np.int64
    if seed is not None:
        assert batch.seeds.tolist() == ([7, 8, 9] if isinstance(seed, int) else [5, 1, 5])
    assert_dealt(batch)


def test_seeds__none_draws_other_games_each_time() -> None:
    assert len({record.tobytes() for _ in range(2) for record in GameBatch(MINI, 3).records}) == 6


# --- stepping ----------------------------------------------------------------------------------------


def test_step__a_finished_game_keeps_its_position_pays_nothing_and_offers_money_only() -> None:
    batch = GameBatch(Rules(map="mini", contracts="mini", max_rounds=3), 8, seed=1)
    rng = np.random.default_rng(1)
    while not batch.done.any():
        batch.step(batch.sample_legal(rng))
    assert not batch.done.all()
    while True:
        done, records = batch.done.copy(), batch.records.copy()
        actions = batch.sample_legal(rng)
        actions[done] = np.resize([371, -5, 400, 10**12], done.sum())  # ignored
        batch.step(actions)
        assert batch.records[done].tobytes() == records[done].tobytes()
        assert not batch.rewards[done].any()
        assert (batch.mask[batch.done].sum(axis=1) == 1).all()
        assert batch.mask[batch.done, 0].all()
        assert (batch.seats[batch.done] == -1).all()
        if done.all():
            break


@pytest.mark.parametrize(("index", "action"), [(0, 371), (0, 2), (2, 2), (2, -1), (2, 372), (0, 10**9)])
def test_step__an_illegal_action_names_the_first_game_with_its_rule_and_changes_nothing(
    index: int, action: int
) -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 5)
    before = state(batch)
    actions = batch.sample_legal(np.random.default_rng(0))
    actions[index] = np.flatnonzero(~batch.mask[index])[-1] if action == 2 else action
    actions[2] = actions[index]
    rule = r".*\(rule 3\.1\)" if action in (2, 371) else ""
    with pytest.raises(IllegalActionError, match=f"game {index}: {rule}"):
        batch.step(actions)
    assert state(batch) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, list, tuple])
def test_step__takes_all_kinds_of_integers(kind: Callable[[Any], Any]) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    batch.step(kind([0, 0, 0]) if kind in (list, tuple) else np.zeros(3, kind))
    assert (batch.records["money"].sum(axis=1) == 18).all()


def test_sample_legal__is_legal_and_a_function_of_the_generator() -> None:
    batch = random_steps(GameBatch(MINI, 64, seed=1), 3)
    actions = batch.sample_legal(np.random.default_rng(5))
    assert batch.mask[np.arange(64), actions].all()
    assert np.array_equal(actions, batch.sample_legal(np.random.default_rng(5)))
    assert not np.array_equal(actions, batch.sample_legal(np.random.default_rng(6)))


def test_sample_legal__is_uniform() -> None:
    batch = GameBatch(MINI, 1, seed=1).tile(20_000)
    counts = np.bincount(batch.sample_legal(np.random.default_rng(0)), minlength=372)
    legal = batch.mask[0]
    expected = 20_000 / legal.sum()
    assert not counts[~legal].any()
    freedom = int(legal.sum()) - 1
    assert ((counts[legal] - expected) ** 2 / expected).sum() < freedom + 5 * (2 * freedom) ** 0.5


# --- reset -------------------------------------------------------------------------------------------


def test_reset__where_and_seed() -> None:
    batch = random_steps(GameBatch(MINI, 4, seed=1), 20)
    before = batch.records.copy()
    batch.reset(np.array([False, True, False, True]), seed=50)
    assert batch.seeds.tolist() == [1, 51, 3, 53]
    assert batch.records[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    batch.reset([True, False, True, False], seed=[5, 6, 7, 8])
    assert batch.seeds.tolist() == [5, 51, 7, 53]
    assert_dealt(batch)
    batch.reset(np.zeros(4, np.bool_))
    assert batch.seeds.tolist() == [5, 51, 7, 53]
    assert_dealt(batch)


def test_reset__everything_is_the_default() -> None:
    batch = random_steps(GameBatch(SHORT, 3, seed=1))
    batch.reset(seed=1)
    assert state(batch) == state(GameBatch(SHORT, 3, seed=1))
    assert not batch.done.any()


def test_reset__leaves_rewards_of_games_that_are_not_reset() -> None:
    batch = GameBatch(SHORT, 2, seed=1)
    while not batch.done.any():
        batch.step(np.zeros(2, np.int64))
    assert batch.done.all()
    batch.rewards[:] = 7
    batch.reset([True, False], seed=3)
    assert batch.rewards.tolist() == [[0, 0], [7, 7]]


def test_reset__without_a_seed_draws_from_the_master_stream() -> None:
    batch, twin, other = (GameBatch(MINI, 3, seed=seed) for seed in (9, 9, 10))
    seen: set[int] = set()
    for _ in range(3):
        for one in (batch, twin, other):
            one.reset()
        assert state(batch) == state(twin)
        assert_dealt(batch)
        seen |= {*batch.seeds.tolist(), *other.seeds.tolist()}
    assert len(seen) == 18


# --- copies and search -------------------------------------------------------------------------------


COPIES: dict[str, Callable[[GameBatch], GameBatch]] = {
    "clone": lambda batch: batch.clone(),
    "out": lambda batch: batch.clone(out=random_steps(batch.clone(), 7)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


@pytest.mark.parametrize("kind", COPIES)
def test_copies__have_the_same_future_and_are_independent(kind: str) -> None:
    batch = random_steps(GameBatch(MINI, 5, seed=1), 30)
    twin = COPIES[kind](batch)
    assert state(twin) == state(batch)
    assert twin.seeds.tolist() == batch.seeds.tolist()
    before = state(batch)
    random_steps(twin, 40, seed=4)
    assert state(batch) == before
    random_steps(batch, 40, seed=4)
    assert state(twin) == state(batch)
    for one in (batch, twin):
        one.reset()  # the master stream is copied too
    assert state(twin) == state(batch)


def test_clone__into_another_batch_keeps_its_arrays() -> None:
    batch = random_steps(GameBatch(MINI, 5, seed=1), 30)
    out = batch.clone()
    arrays = out.records, out.mask, out.rewards
    random_steps(batch, 3)
    assert batch.clone(out=out) is out
    assert state(out) == state(batch)
    assert all(map(operator.is_, (out.records, out.mask, out.rewards), arrays))


def test_from_records__plays_on_from_any_positions() -> None:
    batch = random_steps(GameBatch(MINI, 6, seed=1), 25)
    records = batch.records[[4, 0, 4]].copy()
    search = GameBatch.from_records(records, MINI)
    assert search.records.tobytes() == records.tobytes()
    assert search.mask.tobytes() == batch.mask[[4, 0, 4]].tobytes()
    random_steps(search, 5)
    assert records.tobytes() == batch.records[[4, 0, 4]].tobytes()  # copied, both ways
    assert search.records[0].tobytes() != records[0].tobytes()


def test_tile__repeats_each_game_with_the_same_future() -> None:
    batch = random_steps(GameBatch(MINI, 2, seed=1), 20)
    tiled = batch.tile(3)
    for _ in range(2):
        assert tiled.records.tobytes() == np.repeat(batch.records, 3).tobytes()
        assert tiled.mask.tobytes() == np.repeat(batch.mask, 3, axis=0).tobytes()
        actions = batch.sample_legal(np.random.default_rng(0))
        batch.step(actions)
        tiled.step(np.repeat(actions, 3))


def test_game__is_an_independent_copy() -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 20)
    before = state(batch)
    game = batch.game(1)
    assert game.record.tobytes() == batch.records[1].tobytes()
    game.step(game.legal()[0])
    assert state(batch) == before


# --- observations and redeals ------------------------------------------------------------------------


def test_redeal__is_the_games_redeal_and_looking_changes_nothing() -> None:
    batch = random_steps(GameBatch(MINI, 6, seed=1), 25)
    before = state(batch)
    seats = np.array([0, 1, 2, 0, 1, 2])
    redealt = batch.redeal(seats, np.arange(6) + 10)
    for index in range(6):
        expected = batch.game(index).redeal(int(seats[index]), 10 + index)
        assert redealt.records[index].tobytes() == expected.record.tobytes()
        assert redealt.mask[index].tobytes() == expected.mask.tobytes()
    assert np.array_equal(redealt.observe(seats=seats), batch.observe(seats=seats))
    assert redealt.views(seats).records.tobytes() == batch.views(seats).records.tobytes()
    random_steps(redealt, 30)
    assert state(batch) == before


# --- rewards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_rewards__are_paid_once_at_the_end(reward: str) -> None:
    """Examples of shared wins and of each seat at the end are in the contract of the environments."""
    batch = GameBatch(Rules(num_players=3, map="mini", max_rounds=2), 12, seed=1, reward=reward)
    rng, paid = np.random.default_rng(0), np.zeros((12, 3))
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
        paid += batch.rewards
    for index in range(12):
        game = batch.game(index)
        points, winners = np.array([score["total"] for score in game.scores()]), game.winners()
        lost = 3 - len(winners)
        expected = {
            "win": [(1 / len(winners) if seat in winners else -1 / lost) if lost else 0 for seat in range(3)],
            "margin": (points - (points.sum() - points) / 2) / find_spec().facts.reward_scale,
            "score": points / find_spec().facts.reward_scale,
        }
        assert paid[index] == pytest.approx(np.array(expected[reward]))


def test_rewards__a_function_gets_the_ended_records_and_the_rules() -> None:
    calls = Counter[int]()

    def money_left(records: np.ndarray, rules: Rules) -> np.ndarray:
        assert (records["seat"] == -1).all()
        calls[len(records)] += 1
        return records["money"][:, : rules.seats].astype(np.float64)

    batch = GameBatch(SHORT, 3, seed=1, reward=money_left)
    random_steps(batch)
    assert sum(count * times for count, times in calls.items()) == 3
    batch.reset(seed=1)
    while not batch.done.any():
        batch.step(np.zeros(3, np.int64))
    assert batch.rewards.tolist() == batch.records["money"][:, :2].tolist()


# --- what is refused ---------------------------------------------------------------------------------


def locked(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


BAD_SEEDS = (-1, 2**63, 1.5, True, "1", [1, 2], [1, -2, 3], [1.0, 2.0, 3.0], [2**64, 1, 2], [[1], [2, 3], []])
BAD_ARRAYS = (np.zeros((3, 1), int), np.array([2**63, 1, 2], np.uint64))
BAD_ACTIONS = ([0, 0], [0, 0, 0, 0], 0, [[0, 0, 0]], [0.0] * 3, [True, False, False], ["money"] * 3, [None] * 3, [])
SEATS, SEEDS = [0, 1, 2], [1, 2, 3]
CALLS: dict[str, Callable[..., object]] = {
    "new": lambda batch, **given: GameBatch(**{"rules": MINI, "num_games": 3, "seed": 1, **given}),
    "from_records": lambda batch, records: GameBatch.from_records(records, MINI),
    **{name: getattr(GameBatch, name) for name in ("step", "reset", "clone", "tile", "game", "observe", "redeal")},
}
REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    *[("new", {"num_games": n}, "num_games=.*allowed") for n in (0, -1, 2**24 + 1, 10**18, 10**5000)],
    *[("new", {"num_games": n}, "num_games must be an integer") for n in (1.5, True, None, "3")],
    *[("new", {"seed": seed}, "seed") for seed in (*BAD_SEEDS, *BAD_ARRAYS, 2**63 - 1)],
    *[("new", {"reward": reward}, "reward") for reward in ("victory", 3, "")],
    ("new", {"rules": Rules(num_players=5, contracts="mini")}, "contracts"),
    *[
        ("from_records", {"records": records}, "records")
        for records in (None, np.zeros(3), np.zeros((2, 2), GAME), SEEDS)
    ],
    *[("step", {"actions": actions}, "3 (integers|values)") for actions in (*BAD_ACTIONS, [[0], [0, 0], []])],
    *[("reset", {"seed": seed}, "seed") for seed in (*BAD_SEEDS, *BAD_ARRAYS)],
    *[
        ("reset", {"where": w, "seed": 2}, "where")
        for w in ([True], [1, 0, 1], [[True] * 3], [0.0, 1.0, 1.0], "all", 1)
    ],
    ("clone", {"out": lambda _: GameBatch(MINI, 4, seed=1)}, "out"),
    ("clone", {"out": lambda _: GameBatch(SHORT, 3, seed=1)}, "out"),
    *[("tile", {"k": k}, "k=.*allowed") for k in (0, -1, 2**24 + 1, 10**18, 10**5000)],
    *[("tile", {"k": k}, "k must be an integer") for k in (1.0, True)],
    *[("game", {"index": index}, "index") for index in (3, -1, True, None)],
    ("observe", {"encoding": "braille"}, "encoding"),
    ("observe", {"out": lambda batch: batch.observe()[:2]}, "out"),
    ("observe", {"out": lambda batch: batch.observe().astype(np.float64)}, "out"),
    ("observe", {"out": lambda batch: locked(batch.observe())}, "writable"),
    *[("redeal", {"seats": s, "seeds": SEEDS}, "seats") for s in ([0, 1], [0, 1, 3], [0, 1, -2], [0.0, 1.0, 2.0])],
    *[("redeal", {"seats": SEATS, "seeds": seeds}, "seeds") for seeds in (*BAD_SEEDS[5:], *BAD_ARRAYS)],
]


@pytest.mark.parametrize(("call", "given", "named"), REFUSALS)
def test_refusals__name_the_argument_and_change_nothing(call: str, given: dict[str, Any], named: str) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = state(batch)
    with pytest.raises(IllegalActionError if call == "step" else ValueError, match=named):
        CALLS[call](batch, **{name: value(batch) if callable(value) else value for name, value in given.items()})
    assert state(batch) == before
