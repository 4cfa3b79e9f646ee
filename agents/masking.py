"""Probabilities of actions from a network's logits: illegal ones have none. Needs torch, of the extra `train`."""

import torch
from torch import Tensor


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """Logarithms of the probabilities (n, actions) of the actions: those not in the masks have none."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
