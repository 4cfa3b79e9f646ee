import copy
import doctest
import pickle
import random
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

from steam_env import Game, IllegalActionError, Rules, ScenarioError, steam_power_v0
from steam_env.core.steam_power.actions import BUILD, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.state import BAG_SIZE, MAX_CONTRACTS
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.envs import aec
from steam_env.envs.aec import SteamPowerAEC
from steam_env.table.rewards import VP_SCALE
from steam_env.words.events import HIDDEN, Event, SeenEvents
from steam_env.words.seats import name_seat

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "environments" / "steam_power_v0.md"
SCENARIOS = ROOT / "steam_env" / "data" / "steam_power" / "scenarios"
SEAT_COUNTS = (2, 3, 4, 5)
MAKERS = (steam_power_v0.env, steam_power_v0.raw_env)
COPIERS = (copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))
AUTOMA_TABLES = ((2, 1), (3, 1), (5, 4))  # seats, Automas among them
EVENTFUL = SCENARIOS / "last-rounds.toml"  # three seats, a deck that is empty: contracts are taken from hands
ILLEGAL_AT_START = BUILD  # no link is complete, so no city may have a factory

# What PettingZoo's tests warn of without a reason:
allow_what_is_right = [
    # a dict with the mask is the form of PettingZoo's own games; the tests know those by name only
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    # nothing is legal when the game is over
    pytest.mark.filterwarnings(r"ignore:Action mask numpy array is all zeros:UserWarning"),
    # api_test passes an option that nobody can know
    pytest.mark.filterwarnings("ignore:reset option 'options' is ignored:UserWarning"),
]


def conforms(test: Callable[..., None]) -> Callable[..., None]:
    for mark in allow_what_is_right:
        test = mark(test)
    return test


# --- games to look at -------------------------------------------------------------------------------


def small_rules(seats: int, **others: Any) -> dict[str, Any]:
    """A short game on the small map, with a deck that is large enough."""
    deck = "mini" if seats <= 3 else "standard"
    return {"num_players": seats, "map": "mini", "contracts": deck, "max_rounds": 4, **others}


def make_env(seats: int = 3, **options: Any) -> Any:
    return steam_power_v0.env(**small_rules(seats, **options))


def make_solo(**options: Any) -> Any:
    return steam_power_v0.env(**{"mode": "solo", "map": "mini", "contracts": "standard", **options})


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


def last_action(points: list[int], **others: Any) -> dict[str, Any]:
    """A scenario whose last seat ends the game with `money`; the seats then have so many points in cash."""
    seats = len(points)
    rules = {"map": "mini", "contracts": "standard", "max_rounds": 1, "first_player": "player_0", **others}
    scenario = Game(Rules(num_players=seats, **rules), seed=0).to_scenario()
    scenario["turn"] = {"seat": seats - 1, "actions_left": 1, "first_player": 0, "round": 1}
    scenario["seats"]["money"] = [5 * value for value in points]
    scenario["seats"]["money"][-1] -= 3
    return scenario


def end_with(points: list[int], **options: Any) -> Any:
    """The environment in the last lap of such a game."""
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


def bytes_of(env: Any) -> bytes:
    """All that the environment is made of."""
    return pickle.dumps(env.unwrapped)


def told(env: Any) -> tuple[Any, ...]:
    """All that agents are told, in a form that can be compared."""
    return (
        env.agent_selection,
        env.agents.copy(),
        env.rewards.copy(),
        env._cumulative_rewards.copy(),
        env.terminations.copy(),
        env.truncations.copy(),
        {agent: {name: plain(value) for name, value in info.items()} for agent, info in env.infos.items()},
        env.game.record.tobytes(),
        [pickle.dumps(env.observe(agent)) for agent in env.possible_agents],
    )


def plain(value: Any) -> Any:
    """An entry of an info as something of its own that can be compared."""
    return value.tolist() if isinstance(value, np.ndarray) else copy.deepcopy(value)


# --- PettingZoo's own tests -------------------------------------------------------------------------


@conforms
@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_api(seats: int) -> None:
    api_test(make_env(seats))


@conforms
def test_api__on_the_standard_map() -> None:
    api_test(steam_power_v0.env(num_players=4, map="midwest", max_rounds=6))


@conforms
def test_api__with_every_option() -> None:
    api_test(make_env(3, reward="score", shaping=money_potential, gamma=0.9, skip_forced=True, illegal="forfeit"))


@conforms
@pytest.mark.parametrize(("seats", "automas"), AUTOMA_TABLES)
@pytest.mark.parametrize("game_map", ["mini", "midwest"])
def test_api__with_automas(seats: int, automas: int, game_map: str) -> None:
    api_test(make_env(seats, automas=automas, map=game_map, contracts="standard", max_rounds=100))


@conforms
@pytest.mark.parametrize("game_map", ["mini", "midwest"])
def test_api__solo(game_map: str) -> None:
    api_test(make_solo(map=game_map))


@conforms
def test_api__solo_with_every_option() -> None:
    api_test(make_solo(reward="margin", shaping=money_potential, gamma=0.9, skip_forced=True, illegal="forfeit"))


@pytest.mark.filterwarnings("ignore:reset option 'options' is ignored:UserWarning")
def test_api__mask_in_info_leaves_nothing_to_warn_of() -> None:
    api_test(make_env(2, mask_in="info"))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_seed(seats: int) -> None:
    seed_test(lambda: make_env(seats))


def test_seed__on_the_standard_map() -> None:
    seed_test(lambda: steam_power_v0.env(num_players=3), num_cycles=40)


@pytest.mark.parametrize(("seats", "automas"), AUTOMA_TABLES)
def test_seed__with_automas(seats: int, automas: int) -> None:
    seed_test(lambda: make_env(seats, automas=automas))


def test_seed__solo() -> None:
    seed_test(make_solo)


def test_render(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(lambda render_mode: make_env(3, render_mode=render_mode))


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_state__conforms(seats: int) -> None:
    env = make_env(seats, illegal="forfeit")  # this test samples without the mask
    check_state_space(env)
    check_state(env, num_cycles=20)


@pytest.mark.parametrize("make", [lambda **options: make_env(5, automas=3, **options), lambda **options: make_solo()])
def test_state__conforms_with_automas_and_solo(make: Callable[..., Any]) -> None:
    env = make(illegal="forfeit")
    check_state_space(env)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in env.agent_iter():
        assert env.state_space.contains(env.state())
        env.step(env.sample_legal(rng))
    assert env.state_space.contains(env.state())


# --- agents and their spaces ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_agents__are_the_seats_until_the_end(seats: int) -> None:
    env = make_env(seats)
    env.reset(seed=1)
    names = [f"player_{seat}" for seat in range(seats)]
    assert env.possible_agents == names
    rng = np.random.default_rng(1)
    while not env.terminations[env.agent_selection]:
        assert env.agents == names
        assert env.agent_selection == name_seat(env.game.seat)
        assert not any(env.truncations.values())
        env.step(env.sample_legal(rng))
    assert env.agents == names


def test_agent_selection__stays_through_sub_decisions() -> None:
    env = make_env(2)
    env.reset(seed=1)
    agent, game = env.agent_selection, env.game
    env.step(next(action for action in game.legal() if game.text(action).startswith("start")))
    assert game.phase == "head"
    assert env.agent_selection == agent


def test_spaces__are_the_same_for_all_games_and_each_agent_has_its_own() -> None:
    envs = [make_env(2), steam_power_v0.env(num_players=5)]
    for env in envs:
        for agent in env.possible_agents:
            assert env.observation_space(agent) is env.observation_space(agent)
            assert env.observation_space(agent) == envs[0].observation_space("player_0")
            assert env.action_space(agent) == envs[0].action_space("player_0")
            assert env.action_space(agent).n == NUM_ACTIONS
    assert envs[0].action_space("player_0") is not envs[0].action_space("player_1")


def test_metadata__says_what_it_is() -> None:
    env = make_env()
    assert str(env) == env.metadata["name"] == "steam_power_v0"
    assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert env.metadata["is_parallelizable"] is False
    assert env.metadata["reward_timing"] == "terminal"
    assert "shaping" in make_env(shaping=money_potential).metadata["reward_timing"]
    assert "shaping" not in SteamPowerAEC.metadata["reward_timing"]


def test_board_features__are_those_of_the_map_and_fresh() -> None:
    env = make_env()
    features = env.board_features
    assert set(features) > {"hex_terrain", "contract_needs"}
    features["hex_terrain"][:] = 7
    env.reset(seed=1)
    assert env.board_features["hex_terrain"].max() == 1
    env.reset(options={"scenario": EVENTFUL})
    assert (env.board_features["hex_neighbour"] != features["hex_neighbour"]).any()


# --- observations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_mask__is_what_is_legal_and_zero_for_the_others(mask_in: str) -> None:
    env = make_env(3, mask_in=mask_in)
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    for mover in env.agent_iter():
        over = env.terminations[mover]
        for agent in env.agents:
            holder = env.observe(agent) if mask_in == "observation" else env.infos[agent]
            mask = holder["action_mask"]
            assert (mask.dtype, mask.shape) == (np.int8, (NUM_ACTIONS,))
            legal = env.game.legal() if agent == mover and not over else []
            assert np.flatnonzero(mask).tolist() == legal
        assert over or env.game.legal()
        env.step(env.sample_legal(rng))


def test_observe__is_the_games_observation_in_its_space() -> None:
    env = make_env(3)
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in env.agent_iter():
        for seat, agent in enumerate(env.possible_agents):
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert np.array_equal(observation["observation"], env.game.observe(seat))
        env.step(env.sample_legal(rng))
    assert env.agents == []
    assert env.observe("player_1")["observation"].any()


def test_observe__changes_nothing() -> None:
    env = make_env(3)
    env.reset(seed=4)
    play(env, np.random.default_rng(4), 20)
    before = bytes_of(env)
    for agent in env.possible_agents:
        env.observe(agent)
    env.last()
    env.state()
    assert bytes_of(env) == before


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_observe__arrays_and_infos_are_fresh(mask_in: str) -> None:
    env, twin = (make_env(2, mask_in=mask_in) for _ in range(2))
    for each in (env, twin):
        each.reset(seed=5)
    rng = np.random.default_rng(5)
    while env.agents:
        spoil(env.last())
        spoil(env.state())
        spoil(env.board_features)
        action = twin.sample_legal(rng)
        env.step(action)
        twin.step(action)
        if env.agents:
            assert told(env) == told(twin)
    assert env.game.events == twin.game.events


def spoil(thing: Any) -> None:
    """Change all that can be changed in it."""
    if isinstance(thing, np.ndarray):
        thing[...] = 7
    elif isinstance(thing, Event):
        spoil(thing.values)
    elif isinstance(thing, dict | list | tuple | SeenEvents):
        for value in thing.values() if isinstance(thing, dict) else thing:
            spoil(value)
        if isinstance(thing, dict | list):
            thing.clear()


def test_observe__unknown_agent_is_named() -> None:
    env = make_env(2)
    env.reset(seed=1)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match="no agent 'player_2': there are player_0, player_1"):
            ask("player_2")


def test_state__holds_every_seat_and_the_order_of_the_deck() -> None:
    scenario = Game(Rules(map="mini", contracts="standard"), seed=1).to_scenario()
    env = steam_power_v0.env(map="mini", contracts="standard")
    env.reset(options={"scenario": scenario})
    one, seen = env.state(), [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert np.array_equal(one[:-MAX_CONTRACTS], np.concatenate(seen))
    deck = [int(contract) for contract in np.argsort(one[-MAX_CONTRACTS:]) if one[-MAX_CONTRACTS:][contract]]
    assert deck == scenario["deck"]["order"]
    scenario["deck"]["order"].reverse()
    env.reset(options={"scenario": scenario})
    assert np.array_equal(env.observe("player_0")["observation"], seen[0])
    assert not np.array_equal(env.state(), one)


# --- Automas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "automas"), AUTOMA_TABLES)
def test_automas__are_no_agents_and_play_inside(seats: int, automas: int) -> None:
    env = make_env(seats, automas=automas)
    env.reset(seed=31)
    players = [f"player_{seat}" for seat in range(seats - automas)]
    assert env.possible_agents == env.agents == players
    rng = np.random.default_rng(31)
    while not env.terminations[env.agent_selection]:
        assert env.agent_selection == name_seat(env.game.seat)
        env.step(env.sample_legal(rng))
    assert {event.actor for event in env.game.events} >= set(range(seats))
    assert list(take_lap(env)) == players


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
@pytest.mark.parametrize(("seats", "automas"), AUTOMA_TABLES)
def test_automas__count_among_the_seats_in_rewards(reward: str, seats: int, automas: int) -> None:
    for seed in range(3):
        env = make_env(seats, automas=automas, reward=reward)
        env.reset(seed=seed)
        play_to_end(env, np.random.default_rng(seed))
        totals = [score["total"] for score in env.game.scores()]
        assert len(totals) == seats
        margins = [(own - (sum(totals) - own) / (seats - 1)) / VP_SCALE for own in totals]
        expected = {"win": end_rewards(env.game), "margin": margins, "score": [own / VP_SCALE for own in totals]}
        assert list(take_lap(env).values()) == pytest.approx(expected[reward][: seats - automas])


def test_automas__a_reward_function_has_a_row_for_them() -> None:
    env = make_env(4, automas=2, reward=lambda records, rules: np.arange(4.0)[np.newaxis])
    env.reset(seed=32)
    play_to_end(env, np.random.default_rng(32))
    assert take_lap(env) == {"player_0": 0.0, "player_1": 1.0}


def test_automas__shaping_counts_them() -> None:
    env = make_env(4, automas=2, reward=pay_nothing, shaping=money_potential)
    env.reset(seed=33)
    start = potential_of(env.game)
    assert list(play(env, np.random.default_rng(33)).values()) == pytest.approx((-start[:2]).tolist())


def test_automas__forfeit_is_shared_with_them() -> None:
    env = make_env(4, automas=2, illegal="forfeit")
    env.reset(seed=34)
    offender = env.agent_selection
    env.step(ILLEGAL_AT_START)
    assert take_lap(env) == {agent: -1 if agent == offender else 1 / 3 for agent in env.possible_agents}


def test_automas__what_they_did_before_the_first_decision_is_told_once() -> None:
    scenario = Game(Rules(automas=1, map="mini", contracts="mini"), seed=36).to_scenario()
    scenario["turn"]["seat"] = 1
    env = make_env(2, automas=1)
    env.reset(seed=36, options={"scenario": scenario})
    opening = env.last()[4]["events"]
    assert opening == env.game.events
    assert opening[0].kind == "automa"
    env.step(env.game.parse("money"))
    assert env.last()[4]["events"] == env.game.events[len(opening) :]


def test_automas__their_moves_are_events_of_the_players() -> None:
    env = make_env(3, automas=1)
    env.reset(seed=35)
    heard = defaultdict(list)
    rng = np.random.default_rng(35)
    for agent in env.agent_iter():
        heard[agent] += env.last()[4]["events"]
        env.step(env.sample_legal(rng))
    for seat, agent in enumerate(env.possible_agents):
        assert heard[agent] == [event.hide_from(seat) for event in env.game.events]
        assert {"automa", "reveal"} < {event.kind for event in heard[agent]}


def test_automas__scenario_may_have_others() -> None:
    env = make_env(2, automas=1, illegal="forfeit")
    game = Game(Rules(**small_rules(5, automas=4)), seed=1)
    env.reset(options={"scenario": game.to_scenario()})
    assert env.game.record == game.record
    assert env.state_space.contains(env.state())
    assert len(env.game.scores()) == 5
    env.step(ILLEGAL_AT_START)
    assert take_lap(env) == {"player_0": -1}


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("seats", [None, 2, 5])
def test_automas__and_solo_copies(copier: Callable[[Any], Any], seats: int | None) -> None:
    env = make_solo() if seats is None else make_env(seats, automas=1)
    env.reset(seed=36)
    play(env, np.random.default_rng(36), 25)
    twin = copier(env)
    assert told(twin.unwrapped) == told(env.unwrapped)
    futures = []
    for each in (twin, env):
        returns = play(each, np.random.default_rng(37))
        each.reset()
        futures.append((returns, told(each.unwrapped)))
    assert futures[0] == futures[1]


# --- solo -------------------------------------------------------------------------------------------


def test_solo__one_agent_sees_from_the_active_company() -> None:
    env = make_solo(mask_in="info")
    env.reset(seed=38)
    assert env.possible_agents == ["player_0"]
    companies = set()
    rng = np.random.default_rng(38)
    for agent in env.agent_iter():
        assert agent == "player_0"
        game = env.game
        companies.add(game.seat)
        assert np.array_equal(env.observe(agent), game.observe(max(game.seat, 0)))
        assert np.flatnonzero(env.infos[agent]["action_mask"]).tolist() == game.legal()
        env.step(env.sample_legal(rng))
    assert companies == {-1, 0, 1, 2, 3, 4}
    assert env.agents == []


def test_solo__is_paid_the_score() -> None:
    for reward in (None, "score", "margin"):
        env = make_solo(reward=reward)
        env.reset(seed=39)
        returns = play(env, np.random.default_rng(39))
        assert returns == {"player_0": env.game.scores()[0]["total"] / VP_SCALE}


def test_solo__there_is_nobody_to_win_against() -> None:
    with pytest.raises(ValueError, match="reward='win' needs somebody to win against"):
        make_solo(reward="win")


def test_solo__forfeit_pays_minus_one() -> None:
    env = make_solo(illegal="forfeit")
    env.reset(seed=40)
    env.step(ILLEGAL_AT_START)
    assert env.infos["player_0"]["forfeit"]["agent"] == "player_0"
    assert take_lap(env) == {"player_0": -1}


def test_solo__shaping_is_taken_as_it_is() -> None:
    env = make_solo(reward=pay_nothing, shaping=lambda records, rules: records["money"][:, :1] / 7)
    env.reset(seed=41)
    start = env.game.money[0] / 7
    assert play(env, np.random.default_rng(41)) == {"player_0": pytest.approx(-start)}


def test_solo__events_hide_what_is_face_down() -> None:
    env = make_solo()
    env.reset(seed=42)
    heard = []
    rng = np.random.default_rng(42)
    for _ in env.agent_iter():
        heard += env.last()[4]["events"]
        env.step(env.sample_legal(rng))
    assert heard == [event.hide_from(0, solo=True) for event in env.game.events]
    assert {event.kind for event in heard if HIDDEN in event.values.values()} == {"deal", "bag", "aside"}


def test_solo__state_holds_deck_and_bag() -> None:
    env = make_solo()
    env.reset(seed=43)
    deal = env.game.events[0].values
    deck, bag = np.split(env.state()[-MAX_CONTRACTS - BAG_SIZE :], [MAX_CONTRACTS])
    order = [int(contract) for contract in np.argsort(deck) if deck[contract]]
    assert order == deal["deck"]
    assert bag.tolist() == pytest.approx([(company + 1) / 5 for company in deal["trains"][1:]] + [0])


def test_solo__scenario_is_one() -> None:
    env = make_solo()
    game = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=44)
    env.reset(options={"scenario": game.to_scenario()})
    assert env.game.record == game.record
    with pytest.raises(ValueError, match="1 player seats in mode 'multiplayer', this environment 1 in mode 'solo'"):
        env.reset(options={"scenario": Game(Rules(**small_rules(2, automas=1)), seed=1).to_scenario()})


# --- the end ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_end__every_seat_is_visited_once_and_collects(seats: int) -> None:
    env = make_env(seats)
    env.reset(seed=6)
    play_to_end(env, np.random.default_rng(6))
    paid = env.rewards.copy()
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert take_lap(env) == paid
    assert list(paid) == env.possible_agents
    assert env.agents == []
    for gone in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
        assert gone == {}


def test_end__only_none_may_be_played() -> None:
    env = end_with([2, 1])
    with pytest.raises(ValueError, match="None"):
        env.step(MONEY)
    assert env.sample_legal(np.random.default_rng(0)) is None
    assert env.agents == ["player_0", "player_1"]


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
def test_end__nothing_is_paid_before(reward: str) -> None:
    env = make_env(3, reward=reward)
    env.reset(seed=7)
    rng = np.random.default_rng(7)
    while not env.terminations[env.agent_selection]:
        assert set(env.rewards.values()) == {0.0}
        env.step(env.sample_legal(rng))


def test_end__by_the_round_limit_is_terminated_and_told() -> None:
    env = end_with([2, 1, 1])
    assert env.game.truncated
    for agent in env.agents:
        assert env.infos[agent]["round_limit"] is True
        assert (env.terminations[agent], env.truncations[agent]) == (True, False)


def test_end__by_the_rules_is_not_the_round_limit() -> None:
    scenario = last_action([2, 1, 1], contracts_to_end=1, max_rounds=9)
    number = scenario["seats"]["hands"][0].pop()
    scenario["seats"]["fulfilled"] = [[number], [], []]
    env = steam_power_v0.env(num_players=3, map="mini", contracts="standard")
    env.reset(options={"scenario": scenario})
    assert env.infos["player_0"]["round_limit"] is False
    env.step(MONEY)
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert [env.infos[agent]["round_limit"] for agent in env.agents] == [False, False, False]


def test_end__a_new_game_may_begin_in_the_last_lap() -> None:
    env = end_with([2, 1])
    env.step(None)
    env.reset(seed=1)
    assert env.agents == env.possible_agents
    assert play(env, np.random.default_rng(0)).keys() == set(env.possible_agents)


# --- rewards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "paid"),
    [
        ([3, 1], [1, -1]),
        ([1, 3], [-1, 1]),
        ([2, 2], [0, 0]),
        ([1, 3, 1], [-1 / 2, 1, -1 / 2]),
        ([3, 1, 3], [1 / 2, -1, 1 / 2]),
        ([2, 2, 2], [0, 0, 0]),
        ([1, 4, 4, 2], [-1 / 2, 1 / 2, 1 / 2, -1 / 2]),
        ([1, 1, 1, 2], [-1 / 3, -1 / 3, -1 / 3, 1]),
        ([1, 1, 1, 1], [0, 0, 0, 0]),
        ([5, 4, 3, 2, 1], [1, -1 / 4, -1 / 4, -1 / 4, -1 / 4]),
        ([3, 3, 1, 3, 3], [1 / 4, 1 / 4, -1, 1 / 4, 1 / 4]),
        ([6, 6, 6, 6, 6], [0, 0, 0, 0, 0]),
    ],
)
def test_reward__win_of_every_seat(points: list[int], paid: list[float]) -> None:
    env = end_with(points)
    assert [score["total"] for score in env.game.scores()] == points
    assert list(take_lap(env).values()) == pytest.approx(paid)


@pytest.mark.parametrize("points", [[3, 1], [1, 5, 2], [4, 4, 4, 1], [1, 2, 3, 4, 5]])
def test_reward__margin_and_score_of_every_seat(points: list[int]) -> None:
    others = [(sum(points) - own) / (len(points) - 1) for own in points]
    margins = [(own - other) / VP_SCALE for own, other in zip(points, others, strict=True)]
    assert list(take_lap(end_with(points, reward="margin")).values()) == pytest.approx(margins)
    scores = [own / VP_SCALE for own in points]
    assert list(take_lap(end_with(points, reward="score")).values()) == pytest.approx(scores)


def test_reward__may_be_a_function() -> None:
    asked = []

    def pay_money(records: np.ndarray, rules: Rules) -> np.ndarray:
        asked.append(rules)
        return np.asarray(records["money"][:, : rules.seats])

    env = end_with([4, 1, 2], reward=pay_money)
    assert [rules.seats for rules in asked] == [3]
    assert take_lap(env) == {"player_0": 20.0, "player_1": 5.0, "player_2": 10.0}


@pytest.mark.parametrize("bad", [np.zeros(3), np.zeros((1, 2)), np.full((1, 3), np.nan)])
def test_reward__of_a_function_is_checked(bad: np.ndarray) -> None:
    with pytest.raises(ValueError, match="reward must return"):
        end_with([1, 1, 1], reward=lambda records, rules: bad)


def test_reward__functions_get_a_copy() -> None:
    def spoil_records(records: np.ndarray, rules: Rules) -> np.ndarray:
        records["money"] = 0
        return np.zeros((1, rules.seats))

    env = end_with([4, 1], reward=spoil_records, shaping=spoil_records)
    assert env.game.money == [20, 5]


# --- shaping ----------------------------------------------------------------------------------------


def money_potential(records: np.ndarray, rules: Rules) -> np.ndarray:
    """Not zero at the start, and not centred."""
    return np.asarray(records["money"][:, : rules.seats] / 7 + np.arange(rules.seats) ** 2)


def pay_nothing(records: np.ndarray, rules: Rules) -> np.ndarray:
    return np.zeros((len(records), rules.seats))


def potential_of(game: Game) -> np.ndarray:
    """Φ of each seat, less the mean."""
    values = money_potential(game.records, game.rules)[0]
    return np.asarray(values - values.mean())


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_shaping__telescopes_and_sums_to_zero(seats: int) -> None:
    env = make_env(seats, reward=pay_nothing, shaping=money_potential)
    env.reset(seed=8)
    start = potential_of(env.game)
    assert np.abs(start).min() > 0
    returns = list(play(env, np.random.default_rng(8)).values())
    assert returns == pytest.approx((-start).tolist())
    assert sum(returns) == pytest.approx(0)


def test_shaping__is_paid_from_decision_to_decision() -> None:
    gamma = 0.9
    env = make_env(3, shaping=money_potential, gamma=gamma)
    env.reset(seed=9)
    before = dict(zip(env.agents, potential_of(env.game), strict=True))
    rng = np.random.default_rng(9)
    first = env.agent_selection
    assert env.last()[1] == 0
    env.step(env.sample_legal(rng))
    while not env.terminations[env.agent_selection]:
        agent = env.agent_selection
        now = potential_of(env.game)[env.game.seat]
        assert env.last()[1] == pytest.approx(gamma * now - before[agent])
        assert [other for other in env.agents if env.rewards[other] and other != agent] == []
        before[agent] = now
        env.step(env.sample_legal(rng))
    assert first in before
    wins = dict(zip(env.agents, end_rewards(env.game), strict=True))
    assert take_lap(env) == pytest.approx({agent: wins[agent] - before[agent] for agent in wins})


def end_rewards(game: Game) -> list[float]:
    winners, seats = game.winners(), game.seats
    losers = seats - len(winners)
    return [(1 / len(winners) if seat in winners else -1 / losers) if losers else 0 for seat in range(seats)]


def test_shaping__of_a_forfeit_telescopes_too() -> None:
    env = make_env(3, shaping=money_potential, illegal="forfeit")
    env.reset(seed=10)
    start, offender = potential_of(env.game), env.game.seat
    env.step(ILLEGAL_AT_START)
    expected = [(-1 if seat == offender else 1 / 2) - start[seat] for seat in range(3)]
    assert list(take_lap(env).values()) == pytest.approx(expected)


def test_shaping__of_a_function_is_checked() -> None:
    env = make_env(3, shaping=lambda records, rules: np.zeros(3))
    with pytest.raises(ValueError, match="shaping must return"):
        env.reset(seed=1)


# --- illegal actions --------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("action", [ILLEGAL_AT_START, -1, NUM_ACTIONS, None, "money", 1.0, True, np.zeros(1, int)])
def test_raise__changes_nothing(make: Callable[..., Any], action: Any) -> None:
    env = make(**small_rules(2))
    env.reset(seed=11)
    before, bytes_before = told(env.unwrapped), bytes_of(env)
    with pytest.raises(IllegalActionError):
        env.step(action)
    assert told(env.unwrapped) == before
    assert bytes_of(env) == bytes_before
    env.step(MONEY)


def test_raise__says_why() -> None:
    env = make_env(2)
    env.reset(seed=11)
    with pytest.raises(IllegalActionError, match=re.escape(str(env.game.explain(ILLEGAL_AT_START)))):
        env.step(ILLEGAL_AT_START)


@pytest.mark.parametrize("action", [MONEY, np.int32(MONEY), np.int64(MONEY), np.array(MONEY)])
def test_step__takes_every_kind_of_integer(action: Any) -> None:
    env = make_env(2)
    env.reset(seed=11)
    env.step(action)
    assert env.game.actions == [MONEY]


@pytest.mark.parametrize("seats", SEAT_COUNTS)
@pytest.mark.parametrize("action", [ILLEGAL_AT_START, NUM_ACTIONS])
def test_forfeit__ends_the_game_for_all(seats: int, action: int) -> None:
    env = make_env(seats, illegal="forfeit")
    env.reset(seed=12)
    env.step(MONEY)
    offender, record = env.agent_selection, env.game.record.tobytes()
    env.step(action)
    assert env.game.record.tobytes() == record
    for agent in env.agents:
        forfeit = env.infos[agent]["forfeit"]
        assert (forfeit["agent"], forfeit["action"]) == (offender, action)
        assert "(rule 5.1)" in forfeit["reason"] or "out of range" in forfeit["reason"]
        assert env.infos[agent]["round_limit"] is False
        assert not env.observe(agent)["action_mask"].any()
        assert env.observe(agent)["observation"].any()
    assert env.infos["player_0"]["forfeit"] is not env.infos["player_1"]["forfeit"]
    visits = take_lap(env)
    assert visits == {agent: -1 if agent == offender else 1 / (seats - 1) for agent in env.possible_agents}
    assert sum(visits.values()) == pytest.approx(0)


@pytest.mark.parametrize("action", [None, "money", 1.0])
def test_forfeit__what_is_no_integer_raises(action: Any) -> None:
    env = make_env(2, illegal="forfeit")
    env.reset(seed=12)
    with pytest.raises(IllegalActionError, match="must be an integer"):
        env.step(action)
    assert not any(env.terminations.values())


def test_forfeit__is_over_with_the_next_reset() -> None:
    env = make_env(2, illegal="forfeit")
    env.reset(seed=12)
    env.step(ILLEGAL_AT_START)
    env.reset()
    assert not any(env.terminations.values())
    assert "forfeit" not in env.infos["player_0"]


# --- forced decisions -------------------------------------------------------------------------------


def test_skip_forced__never_asks_for_a_single_choice() -> None:
    asked = skipped = 0
    for seed in range(6):
        env = make_env(2, skip_forced=True, max_rounds=30)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not env.terminations[env.agent_selection]:
            assert len(env.game.legal()) > 1
            env.step(env.sample_legal(rng))
            asked += 1
        skipped += env.game.num_steps
        assert set(take_lap(env)) == set(env.possible_agents)
    assert skipped > asked > 0


def test_skip_forced__at_reset_too() -> None:
    scenario = forced_start()
    plain, env = make_env(2), make_env(2, skip_forced=True)
    for each in (plain, env):
        each.reset(seed=1, options={"scenario": scenario})
    assert len(plain.game.legal()) == 1
    assert env.game.num_steps >= 1
    assert len(env.game.legal()) > 1
    plain.step(plain.game.legal()[0])
    told_once = env.infos[env.agent_selection]["events"]
    assert told_once[: len(plain.game.events)] == plain.game.events


def forced_start() -> dict[str, Any]:
    """A scenario in which only `money` is legal: no contract to take, and no money for the mountains."""
    contract = {"needs": "W", "money": 1, "vp": 1, "bonus": "none", "automa": "track"}
    hexes = {"A1": "city", "A3": "mountains", "B2": "mountains", "C1": "mountains", "C3": "city"}
    return {
        "rules": {"num_players": 2, "max_rounds": 9},
        "cities": "PP",
        "contracts": [contract] * 5,
        "map": {"name": "pass", "cities": ["Ames", "Boone"], "tiles": "PP", "hexes": hexes},
        "seats": {"money": [0, 30], "hands": [[0, 1, 2], [3, 4]]},
        "turn": {"seat": 0, "actions_left": 1, "first_player": 0, "round": 1},
        "deck": {"order": []},
    }


# --- events -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [None, EVENTFUL])
@pytest.mark.parametrize("skip_forced", [False, True])
def test_events__each_is_told_once_to_each_seat(scenario: Path | None, skip_forced: bool) -> None:
    env = make_env(3, max_rounds=12, skip_forced=skip_forced)
    env.reset(seed=13, options={"scenario": scenario})
    heard = defaultdict(list)
    rng = np.random.default_rng(13)
    for agent in env.agent_iter():
        heard[agent] += env.last()[4]["events"]
        env.step(env.sample_legal(rng))
    happened = env.game.events
    assert {"draw", "end"} < {event.kind for event in happened} or scenario
    for seat, agent in enumerate(env.possible_agents):
        assert heard[agent] == [event.hide_from(seat) for event in happened]


def test_events__begin_with_the_results_of_the_own_action() -> None:
    env = make_env(2)
    env.reset(seed=14)
    assert [event.kind for event in env.last()[4]["events"]] == ["deal"]
    agent = env.agent_selection
    env.step(1)  # contracts
    assert env.agent_selection == agent
    events = env.last()[4]["events"]
    assert [(event.kind, event.actor) for event in events] == [("draw", env.game.seat)] * 2
    assert all(event.values["contract"] in env.game.hand(env.game.seat) for event in events)


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_events__left_out_nothing_but_numbers_is_told(mask_in: str) -> None:
    env, twin = make_env(3, max_rounds=3, events=False, mask_in=mask_in), make_env(3, max_rounds=3, mask_in=mask_in)
    for each in (env, twin):
        each.reset(seed=14)
    rng = np.random.default_rng(14)
    for agent in env.agent_iter():
        for info, full in zip(env.infos.values(), twin.infos.values(), strict=True):
            assert info.keys() == full.keys() - {"events"}
            assert all(np.asarray(value).dtype.kind in "bi" for value in info.values())
        assert env.last()[1:4] == twin.last()[1:4]
        assert env.infos[agent]["round_limit"] == twin.infos[agent]["round_limit"]
        action = env.sample_legal(rng)
        env.step(action)
        twin.step(action)


def test_events__stay_what_they_were_when_the_game_goes_on() -> None:
    env = make_env(2)
    env.reset(seed=16)
    unread = env.infos["player_1"]["events"]
    seen = [event.hide_from(1) for event in env.game.events]
    env.step(1)  # contracts
    assert unread == seen
    assert len(env.game.events) > len(unread) == 1


@pytest.mark.parametrize("scenario", [None, EVENTFUL])
def test_events__private_draws_are_hidden_from_the_others(scenario: Path | None) -> None:
    env = make_env(3, max_rounds=12)
    env.reset(seed=15, options={"scenario": scenario})
    rng = np.random.default_rng(15)
    private = 0
    for agent in env.agent_iter():
        seat = env.possible_agents.index(agent)
        for event in env.last()[4]["events"]:
            if event.kind == "deal":
                assert [hand == HIDDEN for hand in event.values["hands"]] == [other != seat for other in range(3)]
                assert event.values["deck"] == HIDDEN
            elif event.kind in ("draw", "take"):
                involved = seat in (event.actor, event.values.get("from_seat"))
                assert (event.values["contract"] == HIDDEN) is not involved
                private += not involved
        env.step(env.sample_legal(rng))
    assert private > 0


# --- seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_reset__a_seed_fixes_everything(seats: int) -> None:
    one, two = make_env(seats), make_env(seats)
    for game in range(3):
        for env in (one, two):
            env.reset(seed=16 if game == 0 else None)
        rngs = [np.random.default_rng(game) for _ in range(2)]
        while one.agents:
            assert told(one) == told(two)
            for env, rng in zip((one, two), rngs, strict=True):
                env.step(env.sample_legal(rng))
        assert two.agents == []


def test_reset__with_a_seed_is_the_game_of_that_seed() -> None:
    env = make_env(3)
    env.reset(seed=17)
    assert env.game.record == Game(Rules(**small_rules(3)), seed=17).record


def test_reset__without_a_seed_goes_on_to_other_games() -> None:
    env = make_env(3)
    deals = []
    for seed in (18, None, None, 18, None):
        env.reset(seed=seed)
        deals.append(env.game.record.tobytes())
    assert deals[:2] == deals[3:]
    assert len(set(deals)) == 3


def test_reset__leaves_global_random_states_alone() -> None:
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002 - to see that nobody uses it
    env = make_env(2)
    env.reset(seed=19)
    play(env, np.random.default_rng(19))
    env.reset()
    assert random.getstate() == python
    assert all(np.array_equal(a, b) for a, b in zip(np.random.get_state(), numpy, strict=True))  # noqa: NPY002


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "1"])
def test_reset__bad_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        make_env(2).reset(seed=seed)


# --- scenarios --------------------------------------------------------------------------------------


def test_reset__begins_at_a_scenario_and_later_deals_again() -> None:
    env = make_env(3)
    for source in (EVENTFUL, Game.from_scenario(EVENTFUL, seed=0).to_scenario()):
        env.reset(seed=20, options={"scenario": source})
        assert env.game.round == 19
        assert env.agent_selection == "player_2"
        assert env.rules.max_rounds == 4
    env.reset(seed=20, options={})
    assert env.game.record == Game(env.rules, seed=20).record


def test_reset__scenario_of_other_seats_is_refused() -> None:
    env = make_env(2)
    env.reset(seed=21)
    before = told(env)
    with pytest.raises(ValueError, match="the scenario has 3 player seats in mode 'multiplayer', this environment 2"):
        env.reset(options={"scenario": EVENTFUL})
    with pytest.raises(ScenarioError):
        env.reset(options={"scenario": {"cities": "X"}})
    assert told(env) == before


def test_reset__unknown_option_is_told() -> None:
    with pytest.warns(UserWarning, match="reset option 'scenaro' is ignored: 'scenario' is allowed"):
        make_env(2).reset(options={"scenaro": "x.toml"})


# --- copies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("steps", [0, 25])
def test_copy__has_the_same_position_and_future(make: Any, copier: Callable[[Any], Any], steps: int) -> None:
    env = make(**small_rules(3, shaping=money_potential, illegal="forfeit"))
    env.reset(seed=22)
    play(env, np.random.default_rng(22), steps)
    twin = copier(env)
    assert type(twin) is type(env)
    assert told(twin.unwrapped) == told(env.unwrapped)
    before = told(env.unwrapped)
    futures = []
    for each in (twin, env):
        each.action_space("player_0").seed(0)
        if each is env:
            assert told(env.unwrapped) == before  # the copy has moved on alone
        returns = play(each, np.random.default_rng(23))
        each.reset()
        futures.append((returns, told(each.unwrapped)))
    assert futures[0] == futures[1]


@pytest.mark.parametrize("copier", COPIERS)
def test_copy__in_the_last_lap_and_before_reset(copier: Callable[[Any], Any]) -> None:
    env = end_with([3, 1, 1])
    env.step(None)
    assert take_lap(copier(env)) == take_lap(env) == {"player_1": -1 / 2, "player_2": -1 / 2}
    fresh = copier(make_env(2))
    fresh.reset(seed=1)
    assert fresh.agents == ["player_0", "player_1"]


@pytest.mark.parametrize("copier", COPIERS)
def test_copy__generators_are_copies(copier: Callable[[Any], Any]) -> None:
    env = make_env(2)
    env.reset(seed=1)
    env.action_space("player_0").seed(1)
    twin = copier(env)
    samples = [[each.action_space("player_0").sample() for _ in range(5)] for each in (env, twin)]
    assert samples[0] == samples[1]


def test_copy__through_a_wrapper_of_pettingzoo() -> None:
    env = BaseWrapper(make_env(2))
    env.reset(seed=1)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        twin.step(MONEY)
        assert (env.game.num_steps, twin.game.num_steps) == (0, 1)


# --- order of calls, options ------------------------------------------------------------------------


def test_step__needs_a_reset() -> None:
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before step"):
        make_env(2).step(MONEY)
    raw = steam_power_v0.raw_env(**small_rules(2))
    for use in (lambda: raw.step(MONEY), lambda: raw.observe("player_0"), raw.state):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            use()


def test_step__after_the_last_visit_needs_a_reset() -> None:
    env = end_with([2, 1])
    take_lap(env)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.unwrapped.step(None)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"player": 3}, r"unknown option 'player': options are .*encoding.*; rules are num_players"),
        ({"num_players": 9}, "num_players=9: 2 to 5 are allowed"),
        ({"map": "nowhere"}, "nowhere"),
        ({"num_players": 5, "contracts": "mini"}, "5 player seats need at least 25"),
        ({"rules": Rules(), "map": "mini"}, "rules= and map= exclude each other"),
        ({"rules": {"map": "mini"}}, "an object of steam_env.Rules is allowed"),
        ({"encoding": "nothing"}, "encoding='nothing': allowed are 'flat', 'grid', 'graph'"),
        ({"reward": "money"}, "reward='money': allowed are 'win', 'margin', 'score' or a function"),
        ({"shaping": "money"}, "shaping='money': None or a function"),
        ({"gamma": 1.5}, "gamma=1.5: a number from 0 to 1"),
        ({"gamma": float("nan")}, "gamma=nan: a number from 0 to 1"),
        ({"gamma": "1"}, "gamma='1': a number from 0 to 1"),
        ({"illegal": "ignore"}, "illegal='ignore': allowed are 'raise', 'forfeit'"),
        ({"illegal": None}, "illegal=None: allowed are 'raise', 'forfeit'"),
        ({"skip_forced": 1}, "skip_forced=1: allowed are True, False"),
        ({"mask_in": "both"}, "mask_in='both': allowed are 'observation', 'info'"),
        ({"events": None}, "events=None: allowed are True, False"),
        ({"render_mode": "pdf"}, "render_mode='pdf': allowed are 'ansi', 'human', 'rgb_array'"),
    ],
)
def test_options__wrong_ones_are_refused(options: dict[str, Any], named: str) -> None:
    for make in MAKERS:
        with pytest.raises(ValueError, match=named):
            make(**options)


def test_options__rules_as_an_object_or_by_name() -> None:
    rules = Rules(**small_rules(3))
    assert steam_power_v0.env(rules=rules).rules == make_env(3).rules == rules
    assert steam_power_v0.env().rules == Rules()


def test_options__encoding_gives_the_box() -> None:
    env = make_env(2, encoding="flat", mask_in="info")
    space = env.observation_space("player_0")
    assert (space.shape, space.dtype) == (ENCODINGS["flat"].spec.shape, np.float32)


def test_render__returns_or_shows_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    env = make_env(2, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.game.render("ansi")
    shown: list[np.ndarray] = []
    monkeypatch.setattr("steam_env.render.show_pixels", lambda pixels, fps: shown.append(pixels))
    env = make_env(2, render_mode="human")
    env.reset(seed=1)
    env.step(MONEY)
    assert len(shown) == 2
    assert env.render() is None
    assert np.array_equal(shown[1], shown[2])
    assert not np.array_equal(shown[0], shown[1])
    assert np.array_equal(shown[2], env.game.render("rgb_array"))
    env.close()


@pytest.mark.filterwarnings("ignore:.*render.. does nothing without a render_mode:UserWarning")
def test_render__without_a_mode_is_nothing() -> None:
    env = make_env(2)
    env.reset(seed=1)
    assert env.render() is None


# --- the page ---------------------------------------------------------------------------------------


def test_page__code_runs() -> None:
    code, *_ = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert sum(names["returns"].values()) == pytest.approx(0)


def test_page__diagram_shows_the_visits() -> None:
    (diagram,) = re.findall(r"```text\n(.*?)\n\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    _, actions, *rows = diagram.splitlines()
    env = steam_power_v0.env(num_players=3, map="mini", contracts="standard")
    env.reset(options={"scenario": diagram_start()})
    visits = []
    for agent in env.agent_iter():
        word = actions.replace("*", "").split()[len(visits)]
        visits.append(agent)
        texts = env.game.legal_text() if word != "None" else []
        env.step(next((env.game.parse(text) for text in texts if text.split()[0] == word), None))
    for agent, row in zip(env.possible_agents, rows, strict=True):
        name, *marks = row.replace("|", "").split()
        assert (name, marks) == (agent, ["x" if visitor == agent else "." for visitor in visits])


def diagram_start() -> dict[str, Any]:
    scenario = last_action([2, 2, 2], first_player="random")
    scenario["seats"]["money"] = [9, 9, 9]
    scenario["turn"] = {"seat": 1, "actions_left": 2, "first_player": 1, "round": 1}
    return scenario


def test_docstrings__examples_run() -> None:
    results = doctest.testmod(aec)
    assert (results.failed, results.attempted > 0) == (0, True)
