"""Probabilities of actions from a net's logits, 0 for illegal ones. Needs torch, of the extra `train`."""

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
    wrong = int(log_probs.isnan().any(dim=1).sum())
    if wrong:
        raise NotFiniteError(f"logits of legal actions are not finite in {wrong} of {len(logits)} positions")
    return log_probs.clamp(min=torch.finfo(log_probs.dtype).min)
