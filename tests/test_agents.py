"""Agents: legal in every configuration, blind to what is hidden, the same again by seed, and strong enough."""

import os
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from steam_env.agents import AGENTS, Agent, make_agent
from steam_env.agents.greedy import choose_greedy
from steam_env.agents.policy_files import list_shipped
from steam_env.core.steam_power.actions import BLOCKS, MONEY, NUM_ACTIONS
from steam_env.core.steam_power.scoring import FROM_CONTRACTS, FROM_FACTORIES, TOTAL
from steam_env.core.steam_power.state import new_work
from steam_env.data.steam_power.rules import Rules
from steam_env.table.batch import GameBatch
from steam_env.table.view import View

ROOT = Path(__file__).parent.parent
SEAT_COUNTS = (2, 3, 4, 5)
GAMES = 100

# Small games make every sub-decision come up: hands run out, links are blocked, payees are tied.
CONFIGURATIONS = [
    Rules(num_players=seats, map=map_name, contracts=deck, edition=edition, routing=routing)
    for seats in SEAT_COUNTS
    for map_name in ("midwest", "alps", "mini")
    for deck in ("standard", "mini")
    for edition in ("final", "preview")
    for routing in ("any", "cheapest")
    if seats * 5 <= (16 if deck == "mini" else 48)
]


class Played(NamedTuple):
    """A batch of finished games, and how often each action was used."""

    batch: GameBatch
    used: np.ndarray  # (372,)


def rows_of(views: View, rows: np.ndarray) -> View:
    return View(views.records[rows], views.seats[rows], views.setting)


def play(rules: Rules, games: int, seed: int, agents: list[Agent], steps: int = 100_000) -> Played:
    """Play whole games, agent i in seat i; an illegal action raises."""
    batch = GameBatch(rules, games, seed=seed)
    used = np.zeros(NUM_ACTIONS, np.int64)
    for seat, agent in enumerate(agents):
        agent.reset(seed + seat)
    for _ in range(steps):
        if batch.done.all():
            break
        actions = np.full(games, MONEY, np.int64)
        views = batch.views()
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(batch.seats == seat)
            if len(rows):
                seen = None if agent.encoding is None else batch.observe("flat")[rows]
                actions[rows] = agent.act(seen, batch.mask[rows], rows_of(views, rows))
        used += np.bincount(actions[~batch.done], minlength=NUM_ACTIONS)
        batch.step(actions)
    return Played(batch, used)


@cache
def play_greedy(seats: int, map_name: str = "midwest", deck: str = "standard") -> Played:
    """Games with greedy in every seat."""
    rules = Rules(num_players=seats, map=map_name, contracts=deck)
    return play(rules, GAMES, 1000 * seats, [make_agent("greedy") for _ in range(seats)])


def record_actions(rules: Rules, games: int, seed: int, names: list[str], steps: int) -> list[list[int]]:
    """The actions of the first steps of some games, ``names`` by seat."""
    batch = GameBatch(rules, games, seed=seed)
    agents = [make_agent(name) for name in names]
    for seat, agent in enumerate(agents):
        agent.reset(seed + seat)
    chosen = []
    for _ in range(steps):
        views = batch.views()
        actions = np.zeros(games, np.int64)
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(batch.seats == seat)
            if len(rows):
                seen = None if agent.encoding is None else batch.observe("flat")[rows]
                actions[rows] = agent.act(seen, batch.mask[rows], rows_of(views, rows))
        batch.step(actions)
        chosen.append(actions.tolist())
    return chosen


def skip_without_torch(name: str) -> None:
    """Trained policies need the extra `train`."""
    if name in list_shipped():
        pytest.importorskip("torch")
        pytest.importorskip("safetensors")


# --- the registry --------------------------------------------------------------------------------------


def test_make_agent__makes_fresh_agents_that_say_which_observations_they_need() -> None:
    for name in AGENTS:
        skip_without_torch(name)
        agent = make_agent(name)
        assert agent.encoding == ("flat" if name in list_shipped() else None)
        assert agent is not make_agent(name)


def test_make_agent__names_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"'deep'.*'greedy', 'random'"):
        make_agent("deep")


# --- legality ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=lambda rules: "-".join(map(str, rules.to_dict().values())))
def test_greedy__plays_legally_to_the_end_in_every_configuration(rules: Rules) -> None:
    played = play(rules, 3, 7, [make_agent("greedy") for _ in range(rules.seats)])
    assert played.batch.done.all()
    assert not played.batch.truncated.any()


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_greedy__plays_legally_in_the_odd_positions_that_random_rivals_make(seats: int) -> None:
    names = ["greedy", "random", "greedy", "random", "random"][:seats]
    for map_name in ("midwest", "mini"):
        rules = Rules(num_players=seats, map=map_name)
        played = play(rules, 12, 11, [make_agent(name) for name in names])
        assert played.batch.done.all()


def test_greedy__chooses_legally_in_every_position_of_random_games() -> None:
    agent = make_agent("greedy")
    rng = np.random.default_rng(5)
    for seats in SEAT_COUNTS:
        batch = GameBatch(Rules(num_players=seats), 40, seed=50)
        for _ in range(250):
            actions = agent.act(None, batch.mask, batch.views())
            assert actions.dtype == np.int64
            assert batch.mask[np.arange(len(batch)), actions].all()
            batch.step(batch.sample_legal(rng))


def test_random__chooses_every_legal_action() -> None:
    agent = make_agent("random")
    agent.reset(3)
    batch = GameBatch(Rules(), 1, seed=3).tile(4000)
    actions = agent.act(None, batch.mask, batch.views())
    assert set(actions.tolist()) == set(np.flatnonzero(batch.mask[0]).tolist())


# --- information, determinism --------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_greedy__does_not_notice_a_redeal(seats: int) -> None:
    agent = make_agent("greedy")
    batch = GameBatch(Rules(num_players=seats), 30, seed=21)
    while not batch.done.all():
        actions = agent.act(None, batch.mask, batch.views())
        other = batch.redeal(batch.seats, np.arange(len(batch)) + 77)
        running = ~batch.done
        assert (agent.act(None, other.mask, other.views())[running] == actions[running]).all()
        batch.step(actions)


def test_greedy__chooses_the_same_with_the_true_record_as_with_the_view() -> None:
    """A compiled rollout may hand it records from which nothing was blanked."""
    agent = make_agent("greedy")
    batch = GameBatch(Rules(num_players=3), 20, seed=22)
    setting = batch.setting
    works = new_work()
    for _ in range(150):
        actions = agent.act(None, batch.mask, batch.views())
        for game, mask, action in zip(batch.records, batch.mask, actions, strict=True):
            assert choose_greedy(game, setting.boards[0], setting.decks[0], works[0], mask) == action
        batch.step(actions)


def test_greedy__changes_nothing_that_it_is_given() -> None:
    agent = make_agent("greedy")
    batch = GameBatch(Rules(num_players=3), 20, seed=23)
    for _ in range(150):
        views = batch.views()
        records, mask = views.records.copy(), batch.mask.copy()
        actions = agent.act(None, batch.mask, views)
        assert (views.records == records).all()
        assert (batch.mask == mask).all()
        batch.step(actions)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_agent__repeats_itself_by_seed(name: str) -> None:
    skip_without_torch(name)
    first, again = (record_actions(Rules(), 8, 31, [name, name], 120) for _ in range(2))
    assert first == again


def test_random__differs_by_seed() -> None:
    batch = GameBatch(Rules(), 50, seed=1)
    agent = make_agent("random")
    chosen = []
    for seed in (1, 2):
        agent.reset(seed)
        chosen.append(agent.act(None, batch.mask, batch.views()).tolist())
    assert chosen[0] != chosen[1]


PLAIN = """
import sys
sys.path.insert(0, {tests!r})
from test_agents import record_actions
from steam_env.data.steam_power.rules import Rules
print(record_actions(Rules(map="mini", contracts="mini"), 1, 4, ["greedy", "random"], 30))
"""


def test_greedy__chooses_the_same_uncompiled() -> None:
    code = PLAIN.format(tests=str(ROOT / "tests"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    rules = Rules(map="mini", contracts="mini")
    assert result.stdout.strip() == str(record_actions(rules, 1, 4, ["greedy", "random"], 30))


# --- strength ------------------------------------------------------------------------------------------


def test_greedy__beats_random() -> None:
    won = 0.0
    for seat in (0, 1):
        names = ["random", "random"]
        names[seat] = "greedy"
        played = play(Rules(), GAMES // 2, 41, [make_agent(name) for name in names])
        winners = played.batch.scores()[1]
        won += (winners[:, seat] / winners.sum(1)).sum()
    assert won >= 0.98 * GAMES


@pytest.mark.parametrize(
    ("seats", "map_name", "deck"), [*((seats, "midwest", "standard") for seats in SEAT_COUNTS), (2, "mini", "mini")]
)
def test_greedy__ends_the_game_by_contracts(seats: int, map_name: str, deck: str) -> None:
    batch = play_greedy(seats, map_name, deck).batch
    assert batch.done.all()
    assert batch.truncated.sum() <= 0.01 * GAMES


def test_greedy__games_on_midwest_typically_last_12_to_25_rounds() -> None:
    """Over all seat counts; five seats, whose end comes with 8 contracts, mostly need 10 or 11."""
    rounds = np.concatenate([play_greedy(seats).batch.records["round_number"] for seats in SEAT_COUNTS])
    assert 12 <= np.median(rounds) <= 25
    assert np.mean((rounds >= 12) & (rounds <= 25)) > 0.6
    for seats in SEAT_COUNTS[:-1]:
        assert 12 <= np.median(play_greedy(seats).batch.records["round_number"]) <= 25


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_greedy__lives_on_contracts_and_factories(seats: int) -> None:
    scores = play_greedy(seats).batch.scores()[0]
    parts = scores.sum((0, 1))
    assert parts[FROM_CONTRACTS] + parts[FROM_FACTORIES] > 0.5 * parts[TOTAL]
    assert parts[FROM_FACTORIES] > 0.1 * parts[TOTAL]


def test_greedy__uses_every_kind_of_action() -> None:
    used = sum(play_greedy(seats).used for seats in SEAT_COUNTS)
    used = used + play_greedy(3, "mini", "mini").used  # 16 contracts for three: hands are taken from
    unused = [block.name for block in BLOCKS if not used[block.start : block.start + block.length].any()]
    assert not unused


def test_blocks__cover_all_actions() -> None:
    assert all(block.start + block.length == after.start for block, after in pairwise(BLOCKS))
