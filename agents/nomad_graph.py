"""What ``nomad`` reads of a position: the digits of `graph` as features, and the graph as lists of what there is.

Places in the arrays say only what belongs together: which hexes are neighbours, which city stands on which hex, which
action names what. No feature tells a number of a hex, a city or a contract, nor where on the map a hex lies, nor which
of the others a seat is. Needs torch, of the extra `train`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES
from steam_env.core.steam_power.state import MAX_CITIES, MAX_SEATS
from steam_env.encoding.compact import Expansion
from steam_env.encoding.digits import Digits
from steam_env.encoding.layout import Part
from steam_env.encoding.steam_power import ENCODINGS, graph
from steam_env.encoding.steam_power.hexes import HEX_CITY, HEX_PRESENT

ENCODING = "graph:compact"

# Features by name; of those that seats have one by one, see ``BY_SEAT``, the own and the sum of the others'.
NODES = [
    "hex_terrain",
    "city_color",
    "city_owner",
    "city_resources",
    "city_flipped",
    "city_network",
    "city_linked",
    "city_reach",
    "city_access",
    "city_subject",
    "city_cargo",
    "city_hop",
    "city_visited",
    "hex_to_others",
    "hex_to_own",
]
EDGES = ["edge_owner", "edge_open", "link"]
SEATS = [
    "seat_present",
    "seat_automa",
    "seat_to_move",
    "seat_first",
    "seat_money_near",
    "seat_money_far",
    "seat_bag",
    "seat_trains",
    "seat_factories",
    "seat_hand",
    "seat_fulfilled",
    "seat_score",
    "seat_contract_vp",
    "seat_factory_vp",
    "seat_purple_vp",
    "seat_tail",
]
CONTRACTS = [
    "contract_needs",
    "contract_money",
    "contract_vp",
    "contract_bonus",
    "contract_icon",
    "contract_own",
    "contract_known",
    "contract_fulfilled",
    "contract_discarded",
    "contract_pending",
    "contract_ease",
]
GLOBALS = [
    "edition",
    "mode",
    "routing",
    "automas",
    "automa_level",
    "rounds_left",
    "end_trigger",
    "end_triggered",
    "deck_size",
    "stock",
    "phase",
    "actions_left",
    "placements_left",
    "takes_left",
    "in_bonus",
    "need",
    "pending_needs",
    "pending_money",
    "pending_vp",
    "pending_bonus",
    "units",
    "hand_needs",
]
BY_SEAT = ("city_owner", "city_network", "city_linked", "edge_owner")

FOUND: Mapping[str, Expansion] = ENCODINGS["graph"].compact(None).expansions  # type: ignore[misc]


def find_digits(array: str) -> Digits:
    """The digits of a row of an array of `graph`."""
    digits = FOUND[array].digits
    assert digits is not None
    return digits


def find_column(array: str, feature: int) -> int:
    """Where the only digit of a feature stands in a row of an array."""
    return int(find_digits(array).source[0, feature])


class Reader(nn.Module):
    """Makes features of digits by one product: (..., digits) uint8 to (..., ``size``) float32.

    Args:
        array: of `graph`, by name.
        names: of its features, which are numbers with a fixed divisor.
    """

    matrix: Tensor

    def __init__(self, array: str, names: Iterable[str]) -> None:
        super().__init__()
        parts = {part.name: part for part in graph.FEATURES[array]}
        columns = [column for name in names for column in _list_columns(find_digits(array), parts[name])]
        self.register_buffer("matrix", torch.from_numpy(np.stack(columns, axis=1)), persistent=False)

    @property
    def size(self) -> int:
        """How many features there are."""
        return self.matrix.shape[1]

    def forward(self, digits: Tensor) -> Tensor:
        """Features (..., size)."""
        return digits.float() @ self.matrix


def _list_columns(digits: Digits, part: Part) -> list[np.ndarray]:
    """(digits,) float32 for each feature of a part: what each digit adds to it."""
    values = np.arange(part.start, part.start + part.length)
    assert not digits.saturates[values].any()
    assert not digits.over_weight[:, values].any()
    assert (digits.table[values] == NONE).all()
    columns = np.zeros((part.length, digits.size), np.float32)
    for source, weight in zip(digits.source[:, values], digits.weight[:, values], strict=True):
        told = source != NONE
        columns[told, source[told]] += weight[told] / digits.divisor[values[told]]
    if part.name not in BY_SEAT:
        return list(columns)
    by_seat = columns.reshape(-1, MAX_SEATS, digits.size)
    return [one for seats in by_seat for one in (seats[0], seats[1:].sum(axis=0))]


with warnings.catch_warnings():  # torch says once that sparse rows are young
    warnings.simplefilter("ignore")
    torch.sparse_csr_tensor([0, 1], [0], [1.0], (1, 1))


class Board(NamedTuple):
    """The hexes of all positions one after the other, N of them, and what lies on them. N stands for no hex."""

    games: int  # positions, B
    nodes: Tensor  # (N, digits) uint8: a row of `graph` each
    game: Tensor  # (N,) int64: the position of a hex
    neighbours: Tensor  # (N, 6) int64
    borders: Tensor  # (N, N) float32, sparse by rows: 1/6 between neighbours
    city_hex: Tensor  # (C,) int64: the hex of each city of all positions
    city_place: Tensor  # (C,) int64: MAX_CITIES x position + the city's number, for the actions that name it
    sources: Tensor  # (T,) int64: hexes from which track leads over a border, or a link leads on
    targets: Tensor  # (T,) int64: where to
    track: Tensor  # (T, digits) uint8: a row of `graph` each
    site: Tensor  # (B,) int64: where the observer's next tile would lie
    tail: Tensor  # (B,) int64: where the observer's last tile of an incomplete link lies


PRESENT, CITY = find_column("nodes", HEX_PRESENT), find_column("nodes", HEX_CITY)
SUBJECT = find_column("nodes", next(part.start for part in graph.FEATURES["nodes"] if part.name == "city_subject"))
BORDER, LINK = find_column("edges", graph.BORDER), find_column("edges", graph.LINK)
OPEN, OWNER = find_column("edges", graph.EDGE_OPEN), find_column("edges", graph.EDGE_OWNER)


def lay_out(seen: Mapping[str, Tensor]) -> Board:
    """The graphs of observations ``ENCODING`` (B, ...) as one."""
    nodes, edges = seen["nodes"], seen["edges"]
    games, size = nodes.shape[:2]
    where = (nodes[:, :, PRESENT] > 0).flatten().nonzero().squeeze(1)
    count, game = len(where), where // size
    number = torch.full((games * size + 1,), count, dtype=torch.int64, device=nodes.device)
    number[where] = torch.arange(count, device=nodes.device)
    table = nodes.view(games * size, -1)[where]

    split = size * NUM_EDGES
    borders = edges[:, :split].reshape(games * size, NUM_EDGES, -1)[where]
    beyond = seen["receivers"][:, :split].reshape(games * size, NUM_EDGES)[where].long() + size * game.unsqueeze(1)
    there = borders[:, :, BORDER] > 0
    neighbours = torch.where(there, number[beyond], count)

    laid = (borders[:, :, OWNER : OWNER + MAX_SEATS].amax(2) > 0) | (borders[:, :, OPEN] > 0)
    from_hex, over_edge = (laid & there).nonzero(as_tuple=True)
    linked, slot = (edges[:, split:, LINK] > 0).nonzero(as_tuple=True)
    ends = [number[size * linked + seen[name][:, split:][linked, slot].long()] for name in ("senders", "receivers")]
    site, tail = _find_site(table, game, games, from_hex, neighbours[from_hex, over_edge], borders[from_hex, over_edge])
    city = table[:, CITY].long()
    city_hex = (city > 0).nonzero().squeeze(1)
    return Board(
        games=games,
        nodes=table,
        game=game,
        neighbours=neighbours,
        borders=_make_borders(there, neighbours),
        city_hex=city_hex,
        city_place=MAX_CITIES * game[city_hex] + city[city_hex] - 1,
        sources=torch.cat((from_hex, ends[0])),
        targets=torch.cat((neighbours[from_hex, over_edge], ends[1])),
        track=torch.cat((borders[from_hex, over_edge], edges[:, split:][linked, slot])),
        site=site,
        tail=tail,
    )


def _make_borders(there: Tensor, neighbours: Tensor) -> Tensor:
    """(N, N), sparse by rows: 1/6 between neighbours."""
    count = len(there)
    rows = torch.nn.functional.pad(there.sum(1).cumsum(0), (1, 0))
    columns = neighbours[there]
    share = torch.full((len(columns),), 1 / NUM_EDGES, device=there.device)
    return torch.sparse_csr_tensor(rows, columns, share, (count, count), check_invariants=False)


def _find_site(
    table: Tensor, game: Tensor, games: int, sources: Tensor, targets: Tensor, borders: Tensor
) -> tuple[Tensor, Tensor]:
    """Where the observer's next tile would lie and where its tail does, (B,) each: a link that begins goes first."""
    leads_on = borders[:, OPEN] > 0
    own = (leads_on & (borders[:, OWNER] > 0)).nonzero().squeeze(1)
    begun = (leads_on & (table[sources, CITY] > 0) & (table[sources, SUBJECT] > 0)).nonzero().squeeze(1)
    site, tail = torch.full((2, games), len(table), dtype=torch.int64, device=table.device)
    tail[game[sources[own]]] = sources[own]
    site[game[sources[own]]] = targets[own]
    site[game[sources[begun]]] = targets[begun]
    return site, tail
