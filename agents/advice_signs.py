"""What nets that are advised weigh of each action. Needs torch, of the extra `train`."""

from __future__ import annotations

import torch
from torch import Tensor

from steam_env.agents.advising import CHOICE, RATES

# What is weighed of each action: whether it is greedy's choice where greedy estimates nothing, and where it does;
# whether it has an estimate, and how near that is to the best.
SIGNS = 4


def read_advice(told: Tensor, num_actions: int) -> tuple[Tensor, Tensor]:
    """Of the advice (n, values): (n,) int64 greedy's action + 1 or 0, and (n, actions) its estimates or 0."""
    choices = (told[:, CHOICE] * num_actions).round().long()
    return choices, told[:, RATES : RATES + num_actions]


def weigh_signs(logits: Tensor, choices: Tensor, rates: Tensor, weights: Tensor, scale: float) -> Tensor:
    """(n, actions) logits, and of each action the weighed signs of what greedy makes of it.

    Signs are whether it is greedy's choice, one if it estimates nothing and another if it does, whether it has an
    estimate, and how near that is to the best: that itself is as near as 1, and one by 1 / scale worse 0, as actions
    are that have none.

    Args:
        logits: (n, actions).
        choices: (n,) int64, greedy's action + 1; 0 for none.
        rates: (n, actions), the estimates; 0 for none.
        weights: (n, ``SIGNS``).
        scale: how near falls with the estimate.
    """
    is_rated = (rates > 0).float()
    best = rates.amax(1, keepdim=True)
    near = (rates - best).mul_(scale).add_(1.0).clamp_(min=0.0).mul_(is_rated)
    logits = torch.addcmul(logits, is_rated, weights[:, 2:3])
    logits = torch.addcmul(logits, near, weights[:, 3:4])
    chosen = choices.unsqueeze(1)
    trust = torch.where(best > 0, weights[:, 1:2], weights[:, :1]) * (chosen > 0)
    return logits.scatter_add(1, (chosen - 1).clamp_(min=0), trust)
