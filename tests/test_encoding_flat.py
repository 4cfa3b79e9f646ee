from typing import Any

import numpy as np
import pytest

from steam_env.core.fields import NONE
from steam_env.core.hexes import EDGE_STEPS
from steam_env.core.steam_power.state import MAX_CITIES, MAX_CONTRACTS, MAX_HEXES, MAX_SEATS
from steam_env.data.steam_power.rules import AUTOMA_LEVELS, MAX_ROUNDS_ALLOWED
from steam_env.encoding.steam_power.board_features import BOARD_FEATURES, make_board_features
from steam_env.encoding.steam_power.flat import COIN_BASE, FLAT_SIZE, LAYOUT, NUM_LEVELS, ROUNDS_SCALE
from tests.encoding_checks import encode, open_flat, values_of
from tests.seen import positions

MAX_LENGTH = 3072


def part_of(rows: np.ndarray, name: str) -> Any:
    """The part of that name, of one row or of many."""
    return values_of(rows, LAYOUT, name)


# --- layout -----------------------------------------------------------------------------------------------


def test_layout__is_short_enough_and_its_scales_fit_the_rules() -> None:
    assert FLAT_SIZE <= MAX_LENGTH
    assert ROUNDS_SCALE == MAX_ROUNDS_ALLOWED
    assert len(AUTOMA_LEVELS) == NUM_LEVELS


def test_values__absent_seats_cities_hexes_and_contracts_are_zero() -> None:
    filled = set()
    for kind in ("two", "one and automa", "preview", "two and two automas", "solo"):
        batch = positions(kind)
        rows, setting = encode("flat", batch.setting, batch.records, 1), batch.setting
        sizes = {"seat_": (MAX_SEATS, batch.rules.companies), "city_": (MAX_CITIES, setting.boards["num_cities"][0])}
        sizes |= {"contract_": (MAX_CONTRACTS, setting.decks["num_contracts"][0])}
        sizes |= {"track_": (MAX_HEXES, setting.boards["num_hexes"][0])}
        for part in LAYOUT:
            values = part_of(rows, part.name)
            filled |= {part.name} if values.any() else set()
            for prefix, (capacity, present) in sizes.items():
                if part.name.startswith(prefix):
                    assert not values.reshape(len(rows), capacity, -1)[:, present:].any(), part.name
    assert filled == {part.name for part in LAYOUT}


# --- numbers that are far apart, or large -------------------------------------------------------------------


@pytest.mark.parametrize("amount", [0, 19, 20, 199, 200, 5000, 34777, 1 << 24])
def test_money__is_told_apart_however_much_it_is(amount: int) -> None:
    batch = positions("two")
    records = batch.records[[-1, -1]].copy()
    records["money"][:, 1] = amount, amount - 1 if amount else 1
    one, other = encode("flat", batch.setting, records, 0)
    assert not np.array_equal(one, other)


def test_automas__four_long_coin_paths_over_the_same_hexes_stay_exact() -> None:
    batch = positions("one and four automas")
    records, hexes = batch.records[:1].copy(), int(batch.setting.boards["num_hexes"][0])
    rng = np.random.default_rng(0)
    paths = [rng.permutation(hexes)[: min(hexes, COIN_BASE - 1)].tolist() for _ in range(4)]
    for number, path in enumerate(paths):
        records["coins"][0, number] = 0
        records["coins"][0, number, : len(path)] = path
        records["num_coins"][0, number] = len(path)
    assert open_flat(encode("flat", batch.setting, records, 0)[0], batch.setting).coins == paths


# --- solo -------------------------------------------------------------------------------------------------


def test_solo__purse_and_score_stand_at_the_company_that_looks_and_there_are_no_rivals() -> None:
    batch = positions("solo")
    for seat in range(5):
        rows = encode("flat", batch.setting, batch.records, seat)
        assert np.array_equal(part_of(rows, "seat_money_near")[:, 0] > 0, batch.records["money"][:, 0] > 0)
        assert part_of(rows, "seat_score")[:, 0].any()
        for name in ("seat_money_near", "seat_money_far", "seat_money_exact", "seat_score"):
            assert not part_of(rows, name)[:, 1:].any()
        for name in ("seat_to_end", "seat_first"):
            assert not part_of(rows, name).any()


def test_solo__the_eighth_round_is_the_last() -> None:
    batch = positions("solo")
    records = np.repeat(batch.records[:1], 8)
    records["round_number"] = rounds = np.arange(1, 9)
    rows = encode("flat", batch.setting, records, 0)
    assert np.array_equal(part_of(rows, "rounds_played")[:, 0], ((rounds - 1) / 8).astype(np.float32))
    assert np.array_equal(part_of(rows, "rounds_left")[:, 0], ((8 - rounds) / 20).astype(np.float32))
    assert np.array_equal(part_of(rows, "end_triggered")[:, 0], rounds == 8)


# --- static features --------------------------------------------------------------------------------------


def test_board_features__are_fresh_arrays_as_described() -> None:
    setting = positions("two").setting
    board, deck = setting.boards[0], setting.decks[0]
    features, again = make_board_features(board, deck), make_board_features(board, deck)
    assert list(features) == list(BOARD_FEATURES)
    for name, values in features.items():
        assert BOARD_FEATURES[name].startswith(f"{values.shape} {values.dtype}:"), name
        assert values.flags.writeable
        assert np.array_equal(values, again[name])
        for other in (again[name], setting.boards, setting.decks):
            assert not np.shares_memory(values, other)


def test_board_features__tell_map_and_deck() -> None:
    setting = positions("two").setting
    board, deck = setting.boards[0], setting.decks[0]
    features = make_board_features(board, deck)
    hexes, cities, contracts = int(board["num_hexes"]), int(board["num_cities"]), int(deck["num_contracts"])
    assert np.array_equal(features["hex_terrain"][:hexes].argmax(1), board["terrain"][:hexes])
    assert not features["hex_terrain"][hexes:].any()
    assert np.array_equal(features["hex_city"][features["city_hex"][:cities]], np.arange(cities))
    for edge, step in enumerate(EDGE_STEPS):
        near = np.flatnonzero(features["hex_neighbour"][:hexes, edge] != NONE)
        far = features["hex_neighbour"][near, edge]
        assert ((features["hex_position"][far] - features["hex_position"][near]) == step).all()
    assert np.array_equal(features["contract_counts"].sum(1), deck["num_needs"])
    assert features["contract_bonus"].sum() == contracts
    assert (features["contract_icon"][contracts:] == NONE).all()
    assert np.array_equal(features["target_rule"], deck["target_rule"])
