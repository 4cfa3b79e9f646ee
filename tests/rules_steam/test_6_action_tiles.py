"""Rule 6: action tiles."""

from typing import Any

import pytest

from tests.rules_steam.boards import TINY, example, is_refused, play, position, seat, words
from tests.rules_steam.engines import Engine

NO_TOWNS: dict[str, Any] = {**TINY, "towns": [], "rows": TINY["rows"].replace("o", ".")}
ALL_NEW = {"red": 1, "yellow": 1, "purple": 1, "blue": 1, "gray": 4}


def choose(engine: type[Engine], **entries: Any) -> Engine:
    """Seat 0 is the first to take a tile."""
    return position(engine, phase="take", **{"supply": "1 RP", **entries})


def make_towns(count: int) -> dict[str, Any]:
    """A city and so many towns in a row."""
    return {
        "name": "row",
        "cities": [{"name": "Ash", "color": "red"}],
        "towns": [f"Ern-{number}" for number in range(count)],
        "rows": "@ " + "o " * count + "\n" + " ." * (count + 1),
    }


def test_6_1_each_seat_takes_a_tile_that_nobody_has(engine: type[Engine]) -> None:
    game = choose(engine, order=[1, 2, 0])
    assert game.legal() == [*(f"take {number}" for number in range(1, 8)), "take 5 pass", "take 7 pass"]
    movers = []
    for tile in (3, 7, 1):
        movers.append(game.state()["mover"])
        game.apply(f"take {tile}")
        assert game.state()["phase"] == "BUILD" or not words(game, "take") & {str(tile), f"{tile} pass"}
    assert movers == [1, 2, 0]
    assert game.state()["tile"] == [1, 3, 7]


def test_6_1_nobody_may_go_without_one(engine: type[Engine]) -> None:
    assert is_refused(choose(engine), "pass")


@example(4)
def test_6_1_locomotive_is_paid_by_the_new_level(engine: type[Engine]) -> None:
    game = play(choose(engine, level=4, money=3, income=2), "take 6")
    assert seat(game, 0, "money", "income", "level") == (4, 0, 5)


@pytest.mark.parametrize(
    ("action", "cost"),
    [("take 1", 0), ("take 2", 0), ("take 3", 0), ("take 4", 0), ("take 5", 2), ("take 6", 6), ("take 7", 6)],
)
def test_6_1_what_tiles_cost(engine: type[Engine], action: str, cost: int) -> None:
    game = play(choose(engine, money=20), action)
    assert seat(game, 0, "money", "income", "tile") == (20 - cost, 0, int(action[-1]))
    assert seat(game, 0, "to_do", "passed") == (action in ("take 5", "take 7"), False)


@example(14)
def test_6_1_first_build_is_first_in_phase_2_alone(engine: type[Engine]) -> None:
    game = play(choose(engine), "take 1", "take 4", "take 3")
    assert list_movers(game, "BUILD") == [1, 0, 2]
    assert list_movers(game, "GOODS") == [0, 1, 2] * 2


@example(14)
def test_6_1_first_move_is_first_in_both_rounds(engine: type[Engine]) -> None:
    game = play(choose(engine), "take 1", "take 3", "take 2")
    assert list_movers(game, "BUILD") == [0, 1, 2]
    assert list_movers(game, "GOODS") == [2, 0, 1] * 2


def list_movers(game: Engine, phase: str) -> list[int]:
    """Who is asked as the phase is passed through."""
    movers = []
    while game.state()["phase"] == phase:
        movers.append(game.state()["mover"])
        game.apply("pass")
    return movers


@example(9)
def test_6_2_a_passed_tile_is_not_paid_does_nothing_and_counts(engine: type[Engine]) -> None:
    game = play(choose(engine, money=20), "take 5 pass", "take 6", "take 2")
    assert seat(game, 0, "money", "passed", "to_do") == (20, True, False)
    assert game.state()["phase"] == "BUILD"
    assert "pass" in game.legal()
    assert not words(game, "grow")
    play(game, *["pass"] * 9)
    assert game.state()["order"] == [2, 0, 1]


def test_6_2_only_5_and_7_may_be_passed(engine: type[Engine]) -> None:
    game = choose(engine)
    assert {text for text in game.legal() if text.endswith("pass")} == {"take 5 pass", "take 7 pass"}
    assert is_refused(game, "take 6 pass")


@example(10)
def test_6_3_city_growth_needs_cubes_in_the_supply(engine: type[Engine]) -> None:
    game = choose(engine, supply="")
    assert is_refused(game, "take 5")
    assert "take 5 pass" in game.legal()


def test_6_3_city_growth_needs_a_city_without_marker(engine: type[Engine]) -> None:
    cities = [city["name"] for city in TINY["cities"]]
    assert "take 5" in choose(engine, grown=cities[1:], new_cities={"Usk": "red"}).legal()
    game = choose(engine, grown=cities, new_cities={"Usk": "red"})
    assert "take 5" not in game.legal()
    assert "take 5 pass" in game.legal()


def test_6_3_city_growth_needs_a_marker(engine: type[Engine]) -> None:
    names = [f"Ash{letter}" for letter in "abcdefghijk"]
    board = {
        "name": "many",
        "cities": [{"name": name, "color": "red"} for name in names],
        "rows": "@ " * len(names),
    }
    assert "take 5" in choose(engine, map=board, grown=names[:9]).legal()
    game = choose(engine, map=board, grown=names[:10])
    assert game.state()["markers_left"] == 0
    assert is_refused(game, "take 5")


@example(11)
@pytest.mark.parametrize("board", [NO_TOWNS, TINY])
def test_6_4_urbanization_needs_a_town(engine: type[Engine], board: dict[str, Any]) -> None:
    new = {"Usk": "red", "Toll": "gray"} if board is TINY else {}
    game = choose(engine, map=board, new_cities=new)
    assert is_refused(game, "take 7")
    assert is_refused(game, "take 7 pass")
    assert "take 5" in game.legal()


@example(11)
def test_6_4_urbanization_needs_a_new_city(engine: type[Engine]) -> None:
    colors = [color for color, count in ALL_NEW.items() for _ in range(count)]
    laid = {f"Ern-{number}": color for number, color in enumerate(colors)}
    game = choose(engine, map=make_towns(9), new_cities=laid)
    assert set(game.state()["new_left"].values()) == {0}
    assert not words(game, "take") & {"7", "7 pass"}
    one_left = choose(engine, map=make_towns(9), new_cities=dict(list(laid.items())[:-1]))
    assert words(one_left, "take") >= {"7", "7 pass"}


def test_6_4_urbanization_needs_no_cubes_and_takes_towns_with_track(engine: type[Engine]) -> None:
    track = ("0: Alder B4 Usk",)
    game = position(engine, *track, phase="take", supply="", new_cities={"Toll": "red"})
    play(game, "take 7", "take 1", "take 2")
    assert words(game, "urbanize") == {"Usk"}


@example(12)
def test_6_5_at_the_top_level_the_locomotive_is_free_and_does_nothing(engine: type[Engine]) -> None:
    game = play(choose(engine, level=6, money=0, income=-10), "take 6")
    assert seat(game, 0, "money", "income", "level", "tile") == (0, -10, 6, 6)


@example(13)
def test_6_5_below_it_must_be_paid(engine: type[Engine]) -> None:
    game = choose(engine, level=1, money=0, income=-10, vp=3)
    assert is_refused(game, "take 6")
    assert "take 6" in choose(engine, level=1, money=1, income=-10, vp=3).legal()


def test_6_6_a_legal_choice_always_exists(engine: type[Engine]) -> None:
    """The poorest fifth seat, with the four free tiles gone."""
    five = {**NO_TOWNS, "seats": [5]}
    game = position(
        *(engine,), map=five, seats=5, phase="take", money=0, income=-10, seat=4, tile=[1, 2, 3, 4, 0], supply=""
    )
    assert game.legal() == ["take 5 pass"]
