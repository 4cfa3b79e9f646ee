"""``GameBatch``: the same games as ``Game``, many in step."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, IllegalActionError, Rules
from steam_env.core.steam_power.state import GAME

MINI = Rules(num_players=3, map="mini", contracts="mini", max_rounds=12)
SHORT = Rules(map="mini", contracts="mini", max_rounds=1)


def random_steps(batch: GameBatch, steps: int, seed: int = 0) -> GameBatch:
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch


def finish(batch: GameBatch, seed: int = 0) -> GameBatch:
    rng = np.random.default_rng(seed)
    while not batch.done.all():
        batch.step(batch.sample_legal(rng))
    return batch


def state(batch: GameBatch) -> tuple[bytes, bytes, bytes]:
    return batch.records.tobytes(), batch.mask.tobytes(), batch.rewards.tobytes()


# --- the same games ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        MINI,
        Rules(map="mini", contracts="mini", edition="preview", max_rounds=8),
        Rules(num_players=5, routing="cheapest", max_rounds=4),
    ],
    ids=lambda rules: f"{rules.num_players} {rules.edition} {rules.routing}",
)
def test_batch__game_i_is_the_game_with_seed_s_plus_i_step_for_step(rules: Rules) -> None:
    batch = GameBatch(rules, 6, seed=100)
    games = [Game(rules, seed=100 + index) for index in range(6)]
    rng = np.random.default_rng(3)
    while True:
        for index, game in enumerate(games):
            assert batch.records[index].tobytes() == game.record.tobytes()
            assert batch.seats[index] == game.seat
            assert batch.done[index] == game.done
            assert batch.truncated[index] == game.truncated
            if not game.done:
                assert batch.mask[index].tobytes() == game.mask.tobytes()
        if batch.done.all():
            break
        actions = batch.sample_legal(rng)
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.done:
                game.step(int(action))
    scores, winners = batch.scores()
    for index, game in enumerate(games):
        assert scores[index].tolist() == [list(score.values()) for score in game.scores()]
        assert np.flatnonzero(winners[index]).tolist() == game.winners()


def test_batch__shapes_and_types() -> None:
    batch = GameBatch(MINI, 4, seed=1)
    assert (len(batch), batch.records.dtype, batch.records.shape) == (4, GAME, (4,))
    assert (batch.mask.shape, batch.mask.dtype) == ((4, 372), np.bool_)
    assert (batch.rewards.shape, batch.seats.shape, batch.done.shape, batch.truncated.shape) == (
        (4, 3),
        (4,),
        (4,),
        (4,),
    )
    assert batch.done.dtype == batch.truncated.dtype == np.bool_
    assert batch.records["money"].base is not None  # a view over all games


def test_batch__mask_rewards_and_records_stay_the_same_arrays() -> None:
    batch = GameBatch(MINI, 4, seed=1)
    arrays = batch.mask, batch.rewards, batch.records
    random_steps(batch, 10)
    batch.reset(seed=3)
    assert (batch.mask is arrays[0], batch.rewards is arrays[1], batch.records is arrays[2]) == (True, True, True)


@pytest.mark.parametrize("count", [0, -1, 1.5, True, None, "3"])
def test_batch__bad_numbers_of_games(count: object) -> None:
    with pytest.raises(ValueError, match="num_games"):
        GameBatch(MINI, count, seed=1)  # type: ignore[arg-type]


def test_batch__a_deck_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="contracts"):
        GameBatch(Rules(num_players=5, contracts="mini"), 2)


# --- seeds -------------------------------------------------------------------------------------------


def test_seeds__are_told() -> None:
    assert GameBatch(MINI, 3, seed=7).seeds.tolist() == [7, 8, 9]
    assert GameBatch(MINI, 3, seed=[5, 1, 5]).seeds.tolist() == [5, 1, 5]
    assert GameBatch(MINI, 3, seed=np.array([5, 1, 2])).seeds.dtype == np.int64


def test_seeds__an_array_gives_each_game_its_own() -> None:
    batch = GameBatch(MINI, 3, seed=np.array([5, 1, 5], np.uint16))
    for index, seed in enumerate((5, 1, 5)):
        assert batch.records[index].tobytes() == Game(MINI, seed=seed).record.tobytes()


def test_seeds__none_draws_other_games_each_time() -> None:
    batches = [GameBatch(MINI, 3) for _ in range(2)]
    assert len({record.tobytes() for batch in batches for record in batch.records}) == 6
    for index, seed in enumerate(batches[0].seeds):
        assert Game(MINI, seed=int(seed)).record.tobytes() == batches[0].records[index].tobytes()


@pytest.mark.parametrize(
    "seed", [-1, 2**63, 2**63 - 1, 1.5, True, "1", [1, 2], [1, -2, 3], [1.0, 2.0, 3.0], np.zeros((3, 1), int)], ids=repr
)
def test_seeds__bad_ones(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        GameBatch(MINI, 3, seed=seed)


# --- stepping ----------------------------------------------------------------------------------------


def test_step__a_finished_game_keeps_its_position_pays_nothing_and_offers_money_only() -> None:
    batch = GameBatch(Rules(map="mini", contracts="mini", max_rounds=3), 8, seed=1)
    rng = np.random.default_rng(1)
    only_money = np.zeros(372, np.bool_)
    only_money[0] = True
    seen_mixed = False
    while not batch.done.all():
        done, records = batch.done.copy(), batch.records.copy()
        batch.step(batch.sample_legal(rng))
        seen_mixed |= bool(done.any())
        assert batch.records[done].tobytes() == records[done].tobytes()
        assert (batch.rewards[done] == 0).all()
        assert (batch.mask[batch.done] == only_money).all()
        assert batch.mask.any(axis=1).all()
        assert (batch.seats[batch.done] == -1).all()
    assert seen_mixed
    before = batch.records.tobytes()
    batch.step(np.array([371, -5, 0, 1, 2, 3, 400, 10**12]))  # ignored
    assert batch.records.tobytes() == before
    assert not batch.rewards.any()


def test_step__rewards_come_once_with_the_last_action() -> None:
    batch = GameBatch(Rules(map="mini", contracts="mini", max_rounds=3), 16, seed=1)
    rng = np.random.default_rng(1)
    total = np.zeros_like(batch.rewards)
    while not batch.done.all():
        done = batch.done.copy()
        batch.step(batch.sample_legal(rng))
        total += batch.rewards
        assert not batch.rewards[~batch.done | done].any()
    _, winners = batch.scores()
    tied = winners.all(axis=1)
    assert np.array_equal(total, np.where(tied[:, None], 0.0, np.where(winners, 1.0, -1.0)))
    assert set(batch.truncated.tolist()) == {True}


@pytest.mark.parametrize("index", [0, 2])
@pytest.mark.parametrize("action", [371, 2, -1, 372, 10**9])
def test_step__an_illegal_action_names_the_game_and_changes_nothing(index: int, action: int) -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 5)
    before = state(batch)
    actions = batch.sample_legal(np.random.default_rng(0))
    if action == 2:
        action = int(np.flatnonzero(~batch.mask[index])[-1])
    actions[index] = action
    with pytest.raises(IllegalActionError, match=f"game {index}: "):
        batch.step(actions)
    assert state(batch) == before


def test_step__the_first_of_several_illegal_actions_is_named_with_its_rule() -> None:
    batch = GameBatch(MINI, 3, seed=1)
    with pytest.raises(IllegalActionError, match=r"game 1: .*\(rule 3\.1\)"):
        batch.step([0, 371, 371])


@pytest.mark.parametrize(
    "actions",
    [[0, 0], [0, 0, 0, 0], 0, [[0, 0, 0]], [0.0, 0.0, 0.0], [True, False, False], ["money"] * 3, [None] * 3, []],
    ids=repr,
)
def test_step__actions_of_a_wrong_shape_or_type(actions: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = state(batch)
    with pytest.raises(IllegalActionError, match="3 integers"):
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
    assert batch.records[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    for index in (1, 3):
        game = Game(MINI, seed=50 + index)
        assert batch.records[index].tobytes() == game.record.tobytes()
        assert batch.mask[index].tobytes() == game.mask.tobytes()
    assert batch.seeds.tolist() == [1, 51, 3, 53]


def test_reset__everything_is_the_default() -> None:
    batch = finish(GameBatch(SHORT, 3, seed=1))
    batch.reset(seed=1)
    fresh = GameBatch(SHORT, 3, seed=1)
    assert state(batch) == state(fresh)
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
    batches = [GameBatch(MINI, 3, seed=9) for _ in range(2)]
    seen = set()
    for _ in range(3):
        for batch in batches:
            batch.reset()
        assert batches[0].seeds.tolist() == batches[1].seeds.tolist()
        assert state(batches[0]) == state(batches[1])
        seen |= set(batches[0].seeds.tolist())
        for index, seed in enumerate(batches[0].seeds):
            assert batches[0].records[index].tobytes() == Game(MINI, seed=int(seed)).record.tobytes()
    assert len(seen) == 9
    other = GameBatch(MINI, 3, seed=10)
    other.reset()
    assert not set(other.seeds.tolist()) & seen


def test_reset__a_seed_for_each_game() -> None:
    batch = GameBatch(MINI, 3, seed=10)
    batch.reset([True, False, True], seed=[5, 6, 7])
    assert batch.seeds.tolist() == [5, 11, 7]
    for index, seed in enumerate((5, 11, 7)):
        assert batch.game(index).record == Game(MINI, seed=seed).record


def test_reset__nobody() -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 5)
    before = state(batch)
    batch.reset(np.zeros(3, np.bool_))
    assert (batch.records.tobytes(), batch.mask.tobytes()) == before[:2]
    assert batch.seeds.tolist() == [1, 2, 3]


@pytest.mark.parametrize("where", [[True], [1, 0, 1], [[True, True, True]], [0.0, 1.0, 1.0], "all", 1], ids=repr)
def test_reset__bad_where(where: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = state(batch)
    with pytest.raises(ValueError, match="where"):
        batch.reset(where, seed=2)
    assert state(batch) == before


@pytest.mark.parametrize("seed", [-1, 2**63, True, 1.5, "1"])
def test_reset__bad_seeds(seed: Any) -> None:
    batch = GameBatch(MINI, 3, seed=1)
    before = state(batch)
    with pytest.raises(ValueError, match="seed"):
        batch.reset(seed=seed)
    assert state(batch) == before


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
    assert (out.records is arrays[0], out.mask is arrays[1], out.rewards is arrays[2]) == (True, True, True)
    assert state(out) == state(batch)


def test_clone__into_a_batch_that_does_not_fit() -> None:
    batch = GameBatch(MINI, 5, seed=1)
    for out in (GameBatch(MINI, 4, seed=1), GameBatch(SHORT, 5, seed=1)):
        with pytest.raises(ValueError, match="out"):
            batch.clone(out=out)


def test_from_records__plays_on_from_any_positions() -> None:
    batch = random_steps(GameBatch(MINI, 6, seed=1), 25)
    records = batch.records[[4, 0, 4]].copy()
    search = GameBatch.from_records(records, MINI)
    assert search.records.tobytes() == records.tobytes()
    assert search.mask.tobytes() == batch.mask[[4, 0, 4]].tobytes()
    random_steps(search, 5)
    assert records.tobytes() == batch.records[[4, 0, 4]].tobytes()  # copied, both ways
    assert search.records[0].tobytes() != records[0].tobytes()


def test_from_records__finished_games() -> None:
    batch = finish(GameBatch(SHORT, 2, seed=1))
    search = GameBatch.from_records(batch.records, SHORT)
    assert search.done.all()
    assert search.mask.sum() == 2


def test_from_records__of_a_single_game_within_a_contract() -> None:
    batch = GameBatch(MINI, 1, seed=1)
    rng = np.random.default_rng(0)
    phases = set()
    while not batch.done[0]:
        game = batch.game(0)
        phases.add(game.phase)
        again = GameBatch.from_records(game.records, MINI)
        assert again.mask[0].tobytes() == batch.mask[0].tobytes()
        batch.step(batch.sample_legal(rng))
    assert {"action", "head", "track"} <= phases


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_seats", 4),
        ("seat", 3),
        ("phase", 99),
        ("deck_size", 17),
        ("place", 77),
        ("owner", 5),
        ("track", 15),
        ("color", 5),
    ],
)
def test_from_records__what_could_not_be_played_is_refused(field: str, value: int) -> None:
    records = GameBatch(MINI, 2, seed=1).records.copy()
    records[field][1] = value
    with pytest.raises(ValueError, match=field):
        GameBatch.from_records(records, MINI)


@pytest.mark.parametrize(
    "records", [None, np.zeros(3), np.zeros((2, 2), GAME), [1, 2]], ids=["none", "floats", "2d", "list"]
)
def test_from_records__no_records(records: Any) -> None:
    with pytest.raises(ValueError, match="records"):
        GameBatch.from_records(records, MINI)


def test_tile__repeats_each_game_with_the_same_future() -> None:
    batch = random_steps(GameBatch(MINI, 2, seed=1), 20)
    tiled = batch.tile(3)
    assert len(tiled) == 6
    for index in range(6):
        assert tiled.records[index].tobytes() == batch.records[index // 3].tobytes()
        assert tiled.mask[index].tobytes() == batch.mask[index // 3].tobytes()
    actions = batch.sample_legal(np.random.default_rng(0))
    batch.step(actions)
    tiled.step(np.repeat(actions, 3))
    assert tiled.records.tobytes() == np.repeat(batch.records, 3).tobytes()
    for bad in (0, -1, 1.0, True):
        with pytest.raises(ValueError, match="k"):
            batch.tile(bad)  # type: ignore[arg-type]


def test_game__is_an_independent_copy() -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 20)
    before = state(batch)
    game = batch.game(1)
    assert game.record.tobytes() == batch.records[1].tobytes()
    game.step(game.legal()[0])
    assert state(batch) == before
    for index in (3, -1, True, None):
        with pytest.raises(ValueError, match="index"):
            batch.game(index)  # type: ignore[arg-type]


# --- observations and redeals ------------------------------------------------------------------------


def test_observe__is_what_each_mover_observes() -> None:
    batch = random_steps(GameBatch(MINI, 5, seed=1), 25)
    rows = batch.observe()
    for index in range(5):
        game = batch.game(index)
        assert rows[index].tobytes() == game.observe(game.seat).tobytes()
    others = batch.observe(seats=np.full(5, 2))
    for index in range(5):
        assert others[index].tobytes() == batch.game(index).observe(2).tobytes()


def test_observe__writes_into_out() -> None:
    batch = random_steps(GameBatch(MINI, 5, seed=1), 25)
    out = np.full_like(batch.observe(), 9)
    assert batch.observe(out=out) is out
    assert out.tobytes() == batch.observe().tobytes()
    for bad in (np.zeros((4, out.shape[1]), out.dtype), np.zeros(out.shape, np.float64)):
        with pytest.raises(ValueError, match="out"):
            batch.observe(out=bad)
    with pytest.raises(ValueError, match="encoding"):
        batch.observe("braille")


def test_observe__rows_of_finished_games_are_zero() -> None:
    batch = finish(GameBatch(SHORT, 2, seed=1))
    out = np.full_like(batch.observe(), 9)
    assert not batch.observe(out=out).any()


def test_observe__changes_nothing() -> None:
    batch = random_steps(GameBatch(MINI, 3, seed=1), 25)
    before = state(batch)
    batch.observe()
    batch.views()
    batch.redeal(batch.seats, np.arange(3))
    assert state(batch) == before


def test_redeal__is_the_games_redeal() -> None:
    batch = random_steps(GameBatch(MINI, 6, seed=1), 25)
    seats = np.array([0, 1, 2, 0, 1, 2])
    redealt = batch.redeal(seats, np.arange(6) + 10)
    for index in range(6):
        expected = batch.game(index).redeal(int(seats[index]), 10 + index)
        assert redealt.records[index].tobytes() == expected.record.tobytes()
        assert redealt.mask[index].tobytes() == expected.mask.tobytes()
    assert np.array_equal(redealt.observe(seats=seats), batch.observe(seats=seats))
    random_steps(redealt, 30)


@pytest.mark.parametrize(
    ("seats", "seeds", "word"),
    [
        ([0, 1], [1, 2, 3], "seats"),
        ([0, 1, 3], [1, 2, 3], "seats"),
        ([0, 1, -2], [1, 2, 3], "seats"),
        ([0.0, 1.0, 2.0], [1, 2, 3], "seats"),
        ([0, 1, 2], [1, 2], "seeds"),
        ([0, 1, 2], [1, 2, -3], "seeds"),
        ([0, 1, 2], [1.0, 2.0, 3.0], "seeds"),
    ],
)
def test_redeal__bad_arguments(seats: Any, seeds: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        GameBatch(MINI, 3, seed=1).redeal(seats, seeds)


def test_views__sample_gives_redeals_of_each_game() -> None:
    batch = random_steps(GameBatch(MINI, 2, seed=1), 25)
    view = batch.views(np.array([1, 1]))
    sample = view.sample(4, seed=3)
    assert len(view) == 2
    assert len(sample) == 8
    for index in range(8):
        assert sample.game(index).hand(1) == batch.game(index // 4).hand(1)
    assert sample.records.tobytes() == view.sample(4, seed=3).records.tobytes()
    assert sample.records.tobytes() != view.sample(4, seed=4).records.tobytes()
    assert len({record.tobytes() for record in sample.records}) == 8


# --- rewards -----------------------------------------------------------------------------------------


def ends(money: list[int], reward: str) -> np.ndarray:
    """The rewards of a game that ends with this money, $3 more for the last seat, and nothing else."""
    seats = len(money)
    rules = Rules(num_players=seats, map="mini", max_rounds=1, first_player="player_0")
    batch = GameBatch(rules, 1, seed=1, reward=reward)
    for _ in range(2 * seats - 1):
        batch.step([0])
    batch.records["money"][0, :seats] = money
    batch.step([0])
    assert batch.done.all()
    return batch.rewards[0]


@pytest.mark.parametrize(
    ("money", "expected"),
    [
        ([50, 0], [1, -1]),
        ([0, 50], [-1, 1]),
        ([5, 2], [0, 0]),
        ([50, 0, 0], [1, -0.5, -0.5]),
        ([0, 0, 50], [-0.5, -0.5, 1]),
        ([50, 50, 0], [0.5, 0.5, -1]),
        ([0, 50, 52, 0], [-0.5, 0.5, 0.5, -0.5]),
        ([0, 0, 0, 0, 10], [-0.25, -0.25, -0.25, -0.25, 1]),
    ],
)
def test_rewards__win_is_shared_by_the_winners(money: list[int], expected: list[float]) -> None:
    rewards = ends(money, "win")
    assert rewards.tolist() == pytest.approx(expected)
    assert rewards.sum() == pytest.approx(0)


def test_rewards__margin_and_score() -> None:
    from steam_env.table.rewards import VP_SCALE

    points = np.array([10, 2, 0])  # $52, $10, $1 with the last $3
    assert ends([52, 10, 1], "score") * VP_SCALE == pytest.approx(points)
    others = (points.sum() - points) / 2
    assert ends([52, 10, 1], "margin") * VP_SCALE == pytest.approx(points - others)


def test_rewards__a_function_gets_the_ended_records_and_the_rules() -> None:
    calls = Counter[int]()

    def money_left(records: np.ndarray, rules: Rules) -> np.ndarray:
        assert (records["seat"] == -1).all()
        calls[len(records)] += 1
        return records["money"][:, : rules.seats].astype(np.float64)

    batch = GameBatch(SHORT, 3, seed=1, reward=money_left)
    finish(batch)
    assert sum(count * times for count, times in calls.items()) == 3
    batch.reset(seed=1)
    while not batch.done.any():
        batch.step(np.zeros(3, np.int64))
    assert batch.rewards.tolist() == batch.records["money"][:, :2].tolist()


@pytest.mark.parametrize("reward", ["victory", 3, ""])
def test_rewards__unknown_ones(reward: Any) -> None:
    with pytest.raises(ValueError, match="reward"):
        GameBatch(MINI, 1, seed=1, reward=reward)
