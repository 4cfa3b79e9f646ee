"""The net of the trained policies: from `flat` observations to logits of the actions and the position's value.

Cities and contracts are sets of like things: one small net looks at each city, another at each contract (Zaheer
et al. 2017, Deep Sets), and what they find is summed up for the trunk. The trunk's answer goes back to each of them,
so that an action that names a city or a contract is judged by looking at it. Where a city lies is learnt by heart: a
policy knows the map that it was trained on, and has to learn another one. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import BUILD, FULFIL, HOP_TO, NUM_ACTIONS, SOURCE_FROM, START
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_SEATS, NUM_COLORS, NUM_RESOURCES
from steam_env.encoding.steam_power import flat

# What the encoding tells of each city and each contract: (first value, values each).
CITY_PARTS = (
    (flat.CITY_COLOR, NUM_COLORS),
    (flat.CITY_OWNER, MAX_SEATS),
    (flat.CITY_RESOURCES, 1),
    (flat.CITY_FLIPPED, 1),
    (flat.CITY_NETWORK, MAX_SEATS),
    (flat.CITY_LINKED, MAX_SEATS),
    (flat.CITY_REACH, 1),
    (flat.CITY_ACCESS, 1),
    (flat.CITY_SUBJECT, 1),
    (flat.CITY_CARGO, 1),
    (flat.CITY_HOP, 1),
    (flat.CITY_VISITED, 1),
)
CONTRACT_PARTS = (
    (flat.CONTRACT_NEEDS, NUM_RESOURCES),
    (flat.CONTRACT_MONEY, 1),
    (flat.CONTRACT_VP, 1),
    (flat.CONTRACT_BONUS, flat.NUM_BONUSES),
    (flat.CONTRACT_ICON, 1),
    (flat.CONTRACT_OWN, 1),
    (flat.CONTRACT_KNOWN, 1),
    (flat.CONTRACT_FULFILLED, 1),
    (flat.CONTRACT_DISCARDED, 1),
    (flat.CONTRACT_PENDING, 1),
    (flat.CONTRACT_EASE, 1),
)
GLOBALS = flat.CITY_COLOR  # all that comes before the cities is of the whole game and of the seats
CITY_ACTIONS = 3 + NUM_EDGES  # build, source, hop, and a start over each edge


@dataclass(frozen=True)
class NetworkConfig:
    """How large the net is.

    Attributes:
        width: units of the trunk.
        entity: units for each city and each contract.
        map_units: units for all the track on the map, and for the tail and the link that is begun.
    """

    width: int = 256
    entity: int = 32
    map_units: int = 64


def list_columns(parts: tuple[tuple[int, int], ...], count: int) -> Tensor:
    """(count * values,) int64, where the values of each of ``count`` things stand in the vector, thing by thing."""
    rows = [[start + number * length + k for start, length in parts for k in range(length)] for number in range(count)]
    return torch.tensor(rows, dtype=torch.int64).flatten()


def count_values(parts: tuple[tuple[int, int], ...]) -> int:
    """How many values the encoding tells of each thing."""
    return sum(length for _, length in parts)


class SteamNetwork(nn.Module):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: (n, ``FLAT_SIZE``) float32. Output: (n, 372) float32 logits, nothing masked, and (n,) float32 values, in
    units of the reward that it was trained with.
    """

    encoding = "flat"
    city_columns: Tensor
    contract_columns: Tensor

    def __init__(self, config: NetworkConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or NetworkConfig()
        width, entity, map_units = config.width, config.entity, config.map_units
        self.register_buffer("city_columns", list_columns(CITY_PARTS, MAX_CITIES), persistent=False)
        self.register_buffer("contract_columns", list_columns(CONTRACT_PARTS, MAX_CONTRACTS), persistent=False)
        self.city_places = nn.Parameter(0.1 * torch.randn(MAX_CITIES, entity))
        self.look_at_city = nn.Linear(count_values(CITY_PARTS), entity)
        self.sketch_city = nn.Linear(entity, 6)
        self.look_at_contract = nn.Linear(count_values(CONTRACT_PARTS), entity)
        self.sum_up_contract = nn.Linear(entity, entity)
        self.look_at_map = nn.Linear(5 * MAX_HEXES, map_units)
        self.tail = nn.Embedding((MAX_HEXES + 1) * (NUM_EDGES + 1), map_units)
        self.start = nn.Embedding((MAX_CITIES + 1) * (NUM_EDGES + 1), map_units)
        inputs = GLOBALS + 6 * MAX_CITIES + 3 * entity + map_units
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.trunk_again = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.tell_city = nn.Linear(width, entity)
        self.judge_city = judge_things(entity, CITY_ACTIONS)
        self.tell_contract = nn.Linear(width, entity)
        self.judge_contract = judge_things(entity, 1)
        self.judge_actions = nn.Linear(width, NUM_ACTIONS)
        self.judge_position = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        self._initialise()

    def _initialise(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, gain=2**0.5)
                nn.init.zeros_(module.bias)
            if isinstance(module, nn.Embedding):
                nn.init.normal_(module.weight, std=0.1)
        lasts = ((self.judge_actions, 0.01), (self.judge_city[-1], 0.01), (self.judge_contract[-1], 0.01))
        for last, gain in (*lasts, (self.judge_position[-1], 1.0)):  # all actions begin about alike
            assert isinstance(last, nn.Linear)
            nn.init.orthogonal_(last.weight, gain=gain)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (n, 372) and values (n,) of observations (n, ``FLAT_SIZE``)."""
        count = len(observations)
        cities = observations.index_select(1, self.city_columns).view(count, MAX_CITIES, -1)
        cities = self.look_at_city(cities) + self.city_places
        contracts = observations.index_select(1, self.contract_columns).view(count, MAX_CONTRACTS, -1)
        contracts = self.look_at_contract(contracts)
        trunk = self.trunk(
            torch.cat(
                (
                    observations[:, :GLOBALS],
                    self.sketch_city(torch.relu(cities)).flatten(1),
                    self._sum_up_contracts(observations, contracts),
                    torch.relu(self._look_at_track(observations)),
                ),
                dim=1,
            )
        )
        trunk = trunk + self.trunk_again(trunk)
        city_logits = self.judge_city(cities + self.tell_city(trunk).unsqueeze(1))
        contract_logits = self.judge_contract(contracts + self.tell_contract(trunk).unsqueeze(1)).squeeze(2)
        logits = self.judge_actions(trunk) + spread_logits(city_logits, contract_logits)
        return logits, self.judge_position(trunk).squeeze(1)

    def _sum_up_contracts(self, observations: Tensor, contracts: Tensor) -> Tensor:
        """(n, 3 * entity), sums over the own hand, over what is known or under way, and over what is fulfilled."""
        sums = torch.relu(self.sum_up_contract(torch.relu(contracts)))
        kinds = torch.stack(
            [
                observations[:, part : part + MAX_CONTRACTS]
                for part in (flat.CONTRACT_OWN, flat.CONTRACT_PENDING, flat.CONTRACT_FULFILLED)
            ],
            dim=1,
        )
        return torch.bmm(kinds, sums).flatten(1) * 0.25

    def _look_at_track(self, observations: Tensor) -> Tensor:
        """(n, map_units), from the tiles, their owners, coin paths, the own tail and the link that is begun."""
        tiles = observations[:, flat.TRACK_TILE : flat.TRACK_TILE + MAX_HEXES]
        owners = observations[:, flat.TRACK_OWNER : flat.TRACK_OWNER + flat.SLOTS_PER_HEX * MAX_HEXES]
        coins = observations[:, flat.TRACK_COINS : flat.TRACK_COINS + MAX_HEXES]
        track = torch.cat((tiles, (tiles > 0).float(), owners, (coins > 0).float()), dim=1)
        hexes = (observations[:, flat.SEAT_TAIL_HEX] * MAX_HEXES).round().long()
        edges = find_edge(observations[:, flat.SEAT_TAIL_EXIT : flat.SEAT_TAIL_EXIT + NUM_EDGES])
        subjects = observations[:, flat.CITY_SUBJECT : flat.CITY_SUBJECT + MAX_CITIES]
        cities = torch.where(subjects.amax(1) > 0, subjects.argmax(1) + 1, 0)
        starts = find_edge(observations[:, flat.START_EDGE : flat.START_EDGE + NUM_EDGES])
        return (
            self.look_at_map(track)
            + self.tail(hexes * (NUM_EDGES + 1) + edges)
            + self.start(cities * (NUM_EDGES + 1) + starts)
        )


def judge_things(entity: int, answers: int) -> nn.Sequential:
    """A net from what is known of each thing (..., entity) to ``answers`` logits."""
    return nn.Sequential(nn.ReLU(), nn.Linear(entity, entity), nn.ReLU(), nn.Linear(entity, answers))


def find_edge(flags: Tensor) -> Tensor:
    """(n,) int64, the number of the edge whose flag is set, from 1; 0 for none, of flags (n, 6)."""
    return torch.where(flags.amax(1) > 0, flags.argmax(1) + 1, 0)


def spread_logits(city_logits: Tensor, contract_logits: Tensor) -> Tensor:
    """(n, 372): logits by city (n, 33, ``CITY_ACTIONS``) and by contract (n, 48), put at the actions' places."""
    logits = city_logits.new_zeros(len(city_logits), NUM_ACTIONS)
    logits[:, BUILD : BUILD + MAX_CITIES] = city_logits[:, :, 0]
    logits[:, SOURCE_FROM : SOURCE_FROM + MAX_CITIES] = city_logits[:, :, 1]
    logits[:, HOP_TO : HOP_TO + MAX_CITIES] = city_logits[:, :, 2]
    logits[:, START : START + MAX_CITIES * NUM_EDGES] = city_logits[:, :, 3:].flatten(1)
    logits[:, FULFIL : FULFIL + MAX_CONTRACTS] = contract_logits
    return logits
