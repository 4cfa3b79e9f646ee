"""Rule 9: goods."""

from typing import Any

import pytest

from tests.rules_steam.boards import example, is_refused, play, position, seat, words
from tests.rules_steam.engines import Engine

NETWORK = (
    *("0: Dale A5 Alder", "0: Alder B4 Usk", "1: Usk Cedar"),
    *("1: Cedar E5 F4 Birch", "2: Birch G5 Elm"),
)
OF_NOBODY = tuple(link.replace("1:", "-:") for link in NETWORK)  # seat 1 is bankrupt
BANKRUPT: dict[str, Any] = {"bankrupt": [0, 1, 0], "number": 2}
PARALLEL = ("0: Birch G5 Elm", "1: Birch F4 F6 Elm")
LOOP = ("0: Alder B4 Usk", "0: Usk C3 Toll", "0: Usk D4 Toll", "0: Usk Cedar")


def moving(engine: type[Engine], *track: str, cubes: str, **entries: Any) -> Engine:
    """A goods round; by default seat 0 is to move."""
    return position(engine, *(track or NETWORK), phase="goods", cubes=cubes, **entries)


def routes(game: Engine, number: int = 0) -> set[str]:
    """All routes of the seat, by their texts without words of actions; none if it is not asked."""
    state = game.state()
    if state["phase"] == "GOODS" and state["mover"] == number:
        texts = [text for text in game.legal() if text.startswith("from ")]
        return {route for text in texts for route in routes_after(game, text)}
    return set()


def routes_after(game: Engine, text: str) -> set[str]:
    game = play(game.copy(), text)
    told = text.partition(" ")[2]
    if game.state()["phase"] not in ("CUBE", "HOP", "OVER"):
        return {told}
    return {f"{told} {route}" for legal in game.legal() for route in routes_after(game, legal)}


# --- 9.1 and 9.2 ----------------------------------------------------------------------------------
def test_9_1_two_rounds_in_order(engine: type[Engine]) -> None:
    game = moving(engine, cubes="", order=[2, 0, 1])
    met = []
    while game.state()["phase"] == "GOODS":
        met.append((game.state()["round"], game.state()["mover"]))
        game.apply("pass")
    assert met == [(number, mover) for number in (1, 2) for mover in (2, 0, 1)]


def test_9_1_first_move_is_first_in_both(engine: type[Engine]) -> None:
    game = moving(engine, cubes="", order=[0, 1, 2], tile=[1, 6, 2])
    met = []
    while game.state()["phase"] == "GOODS":
        met.append(game.state()["mover"])
        game.apply("pass")
    assert met == [2, 0, 1] * 2


def test_9_1_a_seat_does_one_of_three(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale R", seat=0)
    assert game.legal() == ["pass", "locomotive", "from Dale"]
    for texts in (["pass"], ["locomotive"], ["from Dale", "colour red", "hop Alder", "vp"]):
        assert play(game.copy(), *texts).state()["mover"] == 1


@example(97)
def test_9_2_the_locomotive_is_improved_once_a_turn(engine: type[Engine]) -> None:
    """A seat that took tile 6 this turn may still do so."""
    game = position(engine, phase="take", money=20)
    play(game, "take 6", "take 1", "take 3", "pass", "pass", "pass")
    game.apply("locomotive")
    assert seat(game, 0, "level", "improved", "money") == (3, True, 14)
    play(game, "pass", "pass")
    assert game.state()["round"] == 2
    assert game.state()["mover"] == 1  # seat 0 has nothing left to do


def test_9_2_it_is_free_and_may_be_done_in_either_round(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale R", round=2, money=0)
    assert play(game, "locomotive").state()["level"] == [2, 1, 1]
    assert not moving(engine, cubes="Dale R", round=2, improved=[True, False, False]).legal().count("locomotive")


def test_9_2_every_turn_anew(engine: type[Engine]) -> None:
    game = play(moving(engine, cubes="", round=2), "locomotive", "pass", "pass", "take 1", "take 2", "take 3")
    play(game, "pass", "pass", "pass")
    while game.state()["mover"] != 0:
        game.apply("pass")
    assert "locomotive" in game.legal()


@example(98)
def test_9_2_at_most_level_6(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale R", level=6)
    assert "pass" in game.legal()
    assert is_refused(game, "locomotive")


# --- 9.3 to 9.5 -----------------------------------------------------------------------------------
@example(83)
def test_9_3_a_route_has_as_many_links_as_the_level(engine: type[Engine]) -> None:
    assert routes(moving(engine, cubes="Alder Y", level=1)) == set()
    assert routes(moving(engine, cubes="Alder Y", level=2)) == {"Alder yellow Usk Cedar"}


@pytest.mark.parametrize(("level", "wanted"), [(1, False), (2, True)])
def test_9_3_a_cube_that_is_too_far_away_is_not_offered(engine: type[Engine], level: int, wanted: bool) -> None:
    """Not even over own links alone."""
    game = moving(engine, "0: Alder B4 Usk", "0: Usk Cedar", cubes="Alder Y", level=level)
    assert ("from Alder" in game.legal()) == wanted


def test_9_3_only_complete_links_carry(engine: type[Engine]) -> None:
    assert routes(moving(engine, "0: Alder B4 Usk", "0: Cedar D4 >SW", cubes="Alder Y", level=6)) == set()


def test_9_3_two_incomplete_links_do_not_make_a_whole_one(engine: type[Engine]) -> None:
    """Both point at Usk, where no tile lies; the seat is asked, since it has a complete link elsewhere."""
    track = ("0: Alder B4 >SE", "0: Cedar D4 >SW", "0: Birch G5 Elm")
    game = moving(engine, *track, cubes="Alder Y", level=6)
    assert (routes(game), "from Alder" in game.legal()) == (set(), False)


def test_9_3_the_cube_may_be_anywhere(engine: type[Engine]) -> None:
    """Also in a city to which the seat has no link."""
    track = ("1: Usk Cedar", "0: Alder B4 Usk", "0: Dale A5 Alder")
    assert routes(moving(engine, *track, cubes="Cedar B", level=3)) == {"Cedar blue Usk Alder Dale"}


@example(85)
def test_9_4_it_ends_in_the_first_city_of_its_colour(engine: type[Engine]) -> None:
    assert routes(moving(engine, cubes="Dale R", level=6)) == {"Dale red Alder"}


def test_9_4_nor_does_it_go_on_where_it_may_not_end(engine: type[Engine]) -> None:
    """Over a foreign link to Alder, which is red; the way on from there would be the seat's own."""
    track = ("1: Dale A5 Alder", "0: Alder B4 Usk", "0: Usk Cedar", "0: Cedar E5 F4 Birch")
    assert routes(moving(engine, *track, cubes="Dale R", level=6)) == set()


@example(93)
@pytest.mark.parametrize(("twice", "level", "wanted"), [(False, 6, 1), (True, 3, 1), (True, 4, 2)])
def test_9_4_no_city_and_no_town_is_entered_twice(engine: type[Engine], twice: bool, level: int, wanted: int) -> None:
    """With ``towns_twice`` no single link is used twice."""
    game = moving(engine, *LOOP, cubes="Alder Y", level=level, rules={"towns_twice": twice})
    found = {"Alder yellow Usk Cedar", "Alder yellow Usk Toll Usk Cedar"}
    assert routes(game) == (found if wanted == 2 else {"Alder yellow Usk Cedar"})


def test_9_4_no_link_is_used_twice(engine: type[Engine]) -> None:
    """Without the second link to Toll there is no way back from it."""
    track = (*LOOP[:2], LOOP[3])
    game = moving(engine, *track, cubes="Alder Y", level=6, rules={"towns_twice": True})
    assert routes(game) == {"Alder yellow Usk Cedar"}


def test_9_4_the_city_of_origin_is_never_entered(engine: type[Engine]) -> None:
    """The cube is of the colour of its city, where a way round leads back to."""
    track = ("0: Alder B4 Usk", "0: Usk D4 Toll", "0: Alder B2 C3 Toll")
    assert routes(moving(engine, *track, cubes="Alder R", level=6, rules={"towns_twice": True})) == set()


@example(90)
def test_9_5_a_cube_may_leave_a_city_of_its_own_colour(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Alder R", level=3, seat=1)
    assert routes(game, 1) == {"Alder red Usk Cedar Birch"}
    assert routes(moving(engine, cubes="Alder R", level=6, seat=0)) == set()


# --- 9.6 ------------------------------------------------------------------------------------------
@example(87)
def test_9_6_own_links_at_least_as_many_as_of_any_other(engine: type[Engine]) -> None:
    assert routes(moving(engine, cubes="Cedar R", level=2)) == {"Cedar red Usk Alder"}
    assert routes(moving(engine, cubes="Cedar R", level=1, seat=1), 1) == {"Cedar red Birch"}


@example(88, 89)
@pytest.mark.parametrize(("cubes", "level", "wanted"), [("Alder", 6, False), ("Dale", 4, False), ("Dale", 5, True)])
def test_9_6_of_any_one_other(engine: type[Engine], cubes: str, level: int, wanted: bool) -> None:
    found = routes(moving(engine, cubes=f"{cubes} G", level=level))
    assert found == ({"Dale gray Alder Usk Cedar Birch Elm"} if wanted else set())


@example(91)
@pytest.mark.parametrize(("level", "wanted"), [(3, False), (4, True)])
def test_9_6_unowned_links_count_for_nobody(engine: type[Engine], level: int, wanted: bool) -> None:
    game = moving(engine, *OF_NOBODY, cubes="Alder G", level=level, **BANKRUPT)
    assert routes(game) == ({"Alder gray Usk Cedar Birch Elm"} if wanted else set())
    if wanted:
        play(game, "from Alder", "colour gray", "hop Usk", "hop Cedar", "hop Birch", "hop Elm")
        assert game.state()["chain"]["points"] == [1, 0, 1]


@example(92)
def test_9_6_at_least_one_own_link(engine: type[Engine]) -> None:
    assert routes(moving(engine, *OF_NOBODY, cubes="Cedar R", level=1, **BANKRUPT)) == set()
    assert routes(moving(engine, *OF_NOBODY, cubes="Cedar R", level=2, **BANKRUPT)) == {"Cedar red Usk Alder"}


# --- 9.7 to 9.10 ----------------------------------------------------------------------------------
@example(99)
def test_9_7_the_cube_leaves_the_map(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale RR", supply="1 G")
    before = game.state()
    after = play(game, "from Dale", "colour red", "hop Alder").state()
    assert after["cubes"] == {**before["cubes"], "Dale": "R"}
    assert after["supply"] == before["supply"]
    assert after["bag"] == {**before["bag"], "R": before["bag"]["R"] + 1}


@example(84)
def test_9_8_each_link_gives_its_owner_a_point_the_mover_decides_first(engine: type[Engine]) -> None:
    game = play(moving(engine, cubes="Alder Y", level=2), "from Alder", "colour yellow", "hop Usk", "hop Cedar")
    assert (game.state()["phase"], game.state()["mover"]) == ("SCORE", 0)
    assert game.state()["chain"] == {"points": [1, 1, 0], "of": 0}
    assert game.legal() == ["income", "vp"]
    game.apply("income")
    assert (game.state()["phase"], game.state()["mover"]) == ("SCORE", 1)
    game.apply("vp")
    assert (game.state()["income"], game.state()["vp"]) == ([1, 0, 0], [0, 1, 0])
    assert (game.state()["phase"], game.state()["mover"]) == ("GOODS", 1)


@example(86)
def test_9_8_points_by_owners(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale Y", level=3)
    play(game, "from Dale", "colour yellow", "hop Alder", "hop Usk", "hop Cedar", "vp", "vp")
    assert game.state()["vp"] == [2, 1, 0]


@example(130)
def test_9_8_then_the_others_along_the_order_track(engine: type[Engine]) -> None:
    """First Move does not change it."""
    game = moving(engine, cubes="Dale G", level=5, order=[2, 0, 1], seat=0, tile=[2, 6, 1])
    play(game, "from Dale", "colour gray", *(f"hop {stop}" for stop in ("Alder", "Usk", "Cedar", "Birch", "Elm")))
    movers = []
    while game.state()["phase"] == "SCORE":
        movers.append(game.state()["mover"])
        game.apply("vp")
    assert movers == [0, 2, 1]
    assert game.state()["vp"] == [2, 2, 1]
    assert game.state()["mover"] == 2


@example(96)
def test_9_8_points_are_not_split(engine: type[Engine]) -> None:
    game = moving(engine, cubes="Dale Y", level=3)
    play(game, "from Dale", "colour yellow", "hop Alder", "hop Usk", "hop Cedar", "income")
    assert seat(game, 0, "income", "vp") == (2, 0)


@example(95)
@pytest.mark.parametrize(
    ("income", "limit", "after"), [(9, 10, 10), (10, 10, None), (10, "none", 12), (3, 4, 4), (-1, 0, 0), (0, 0, None)]
)
def test_9_9_income_stops_at_its_limit(engine: type[Engine], income: int, limit: int | str, after: int | None) -> None:
    game = moving(engine, cubes="Dale Y", level=3, income={0: income}, rules={"income_max": limit})
    play(game, "from Dale", "colour yellow", "hop Alder", "hop Usk", "hop Cedar")
    if after is None:
        assert game.legal() == ["vp"]
        assert is_refused(game, "income")
    else:
        assert seat(play(game, "income"), 0, "income") == (after,)


@example(94)
def test_9_10_the_owner_is_asked_for_where_it_matters(engine: type[Engine]) -> None:
    """Over seat 0's link there would be no own one; after an own one both are possible."""
    game = moving(engine, *PARALLEL, cubes="Birch G", seat=1)
    play(game, "from Birch", "colour gray", "hop Elm")
    assert (game.state()["phase"], game.state()["chain"]["points"]) == ("SCORE", [0, 1, 0])
    game = moving(engine, *PARALLEL, "1: Cedar E5 E3 F2 Birch", cubes="Cedar G", level=2, seat=1)
    play(game, "from Cedar", "colour gray", "hop Birch", "hop Elm")
    assert (game.state()["phase"], game.legal()) == ("OVER", ["over player_1", "over player_0"])


def test_9_10_the_mover_chooses_between_owners(engine: type[Engine]) -> None:
    game = moving(engine, "1: Alder B4 Usk", "0: Alder B2 C3 Usk", "1: Usk Cedar", cubes="Alder Y", level=2, seat=1)
    play(game, "from Alder", "colour yellow", "hop Usk")
    assert game.state()["chain"] == {"stops": ["Alder"], "classes": [], "cube": "Y", "to": "Usk"}
    assert game.legal() == ["over player_1", "over player_0"]
    play(game, "over player_0")
    assert game.state()["chain"] == {"stops": ["Alder", "Usk"], "classes": [0], "cube": "Y"}
    assert play(game, "hop Cedar").state()["chain"] == {"points": [1, 1, 0], "of": 1}


def test_9_10_only_owners_of_links_to_that_stop(engine: type[Engine]) -> None:
    """Seat 2's link leads elsewhere, though by it the cube could be moved as well."""
    ways = ("1: Alder B4 Usk", "0: Alder A5 B6 Usk", "2: Alder B2 C3 Toll", "1: Usk Cedar", "1: Toll D4 Cedar")
    game = play(moving(engine, *ways, cubes="Alder Y", level=2, seat=1), "from Alder", "colour yellow")
    assert words(game, "hop") == {"Usk", "Toll"}
    assert play(game, "hop Usk").legal() == ["over player_1", "over player_0"]


def test_9_10_nobody_is_a_choice_of_its_own(engine: type[Engine]) -> None:
    track = ("-: Alder B4 Usk", "0: Alder B2 C3 Usk", "2: Usk Cedar")
    game = moving(engine, *track, cubes="Alder Y", level=2, seat=2, **BANKRUPT)
    play(game, "from Alder", "colour yellow", "hop Usk")
    assert game.legal() == ["over player_0", "over nobody"]
    assert play(game, "over nobody", "hop Cedar").state()["chain"]["points"] == [0, 0, 1]


def test_9_10_parallel_links_of_one_owner_are_one_choice(engine: type[Engine]) -> None:
    track = ("0: Alder B4 Usk", "0: Alder B2 C3 Usk", "0: Usk Cedar")
    game = play(moving(engine, *track, cubes="Alder Y", level=2), "from Alder", "colour yellow", "hop Usk")
    assert (game.state()["phase"], game.legal()) == ("HOP", ["hop Cedar"])


def test_9_8_points_of_the_move_are_told_until_all_are_put_down(engine: type[Engine]) -> None:
    game = moving(engine, "0: Alder B4 Usk", "1: Usk Cedar", cubes="Alder Y", level=2)
    play(game, "from Alder  colour yellow  hop Usk  hop Cedar", "vp")
    assert (game.state()["mover"], game.state()["chain"]) == (1, {"points": [1, 1, 0], "of": 0})
