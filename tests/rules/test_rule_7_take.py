"""Rule 7, take contracts: from the deck, and from the fullest hand when it is empty."""

from collections import Counter

import pytest

from steam_env import Game, IllegalActionError
from tests.rules.positions import legal, play, position, refused


def hands(*sizes: int, deck: int = 0, seed: int = 0, **more: int) -> Game:
    """A position with so many contracts in each hand, numbered by seat, then in the deck in the order of drawing."""
    numbers = iter(range(48))
    piles = [[next(numbers) for _ in range(size)] for size in sizes]
    order = [next(numbers) for _ in range(deck)]
    return position(
        contracts=" / ".join(["W"] * (sum(sizes) + deck)), seats=len(sizes), hands=piles, deck=order, seed=seed, **more
    )


def sizes(game: Game) -> list[int]:
    return [len(game.hand(seat)) for seat in range(game.seats)]


# --- 7.1 from the deck -------------------------------------------------------------------------------


def test_rule_7_1__two_are_drawn_from_the_deck_in_its_order() -> None:
    game = hands(1, 3, 0, deck=4)
    game.step("contracts")
    assert (game.hand(0), game.deck_size) == ([0, 4, 5], 2)
    assert (sizes(game), game.seat, game.actions_left) == ([3, 3, 0], 0, 1)


def test_rule_7_1__both_actions_may_take() -> None:
    game = hands(0, 0, 0, deck=5)
    play(game, "contracts", "contracts")
    assert (game.hand(0), game.deck_size, game.seat) == ([0, 1, 2, 3], 1, 1)


def test_rule_7_1__it_is_free_and_needs_no_network() -> None:
    game = hands(0, 0, 0, deck=2)
    assert game.links() == []
    money = game.money
    game.step("contracts")
    assert game.money == money


def test_rule_7_1__a_hand_has_no_limit() -> None:
    game = hands(20, 20, deck=8)
    play(game, "contracts", "contracts")
    assert sizes(game) == [24, 20]


# --- 7.1 from hands ----------------------------------------------------------------------------------


def test_rule_7_1__with_one_left_in_the_deck_the_second_comes_from_the_fullest_hand() -> None:
    game = hands(0, 2, 3, deck=1)
    game.step("contracts")
    assert 5 in game.hand(0)
    assert (sizes(game), game.deck_size) == ([2, 2, 2], 0)
    assert game.actions_left == 1


def test_rule_7_1__both_come_from_the_hand_of_the_seat_with_the_most() -> None:
    game = hands(1, 2, 4)
    game.step("contracts")
    assert sizes(game) == [3, 2, 2]
    assert set(game.hand(0)) > {0}
    assert set(game.hand(0)) - {0} <= {3, 4, 5, 6}


def test_rule_7_1__the_fullest_hand_is_judged_anew_for_the_second_contract() -> None:
    game = hands(0, 3, 4)
    game.step("contracts")  # one from player_2, then both others have three
    assert sizes(game) == [1, 3, 3]
    assert legal(game) == {"take_from player_1", "take_from player_2"}
    assert game.actions_left == 2
    game.step("take_from player_1")
    assert (sizes(game), game.actions_left) == ([2, 2, 3], 1)


def test_rule_7_1__on_a_tie_the_taker_chooses_for_each_of_the_two() -> None:
    game = hands(0, 3, 3, 3, 1)
    game.step("contracts")
    assert legal(game) == {"take_from player_1", "take_from player_2", "take_from player_3"}
    assert refused(game, "take_from player_4", "7.1")
    game.step("take_from player_2")
    assert legal(game) == {"take_from player_1", "take_from player_3"}
    game.step("take_from player_3")
    assert sizes(game) == [2, 3, 2, 2, 1]


def test_rule_7_1__an_automatic_take_may_follow_a_choice() -> None:
    game = hands(0, 3, 3)
    play(game, "contracts", "take_from player_1")
    assert (sizes(game), game.actions_left) == ([2, 2, 2], 1)  # player_2 had the most alone


def test_rule_7_1__seats_are_named_by_their_index_whoever_takes() -> None:
    game = hands(2, 2, 0, seat=2)
    game.step("contracts")
    assert legal(game) == {"take_from player_0", "take_from player_1"}
    game.step("take_from player_1")
    assert sizes(game) == [1, 1, 2]  # the second from player_0, who then had the most


def test_rule_7_1__fulfilled_contracts_are_never_taken() -> None:
    game = position(contracts="W / W / W", hands=[[], [0], [1]], fulfilled=[[], [2], []], deck=[])
    play(game, "contracts")
    assert len(game.hand(0)) == 0
    play(game, "take_from player_1")
    assert set(game.hand(0)) <= {0, 1}
    assert game.fulfilled(1) == [2]


def test_rule_7_1__it_is_a_random_contract_of_the_hand() -> None:
    taken = Counter()
    for seed in range(400):
        game = hands(0, 4, 0, 2, seed=seed)
        game.step("contracts")
        taken[tuple(game.hand(0))] += 1
    assert set(taken) == {(a, b) for a in range(4) for b in range(a + 1, 4)}
    assert min(taken.values()) > 400 / 6 - 4 * (400 / 6) ** 0.5


def test_rule_7_1__a_given_outcome_says_which_contract_it_is() -> None:
    for outcomes in ([1, 3], [3, 0]):
        game = hands(0, 4, 0)
        game.step("contracts", outcomes)
        assert game.hand(0) == sorted(outcomes)


# --- 7.2 what is not gained --------------------------------------------------------------------------


def test_rule_7_2__if_the_taker_alone_has_the_most_nothing_can_be_taken() -> None:
    game = hands(3, 2, 1)
    assert refused(game, "contracts", "7.2")
    with pytest.raises(IllegalActionError, match="gained"):
        game.step("contracts")


def test_rule_7_2__a_deck_makes_it_legal_again() -> None:
    game = hands(3, 2, 1, deck=1)
    game.step("contracts")
    assert (sizes(game), game.deck_size, game.actions_left) == ([4, 2, 1], 0, 1)  # the second gains nothing
    assert [event.kind for event in game.events] == ["draw"]


def test_rule_7_2__when_all_hands_are_empty_there_is_nothing_to_take() -> None:
    game = position(contracts="W", hands=[[], [], []], fulfilled=[[0], [], []], deck=[])
    assert refused(game, "contracts", "7.2")


def test_rule_7_2__in_a_tie_the_taker_chooses_among_the_others() -> None:
    game = hands(2, 2, 2, 1)
    game.step("contracts")
    assert legal(game) == {"take_from player_1", "take_from player_2"}
    game.step("take_from player_2")  # now the taker alone has the most
    assert (sizes(game), game.actions_left) == ([3, 2, 1, 1], 1)


def test_rule_7_2__it_is_a_decision_even_when_there_is_one_other() -> None:
    game = hands(2, 1, 2)
    game.step("contracts")
    assert legal(game) == {"take_from player_2"}
    assert game.phase == "take_from"
    game.step("take_from player_2")
    assert sizes(game) == [3, 1, 1]


def test_rule_7_2__after_a_draw_the_taker_may_have_the_most() -> None:
    game = hands(1, 2, 1, deck=1)
    game.step("contracts")  # two each: a tie of the taker with player_1
    assert legal(game) == {"take_from player_1"}
    game.step("take_from player_1")
    assert sizes(game) == [3, 1, 1]


def test_rule_7_2__one_gained_is_enough_for_the_action() -> None:
    game = hands(3, 4)
    game.step("contracts")  # four against three: the second time the taker alone has the most
    assert (sizes(game), game.seat, game.actions_left) == ([4, 3], 0, 1)
    assert [event.kind for event in game.events] == ["take"]
    assert refused(game, "contracts", "7.2")


def test_rule_7_2__with_two_seats_the_second_take_can_be_a_choice_of_one() -> None:
    game = hands(2, 4)
    game.step("contracts")
    assert (sizes(game), legal(game)) == ([3, 3], {"take_from player_1"})
    game.step("take_from player_1")
    assert (sizes(game), game.actions_left) == ([4, 2], 1)


def test_rule_7_2__the_last_contract_of_the_only_hand() -> None:
    game = hands(0, 1, 0)
    game.step("contracts")
    assert (sizes(game), game.actions_left) == ([1, 0, 0], 1)
    assert refused(game, "contracts", "7.2")


def test_rule_7_2__the_taker_counts_with_what_it_has_just_drawn() -> None:
    # After the draw player_0 has three, as many as player_1; player_2 has fewer.
    game = hands(2, 3, 2, deck=1)
    game.step("contracts")
    assert legal(game) == {"take_from player_1"}


def test_rule_7_2__the_turn_passes_after_the_last_take() -> None:
    game = hands(0, 2, 2, actions_left=1)
    game.step("contracts")
    assert game.seat == 0
    game.step("take_from player_2")
    assert (sizes(game), game.seat, game.actions_left) == ([2, 1, 1], 1, 2)
