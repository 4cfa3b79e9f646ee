import copy
import doctest
import pickle
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from steam_env import Game, GameBatch, IllegalActionError, Rules, View
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.steam_power.actions import BUILD, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs import VECTOR_ENTRY_POINTS, pool, vector
from steam_env.envs.cast import draw_fractions
from steam_env.envs.options import list_options
from steam_env.envs.pool import Pool
from steam_env.envs.single import SteamPowerEnv
from steam_env.envs.vector import SteamSoloVectorEnv, SteamVectorEnv

VERSUS, SOLO = "SteamPower-v0", "SteamPowerSolo-v0"
MODES = tuple(AutoresetMode)
SMALL: dict[str, Any] = {"map": "mini", "contracts": "standard", "max_rounds": 4}
ILLEGAL_AT_START = BUILD  # no link is complete, so no city may have a factory


# --- opponents without chance ---------------------------------------------------------------------------


def choose_seen(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """A policy that depends on all that it sees."""
    codes = np.rint(observations * 360).astype(np.int64).sum(axis=1)
    legal = masks.sum(axis=1)
    ranks = np.cumsum(masks, axis=1) - 1
    return np.argmax(masks & (ranks == (codes % legal)[:, np.newaxis]), axis=1)


def choose_last(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return NUM_ACTIONS - 1 - np.argmax(masks[:, ::-1], axis=1)


def choose_first(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.argmax(masks, axis=1)


class Watcher:
    """Plays the first legal action and keeps what it is given."""

    encoding: str | None = "flat"
    made: list["Watcher"] = []  # noqa: RUF012 - to find those that the environment makes

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.given: list[tuple[np.ndarray | None, np.ndarray, View]] = []
        self.made.append(self)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        self.given.append((None if observations is None else observations.copy(), masks, views))
        return np.argmax(masks, axis=1)


@pytest.fixture
def watchers() -> Iterator[list[Watcher]]:
    Watcher.made.clear()
    yield Watcher.made
    Watcher.made.clear()


def count_potential(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Not zero at the start, and not centred."""
    return np.asarray(records["money"][:, : rules.seats] / 7 + np.arange(1, rules.seats + 1) ** 2)


def money_potential(records: np.ndarray, rules: Rules) -> np.ndarray:
    return np.asarray(records["money"][:, : rules.seats] / 7)


TABLES: dict[str, dict[str, Any]] = {
    "one Automa": {},
    "four Automas": {"num_players": 5},
    "a policy": {"opponents": choose_seen},
    "three policies": {"num_players": 4, "opponents": [choose_seen, choose_last, choose_first], "reward": "margin"},
    "greedy and two Automas": {"opponents": GreedyAgent, "automas": 2, "seat": 1, "map": "midwest", "max_rounds": 2},
    "five seats, shaping": {"num_players": 5, "opponents": choose_seen, "shaping": count_potential, "gamma": 0.9},
    "forced decisions skipped": {"num_players": 3, "opponents": choose_seen, "skip_forced": True},
    "forfeits": {"num_players": 3, "opponents": choose_last, "illegal": "forfeit", "shaping": count_potential},
    "a pool": {"num_players": 3, "opponents": [choose_seen, GreedyAgent], "reward": "score"},
}


def make(num_envs: int = 4, name: str = VERSUS, **options: Any) -> Any:
    """The environment as users make it, in a short game on the small map."""
    fields = {} if "rules" in options else SMALL
    return gymnasium.make_vec(name, num_envs, "vector_entry_point", **{**fields, **options})


def draw_actions(envs: Any, rng: np.random.Generator, illegal_share: float = 0.0) -> np.ndarray:
    """Random legal actions, and some illegal ones."""
    actions = envs.unwrapped.sample_legal(rng)
    wrong = rng.random(len(actions)) < illegal_share
    return np.where(wrong, np.argmin(envs.unwrapped.action_masks(), axis=1), actions)


# --- against Gymnasium's own loop over single environments ----------------------------------------------


class Follower(SteamPowerEnv):
    """A single environment that begins each game as game ``index`` of a vector environment has begun."""

    def __init__(self, leader: SteamVectorEnv, index: int, **options: Any) -> None:
        super().__init__(**options)
        self.leader, self.index = leader, index

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        self._fixed_seat = int(self.leader.seats[self.index])
        return super().reset(seed=int(self.leader.seeds[self.index]))


def assert_infos(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """All that the loop tells is told, but events; masks of games that it leaves alone are told too."""
    for name, values in theirs.items():
        if name.startswith("_") or name in ("events", "forfeit"):
            continue
        where = theirs[f"_{name}"]
        assert ours[f"_{name}"][where].all()
        if name in ("action_mask", "seat", "round_limit"):
            assert np.array_equal(ours[name][where], values[where])
        elif name == "final_info":
            told = {key: one for key, one in values.items() if key != "action_mask"}  # `money` alone
            assert_infos(ours[name], told)
        elif name == "final_obs":
            assert np.array_equal(np.stack(ours[name][where]), np.stack(values[where]))
            assert [one is None for one in ours[name]] == (~where).tolist()
        elif name == "scores":
            for row in np.flatnonzero(where):
                scores = [dict(zip(SCORE_PARTS, seat.tolist(), strict=True)) for seat in ours[name][row]]
                assert scores[: len(values[row])] == values[row]
        elif name == "winners":
            assert [np.flatnonzero(ours[name][row]).tolist() for row in np.flatnonzero(where)] == list(values[where])
        else:
            raise AssertionError(f"{name} is not told")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("table", TABLES)
def test_step__as_gymnasiums_loop_over_single_environments(table: str, mode: AutoresetMode) -> None:
    options = {**SMALL, **TABLES[table]}
    count = 4
    envs = SteamVectorEnv(count, autoreset_mode=mode, **options)
    loop = SyncVectorEnv(
        [lambda index=index: Follower(envs, index, **options) for index in range(count)], autoreset_mode=mode
    )
    ours, theirs = envs.reset(seed=11), loop.reset(seed=11)
    assert np.array_equal(ours[0], theirs[0])
    rng, ends = np.random.default_rng(11), 0
    while ends < 2 * count:
        actions = draw_actions(envs, rng, 0.02 if table == "forfeits" else 0.0)
        before = envs.seeds
        one, two = envs.step(actions), loop.step(actions)
        assert np.array_equal(one[0], two[0])
        np.testing.assert_allclose(one[1], two[1], rtol=1e-12, atol=1e-12)
        assert np.array_equal(one[2], two[2])
        assert np.array_equal(one[3], two[3])
        assert_infos(one[4], two[4])
        ends += int(one[2].sum())
        if mode is AutoresetMode.SAME_STEP:
            assert np.array_equal(before != envs.seeds, one[2])
        if mode is AutoresetMode.DISABLED and one[2].any():
            one, two = (each.reset(options={"reset_mask": one[2].copy()}) for each in (envs, loop))
            assert np.array_equal(one[0], two[0])
            assert_infos(one[1], two[1])


@pytest.mark.parametrize("mode", MODES)
def test_solo__as_gymnasiums_loop(mode: AutoresetMode) -> None:
    options = {"mode": "solo", "max_rounds": 2, "map": "mini", "shaping": money_potential}
    envs = make(3, SOLO, autoreset_mode=mode.name, **{**options, "contracts": "standard"})
    options["contracts"] = "standard"
    loop = SyncVectorEnv([lambda i=i: Follower(envs, i, **options) for i in range(3)], autoreset_mode=mode)
    assert np.array_equal(envs.reset(seed=5)[0], loop.reset(seed=5)[0])
    rng, ends = np.random.default_rng(5), 0
    while ends < 4:
        actions = draw_actions(envs, rng)
        one, two = envs.step(actions), loop.step(actions)
        assert all(np.array_equal(mine, other) for mine, other in zip(one[:4], two[:4], strict=True))
        assert_infos(one[4], two[4])
        ends += int(one[2].sum())
        if mode is AutoresetMode.DISABLED and one[2].any():
            for each in (envs, loop):
                each.reset(options={"reset_mask": one[2].copy()})


# --- games, seats, seeds --------------------------------------------------------------------------------


def test_seeds__game_i_is_game_of_seed_plus_i_in_any_batch() -> None:
    options = {"num_players": 3, "opponents": choose_seen}
    envs, alone = make(6, **options), make(1, **options)
    envs.reset(seed=20)
    assert envs.unwrapped.seeds.tolist() == list(range(20, 26))
    rng = np.random.default_rng(0)
    actions = []
    for _ in range(12):
        actions.append(envs.unwrapped.sample_legal(rng))
        envs.step(actions[-1])
    alone.reset(seed=24)
    for step in actions:
        alone.step(step[4:5])
    assert alone.unwrapped.games.records.tobytes() == envs.unwrapped.games.records[4:5].tobytes()
    assert alone.unwrapped.seats[0] == envs.unwrapped.seats[4]


def test_seeds__deal_the_games_of_these_seeds() -> None:
    envs = make(3, seat=0, first_player="player_0")
    envs.reset(seed=[5, 3, 8])
    assert envs.unwrapped.seeds.tolist() == [5, 3, 8]
    for index, seed in enumerate((5, 3, 8)):
        assert envs.unwrapped.games.game(index).record == Game(envs.unwrapped.rules, seed=seed).record


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_seeds__fix_all_that_follows(mode: AutoresetMode) -> None:
    def run(seed: int | list[int], before: int) -> bytes:
        envs = make(
            4, autoreset_mode=mode, num_players=3, opponents=[RandomAgent, Pool({"a": RandomAgent, "b": choose_seen})]
        )
        envs.reset(seed=99)
        for _ in range(before):  # what has been is forgotten
            envs.step(draw_actions(envs, np.random.default_rng(0)))
        rng, told = np.random.default_rng(1), []
        for part in (seed, None):
            envs.reset(seed=part)
            told.extend(envs.step(envs.unwrapped.sample_legal(rng))[:3] for _ in range(40))
        return pickle.dumps(told)

    assert run(1, before=0) == run(1, before=5) == run([1, 2, 3, 4], before=9)
    assert run(1, before=0) != run(2, before=0)


def test_seeds__touch_no_global_state() -> None:
    random.seed(1)
    np.random.seed(1)  # noqa: NPY002 - the state that must stay
    before = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
    envs = make(3, num_players=3, opponents=RandomAgent)
    envs.reset()
    for _ in range(30):
        envs.step(envs.unwrapped.sample_legal())
    assert (random.getstate(), pickle.dumps(np.random.get_state())) == before  # noqa: NPY002


def test_reset__without_a_seed_draws_new_games() -> None:
    envs = make(3)
    envs.reset(seed=1)
    first = envs.unwrapped.seeds
    envs.reset()
    assert not np.isin(envs.unwrapped.seeds, first).any()


@pytest.mark.parametrize("seed", [-1, 2**63 - 2, [1, 2], [1, 2, -3, 4], "1", 1.5])
def test_reset__bad_seed(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        make(4).reset(seed=seed)


def test_seat__is_drawn_evenly_or_fixed() -> None:
    envs = make(3000, num_players=4, opponents=choose_first, automas=1, max_rounds=1)
    envs.reset(seed=1)
    counts = np.bincount(envs.unwrapped.seats)
    assert len(counts) == 3
    assert (np.abs(counts - 1000) < 130).all()  # five standard deviations
    fixed = make(50, num_players=3, opponents=choose_first, seat=2)
    _, infos = fixed.reset(seed=1)
    assert set(infos["seat"]) == {2}


def test_fractions__are_uniform_and_differ_by_stream() -> None:
    seeds = np.arange(20_000)
    one, two = draw_fractions(seeds, 0), draw_fractions(seeds, 1)
    for fractions in (one, two):
        assert 0 <= fractions.min() < fractions.max() < 1
        assert (np.abs(np.histogram(fractions, 10, (0, 1))[0] - 2000) < 5 * 43).all()
    assert abs(np.corrcoef(one, two)[0, 1]) < 5 / np.sqrt(20_000)
    assert abs(np.corrcoef(one[1:], one[:-1])[0, 1]) < 5 / np.sqrt(20_000)


@pytest.fixture
def _odd_seeds_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of odd seeds have ended before anybody decides."""
    ended = Game(Rules(**SMALL), seed=1)
    while not ended.done:
        ended.step(MONEY)
    deal = GameBatch.reset

    def reset(self: GameBatch, where: np.ndarray, seed: np.ndarray) -> None:
        deal(self, where, seed)
        for row in np.flatnonzero(where & (self.seeds % 2 == 1)):
            self.records[row], self.mask[row] = ended.record, ended.mask

    monkeypatch.setattr(GameBatch, "reset", reset)


@pytest.mark.usefixtures("_odd_seeds_are_over")
def test_reset__begins_again_where_the_learner_has_nothing_to_decide() -> None:
    envs = make(40, opponents=choose_first)
    envs.reset(seed=0)
    assert (envs.unwrapped.seeds % 2 == 0).all()
    assert envs.unwrapped.seeds[::2].tolist() == list(range(0, 40, 2))
    assert not envs.unwrapped.games.done.any()
    envs.unwrapped.np_random = Odd(np.random.PCG64(1))
    with pytest.raises(RuntimeError, match=r"game 0: player_\d has nothing to decide: 100 games were over before"):
        envs.reset()


class Odd(np.random.Generator):
    """Draws ones."""

    def integers(self, *arguments: Any, **options: Any) -> Any:
        return np.ones(arguments[2:], np.int64) if len(arguments) > 2 else 1


# --- modes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_mode__is_told_and_may_be_a_name(mode: AutoresetMode) -> None:
    for given in (mode, mode.name, mode.value):
        assert make(2, autoreset_mode=given).metadata["autoreset_mode"] is mode
    assert make(2).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def play_to_the_end(envs: Any, rng: np.random.Generator) -> np.ndarray:
    ended = np.zeros(envs.num_envs, np.bool_)
    while not ended.any():
        ended = envs.step(draw_actions(envs, rng))[2]
    return np.asarray(ended)


def test_disabled__a_step_after_the_end_raises_as_gymnasiums_loop_does() -> None:
    envs = make(3, autoreset_mode="DISABLED")
    envs.reset(seed=1)
    ended = play_to_the_end(envs, np.random.default_rng(1))
    first = int(np.flatnonzero(ended)[0])
    for fault in (ResetNeeded, AssertionError):
        with pytest.raises(fault, match=f"games that are over: {first}"):
            envs.step(envs.unwrapped.sample_legal())
    envs.reset(options={"reset_mask": ended})
    envs.step(envs.unwrapped.sample_legal())


def test_disabled__a_reset_leaves_the_other_games_alone() -> None:
    envs = make(4, autoreset_mode="DISABLED")
    observations, _ = envs.reset(seed=1)
    for _ in range(3):
        observations = envs.step(envs.unwrapped.sample_legal())[0]
    before = envs.unwrapped.games.records.copy()
    mask = np.array([False, True, False, True])
    fresh, infos = envs.reset(seed=50, options={"reset_mask": mask})
    assert envs.unwrapped.seeds.tolist() == [1, 51, 3, 53]
    assert np.array_equal(envs.unwrapped.games.records[~mask], before[~mask])
    assert np.array_equal(fresh[~mask], observations[~mask])
    assert (infos["action_mask"].sum(axis=1) > 0).all()
    assert mask.tolist() == [False, True, False, True]


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


def test_next_step__ignores_the_action_of_a_game_that_begins() -> None:
    envs = make(3, autoreset_mode="NEXT_STEP")
    envs.reset(seed=2)
    ended = play_to_the_end(envs, np.random.default_rng(2))
    masks = envs.unwrapped.action_masks()
    assert [np.flatnonzero(row).tolist() for row in masks[ended]] == [[MONEY]] * int(ended.sum())
    actions = np.where(ended, -7, envs.unwrapped.sample_legal())
    _, rewards, terminations, _, _ = envs.step(actions)
    assert not rewards[ended].any()
    assert not terminations[ended].any()
    assert (envs.unwrapped.games.records["round_number"][ended] == 1).all()


@pytest.mark.parametrize("mode", MODES)
def test_statistics__of_gymnasiums_wrapper(mode: AutoresetMode) -> None:
    envs = RecordEpisodeStatistics(make(4, autoreset_mode=mode, reward="score", shaping=money_potential))
    envs.reset(seed=4)
    rng = np.random.default_rng(4)
    returns, lengths, due = np.zeros(4), np.zeros(4, int), np.zeros(4, np.bool_)
    episodes = 0
    while episodes < 9:
        _, rewards, ended, _, infos = envs.step(draw_actions(envs, rng))
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


def test_round_limit__terminates_and_is_told() -> None:
    envs = make(6, max_rounds=1)
    envs.reset(seed=1)
    told = []
    for _ in range(30):
        _, _, ended, truncated, infos = envs.step(envs.unwrapped.sample_legal())
        assert not truncated.any()
        if ended.any():
            told.extend(infos["final_info"]["round_limit"][ended])
    assert told
    assert all(told)


# --- illegal actions, order of calls ------------------------------------------------------------------------


@pytest.mark.parametrize("action", [ILLEGAL_AT_START, -1, NUM_ACTIONS])
def test_raise__names_the_game_and_changes_nothing(action: int) -> None:
    envs = make(3, opponents=choose_seen)
    envs.reset(seed=1)
    before = pickle.dumps(envs.unwrapped)
    with pytest.raises(IllegalActionError, match=r"game 1: .*"):
        envs.step(np.array([MONEY, action, MONEY]))
    assert pickle.dumps(envs.unwrapped) == before
    envs.step([MONEY] * 3)


@pytest.mark.parametrize("actions", [[0, 0], [0.0] * 3, None, "money", [[0]] * 3, [True] * 3])
@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
def test_actions__must_be_integers(actions: Any, illegal: str) -> None:
    envs = make(3, illegal=illegal)
    envs.reset(seed=1)
    with pytest.raises(IllegalActionError, match="actions must be 3"):
        envs.step(actions)


def test_forfeit__ends_the_game() -> None:
    envs = make(3, illegal="forfeit", num_players=3, opponents=choose_first, autoreset_mode="DISABLED")
    envs.reset(seed=1)
    _, rewards, ended, _, infos = envs.step([MONEY, ILLEGAL_AT_START, MONEY])
    assert rewards.tolist() == [0, -1, 0]
    assert ended.tolist() == infos["forfeit"].tolist() == [False, True, False]
    assert np.flatnonzero(infos["action_mask"][1]).tolist() == [MONEY]
    assert np.flatnonzero(~infos["winners"][1]).tolist() == [infos["seat"][1]]
    envs.reset(options={"reset_mask": ended})
    assert envs.unwrapped.action_masks()[1].sum() > 1


def test_step__needs_a_reset() -> None:
    envs = make(2, autoreset_mode="DISABLED")
    with pytest.raises(ResetNeeded, match="reset"):
        envs.step([MONEY] * 2)
    with pytest.raises(ResetNeeded, match="reset"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    observations, _ = envs.reset(seed=3, options={"reset_mask": np.array([True, True])})
    assert np.array_equal(envs.reset(seed=3)[0], observations)


def take_a_turn(envs: Any) -> None:
    envs.reset(seed=1)
    for _ in range(2):
        envs.step([MONEY] * envs.num_envs)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda masks: np.argmin(masks, axis=1), "is illegal; legal are 0, 1"),
        (lambda masks: np.full(len(masks), -1), "action -1 is illegal"),
        (lambda masks: np.zeros(len(masks)), "float64"),
        (lambda masks: 0, "integers for"),
    ],
)
@pytest.mark.parametrize("options", [{"seat": 1, "first_player": "player_0"}, {"seat": 0, "first_player": "player_0"}])
def test_opponent__an_illegal_answer_names_it(answer: Any, message: str, options: dict[str, Any]) -> None:
    def cheat(observations: np.ndarray, masks: np.ndarray) -> Any:
        return answer(masks)

    envs = make(8, opponents=cheat, illegal="forfeit", **options)
    with pytest.raises(IllegalActionError, match=f"opponent cheat: .*{message}"):
        take_a_turn(envs)
    with pytest.raises(ResetNeeded):
        envs.step([MONEY] * 8)


# --- opponents ------------------------------------------------------------------------------------------------


def test_agents__one_for_each_seat_sees_its_own_view_only(watchers: list[Watcher]) -> None:
    envs = make(5, num_players=4, automas=1, opponents=Watcher, seat=0)
    watchers.clear()  # one was made to see what it is
    envs.reset(seed=1)
    assert len(watchers) == 2
    rng = np.random.default_rng(1)
    for _ in range(20):
        envs.step(envs.unwrapped.sample_legal(rng))
    assert len(watchers) == 2  # one for all games of a seat, later ones too
    assert watchers[0].seeds != watchers[1].seeds
    for seat, watcher in enumerate(sorted(watchers, key=lambda one: one.given[-1][2].seats[0]), start=1):
        assert len(watcher.seeds) == 1
        for observations, masks, views in watcher.given:
            assert len(observations) == len(masks) == len(views)
            assert set(views.seats) == {seat}
            assert not views.records["rng"].any()
            assert (views.records["seat"] == seat).all()
            game = envs.unwrapped.games.from_records(views.sample(1, 0).records, envs.unwrapped.rules)
            assert np.array_equal(game.observe(), observations)
            assert np.array_equal(game.mask, masks)


def test_policy__sees_all_its_seats_at_once() -> None:
    sizes = []

    def note(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        sizes.append(len(masks))
        return np.argmax(masks, axis=1)

    envs = make(64, num_players=4, opponents=note, seat=0, first_player="random")
    envs.reset(seed=1)
    waiting = sum(Game(envs.unwrapped.rules, seed=seed).seat != 0 for seed in range(1, 65))
    assert sizes[0] == waiting > 32
    assert (envs.unwrapped.games.seats == 0).all()


@pytest.mark.parametrize("encoding", ["flat", None])
def test_policy__names_the_encoding_that_it_wants(encoding: str | None) -> None:
    def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert observations.shape == (len(masks), *ENCODINGS["flat"].spec.shape)
        return np.argmax(masks, axis=1)

    choose.encoding = encoding  # type: ignore[attr-defined]
    make(4, opponents=choose, first_player="player_0", seat=1).reset(seed=1)
    choose.encoding = "flet"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="encoding of choose='flet': allowed are"):
        make(4, opponents=choose)


@pytest.mark.parametrize("given", [RandomAgent(), RandomAgent, lambda: RandomAgent()])
def test_agents__may_be_given_in_any_form(given: Any) -> None:
    envs, twin = make(3, opponents=given), make(3, opponents=[RandomAgent])
    for each in (envs, twin):
        each.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(20):
        actions = twin.unwrapped.sample_legal(rng)
        assert np.array_equal(envs.step(actions)[0], twin.step(actions)[0])


def test_agents__a_function_for_one_game_is_refused() -> None:
    def choose(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
        return 0

    with pytest.raises(ValueError, match="answers for one game at a time"):
        make(3, opponents=choose)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponents": "greedy"}, "opponents='greedy': an agent"),
        ({"opponents": [RandomAgent] * 2, "num_players": 2}, "there are 1 other player seats"),
        ({"automas": 0}, "opponents=None: agents are needed for 1"),
        ({"autoreset_mode": "later"}, "autoreset_mode='later': allowed are 'NEXT_STEP'"),
        ({"copy": 1}, "copy=1: allowed are True, False"),
        ({"seat": 1}, "seat=1: 'random' or"),
        ({"encoding": "flet"}, "encoding='flet'"),
        ({"illegal": "ignore"}, "illegal='ignore'"),
        ({"reward": "wins"}, "reward='wins'"),
        ({"gamma": 2}, "gamma=2"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"mapp": "mini"}, "unknown option 'mapp'"),
        ({"num_envs": 0}, "num_games=0"),
    ],
)
def test_options__bad_values_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SteamVectorEnv(**{"num_envs": 2, **SMALL, **options})


# --- pools ------------------------------------------------------------------------------------------------------


def test_pool__each_game_draws_by_weight() -> None:
    drawn = Pool({"a": choose_first, "b": choose_last, "c": RandomAgent}, weights={"b": 3, "c": 0})
    envs = make(2000, num_players=3, opponents=drawn, max_rounds=1)
    envs.reset(seed=1)
    numbers = envs.unwrapped._tables.cast.numbers
    shares = np.bincount(numbers.ravel(), minlength=3) / numbers.size
    assert shares == pytest.approx([0.25, 0.75, 0], abs=0.035)
    assert np.corrcoef(numbers.T)[0, 1] < 0.12  # each seat draws by itself


def test_pool__who_was_met_is_told() -> None:
    drawn = Pool({"first": choose_first, "last": choose_last})
    envs = make(16, opponents=drawn, max_rounds=1)
    envs.reset(seed=1)
    met = envs.unwrapped._tables.cast.numbers[:, 0].copy()
    assert set(met) == set(drawn.numbers.values()) == {0, 1}
    while True:
        met = envs.unwrapped._tables.cast.numbers[:, 0].copy()
        _, _, ended, _, infos = envs.step(envs.unwrapped.sample_legal())
        if ended.any():
            assert infos["final_info"]["opponents"][ended, 0].tolist() == met[ended].tolist()
            break


def test_pool__changes_at_run_time() -> None:
    asked: list[str] = []

    def make_policy(name: str) -> Any:
        def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            asked.append(name)
            return np.argmax(masks, axis=1)

        return choose

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


# --- arrays, copies, spaces -----------------------------------------------------------------------------------


def test_told__arrays_are_fresh() -> None:
    envs = make(3)
    kept = [envs.reset(seed=1)]
    seen = [pickle.dumps(kept[0])]
    for _ in range(6):
        kept.append(envs.step(envs.unwrapped.sample_legal()))
        seen.append(pickle.dumps(kept[-1]))
    assert [pickle.dumps(one) for one in kept] == seen


def test_told__without_copies_two_sets_take_turns() -> None:
    envs, twin = make(3, copy=False), make(3)
    arrays = [envs.reset(seed=1)[0]]
    twin.reset(seed=1)
    for _ in range(6):
        actions = twin.unwrapped.sample_legal()
        before, mask = arrays[-1].copy(), envs.unwrapped.action_masks()
        kept = mask.copy()
        arrays.append(envs.step(actions)[0])
        assert np.array_equal(arrays[-1], twin.step(actions)[0])
        assert np.array_equal(envs.unwrapped.action_masks(), twin.unwrapped.action_masks())
        assert np.array_equal(arrays[-2], before)
        assert np.array_equal(mask, kept)
    assert arrays[0] is arrays[2] is arrays[4]
    assert arrays[1] is arrays[3] is not arrays[0]


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
@pytest.mark.parametrize("spare", [True, False])
def test_copies__have_the_same_future_and_share_nothing(copier: Any, spare: bool) -> None:
    options = {"opponents": [RandomAgent, Pool({"a": GreedyAgent, "b": choose_seen})], "shaping": money_potential}
    envs = SteamVectorEnv(4, num_players=3, copy=spare, **options, **SMALL)
    envs.reset(seed=6)
    rng = np.random.default_rng(6)
    for _ in range(10):
        envs.step(envs.sample_legal(rng))
    twin = copier(envs)
    for _ in range(60):
        actions = envs.sample_legal(rng)
        one, two = envs.step(actions), twin.step(actions)
        assert all(np.array_equal(mine, other) for mine, other in zip(one[:4], two[:4], strict=True))
        assert np.array_equal(envs.seeds, twin.seeds)


@pytest.mark.parametrize("name", [VERSUS, SOLO])
def test_spaces__are_those_of_gymnasiums_loop(name: str) -> None:
    envs, loop = make(3, name), gymnasium.make_vec(name, 3, "sync")
    assert envs.single_observation_space == loop.single_observation_space
    assert envs.observation_space == loop.observation_space
    assert envs.action_space == loop.action_space
    observations, infos = envs.reset(seed=1)
    assert observations in envs.observation_space
    assert (infos["action_mask"].dtype, infos["action_mask"].shape) == (np.int8, (3, NUM_ACTIONS))
    assert np.array_equal(infos["action_mask"].astype(bool), envs.unwrapped.action_masks())
    assert envs.unwrapped.board_features.keys() == loop.envs[0].unwrapped.board_features.keys()


@pytest.mark.parametrize("name", [VERSUS, SOLO])
def test_make_vec__options_travel_as_json(name: str) -> None:
    assert set(VECTOR_ENTRY_POINTS) == {VERSUS, SOLO}
    envs = make(3, name, reward="score", gamma=0.9, skip_forced=True, autoreset_mode="NEXT_STEP")
    again = gymnasium.make_vec(EnvSpec.from_json(envs.spec.to_json()))
    assert (again.num_envs, again.unwrapped.rules) == (3, envs.unwrapped.rules)
    assert again.metadata == envs.metadata
    assert np.array_equal(again.reset(seed=1)[0], envs.reset(seed=1)[0])
    assert isinstance(envs, SteamSoloVectorEnv if name == SOLO else SteamVectorEnv)


def test_solo__is_only_solo() -> None:
    with pytest.raises(ValueError, match="only 'solo' is allowed here"):
        SteamSoloVectorEnv(2, mode="multiplayer")


def test_reward__and_rules_are_told() -> None:
    envs = make(2, num_players=3, shaping=money_potential).unwrapped
    assert (envs.reward, envs.rules.automas) == ("win", 2)
    assert "shaping" in envs.metadata["reward_timing"]
    assert make(2).metadata["reward_timing"] == "terminal"
    assert make(2, SOLO).unwrapped.reward == "score"


def test_render__a_picture_of_each_game() -> None:
    envs = make(2, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == tuple(envs.unwrapped.games.game(index).render("ansi") for index in range(2))
    assert make(2).render() is None


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


def test_options__that_are_shared_have_the_same_defaults() -> None:
    ours, theirs = list_options(SteamVectorEnv), list_options(SteamPowerEnv)
    assert theirs.keys() - ours.keys() == set()
    assert all(ours[name] == default for name, default in theirs.items())


def test_page__code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "environments" / "vector.md").read_text(encoding="utf-8")
    (code,) = [one for one in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "make_vec" in one]
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["episodes"] >= 8
    assert capsys.readouterr().out.count("True") >= 8  # a winner in each game


@pytest.mark.parametrize("module", [vector, pool])
def test_docstrings__examples_run(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
    assert doctest.testmod(module).attempted > 0
