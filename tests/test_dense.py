"""Dense layers: as exact as torch's own, and what comes of a row depends on no other. Needs the extra `train`."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from steam_env import GameBatch, Rules  # noqa: E402
from steam_env.agents import dense  # noqa: E402
from steam_env.agents.advised import AdvisedNetwork  # noqa: E402
from steam_env.agents.dense import Dense  # noqa: E402
from steam_env.agents.network import SteamNetwork  # noqa: E402
from steam_env.agents.nomad import NomadNetwork  # noqa: E402
from steam_env.agents.trained import TrainedAgent, judge  # noqa: E402

ROWS = 70
NETS = (SteamNetwork, AdvisedNetwork, NomadNetwork)
needs_onednn = pytest.mark.skipif(not dense.HAS_ONEDNN, reason="torch is without oneDNN")


@contextmanager
def use_threads(count: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def pair_layers(inputs: int, outputs: int) -> tuple[Dense, torch.nn.Linear]:
    torch.manual_seed(1)
    ours, theirs = Dense(inputs, outputs), torch.nn.Linear(inputs, outputs)
    theirs.load_state_dict(ours.state_dict())
    return ours, theirs


def list_shapes() -> list[tuple[int, int]]:
    """Inputs and outputs of every layer of the nets that are steady."""
    layers = [module for net in NETS for module in net().modules() if isinstance(module, Dense)]
    return sorted({(layer.in_features, layer.out_features) for layer in layers})


def sample(count: int, steps: int, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks of the movers of random games."""
    batch, rng = GameBatch(rules, count, seed=5), np.random.default_rng(5)
    for _ in range(steps):
        batch.step(batch.sample_legal(rng))
    return batch.observe(), batch.mask


def make_network() -> SteamNetwork:
    """A net of the usual size."""
    torch.manual_seed(2)
    return SteamNetwork()


@pytest.mark.parametrize("net", NETS)
def test_every_linear_layer_of_a_steady_net_is_dense(net: type[torch.nn.Module]) -> None:
    assert all(type(module) is Dense for module in net().modules() if isinstance(module, torch.nn.Linear))


@pytest.mark.parametrize("shape", [(0, 9), (1, 9), (5, 9), (3, 40, 9)])
@pytest.mark.parametrize("outputs", [1, 12])
def test_dense__answers_and_learns_as_linear_does(shape: tuple[int, ...], outputs: int) -> None:
    ours, theirs = pair_layers(shape[-1], outputs)
    given = torch.randn(shape)
    told, gradients = [], []
    for layer in (ours, theirs):
        seen = given.clone().requires_grad_()
        answer = layer(seen)
        (answer * answer.detach().cos()).sum().backward()
        with torch.inference_mode():
            assert torch.allclose(layer(given), answer, atol=1e-5)
        told.append(answer)
        gradients.append((seen.grad, layer.weight.grad, layer.bias.grad))
    assert told[0].shape == told[1].shape
    assert torch.allclose(*told, atol=1e-5)
    for mine, other in zip(*gradients, strict=True):
        assert torch.allclose(mine, other, atol=1e-3, rtol=1e-4)


def test_dense__takes_other_types_and_autocast() -> None:
    ours, theirs = pair_layers(16, 8)
    given = torch.randn(40, 16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(ours(given), theirs(given))
    assert torch.equal(ours.double()(given.double()), theirs.double()(given.double()))


@needs_onednn
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("shape", list_shapes())
def test_dense__a_row_comes_out_the_same_among_any_number_of_rows(shape: tuple[int, int], threads: int) -> None:
    layer, _ = pair_layers(*shape)
    given = torch.randn(1100, shape[0])
    with torch.inference_mode():
        whole = layer(given)
    with torch.inference_mode(), use_threads(threads):
        for count in (*range(1, 18), 31, 32, 33, 63, 65, 127, 128, 129, 777, 1024):
            part = slice(count % 7, count % 7 + count)
            assert torch.equal(layer(given[part].contiguous()), whole[part]), count


@needs_onednn
@pytest.mark.parametrize("rules", [Rules(), Rules(num_players=5, automas=3), Rules(mode="solo")])
def test_judge__a_position_is_judged_the_same_in_any_company(rules: Rules) -> None:
    network = make_network()
    observations, masks = sample(ROWS, 60, rules)
    whole = judge(network, observations, masks)
    backwards = judge(network, observations[::-1].copy(), masks[::-1].copy())
    assert all(np.array_equal(one, other[::-1]) for one, other in zip(whole, backwards, strict=True))
    for count in (1, 2, 3, 31, 33):
        part = slice(count, 2 * count)
        alone = judge(network, observations[part].copy(), masks[part].copy())
        assert all(np.array_equal(one[part], other) for one, other in zip(whole, alone, strict=True))


def test_round_up__adds_an_eighth_at_most_and_leaves_few_numbers() -> None:
    rounded = [dense.round_up(rows) for rows in range(5000)]
    assert all(rows <= up <= rows * 9 / 8 for rows, up in enumerate(rounded))
    assert rounded == sorted(rounded)
    assert len(set(rounded)) < 100


def test_judge__of_some_rows_is_that_of_all_at_these_rows() -> None:
    network = make_network()
    observations, masks = sample(ROWS, 60, Rules())
    rows = np.array([4, 3, 69])
    for whole, part in zip(judge(network, observations, masks), judge(network, observations, masks, rows), strict=True):
        np.testing.assert_allclose(part, whole[rows], atol=1e-6)


def test_act__plays_the_likeliest_legal_action_and_asks_no_net_where_there_is_but_one() -> None:
    agent = TrainedAgent(make_network(), "flat")
    observations, masks = sample(ROWS, 60, Rules())
    masks = masks.copy()
    masks[::2] = False
    masks[::2, 7] = True
    expected = judge(agent.network, observations, masks)[0].argmax(1)
    assert (agent.act(observations, masks, None) == expected).all()
    observations[::2] = np.nan  # a net that looked at them would fail
    assert (agent.act(observations, masks, None) == expected).all()
