import re

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.steam_power.state import MAX_CITIES, MAX_HEXES
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import LAYOUT
from steam_env.encoding.steam_power.graph import ARRAYS, EDGE_PARTS, FEATURES, NUM_BORDERS, describe_layout
from tests.encoding_checks import encode, values_of
from tests.seen import positions

# --- layout -------------------------------------------------------------------------------------------------


def test_layout__every_part_of_flat_but_the_track_is_in_one_array() -> None:
    arrays = FEATURES.items()
    sizes = {part.name: part.length * int(np.prod(ARRAYS[name].shape[:-1])) for name, parts in arrays for part in parts}
    for part in LAYOUT:
        if part.name.startswith("track_"):
            assert part.name not in sizes
        elif part.name.startswith("city_"):  # of each hex
            assert sizes[part.name] == part.length // MAX_CITIES * MAX_HEXES
        else:
            assert sizes[part.name] == part.length


def test_layout__tables_name_every_array() -> None:
    arrays = re.findall(r"^\| `(\w+)` \| ([\dx ]+) \| (\w+) \|", describe_layout(), re.MULTILINE)
    spec = ENCODINGS["graph"].spec
    assert isinstance(spec, dict)
    assert arrays == [(name, " x ".join(map(str, one.shape)), one.dtype.name) for name, one in spec.items()]


def test_values__absent_hexes_edges_seats_and_contracts_are_zero() -> None:
    for kind in ("two", "two and two automas", "solo"):
        batch = positions(kind)
        graphs = encode("graph", batch.setting, batch.records, 1)
        companies = batch.rules.companies
        assert not graphs["nodes"][:, batch.setting.boards["num_hexes"][0] :].any()
        assert not graphs["seats"][:, companies:].any()
        assert not graphs["contracts"][:, batch.setting.decks["num_contracts"][0] :].any()
        present = values_of(graphs["edges"], EDGE_PARTS, "border") + values_of(graphs["edges"], EDGE_PARTS, "link")
        assert set(np.unique(present)) == {0, 1}
        for name in ("edges", "senders", "receivers"):
            assert not graphs[name][present[..., 0] == 0].any()
        assert not values_of(graphs["edges"], EDGE_PARTS, "edge_owner")[..., companies:].any()


# --- nodes and edges ------------------------------------------------------------------------------------------


def test_borders__are_the_neighbours_on_the_map() -> None:
    batch = positions("two")
    board = batch.setting.boards[0]
    graphs = encode("graph", batch.setting, batch.records[:1], 0)
    there = np.flatnonzero(values_of(graphs["edges"][0], EDGE_PARTS, "border")[:, 0])
    senders, receivers = graphs["senders"][0, there], graphs["receivers"][0, there]
    expected = [
        (here, int(beyond)) for here in range(MAX_HEXES) for beyond in board["neighbour"][here] if beyond != NONE
    ]
    assert sorted(zip(senders.tolist(), receivers.tolist(), strict=True)) == sorted(expected)
    steps = graphs["edges"][0, there, 2:4] * (1, 2)
    for field, column in (("col", 0), ("row", 1)):
        assert np.array_equal(board[field][receivers] - board[field][senders], steps[:, column])


@pytest.mark.parametrize("kind", ["four", "two and two automas", "solo"])
def test_links__are_those_of_the_game(kind: str) -> None:
    batch = positions(kind, 4)
    board, seats = batch.setting.boards[0], batch.rules.companies
    graphs = encode("graph", batch.setting, batch.records, 1)
    found = 0
    for index, record in enumerate(batch.records):
        edges = graphs["edges"][index, NUM_BORDERS:]
        told = []
        for place in np.flatnonzero(values_of(edges, EDGE_PARTS, "link")[:, 0]):
            owner = values_of(edges[place], EDGE_PARTS, "edge_owner")
            ends = (int(graphs[name][index, NUM_BORDERS + place]) for name in ("senders", "receivers"))
            told.append((*ends, int(owner.argmax()), float(owner.max())))
        expected = []
        for link in range(record["num_links"]):
            owner, end = int(record["link_owner"][link]), int(record["link_end"][link])
            start = int(board["city_hex"][record["link_start"][link]])
            relative = (owner - 1) % seats
            if end == NONE:
                expected.append((start, int(record["tail_hex"][owner]), relative, 0.5))
            else:
                goal = int(board["city_hex"][end])
                expected += [(start, goal, relative, 1.0), (goal, start, relative, 1.0)]
        assert sorted(told) == sorted(expected)
        found += len(expected)
    assert found > 100
