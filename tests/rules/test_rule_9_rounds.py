"""Rules 9.1 and 9.2: the set-up of the basic solo game, one player with five companies, and its rounds."""

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.kit.errors import IllegalActionError, ScenarioError
from tests.rules.boards import LADDER, RUNGS, choices, play
from tests.rules.solo_boards import (
    COMPANIES,
    EACH_TWICE,
    MINI,
    ORDER,
    aside,
    card,
    dealt,
    ladder,
    play_round,
    scenario,
    solo,
    state_of,
    trains_of,
)


# --- 9.1 set-up -----------------------------------------------------------------------------------------
def test_rule_9_1__set_up() -> None:
    game = Game(Rules(mode="solo"), seed=3)
    assert (game.seats, game.trains, game.factories_left) == (5, [19] * 5, [15] * 5)
    assert game.money == [5]
    assert not game.record.money[1:].any()
    assert (len(game.hand(0)), game.deck_size, aside(game)) == (5, 43, [])
    for seat in COMPANIES:
        assert (game.hand(seat), game.fulfilled(seat)) == (game.hand(0), [])
    colors = Counter(game.city(name)["color"] for name in game.setting.map.cities) + Counter(game.off_map)
    assert colors == {"white": 7, "black": 7, "orange": 7, "gray": 7, "purple": 5}
    assert game.record.stock.tolist() == [30] * 4
    assert game.record.tiles.tolist() == [80, 10, 10]
    assert (game.round, game.phase, game.actions_left, game.done) == (1, "action", 1, False)
    assert (game.record.corners == -1).all()


def test_rule_9_1__two_trains_of_each_company_are_in_the_bag_and_the_seed_deals() -> None:
    deals = [dealt(seed) for seed in range(20)]
    assert all(sorted(trains_of(game)) == EACH_TWICE for game in deals)
    assert len({(*trains_of(game), *game.hand(0)) for game in deals}) == 20
    assert dealt(4).records.tobytes() == deals[4].records.tobytes()


def test_rule_9_1__a_given_deal_says_the_order_of_the_trains() -> None:
    values = {**dealt(4).events[0].values, "trains": list(ORDER)}
    assert trains_of(Game(MINI, seed=0, deal=values)) == list(ORDER)
    for trains in (ORDER[:9], (*ORDER, 0), (0,) * 10, (*ORDER[:9], 5)):
        with pytest.raises(ValueError, match="trains"):
            Game(MINI, seed=0, deal={**values, "trains": list(trains)})


def test_rule_9_1__five_contracts_are_enough_for_a_deal_and_four_are_not(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    entry = '[[contracts]]\nneeds = "W"\nmoney = 0\nvp = 1\nbonus = "none"\nautoma = "track"\n'
    rules = Rules(mode="solo", map="mini", contracts=str(path))
    path.write_text(f'name = "small"\n{entry * 5}', encoding="utf-8")
    game = Game(rules, seed=0)
    assert (len(game.hand(0)), game.deck_size) == (5, 0)
    path.write_text(f'name = "small"\n{entry * 4}', encoding="utf-8")
    with pytest.raises(ValueError, match="at least 5"):
        Game(rules, seed=0)


def test_rule_9_1__a_factory_brings_5_resources_as_a_bonus_4_to_6() -> None:
    game = play(ladder(), "build Ames")
    assert (game.city("Ames")["resources"], game.city("Ames")["owner"], game.record.stock[0]) == (5, 0, 25)
    for amount in (4, 5, 6):
        game = play(ladder(bonus="factory"), "fulfil 0, build Ames")
        assert choices(game, "amount") == {"4", "5", "6"}
        assert play(game, f"amount {amount}").city("Ames")["resources"] == amount


# --- 9.2 rounds -----------------------------------------------------------------------------------------
def test_rule_9_2__ten_turns_of_one_action_in_the_order_of_the_bag() -> None:
    game = solo(active=ORDER[0], trains=ORDER[1:])
    for number in range(10):
        assert (trains_of(game), game.actions_left, game.round) == (list(ORDER[number:]), 1, 1)
        game.step("money")
    assert game.round == 2


@pytest.mark.parametrize(
    ("bonus", "actions"),
    [
        ("none", "money"),
        ("none", "contracts"),
        ("none", "build Boone"),
        ("none", "start Ames SE, head SE, head NE"),
        ("none", "start Ames SE, head SE, done"),
        ("none", "fulfil 0"),
        ("track", "fulfil 0, start Ames SE, head SE, head NE"),  # a bonus belongs to the action
    ],
)
def test_rule_9_2__every_action_of_the_game_is_one_turn(bonus: str, actions: str) -> None:
    game = ladder(bonus=bonus, trains=[2, 1], money=9)
    for action in actions.split(", "):
        assert (game.seat, game.actions_left) == (0, 1)
        play(game, action)
    assert (game.seat, game.actions_left) == (2, 1)


def test_rule_9_2__after_the_last_action_of_a_round_the_decks_next_contract_is_put_aside() -> None:
    game = solo(trains=[1], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3])
    assert aside(play(game, "money")) == []
    play(game, "money")
    assert (game.round, aside(game), game.deck_size, game.hand(0)) == (2, [4], 4, [0])
    assert [event.values for event in game.events if event.kind == "aside"] == [{"contract": 4}]
    game = play(solo(trains=[], contracts=6, hand=[0], deck=[4, 2, 5, 1, 3]), "contracts")
    assert (game.hand(0), aside(game), game.deck_size) == ([0, 2, 4], [5], 2)


@pytest.mark.parametrize("deck", [[2, 3, 4], []])
def test_rule_9_2__a_deck_that_runs_out_changes_nothing(deck: list[int]) -> None:
    size = len(deck)
    game = solo(active=ORDER[0], trains=ORDER[1:], contracts=2 + size, hand=[0, 1], deck=deck)
    for number in range(1, 9):
        assert state_of(game) == (False, False, number)
        assert len(play_round(game)) == 10
        assert (len(aside(game)), game.deck_size) == (min(number, size), max(size - number, 0))
    assert (state_of(game), game.hand(0)) == ((True, False, 8), [0, 1])


def test_rule_9_2__contracts_set_aside_never_come_back() -> None:
    game = play(solo(trains=[], contracts=3, deck=[1, 2, 0]), "money, contracts")
    assert game.hand(0) == [0, 2]
    while not game.done:
        assert "contracts" not in game.legal_text()
        play_round(game)
    assert aside(game) == [1]


def test_rule_9_2__the_bag_is_refilled_after_each_round_in_a_new_order() -> None:
    game = dealt(5)
    rounds = [tuple(play_round(game)) for _ in range(8)]
    assert all(sorted(acted) == EACH_TWICE for acted in rounds)
    assert len(set(rounds)) == 8
    twins = [dealt(6), dealt(6), dealt(6).clone()]
    assert len({tuple(tuple(play_round(game)) for _ in range(8)) for game in twins}) == 1


def draw_orders(games: int, rounds: int, seed: int) -> np.ndarray:
    """The companies that act, by round, place in the order, game."""
    batch = GameBatch(MINI, games, seed=seed)
    seats = []
    for _ in range(10 * rounds):
        seats.append(batch.seats.copy())
        batch.step(np.zeros(games, np.int64))
    return np.array(seats).reshape(rounds, 10, games)


def test_rule_9_2__the_order_is_uniformly_random() -> None:
    games = 600
    drawn = (draw_orders(games, 2, seed=0)[..., np.newaxis] == np.arange(5)).sum(axis=2)  # by round, place, company
    assert (drawn.sum(axis=1) == 2 * games).all()
    assert abs((drawn - games / 5) / (games * 0.2 * 0.8) ** 0.5).max() < 4.5
    (orders,) = draw_orders(games, 1, seed=10**6)
    same = sum(int((one == other).sum()) for one, other in pairwise(orders))
    assert abs(same - games) < 5 * games**0.5  # nine pairs of neighbours, each alike with chance 1/9


def test_rule_9_2__given_outcomes_are_the_order_of_the_trains() -> None:
    game = solo(trains=[], contracts=9, deck=list(range(9)))
    game.step("money", outcomes=ORDER)
    assert trains_of(game) == list(ORDER)
    play(game, *["money"] * 9)
    game.step("money", outcomes=ORDER[::-1])
    assert (game.round, aside(game), play_round(game)) == (3, [0, 1], list(ORDER[::-1]))


@pytest.mark.parametrize(
    "outcomes",
    [ORDER[:9], (*ORDER, 3), (*ORDER[:9], 5), (*ORDER[:9], -1), (0, 0, 0, 1, 1, 2, 2, 3, 3, 4), (3,)],
    ids=("nine", "eleven", "no company", "none", "three of one", "one"),
)
def test_rule_9_2__impossible_outcomes_are_refused_and_change_nothing(outcomes: tuple[int, ...]) -> None:
    game = solo(trains=[])
    before = game.save()
    with pytest.raises(ValueError, match="outcome"):
        game.step("money", outcomes=outcomes)
    assert game.save() == before
    game.step("money", outcomes=ORDER)


def test_rule_9_2__within_a_round_there_is_no_chance() -> None:
    with pytest.raises(ValueError, match="too many"):
        solo(trains=[1]).step("money", outcomes=ORDER)


def test_rule_9_2__after_eight_rounds_the_game_ends() -> None:
    game = dealt(7)  # 16 contracts, 11 of them in the deck
    for number in range(1, 9):
        assert state_of(game) == (False, False, number)
        assert len(play_round(game)) == 10
        assert (len(aside(game)), game.deck_size) == (number, 11 - number)
    assert state_of(game) == (True, False, 8)
    assert (game.seat, game.phase, game.legal(), game.num_steps, game.record.bag_size) == (-1, "over", [], 80, 0)
    assert (game.events[-1].kind, game.events[-1].values) == ("end", {"truncated": 0})
    with pytest.raises(IllegalActionError):
        game.step("money")


@pytest.mark.parametrize("limit", [8, 9, 100])
def test_rule_9_2__a_round_limit_of_eight_or_more_does_not_truncate(limit: int) -> None:
    game = play(solo(trains=[], round_number=8, rules={"max_rounds": limit}), "money")
    assert state_of(game) == (True, False, 8)


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_rule_9_2__a_lower_round_limit_truncates(limit: int) -> None:
    game = Game(Rules(mode="solo", map="mini", contracts="mini", max_rounds=limit), seed=8)
    for _ in range(limit):
        assert not game.done
        play_round(game)
    assert (state_of(game), len(aside(game))) == ((True, True, limit), limit)


def test_rule_9_2__contracts_fulfilled_never_end_it() -> None:
    cards = [card()] * 48
    game = play(ladder(trains=[], contracts=cards, fulfilled=range(1, 41), money=90), "fulfil 0")
    assert len(game.fulfilled(0)) == 41
    for number in range(2, 9):
        assert state_of(game) == (False, False, number)
        play_round(game)
    assert state_of(game) == (True, False, 8)
    named = ladder(trains=[], rules={"contracts_to_end": 1})  # not even where a number is named
    start = scenario(LADDER, *RUNGS, trains=[], hand=[0])
    deck = {"name": "short", "contracts": cards[:9], "contracts_to_end": 1}
    for game in (named, Game.from_scenario({**start, "contracts": deck}, seed=0)):
        assert state_of(play(game, "fulfil 0")) == (False, False, 2)


# --- files ----------------------------------------------------------------------------------------------------
def test_solo_scenarios__what_is_left_out_is_as_set_up_gives_it() -> None:
    given = scenario(trains=ORDER)
    whole = {name: given[name] for name in given if name not in ("turn", "seats", "deck", "solo")}
    game = Game.from_scenario({**whole, "solo": {"trains": list(ORDER)}}, seed=4)  # the next train is active
    assert (trains_of(game), game.actions_left, game.round) == (list(ORDER), 1, 1)
    assert (game.money, len(game.hand(0)), game.deck_size) == ([5], 5, 15)
    drawn = [trains_of(Game.from_scenario(whole, seed=seed)) for seed in range(40)]
    assert all(sorted(trains) == EACH_TWICE for trains in drawn)
    assert {trains[0] for trains in drawn} == set(COMPANIES)
    active = [trains_of(Game.from_scenario({**whole, "turn": {"seat": 2}}, seed=seed)) for seed in range(10)]
    assert all(trains[0] == 2 and sorted(trains) == EACH_TWICE for trains in active)
    assert len({tuple(trains) for trains in active}) == 10


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"trains": [1, 1, 1]}, "solo.trains"),
        ({"trains": [0, 0]}, "solo.trains"),  # company 0 is active: a third train
        ({"trains": [5]}, r"solo.trains\[0\]"),
        ({"trains": [True]}, r"solo.trains\[0\]"),
        ({"set_aside": 9}, "solo.set_aside"),
        ({"set_aside": -1}, "solo.set_aside"),
        ({"set_aside": 3, "contracts": 2}, "solo.set_aside"),
        ({"active": 5}, "turn.seat"),
        ({"money": -1}, "seats.money"),
        ({"round_number": 9}, r"turn\.round: 9; must be a whole number from 1 to 8"),
        ({"round_number": 4, "rules": {"max_rounds": 3}}, r"turn\.round: 4; must be a whole number from 1 to 3"),
        ({"rules": {"edition": "preview"}}, "preview"),  # rule 10
        ({"automa": {}}, "automa"),
    ],
)
def test_rule_9_2__no_position_that_could_not_exist(entries: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        solo(**entries)


@pytest.mark.parametrize(
    ("part", "entry", "value"),
    [
        ("seats", "money", [5] * 5),
        ("seats", "hands", [[]] * 5),
        ("seats", "fulfilled", [[]] * 2),
        ("turn", "actions_left", 2),
    ],
)
def test_rule_9_1__one_purse_one_hand_and_one_action(part: str, entry: str, value: Any) -> None:
    start = scenario()
    start[part][entry] = value
    with pytest.raises(ScenarioError, match=rf"{part}\.{entry}"):
        Game.from_scenario(start)


def test_solo_game_file__replays_without_the_random_generator(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for game in (dealt(12), solo(LADDER, *RUNGS, active=ORDER[0], trains=ORDER[1:])):
        play_round(game)
        play(game, "contracts").to_file(path)
        content = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps({**content, "seed": 99}), encoding="utf-8")  # the outcomes are in the file
        again = Game.from_file(path)
        assert (trains_of(again), aside(again), again.hand(0)) == (trains_of(game), aside(game), game.hand(0))
