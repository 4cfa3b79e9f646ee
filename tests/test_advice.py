"""The encoding `advised`: `flat`, and what greedy makes of the position; and the net that weighs it."""

from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.agents import GreedyAgent, advising
from steam_env.agents.advice import LAYOUT, LEAST_RATE, RATE_STEPS
from steam_env.agents.greedy_plan import WEIGHTS
from steam_env.core.fields import NONE
from steam_env.core.steam_power.actions import NUM_ACTIONS
from steam_env.core.steam_power.state import ACTION, ACTIONS_PER_TURN, OVER, PHASE_NAMES
from steam_env.encoding.compact import expand
from steam_env.games.steam_power import SPEC
from steam_env.table.view import view_records
from tests.seen import disguise, play_on
from tests.told import choices_of, rates_of

RULES = [Rules(), Rules(num_players=5, automas=2), Rules(mode="solo"), Rules(map="alps", num_players=4)]
RATING = (NUM_ACTIONS, RATE_STEPS, LEAST_RATE)  # how estimates are told
SOLE = 0.9  # of the decisions: greedy's choice is that with the best estimate but for ties and a few second placements


def begin(rules: Rules, steps: int, count: int = 40) -> GameBatch:
    """Games after some random decisions, none of which is over."""
    batch = GameBatch(rules, count, seed=3)
    play_on(batch, steps)
    batch.reset(where=batch.done)
    return batch


@pytest.mark.parametrize("rules", RULES)
def test_advice__is_greedys_action_or_the_one_that_it_values_most(rules: Rules) -> None:
    agent, same, total = GreedyAgent(), 0, 0
    for steps in (0, 10, 30, 80):
        batch = begin(rules, steps)
        seats = batch.seats.astype(np.int64)
        seen = batch.observe("advised")
        told, rates = choices_of(seen, NUM_ACTIONS), rates_of(seen, *RATING)
        assert batch.mask[np.arange(len(told)), told].all()
        is_rated = ~np.isnan(rates).all(axis=1)
        best = np.nanmax(rates[is_rated], axis=1)
        assert (rates[is_rated, told[is_rated]] == best).all()
        played = agent.act(None, batch.mask, view_records(batch.records, seats, batch.setting))
        assert (told == played)[~is_rated].all()
        same, total = same + int((told == played).sum()), total + len(told)
    assert same >= SOLE * total


def test_advice__rates_every_action_of_a_turn_that_greedy_weighs() -> None:
    batch = begin(Rules(), 40)
    rates, phases = rates_of(batch.observe("advised"), *RATING), batch.records["phase"]
    started = batch.records["network"][np.arange(len(batch)), batch.seats] != 0
    weighed = (phases == ACTION) & started
    assert weighed.sum() > 5, [PHASE_NAMES[phase] for phase in phases]
    money, draw = SPEC.facts.resting_action, next(b.start for b in SPEC.facts.blocks if b.name == "contracts")
    assert np.isfinite(rates[weighed][:, [money, draw]]).sum() >= weighed.sum()
    assert not np.isfinite(rates[~batch.mask]).any()


def test_advice__tells_a_seat_that_waits_what_greedy_would_do_if_its_turn_began() -> None:
    batch = begin(Rules(num_players=3), 25)
    seats = batch.seats.astype(np.int64)
    between = np.flatnonzero((batch.records["phase"] == ACTION) & (batch.records["round_number"] > 1))
    assert len(between) > 5
    for shift in (1, 2):
        others = (seats + shift) % 3
        seen = batch.observe("advised", seats=others)
        assert seen["advice"].any(axis=1).all()
        assert (seen["flat"] == batch.observe("flat", seats=others)).all()
        turned = batch.records[between].copy()
        turned["seat"], turned["actions_left"] = others[between], ACTIONS_PER_TURN
        own = GameBatch.from_records(turned, batch.rules).observe("advised")
        assert (seen["advice"][between] == own["advice"]).all()
    assert not batch.observe("advised", seats=np.full(len(batch), NONE))["advice"].any()


def test_advice__of_a_company_that_waits_in_solo_is_zero() -> None:
    batch = begin(Rules(mode="solo"), 20)
    others = (batch.seats.astype(np.int64) + 1) % 5
    assert not batch.observe("advised", seats=others)["advice"].any()
    assert batch.observe("advised")["advice"].any(axis=1).all()


def test_advice__of_a_game_that_is_over_is_zero() -> None:
    game = Game(Rules(max_rounds=1), seed=4)
    while not game.done:
        game.step(game.legal()[0])
    assert game.record.phase == OVER
    assert not game.observe(0, "advised")["advice"].any()


def test_advice__is_the_same_whatever_is_hidden() -> None:
    batch = begin(Rules(num_players=4), 60)
    rng = np.random.default_rng(2)
    seen = batch.observe("advised")
    for seat in range(4):
        rows = np.flatnonzero(batch.seats == seat)
        other = disguise(batch.records[rows].copy(), seat, rng)
        assert (other["deck_order"] != batch.records["deck_order"][rows]).any()
        redealt = GameBatch.from_records(other, batch.rules)
        assert (redealt.observe("advised")["advice"] == seen["advice"][rows]).all()


@pytest.mark.parametrize("form", ["advised:compact", "advised:tight"])
def test_advice__comes_back_bit_for_bit_from_its_digits(form: str) -> None:
    batch = begin(Rules(num_players=3), 50)
    seen, packed = batch.observe("advised"), batch.observe(form)
    values = expand(SPEC.sight.find_encoding(form, setting=batch.setting).expansions, packed)
    for name in ("flat", "advice"):
        assert packed[name].dtype == np.uint8
        assert (values[name] == seen[name]).all()
    assert values["advice"].max() <= 1.0


def test_advice__of_other_weights_has_another_layout() -> None:
    """A policy that learnt what to think of greedy does not fit to another one."""
    told = next(part for part in LAYOUT.parts if part.name == "rates").scale
    assert advising.name_weights(WEIGHTS) in told
    assert advising.name_weights(WEIGHTS._replace(vp=3.5)) not in told


# --- the net -------------------------------------------------------------------------------------------------


def make_network(**sizes: float) -> Any:
    """A small net with random weights."""
    torch = pytest.importorskip("torch")
    from steam_env.agents.advised import AdvisedConfig, AdvisedNetwork

    torch.manual_seed(5)
    return AdvisedNetwork(AdvisedConfig(width=32, entity=8, map_units=8, **sizes))


def test_net__begins_with_what_greedy_would_play() -> None:
    pytest.importorskip("torch")
    from steam_env.agents.trained import TrainedAgent, judge

    batch = begin(Rules(), 30, count=60)
    seen, masks = batch.observe("advised"), batch.mask
    trusting, wary = make_network(), make_network(trust=0.0, lead=0.0, heed=0.0)
    assert (TrainedAgent(trusting, "advised").act(seen, masks, None) == choices_of(seen, NUM_ACTIONS)).all()
    rows = np.arange(len(masks))
    shares = [
        np.exp(judge(net, seen, masks)[0])[rows, choices_of(seen, NUM_ACTIONS)].mean() for net in (trusting, wary)
    ]
    assert shares[0] > 0.75 > shares[1] + 0.25


def test_net__weighs_the_signs_of_each_action() -> None:
    torch = pytest.importorskip("torch")
    from steam_env.agents.advice_signs import weigh_signs
    from steam_env.agents.advised import DOLLARS, NEAR

    rates = torch.zeros(3, NUM_ACTIONS)
    rates[0, 7], rates[0, 9] = 0.5, 0.5 - 0.25 * NEAR / DOLLARS
    weights = torch.tensor([[4.0, 3.0, 0.5, 2.0]] * 3)
    logits = weigh_signs(torch.zeros(3, NUM_ACTIONS), torch.tensor([8, 6, 0]), rates, weights, DOLLARS / NEAR)
    assert logits[0, 7] == 3.0 + 0.5 + 2.0
    torch.testing.assert_close(logits[0, 9], torch.tensor(0.5 + 0.75 * 2.0))
    assert logits[1, 5] == 4.0
    assert logits.count_nonzero() == 3  # nothing is advised to the last, and nothing else to the others


def test_net__judges_a_position_alike_whatever_is_beside_it_and_whether_it_is_told_the_masks() -> None:
    torch = pytest.importorskip("torch")
    from steam_env.agents.trained import judge
    from steam_env.encoding import pick

    network = make_network()
    batch = begin(Rules(), 60)
    seen, masks = batch.observe("advised"), batch.mask
    log_probs, values = judge(network, seen, masks)
    if getattr(network, "is_steady", False):
        alone = [judge(network, pick(seen, slice(row, row + 1)), masks[row : row + 1]) for row in range(10)]
        assert (np.concatenate([found[0] for found in alone]) == log_probs[:10]).all()
        assert (np.concatenate([found[1] for found in alone]) == values[:10]).all()
    tensors = {name: torch.from_numpy(array) for name, array in seen.items()}
    with torch.no_grad():
        all_logits, logits = network(tensors)[0], network(tensors, torch.from_numpy(masks.copy()))[0]
    torch.testing.assert_close(logits[masks], all_logits[masks], atol=1e-5, rtol=1e-5)
