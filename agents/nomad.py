"""``nomad``: a net for every map and every number of seats, which sees cities, contracts and seats as sets, and advice.

Ways over a map are greedy's to find, see ``advice``: what it makes of each action is told, and this net learns what
that is worth in which position. All the rest it sees as sets of like things that are summed up (Zaheer et al. 2017,
Deep Sets): cities, contracts, the other seats, track. An action is judged by looking at what it names, and by the
advice. No number of a city, a contract or a hex is told: numbering them otherwise numbers the answers otherwise, and
does no more. Needs torch, of the extra `train`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from steam_env.agents import advising
from steam_env.agents.advice import RATE_STEPS
from steam_env.agents.advice_signs import read_advice
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
from steam_env.agents.network import (
    CITY_ACTIONS,
    CONTRACT_PARTS,
    Pairs,
    add_logits,
    find_named_cities,
    find_pairs,
    gather_values,
    list_city_actions,
    narrow_pairs,
    stack_kinds,
)
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    BLOCKS,
    BUILD,
    CONTRACTS,
    DONE,
    FULFIL,
    HEAD_TO,
    HOP_TO,
    MONEY,
    NUM_ACTIONS,
    NUM_AMOUNTS,
    NUM_OTHERS,
    PAY_TO,
    REMOVE,
    REPLACE,
    SOURCE_FROM,
    START,
    TAKE,
)
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_SEATS, NUM_COLORS
from steam_env.encoding.steam_power import flat

# What `flat` tells of each seat, of each city alone, and of each city by seat: (first value, values each).
SEAT_PARTS = tuple(
    (start, 1)
    for start in (
        flat.SEAT_PRESENT,
        flat.SEAT_AUTOMA,
        flat.SEAT_TO_MOVE,
        flat.SEAT_FIRST,
        flat.SEAT_MONEY_NEAR,
        flat.SEAT_MONEY_FAR,
        flat.SEAT_BAG,
        flat.SEAT_MARKER,
        flat.SEAT_TRAINS,
        flat.SEAT_FACTORIES,
        flat.SEAT_HAND,
        flat.SEAT_FULFILLED,
        flat.SEAT_TO_END,
        flat.SEAT_SCORE,
        flat.SEAT_CONTRACT_VP,
        flat.SEAT_FACTORY_VP,
        flat.SEAT_PURPLE_VP,
        flat.SEAT_TAIL,
    )
)
CITY_PARTS = (
    (flat.CITY_COLOR, NUM_COLORS),
    *(
        (start, 1)
        for start in (
            flat.CITY_RESOURCES,
            flat.CITY_FLIPPED,
            flat.CITY_REACH,
            flat.CITY_ACCESS,
            flat.CITY_SUBJECT,
            flat.CITY_CARGO,
            flat.CITY_HOP,
            flat.CITY_VISITED,
        )
    ),
)
REACH = NUM_COLORS + 2  # in what is seen of a city: 0 if there is none
CITY_SEATS = (flat.CITY_OWNER, flat.CITY_NETWORK, flat.CITY_LINKED)
OF_THE_GAME = (*range(flat.START_EDGE), *range(flat.NEED, flat.SEAT_PRESENT))  # no edge by its number
OWN = (flat.TRACK_CODES[flat.OWN_COMPLETE], flat.TRACK_CODES[flat.OWN_INCOMPLETE])

DOLLARS = advising.MOST_RATE / RATE_STEPS  # per action, where a rate is 1
NEAR, CLOSE = 10.0, 2.0  # dollars per action: what is worse than the best by that much is all the same
# What is told of each action: whether it is greedy's choice where greedy estimates nothing, and where it does; whether
# it has an estimate, is near the best, is close to it; and its worth.
SIGNS = 6
PLAIN_ACTIONS = (MONEY, CONTRACTS, DONE, REMOVE, *range(AMOUNT_OF, AMOUNT_OF + NUM_AMOUNTS))  # name nothing
OVER_EDGES = (HEAD_TO, REPLACE)  # name an edge: all six are alike but for the advice
MANY = 0.1  # of sums: a game has some ten cities in a network, and tiles on the map
CITY_SIGNS = count_values(CITY_PARTS) + 2 * len(CITY_SEATS)  # in what is seen of a city: where the signs begin
CITY_ADVICE = 4 * SIGNS  # of what may be done there: build, source, hop, start
KINDS = 4  # sums over contracts: own hand, known or under way, fulfilled, greedy's choice


@dataclass(frozen=True)
class NomadConfig:
    """How large the net is, and how far it trusts greedy at first.

    Attributes:
        width: units of the trunk.
        entity: units for each city, contract and seat.
        trust: added at first to the logit of greedy's choice where it estimates nothing.
        lead: likewise where it estimates what may be done.
        heed: likewise to the logit of each action that it estimates as the best, and less to those that are worse.
    """

    width: int = 256
    entity: int = 32
    trust: float = 5.0
    lead: float = 2.0
    heed: float = 4.0


class NomadNetwork(nn.Module):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: a dict of the arrays of ``advised``, (n, ...) float32. Output: (n, 372) float32 logits, nothing masked, and
    (n,) float32 values, in units of the reward that it was trained with.
    """

    encoding = advising.NAME
    city_extras, game_extras = 0, 0  # what a net that sees more is told besides, of each city and of the game
    fits_everywhere = True  # wherever it was trained
    takes_masks = True
    is_steady = HAS_ONEDNN  # on the CPU: what it thinks of a position does not depend on those beside it
    game_columns: Tensor
    seat_columns: Tensor
    city_columns: Tensor
    city_actions: Tensor
    contract_columns: Tensor
    contract_actions: Tensor
    blocks: Tensor

    def __init__(self, config: NomadConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or NomadConfig()
        width, entity = config.width, config.entity
        for name, numbers in list_places().items():
            self.register_buffer(name, numbers, persistent=False)
        seat_values = len(SEAT_PARTS) + len(CITY_SEATS) + 1
        self.look_at_seat = Dense(seat_values, entity)
        self.look_at_city = Dense(CITY_SIGNS + CITY_ADVICE + self.city_extras, entity)
        self.look_at_contract = Dense(count_values(CONTRACT_PARTS) + SIGNS, entity)
        self.sum_up_contract = Dense(entity, entity)
        inputs = len(OF_THE_GAME) + seat_values + (1 + 3 + KINDS) * entity + len(BLOCKS) * SIGNS + 6 + self.game_extras
        self.trunk, self.trunk_again = make_trunk(inputs, width), look_again(width)
        self.tell_city = Dense(width, entity)
        self.judge_city = judge_things(entity, CITY_ACTIONS - NUM_EDGES + 1)
        self.tell_contract = Dense(width, entity)
        self.judge_contract = judge_things(entity, 1)
        self.tell_seat = Dense(width, entity)
        self.judge_seat = judge_things(entity, 2)
        self.judge_plain = Dense(width, len(PLAIN_ACTIONS) + len(OVER_EDGES))
        self.weigh = Dense(width, len(BLOCKS) * SIGNS)
        self.judge_position = judge_position(width)
        initialise(
            self,
            self.judge_position,
            self.judge_plain,
            self.weigh,
            self.judge_city,
            self.judge_contract,
            self.judge_seat,
        )
        with torch.no_grad():
            first = (config.trust, config.lead, 0.0, config.heed, 0.0, 0.0)
            self.weigh.bias.copy_(torch.tensor(first).repeat_interleave(len(BLOCKS)))

    def forward(self, seen: Mapping[str, Tensor], masks: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits (n, 372) and values (n,) of observations (n, ...); see ``SteamNetwork.forward`` for masks."""
        table, signs = seen[advising.BASE], list_signs(seen[advising.ADVICE])
        if masks is None:
            masks = torch.ones(len(table), NUM_ACTIONS, dtype=torch.bool, device=table.device)
        can_fulfil = masks[:, FULFIL : FULFIL + MAX_CONTRACTS]
        by_seat = torch.stack([take_cities(table, start) for start in CITY_SEATS], dim=3)
        seats, cities = self._list_seats(table, by_seat), self._list_cities(seen, by_seat, signs)
        kinds = torch.cat(
            (stack_kinds(table), signs[:, :2, FULFIL : FULFIL + MAX_CONTRACTS].amax(1).unsqueeze(2)), dim=2
        )
        pairs = find_pairs((kinds != 0).any(2) | can_fulfil)
        known = self._look_at_contracts(table, signs, pairs)
        trunk = self.trunk(
            torch.cat(
                (
                    table.index_select(1, self.game_columns),
                    seats[:, 0],
                    self._sum_up_seats(seats),
                    self._sum_up_cities(cities),
                    self._sum_up_contracts(kinds, pairs, known),
                    sum_up_signs(signs),
                    count_track(table),
                    *self._list_extras(seen),
                ),
                dim=1,
            )
        )
        trunk = trunk + self.trunk_again(trunk)
        logits = self._judge_by_advice(trunk, signs, seen)
        logits = self._judge_cities(logits, cities, trunk, masks)
        asked, pairs = narrow_pairs(pairs, can_fulfil)
        told = self.tell_contract(trunk).index_select(0, pairs.rows)
        told = self.judge_contract(known.index_select(0, asked) + told)
        logits = add_logits(logits, pairs, told, self.contract_actions)
        logits = self._judge_seats(logits, seats, trunk)
        return logits, self.judge_position(trunk).squeeze(1)

    # --- what is seen -----------------------------------------------------------------------------------

    def _list_seats(self, table: Tensor, by_seat: Tensor) -> Tensor:
        """(n, seats, values), what is seen of each seat: in whose networks how many cities are, too, and its place."""
        told = table.index_select(1, self.seat_columns.flatten()).view(len(table), *self.seat_columns.shape)
        places = torch.arange(MAX_SEATS, device=table.device) / MAX_SEATS
        return torch.cat((told, by_seat.sum(1) * MANY, places.view(1, -1, 1).expand(len(table), -1, 1)), dim=2)

    def _list_cities(self, seen: Mapping[str, Tensor], by_seat: Tensor, signs: Tensor) -> Tensor:
        """(n, cities, values), what is seen of each city, and what is advised of the actions that name it."""
        table = seen[advising.BASE]
        told = table.index_select(1, self.city_columns.flatten()).view(len(table), *self.city_columns.shape)
        own, others = by_seat[:, :, 0], by_seat[:, :, 1:].sum(2)
        advised = [signs[:, :, block : block + MAX_CITIES] for block in (BUILD, SOURCE_FROM, HOP_TO)]
        advised.append(signs[:, :, START:HEAD_TO].view(len(table), SIGNS, MAX_CITIES, NUM_EDGES).amax(3))
        return torch.cat((told, own, others, *(part.transpose(1, 2) for part in advised)), dim=2)

    def _list_extras(self, seen: Mapping[str, Tensor]) -> list[Tensor]:
        """(n, values) each, with ``game_extras`` values in all: what else is told of the game."""
        return []

    def _look_at_contracts(self, table: Tensor, signs: Tensor, pairs: Pairs) -> Tensor:
        """(k, entity), what is found at each of the pairs."""
        told = gather_values(table, self.contract_columns, pairs)
        found: Tensor = self.look_at_contract(torch.cat((told, signs[pairs.rows, :, FULFIL + pairs.things]), dim=1))
        return found

    # --- sums -------------------------------------------------------------------------------------------

    def _sum_up_seats(self, seats: Tensor) -> Tensor:
        others = seats[:, 1:].contiguous()
        return add_up(torch.relu(self.look_at_seat(others)) * others[:, :, :1])

    def _sum_up_cities(self, cities: Tensor) -> Tensor:
        """(n, 3 * entity): the sum over all cities, the greatest, and that which greedy's choice names."""
        found = torch.relu(self.look_at_city(cities)) * (cities[:, :, REACH : REACH + 1] > 0)
        signs = cities[:, :, CITY_SIGNS : CITY_SIGNS + CITY_ADVICE].reshape(len(cities), MAX_CITIES, 4, SIGNS)
        chosen = signs[:, :, :, :2].flatten(2).amax(2, keepdim=True)
        return torch.cat((add_up(found) * MANY, found.amax(1), add_up(found * chosen)), dim=1)

    def _sum_up_contracts(self, kinds: Tensor, pairs: Pairs, known: Tensor) -> Tensor:
        """(n, ``KINDS`` * entity), of kinds (n, contracts, ``KINDS``) and of what is found at each pair."""
        found = torch.relu(self.sum_up_contract(torch.relu(known)))
        shares = kinds[pairs.rows, pairs.things]
        shares[pairs.meant :] = 0
        parts = (shares.unsqueeze(2) * found.unsqueeze(1)).flatten(1)
        return parts.new_zeros(len(kinds), parts.shape[1]).index_add(0, pairs.rows, parts) * 0.25

    # --- answers ----------------------------------------------------------------------------------------

    def _judge_by_advice(self, trunk: Tensor, signs: Tensor, seen: Mapping[str, Tensor]) -> Tensor:
        """(n, 372) logits by what is advised, and those of actions that name nothing, or an edge."""
        weights = self.weigh(trunk).view(-1, SIGNS, len(BLOCKS))
        logits = add_up(signs * weights.index_select(2, self.blocks))
        plain = self.judge_plain(trunk)
        logits[:, PLAIN_ACTIONS] += plain[:, : len(PLAIN_ACTIONS)]
        for number, first in enumerate(OVER_EDGES, start=len(PLAIN_ACTIONS)):
            logits[:, first : first + NUM_EDGES] += plain[:, number : number + 1]
        return logits

    def _judge_cities(self, logits: Tensor, cities: Tensor, trunk: Tensor, masks: Tensor) -> Tensor:
        named = find_pairs(find_named_cities(masks))
        found = self.look_at_city(cities.flatten(0, 1).index_select(0, named.rows * MAX_CITIES + named.things))
        told = self.judge_city(found + self.tell_city(trunk).index_select(0, named.rows))
        first = CITY_ACTIONS - NUM_EDGES
        told = torch.cat((told[:, :first], told[:, first:].expand(-1, NUM_EDGES)), dim=1)
        return add_logits(logits, named, told, self.city_actions)

    def _judge_seats(self, logits: Tensor, seats: Tensor, trunk: Tensor) -> Tensor:
        found = self.look_at_seat(seats[:, 1:].contiguous()) + self.tell_seat(trunk).unsqueeze(1)
        told = self.judge_seat(found.flatten(0, 1)).view(-1, NUM_OTHERS, 2)
        logits[:, PAY_TO : PAY_TO + NUM_OTHERS] += told[:, :, 0]
        logits[:, TAKE : TAKE + NUM_OTHERS] += told[:, :, 1]
        return logits


def list_places() -> dict[str, Tensor]:
    """Where the net looks, by name: columns of `flat`, and actions that name a thing."""
    counts = [block.length for block in BLOCKS]
    return {
        "game_columns": torch.tensor(OF_THE_GAME),
        "seat_columns": list_columns(SEAT_PARTS, MAX_SEATS),
        "city_columns": list_columns(CITY_PARTS, MAX_CITIES),
        "city_actions": list_city_actions(),
        "contract_columns": list_columns(CONTRACT_PARTS, MAX_CONTRACTS),
        "contract_actions": FULFIL + torch.arange(MAX_CONTRACTS).unsqueeze(1),
        "blocks": torch.repeat_interleave(torch.arange(len(BLOCKS)), torch.tensor(counts)),
    }


def list_signs(told: Tensor) -> Tensor:
    """(n, ``SIGNS``, 372), what is told of each action, of the advice (n, ``ADVICE_SIZE``)."""
    choices, rates = read_advice(told, NUM_ACTIONS)
    chosen = torch.zeros(len(rates), NUM_ACTIONS + 1, device=rates.device).scatter_(1, choices.unsqueeze(1), 1.0)
    rated = (rates > 0).float()
    best = rates.amax(1, keepdim=True)
    behind = (best - rates) * DOLLARS
    signs = (
        chosen[:, 1:] * (best <= 0),
        chosen[:, 1:] * (best > 0),
        rated,
        (1.0 - behind / NEAR).clamp(min=0.0) * rated,
        (1.0 - behind / CLOSE).clamp(min=0.0) * rated,
        rates * (DOLLARS / NEAR),
    )
    return torch.stack(signs, dim=1)


def sum_up_signs(signs: Tensor) -> Tensor:
    """(n, ``SIGNS`` * blocks): of each block of actions the greatest of each sign."""
    return torch.cat([signs[:, :, block.start : block.start + block.length].amax(2) for block in BLOCKS], dim=1)


def add_up(things: Tensor) -> Tensor:
    """(n, values), the sums over things (n, things, values), in the same order for any n."""
    total, *others = things.unbind(1)
    for one in others:
        total = total + one
    return total


def take_cities(table: Tensor, start: int) -> Tensor:
    """(n, cities, seats), what `flat` tells of each city by seat."""
    return table[:, start : start + MAX_CITIES * MAX_SEATS].view(-1, MAX_CITIES, MAX_SEATS)


def count_track(table: Tensor) -> Tensor:
    """(n, 6): segments that are own and complete, own, others' complete, others', hexes with two, and with coins."""
    owners = table[:, flat.TRACK_OWNER : flat.TRACK_OWNER + flat.SLOTS_PER_HEX * MAX_HEXES]
    coins = table[:, flat.TRACK_COINS : flat.TRACK_COINS + MAX_HEXES]
    parts = (
        owners == OWN[0],
        owners > 0,
        owners < -0.5,
        owners < 0,
        owners[:, 1 :: flat.SLOTS_PER_HEX] != 0,
        coins > 0,
    )
    return torch.stack([part.float().sum(1) for part in parts], dim=1) * (MANY * MANY)
