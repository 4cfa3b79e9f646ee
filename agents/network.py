"""The net of the trained policies: from `flat` observations to logits of the actions and the position's value.

Cities and contracts are sets of like things: one small net looks at each city, another at each contract (Zaheer
et al. 2017, Deep Sets), and what they find is summed up for the trunk. The trunk's answer goes back to each of them,
so that an action that names a city or a contract is judged by looking at it. Where a city lies is learnt by heart: a
policy knows the map that it was trained on, and has to learn another one. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from steam_env.agents.dense import HAS_ONEDNN, Dense, multiply, round_up
from steam_env.agents.layers import (
    count_values,
    initialise,
    judge_position,
    judge_things,
    list_columns,
    look_again,
    make_trunk,
)
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


class Pairs(NamedTuple):
    """Some things in some of the observations, sorted by both, and filled up to a round number, see ``dense``.

    Attributes:
        rows: (k,) int64, the observations' numbers.
        things: (k,) int64, the numbers of cities, or of contracts.
        meant: how many of them are; the rest is filling.
    """

    rows: Tensor
    things: Tensor
    meant: int


class SteamNetwork(nn.Module):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: (n, ``FLAT_SIZE``) float32. Output: (n, 372) float32 logits, nothing masked, and (n,) float32 values, in
    units of the reward that it was trained with.
    """

    encoding = "flat"
    takes_masks = True
    is_steady = HAS_ONEDNN  # on the CPU: what it thinks of a position does not depend on those beside it
    city_columns: Tensor
    city_actions: Tensor
    contract_columns: Tensor
    contract_actions: Tensor

    def __init__(self, config: NetworkConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or NetworkConfig()
        width, entity, map_units = config.width, config.entity, config.map_units
        self.register_buffer("city_columns", list_columns(CITY_PARTS, MAX_CITIES), persistent=False)
        self.register_buffer("city_actions", list_city_actions(), persistent=False)
        self.register_buffer("contract_columns", list_columns(CONTRACT_PARTS, MAX_CONTRACTS), persistent=False)
        self.register_buffer("contract_actions", FULFIL + torch.arange(MAX_CONTRACTS).unsqueeze(1), persistent=False)
        self.city_places = nn.Parameter(0.1 * torch.randn(MAX_CITIES, entity))
        self.look_at_city = Dense(count_values(CITY_PARTS), entity)
        self.sketch_city = Dense(entity, 6)
        self.look_at_contract = Dense(count_values(CONTRACT_PARTS), entity)
        self.sum_up_contract = Dense(entity, entity)
        self.look_at_map = Dense(5 * MAX_HEXES, map_units)
        self.tail = nn.Embedding((MAX_HEXES + 1) * (NUM_EDGES + 1), map_units)
        self.start = nn.Embedding((MAX_CITIES + 1) * (NUM_EDGES + 1), map_units)
        inputs = GLOBALS + 6 * MAX_CITIES + 3 * entity + map_units
        self.trunk, self.trunk_again = make_trunk(inputs, width), look_again(width)
        self.tell_city = Dense(width, entity)
        self.judge_city = judge_things(entity, CITY_ACTIONS)
        self.tell_contract = Dense(width, entity)
        self.judge_contract = judge_things(entity, 1)
        self.judge_actions = Dense(width, NUM_ACTIONS)
        self.judge_position = judge_position(width)
        initialise(self, self.judge_position, self.judge_actions, self.judge_city, self.judge_contract)

    def forward(self, observations: Tensor, masks: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits (n, 372) and values (n,) of observations (n, ``FLAT_SIZE``).

        Given masks (n, 372) bool, only the logits of legal actions are whole: a city or a contract that no legal action
        names is not judged.
        """
        logits, trunk = self.judge(observations, masks)
        return logits, self.judge_position(trunk).squeeze(1)

    def judge(
        self, observations: Tensor, masks: Tensor | None = None, hints: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits (n, 372), and what the trunk makes of the position, (n, width).

        Hints (n, map_units) are what else is known of the position; it is added to what is seen of the track.
        """
        if masks is None:
            masks = torch.ones(len(observations), NUM_ACTIONS, dtype=torch.bool, device=observations.device)
        can_fulfil = masks[:, FULFIL : FULFIL + MAX_CONTRACTS]
        kinds = stack_kinds(observations)
        contracts = find_pairs((kinds != 0).any(2) | can_fulfil)  # all others add nothing to any sum
        known = self.look_at_contract(gather_values(observations, self.contract_columns, contracts))
        columns = self.city_columns
        seen_cities = observations.index_select(1, columns.flatten()).view(len(observations), *columns.shape)
        track = self._look_at_track(observations)
        trunk = self.trunk(
            torch.cat(
                (
                    observations[:, :GLOBALS],
                    self._sketch_cities(seen_cities),
                    self._sum_up_contracts(kinds, contracts, known),
                    torch.relu(track if hints is None else track + hints),
                ),
                dim=1,
            )
        )
        trunk = trunk + self.trunk_again(trunk)
        cities = find_pairs(find_named_cities(masks))
        city_logits = self._judge_cities(seen_cities, cities, trunk)
        asked, contracts = narrow_pairs(contracts, can_fulfil)
        told = self.tell_contract(trunk).index_select(0, contracts.rows)
        contract_logits = self.judge_contract(known.index_select(0, asked) + told)
        logits = self.judge_actions(trunk)
        logits = add_logits(logits, cities, city_logits, self.city_actions)
        return add_logits(logits, contracts, contract_logits, self.contract_actions), trunk

    def _sketch_cities(self, seen: Tensor) -> Tensor:
        """(n, 6 * cities), what the trunk gets to know of each city, of what is seen of all (n, cities, values)."""
        found = multiply(seen, self.look_at_city.weight) + (self.look_at_city.bias + self.city_places)
        sketch: Tensor = self.sketch_city(found.relu_())
        return sketch.flatten(1)

    def _sum_up_contracts(self, kinds: Tensor, contracts: Pairs, known: Tensor) -> Tensor:
        """(n, 3 * entity), sums over the own hand, over what is known or under way, and over what is fulfilled.

        Of kinds (n, contracts, 3), and of what is known (k, entity) of each contract that is in one.
        """
        found = torch.relu(self.sum_up_contract(torch.relu(known)))
        shares = kinds[contracts.rows, contracts.things]
        shares[contracts.meant :] = 0
        parts = (shares.unsqueeze(2) * found.unsqueeze(1)).flatten(1)
        return parts.new_zeros(len(kinds), parts.shape[1]).index_add(0, contracts.rows, parts) * 0.25

    def _judge_cities(self, seen: Tensor, cities: Pairs, trunk: Tensor) -> Tensor:
        """(k, ``CITY_ACTIONS``) logits of these cities, of what is seen of all (n, cities, values)."""
        found = self.look_at_city(seen.flatten(0, 1).index_select(0, cities.rows * MAX_CITIES + cities.things))
        places = self.city_places.index_select(0, cities.things)
        told = self.tell_city(trunk).index_select(0, cities.rows)
        logits: Tensor = self.judge_city(found + places + told)
        return logits

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


def find_edge(flags: Tensor) -> Tensor:
    """(n,) int64, the number of the edge whose flag is set, from 1; 0 for none, of flags (n, 6)."""
    return torch.where(flags.amax(1) > 0, flags.argmax(1) + 1, 0)


def stack_kinds(observations: Tensor) -> Tensor:
    """(n, contracts, 3): in the own hand, known or under way, fulfilled; each as `flat` tells it."""
    parts = (flat.CONTRACT_OWN, flat.CONTRACT_PENDING, flat.CONTRACT_FULFILLED)
    return torch.stack([observations[:, part : part + MAX_CONTRACTS] for part in parts], dim=2)


def find_named_cities(masks: Tensor) -> Tensor:
    """(n, cities) bool, which of them a legal action names, of masks (n, 372)."""
    starts = masks[:, START : START + MAX_CITIES * NUM_EDGES].view(-1, MAX_CITIES, NUM_EDGES)
    named = starts.any(2)
    for block in (BUILD, SOURCE_FROM, HOP_TO):
        named |= masks[:, block : block + MAX_CITIES]
    return named


def find_pairs(wanted: Tensor) -> Pairs:
    """The pairs that are wanted, (n, things) bool."""
    rows, things = wanted.nonzero(as_tuple=True)
    return Pairs(fill_up(rows), fill_up(things), len(rows))


def narrow_pairs(pairs: Pairs, wanted: Tensor) -> tuple[Tensor, Pairs]:
    """Those of the pairs that are wanted, (n, things) bool: their numbers (k,) int64, and they themselves."""
    chosen = wanted[pairs.rows[: pairs.meant], pairs.things[: pairs.meant]].nonzero().squeeze(1)
    numbers = fill_up(chosen)
    return numbers, Pairs(pairs.rows[numbers], pairs.things[numbers], len(chosen))


def fill_up(numbers: Tensor) -> Tensor:
    """(k,) numbers, and zeros up to a round number of them."""
    return functional.pad(numbers, (0, round_up(len(numbers)) - len(numbers)))


def gather_values(observations: Tensor, columns: Tensor, pairs: Pairs) -> Tensor:
    """(k, values), what is told of each pair, of columns (things, values)."""
    first = pairs.rows.unsqueeze(1) * observations.shape[1]
    return observations.take(first + columns[pairs.things])


def list_city_actions() -> Tensor:
    """(cities, ``CITY_ACTIONS``) int64, the actions that name each city: build, source, hop, and its starts."""
    cities = torch.arange(MAX_CITIES).unsqueeze(1)
    blocks = [block + cities for block in (BUILD, SOURCE_FROM, HOP_TO)]
    return torch.cat((*blocks, START + cities * NUM_EDGES + torch.arange(NUM_EDGES)), dim=1)


def add_logits(logits: Tensor, pairs: Pairs, told: Tensor, actions: Tensor) -> Tensor:
    """(n, 372), logits and what is told of pairs (k, answers) added at the actions (things, answers) that name them."""
    rows, things = pairs.rows[: pairs.meant], pairs.things[: pairs.meant]
    places = rows.unsqueeze(1) * NUM_ACTIONS + actions[things]
    return logits.flatten().index_add(0, places.flatten(), told[: pairs.meant].flatten()).view(logits.shape)


def spread_logits(city_logits: Tensor, contract_logits: Tensor) -> Tensor:
    """(n, 372): logits by city (n, 33, ``CITY_ACTIONS``) and by contract (n, 48), put at the actions' places."""
    logits = city_logits.new_zeros(len(city_logits), NUM_ACTIONS)
    logits[:, BUILD : BUILD + MAX_CITIES] = city_logits[:, :, 0]
    logits[:, SOURCE_FROM : SOURCE_FROM + MAX_CITIES] = city_logits[:, :, 1]
    logits[:, HOP_TO : HOP_TO + MAX_CITIES] = city_logits[:, :, 2]
    logits[:, START : START + MAX_CITIES * NUM_EDGES] = city_logits[:, :, 3:].flatten(1)
    logits[:, FULFIL : FULFIL + MAX_CONTRACTS] = contract_logits
    return logits
