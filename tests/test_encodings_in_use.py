"""`grid` and `graph` wherever observations go: games, batches, environments, opponents, matches."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from pettingzoo.test import api_test, seed_test

from steam_env import Game, GameBatch, Rules, steam_power_v0
from steam_env.agents import RandomAgent
from steam_env.encoding import pick
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.observed import make_observation_space
from steam_env.envs.single import LearnerEnv
from steam_env.envs.vector import SteamVectorEnv
from steam_env.evaluation.match import play_match
from tests.encoding_checks import arrays_of
from tests.envs.test_pettingzoo import conforms
from tests.test_evaluate import CHOICES, Stub, configure

RULES = Rules(num_players=3, map="mini", contracts="mini", max_rounds=4)
SMALL: dict[str, Any] = {"map": "mini", "contracts": "standard", "max_rounds": 4}
each_encoding = pytest.mark.parametrize("encoding", ["grid", "graph"])


def play_some(batch: GameBatch, steps: int) -> GameBatch:
    rng = np.random.default_rng(steps)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch


def choose_seen(observations: Any, masks: np.ndarray) -> np.ndarray:
    """A policy that depends on all that it sees."""
    rows = [np.rint(array * 360).astype(np.int64).reshape(len(masks), -1) for array in arrays_of(observations)]
    codes = np.concatenate(rows, axis=1).sum(axis=1)
    ranks = np.cumsum(masks, axis=1) - 1
    return np.argmax(masks & (ranks == (codes % masks.sum(axis=1))[:, np.newaxis]), axis=1)


def policy_that_sees(encoding: str) -> Any:
    def choose(observations: Any, masks: np.ndarray) -> np.ndarray:
        expected = ENCODINGS[encoding].allocate(len(masks))
        assert [array.shape for array in arrays_of(observations)] == [array.shape for array in arrays_of(expected)]
        return choose_seen(observations, masks)

    choose.encoding = encoding  # type: ignore[attr-defined]
    return choose


# --- games and batches ------------------------------------------------------------------------------------------


@each_encoding
def test_observe__of_a_batch_is_that_of_each_game(encoding: str) -> None:
    batch = play_some(GameBatch(RULES, 5, seed=1), 25)
    observations = batch.observe(encoding)
    others = batch.observe(encoding, seats=np.full(5, 2))
    for index in range(5):
        game = batch.game(index)
        assert data_equivalence(pick(observations, index), game.observe(game.seat, encoding), exact=True)
        assert data_equivalence(pick(others, index), game.observe(2, encoding), exact=True)
        assert make_observation_space(ENCODINGS[encoding]).contains(game.observe(0, encoding))


@each_encoding
def test_observe__writes_into_out(encoding: str) -> None:
    batch = play_some(GameBatch(RULES, 3, seed=1), 25)
    out = ENCODINGS[encoding].allocate(3)
    for array in arrays_of(out):
        array += 9
    assert batch.observe(encoding, out) is out
    assert data_equivalence(out, batch.observe(encoding), exact=True)
    finished = play_some(batch, 2000)
    assert finished.done.all()
    assert not any(array.any() for array in arrays_of(finished.observe(encoding, out)))


@each_encoding
def test_observe__refuses_another_out(encoding: str) -> None:
    batch = GameBatch(RULES, 3, seed=1)
    good = ENCODINGS[encoding].allocate(3)
    frozen = copy.deepcopy(good)
    arrays_of(frozen)[0].flags.writeable = False
    bad: list[Any] = [ENCODINGS[encoding].allocate(4), ENCODINGS["flat"].allocate(3), {}, frozen]
    if isinstance(good, dict):
        bad += [{**good, "more": good["nodes"]}, {**good, "nodes": good["nodes"].astype(np.float64)}]
    for out in bad:
        with pytest.raises(ValueError, match=r"^out.* must be a"):
            batch.observe(encoding, out)


# --- PettingZoo -------------------------------------------------------------------------------------------------


def make_aec(encoding: str, **options: Any) -> Any:
    return steam_power_v0.env(encoding=encoding, num_players=3, automas=1, **{**SMALL, **options})


@conforms
@each_encoding
def test_pettingzoo__passes_api_and_seed_test(encoding: str) -> None:
    api_test(make_aec(encoding))
    api_test(make_aec(encoding, mask_in="info"))
    api_test(steam_power_v0.env(encoding=encoding, mode="solo", map="mini", contracts="standard"))
    seed_test(lambda: make_aec(encoding), num_cycles=40)


@each_encoding
def test_pettingzoo__observations_are_fresh_and_in_the_space(encoding: str) -> None:
    env = make_aec(encoding)
    env.reset(seed=1)
    for agent in env.agents:
        one, other = env.observe(agent), env.observe(agent)
        assert env.observation_space(agent).contains(one)
        assert data_equivalence(one, other, exact=True)
        for mine, twin in zip(arrays_of(one["observation"]), arrays_of(other["observation"]), strict=True):
            assert not np.shares_memory(mine, twin)
    assert env.state().shape == env.unwrapped.state_space.shape


# --- Gymnasium --------------------------------------------------------------------------------------------------


@each_encoding
@pytest.mark.parametrize("name", ["SteamPower-v0", "SteamPowerSolo-v0"])
def test_gymnasium__passes_check_env(encoding: str, name: str) -> None:
    env = gymnasium.make(name, encoding=encoding, illegal="forfeit", **SMALL)
    check_env(env.unwrapped, skip_render_check=True)


@each_encoding
def test_opponents__get_the_encoding_that_they_want(encoding: str) -> None:
    single = LearnerEnv(num_players=3, opponents=policy_that_sees(encoding), seat=1, **SMALL)
    envs = SteamVectorEnv(4, num_players=3, opponents=policy_that_sees(encoding), seat=1, **SMALL)
    one, _ = single.reset(seed=5)
    many, _ = envs.reset(seed=5)
    rng = np.random.default_rng(5)
    assert np.array_equal(one, many[0])
    for _ in range(12):
        actions = envs.sample_legal(rng)
        one, _, over, *_ = single.step(int(actions[0]))
        many, _, ended, *_ = envs.step(actions)
        assert over == ended[0]
        if over:
            break
        assert np.array_equal(one, many[0])


@each_encoding
def test_vector__without_copies_two_sets_take_turns(encoding: str) -> None:
    envs, twin = (SteamVectorEnv(2, encoding=encoding, copy=copies, **SMALL) for copies in (False, True))
    told = [envs.reset(seed=1)[0]]
    twin.reset(seed=1)
    for _ in range(4):
        before = copy.deepcopy(told[-1])
        actions = twin.sample_legal()
        told.append(envs.step(actions)[0])
        assert data_equivalence(told[-1], twin.step(actions)[0], exact=True)
        assert data_equivalence(told[-2], before, exact=True)
    for first, third, second in zip(arrays_of(told[0]), arrays_of(told[2]), arrays_of(told[1]), strict=True):
        assert np.shares_memory(first, third)
        assert not np.shares_memory(first, second)


@each_encoding
@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies__of_environments_have_the_same_future(encoding: str, copier: Any) -> None:
    aec, envs = make_aec(encoding), SteamVectorEnv(3, encoding=encoding, num_players=3, opponents=RandomAgent, **SMALL)
    for each in (aec, envs):
        each.reset(seed=2)
    twin, twins = copier(aec), copier(envs)
    rng = np.random.default_rng(2)
    for _ in range(15):
        action, actions = aec.sample_legal(rng), envs.sample_legal(rng)
        aec.step(action)
        twin.step(action)
        for agent in aec.possible_agents:
            assert data_equivalence(aec.observe(agent), twin.observe(agent), exact=True)
        assert data_equivalence(envs.step(actions)[0], twins.step(actions)[0], exact=True)


# --- matches and played games -------------------------------------------------------------------------------------


@each_encoding
def test_match__agents_get_the_encoding_that_they_want(encoding: str) -> None:
    asked: list[int] = []

    def look(observations: Any, masks: np.ndarray, views: Any) -> None:
        asked.append(len(masks))
        one = ENCODINGS[encoding].allocate(len(masks))
        ENCODINGS[encoding].encode(views.records, *views.setting.statics, views.seats, one)
        assert data_equivalence(observations, one, exact=True)

    def make_looker(name: str) -> Stub:
        looker = Stub(CHOICES[name], look)
        looker.encoding = encoding
        return looker

    play_match(configure("chance", "chance"), make_agent=make_looker)
    assert sum(asked) > 100


@each_encoding
def test_pick__makes_many_of_one_and_one_of_many(encoding: str) -> None:
    observation = Game(RULES, seed=1).observe(0, encoding)
    many = pick(observation, np.newaxis)
    assert all(array.shape[0] == 1 for array in arrays_of(many))
    assert data_equivalence(pick(many, 0), observation, exact=True)
