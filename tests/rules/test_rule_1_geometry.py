"""Section 1 of the rules: names and neighbours, terrain, segments, crossings, the stock of tiles."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from steam_env import Game
from tests.rules.boards import EDGES, alternate, apart, can, cannot, choices, flower, links, opposite, play, position


# --- 1.1 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("col", "neighbours"),
    [(4, ["D2", "E3", "E5", "D6", "C5", "C3"]), (26, ["Z2", "AA3", "AA5", "Z6", "Y5", "Y3"])],  # past column Z comes AA
)
def test_rule_1_1__six_neighbours_in_doubled_coordinates(col: int, neighbours: list[str]) -> None:
    cells = {(at, row): "." for at in range(col - 2, col + 3) for row in range(1, 8) if (at + row) % 2 == 0}
    board = {**cells, (1, 1): ".", (col, 4): "Ames"}
    for edge, onward, neighbour in zip(EDGES, (*EDGES[1:], EDGES[0]), neighbours, strict=True):
        game = play(position(board), f"start Ames {edge}, head {onward}")
        assert links(game) == [f"0: Ames {neighbour} > {onward}"]


# --- 1.2 ----------------------------------------------------------------------------------------------
def test_rule_1_2__plains_hills_and_mountains_carry_track_water_city_and_void_do_not() -> None:
    cells = flower("A", {"N": ".", "NE": "h", "SE": "m", "S": "~", "SW": "B"})
    del cells[3, 3]  # the hex to the north-west
    game = position({**cells, (4, 8): ".", (3, 1): ".", (6, 2): ".", (6, 6): ".", (1, 1): "."}, money=4)
    can(game, "start Ames N, start Ames NE, start Ames SE")
    cannot(game, "start Ames S, start Ames SW, start Ames NW", "4.1")


# --- 1.3 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("entry", EDGES)
def test_rule_1_3__straights_curves_and_tight_curves_from_each_edge_to_the_others(entry: str) -> None:
    def before_d4(**used: int) -> Game:
        return play(position(flower(petals={entry: "A"}), used=used), f"start Ames {opposite(entry)}")

    game = before_d4()
    assert choices(game, "head") == set(EDGES) - {entry}
    cannot(game, f"head {entry}", "1.3")
    for far in sorted(choices(game, "head")):
        assert links(play(game.clone(), f"head {far}")) == [f"0: Ames D4 > {far}"]
    assert choices(before_d4(simple=80), "head") == {far for far in EDGES if apart(entry, far) == 1}
    assert choices(before_d4(tight=10), "head") == {far for far in EDGES if apart(entry, far) in (2, 3)}


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


def test_rule_1_4__exactly_the_pairs_cross_whose_edges_alternate() -> None:
    assert len(ALL_PAIRS) == 15
    found = crossings()
    assert found == CROSSING
    # Straights have edges three apart, curves two; a tight curve never crosses.
    bends = Counter(tuple(sorted(apart(*pair) for pair in crossing)) for crossing in found)
    assert bends == {(3, 3): 3, (2, 3): 6, (2, 2): 6}


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


# Links, tiles that lie elsewhere, what is played; then what is legal, and what has no tile left.
STOCKED: dict[str, tuple[list[str], dict[str, int], str, str, str]] = {
    "the eightieth, a straight": (
        *([], {"simple": 79}, "start Ames SE, head SE"),
        *("head N, head SW", "head SE, head NE, head S"),  # tight curves have a stock of their own
    ),
    "the eightieth, a curve": (
        *([], {"simple": 79}, "start Ames SE, head S"),
        *("head NE, head NW", "head SE, head S, head SW"),
    ),
    "no tight curve": ([TO_E5], {"tight": 10}, "", "head S, head SE, head NE", "head N, head SW"),
    "the tenth of two straights": ([OTHER, TO_E5], {"straights": 9}, "", "head SE", ""),
    "no two straights": ([OTHER, TO_E5], {"straights": 10}, "", "head NE", "head SE"),
    "two straights as the tenth tight": (
        *([OTHER, TO_E5], {"tight": 9}, "head SE"),
        *("head NE, head SE, head S", "head N, head SW"),
    ),
    "two straights in place of tight": ([TO_E5], {"straights": 10}, "", "head NE, head SE, head S", "head N, head SW"),
    "tight in place of two straights": ([OTHER, TO_E5], {"tight": 10}, "", "", "head SE"),
    "the tenth of straight by curve": ([OTHER, TO_E5], {"curved": 9}, "", "head NE", ""),
    "no straight by curve": ([OTHER, TO_E5], {"curved": 10}, "", "head SE", "head NE"),
    "a crossing returns the tile": ([OTHER, TO_E5], {"simple": 78}, "head SE", "head SE, head NE, head S", ""),
    "which is laid again": ([OTHER, TO_E5], {"simple": 78}, "head SE, head SE", "", "head SE, head NE"),
    "before a removal": (["0: Ames D4 E5 > SE"], {"simple": 78}, "", "", "head SE, head NE, head S"),
    "a removed tile": (["0: Ames D4 E5 > SE"], {"simple": 78}, "remove", "head SE, head NE, head S", ""),
    "a removed tight curve": (["0: Ames D4 > N"], {"tight": 9}, "remove, start Ames SE", "head N, head SW", ""),
    "a removed crossing": ([OTHER, "0: Ames D4 E5 > SE"], {"straights": 9}, "remove", "head SE", ""),
    "replaced, simple first back": ([TO_E5], {"simple": 79}, "", "replace S, replace NE", ""),
    "replaced, tight first back": (["0: Ames D4 > SW"], {"tight": 9}, "", "replace N", ""),
    "replaced just after laying": ([], {"tight": 9}, "start Ames SE, head N", "replace SW", ""),
    "a tight curve replaced by another kind": (
        *(["0: Ames D4 > SW"], {"tight": 9}, "replace SE", "head N, head SW", ""),
    ),
    "a straight replaced by another kind": ([TO_E5], {"simple": 79}, "replace SW", "head S, head NW, head SW", ""),
    "two straights replaced": ([OTHER, "0: Ames D4 E5 > SE"], {"straights": 9}, "replace NE", "replace SE", ""),
    "no tight curve to replace with": ([TO_E5], {"tight": 10}, "", "replace S, replace NE", "replace N, replace SW"),
    "no simple tile to replace with": (
        *(["0: Ames D4 > N"], {"simple": 80}, "", "replace SW", "replace S, replace SE, replace NE"),
    ),
    "no curved crossing to replace with": ([OTHER, "0: Ames D4 E5 > SE"], {"curved": 10}, "", "", "replace NE"),
    "no two straights to replace with": ([OTHER, "0: Ames D4 E5 > NE"], {"straights": 10}, "", "", "replace SE"),
    "no simple tile for what stays of two straights": (  # D4 is the eightieth
        *([OTHER, "0: Ames D4 E5 > SE"], {"simple": 79}, "", "replace NE", "remove"),
    ),
    "no simple tile for what stays of straight by curve": (
        *([OTHER, "0: Ames D4 E5 > NE"], {"simple": 79}, "", "replace SE", "remove"),
    ),
}


@pytest.mark.parametrize(("before", "used", "actions", "legal", "lacking"), STOCKED.values(), ids=STOCKED)
def test_rule_1_5__the_stock_of_tiles_is_limited(
    before: list[str], used: dict[str, int], actions: str, legal: str, lacking: str
) -> None:
    game = position(STRAIGHT_AHEAD, *before, used=used)
    if actions:
        play(game, actions)
    if lacking:
        cannot(game, lacking, "1.5")
    if legal:
        can(game, legal)


def test_rule_1_5__with_none_of_any_kind_a_link_cannot_be_started() -> None:
    game = position(STRAIGHT_AHEAD, used={"simple": 80, "tight": 10})
    assert not [start for start in choices(game, "start") if start.startswith(("Ames", "Boone", "Clinton"))]
    cannot(game, "start Ames SE", "1.5 or 4.4")


@pytest.mark.parametrize("before", [TO_E5, "0: Dyson D6 > NE"])  # curve by curve, straight by curve
def test_rule_1_5__curve_by_curve_and_straight_by_curve_share_one_stock(before: str) -> None:
    assert "NE" in choices(position(CURVE_AHEAD, OTHER, before, used={"curved": 9}), "head")
    cannot(position(CURVE_AHEAD, OTHER, before, used={"curved": 10}), "head NE", "1.5")
    replaced = position(flower(petals={"N": "B", "NE": "A"}), "1: Boone D4 > SE", "0: Ames D4 > S", used={"curved": 9})
    assert choices(replaced, "replace") == {"SW", "NW"}  # curve by curve becomes straight by curve or another
