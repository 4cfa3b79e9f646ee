"""``nomad``: a net for every map and every number of seats, which sees hexes, cities, links and contracts as a graph.

Each hex has a state, which neighbours change for some rounds (Scarselli et al. 2009; Gilmer et al. 2017): over
borders, over track, and from end to end of links. Contracts, seats and cities are sets (Zaheer et al. 2017), summed up
with the game for the *trunk*. An action is judged by looking at what it names: a city, the hex beyond an edge, a
contract, a seat. So numbering cities, contracts or hexes otherwise numbers the answers otherwise, and does no more.
Needs torch, of the extra `train`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from steam_env.agents.network import CITY_ACTIONS, spread_logits
from steam_env.agents.nomad_graph import (
    CONTRACTS,
    EDGES,
    ENCODING,
    GLOBALS,
    NODES,
    SEATS,
    Board,
    Reader,
    find_column,
    lay_out,
)
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.actions import (
    AMOUNT_OF,
    DONE,
    HEAD_TO,
    MONEY,
    NUM_AMOUNTS,
    NUM_OTHERS,
    PAY_TO,
    REMOVE,
    REPLACE,
    TAKE,
)
from steam_env.core.steam_power.actions import (
    CONTRACTS as TAKE_CONTRACTS,
)
from steam_env.core.steam_power.state import MAX_CITIES
from steam_env.encoding.steam_power import graph

PLAIN_ACTIONS = (MONEY, TAKE_CONTRACTS, DONE, REMOVE, *range(AMOUNT_OF, AMOUNT_OF + NUM_AMOUNTS))  # name nothing
OVER_EDGES = 3  # start, head, replace: what may be done over an edge
TO_SEATS = 2  # pay, take from
QUARTER = 0.25  # of sums over contracts: a hand has four or so


@dataclass(frozen=True)
class NomadConfig:
    """How large the net is.

    Attributes:
        width: units of the trunk.
        hexes: units for each hex, city, contract and seat.
        rounds: how often hexes hear of their neighbours.
    """

    width: int = 128
    hexes: int = 32
    rounds: int = 3


class SumOverBorders(torch.autograd.Function):
    """The product of a symmetric sparse matrix and a dense one, whose gradient is the same product again."""

    @staticmethod
    def forward(ctx: Any, matrix: Tensor, values: Tensor) -> Tensor:
        """(N, k), of (N, N) sparse and (N, k)."""
        ctx.matrix = matrix
        return torch.sparse.mm(matrix, values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, Tensor]:
        """The gradient of the dense matrix."""
        return None, torch.sparse.mm(ctx.matrix, gradients[0])


class Hearing(nn.Module):
    """One round: each hex hears of its neighbours, along track, and from the other ends of links."""

    def __init__(self, size: int, track: int) -> None:
        super().__init__()
        self.say = nn.Linear(size, size)
        self.lead = nn.Linear(size, 2 * size)
        self.tell_track = nn.Linear(track, 2 * size)
        self.keep = nn.Linear(size, size)
        self.hear = nn.Linear(2 * size, size, bias=False)

    def forward(self, hexes: Tensor, board: Board, track: Tensor) -> Tensor:
        """(N, size) states from states (N, size)."""
        said = torch.relu(self.say(hexes))
        near = SumOverBorders.apply(board.borders, said)  # type: ignore[no-untyped-call, unused-ignore]
        led, told = self.lead(hexes), self.tell_track(track)
        onwards, back = led.chunk(2, dim=1)
        onwards_told, back_told = told.chunk(2, dim=1)
        along = torch.zeros_like(hexes)
        along = along.index_add(0, board.targets, torch.relu(onwards[board.sources] + onwards_told))
        along = along.index_add(0, board.sources, torch.relu(back[board.targets] + back_told))
        return hexes + torch.relu(self.keep(hexes) + self.hear(torch.cat((near, along), dim=1)))


class Judge(nn.Module):
    """Judges things by what is known of each and by the trunk: (..., size) and (B, width) to (..., answers)."""

    def __init__(self, size: int, width: int, answers: int) -> None:
        super().__init__()
        self.look = nn.Linear(size, size)
        self.heed = nn.Linear(width, size)
        self.think = nn.Linear(size, size)
        self.answer = nn.Linear(size, answers)

    def forward(self, things: Tensor, heeded: Tensor) -> Tensor:
        """The answers; ``heeded`` is of the trunk, spread over the things."""
        return self.answer(torch.relu(self.think(torch.relu(self.look(torch.relu(things)) + heeded))))


class NomadNetwork(nn.Module):
    """The net that gives logits of the 372 actions and the value of the position.

    Input: a dict of the arrays of ``graph:compact``, (n, ...) uint8. Output: (n, 372) float32 logits, nothing masked,
    and (n,) float32 values, in units of the reward that it was trained with.
    """

    encoding = ENCODING
    fits_everywhere = True  # wherever it was trained

    def __init__(self, config: NomadConfig | None = None) -> None:
        super().__init__()
        self.config = config = config or NomadConfig()
        width, size = config.width, config.hexes
        self.read_node, self.read_track = Reader("nodes", NODES), Reader("edges", EDGES)
        self.read_seat, self.read_contract = Reader("seats", SEATS), Reader("contracts", CONTRACTS)
        self.read_globals = Reader("globals", GLOBALS)
        self.look_at_seat = nn.Linear(self.read_seat.size, size)
        self.look_at_contract = nn.Linear(self.read_contract.size, size)
        self.sum_up_contract = nn.Linear(size, size)
        self.sum_up_game = nn.Linear(self.read_globals.size + 5 * size, width)
        self.look_at_hex = nn.Linear(self.read_node.size, size)
        self.recall_game = nn.Linear(width, size)
        self.rounds = nn.ModuleList(Hearing(size, self.read_track.size) for _ in range(config.rounds))
        self.sum_up_place = nn.Linear(size, size)
        self.trunk = nn.Sequential(nn.Linear(width + 6 * size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.look_across = nn.Linear(size, size)
        self.judge_city = Judge(size, width, CITY_ACTIONS - NUM_EDGES)
        self.judge_edge = Judge(size, width, OVER_EDGES)
        self.judge_contract = Judge(size, width, 1)
        self.judge_seat = Judge(size, width, TO_SEATS)
        self.judge_plain = nn.Linear(width, len(PLAIN_ACTIONS))
        self.judge_position = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))
        self._initialise()

    def _initialise(self) -> None:
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, gain=2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        judges = (self.judge_city, self.judge_edge, self.judge_contract, self.judge_seat)
        for last in (*(judge.answer for judge in judges), self.judge_plain):  # all actions begin about alike
            nn.init.orthogonal_(last.weight, gain=0.01)
        for hearing in self.rounds:  # the first messages are soft: rounds add up
            assert isinstance(hearing, Hearing)
            for part in (hearing.keep, hearing.hear):
                nn.init.orthogonal_(part.weight, gain=0.5)

    def forward(self, seen: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Logits (n, 372) and values (n,) of observations (n, ...)."""
        board = lay_out(seen)
        seats = self.look_at_seat(self.read_seat(seen["seats"]))
        contracts = self.look_at_contract(self.read_contract(seen["contracts"]))
        game = self._sum_up_game(seen, seats, contracts)
        hexes = self._look_at_map(board, game)
        trunk = self.trunk(torch.cat((game, self._sum_up_map(board, hexes)), dim=1))
        logits = self._judge_map(board, hexes, trunk, self._judge_one_by_one(self.judge_contract, contracts, trunk))
        others = self._judge_one_by_one(self.judge_seat, seats[:, 1:], trunk)
        logits[:, PAY_TO : PAY_TO + NUM_OTHERS] = others[:, :, 0]
        logits[:, TAKE : TAKE + NUM_OTHERS] = others[:, :, 1]
        logits[:, PLAIN_ACTIONS] = self.judge_plain(trunk)
        return logits, self.judge_position(trunk).squeeze(1)

    def _sum_up_game(self, seen: Mapping[str, Tensor], seats: Tensor, contracts: Tensor) -> Tensor:
        """(n, width), of the game, the own seat and the others', the own hand, what is under way, and what is done."""
        there = torch.relu(seats) * (seen["seats"][:, :, :1] > 0)
        kinds = torch.stack([seen["contracts"][:, :, column] > 0 for column in HELD], dim=1).float()
        sums = torch.bmm(kinds, torch.relu(self.sum_up_contract(torch.relu(contracts)))) * QUARTER
        told = (self.read_globals(seen["globals"]), there[:, 0], there[:, 1:].sum(1), sums.flatten(1))
        return torch.relu(self.sum_up_game(torch.cat(told, dim=1)))

    def _look_at_map(self, board: Board, game: Tensor) -> Tensor:
        """(N + 1, hexes), the state of each hex; the last one, of no hex, is zero."""
        hexes = torch.relu(self.look_at_hex(self.read_node(board.nodes)) + self.recall_game(game)[board.game])
        track = self.read_track(board.track)
        for hear in self.rounds:
            hexes = hear(hexes, board, track)
        return nn.functional.pad(hexes, (0, 0, 0, 1))

    def _sum_up_map(self, board: Board, hexes: Tensor) -> Tensor:
        """(n, 6 * hexes): means over all hexes and over cities, the greatest of cities, the site, the tail."""
        states = torch.relu(self.sum_up_place(hexes))
        cities, game = states[board.city_hex], board.game[board.city_hex]
        empty = states.new_zeros(board.games, states.shape[1])
        greatest = empty.scatter_reduce(0, game.unsqueeze(1).expand_as(cities), cities, "amax")
        means = [average(states[:-1], board.game, empty), average(cities, game, empty)]
        return torch.cat((*means, greatest, states[board.site], states[board.tail], hexes[board.site]), dim=1)

    def _judge_map(self, board: Board, hexes: Tensor, trunk: Tensor, contracts: Tensor) -> Tensor:
        """(n, 372) logits, of all actions that name a city, an edge or a contract."""
        size, cities, edge = hexes.shape[1], board.city_hex, self.judge_edge
        game = board.game[cities]
        by_city = self.judge_city(hexes[cities], self.judge_city.heed(trunk)[game])
        beyond = nn.functional.pad(board.neighbours, (0, 0, 0, 1), value=len(board.game))  # of no hex nothing
        across, heeded = self.look_across(hexes), edge.heed(trunk).unsqueeze(1)
        starts = edge(across[beyond[cities]] + hexes[cities].unsqueeze(1), heeded[game])[:, :, 0]
        table = trunk.new_zeros(board.games * MAX_CITIES, CITY_ACTIONS)
        table = table.index_copy(0, board.city_place, torch.cat((by_city, starts), dim=1))
        logits = spread_logits(table.view(board.games, MAX_CITIES, CITY_ACTIONS), contracts.squeeze(2))
        for first, place, answer in ((HEAD_TO, board.site, 1), (REPLACE, board.tail, 2)):
            near = across[beyond[place]] + hexes[place].view(-1, 1, size)
            logits[:, first : first + NUM_EDGES] = edge(near, heeded)[:, :, answer]
        return logits

    @staticmethod
    def _judge_one_by_one(judge: Judge, things: Tensor, trunk: Tensor) -> Tensor:
        """(n, things, answers), of things (n, things, hexes)."""
        answers: Tensor = judge(things, judge.heed(trunk).unsqueeze(1))
        return answers


def average(values: Tensor, groups: Tensor, empty: Tensor) -> Tensor:
    """(n, k), the means of values (m, k) by group (m,), 0 where a group has none; ``empty`` is (n, k) zeros."""
    counts = torch.bincount(groups, minlength=len(empty)).clamp(min=1).unsqueeze(1)
    return empty.index_add(0, groups, values) / counts


def _find_held() -> tuple[int, ...]:
    starts = {part.name: part.start for part in graph.FEATURES["contracts"]}
    names = ("contract_own", "contract_pending", "contract_fulfilled")
    return tuple(find_column("contracts", starts[name]) for name in names)


HELD = _find_held()  # columns that tell which contracts are in the own hand, under way, fulfilled
