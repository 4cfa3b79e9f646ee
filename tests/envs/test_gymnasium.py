"""What only the Gymnasium environment has: its registration and checkers, opponents one by one, wrappers."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics

from steam_env import IllegalActionError, Rules, View
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.envs.registration import list_environments, register_environments
from tests.envs.faces import (
    IDS,
    SOLO,
    VERSUS,
    choose_any,
    draw_legal,
    fields_of,
    last_action,
    money_potential,
    narrow_pass,
)


def make(name: str = VERSUS, **options: Any) -> Any:
    """The environment as users make it, in a short game on the small map."""
    return gymnasium.make(name, **fields_of(options))


def make_raw(name: str = VERSUS, **options: Any) -> Any:
    return make(name, **options).unwrapped


def play(env: Any, rng: np.random.Generator, steps: int = 2**63) -> list[tuple[Any, ...]]:
    """Play at random, to the end or so many steps: what each step was told and the action before it."""
    told = []
    mask = env.unwrapped.action_masks()
    for _ in range(steps):
        action = draw_legal(mask, rng)
        told.append((action, *env.step(action)))
        if told[-1][3]:
            break
        mask = told[-1][5]["action_mask"]
    return told


# --- Gymnasium's own checks, registration ---------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_check_env(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # it tries every render mode
    check_env(gymnasium.make(name, illegal="forfeit").unwrapped)  # and samples without the mask


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": choose_any, "encoding": "grid"},
        {"opponents": [RandomAgent(), GreedyAgent, choose_any], "automas": 1, "seat": 2, "skip_forced": True},
        {"reward": "margin", "shaping": money_potential, "gamma": 0.9, "encoding": "graph"},
    ],
)
def test_check_env__with_options(options: dict[str, Any]) -> None:
    check_env(make_raw(illegal="forfeit", **options), skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_make__whole_games_pass_the_passive_checker(name: str) -> None:
    env = RecordEpisodeStatistics(make(name))
    assert "PassiveEnvChecker" in str(env)
    for game in range(3):
        env.reset(seed=game if game == 0 else None)
        assert np.array_equal(env.get_wrapper_attr("action_masks")(), env.unwrapped.game.mask)
        told = play(env, np.random.default_rng(game))
        assert told[-1][3] is True
        for score in told[-1][5]["scores"]:
            assert tuple(score) == SCORE_PARTS
            assert score["total"] == sum(score[part] for part in SCORE_PARTS[1:])
        assert env.unwrapped.sample_legal(np.random.default_rng(0)) == MONEY
        episode = told[-1][5]["episode"]
        assert (episode["r"], episode["l"]) == (told[-1][2], len(told))


def test_registration__is_deterministic_and_told_once() -> None:
    assert tuple(list_environments()) == (*IDS, "Steam-v0")
    for name in IDS:
        spec = gymnasium.spec(name)
        assert (spec.nondeterministic, spec.disable_env_checker, spec.max_episode_steps) == (False, False, None)
    register_environments()  # a second time, without a warning


@pytest.mark.parametrize("name", IDS)
def test_make__options_travel_as_json(name: str) -> None:
    env = make(name, reward="score", gamma=0.9, skip_forced=True, seat=0, render_mode="ansi")
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.rules == env.unwrapped.rules
    one, two = (each.reset(seed=1)[1] for each in (env, again))
    assert pickle.dumps(one) == pickle.dumps(two)
    assert again.render() == env.render() == env.unwrapped.game.render("ansi")


@pytest.mark.parametrize("options", [{"mode": "multiplayer"}, {"rules": Rules(automas=1)}])
@pytest.mark.parametrize("maker", [gymnasium.make, gymnasium.make_vec])
def test_solo__is_solo(maker: Callable[..., Any], options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="mode='multiplayer': only 'solo' is allowed here"):
        maker(SOLO, **options)


def test_solo__is_the_mode_of_the_other_environment() -> None:
    told = []
    for env in (make_raw(SOLO), make_raw(VERSUS, mode="solo")):
        begun = env.reset(seed=29)
        told.append(pickle.dumps((begun, play(env, np.random.default_rng(29)))))
    assert told[0] == told[1]
    rules = Rules(mode="solo", map="mini", contracts="standard")
    assert make_raw(SOLO, rules=rules).rules == rules


# --- seats and seeds --------------------------------------------------------------------------------------


def test_seat__is_drawn_evenly_and_apart_from_the_first_player() -> None:
    env = make_raw(num_players=4, opponents=choose_any, automas=1)
    games = 900
    counts = np.zeros((3, 3), int)
    for seed in range(games):
        env.reset(seed=seed)
        counts[env.seat, env.game.record.first_player] += 1
    assert counts.sum() == games
    expected = games / counts.size
    assert ((counts - expected) ** 2 / expected).sum() < 26.1  # chi-square, 8 degrees of freedom, p = 0.001
    fixed = make_raw(num_players=3, opponents=choose_any, seat=2)
    assert {fixed.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}


def test_reset__without_a_seed_goes_on_from_np_random() -> None:
    env, chosen = make_raw(opponents=RandomAgent), set()
    env.reset(seed=np.int64(20))
    assert env.np_random_seed == 20
    for _ in range(2):
        env.np_random = np.random.default_rng(5)
        env.reset()
        chosen.add(env.game.seed)
    assert len(chosen) == 1


# --- opponents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [-1, "money", 1.0, None])
def test_opponents__illegal_answer_of_a_function(answer: Any) -> None:
    def resign(view: View, mask: np.ndarray, rng: np.random.Generator) -> Any:
        return answer

    env = make_raw(opponents=resign, first_player="player_0", seat=1)
    with pytest.raises(IllegalActionError, match=r"opponent resign on player_0: (action|its answer)"):
        env.reset(seed=1)
    for use in (lambda: env.step(MONEY), env.action_masks):
        with pytest.raises(ResetNeeded):
            use()


# --- games that are over before the learner decides -----------------------------------------------------


def test_reset__never_returns_an_episode_that_is_over() -> None:
    scenario = last_action([2, 2, 1])  # only player_2 decides here
    env = make_raw(num_players=3, opponents=choose_any)
    seats = set()
    for seed in range(6):
        _, info = env.reset(seed=seed, options={"scenario": scenario})
        assert env.game.legal()
        seats.add(info["seat"])
    assert seats == {2}
    fixed = make_raw(num_players=3, opponents=choose_any, seat=0)
    with pytest.raises(RuntimeError, match="player_0 has nothing to decide: 100 games were over before"):
        fixed.reset(seed=1, options={"scenario": scenario})
    with pytest.raises(ResetNeeded):
        fixed.step(MONEY)
    fixed.reset()
    forced = make_raw(opponents=choose_any, skip_forced=True)
    with pytest.raises(RuntimeError, match="nothing to decide"):
        forced.reset(seed=1, options={"scenario": narrow_pass((0, 0), 1, has_hands=False)})


# --- inside Gymnasium's own classes ---------------------------------------------------------------------


def make_vector_env(name: str) -> Any:
    return make(name, max_rounds=3, **({"opponents": [RandomAgent, choose_any]} if name == VERSUS else {}))


@pytest.mark.parametrize(
    ("name", "vector", "count"),
    [(VERSUS, SyncVectorEnv, 2), (SOLO, SyncVectorEnv, 2), (VERSUS, partial(AsyncVectorEnv, context="spawn"), 1)],
)
def test_vector__plays_as_the_single_environments_do(name: str, vector: Callable[..., Any], count: int) -> None:
    envs = vector([partial(make_vector_env, name)] * count)
    singles = [make_vector_env(name) for _ in range(count)]
    observations, infos = envs.reset(seed=31)
    masks = infos["action_mask"]
    for number, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=31 + number)[0], observations[number])
    rng, ended, ends = np.random.default_rng(31), [False] * count, 0
    for _ in range(150):
        actions = np.array([draw_legal(mask, rng) for mask in masks])
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for number, env in enumerate(singles):
            # the step after the end is the reset
            expected = (env.reset()[0], 0.0, False) if ended[number] else env.step(actions[number])[:3]
            assert np.array_equal(expected[0], observations[number])
            assert expected[1:] == (rewards[number], terminated[number])
            ended[number] = expected[2]
            ends += expected[2]
        assert not truncated.any()
        masks = infos["action_mask"]
        assert masks.shape == (count, NUM_ACTIONS)
        if "scores" in infos:
            assert all(infos["scores"][number] for number in np.flatnonzero(terminated))
    assert ends > 1
    envs.close()
