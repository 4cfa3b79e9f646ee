"""Threads that share a call: what comes out does not depend on how many they are."""

import pickle
import threading
from functools import partial
from typing import Any

import numpy as np
import pytest

from steam_env import GameBatch, Rules
from steam_env.core.jit import JIT_DISABLED
from steam_env.core.watch import watch
from steam_env.envs.vector import SteamVectorEnv
from steam_env.kit.threads import Background
from steam_env.table.sharing import LEAST_SHARE, MOST_THREADS, run_together, share
from tests.toy import Rules as ToyRules

GAMES = 3 * LEAST_SHARE + 5
RULES = {
    "players": Rules(num_players=3, map="mini", contracts="mini", max_rounds=6),
    "automa": Rules(num_players=2, automas=1, map="mini", contracts="mini", max_rounds=6),
    "another game": ToyRules(),
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_batch__plays_and_sees_the_same_with_any_number_of_threads(rules: Any, threads: int) -> None:
    one, many = GameBatch(rules, GAMES, seed=4), GameBatch(rules, GAMES, seed=4, threads=threads)
    rngs = [np.random.default_rng(9) for _ in range(2)]
    for _ in range(25):
        actions, same = (batch.sample_legal(rng) for batch, rng in zip((one, many), rngs, strict=True))
        assert np.array_equal(actions, same)
        one.step(actions)
        many.step(actions)
        for seen, again in ((one.mask, many.mask), (one.rewards, many.rewards), (one.observe(), many.observe())):
            assert np.array_equal(seen, again)
        assert one.records.tobytes() == many.records.tobytes()
        one.reset(one.done, seed=50)
        many.reset(many.done, seed=50)
    assert many.clone().threads == many.tile(2).threads == threads


def test_vector_env__plays_the_same_with_two_threads() -> None:
    options = {"map": "mini", "contracts": "mini", "max_rounds": 4, "encoding": "flat:tight"}
    envs = [SteamVectorEnv(2 * LEAST_SHARE, threads=threads, **options) for threads in (1, 2)]
    for env in envs:
        env.reset(seed=3)
    for _ in range(30):
        told = [env.step(env.sample_legal()) for env in envs]
        for mine, theirs in zip(told[0][:4], told[1][:4], strict=True):
            assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("threads", [0, -1, MOST_THREADS + 1, 1.5, True, "2"])
def test_threads__that_cannot_be_are_refused(threads: Any) -> None:
    with pytest.raises(ValueError, match="threads"):
        GameBatch(RULES["players"], 2, seed=1, threads=threads)
    with pytest.raises(ValueError, match="threads"):
        SteamVectorEnv(2, threads=threads)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_share__gives_each_thing_to_one_thread(threads: int) -> None:
    done = np.zeros(GAMES, np.int64)

    def work(part: slice) -> None:
        done[part] += 1

    share(work, GAMES, threads)
    assert (done == 1).all()
    share(work, 0, threads)
    assert (done == 1).all()


def test_run_together__raises_what_the_first_failing_job_raises_after_all_have_ended() -> None:
    done = []

    def fail(word: str) -> None:
        done.append(word)
        raise ValueError(word)

    with pytest.raises(ValueError, match="first"):
        run_together([lambda: done.append("ok"), lambda: fail("first"), lambda: fail("second")])
    assert sorted(done) == ["first", "ok", "second"]


def test_run_together__serves_several_threads_at_once() -> None:
    counts = np.zeros((4, 3), np.int64)

    def add(row: int, place: int) -> None:
        counts[row, place] += 1

    def ask(row: int) -> None:
        for _ in range(50):
            run_together([partial(add, row, place) for place in range(3)])

    askers = [threading.Thread(target=ask, args=(row,)) for row in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert (counts == 50).all()


def test_watch__sees_what_another_thread_has_counted_and_gives_up_without() -> None:
    counts = np.zeros(2, np.int64)
    assert not watch(counts, 1, 1, 100)
    counts[0] = 5
    assert not watch(counts, 1, 1, 100)
    assert watch(counts, 0, 5, 1)
    later = threading.Timer(0.05, lambda: counts.__setitem__(1, 1))
    later.start()
    assert watch(counts, 1, 1, 10**9 if not JIT_DISABLED else 10**6)  # a compiler that remembered would look for ever
    later.join()


def test_background__gives_the_result_or_raises() -> None:
    background = Background()
    background.begin(lambda: 7)
    assert background.is_busy
    assert background.finish() == 7
    background.begin(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        background.finish()
    assert not pickle.loads(pickle.dumps(background)).is_busy


def test_batch__from_a_pickle_has_the_dtype_that_kernels_know() -> None:
    batch = GameBatch(RULES["players"], 2, seed=1, threads=2)
    again = pickle.loads(pickle.dumps(batch))
    assert again.threads == 2
    assert again.records.dtype is batch.records.dtype
    assert GameBatch.from_records(again.records, batch.rules).records.dtype is batch.records.dtype
