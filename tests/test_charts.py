"""The encoding `charted`: `advised`, and what greedy knows of the map; and the net that looks at it."""

from typing import Any

import numpy as np
import pytest

from steam_env import Game, GameBatch, Rules
from steam_env.agents import advising, charts
from steam_env.agents.greedy_plan import WEIGHTS, count_actions_left
from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import HEAD_TO, NUM_ACTIONS, START
from steam_env.core.steam_power.state import ACTION, ACTIONS_PER_TURN, MAX_CITIES, OVER, PURPLE
from steam_env.encoding.compact import expand
from steam_env.games.steam_power import SPEC
from tests.seen import disguise, play_on

RULES = [Rules(), Rules(num_players=5, automas=2), Rules(mode="solo"), Rules(map="alps", num_players=4)]
PARTS = {part.name: part for part in charts.LAYOUT.parts}
COUNTRY_USUAL = charts.COUNTRY_MIDDLE / advising.MOST_RATE  # a country that is worth what is usual


def begin(rules: Rules, steps: int, count: int = 40) -> GameBatch:
    """Games after some random decisions, none of which is over."""
    batch = GameBatch(rules, count, seed=3)
    play_on(batch, steps)
    batch.reset(where=batch.done)
    return batch


def part_of(seen: dict[str, np.ndarray], name: str) -> np.ndarray:
    """(n, length) values of a part of the chart."""
    part = PARTS[name]
    return seen["advice"][:, part.start : part.start + part.length]


def chart(batch: GameBatch, seats: np.ndarray | None = None) -> dict[str, np.ndarray]:
    seen: dict[str, np.ndarray] = batch.observe("charted", seats=seats)
    return seen


@pytest.mark.parametrize("rules", RULES)
def test_chart__begins_with_the_advice(rules: Rules) -> None:
    for steps in (0, 30, 80):
        batch = begin(rules, steps)
        seen, advised = chart(batch), batch.observe("advised")
        size = advised["advice"].shape[1]
        assert (seen["advice"][:, :size] == advised["advice"]).all()
        assert (seen["flat"] == advised["flat"]).all()
        assert seen["advice"][:, size:].any(axis=1).all()
        assert seen["advice"].max() <= 1.0


def test_chart__near__is_the_effort_of_the_placements_and_dollars_told() -> None:
    batch = begin(Rules(num_players=3), 80)
    seen = chart(batch)
    near = np.rint(part_of(seen, "near") * charts.NEAREST)
    placements = np.rint(part_of(seen, "placements") * charts.MOST_STEPS)
    dollars = np.rint(part_of(seen, "dollars") * charts.MOST_STEPS)
    led_to = placements > 0
    effort = WEIGHTS.placement * placements + dollars
    assert led_to.sum() > 100
    assert (near == charts.NEAREST - effort)[led_to & (dollars < charts.MOST_STEPS)].all()


def test_chart__near__is_1_in_the_own_network_alone() -> None:
    batch = begin(Rules(map="alps", num_players=4), 80)
    near, board = part_of(chart(batch), "near"), batch.setting.boards[0]
    networks = batch.records["network"][np.arange(len(batch)), batch.seats]
    inside = networks[:, np.newaxis] >> board["group"][: board["num_cities"]] & 1 > 0
    assert inside.any()
    assert not inside.all()
    assert ((near[:, : board["num_cities"]] == 1.0) == inside).all()
    assert not near[:, board["num_cities"] :].any()


def test_chart__rival_near__is_what_is_near_to_the_rival() -> None:
    batch = begin(Rules(num_players=3), 90)
    seats = batch.seats.astype(np.int64)
    rivals = part_of(chart(batch), "rival_near").reshape(len(batch), charts.NUM_RIVALS, MAX_CITIES)
    for step in (1, 2):
        others = (seats + step) % 3
        own = part_of(chart(batch, others), "near")
        free = batch.records["tail_link"][np.arange(len(batch)), others] == NONE  # no tile that it may take back
        assert free.sum() > 5
        assert own[free].any()
        assert (rivals[free, step - 1] == own[free]).all()
    assert not rivals[:, 2:].any()


def test_chart__before_the_first_link__greedys_choice_stands_best() -> None:
    batch = begin(Rules(num_players=4), 0)
    seen = chart(batch)
    told = np.rint(seen["advice"][:, advising.CHOICE] * NUM_ACTIONS).astype(np.int64) - 1
    standing = part_of(seen, "standing")
    assert ((told >= START) & (told < HEAD_TO)).all()
    assert (standing[np.arange(len(batch)), told - START] == 1.0).all()
    assert ((standing > 0).sum(axis=1) > 3 * NUM_EDGES).all()
    assert (standing > 0)[~batch.mask[:, START:HEAD_TO]].sum() == 0
    country = part_of(seen, "country")
    assert (country > COUNTRY_USUAL).any()
    assert (country > 0).any(axis=1).all()


def test_chart__after_the_first_link__no_other_is_compared() -> None:
    batch = begin(Rules(), 100)
    started = batch.records["network"][np.arange(len(batch)), batch.seats] != 0
    seen = chart(batch)
    assert started.sum() > 10
    assert not part_of(seen, "standing")[started].any()
    assert not part_of(seen, "country")[started].any()


def test_chart__link__is_worth_nothing_where_the_mover_is() -> None:
    batch = begin(Rules(num_players=3), 80)
    seen = chart(batch)
    link, inside = part_of(seen, "link"), part_of(seen, "near") == 1.0
    assert inside.any()
    assert not link[inside].any()
    assert link[~inside].any()


def test_chart__site__is_told_of_free_cities_with_a_colour_of_their_own() -> None:
    batch = begin(Rules(num_players=3), 120)
    site, records = part_of(chart(batch), "site"), batch.records
    taken = (records["owner"] != NONE) | (records["color"] == PURPLE)
    assert taken.any()
    assert not site[:, : taken.shape[1]][taken].any()
    assert site.any(axis=1).mean() > 0.5


def test_chart__outlook__tells_how_many_actions_are_left() -> None:
    batch = begin(Rules(), 70)
    left = part_of(chart(batch), "outlook")[:, 0] * advising.MOST_RATE
    for number, game in enumerate(batch.records):
        wanted = min(charts.ACTION_STEPS * count_actions_left(game, WEIGHTS), advising.MOST_RATE)
        assert int(left[number].round()) == int(wanted)


def test_chart__needs_and_costs__grow_with_the_hand() -> None:
    batch = begin(Rules(), 60)
    seen = chart(batch)
    needs, costs = part_of(seen, "needs"), part_of(seen, "costs")
    assert ((needs > 0) | (costs == 0)).all()  # what nobody needs costs nothing
    assert (needs.max(axis=1) > needs.min(axis=1)).mean() > 0.9


def test_chart__tells_a_seat_that_waits_what_it_would_know_if_its_turn_began() -> None:
    batch = begin(Rules(num_players=3), 25)
    seats = batch.seats.astype(np.int64)
    between = np.flatnonzero((batch.records["phase"] == ACTION) & (batch.records["round_number"] > 1))
    assert len(between) > 5
    for shift in (1, 2):
        others = (seats + shift) % 3
        seen = chart(batch, others)
        turned = batch.records[between].copy()
        turned["seat"], turned["actions_left"] = others[between], ACTIONS_PER_TURN
        own = chart(GameBatch.from_records(turned, batch.rules))
        assert (seen["advice"][between] == own["advice"]).all()
    assert not chart(batch, np.full(len(batch), NONE))["advice"].any()


def test_chart__of_a_game_that_is_over_and_of_a_company_that_waits_in_solo_is_zero() -> None:
    game = Game(Rules(max_rounds=1), seed=4)
    while not game.done:
        game.step(game.legal()[0])
    assert game.record.phase == OVER
    assert not game.observe(0, "charted")["advice"].any()
    batch = begin(Rules(mode="solo"), 20)
    assert not chart(batch, (batch.seats.astype(np.int64) + 1) % 5)["advice"].any()


def test_chart__is_the_same_whatever_is_hidden() -> None:
    batch, rng = begin(Rules(num_players=4), 60), np.random.default_rng(2)
    seen = chart(batch)
    for seat in range(4):
        rows = np.flatnonzero(batch.seats == seat)
        other = disguise(batch.records[rows].copy(), seat, rng)
        assert (other["deck_order"] != batch.records["deck_order"][rows]).any()
        assert (chart(GameBatch.from_records(other, batch.rules))["advice"] == seen["advice"][rows]).all()


def test_chart__depends_on_no_position_before() -> None:
    """Greedy's scratch memory holds what other positions left in it."""
    batch, other = begin(Rules(num_players=3), 60), begin(Rules(map="alps", num_players=5), 90)
    seen = chart(batch)
    chart(other)
    assert (chart(batch)["advice"] == seen["advice"]).all()
    turned = GameBatch.from_records(batch.records[::-1], batch.rules)
    assert (chart(turned)["advice"] == seen["advice"][::-1]).all()


@pytest.mark.parametrize("form", ["charted:compact", "charted:tight"])
def test_chart__comes_back_bit_for_bit_from_its_digits(form: str) -> None:
    batch = begin(Rules(num_players=3), 50)
    seen, packed = chart(batch), batch.observe(form)
    values = expand(SPEC.sight.find_encoding(form, setting=batch.setting).expansions, packed)
    for name in ("flat", "advice"):
        assert packed[name].dtype == np.uint8
        assert (values[name] == seen[name]).all()


# --- the net -------------------------------------------------------------------------------------------------


def make_networks() -> tuple[Any, Any]:
    """A net with some weights that sees less, and one that has taken them over."""
    torch = pytest.importorskip("torch")
    from steam_env.agents.charted import ChartedConfig, ChartedNetwork
    from steam_env.agents.growing import begin_with, check_older
    from steam_env.agents.nomad import NomadConfig, NomadNetwork

    torch.manual_seed(5)
    older, network = NomadNetwork(NomadConfig(width=32, entity=8)), ChartedNetwork(ChartedConfig(width=32, entity=8))
    for last in (older.judge_city[-1], older.judge_plain, older.weigh):
        torch.nn.init.normal_(last.weight)
    check_older(older, ChartedNetwork, network.config)
    begin_with(network, older)
    return older, network


def test_net__that_begins_with_one_that_sees_less_answers_the_same() -> None:
    torch = pytest.importorskip("torch")
    from steam_env.agents.trained import to_tensors

    older, network = make_networks()
    for rules, steps in ((Rules(), 0), (Rules(num_players=4), 60)):
        batch = begin(rules, steps)
        with torch.inference_mode():
            logits, values = older(to_tensors(batch.observe("advised"), "cpu"))
            others, worth = network(to_tensors(chart(batch), "cpu"))
        assert torch.equal(logits, others)
        assert torch.equal(values, worth)


def test_net__can_learn_from_all_that_it_sees_besides() -> None:
    """Each part of the chart has a gradient, so none is left out."""
    torch = pytest.importorskip("torch")
    from steam_env.agents.trained import to_tensors

    _, network = make_networks()
    with torch.no_grad():
        for weights in (network.look_at_city.weight, network.trunk[0].weight, network.weigh_standing.weight):
            weights.add_(0.1 * torch.randn_like(weights))
    found = torch.zeros(charts.LAYOUT.size)
    for steps in (0, 60):
        seen = to_tensors(chart(begin(Rules(num_players=4), steps)), "cpu")
        seen["advice"].requires_grad_()
        logits, values = network(seen)
        (logits.square().sum() + values.sum()).backward()
        found += seen["advice"].grad.abs().sum(0)
    for part in charts.LAYOUT.parts[2:]:
        assert found[part.start : part.start + part.length].any(), part.name


def test_net__begins_with_none_of_another_kind_or_size() -> None:
    pytest.importorskip("torch")
    from steam_env.agents.advised import AdvisedNetwork
    from steam_env.agents.charted import ChartedConfig, ChartedNetwork
    from steam_env.agents.growing import check_older
    from steam_env.agents.nomad import NomadConfig, NomadNetwork

    for older, kind, config in (
        (NomadNetwork(NomadConfig(width=16)), ChartedNetwork, ChartedConfig(width=32)),
        (ChartedNetwork(ChartedConfig(width=16)), NomadNetwork, NomadConfig(width=16)),
        (AdvisedNetwork(), ChartedNetwork, ChartedConfig()),
    ):
        with pytest.raises(ValueError, match=r"its network is .*, not .*Config"):
            check_older(older, kind, config)
