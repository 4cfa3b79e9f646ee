"""What only the PettingZoo environment has: all players as agents, laps, infos of every seat, states."""

import copy
import pickle
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils.wrappers import BaseWrapper

from steam_env import Game, Rules, steam_power_v0
from steam_env.core.steam_power.actions import MONEY, NUM_ACTIONS
from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS
from steam_env.words.seats import name_seat
from tests.envs.faces import (
    COPIERS,
    EVENTFUL,
    ILLEGAL_AT_START,
    PAGES,
    last_action,
    margin_rewards,
    money_potential,
    narrow_pass,
    potential_of,
    score_rewards,
    win_rewards,
)

PAGE = PAGES / "steam_power_v0.md"
SEAT_COUNTS = (2, 3, 4, 5)

# --- games to look at -------------------------------------------------------------------------------


def small_rules(seats: int, **others: Any) -> dict[str, Any]:
    """A short game on the small map, with a deck that is large enough."""
    deck = "mini" if seats <= 3 else "standard"
    return {"num_players": seats, "map": "mini", "contracts": deck, "max_rounds": 4, **others}


def make_env(seats: int = 3, **options: Any) -> Any:
    return steam_power_v0.env(**small_rules(seats, **options))


SMALL_SOLO = {"mode": "solo", "map": "mini", "contracts": "standard"}


def make_solo(**options: Any) -> Any:
    return steam_power_v0.env(**{**SMALL_SOLO, **options})


def play(env: Any, rng: np.random.Generator, steps: int = 2**63) -> dict[str, float]:
    """Play at random, to the end or so many steps; the sum of what `last` gave each agent."""
    returns = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        _, reward, *_ = env.last()
        returns[agent] += reward
        env.step(env.sample_legal(rng))
    return returns


def play_to_end(env: Any, rng: np.random.Generator) -> None:
    """Play at random up to the last lap."""
    while not env.terminations[env.agent_selection]:
        env.step(env.sample_legal(rng))


def end_with(points: list[int], **options: Any) -> Any:
    """The environment in the last lap of a game that ends with so many points in cash."""
    env = steam_power_v0.env(num_players=len(points), map="mini", contracts="standard", **options)
    env.reset(seed=1, options={"scenario": last_action(points)})
    env.step(MONEY)
    return env


def take_lap(env: Any) -> dict[str, float]:
    """The last lap: who is visited, in order, with what `last` gives."""
    visits = {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert (terminated, truncated) == (True, False)
        assert agent not in visits
        visits[agent] = reward
        env.step(None)
    return visits


# --- PettingZoo's own tests -------------------------------------------------------------------------


ALL_OPTIONS = {"shaping": money_potential, "gamma": 0.9, "skip_forced": True, "illegal": "forfeit"}


# a dict with the mask is the form of PettingZoo's own games; the test knows those by name only
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning")  # when the game is over
@pytest.mark.filterwarnings("ignore:reset option 'options' is ignored:UserWarning")  # one that nobody can know
@pytest.mark.parametrize(
    "options",
    [
        small_rules(2),
        small_rules(3, automas=1, encoding="grid"),
        {"num_players": 5, "automas": 4},
        {"num_players": 4, "max_rounds": 6},
        small_rules(3, reward="score", **ALL_OPTIONS),
        {**SMALL_SOLO, "reward": "margin", "encoding": "graph", **ALL_OPTIONS},
    ],
)
def test_api(options: dict[str, Any]) -> None:
    api_test(steam_power_v0.env(**options))


@pytest.mark.filterwarnings("ignore:reset option 'options' is ignored:UserWarning")
@pytest.mark.parametrize("encoding", ["flat", "grid"])
def test_api__mask_in_info_leaves_nothing_to_warn_of(encoding: str) -> None:
    api_test(make_env(2, mask_in="info", encoding=encoding))


def test_seed() -> None:
    seed_test(lambda: make_env(4, automas=1))
    seed_test(lambda: steam_power_v0.env(num_players=3), num_cycles=40)
    seed_test(make_solo)


def test_render(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: make_env(2, max_rounds=1, render_mode=render_mode))


def test_state__conforms() -> None:
    for seats in SEAT_COUNTS:
        env = make_env(seats, illegal="forfeit")  # this test samples without the mask
        check_state_space(env)
        check_state(env, num_cycles=20)
    solo = make_solo()
    check_state_space(solo)
    solo.reset(seed=1)
    play(solo, np.random.default_rng(1))
    assert solo.state_space.contains(solo.state())


# --- agents and their spaces ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "automas", "reward"),
    [(2, 0, margin_rewards), (5, 0, win_rewards), (2, 1, score_rewards), (3, 1, win_rewards), (5, 4, margin_rewards)],
)
def test_agents__are_the_players_until_each_has_been_visited_once_more(seats: int, automas: int, reward: Any) -> None:
    env = make_env(seats, automas=automas, reward=reward.__name__.removesuffix("_rewards"))
    assert str(env) == env.metadata["name"] == "steam_power_v0"
    assert env.metadata["is_parallelizable"] is False
    env.reset(seed=6)
    names = [f"player_{seat}" for seat in range(seats - automas)]
    assert env.possible_agents == names
    rng = np.random.default_rng(6)
    while not env.terminations[env.agent_selection]:
        assert env.agents == names
        assert env.agent_selection == name_seat(env.game.seat)  # it stays there through sub-decisions
        assert not any(env.truncations.values())
        assert set(env.rewards.values()) == {0.0}
        env.step(env.sample_legal(rng))
    assert {event.actor for event in env.game.events} >= set(range(seats))
    assert env.agents == names
    assert all(env.terminations.values())
    paid = env.rewards.copy()
    assert list(paid.values()) == pytest.approx(reward(env.game)[: len(names)])
    assert take_lap(env) == paid
    assert list(paid) == names
    assert env.agents == []
    for gone in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
        assert gone == {}


# --- observations -----------------------------------------------------------------------------------


def test_observe__unknown_agent_is_named() -> None:
    env = make_env(2)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match="no agent 'player_2': there are player_0, player_1"):
            ask("player_2")


def test_state__holds_every_seat_and_the_order_of_the_deck() -> None:
    scenario = Game(Rules(map="mini", contracts="standard"), seed=1).to_scenario()
    env = steam_power_v0.env(map="mini", contracts="standard", encoding="grid")  # the state stays flat
    env.reset(options={"scenario": scenario})
    one, seen = env.state(), [env.game.observe(seat) for seat in range(2)]
    assert np.array_equal(one[:-MAX_CONTRACTS], np.concatenate(seen))
    deck = [int(contract) for contract in np.argsort(one[-MAX_CONTRACTS:]) if one[-MAX_CONTRACTS:][contract]]
    assert deck == scenario["deck"]["order"]
    scenario["deck"]["order"].reverse()
    env.reset(options={"scenario": scenario})
    assert np.array_equal(env.game.observe(0), seen[0])
    assert not np.array_equal(env.state(), one)


def test_state__of_solo_holds_deck_and_bag() -> None:
    env = make_solo()
    env.reset(seed=43)
    deal = env.game.events[0].values
    deck, bag = np.split(env.state()[-MAX_CONTRACTS - BAG_SIZE :], [MAX_CONTRACTS])
    order = [int(contract) for contract in np.argsort(deck) if deck[contract]]
    assert order == deal["deck"]
    assert bag.tolist() == pytest.approx([(company + 1) / 5 for company in deal["trains"][1:]] + [0])


# --- rewards of all seats ---------------------------------------------------------------------------


def test_reward__a_function_is_asked_once_with_the_games_own_rules() -> None:
    asked = []

    def pay_money(records: np.ndarray, rules: Rules) -> np.ndarray:
        asked.append(rules)
        return np.asarray(records["money"][:, : rules.seats])

    env = end_with([4, 1, 2], reward=pay_money)
    assert [rules.seats for rules in asked] == [3]
    assert take_lap(env) == {"player_0": 20.0, "player_1": 5.0, "player_2": 10.0}
    env = make_env(4, automas=2, reward=lambda records, rules: np.arange(4.0)[np.newaxis])
    env.reset(seed=32)
    play_to_end(env, np.random.default_rng(32))
    assert take_lap(env) == {"player_0": 0.0, "player_1": 1.0}


def test_shaping__pays_the_mover_alone_before_the_end() -> None:
    env = make_env(3, shaping=money_potential, gamma=0.9)
    env.reset(seed=9)
    rng = np.random.default_rng(9)
    assert env.last()[1] == 0
    env.step(env.sample_legal(rng))
    while not env.terminations[env.agent_selection]:
        assert {agent for agent in env.agents if env.rewards[agent]} <= {env.agent_selection}
        env.step(env.sample_legal(rng))


def test_shaping__of_a_forfeit_telescopes_too() -> None:
    env = make_env(3, shaping=money_potential, illegal="forfeit")
    env.reset(seed=10)
    start, offender = potential_of(env.game), env.game.seat
    env.step(ILLEGAL_AT_START)
    expected = [(-1 if seat == offender else 1 / 2) - start[seat] for seat in range(3)]
    assert list(take_lap(env).values()) == pytest.approx(expected)


# --- the end ----------------------------------------------------------------------------------------


def test_end__only_none_may_be_played_and_a_new_game_may_begin() -> None:
    env = end_with([2, 1])
    with pytest.raises(ValueError, match="None"):
        env.step(MONEY)
    assert env.sample_legal(np.random.default_rng(0)) is None
    assert env.agents == ["player_0", "player_1"]
    env.step(None)
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    assert play(env, np.random.default_rng(0)).keys() == set(env.possible_agents)


def test_end__by_the_rules_is_not_the_round_limit() -> None:
    env = end_with([2, 1, 1])
    assert env.game.truncated
    assert [env.infos[agent]["round_limit"] for agent in env.agents] == [True] * 3
    scenario = last_action([2, 1, 1], contracts_to_end=1, max_rounds=9)
    number = scenario["seats"]["hands"][0].pop()
    scenario["seats"]["fulfilled"] = [[number], [], []]
    env.reset(options={"scenario": scenario})
    assert env.infos["player_0"]["round_limit"] is False
    env.step(MONEY)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert [env.infos[agent]["round_limit"] for agent in env.agents] == [False, False, False]


@pytest.mark.parametrize(
    ("seats", "automas", "action"), [(2, 0, ILLEGAL_AT_START), (5, 0, NUM_ACTIONS), (4, 2, ILLEGAL_AT_START)]
)
def test_forfeit__is_told_and_paid_to_all(seats: int, automas: int, action: int) -> None:
    env = make_env(seats, automas=automas, illegal="forfeit")
    env.reset(seed=12)
    env.step(MONEY)
    offender, record = env.agent_selection, env.game.record.tobytes()
    env.step(action)
    assert env.game.record.tobytes() == record
    for agent in env.agents:
        forfeit = env.infos[agent]["forfeit"]
        assert (forfeit["agent"], forfeit["action"]) == (offender, action)
        assert "(rule 5.1)" in forfeit["reason"] or "out of range" in forfeit["reason"]
        assert "Legal now" not in forfeit["reason"]  # that would show a hand
        assert env.infos[agent]["round_limit"] is False
        assert not env.observe(agent)["action_mask"].any()
        assert env.observe(agent)["observation"].any()
    assert env.infos["player_0"]["forfeit"] is not env.infos["player_1"]["forfeit"]
    visits = take_lap(env)
    assert visits == {agent: -1 if agent == offender else 1 / (seats - 1) for agent in env.possible_agents}
    env.reset()
    assert not any(env.terminations.values())
    assert "forfeit" not in env.infos["player_0"]


def test_skip_forced__at_reset_too() -> None:
    plain_env, env = make_env(2), make_env(2, skip_forced=True)
    for each in (plain_env, env):
        each.reset(seed=1, options={"scenario": narrow_pass()})
    assert len(plain_env.game.legal()) == 1
    assert env.game.num_steps >= 1
    assert len(env.game.legal()) > 1
    plain_env.step(plain_env.game.legal()[0])
    told_once = env.infos[env.agent_selection]["events"]
    assert told_once[: len(plain_env.game.events)] == plain_env.game.events


# --- events: each is told once, and what is hidden from a seat is not told ---------------------------


@pytest.mark.parametrize(
    ("make", "scenario", "skip_forced"),
    [
        (lambda **options: make_env(3, max_rounds=12, **options), None, False),
        (lambda **options: make_env(3, max_rounds=12, **options), None, True),
        (lambda **options: make_env(3, max_rounds=12, **options), EVENTFUL, False),
        (lambda **options: make_env(3, max_rounds=12, **options), EVENTFUL, True),
        (lambda **options: make_env(3, automas=1, **options), None, False),
        (make_solo, None, False),
    ],
)
def test_events__each_is_told_once_to_each_seat(
    make: Callable[..., Any], scenario: Path | None, skip_forced: bool
) -> None:
    env = make(skip_forced=skip_forced)
    env.reset(seed=13, options={"scenario": scenario})
    heard = defaultdict(list)
    rng = np.random.default_rng(13)
    for agent in env.agent_iter():
        heard[agent] += env.last()[4]["events"]
        env.step(env.sample_legal(rng))
    kinds = {event.kind for event in env.game.events}
    assert {"draw", "end"} < kinds or scenario
    assert env.rules.automas == 0 or {"automa", "reveal"} < kinds
    for seat, agent in enumerate(env.possible_agents):
        assert heard[agent] == env.game.events_for(seat)


def test_events__begin_with_the_results_of_the_own_action() -> None:
    env = make_env(2)
    env.reset(seed=14)
    assert [event.kind for event in env.last()[4]["events"]] == ["deal"]
    agent, unread = env.agent_selection, env.infos["player_1"]["events"]
    seen = list(env.game.events_for(1))
    env.step(1)  # contracts
    assert env.agent_selection == agent
    events = env.last()[4]["events"]
    assert [(event.kind, event.actor) for event in events] == [("draw", env.game.seat)] * 2
    assert all(event.values["contract"] in env.game.hand(env.game.seat) for event in events)
    assert unread == seen  # they stay what they were when the game goes on
    assert len(env.game.events) > len(unread) == 1


def test_events__what_automas_did_before_the_first_decision_is_told_once() -> None:
    scenario = Game(Rules(automas=1, map="mini", contracts="mini"), seed=36).to_scenario()
    scenario["turn"]["seat"] = 1
    env = make_env(2, automas=1)
    env.reset(seed=36, options={"scenario": scenario})
    opening = env.last()[4]["events"]
    assert opening == env.game.events
    assert opening[0].kind == "automa"
    env.step(env.game.parse("money"))
    assert env.last()[4]["events"] == env.game.events[len(opening) :]


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_events__left_out_nothing_but_numbers_is_told(mask_in: str) -> None:
    env, twin = make_env(3, max_rounds=3, events=False, mask_in=mask_in), make_env(3, max_rounds=3)
    for each in (env, twin):
        each.reset(seed=14)
    rng = np.random.default_rng(14)
    for mover in env.agent_iter():
        for agent in env.agents:
            info, told, seen = dict(env.infos[agent]), twin.observe(agent), env.observe(agent)
            assert seen in env.observation_space(agent)
            assert np.array_equal(seen if mask_in == "info" else seen["observation"], told["observation"])
            mask = (info if mask_in == "info" else seen).pop("action_mask")
            assert mask.dtype == np.int8
            assert np.flatnonzero(mask).tolist() == (env.game.legal() if agent == mover else [])
            assert info == {"round_limit": twin.infos[agent]["round_limit"]}
        assert env.last()[1:4] == twin.last()[1:4]
        action = env.sample_legal(rng)
        env.step(action)
        twin.step(action)
    assert np.any(twin.observe("player_1")["observation"])


# --- seeds, scenarios, copies -----------------------------------------------------------------------


@pytest.mark.parametrize("copier", COPIERS)
def test_copy__in_the_last_lap_before_reset_and_of_generators(copier: Callable[[Any], Any]) -> None:
    env = end_with([3, 1, 1])
    env.step(None)
    assert take_lap(copier(env)) == take_lap(env) == {"player_1": -1 / 2, "player_2": -1 / 2}
    fresh = copier(make_env(2))
    fresh.reset(seed=1)
    assert fresh.agents == ["player_0", "player_1"]
    fresh.action_space("player_0").seed(1)
    twin = copier(fresh)
    samples = [[each.action_space("player_0").sample() for _ in range(5)] for each in (fresh, twin)]
    assert samples[0] == samples[1]


def test_copy__through_a_wrapper_of_pettingzoo() -> None:
    env = BaseWrapper(make_env(2))
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(MONEY)
        assert (env.game.num_steps, twin.game.num_steps) == (0, 1)


def test_step__needs_a_reset() -> None:
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before step"):
        make_env(2).step(MONEY)
    raw = steam_power_v0.raw_env(**small_rules(2))
    for use in (lambda: raw.step(MONEY), lambda: raw.observe("player_0"), raw.state):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            use()
    env = end_with([2, 1])
    take_lap(env)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.unwrapped.step(None)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"mask_in": "both"}, "mask_in='both': allowed are 'observation', 'info'"),
        ({"events": None}, "events=None: allowed are True, False"),
        ({"num_players": 5, "contracts": "mini"}, "5 player seats need at least 25"),
    ],
)
def test_options__wrong_ones_are_refused(options: dict[str, Any], named: str) -> None:
    for make in (steam_power_v0.env, steam_power_v0.raw_env):
        with pytest.raises(ValueError, match=named):
            make(**options)


# --- the page ---------------------------------------------------------------------------------------


def test_page__diagram_shows_the_visits() -> None:
    (diagram,) = re.findall(r"```text\n(.*?)\n\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    _, actions, *rows = diagram.splitlines()
    env = steam_power_v0.env(num_players=3, map="mini", contracts="standard")
    scenario = last_action([2, 2, 2], first_player="random")
    scenario["seats"]["money"] = [9, 9, 9]
    scenario["turn"] = {"seat": 1, "actions_left": 2, "first_player": 1, "round": 1}
    env.reset(options={"scenario": scenario})
    visits = []
    for agent in env.agent_iter():
        word = actions.replace("*", "").split()[len(visits)]
        visits.append(agent)
        texts = env.game.legal_text() if word != "None" else []
        env.step(next((env.game.parse(text) for text in texts if text.split()[0] == word), None))
    for agent, row in zip(env.possible_agents, rows, strict=True):
        name, *marks = row.replace("|", "").split()
        assert (name, marks) == (agent, ["x" if visitor == agent else "." for visitor in visits])
