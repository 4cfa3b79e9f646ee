"""Steps beside the caller, and games in flat buffers."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import AlreadyPendingCallError, NoAsyncCallError

from steam_env.agents import RandomAgent
from steam_env.envs.buffers import SteamBuffers
from steam_env.envs.vector import SteamVectorEnv

OPTIONS: dict[str, Any] = {"map": "mini", "contracts": "mini", "max_rounds": 3, "encoding": "flat:tight"}


def test_make_vec__gives_compact_observations_by_our_own_entry_point() -> None:
    envs = gymnasium.make_vec("SteamPower-v0", 3, vectorization_mode="vector_entry_point", threads=2, **OPTIONS)
    observations, _ = envs.reset(seed=1)
    assert observations.dtype == np.uint8
    assert envs.observation_space.contains(observations)
    envs.close()


def test_step_async__ends_as_step_does() -> None:
    halves = [SteamVectorEnv(5, **OPTIONS) for _ in range(2)]
    for half in halves:
        half.reset(seed=2)
    for _ in range(40):
        actions = halves[0].sample_legal()
        halves[1].sample_legal()
        halves[1].step_async(actions)
        told, later = halves[0].step(actions), halves[1].step_wait()
        assert all(np.array_equal(*pair) for pair in zip(told[:4], later[:4], strict=True))


def test_step_async__one_at_a_time() -> None:
    envs = SteamVectorEnv(2, **OPTIONS)
    envs.reset(seed=1)
    with pytest.raises(NoAsyncCallError, match="step_async"):
        envs.step_wait()
    actions = envs.sample_legal()
    envs.step_async(actions)
    for call in (lambda: envs.step_async(actions), lambda: envs.step(actions), envs.reset):
        with pytest.raises(AlreadyPendingCallError, match="step_wait"):
            call()
    envs.step_wait()
    envs.step(envs.sample_legal())


def test_step_wait__raises_what_the_step_raises() -> None:
    envs = SteamVectorEnv(2, **OPTIONS)
    envs.reset(seed=1)
    envs.step_async(np.full(2, 371))
    with pytest.raises(ValueError, match="game 0"):
        envs.step_wait()
    envs.step(envs.sample_legal())


# --- flat buffers -----------------------------------------------------------------------------------------


def test_buffers__hold_what_the_vector_environment_returns() -> None:
    envs, games = SteamVectorEnv(6, **OPTIONS), SteamBuffers(6, seed=8, **OPTIONS)
    seen, infos = envs.reset(seed=8)
    games.reset()
    rng = np.random.default_rng(5)  # not that of the environment, which draws seeds, too
    for step in range(60):
        assert np.array_equal(games.observations, seen)
        assert np.array_equal(games.action_masks, infos["action_mask"])
        actions = envs.sample_legal(rng)
        seen, rewards, ends, _, infos = envs.step(actions)
        if step % 2:
            games.send(actions)
            told = games.recv()
        else:
            told = games.step(actions)
        assert told[0] is games.observations
        assert np.array_equal(games.rewards, rewards.astype(np.float32))
        assert np.array_equal(games.terminals, ends)
        assert len(told[4]) == ends.sum()
    assert not games.truncations.any()
    assert games.masks.all()
    games.close()


def test_buffers__given_are_written_in_place() -> None:
    options = {**OPTIONS, "opponents": RandomAgent, "num_players": 3}
    size = SteamBuffers(1, **options).single_observation_space.shape
    block = np.zeros((8, *size), np.uint8)
    given = {"observations": block[2:6], "rewards": np.ones(4, np.float32), "actions": np.zeros(4, np.int32)}
    games = SteamBuffers(4, buf=given, **options)
    games.reset(seed=1)
    assert block[2:6].any()
    assert not block[:2].any()
    assert not block[6:].any()
    assert games.actions is given["actions"]


def test_buffers__of_a_wrong_kind_are_refused() -> None:
    for name, values in (("observations", np.zeros((2, 7), np.uint8)), ("rewards", np.zeros(2)), ("masks", [1, 1])):
        with pytest.raises(ValueError, match=name):
            SteamBuffers(2, buf={name: values}, **OPTIONS)
    with pytest.raises(ValueError, match="encoding='graph'"):
        SteamBuffers(2, **{**OPTIONS, "encoding": "graph"})


def test_puffer__drives_the_games() -> None:
    vector = pytest.importorskip("pufferlib.vector")
    from steam_env.envs.puffer import SteamPufferEnv

    games = vector.make(SteamPufferEnv, num_envs=1, env_kwargs={"num_games": 4, **OPTIONS}, seed=1)
    games.async_reset(1)
    games.recv()
    for _ in range(20):
        masks = games.driver_env.action_masks
        games.send(masks.argmax(axis=1).astype(np.int32))
        assert games.recv()[0].dtype == np.uint8
    games.close()
