"""The net of the trained policies, and how actions are drawn of what it says. Needs the extra `train`."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("safetensors")

from steam_env import Game, Rules  # noqa: E402
from steam_env.agents.masking import draw_legal, mask_logits  # noqa: E402
from steam_env.agents.network import CITY_ACTIONS, NetworkConfig, SteamNetwork, spread_logits  # noqa: E402
from steam_env.agents.trained import draw_actions, judge  # noqa: E402
from steam_env.core.steam_power.actions import BUILD, FULFIL, HOP_TO, SOURCE_FROM  # noqa: E402
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS  # noqa: E402
from steam_env.data.steam_power.maps import load_map  # noqa: E402
from steam_env.encoding.steam_power import flat  # noqa: E402
from tests.games import look  # noqa: E402

SMALL = NetworkConfig(width=32, entity=8, map_units=8)


def test_logits_of_cities_and_contracts_stand_at_their_actions() -> None:
    cities = torch.arange(MAX_CITIES * CITY_ACTIONS).float().view(1, MAX_CITIES, CITY_ACTIONS) + 1
    contracts = -torch.arange(MAX_CONTRACTS).float().view(1, -1) - 1
    logits = spread_logits(cities, contracts)[0]
    game = Game(Rules(), seed=1)
    name = next(text for text in map(game.text, game.legal()) if text.startswith("start"))
    city, edge = name.removeprefix("start ").rsplit(" ", 1)
    place = ("N", "NE", "SE", "S", "SW", "NW").index(edge)
    assert logits[game.parse(name)] == cities[0, list(load_map("midwest").cities).index(city), 3 + place]
    assert [float(logits[start + 2]) for start in (BUILD, SOURCE_FROM, HOP_TO)] == cities[0, 2, :3].tolist()
    assert logits[FULFIL + 7] == -8.0
    assert logits[0] == 0.0


def test_a_network_looks_at_all_kinds_of_games_and_masks_what_is_illegal() -> None:
    network = SteamNetwork(SMALL)
    for rules in (Rules(), Rules(num_players=5, automas=3), Rules(mode="solo")):
        observations, masks = look(rules, 8, 60)
        log_probs, values = judge(network, observations, masks)
        assert np.isfinite(values).all()
        np.testing.assert_allclose(np.exp(log_probs).sum(1), 1.0, rtol=1e-4)
        assert np.exp(log_probs)[~masks].max() == 0.0


@pytest.mark.parametrize("rules", [Rules(), Rules(num_players=5, automas=3), Rules(mode="solo")])
def test_a_network_that_is_told_the_masks_judges_what_is_legal_as_ever(rules: Rules) -> None:
    torch.manual_seed(1)
    network = SteamNetwork()
    for steps in (0, 25, 90):
        seen, masks = (torch.from_numpy(array.copy()) for array in look(rules, 40, steps))
        with torch.no_grad():
            (all_logits, all_values), (logits, values) = network(seen), network(seen, masks)
        torch.testing.assert_close(logits[masks], all_logits[masks], atol=1e-6, rtol=1e-6)
        torch.testing.assert_close(values, all_values, atol=1e-6, rtol=1e-6)


def test_a_network_learns_the_same_of_legal_actions_whether_it_is_told_the_masks_or_not() -> None:
    torch.manual_seed(1)
    network = SteamNetwork(SMALL)
    seen, masks = (torch.from_numpy(array.copy()) for array in look(Rules(), 40, 60))
    gradients = []
    for told in ((seen,), (seen, masks)):
        network.zero_grad()
        logits, values = network(*told)
        (mask_logits(logits, masks)[masks].square().mean() + values.square().mean()).backward()
        gradients.append({name: weight.grad.clone() for name, weight in network.named_parameters()})
    for name, gradient in gradients[0].items():
        torch.testing.assert_close(gradients[1][name], gradient, atol=1e-5, rtol=1e-4, msg=name)


def test_the_network_sees_where_the_tail_and_the_begun_link_are() -> None:
    network = SteamNetwork(SMALL)
    observations = np.zeros((3, flat.FLAT_SIZE), np.float32)
    observations[1, flat.SEAT_TAIL_HEX] = 5 / 256
    observations[2, flat.CITY_SUBJECT + 3] = observations[2, flat.START_EDGE + 2] = 1.0
    with torch.no_grad():
        network.tail.weight.zero_()
        network.start.weight.zero_()
        network.tail.weight[5 * 7] = 1.0
        network.start.weight[4 * 7 + 3] = 2.0
        seen = network._look_at_track(torch.from_numpy(observations)) - network.look_at_map.bias
    np.testing.assert_allclose(seen.mean(1).numpy(), [0.0, 1.0, 2.0], atol=0.2)


def test_actions_are_drawn_by_their_probabilities() -> None:
    shares = np.array([0.5, 0.3, 0.2, 0.0])
    masks = np.tile(shares > 0, (20_000, 1))
    drawn = draw_actions(np.log(np.maximum(np.tile(shares, (20_000, 1)), 1e-9)), masks, np.random.default_rng(1))
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, shares, atol=0.015)


def test_actions_are_drawn_in_the_learner_by_their_probabilities_and_never_illegal() -> None:
    shares = torch.tensor([0.5, 0.0, 0.3, 0.2])
    masks = (shares > 0).expand(20_000, -1).clone()
    masks[-1] = torch.tensor([False, True, False, False])  # a single legal action, however unlikely
    torch.manual_seed(1)
    drawn = draw_legal(shares.clamp(min=1e-9).log().expand(20_000, -1), masks)
    assert masks.gather(1, drawn.unsqueeze(1)).all()
    np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 20_000, shares, atol=0.015)


def test_drawing_follows_from_the_generator_and_the_legal_actions_alone() -> None:
    masks = np.random.default_rng(1).random((50, 30)) < 0.3
    masks[:, 0] = True
    log_probs = np.random.default_rng(2).normal(size=masks.shape)
    other = np.where(masks, log_probs, 99.0)
    drawn = [draw_actions(told, masks, np.random.default_rng(3)) for told in (log_probs, other)]
    assert (drawn[0] == drawn[1]).all()
    assert masks[np.arange(50), drawn[0]].all()
