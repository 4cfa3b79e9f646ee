"""Probabilities of actions from a net's logits, 0 for illegal ones. Needs torch, of the extra `train`."""

from typing import Any

import torch
from torch import Tensor

from steam_env.kit.errors import NotFiniteError

NEVER = -torch.inf  # a large constant would be likelier than a legal action whose logit is lower


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """Logarithms of the actions' probabilities (n, actions); an action not in its mask has probability 0.

    They are finite, so that entropies and gradients are. A row without any legal action, of who waits, keeps all.

    Raises:
        NotFiniteError: for logits of legal actions that are no numbers, or infinite.
    """
    legal = masks.bool()
    left_out = ~legal & legal.any(dim=1, keepdim=True)
    log_probs = torch.log_softmax(logits.masked_fill(left_out, NEVER), dim=1)
    wrong = int(log_probs.detach().amax(dim=1).isnan().sum())  # one that is no number is the greatest
    if wrong:
        raise NotFiniteError(f"logits of legal actions are not finite in {wrong} of {len(logits)} positions")
    return log_probs.clamp(min=torch.finfo(log_probs.dtype).min)


def judge_legal(network: Any, observations: Any, masks: Tensor) -> tuple[Tensor, Tensor]:
    """Logarithms of the actions' probabilities (n, actions), see ``mask_logits``, and values (n,), of what a net sees.

    A net with a true attribute ``takes_masks`` is told the masks, so that it need not judge what is illegal.
    """
    told = network(observations, masks) if getattr(network, "takes_masks", False) else network(observations)
    logits, values = told
    return mask_logits(logits, masks), values


def draw_legal(log_probs: Tensor, masks: Tensor) -> Tensor:
    """(n,) int64, an action of each row drawn by its probabilities, by torch's generator (Gumbel 1954)."""
    places = masks.flatten().nonzero().squeeze(1)
    noise = torch.empty(len(places), dtype=log_probs.dtype, device=log_probs.device).exponential_().log_()
    noisy = log_probs.new_full((log_probs.numel(),), NEVER)
    noisy[places] = log_probs.flatten()[places] - noise
    return noisy.view(log_probs.shape).argmax(1)
