"""A net for Steam (2009) that is advised: it looks at each stop, and weighs what greedy makes of the position.

It begins with trust in greedy's choice, and learns where to play otherwise. A small net looks at each city and town, as
that of Steam Power does, and the trunk's answer goes back to each of them. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.agents.advice_signs import SIGNS, read_advice, weigh_signs
from steam_env.agents.advising import ADVICE, BASE, MOST_RATE, NAME
from steam_env.agents.dense import HAS_ONEDNN, Dense
from steam_env.agents.layers import (
    count_values,
    initialise,
    judge_position,
    judge_things,
    list_columns,
    look_again,
    make_trunk,
)
from steam_env.agents.steam_advice import LAYOUT, RATE_STEPS, WORTH
from steam_env.core.steam.actions import FROM, GROW, HOP_TO, NUM_ACTIONS, OVER_LINK, URBANIZE
from steam_env.core.steam.state import BUILD, MAX_HEXES, MAX_SEATS, MAX_STOPS, NUM_COLORS, NUM_PHASES, TILE
from steam_env.encoding.steam import flat

POINTS = MOST_RATE / RATE_STEPS  # where an estimate is 1
NEAR = 4.0  # points: what is worse than the best by that much is all the same
SKETCH = 6  # what the trunk gets to know of each stop

# What `flat` tells of each stop: (first value, values each).
STOP_PARTS = (
    (flat.STOP_PRESENT, 1),
    (flat.STOP_COLOR, NUM_COLORS),
    (flat.STOP_MARKER, 1),
    (flat.STOP_CUBES, NUM_COLORS),
    (flat.STOP_SERVED, MAX_SEATS),
    (flat.STOP_CHOSEN, 1),
    (flat.STOP_ROUTE, 1),
    (flat.STOP_NEXT, 1),
)
STOP_ACTIONS = (GROW, URBANIZE, FROM, HOP_TO)  # blocks with an action for each stop
LEFT_OUT = ("bid", "supply_exact", "stock", "seat_money_exact", "seat_income_exact", "seat_vp_exact")  # of the rest


@dataclass(frozen=True)
class AdvisedConfig:
    """How large the net is, and how far it trusts greedy at first.

    Attributes:
        width: units of the trunk.
        entity: units for each city and town.
        map_units: units for all the track on the map, and for the advice.
        trust: added at first to the logit of greedy's choice where it estimates nothing.
        lead: likewise where it estimates what may be done.
        heed: likewise to the logit of each action that it estimates as the best, and less to those that are worse.
        building: more trust and lead where track is laid: there is much to choose from.
    """

    width: int = 256
    entity: int = 32
    map_units: int = 64
    trust: float = 5.0
    lead: float = 2.5
    heed: float = 3.0
    building: float = 1.0


class AdvisedNetwork(nn.Module):
    """The net that gives logits of the 660 actions and the value of the position.

    Input: a dict of the arrays of ``advised``, (n, ...) float32. Output: (n, 660) float32 logits, nothing masked, and
    (n,) float32 values, in units of the reward that it was trained with.
    """

    encoding = NAME
    is_steady = HAS_ONEDNN  # on the CPU: what it thinks of a position does not depend on those beside it
    general: Tensor
    stops: Tensor

    def __init__(self, config: AdvisedConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or AdvisedConfig()
        width, entity, units = config.width, config.entity, config.map_units
        self.register_buffer("general", list_general(), persistent=False)
        self.register_buffer("stops", list_columns(STOP_PARTS, MAX_STOPS), persistent=False)
        self.places = nn.Parameter(0.1 * torch.randn(MAX_STOPS, entity))
        self.look_at_stop = Dense(count_values(STOP_PARTS) + 2 * len(STOP_ACTIONS), entity)
        self.sketch_stop = Dense(entity, SKETCH)
        self.look_at_map = Dense(flat.FLAT_SIZE - flat.HEX_CHOSEN + MAX_HEXES, units)
        self.recall_choice = nn.Embedding(NUM_ACTIONS + 1, units)
        self.recall_rates = Dense(NUM_ACTIONS, units)
        inputs = len(self.general) + LAYOUT.size - WORTH + SKETCH * MAX_STOPS + units
        self.trunk, self.trunk_again = make_trunk(inputs, width), look_again(width)
        self.tell_stop = Dense(width, entity)
        self.judge_stop = judge_things(entity, len(STOP_ACTIONS))
        self.judge_actions = Dense(width, NUM_ACTIONS)
        self.weigh = Dense(width, SIGNS)
        self.trust = nn.Embedding(NUM_PHASES, SIGNS)
        self.judge_position = judge_position(width)
        initialise(self, self.judge_position, self.judge_actions, self.judge_stop, self.weigh)
        with torch.no_grad():
            self.trust.weight.copy_(
                torch.tensor([config.trust, config.lead, 0.0, config.heed]).expand(NUM_PHASES, SIGNS)
            )
            self.trust.weight[[BUILD, TILE], :2] += config.building

    def forward(self, seen: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (n, 660) and values (n,) of observations (n, ...)."""
        known, told = seen[BASE], seen[ADVICE]
        choices, rates = read_advice(told, NUM_ACTIONS)
        found = self._look_at_stops(known, rates, choices)
        sketch: Tensor = self.sketch_stop(torch.relu(found)).flatten(1)
        track = self._look_at_track(known) + self.recall_choice(choices) + self.recall_rates(rates)
        parts = (known.index_select(1, self.general), told[:, WORTH:], sketch, torch.relu(track))
        trunk = self.trunk(torch.cat(parts, dim=1))
        trunk = trunk + self.trunk_again(trunk)
        phases = known[:, flat.PHASE : flat.PHASE + NUM_PHASES].argmax(1)
        weights = self.weigh(trunk) + self.trust(phases)
        logits = weigh_signs(self.judge_actions(trunk), choices, rates, weights, POINTS / NEAR)
        asked = (found + self.tell_stop(trunk).unsqueeze(1)).flatten(0, 1)
        by_stop = self.judge_stop(asked).view(len(known), MAX_STOPS, -1).transpose(1, 2).flatten(1)
        first, last = 2 * MAX_STOPS, NUM_ACTIONS - OVER_LINK
        middle = by_stop.new_zeros(len(by_stop), FROM - URBANIZE - MAX_STOPS)
        start, end = by_stop.new_zeros(len(by_stop), GROW), by_stop.new_zeros(len(by_stop), last)
        logits = logits + torch.cat((start, by_stop[:, :first], middle, by_stop[:, first:], end), dim=1)
        return logits, self.judge_position(trunk).squeeze(1)

    def _look_at_stops(self, known: Tensor, rates: Tensor, choices: Tensor) -> Tensor:
        """(n, stops, entity), what is found out about each city and town, with what is advised about it."""
        seen = known.index_select(1, self.stops.flatten()).view(len(known), *self.stops.shape)
        chosen = torch.zeros(len(known), NUM_ACTIONS + 1, device=known.device).scatter_(1, choices.unsqueeze(1), 1.0)
        parts = [part[:, block : block + MAX_STOPS] for part in (rates, chosen[:, 1:]) for block in STOP_ACTIONS]
        found: Tensor = self.look_at_stop(torch.cat((seen, torch.stack(parts, dim=2)), dim=2))
        return found + self.places

    def _look_at_track(self, known: Tensor) -> Tensor:
        """(n, map_units), from the tiles, whose they are and where links end."""
        track = known[:, flat.HEX_CHOSEN :]
        lies = known[:, flat.HEX_PATTERN : flat.HEX_PATTERN + MAX_HEXES] > 0
        found: Tensor = self.look_at_map(torch.cat((track, lies.float()), dim=1))
        return found


def list_general() -> Tensor:
    """(k,) int64, where `flat` tells of the game, its stocks and its seats what the net looks at."""
    rows = [
        part.start + number
        for part in flat.LAYOUT
        if part.start < flat.STOP_PRESENT and part.name not in LEFT_OUT
        for number in range(part.length)
    ]
    return torch.tensor(rows, dtype=torch.int64)
