"""What the vector environments have beside single ones: many games, modes of autoreset, pools, reused arrays."""

import copy
import pickle
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from steam_env import Game, GameBatch, IllegalActionError, Rules
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.encoding import pick
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs.cast import draw_fractions
from steam_env.envs.pool import Pool
from steam_env.envs.vector import SteamVectorEnv
from tests.encoding_checks import arrays_of
from tests.envs.faces import (
    IDS,
    ILLEGAL_AT_START,
    SMALL,
    SOLO,
    VERSUS,
    choose_first,
    choose_in,
    choose_last,
    choose_seen,
    draw_legal,
    fields_of,
    money_potential,
)

MODES = tuple(AutoresetMode)


def make(num_envs: int = 4, name: str = VERSUS, **options: Any) -> Any:
    """The environment as users make it, in a short game on the small map."""
    return gymnasium.make_vec(name, num_envs, "vector_entry_point", **fields_of(options))


# --- many games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "encoding"), [*zip(MODES, ("graph", "flat", "flat"), strict=True), (None, "flat"), (None, "graph")]
)
def test_batch__plays_as_batches_of_one(mode: AutoresetMode | None, encoding: str) -> None:
    """Games that end begin anew when the mode says; without one this is Stable-Baselines3's interface."""
    options: dict[str, Any] = {**SMALL, "num_players": 3, "encoding": encoding, "shaping": money_potential}
    options |= {"opponents": [choose_first, choose_last], "illegal": "forfeit"}
    if mode is None:
        envs: Any = pytest.importorskip("steam_env.envs.sb3", reason="needs the extra `train`").SteamVecEnv(
            4, **options
        )
        tables = envs.groups[0]
        envs.seed(11)
        envs.reset()
    else:
        envs = SteamVectorEnv(4, autoreset_mode=mode, **options)
        tables = envs._tables
        envs.reset(seed=11)
    alone = [SteamVectorEnv(1, autoreset_mode="DISABLED", **options) for _ in range(4)]

    def begin(row: int) -> Any:
        return alone[row].reset(seed=int(tables.batch.seeds[row]))[0]

    for row in range(4):
        begin(row)
    rng, due, ends = np.random.default_rng(11), np.zeros(4, np.bool_), 0
    while ends < 9:
        actions = np.array([draw_legal(mask, rng) for mask in envs.action_masks()])
        if rng.random() < 0.1:
            actions[2] = np.argmin(envs.action_masks()[2])
        actions[due] = -7  # is ignored
        seen, rewards, *ended_and_truncated, infos = envs.step(actions)
        ended = ended_and_truncated[0]
        for row in range(4):
            if due[row]:
                expected, reward, over, told = begin(row), 0.0, False, {}
            else:
                shown, (reward,), (over,), _, told = alone[row].step(actions[row : row + 1])
                expected = shown
            assert (over, rewards[row]) == (ended[row], pytest.approx(reward, rel=1e-6))
            if over:
                ends += 1
                final = infos[row] if mode is None else pick(infos.get("final_info", infos), row)
                for name in ("seat", "round_limit", "scores", "winners", "opponents", "forfeit"):
                    assert np.array_equal(final[name], told[name][0])
                if mode in (None, AutoresetMode.SAME_STEP):
                    last = final["terminal_observation"] if mode is None else infos["final_obs"][row]
                    assert data_equivalence(last, pick(expected, 0), exact=True)
                    expected = begin(row)
            elif mode is AutoresetMode.SAME_STEP and ended.any():
                assert infos["final_obs"][row] is None
                assert not infos["_final_info"][row]
            assert data_equivalence(pick(seen, row), pick(expected, 0), exact=True)
            assert np.array_equal(envs.action_masks()[row], alone[row].action_masks()[0])
        due = ended if mode is AutoresetMode.NEXT_STEP else due
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended.copy()})
            for row in np.flatnonzero(ended):
                begin(row)


# --- games, seats, seeds --------------------------------------------------------------------------------


def test_seeds__count_up_are_given_or_are_drawn() -> None:
    envs = make(6)
    for seed, expected in ((20, [20, 21, 22, 23, 24, 25]), ([5, 3, 8, 1, 2, 0], [5, 3, 8, 1, 2, 0])):
        envs.reset(seed=seed)
        assert envs.unwrapped.seeds.tolist() == expected
    envs.reset()
    assert not np.isin(envs.unwrapped.seeds, expected).any()


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_seeds__fix_all_that_follows(mode: AutoresetMode) -> None:
    def run(seed: int | list[int], before: int) -> bytes:
        opponents = [RandomAgent, Pool({"a": RandomAgent, "b": choose_seen})]
        envs = make(4, autoreset_mode=mode, num_players=3, opponents=opponents)
        envs.reset(seed=99)
        for _ in range(before):  # what has been is forgotten
            envs.step(envs.unwrapped.sample_legal(np.random.default_rng(0)))
        rng, told = np.random.default_rng(1), []
        for part in (seed, None):
            envs.reset(seed=part)
            told.extend(envs.step(envs.unwrapped.sample_legal(rng))[:3] for _ in range(40))
        return pickle.dumps(told)

    assert run(1, before=0) == run(1, before=5) == run([1, 2, 3, 4], before=9)
    assert run(1, before=0) != run(2, before=0)


@pytest.mark.parametrize("seed", [2**63 - 2, [1, 2], [1, 2, -3, 4]])
def test_reset__bad_seeds(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        make(4).reset(seed=seed)


def test_seat__is_drawn_evenly_or_fixed() -> None:
    envs = make(3000, num_players=4, opponents=choose_first, automas=1, max_rounds=1)
    envs.reset(seed=1)
    counts = np.bincount(envs.unwrapped.seats)
    assert len(counts) == 3
    assert (np.abs(counts - 1000) < 130).all()  # five standard deviations
    _, infos = make(50, num_players=3, opponents=choose_first, seat=2).reset(seed=1)
    assert set(infos["seat"]) == {2}


def test_fractions__are_uniform_and_differ_by_stream() -> None:
    seeds = np.arange(20_000)
    one, two = draw_fractions(seeds, 0), draw_fractions(seeds, 1)
    for fractions in (one, two):
        assert 0 <= fractions.min() < fractions.max() < 1
        assert (np.abs(np.histogram(fractions, 10, (0, 1))[0] - 2000) < 5 * 43).all()
    assert abs(np.corrcoef(one, two)[0, 1]) < 5 / np.sqrt(20_000)
    assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 5 / np.sqrt(20_000)


def test_reset__begins_again_where_the_learner_has_nothing_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here games of odd seeds have ended before anybody decides."""
    ended = Game(Rules(**SMALL), seed=1)
    while not ended.done:
        ended.step(MONEY)
    deal = GameBatch.reset

    def reset(self: GameBatch, where: np.ndarray, seed: np.ndarray, maps: None) -> None:
        deal(self, where, seed, maps)
        for row in np.flatnonzero(where & (self.seeds % 2 == 1)):
            self.records[row], self.mask[row] = ended.record, ended.mask

    class Odd(np.random.Generator):
        def integers(self, *arguments: Any, **options: Any) -> Any:
            return np.ones(arguments[2:], np.int64) if len(arguments) > 2 else 1

    monkeypatch.setattr(GameBatch, "reset", reset)
    envs = make(40, opponents=choose_first)
    envs.reset(seed=0)
    assert (envs.unwrapped.seeds % 2 == 0).all()
    assert envs.unwrapped.seeds[::2].tolist() == list(range(0, 40, 2))
    assert not envs.unwrapped.games.done.any()
    envs.unwrapped.np_random = Odd(np.random.PCG64(1))
    with pytest.raises(RuntimeError, match=r"game 0: player_\d has nothing to decide: 100 games were over before"):
        envs.reset()


# --- modes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_mode__is_told_and_may_be_a_name(mode: AutoresetMode) -> None:
    for given in (mode, mode.name, mode.value):
        assert make(2, autoreset_mode=given).metadata["autoreset_mode"] is mode
    assert make(2).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_disabled__a_step_after_the_end_raises_and_a_reset_leaves_the_others_alone() -> None:
    envs = make(4, autoreset_mode="DISABLED", illegal="forfeit")
    with pytest.raises(ResetNeeded, match="reset"):
        envs.reset(options={"reset_mask": np.array([True, False, False, False])})
    observations, _ = envs.reset(seed=1, options={"reset_mask": np.ones(4, np.bool_)})
    assert np.array_equal(envs.reset(seed=1)[0], observations)
    observations, _, ended, _, _ = envs.step([MONEY, ILLEGAL_AT_START, MONEY, ILLEGAL_AT_START])
    assert ended.tolist() == [False, True, False, True]
    for fault in (ResetNeeded, AssertionError):
        with pytest.raises(fault, match="games that are over: 1, 3"):
            envs.step(envs.unwrapped.sample_legal())
    before = envs.unwrapped.games.records.copy()
    fresh, infos = envs.reset(seed=50, options={"reset_mask": ended})
    assert envs.unwrapped.seeds.tolist() == [1, 51, 3, 53]
    assert np.array_equal(envs.unwrapped.games.records[~ended], before[~ended])
    assert np.array_equal(fresh[~ended], observations[~ended])
    assert (infos["action_mask"].sum(axis=1) > 1).all()
    assert ended.tolist() == [False, True, False, True]
    envs.step(envs.unwrapped.sample_legal())


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"reset_mask": [True, False]}, TypeError),
        ({"reset_mask": np.array([1, 0])}, TypeError),
        ({"reset_mask": np.array([True])}, ValueError),
        ({"reset_mask": np.zeros(2, np.bool_)}, ValueError),
        ({"scenario": {}}, ValueError),
    ],
)
def test_reset__bad_options(options: dict[str, Any], fault: type[Exception]) -> None:
    envs = make(2, autoreset_mode="DISABLED")
    envs.reset(seed=1)
    with pytest.raises(fault, match="reset_mask"):
        envs.reset(options=options)


@pytest.mark.parametrize("mode", MODES)
def test_statistics__of_gymnasiums_wrapper(mode: AutoresetMode) -> None:
    envs = RecordEpisodeStatistics(make(4, autoreset_mode=mode, reward="score", shaping=money_potential))
    envs.reset(seed=4)
    returns, lengths, due = np.zeros(4), np.zeros(4, int), np.zeros(4, np.bool_)
    episodes = 0
    while episodes < 9:
        _, rewards, ended, _, infos = envs.step(envs.unwrapped.sample_legal())
        returns += rewards
        lengths += ~due
        if ended.any():
            assert np.array_equal(infos["_episode"], ended)
            assert infos["episode"]["r"][ended] == pytest.approx(returns[ended])
            assert infos["episode"]["l"][ended].tolist() == lengths[ended].tolist()
            episodes += int(ended.sum())
            returns[ended], lengths[ended] = 0, 0
        due = ended if mode is AutoresetMode.NEXT_STEP else due
        if mode is AutoresetMode.DISABLED and ended.any():
            envs.reset(options={"reset_mask": ended})
    assert envs.episode_count == episodes


@pytest.mark.parametrize("actions", [[0, 0], [0.0] * 3, None, "money", [[0]] * 3, [True] * 3, [[0], [0, 1], 0]])
@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_actions__must_be_integers_and_the_game_is_named(actions: Any, illegal: str) -> None:
    envs = make(3, illegal=illegal)
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match="actions must be 3"):
        envs.step(actions)
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match=r"game 1: .*"):
            envs.step(np.array([MONEY, ILLEGAL_AT_START, MONEY]))


# --- opponents ------------------------------------------------------------------------------------------------


def test_policy__sees_all_its_seats_at_once() -> None:
    sizes: list[int] = []
    note = choose_in(None, lambda observations: sizes.append(len(observations)))
    envs = make(64, num_players=4, opponents=note, seat=0, first_player="random")
    envs.reset(seed=1)
    waiting = sum(Game(envs.unwrapped.rules, seed=seed).seat != 0 for seed in range(1, 65))
    assert sizes[0] == waiting > 32
    assert (envs.unwrapped.games.seats == 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"autoreset_mode": "later"}, "autoreset_mode='later': allowed are 'NEXT_STEP'"),
        ({"copy": 1}, "copy=1: allowed are True, False"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"num_envs": 0}, "num_games=0"),
        ({"opponents": lambda view, mask, rng: 0}, "answers for one game at a time"),
    ],
)
def test_options__bad_values_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SteamVectorEnv(**{"num_envs": 2, **SMALL, **options})


# --- pools ------------------------------------------------------------------------------------------------------


def test_pool__each_game_draws_by_weight_and_who_was_met_is_told() -> None:
    drawn = Pool({"a": choose_first, "b": choose_last, "c": RandomAgent}, weights={"b": 3, "c": 0})
    envs = make(2000, num_players=3, opponents=drawn, max_rounds=1)
    envs.reset(seed=1)
    numbers = envs.unwrapped._tables.cast.numbers
    shares = np.bincount(numbers.ravel(), minlength=3) / numbers.size
    assert shares == pytest.approx([0.25, 0.75, 0], abs=0.035)
    assert np.corrcoef(numbers.T)[0, 1] < 0.12  # each seat draws by itself
    ended = np.zeros(2000, np.bool_)
    while not ended.any():
        met = envs.unwrapped._tables.cast.numbers.copy()
        _, _, ended, _, infos = envs.step(envs.unwrapped.sample_legal())
    assert infos["final_info"]["opponents"][ended].tolist() == met[ended].tolist()


def test_pool__changes_at_run_time() -> None:
    asked: list[str] = []

    def make_policy(name: str) -> Any:
        return choose_in(None, lambda observations: asked.append(name))

    drawn = Pool({"old": make_policy("old")})
    envs = make(8, opponents=drawn, seat=0)

    def play(steps: int) -> set[str]:
        asked.clear()
        for _ in range(steps):
            envs.step(envs.unwrapped.sample_legal())
        return set(asked)

    envs.reset(seed=1)
    assert play(10) == {"old"}
    assert drawn.add("new", make_policy("new"), weight=0) == 1
    assert play(10) == {"old"}
    drawn.reweight({"new": 1, "old": 0})
    assert play(5) == {"old", "new"} or play(60) >= {"new"}  # games under way keep theirs
    play(60)
    assert play(10) == {"new"}
    drawn.replace("new", make_policy("latest"))
    assert play(10) == {"latest"}  # in games under way too
    drawn.reweight({"old": 1})
    drawn.remove("new")
    assert "latest" in play(1)
    play(80)
    assert play(10) == {"old"}
    assert len(envs.unwrapped._tables.cast._players) == 1  # what is not needed is forgotten
    drawn.remove("old")
    with pytest.raises(ValueError, match="has nobody to draw"):
        play(80)


def test_pool__a_member_that_wants_an_unknown_encoding_is_refused_when_drawn() -> None:
    drawn = Pool({"a": choose_first})
    envs = make(8, opponents=drawn)
    drawn.add("b", choose_in("flet"), 100)
    with pytest.raises(ValueError, match="encoding of choose='flet': allowed are"):
        envs.reset(seed=1)
    with pytest.raises(ValueError, match="encoding of choose='flet': allowed are"):
        make(8, opponents=drawn)


def test_pool__who_weighs_nothing_is_not_drawn() -> None:
    drawn = Pool({"a": choose_first, "b": choose_last, "c": choose_seen}, weights={"a": 0, "c": 0})
    assert set(drawn.draw(np.array([0.0, 0.5, np.nextafter(1, 0)]))) == {1}
    drawn.reweight({"b": 0})
    with pytest.raises(ValueError, match=r"a: 0, b: 0, c: 0.* has nobody to draw"):
        drawn.draw(np.array([0.5]))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda one: one.add("a", choose_first), "name='a': a text that is not taken is allowed; taken are 'a', 'g'"),
        (lambda one: one.add(3, choose_first), "name=3"),
        (lambda one: one.add("b", 5), "opponents=5"),
        (lambda one: one.add("b", choose_first, -1), "weight -1 of 'b'"),
        (lambda one: one.reweight({"a": 2, "b": 1}), "'b' is not in the pool: there are 'a', 'g'"),
        (lambda one: one.reweight({"a": float("nan")}), "weight nan of 'a'"),
        (lambda one: one.reweight({"a": True}), "weight True of 'a'"),
        (lambda one: one.remove("b"), "'b' is not in the pool"),
        (lambda one: one.replace("g", choose_first), "only a policy may take the place of a policy"),
        (lambda one: one.replace("a", GreedyAgent), "only a policy may take the place of a policy"),
    ],
)
def test_pool__bad_changes_are_named_and_change_nothing(use: Any, message: str) -> None:
    one = Pool({"a": choose_first, "g": GreedyAgent})
    with pytest.raises(ValueError, match=message):
        use(one)
    assert one.weights == {"a": 1.0, "g": 1.0}
    assert one.numbers == {"a": 0, "g": 1}
    assert len(one) == 2


# --- arrays, spaces -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_told__arrays_are_fresh_or_two_sets_take_turns(encoding: str) -> None:
    envs, twin = make(3, copy=False, encoding=encoding), make(3, encoding=encoding)
    kept, told = [twin.reset(seed=1)], [envs.reset(seed=1)[0]]
    seen = [pickle.dumps(kept[0])]
    for _ in range(6):
        actions = twin.unwrapped.sample_legal()
        before, mask = copy.deepcopy(told[-1]), envs.unwrapped.action_masks()
        old = mask.copy()
        told.append(envs.step(actions)[0])
        kept.append(twin.step(actions))
        seen.append(pickle.dumps(kept[-1]))
        assert data_equivalence(told[-1], kept[-1][0], exact=True)
        assert np.array_equal(envs.unwrapped.action_masks(), twin.unwrapped.action_masks())
        assert data_equivalence(told[-2], before, exact=True)
        assert np.array_equal(mask, old)
    for arrays in zip(*map(arrays_of, told), strict=True):
        assert [np.shares_memory(arrays[0], other) for other in arrays] == [True, False] * 3 + [True]
        assert np.shares_memory(arrays[1], arrays[3])
    assert [pickle.dumps(one) for one in kept] == seen


@pytest.mark.parametrize("name", IDS)
def test_make_vec__has_the_spaces_of_gymnasiums_loop_and_travels_as_json(name: str) -> None:
    envs, loop = make(3, name), gymnasium.make_vec(name, 3, "sync")
    assert isinstance(envs, SteamVectorEnv)
    assert envs.single_observation_space == loop.single_observation_space
    assert envs.observation_space == loop.observation_space
    assert envs.action_space == loop.action_space
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert (infos["action_mask"].dtype, infos["action_mask"].shape) == (np.int8, (3, NUM_ACTIONS))
    assert envs.unwrapped.board_features.keys() == loop.envs[0].unwrapped.board_features.keys()
    assert envs.unwrapped.reward == ("score" if name == SOLO else "win")
    envs = make(3, name, reward="score", gamma=0.9, skip_forced=True, autoreset_mode="NEXT_STEP")
    again = gymnasium.make_vec(EnvSpec.from_json(envs.spec.to_json()))
    assert (again.num_envs, again.unwrapped.rules) == (3, envs.unwrapped.rules)
    assert again.metadata == envs.metadata
    assert np.array_equal(again.reset(seed=1)[0], envs.reset(seed=1)[0])


def test_render__a_picture_of_each_game() -> None:
    envs = make(2, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == tuple(envs.unwrapped.games.game(index).render("ansi") for index in range(2))


def test_step__calls_no_function_for_each_game() -> None:
    def count_calls(num_envs: int) -> int:
        envs = make(num_envs, num_players=3, opponents=choose_first, seat=0, copy=False, max_rounds=9)
        envs.reset(seed=1)
        envs.step([MONEY] * num_envs)
        calls = 0

        def note(frame: Any, event: str, argument: Any) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(note)
        try:
            envs.step([MONEY] * num_envs)
        finally:
            sys.setprofile(None)
        return calls

    assert count_calls(256) < count_calls(2) + 40
