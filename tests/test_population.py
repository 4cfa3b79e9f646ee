"""The population that a learner meets: opponents with another habit in each game, and games joined in the middle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from steam_env import Rules
from steam_env.agents import GreedyAgent
from steam_env.agents.base import VaryingAgent
from steam_env.agents.deviations import Mover, Rush
from steam_env.agents.random import RandomAgent
from steam_env.agents.varied import VariedAgent, find_family
from steam_env.envs.cast import draw_fractions
from steam_env.envs.midgame import Midgame
from steam_env.envs.options import GameOptions
from steam_env.envs.pool import Pool
from steam_env.envs.reserve import Reserve, size_reserve
from steam_env.envs.tables import Tables
from steam_env.evaluation.agent_names import _list_files, find_deviations, hash_agent, make_any_agent, split_habit
from steam_env.evaluation.match import MatchConfig, play_match
from steam_env.kit.arrays import IntArray
from steam_env.kit.errors import AgentError
from steam_env.table.batch import GameBatch
from steam_env.table.engine import load_setting
from steam_env.table.rewards import WinAndMargin
from steam_env.table.view import View

GAMES = 40
RULES = Rules(map="mini", contracts="mini")
SETTING = load_setting(RULES)
CITIES = len(SETTING.map.cities)


class Noting(RandomAgent):
    """Notes the seats that it plays in each round."""

    asked: list[tuple[int, int]]

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.asked = []

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        self.asked += zip(views.records["round_number"].tolist(), views.seats.tolist(), strict=True)
        return super().act(observations, masks, views)


OPTIONS, MIDGAME = GameOptions(game="steam_power", rules=RULES), Midgame(0.5, 4, GreedyAgent)


def open_tables(opponents: Any, midgame: Midgame | None = None) -> Tables:
    tables = Tables(OPTIONS, GAMES, opponents=opponents, midgame=midgame)
    tables.begin_all(np.random.default_rng(1), np.arange(GAMES))
    return tables


# --- habits -------------------------------------------------------------------------------------------


def play_openings(name: str) -> IntArray:
    """The first cities of an agent against random, (deals, rotations)."""
    config = MatchConfig(name, "random", deals=30, seed=3, map="mini", contracts="mini", max_rounds=4)
    return play_match(config, make_agent=make_any_agent).games.openings[:, :, 0]


def test_an_agent_with_any_first_city_opens_each_game_with_another_one() -> None:
    always, varied = play_openings("greedy+first:" + SETTING.map.cities[0]), play_openings("greedy+first")
    assert (always == 0).all()
    assert len(np.unique(varied)) == CITIES
    assert (varied[:, 0] == varied[:, 1]).mean() > 0.9  # the same in all rotations, where it can be had


def test_a_habit_lasts_for_the_game_whoever_else_is_asked() -> None:
    deviations = find_deviations()
    assert deviations is not None
    names = find_family("first", deviations, SETTING)
    agent = VariedAgent(GreedyAgent(), "first", deviations)
    assert isinstance(agent, VaryingAgent)
    batch = GameBatch(RULES, len(names), seed=5)
    chances = (np.arange(len(names)) + 0.5) / len(names)
    together = ask(agent, batch, chances, np.arange(len(names)))
    alone = np.concatenate([ask(agent, batch, chances, np.array([row])) for row in range(len(names))])
    np.testing.assert_array_equal(together, alone)
    for row, name in enumerate(names):
        single = make_any_agent(f"greedy+{name}")
        assert single.act(None, batch.mask[[row]].copy(), batch.views().take([row]))[0] == together[row]


def ask(agent: VariedAgent, batch: GameBatch, chances: np.ndarray, rows: IntArray) -> IntArray:
    agent.vary(chances[rows])
    return agent.act(None, batch.mask[rows].copy(), batch.views().take(rows))


def test_a_family_is_named_by_its_first_word_and_any_names_all() -> None:
    deviations = find_deviations()
    assert deviations is not None
    assert find_family("any", deviations, SETTING) == deviations.names(SETTING)
    assert find_family("hoard", deviations, SETTING) == ("hoard:money", "hoard:contracts", "hoard:kept")
    with pytest.raises(ValueError, match="habits 'nap': mini has none of these"):
        find_family("nap", deviations, SETTING)
    assert split_habit("greedy+first:Chicago")[0] == split_habit("greedy+pair")[0] == "greedy"
    assert split_habit("greedy+nap") == ("greedy+nap", None)


def test_on_a_set_of_maps_habits_name_no_city() -> None:
    deviations = find_deviations()
    assert deviations is not None
    many = load_setting(Rules(map="gen-v1:train", contracts="gen-v1:train"))
    names = find_family("any", deviations, many)
    assert set(names) == {name for name in deviations.names(SETTING) if not name.startswith(("first:", "pair:"))}
    with pytest.raises(ValueError, match="habits 'first': gen-v1:train has none of these"):
        find_family("first", deviations, many)
    fields = {"map": "gen-v1:train", "contracts": "gen-v1:train", "max_rounds": 2}
    with pytest.raises(
        AgentError, match="city 'Chicago': the maps of gen-v1:train have other cities each; name one map"
    ):
        play_match(MatchConfig("greedy+first:Chicago", "random", deals=2, **fields), make_agent=make_any_agent)


def test_a_habit_looks_at_the_map_of_each_game(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []
    answer = Rush.answer

    def note(self: Rush, action: int, mover: Mover) -> int:
        seen.append((mover.setting.map.name, int(mover.game["board_index"])))
        return answer(self, action, mover)

    monkeypatch.setattr(Rush, "answer", note)
    fields = {"map": "gen-v1:train", "contracts": "gen-v1:train", "max_rounds": 12}
    play_match(MatchConfig("greedy+rush", "greedy", deals=3, seed=1, **fields), make_agent=make_any_agent)
    assert len({name for name, _ in seen}) > 1
    assert {index for _, index in seen} == {0}


def test_an_agents_hash_is_of_its_habits_too() -> None:
    files = {path.name for path in _list_files("greedy+any", None)}
    assert {"greedy.py", "varied.py", "deviations.py"} <= files
    assert hash_agent("greedy+any") != hash_agent("greedy+rush") != hash_agent("greedy")


def test_a_varied_pool_has_the_members_that_come_later_too() -> None:
    pool = Pool({"random": RandomAgent})
    varied = pool.vary(lambda agent: VariedAgent(agent, "any", find_deviations()))  # type: ignore[arg-type]
    pool.add("greedy", GreedyAgent)
    assert varied.weights == pool.weights
    made = varied.make(1)
    assert isinstance(made, VariedAgent)
    assert isinstance(made.agent, GreedyAgent)
    assert isinstance(pool.make(1), GreedyAgent)


# --- starts in the middle -----------------------------------------------------------------------------


def test_few_rounds_are_drawn_more_often_than_many() -> None:
    rounds = Midgame(0.5, 8, RandomAgent).draw_rounds(np.arange(4000))
    assert 0.45 < (rounds == 0).mean() < 0.55
    counts = np.bincount(rounds, minlength=9)[1:]
    assert rounds.max() == 8
    assert (counts > 0).all()
    assert 0.45 < counts[:2].sum() / counts.sum() < 0.55


def test_a_stand_in_plays_the_learners_seat_until_it_joins() -> None:
    stand_in = Midgame(0.6, 3, Noting)
    tables = open_tables(RandomAgent, stand_in)
    wanted = 1 + stand_in.draw_rounds(np.arange(GAMES))
    rounds = tables.batch.records["round_number"]
    assert len(np.unique(wanted)) == 4
    np.testing.assert_array_equal(rounds[tables.batch.seeds < GAMES], wanted[tables.batch.seeds < GAMES])
    np.testing.assert_array_equal(tables.batch.seats, tables.learners)  # each is asked, and only as itself
    noted = [player.agent.asked for player in tables.cast._players.values() if isinstance(player.agent, Noting)]
    assert {round_number for round_number, _ in noted[0]} == {1, 2, 3}
    assert {seat for _, seat in noted[0]} == {0, 1}


def find_noting(tables: Tables, place: int) -> list[Noting]:
    players = tables.cast._players.values()
    return [one.agent for one in players if one.place == place and isinstance(one.agent, Noting)]


def test_opponents_join_with_the_learner() -> None:
    tables = open_tables(Noting, Midgame(1.0, 1, Noting))
    rng = np.random.default_rng(2)
    while not tables.over.all():
        tables.play(tables.batch.sample_legal(rng), np.zeros(GAMES, np.bool_), ~tables.over)
    (opponent,), (stand_in,) = find_noting(tables, 0), find_noting(tables, tables.cast.stand_in_place)
    assert {round_number for round_number, _ in stand_in.asked} == {1}
    assert min(round_number for round_number, _ in opponent.asked) == 2


class Told(RandomAgent):
    """Notes what it is told of each seat."""

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.told: dict[int, set[float]] = {}

    def vary(self, chances: np.ndarray) -> None:
        self.chances = chances

    def act(self, observations: Any, masks: np.ndarray, views: View) -> np.ndarray:
        for seat, chance in zip(views.seats.tolist(), self.chances.tolist(), strict=True):
            self.told.setdefault(seat, set()).add(chance)
        return super().act(observations, masks, views)


def test_a_stand_in_keeps_another_habit_on_each_seat() -> None:
    tables = Tables(GameOptions(game="steam_power", rules=RULES), 1, opponents=Told, midgame=Midgame(1.0, 4, Told))
    tables.begin_all(np.random.default_rng(1), np.array([5]))
    (stand_in,) = [one.agent for one in tables.cast._players.values() if one.place == tables.cast.stand_in_place]
    assert isinstance(stand_in, Told)
    assert {seat: len(chances) for seat, chances in stand_in.told.items()} == {0: 1, 1: 1}
    assert stand_in.told[0] != stand_in.told[1]


def test_learners_who_have_joined_play_every_decision_themselves() -> None:
    tables, rng = open_tables(RandomAgent, Midgame(1.0, 2, Noting)), np.random.default_rng(2)
    (stand_in,) = [player.agent for player in tables.cast._players.values() if isinstance(player.agent, Noting)]
    asked = len(stand_in.asked)
    while not tables.over.all():
        going = ~tables.over
        np.testing.assert_array_equal(tables.batch.seats[going], tables.learners[going])
        tables.play(tables.batch.sample_legal(rng), np.zeros(GAMES, np.bool_), going)
    assert len(stand_in.asked) == asked > 0


def test_learners_are_paid_for_what_they_did_alone() -> None:
    """The reward counts from the potential of the position in which they joined."""
    reward = WinAndMargin(0.5, 0.02)
    options = GameOptions(game="steam_power", rules=RULES, reward=reward, shaping=WinAndMargin(0.0, 0.02))
    tables = Tables(options, GAMES, opponents=RandomAgent, midgame=Midgame(1.0, 4, GreedyAgent))
    tables.begin_all(np.random.default_rng(1), np.arange(GAMES))
    before, rng = tables._potential.copy(), np.random.default_rng(2)
    paid = np.zeros(GAMES)
    while not tables.over.all():
        paid += tables.play(tables.batch.sample_legal(rng), np.zeros(GAMES, np.bool_), ~tables.over)
    assert np.abs(before).max() > 0
    np.testing.assert_allclose(paid + before, tables._count_reward(np.arange(GAMES)), atol=1e-9)


def test_games_that_were_begun_ahead_are_those_of_their_seeds() -> None:
    options = replace(OPTIONS, reward=WinAndMargin(0.5, 0.02), shaping=WinAndMargin(0.0, 0.02))
    pool = Pool({"greedy": GreedyAgent, "first": lambda: make_any_agent("greedy+first")})
    given: dict[str, Any] = {"opponents": pool, "midgame": MIDGAME}
    ahead = Reserve(Tables(options, size_reserve(GAMES), **given))
    tables = Tables(options, GAMES, **given, reserve=ahead)
    tables.begin_all(np.random.default_rng(1), np.arange(GAMES))
    some = np.arange(GAMES) % 3 != 0
    for _ in range(3):  # more games than are begun ahead at a time
        tables.begin(some)
    seeds = tables.batch.seeds
    assert len(np.unique(seeds)) == GAMES
    again = Tables(options, GAMES, **given)
    again.begin_all(np.random.default_rng(2), seeds)
    for name in ("learners", "_movers", "_forced", "_asked", "_joins", "_potential", "over"):
        np.testing.assert_array_equal(getattr(tables, name), getattr(again, name), err_msg=name)
    np.testing.assert_array_equal(tables.cast.numbers, again.cast.numbers)
    np.testing.assert_array_equal(tables.batch.mask, again.batch.mask)
    assert tables.batch.records.tobytes() == again.batch.records.tobytes()
    assert (tables.batch.records["round_number"] > 1).sum() > GAMES // 4


def test_a_reserve_is_forgotten_when_all_games_begin_anew() -> None:
    given: dict[str, Any] = {"opponents": RandomAgent, "midgame": MIDGAME}
    tables = Tables(OPTIONS, GAMES, **given, reserve=Reserve(Tables(OPTIONS, 16, **given)))
    drawn = []
    for _ in range(2):
        tables.begin_all(np.random.default_rng(1), np.arange(GAMES))
        tables.begin(np.arange(GAMES) < 10)
        drawn.append(tables.batch.seeds)
    np.testing.assert_array_equal(*drawn)


def test_who_stands_in_is_no_opponent_in_infos() -> None:
    tables = open_tables(Pool({"random": RandomAgent}), Midgame(1.0, 1, RandomAgent))
    assert tables.tell_end(np.arange(3))["opponents"].shape == (3, 1)


def test_draws_of_places_and_of_habits_do_not_depend_on_each_other() -> None:
    seeds = np.arange(2000)
    streams = [draw_fractions(seeds, stream) for stream in (0, 1, 2, 17, 18, 33, 34)]
    correlations = np.corrcoef(streams) - np.eye(len(streams))
    assert np.abs(correlations).max() < 0.08
