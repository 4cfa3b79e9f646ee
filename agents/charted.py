"""The net for every map that is told what greedy knows of it, see ``charts``. Needs torch, of the extra `train`.

It is the one of ``nomad`` with more to look at: of each city how near it is and what it is worth, of the game what
resources will cost and how long it goes on, and of each first link how it stands. What it sees more comes after all
that ``nomad`` sees, so a run may begin with a policy of that net: what is new counts for nothing at first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.agents import advising, charts
from steam_env.agents.dense import Dense
from steam_env.agents.nomad import NomadConfig, NomadNetwork
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import HEAD_TO, START
from steam_env.core.steam_power.state import MAX_CITIES

OF_CITIES = (charts.NEAR, charts.STEPS, charts.FARE, charts.LINK, charts.SITE, charts.COUNTRY)
OF_THE_GAME = slice(charts.NEEDS, charts.LAYOUT.size)
FROM_RIVALS = 2  # of a city: how near the nearest of them is, and all together
CLOSE = advising.MOST_RATE / 25.0  # so that a first link which stands $25 below the best is not close to it
STANDING_SIGNS = 2  # of a first link: how it stands, and whether that is close to the best


@dataclass(frozen=True)
class ChartedConfig:
    """How large the net is, and how far it trusts greedy at first; see ``NomadConfig``.

    Attributes:
        width: units of the trunk.
        entity: units for each city, contract and seat.
        trust: added at first to the logit of greedy's choice where it estimates nothing.
        lead: likewise where it estimates what may be done.
        heed: likewise to the logit of each action that it estimates as the best, and less to those that are worse.
    """

    width: int = NomadConfig.width
    entity: int = NomadConfig.entity
    trust: float = NomadConfig.trust
    lead: float = NomadConfig.lead
    heed: float = NomadConfig.heed


class ChartedNetwork(NomadNetwork):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: a dict of the arrays of ``charted``, (n, ...) float32. Output: (n, 372) float32 logits, nothing masked, and
    (n,) float32 values, in units of the reward that it was trained with.
    """

    encoding = charts.NAME
    city_extras = len(OF_CITIES) + FROM_RIVALS + 1
    game_extras = OF_THE_GAME.stop - OF_THE_GAME.start

    def __init__(self, config: ChartedConfig | None = None) -> None:
        super().__init__(config or ChartedConfig())  # type: ignore[arg-type]
        self.weigh_standing = Dense(self.config.width, STANDING_SIGNS)
        nn.init.zeros_(self.weigh_standing.weight)
        nn.init.zeros_(self.weigh_standing.bias)

    def _list_cities(self, seen: Mapping[str, Tensor], by_seat: Tensor, signs: Tensor) -> Tensor:
        told = seen[advising.ADVICE]
        own = torch.stack([told[:, start : start + MAX_CITIES] for start in OF_CITIES], dim=2)
        rivals = told[:, charts.RIVAL_NEAR : charts.RIVAL_NEAR + charts.NUM_RIVALS * MAX_CITIES]
        rivals = rivals.view(-1, charts.NUM_RIVALS, MAX_CITIES)
        stands = self._list_standings(told).view(-1, MAX_CITIES, NUM_EDGES)
        more = (own, rivals.amax(1).unsqueeze(2), rivals.mean(1).unsqueeze(2), stands.amax(2, keepdim=True))
        return torch.cat((super()._list_cities(seen, by_seat, signs), *more), dim=2)

    def _list_extras(self, seen: Mapping[str, Tensor]) -> list[Tensor]:
        return [seen[advising.ADVICE][:, OF_THE_GAME]]

    def _judge_by_advice(self, trunk: Tensor, signs: Tensor, seen: Mapping[str, Tensor]) -> Tensor:
        logits = super()._judge_by_advice(trunk, signs, seen)
        weights = self.weigh_standing(trunk)
        stands = self._list_standings(seen[advising.ADVICE])
        close = (1.0 - (1.0 - stands) * CLOSE).clamp(min=0.0)
        logits[:, START:HEAD_TO] += stands * weights[:, :1] + close * weights[:, 1:]
        return logits

    def _list_standings(self, told: Tensor) -> Tensor:
        """(n, starts), how first links stand, by their first action."""
        return told[:, charts.STANDING : charts.STANDING + HEAD_TO - START]
