"""Rule 7, take contracts: from the deck, and from the fullest hand when it is empty."""

from collections import Counter

import pytest

from steam_env import Game
from tests.rules.boards import cannot, legal, play
from tests.rules.positions import position


def hands(*sizes: int, deck: int = 0, **more: int) -> Game:
    """A position with so many contracts in each hand, numbered by seat, then in the deck in the order of drawing."""
    numbers = iter(range(48))
    piles = [[next(numbers) for _ in range(size)] for size in (*sizes, deck)]
    contracts = " / ".join(["W"] * (sum(sizes) + deck))
    return position(contracts=contracts, seats=len(sizes), hands=piles[:-1], deck=piles[-1], **more)


def sizes(game: Game) -> list[int]:
    return [len(game.hand(seat)) for seat in range(game.seats)]


# --- who has how many, step by step: the sizes after each action, and whose hand may be taken from then -------
# Hands are told as "seat 0, seat 1, ..." and in brackets the deck; "?" is followed by the seats to choose from.
TAKES = {
    "7.1 two from the deck": ("1 3 0 (4)", "contracts: 3 3 0 (2)"),
    "7.1 with both actions": ("0 0 0 (5)", "contracts: 2 0 0 (3)", "contracts: 4 0 0 (1)"),
    "7.1 no limit to a hand": ("20 20 (8)", "contracts: 22 20 (6)", "contracts: 24 20 (4)"),
    "7.1 the second from the fullest hand": ("0 2 3 (1)", "contracts: 2 2 2"),
    "7.1 both from the fullest hand": ("1 2 4", "contracts: 3 2 2"),
    "7.1 the fullest hand judged anew": ("0 3 4", "contracts: 1 3 3 ? 1 2", "take_from player_1: 2 2 3"),
    "7.1 a choice for each of the two": (
        *("0 3 3 3 1", "contracts: 0 3 3 3 1 ? 1 2 3", "take_from player_2: 1 3 2 3 1 ? 1 3"),
        "take_from player_3: 2 3 2 2 1",
    ),
    "7.1 an automatic take after a choice": ("0 3 3", "contracts: 0 3 3 ? 1 2", "take_from player_1: 2 2 2"),
    "7.2 a deck makes it legal": ("3 2 1 (1)", "contracts: 4 2 1"),  # the second gains nothing
    "7.2 in a tie among the others": ("2 2 2 1", "contracts: 2 2 2 1 ? 1 2", "take_from player_2: 3 2 1 1"),
    "7.2 a decision with one other": ("2 1 2", "contracts: 2 1 2 ? 2", "take_from player_2: 3 1 1"),
    "7.2 with what it has just drawn": ("1 2 1 (1)", "contracts: 2 2 1 ? 1", "take_from player_1: 3 1 1"),
    "7.2 and the third has fewer": ("2 3 2 (1)", "contracts: 3 3 2 ? 1", "take_from player_1: 4 2 2"),
    "7.2 one gained is enough": ("3 4", "contracts: 4 3"),  # the second time the taker alone has the most
    "7.2 a choice of one with two seats": ("2 4", "contracts: 3 3 ? 1", "take_from player_1: 4 2"),
    "7.2 the last contract of the only hand": ("0 1 0", "contracts: 1 0 0"),
}


@pytest.mark.parametrize("takes", TAKES.values(), ids=TAKES)
def test_rule_7_1__who_takes_how_many_from_whom(takes: tuple[str, ...]) -> None:
    begin, *steps = takes
    in_hands, _, deck = begin.strip(")").partition(" (")
    game = hands(*map(int, in_hands.split()), deck=int(deck or 0))
    money = game.money
    for step in steps:
        action, _, after = step.partition(": ")
        now, _, asked = after.partition(" ? ")
        left = game.actions_left
        play(game, action)
        assert " ".join(map(str, sizes(game))) + (f" ({game.deck_size})" if game.deck_size else "") == now
        if asked:
            assert legal(game) == {f"take_from player_{seat}" for seat in asked.split()}
            assert (game.phase, game.actions_left) == ("take_from", left)
        else:
            assert (game.phase, (game.seat, game.actions_left)) == ("action", (0, 1) if left == 2 else (1, 2))
    assert game.money == money  # it is free, and needs no network


def test_rule_7_1__from_the_deck_in_its_order() -> None:
    game = play(hands(1, 3, 0, deck=4), "contracts")
    assert game.hand(0) == [0, 4, 5]


def test_rule_7_1__hands_have_no_limit() -> None:
    assert sizes(play(hands(42, 0, deck=6), "contracts, contracts")) == [46, 0]


def test_rule_7_1__a_hand_that_is_not_the_fullest_is_not_taken_from() -> None:
    game = play(hands(0, 3, 3, 3, 1), "contracts")
    cannot(game, "take_from player_4", "7.1")
    assert 5 in play(hands(0, 2, 3, deck=1), "contracts").hand(0)
    assert set(play(hands(1, 2, 4), "contracts").hand(0)) - {0} <= {3, 4, 5, 6}


def test_rule_7_1__seats_are_named_by_their_index_whoever_takes() -> None:
    game = play(hands(2, 2, 0, seat=2), "contracts")
    assert legal(game) == {"take_from player_0", "take_from player_1"}
    play(game, "take_from player_1")
    assert sizes(game) == [1, 1, 2]  # the second from player_0, who then had the most


def test_rule_7_1__fulfilled_contracts_are_never_taken() -> None:
    game = position(contracts="W / W / W", hands=[[], [0], [1]], fulfilled=[[], [2], []], deck=[])
    play(game, "contracts, take_from player_1")
    assert set(game.hand(0)) <= {0, 1}
    assert game.fulfilled(1) == [2]


def test_rule_7_1__it_is_a_random_contract_of_the_hand() -> None:
    taken = Counter(tuple(play(hands(0, 4, 0, 2, seed=seed), "contracts").hand(0)) for seed in range(200))
    assert set(taken) == {(a, b) for a in range(4) for b in range(a + 1, 4)}
    assert min(taken.values()) > 200 / 6 - 4 * (200 / 6) ** 0.5


# --- 7.2 what is not gained --------------------------------------------------------------------------
def test_rule_7_2__where_nothing_would_be_gained_it_is_illegal() -> None:
    cannot(hands(3, 2, 1), "contracts", "7.2")  # the taker alone has the most
    assert "gained" in str(hands(3, 2, 1).explain("contracts"))
    cannot(position(hands=[[], [], []], fulfilled=[[0], [], []], deck=[]), "contracts", "7.2")  # all hands are empty
    for game in (hands(3, 4), hands(0, 1, 0)):
        cannot(play(game, "contracts"), "contracts", "7.2")  # the first time one was gained
