"""A small network for the toy game."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class NetworkConfig:
    """How large the network is.

    Attributes:
        width: Values of the hidden layer.
    """

    width: int = 8


class ToyNetwork(nn.Module):
    """Logits (n, 4) and values (n,) of `plain` observations (n, 6)."""

    encoding = "plain"

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.trunk = nn.Sequential(nn.Linear(6, config.width), nn.Tanh())
        self.judge_actions, self.judge_position = nn.Linear(config.width, 4), nn.Linear(config.width, 1)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        trunk = torch.as_tensor(self.trunk(observations))
        return self.judge_actions(trunk), self.judge_position(trunk).squeeze(1)
