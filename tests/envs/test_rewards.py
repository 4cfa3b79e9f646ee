"""What seats are paid in environments of one game, by examples, and the scenarios that these may begin at."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from steam_env import Game, Rules, ScenarioError
from steam_env.core.steam_power.actions import MONEY
from steam_env.table.engine import find_engine
from steam_env.table.rewards import WinAndMargin, win_reward
from tests.envs.faces import (
    EVENTFUL,
    SINGLE,
    SMALL,
    Face,
    last_action,
    narrow_pass,
    over_faces,
    pay_money,
    pay_nothing,
    score_rewards,
    tell_all,
    win_rewards,
)

# --- rewards at the end, by examples ---------------------------------------------------------------------


@over_faces(*SINGLE)
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
    ],
)
def test_reward__of_every_seat_whoever_ends_the_game(face: type[Face], points: list[int], paid: list[float]) -> None:
    seats = len(points)
    for learner in range(seats):
        scenario = last_action(points)
        scenario["turn"]["seat"] = learner
        to_come = [0] * learner + [3] + [6] * (seats - 1 - learner)  # one action of the learner, two of each after it
        scenario["seats"]["money"] = [5 * value - more for value, more in zip(points, to_come, strict=True)]
        if min(scenario["seats"]["money"]) < 0:
            continue
        others = (sum(points) - points[learner]) / (seats - 1)
        expected = {"win": paid[learner], "margin": (points[learner] - others) / 50, "score": points[learner] / 50}
        for reward, worth in expected.items():
            played = face(num_players=seats, opponents=choose_money, seat=learner, reward=reward)
            played.begin(seed=1, scenario=scenario)
            told = played.step(MONEY)
            assert [score["total"] for score in played.game.scores()] == points
            assert told.reward == pytest.approx(worth)


def choose_money(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.full(len(masks), MONEY)


@over_faces(*SINGLE)
@pytest.mark.parametrize("as_function", [False, True])
def test_reward__counts_on_a_map_that_only_the_scenario_has(face: type[Face], as_function: bool) -> None:
    """What is given the setting needs no name of a map; a function of records and rules goes on working."""
    scenario = narrow_pass(money=(40, 0), max_rounds=1)
    if as_function:
        played = face(num_players=2, opponents=choose_money, reward=pay_money)
    else:
        shape = WinAndMargin(0.0, 0.05)
        played = face(num_players=2, opponents=choose_money, reward=WinAndMargin(1.0, 0.05), shaping=shape)
    played.begin(seed=1, scenario=scenario)
    assert played.rules.map == "mini"
    assert played.game.setting.title == "pass"
    assert played.env.unwrapped.board_features["hex_terrain"].sum() == 5
    margin = 0.05 * (game_margin(played.game))
    told = played.step(MONEY)
    won = win_reward(*find_engine("steam_power").score(played.game.records, played.game.setting), 1.0)[0, 0]
    paid = played.game.money[0] if as_function else won + 0.05 * game_margin(played.game) - margin
    assert told.reward == pytest.approx(paid)
    assert won == 1


def game_margin(game: Game) -> float:
    mine, others = (score["total"] for score in game.scores())
    return float(mine - others)


@over_faces()
@pytest.mark.parametrize("bad", [np.zeros(2), np.zeros((1, 3)), np.full((1, 2), np.nan)])
def test_reward__of_a_function_is_checked(face: type[Face], bad: np.ndarray) -> None:
    played = face(automas=1, reward=lambda records, rules: bad, max_rounds=1)
    played.begin(seed=1)
    with pytest.raises(ValueError, match="reward must return"):
        list(played.play(np.random.default_rng(1)))
    with pytest.raises(ValueError, match="shaping must return"):
        face(automas=1, shaping=lambda records, rules: bad).begin(seed=1)


@over_faces()
def test_reward__functions_get_a_copy(face: type[Face]) -> None:
    def spoil_records(records: np.ndarray, rules: Rules) -> np.ndarray:
        records["money"] = 0
        return np.zeros((len(records), rules.seats))

    played, twin = (face(automas=1, reward=one, shaping=one) for one in (spoil_records, pay_nothing))
    for each in (played, twin):
        each.begin(seed=1)
    assert tell_all(played, np.random.default_rng(1)) == tell_all(twin, np.random.default_rng(1))


# --- scenarios -------------------------------------------------------------------------------------------


@over_faces(*SINGLE)
@pytest.mark.parametrize(
    ("rules", "options", "paid"),
    [
        ({"num_players": 4, "automas": 3, "max_rounds": 3}, {"num_players": 2, "automas": 1}, win_rewards),
        ({"mode": "solo"}, {"mode": "solo"}, score_rewards),
    ],
)
def test_scenario__goes_on_by_its_own_rules(
    face: type[Face], rules: dict[str, Any], options: dict[str, Any], paid: Callable[[Game], list[float]]
) -> None:
    start, played = Game(Rules(map="mini", contracts="standard", **rules), seed=4), face(**options)
    for _ in range(3):
        start.step(MONEY)
    own = played.rules
    played.begin(seed=23, scenario=start.to_scenario())
    assert played.game.record == start.record
    *_, told = played.play(np.random.default_rng(23))
    assert told.reward == pytest.approx(paid(played.game)[0])
    assert (len(played.game.scores()), played.rules) == (start.rules.seats, own)
    played.begin(seed=23)
    assert played.game.record == Game(own, seed=23).record


@over_faces(*SINGLE)
def test_scenario__of_other_seats_or_mode_is_refused(face: type[Face]) -> None:
    solo = Game(Rules(mode="solo", map="mini", contracts="standard"), seed=1).to_scenario()
    duel = Game(Rules(automas=1, **SMALL), seed=1).to_scenario()
    for options, scenario, message in (
        ({"automas": 1}, EVENTFUL, "has 3 player seats in mode 'multiplayer', this environment 1 in mode"),
        ({"automas": 1}, solo, "has 1 player seats in mode 'solo', this environment 1 in mode 'multiplayer'"),
        ({"mode": "solo"}, duel, "has 1 player seats in mode 'multiplayer', this environment 1 in mode 'solo'"),
        ({"mode": "solo"}, {"cities": "X"}, "cities"),
    ):
        played = face(**options)
        played.begin(seed=1)
        before = played.game.record.tobytes()
        with pytest.raises(ScenarioError if message == "cities" else ValueError, match=message):
            played.begin(scenario=scenario)
        assert played.game.record.tobytes() == before
        with pytest.warns(
            UserWarning, match="reset option 'scenaro' is ignored: 'scenario', 'map', 'contracts' are allowed"
        ):
            played.begin(scenaro="x.toml")
