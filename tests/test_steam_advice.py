"""Steam's encoding `advised`: `flat`, and what greedy makes of the position; and the net that weighs it."""

from typing import Any

import numpy as np
import pytest

from steam_env.agents import advising
from steam_env.agents.steam_advice import (
    ADVISING,
    LAYOUT,
    LEAST_RATE,
    MOST_CUBES,
    OUTLOOK,
    RATE_STEPS,
    write_advice,
)
from steam_env.agents.steam_greedy import SteamGreedyAgent
from steam_env.agents.steam_greedy_plan import WEIGHTS
from steam_env.core.fields import NONE
from steam_env.core.steam.actions import COLOUR_OF, NUM_ACTIONS
from steam_env.core.steam.state import BUILD, CUBE, GOODS, MAX_LEVEL, MAX_SEATS, NUM_COLORS, SCORE, TAKE
from steam_env.steam import Game, GameBatch, Rules
from tests.told import choices_of, rates_of

KINDS = [Rules(), Rules(num_players=4, map="mini"), Rules(num_players=5, map="rhineland")]
STEPS = (0, 40, 150, 400)  # decisions of greedy after which its advice is looked at
RATED = (TAKE, BUILD, GOODS, CUBE, SCORE)  # phases in which the best estimate is greedy's choice, but for ties
RATING = (NUM_ACTIONS, RATE_STEPS, LEAST_RATE)  # how estimates are told
ALIKE = 0.9  # of these decisions


def begin(rules: Rules, steps: int, count: int = 30) -> GameBatch:
    """Games after so many decisions of greedy, none of which is over."""
    batch, agent = GameBatch(rules, count, seed=3), SteamGreedyAgent()
    for _ in range(steps):
        batch.step(agent.act(None, batch.mask, batch.views()))
    batch.reset(where=batch.done)
    return batch


@pytest.mark.parametrize("rules", KINDS, ids=str)
def test_advice__is_greedys_choice_and_its_best_estimate(rules: Rules) -> None:
    agent, same, total, phases = SteamGreedyAgent(), 0, 0, set()
    for steps in STEPS:
        batch = begin(rules, steps)
        seen = batch.observe("advised")
        told, rates = choices_of(seen, NUM_ACTIONS), rates_of(seen, *RATING)
        assert (told == agent.act(None, batch.mask, batch.views())).all()
        assert not np.isfinite(rates[~batch.mask]).any()
        rows = np.flatnonzero(np.isin(batch.records["phase"], RATED) & (batch.mask.sum(axis=1) > 1))
        assert np.isfinite(rates[rows, told[rows]]).all()
        same += int((rates[rows, told[rows]] == np.nanmax(rates[rows], axis=1)).sum())
        total += len(rows)
        phases |= set(batch.records["phase"][rows].tolist())
    assert same >= ALIKE * total > 0
    assert len(phases) > 1


def test_advice__tells_what_the_cubes_of_a_city_bring_by_colour() -> None:
    batch, agent, looked = begin(Rules(), 150), SteamGreedyAgent(), 0
    for _ in range(60):
        rows = np.flatnonzero(batch.records["phase"] == CUBE)
        rates = rates_of(batch.observe("advised"), *RATING)[rows, COLOUR_OF : COLOUR_OF + NUM_COLORS]
        legal = batch.mask[rows, COLOUR_OF : COLOUR_OF + NUM_COLORS]
        assert (np.isfinite(rates) == legal).all()
        looked += len(rows)
        batch.step(agent.act(None, batch.mask, batch.views()))
    assert looked > 0


def test_advice__is_told_to_the_mover_alone() -> None:
    batch = begin(Rules(num_players=4), 25)
    for shift in (1, 2, 3):
        others = (batch.seats.astype(np.int64) + shift) % 4
        seen = batch.observe("advised", seats=others)
        assert not seen["advice"].any()
        assert (seen["flat"] == batch.observe("flat", seats=others)).all()
    assert batch.observe("advised")["advice"].any(axis=1).all()
    assert not batch.observe("advised", seats=np.full(len(batch), NONE))["advice"].any()


def test_advice__of_a_game_that_is_over_is_zero() -> None:
    game, agent = Game(Rules(turns=1), seed=4), SteamGreedyAgent()
    while not game.done:
        game.step(int(agent.act(None, game.mask[np.newaxis], game.view(game.seat))[0]))
    assert not game.observe(0, "advised")["advice"].any()


def test_advice__comes_from_its_digits_bit_for_bit() -> None:
    batch = begin(Rules(), 200)
    seats = batch.seats.astype(np.int64)
    packed = np.full((len(batch), *ADVISING.expansion.shape), 9, np.uint8)
    write_advice(batch.records, *batch.setting.statics, seats, packed)
    values = ADVISING.expansion.expand(packed)
    assert (values == batch.observe("advised")["advice"]).all()
    assert values.shape[1] == LAYOUT.size
    assert 0.0 <= values.min() <= values.max() <= 1.0


def test_advice__counts_the_cubes_that_seats_can_move() -> None:
    """At the beginning there are none; later those of the mover at its level are the moves that it may make."""
    assert not begin(Rules(), 0).observe("advised")["advice"][:, OUTLOOK:].any()
    batch = begin(Rules(), 400)
    told = batch.observe("advised")["advice"][:, OUTLOOK:].reshape(-1, MAX_SEATS, 2, MAX_LEVEL) * MOST_CUBES
    levels = batch.records["level"][np.arange(len(batch)), batch.seats]
    assert told[:, 0, 0].any(axis=1).mean() > 0.5
    assert not told[:, batch.setting.num_seats :].any()
    for row, level in zip(told[:, 0], levels, strict=True):
        assert not row[0, level:].any()
        assert not row[1, level + 1 :].any()
        assert row[1].sum() >= row[0].sum()


def test_advice__of_other_weights_has_another_layout() -> None:
    """A policy that learnt what to think of greedy does not fit to another one."""
    told = next(part for part in LAYOUT.parts if part.name == "rates").scale
    assert advising.name_weights(WEIGHTS) in told
    assert advising.name_weights(WEIGHTS._replace(level=0.4)) not in told


# --- the net -------------------------------------------------------------------------------------------------


def make_network(**sizes: float) -> Any:
    """A small net with random weights."""
    torch = pytest.importorskip("torch")
    from steam_env.agents.steam_advised import AdvisedConfig, AdvisedNetwork

    torch.manual_seed(5)
    return AdvisedNetwork(AdvisedConfig(width=32, entity=8, map_units=8, **sizes))


def test_net__begins_with_what_greedy_would_play() -> None:
    pytest.importorskip("torch")
    from steam_env.agents.trained import TrainedAgent, judge

    batch = begin(Rules(), 150, count=60)
    seen, masks = batch.observe("advised"), batch.mask
    trusting, wary = make_network(), make_network(trust=0.0, lead=0.0, heed=0.0, building=0.0)
    told = TrainedAgent(trusting, "advised").act(seen, masks, None)
    assert (told == choices_of(seen, NUM_ACTIONS)).mean() >= ALIKE
    rows = np.arange(len(masks))
    shares = [
        np.exp(judge(net, seen, masks)[0])[rows, choices_of(seen, NUM_ACTIONS)].mean() for net in (trusting, wary)
    ]
    assert shares[0] > 0.75 > shares[1] + 0.25


def test_net__judges_a_position_alike_whatever_is_beside_it() -> None:
    pytest.importorskip("torch")
    from steam_env.agents.trained import judge
    from steam_env.encoding import pick

    network = make_network()
    if not network.is_steady:
        pytest.skip("without oneDNN it is not steady, nor says so")
    batch = begin(Rules(), 60)
    seen, masks = batch.observe("advised"), batch.mask
    log_probs, values = judge(network, seen, masks)
    alone = [judge(network, pick(seen, slice(row, row + 1)), masks[row : row + 1]) for row in range(10)]
    assert (np.concatenate([found[0] for found in alone]) == log_probs[:10]).all()
    assert (np.concatenate([found[1] for found in alone]) == values[:10]).all()
