"""Rules 8.0 to 8.5: Automas at the table, the marker, the extended network, the turn, drawing."""

from collections import Counter
from typing import Any

import pytest

from steam_env import Game, Rules
from steam_env.core.steam_power.state import COLOR_NAMES
from tests.rules.automa_boards import (
    CORNERS,
    automa_game,
    card,
    columns,
    laid,
    take_turn,
    told,
)

DEALS = 60


def deal(seed: int, seats: int = 2, automas: int = 1) -> Game:
    return Game(Rules(num_players=seats, automas=automas), seed=seed)


# --- 8.0 ----------------------------------------------------------------------------------------------
NETWORK = columns("A.B")
LINK = "1: Ames A3 Boone"


def test_rule_8_0__an_automa_triggers_the_end() -> None:
    game = automa_game(
        NETWORK, LINK, cards=[card("W")] * 3, factories=["1: Ames 2"], rules={"contracts_to_end": 2}, order=[0, 1, 2]
    )
    take_turn(game)
    assert game.done
    assert not game.truncated
    assert game.fulfilled(1) == [0, 1]


def test_rule_8_0__the_round_is_finished_after_the_automa_triggered_the_end() -> None:
    """The Automa is last in the round, so the game goes on only where the first player comes after it."""
    game = automa_game(
        NETWORK,
        LINK,
        cards=[card("W")] * 3,
        factories=["1: Ames 2"],
        seats=3,
        turn={"seat": 1, "first_player": 1},
        rules={"contracts_to_end": 1},
        order=[0, 1, 2],
    )
    take_turn(game)
    assert not game.done
    assert game.seat == 0
    game.step("money")
    assert game.fulfilled(2) == []
    assert not game.done


def test_rule_8_0__the_end_comes_after_the_seat_before_the_first_player() -> None:
    game = automa_game(
        NETWORK,
        "2: Ames A3 Boone",
        cards=[card("W")] * 3,
        factories=["2: Ames 2"],
        seats=3,
        turn={"seat": 1, "first_player": 1},
        rules={"contracts_to_end": 1},
        order=[0, 1, 2],
    )
    take_turn(game)
    assert (game.done, game.seat, game.fulfilled(2)) == (False, 0, [0, 1])
    game.step("money")
    game.step("money")
    assert game.done


def test_rule_8_0__an_automa_scores_and_wins_as_any_seat() -> None:
    game = automa_game(
        columns("A.B.C"),
        LINK,
        "0: Boone A7 Clinton",
        cards=[card("W", vp=3), card("W", vp=4)],
        colors={"Boone": "P"},
        off_map="WPP",
        factories=["1: Ames 2"],
        money=[4, 17],
        rules={"contracts_to_end": 2},
    )
    take_turn(game)
    assert game.done
    assert game.scores()[1] == {"total": 7 + 3 + 3 + 3, "contracts": 7, "factories": 3, "cities": 3, "money": 3}
    assert game.winners() == [1]


# --- 8.1 ----------------------------------------------------------------------------------------------
def test_rule_8_1__trains_factories_money_and_no_contracts() -> None:
    game = deal(1, seats=3)
    assert game.trains == [21] * 3
    assert game.factories_left == [15] * 3
    assert game.money == [5] * 3
    assert [len(game.hand(seat)) for seat in range(3)] == [5, 5, 0]
    assert game.deck_size == 48 - 10


def test_rule_8_1__each_corner_has_one_resource_out_of_the_30() -> None:
    game = deal(2)
    assert sorted(game.record.corners.tolist()) == [0, 1, 2, 3]
    assert game.record.stock.tolist() == [29] * 4
    assert Game(Rules(), seed=2).record.stock.tolist() == [30] * 4


def test_rule_8_1__the_corners_are_random() -> None:
    orders = {tuple(deal(seed).record.corners.tolist()) for seed in range(DEALS)}
    assert len(orders) > 15


def test_rule_8_1__the_marker_starts_beside_white() -> None:
    for seed in range(10):
        record = deal(seed, seats=5, automas=3).record
        for marker in record.marker[:3].tolist():
            assert COLOR_NAMES[record.corners[marker]] == "white"
        assert record.marker[3] == -1


def test_rule_8_1__the_first_player_is_random_among_the_player_seats() -> None:
    counts = Counter(int(deal(seed, seats=5, automas=3).record.first_player) for seed in range(DEALS))
    assert set(counts) == {0, 1}
    assert min(counts.values()) > DEALS // 5
    assert {int(deal(seed).record.first_player) for seed in range(10)} == {0}


@pytest.mark.parametrize(("seats", "resources", "end"), [(2, 4, 14), (3, 5, 11), (4, 5, 9), (5, 5, 8)])
def test_rule_8_1__numbers_by_player_count_use_the_number_of_seats(seats: int, resources: int, end: int) -> None:
    game = deal(1, seats=seats, automas=seats - 1)
    assert game.record.contracts_to_end == end
    game = automa_game(NETWORK, "0: Ames A3 Boone", cards=[card("W")], seats=seats, automas=seats - 1)
    game.step("build Ames")
    assert game.city("Ames")["resources"] == resources


def test_rule_8_1__several_automas_share_the_corners_and_have_each_a_marker() -> None:
    game = deal(3, seats=4, automas=3)
    start = game.record.marker[:3].tolist()
    assert len(set(start)) == 1
    turn = take_turn_after_round(game)
    colors = told(turn, "automa", "actor", "corner", "color")
    assert [actor for actor, _, _ in colors] == [1, 2, 3]
    assert len({corner for _, corner, _ in colors}) == 1
    assert sorted(game.record.corners.tolist()) == [0, 1, 2, 3]


def take_turn_after_round(game: Game) -> list[dict[str, object]]:
    game.step("money")
    return take_turn(game)


def test_rule_8_1__markers_move_apart_when_an_automa_stands_elsewhere() -> None:
    scenario = automa_game(columns("A.B"), cards=[card("W")], seats=3, automas=2).to_scenario()
    scenario["automa"]["marker"] = [0, 2]
    game = Game.from_scenario(scenario)
    assert told(take_turn(game), "automa", "corner") == ["top right", "bottom left"]


# --- 8.2 ----------------------------------------------------------------------------------------------
FIRST_OF_SQUARE = {"top left": "Ames", "top right": "Clinton", "bottom right": "Dyson", "bottom left": "Boone"}


@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_2__scan_order_is_by_columns_from_each_corner(corner: str) -> None:
    """Ames and Boone in the left column, Clinton and Dyson in the right one, all of the corner's colour."""
    color = COLOR_NAMES[CORNERS.index(corner)]
    board = columns("A.B", "", "C.D", "", "E")
    colors = {name: color[0].upper() for name in ("Ames", "Boone", "Clinton", "Dyson")}
    game = automa_game(board, cards=[card("O")], corner=corner, colors={**colors, "Elgin": "P"})
    turn = take_turn(game)
    assert told(turn, "base", "city", "candidates") == [(FIRST_OF_SQUARE[corner], 4)]


@pytest.mark.parametrize(
    ("corner", "first"),
    [("top left", "Boone"), ("top right", "Clinton"), ("bottom right", "Clinton"), ("bottom left", "Boone")],
)
def test_rule_8_2__columns_come_before_rows(corner: str, first: str) -> None:
    """Boone is far left and low, Clinton far right and high: rows alone would tell top from bottom."""
    board = columns("    B", "", "  A", "", "C")
    colors = {"Ames": "P", "Boone": "W", "Clinton": "W"}
    game = automa_game(board, cards=[card("O")], corner=corner, corner_colors=turned(corner), colors=colors)
    assert told(take_turn(game), "base", "city") == [first]


def turned(corner: str, color: str = "white") -> list[str]:
    """Corner colours with this colour in the corner."""
    others = [other for other in COLOR_NAMES[:4] if other != color]
    return [color if name == corner else others.pop() for name in CORNERS]


@pytest.mark.parametrize(
    ("corner", "order"),
    [
        ("top left", ["Ames", "Boone"]),
        ("top right", ["Ames", "Boone"]),
        ("bottom right", ["Boone", "Ames"]),
        ("bottom left", ["Boone", "Ames"]),
    ],
)
def test_rule_8_2__within_a_column_from_the_corner_too(corner: str, order: list[str]) -> None:
    board = columns("A.B")
    game = automa_game(board, cards=[card("O")], corner=corner, corner_colors=turned(corner))
    assert told(take_turn(game), "base", "city") == order[:1]


# --- 8.3 ----------------------------------------------------------------------------------------------
# Own link A-B, foreign links B-C and C-D; D-E is foreign and incomplete; F-G is foreign and apart.
AEN_BOARD = columns("A.B.C.D..E", "", "F.G")
AEN_LINKS = (
    *("2: Ames A3 Boone", "0: Boone A7 Clinton", "0: Clinton A11 Dyson", "1: Fargo C3 Galena"),
    "0: Dyson A15 > S",
)
THREE: dict[str, Any] = {"seats": 3, "turn": {"seat": 1}}


@pytest.mark.parametrize(
    ("city", "in_aen"),
    [("Ames", True), ("Clinton", True), ("Dyson", True), ("Galena", False)],
)
def test_rule_8_3__the_aen_is_the_network_and_what_foreign_complete_links_reach(city: str, in_aen: bool) -> None:
    game = automa_game(AEN_BOARD, *AEN_LINKS, cards=[card("W")], factories=[f"0: {city} 2"], money=9, **THREE)
    turn = take_turn(game)
    assert bool(told(turn, "choose_source", "city")) == in_aen
    assert bool(told(turn, "purchase", "cost")) != in_aen


def test_rule_8_3__incomplete_links_do_not_extend_it() -> None:
    """Elgin, of the least present colour, is not in reach over the link that is under way."""
    colors = {"Ames": "P", "Boone": "P", "Clinton": "P", "Dyson": "W", "Elgin": "B"}
    game = automa_game(AEN_BOARD, *AEN_LINKS, cards=[card("O", "factory")], colors=colors, **THREE)
    assert told(take_turn(game), "choose_city", "city", "in_aen", "why") == [("Dyson", 1, "only")]


def test_rule_8_3__without_a_network_it_is_empty() -> None:
    game = automa_game(NETWORK, "0: Ames A3 Boone", cards=[card("O", "factory")])
    assert told(take_turn(game), "choose_city", "in_aen") == [0]


# --- 8.4 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("corner", CORNERS)
def test_rule_8_4__the_marker_goes_one_corner_on_clockwise(corner: str) -> None:
    game = automa_game(NETWORK, cards=[card("W")], corner=corner)
    assert told(take_turn(game), "automa", "corner") == [corner]
    game.step("money")
    assert told(take_turn(game), "automa", "corner") == [CORNERS[(CORNERS.index(corner) + 1) % 4]]


def test_rule_8_4__two_contracts_are_drawn_before_the_first_is_resolved() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("O"), card("B")], factories=["1: Ames 1"])
    turn = take_turn(game)
    assert [event["kind"] for event in turn if event["kind"] in ("automa", "reveal", "assess", "discard")] == [
        *("automa", "reveal", "reveal", "assess", "assess", "discard")
    ]
    assert told(turn, "reveal", "contract") == [0, 1]
    assert game.deck_size == 1


def test_rule_8_4__the_first_is_resolved_then_the_second() -> None:
    """The first contract's money pays for the second."""
    cards = [card("W", money=5), card("B", money=0)]
    game = automa_game(NETWORK, LINK, cards=cards, factories=["1: Ames 1"], money=[5, 0])
    take_turn(game)
    assert game.fulfilled(1) == [0, 1]
    other_way = automa_game(NETWORK, LINK, cards=cards, factories=["1: Ames 1"], money=[5, 0], order=[1, 0])
    take_turn(other_way)
    assert other_way.fulfilled(1) == [0]


def test_rule_8_4__fulfilled_if_possible_else_used_and_discarded() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("BB")], factories=["1: Ames 1"], money=9)
    turn = take_turn(game)
    assert game.fulfilled(1) == [0]
    assert told(turn, "act", "contract") == [1]
    assert told(turn, "discard", "contract") == [1]
    assert game.to_scenario()["automa"]["discards"] == [1]


def test_rule_8_4__it_takes_no_other_action() -> None:
    """With its contracts resolved the turn is over: nothing but what they say has happened."""
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("W"), card("W")], factories=["1: Ames 3"])
    turn = take_turn(game)
    assert game.fulfilled(1) == [0, 1]
    assert told(turn, "money", "amount") == []
    assert laid(turn) == []
    assert (game.seat, game.actions_left) == (0, 2)


def test_rule_8_4__an_automa_to_move_plays_at_once_on_loading() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("W"), card("W")], turn={"seat": 1, "actions_left": 2})
    assert (game.seat, game.round) == (0, 2)
    assert game.deck_size == 1


# --- 8.5 ----------------------------------------------------------------------------------------------
def test_rule_8_5__an_empty_deck_is_made_anew_from_the_discards_first() -> None:
    game = automa_game(NETWORK, cards=[card("O")] * 5, discards=[0, 1, 2], hands=[[3, 4], []], order=[])
    take_turn(game)
    assert told_all(game, "reshuffle", "contracts") == [3]
    assert game.deck_size == 1
    assert game.record.generation[:5].tolist() == [1, 1, 1, 0, 0]
    assert len(game.to_scenario()["automa"]["discards"]) == 2


def told_all(game: Game, kind: str, name: str) -> list[int]:
    return [event.values[name] for event in game.events if event.kind == kind]


def test_rule_8_5__the_deck_is_not_made_anew_while_it_has_contracts() -> None:
    game = automa_game(NETWORK, cards=[card("O")] * 5, discards=[0, 1, 2])
    turn = take_turn(game)
    assert told_all(game, "reshuffle", "contracts") == []
    assert told(turn, "reveal", "contract") == [3, 4]
    assert game.deck_size == 0


def test_rule_8_5__the_second_draw_comes_from_the_new_deck() -> None:
    """The contract drawn first is on its way and not among the discards that are shuffled."""
    game = automa_game(NETWORK, cards=[card("O")] * 3, discards=[0, 1])
    turn = take_turn(game)
    assert told_all(game, "reshuffle", "contracts") == [2]
    assert told(turn, "reveal", "contract")[0] == 2
    assert told(turn, "reveal", "contract")[1] in (0, 1)


def test_rule_8_5__generations_count_on() -> None:
    scenario = automa_game(NETWORK, cards=[card("O")] * 2).to_scenario()
    scenario["deck"] = {"order": [], "generation": [2, 0]}
    scenario["automa"]["discards"] = [0, 1]
    game = Game.from_scenario(scenario, seed=1)
    take_turn(game)
    assert game.record.generation[:2].tolist() == [3, 3]


def test_rule_8_5__generations_count_on_beyond_what_a_byte_holds() -> None:
    scenario = automa_game(NETWORK, cards=[card("O")] * 2).to_scenario()
    scenario["deck"] = {"order": [], "generation": [127, 126]}
    scenario["automa"]["discards"] = [0, 1]
    game = Game.from_scenario(scenario, seed=1)
    take_turn(game)
    assert game.record.generation[:2].tolist() == [128, 128]
    assert Game.from_scenario(game.to_scenario()).records == game.records
    assert (game.redeal(0, seed=1).record.place == game.record.place).all()  # nothing is unknown here, nothing is lost


def test_rule_8_5__the_order_of_the_new_deck_is_random() -> None:
    orders = set()
    for seed in range(20):
        scenario = automa_game(NETWORK, cards=[card("O")] * 4, discards=[0, 1, 2, 3], order=[]).to_scenario()
        del scenario["random"]
        game = Game.from_scenario(scenario, seed=seed)
        take_turn(game)
        orders.add(tuple(told_all(game, "stack", "contract")))
    assert len(orders) > 5


def test_rule_8_5__all_automas_share_the_discards() -> None:
    """Player_1's discards of this turn are drawn by player_2."""
    game = automa_game(NETWORK, cards=[card("O"), card("O")], seats=3, automas=2)
    turn = take_turn(game)
    assert told(turn, "reveal", "actor") == [1, 1, 2, 2]
    assert told_all(game, "reshuffle", "contracts") == [2]


def test_rule_8_5__one_contract_left_is_all_that_an_automa_draws() -> None:
    game = automa_game(NETWORK, cards=[card("O")])
    turn = take_turn(game)
    assert told(turn, "reveal", "contract") == [0]
    assert len(told(turn, "no_contract", "actor")) == 1


def test_rule_8_5__with_none_left_an_automa_does_nothing() -> None:
    game = automa_game(NETWORK, cards=[card("O")] * 2, hands=[[0, 1], []])
    turn = take_turn(game)
    assert [event["kind"] for event in turn] == ["automa", "no_contract", "no_contract"]
    assert game.money == [7, 4]
    assert game.seat == 0


def test_rule_8_5__a_player_draws_from_the_discards_too() -> None:
    game = automa_game(NETWORK, cards=[card("O")] * 3, discards=[0, 1, 2], order=[], turn={"actions_left": 2})
    game.step("contracts")
    assert len(game.hand(0)) == 2
    assert game.deck_size == 1


def test_rule_8_5__a_player_goes_on_with_hands_where_there_are_no_discards() -> None:
    """Two players and an Automa: the other player has the most contracts (rule 7.1)."""
    game = automa_game(
        NETWORK, cards=[card("O")] * 3, seats=3, hands=[[], [0, 1, 2], []], order=[], turn={"actions_left": 2}
    )
    game.step("contracts")
    assert [len(game.hand(seat)) for seat in range(3)] == [2, 1, 0]


def test_rule_8_5__what_automas_drew_is_public_but_the_new_decks_order_is_not() -> None:
    game = automa_game(NETWORK, cards=[card("O")] * 5, discards=[0, 1, 2, 3, 4], order=[])
    take_turn(game)
    assert any("draws contract" in line for line in game.log_for(0))
    seen = [event.hide_from(0) for event in game.events]
    assert {event.values["contract"] for event in seen if event.kind == "stack"} == {"hidden"}
    assert all(type(event.values["contract"]) is int for event in seen if event.kind == "reveal")
