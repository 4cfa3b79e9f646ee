"""Matches: who sits where, what agents are given, totals, result files."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

from steam_env import GameBatch, IllegalActionError, View
from steam_env.core.steam_power.actions import KINDS
from steam_env.core.steam_power.scoring import SCORE_PARTS, TOTAL
from steam_env.core.steam_power.state import PLACE_DECK
from steam_env.data.steam_power.decks import load_deck
from steam_env.data.steam_power.maps import load_map, map_to_dict
from steam_env.data.steam_power.rules import AUTOMA_NAMES
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.evaluation import match as match_module
from steam_env.evaluation import match_table
from steam_env.evaluation.deals import draw_deal_seeds, seat_agents
from steam_env.evaluation.match import (
    MatchConfig,
    MatchResult,
    play_match,
)
from steam_env.evaluation.outcomes import Games, rank_rows
from steam_env.evaluation.provenance import HOOK_VARIABLES, find_commit, hash_content
from steam_env.evaluation.report import dump_json, report_match, result_to_dict, write_markdown
from steam_env.evaluation.summary import summarise

Choose = Callable[[np.random.Generator, np.ndarray, View], np.ndarray]


class Stub:
    """An agent that a function plays; ``note`` is told what the agent is given."""

    encoding: str | None = None

    def __init__(self, choose: Choose, note: Callable[..., None] = lambda *given: None) -> None:
        self.choose, self.note = choose, note

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, observations: np.ndarray | None, masks: np.ndarray, views: View) -> np.ndarray:
        actions = self.choose(self.rng, masks, views)
        self.note(observations, masks, views)
        return actions


def pick_nth(masks: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The legal action with this number among the legal ones, in each row."""
    return np.asarray((masks.cumsum(axis=1) == number[:, None] + 1).argmax(axis=1))


def vary(rng: np.random.Generator, masks: np.ndarray, views: View) -> np.ndarray:
    """Deterministic, but different in each position."""
    records = views.records
    number = records["money"].sum(axis=1) * 7 + records["round_number"] * 3 + records["num_links"]
    return pick_nth(masks, number % masks.sum(axis=1))


CHOICES: dict[str, Choose] = {
    "first": lambda rng, masks, views: np.asarray(masks.argmax(axis=1)),
    "varied": vary,
    "chance": lambda rng, masks, views: pick_nth(masks, (rng.random(len(masks)) * masks.sum(axis=1)).astype(np.int64)),
}


def make_stub(name: str) -> Stub:
    return Stub(CHOICES[name])


def configure(agent: str, *against: str, **fields: Any) -> MatchConfig:
    """A match of short games on the small map."""
    return MatchConfig(agent, against, **{"map": "mini", "contracts_to_end": 2, "max_rounds": 12, "deals": 6, **fields})


def play(agent: str, *against: str, make: Callable[[str], Stub] = make_stub, **fields: Any) -> MatchResult:
    return play_match(configure(agent, *against, **fields), make_agent=make)


def run_git(folder: Path, *words: str) -> None:
    """Run git in this folder, even under a git hook, which names another."""
    environment = {name: value for name, value in os.environ.items() if name not in HOOK_VARIABLES}
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True)


def games_differ(one: Games, other: Games) -> list[str]:
    """Names of the arrays in which two matches differ."""
    return [name for name, values in vars(one).items() if not np.array_equal(values, vars(other)[name])]


@pytest.fixture(scope="module")
def trio() -> MatchResult:
    return play("chance", "varied", "first", deals=20)


# --- what a match is --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fields", "labels", "players"),
    [
        ({}, ("greedy", "random"), 2),
        ({"against": "random", "seats": 4}, ("greedy", "random", "random 2", "random 3"), 4),
        ({"against": ["random", "greedy"]}, ("greedy", "random", "greedy 2"), 3),
        ({"against": "automa:hard", "seats": 3}, ("greedy", "automa:hard", "automa:hard 2"), 1),
        (
            {"against": ("automa:easy", "random", "automa:easy")},
            ("greedy", "random", "automa:easy", "automa:easy 2"),
            2,
        ),
    ],
)
def test_config__seats_are_filled_in_order_and_automas_take_the_last(
    fields: dict[str, Any], labels: tuple[str, ...], players: int
) -> None:
    config = MatchConfig("greedy", deals=10, **fields)
    assert config.labels == labels
    assert config.names == tuple(label.partition(" ")[0] for label in labels)
    assert (config.num_seats, config.num_players, config.num_games) == (len(labels), players, 10 * players)
    automas = len(labels) - players
    assert (config.rules.seats, config.rules.automas) == (len(labels), automas)
    assert not automas or config.rules.automa_level == labels[-1].partition(" ")[0].partition(":")[2]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"seats": 5, "against": ("a", "b")}, "names 2 agents for the 4 other seats of 5"),
        ({"against": ("a",) * 5}, "num_players=6"),
        ({"deals": 2.5}, "deals must be an integer, not 2.5"),
        ({"batch_size": 0}, "batch_size=0: 1 to"),
        ({"max_rounds": 0}, "max_rounds=0"),
        ({"contracts_to_end": 99}, "contracts_to_end=99"),
        ({"agent": ""}, "agent '': the name of an agent is allowed"),
        ({"against": "automa"}, "opponent 'automa': allowed Automas are automa:very_easy, automa:easy,"),
        ({"mode": "solo"}, "mode='solo': no rule of a match; allowed are map, contracts,"),
    ],
)
def test_config__bad_value_is_refused_with_what_is_allowed(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MatchConfig(**{"agent": "greedy", **fields})


def test_config__command_holds_all_that_changes_the_result() -> None:
    config = MatchConfig("greedy", ("random",), seats=3, map="a b.toml", max_rounds=9, batch_size=7)
    assert config.command() == "python evaluate.py greedy --against random --seats 3 --map 'a b.toml' --max-rounds 9"


# --- seats ------------------------------------------------------------------------------------------
def test_rotation__moves_each_agent_one_seat_further_and_automas_stay_last() -> None:
    assert seat_agents(3).tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert seat_agents(2, 2).tolist() == [[0, 1, 2, 3], [1, 0, 2, 3]]


@pytest.mark.parametrize(("agents", "automas"), [(2, 0), (5, 0), (1, 4), (3, 2)])
def test_rotation__each_agent_plays_each_deal_on_each_player_seat(agents: int, automas: int) -> None:
    seen: dict[str, set[tuple[bytes, int]]] = {f"spy{index}": set() for index in range(agents)}

    def make(name: str) -> Stub:  # an Automa is none of the agents made: there would be no such key
        def note(observations: Any, masks: np.ndarray, views: View) -> None:
            pairs = zip(views.records, views.seats, strict=True)
            seen[name].update((record["color"].tobytes(), int(seat)) for record, seat in pairs)

        return Stub(vary, note)

    result = play(*seen, *["automa:normal"] * automas, make=make, deals=4)
    assert result.games.shares.shape == (4, agents, agents + automas)
    deals = {deal for deal, _ in seen["spy0"]}
    assert len(deals) == 4
    for found in seen.values():
        assert found == {(deal, seat) for deal in deals for seat in range(agents)}


def test_deals__same_hands_and_first_player_in_all_rotations(trio: MatchResult) -> None:
    first_seat = (seat_agents(3) - trio.games.turns) % 3
    assert (first_seat == first_seat[:, :1, :1]).all()
    assert set(first_seat.ravel().tolist()) == {0, 1, 2}


def test_deals__more_deals_begin_with_the_same_ones() -> None:
    few, many = (draw_deal_seeds(3, deals) for deals in (5, 50))
    assert few.tolist() == many[:5].tolist()
    assert len(set(many.tolist())) == 50


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_mirror__deterministic_agent_wins_exactly_its_share(seats: int) -> None:
    chairs: list[set[int]] = []

    def make(name: str) -> Stub:
        chairs.append(set())
        return Stub(vary, lambda observations, masks, views, own=chairs[-1]: own.update(views.seats.tolist()))

    result = play("varied", "varied", make=make, seats=seats)
    assert result.games.shares.mean(axis=1) == pytest.approx(1 / seats)
    assert [agent.win_rate.mean for agent in summarise(result).agents] == pytest.approx([1 / seats] * seats)
    assert (result.games.scores[:, :, :, TOTAL].std(axis=2) > 0).any()  # and not because all games are tied
    assert all(len(chair) <= 1 for chair in chairs)  # each seat is played by an object of its own


# --- Automas ----------------------------------------------------------------------------------------
KIND_OF_WORD = {"start": "track", "head": "track", "remove": "track", "replace": "track"}


def test_automas__games_are_those_of_the_deals_seed() -> None:
    result = play("varied", "first", "automa:hard", deals=2)
    for deal, seed in enumerate(result.deal_seeds):
        for rotation in (0, 1):
            batch, kinds = play_by_hand(result.config, int(seed), rotation)
            seats = [rotation, 1 - rotation, 2]  # of varied, first and the Automa
            assert (result.games.scores[deal, rotation] == batch.scores()[0][0][seats]).all()
            assert (result.games.actions[deal, rotation] == kinds[seats]).all()


def play_by_hand(config: MatchConfig, seed: int, rotation: int) -> tuple[GameBatch, np.ndarray]:
    """One game of ``varied`` against ``first``, with the actions of each seat by kind."""
    batch, kinds = GameBatch(config.rules, 1, seed=[seed]), np.zeros((config.num_seats, len(KINDS)), int)
    while not batch.done[0]:
        seat, game = int(batch.seats[0]), batch.game(0)
        agent = make_stub("varied" if seat == rotation else "first")
        agent.reset(0)
        action = agent.act(None, batch.mask.copy(), batch.views())
        if game.phase == "action":
            word = game.text(int(action[0])).partition(" ")[0]
            kinds[seat, KINDS.index(KIND_OF_WORD.get(word, word))] += 1
        batch.step(action)
    return batch, kinds


def test_automas__level_is_that_of_the_name() -> None:
    results = [play("varied", name, deals=4) for name in AUTOMA_NAMES]
    assert [result.setting.rules.automa_level for result in results] == [name.split(":")[1] for name in AUTOMA_NAMES]
    assert games_differ(results[0].games, results[-1].games)


# --- what agents are given --------------------------------------------------------------------------
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_agents__see_their_own_views_and_the_observations_that_they_ask_for(encoding: str) -> None:
    def look(observations: Any, masks: np.ndarray, views: View) -> None:
        one = ENCODINGS[encoding].allocate(len(masks))
        ENCODINGS[encoding].encode(views.records, *views.setting.statics, views.seats, one)
        assert data_equivalence(observations, one, exact=True)
        assert (views.records["seat"] == views.seats).all()
        assert not (views.records["place"] == PLACE_DECK).any()
        assert not views.records["rng"].any()
        masks[:] = True  # what an agent does to its copies must not matter
        views.records["money"] = 99

    def make_looker(name: str) -> Stub:
        looker = Stub(CHOICES[name], look)
        looker.encoding = encoding
        return looker

    one, other = (
        play_match(configure("chance", "chance"), make_agent=lambda name, make=make: make(name))  # type: ignore[misc]
        for make in (make_looker, make_stub)
    )
    assert not games_differ(one.games, other.games)


def test_agents__draw_from_seeds_of_their_own() -> None:
    seeds: list[int] = []

    class Counting(Stub):
        def reset(self, seed: int) -> None:
            seeds.append(seed)
            super().reset(seed)

    play("a", "b", "c", make=lambda name: Counting(CHOICES["first"]))
    assert len(set(seeds)) == 9


def test_agents__illegal_answer_names_the_agent() -> None:
    choices = CHOICES | {"bad": lambda rng, masks, views: (~masks).argmax(axis=1)}
    with pytest.raises(IllegalActionError, match=r"agent bad: .*rule.*Legal now"):
        play("first", "bad", make=lambda name: Stub(choices[name]))


# --- reproducibility --------------------------------------------------------------------------------
def test_seed__another_seed_other_games(trio: MatchResult) -> None:
    other = play("chance", "varied", "first", deals=20, seed=1)
    assert games_differ(trio.games, other.games)
    assert set(trio.deal_seeds.tolist()).isdisjoint(other.deal_seeds.tolist())


@pytest.mark.parametrize("against", [("chance",), ("first", "automa:normal")])
def test_batch_size__changes_nothing(against: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (match_module, match_table):  # so that a short match has several
        monkeypatch.setattr(module, "SHARD_DEALS", 4)
    results = [play("chance", *against, deals=19, batch_size=size) for size in (1, 16, 1000)]
    assert not games_differ(results[0].games, results[1].games)
    assert not games_differ(results[0].games, results[2].games)


def test_batch_size__matches_longer_than_a_shard_are_whole() -> None:
    result = play("first", "first", deals=2 * match_module.SHARD_DEALS + 1, batch_size=1, max_rounds=1)
    assert result.games.shares.shape == (2 * match_module.SHARD_DEALS + 1, 2, 2)


def test_rotations__the_first_alone_is_the_first_of_all() -> None:
    config = configure("chance", "varied")
    whole, part = (play_match(config, make_agent=make_stub, rotations=count) for count in (None, 1))
    for name, values in vars(whole.games).items():
        assert np.array_equal(values[:, :1], vars(part.games)[name]), name
    assert summarise(part).games == len(part.deal_seeds) == 6


def test_report__counts_every_game_once() -> None:
    told: list[int] = []
    play_match(configure("chance", "chance"), make_agent=make_stub, report=told.append)
    assert sum(told) == configure("chance").num_games


# --- totals -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "against",
    [("varied",), ("varied",) * 4, ("automa:easy",), ("varied", "automa:easy", "automa:easy")],
)
def test_totals__sum_to_what_they_are_parts_of(against: tuple[str, ...]) -> None:
    result = play("chance", *against)
    summary, players, seats = summarise(result), result.config.num_players, result.config.num_seats
    assert summary.chance == 1 / seats
    assert sum(agent.wins for agent in summary.agents) == pytest.approx(summary.games) == pytest.approx(6 * players)
    assert sum(agent.rank for agent in summary.agents) == pytest.approx(seats * (seats + 1) / 2)
    assert summary.ended_by_contracts + summary.ended_by_round_limit == summary.games
    assert sum(rate or 0 for rate in summary.by_seat) == pytest.approx(1)
    assert sum(rate or 0 for rate in summary.by_turn) == pytest.approx(1)
    for number, agent in enumerate(summary.agents):
        plays = number < players
        assert sum(agent.sources.values()) == pytest.approx(agent.victory_points.mean)
        assert tuple(agent.sources) == SCORE_PARTS[TOTAL + 1 :]
        by_seat = {seat: rate for seat, rate in enumerate(agent.by_seat) if rate is not None}
        assert list(by_seat) == (list(range(players)) if plays else [number])
        assert np.mean(list(by_seat.values())) == pytest.approx(agent.win_rate.mean)
        if players == seats:
            assert np.mean([rate or 0 for rate in agent.by_turn]) == pytest.approx(agent.win_rate.mean)
        assert plays or agent.by_turn[0] is None  # the first player is a player
        assert (agent.actions is None) == (not plays)
        if agent.actions is not None:  # each turn is two actions
            assert (result.games.actions[:, :, number].sum(axis=2) == 2 * result.games.rounds).all()
            assert sum(agent.actions.values()) == pytest.approx(2 * result.games.rounds.mean())


def test_totals__margin_is_over_the_mean_of_the_others(trio: MatchResult) -> None:
    points = trio.games.scores[:, :, :, TOTAL].mean(axis=(0, 1))
    margins = [agent.margin.mean for agent in summarise(trio).agents]
    assert margins[0] == pytest.approx(points[0] - (points[1] + points[2]) / 2)
    assert sum(margins) == pytest.approx(0)


def test_totals__tied_games_are_shared() -> None:
    result = play("first", "first", seats=3, max_rounds=2, contracts_to_end=None)  # all take money: all are equal
    summary = summarise(result)
    assert (result.games.shares == 1 / 3).all()
    assert [agent.wins for agent in summary.agents] == pytest.approx([6, 6, 6])
    assert [agent.rank for agent in summary.agents] == [2, 2, 2]


def test_totals__length_and_end_are_those_of_the_games(trio: MatchResult) -> None:
    summary = summarise(play("first", "first", seats=2, max_rounds=3))
    assert (summary.rounds.least, summary.rounds.median, summary.rounds.most) == (3, 3, 3)
    assert summary.decisions.mean == 3 * 2 * 2
    assert (summary.ended_by_contracts, summary.ended_by_round_limit) == (0, 12)
    assert summarise(trio).ended_by_contracts == (~trio.games.truncated).sum() > 0
    assert (trio.games.rounds[trio.games.truncated] == 12).all()


def test_ranks__equals_share_the_mean_of_their_ranks() -> None:
    assert rank_rows(np.array([[5, 9, 5, 1], [2, 2, 2, 2]])).tolist() == [[2.5, 1, 2.5, 4], [2.5] * 4]


def test_by_turn__first_player_is_who_moved_first(trio: MatchResult) -> None:
    of_first = trio.games.shares[trio.games.turns == 0]
    assert summarise(trio).by_turn[0] == pytest.approx(of_first.mean())
    assert len(of_first) == trio.config.num_games


# --- result files -----------------------------------------------------------------------------------
def test_json__holds_what_was_played_where_and_how_it_ended(trio: MatchResult) -> None:
    content = json.loads(dump_json(result_to_dict(trio, "2026-01-01T00:00:00+00:00")))
    assert content["schema"] == 1
    assert [agent["label"] for agent in content["agents"]] == ["chance", "varied", "first"]
    assert content["rules"] == trio.config.rules.to_dict()
    assert content["automas"] == {"count": 0, "level": None}
    assert content["map"]["sha256"] == hash_content(map_to_dict(load_map("mini")))
    assert (content["seed"], content["deals"], content["games"]) == (0, 20, 60)
    assert set(content["software"]) == {"steam_env", "numpy", "numba", "python", "git"}
    assert set(content["run"]["machine"]) == {"platform", "processor", "cpu_count"}
    assert content["run"]["finished_utc"] == "2026-01-01T00:00:00+00:00"
    assert content["run"]["seconds"] > 0
    summary = summarise(trio)
    for told, agent in zip(content["results"]["agents"], summary.agents, strict=True):
        assert told["win_rate"]["mean"] == agent.win_rate.mean
        assert told["by_seat"] == list(agent.by_seat)
    assert len(content["by_deal"]["seeds"]) == len(content["by_deal"]["shares"]) == 20
    rates = [agent.win_rate.mean for agent in summary.agents]
    assert np.array(content["by_deal"]["shares"]).mean(axis=0) == pytest.approx(rates)


def test_json__holds_the_automas_and_what_the_rules_leave_open() -> None:
    fields = {"max_rounds": 1, "contracts_to_end": None, "contracts": "mini", "deals": 1}
    content = json.loads(dump_json(result_to_dict(play("first", "automa:hard", seats=3, **fields), "")))
    assert content["automas"] == {"count": 2, "level": "hard"}
    assert (content["rules"]["automas"], content["rules"]["automa_level"]) == (2, "hard")
    assert content["agents"][2] == {"label": "automa:hard 2", "name": "automa:hard"}
    assert content["results"]["agents"][2]["by_seat"][:2] == [None] * 2
    assert len(content["deck"]["sha256"]) == 64
    assert content["rules"]["contracts_to_end"] == load_deck("mini").contracts_to_end is not None


def test_json__is_the_same_again_but_for_time_and_machine(trio: MatchResult) -> None:
    again = play("chance", "varied", "first", deals=20, batch_size=1)
    one, other = (result_to_dict(result, when) for result, when in ((trio, "then"), (again, "now")))
    for content in (one, other):
        del content["run"], content["software"]
    assert dump_json(one) == dump_json(other)


def test_json__keeps_texts_that_look_like_lists() -> None:
    content = {"map": "[ 1,\n  2 ]", "list": [1, 2, [3, 4]], "empty": []}
    assert json.loads(dump_json(content)) == content


def test_hash__does_not_depend_on_the_order_of_keys() -> None:
    assert hash_content({"a": 1, "b": "é"}) == hash_content({"b": "é", "a": 1})
    assert hash_content({"a": 1}) != hash_content({"a": 2})


@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_commit__is_that_of_our_own_checkout_and_tells_whether_the_code_was_changed(tmp_path: Path) -> None:
    assert find_commit(tmp_path) is find_commit(tmp_path / "missing") is None
    run_git(tmp_path, "init", "--quiet")
    package, installed = tmp_path / "steam_env", tmp_path / "site-packages" / "steam_env"
    for folder in (package, installed):
        folder.mkdir(parents=True)
    (package / "a.py").write_text("1\n")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    run_git(tmp_path, "add", ".")
    run_git(tmp_path, *who, "commit", "--quiet", "--message", "a")
    assert find_commit(installed) is None  # in the checkout of something else
    (tmp_path / "result.json").write_text("{}")
    clean = find_commit(package)
    assert clean is not None
    assert (len(clean["commit"]), clean["dirty"]) == (40, False)
    (package / "a.py").write_text("2\n")
    assert find_commit(package) == {"commit": clean["commit"], "dirty": True}


def test_markdown__has_the_command_and_the_tables(trio: MatchResult) -> None:
    text = write_markdown(report_match(trio))
    assert trio.config.command() in text
    assert "| agent | wins | win rate | 95 % interval | 1/n | mean rank |" in text
    assert "| --- | ---: | ---: | ---: | ---: | ---: |" in text
    assert text == write_markdown(report_match(replace(trio, duration=99.0)))
