"""Agents: legal in every configuration, blind to what is hidden, the same again by seed, and strong enough."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

from steam_env.agents import AGENTS, make_agent
from steam_env.agents.greedy import choose_by
from steam_env.agents.greedy_memory import MEMORY
from steam_env.agents.greedy_plan import WEIGHTS
from steam_env.agents.policy_files import list_shipped
from steam_env.core.steam_power.actions import BLOCKS, MONEY
from steam_env.core.steam_power.scoring import FROM_CONTRACTS, FROM_FACTORIES, TOTAL
from steam_env.core.steam_power.state import new_work
from steam_env.data.steam_power.rules import Rules
from steam_env.table.asking import ask
from steam_env.table.batch import GameBatch

SEAT_COUNTS = (2, 3, 4, 5)
GAMES = 40

# Small games make every sub-decision come up: hands run out, links are blocked, payees are tied.
CONFIGURATIONS = [
    Rules(num_players=seats, map=map_name, contracts=deck, edition=edition, routing=routing)
    for seats in SEAT_COUNTS
    for map_name in ("midwest", "alps", "mini")
    for deck in ("standard", "mini")
    for edition in ("final", "preview")
    for routing in ("any", "cheapest")
    if seats * 5 <= (16 if deck == "mini" else 48)
][::5]  # each value of each rule beside each other one


class Played(NamedTuple):
    """A batch of games, and which actions were chosen."""

    batch: GameBatch
    chosen: list[list[int]]  # by step and game; -1 once it is over


def play(rules: Rules, games: int, seed: int, names: Sequence[str], steps: int = 100_000) -> Played:
    """Play whole games or the first steps of them, ``names`` by seat; an illegal action raises."""
    batch, chosen = GameBatch(rules, games, seed=seed), []
    agents = [make_agent(name) for name in names]
    for seat, agent in enumerate(agents):
        agent.reset(seed + seat)
    while not batch.done.all() and len(chosen) < steps:
        actions = np.full(games, MONEY, np.int64)
        movers = np.minimum(batch.seats, 0) if rules.mode == "solo" else batch.seats
        for seat, agent in enumerate(agents):
            rows = np.flatnonzero(movers == seat)
            if len(rows):
                seats = batch.seats[rows].astype(np.int64)
                actions[rows] = ask(agent, batch.records[rows], seats, batch.mask[rows], batch.setting)
        chosen.append(np.where(batch.done, -1, actions).tolist())
        batch.step(actions)
    return Played(batch, chosen)


@cache
def play_greedy(seats: int, map_name: str = "midwest", deck: str = "standard") -> Played:
    """Games with greedy in every seat."""
    return play(Rules(num_players=seats, map=map_name, contracts=deck), GAMES, 1000 * seats, ["greedy"] * seats)


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
        looked_at = {"nomad": "charted"}.get(name, "advised") if name in list_shipped() else None
        assert agent.encoding == looked_at
        assert agent is not make_agent(name)


def test_make_agent__names_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"'deep'.*'greedy', .*'planner', 'random'"):
        make_agent("deep")


# --- legality ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", CONFIGURATIONS, ids=lambda rules: "-".join(map(str, rules.to_dict().values())))
def test_greedy__plays_legally_to_the_end_in_every_configuration(rules: Rules) -> None:
    batch = play(rules, 3, 7, ["greedy"] * rules.seats).batch
    assert batch.done.all()
    assert not batch.truncated.any()


@pytest.mark.parametrize(("seats", "map_name"), [(2, "mini"), (3, "midwest"), (4, "mini"), (5, "midwest")])
def test_greedy__chooses_legally_in_every_position_of_random_games(seats: int, map_name: str) -> None:
    agent, rng = make_agent("greedy"), np.random.default_rng(5)
    batch = GameBatch(Rules(num_players=seats, map=map_name), 40, seed=50)
    for _ in range(250):
        actions = agent.act(None, batch.mask, batch.views())
        assert actions.dtype == np.int64
        assert batch.mask[np.arange(len(batch)), actions].all()
        batch.step(batch.sample_legal(rng))


def test_random__chooses_every_legal_action_and_others_by_another_seed() -> None:
    agent, batch = make_agent("random"), GameBatch(Rules(), 1, seed=3).tile(4000)
    chosen = []
    for seed in (1, 2):
        agent.reset(seed)
        chosen.append(agent.act(None, batch.mask, batch.views()).tolist())
    assert set(chosen[0]) == set(chosen[1]) == set(np.flatnonzero(batch.mask[0]).tolist())
    assert chosen[0] != chosen[1]


# --- information, determinism --------------------------------------------------------------------------


def test_greedy__chooses_the_same_with_the_true_record_and_changes_nothing_that_it_is_given() -> None:
    """A compiled rollout may hand it records from which nothing was blanked."""
    agent, works = make_agent("greedy"), new_work()
    batch = GameBatch(Rules(num_players=3), 20, seed=22)
    boards, decks = batch.setting.statics
    for _ in range(150):
        views = batch.views()
        records, mask = views.records.copy(), batch.mask.copy()
        actions = agent.act(None, batch.mask, views)
        assert (views.records == records).all()
        assert (batch.mask == mask).all()
        for game, legal, action in zip(batch.records, mask, actions, strict=True):
            assert choose_by(game, boards[0], decks[0], works[0], MEMORY.plans, legal, WEIGHTS) == action
        batch.step(actions)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_agent__repeats_itself_by_seed(name: str) -> None:
    skip_without_torch(name)
    first, again = (play(Rules(), 4, 31, [name, name], 40).chosen for _ in range(2))
    assert first == again


# --- strength ------------------------------------------------------------------------------------------


def test_greedy__beats_random() -> None:
    won = 0.0
    for seat in (0, 1):
        names = ["random", "random"]
        names[seat] = "greedy"
        winners = play(Rules(), GAMES // 2, 41, names).batch.scores()[1]
        won += (winners[:, seat] / winners.sum(1)).sum()
    assert won >= 0.97 * GAMES


def test_greedy__games_on_midwest_typically_last_7_to_25_rounds() -> None:
    """As docs/balance.md has it, of 2,000 games: medians of 18, 12, 10 and 8 rounds at two to five seats."""
    for seats, fewest in ((2, 12), (3, 10), (4, 9), (5, 7)):
        assert fewest <= np.median(play_greedy(seats).batch.records["round_number"]) <= 25


@pytest.mark.parametrize("seats", SEAT_COUNTS)
def test_greedy__lives_on_contracts_and_factories_and_ends_the_game_by_contracts(seats: int) -> None:
    batch = play_greedy(seats).batch
    assert batch.done.all()
    assert batch.truncated.sum() <= 0.01 * GAMES
    parts = batch.scores()[0].sum((0, 1))
    assert parts[FROM_CONTRACTS] + parts[FROM_FACTORIES] > 0.5 * parts[TOTAL]
    assert parts[FROM_FACTORIES] > 0.1 * parts[TOTAL]


def test_greedy__uses_every_kind_of_action() -> None:
    played = [play_greedy(seats) for seats in SEAT_COUNTS]
    played.append(play_greedy(3, "mini", "mini"))  # 16 contracts for three: hands are taken from
    assert not played[-1].batch.truncated.any()
    used = {action for one in played for actions in one.chosen for action in actions}
    assert not [block.name for block in BLOCKS if used.isdisjoint(range(block.start, block.start + block.length))]
