"""Rule 9: goods."""

from typing import Any

import pytest

from steam_env.core.steam.state import COLOR_NAMES
from steam_env.steam import Game
from tests.rules_steam.games import NETWORK, explain_rule, play, position

COLORS = {name[0].upper(): name for name in COLOR_NAMES}
LOOPS = "0: Alder B4 Usk; 0: Usk C3 Toll; 0: Usk D4 Toll; 0: Usk Cedar"


def goods(links: str = NETWORK, level: int = 1, **options: Any) -> Game:
    """A goods round; the seat to move has a locomotive of this level."""
    seat = options.get("seat", 0)
    levels = [level if one == seat else 1 for one in range(3)]
    return position(links, phase="goods", **{"level": levels, **options})


def list_routes(game: Game, origin: str, letter: str) -> list[tuple[str, ...]]:
    """All routes of a cube, as the actions tell them."""
    if f"from {origin}" not in game.legal_text():
        return []
    begun = play(game.clone(), f"from {origin}")
    if f"colour {COLORS[letter]}" not in begun.legal_text():
        return []
    return sorted(set(_walk(play(begun, f"colour {COLORS[letter]}"), (origin,))))


def _walk(game: Game, route: tuple[str, ...]) -> list[tuple[str, ...]]:
    if game.phase == "score":
        return [route]
    return [
        found
        for text in game.legal_text()
        for found in _walk(
            play(game.clone(), text), (*route, text.removeprefix("hop ")) if game.phase == "hop" else route
        )
    ]


def test_rule_9_1__two_rounds_in_the_order_of_first_move() -> None:
    game = position(phase="goods", tile=[1, 2, 4], turn={"seat": 1})
    seats = []
    while game.round == 1:
        seats.append((game.state()["round"], game.seat))
        game.step("pass")
    assert seats == [(1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)]


@pytest.mark.parametrize(
    ("number", "level", "seat", "origin", "letter", "routes"),
    [
        (83, 1, 0, "Alder", "Y", []),
        (83, 2, 0, "Alder", "Y", ["Alder Usk Cedar"]),
        (85, 6, 0, "Dale", "R", ["Dale Alder"]),
        (86, 3, 0, "Dale", "Y", ["Dale Alder Usk Cedar"]),
        (87, 2, 0, "Cedar", "R", ["Cedar Usk Alder"]),
        (87, 1, 1, "Cedar", "R", ["Cedar Birch"]),
        (88, 6, 0, "Alder", "G", []),
        (89, 5, 0, "Dale", "G", ["Dale Alder Usk Cedar Birch Elm"]),
        (89, 4, 0, "Dale", "G", []),
        (90, 3, 1, "Alder", "R", ["Alder Usk Cedar Birch"]),
        (90, 3, 0, "Alder", "R", []),
    ],
)
def test_rule_9_6__routes_of_the_network(
    number: int, level: int, seat: int, origin: str, letter: str, routes: list[str]
) -> None:
    """Examples 83 to 90, with rules 9.3 to 9.5."""
    game = goods(level=level, seat=seat, cubes={origin: letter})
    assert list_routes(game, origin, letter) == [tuple(route.split()) for route in routes], number


UNOWNED = NETWORK.replace("1:", "-:")


@pytest.mark.parametrize(("level", "found"), [(4, True), (3, False)])
def test_rule_9_6__unowned_links_count_for_nobody(level: int, found: bool) -> None:
    """Example 91, with rule 13.2."""
    turn = {"number": 2, "order": [0, 2, 1]}
    gone = {"bankrupt": [0, 1, 0], "tile": [1, 0, 7], "money": [9, 0, 9]}
    game = goods(UNOWNED, level, cubes={"Alder": "G"}, turn=turn, **gone)
    assert bool(list_routes(game, "Alder", "G")) == found
    if found:
        play(game, "from Alder", "colour gray", "hop Usk", "hop Cedar", "hop Birch", "hop Elm")
        assert game.state()["chain"] == {"points": [1, 0, 1], "of": 0}


def test_rule_9_6__one_own_link_is_needed() -> None:
    """Example 92."""
    assert list_routes(goods(UNOWNED, 6, cubes={"Cedar": "R"}), "Cedar", "R") == [("Cedar", "Usk", "Alder")]


def test_rule_9_4__no_stop_is_entered_twice() -> None:
    """Example 93."""
    game = goods(LOOPS, 4, cubes={"Alder": "Y"})
    assert list_routes(game, "Alder", "Y") == [("Alder", "Usk", "Cedar")]
    towns = goods(LOOPS, 4, cubes={"Alder": "Y"}, rules={"towns_twice": True})
    assert ("Alder", "Usk", "Toll", "Usk", "Cedar") in list_routes(towns, "Alder", "Y")


def test_rule_9_4__each_link_once_with_towns_twice() -> None:
    single = LOOPS.replace("; 0: Usk D4 Toll", "")
    game = goods(single, 4, cubes={"Alder": "Y"}, rules={"towns_twice": True})
    assert list_routes(game, "Alder", "Y") == [("Alder", "Usk", "Cedar")]


def test_rule_9_4__the_reason_names_it() -> None:
    game = play(goods(level=3, cubes={"Alder": "Y", "Dale": "Y"}), "from Dale", "colour yellow", "hop Alder")
    assert explain_rule(game, "hop Dale") == "9.4"
    assert explain_rule(game, "hop Elm") == "9.3"


PARALLEL = "0: Birch G5 Elm; 1: Birch F4 F6 Elm"


def test_rule_9_10__over_is_asked_only_where_it_matters() -> None:
    """Example 94."""
    game = play(goods(PARALLEL, seat=1, cubes={"Birch": "G"}), "from Birch", "colour gray", "hop Elm")
    assert game.phase == "score"
    assert game.state()["chain"]["points"] == [0, 1, 0]
    more = "; 1: Cedar E5 E3 F2 Birch"
    asked = goods(PARALLEL + more, 2, seat=1, cubes={"Cedar": "G"})
    play(asked, "from Cedar", "colour gray", "hop Birch", "hop Elm")
    assert asked.legal_text() == ["over player_1", "over player_0"]
    assert explain_rule(asked, "over player_2") == "9.10"
    assert asked.state()["chain"]["to"] == "Elm"
    assert play(asked, "over player_0").state()["chain"]["points"] == [1, 1, 0]


def test_rule_9_8__the_mover_decides_first() -> None:
    """Example 84."""
    game = play(goods(level=2, cubes={"Alder": "Y"}), "from Alder", "colour yellow", "hop Usk", "hop Cedar")
    assert (game.seat, game.legal_text()) == (0, ["income", "vp"])
    assert play(game, "income").seat == 1
    play(game, "vp")
    assert (game.income, game.vp) == ([1, 0, 0], [0, 1, 0])


def test_rule_9_8__then_the_others_from_the_first_place_on() -> None:
    """Example 130, with the points of example 89."""
    game = goods(level=5, cubes={"Dale": "G"}, turn={"order": [2, 0, 1], "seat": 0})
    play(game, "from Dale", "colour gray", "hop Alder", "hop Usk", "hop Cedar", "hop Birch", "hop Elm")
    assert game.state()["chain"]["points"] == [2, 2, 1]
    assert [game.seat, play(game, "vp").seat, play(game, "vp").seat] == [0, 2, 1]
    assert play(game, "vp").phase == "goods"


def test_rule_9_8__points_are_not_split() -> None:
    """Example 96."""
    game = play(goods("0: Alder B4 Usk; 0: Usk Cedar", 2, cubes={"Alder": "Y"}), "from Alder", "colour yellow")
    play(game, "hop Usk", "hop Cedar", "vp")
    assert (game.income[0], game.vp[0]) == (0, 2)


def test_rule_9_9__income_stops_at_10() -> None:
    """Example 95."""
    for income, after in ((9, 10), (10, None)):
        game = goods("0: Alder B4 Usk; 0: Usk Cedar", 2, cubes={"Alder": "Y"}, income=[income, 0, 0])
        play(game, "from Alder", "colour yellow", "hop Usk", "hop Cedar")
        if after is None:
            assert explain_rule(game, "income") == "9.9"
        else:
            assert play(game, "income").income[0] == after


def test_rule_9_9__another_limit_or_none() -> None:
    """Rule 15.1."""
    for limit, after in ((3, 3), ("none", 11)):
        income = 2 if limit == 3 else 9
        rules = {"income_max": limit}
        game = goods("0: Alder B4 Usk; 0: Usk Cedar", 2, cubes={"Alder": "Y"}, income=[income, 0, 0], rules=rules)
        assert play(game, "from Alder", "colour yellow", "hop Usk", "hop Cedar", "income").income[0] == after


def test_rule_9_2__the_locomotive_once_a_turn() -> None:
    """Example 97."""
    game = play(goods(cubes={}), "locomotive", "pass", "pass")
    assert (game.level[0], game.seat) == (2, 1)  # seat 0 is not asked: it could only pass
    again = goods(level=2, cubes={"Dale": "R"}, improved=[True, False, False], turn={"round": 2})
    assert explain_rule(again, "locomotive") == "9.2"
    by_tile = goods(tile=[6, 5, 7])
    assert by_tile.explain("locomotive") is None


def test_rule_9_2__not_beyond_level_6() -> None:
    """Example 98."""
    assert explain_rule(goods(level=6, cubes={"Dale": "R"}), "locomotive") == "9.2"


def test_rule_9_7__the_cube_is_gone() -> None:
    """Example 99."""
    game = goods(level=1, cubes={"Dale": "RG"})
    bag = game.state()["bag"]["R"]
    play(game, "from Dale", "colour red", "hop Alder")
    state = game.state()
    assert (state["cubes"]["Dale"], state["bag"]["R"], state["supply"][0]) == ("G", bag + 1, "RP")


def test_rule_9_1__mask_of_a_goods_round() -> None:
    """Example 115."""
    cubes = {"Alder": "RY", "Dale": "G", "Cedar": "R"}
    game = goods(level=2, cubes=cubes)
    assert game.legal_text() == ["pass", "locomotive", "from Alder", "from Cedar"]
    assert play(game, "from Alder").legal_text() == ["colour yellow"]
    assert goods(seat=2, cubes=cubes).legal_text() == ["pass", "locomotive"]


def test_rule_14_1__who_can_only_pass_is_not_asked() -> None:
    """Example 116."""
    game = goods(level=2, seat=2, cubes={"Alder": "R"}, improved=[False, False, True], turn={"round": 2})
    assert game.seat != 2
