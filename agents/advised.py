"""The net that is advised: the one of ``network``, which also weighs what greedy makes of the position.

It begins with trust in greedy's choice, and learns where to play otherwise. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.agents.advice import RATE_STEPS
from steam_env.agents.advice_signs import SIGNS, read_advice, weigh_signs
from steam_env.agents.advising import ADVICE, BASE, MOST_RATE, NAME
from steam_env.agents.dense import HAS_ONEDNN, Dense
from steam_env.agents.network import NetworkConfig, SteamNetwork
from steam_env.core.steam_power.actions import NUM_ACTIONS

DOLLARS = MOST_RATE / RATE_STEPS  # per action, where a rate is 1
NEAR = 10.0  # dollars per action: what is worse than the best by that much is all the same


@dataclass(frozen=True)
class AdvisedConfig:
    """How large the net is, and how far it trusts greedy at first.

    Attributes:
        width: units of the trunk.
        entity: units for each city and each contract.
        map_units: units for all the track on the map, for the tail and the link that is begun, and for the advice.
        trust: added at first to the logit of greedy's choice where it estimates nothing.
        lead: likewise where it estimates what may be done.
        heed: likewise to the logit of each action that it estimates as the best, and less to those that are worse.
    """

    width: int = 256
    entity: int = 32
    map_units: int = 64
    trust: float = 5.0
    lead: float = 2.0
    heed: float = 4.0


class AdvisedNetwork(nn.Module):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: a dict of the arrays of ``advised``, (n, ...) float32. Output: (n, 372) float32 logits, nothing masked, and
    (n,) float32 values, in units of the reward that it was trained with.
    """

    encoding = NAME
    takes_masks = True
    is_steady = HAS_ONEDNN  # on the CPU: what it thinks of a position does not depend on those beside it

    def __init__(self, config: AdvisedConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or AdvisedConfig()
        self.own = SteamNetwork(NetworkConfig(config.width, config.entity, config.map_units))
        self.recall_choice = nn.Embedding(NUM_ACTIONS + 1, config.map_units)
        self.recall_rates = Dense(NUM_ACTIONS, config.map_units)
        self.weigh = Dense(config.width, SIGNS)
        self._initialise()

    def _initialise(self) -> None:
        nn.init.normal_(self.recall_choice.weight, std=0.1)
        nn.init.orthogonal_(self.recall_rates.weight, gain=1.0)
        nn.init.zeros_(self.recall_rates.bias)
        nn.init.orthogonal_(self.weigh.weight, gain=0.01)
        with torch.no_grad():
            self.weigh.bias.copy_(torch.tensor([self.config.trust, self.config.lead, 0.0, self.config.heed]))

    def forward(self, seen: Mapping[str, Tensor], masks: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits (n, 372) and values (n,) of observations (n, ...); see ``SteamNetwork.forward`` for masks."""
        told = seen[ADVICE]
        choices, rates = read_advice(told, NUM_ACTIONS)
        hints = self.recall_choice(choices) + self.recall_rates(rates)
        logits, trunk = self.own.judge(seen[BASE], masks, hints)
        logits = weigh_signs(logits, choices, rates, self.weigh(trunk), DOLLARS / NEAR)
        return logits, self.own.judge_position(trunk).squeeze(1)
