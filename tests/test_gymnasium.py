import copy
import doctest
import pickle
import random
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from gymnasium.wrappers import RecordEpisodeStatistics

from steam_env import Game, IllegalActionError, Rules, ScenarioError, View
from steam_env.agents import GreedyAgent, RandomAgent
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import BUILD, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.scoring import SCORE_PARTS
from steam_env.core.steam_power.state import PLACE_DECK, PLACE_HAND, PLACE_UNKNOWN
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs import ENTRY_POINTS, register_environments, single
from steam_env.envs.aec import SteamPowerAEC
from steam_env.envs.options import list_options
from steam_env.envs.single import SteamPowerEnv, SteamPowerSoloEnv
from steam_env.pages.steam_power.environments import read_entries
from steam_env.table.rewards import VP_SCALE
from steam_env.words.events import HIDDEN, SeenEvents

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "environments"
VERSUS, SOLO = "SteamPower-v0", "SteamPowerSolo-v0"
IDS = (VERSUS, SOLO)
ILLEGAL_AT_START = BUILD  # no link is complete, so no city may have a factory
COPIERS = (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))


# --- opponents ----------------------------------------------------------------------------------------


def choose_last(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
    """A policy without chance."""
    return int(np.flatnonzero(mask)[-1])


def choose_any(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


class Watcher:
    """Plays at random and keeps all that it is given."""

    encoding: str | None = "flat"
    made: list["Watcher"] = []  # noqa: RUF012 - to find those that the environment makes

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.given: list[tuple[np.ndarray | None, np.ndarray, View]] = []
        self.made.append(self)

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self._rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        self.given.append((observations, masks, views))
        return np.array([self._rng.choice(np.flatnonzero(masks[0]))])


class Cheat(RandomAgent):
    """Answers with what is not legal."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> Any:
        return self.answer


# --- games to look at ---------------------------------------------------------------------------------

SMALL = {"map": "mini", "contracts": "standard", "max_rounds": 8}
TABLES: dict[str, dict[str, Any]] = {
    "one Automa": {},
    "four Automas": {"num_players": 5},
    "two easy Automas": {"automas": 2, "automa_level": "very_easy"},
    "a function": {"opponents": choose_last},
    "an agent, last seat": {"opponents": RandomAgent, "seat": 1},
    "greedy and two Automas": {"opponents": GreedyAgent, "automas": 2, "seat": 0},
    "a list and an Automa": {"opponents": [RandomAgent(), GreedyAgent, choose_any], "automas": 1, "seat": 2},
    "four agents": {"num_players": 5, "opponents": RandomAgent()},
    "preview": {"opponents": choose_any, "edition": "preview"},
}


def make(name: str = VERSUS, **options: Any) -> Any:
    """The environment as users make it, in a short game on the small map."""
    return gymnasium.make(name, **(options if "rules" in options else {**SMALL, **options}))


def make_raw(name: str = VERSUS, **options: Any) -> Any:
    return make(name, **options).unwrapped


def play(env: Any, rng: np.random.Generator, steps: int = 2**63) -> list[tuple[Any, ...]]:
    """Play at random, to the end or so many steps: what each step was told and the action before it."""
    told = []
    mask = env.unwrapped.action_masks()
    for _ in range(steps):
        action = int(rng.choice(np.flatnonzero(mask)))
        told.append((action, *env.step(action)))
        if told[-1][3]:
            break
        mask = told[-1][5]["action_mask"]
    return told


def told_bytes(told: Any) -> bytes:
    return pickle.dumps(told)


def end_rewards(game: Game) -> list[float]:
    """What `win` pays by the words of its definition."""
    winners, seats = game.winners(), game.rules.seats
    losers = seats - len(winners)
    return [(1 / len(winners) if seat in winners else -1 / losers) if losers else 0.0 for seat in range(seats)]


def last_action(points: list[int], **others: Any) -> dict[str, Any]:
    """A scenario whose last player ends the game with `money`; the seats then have so many points in cash."""
    seats = len(points)
    rules = {"map": "mini", "contracts": "standard", "max_rounds": 1, "first_player": "player_0", **others}
    scenario = Game(Rules(num_players=seats, **rules), seed=0).to_scenario()
    scenario["turn"] = {"seat": seats - 1, "actions_left": 1, "first_player": 0, "round": 1}
    scenario["seats"]["money"] = [5 * value for value in points]
    scenario["seats"]["money"][-1] -= 3
    return scenario


# --- Gymnasium's own checks -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", IDS)
def test_check_env(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # it tries every render mode
    check_env(gymnasium.make(name, illegal="forfeit").unwrapped)  # and samples without the mask


@pytest.mark.parametrize("table", TABLES)
def test_check_env__with_opponents(table: str) -> None:
    check_env(make_raw(illegal="forfeit", **TABLES[table]), skip_render_check=True)


@pytest.mark.parametrize("options", [{"skip_forced": True}, {"reward": "margin", "shaping": len}])
def test_check_env__with_options(options: dict[str, Any]) -> None:
    if "shaping" in options:
        options = {**options, "shaping": money_potential, "gamma": 0.9}
    check_env(make_raw(illegal="forfeit", **options), skip_render_check=True)


@pytest.mark.parametrize("name", IDS)
def test_make__whole_games_pass_the_passive_checker(name: str) -> None:
    env = make(name)
    assert "PassiveEnvChecker" in str(env)
    for game in range(3):
        env.reset(seed=game if game == 0 else None)
        assert play(env, np.random.default_rng(game))[-1][3] is True


def test_registration__is_deterministic_and_told_once() -> None:
    for name in IDS:
        spec = gymnasium.spec(name)
        assert (spec.nondeterministic, spec.disable_env_checker, spec.max_episode_steps) == (False, False, None)
    register_environments()  # a second time, without a warning
    assert set(IDS) <= set(ENTRY_POINTS)


@pytest.mark.parametrize("name", IDS)
def test_make__options_travel_as_json(name: str) -> None:
    env = make(name, reward="score", gamma=0.9, skip_forced=True, seat=0, render_mode="ansi")
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.rules == env.unwrapped.rules
    one, two = (each.reset(seed=1)[1] for each in (env, again))
    assert told_bytes(one) == told_bytes(two)
    assert again.render() == env.render() == env.unwrapped.game.render("ansi")


# --- what the learner is told ---------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_step__leads_to_the_learners_own_next_decision(table: str) -> None:
    env = make(**TABLES[table])
    for seed in range(4):
        observation, info = env.reset(seed=seed)
        seat = env.unwrapped.seat
        told = play(env, np.random.default_rng(seed))
        seen = [(observation, info), *((step[1], step[5]) for step in told)]
        played, game = env.unwrapped.game, Game(env.unwrapped.rules, seed=seed)
        decision = 0
        for action in played.actions:
            if game.seat == seat:
                assert np.array_equal(seen[decision][0], game.observe(seat))
                assert np.flatnonzero(seen[decision][1]["action_mask"]).tolist() == game.legal()
                assert told[decision][0] == action
                decision += 1
            game.step(action)
        assert decision == len(told)
        assert game.done
        assert game.record == played.record
        assert np.array_equal(seen[-1][0], game.observe(seat))
        assert [step[3] for step in told] == [False] * (len(told) - 1) + [True]
        assert {step[4] for step in told} == {False}
        assert [step[2] for step in told] == [0.0] * (len(told) - 1) + [end_rewards(game)[seat]]
        assert (told[-1][5]["scores"], told[-1][5]["winners"]) == (game.scores(), game.winners())
        assert all("scores" not in step[5] and "winners" not in step[5] for step in told[:-1])
        assert {info["seat"], *(step[5]["seat"] for step in told)} == {seat}


@pytest.mark.parametrize("table", TABLES)
def test_events__each_is_told_once(table: str) -> None:
    env = make(**TABLES[table])
    _, info = env.reset(seed=5)
    told = play(env, np.random.default_rng(5))
    heard = [event for each in (info, *(step[5] for step in told)) for event in each["events"]]
    assert heard == [event.hide_from(env.unwrapped.seat) for event in env.unwrapped.game.events]
    hands = heard[0].values["hands"]
    assert [hand != HIDDEN for hand in hands] == [seat == env.unwrapped.seat for seat in range(len(hands))]


def test_events__begin_with_the_results_of_the_own_action() -> None:
    env = make()
    env.reset(seed=5)
    events = env.step(1)[4]["events"]  # contracts
    assert [(event.kind, event.actor) for event in events] == [("draw", 0)] * 2
    assert all(event.values["contract"] in env.unwrapped.game.hand(0) for event in events)


@pytest.mark.parametrize("name", IDS)
def test_mask__is_the_games_in_both_forms(name: str) -> None:
    env = make(name)
    _, info = env.reset(seed=6)
    env.action_space.seed(6)
    terminated = False
    while not terminated:
        mask, masks = info["action_mask"], env.unwrapped.action_masks()
        assert (mask.dtype, mask.shape, masks.dtype, masks.shape) == (np.int8, (NUM_ACTIONS,), np.bool_, (NUM_ACTIONS,))
        assert np.array_equal(mask.astype(bool), masks)
        assert np.flatnonzero(masks).tolist() == env.unwrapped.game.legal()
        assert env.unwrapped.sample_legal(np.random.default_rng(0)) in env.unwrapped.game.legal()
        action = env.action_space.sample(mask)
        _, _, terminated, _, info = env.step(action)
    for mask in (info["action_mask"], env.unwrapped.action_masks()):
        assert np.flatnonzero(mask).tolist() == [MONEY]
    assert env.unwrapped.sample_legal(np.random.default_rng(0)) == MONEY


def test_mask__is_found_through_the_wrappers() -> None:
    env = RecordEpisodeStatistics(make())
    env.reset(seed=6)
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), env.unwrapped.game.mask)


@pytest.mark.parametrize("name", IDS)
def test_told__arrays_and_infos_are_fresh(name: str) -> None:
    env, twin = make(name), make(name)
    rng = np.random.default_rng(7)
    spoil(env.reset(seed=7))
    twin.reset(seed=7)
    over = False
    while not over:
        spoil(env.unwrapped.action_masks())
        spoil(env.unwrapped.board_features)
        action = twin.unwrapped.sample_legal(rng)
        one, two = env.step(action), twin.step(action)
        assert told_bytes(one) == told_bytes(two)
        over = one[2]
        spoil(one)
    assert env.unwrapped.game.events == twin.unwrapped.game.events


def spoil(thing: Any) -> None:
    """Change all that can be changed in it."""
    if isinstance(thing, np.ndarray):
        thing[...] = 7
    elif hasattr(thing, "values") and not isinstance(thing, dict):
        spoil(thing.values)
    elif isinstance(thing, dict | list | tuple | SeenEvents):
        for value in thing.values() if isinstance(thing, dict) else thing:
            spoil(value)
        if isinstance(thing, dict | list):
            thing.clear()


def test_spaces__are_the_same_for_all_games() -> None:
    envs = [make_raw(), make_raw(**TABLES["four agents"]), make_raw(SOLO), gymnasium.make(VERSUS)]
    for env in envs:
        assert env.observation_space == envs[0].observation_space
        assert env.action_space == envs[0].action_space
    assert envs[0].observation_space.shape == ENCODINGS["flat"].spec.shape
    assert envs[0].observation_space.dtype == np.float32


# --- rewards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", [0, 1, 2])
@pytest.mark.parametrize("points", [[3, 2, 2], [2, 3, 3], [2, 2, 2], [2, 3, 5], [4, 2, 4]])
def test_reward__of_every_seat_whoever_ends_the_game(learner: int, points: list[int]) -> None:
    scenario = last_action(points)
    scenario["turn"] = {"seat": learner, "actions_left": 1, "first_player": 0, "round": 1}
    to_come = [0] * learner + [3] + [6] * (2 - learner)  # one action of the learner, two of each seat after it
    scenario["seats"]["money"] = [5 * value - more for value, more in zip(points, to_come, strict=True)]
    rewards = {}
    for reward in ("win", "margin", "score"):
        env = make_raw(num_players=3, opponents=partial(Cheat, np.array([MONEY])), seat=learner, reward=reward)
        env.reset(seed=1, options={"scenario": scenario})
        told = env.step(MONEY)
        assert told[2] is True
        assert [score["total"] for score in told[4]["scores"]] == points
        rewards[reward] = told[1]
    others = [value for seat, value in enumerate(points) if seat != learner]
    best = max(points)
    won, lost = points.count(best), 3 - points.count(best)
    assert rewards["win"] == pytest.approx((1 / won if points[learner] == best else -1 / lost) if lost else 0)
    assert rewards["margin"] == pytest.approx((points[learner] - sum(others) / 2) / VP_SCALE)
    assert rewards["score"] == pytest.approx(points[learner] / VP_SCALE)


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
@pytest.mark.parametrize("automas", [1, 4])
def test_reward__counts_automa_seats(reward: str, automas: int) -> None:
    env = make_raw(automas=automas, reward=reward)
    env.reset(seed=8)
    paid = sum(step[2] for step in play(env, np.random.default_rng(8)))
    totals = [score["total"] for score in env.game.scores()]
    margin = (totals[0] - sum(totals[1:]) / automas) / VP_SCALE
    expected = {"win": end_rewards(env.game)[0], "margin": margin, "score": totals[0] / VP_SCALE}
    assert paid == pytest.approx(expected[reward])
    assert len(totals) == automas + 1


def test_reward__may_be_a_function_of_all_seats() -> None:
    def pay_money(records: np.ndarray, rules: Rules) -> np.ndarray:
        return np.asarray(records["money"][:, : rules.seats])

    env = make_raw(automas=2, opponents=RandomAgent, seat=1, reward=pay_money)
    env.reset(seed=9)
    assert play(env, np.random.default_rng(9))[-1][2] == env.game.money[1]


def money_potential(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Not zero at the start, and not centred."""
    return np.asarray(records["money"][:, : rules.seats] / 7 + np.arange(1, rules.seats + 1) ** 2)


@pytest.mark.parametrize("table", ["one Automa", "an agent, last seat", "a list and an Automa"])
@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping__is_paid_from_decision_to_decision(table: str, gamma: float) -> None:
    env = make(shaping=money_potential, gamma=gamma, **TABLES[table])
    assert "shaping" in env.unwrapped.metadata["reward_timing"]
    assert env.unwrapped.reset(seed=10)
    seat = env.unwrapped.seat
    before = first = potential_of(env.unwrapped.game, seat)
    env.reset(seed=10)
    rng, rewards, over = np.random.default_rng(10), [], False
    while not over:
        _, reward, over, *_ = env.step(env.unwrapped.sample_legal(rng))
        now = 0.0 if over else potential_of(env.unwrapped.game, seat)
        final = end_rewards(env.unwrapped.game)[seat] if over else 0.0
        assert reward == pytest.approx(gamma * now - before + final)
        before = now
        rewards.append(reward)
    if gamma == 1:
        assert sum(rewards) == pytest.approx(end_rewards(env.unwrapped.game)[seat] - first)


def potential_of(game: Game, seat: int) -> float:
    values = money_potential(game.records, game.rules)[0]
    return float(values[seat] - values.mean())


# --- illegal actions, order of calls --------------------------------------------------------------------


@pytest.mark.parametrize("action", [ILLEGAL_AT_START, -1, NUM_ACTIONS, None, "money", 1.0, True, np.zeros(1, int)])
def test_raise__changes_nothing(action: Any) -> None:
    env = make_raw(opponents=RandomAgent)
    env.reset(seed=11)
    before = pickle.dumps(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert pickle.dumps(env) == before
    env.step(np.int32(MONEY))


@pytest.mark.parametrize("table", ["one Automa", "four Automas", "four agents", "an agent, last seat"])
def test_forfeit__ends_the_episode(table: str) -> None:
    env = make_raw(illegal="forfeit", **TABLES[table])
    env.reset(seed=12)
    illegal = int(np.flatnonzero(~env.action_masks())[-1])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["forfeit"]["agent"], info["forfeit"]["action"]) == (f"player_{env.seat}", illegal)
    assert "rule" in info["forfeit"]["reason"]
    assert info["round_limit"] is False
    assert info["winners"] == [seat for seat in range(env.rules.seats) if seat != env.seat]
    assert np.flatnonzero(info["action_mask"]).tolist() == [MONEY]
    assert "forfeit" not in env.reset()[1]


def test_step__needs_a_reset() -> None:
    with pytest.raises(ResetNeeded):
        make().step(MONEY)
    env = make_raw()
    for use in (lambda: env.step(MONEY), lambda: env.game):
        with pytest.raises((ResetNeeded, RuntimeError), match=r"call reset\(\)"):
            use()
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(MONEY)


def test_end__by_the_round_limit_is_terminated_and_told() -> None:
    env = make(max_rounds=2)
    env.reset(seed=1)
    *before, end = play(env, np.random.default_rng(1))
    assert (end[3], end[4], end[5]["round_limit"]) == (True, False, True)
    assert not any(step[5]["round_limit"] for step in before)


# --- seats --------------------------------------------------------------------------------------------


def test_seat__is_drawn_evenly_and_apart_from_the_first_player() -> None:
    env = make_raw(num_players=4, opponents=choose_last, automas=1)
    games = 900
    counts = np.zeros((3, 3), int)
    for seed in range(games):
        env.reset(seed=seed)
        counts[env.seat, env.game.record.first_player] += 1
    assert counts.sum() == games
    expected = games / counts.size
    assert ((counts - expected) ** 2 / expected).sum() < 26.1  # chi-square, 8 degrees of freedom, p = 0.001


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_seat__may_be_fixed(seat: int) -> None:
    env = make_raw(num_players=3, opponents=choose_any, seat=seat)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {seat}


def test_seat__against_automas_is_first() -> None:
    env = make_raw(num_players=5)
    for seed in range(5):
        env.reset(seed=seed)
        assert (env.seat, env.game.record.first_player, env.game.num_steps) == (0, 0, 0)


# --- opponents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["flat", None])
def test_opponents__see_their_own_seat_only(encoding: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watcher, "encoding", encoding)
    monkeypatch.setattr(Watcher, "made", [])
    env = make_raw(opponents=[Watcher, Watcher], automas=1, seat=1)
    env.reset(seed=13)
    play(env, np.random.default_rng(13))
    replay = Game(env.rules, seed=13)
    given = {2: iter(Watcher.made[0].given), 0: iter(Watcher.made[1].given)}  # the first sits after the learner
    for action in env.game.actions:
        seat = replay.seat
        if seat != 1:
            observations, masks, views = next(given[seat])
            if encoding is None:
                assert observations is None
            else:
                assert observations is not None
                assert np.array_equal(observations, replay.observe(seat)[np.newaxis])
            assert np.array_equal(masks, replay.mask[np.newaxis])
            assert masks.dtype == np.bool_
            check_view(views, replay, seat)
        replay.step(action)
    assert [next(rest, None) for rest in given.values()] == [None, None]


def check_view(view: View, game: Game, seat: int) -> None:
    assert isinstance(view, View)
    assert (len(view), view.seat) == (1, seat)
    record = view.record
    assert (record.rng == 0).all()
    assert (record.deck_order == NONE).all()
    assert not np.shares_memory(view.records, game.records)
    places = set(record.place.tolist()) - {PLACE_HAND + seat, PLACE_UNKNOWN}
    assert PLACE_DECK not in places
    assert np.flatnonzero(record.place == PLACE_HAND + seat).tolist() == game.hand(seat)


def test_opponents__spoiling_what_they_get_changes_nothing() -> None:
    def spoiler(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
        action = int(rng.choice(np.flatnonzero(mask)))
        mask[:] = True
        view.records["money"] = 99
        return action

    env, twin = make_raw(opponents=spoiler, seat=0), make_raw(opponents=choose_any, seat=0)
    for each in (env, twin):
        each.reset(seed=14)
    assert told_bytes(play(env, np.random.default_rng(14))) == told_bytes(play(twin, np.random.default_rng(14)))


def test_opponents__each_seat_has_an_agent_of_its_own() -> None:
    agent = Watcher()
    env = make_raw(num_players=5, opponents=agent)
    env.reset(seed=15)
    env.reset()
    agents = env._opponents
    assert len({id(one) for one in (agent, *agents)}) == 5
    assert agent.seeds == []
    assert all(len(one.seeds) == 2 for one in agents)
    assert len({seed for one in agents for seed in one.seeds}) == 8
    twin = make_raw(num_players=5, opponents=agent, seat=3)  # a fixed seat leaves the seeds as they are
    twin.reset(seed=15)
    assert [one.seeds[0] for one in twin._opponents] == [one.seeds[0] for one in agents]


@pytest.mark.parametrize("given", [RandomAgent, RandomAgent(), lambda: RandomAgent(), partial(RandomAgent)])
def test_opponents__may_be_objects_or_what_makes_them(given: Any) -> None:
    env, twin = make_raw(opponents=given), make_raw(opponents=[RandomAgent])
    told = []
    for each in (env, twin):
        each.reset(seed=16)
        told.append(told_bytes(play(each, np.random.default_rng(16))))
    assert told[0] == told[1]


@pytest.mark.parametrize("illegal", ["raise", "forfeit"])
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (np.array([ILLEGAL_AT_START]), r"\(rule 5\.1\)"),
        (np.array([NUM_ACTIONS]), "372"),
        (np.array([MONEY, MONEY]), r"must return one action for one game"),
        (np.array([0.0]), "must be an integer"),
        (None, "must return one action"),
        (MONEY, "must return one action"),
    ],
)
def test_opponents__illegal_answer_is_told_with_the_name(answer: Any, why: str, illegal: str) -> None:
    env = make_raw(opponents=partial(Cheat, answer), first_player="player_0", illegal=illegal, seat=0)
    env.reset(seed=17)
    env.step(MONEY)
    with pytest.raises(IllegalActionError, match=f"opponent Cheat on player_1: .*{why}"):
        env.step(MONEY)
    for use in (lambda: env.step(MONEY), env.action_masks):
        with pytest.raises(ResetNeeded):
            use()
    assert env.reset(seed=17)[1]["seat"] == 0


def test_opponents__illegal_answer_of_a_function_in_reset() -> None:
    def resign(view: View, mask: np.ndarray, rng: np.random.Generator) -> int:
        return -1

    env = make_raw(opponents=resign, first_player="player_0", seat=1)
    with pytest.raises(IllegalActionError, match="opponent resign on player_0"):
        env.reset(seed=1)
    with pytest.raises(ResetNeeded):
        env.step(MONEY)


# --- games that are over before the learner decides -----------------------------------------------------


def narrow_pass() -> dict[str, Any]:
    """A scenario of one round in which only `money` is legal: no contract to take, and no money for the mountains."""
    contract = {"needs": "W", "money": 1, "vp": 1, "bonus": "none", "automa": "track"}
    hexes = {"A1": "city", "A3": "mountains", "B2": "mountains", "C1": "mountains", "C3": "city"}
    return {
        "rules": {"num_players": 2, "max_rounds": 1},
        "cities": "PP",
        "contracts": [contract] * 5,
        "map": {"name": "pass", "cities": ["Ames", "Boone"], "tiles": "PP", "hexes": hexes},
        "seats": {"money": [0, 0], "hands": [[], []], "fulfilled": [[0, 1, 2], [3, 4]]},
        "turn": {"seat": 0, "actions_left": 1, "first_player": 0, "round": 1},
        "deck": {"order": []},
    }


def test_reset__never_returns_an_episode_that_is_over() -> None:
    scenario = last_action([2, 2, 1])  # only player_2 decides here
    env = make_raw(num_players=3, opponents=choose_last)
    seats = set()
    for seed in range(6):
        _, info = env.reset(seed=seed, options={"scenario": scenario})
        assert env.game.legal()
        seats.add(info["seat"])
    assert seats == {2}
    fixed = make_raw(num_players=3, opponents=choose_last, seat=0)
    with pytest.raises(RuntimeError, match="player_0 has nothing to decide: 100 games were over before"):
        fixed.reset(seed=1, options={"scenario": scenario})
    with pytest.raises(ResetNeeded):
        fixed.step(MONEY)
    fixed.reset()


def test_reset__with_forced_decisions_only_is_told() -> None:
    env = make_raw(opponents=choose_last, skip_forced=True)
    with pytest.raises(RuntimeError, match="nothing to decide"):
        env.reset(seed=1, options={"scenario": narrow_pass()})


def test_skip_forced__never_asks_for_a_single_choice() -> None:
    env = make_raw(opponents=RandomAgent, skip_forced=True)
    for seed in range(4):
        _, info = env.reset(seed=seed)
        told = play(env, np.random.default_rng(seed))
        masks = [info["action_mask"], *(step[5]["action_mask"] for step in told[:-1])]
        assert min(mask.sum() for mask in masks) > 1
        assert sum(step[2] for step in told) == end_rewards(env.game)[env.seat]


# --- seeds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
def test_reset__a_seed_fixes_everything(table: str) -> None:
    one, two = make(**TABLES[table]), make(**TABLES[table])
    two.reset(seed=99)  # a past that must not matter
    for game in range(3):
        begun = [told_bytes(env.reset(seed=18 if game == 0 else None)) for env in (one, two)]
        assert begun[0] == begun[1]
        told = [told_bytes(play(env, np.random.default_rng(game))) for env in (one, two)]
        assert told[0] == told[1]


def test_reset__with_a_seed_is_the_game_of_that_seed() -> None:
    env = make_raw(num_players=3)
    env.reset(seed=np.int64(19))
    assert env.game.record == Game(env.rules, seed=19).record
    assert env.np_random_seed == 19


def test_reset__without_a_seed_goes_on_from_np_random() -> None:
    env = make_raw(opponents=RandomAgent)
    deals = []
    for seed in (20, None, None, 20, None):
        env.reset(seed=seed)
        deals.append((env.game.seed, env.seat, env._opponents[0]._rng.bit_generator.state["state"]["state"]))
    assert deals[:2] == deals[3:]
    assert len({deal[0] for deal in deals}) == len({deal[2] for deal in deals}) == 3
    env.np_random = np.random.default_rng(5)
    env.reset()
    chosen = env.game.seed
    env.np_random = np.random.default_rng(5)
    env.reset()
    assert env.game.seed == chosen


def test_reset__leaves_global_random_states_alone() -> None:
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - to see that nobody uses it
    env = make_raw(opponents=[RandomAgent, GreedyAgent, choose_any], automas=1)
    env.reset(seed=21)
    play(env, np.random.default_rng(21))
    env.reset()
    assert random.getstate() == python
    assert all(np.array_equal(a, b) for a, b in zip(np.random.get_state(), numpy, strict=True))  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "1"])
def test_reset__bad_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        make_raw().reset(seed=seed)


# --- copies -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("table", ["one Automa", "a list and an Automa", "four agents"])
def test_copy__has_the_same_position_and_future(table: str, copier: Callable[[Any], Any]) -> None:
    env = make_raw(illegal="forfeit", shaping=money_potential, **TABLES[table])
    env.reset(seed=22)
    play(env, np.random.default_rng(22), 7)
    twin = copier(env)
    record = env.game.record.tobytes()
    futures = []
    for each in (twin, env):
        assert each.game.record.tobytes() == record  # the copy has moved on alone
        each.action_space.seed(0)
        told = play(each, np.random.default_rng(23))
        begun = each.reset()
        futures.append(told_bytes((told, begun, play(each, np.random.default_rng(24)))))
    assert futures[0] == futures[1]


@pytest.mark.parametrize("copier", COPIERS[1:])
@pytest.mark.parametrize("name", IDS)
def test_copy__through_the_wrappers(name: str, copier: Callable[[Any], Any]) -> None:
    env = make(name)
    env.reset(seed=1)
    twin = copier(env)
    twin.step(MONEY)
    assert (env.unwrapped.game.num_steps, twin.unwrapped.game.num_steps) == (0, 1)
    copier(make(name)).reset(seed=1)


# --- scenarios ----------------------------------------------------------------------------------------


def test_scenario__with_automas_and_by_its_own_rules() -> None:
    start = Game(Rules(num_players=4, automas=3, map="mini", contracts="standard", max_rounds=3), seed=4)
    env = make_raw()  # one player seat too, but one Automa
    _, info = env.reset(seed=23, options={"scenario": start.to_scenario()})
    assert env.game.record == start.record
    assert info["events"] == []
    told = play(env, np.random.default_rng(23))
    assert len(told[-1][5]["scores"]) == 4
    assert told[-1][2] == end_rewards(env.game)[0]
    assert env.rules.automas == 1
    env.reset(seed=23)
    assert env.game.record == Game(env.rules, seed=23).record


def test_scenario__of_other_seats_is_refused() -> None:
    env = make_raw()
    env.reset(seed=1)
    scenario = last_action([1, 1])
    with pytest.raises(ValueError, match="the scenario has 2 player seats in mode 'multiplayer', this environment 1"):
        env.reset(options={"scenario": scenario})
    with pytest.raises(ScenarioError):
        env.reset(options={"scenario": {"cities": "X"}})
    solo = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=1).to_scenario()
    with pytest.raises(ValueError, match="in mode 'solo', this environment 1 in mode 'multiplayer'"):
        env.reset(options={"scenario": solo})
    env.step(MONEY)


def test_scenario__unknown_option_is_told() -> None:
    with pytest.warns(UserWarning, match="reset option 'scenaro' is ignored: 'scenario' is allowed"):
        make_raw().reset(options={"scenaro": "x.toml"})


# --- solo ---------------------------------------------------------------------------------------------


def test_solo__every_train_is_one_company_and_the_score_is_paid() -> None:
    env = make(SOLO, map="midwest")
    observation, info = env.reset(seed=24)
    told = play(env, np.random.default_rng(24))
    seen = [(observation, info), *((step[1], step[5]) for step in told)]
    played, game = env.unwrapped.game, Game(env.unwrapped.rules, seed=24)
    companies = set()
    for number, action in enumerate(played.actions):
        companies.add(game.seat)
        assert np.array_equal(seen[number][0], game.observe(game.seat))
        assert np.flatnonzero(seen[number][1]["action_mask"]).tolist() == game.legal()
        game.step(action)
    assert companies == set(range(5))
    assert len(told) == len(played.actions)
    assert np.array_equal(seen[-1][0], game.observe(0))
    (score,) = told[-1][5]["scores"]
    assert [step[2] for step in told] == [0.0] * (len(told) - 1) + [score["total"] / VP_SCALE]
    assert tuple(score) == SCORE_PARTS
    assert score["total"] == sum(score[part] for part in SCORE_PARTS[1:]) > 0
    assert (told[-1][5]["winners"], told[-1][5]["seat"], told[-1][5]["round_limit"]) == ([0], 0, False)
    assert played.round == 8


def test_solo__round_limit_is_told() -> None:
    env = make(SOLO, max_rounds=2)
    env.reset(seed=1)
    assert play(env, np.random.default_rng(1))[-1][5]["round_limit"] is True


def test_solo__events_hide_only_what_is_face_down() -> None:
    env = make(SOLO)
    _, info = env.reset(seed=25)
    told = play(env, np.random.default_rng(25))
    heard = [event for each in (info, *(step[5] for step in told)) for event in each["events"]]
    assert heard == [event.hide_from(0, solo=True) for event in env.unwrapped.game.events]
    deal = heard[0].values
    assert (deal["deck"], len(deal["trains"]), len(deal["hands"])) == (HIDDEN, 1, 1)
    assert all(event.values["contract"] != HIDDEN for event in heard if event.kind == "draw")
    hidden = {event.kind for event in heard if HIDDEN in event.values.values()}
    assert hidden == {"deal", "bag", "aside"}


def test_solo__margin_is_the_score_and_win_is_refused() -> None:
    env = make_raw(SOLO, reward="margin")
    env.reset(seed=1)
    assert play(env, np.random.default_rng(1))[-1][2] == env.game.scores()[0]["total"] / VP_SCALE
    with pytest.raises(ValueError, match="reward='win' needs somebody to win against: in mode='solo' 'score'"):
        make(SOLO, reward="win")
    assert (make_raw(SOLO).reward, make_raw().reward) == ("score", "win")


@pytest.mark.parametrize("action", [ILLEGAL_AT_START, NUM_ACTIONS])
def test_solo__forfeit_pays_minus_one(action: int) -> None:
    env = make_raw(SOLO, illegal="forfeit")
    env.reset(seed=1)
    env.step(MONEY)
    _, reward, terminated, _, info = env.step(action)
    assert (reward, terminated, info["winners"]) == (-1.0, True, [])
    assert info["forfeit"]["agent"] == "player_0"


def test_solo__shaping_is_not_centred() -> None:
    env = make_raw(SOLO, shaping=money_potential, reward=pay_nothing)
    env.reset(seed=26)
    start = money_potential(env.game.records, env.rules)[0, 0]
    rewards = [step[2] for step in play(env, np.random.default_rng(26))]
    assert sum(rewards) == pytest.approx(-start)
    assert np.count_nonzero(rewards) > 10


def pay_nothing(records: np.ndarray, rules: Rules) -> np.ndarray:
    return np.zeros((len(records), rules.seats))


@pytest.mark.parametrize("copier", COPIERS)
def test_solo__copies_and_seeds(copier: Callable[[Any], Any]) -> None:
    env = make_raw(SOLO)
    env.reset(seed=27)
    play(env, np.random.default_rng(27), 30)
    twin = copier(env)
    futures = [told_bytes((play(each, np.random.default_rng(28)), each.reset())) for each in (twin, env)]
    assert futures[0] == futures[1]


def test_solo__is_the_mode_of_the_other_environment() -> None:
    env, twin = make_raw(SOLO), make_raw(VERSUS, mode="solo")
    told = []
    for each in (env, twin):
        begun = each.reset(seed=29)
        told.append(told_bytes((begun, play(each, np.random.default_rng(29)))))
    assert told[0] == told[1]
    rules = Rules(mode="solo", map="mini", contracts="standard")
    assert make_raw(SOLO, rules=rules).rules == rules


def test_solo__scenario() -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=30)
    for _ in range(3):
        game.step(MONEY)
    env = make_raw(SOLO)
    env.reset(seed=1, options={"scenario": game.to_scenario()})
    assert env.game.record == game.record
    assert play(env, np.random.default_rng(1))[-1][3] is True


# --- options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats", "automas"),
    [
        ({}, 2, 1),
        ({"num_players": 4}, 4, 3),
        ({"automas": 3}, 4, 3),
        ({"opponents": RandomAgent}, 2, 0),
        ({"opponents": RandomAgent, "automas": 2}, 4, 2),
        ({"opponents": [RandomAgent, choose_any]}, 3, 0),
        ({"opponents": (RandomAgent, choose_any), "automas": 1}, 4, 1),
        ({"opponents": RandomAgent, "num_players": 5}, 5, 0),
        ({"opponents": RandomAgent, "num_players": 5, "automas": 2}, 5, 2),
        ({"rules": Rules(num_players=3, automas=2)}, 3, 2),
        ({"mode": "solo"}, 1, 0),
    ],
)
def test_options__seats_that_are_left_out(options: dict[str, Any], seats: int, automas: int) -> None:
    rules = make_raw(**options).rules
    assert (rules.seats, rules.automas) == (seats, automas)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"oponents": RandomAgent}, r"unknown option 'oponents': options are .*opponents.*; rules are num_players"),
        ({"mask_in": "info"}, "unknown option 'mask_in'"),
        ({"opponents": "greedy"}, r"opponents='greedy': an agent .* is allowed"),
        ({"opponents": 3}, r"opponents=3: an agent .* is allowed"),
        ({"opponents": lambda view: 0}, r"a function \(view, mask, rng\) -> action"),
        ({"opponents": list}, r"opponents=<class 'list'>: an agent .* is allowed"),
        ({"opponents": [RandomAgent], "num_players": 3}, "there are 2 other player seats"),
        ({"opponents": [RandomAgent] * 2, "num_players": 2}, "there are 1 other player seats"),
        ({"opponents": [], "num_players": 2}, r"opponents=\[\]: there are 1 other player seats"),
        ({"opponents": RandomAgent, "num_players": 2, "automas": 1}, "there are 0 other player seats"),
        ({"opponents": RandomAgent, "mode": "solo"}, "there are 0 other player seats"),
        ({"automas": 0}, "opponents=None: agents are needed for 1 other player seats; automas= lets Automas play"),
        ({"edition": "preview"}, "opponents=None: agents are needed for 1 other player seats"),
        ({"rules": Rules()}, "opponents=None: agents are needed for 1 other player seats"),
        ({"automas": 5}, "num_players=6: 2 to 5 are allowed"),
        ({"automas": "1"}, "automas must be an integer"),
        ({"num_players": 9}, "num_players=9: 2 to 5 are allowed"),
        ({"seat": 1}, "seat=1: 'random' or the number of a player seat, below 1, is allowed"),
        ({"seat": -1}, "seat=-1: 'random' or"),
        ({"seat": "player_0"}, "seat='player_0': 'random' or"),
        ({"seat": True}, "seat must be an integer"),
        ({"seat": 0.0}, "seat must be an integer"),
        ({"rules": Rules(), "map": "mini"}, "rules= and map= exclude each other"),
        ({"rules": {"map": "mini"}}, "an object of steam_env.Rules is allowed"),
        ({"encoding": "nothing"}, "encoding='nothing': allowed are 'flat', 'grid', 'graph'"),
        ({"reward": "money"}, "reward='money': allowed are 'win', 'margin', 'score' or a function"),
        ({"gamma": 1.5}, "gamma=1.5: a number from 0 to 1"),
        ({"illegal": "ignore"}, "illegal='ignore': allowed are 'raise', 'forfeit'"),
        ({"skip_forced": 1}, "skip_forced=1: allowed are True, False"),
        ({"render_mode": "ascii"}, "render_mode='ascii': allowed are 'ansi', 'human', 'rgb_array'"),
    ],
)
def test_options__wrong_ones_are_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        SteamPowerEnv(**options)


@pytest.mark.parametrize("options", [{"mode": "multiplayer"}, {"rules": Rules(automas=1)}])
def test_options__solo_is_solo(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="mode='multiplayer': only 'solo' is allowed here"):
        SteamPowerSoloEnv(**options)


def test_options__encoding_of_an_opponent_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watcher, "encoding", "nothing")
    with pytest.raises(ValueError, match="encoding of Watcher='nothing': allowed are 'flat', 'grid', 'graph'"):
        make_raw(opponents=Watcher)


def test_render__returns_or_shows_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.game.render("ansi")
    shown: list[np.ndarray] = []
    monkeypatch.setattr("steam_env.render.show_pixels", lambda pixels, fps: shown.append(pixels))
    env = make(render_mode="human")
    env.reset(seed=1)
    env.step(MONEY)
    assert len(shown) == 2
    assert not np.array_equal(shown[0], shown[1])
    assert np.array_equal(shown[1], env.unwrapped.game.render("rgb_array"))
    env.close()


@pytest.mark.filterwarnings("ignore:.*render.. does nothing without a render_mode:UserWarning")
def test_render__without_a_mode_is_nothing() -> None:
    env = make_raw()
    env.reset(seed=1)
    assert env.render() is None


# --- inside Gymnasium's own classes ---------------------------------------------------------------------


def make_vector_env(name: str) -> Any:
    return make(name, max_rounds=3, **({"opponents": [RandomAgent, choose_last]} if name == VERSUS else {}))


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("vector", [SyncVectorEnv, partial(AsyncVectorEnv, context="spawn")])
def test_vector__plays_as_the_single_environments_do(name: str, vector: Callable[..., Any]) -> None:
    envs = vector([partial(make_vector_env, name)] * 2)
    singles = [make_vector_env(name) for _ in range(2)]
    observations, infos = envs.reset(seed=31)
    masks = infos["action_mask"]
    for number, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=31 + number)[0], observations[number])
    rng, ended, ends = np.random.default_rng(31), [False, False], 0
    for _ in range(150):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
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
        assert masks.shape == (2, NUM_ACTIONS)
        if "scores" in infos:
            assert all(infos["scores"][number] for number in np.flatnonzero(terminated))
    assert ends > 1
    envs.close()


@pytest.mark.parametrize("name", IDS)
def test_statistics__record_the_episodes(name: str) -> None:
    env = RecordEpisodeStatistics(make(name))
    env.reset(seed=32)
    told = play(env, np.random.default_rng(32))
    episode = told[-1][5]["episode"]
    assert (episode["r"], episode["l"]) == (told[-1][2], len(told))


# --- the page -----------------------------------------------------------------------------------------


def test_page__code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for name in IDS:
        (code,) = re.findall(r"```python\n(.*?)```", (PAGES / f"{name}.md").read_text(encoding="utf-8"), re.DOTALL)
        names: dict[str, Any] = {}
        exec(code, names)
        assert names["terminated"]
    assert capsys.readouterr().out.count("total") > len(IDS)


def test_docstrings__shared_options_are_told_alike() -> None:
    one, two = (read_entries(environment, "Args") for environment in (SteamPowerAEC, SteamPowerEnv))
    shared = list_options(SteamPowerAEC).keys() & list_options(SteamPowerEnv).keys()
    assert len(shared) > 6
    for name in shared:
        assert one[name] == two[name]
        assert list_options(SteamPowerAEC)[name] == list_options(SteamPowerEnv)[name]


def test_docstrings__examples_run() -> None:
    results = doctest.testmod(single)
    assert (results.failed, results.attempted > 0) == (0, True)
