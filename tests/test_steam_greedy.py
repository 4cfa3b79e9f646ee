"""Steam's greedy player: it beats thrifty ones, stays out of debt, and plays legally under every rule."""

from typing import Any

import numpy as np
import pytest

from steam_env.agents import make_agent
from steam_env.agents.steam_greedy import SteamGreedyAgent, choose_all
from steam_env.agents.steam_greedy_plan import DARING, PLAN, WEIGHTS
from steam_env.core.steam.actions import BUILD_ON, PASS
from steam_env.core.steam.state import new_work
from steam_env.evaluation.match import Games, MatchConfig, play_match
from steam_env.steam import Game, GameBatch, Rules
from tests.rules_steam.games import position
from tests.rules_steam.players import KINDS

RESERVED = 657  # the first of the actions that are never legal
AUCTION = {"map": "rhineland", "num_players": 5, "start": "auction"}


def play(name: str, against: str, seats: int, board: str, deals: int) -> Games:
    match = MatchConfig(
        name, against=(against,) * (seats - 1), seats=seats, deals=deals, seed=7, game="steam", map=board
    )
    return play_match(match, make_agent=lambda agent: make_agent(agent, "steam")).games


def act(game: Game, agent: SteamGreedyAgent) -> int:
    return int(agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0])


def finish(rules: Rules, seed: int) -> list[tuple[str, str]]:
    """A game that greedy plays on all seats: phase and text of each decision."""
    game, agent, told = Game(rules, seed=seed), SteamGreedyAgent(), []
    while not game.done:
        action = act(game, agent)
        assert game.mask[action]
        told.append((game.phase, game.text(action)))
        game.step(action)
    return told


@pytest.mark.parametrize(("board", "seats"), [("great_lakes", 3), ("great_lakes", 4), ("rhineland", 5)])
def test_greedy__wins_nearly_all_games_among_thrifty_players(board: str, seats: int) -> None:
    games = play("greedy", "thrifty", seats, board, 12)
    assert games.shares[:, :, 0].mean() > 0.9


@pytest.mark.parametrize("board", ["mini", "great_lakes", "rhineland"])
def test_greedy__hardly_ever_ends_in_debt_or_ruin_among_its_like(board: str) -> None:
    batch, agent = GameBatch(Rules(num_players=4, map=board), 25, seed=3), SteamGreedyAgent()
    while not batch.done.all():
        batch.step(agent.act(None, batch.mask, batch.views()))
    assert (batch.records["bankrupt"][:, :4] != 0).mean() <= 0.01
    assert (batch.records["income"][:, :4] < 0).mean() <= 0.02


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_greedy__plays_legally_under_every_rule_and_twice_the_same(kind: dict[str, Any]) -> None:
    rules = Rules(**kind)
    assert finish(rules, 5) == finish(rules, 5)


def test_greedy__bids_a_little_for_a_place() -> None:
    bids = [text for phase, text in finish(Rules(**AUCTION), 2) if phase == "bid"]  # type: ignore[arg-type]
    assert {"bid", "pass"} == set(bids)
    assert bids.count("bid") <= 2 * 4


def test_greedy__puts_points_on_income_early_and_on_vp_late() -> None:
    told, scores, turn = finish(Rules(), 1), {}, 0
    game = Game(Rules(), seed=1)
    for phase, text in told:
        if phase == "score":
            scores.setdefault(game.round, []).append(text)
        game.step(text)
        turn = game.round
    assert turn == game.rules.num_turns
    assert set(scores[2]) == {"income"}
    assert set(scores[turn]) == {"vp"}


def test_greedy__improves_its_locomotive_before_it_moves_the_first_cube() -> None:
    told = finish(Rules(), 1)
    first = next(text for phase, text in told if phase == "goods")
    assert first == "locomotive"


def test_greedy__a_better_locomotive_and_longer_deliveries_come_with_the_turns() -> None:
    batch, agent = GameBatch(Rules(num_players=3), 10, seed=4), SteamGreedyAgent()
    while not batch.done.all():
        batch.step(agent.act(None, batch.mask, batch.views()))
    assert (batch.records["level"][:, :3] >= 4).mean() > 0.9


@pytest.mark.parametrize(("group", "can_move"), [("YY", True), ("GG", False)])
def test_greedy__that_makes_losses_and_can_move_nothing_pays_for_cubes_that_it_can_move(
    group: str, can_move: bool
) -> None:
    track = ("0: Dale A5 Alder", "0: Alder B4 Usk", "0: Usk Cedar")
    last = {"phase": "take", "number": 8, "order": [1, 2, 0], "seat": 0, "tile": {1: 1, 2: 2}}
    poor = {"income": -3, "money": 2, "level": 3}
    game = position(*track, **last, **poor, cubes="Elm RR", supply=f"1 {group}")
    assert (game.text(act(game, SteamGreedyAgent())) == "take 5") is can_move


def test_greedy__lays_links_that_cost_a_little_more_than_its_plans_bring_and_no_others() -> None:
    plans, action, work = np.zeros(1, PLAN), np.zeros(1, np.int64), new_work()
    dared, refused = 0, 0
    for seed in range(10):
        game = Game(Rules(num_players=4), seed=seed)
        while not game.done:
            view = game.view(game.seat)
            (boards,) = view.setting.statics
            choose_all(view.records, boards, work, plans, game.mask[np.newaxis], WEIGHTS, action)
            if game.phase == "build":
                worth = plans["best_worth"][0]
                dared += bool(-DARING < worth <= 0 and action[0] >= BUILD_ON)
                refused += bool(worth <= -DARING and action[0] == PASS)
                assert worth <= -DARING or action[0] >= BUILD_ON
            game.step(int(action[0]))
    assert dared > 0
    assert refused > 0
