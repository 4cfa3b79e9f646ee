"""Masked networks: an illegal action has probability 0, whatever the logits are. Needs the extra `train`."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from steam_env.agents.masking import mask_logits  # noqa: E402
from steam_env.agents.trained import judge  # noqa: E402
from tests.toy_network import NetworkConfig, ToyNetwork  # noqa: E402

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
ACTIONS = 372


def extremes(dtype: torch.dtype) -> list[float]:
    finfo = torch.finfo(dtype)
    return [value for value in (0.0, -3e4, -3e9, finfo.max, finfo.min) if abs(value) <= finfo.max]


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_illegal_action_has_probability_0_for_every_finite_logit(dtype: torch.dtype) -> None:
    masks = torch.zeros(3, ACTIONS, dtype=torch.bool)
    masks[0, 7] = masks[1, 3:5] = masks[2, 1:] = True
    for legal in extremes(dtype):
        for illegal in extremes(dtype):
            logits = torch.full(masks.shape, illegal, dtype=dtype).masked_fill(masks, legal)
            probabilities = mask_logits(logits, masks).exp()
            assert not probabilities[~masks].any()
            assert torch.equal(probabilities.argmax(1), torch.tensor([7, 3, 1]))
            assert torch.allclose(probabilities.sum(1).double(), torch.ones(3, dtype=torch.float64), atol=2e-2)


@pytest.mark.parametrize("dtype", DTYPES)
def test_log_probabilities_entropies_and_gradients_are_finite(dtype: torch.dtype) -> None:
    values = torch.tensor(extremes(dtype), dtype=dtype)
    logits = values.repeat(3, 4).requires_grad_()
    masks = torch.arange(logits.shape[1]).expand(3, -1) % 3 == 0
    masks = masks.clone()
    masks[1], masks[2] = False, True  # who waits, and who may do anything
    log_probs = mask_logits(logits, masks)
    entropies = -(log_probs.exp() * log_probs).sum(1)
    (entropies.sum() + log_probs[:, 0].clamp(min=-100).sum()).backward()
    for told in (log_probs, entropies, logits.grad):
        assert torch.isfinite(told).all()


def test_the_rows_of_who_waits_keep_all_actions() -> None:
    told = mask_logits(torch.randn(2, 5), torch.tensor([[0] * 5, [0, 1, 1, 0, 0]], dtype=torch.int8)).exp()
    assert (told[0] > 0).all()
    assert (told[1] > 0).tolist() == [False, True, True, False, False]


def test_maskable_categorical_of_sb3_contrib_agrees() -> None:
    """Its own fill is -1e8, and the least of what it gets from us for the likeliest legal action is -log n."""
    distributions = pytest.importorskip("sb3_contrib.common.maskable.distributions")
    masks = torch.zeros(1, ACTIONS, dtype=torch.bool)
    masks[0, 5] = True
    told = mask_logits(torch.full((1, ACTIONS), -3e9), masks)
    assert distributions.MaskableCategorical(logits=told, masks=masks).probs[0, 5] == 1


def test_a_trained_agent_never_plays_what_its_network_likes_but_the_rules_forbid() -> None:
    network = ToyNetwork(NetworkConfig())
    with torch.no_grad():
        network.judge_actions.bias.copy_(torch.tensor([0.0, 0.0, 0.0, -3e9]))
    masks = np.array([[False, False, False, True]])
    log_probs, _ = judge(network, np.ones((1, 6), np.float32), masks)
    assert log_probs.argmax() == masks.argmax()
