import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import NUM_EDGES, opposite, uses
from steam_env.core.steam_power.state import MAX_CITIES, MAX_HEXES, MAX_SEATS
from steam_env.encoding import Observations
from steam_env.encoding.steam_power import ENCODINGS
from steam_env.encoding.steam_power.flat import LAYOUT
from steam_env.encoding.steam_power.graph import (
    ARRAYS,
    EDGE_PARTS,
    FEATURES,
    NUM_BORDERS,
    describe_layout,
    encode_graph_games,
)
from steam_env.encoding.steam_power.hexes import HEX_PARTS
from tests import encoding_checks
from tests.encoding_checks import CHANGES, Read, Segment, encode, encode_rows, read_coins, segments_of_edges, values_of
from tests.seen import PLAYERS, SOLO_KIND, Kind, Table, each_kind, play_table

some_kinds = pytest.mark.parametrize("kind", [Kind(3), Kind(4, 2), SOLO_KIND], ids=("players", "automas", "solo"))


def encode_graphs(table: Table, records: np.ndarray, seat: int) -> dict[str, np.ndarray]:
    graphs = encode("graph", table, records, seat)
    assert isinstance(graphs, dict)
    return graphs


# --- layout -------------------------------------------------------------------------------------------------


def test_layout__features_are_contiguous_and_fill_the_arrays() -> None:
    for name, parts in FEATURES.items():
        ends = [part.start + part.length for part in parts]
        assert [part.start for part in parts] == [0, *ends[:-1]], name
        assert ends[-1] == ARRAYS[name].shape[-1], name


def test_layout__every_part_of_flat_but_the_track_is_in_one_array() -> None:
    told = [
        (part.name, part.length * int(np.prod(ARRAYS[name].shape[:-1]))) for name in FEATURES for part in FEATURES[name]
    ]
    sizes = dict(told)
    assert len(sizes) == len(told)
    for part in LAYOUT:
        if part.name.startswith("track_"):
            assert part.name not in sizes
        elif part.name.startswith("city_"):  # of each hex
            assert sizes[part.name] == part.length // MAX_CITIES * MAX_HEXES
        else:
            assert sizes[part.name] == part.length


def test_layout__tables_name_every_array_and_every_feature() -> None:
    text = describe_layout()
    rows = re.findall(r"^\| (\d+) \| (\d+) \| `(\w+)` \|", text, re.MULTILINE)
    assert [(int(start), int(length), name) for start, length, name in rows] == [
        (part.start, part.length, part.name) for parts in FEATURES.values() for part in parts
    ]
    arrays = re.findall(r"^\| `(\w+)` \| ([\dx ]+) \| (\w+) \|", text, re.MULTILINE)
    assert arrays == [
        (name, " x ".join(map(str, spec.shape)), spec.dtype.name) for name, spec in ENCODINGS["graph"].spec.items()
    ]


def test_layout__is_printed_by_the_module() -> None:
    encoding_checks.check_printed("graph")


def test_registry__makes_arrays_of_the_space() -> None:
    out = ENCODINGS["graph"].allocate(3)
    assert isinstance(out, dict)
    assert {name: values.shape for name, values in out.items()} == {n: (3, *spec.shape) for n, spec in ARRAYS.items()}
    integers = {name for name, values in out.items() if np.issubdtype(values.dtype, np.integer)}
    assert integers == {"senders", "receivers"}
    assert all(values.dtype == np.float32 for name, values in out.items() if name not in integers)


@pytest.mark.parametrize("name", list(ARRAYS))
def test_encode__refuses_arrays_of_another_shape(name: str) -> None:
    table = play_table(Kind(2))
    good = ENCODINGS["graph"].allocate(2)
    assert isinstance(good, dict)
    for bad in (good[name][:1], good[name][..., :-1]):
        with pytest.raises(ValueError, match=name):
            encode_graph_games(table.records[:2], table.boards, table.decks, np.zeros(2, np.int64), {**good, name: bad})


def test_encode__refuses_an_observer_who_is_not_at_the_table() -> None:
    table = play_table(Kind(2))
    for seat in (-2, 2):
        with pytest.raises(ValueError, match="observer"):
            encode("graph", table, table.records[:1], seat)


def test_encode__writes_zeros_for_no_observer() -> None:
    encoding_checks.check_nobody("graph")


# --- values -------------------------------------------------------------------------------------------------


@each_kind
def test_values__are_finite_and_in_the_space(kind: Kind) -> None:
    encoding_checks.check_space("graph", kind)


@pytest.mark.parametrize(
    "kind", [Kind(5, edition="preview"), Kind(5, 4), SOLO_KIND], ids=("preview", "automas", "solo")
)
def test_values__stay_in_the_space_on_the_largest_map(kind: Kind) -> None:
    encoding_checks.check_largest_map("graph", kind)


def test_values__are_the_same_alone_and_in_a_batch_of_other_maps_and_decks() -> None:
    encoding_checks.check_batch("graph")


def test_values__absent_hexes_edges_seats_and_contracts_are_zero() -> None:
    for kind in (Kind(2), Kind(4, 2), SOLO_KIND):
        table = play_table(kind)
        graphs = encode_graphs(table, table.records[::5], 1)
        hexes, contracts = int(table.boards["num_hexes"][0]), int(table.decks["num_contracts"][0])
        assert not graphs["nodes"][:, hexes:].any()
        assert not graphs["seats"][:, kind.seats :].any()
        assert not graphs["contracts"][:, contracts:].any()
        present = values_of(graphs["edges"], EDGE_PARTS, "border") + values_of(graphs["edges"], EDGE_PARTS, "link")
        assert set(np.unique(present)) == {0, 1}
        absent = present[..., 0] == 0
        for name in ("edges", "senders", "receivers"):
            assert not graphs[name][absent].any()
        assert not values_of(graphs["edges"], EDGE_PARTS, "edge_owner")[..., kind.seats :].any()


# --- nodes and edges ------------------------------------------------------------------------------------------


def test_borders__are_the_neighbours_on_the_map() -> None:
    table = play_table(Kind(3))
    board = table.boards[0]
    graphs = encode_graphs(table, table.records[:1], 0)
    there = np.flatnonzero(values_of(graphs["edges"][0], EDGE_PARTS, "border")[:, 0])
    told = set(zip(graphs["senders"][0, there].tolist(), graphs["receivers"][0, there].tolist(), strict=True))
    expected = {
        (here, int(beyond)) for here in range(MAX_HEXES) for beyond in board["neighbour"][here] if beyond != NONE
    }
    assert told == expected
    assert len(there) == len(expected)
    steps = graphs["edges"][0, there, 2:4] * (1, 2)
    for field, column in (("col", 0), ("row", 1)):
        moved = board[field][graphs["receivers"][0, there]] - board[field][graphs["senders"][0, there]]
        assert np.array_equal(moved, steps[:, column])


@pytest.mark.parametrize("kind", [Kind(4), Kind(4, 2), SOLO_KIND], ids=("players", "automas", "solo"))
def test_links__are_those_of_the_game(kind: Kind) -> None:
    table = play_table(kind)
    board = table.boards[0]
    found = 0
    for record in table.records[5::41]:
        graphs = encode_graphs(table, np.array([record]), 1)
        edges = graphs["edges"][0, NUM_BORDERS:]
        told = []
        for place in np.flatnonzero(values_of(edges, EDGE_PARTS, "link")[:, 0]):
            owner = values_of(edges[place], EDGE_PARTS, "edge_owner")
            ends = (int(graphs[name][0, NUM_BORDERS + place]) for name in ("senders", "receivers"))
            told.append((*ends, int(owner.argmax()), float(owner.max())))
        expected = []
        for link in range(record["num_links"]):
            owner, end = int(record["link_owner"][link]), int(record["link_end"][link])
            start = int(board["city_hex"][record["link_start"][link]])
            relative = (owner - 1) % kind.seats
            if end == NONE:
                expected.append((start, int(record["tail_hex"][owner]), relative, 0.5))
            else:
                goal = int(board["city_hex"][end])
                expected += [(start, goal, relative, 1.0), (goal, start, relative, 1.0)]
        assert sorted(told) == sorted(expected)
        found += len(expected)
    assert found > 100


# --- who looks, what is hidden, what is visible ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [*PLAYERS, SOLO_KIND])
def test_own_seat__comes_first_wherever_it_sits(kind: Kind) -> None:
    encoding_checks.check_own_seat_first("graph", kind)


@each_kind
def test_hidden__other_hands_deck_order_and_chance_leave_no_trace(kind: Kind) -> None:
    encoding_checks.check_hidden("graph", kind)


def test_known_contract__is_seen_by_who_knows_it() -> None:
    encoding_checks.check_known_contract("graph")


@pytest.mark.parametrize(
    ("kind", "field"), CHANGES, ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value))
)
def test_visible_field__shows_every_change_to_every_seat(kind: Kind, field: str) -> None:
    encoding_checks.check_change_shows("graph", kind, field)


@some_kinds
def test_own_hand__every_exchanged_contract_shows(kind: Kind) -> None:
    encoding_checks.check_own_hand_shows("graph", kind)


@some_kinds
def test_positions__have_equal_arrays_exactly_if_they_look_equal(kind: Kind) -> None:
    encoding_checks.check_equal_exactly_if_they_look_equal("graph", kind)


@pytest.mark.parametrize("kind", [Kind(4), SOLO_KIND], ids=("players", "solo"))
def test_links__neither_their_order_nor_their_direction_is_told(kind: Kind) -> None:
    """What the table does not show: a link laid from its other end, and before another one."""
    table = play_table(kind)
    board = table.boards[0]
    records = table.records[table.records["num_links"] > 4][::97]
    for record in records:
        other = record.copy()
        turn_round(other, board)
        swap_links(other, 0, 1)
        assert other.tobytes() != record.tobytes()
        for seat in range(kind.seats):
            both = encode_rows("graph", table, np.array([record, other]), seat)
            assert np.array_equal(both[0], both[1])
    assert len(records) > 10


def turn_round(record: np.record, board: np.record) -> None:
    """Let the first complete link have been laid from its other end."""
    for link in range(record["num_links"]):
        end = int(record["link_end"][link])
        if end == NONE:
            continue
        for edge in range(NUM_EDGES):
            beyond = int(board["neighbour"][board["city_hex"][end], edge])
            slots = [] if beyond == NONE else np.flatnonzero(record["track_link"][beyond] == link)
            if any(uses(int(record["track"][beyond, slot]), opposite(edge)) for slot in slots):
                record["link_end"][link], record["link_start"][link] = record["link_start"][link], end
                record["link_edge"][link] = edge
                return


def swap_links(record: np.record, first: int, second: int) -> None:
    """Let two links have been begun in the other order."""
    for name in ("link_owner", "link_start", "link_edge", "link_end"):
        record[name][[first, second]] = record[name][[second, first]]
    for name in ("track_link", "tail_link"):
        links = record[name].copy()
        record[name][links == first], record[name][links == second] = second, first


def test_encoding__is_the_same_in_plain_python(tmp_path: Path) -> None:
    encoding_checks.check_plain_python("graph", tmp_path)


def open_graph(
    observations: Observations, index: int, table: Table
) -> tuple[Read, Mapping[int, list[Segment]], list[list[int]]]:
    """What an observation tells, for ``rebuild``."""
    assert isinstance(observations, dict)
    graph = {name: values[index] for name, values in observations.items()}
    city_hexes = table.boards["city_hex"][0, : table.boards["num_cities"][0]]
    owners = values_of(graph["edges"][:NUM_BORDERS], EDGE_PARTS, "edge_owner")
    owners = owners.reshape(MAX_HEXES, NUM_EDGES, MAX_SEATS).swapaxes(1, 2)
    segments = {place: segments_of_edges(owners[place]) for place in np.flatnonzero(owners.any(axis=(1, 2))).tolist()}

    def read(name: str) -> np.ndarray:
        if name.startswith("city_"):
            values = values_of(graph["nodes"], HEX_PARTS, name)[city_hexes]
            absent = np.zeros((MAX_CITIES - len(city_hexes), values.shape[1]), np.float32)
            return np.concatenate([values, absent]).reshape(-1)
        key = {"seat": "seats", "contract": "contracts"}.get(name.split("_")[0], "globals")
        return values_of(graph[key], FEATURES[key], name).reshape(-1)

    coins = values_of(graph["nodes"], HEX_PARTS, "hex_coins")
    automas = int(read("seat_automa").sum())
    assert not coins[:, automas:].any()
    return read, segments, read_coins(coins[:, :automas])


@each_kind
def test_position__all_that_is_visible_can_be_read_back(kind: Kind) -> None:
    encoding_checks.check_rebuilt(kind, "graph", open_graph)
