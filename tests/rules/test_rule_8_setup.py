"""Rules 8.0 to 8.5: Automas at the table, the marker, the extended network, the turn, drawing."""

from collections import Counter
from typing import Any

import pytest

from steam_env import Game, GameBatch, Rules, ScenarioError
from steam_env.core.steam_power.state import COLOR_NAMES
from steam_env.words.steam_power.events import hide_event
from tests.rules.automa_boards import CORNERS, automa_game, automa_scenario, card, columns, take_turn, told, white_at
from tests.rules.boards import play

DEALS = 60


def deal(count: int, seats: int = 2, automas: int = 1) -> list[Game]:
    batch = GameBatch(Rules(num_players=seats, automas=automas), count, seed=0)
    return [batch.game(number) for number in range(count)]


# --- 8.0 ----------------------------------------------------------------------------------------------
NETWORK = columns("A.B")
LINK = "1: Ames A3 Boone"


def test_rule_8_0__an_automa_triggers_the_end() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W")] * 2, factories="1: Ames 2", rules={"contracts_to_end": 2})
    take_turn(game)
    assert (game.done, game.truncated, game.fulfilled(1)) == (True, False, [0, 1])


def test_rule_8_0__the_round_is_finished_after_the_automa_triggered_the_end() -> None:
    """The Automa is last of the seats, but the first player comes after it."""
    game = automa_game(
        *(NETWORK, "2: Ames A3 Boone"),
        cards=[card("W")] * 3,
        factories="2: Ames 2",
        seats=3,
        turn={"seat": 1, "first_player": 1},
        rules={"contracts_to_end": 1},
    )
    take_turn(game)
    assert (game.done, game.seat, game.fulfilled(2)) == (False, 0, [0, 1])
    play(game, "money, money")
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
    (game,) = deal(1, seats=3)
    assert game.trains == [21] * 3
    assert game.factories_left == [15] * 3
    assert game.money == [5] * 3
    assert [len(game.hand(seat)) for seat in range(3)] == [5, 5, 0]
    assert game.deck_size == 48 - 10


def test_rule_8_1__each_corner_has_one_resource_out_of_the_30_at_random() -> None:
    corners = [game.record.corners.tolist() for game in deal(DEALS)]
    assert all(sorted(order) == [0, 1, 2, 3] for order in corners)
    assert len(set(map(tuple, corners))) > 15
    assert deal(1)[0].record.stock.tolist() == [29] * 4
    assert Game(Rules(), seed=2).record.stock.tolist() == [30] * 4


def test_rule_8_1__the_marker_starts_beside_white() -> None:
    for record in (game.record for game in deal(10, seats=5, automas=3)):
        beside = [COLOR_NAMES[record.corners[marker]] for marker in record.marker[:3].tolist()]
        assert (beside, record.marker[3]) == (["white"] * 3, -1)


def test_rule_8_1__the_first_player_is_random_among_the_player_seats() -> None:
    counts = Counter(int(game.record.first_player) for game in deal(DEALS, seats=5, automas=3))
    assert set(counts) == {0, 1}
    assert min(counts.values()) > DEALS // 5
    assert {int(game.record.first_player) for game in deal(10)} == {0}


@pytest.mark.parametrize(("seats", "resources", "end"), [(2, 4, 14), (3, 5, 11), (4, 5, 9), (5, 5, 8)])
def test_rule_8_1__numbers_by_player_count_use_the_number_of_seats(seats: int, resources: int, end: int) -> None:
    (game,) = deal(1, seats=seats, automas=seats - 1)
    assert game.record.contracts_to_end == end
    game = automa_game(NETWORK, "0: Ames A3 Boone", cards=[card("W")], seats=seats, automas=seats - 1)
    game.step("build Ames")
    assert game.city("Ames")["resources"] == resources


def test_rule_8_1__several_automas_share_the_corners_and_have_each_a_marker() -> None:
    (game,) = deal(1, seats=4, automas=3)
    game.step("money")
    moved = told(take_turn(game), "automa", "actor", "corner")
    assert [actor for actor, _ in moved] == [1, 2, 3]
    assert len({corner for _, corner in moved}) == 1
    table = automa_scenario(columns("A.B"), cards=[card("W")], seats=3, automas=2)
    table["automa"]["marker"] = [0, 2]
    assert told(take_turn(Game.from_scenario(table)), "automa", "corner") == ["top right", "bottom left"]


def test_rule_8_1__no_automa_is_the_first_player() -> None:
    with pytest.raises(ScenarioError, match=r"turn\.first_player: 1; must be .*0"):
        automa_game(NETWORK, cards=[card("W")], turn={"first_player": 1})
    batch = GameBatch(Rules(num_players=4, automas=2), 1, seed=0)
    records = batch.records.copy()
    records["first_player"] = 2
    with pytest.raises(ValueError, match="first_player"):
        GameBatch.from_records(records, batch.rules)


# --- 8.2 ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("texts", "colors", "firsts"),
    [
        pytest.param(("A.B", "", "C.D", "", "E"), "Elgin P", "Ames Clinton Dyson Boone", id="a square"),
        pytest.param(("    B", "", "  A", "", "C"), "Ames P", "Boone Clinton Clinton Boone", id="columns before rows"),
        pytest.param(("A.B",), "", "Ames Ames Boone Boone", id="one column"),
    ],
)
def test_rule_8_2__scan_order_is_by_columns_from_each_corner(texts: tuple[str, ...], colors: str, firsts: str) -> None:
    """The first white city by the marker; Boone of the second board is low on the left, Clinton high on the right."""
    for corner, first in zip(CORNERS, firsts.split(), strict=True):
        game = automa_game(
            columns(*texts), cards=[card("O")], corner=corner, corner_colors=white_at(corner), colors=colors
        )
        assert told(take_turn(game), "base", "city") == [first]


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


@pytest.mark.parametrize(("own", "far"), [(0, "Dyson"), (2, "Ames")])
def test_rule_8_3__it_is_as_deep_as_links_lead_up_or_down_the_map(own: int, far: str) -> None:
    ways = ("Ames A3 Boone", "Boone A7 Clinton", "Clinton A11 Dyson")
    track = [f"{int(link == own)}: {way}" for link, way in enumerate(ways)]
    colors = ", ".join(f"{city} P" for city in ("Ames", "Boone", "Clinton", "Dyson") if city != far)
    game = automa_game(columns("A.B.C.D"), *track, cards=[card("O", "factory")], colors=colors)
    assert told(take_turn(game), "choose_city", "city", "in_aen") == [(far, 1)]


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


def test_rule_8_4__two_contracts_are_drawn_before_the_first_is_fulfilled_or_else_used_and_discarded() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("O"), card("B")], factories="1: Ames 1")
    turn = take_turn(game)
    assert [event["kind"] for event in turn if event["kind"] in ("automa", "reveal", "assess", "discard")] == [
        *("automa", "reveal", "reveal", "assess", "assess", "discard")
    ]
    assert (told(turn, "reveal", "contract"), game.deck_size) == ([0, 1], 1)
    assert game.fulfilled(1) == [0]
    assert told(turn, "act", "contract") == told(turn, "discard", "contract") == [1]
    assert game.to_scenario()["automa"]["discards"] == [1]


@pytest.mark.parametrize(("order", "fulfilled"), [([0, 1], [0, 1]), ([1, 0], [0])])
def test_rule_8_4__the_first_is_resolved_then_the_second(order: list[int], fulfilled: list[int]) -> None:
    """The first contract's money pays for the second."""
    cards = [card("W", money=5), card("B", money=0)]
    game = automa_game(NETWORK, LINK, cards=cards, factories="1: Ames 1", money=[5, 0], order=order)
    take_turn(game)
    assert game.fulfilled(1) == fulfilled


def test_rule_8_4__an_automa_to_move_plays_at_once_on_loading() -> None:
    game = automa_game(NETWORK, LINK, cards=[card("W"), card("W"), card("W")], turn={"seat": 1, "actions_left": 2})
    assert (game.seat, game.round) == (0, 2)
    assert game.deck_size == 1


# --- 8.5 ----------------------------------------------------------------------------------------------
def told_all(game: Game, kind: str, name: str) -> list[int]:
    return [event.values[name] for event in game.events if event.kind == kind]


@pytest.mark.parametrize(
    ("entries", "reshuffled", "revealed", "left"),
    [
        pytest.param(
            {"discards": [0, 1, 2], "hands": [[3, 4], []]}, [3], [{0, 1, 2}, {0, 1, 2}], 1, id="anew from the discards"
        ),
        pytest.param({"discards": [0, 1, 2]}, [], [{3}, {4}], 0, id="not while there are contracts"),
        pytest.param({"discards": [0, 1], "hands": [[3, 4], []]}, [2], [{2}, {0, 1}], 1, id="between the two draws"),
    ],
)
def test_rule_8_5__an_empty_deck_is_made_anew_from_the_discards_first(
    entries: dict[str, Any], reshuffled: list[int], revealed: list[set[int]], left: int
) -> None:
    """The contract drawn first is on its way and not among the discards that are shuffled."""
    game = automa_game(NETWORK, cards=[card("O")] * 5, **entries)
    drawn = told(take_turn(game), "reveal", "contract")
    assert told_all(game, "reshuffle", "contracts") == reshuffled
    assert all(contract in among for contract, among in zip(drawn, revealed, strict=True))
    assert game.deck_size == left
    shuffled = told_all(game, "stack", "contract")
    assert game.record.generation[:5].tolist() == [int(contract in shuffled) for contract in range(5)]


@pytest.mark.parametrize(("before", "after"), [([2, 0], 3), ([127, 126], 128)])
def test_rule_8_5__generations_count_on_beyond_what_a_byte_holds(before: list[int], after: int) -> None:
    table = automa_scenario(NETWORK, cards=[card("O")] * 2, discards=[0, 1])
    game = Game.from_scenario({**table, "deck": {"order": [], "generation": before}}, seed=1)
    take_turn(game)
    assert game.record.generation[:2].tolist() == [after] * 2
    assert Game.from_scenario(game.to_scenario()).records == game.records
    assert (game.redeal(0, seed=1).record.place == game.record.place).all()  # nothing is unknown here, nothing is lost


def test_rule_8_5__the_order_of_the_new_deck_is_random() -> None:
    table = automa_scenario(NETWORK, cards=[card("O")] * 4, discards=[0, 1, 2, 3])
    orders = set()
    for seed in range(20):
        game = Game.from_scenario(table, seed=seed)
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
    seen = [hide_event(event, 0, False) for event in game.events]
    assert {event.values["contract"] for event in seen if event.kind == "stack"} == {"hidden"}
    assert all(type(event.values["contract"]) is int for event in seen if event.kind == "reveal")
