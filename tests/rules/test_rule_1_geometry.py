"""Section 1 of the rules: names and neighbours, terrain, segments, crossings, the stock of tiles."""

from itertools import combinations, permutations
from typing import Any

import pytest

from steam_env.kit.errors import ScenarioError
from steam_env.table.game import Game
from tests.rules.boards import (
    EDGES,
    alternate,
    apart,
    can,
    cannot,
    choices,
    flower,
    links,
    opposite,
    play,
    position,
)


# --- 1.1 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("edge", "neighbour"),
    [("N", "D2"), ("NE", "E3"), ("SE", "E5"), ("S", "D6"), ("SW", "C5"), ("NW", "C3")],
)
def test_rule_1_1__six_neighbours_in_doubled_coordinates(edge: str, neighbour: str) -> None:
    game = position(
        {(col, row): "." for col in range(2, 7) for row in range(1, 8) if (col + row) % 2 == 0}
        | {(1, 1): ".", (4, 4): "Ames"}
    )
    onward = EDGES[(EDGES.index(edge) + 1) % 6]
    play(game, f"start Ames {edge}, head {onward}")
    assert links(game) == [f"0: Ames {neighbour} > {onward}"]


@pytest.mark.parametrize(
    ("edge", "neighbour"),
    [("N", "Z2"), ("NE", "AA3"), ("SE", "AA5"), ("S", "Z6"), ("SW", "Y5"), ("NW", "Y3")],
)
def test_rule_1_1__past_column_z_comes_aa(edge: str, neighbour: str) -> None:
    cells = {(col, row): "." for col in range(23, 30) for row in range(1, 9) if (col + row) % 2 == 0}
    game = position({**cells, (1, 1): ".", (26, 4): "Ames"})
    onward = EDGES[(EDGES.index(edge) + 1) % 6]
    play(game, f"start Ames {edge}, head {onward}")
    assert links(game) == [f"0: Ames {neighbour} > {onward}"]


def test_rule_1_1__a_hex_has_an_even_sum_of_column_and_row() -> None:
    table: dict[str, Any] = {"cities": "W", "map": {"name": "odd", "cities": ["Ames"], "hexes": {"A1": "city"}}}
    for hexes in ({"A1": "city", "B2": "plains", "A3": "plains"}, {"A1": "city", "AA1": "plains", "AB2": "plains"}):
        Game.from_scenario({**table, "map": {**table["map"], "hexes": hexes}}, seed=0)
    for odd in ("A2", "B1", "Z1", "AA2", "AB1", "A0"):
        with pytest.raises(ScenarioError, match="hexes"):
            Game.from_scenario({**table, "map": {**table["map"], "hexes": {"A1": "city", odd: "plains"}}}, seed=0)


# --- 1.2 ----------------------------------------------------------------------------------------------
def test_rule_1_2__plains_hills_and_mountains_carry_track_water_city_and_void_do_not() -> None:
    cells = flower("A", {"N": ".", "NE": "h", "SE": "m", "S": "~", "SW": "B"})
    del cells[3, 3]  # the hex to the north-west
    game = position({**cells, (4, 8): ".", (3, 1): ".", (6, 2): ".", (6, 6): ".", (1, 1): "."}, money=4)
    can(game, "start Ames N, start Ames NE, start Ames SE")
    cannot(game, "start Ames S, start Ames SW, start Ames NW", "4.1")


def test_rule_1_2__the_map_knows_no_other_terrain() -> None:
    for mark in "rR#0":
        with pytest.raises(ScenarioError, match="map"):
            position({**flower("A"), (4, 8): mark})


# --- 1.3 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("entry", EDGES)
def test_rule_1_3__from_each_edge_to_each_of_the_five_others(entry: str) -> None:
    game = position(flower(petals={entry: "A"}))
    play(game, f"start Ames {opposite(entry)}")
    assert choices(game, "head") == set(EDGES) - {entry}
    cannot(game, f"head {entry}", "1.3")
    for far in sorted(choices(game, "head")):
        laid = game.clone()
        play(laid, f"head {far}")
        assert links(laid) == [f"0: Ames D4 > {far}"]


@pytest.mark.parametrize("entry", EDGES)
def test_rule_1_3__straight_curve_and_tight_curve_by_the_distance_of_the_edges(entry: str) -> None:
    without_simple = position(flower(petals={entry: "A"}), used={"simple": 80})
    play(without_simple, f"start Ames {opposite(entry)}")
    assert choices(without_simple, "head") == {far for far in EDGES if apart(entry, far) == 1}
    without_tight = position(flower(petals={entry: "A"}), used={"tight": 10})
    play(without_tight, f"start Ames {opposite(entry)}")
    assert choices(without_tight, "head") == {far for far in EDGES if apart(entry, far) in (2, 3)}


# --- 1.4 ----------------------------------------------------------------------------------------------
def crossings(**used: int) -> set[frozenset[frozenset[str]]]:
    """The crossings of two segments that the game allows, found by trying every pair on hex D4.

    Seat 1's segment is laid first, and both begin in a city.
    """
    found = set()
    for first_in, first_out, entry in permutations(EDGES, 3):
        cells = flower(petals={first_in: "B", entry: "A"})
        game = position(cells, f"1: Boone D4 > {first_out}", used=used)
        if f"Ames {opposite(entry)}" not in choices(game, "start"):
            continue
        play(game, f"start Ames {opposite(entry)}")
        for far in choices(game, "head"):
            found.add(frozenset({frozenset({first_in, first_out}), frozenset({entry, far})}))
    return found


ALL_PAIRS = [frozenset(pair) for pair in combinations(EDGES, 2)]
CROSSING = {frozenset({a, b}) for a, b in combinations(ALL_PAIRS, 2) if alternate(tuple(a), tuple(b))}


def bends(crossing: frozenset[frozenset[str]]) -> list[int]:
    return sorted(apart(*pair) for pair in crossing)


def test_rule_1_4__exactly_the_pairs_cross_whose_edges_alternate() -> None:
    assert len(ALL_PAIRS) == 15
    found = crossings()
    assert found == CROSSING
    by_bends = [bends(crossing) for crossing in found]
    assert by_bends.count([3, 3]) == 3  # straight x straight
    assert by_bends.count([2, 3]) == 6  # straight x curve
    assert by_bends.count([2, 2]) == 6  # curve x curve
    assert len(by_bends) == 15  # a tight curve never crosses


@pytest.mark.parametrize("far", ["SE", "N", "S", "NW"])
def test_rule_1_4__two_segments_that_do_not_cross_are_refused(far: str) -> None:
    game = position(flower(petals={"N": "B", "SW": "A", "NE": "C"}), "1: Boone D4 > S")
    play(game, "start Ames NE")  # onto D4 by its edge SW
    if far == "SE":
        can(game, "head SE, head NE")
        assert choices(game, "head") == {"SE", "NE"}
    else:
        cannot(game, f"head {far}", "1.4")


def test_rule_1_4__no_third_segment_even_if_it_would_cross_both() -> None:
    board = flower(petals={"N": "B", "SW": "C", "NW": "A"})
    game = position(board, "1: Boone D4 > S", seats=3)
    can(game, "start Ames SE")
    game = position(board, "1: Boone D4 > S", "2: Clinton D4 > NE", seats=3)
    cannot(game, "start Ames SE", "4.1 or 1.4")


def test_rule_1_4__both_segments_of_a_crossing_remain_what_they_were() -> None:
    game = position(flower(petals={"N": "B", "SW": "A"}), "1: Boone D4 > S")
    play(game, "start Ames NE, head SE")
    assert links(game) == ["1: Boone D4 > S", "0: Ames D4 > SE"]


# --- 1.5 ----------------------------------------------------------------------------------------------
# Seat 0 stands before hex E5, which it enters by the edge NW; straight on is SE.
# Seat 1's track on E5 goes straight from N to S.
STRAIGHT_AHEAD = """
    . . . . .
     . . . .
    . A B . .
     . . . .
    . . . . .
     . . . .
    . . C . .
     . . . .
"""
TO_E5 = "0: Ames D4 > SE"
OTHER = "1: Boone E5 Clinton"
# Here seat 1's track on E5 is a curve from N to SE, and seat 0 can enter E5 by NW (curve) or by SW (straight).
CURVE_AHEAD = """
    . . . . .
     . . . .
    . A B . .
     . . . .
    . . . . .
     . . C .
    . D . . .
     . . . .
"""


def test_rule_1_5__eighty_straights_and_curves_share_one_stock() -> None:
    game = position(STRAIGHT_AHEAD, used={"simple": 79})
    play(game, "start Ames SE, head SE")  # the eightieth
    cannot(game, "head SE, head NE, head S", "1.5")
    can(game, "head N, head SW")  # tight curves have a stock of their own
    assert choices(game, "head") == {"N", "SW"}


def test_rule_1_5__a_curve_takes_the_last_simple_tile_as_well() -> None:
    game = position(STRAIGHT_AHEAD, used={"simple": 79})
    play(game, "start Ames SE, head S")
    assert choices(game, "head") == {"NE", "NW"}  # tight, coming from the north
    cannot(game, "head SE, head S, head SW", "1.5")


def test_rule_1_5__with_none_of_any_kind_a_link_cannot_be_started() -> None:
    game = position(STRAIGHT_AHEAD, used={"simple": 80, "tight": 10})
    assert not [start for start in choices(game, "start") if start.startswith(("Ames", "Boone", "Clinton"))]
    cannot(game, "start Ames SE", "1.5 or 4.4")


def test_rule_1_5__ten_tight_curves() -> None:
    game = position(STRAIGHT_AHEAD, used={"tight": 9})
    play(game, "start Ames SE, head N")
    cannot(game, "replace NW", "1.3")
    can(game, "replace SW")  # the tight tile is back before the new one is taken
    game = position(STRAIGHT_AHEAD, TO_E5, used={"tight": 10})
    cannot(game, "head N, head SW", "1.5")
    can(game, "head S, head SE, head NE")


def test_rule_1_5__ten_straight_crossings() -> None:
    last = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"straights": 9})
    can(last, "head SE")
    none = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"straights": 10})
    cannot(none, "head SE", "1.5")
    can(none, "head NE")  # a crossing with a curve has a stock of its own


def test_rule_1_5__tight_curves_and_straight_crossings_share_one_stock() -> None:
    crossing = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"tight": 9})
    play(crossing, "head SE")  # the tenth of that kind
    cannot(crossing, "head N, head SW", "1.5")  # tight
    can(crossing, "head NE, head SE, head S")
    tight = position(STRAIGHT_AHEAD, TO_E5, used={"straights": 10})
    cannot(tight, "head N, head SW", "1.5")
    can(tight, "head NE, head SE, head S")
    none = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"tight": 10})
    cannot(none, "head SE", "1.5")


def test_rule_1_5__ten_straight_by_curve_crossings() -> None:
    last = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"curved": 9})
    can(last, "head NE")
    none = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"curved": 10})
    cannot(none, "head NE", "1.5")
    can(none, "head SE")  # straight x straight


def test_rule_1_5__curve_by_curve_and_straight_by_curve_share_one_stock() -> None:
    curve = position(CURVE_AHEAD, OTHER, TO_E5, used={"curved": 9})
    assert choices(curve, "head") == {"NE"}  # from NW, across the curve from N to SE
    play(curve, "head NE")  # curve x curve, the tenth of that kind
    none = position(CURVE_AHEAD, OTHER, TO_E5, used={"curved": 10})
    cannot(none, "head NE", "1.5")
    from_southwest = "0: Dyson D6 > NE"
    can(position(CURVE_AHEAD, OTHER, from_southwest, used={"curved": 9}), "head NE")
    cannot(position(CURVE_AHEAD, OTHER, from_southwest, used={"curved": 10}), "head NE", "1.5")


def test_rule_1_5__the_stock_is_one_for_all_seats() -> None:
    game = position(STRAIGHT_AHEAD, used={"simple": 79}, turn={"seat": 0, "actions_left": 1})
    play(game, "start Ames SE, head SE, done")
    assert game.seat == 1
    play(game, "start Boone S")
    assert choices(game, "head") == {"NE"}  # tight; seat 0 took the last simple tile


def test_rule_1_5__a_crossing_returns_the_tile_that_it_replaces() -> None:
    game = position(STRAIGHT_AHEAD, OTHER, TO_E5, used={"simple": 78})  # with D4 and E5 all eighty
    play(game, "head SE")  # E5's straight goes back
    can(game, "head SE, head NE, head S")
    play(game, "head SE")  # and is laid here
    cannot(game, "head SE, head NE", "1.5")


def test_rule_1_5__a_removed_tile_is_back_in_stock() -> None:
    game = position(STRAIGHT_AHEAD, "0: Ames D4 E5 > SE", used={"simple": 78})
    cannot(game, "head SE, head NE, head S", "1.5")
    play(game, "remove")
    can(game, "head SE, head NE, head S")
    game = position(STRAIGHT_AHEAD, "0: Ames D4 > N", used={"tight": 9})
    play(game, "remove, start Ames SE")
    can(game, "head N, head SW")


def test_rule_1_5__a_replaced_tile_is_back_before_the_new_one_is_taken() -> None:
    simple = position(STRAIGHT_AHEAD, TO_E5, used={"simple": 79})
    can(simple, "replace S, replace NE")
    tight = position(STRAIGHT_AHEAD, "0: Ames D4 > SW", used={"tight": 9})
    can(tight, "replace N")
    curved = position(flower(petals={"N": "B", "NE": "A"}), "1: Boone D4 > SE", "0: Ames D4 > S", used={"curved": 9})
    can(curved, "replace SW, replace NW")  # curve x curve becomes straight x curve or another curve x curve
    assert choices(curved, "replace") == {"SW", "NW"}


def test_rule_1_5__a_replaced_tile_of_another_kind_stays_in_stock() -> None:
    tight = position(STRAIGHT_AHEAD, "0: Ames D4 > SW", used={"tight": 9})
    play(tight, "replace SE")
    can(tight, "head N, head SW")
    simple = position(STRAIGHT_AHEAD, TO_E5, used={"simple": 79})
    play(simple, "replace SW")
    can(simple, "head S, head NW, head SW")
    straights = position(STRAIGHT_AHEAD, OTHER, "0: Ames D4 E5 > SE", used={"straights": 9})
    play(straights, "replace NE")
    can(straights, "replace SE")


def test_rule_1_5__a_replacement_of_a_kind_with_none_left_is_illegal() -> None:
    game = position(STRAIGHT_AHEAD, TO_E5, used={"tight": 10})
    cannot(game, "replace N, replace SW", "1.5")
    can(game, "replace S, replace NE")
    game = position(STRAIGHT_AHEAD, "0: Ames D4 > N", used={"simple": 80})
    cannot(game, "replace S, replace SE, replace NE", "1.5")
    can(game, "replace SW")
    game = position(STRAIGHT_AHEAD, OTHER, "0: Ames D4 E5 > SE", used={"curved": 10})
    cannot(game, "replace NE", "1.5")
    game = position(STRAIGHT_AHEAD, OTHER, "0: Ames D4 E5 > NE", used={"straights": 10})
    cannot(game, "replace SE", "1.5")


@pytest.mark.parametrize("open_edge", ["SE", "NE"])  # straight x straight, straight x curve
def test_rule_1_5__removing_from_a_crossing_needs_a_simple_tile_for_what_remains(open_edge: str) -> None:
    crossing = f"0: Ames D4 E5 > {open_edge}"
    none = position(STRAIGHT_AHEAD, OTHER, crossing, used={"simple": 79})  # D4 is the eightieth
    cannot(none, "remove", "1.5")
    can(none, f"replace {'NE' if open_edge == 'SE' else 'SE'}")
    one = position(STRAIGHT_AHEAD, OTHER, crossing, used={"simple": 78})
    play(one, "remove")
    assert links(one, 0, 1) == [OTHER, TO_E5]


def test_rule_1_5__what_remains_of_a_crossing_takes_its_simple_tile() -> None:
    game = position(STRAIGHT_AHEAD, OTHER, "0: Ames D4 E5 > SE", used={"simple": 78})
    play(game, "remove, done, money")  # the eightieth lies on E5 now
    play(game, "start Boone NE")
    assert choices(game, "head") == {"NW", "S"}  # tight


def test_rule_1_5__a_crossing_removed_is_back_in_stock_for_the_next() -> None:
    game = position(STRAIGHT_AHEAD, OTHER, "0: Ames D4 E5 > SE", used={"straights": 9})
    play(game, "remove, head SE")
    assert links(game, 0) == ["0: Ames D4 E5 > SE"]
