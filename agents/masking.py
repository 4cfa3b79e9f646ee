"""Probabilities of actions from a net's logits, 0 for illegal ones. Needs torch, of the extra `train`."""

import torch
from torch import Tensor


def mask_logits(logits: Tensor, masks: Tensor) -> Tensor:
    """Logarithms of the actions' probabilities (n, actions); an action not in its mask has probability 0."""
    return torch.log_softmax(logits.masked_fill(~masks, -1e9), dim=1)
