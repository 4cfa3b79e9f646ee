"""Batches of games with different maps, decks and numbers of seats: each game is what it is alone."""

from collections.abc import Callable

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.agents import make_agent
from steam_env.data.steam_power.mixture import MAX_PARTS, mix_settings
from steam_env.table.asking import ask
from steam_env.table.engine import load_setting, load_settings
from steam_env.table.mixture import list_parts, single_out
from steam_env.table.payment import Payment
from tests import toy

NUM_GAMES = 10
SEED = 5
SHORT = {"max_rounds": 6}


def make_rules(number: int, seats: int, automas: int = 0) -> Rules:
    name = f"gen-v1:test:{number}"
    return Rules(map=name, contracts=name, num_players=seats, automas=automas, **SHORT)


RULES = (make_rules(0, 2), make_rules(1, 5, 2), make_rules(2, 3), Rules(num_players=4, automas=3, **SHORT))


def make_batch(**more: object) -> GameBatch:
    return GameBatch(RULES, NUM_GAMES, seed=SEED, **more)


def make_games() -> list[Game]:
    return [Game(RULES[number % len(RULES)], seed=SEED + number) for number in range(NUM_GAMES)]


def is_same(batch: GameBatch, row: int, game: Game) -> bool:
    """Whether a game of a batch is this one, with its map, deck and mask."""
    alone = batch.game(row)
    same_world = (alone.setting.map, alone.setting.deck) == (game.setting.map, game.setting.deck)
    return alone.record == game.record and same_world and batch.mask[row].tolist() == game.mask.tolist()


def test_batch__of_several_rules_plays_each_game_as_it_is_alone() -> None:
    batch, games, rng = make_batch(), make_games(), np.random.default_rng(1)
    paid = np.zeros((NUM_GAMES, 5))
    assert batch.rewards.shape == paid.shape
    while not batch.done.all():
        assert all(is_same(batch, row, game) for row, game in enumerate(games))
        actions = batch.sample_legal(rng)
        for game, action in zip(games, actions.tolist(), strict=True):
            if not game.done:
                game.step(action)
        batch.step(actions)
        paid += batch.rewards
    for row, game in enumerate(games):
        winners, seats = game.winners(), game.rules.seats
        assert is_same(batch, row, game)
        assert [seat for seat in range(5) if paid[row, seat] > 0] == (winners if len(winners) < seats else [])
        assert paid[row].sum() == pytest.approx(0)
        assert not paid[row, seats:].any()
        assert [score["total"] for score in game.scores()] == batch.scores()[0][row, :seats, 0].tolist()


def test_batch__deals_games_anew_on_the_maps_that_they_have() -> None:
    batch = make_batch()
    where = np.arange(NUM_GAMES) % 3 == 0
    before = batch.records.copy()
    batch.reset(where, seed=70)
    for row in range(NUM_GAMES):
        rules = RULES[row % len(RULES)]
        if where[row]:
            assert is_same(batch, row, Game(rules, seed=70 + row))
        else:
            assert batch.records[row] == before[row]


@pytest.mark.parametrize("make", [lambda batch: batch.clone(), lambda batch: batch.tile(2)])
def test_batch__is_copied_with_all_its_maps(make: Callable[[GameBatch], GameBatch]) -> None:
    batch = make_batch()
    copy = make(batch)
    times = len(copy) // len(batch)
    for row, game in enumerate(make_games()):
        assert is_same(copy, row * times, game)


@pytest.mark.parametrize("encoding", ["flat", "grid", "graph"])
def test_batch__observes_each_game_on_its_own_map(encoding: str) -> None:
    batch = make_batch()
    seen = batch.observe(encoding)
    for row, game in enumerate(make_games()):
        alone = game.observe(game.seat, encoding)
        if encoding == "graph":
            assert all(np.array_equal(seen[name][row], alone[name]) for name in alone)
        else:
            assert np.array_equal(seen[row], alone)


@pytest.mark.parametrize("name", ["greedy", "planner", "random"])
def test_agents__play_games_of_different_maps_as_they_play_each_alone(name: str) -> None:
    batch, games = make_batch(), make_games()
    agent, alone = make_agent(name), make_agent(name)
    agent.reset(1)
    movers = batch.seats.astype(np.int64)
    chosen = ask(agent, batch.records, movers, batch.mask, batch.setting)
    assert batch.mask[np.arange(NUM_GAMES), chosen].all()
    if name != "random":
        for game, action in zip(games, chosen.tolist(), strict=True):
            alone.reset(1)
            mask, seat = game.mask[np.newaxis], np.array([game.seat])
            assert ask(alone, game.records, seat, mask, game.setting).tolist() == [action]


def test_payment__is_asked_for_the_games_of_each_rules() -> None:
    asked: list[tuple[Rules, int]] = []

    def reward(records: np.ndarray, rules: Rules) -> np.ndarray:
        asked.append((rules, len(records)))
        assert not records["board_index"].any()
        return np.tile(np.arange(1.0, rules.seats + 1), (len(records), 1))

    batch = make_batch()
    paid = Payment(reward, shaping=reward).count_final(batch.records, batch.setting)
    assert asked == [(RULES[0], 3), (RULES[1], 3), (RULES[2], 2), (RULES[3], 2)]
    assert paid[:4].tolist() == [[1, 2, 0, 0, 0], [1, 2, 3, 4, 5], [1, 2, 3, 0, 0], [1, 2, 3, 4, 0]]
    potential = Payment(shaping=reward).count_potential(batch.records, batch.setting)
    assert potential[0].tolist() == [-0.5, 0.5, 0, 0, 0]
    assert not Payment().count_potential(batch.records, batch.setting).any()


def test_load_settings__has_a_part_for_all_rules_that_differ() -> None:
    setting, numbers = load_settings([RULES[0], RULES[1], RULES[0]])
    assert numbers.tolist() == [0, 1, 0]
    assert [part.rules for part in setting.parts] == [RULES[0], RULES[1]]
    assert setting.blank["board_index"].tolist() == setting.blank["deck_index"].tolist() == [0, 1]
    assert (setting.num_seats, setting.num_players, setting.num_companies, setting.title) == (5, 3, 5, "2 maps")
    assert setting.players.tolist() == [2, 3]
    assert setting.contents["map 1"]["name"] == "gen-v1:test:1"
    alone, same = load_settings([RULES[0], RULES[0]])
    assert not hasattr(alone, "parts")
    assert same.tolist() == [0, 0]


def test_list_parts__groups_the_rows_that_are_meant() -> None:
    batch = make_batch()
    found = [
        (number, rows.tolist()) for number, _, rows in list_parts(batch.records, batch.setting, np.array([9, 4, 1]))
    ]
    assert found == [(0, [4]), (1, [9, 1])]
    assert list(list_parts(batch.records, batch.setting, np.array([], np.int64))) == []
    assert single_out(batch.records, batch.setting, np.array([1]))["deck_index"].tolist() == [0]
    assert batch.records["deck_index"][1] == 1


def test_bad_mixtures__are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"^rules=\[\]: one or more are allowed"):
        GameBatch([], 3)
    with pytest.raises(ValueError, match=r"^mode='multiplayer' and mode='solo': games of one batch must have the same"):
        GameBatch([Rules(), Rules(mode="solo")], 3)
    with pytest.raises(TypeError, match=r"rules=.*: an object of .*Rules is allowed"):
        GameBatch([Rules(), toy.Rules()], 3)
    with pytest.raises(ValueError, match=r"game 'tests.toy:SPEC': a batch holds games of the same rules"):
        GameBatch([toy.Rules(), toy.Rules(num_players=3)], 3)
    with pytest.raises(ValueError, match=r"contracts='mini' has 16 contracts: 4 player seats need at least 20"):
        GameBatch([Rules(), Rules(contracts="mini", num_players=4)], 3)
    with pytest.raises(ValueError, match=rf"^{MAX_PARTS + 1} different rules: at most {MAX_PARTS} fit into one batch"):
        mix_settings([load_setting(Rules())] * (MAX_PARTS + 1))
