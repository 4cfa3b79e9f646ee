"""Rules 8.6 to 8.8: how an Automa fulfils a contract, its reward, and what it does with one that it cannot fulfil."""

from typing import Any

import pytest

from steam_env import Game
from tests.rules.automa_boards import (
    CORNERS,
    automa_game,
    card,
    chain,
    coins,
    columns,
    laid,
    take_turn,
    told,
)
from tests.rules.boards import links

LINK = "1: Ames A3 Boone"
COLUMN = columns("A.B.C.D")  # the Automa's link joins the first two


def sources(turn: list[dict[str, Any]]) -> list[str]:
    return told(turn, "source", "city")


def fulfil(*foreign: str, needs: str = "W", factories: list[str], **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
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
    _, turn = fulfil(needs="WW", factories=["0: Ames 3", "0: Boone 2"], corner="bottom left")
    assert told(turn, "choose_source", "city", "why") == [("Ames", "most_left"), ("Boone", "marker")]


# --- 8.6: which source --------------------------------------------------------------------------------
def test_rule_8_6__the_cheapest_total_before_own_factories() -> None:
    """Boone's is foreign for $1; the own one in Dyson is two links away."""
    _, turn = fulfil(
        "0: Boone A7 Clinton", "0: Clinton A11 Dyson", factories=["0: Boone 3", "1: Dyson 3"], corner="bottom left"
    )
    assert told(turn, "choose_source", "city", "cost", "why") == [("Boone", 1, "cheapest")]


def test_rule_8_6__the_total_counts_buying_and_links() -> None:
    """Foreign with a link, $2, against foreign without, $1, though more are left far away."""
    _, turn = fulfil("0: Boone A7 Clinton", factories=["0: Boone 1", "0: Clinton 4"], corner="bottom left")
    assert told(turn, "choose_source", "city", "cost", "why") == [("Boone", 1, "cheapest")]


def test_rule_8_6__own_factory_first_on_equal_cost() -> None:
    """An own one a link away and a foreign one in the network cost $1 each."""
    _, turn = fulfil("0: Boone A7 Clinton", factories=["0: Boone 4", "1: Clinton 4"])
    assert told(turn, "choose_source", "city", "cost", "candidates", "why") == [("Clinton", 1, 2, "own")]


def test_rule_8_6__of_own_the_city_with_fewest_left() -> None:
    _, turn = fulfil(factories=["1: Ames 3", "1: Boone 2"])
    assert told(turn, "choose_source", "city", "cost", "why") == [("Boone", 0, "fewest_left")]


def test_rule_8_6__of_foreign_the_city_with_most_left() -> None:
    _, turn = fulfil(factories=["0: Ames 2", "0: Boone 3"])
    assert told(turn, "choose_source", "city", "cost", "why") == [("Boone", 1, "most_left")]


@pytest.mark.parametrize(("owner", "cost"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_6__then_first_by_marker(corner: str, owner: int, cost: int) -> None:
    _, turn = fulfil(factories=[f"{owner}: Ames 3", f"{owner}: Boone 3"], corner=corner)
    first = "Ames" if corner.startswith("top") else "Boone"
    assert told(turn, "choose_source", "city", "cost", "why") == [(first, cost, "marker")]


def test_rule_8_6__the_only_one() -> None:
    _, turn = fulfil(factories=["0: Ames 3"])
    assert told(turn, "choose_source", "city", "candidates", "why") == [("Ames", 1, "only")]


def test_rule_8_6__a_flipped_city_is_no_source() -> None:
    _, turn = fulfil(factories=["1: Ames 0", "0: Boone 1"])
    assert sources(turn) == ["Boone"]


def test_rule_8_6__a_colour_that_is_nowhere_in_the_aen_is_bought_for_5() -> None:
    """White is on the map, but no link leads from there."""
    game, turn = fulfil("0: Dyson A11 Clinton", factories=["0: Dyson 4"])
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


def test_rule_8_6__the_last_one_taken_flips_the_tile() -> None:
    game, turn = fulfil(factories=["0: Ames 1"])
    assert told(turn, "flip", "city") == ["Ames"]
    assert game.city("Ames")["flipped"]


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


def test_rule_8_6__owners_of_factories_and_links_are_paid() -> None:
    game, turn = fulfil("0: Boone A7 Clinton", factories=["0: Clinton 2"])
    assert game.money == [20 + 3 + 2, 18]
    assert told(turn, "source", "paid_to", "cost") == [(0, 1)]
    assert told(turn, "hop", "paid_to", "cost") == [(0, 1)]


# --- 8.7 ----------------------------------------------------------------------------------------------
def reward(bonus: str, cells: Any = None, *more_links: str, **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa fulfils a white contract for nothing; purple Clinton is a track's target."""
    board = columns("A.B.C.D") if cells is None else cells
    colors = {"Boone": "P", "Clinton": "P", "Dyson": "P"}
    options = {"colors": colors, "factories": ["1: Ames 2"], "money": [0, 0], **entries}
    cards = options.pop("cards", [card("WB", bonus=bonus)])
    game = automa_game(board, LINK, *more_links, cards=cards, **options)
    return game, take_turn(game)


def test_rule_8_7__the_contracts_money_comes_before_the_bonus_and_pays_for_it() -> None:
    """$2 for the hills come out of the reward."""
    board = columns("A.BhC")
    game, turn = reward("track", board, cards=[card("BW", money=2, bonus="track")], money=[0, 5])
    assert laid(turn) == ["A7"]
    assert game.money[1] == 0
    kinds = [event["kind"] for event in turn]
    assert kinds.index("reward") < kinds.index("place")


def test_rule_8_7__a_track_bonus_lays_up_to_two_tiles() -> None:
    game, turn = reward("track", columns("A.B..C"), cards=[card("BW", bonus="track")], money=[0, 5])
    assert laid(turn) == ["A7", "A9"]
    assert told(turn, "compensation", "amount") == []
    assert game.fulfilled(1) == [0]


def test_rule_8_7__one_tile_laid_is_a_bonus_done() -> None:
    """The second tile, on hills, cannot be paid: no compensation."""
    game, turn = reward("track", columns("A.B.hC"), cards=[card("BW", bonus="track")], money=[0, 5])
    assert laid(turn) == ["A7"]
    assert told(turn, "not_laid", "hex", "why") == [("A9", "money")]
    assert told(turn, "compensation", "amount") == []
    assert coins(game) == ["A9", "Clinton"]


def test_rule_8_7__a_tile_that_cannot_be_paid_is_a_bonus_not_done() -> None:
    game, turn = reward("track", columns("A.BhC"), cards=[card("BW", bonus="track")], money=[0, 5])
    assert laid(turn) == []
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_track")]
    assert game.money[1] == 5


def test_rule_8_7__no_target_is_a_bonus_not_done() -> None:
    game, turn = reward("track", columns("A.B"), cards=[card("BW", bonus="track")], money=[0, 5])
    assert told(turn, "no_track", "why") == ["target"]
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_track")]
    assert game.money[1] == 5


def test_rule_8_7__with_no_train_left_it_still_lays_along_its_incomplete_link() -> None:
    """21 trains are on the map, the last on the incomplete link."""
    board, paths = chain(20, tail="..V")
    game = automa_game(
        board,
        *paths,
        "1: Urbana A83 > S",
        cards=[card("W", bonus="track")],
        coins="A85 Vinton",
        factories=["1: Ames 2"],
    )
    assert game.trains[1] == 0
    turn = take_turn(game)
    assert laid(turn) == ["A85"]
    assert told(turn, "complete", "to_city") == ["Vinton"]
    assert told(turn, "compensation", "amount") == []


def test_rule_8_7__with_no_train_left_and_no_incomplete_link_there_is_compensation() -> None:
    board, paths = chain(21, tail=".W")
    game = automa_game(board, *paths, cards=[card("W", bonus="track")], factories=["1: Ames 2"])
    assert game.trains[1] == 0
    turn = take_turn(game)
    assert told(turn, "no_track", "why") == ["train"]
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_track")]


def test_rule_8_7__a_factory_bonus_builds_by_its_own_rules() -> None:
    game, turn = reward("factory", cards=[card("W", bonus="factory")], colors={"Boone": "O"})
    assert told(turn, "build", "city", "resources") == [("Boone", 4)]
    assert told(turn, "compensation", "amount") == []
    assert game.city("Boone")["owner"] == 1


def test_rule_8_7__no_factory_in_reserve_is_a_bonus_not_done() -> None:
    board, paths = chain(20)
    standing = [f"1: {name} 0" for name in game_cities(board)[1:15]]
    game = automa_game(
        board, *paths, cards=[card("W", bonus="factory")], factories=["1: Ames 2", *standing], money=[0, 0]
    )
    assert game.factories_left[1] == 0
    turn = take_turn(game)
    assert told(turn, "no_city", "why") == ["factory"]
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_factory")]


def game_cities(board: Any) -> list[str]:
    return [board[cell] for cell in sorted(board) if len(board[cell]) > 1]


def test_rule_8_7__no_city_for_a_factory_is_a_bonus_not_done() -> None:
    game, turn = reward("factory", cards=[card("W", bonus="factory")])
    assert told(turn, "no_city", "why") == ["city"]
    assert told(turn, "compensation", "amount", "why") == [(5, "bonus_factory")]
    assert game.money[1] == 5


def test_rule_8_7__two_contracts_are_never_taken_but_compensated() -> None:
    cards = [card("W", bonus="contracts"), card("O"), card("O"), card("O")]
    game, turn = reward("contracts", cards=cards, money=[0, 0])
    assert told(turn, "compensation", "amount", "why") == [(5, "contracts")]
    assert told(turn, "draw", "contract") == []
    assert game.deck_size == 2
    assert game.hand(1) == []


@pytest.mark.parametrize(
    ("level", "amount"), [("very_easy", 0), ("easy", 2), ("normal", 5), ("hard", 10), ("very_hard", 15)]
)
def test_rule_8_7__five_levels_of_compensation(level: str, amount: int) -> None:
    game, turn = reward("contracts", cards=[card("W", bonus="contracts", money=1)], rules={"automa_level": level})
    assert told(turn, "compensation", "amount") == [amount]
    assert game.money[1] == 1 + amount


def test_rule_8_7__a_contract_without_a_bonus_gives_no_compensation() -> None:
    game, turn = reward("none", cards=[card("W", money=3)])
    assert told(turn, "compensation", "amount") == []
    assert game.money[1] == 3


# --- 8.8 ----------------------------------------------------------------------------------------------
def act(cells: Any, automa: str, needs: str = "BB", **entries: Any) -> tuple[Game, list[dict[str, Any]]]:
    """The Automa, whose link is Ames - Boone, cannot pay for the contract and uses it."""
    options = {"colors": {"Boone": "P", "Clinton": "P"}, "money": [0, 3], **entries}
    more = options.pop("links", [])
    game = automa_game(cells, LINK, *more, cards=[card(needs, automa)], **options)
    return game, take_turn(game)


def test_rule_8_8__track_lays_up_to_two_tiles() -> None:
    game, turn = act(columns("A.B...C"), "track")
    assert laid(turn) == ["A7", "A9"]
    assert told(turn, "build", "city") == []
    assert game.money[1] == 3


def test_rule_8_8__one_tile_is_enough_for_track() -> None:
    game, turn = act(columns("A.B.mC"), "track")
    assert laid(turn) == ["A7"]
    assert told(turn, "build", "city") == []
    assert told(turn, "money", "amount") == []
    assert game.money[1] == 3


def test_rule_8_8__track_that_cannot_be_laid_becomes_a_factory() -> None:
    game, turn = act(columns("A.BmC"), "track")
    assert laid(turn) == []
    assert told(turn, "build", "city") == ["Ames"]
    assert told(turn, "instead", "failed", "then") == [("track", "factory")]
    assert game.money[1] == 3


def test_rule_8_8__neither_track_nor_factory_is_3_dollars() -> None:
    game, turn = act(columns("A.BmC"), "track", colors={"Ames": "P", "Boone": "P", "Clinton": "P"})
    assert told(turn, "instead", "failed", "then") == [("track", "factory"), ("factory", "money")]
    assert game.money[1] == 6


def test_rule_8_8__factory_builds_and_lays_no_track() -> None:
    game, turn = act(columns("A.B...C"), "factory")
    assert told(turn, "build", "city") == ["Ames"]
    assert laid(turn) == []
    assert game.money[1] == 3


def test_rule_8_8__a_factory_that_cannot_be_built_becomes_track() -> None:
    game, turn = act(columns("A.B...C"), "factory", colors={"Ames": "P", "Boone": "P", "Clinton": "P"})
    assert laid(turn) == ["A7", "A9"]
    assert told(turn, "instead", "failed", "then") == [("factory", "track")]
    assert game.money[1] == 3


def test_rule_8_8__neither_factory_nor_track_is_3_dollars() -> None:
    game, turn = act(columns("A.BmC"), "factory", colors={"Ames": "P", "Boone": "P", "Clinton": "P"})
    assert told(turn, "instead", "failed", "then") == [("factory", "track"), ("track", "money")]
    assert game.money[1] == 6


@pytest.mark.parametrize(("bonus", "automa"), [("track", "factory"), ("factory", "track"), ("contracts", "factory")])
def test_rule_8_8__the_icon_is_data_of_its_own_whatever_the_bonus(bonus: str, automa: str) -> None:
    game = automa_game(
        columns("A.B...C"),
        LINK,
        cards=[card("BB", automa, bonus=bonus)],
        colors={"Boone": "P", "Clinton": "P"},
    )
    turn = take_turn(game)
    assert bool(laid(turn)) == (automa == "track")
    assert bool(told(turn, "build", "city")) == (automa == "factory")
    assert told(turn, "compensation", "amount") == []
    assert len(links(game, 1)) == (2 if automa == "track" else 1)
