"""Rules 8.6 to 8.8: how an Automa fulfils a contract, its reward, and what it does with one that it cannot fulfil."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import CORNERS, automa_game, card, chain, coins, columns, laid, take_turn, told
from tests.rules.boards import Cells, links

LINK = "1: Ames A3 Boone"
COLUMN = columns("A.B.C.D")  # the Automa's link joins the first two


def fulfil(*foreign: str, needs: str = "W", factories: str, **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa on `COLUMN` with the contract; it has money enough."""
    game = automa_game(COLUMN, LINK, *foreign, cards=[card(needs)], factories=factories, **{"money": 20, **entries})
    return game, take_turn(game)


# --- 8.6: when it can ---------------------------------------------------------------------------------
def test_rule_8_6__it_needs_a_complete_link() -> None:
    """Without one it does not buy from the bank either, whatever its money."""
    game = automa_game(COLUMN, cards=[card("O")], money=50)
    assert told(take_turn(game), "assess", "least_cost") == [-1]
    assert game.fulfilled(1) == []


@pytest.mark.parametrize(("money", "can"), [(7, True), (6, False)])
def test_rule_8_6__it_must_be_able_to_pay_it_all(money: int, can: bool) -> None:
    """$2 for white over a foreign link, $5 for orange; the reward comes after."""
    game = automa_game(
        COLUMN,
        LINK,
        "0: Boone A7 Clinton",
        cards=[card("WO", money=9)],
        factories=["0: Clinton 1"],
        money=[0, money],
    )
    turn = take_turn(game)
    assert told(turn, "assess", "least_cost", "money") == [(7, money)]
    assert bool(game.fulfilled(1)) == can
    assert game.money[1] == (9 if can else money)


def test_rule_8_6__resources_in_printed_order() -> None:
    factories = ["1: Ames 2", "1: Boone 1"]
    game = automa_game(COLUMN, LINK, cards=[card("BWBO")], colors={"Boone": "B"}, factories=factories, money=30)
    turn = take_turn(game)
    assert [event.get("color") or event.get("city") for event in turn if event["kind"] in ("source", "purchase")] == [
        *("Boone", "Ames", "black", "orange")
    ]
    assert game.money[1] == 20


def test_rule_8_6__each_judged_after_those_already_taken() -> None:
    """The first white leaves both with two: from the bottom Boone comes first then."""
    _, turn = fulfil(needs="WW", factories="0: Ames 3, 0: Boone 2", corner="bottom left")
    assert told(turn, "choose_source", "city", "why") == [("Ames", "most_left"), ("Boone", "marker")]


# --- 8.6: which source --------------------------------------------------------------------------------
NEXT, FAR = "0: Boone A7 Clinton", "0: Clinton A11 Dyson"  # foreign links below the Automa's


@pytest.mark.parametrize(
    ("foreign", "factories", "chosen"),
    [
        pytest.param([NEXT, FAR], "0: Boone 3, 1: Dyson 3", ("Boone", 1, 2, "cheapest"), id="cheapest before own"),
        pytest.param([NEXT], "0: Boone 1, 0: Clinton 4", ("Boone", 1, 2, "cheapest"), id="buying and links count"),
        pytest.param([NEXT], "0: Boone 4, 1: Clinton 4", ("Clinton", 1, 2, "own"), id="own first on equal cost"),
        pytest.param([], "1: Ames 3, 1: Boone 2", ("Boone", 0, 2, "fewest_left"), id="of own the fewest left"),
        pytest.param([], "0: Ames 2, 0: Boone 3", ("Boone", 1, 2, "most_left"), id="of foreign the most left"),
        pytest.param([], "0: Ames 3", ("Ames", 1, 1, "only"), id="the only one"),
        pytest.param([], "1: Ames 0, 0: Boone 1", ("Boone", 1, 1, "only"), id="a flipped city is none"),
    ],
)
def test_rule_8_6__the_source_is_chosen_by_cost_then_owner_then_what_is_left(
    foreign: list[str], factories: str, chosen: tuple[str, int, int, str]
) -> None:
    """Ames and Boone are in its network; Clinton is a foreign link away, Dyson two. By the marker others come first."""
    _, turn = fulfil(*foreign, factories=factories, corner="bottom left" if chosen[3] == "cheapest" else "top left")
    assert told(turn, "choose_source", "city", "cost", "candidates", "why") == [chosen]
    assert told(turn, "source", "city") == [chosen[0]]


@pytest.mark.parametrize(("owner", "cost"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_6__then_first_by_marker(corner: str, owner: int, cost: int) -> None:
    _, turn = fulfil(factories=f"{owner}: Ames 3, {owner}: Boone 3", corner=corner)
    first = "Ames" if corner.startswith("top") else "Boone"
    assert told(turn, "choose_source", "city", "cost", "why") == [(first, cost, "marker")]


def test_rule_8_6__a_colour_that_is_nowhere_in_the_aen_is_bought_for_5() -> None:
    """White is on the map, but no link leads from there."""
    game, turn = fulfil("0: Dyson A11 Clinton", factories="0: Dyson 4")
    assert told(turn, "purchase", "color", "cost") == [("white", 5)]
    assert game.money == [23, 15]


def test_rule_8_6__what_is_in_reach_must_be_taken_though_the_bank_is_cheaper() -> None:
    board, foreign = chain(8, owner=0)
    own, *others = foreign
    game = automa_game(
        board, own.replace("0:", "1:"), *others, cards=[card("W")], factories=["0: Ironton 1"], money=[0, 8]
    )
    turn = take_turn(game)
    assert told(turn, "choose_source", "city", "cost") == [("Ironton", 8)]
    assert game.money[1] == 0


# --- 8.6: the route -----------------------------------------------------------------------------------
# A group at the top (Ames, Hibbing, Elgin) and one at the bottom (Clinton, Dyson, Galena), joined by way of
# Boone on the left and of Fargo on the right; the Automa's link leads from Elgin to Ironton.
RING = columns("A.B.C", "H   D", "E.F.G", ".", "I")
OWN = "{}: Elgin D2 Ironton"
LEFT, RIGHT = ("{}: Ames A3 Boone", "{}: Boone A7 Clinton"), ("{}: Elgin C3 Fargo", "{}: Fargo C7 Galena")


def by(owner: int, *texts: str) -> list[str]:
    return [text.format(owner) for text in texts]


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_6__equal_cost_routes_by_the_group_that_is_first_by_marker(corner: str) -> None:
    game = automa_game(
        RING,
        *by(1, OWN),
        *by(0, *LEFT, *RIGHT),
        cards=[card("W")],
        factories=["1: Dyson 2"],
        corner=corner,
        money=9,
    )
    turn = take_turn(game)
    way = "Boone" if corner.endswith("left") else "Fargo"
    assert [to_group for to_group, _ in told(turn, "hop", "to_group", "paid_to")] == [way, "Ames"]
    assert told(turn, "choose_hop", "to_group", "ways") == [(way, 2)]


@pytest.mark.parametrize("corner", ["top left", "bottom right"])
def test_rule_8_6__a_group_is_where_its_first_city_by_marker_is_whether_or_not_the_link_touches_it(corner: str) -> None:
    """Two ways lead from Clinton to Boone: by Hibbing, in a group with Fargo and Elgin, and by Galena.

    From the left Galena comes before Hibbing and after Elgin, which no link touches; from the right after Hibbing.
    """
    board = columns("  E", "  F  .G", "   H.C .", "   . ..", " A.B..")
    foreign = ("0: Clinton C9 Hibbing", "0: Hibbing D8 Boone", "0: Clinton B12 Galena")
    game = automa_game(
        board,
        *("1: Ames E5 Boone", *foreign, "0: Galena C15 D14 D12 E11 E9 Boone"),
        cards=[card("W")],
        factories=["1: Clinton 2"],
        corner=corner,
        money=9,
    )
    turn = take_turn(game)
    assert told(turn, "hop", "to_group") == ["Elgin", "Boone"]
    assert told(turn, "choose_hop", "to_group", "ways") == [("Elgin", 2)]


def test_rule_8_6__of_several_owners_the_next_in_seat_order_after_the_automa() -> None:
    """Player_1, an Automa, pays player_2 and not player_0."""
    board = {**columns("A.B.C"), (2, 6): ".", (2, 8): "."}
    game = automa_game(
        board,
        LINK,
        "0: Boone A7 Clinton",
        "2: Boone B6 B8 Clinton",
        cards=[card("W")],
        seats=3,
        automas=2,
        factories=["1: Clinton 2"],
        money=9,
    )
    turn = [event for event in take_turn(game) if event["actor"] == 1]
    assert told(turn, "hop", "paid_to") == [2]
    assert told(turn, "choose_hop", "ways", "paid_to", "owners") == [(1, 2, 2)]


def test_rule_8_6__owners_of_factories_and_links_are_paid_and_the_last_one_flips_the_tile() -> None:
    game, turn = fulfil(NEXT, factories="0: Clinton 1")
    assert game.money == [20 + 3 + 2, 18]
    assert told(turn, "source", "paid_to", "cost") == told(turn, "hop", "paid_to", "cost") == [(0, 1)]
    assert told(turn, "flip", "city") == ["Clinton"]
    assert game.city("Clinton")["flipped"]


# --- 8.7 ----------------------------------------------------------------------------------------------
def reward(
    cells: Cells, bonus: str, colors: str = "Boone P, Clinton G", money: int = 1, **rules: Any
) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa, without money, fulfils a white contract for nothing; gray Clinton is a track's target."""
    cards = [card("W", bonus=bonus, money=money)]
    game = automa_game(cells, LINK, cards=cards, colors=colors, factories="1: Ames 2", money=0, rules=rules)
    return game, take_turn(game)


@pytest.mark.parametrize(
    ("column", "bonus", "boone", "done", "obstacle", "compensation"),
    [
        pytest.param("A.B..C", "track", "P", ["A7", "A9"], "", "", id="track: up to two tiles"),
        pytest.param("A.B.hC", "track", "P", ["A7"], "not_laid money", "", id="track: one tile is a bonus done"),
        pytest.param("A.BhC", "track", "P", [], "not_laid money", "bonus_track", id="track: one that cannot be paid"),
        pytest.param("A.B", "track", "P", [], "no_track target", "bonus_track", id="track: no target"),
        pytest.param("A.B", "factory", "O", ["Boone"], "", "", id="factory: by its own rules"),
        pytest.param("A.B", "factory", "P", [], "no_city city", "bonus_factory", id="factory: no city"),
        pytest.param("A.B..C", "none", "P", [], "", "", id="no bonus, no compensation"),
    ],
)
def test_rule_8_7__a_bonus_that_it_cannot_do_is_compensated(
    column: str, bonus: str, boone: str, done: list[str], obstacle: str, compensation: str
) -> None:
    game, turn = reward(columns(column), bonus, f"Boone {boone}, Clinton G")
    assert laid(turn) + told(turn, "build", "city") == done
    assert [f"{kind} {why}" for kind in ("not_laid", "no_track", "no_city") for why in told(turn, kind, "why")] == (
        [obstacle] if obstacle else []
    )
    assert told(turn, "compensation", "amount", "why") == ([(5, compensation)] if compensation else [])
    assert (game.fulfilled(1), game.money[1]) == ([0], 6 if compensation else 1)


@pytest.mark.parametrize(
    ("level", "amount"), [("very_easy", 0), ("easy", 2), ("normal", 5), ("hard", 10), ("very_hard", 15)]
)
def test_rule_8_7__five_levels_of_compensation(level: str, amount: int) -> None:
    game, turn = reward(COLUMN, "contracts", automa_level=level)
    assert told(turn, "compensation", "amount") == [amount]
    assert game.money[1] == 1 + amount


def test_rule_8_7__the_contracts_money_comes_before_the_bonus_and_pays_for_it() -> None:
    """$2 for the hills come out of the reward."""
    game, turn = reward(columns("A.BhC"), "track", money=2)
    assert laid(turn) == ["A7"]
    assert game.money[1] == 0
    kinds = [event["kind"] for event in turn]
    assert kinds.index("reward") < kinds.index("place")


def without_a_train(tail: str, *cards: dict[str, Any]) -> Game:
    """21 trains are on the map: the last is on an incomplete link to Vinton, or on the last of the complete ones."""
    incomplete = tail == "..V"
    board, paths = chain(20 if incomplete else 21, tail=tail)
    paths += ["1: Urbana A83 > S"] if incomplete else []
    options = {"coins": "A85 Vinton" if incomplete else "", "factories": "1: Ames 2"}
    game = automa_game(board, *paths, cards=cards, **options)
    assert game.trains[1] == 0
    return game


@pytest.mark.parametrize("tail", ["..V", ".W"])
def test_rule_8_7__with_no_train_in_reserve_a_track_bonus_is_not_done_even_along_an_incomplete_link(tail: str) -> None:
    game = without_a_train(tail, *[card("W", bonus="track")] * 2)
    before = (links(game, 1), coins(game))
    turn = take_turn(game)
    assert game.fulfilled(1) == [0, 1]
    assert told(turn, "no_track", "why") == ["train"] * 2
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_track")] * 2
    assert (links(game, 1), coins(game)) == before
    assert game.money[1] == 4 + 5 + 5


def test_rule_8_7__a_bonus_begun_with_the_last_train_lays_both_tiles() -> None:
    board, paths = chain(20, tail="...V")
    factories = ["1: Ames 2"]
    game = automa_game(board, *paths, cards=[card("W", bonus="track")], colors="Vinton B", factories=factories)
    turn = take_turn(game)
    assert laid(turn) == ["A83", "A85"]
    assert game.trains[1] == 0
    assert told(turn, "compensation", "amount") == []


def test_rule_8_7__no_factory_in_reserve_is_a_bonus_not_done() -> None:
    board, paths = chain(20)
    factories = ["1: Ames 2", *(f"1: {board[cell]} 0" for cell in sorted(board)[2:30:2])]
    game = automa_game(board, *paths, cards=[card("W", bonus="factory")], factories=factories)
    assert game.factories_left[1] == 0
    turn = take_turn(game)
    assert told(turn, "no_city", "why") == ["factory"]
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_factory")]


def test_rule_8_7__two_contracts_are_never_taken_but_compensated() -> None:
    cards = [card("W", bonus="contracts"), *[card("O")] * 3]
    game = automa_game(COLUMN, LINK, cards=cards, factories="1: Ames 2", money=0)
    turn = take_turn(game)
    assert told(turn, "compensation", "amount", "why") == [(5, "contracts")]
    assert told(turn, "draw", "contract") == game.hand(1) == []
    assert game.deck_size == 2


# --- 8.8 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("column", "icon", "ames", "done", "instead", "money"),
    [
        pytest.param("A.B...C", "track", "W", ["A7", "A9"], [], 3, id="track: up to two tiles"),
        pytest.param("A.B.mC", "track", "W", ["A7"], [], 3, id="track: one tile is enough"),
        pytest.param("A.BmC", "track", "W", ["Ames"], ["track factory"], 3, id="no track: a factory"),
        pytest.param("A.BmC", "track", "P", [], ["track factory", "factory money"], 6, id="track: neither"),
        pytest.param("A.B...C", "factory", "W", ["Ames"], [], 3, id="factory: no track"),
        pytest.param("A.B...C", "factory", "P", ["A7", "A9"], ["factory track"], 3, id="no factory: track"),
        pytest.param("A.BmC", "factory", "P", [], ["factory track", "track money"], 6, id="factory: neither"),
    ],
)
def test_rule_8_8__by_the_icon_then_by_the_other_one_then_3_dollars(
    column: str, icon: str, ames: str, done: list[str], instead: list[str], money: int
) -> None:
    """The icon is data of its own: the contract's bonus is of the other kind."""
    cards = [card("BB", icon, bonus="factory" if icon == "track" else "track")]
    colors = f"Ames {ames}, Boone P, Clinton P"
    game = automa_game(columns(column), LINK, cards=cards, colors=colors, money=[0, 3])
    turn = take_turn(game)
    assert laid(turn) + told(turn, "build", "city") == done
    assert [f"{failed} {then}" for failed, then in told(turn, "instead", "failed", "then")] == instead
    assert game.money[1] == money


def test_rule_8_8__as_an_action_an_incomplete_link_goes_on_without_a_train() -> None:
    game = without_a_train("..V", card("BB"))
    turn = take_turn(game)
    assert told(turn, "complete", "to_city") == ["Vinton"]
    assert told(turn, "no_track", "why") == ["train"]  # for a second tile
    assert told(turn, "instead", "failed") == []
