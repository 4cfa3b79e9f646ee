"""A plain net for Steam (2009): from `flat` observations to logits of the actions and the position's value.

Two dense layers: something to begin with. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.core.steam.actions import NUM_ACTIONS
from steam_env.encoding.steam.flat import FLAT_SIZE


@dataclass(frozen=True)
class NetworkConfig:
    """How large the net is.

    Attributes:
        width: units of each of the two layers.
    """

    width: int = 256


class PlainNetwork(nn.Module):
    """Logits (n, 660) and values (n,) of `flat` observations (n, FLAT_SIZE)."""

    encoding = "flat"

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.trunk = nn.Sequential(
            nn.Linear(FLAT_SIZE, config.width), nn.ReLU(), nn.Linear(config.width, config.width), nn.ReLU()
        )
        self.judge_actions, self.judge_position = nn.Linear(config.width, NUM_ACTIONS), nn.Linear(config.width, 1)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Judge (n, FLAT_SIZE) observations."""
        found = torch.as_tensor(self.trunk(observations))
        return self.judge_actions(found), self.judge_position(found).squeeze(1)
